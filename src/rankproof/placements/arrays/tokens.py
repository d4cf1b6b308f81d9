"""Where do the tokens of many rows stand in a buffer of bytes, and which tokens are the same?

NumPy over bytes: a token is looked at eight bytes at a time, for all rows at once, and becomes no string.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[Any]

PADDING = 16
"""So many bytes behind the last token may be looked at with it."""

SLOTS = 4
"""So many slots has a table for each hash, at least: then few of them share one."""

_MIX, _SHIFT = 0x9E3779B97F4A7C15, 29


class IrregularError(Exception):
    """The rows are not what these roads can place; the plain road reads them, or says what is wrong with them."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """One token a row: where each begins in the buffer, and how many bytes it has."""

    buffer: bytes | bytearray | memoryview  # with PADDING bytes behind the last token
    starts: Numbers
    widths: Numbers

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.starts)

    def at(self, rows: Any) -> Tokens:
        """Return the tokens of some rows: a slice, or their numbers."""
        return Tokens(self.buffer, self.starts[rows], self.widths[rows])

    def spelled(self) -> list[bytes]:
        """Return the tokens as bytes, one by one."""
        buffer, ends = self.buffer, (self.starts + self.widths).tolist()
        return [bytes(buffer[start:end]) for start, end in zip(self.starts.tolist(), ends, strict=True)]

    def words(self, offset: int = 0) -> Numbers:
        """Return eight bytes of each token from an offset on, as little-endian numbers, 0 behind its end."""
        import numpy as np  # noqa: PLC0415 - an extra, loaded where files are scanned

        size = len(self.buffer) - 7
        view = np.ndarray((size,), dtype="<u8", buffer=self.buffer, strides=(1,))
        starts = self.starts if offset == 0 else np.minimum(self.starts + offset, size - 1)
        found: Numbers = view[starts]
        found &= low_bytes(self.widths if offset == 0 else self.widths - offset)
        return found

    def offsets(self) -> range:
        """Return the offsets at which `words` holds something of any token."""
        return range(0, int(self.widths.max(initial=0)), 8)

    def hashes(self) -> Numbers:
        """Return a 64-bit hash of each token: of equal tokens the same, in any buffer."""
        import numpy as np  # noqa: PLC0415

        mix: Any = np.uint64(_MIX)
        shift: Any = np.uint64(_SHIFT)
        found = self.words()
        found ^= self.widths.astype(np.uint64)
        found *= mix
        found ^= found >> shift
        for offset in self.offsets()[1:]:  # a token that ended before keeps its hash, whatever stands beside it
            longer = np.flatnonzero(self.widths > offset)
            part = found[longer] ^ self.at(longer).words(offset)
            part *= mix
            found[longer] = part ^ (part >> shift)
        return found

    def equal(self, others: Tokens) -> Numbers:
        """Return for each row whether the token is that of the other, byte by byte."""
        same: Numbers = self.widths == others.widths
        for offset in self.offsets():
            same &= self.words(offset) == others.words(offset)
        return same

    def changes(self) -> Numbers:
        """Return the rows, but the first, whose token is not that of the row before."""
        import numpy as np  # noqa: PLC0415

        differ: Numbers = self.widths[1:] != self.widths[:-1]
        for offset in self.offsets():
            part = self.words(offset)
            differ |= part[1:] != part[:-1]
        return np.flatnonzero(differ) + 1

    def are(self, token: bytes) -> bool:
        """Return whether every row has this token."""
        if (self.widths != len(token)).any():
            return False
        parts = ((offset, int.from_bytes(token[offset : offset + 8], "little")) for offset in self.offsets())
        return not any((self.words(offset) != part).any() for offset, part in parts)


def tokens_of(ids: Sequence[str]) -> Tokens:
    """Return ids as tokens, in a buffer of their own."""
    return tokens_of_bytes([one.encode() for one in ids])


def tokens_of_bytes(encoded: Sequence[bytes]) -> Tokens:
    """Return encoded ids as tokens, in a buffer of their own."""
    import numpy as np  # noqa: PLC0415

    widths = np.fromiter(map(len, encoded), np.int64, len(encoded))
    starts = np.cumsum(widths) - widths
    return Tokens(b"".join(encoded) + bytes(PADDING), starts, widths)


class Joining:
    """Takes in columns of tokens, part by part, and holds them all in one buffer."""

    def __init__(self) -> None:
        """Hold nothing yet."""
        self._text = bytearray()
        self._starts: list[list[Numbers]] = []
        self._widths: list[list[Numbers]] = []

    def add(self, *columns: Tokens) -> None:
        """Take in one part of each column: as many each time. A buffer that they share is held once."""
        import numpy as np  # noqa: PLC0415

        begins: dict[int, int] = {}
        for at, column in enumerate(columns):
            if at == len(self._starts):
                self._starts.append([])
                self._widths.append([])
            if id(column.buffer) not in begins:
                begins[id(column.buffer)] = len(self._text)
                self._text += column.buffer
            self._starts[at].append(column.starts.astype(np.int64) + begins[id(column.buffer)])
            self._widths[at].append(column.widths.astype(np.int32))

    def columns(self) -> list[Tokens]:
        """Return the columns, each with all its parts."""
        import numpy as np  # noqa: PLC0415

        pairs = zip(self._starts, self._widths, strict=True)
        return [Tokens(self._text, np.concatenate(starts), np.concatenate(widths)) for starts, widths in pairs]


def mixed(numbers: Numbers, hashes: Numbers) -> Numbers:
    """Return a hash of each pair of a small number, such as a query's, and a hash, such as a document's."""
    import numpy as np  # noqa: PLC0415

    mix: Any = np.uint64(_MIX)
    found: Numbers = numbers.astype(np.uint64)
    found *= mix
    found ^= hashes
    found *= mix
    found ^= found >> np.uint64(_SHIFT)
    return found


def slots(hashes: Numbers, bits: int, level: int = 0) -> Numbers:
    """Return which of 2^bits slots of a table each hash has; on each level another."""
    import numpy as np  # noqa: PLC0415

    turned = hashes * np.uint64(pow(0xC2B2AE3D27D4EB4F, level, 1 << 64))
    found: Numbers = (turned >> np.uint64(64 - bits)).astype(np.int64)
    return found


def repeats(hashes: Numbers) -> bool:
    """Return whether a hash comes twice."""
    import numpy as np  # noqa: PLC0415

    bits = max(8, (SLOTS * len(hashes)).bit_length())
    slot = slots(hashes, bits)
    rows = np.arange(len(hashes), dtype=np.int32)
    table = np.empty(1 << bits, np.int32)
    table[slot] = rows
    held = table[slot]
    lost = np.flatnonzero(held != rows)  # their slot went to another row
    if not len(lost):
        return False
    if (hashes[held[lost]] == hashes[lost]).any():
        return True
    ordered = np.sort(hashes[lost])  # two that are alike may both have lost it to a third
    return bool((ordered[1:] == ordered[:-1]).any())


def low_bytes(counts: Numbers) -> Numbers:
    """Return masks of so many low bytes of a word: of all eight from 8 on, of none below 0."""
    import numpy as np  # noqa: PLC0415

    masks = np.array([(1 << 8 * count) - 1 for count in range(9)], np.uint64)
    return masks.take(counts, mode="clip")
