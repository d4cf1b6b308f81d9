"""Which scores do many rows have, and in which order do they stand?

Plain decimals are read eight digits at a time, all rows at once. Of one with more digits than fit, only as much is read
as its order needs; what is spelled otherwise (exponents, say) is left to Python, token by token.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from rankproof.arithmetic import number_of
from rankproof.placements.arrays.tokens import IrregularError, Tokens, low_bytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[Any]

_SCALE = 10**8
_STEP = 1 / _SCALE
_SINGLE_STEP = 2.0**-23
_MINUS, _POINT = b"-."
_POINTS, _ZEROS, _FULL = 0x2E2E2E2E2E2E2E2E, 0x3030303030303030, 0xFFFFFFFFFFFFFFFF
_HIGH, _LOW_SEVEN, _UP_TO_TEN = 0x8080808080808080, 0x7F7F7F7F7F7F7F7F, 0x4646464646464646


class Scores:
    """The numbers of many rows, in the precision in which they are compared: of long ones so much as is asked for."""

    def __init__(self, given: Tokens | Numbers, *, single: bool) -> None:
        """Take numbers, or tokens that spell them. IrregularError for what is no number, or NaN."""
        import numpy as np  # noqa: PLC0415 - an extra, loaded where files are scanned

        self._given = given
        self._single = single
        if isinstance(given, Tokens):
            self._values, self._exact, odd = _plain(given)
            self._read(np.flatnonzero(odd))
        else:
            self._values, self._exact = given, np.ones(len(given), bool)
            self._refuse_nan(given)

    def _read(self, rows: Numbers) -> None:
        """Read some tokens as Python does."""
        import numpy as np  # noqa: PLC0415

        if len(rows) and isinstance(self._given, Tokens):
            self._values[rows] = np.array(list(map(number_of, self._given.at(rows).spelled())), float)  # None: NaN
            self._exact[rows] = True
            self._refuse_nan(self._values[rows])

    def _refuse_nan(self, values: Numbers) -> None:
        import numpy as np  # noqa: PLC0415

        if np.isnan(values).any():
            raise IrregularError

    def read(self, rows: Numbers) -> None:
        """Read these rows' numbers to their last digit."""
        self._read(rows[~self._exact[rows]])

    def ordered(self, order: Numbers | None) -> Numbers:
        """Return the numbers in an order, None for that in which they stand: near ones are exact, and others enough.

        Two numbers that come one after another, and their rounded forms, compare as what the tokens spell.
        """
        import numpy as np  # noqa: PLC0415

        if not self._exact.all():
            values, exact = (self._values, self._exact) if order is None else (self._values[order], self._exact[order])
            with np.errstate(invalid="ignore"):  # the gap between two infinities, which are exact
                gaps = np.abs(np.diff(values))
            near = 2 * _STEP + (2 * _SINGLE_STEP * np.abs(values[1:]) if self._single else 0)
            pairs = np.flatnonzero((gaps <= near) & ~(exact[1:] & exact[:-1]))
            rows = np.unique(np.concatenate((pairs, pairs + 1)))
            self.read(rows if order is None else order[rows])
        values = self._values if order is None else self._values[order]
        with np.errstate(over="ignore"):  # too large for 32 bits: infinity
            return values.astype(np.float32) if self._single else values


def are_numbers(tokens: Tokens) -> bool:
    """Return whether every token spells a number, NaN included."""
    import numpy as np  # noqa: PLC0415

    odd = np.flatnonzero(~(_all_digits(tokens.words() | _zeros_behind(tokens.widths)) & (tokens.widths <= 8)))
    return all(number_of(token) is not None for token in tokens.at(odd).spelled())


def whole_numbers(tokens: Tokens) -> Numbers:
    """Return the whole numbers that tokens of up to seven digits spell. IrregularError for all others."""
    import numpy as np  # noqa: PLC0415

    minus = (tokens.words() & np.uint64(0xFF)) == _MINUS
    digits = Tokens(tokens.buffer, tokens.starts + minus, tokens.widths - minus)
    first, widths = digits.words(), digits.widths
    if widths.min(initial=1) < 1 or widths.max(initial=1) > 7 or not _all_digits(first | _zeros_behind(widths)).all():
        raise IrregularError
    found = _eight(_to_the_end(first, widths)).astype(np.int64)
    return np.where(minus, -found, found)


def _plain(tokens: Tokens) -> tuple[Numbers, Numbers, Numbers]:
    """Return the numbers of plain decimals, at least their first 8 digits behind the point; which are exact; which odd.

    A plain decimal has up to seven digits before the point and up to sixteen behind it, and perhaps a minus.
    """
    import numpy as np  # noqa: PLC0415

    first = tokens.words()
    alike = _of_one_shape(tokens, first)
    if alike is not None:
        none = np.zeros(len(tokens), bool)
        return alike, ~none, none
    minus = (first & np.uint64(0xFF)) == _MINUS
    tokens = Tokens(tokens.buffer, tokens.starts + minus, tokens.widths - minus)
    first = tokens.words()
    before = np.minimum(_first_point(first), tokens.widths)  # how many digits stand before the point
    after = Tokens(tokens.buffer, tokens.starts + before + 1, np.maximum(tokens.widths - before - 1, 0))
    whole, part = first & low_bytes(before), after.words()
    plain = _all_digits(whole | _zeros_behind(before)) & _all_digits(part | _zeros_behind(after.widths))
    odd = ~plain | (before > 7) | (before + after.widths == 0) | (after.widths > 16)
    exact = after.widths <= 8
    longer = np.flatnonzero(~exact)
    rest = after.at(longer)
    odd[longer] |= ~_all_digits(rest.words(8) | _zeros_behind(rest.widths - 8))
    numbers = _number(_to_the_end(whole, before), part)
    return np.where(minus, -numbers, numbers), exact, odd


def _of_one_shape(tokens: Tokens, first: Numbers) -> Numbers | None:
    """Return the numbers of digits with one to seven before the point and the same count behind it; None for others.

    `first`: the first eight bytes of each token.
    """
    import numpy as np  # noqa: PLC0415

    _, _, behind = tokens.at(slice(1)).spelled()[0].partition(b".")
    if not 1 <= len(behind) <= 8:
        return None
    before = tokens.widths - (len(behind) + 1)
    if before.min() < 1 or before.max() > 7:
        return None
    shifts = _shifts(before)
    whole = first << shifts
    point = first >> (np.uint64(64) - shifts)
    if ((point & np.uint64(0xFF)) != _POINT).any():
        return None
    part = Tokens(tokens.buffer, tokens.starts + before + 1, tokens.widths).words()
    part &= np.uint64((1 << 8 * len(behind)) - 1)
    digits = _all_digits(part | np.uint64(_ZEROS ^ (_ZEROS & ((1 << 8 * len(behind)) - 1))))
    if not (digits & _all_digits(whole | (np.uint64(_ZEROS) & ~(np.uint64(_FULL) << shifts)))).all():
        return None
    return _number(whole, part)


def _number(whole: Numbers, part: Numbers) -> Numbers:
    """Return the numbers of eight digits before the point and eight behind it."""
    import numpy as np  # noqa: PLC0415

    found: Numbers = (_eight(whole) * np.uint64(_SCALE) + _eight(part)).astype(np.float64)
    found /= _SCALE
    return found


def _first_point(words: Numbers) -> Numbers:
    """Return which byte of each word is the first point; 8 where none is."""
    import numpy as np  # noqa: PLC0415

    others = words ^ np.uint64(_POINTS)  # 0 at points
    sevens = np.uint64(_LOW_SEVEN)
    points = ~(((others & sevens) + sevens) | others | sevens)
    lowest = points & (~points + np.uint64(1))
    found = np.frexp(lowest.astype(np.float64))[1]  # 2^(8 k + 7) gives 8 k + 8
    return np.where(points == 0, 8, (found >> 3) - 1).astype(np.int32)


def _to_the_end(words: Numbers, count: Numbers) -> Numbers:
    """Return words whose first bytes, so many, are digits, with these at the end: what comes before counts as 0."""
    shifted: Numbers = words << _shifts(count)
    return shifted


def _shifts(count: Numbers) -> Numbers:
    """Return by how many bits a word has to be shifted so that so many first bytes come to its end; by none for 0."""
    import numpy as np  # noqa: PLC0415

    return np.array([0, *range(56, -1, -8)], np.uint64).take(count)


def _eight(words: Numbers) -> Numbers:
    """Return the numbers of eight digits; an empty byte counts as 0."""
    import numpy as np  # noqa: PLC0415

    found = words & np.uint64(0x0F0F0F0F0F0F0F0F)
    found = found * np.uint64(10) + (found >> np.uint64(8))
    low = np.uint64(0x000000FF000000FF)
    found = (found & low) * np.uint64(0x000F424000000064) + (
        ((found >> np.uint64(16)) & low) * np.uint64(0x0000271000000001)
    )
    return found >> np.uint64(32)


def _all_digits(words: Numbers) -> Numbers:
    """Return whether all bytes of each word are digits."""
    import numpy as np  # noqa: PLC0415

    wrong = words + np.uint64(_UP_TO_TEN)
    wrong |= words - np.uint64(_ZEROS)
    wrong &= np.uint64(_HIGH)
    plain: Numbers = wrong == 0
    return plain


def _zeros_behind(count: Numbers) -> Numbers:
    """Return words that have the digit 0 behind so many bytes."""
    import numpy as np  # noqa: PLC0415

    return np.array([_ZEROS & ~((1 << 8 * one) - 1) for one in range(9)], np.uint64).take(count, mode="clip")
