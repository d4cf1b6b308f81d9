"""What would other orders of tied documents give? The mean over all orders, and the lowest and highest value.

Both follow from a measure's own terms: by its law an amount depends on what stands above only as a set. So the mean
over all orders needs, for each place in a tie, the chance of each set above it, not the orders themselves.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from itertools import product
from math import comb, prod
from typing import NamedTuple

from rankproof.arithmetic import add
from rankproof.contract import Contract
from rankproof.errors import Fault, MeasureError
from rankproof.measures.base import Measure
from rankproof.model import Grade, Placements, Tie, Value

WORK = 1_000_000
"""How many documents above a place, over all sets that may stand there, are still gone through for one tie: seconds."""

_Placed = list[tuple[int, Grade]]


class TiedTerm(NamedTuple):
    """What one judged document in a tie adds, in the mean over all orders."""

    tie: Tie
    grade: Grade
    amount: float


def expected(measure: Measure, at: Placements, contract: Contract) -> Value:
    """Return the mean value over all orders within each tie; MeasureError where it does not follow from the terms."""
    if _list_is_open(at, contract):
        raise _refused(measure, "a tie crosses the depth, so it is open what a condensed list holds")
    if measure.mean_is_open(at, contract):
        raise _refused(measure, "a tie leaves its value open")
    normaliser = _settled_normaliser(measure, at, contract)
    if not normaliser or not measure.looks_at_grades:
        return measure.value(at, contract)
    tied = _tied(at)
    amounts = [amount for rank, _, amount in measure.terms(at, contract) if not tied(rank)]
    amounts += (term.amount for term in expected_terms(measure, at, contract))
    return (measure.constant(at, contract) + add(amounts, contract.summation)) / normaliser


def expected_terms(measure: Measure, at: Placements, contract: Contract) -> Iterator[TiedTerm]:
    """Yield, for each judged document in a tie, its mean amount over all orders."""
    for tie in at.ties:
        amounts = _MEAN_AMOUNTS[measure.above](measure, at, tie, contract)
        for grade in tie.grades:
            yield TiedTerm(tie, grade, amounts.get(measure.kind(grade, contract), 0.0))


def ties_matter(measure: Measure, at: Placements, contract: Contract) -> bool:
    """Return whether the order of the ties can change the value, or how far it can is not known."""
    if _range_is_unknown(measure, at, contract):
        return True
    end = measure.last_place(at, contract)
    return any(tie.marked or (tie.first <= end and len(_kinds(measure, tie, contract)) > 1) for tie in at.ties)


def _kinds(measure: Measure, tie: Tie, contract: Contract) -> set[Hashable]:
    """Return the kinds of documents in a tie, None for unlisted ones and what the measure treats like them."""
    kinds = {measure.kind(grade, contract) for grade in tie.grades}
    return kinds if len(tie.grades) > tie.last - tie.first else kinds | {None}


def _range_is_unknown(measure: Measure, at: Placements, contract: Contract) -> bool:
    # Of copies that tie, keep-best counts the one that comes first, whichever that is: their places hang together.
    copies = contract.duplicate_document == "keep-best" and any(tie.marked for tie in at.ties)
    return copies or _list_is_open(at, contract) or measure.range_is_open(at, contract)


def tie_range(measure: Measure, at: Placements, contract: Contract) -> tuple[float, float] | None:
    """Return the lowest and the highest value that an order of the ties gives; None where that is not known."""
    if _range_is_unknown(measure, at, contract):
        return None
    best, worst = (_in_order(measure, at, contract, best_first=way) for way in (True, False))
    if measure.normaliser(best, contract) != measure.normaliser(worst, contract):
        return None
    ends = [measure.value(one, contract) or 0.0 for one in (best, worst)]  # both None where nothing divides either
    return min(ends), max(ends)


def _list_is_open(at: Placements, contract: Contract) -> bool:
    """Return whether the order of a tie decides how long a condensed list is: it crosses the depth."""
    return contract.unjudged == "condensed" and any(tie.last > at.returned for tie in at.ties)


def _refused(measure: Measure, why: str) -> MeasureError:
    hint = f"choose another tie rule for it, as in {measure.with_rules(ties='document-id-descending')}"
    return MeasureError(Fault(f"{measure} has no expected ties here: {why}", hint=hint))


def _tied(at: Placements) -> Callable[[int], bool]:
    """Return what says whether a rank is in a tie."""
    firsts, lasts = [tie.first for tie in at.ties], [0, *(tie.last for tie in at.ties)]  # from the top down
    return lambda rank: rank <= lasts[bisect_right(firsts, rank)]


def _settled_normaliser(measure: Measure, at: Placements, contract: Contract) -> float:
    """Return the normaliser, which no order of the ties may change."""
    ends = {measure.normaliser(_in_order(measure, at, contract, best_first=way), contract) for way in (True, False)}
    if len(ends) > 1:
        raise _refused(measure, "what it divides by depends on the order of a tie")
    return ends.pop()


def _in_order(measure: Measure, at: Placements, contract: Contract, *, best_first: bool) -> Placements:
    """Return the placements with each tie in its best or its worst order, unlisted documents the worst."""
    tied = _tied(at)
    placed = [(rank, grade) for rank, grade in at.within() if not tied(rank)]
    for tie in at.ties:
        grades = sorted(tie.grades, key=lambda grade: measure.worth(grade, contract), reverse=best_first)
        placed += enumerate(grades, tie.first if best_first else tie.last - len(grades) + 1)
    return _standing(at, sorted((rank, grade) for rank, grade in placed if rank <= at.returned))


def _standing(at: Placements, placed: _Placed) -> Placements:
    return Placements(
        ranks=[rank for rank, _ in placed],
        grades=[grade for _, grade in placed],
        pool=at.pool,
        returned=at.returned,
        repeats=at.repeats,
        evidence=at.evidence,
    )


def _amount_of_last(measure: Measure, at: Placements, placed: _Placed, contract: Contract) -> float:
    last = 0.0
    for rank, _, amount in measure.terms(_standing(at, placed), contract):
        last = amount if rank == placed[-1][0] else 0.0
    return last


def _above(at: Placements, tie: Tie) -> _Placed:
    """Return the judged documents above a tie; within other ties in any order."""
    tied = _tied(at)
    placed = [(rank, grade) for rank, grade in at.within(tie.first - 1) if not tied(rank)]
    for other in at.ties:
        if other.last < tie.first:
            placed += enumerate(other.grades, other.first)
    return sorted(placed)


def _places(measure: Measure, at: Placements, tie: Tie, contract: Contract) -> range:
    """Return the places of a tie that the measure sees: a depth or a cutoff may end it."""
    return range(tie.first, min(tie.last, measure.last_place(at, contract)) + 1)


def _rewarded(measure: Measure, tie: Tie, contract: Contract) -> dict[Hashable, Grade]:
    """Return a grade of each kind that the measure tells from an unlisted document."""
    kinds = {measure.kind(grade, contract): grade for grade in reversed(tie.grades)}
    return {kind: grade for kind, grade in kinds.items() if kind is not None}


_Amounts = dict[Hashable, float]
"""By kind: the mean amount of one document of this kind."""


def _with_nothing_above(measure: Measure, at: Placements, tie: Tie, contract: Contract) -> _Amounts:
    """Return the mean over the places: what stands above does not matter."""
    size, places = tie.last - tie.first + 1, _places(measure, at, tie, contract)
    return {
        kind: add((_amount_of_last(measure, at, [(rank, grade)], contract) for rank in places), "exact") / size
        for kind, grade in _rewarded(measure, tie, contract).items()
    }


def _with_any_above(measure: Measure, at: Placements, tie: Tie, contract: Contract) -> _Amounts:
    """Return the amounts with the chance that no other comes first: any rewarded document above makes it 0."""
    size, above, found = tie.last - tie.first + 1, _above(at, tie), {}
    for kind, grade in _rewarded(measure, tie, contract).items():
        others = sum(1 for one in tie.grades if measure.kind(one, contract) is not None) - 1
        amounts, chance = [], 1 / size
        for rank in _places(measure, at, tie, contract):
            amounts.append(chance * _amount_of_last(measure, at, [*above, (rank, grade)], contract))
            below = tie.last - rank  # places left in the tie, of which the next one must not hold any of the others
            if others >= below:
                break
            chance *= (below - others) / below
        found[kind] = add(amounts, "exact")
    return found


def _with_count_above(measure: Measure, at: Placements, tie: Tie, contract: Contract) -> _Amounts:
    """Return the amounts at the mean count above: they grow evenly with it, so 0 and 1 above give them all."""
    size, above, found = tie.last - tie.first + 1, _above(at, tie), {}
    for kind, grade in _rewarded(measure, tie, contract).items():
        others = sum(1 for one in tie.grades if measure.kind(one, contract) is not None) - 1
        amounts = []
        for rank in _places(measure, at, tie, contract):
            amount = _amount_of_last(measure, at, [*above, (rank, grade)], contract)
            if others and rank > tie.first:
                one_more = [*above, (tie.first, grade), (rank, grade)]
                step = _amount_of_last(measure, at, one_more, contract) - amount
                amount += step * others * (rank - tie.first) / (size - 1)
            amounts.append(amount / size)
        found[kind] = add(amounts, "exact")
    return found


def _with_set_above(measure: Measure, at: Placements, tie: Tie, contract: Contract) -> _Amounts:
    """Return the mean over the chances of all sets above."""
    size, above, one_of = tie.last - tie.first + 1, _above(at, tie), _rewarded(measure, tie, contract)
    have: Counter[Hashable] = Counter(measure.kind(grade, contract) for grade in tie.grades)
    have[None] = size - sum(count for kind, count in have.items() if kind is not None)
    places = _places(measure, at, tie, contract)
    ways = [min(count, len(places) - 1) + 1 for count in have.values()]
    if prod(ways) * (len(above) + min(len(tie.grades), len(places)) + 1) > WORK:
        raise _refused(measure, f"a tie of {size} documents has too many orders")
    shares: dict[Hashable, list[float]] = {kind: [] for kind in one_of}
    for taken in product(*map(range, ways)):
        rank = tie.first + sum(taken)
        if rank not in places:
            continue
        chance = prod(map(comb, have.values(), taken)) / comb(size, sum(taken))
        seen = [one_of[kind] for kind, count in zip(have, taken, strict=True) if kind is not None for _ in range(count)]
        placed = [*above, *enumerate(seen, tie.first)]
        for (kind, count), used in zip(have.items(), taken, strict=True):
            if kind is not None and used < count:
                amount = _amount_of_last(measure, at, [*placed, (rank, one_of[kind])], contract)
                # the chance that this very document stands here, below that set
                shares[kind].append(chance * (count - used) / (size - sum(taken)) * amount / count)
    return {kind: add(amounts, "exact") for kind, amounts in shares.items()}


_MEAN_AMOUNTS: dict[str, Callable[[Measure, Placements, Tie, Contract], _Amounts]] = {
    "nothing": _with_nothing_above,
    "any": _with_any_above,
    "count": _with_count_above,
    "set": _with_set_above,
}
