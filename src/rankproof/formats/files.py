"""How are files opened and written? Once through, decompressed, hashed; and whole or not at all."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from rankproof.errors import Fault, InputError

STDIN = "-"
_BOM = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


class Source:
    """One input, read once: a file, or standard input for `-`; gzip is seen by its first bytes.

    `start` may be asked for before reading. After reading, `sha256` is the hash of the bytes as they lie in the file,
    compressed or not.
    """

    def __init__(self, path: str | Path, on_bytes: Callable[[int], None] | None = None) -> None:
        """Name an input; nothing is opened yet. `on_bytes` is told how many bytes were read from it, time and again."""
        self.path = str(path)
        self._on_bytes = on_bytes
        self.name = "<stdin>" if self.path == STDIN else self.path
        self.sha256: str | None = None
        self._held: bytes | None = None  # standard input, which cannot be opened twice

    @property
    def stem(self) -> str:
        """Return the file's name without its folder and endings."""
        name = Path(self.path).name.removesuffix(".gz")
        return "stdin" if self.path == STDIN else name.rpartition(".")[0] or name

    def start(self, size: int = 1024) -> bytes:
        """Return the first bytes of the text."""
        with self._reader() as (_, reader):
            return reader.peek(size)[:size]

    @contextmanager
    def open(self) -> Iterator[io.BufferedReader[Any]]:
        """Open for reading bytes, without a byte order mark. InputError for whatever is wrong with the file."""
        with self._reader() as (hashing, reader):
            yield reader
            while reader.read(1 << 20):  # what was not needed still belongs to the hash
                pass
            while hashing.read(1 << 20):
                pass
            self.sha256 = hashing.sum.hexdigest()

    @contextmanager
    def _reader(self) -> Iterator[tuple[_Hashing, io.BufferedReader[Any]]]:
        try:
            with self._opened() as file:
                hashing = _Hashing(file, self._on_bytes)
                raw = io.BufferedReader(hashing)
                packed = raw.peek(2)[:2] == _GZIP
                reader: io.BufferedReader[Any] = io.BufferedReader(gzip.GzipFile(fileobj=raw)) if packed else raw
                if reader.peek(2)[:2] in _UTF_16:
                    raise InputError(Fault("is UTF-16", self.name, expected="UTF-8", hint="save it as UTF-8"))
                if reader.peek(3)[:3] == _BOM:
                    reader.read(3)
                yield hashing, reader
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise InputError(Fault(f"is damaged gzip: {error}", self.name)) from error
        except OSError as error:
            raise InputError(Fault(_why(error), self.name)) from error

    def _opened(self) -> BinaryIO:
        if self.path != STDIN:
            return Path(self.path).open("rb", buffering=0)
        if self._held is None:
            self._held = sys.stdin.buffer.read()
        return io.BytesIO(self._held)

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield (number, line) from 1 on. InputError for a zero byte: no text holds one."""
        with self.open() as reader:
            for number, line in enumerate(reader, 1):
                if b"\0" in line:
                    hint = "is it a binary file, or UTF-16?"
                    raise InputError(Fault("holds a zero byte", self.name, number, expected="UTF-8 text", hint=hint))
                yield number, line

    def text(self) -> str:
        """Return the whole text. InputError where it is not UTF-8 text, with the line."""
        with self.open() as reader:
            content = reader.read()
        try:
            text = content.decode()
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise InputError(Fault(f"byte 0x{content[error.start]:02x} is not UTF-8", self.name, line)) from error
        if "\0" in text:
            line = text.count("\n", 0, text.index("\0")) + 1
            raise InputError(Fault("holds a zero byte", self.name, line, expected="text", hint="is it a binary file?"))
        return text


def _why(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, IsADirectoryError):
        return "is a folder, not a file"
    return f"cannot be used: {error.strerror or error}"


class _Hashing(io.RawIOBase):
    """Passes bytes through and hashes them."""

    def __init__(self, file: BinaryIO, on_bytes: Callable[[int], None] | None) -> None:
        self._file = file
        self._on_bytes = on_bytes
        self.sum = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # BufferedReader passes a memoryview
        chunk = self._file.read(len(buffer))
        buffer[: len(chunk)] = chunk
        self.sum.update(chunk)
        if self._on_bytes is not None:
            self._on_bytes(len(chunk))
        return len(chunk)


def write_whole(path: str | Path, text: str) -> None:
    """Write a UTF-8 file beside its place, then rename it: the old file or the new one, never half of one."""
    target = Path(path)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with part.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except OSError as error:
        raise InputError(Fault(f"cannot be written: {error.strerror or error}", str(target))) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
