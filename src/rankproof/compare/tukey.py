"""Which of all pairs of systems differ, when every pair is looked at? Randomised Tukey HSD (Carterette 2012)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from rankproof.compare.draws import slack
from rankproof.compare.resample import ranges


def tukey(values: Sequence[Sequence[float]], trials: int, seed: int, *, plain: bool = False) -> list[list[float]]:
    """Return adjusted p of all pairs, as a matrix; `values` holds a row a system, parallel over queries or families.

    Under the hypothesis that no system differs, a query's values could stand with any of them: they are shuffled within
    each query, and the range of the systems' means is compared with each difference that was seen.
    """
    totals, found = ranges(values, trials, seed, plain=plain)
    near = 2 * slack(len(values[0]))

    def p(one: int, other: int) -> float:
        beyond = len(found) - bisect_left(found, abs(one - other) - near)
        return (beyond + 1) / (trials + 1)

    return [
        [1.0 if row == column else p(one, other) for column, other in enumerate(totals.numbers)]
        for row, one in enumerate(totals.numbers)
    ]
