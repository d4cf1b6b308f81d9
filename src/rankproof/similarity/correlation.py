"""How well do two orders of the same things agree?"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import fsum, isnan, sqrt
from typing import NamedTuple

from rankproof.errors import Fault, InputError, MeasureError, seen


def kendall_tau_b(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Return Kendall's tau-b of parallel values, from -1 to 1; None where one side is constant, or holds no pair.

    (concordant - discordant) / √((pairs - tied in x) · (pairs - tied in y)), counted in n log n (Kendall 1945, Knight
    1966). InputError for sequences that are not parallel, or hold what is no number.
    """
    _check(x, y)
    in_order = sorted(zip(x, y, strict=True))
    pairs = len(in_order) * (len(in_order) - 1) // 2
    tied_x, tied_y, tied_in_both = map(_tied_pairs, (x, y, in_order))
    if pairs in (tied_x, tied_y):
        return None
    discordant, _ = _descents([value for _, value in in_order])
    agreement = pairs - tied_x - tied_y + tied_in_both - 2 * discordant
    return agreement / sqrt((pairs - tied_x) * (pairs - tied_y))


def _tied_pairs(values: Iterable[Hashable]) -> int:
    return sum(count * (count - 1) // 2 for count in Counter(values).values())


def _descents(values: list[float]) -> tuple[int, list[float]]:
    """Return how many pairs stand in descending order, found while merging, and the values sorted."""
    if len(values) < 2:
        return 0, values
    middle = len(values) // 2
    (count, left), (more, right) = _descents(values[:middle]), _descents(values[middle:])
    count += more
    merged: list[float] = []
    at = 0
    for value in right:
        while at < len(left) and left[at] <= value:
            merged.append(left[at])
            at += 1
        count += len(left) - at
        merged.append(value)
    return count, merged + left[at:]


def tau_ap(truth: Sequence[float], other: Sequence[float]) -> float | None:
    """Return the AP correlation of an order with the true one, from -1 to 1: errors at the top cost most.

    Parallel values, the highest ranks first. Pick an item of `other` but its first, then one above it: 2 · (chance that
    they stand so in `truth` too) - 1 (Yilmaz, Aslam, Robertson 2008). Where `other` holds ties it is the mean over all
    their orders, tau-AP,a of Urbano and Marrero 2017. None for less than two items. MeasureError where `truth` holds
    ties: then there is no true order (see `tau_ap_b`). InputError as `kendall_tau_b`.
    """
    _check(truth, other)
    if _tied_pairs(truth):
        hint = "tau_ap_b compares two orders that both hold ties"
        raise MeasureError(Fault("tau-AP needs a true order, and it holds ties", hint=hint))
    if len(truth) < 2:
        return None
    amounts = [
        (sum(concordant) / len(concordant) + place / 2) / above
        for concordant, first in _groups(truth, other)
        for place in range(len(concordant))
        if (above := first + place - 1)  # all of the higher groups, and `place` items of its own
    ]
    return 2 * fsum(amounts) / (len(truth) - 1) - 1


def tau_ap_b(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Return the AP correlation of two orders of equal standing, from -1 to 1: tau-AP,b of Urbano and Marrero 2017.

    Parallel values, the highest ranks first. The mean of both directions, in which each item is compared with the whole
    groups above its own; without ties that of `tau_ap(x, y)` and `tau_ap(y, x)`. None where one side is constant, or
    holds no pair. InputError as `kendall_tau_b`.
    """
    _check(x, y)
    sides = [_above_groups(x, y), _above_groups(y, x)]
    return None if None in sides else fsum(side for side in sides if side is not None) / 2


class OrderSimilarity(NamedTuple):
    """How alike two orderings of systems are, over those that both hold."""

    tau_b: float | None
    tau_ap: float | None  # the left order is the true one; None where it holds ties
    tau_ap_b: float | None  # neither is
    systems: Sequence[str]  # in both, in the left order given
    only_left: Sequence[str]
    only_right: Sequence[str]


def order_similarity(values_a: Mapping[str, float], values_b: Mapping[str, float]) -> OrderSimilarity:
    """Return how alike two orderings of systems are: system to value, higher is better; equal values are ties.

    tau-AP takes the first as the true order. Numbers are None for less than two systems in common, or where one side
    does not tell any two apart. InputError for a value that is no number.
    """
    systems = [system for system in values_a if system in values_b]
    x, y = ([values[system] for system in systems] for values in (values_a, values_b))
    tau_b = kendall_tau_b(x, y)
    return OrderSimilarity(
        tau_b,
        tau_ap(x, y) if len(set(x)) == len(x) else None,
        tau_ap_b(x, y),
        systems,
        [system for system in values_a if system not in values_b],
        [system for system in values_b if system not in values_a],
    )


def _above_groups(truth: Sequence[float], other: Sequence[float]) -> float | None:
    agreeing = [pairs / (first - 1) for concordant, first in _groups(truth, other) if first > 1 for pairs in concordant]
    return 2 * fsum(agreeing) / len(agreeing) - 1 if agreeing else None


def _groups(truth: Sequence[float], other: Sequence[float]) -> Iterable[tuple[list[int], int]]:
    """Yield, for each group of ties of `other` from the top, its first rank and what is concordant above.

    That is a count an item: how many items of higher groups are greater in `truth` too.
    """
    members: dict[float, list[float]] = {}
    for true, value in zip(truth, other, strict=True):
        members.setdefault(value, []).append(true)
    above: list[float] = []
    for value in sorted(members, reverse=True):
        yield [len(above) - bisect_right(above, true) for true in members[value]], len(above) + 1
        for true in members[value]:
            insort(above, true)


def _check(x: Sequence[float], y: Sequence[float]) -> None:
    if len(x) != len(y):
        raise InputError(Fault(f"{len(x)} values stand beside {len(y)}", expected="parallel values"))
    for value in (*x, *y):
        if not _is_number(value):
            raise InputError(Fault(f"{seen(value)} has no place in an order", expected="a number"))


def _is_number(given: object) -> bool:
    return isinstance(given, (int, float)) and not isnan(given)
