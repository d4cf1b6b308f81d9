"""What would other orders of tied documents give? The mean over all orders, and the lowest and highest value.

Both follow from a measure's own terms: by its law an amount depends on what stands above only as a set. So the mean
over all orders needs, for each place in a tie, the chance of each set above it, not the orders themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from itertools import product
from math import comb, prod
from typing import NamedTuple

from rankproof.arithmetic import add
from rankproof.contract import Contract
from rankproof.errors import Fault, MeasureError
from rankproof.measures.base import Measure
from rankproof.model import Grade, Placements, Tie, Value

STATES = 2_000_000
"""How many (set above, place) pairs of one tie are still worked through."""

_Placed = list[tuple[int, Grade]]


class TiedTerm(NamedTuple):
    """What each document of one grade in one tie adds in the mean over all orders."""

    tie: Tie
    grade: Grade
    amount: float


def expected(measure: Measure, at: Placements, contract: Contract) -> Value:
    """Return the mean value over all orders within each tie; MeasureError where it does not follow from the terms."""
    if measure.open_under_ties(at):
        hint = "choose another tie rule for it, as in {}".format(measure.with_rules(ties="document-id-descending"))
        raise MeasureError(Fault(f"{measure} has no expected ties: a tie leaves its value open", hint=hint))
    normaliser = _settled_normaliser(measure, at, contract)
    if not normaliser:
        return 0.0 if contract.zero_denominator == "zero" else None
    amounts = [amount for rank, _, amount in measure.terms(at, contract) if not _tied(rank, at)]
    amounts += (term.amount for term in expected_terms(measure, at, contract))
    return (measure.constant(at, contract) + add(amounts, contract.summation)) / normaliser


def expected_terms(measure: Measure, at: Placements, contract: Contract) -> Iterator[TiedTerm]:
    """Yield, for each judged document in a tie, its mean amount over all orders."""
    for tie in at.ties:
        if tie.last > at.returned and contract.unjudged == "condensed":
            message = (
                f"{measure}: a tie crosses the depth, so under expected ties it is open what a condensed list holds"
            )
            raise MeasureError(Fault(message, hint="choose another tie rule, or no depth"))
        amounts = _separate(measure, at, tie, contract) if measure.separable else _joint(measure, at, tie, contract)
        for grade in tie.grades:
            yield TiedTerm(tie, grade, amounts.get(measure.kind(grade, contract), 0.0))


def tie_range(measure: Measure, at: Placements, contract: Contract) -> tuple[float, float] | None:
    """Return the lowest and the highest value that an order of the ties gives; None where that is not known."""
    crosses = contract.unjudged == "condensed" and any(tie.last > at.returned for tie in at.ties)
    if crosses or measure.bounded_by == "nothing" or (measure.bounded_by == "marks" and measure.open_under_ties(at)):
        return None
    best, worst = (_in_order(at, best_first=way) for way in (True, False))
    if measure.normaliser(best, contract) != measure.normaliser(worst, contract):
        return None
    one, other = measure.value(best, contract), measure.value(worst, contract)
    return None if one is None or other is None else (min(one, other), max(one, other))


def _tied(rank: int, at: Placements) -> bool:
    return any(tie.first <= rank <= tie.last for tie in at.ties)


def _settled_normaliser(measure: Measure, at: Placements, contract: Contract) -> float:
    """Return the normaliser, which no order of the ties may change."""
    best, worst = (measure.normaliser(_in_order(at, best_first=way), contract) for way in (True, False))
    if best != worst:
        message = f"{measure} has no expected ties here: what it divides by depends on the order of a tie"
        raise MeasureError(Fault(message, hint="choose another tie rule, or another denominator"))
    return best


def _in_order(at: Placements, *, best_first: bool) -> Placements:
    """Return the placements with each tie in its best or its worst order, unlisted documents the worst."""
    placed = [(rank, grade) for rank, grade in at.within() if not _tied(rank, at)]
    for tie in at.ties:
        first = tie.first if best_first else tie.last - len(tie.grades) + 1
        placed += enumerate(tie.grades if best_first else reversed(tie.grades), first)
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


def _separate(measure: Measure, at: Placements, tie: Tie, contract: Contract) -> dict[Hashable, float]:
    """Return each kind's mean amount, where what stands above does not matter."""
    size, end = tie.last - tie.first + 1, min(tie.last, at.returned)
    found: dict[Hashable, float] = {}
    for grade in dict.fromkeys(tie.grades):
        amounts = (_amount_of_last(measure, at, [(rank, grade)], contract) for rank in range(tie.first, end + 1))
        found[measure.kind(grade, contract)] = add(amounts, "exact") / size
    return found


def _joint(measure: Measure, at: Placements, tie: Tie, contract: Contract) -> dict[Hashable, float]:
    """Return each kind's mean amount over the chances of what stands above it in the tie."""
    size = tie.last - tie.first + 1
    one_of = {kind: grade for grade in reversed(tie.grades) if (kind := measure.kind(grade, contract)) is not None}
    have: Counter[Hashable] = Counter(measure.kind(grade, contract) for grade in tie.grades)
    have[None] = size - sum(count for kind, count in have.items() if kind is not None)
    if prod(count + 1 for count in have.values()) > STATES:
        message = f"{measure}: a tie of {size} documents has too many orders for its expected value"
        raise MeasureError(Fault(message, hint="choose another tie rule"))
    above = [(rank, grade) for rank, grade in at.within() if rank < tie.first and not _tied(rank, at)]
    for other in at.ties:
        if other.last < tie.first:
            above += enumerate(other.grades, other.first)
    above.sort()
    shares: dict[Hashable, list[float]] = {kind: [] for kind in one_of}
    for taken in product(*(range(count + 1) for count in have.values())):
        rank = tie.first + sum(taken)
        if rank > min(tie.last, at.returned):
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
