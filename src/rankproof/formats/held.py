"""Which judgments and runs in dicts and lists can be placed as they are, without a copy?

Whoever places them asks for some queries at a time, whose ids and numbers are checked then: what was looked at is still
in the processor's cache when it is looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import chain, repeat
from numbers import Real
from operator import contains
from typing import Any

from rankproof.contract import Contract
from rankproof.formats.cells import is_text
from rankproof.formats.grades import LARGEST
from rankproof.formats.later import Later, Read
from rankproof.formats.objects import qrels_of, run_of
from rankproof.model import Grade, Held, HeldQrels, Ranking, Run

MANY = 10_000
"""Fewer judgments, or results, are read sooner than NumPy is loaded."""


class _AsGiven(Later[Read]):
    """A dict by query whose parts are read when one is asked for; its queries are known before."""

    def __init__(self, given: Mapping[str, Any], read: Callable[[Mapping[str, Any]], Mapping[str, Read]]) -> None:
        super().__init__(lambda: read(given))
        self._given = given

    def __contains__(self, query: object) -> bool:
        """Return whether there is such a query."""
        return query in self._given

    def __iter__(self) -> Iterator[str]:
        """Yield the queries."""
        return iter(self._given)

    def __len__(self) -> int:
        """Return how many queries there are."""
        return len(self._given)


class HeldRankings(_AsGiven[Ranking], Held):
    """The rankings of a run."""

    def __init__(self, given: Mapping[str, Any], name: str) -> None:
        """Refer to {query_id: {doc_id: score}} or {query_id: [doc_id, …]}; `name` stands in messages."""
        super().__init__(given, lambda run: run_of(run, name).rankings)

    @property
    def sizes(self) -> Mapping[str, int]:
        """Return how many results each query has."""
        return dict(zip(self._given, map(len, self._given.values()), strict=True))

    def part(self, query_ids: Sequence[str]) -> tuple[Sequence[Mapping[str, float]], Any] | None:
        """Return some queries' results by score (a list's by place), and all scores; None if they must be read."""
        import numpy as np  # noqa: PLC0415 - an extra, loaded for many results

        given = list(map(self._given.get, query_ids, repeat(_NONE)))
        if not _are_ids(given):
            return None
        if list in map(type, given):
            given = [part if type(part) is dict else _by_place(part) for part in given]
            if None in given:
                return None
        scores = list(chain.from_iterable(map(dict.values, given)))
        if not (_are_all(float, scores) or all(issubclass(kind, Real) for kind in set(map(type, scores)))):
            return None
        try:
            return given, np.fromiter(scores, float, len(scores))
        except OverflowError:  # too large for a double
            return None


class HeldJudgments(_AsGiven[Mapping[str, Grade]], HeldQrels):
    """Judgments, each grade a whole number."""

    def __init__(self, given: Mapping[str, Any], contract: Contract) -> None:
        """Refer to {query_id: {doc_id: grade}}."""
        super().__init__(given, lambda qrels: qrels_of(qrels, contract))

    def part(self, query_ids: Sequence[str]) -> tuple[Sequence[Mapping[str, Grade]], Any] | None:
        """Return the judgments of some queries, and all grades in one; None if they must be read."""
        import numpy as np  # noqa: PLC0415 - an extra, loaded for many judgments

        given = list(map(self._given.__getitem__, query_ids))
        grades = list(chain.from_iterable(map(dict.values, given)))
        if not (_are_all(int, grades) and _are_ids(given)):
            return None
        try:
            return given, np.frombuffer(bytes(grades), np.uint8).astype(np.int16)
        except ValueError:  # not all from 0 to 255
            are_small = all(-LARGEST <= grade <= LARGEST for grade in grades)
            return (given, np.array(grades, np.int64)) if are_small else None


def held_run(given: Any, name: str, *, checked: bool = False) -> Run | None:
    """Return a run of many results by score or in lists, as they are; None for any other.

    They are read, and their faults listed, when they are asked for; if `checked`, a run with faults gives None.
    """
    if not _is_large(given, {dict}, {list}, {dict, list}):
        return None
    rankings = HeldRankings(given, name)
    return None if checked and rankings.part(list(given)) is None else Run(name, rankings)


def held_qrels(given: Any, contract: Contract) -> HeldQrels | None:
    """Return many judgments as they are; None for any other. They are read when they are asked for."""
    return HeldJudgments(given, contract) if _is_large(given, {dict}) else None


def _is_large(given: Any, *kinds: set[type]) -> bool:
    """Return whether this is a dict by text of parts of these kinds, which hold so much that NumPy pays."""
    if type(given) is not dict or set(map(type, given.values())) not in kinds:
        return False
    return sum(map(len, given.values())) >= MANY and find_spec("numpy") is not None and _are_ids([given])


_NONE: dict[str, float] = {}


def _by_place(listed: Sequence[str]) -> dict[str, float] | None:
    """Return a list in ranked order as scores that fall; None for one that repeats a document."""
    found: dict[str, float] = dict(zip(listed, range(0, -len(listed), -1), strict=True))
    return found if len(found) == len(listed) <= _EXACT else None


_EXACT = 1 << 24
"""Up to here single precision holds every whole number."""


def _are_all(kind: type, given: Sequence[object]) -> bool:
    """Return whether all are of this type, none of one derived from it."""
    return list(map(type, given)).count(kind) == len(given)


def _are_ids(parts: Collection[Collection[Any]]) -> bool:
    """Return whether all are text, none is empty, and none holds half of a surrogate pair."""
    ids = list(chain.from_iterable(parts))
    return _are_all(str, ids) and is_text("".join(ids)) and not any(map(contains, parts, repeat("")))
