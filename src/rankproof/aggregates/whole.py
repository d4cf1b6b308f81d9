"""Which means can a whole number of queries give?"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor, lcm
from typing import NamedTuple

MOST_QUERIES = 100
MOST_PLACES = 10
"""Up to so many queries and places all sums of reciprocal ranks are found; with more, nearly every value is one."""


class Mean(NamedTuple):
    """A mean that could be: `total` / `queries`."""

    total: Fraction
    queries: int


def mean_of_parts(low: Fraction, high: Fraction, queries: int, parts: int = 1) -> Mean | None:
    """Return a mean within low … high of `queries` values that are 0, 1/parts, 2/parts, … or 1; None if none is there.

    Success@k has 1 part, P@k has k.
    """
    least = max(0, ceil(low * queries * parts))
    fits = least <= high * queries * parts and least <= queries * parts
    return Mean(Fraction(least, parts), queries) if fits else None


def nearest_fewer(low: Fraction, high: Fraction, queries: int, parts: int = 1) -> Mean | None:
    """Return such a mean of the most queries that are fewer; None if no number of them gives one."""
    fewer = (mean_of_parts(low, high, count, parts) for count in range(queries - 1, 0, -1))
    return next((mean for mean in fewer if mean), None)


def reciprocal_sums(queries: int, cutoff: int) -> Iterator[int]:
    """Yield, for 1, 2, … queries, the sums that RR@cutoff can have: bit s says whether s / lcm(1 … cutoff) is one."""
    whole = lcm(*range(1, cutoff + 1))
    reached = 1
    for _ in range(queries):
        more = reached
        for rank in range(1, cutoff + 1):
            more |= reached << (whole // rank)
        reached = more
        yield reached


def means_of_ranks(low: Fraction, high: Fraction, queries: int, cutoff: int) -> Mean | None:
    """Return a mean of RR@cutoff within low … high, over all queries if there is one, else over fewer; None if none.

    Only for at most `MOST_QUERIES` and `MOST_PLACES`.
    """
    whole = lcm(*range(1, cutoff + 1))
    found = None
    for count, reached in enumerate(reciprocal_sums(queries, cutoff), 1):
        first, last = max(0, ceil(low * count * whole)), floor(min(high, Fraction(1)) * count * whole)
        bits = (reached >> first) & ((1 << max(0, last - first + 1)) - 1)
        if bits:
            found = Mean(Fraction(first + (bits & -bits).bit_length() - 1, whole), count)
    return found
