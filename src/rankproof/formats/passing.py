"""How do the bytes of a file pass through? In pieces, counted, hashed, and not taken for all of them too early."""

from __future__ import annotations

import hashlib
import io
import os
import stat
import sys
from collections.abc import Callable
from errno import EAGAIN
from typing import Any, BinaryIO, TypeVar

from rankproof.errors import Fault, InputError

ENOUGH = 1 << 16
"""As many first bytes tell one format from another."""

PIECE = 1 << 20
"""As many bytes are passed on at once, however many are asked for."""


class Filled(io.RawIOBase):
    """Passes bytes through; the first ones come together, as many as tell a format, however small the pieces."""

    def __init__(self, file: Any) -> None:
        """Pass on the bytes of `file`."""
        self._file = file
        self._begun = False

    def readable(self) -> bool:
        """Return that it is."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # BufferedReader passes a memoryview
        """Fill the buffer, at the beginning with as much as there is."""
        if self._begun and (straight := getattr(self._file, "readinto", None)) is not None:
            count: int | None = straight(buffer)
            return _given(count)
        chunk = self._some(len(buffer))
        while not self._begun and 0 < len(chunk) < min(ENOUGH, len(buffer)):
            more = self._some(len(buffer) - len(chunk))
            self._begun = not more
            chunk += more
        self._begun = True
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def _some(self, size: int) -> bytes:
        chunk: bytes | None = self._file.read(min(size, PIECE))
        return _given(chunk)


Given = TypeVar("Given")


def _given(found: Given | None) -> Given:
    """Return what was read: a pipe that does not wait and has nothing yet gives None, which is not its end."""
    if found is None:
        raise BlockingIOError(EAGAIN, "it is a pipe that does not wait for its writer")
    return found


class Hashing(Filled):
    """Passes the bytes of a file through, counts and, where that is asked for, hashes them."""

    def __init__(self, file: BinaryIO, on_bytes: Callable[[int], None] | None, *, hashed: bool = True) -> None:
        """Pass on the bytes of `file`; `on_bytes` is told how many, time and again."""
        super().__init__(file)
        self._on_bytes = on_bytes
        self._size = self._size_now()
        self.taken = 0
        self.sum = hashlib.sha256() if hashed else None

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # BufferedReader passes a memoryview
        """Fill the buffer; count and hash what is in it."""
        count = super().readinto(buffer)
        if self.sum is not None:
            self.sum.update(buffer[:count])
        self.taken += count
        if self._on_bytes is not None:
            self._on_bytes(count)
        return count

    def check_size(self, name: str) -> None:
        """Refuse a file that grew or shrank meanwhile: what was read is half of one, half of another."""
        if self._size != (now := self._size_now()):
            message = f"changed while it was read: {self._size} bytes before, {now} now"
            raise InputError(Fault(message, name, hint="is a run still being written to it?"))

    def _size_now(self) -> int | None:
        """Return how long a file on the disk is; None for a pipe, a device, bytes in memory."""
        try:
            found = os.fstat(self._file.fileno())
        except (OSError, ValueError):
            return None
        return found.st_size if stat.S_ISREG(found.st_mode) else None

    def close(self) -> None:
        """Close the file, unless it is standard input."""
        if not self.closed and self._file is not getattr(sys.stdin, "buffer", None):
            self._file.close()
        super().close()
