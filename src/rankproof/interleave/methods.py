"""Which ways to make one list of several rankings are there? One table, and what draws from it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from random import Random
from typing import Any, Generic, NamedTuple

from rankproof.arithmetic import check_count
from rankproof.errors import Fault, InputError, nearest
from rankproof.interleave.credit import CREDITS, Credit
from rankproof.interleave.drafts import balanced, team_draft
from rankproof.interleave.drawing import Chance, Document, Draw, by_random, distribution
from rankproof.interleave.optimised import optimised
from rankproof.interleave.probabilistic import probabilistic


@dataclass(frozen=True, slots=True)
class Method:
    """A way to make one list of several rankings, and the rules of credit that go with it, its own first."""

    name: str
    source: str
    prepare: Callable[[Sequence[Sequence[Any]], int], Draw[Any]]
    credits: tuple[str, ...]
    only_two: bool = False
    caution: str | None = None  # a preference that the method itself may make


METHODS: Mapping[str, Method] = {
    method.name: method
    for method in (
        Method(
            "team-draft",
            "Radlinski, Kurup, Joachims 2008; of more than two: Schuth et al. 2014",
            team_draft,
            ("binary", "inverse-rank"),
        ),
        Method(
            "balanced",
            "Joachims 2002, 2003",
            balanced,
            ("top-k",),
            only_two=True,
            caution="balanced lists may favour a ranking by themselves: of abcd and bcda, clicks at random let the"
            " second win 3 of 4 times; the other methods do not",
        ),
        Method(
            "probabilistic",
            "Hofmann, Whiteson, de Rijke 2011; of more than two: Schuth et al. 2015",
            probabilistic,
            ("marginalised", "binary", "inverse-rank"),
        ),
        Method(
            "probabilistic-rounds",
            "Hofmann, Whiteson, de Rijke 2011, but each ranking contributes once a round, as in team draft",
            partial(probabilistic, rounds=True),
            ("marginalised-in-rounds", "binary", "inverse-rank"),
        ),
        Method("optimised", "Radlinski & Craswell 2013", optimised, ("list-ranks",), only_two=True),
    )
}
"""The methods by name. Of more than two rankings it is called multileaving."""


def method_of(name: str) -> Method:
    """Return a method by its name; InputError for one that does not exist."""
    if name not in METHODS:
        hint = f"nearest: {nearest(name, METHODS, 1)}"
        raise InputError(Fault(f"there is no method {name!r}", expected=f"one of {', '.join(METHODS)}", hint=hint))
    return METHODS[name]


def credit_of(method: Method, name: str | None) -> Credit:
    """Return a rule of credit by name, the method's own for None; InputError for one that does not go with it."""
    chosen = method.credits[0] if name is None else name
    if chosen not in method.credits:
        message = f"{method.name} cannot be credited by {chosen!r}"
        raise InputError(Fault(message, expected=f"one of {', '.join(method.credits)}"))
    return CREDITS[chosen]


_WHOLE = re.compile(r"\s*([+-]?[0-9]{1,4000})(?:\.0*)?\s*")


def whole_number(given: object) -> int | None:
    """Return a whole number, also one that a table spells as 1.0 or 01; None for anything else."""
    if isinstance(given, float):
        return int(given) if given.is_integer() else None
    if isinstance(given, int) and not isinstance(given, bool):
        return given
    found = _WHOLE.fullmatch(given) if isinstance(given, str) else None
    return None if found is None else int(found[1])


def prepared(method: Method, rankings: Sequence[Sequence[Document]], k: int) -> Draw[Document]:
    """Return what draws lists of at most k documents; one that comes twice in a ranking counts at its first place.

    InputError for a k that cannot be, for less than two rankings, or more than a method can take.
    """
    check_count("k", k, InputError)
    if len(rankings) < 2:
        raise InputError(Fault(f"{len(rankings)} ranking is given", expected="two or more to interleave"))
    if method.only_two and len(rankings) > 2:
        others = ", ".join(one.name for one in METHODS.values() if not one.only_two)
        raise InputError(Fault(f"{method.name} takes two rankings, not {len(rankings)}", hint=f"of more: {others}"))
    return method.prepare([list(dict.fromkeys(ranking)) for ranking in rankings], k)


def chances(method: str, rankings: Sequence[Sequence[Document]], k: int) -> list[Chance[Document]]:
    """Return every list that a method can show for these rankings, with its teams and its probability.

    InputError as for drawing, and where there are too many ways to draw a list.
    """
    return distribution(prepared(method_of(method), rankings, k))


def seed_of(seed: int, query_id: str, impression: int) -> int:
    """Return the seed of one list, so that no two queries share their coins: BLAKE2b of all three."""
    return int.from_bytes(blake2b(f"{seed}/{impression}/{query_id}".encode(), digest_size=8).digest())


class Interleaved(NamedTuple, Generic[Document]):
    """One list to show, and which ranking picked each of its documents: "A" or "B"."""

    documents: list[Document]
    teams: list[str]


def team_draft_interleave(
    a: Sequence[Document], b: Sequence[Document], k: int = 10, *, seed: int = 0
) -> Interleaved[Document]:
    """Return at most k documents that two rankings picked in turn (Radlinski, Kurup, Joachims 2008).

    In each round a coin decides which ranking picks first; each picks its best document that is not yet shown. The list
    ends at k, or before the first place that one of the two might be unable to fill, so that neither gains by being
    longer. The same seed gives the same list.
    """
    drawn = prepared(METHODS["team-draft"], [a, b], k)(by_random(Random(seed)))  # noqa: S311 - a coin, not a secret
    return Interleaved(list(drawn.documents), ["AB"[team] for team in drawn.teams or ()])
