"""What are the parts of a measure's value, for all queries at once? The commonest measures, over stacked placements.

A measure is defined by its terms; here the same terms are made with NumPy, and added in the same order, so that each
value has the same bits. Measures that are not in the table are computed query by query.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from rankproof.arithmetic import Summation
from rankproof.contract import Contract
from rankproof.measures.base import Measure
from rankproof.measures.counted import AP, GMAP, RR, F, NumRelRet, P, R, Rprec, Success
from rankproof.measures.graded import CG, DCG, NDCG, gain_rule
from rankproof.measures.shown import Judged, NumQ, NumRel, NumRet, Unjudged
from rankproof.model import Stacked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[Any]


class Parts(NamedTuple):
    """By query: the constant and the sum of the terms, the normaliser, and whether there is a relevant document."""

    total: Numbers
    normaliser: Numbers
    has_relevant: Numbers


class _Hits(NamedTuple):
    """Relevant documents that were retrieved, query by query from the top down."""

    queries: Numbers
    ranks: Numbers

    def where(self, which: Numbers) -> _Hits:
        """Return some of them."""
        return _Hits(self.queries[which], self.ranks[which])


class _Stack:
    """Stacked placements, with what several measures ask of them."""

    def __init__(self, stacked: Stacked, contract: Contract) -> None:
        self.count = len(stacked.query_ids)
        self.ranks, self.grades, self.pools, self.returned = (
            stacked.ranks,
            stacked.grades,
            stacked.pools,
            stacked.returned,
        )
        self.queries, self.pool_queries = stacked.queries, stacked.pool_queries
        self.contract = contract
        self.relevant: Numbers = stacked.at_least(contract.relevant_from)
        self._hits = stacked.hits(contract.relevant_from)

    def count_of(self, queries: Numbers) -> Numbers:
        """Return how often each query occurs."""
        import numpy as np  # noqa: PLC0415 - an extra, loaded where placements are stacked

        return np.bincount(queries, minlength=self.count)

    def within(self, cutoff: int | None) -> Numbers:
        """Return whether each judged document stands within the cutoff."""
        import numpy as np  # noqa: PLC0415

        return np.ones(len(self.ranks), bool) if cutoff is None else self.ranks <= cutoff

    def hits(self, cutoff: int | None) -> _Hits:
        """Return the relevant documents within the cutoff."""
        found = _Hits(*self._hits)
        return found if cutoff is None else found.where(found.ranks <= cutoff)

    def returned_within(self, cutoff: int | None) -> Numbers:
        """Return how many places up to the cutoff hold a result."""
        import numpy as np  # noqa: PLC0415

        found: Numbers = self.returned if cutoff is None else np.minimum(self.returned, cutoff)
        return found

    def sums(self, queries: Numbers, amounts: Numbers) -> Numbers:
        """Return each query's sum of amounts, which stand query by query from the top rank down."""
        found: Numbers = _SUMS[self.contract.summation](self, queries, amounts)
        return found

    def parts(self, total: Numbers, normaliser: Numbers | int, has_relevant: Numbers | None = None) -> Parts:
        """Return the parts; by itself a query has a relevant document where its qrels list one."""
        import numpy as np  # noqa: PLC0415

        relevant: Numbers = self.relevant > 0 if has_relevant is None else has_relevant
        return Parts(total, np.broadcast_to(normaliser, self.count), relevant)


def _exact(stack: _Stack, queries: Numbers, amounts: Numbers) -> Numbers:
    import numpy as np  # noqa: PLC0415

    values, ends = amounts.tolist(), np.cumsum(stack.count_of(queries)).tolist()
    return np.array([fsum(values[first:end]) for first, end in zip([0, *ends[:-1]], ends, strict=True)])


def _sequential(stack: _Stack, queries: Numbers, amounts: Numbers) -> Numbers:
    import numpy as np  # noqa: PLC0415

    return np.bincount(queries, weights=amounts, minlength=stack.count)  # adds from left to right


_SUMS: Mapping[Summation, Callable[[_Stack, Numbers, Numbers], Numbers]] = {"exact": _exact, "sequential": _sequential}


def _precision(measure: P, stack: _Stack) -> Parts:
    hits = stack.count_of(stack.hits(measure.cutoff).queries)
    return stack.parts(hits, _places(measure.cutoff, stack))


def _places(cutoff: int | None, stack: _Stack) -> Numbers | int:
    """Return what precision divides by."""
    if cutoff is None or stack.contract.precision_denominator == "returned":
        return stack.returned_within(cutoff)
    return cutoff


def _relevant_returned(measure: NumRelRet, stack: _Stack) -> Parts:
    return stack.parts(stack.count_of(stack.hits(measure.cutoff).queries), 1)


def _recall(measure: R, stack: _Stack) -> Parts:
    capped = bool(measure.cutoff) and stack.contract.recall_denominator == "capped"
    hits = stack.count_of(stack.hits(measure.cutoff).queries)
    return stack.parts(hits, _at_most(measure.cutoff, stack) if capped else stack.relevant)


def _at_most(cutoff: int | None, stack: _Stack) -> Numbers:
    import numpy as np  # noqa: PLC0415

    return np.minimum(stack.relevant, cutoff or 0)


def _f(measure: F, stack: _Stack) -> Parts:
    import numpy as np  # noqa: PLC0415

    queries = stack.hits(measure.cutoff).queries
    beta = measure.beta * measure.beta
    total = stack.sums(queries, np.full(len(queries), 1 + beta))
    return stack.parts(total, beta * stack.relevant + _places(measure.cutoff, stack))


def _success(measure: Success, stack: _Stack) -> Parts:
    hits = stack.count_of(stack.hits(measure.cutoff).queries)
    return stack.parts((hits > 0).astype(float), 1)


def _reciprocal_rank(measure: RR, stack: _Stack) -> Parts:
    import numpy as np  # noqa: PLC0415

    queries, ranks = stack.hits(measure.cutoff)
    firsts = np.flatnonzero(np.concatenate(([True], queries[1:] != queries[:-1]))[: len(queries)])
    total = np.zeros(stack.count)
    total[queries[firsts]] = 1 / ranks[firsts]
    return stack.parts(total, 1)


def _average_precision(measure: AP, stack: _Stack) -> Parts:
    import numpy as np  # noqa: PLC0415

    queries, ranks = stack.hits(measure.cutoff)
    counts = stack.count_of(queries)
    so_far = np.arange(1, len(queries) + 1) - np.repeat(np.cumsum(counts) - counts, counts)
    total = stack.sums(queries, so_far / ranks)
    if stack.contract.ap_denominator == "retrieved":
        return stack.parts(total, counts)
    capped = bool(measure.cutoff) and stack.contract.ap_denominator == "capped"
    return stack.parts(total, _at_most(measure.cutoff, stack) if capped else stack.relevant)


def _r_precision(_: Rprec, stack: _Stack) -> Parts:
    hits = stack.hits(None)
    hits = hits.where(hits.ranks <= stack.relevant[hits.queries])
    return stack.parts(stack.count_of(hits.queries), stack.relevant)


def _gains(grades: Numbers, contract: Contract) -> Numbers:
    """Return the gain of each grade."""
    import numpy as np  # noqa: PLC0415

    gain_of, lowest = gain_rule(contract), int(grades.min(initial=0))
    if int(grades.max(initial=0)) - lowest > _SPAN:
        return np.array(list(map(gain_of, grades.tolist())), float)
    met = np.flatnonzero(np.bincount(grades - lowest)).tolist()
    table = np.zeros(met[-1] + 1 if met else 1)
    table[met] = [gain_of(lowest + at) for at in met]
    found: Numbers = table[grades - lowest]
    return found


_SPAN = 1 << 16
"""Up to here a table holds the gain of each grade between the lowest and the highest."""


def _discounted(measure: CG | DCG | NDCG, stack: _Stack, queries: Numbers, ranks: Numbers, gains: Numbers) -> Numbers:
    """Return each query's sum of the gains, each over its discount."""
    import numpy as np  # noqa: PLC0415

    some = np.flatnonzero(gains)
    queries, ranks, gains = queries[some], ranks[some], gains[some]
    last = int(ranks.max(initial=0))
    discounts = np.array([1.0, *(measure.discount(rank, stack.contract) for rank in range(1, last + 1))])
    return stack.sums(queries, gains / discounts[ranks])


def _gained(measure: CG | DCG | NDCG, stack: _Stack) -> Numbers:
    import numpy as np  # noqa: PLC0415

    rows = np.flatnonzero(stack.within(measure.cutoff))
    gains = _gains(stack.grades[rows], stack.contract)
    return _discounted(measure, stack, stack.queries[rows], stack.ranks[rows], gains)


def _has_gain(stack: _Stack, gains: Numbers) -> Numbers:
    """Return whether the pool of each query has a gain; `gains`: of all pools."""
    return stack.count_of(stack.pool_queries[gains > 0]) > 0


def _cumulative_gain(measure: CG | DCG, stack: _Stack) -> Parts:
    return stack.parts(_gained(measure, stack), 1, _has_gain(stack, _gains(stack.pools, stack.contract)))


def _normalised(measure: NDCG, stack: _Stack) -> Parts:
    contract, of_pool = stack.contract, _gains(stack.pools, stack.contract)
    if contract.ideal == "all-judged":
        queries, gains = stack.pool_queries, of_pool
    else:
        queries, gains = stack.queries, _gains(stack.grades, contract)
    return stack.parts(_gained(measure, stack), _ideal(measure, stack, queries, gains), _has_gain(stack, of_pool))


def _ideal(measure: NDCG, stack: _Stack, queries: Numbers, gains: Numbers) -> Numbers:
    """Return each query's sum when its gains, highest first, fill the ranks."""
    import numpy as np  # noqa: PLC0415

    if ((queries[1:] == queries[:-1]) & (gains[1:] > gains[:-1])).any():
        gains = gains[np.lexsort((-gains, queries))]
    counts = stack.count_of(queries)
    kept = counts
    if stack.contract.ideal_depth == "returned":
        kept = np.minimum(counts, stack.returned_within(measure.cutoff))
    elif stack.contract.ideal_depth == "cutoff" and measure.cutoff is not None:
        kept = np.minimum(counts, measure.cutoff)
    ranks = np.arange(1, kept.sum() + 1) - np.repeat(np.cumsum(kept) - kept, kept)
    rows = ranks - 1 + np.repeat(np.cumsum(counts) - counts, kept)
    return _discounted(measure, stack, queries[rows], ranks, gains[rows])


def _judged(measure: Judged | Unjudged, stack: _Stack) -> Numbers:
    return stack.count_of(stack.queries[(stack.grades >= 0) & stack.within(measure.cutoff)])


def _shown_of(measure: Judged | Unjudged, stack: _Stack) -> Numbers | int:
    by_cutoff = stack.contract.judged_denominator == "cutoff" and measure.cutoff is not None
    return measure.cutoff or 0 if by_cutoff else stack.returned_within(measure.cutoff)


def _share_judged(measure: Judged, stack: _Stack) -> Parts:
    return stack.parts(_judged(measure, stack), _shown_of(measure, stack))


def _share_unjudged(measure: Unjudged, stack: _Stack) -> Parts:
    total = stack.returned_within(measure.cutoff) - _judged(measure, stack)
    return stack.parts(total, _shown_of(measure, stack))


def _queries(_: NumQ, stack: _Stack) -> Parts:
    import numpy as np  # noqa: PLC0415

    return stack.parts(np.ones(stack.count), 1)


TOGETHER: Mapping[type[Measure], Callable[[Any, _Stack], Parts]] = {
    P: _precision,
    R: _recall,
    F: _f,
    Success: _success,
    RR: _reciprocal_rank,
    AP: _average_precision,
    GMAP: _average_precision,
    Rprec: _r_precision,
    CG: _cumulative_gain,
    DCG: _cumulative_gain,
    NDCG: _normalised,
    Judged: _share_judged,
    Unjudged: _share_unjudged,
    NumQ: _queries,
    NumRet: lambda _, stack: stack.parts(stack.returned, 1),
    NumRel: lambda _, stack: stack.parts(stack.relevant, 1),
    NumRelRet: _relevant_returned,
}
"""The measures that can be computed for all queries at once, by class: what another package derives is not meant."""


def parts_of(measure: Measure, stacked: Stacked, contract: Contract) -> Parts | None:
    """Return the parts of all queries' values; None for a measure that is computed query by query.

    Raises MeasureError where a value is not defined for these grades.
    """
    parts = TOGETHER.get(type(measure))
    return None if parts is None else parts(measure, _Stack(stacked, contract))
