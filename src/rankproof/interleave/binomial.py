"""How surely do won and lost impressions show a preference, and how many does it take?

Impressions are many: a click log has more than a sum over binomial coefficients can go through, so tails come from the
incomplete beta function.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, fsum, lgamma, log, log1p, sqrt

from rankproof.compare.distributions import incomplete_beta, root
from rankproof.compare.intervals import Interval

MOST = 10**7
"""More impressions than this are not said to be needed: then nothing is."""
EXACT_UP_TO = 5000
"""Up to so many impressions the power is summed over how many of them are decided; beyond, their mean will do."""
CHECKED_UP_TO = 2000
"""Up to so many, the number needed is the one from which on the power never falls below; beyond, it hardly moves."""


def at_most(count: int, trials: int, chance: float) -> float:
    """Return how likely at most `count` of `trials` are wins, each with this chance: the binomial distribution."""
    if count < 0:
        return 0.0
    return 1.0 if count >= trials else incomplete_beta(1 - chance, trials - count, count + 1)


def sign_p(left: int, right: int) -> float:
    """Return the two-sided p of the sign test: exact binomial, ties left out."""
    return min(1.0, 2 * at_most(min(left, right), left + right, 0.5))


def clopper_pearson(wins: int, trials: int, confidence: float) -> Interval:
    """Return the exact interval of a share (Clopper & Pearson 1934), never too narrow; 0 to 1 without trials."""
    tail = (1 - confidence) / 2
    low = root(lambda share: 1 - at_most(wins - 1, trials, share) - tail, 0.0, 1.0) if wins else 0.0
    high = root(lambda share: tail - at_most(wins, trials, share), 0.0, 1.0) if wins < trials else 1.0
    return Interval(low, high)


@lru_cache(maxsize=1 << 16)
def _critical(trials: int, alpha: float) -> int:
    """Return how many the lesser side may win at most for the sign test to be significant; -1 where it cannot be."""
    low, high = -1, trials // 2
    while high > low:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if sign_p(middle, trials - middle) <= alpha else (low, middle - 1)
    return low


@lru_cache(maxsize=1 << 16)
def _decided_power(trials: int, share: float, alpha: float) -> float:
    critical = _critical(trials, alpha)
    return at_most(critical, trials, share) + at_most(critical, trials, 1 - share)


def sign_power(impressions: int, left: float, right: float, alpha: float) -> float:
    """Return how likely the sign test is significant, given the chances that left and right win an impression.

    Exact up to 5,000 impressions: how many are decided is binomial, and given that so is who wins them.
    """
    decided, share = left + right, right / (left + right)
    if decided >= 1:
        return _decided_power(impressions, share, alpha)
    centre, spread = impressions * decided, sqrt(impressions * decided * (1 - decided))
    if impressions > EXACT_UP_TO:
        return _decided_power(round(centre), share, alpha)
    span = range(max(0, int(centre - 10 * spread - 10)), min(impressions, int(centre + 10 * spread + 10)) + 1)
    return fsum(_chance(count, impressions, decided) * _decided_power(count, share, alpha) for count in span)


def _chance(count: int, trials: int, chance: float) -> float:
    ways = lgamma(trials + 1) - lgamma(count + 1) - lgamma(trials - count + 1)
    return exp(ways + count * log(chance) + (trials - count) * log1p(-chance))


def impressions_for(left: float, right: float, alpha: float, power: float) -> int | None:
    """Return from how many impressions on the sign test has this power; None where neither wins, or for too many.

    The power of an exact test rises in a saw: up to 2,000 what counts is where it stays above.
    """
    if left == right:
        return None
    low, high = 0, 8
    while sign_power(high, left, right, alpha) < power:
        low, high = high, high * 2
        if high > MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if sign_power(middle, left, right, alpha) >= power else (middle, high)
    if high > CHECKED_UP_TO:
        return high
    last = high + high // 2 + 16
    below = (count for count in range(last, 0, -1) if sign_power(count, left, right, alpha) < power)
    return next(below, 0) + 1
