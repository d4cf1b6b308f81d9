"""Which random words are drawn, and in which numbers are they added, so that every road comes to the same digit?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from math import frexp, fsum, ldexp
from random import Random
from typing import Any, TypeAlias

BITS = 53
"""A double holds whole numbers up to 2^53 exactly, so sums that stay below are exact."""
BLOCK = 1 << 18
"""How many words a block holds: what is drawn and added at once stays in the processor's cache."""

Matrix: TypeAlias = Any
"""An array of NumPy."""


def has_numpy() -> bool:
    """Return whether the NumPy road can be taken."""
    try:
        return find_spec("numpy") is not None
    except ImportError:  # something keeps it from being found
        return False


@dataclass(frozen=True, slots=True)
class Whole:
    """Numbers as whole multiples of 2^-power: `numbers[i]` / 2^power is the given one, to about 1 in 2^52 of `room`."""

    numbers: Sequence[int]
    power: int

    def back(self, total: float) -> float:
        """Return what a sum of these stands for."""
        return ldexp(total, -self.power)


def whole(given: Sequence[float], room: float) -> Whole:
    """Return numbers as whole ones, of which any sum whose absolute values add up to `room` at most is exact."""
    power = min(BITS - 1 - frexp(room)[1], 1000) if room else 0
    return Whole([round(ldexp(one, power)) for one in given], power)


def whole_for_signs(given: Sequence[float]) -> Whole:
    """Return numbers as whole ones, for sums in which each stands once with either sign."""
    return whole(given, fsum(map(abs, given)))


def slack(count: int) -> int:
    """Return by how many units two sums of `count` whole numbers can differ that are one in exact arithmetic.

    That is 100 times the spacing of doubles at the largest sum, and the rounding of each number.
    """
    return 200 + count


class Draws:
    """The random words of a Mersenne Twister for one purpose: both roads read the same ones."""

    def __init__(self, seed: int, purpose: str) -> None:
        """Start at the beginning."""
        self._random = Random(f"{seed}/{purpose}")  # noqa: S311 - for statistics

    def rows(self, rows: int, width: int) -> Iterator[memoryview]:
        """Yield `rows` times `width` words, as their bytes, lowest first."""
        for _ in range(rows):
            yield memoryview(self._random.randbytes(4 * width))

    def blocks(self, rows: int, width: int) -> Iterator[Matrix]:
        """Yield the same as arrays of 32-bit words, some rows at a time: (rows, width)."""
        import numpy as np  # noqa: PLC0415 - the plain road needs none

        *key, position = self._random.getstate()[1]
        twister = np.random.MT19937()
        twister.state = {
            "bit_generator": "MT19937",
            "state": {"key": np.array(key, dtype=np.uint32), "pos": position},
        }
        at_once = max(1, BLOCK // width)
        for start in range(0, rows, at_once):
            count = min(at_once, rows - start)
            yield twister.random_raw(count * width).astype("<u4").reshape(count, width)


def numbers_of(row: memoryview) -> Sequence[int]:
    """Return a row's words as numbers."""
    return [int.from_bytes(row[at : at + 4], "little") for at in range(0, len(row), 4)]
