"""Where are the columns of a text of TREC rows? Chunk by chunk, each of whole queries.

One mask of white space gives the ends of all tokens. What is not regular (rows of another number of columns, comments,
blank lines, odd white space, bytes that are no UTF-8) is left to the plain road, which knows what to say of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from rankproof.placements.arrays.tokens import PADDING, IrregularError, Tokens

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[Any]

CHUNK = 1 << 22
"""Bytes at a time."""

_LARGEST = (1 << 31) - 1
"""Places in a longer piece have no 32 bits."""

_LONGEST_ROW = (1 << 20) - 2
"""Rows from here on may be too long; with a line end of two bytes, which are one by now."""

_BOM = b"\xef\xbb\xbf"
_NEWLINE, _SPACE, _TAB, _HASH = b"\n \t#"


def chunks(reader: BinaryIO, size: int = CHUNK) -> Iterator[bytearray]:
    """Yield the text as pieces of whole rows, each with PADDING bytes behind them; a query's rows stay together.

    IrregularError for a row without end.
    """
    rest = b""
    while True:
        wanted = max(2 * len(rest), size)
        buffer = bytearray(wanted + PADDING)
        buffer[: len(rest)] = rest
        end, ended = _fill(reader, buffer, len(rest), wanted)
        cut = end if ended else _last_query(buffer, buffer.rfind(b"\n", 0, end) + 1)
        rest = bytes(memoryview(buffer)[cut:end])
        if cut:
            del buffer[cut + PADDING :]
            buffer[cut:] = b"\n" * (len(buffer) - cut)
            yield buffer
        elif not ended and b"\n" not in rest and end > _LONGEST_ROW:
            raise IrregularError
        if ended:
            return


def _fill(reader: BinaryIO, buffer: bytearray, begin: int, end: int) -> tuple[int, bool]:
    """Read into a buffer; return where what was read ends, and whether nothing follows."""
    with memoryview(buffer) as view:
        while begin < end:
            count = reader.readinto(view[begin:end])  # type: ignore[attr-defined]
            if not count:
                return begin, True
            begin += count
    return begin, False


def _last_query(buffer: bytearray, end: int) -> int:
    """Return where the rows of the last query before `end` begin: it may go on behind it."""
    if end == 0:
        return 0
    row = buffer.rfind(b"\n", 0, end - 1) + 1
    tokens = bytes(memoryview(buffer)[row:end]).split(None, 1)
    query = tokens[0] if tokens else b""
    begins = query + bytes(memoryview(buffer)[row + len(query) : row + len(query) + 1])
    above, step = row, 1 << 12
    while above and buffer.startswith(begins, above):  # in steps that grow to a row of another query
        row, above = above, buffer.rfind(b"\n", 0, max(above - step, 0)) + 1
        step *= 2
    if above == 0 and buffer.startswith(begins):
        return 0
    while (middle := buffer.rfind(b"\n", 0, (above + row) // 2) + 1) > above or (
        middle := buffer.find(b"\n", above) + 1
    ) < row:  # and in halves to the last such row
        if buffer.startswith(begins, middle):
            row = middle
        else:
            above = middle
    return row


def columns(buffer: bytearray, count: int, *, comments: bool) -> list[Tokens]:
    """Return the columns of a piece of text; line ends may have two bytes.

    IrregularError for rows of another shape; `comments`: also for one that begins with #.
    """
    import numpy as np  # noqa: PLC0415 - an extra, loaded where files are scanned

    if len(buffer) > _LARGEST:
        raise IrregularError
    if b"\r" in buffer:
        buffer = buffer.replace(b"\r\n", b"\n")
    size = len(buffer) - PADDING
    content = np.frombuffer(buffer, np.uint8)
    if size and content[size - 1] != _NEWLINE:
        size += 1  # the last row has no end of its own; behind it stands one
    blanks = np.flatnonzero(content[:size] <= _SPACE).astype(np.int32)
    if len(blanks) % count or not len(blanks):
        raise IrregularError
    ends = np.ascontiguousarray(blanks.reshape(-1, count).T)
    starts = np.empty_like(ends)
    starts[1:] = ends[:-1] + 1
    starts[0, 0] = 0
    starts[0, 1:] = ends[-1, :-1] + 1
    widths = ends - starts
    _check(content[:size], ends, widths, count)
    if comments and (content[starts[0]] == _HASH).any():
        raise IrregularError
    if not buffer.isascii():
        _check_text(buffer)
    return [Tokens(buffer, starts[at], widths[at]) for at in range(count)]


def _check(content: Numbers, ends: Numbers, widths: Numbers, count: int) -> None:
    """Refuse an empty token, blanks other than one space or tab between tokens, and rows with other ends."""
    import numpy as np  # noqa: PLC0415

    if widths.min() < 1 or (content[ends[-1]] != _NEWLINE).any():
        raise IrregularError
    between = ends.shape[1] * (count - 1)
    if np.count_nonzero(content == _SPACE) != between:
        spaces = content[ends[:-1]]
        if not ((spaces == _SPACE) | (spaces == _TAB)).all():
            raise IrregularError
    if len(content) >= _LONGEST_ROW and int(np.diff(ends[-1], prepend=-1).max()) >= _LONGEST_ROW:
        raise IrregularError


def _check_text(buffer: bytearray) -> None:
    """Refuse what is no UTF-8, and a byte order mark where a row begins."""
    if buffer.startswith(_BOM) or b"\n" + _BOM in buffer:
        raise IrregularError
    try:
        buffer.decode()
    except UnicodeDecodeError:
        raise IrregularError from None
