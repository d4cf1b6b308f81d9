"""What did an audit find, and how is it handed on?"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from rankproof.contract import Contract
from rankproof.errors import Fault, InputError, nearest
from rankproof.splits import leak_telling as telling
from rankproof.splits.contrast import Contrast
from rankproof.splits.groups import Joined
from rankproof.splits.kinds import KINDS, LIMITS, LINKS, Kind
from rankproof.tables import Table, as_html, as_text
from rankproof.words import Words

ANY = "any"
"""What `fails` asks for if every kind counts."""


def kinds_in(given: str | Collection[str], known: Collection[str] = (*KINDS, ANY)) -> list[str]:
    """Return the kinds of a list, or of a text with commas. InputError for one that is not known."""
    names = [name.strip() for name in given.split(",")] if isinstance(given, str) else list(given)
    for name in names:
        if name not in known:
            hint = f"did you mean {nearest(name, known, 1)}?"
            raise InputError(
                Fault(f"there is no such kind of leak: {name}", expected=f"some of {', '.join(known)}", hint=hint)
            )
    return names


class Side(NamedTuple):
    """Where one side of a leak stands: a split (or `corpus`, or a file), the id there, what it says."""

    place: str
    id: str
    text: str | None


class Leak(NamedTuple):
    """One leak: what is shared (a family, a document, a text, the features that are alike), and who shares it."""

    what: str
    sides: Sequence[Side]  # the test split's first
    similarity: float | None = None

    @property
    def example(self) -> tuple[Side, Side]:
        """Return the first side, and the first one that stands in another place."""
        first = self.sides[0]
        return first, next((side for side in self.sides if side.place != first.place), self.sides[-1])


@dataclass(frozen=True)
class Found:
    """What was found of one kind; `why_not` says why nothing could be looked at."""

    kind: Kind
    leaks: Sequence[Leak]
    test_queries: Sequence[str]  # those that these leaks touch
    links: Sequence[Sequence[str]] = ()  # query ids that belong together, within one split too
    why_not: Words | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return what the JSON holds of a kind."""
        return {
            "kind": self.kind.name,
            "checked": self.why_not is None,
            "why_not": None if self.why_not is None else self.why_not.en,
            "leaks": [
                {
                    "what": leak.what,
                    "similarity": leak.similarity,
                    "sides": [side._asdict() for side in leak.sides],
                }
                for leak in self.leaks
            ],
            "test_queries": list(self.test_queries),
            "what_to_do": self.kind.mend.en,
        }


@dataclass(frozen=True)
class Leakage:
    """What the splits, and what a system was tuned on, know of the test queries."""

    sizes: Mapping[str, int]  # queries a split
    test: str
    test_ids: Sequence[str]
    query_ids: Sequence[str]  # of all splits, each once
    kinds: Mapping[str, Found]
    contrasts: Sequence[Contrast]
    contract: Contract
    settings: Mapping[str, Any]
    said: Sequence[Words] = ()  # what else was noticed

    @cached_property
    def touched(self) -> Sequence[str]:
        """Return the test queries that any leak touches."""
        found = {query for kind in self.kinds.values() for query in kind.test_queries}
        return [query for query in self.test_ids if query in found]

    @property
    def found(self) -> Sequence[str]:
        """Return the kinds of which there are leaks."""
        return [name for name, kind in self.kinds.items() if kind.leaks]

    def fails(self, on: str | Collection[str]) -> bool:
        """Return whether there is a leak of these kinds: a list, `family,near-text`, or `any` of those looked at.

        InputError for an unknown kind, and for one that could not be looked at.
        """
        wanted = kinds_in(on)
        for name in wanted:
            if name != ANY and (why_not := self.kinds[name].why_not):
                raise InputError(Fault(f"{name} was not checked: {why_not.en}"))
        return any(self.kinds[name].leaks for name in (KINDS if ANY in wanted else wanted))

    def families(self, kinds: str | Collection[str] = LINKS) -> dict[str, str]:
        """Return the group of each query, joined over what these kinds found, within one split too.

        A group is named by its lowest query id. Split by them (`families=`), no leak of these kinds is left. InputError
        for a kind that joins no queries.
        """
        joined = Joined(self.query_ids)
        for name in kinds_in(kinds, LINKS):
            for first, *others in self.kinds[name].links:
                for other in others:
                    joined.join(first, other)
        return joined.groups()

    def to_dict(self) -> dict[str, Any]:
        """Return what `rankproof leakage --format json` writes."""
        return {
            "contract": self.contract.to_dict(),
            "splits": [{"name": name, "queries": size} for name, size in self.sizes.items()],
            "test": self.test,
            "settings": dict(self.settings),
            "kinds": [kind.to_dict() for kind in self.kinds.values()],
            "test_queries_touched": list(self.touched),
            "contrasts": [
                {
                    "measure": one.measure,
                    "clean": one.clean._asdict(),
                    "leaked": one.leaked._asdict(),
                    "difference": one.difference,
                    "interval": None if one.interval is None else list(one.interval),
                    "confidence": one.confidence,
                    "without_value": one.without,
                    "why_no_interval": None if one.why is None else one.why.en,
                }
                for one in self.contrasts
            ],
            "caveats": [limit.en for limit in LIMITS],
        }

    def tables(self, *, examples: int = 3) -> list[Table]:
        """Return a row a kind; the first examples of each; the measures on clean and leaked test queries."""
        return telling.leakage_tables(self, examples)

    def notes(self) -> list[str]:
        """Return what was looked at and how, what could not be, and what it does not say, as sentences."""
        return telling.leakage_notes(self)

    def __repr__(self) -> str:
        """Return the tables and notes, to read."""
        return "\n".join([as_text(self.tables(), styled=False), *self.notes()])

    def _repr_html_(self) -> str:
        """Return the same as a notebook shows it."""
        return as_html(self.tables(), self.notes())
