"""In which order do the scores of neighbouring rows stand? By their spelling where that proves it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from rankproof.arithmetic import number_of
from rankproof.placements.tokens import Chunk, IrregularError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[Any]

_MANY = 16
"""Where more than one pair in so many is not proven by its spelling, all scores are parsed."""


class Scores:
    """The scores of a chunk's first rows: for each but the last, whether the next is equal; and where one is higher."""

    def __init__(self, chunk: Chunk, column: int, end: int) -> None:
        """Compare neighbours among rows 0 to `end` - 1. IrregularError for a score that is no number, or NaN."""
        import numpy as np  # noqa: PLC0415 - an extra, loaded where files are scanned

        self._chunk = chunk
        self._column = column
        self._end = end
        self._all: Numbers | None = None
        falls, self.equal, odd = _by_spelling(chunk, column, end)
        for row in odd.tolist():
            self.value(row)
        open_pairs = np.flatnonzero(~(falls | self.equal))
        if len(open_pairs) > len(falls) // _MANY:
            values = self.values()
            self.equal = values[1:] == values[:-1]
            self._rises = np.flatnonzero(values[1:] > values[:-1])
            return
        rises = []
        for at in open_pairs.tolist():
            one, other = self.value(at), self.value(at + 1)
            self.equal[at] = one == other
            if other > one:
                rises.append(at)
        self._rises = np.array(rises, np.int64)

    def never_rises(self, first: int, end: int) -> bool:
        """Return whether no score of rows `first` to `end` - 1 is higher than the one before."""
        import numpy as np  # noqa: PLC0415

        begin, behind = np.searchsorted(self._rises, (first, end - 1))
        return bool(begin == behind)

    def value(self, row: int) -> float:
        """Return one score. IrregularError for what is no number, or NaN."""
        if self._all is not None:
            return float(self._all[row])
        number = number_of(self._chunk.token(self._column, row))
        if number is None or number != number:  # noqa: PLR0124 - NaN alone differs from itself
            raise IrregularError
        return float(number)

    def values(self) -> Numbers:
        """Return all scores."""
        if self._all is None:
            self._all = self.of(0, self._end)
        return self._all

    def of(self, first: int, end: int) -> Numbers:
        """Return the scores of rows `first` to `end` - 1. IrregularError for what is no number, or NaN."""
        import numpy as np  # noqa: PLC0415

        if self._all is not None:
            return self._all[first:end]
        numbers = list(map(number_of, self._chunk.tokens(self._column, slice(first, end))))
        found = np.array(numbers, float)  # None becomes NaN
        if np.isnan(found).any():
            raise IrregularError
        return found


def are_digits(chunk: Chunk, column: int) -> Numbers:
    """Return which tokens of a column are plain decimals, of at most eight bytes."""
    import numpy as np  # noqa: PLC0415

    widths = chunk.widths(column)
    point, digits = _digits(chunk.words(column))
    return np.asarray(digits & (point == 0) & (widths <= 8))


def _by_spelling(chunk: Chunk, column: int, end: int) -> tuple[Numbers, Numbers, Numbers]:
    """Return for which rows the next score is proven lower, for which it is spelled alike; which rows are odd.

    Two spellings of equal length, digits with the point at the same place, are in the order of their bytes.
    """
    import numpy as np  # noqa: PLC0415

    widths = chunk.widths(column)[:end]
    first, second = chunk.words(column)[:end], chunk.words(column, 8)[:end]
    plain, point = _plain_decimals(first, second, widths)
    alike = (widths[1:] == widths[:-1]) & plain[1:] & plain[:-1] & (point[1:] == point[:-1])
    high, low = first.byteswap(), second.byteswap()
    same = high[1:] == high[:-1]
    falls = (high[1:] < high[:-1]) | (same & (low[1:] < low[:-1]))
    return alike & falls, alike & same & (low[1:] == low[:-1]), np.flatnonzero(~plain)


_POINTS, _ZEROS, _HIGH, _SEVENS = 0x2E2E2E2E2E2E2E2E, 0x3030303030303030, 0x8080808080808080, 0x7F7F7F7F7F7F7F7F


def _plain_decimals(first: Numbers, second: Numbers, widths: Numbers) -> tuple[Numbers, Numbers]:
    """Return which tokens are digits with at most one point, at most sixteen bytes; and where the point is, as bits."""
    import numpy as np  # noqa: PLC0415

    point_one, digits_one = _digits(first)
    point_two, digits_two = _digits(second)
    points = point_one | (point_two >> np.uint64(4))  # apart: they are bits 7, 15, … of each, and 3, 11, …
    one_point = (points & (points - np.uint64(1))) == 0
    enough = (widths > 1) | (points == 0)
    return digits_one & digits_two & one_point & enough & (widths <= 16), points


def _digits(words: Numbers) -> tuple[Numbers, Numbers]:
    """Return at which bytes of each word there is a point, as high bits, and whether all others are digits or 0."""
    import numpy as np  # noqa: PLC0415

    high, sevens, zeros = np.uint64(_HIGH), np.uint64(_SEVENS), np.uint64(_ZEROS)
    points = _zero_bytes(words ^ np.uint64(_POINTS), high, sevens)
    blanks = _zero_bytes(words, high, sevens)
    # a point (0x2e) plus 2 is the digit 0 (0x30); an empty byte plus 0x30 is it too
    filled = words + (points >> np.uint64(6)) + ((blanks >> np.uint64(7)) * np.uint64(0x30))
    wrong = ((filled + np.uint64(0x4646464646464646)) | (filled - zeros)) & high
    return points, wrong == 0


def _zero_bytes(words: Numbers, high: Any, sevens: Any) -> Numbers:
    """Return the high bit of each byte that is 0."""
    found: Numbers = ~(((words & sevens) + sevens) | words | sevens) & high
    return found
