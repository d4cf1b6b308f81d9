"""What could this many queries show, how many would it take, and is the difference small enough to ignore?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import sqrt

from rankproof.compare.distributions import root, t_above, t_power
from rankproof.compare.significance import sign_floor, spread, t_statistic

POWER = 0.8
MOST = 10**7
"""More queries than this nobody judges: the number needed is then not given."""


@lru_cache(maxsize=256)
def smallest_effect(count: int, alpha: float, power: float = POWER) -> float:
    """Return the smallest d_z that a paired t test over `count` units (2 or more) shows with this power."""
    df = count - 1
    return root(lambda effect: t_power(effect * sqrt(count), df, alpha) - power, 0.0, 1.0)


def units_needed(effect: float, alpha: float, power: float = POWER) -> int | None:
    """Return how many units a paired t test needs to show this d_z with this power; None for more than ten million."""
    if not effect:
        return None
    low, high = 1, 2
    while t_power(abs(effect) * sqrt(high), high - 1, alpha) < power:
        low, high = high, high * 2
        if high > MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        enough = t_power(abs(effect) * sqrt(middle), middle - 1, alpha) >= power
        low, high = (low, middle) if enough else (middle, high)
    return high


def equivalence(units: Sequence[float], margin: float) -> float:
    """Return p of two one-sided t tests that the mean lies within ±margin (Schuirmann 1987)."""
    df = len(units) - 1
    if not spread(units).deviation:  # as in the t test: what never varies shows no more than signs that all agree
        return sign_floor(len(units)) if abs(units[0]) < margin else 1.0
    above_lower, below_upper = t_statistic(units, -margin), t_statistic(units, margin)
    return max(t_above(above_lower, df), t_above(-below_upper, df))
