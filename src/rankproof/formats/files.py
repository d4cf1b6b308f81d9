"""How are files opened and written? Once through, decompressed, hashed; and whole or not at all."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Literal

from rankproof.errors import Fault, InputError

STDIN = "-"
LONGEST_LINE = 1 << 20
"""A longer line, in bytes, is no row of a table: the file is refused before it fills the memory."""

_ENOUGH = 1024
"""As many first bytes tell one format from another."""

_BOM = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


class Source:
    """One input, opened and read once: a file, a pipe, or standard input for `-`; gzip is seen by its first bytes.

    `start` may be asked for before reading. After reading, `sha256` is the hash of the bytes as they lie in the file,
    compressed or not.
    """

    def __init__(self, path: str | Path, on_bytes: Callable[[int], None] | None = None) -> None:
        """Name an input; nothing is opened yet. `on_bytes` is told how many bytes were read from it, time and again."""
        self.path = str(path)
        self.name = "<stdin>" if self.path == STDIN else self.path or "''"
        self.sha256: str | None = None
        self._on_bytes = on_bytes
        self._hashing: _Hashing | None = None
        self._opened: tuple[_Hashing, io.BufferedReader[Any]] | None = None

    @property
    def stem(self) -> str:
        """Return the file's name without its folder and endings."""
        name = Path(self.path).name.removesuffix(".gz")
        return "stdin" if self.path == STDIN else name.rpartition(".")[0] or name

    def start(self, size: int = _ENOUGH) -> bytes:
        """Return the first bytes of the text, which stay to be read."""
        with self._faults():
            return self._reader()[1].peek(size)[:size]

    @contextmanager
    def open(self) -> Iterator[io.BufferedReader[Any]]:
        """Open for reading bytes, without a byte order mark. InputError for whatever is wrong with the file."""
        with self._faults():
            hashing, reader = self._reader()
            self._opened = None
            with hashing:
                yield reader
                for rest in (reader, hashing):  # what was not needed still belongs to the hash
                    while rest.read(1 << 20):
                        pass
                self.sha256 = hashing.sum.hexdigest()

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Turn what can go wrong into InputError, and leave no file open behind it."""
        try:
            with ExitStack() as opened:
                opened.callback(self._close)
                yield
                opened.pop_all()
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise InputError(Fault(f"is damaged gzip: {error}", self.name)) from error
        except OSError as error:
            raise InputError(Fault(_why(error), self.name)) from error

    def _reader(self) -> tuple[_Hashing, io.BufferedReader[Any]]:
        if self._opened is None:
            hashing = _Hashing(self._file(), self._on_bytes)
            self._hashing = hashing
            raw = io.BufferedReader(hashing)
            packed = raw.peek(2)[:2] == _GZIP
            reader: io.BufferedReader[Any] = io.BufferedReader(gzip.GzipFile(fileobj=raw)) if packed else raw
            if reader.peek(2)[:2] in _UTF_16:
                raise InputError(Fault("is UTF-16", self.name, expected="UTF-8", hint="save it as UTF-8"))
            if reader.peek(3)[:3] == _BOM:
                reader.read(3)
            self._opened = hashing, reader
        return self._opened

    def _close(self) -> None:
        if self._hashing is not None:
            self._hashing.close()

    def _file(self) -> BinaryIO:
        if self.path != STDIN:
            try:
                return Path(self.path).open("rb", buffering=0)
            except ValueError as error:  # a zero byte in the name, or a name that this locale cannot spell
                raise InputError(Fault(f"cannot be opened: {error}", self.name)) from error
        if sys.stdin is None:
            raise InputError(Fault("is closed", self.name))
        return sys.stdin.buffer

    def lines(self, longest: int = LONGEST_LINE) -> Iterator[tuple[int, bytes]]:
        """Yield (number, line) from 1 on. InputError for a zero byte, or a line without end: no text holds them."""
        with self.open() as reader:
            for number, line in enumerate(iter(partial(reader.readline, longest), b""), 1):
                if b"\0" in line:
                    hint = "is it a binary file, or UTF-16?"
                    raise InputError(Fault("holds a zero byte", self.name, number, expected="UTF-8 text", hint=hint))
                if len(line) == longest:
                    message = f"is longer than {longest >> 20} MiB"
                    raise InputError(Fault(message, self.name, number, expected="a row a line"))
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


class Given(Source):
    """A text, or a file's bytes, given as they are (pasted into a page, say) under a name for messages."""

    def __init__(self, content: str | bytes, name: str) -> None:
        """Hold the content. InputError for a text that UTF-8 cannot hold."""
        super().__init__(name)
        self.name = name
        try:
            self._content = content.encode() if isinstance(content, str) else content
        except UnicodeEncodeError as error:
            line = str(content).count("\n", 0, error.start) + 1
            raise InputError(Fault("holds half of a surrogate pair", name, line, expected="UTF-8 text")) from error

    def _file(self) -> BinaryIO:
        return io.BytesIO(self._content)


def read_through(path: str | Path) -> Source:
    """Return a file as an input that was read, for its hash. InputError where it cannot be."""
    source = Source(path)
    with source.open():
        pass
    return source


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
        self._begun = False
        self.sum = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # BufferedReader passes a memoryview
        chunk = self._file.read(len(buffer))
        while not self._begun and 0 < len(chunk) < _ENOUGH:  # a pipe may give its first bytes one by one
            more = self._file.read(len(buffer) - len(chunk))
            self._begun = not more
            chunk += more
        self._begun = True
        buffer[: len(chunk)] = chunk
        self.sum.update(chunk)
        if self._on_bytes is not None:
            self._on_bytes(len(chunk))
        return len(chunk)

    def close(self) -> None:
        if not self.closed and self._file is not getattr(sys.stdin, "buffer", None):
            self._file.close()
        super().close()


def check_place(path: str | Path, *, makes_folder: bool = False) -> None:
    """Refuse what `write_whole` could not write to, before hours are spent on what is to stand there.

    InputError for a folder, and for a place in none, or in one that nothing may be put into; with `makes_folder` the
    folder need not be there yet.
    """
    target = Path(path)
    try:
        if target.is_dir():
            raise InputError(Fault("is a folder, not a file", str(path)))
        if _is_special(target):
            return
        folder = Path(os.path.realpath(target)).parent
        if makes_folder:
            folder = next(one for one in (folder, *folder.parents) if one.exists())
        is_folder = folder.is_dir()
    except (OSError, ValueError) as error:
        message = f"cannot be written: {getattr(error, 'strerror', None) or error}"
        raise InputError(Fault(message, str(path))) from error
    if not is_folder or not os.access(folder, os.W_OK | os.X_OK):
        why = "nothing may be put into its folder" if is_folder else "its folder is not there"
        raise InputError(Fault(f"cannot be written: {why}", str(path)))


def write_whole(path: str | Path, text: str) -> None:
    """Write a UTF-8 file beside its place, then rename it: the old file or the new one, never half of one.

    A link is followed. What is no regular file, such as a device or a pipe, is written to as it is. InputError for what
    cannot be written.
    """
    target = Path(path)
    try:
        if target.is_dir():
            raise InputError(Fault("is a folder, not a file", str(path)))
        if _is_special(target):
            _write(target, "a", text)
        else:
            _replace(Path(os.path.realpath(target)), text)
    except (OSError, ValueError) as error:
        message = f"cannot be written: {getattr(error, 'strerror', None) or error}"
        raise InputError(Fault(message, str(path))) from error


def _is_special(target: Path) -> bool:
    """Return whether a path is a device, a pipe, or one of a process's own streams (`/dev/stdout`)."""
    own_stream = target.absolute().parts[:2] in (("/", "dev"), ("/", "proc"))
    return own_stream or (target.exists() and not stat.S_ISREG(target.stat().st_mode))


def _replace(target: Path, text: str) -> None:
    part = target.with_name(f".rankproof.{os.getpid()}.part")
    try:
        _write(part, "x", text)
        if target.exists():
            part.chmod(stat.S_IMODE(target.stat().st_mode))
        part.replace(target)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _write(path: Path, mode: Literal["a", "x"], text: str) -> None:
    with path.open(mode, encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        file.write(text)
        file.flush()
        if mode == "x":
            os.fsync(file.fileno())
