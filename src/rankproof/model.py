"""What are Qrels, Run, Placements and Join?"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple, TypeAlias

from rankproof.contract import Contract
from rankproof.errors import Fault, InputError

Grade: TypeAlias = int | float
"""A judge's number: integers stay int, a fraction is the nearest double; readers refuse NaN and infinity."""
Value: TypeAlias = float | None
"""A measure's value; None is undefined, and `Values.undefined` says why."""
Qrels: TypeAlias = Mapping[str, Mapping[str, Grade]]
"""query_id to doc_id to grade."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """One query's part of a run, in the order given; parallel sequences, document ids may repeat."""

    doc_ids: Sequence[str]
    scores: Sequence[float] | None = None  # None: nothing was scored, the order given ranks
    ranks: Sequence[float] | None = None  # the file's rank column, for `order = rank`
    evidence: Sequence[bool] | None = None  # the lab's marks; None: nothing was marked

    def __post_init__(self) -> None:
        """Refuse sequences that are not parallel."""
        for name, given in (("scores", self.scores), ("ranks", self.ranks), ("evidence", self.evidence)):
            if given is not None and len(given) != len(self.doc_ids):
                message = f"a ranking has {len(self.doc_ids)} documents and {len(given)} {name}"
                raise InputError(Fault(message, expected="as many"))


class Unread(Mapping[str, Ranking]):
    """Rankings that lie in a file of TREC rows, and are read when they are asked for; or placed without that."""

    @abstractmethod
    def opened(self) -> AbstractContextManager[BinaryIO]:
        """Open the text, from its beginning."""


@dataclass(frozen=True, slots=True)
class Run:
    """A named system's rankings by query_id, and the file they came from."""

    name: str
    rankings: Mapping[str, Ranking]
    source: str | None = None
    rolled_up: bool = False  # whether chunk ids were turned into document ids


class Tie(NamedTuple):
    """Places first to last hold equal scores, and a judged document, a repeat or a mark of evidence."""

    first: int
    last: int
    grades: tuple[Grade, ...]  # of the judged documents in it, highest first
    marked: bool = False  # whether it holds a repeat or a mark of evidence


@dataclass(frozen=True, slots=True)
class Placements:
    """Where one query's judged documents stand, after every rule of the contract but gains and denominators.

    A grade below 0 that is still here was pooled but not judged (`negative-grade = unjudged`).
    """

    ranks: Sequence[int]  # ascending, from 1
    grades: Sequence[Grade]  # parallel to ranks
    pool: Sequence[Grade]  # grades of all documents that the query's qrels list, highest first
    returned: int
    ties: Sequence[Tie] = ()
    repeats: Sequence[int] = ()  # ranks used up by a document that counts elsewhere, ascending
    copies: int = 0  # how many results repeat a document, whether they use up a rank or not
    evidence: Sequence[int] | None = None  # ranks marked as holding evidence, ascending; None: nothing was marked
    doc_ids: Sequence[str] | None = None  # parallel to ranks, when asked for

    def within(self, cutoff: int | None = None) -> Iterable[tuple[int, Grade]]:
        """Return (rank, grade) from the top, up to the cutoff."""
        end = None if cutoff is None else bisect_right(self.ranks, cutoff)
        return zip(self.ranks[:end], self.grades[:end], strict=True)

    def at_least(self, grade: float) -> int:
        """Return how many documents of the query's qrels have this grade or a higher one."""
        return bisect_left(self.pool, True, key=lambda other: other < grade)

    def returned_within(self, cutoff: int | None) -> int:
        """Return how many places up to the cutoff hold a result."""
        return self.returned if cutoff is None else min(cutoff, self.returned)


@dataclass(frozen=True, slots=True)
class Join:
    """A run placed under one contract, and the queries that stand on one side only."""

    run: str
    contract: Contract
    queries: Mapping[str, Placements]
    missing: Sequence[str] = ()  # judged, absent from the run
    unjudged: Sequence[str] = ()  # in the run, not judged

    def in_sum_order(self) -> Sequence[str]:
        """Return the query ids in the order in which their values are added (byte order where it is sequential)."""
        sequential = self.contract.summation == "sequential"
        return tuple(sorted(self.queries, key=str.encode) if sequential else self.queries)
