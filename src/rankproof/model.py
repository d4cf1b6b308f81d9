"""What are Qrels, Run, Placements and Join?"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, BinaryIO, NamedTuple, TypeAlias

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


class UnreadTable(Mapping[str, Ranking]):
    """Rankings that lie in a file of columns, and are read when they are asked for; or placed without that."""

    @abstractmethod
    def opened(self) -> AbstractContextManager[Iterator[tuple[Any, ...]]]:
        """Open the batches: each the Arrow arrays of query ids, document ids, scores, and what else must be filled."""


class Held(Mapping[str, Ranking]):
    """Rankings in the dicts or lists that a caller holds; each becomes a Ranking when it is asked for."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        """Refer to {query_id: {doc_id: score}} or {query_id: [doc_id, …]}, without a copy: dicts or lists."""
        self.given = given

    def __getitem__(self, query: str) -> Ranking:
        """Return one query's ranking."""
        part = self.given[query]
        return Ranking(list(part), list(map(float, part.values())) if isinstance(part, Mapping) else None)

    def __iter__(self) -> Iterator[str]:
        """Yield the queries."""
        return iter(self.given)

    def __len__(self) -> int:
        """Return how many queries there are."""
        return len(self.given)


class UnreadQrels(Mapping[str, Mapping[str, Grade]]):
    """Judgments that lie in a file of TREC rows: read when they are asked for, or taken as arrays without that."""

    @abstractmethod
    def as_arrays(self) -> Any:
        """Return them as `placements.arrays.judgments.Judgments`; None where their text has to be read."""

    @abstractmethod
    def best_grades(self) -> Mapping[str, Grade]:
        """Return each query's highest grade."""


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


@dataclass(frozen=True, eq=False)
class Stacked(Mapping[str, Placements]):
    """Placements of many queries as NumPy arrays, one query's behind another's; a mapping that makes each when asked.

    Query no. q has the ranks and grades from `bounds[q]` to `bounds[q + 1]` - 1, and so with its pool.
    """

    query_ids: Sequence[str]
    bounds: Any
    ranks: Any
    grades: Any
    pool_bounds: Any
    pools: Any
    returned: Any  # by query
    ties: Mapping[int, Sequence[Tie]]  # by the query's number, of those that have any

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {query: number for number, query in enumerate(self.query_ids)}

    @cached_property
    def sorted_ids(self) -> Sequence[str]:
        """Return the query ids by code points, which is by bytes in UTF-8."""
        return sorted(self.query_ids)

    def without(self, grade: float) -> list[str]:
        """Return the queries whose qrels list no document of this grade or a higher one."""
        import numpy as np  # noqa: PLC0415 - an extra, loaded where placements are stacked

        high = np.concatenate(([0], (self.pools >= grade).cumsum()))[self.pool_bounds]
        return [self.query_ids[number] for number in np.flatnonzero(high[1:] == high[:-1]).tolist()]

    def __getitem__(self, query: str) -> Placements:
        """Return one query's placements."""
        return self.of(self._numbers[query])

    def of(self, number: int) -> Placements:
        """Return the placements of the query of this number."""
        first, end = self.bounds[number : number + 2]
        pool_first, pool_end = self.pool_bounds[number : number + 2]
        return Placements(
            ranks=self.ranks[first:end].tolist(),
            grades=self.grades[first:end].tolist(),
            pool=self.pools[pool_first:pool_end].tolist(),
            returned=int(self.returned[number]),
            ties=self.ties.get(number, []),
            repeats=[],
        )

    def __iter__(self) -> Iterator[str]:
        """Yield the query ids."""
        return iter(self.query_ids)

    def __len__(self) -> int:
        """Return how many queries there are."""
        return len(self.query_ids)


@dataclass(frozen=True, slots=True)
class Join:
    """A run placed under one contract, and the queries that stand on one side only."""

    run: str
    contract: Contract
    queries: Mapping[str, Placements]
    missing: Sequence[str] = ()  # judged, absent from the run
    unjudged: Sequence[str] = ()  # in the run, not judged

    def tied(self) -> Iterator[tuple[str, Placements]]:
        """Yield the queries that have ties, and their placements."""
        if isinstance(self.queries, Stacked):
            yield from ((self.queries.query_ids[number], self.queries.of(number)) for number in self.queries.ties)
        else:
            yield from ((query, at) for query, at in self.queries.items() if at.ties)

    def copies(self) -> int:
        """Return how many results repeat a document of their query; where placements are stacked none does."""
        return 0 if isinstance(self.queries, Stacked) else sum(at.copies for at in self.queries.values())

    def in_sum_order(self) -> Sequence[str]:
        """Return the query ids in the order in which their values are added (byte order where it is sequential)."""
        sequential = self.contract.summation == "sequential"
        if sequential and isinstance(self.queries, Stacked):
            return self.queries.sorted_ids
        return tuple(sorted(self.queries) if sequential else self.queries)  # by code points: as by bytes in UTF-8
