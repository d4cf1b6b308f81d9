"""Is the measure another one on the queries that leak?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import fsum, sqrt
from statistics import fmean, variance
from typing import NamedTuple

from rankproof.compare.distributions import t_quantile
from rankproof.compare.intervals import Interval
from rankproof.model import Value
from rankproof.values import Values
from rankproof.words import Words


class Sample(NamedTuple):
    """Some of the test queries: how many have a value, and its mean; None without any."""

    queries: int
    mean: Value


class Contrast(NamedTuple):
    """One measure on the test queries that no leak touches, and on those that one does."""

    measure: str
    clean: Sample
    leaked: Sample
    difference: Value  # leaked minus clean
    interval: Interval | None
    confidence: float
    without: int  # test queries that have no value
    why: Words | None = None  # why there is no interval

    @property
    def said(self) -> Words:
        """Return what the interval shows."""
        if self.interval is None:
            return self.why or Words("", "")
        if self.interval.low > 0:
            return Words("higher on the queries that leak", "누출된 질의에서 더 높습니다")
        if self.interval.high < 0:
            return Words("lower on the queries that leak", "누출된 질의에서 더 낮습니다")
        return Words("no difference shown", "차이가 드러나지 않습니다")


def contrast_of(
    values: Values, measure: str, test: Sequence[str], leaked: Collection[str], confidence: float
) -> Contrast:
    """Return a measure on the leaked test queries beside the clean ones."""
    value_of = dict(zip(values.query_ids, values.per_query[measure], strict=True))
    sides: dict[bool, list[float]] = {False: [], True: []}
    for query in test:
        value = value_of.get(query)
        if value is not None:
            sides[query in leaked].append(value)
    clean, leaking = sides[False], sides[True]
    found = welch(leaking, clean, confidence)
    both = bool(clean and leaking)
    return Contrast(
        measure,
        Sample(len(clean), fmean(clean) if clean else None),
        Sample(len(leaking), fmean(leaking) if leaking else None),
        fmean(leaking) - fmean(clean) if both else None,
        found if isinstance(found, Interval) else None,
        confidence,
        len(test) - len(clean) - len(leaking),
        None if isinstance(found, Interval) else found,
    )


def welch(left: Sequence[float], right: Sequence[float], confidence: float) -> Interval | Words:
    """Return Welch's interval of the difference of two means, or why there is none.

    Two independent samples, whose spreads may differ (Welch 1947, Biometrika 34; degrees of freedom by Satterthwaite
    1946).
    """
    if min(len(left), len(right)) < 2:
        return Words(
            "an interval needs two queries on either side", "구간을 구하려면 양쪽에 질의가 둘 이상 있어야 합니다"
        )
    parts = [variance(side) / len(side) for side in (left, right)]
    total = fsum(parts)
    if total == 0:
        return Words("the values do not vary: no interval", "값이 모두 같아 구간이 없습니다")
    freedom = total**2 / fsum(part**2 / (len(side) - 1) for part, side in zip(parts, (left, right), strict=True))
    reach = t_quantile(1 - (1 - confidence) / 2, freedom) * sqrt(total)
    difference = fmean(left) - fmean(right)
    return Interval(difference - reach, difference + reach)
