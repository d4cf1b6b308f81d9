"""How likely is a normal or a Student's t, and how strong is a t test? With the standard library alone.

The incomplete beta function by its continued fraction (DLMF 8.17.22); the power of a t test from the definition of the
noncentral t, as an integral over the distribution of the standard deviation. Tests hold both against SciPy.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import exp, fsum, inf, lgamma, log, sqrt
from statistics import NormalDist

_NORMAL = NormalDist()
_TINY = 1e-300
_STEPS = 400  # of Simpson's rule: the integrand is smooth, the error far below 1e-10
_MORE_STEPS = 8000  # up to 3 degrees of freedom: critical values lie far out, and what is integrated is steep


def normal_cdf(z: float) -> float:
    """Return the share of a standard normal below z."""
    return _NORMAL.cdf(z)


def normal_quantile(share: float) -> float:
    """Return the z below which this share of a standard normal lies; 0 < share < 1."""
    return _NORMAL.inv_cdf(share)


def t_two_sided(t: float, df: float) -> float:
    """Return how likely a Student's t with df degrees of freedom is at least as far from 0 as t."""
    return 0.0 if t in (inf, -inf) else incomplete_beta(df / (df + t * t), df / 2, 0.5)


def t_above(t: float, df: float) -> float:
    """Return how likely a Student's t is above t."""
    half = t_two_sided(t, df) / 2
    return half if t >= 0 else 1 - half


@lru_cache(maxsize=1024)
def t_quantile(share: float, df: float) -> float:
    """Return the t below which this share of Student's t lies; 0 < share < 1."""
    if share < 0.5:
        return -t_quantile(1 - share, df)
    return root(lambda t: (1 - t_above(t, df)) - share, 0.0, 2.0)


def t_power(shift: float, df: float, alpha: float) -> float:
    """Return how likely a two-sided t test at level alpha is significant where the noncentrality is `shift`."""
    critical = t_quantile(1 - alpha / 2, df)
    spread = 1 / sqrt(2 * df)
    low = log(1 - 10 * spread) if spread < 0.09 else log(1e-14) / df - 1  # below it lies less than 1e-14
    high = log(1 + 10 * spread)
    norm = log(2) + df / 2 * log(df / 2) - lgamma(df / 2)

    def weighed(log_ratio: float) -> float:
        """Return the power given that the sample's standard deviation is this many times the true one."""
        ratio = exp(log_ratio)
        density = exp(norm + df * log_ratio - df * ratio * ratio / 2)
        return density * (normal_cdf(shift - critical * ratio) + normal_cdf(-shift - critical * ratio))

    steps = _STEPS if df > 3 else _MORE_STEPS
    width = (high - low) / steps
    weights = [1 if at in (0, steps) else 4 if at % 2 else 2 for at in range(steps + 1)]
    return fsum(weight * weighed(low + at * width) for at, weight in enumerate(weights)) * width / 3


def root(rising: Callable[[float], float], low: float, high: float) -> float:
    """Return where a rising function crosses 0 above `low`; `high` is moved up until it lies beyond."""
    while rising(high) < 0:
        low, high = high, high * 2
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return (low + high) / 2


def incomplete_beta(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    return front * _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of I_x(a, b), by the modified method of Lentz."""
    c, d = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    found = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        step = 1.0
        for part in (even, odd):
            d = 1 / _away_from_zero(1 + part * d)
            c = _away_from_zero(1 + part / c)
            step = c * d
            found *= step
        if abs(step - 1) < 1e-16:
            break
    return found


def _away_from_zero(number: float) -> float:
    return number if abs(number) > _TINY else _TINY
