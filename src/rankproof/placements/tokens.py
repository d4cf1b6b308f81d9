"""Where do the columns of a chunk of TREC text begin and end?

NumPy over bytes: one mask of white space gives the edges of all tokens; no line becomes a string. What is not regular
(rows of other than six columns, comments, blank lines, odd white space, bytes that are no UTF-8) is left to the plain
road, which knows what to say of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from rankproof.placements.hashes import PADDING, words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bytes: TypeAlias = NDArray[Any]

COLUMNS = 6
_LONGEST_ROW = 1 << 20
_NEWLINE, _RETURN, _SPACE, _TAB, _HASH = 10, 13, 32, 9, 35


class IrregularError(Exception):
    """The text is not what can be scanned; the plain road reads it, or says what is wrong with it."""


@dataclass(frozen=True)
class Chunk:
    """Whole rows of a text: the bytes, with padding; where each column's tokens begin and end, row by row."""

    content: bytes  # the rows; in the buffer they begin one byte later
    buffer: Bytes
    starts: Bytes  # [column, row]
    ends: Bytes
    last: bool  # whether no row follows

    def token(self, column: int, row: int) -> bytes:
        """Return one token."""
        return self.content[self.starts[column, row] - 1 : self.ends[column, row] - 1]

    def tokens(self, column: int, rows: Any) -> list[bytes]:
        """Return the tokens of several rows: a slice, or an array of their numbers."""
        starts, ends = self.starts[column, rows].tolist(), self.ends[column, rows].tolist()
        return [self.content[start - 1 : end - 1] for start, end in zip(starts, ends, strict=True)]

    def words(self, column: int, offset: int = 0) -> Bytes:
        """Return eight bytes of each token of a column from an offset on, as little-endian numbers."""
        return words(self.buffer, self.starts[column], self.widths(column), offset)

    def widths(self, column: int) -> Bytes:
        """Return how many bytes each token of a column has."""
        found: Bytes = self.ends[column] - self.starts[column]
        return found


class Chunks:
    """The chunks of a text; a consumer says from which row on it wants to see the rest again."""

    def __init__(self, reader: BinaryIO, size: int) -> None:
        """Read `size` bytes at a time, more where one query has more."""
        self._reader = reader
        self._size = size
        self._kept = b""

    def keep_from(self, chunk: Chunk, row: int) -> None:
        """Begin the next chunk with this row, the first of a query that may go on."""
        begin = int(chunk.starts[0, row])
        self._kept = chunk.content[begin - 1 :]

    def __iter__(self) -> Iterator[Chunk]:
        """Yield chunks of whole rows. IrregularError for text that is none."""
        ended = False
        rest = b""
        while not ended:
            head = self._kept + rest
            wanted = self._size if len(head) < self._size // 2 else 2 * len(head)
            more = self._reader.read(wanted - len(head))
            ended = len(more) < wanted - len(head)
            content = head + more
            cut = len(content) if ended else content.rfind(b"\n") + 1
            self._kept, rest = b"", content[cut:]
            if cut == 0 and not ended:  # a row without end
                if len(content) > _LONGEST_ROW:
                    raise IrregularError
                continue
            if content[:cut].strip():
                yield _chunk(content[:cut], last=ended)


def _chunk(content: bytes, *, last: bool) -> Chunk:
    import numpy as np  # noqa: PLC0415

    size = len(content)
    buffer = np.empty(size + PADDING, np.uint8)
    buffer[0] = _NEWLINE
    buffer[1 : size + 1] = np.frombuffer(content, np.uint8)
    buffer[size + 1 :] = _NEWLINE
    blank = buffer[: size + 2] <= _SPACE
    edges = np.flatnonzero(blank[1:] != blank[:-1]).astype(np.int32)
    edges += 1
    if len(edges) % (2 * COLUMNS):
        raise IrregularError
    table = np.ascontiguousarray(edges.reshape(-1, 2 * COLUMNS).T)
    found = Chunk(content, buffer, table[0::2], table[1::2], last)
    _check(found)
    return found


def _check(chunk: Chunk) -> None:
    """Refuse rows of another shape: between tokens there is one blank or tab, behind a row one line end."""
    buffer, starts, ends = chunk.buffer, chunk.starts, chunk.ends
    if ((starts[1:] - ends[:-1]) != 1).any():
        raise IrregularError
    between = buffer[ends[:-1]]
    if not ((between == _SPACE) | (between == _TAB)).all():
        raise IrregularError
    closing = buffer[ends[-1]]
    is_end = (closing == _NEWLINE) | ((closing == _RETURN) & (buffer[ends[-1] + 1] == _NEWLINE))
    if not is_end.all():
        raise IrregularError
    begins = ends[-1] + 1 + (closing == _RETURN)
    if starts[0, 0] != 1 or (starts[0, 1:] != begins[:-1]).any() or begins[-1] < len(chunk.content):
        raise IrregularError
    if int((begins - starts[0]).max()) >= _LONGEST_ROW:
        raise IrregularError
    if not chunk.content.isascii():
        try:
            chunk.content.decode()
        except UnicodeDecodeError:
            raise IrregularError from None


def begins_with_hash(chunk: Chunk) -> bool:
    """Return whether a row begins with #, which may be a comment."""
    return bool((chunk.buffer[chunk.starts[0]] == _HASH).any())
