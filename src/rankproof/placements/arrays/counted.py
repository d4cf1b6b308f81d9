"""Placements of rankings held as dicts or lists: judged documents are looked up, greater scores counted.

Some queries at a time are looked up, counted and ordered, so that they stay in the processor's cache.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, pairwise, repeat
from math import nan
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from rankproof.contract import Contract
from rankproof.model import Held, HeldQrels, Join, Qrels, Run
from rankproof.placements.arrays.judgments import Judgments, grades_of
from rankproof.placements.arrays.stack import Found, ascending, join_of
from rankproof.placements.arrays.standing import Standing, joined
from rankproof.placements.arrays.tokens import IrregularError
from rankproof.placements.order import by_tie_rule

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[Any]

_Scored: TypeAlias = Mapping[str, float]
_Given = TypeVar("_Given")
_GET = attrgetter("get")

_SHORT = 64
"""The scores of rankings no longer than this are compared with each judged one's, those of longer ones sorted."""


def place(qrels: Qrels, run: Run, contract: Contract) -> Join | None:
    """Return what `plain.place` would for rankings that are held; None where that has to place them."""
    if not isinstance(run.rankings, Held):
        return None
    sizes = run.rankings.sizes
    try:
        judgments, found = _placed(qrels, run.rankings, sizes, contract)
        for query_ids in _some([query for query in sizes if query not in qrels], sizes):
            _checked(run.rankings.part(query_ids))  # for what is wrong there
    except IrregularError:
        return None
    return join_of(qrels, judgments, contract, run, sizes, found)


def _placed(qrels: Qrels, held: Held, sizes: Mapping[str, int], contract: Contract) -> tuple[Judgments, Found]:
    """Return the judgments, and the documents of them that were retrieved. IrregularError for what has to be read."""
    import numpy as np  # noqa: PLC0415 - an extra, loaded for many results

    query_ids = list(qrels)
    rows, places, all_grades, counts, before = [], [], [], [], 0
    for some in _some(query_ids, sizes):
        rankings, scores = _checked(held.part(some))
        judged, grades = _judged(qrels, some)
        of_query = list(map(len, judged))
        piece = _Piece(rankings, scores, judged, of_query, contract).found()
        rows.append(piece.judged + before)
        places.append(piece.standing)
        all_grades.append(grades)
        counts += of_query
        before += len(grades)
    judgments = Judgments(query_ids, np.cumsum([0, *counts]), np.concatenate(all_grades))
    return judgments, Found(np.concatenate(rows), joined(places))


def _some(query_ids: Sequence[str], sizes: Mapping[str, int]) -> Iterator[Sequence[str]]:
    """Yield the queries, as many together as have _TOGETHER results."""
    first, held = 0, 0
    for number, size in enumerate(map(sizes.get, query_ids, repeat(0)), 1):
        held += size
        if held >= _TOGETHER:
            yield query_ids[first:number]
            first, held = number, 0
    if first < len(query_ids):
        yield query_ids[first:]


_TOGETHER = 12_000
"""The ids and scores of so many results fit into a processor's cache."""


def _judged(qrels: Qrels, query_ids: Sequence[str]) -> tuple[Sequence[Collection[str]], Numbers]:
    """Return the judgments of some queries, and all grades in one. IrregularError for what has to be read."""
    if isinstance(qrels, HeldQrels):
        return _checked(qrels.part(query_ids))
    found = {query: qrels[query] for query in query_ids}
    return list(found.values()), grades_of(found).grades


def _checked(found: _Given | None) -> _Given:
    if found is None:
        raise IrregularError
    return found


class _Piece:
    """Some queries: their rankings, whose scores stand one ranking's behind another's, and judgments."""

    def __init__(
        self,
        rankings: Sequence[_Scored],
        scores: Numbers,
        judged: Sequence[Collection[str]],
        of_query: Sequence[int],
        contract: Contract,
    ) -> None:
        """Look the judged documents up, so many of each query. IrregularError for a score that is NaN."""
        import numpy as np  # noqa: PLC0415

        self._rankings, self._judged, self._ties = rankings, judged, contract.ties
        looked_up = chain.from_iterable(map(map, map(_GET, rankings), judged, repeat(repeat(nan))))  # NaN: none
        values = np.fromiter(looked_up, float, sum(of_query))
        if np.isnan(scores).any():
            raise IrregularError
        self._rows = np.flatnonzero(~np.isnan(values))
        if contract.score_precision == "single":
            with np.errstate(over="ignore"):  # too large for 32 bits: infinity
                scores, values = scores.astype(np.float32), values.astype(np.float32)
        self._scores, self._values = scores, values[self._rows]
        self._counts = np.array(list(map(len, rankings)))
        self._begins = np.cumsum(self._counts) - self._counts
        self._queries = np.repeat(np.arange(len(judged)), of_query)[self._rows]

    def found(self) -> Found:
        """Return the judged documents that were retrieved, each query's from the top down."""
        import numpy as np  # noqa: PLC0415

        firsts, lasts = self._blocks()
        ranks, tied = firsts, np.flatnonzero(firsts < lasts)
        if len(tied):
            ranks = firsts.copy()
            ranks[tied] += self._above(tied)
        else:
            firsts = lasts = ranks
        order, standing = ascending(self._queries, ranks, self._counts), Standing(ranks, firsts, lasts)
        return Found(self._rows, standing) if order is None else Found(self._rows[order], standing.at(order))

    def _blocks(self) -> tuple[Numbers, Numbers]:
        """Return the first and the last place of each one's equals."""
        import numpy as np  # noqa: PLC0415

        if (self._counts <= _SHORT).all():
            return self._compared(slice(None))
        firsts, lasts = np.empty(len(self._rows), np.int64), np.empty(len(self._rows), np.int64)
        short = self._counts[self._queries] <= _SHORT
        if short.any():
            firsts[short], lasts[short] = self._compared(short)
        edges = np.flatnonzero(np.diff(self._queries, prepend=-1, append=-1))
        for first, end in pairwise(edges.tolist()):
            if not short[first]:
                self._sorted(slice(first, end), firsts, lasts)
        return firsts, lasts

    def _compared(self, rows: Any) -> tuple[Numbers, Numbers]:
        """Return the blocks of documents of short rankings."""
        import numpy as np  # noqa: PLC0415

        queries, values = self._queries[rows], self._values[rows]
        counts = self._counts[queries]
        begins = np.cumsum(counts) - counts
        beside = np.arange(counts.sum()) + np.repeat(self._begins[queries] - begins, counts)
        own, others = np.repeat(values, counts), self._scores[beside]
        return (
            1 + np.add.reduceat(others > own, begins, dtype=np.int64),
            np.add.reduceat(others >= own, begins, dtype=np.int64),
        )

    def _sorted(self, rows: slice, firsts: Numbers, lasts: Numbers) -> None:
        """Set the blocks of the documents of one query, which has a long ranking."""
        import numpy as np  # noqa: PLC0415

        query, values = self._queries[rows.start], self._values[rows]
        begin, count = self._begins[query], self._counts[query]
        rising = values.argsort()
        own = values[rising]
        are_all = len(own) == count
        ordered = own if are_all else np.sort(self._scores[begin : begin + count])
        if (ordered[1:] == ordered[:-1]).any():
            firsts[rows][rising] = count + 1 - ordered.searchsorted(own, "right")
            lasts[rows][rising] = count - ordered.searchsorted(own)
        else:
            firsts[rows][rising] = np.arange(count, 0, -1) if are_all else count - ordered.searchsorted(own)
            lasts[rows] = firsts[rows]

    def _above(self, tied: Numbers) -> Numbers:
        """Return how many equals of its query the tie rule puts above each of these rows."""
        import numpy as np  # noqa: PLC0415

        docs = list(chain.from_iterable(self._judged))
        found: list[int] = []
        known: dict[tuple[int, float], dict[str, int]] = {}
        ids: dict[int, list[str]] = {}
        columns = (self._values[tied], self._queries[tied], self._rows[tied])
        for value, query, row in zip(*(column.tolist() for column in columns), strict=True):
            if (query, value) not in known:
                begin, count = self._begins[query], self._counts[query]
                listed = ids.setdefault(query, list(self._rankings[query]))
                equal = [listed[at] for at in np.flatnonzero(self._scores[begin : begin + count] == value).tolist()]
                known[query, value] = {one: at for at, one in enumerate(by_tie_rule(self._ties, equal, str))}
            found.append(known[query, value][docs[row]])
        return np.array(found)
