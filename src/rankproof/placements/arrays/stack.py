"""What is known of each query when its judged documents were found? Placements, stacked as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from rankproof.contract import Contract
from rankproof.errors import ContractError
from rankproof.model import Grade, Join, Placements, Qrels, Run, Stacked, Tie
from rankproof.placements.arrays.judgments import Judgments
from rankproof.placements.arrays.standing import Standing
from rankproof.placements.plain import Placed, finished, place_query

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[Any]


class Found(NamedTuple):
    """The judged documents of a run: the number of each one's judgment, and where it stands."""

    judged: Numbers
    standing: Standing


def join_of(
    qrels: Qrels, judgments: Judgments, contract: Contract, run: Run, sizes: Mapping[str, int], found: Found
) -> Join | None:
    """Return the placements of all queries; None where the plain road has to say what is wrong.

    `sizes`: how many results each query of the run has.
    """
    import numpy as np  # noqa: PLC0415 - an extra, loaded where placements are stacked

    ids = judgments.query_ids
    counts = np.array(list(map(sizes.get, ids, repeat(_MISSING))))
    missing = tuple(ids[number] for number in np.flatnonzero(counts == _MISSING).tolist())
    unjudged: tuple[str, ...] = ()
    if len(ids) - len(missing) < len(sizes):
        judged = set(ids)
        unjudged = tuple(query for query in sizes if query not in judged)
    if len(missing) == len(ids) or (unjudged and contract.unjudged_query == "error"):
        return None
    if missing and contract.missing_query == "error":
        try:
            for query in missing:
                place_query(query, qrels[query], Run(run.name, {}, run.source), contract)
        except ContractError:
            return None
    if contract.missing_query != "skip":
        counts = np.maximum(counts, 0)
    return Join(run.name, contract, placements_of(judgments, found, counts, contract), missing, unjudged)


_MISSING = -1
"""What stands for the count of results of a query that has none."""


def placements_of(judgments: Judgments, found: Found, counts: Numbers, contract: Contract) -> Mapping[str, Placements]:
    """Return the placements of all queries; a count of results below 0 leaves its query out."""
    if contract.unjudged != "condensed":
        return _stacked(judgments, found, counts, contract)
    whole = _stacked(judgments, found, counts, contract.with_rules(depth=None))
    return {query: _finished(at, contract) for query, at in whole.items()}


def _finished(at: Placements, contract: Contract) -> Placements:
    documents = [(rank, grade, "") for rank, grade in at.within()]
    return finished(Placed(documents, list(at.ties), [], None, at.returned, 0), at.pool, contract)


def _stacked(judgments: Judgments, found: Found, counts: Numbers, contract: Contract) -> Stacked:
    import numpy as np  # noqa: PLC0415 - an extra, loaded where files are scanned

    query_ids, kept = judgments.query_ids, counts >= 0
    grades = np.maximum(judgments.grades, 0) if contract.negative_grade == "non-relevant" else judgments.grades
    numbers = judgments.queries
    queries, judged, standing = numbers[found.judged], found.judged, found.standing
    if kept.all():
        pool_queries, pools = _falling(numbers, grades)
    else:
        query_ids = [query for query, is_kept in zip(query_ids, kept.tolist(), strict=True) if is_kept]
        counts = counts[kept]
        number = np.cumsum(kept) - 1  # of each query among those that are kept
        listed = kept[numbers]
        pool_queries, pools = _falling(number[numbers[listed]], grades[listed])
        queries = number[queries]
    order = ascending(queries, standing.ranks, counts)
    if order is not None:
        queries, judged, standing = queries[order], judged[order], standing.at(order)
    grades, (ranks, firsts, lasts) = grades[judged], standing
    tied = np.flatnonzero((firsts < lasts) & (contract.depth is None or firsts <= contract.depth))
    ties = _ties(*(column[tied].tolist() for column in (queries, firsts, lasts, grades)))
    if contract.depth is not None:
        within = ranks <= contract.depth
        queries, ranks, grades = queries[within], ranks[within], grades[within]
        counts = np.minimum(counts, contract.depth)
    ends = np.arange(len(query_ids) + 1)
    bounds, pool_bounds = np.searchsorted(queries, ends), np.searchsorted(pool_queries, ends)
    return Stacked(tuple(query_ids), bounds, ranks, grades, pool_bounds, pools, counts, ties)


def ascending(queries: Numbers, ranks: Numbers, counts: Numbers) -> Numbers | None:
    """Return the order by query, then rank, of which none comes twice; None where they are in it.

    `counts`: the results of each query.
    """
    import numpy as np  # noqa: PLC0415

    places = (np.cumsum(counts) - counts)[queries] + ranks - 1
    if (places[1:] > places[:-1]).all():
        return None
    if counts.sum() > 8 * len(places):
        return np.argsort(places)
    held = np.full(counts.sum(), -1)
    held[places] = np.arange(len(places))
    return held[held >= 0]


def _falling(queries: Numbers, grades: Numbers) -> tuple[Numbers, Numbers]:
    """Return queries, which ascend, and their grades, each query's from the highest down."""
    import numpy as np  # noqa: PLC0415

    highest = int(grades.max(initial=0))
    span = highest - int(grades.min(initial=0)) + 1
    if span <= _FEW:  # a count of each grade for each query
        counts = np.bincount(queries * span + (highest - grades), minlength=span)
        return queries, np.repeat(highest - np.arange(len(counts)) % span, counts)
    return queries, grades[np.lexsort((-grades, queries))]


_FEW = 64
"""Grades of no wider range than this are counted, others sorted."""


def _ties(queries: list[int], firsts: list[int], lasts: list[int], grades: list[Grade]) -> dict[int, list[Tie]]:
    """Return each query's ties, from the top down, with the grades in them, highest first."""
    found: dict[int, dict[tuple[int, int], list[Grade]]] = {}
    for query, first, last, grade in zip(queries, firsts, lasts, grades, strict=True):
        found.setdefault(query, {}).setdefault((first, last), []).append(grade)
    return {
        query: [Tie(*places, tuple(sorted(tied, reverse=True))) for places, tied in sorted(of_query.items())]
        for query, of_query in found.items()
    }
