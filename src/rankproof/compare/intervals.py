"""Between which bounds does a mean lie? Bootstrap intervals, percentile and BCa, and Student's."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from math import fsum, sqrt
from typing import NamedTuple

from rankproof.compare.distributions import normal_cdf, normal_quantile, t_quantile


class Interval(NamedTuple):
    """The lower and upper bound."""

    low: float
    high: float


class Drawn(NamedTuple):
    """A mean as it was seen, the sums and sizes of its rows (families or single queries), and its sorted resamples."""

    mean: float
    rows: Sequence[float]
    sizes: Sequence[int]
    means: Sequence[float]


def percentile(drawn: Drawn, confidence: float) -> Interval:
    """Return the bootstrap percentile interval (Efron & Tibshirani 1993, chapter 13)."""
    tail = (1 - confidence) / 2
    return Interval(quantile(drawn.means, tail), quantile(drawn.means, 1 - tail))


def bca(drawn: Drawn, confidence: float) -> Interval:
    """Return the bias-corrected and accelerated interval (Efron 1987; the acceleration by the jackknife).

    Where all resamples lie on one side of the mean the correction is not defined: then it is the percentile interval.
    """
    near = 1e-12 * max(
        abs(drawn.means[0]), abs(drawn.means[-1])
    )  # a mean of the same rows may differ in its last digit
    below, not_above = bisect_left(drawn.means, drawn.mean - near), bisect_right(drawn.means, drawn.mean + near)
    share = (below + not_above) / (2 * len(drawn.means))
    if not 0 < share < 1:
        return percentile(drawn, confidence)
    bias, speed = normal_quantile(share), _acceleration(drawn)
    bounds = []
    for tail in ((1 - confidence) / 2, 1 - (1 - confidence) / 2):
        z = bias + normal_quantile(tail)
        bounds.append(quantile(drawn.means, normal_cdf(bias + z / (1 - speed * z))))
    return Interval(*bounds)


def student(drawn: Drawn, confidence: float) -> Interval:
    """Return Student's interval of the mean, over rows scaled so that their mean is the mean."""
    count = len(drawn.rows)
    scale = count / sum(drawn.sizes)
    deviation = sqrt(fsum((row * scale - drawn.mean) ** 2 for row in drawn.rows) / (count - 1))
    reach = t_quantile(1 - (1 - confidence) / 2, count - 1) * deviation / sqrt(count)
    return Interval(drawn.mean - reach, drawn.mean + reach)


def _acceleration(drawn: Drawn) -> float:
    total, queries = fsum(drawn.rows), sum(drawn.sizes)
    left_out = [(total - row) / (queries - size) for row, size in zip(drawn.rows, drawn.sizes, strict=True)]
    centre = fsum(left_out) / len(left_out)
    away = [centre - one for one in left_out]
    squares = fsum(one * one for one in away)
    return fsum(one**3 for one in away) / (6 * squares**1.5) if squares > 0 else 0.0


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return the value below which this share of sorted values lies, between two neighbours on a straight line."""
    place = share * (len(ordered) - 1)
    at = min(int(place), len(ordered) - 2)
    return ordered[at] + (ordered[at + 1] - ordered[at]) * (place - at)


def wider(drawn: Drawn, confidence: float) -> Interval:
    """Return the bounds of BCa and of Student's that lie further out.

    A bootstrap interval of few queries is too narrow (Hesterberg 2015, The American Statistician 69(4)), and Student's
    does not follow a skewed mean.
    """
    both = bca(drawn, confidence), student(drawn, confidence)
    return Interval(min(one.low for one in both), max(one.high for one in both))


INTERVALS: Mapping[str, Callable[[Drawn, float], Interval]] = {
    "bca": bca,
    "percentile": percentile,
    "t": student,
    "wider": wider,
}
"""The intervals by name."""
