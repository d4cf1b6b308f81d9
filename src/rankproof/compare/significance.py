"""How likely is a difference as large as this by chance alone? One test a function, one table of tests.

Each takes the units of a comparison (a difference a query, or a sum a family) and gives a two-sided p.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb, fsum, inf, isinf, sqrt
from typing import NamedTuple

from rankproof.arithmetic import SAME
from rankproof.compare.distributions import normal_cdf, t_two_sided
from rankproof.compare.resample import exact_share
from rankproof.words import Words

EXACT_UP_TO = 20
"""Up to this many units that are not 0 the randomization test counts all sign patterns."""
WILCOXON_EXACT_UP_TO = 50


class Spread(NamedTuple):
    """The mean of units and their standard deviation (n - 1 below)."""

    mean: float
    deviation: float


def spread(units: Sequence[float]) -> Spread:
    """Return mean and standard deviation of two units or more; a deviation that is rounding alone is 0."""
    mean = fsum(units) / len(units)
    deviation = sqrt(fsum((unit - mean) ** 2 for unit in units) / (len(units) - 1))
    return Spread(mean, deviation if deviation > 1e-14 * max(map(abs, units)) else 0.0)


def effect_size(units: Sequence[float]) -> float | None:
    """Return Cohen's d_z: the mean over the standard deviation; None where nothing varies."""
    mean, deviation = spread(units)
    return mean / deviation if deviation else None


def t_statistic(units: Sequence[float], against: float = 0.0) -> float:
    """Return Student's t of the mean against a value; infinite where nothing varies."""
    mean, deviation = spread(units)
    off = mean - against
    if not deviation:
        return 0.0 if abs(off) <= 1e-14 * max(map(abs, units)) else inf if off > 0 else -inf
    return off / (deviation / sqrt(len(units)))


def sign_floor(units: int) -> float:
    """Return the smallest two-sided p of so many signs: that of all agreeing."""
    return 2.0 ** (1 - units)


def paired_t(units: Sequence[float]) -> float:
    """Return p of the paired t test (Student 1908).

    Where nothing varies, t is infinite: then p is that of so many signs that all agree, which assumes less.
    """
    t = t_statistic(units)
    return sign_floor(len(units)) if isinf(t) else t_two_sided(t, len(units) - 1)


def sign(units: Sequence[float]) -> float:
    """Return p of the sign test: exact binomial, ties left out."""
    up, down = (sum(unit * way > 0 for unit in units) for way in (1, -1))
    beyond = sum(comb(up + down, count) for count in range(min(up, down) + 1))
    return float(min(1.0, 2 * beyond / 2 ** (up + down)))


def wilcoxon(units: Sequence[float]) -> float:
    """Return p of the signed-rank test (Wilcoxon 1945): zeros left out, equal sizes share the mean of their ranks.

    Exact, given these ranks, up to 50 units that differ; beyond that normal, with the variance corrected for ties.
    """
    differ = sorted((unit for unit in units if unit), key=abs)
    doubled = list[int]()  # twice the ranks: shared ones may end in a half
    for tied in _of_one_size(differ):
        doubled += [2 * len(doubled) + tied + 1] * tied
    rising = sum(rank for rank, unit in zip(doubled, differ, strict=True) if unit > 0)
    falling = sum(doubled) - rising
    if len(differ) <= WILCOXON_EXACT_UP_TO:
        return _exact_ranks(doubled, min(rising, falling))
    deviation = sqrt(sum(rank * rank for rank in doubled) / 4)
    return min(1.0, 2 * normal_cdf((min(rising, falling) - sum(doubled) / 2) / deviation))


def _of_one_size(ordered: Sequence[float]) -> Iterator[int]:
    """Yield how many neighbours have one size each time; sizes that differ by rounding alone are one."""
    near, start = SAME * max(1.0, abs(ordered[-1])) if ordered else SAME, 0
    for at in range(1, len(ordered) + 1):
        if at == len(ordered) or abs(ordered[at]) - abs(ordered[at - 1]) > near:
            yield at - start
            start = at


def _exact_ranks(ranks: Sequence[int], least: int) -> float:
    """Return twice the share of sign patterns whose positive ranks add up to `least` at most."""
    ways = [1] + [0] * least
    for rank in ranks:
        for total in range(least, rank - 1, -1):
            ways[total] += ways[total - rank]
    return float(min(1.0, 2 * sum(ways) / 2 ** len(ranks)))


def randomization_exact(units: Sequence[float]) -> float:
    """Return p of the paired randomization test over all patterns of signs (Fisher 1935)."""
    beyond, patterns = exact_share(units)
    return beyond / patterns


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A test of a paired difference; `p` is None for the one that is drawn for all runs together."""

    name: str
    says: Words
    p: Callable[[Sequence[float]], float] | None

    def least(self, count: int) -> float:
        """Return the smallest p that this many units can give, were all of them to agree."""
        return 0.0 if self.name == "t" and count > 1 else sign_floor(count)

    def fewest(self, alpha: float) -> int:
        """Return how many units it takes to reach a level at all."""
        return next(count for count in range(2, 10_000) if self.least(count) <= alpha)


TESTS: Mapping[str, PairedTest] = {
    test.name: test
    for test in (
        PairedTest(
            "randomization",
            Words("paired randomization test (signs of the differences)", "대응 무작위화 검정 (차이의 부호)"),
            None,
        ),
        PairedTest("t", Words("paired t test", "대응 t 검정"), paired_t),
        PairedTest("wilcoxon", Words("Wilcoxon signed-rank test", "Wilcoxon 부호순위 검정"), wilcoxon),
        PairedTest("sign", Words("sign test", "부호 검정"), sign),
    )
}
