"""What are Qrels, Run, Placements and Join?"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
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
    """Rankings in the dicts or lists that a caller holds: read when they are asked for, or placed without that."""

    @property
    @abstractmethod
    def sizes(self) -> Mapping[str, int]:
        """Return how many results each query has."""

    @abstractmethod
    def part(self, query_ids: Sequence[str]) -> tuple[Sequence[Mapping[str, float]], Any] | None:
        """Return some queries' results by score (a list's by place), and all scores in one; None if they must be read.

        The scores are a NumPy array. A query that is not held has no results.
        """


class HeldQrels(Mapping[str, Mapping[str, Grade]]):
    """Judgments in the dicts that a caller holds: read when they are asked for, or taken as they are."""

    @abstractmethod
    def part(self, query_ids: Sequence[str]) -> tuple[Sequence[Mapping[str, Grade]], Any] | None:
        """Return the judgments of some queries, and all grades in one; None if they must be read.

        The grades are a NumPy array of whole numbers.
        """


class UnreadQrels(Mapping[str, Mapping[str, Grade]]):
    """Judgments that lie in a file of TREC rows: read when they are asked for, or taken as arrays without that."""

    @abstractmethod
    def as_arrays(self, scan: Callable[[BinaryIO], Any]) -> Any:
        """Return what `scan` makes of the text: arrays, or None where it has to be read. It is asked once."""

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
    # what many measures ask for, once it is known
    _listed: dict[float, Any] = field(default_factory=dict, init=False, repr=False)
    _hits: dict[float, tuple[Any, Any]] = field(default_factory=dict, init=False, repr=False)
    _tied: dict[int, Placements] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {query: number for number, query in enumerate(self.query_ids)}

    @cached_property
    def by_id(self) -> Sequence[int]:
        """Return where the query ids stand, in their order by code points."""
        return by_id(self.query_ids)

    @cached_property
    def queries(self) -> Any:
        """Return the number of each rank's query."""
        return _numbered(self.bounds)

    @cached_property
    def pool_queries(self) -> Any:
        """Return the number of each pool's grade's query."""
        return _numbered(self.pool_bounds)

    def at_least(self, grade: float) -> Any:
        """Return how many documents of this grade or a higher one the qrels of each query list."""
        import numpy as np  # noqa: PLC0415 - an extra, loaded where placements are stacked

        if grade not in self._listed:
            high = self.pool_queries[self.pools >= grade]
            self._listed[grade] = np.bincount(high, minlength=len(self.query_ids))
        return self._listed[grade]

    def hits(self, grade: float) -> tuple[Any, Any]:
        """Return the query's number, and the rank, of each ranked document of this grade or a higher one."""
        if grade not in self._hits:
            rows = (self.grades >= grade).nonzero()[0]
            self._hits[grade] = self.queries[rows], self.ranks[rows]
        return self._hits[grade]

    def without(self, grade: float) -> list[str]:
        """Return the queries whose qrels list no document of this grade or a higher one."""
        return [self.query_ids[number] for number in (self.at_least(grade) == 0).nonzero()[0].tolist()]

    def __getitem__(self, query: str) -> Placements:
        """Return one query's placements."""
        return self.of(self._numbers[query])

    def of(self, number: int) -> Placements:
        """Return the placements of the query of this number."""
        if number in self.ties and len(self.ties) <= _FEW:  # every measure asks for them
            if number not in self._tied:
                self._tied[number] = self._made(number)
            return self._tied[number]
        return self._made(number)

    def _made(self, number: int) -> Placements:
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


_FEW = 1_000
"""The placements of so many queries with ties are kept, once they are made."""


def _numbered(bounds: Any) -> Any:
    """Return the number of the part in which each place between the bounds lies."""
    import numpy as np  # noqa: PLC0415

    return np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))


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

    def with_judged_ties(self) -> set[str]:
        """Return the queries in which a judged document ties."""
        if isinstance(self.queries, Stacked):
            ties = ((self.queries.query_ids[number], found) for number, found in self.queries.ties.items())
        else:
            ties = ((query, at.ties) for query, at in self.queries.items())
        return {query for query, found in ties if any(tie.grades for tie in found)}

    def copies(self) -> int:
        """Return how many results repeat a document of their query; where placements are stacked none does."""
        return 0 if isinstance(self.queries, Stacked) else sum(at.copies for at in self.queries.values())

    def sum_order(self) -> Sequence[int]:
        """Return where the queries stand whose values are added one by one: by code points, as by bytes in UTF-8."""
        return self.queries.by_id if isinstance(self.queries, Stacked) else by_id(tuple(self.queries))


def by_id(query_ids: Sequence[str]) -> Sequence[int]:
    """Return where the ids stand, in their order by code points."""
    return sorted(range(len(query_ids)), key=query_ids.__getitem__)
