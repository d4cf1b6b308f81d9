"""Placements of rankings held as dicts or lists: judged documents are looked up, greater scores counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise, repeat
from math import nan
from typing import TYPE_CHECKING, Any, TypeAlias

from rankproof.contract import Contract
from rankproof.model import Held, Join, Qrels, Run
from rankproof.placements.arrays.judgments import grades_of
from rankproof.placements.arrays.stack import Found, join_of
from rankproof.placements.arrays.standing import Standing
from rankproof.placements.arrays.tokens import IrregularError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[Any]

_Scored: TypeAlias = dict[str, float]

_SHORT = 64
"""The scores of rankings no longer than this are compared with each judged one's, those of longer ones sorted."""


def place(qrels: Qrels, run: Run, contract: Contract) -> Join | None:
    """Return what `plain.place` would for rankings that are held; None where that has to place them."""
    import numpy as np  # noqa: PLC0415 - an extra, loaded for many results

    if not isinstance(run.rankings, Held):
        return None
    try:
        judgments, rankings = grades_of(qrels), _scored(qrels, run.rankings)
        counts = np.fromiter(map(len, rankings), np.int64, len(rankings))
        given = chain.from_iterable(map(dict.values, rankings))
        scores = np.fromiter(given, float, int(counts.sum()))
        asked = chain.from_iterable(map(_looked_up, rankings, qrels.values()))
        values = np.fromiter(asked, float, len(judgments.grades))  # NaN: not retrieved
    except (IrregularError, OverflowError):
        return None
    if np.isnan(scores).any():
        return None
    judged = np.flatnonzero(~np.isnan(values))
    if contract.score_precision == "single":
        with np.errstate(over="ignore"):  # too large for 32 bits: infinity
            scores, values = scores.astype(np.float32), values.astype(np.float32)
    counted = _Counted(scores, np.cumsum(counts) - counts, counts)
    queries = judgments.queries[judged]
    firsts, lasts = counted.blocks(values[judged], queries)
    ranks = firsts.copy()
    tied = np.flatnonzero(firsts < lasts)
    if len(tied):
        docs = list(chain.from_iterable(qrels.values()))
        named = [docs[at] for at in judged[tied].tolist()]
        ranks[tied] += counted.above(rankings, values[judged][tied], queries[tied], named, contract.ties)
    sizes = dict(zip(run.rankings, map(len, run.rankings.given.values()), strict=True))
    return join_of(qrels, judgments, contract, run, sizes, Found(judged, Standing(ranks, firsts, lasts)))


def _scored(qrels: Qrels, held: Held) -> list[_Scored]:
    """Return the rankings of the judged queries by score; a list's by place. IrregularError for one that repeats."""
    parts = list(map(held.given.get, qrels, repeat(_NONE)))
    return [part if type(part) is dict else _by_place(part) for part in parts] if list in map(type, parts) else parts


def _looked_up(ranking: _Scored, judged: Iterable[str]) -> Iterator[float]:
    """Return the score of each judged document, NaN where it was not retrieved."""
    return map(ranking.get, judged, repeat(nan))


_NONE: dict[str, float] = {}


def _by_place(listed: Sequence[str]) -> _Scored:
    """Return a list in ranked order as scores that fall."""
    found: _Scored = dict(zip(listed, range(0, -len(listed), -1), strict=True))
    if len(found) < len(listed) or len(listed) > 1 << 24:
        raise IrregularError
    return found


class _Counted:
    """The scores of many rankings, one ranking's behind another's."""

    def __init__(self, scores: Numbers, begins: Numbers, counts: Numbers) -> None:
        self._scores = scores
        self._begins = begins
        self._counts = counts

    def blocks(self, values: Numbers, queries: Numbers) -> tuple[Numbers, Numbers]:
        """Return, for scores of these queries (which ascend), the first and the last place of their equals."""
        import numpy as np  # noqa: PLC0415

        firsts, lasts = np.empty(len(values), np.int64), np.empty(len(values), np.int64)
        short = self._counts[queries] <= _SHORT
        at = np.flatnonzero(short)
        firsts[at], lasts[at] = self._compared(values[at], queries[at])
        at = np.flatnonzero(~short)
        edges = np.flatnonzero(np.diff(queries[at], prepend=-1, append=-1)).tolist()
        for first, end in pairwise(edges):
            rows = at[first:end]
            query = queries[rows[0]]
            begin, count = self._begins[query], self._counts[query]
            ordered = np.sort(self._scores[begin : begin + count])
            below = ordered.searchsorted(values[rows])
            firsts[rows] = lasts[rows] = count - below
            if (ordered[1:] == ordered[:-1]).any():
                firsts[rows] = count + 1 - ordered.searchsorted(values[rows], "right")
        return firsts, lasts

    def _compared(self, values: Numbers, queries: Numbers) -> tuple[Numbers, Numbers]:
        import numpy as np  # noqa: PLC0415

        counts = self._counts[queries]
        begins = np.cumsum(counts) - counts
        beside = np.arange(counts.sum()) + np.repeat(self._begins[queries] - begins, counts)
        own, others = np.repeat(values, counts), self._scores[beside]
        return (
            1 + np.add.reduceat(others > own, begins, dtype=np.int64),
            np.add.reduceat(others >= own, begins, dtype=np.int64),
        )

    def above(
        self, rankings: Sequence[_Scored], values: Numbers, queries: Numbers, docs: Sequence[str], ties: str
    ) -> Numbers:
        """Return how many equals of its query the tie rule puts above each document."""
        import numpy as np  # noqa: PLC0415

        found: list[int] = []
        known: dict[tuple[int, float], dict[str, int]] = {}
        ids: dict[int, list[str]] = {}
        for value, query, doc in zip(values.tolist(), queries.tolist(), docs, strict=True):
            if (query, value) not in known:
                begin, count = self._begins[query], self._counts[query]
                listed = ids.setdefault(query, list(rankings[query]))
                equal = [listed[at] for at in np.flatnonzero(self._scores[begin : begin + count] == value).tolist()]
                if ties not in ("as-given", "unspecified"):  # under `expected`, where any will do, as plain has it
                    equal.sort(reverse=ties != "document-id-ascending")  # by code points: as by bytes in UTF-8
                known[query, value] = {one: at for at, one in enumerate(equal)}
            found.append(known[query, value][doc])
        return np.array(found)
