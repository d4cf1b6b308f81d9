"""How is an input opened and read? Once through, unpacked, decoded, hashed."""

from __future__ import annotations

import io
import os
import stat
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from rankproof.errors import Fault, InputError, RankproofWarning
from rankproof.formats.packing import PACKINGS, Unpacked, Utf8, packing_of
from rankproof.formats.passing import ENOUGH, PIECE, Filled, Hashing

STDIN = "-"
LONGEST_LINE = 1 << 20
"""A longer line, in bytes, is no row of a table: the file is refused before it fills the memory."""

LARGEST_TEXT = 512 << 20
"""A larger file, in bytes, is not taken into the memory whole: the formats that ask for that are refused."""

TOO_LARGE = "does not fit into the memory"
NO_TEXT = "save it as UTF-8"

_BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


class Source:
    """One input, opened and read once: a file, a pipe, or standard input for `-`; first bytes tell how it is packed.

    A file can be opened again, after it was read whole or in vain.

    `start` may be asked for before reading. After reading, `sha256` is the hash of the bytes as they lie in the file,
    packed or not, None where none was asked for; `packing` and `encoding` say what they were, `marked` whether they
    began with a byte order mark.
    """

    def __init__(self, path: str | Path, on_bytes: Callable[[int], None] | None = None, *, hashed: bool = True) -> None:
        """Name an input; nothing is opened yet.

        `on_bytes` is told how many bytes were read from it, time and again; `hashed`: whether `sha256` is wanted.
        """
        self.path = str(path)
        self.name = "<stdin>" if self.path == STDIN else self.path or "''"
        self.sha256: str | None = None
        self.packing: str | None = None
        self.encoding = "ASCII"
        self.marked = False
        self.on_line: Callable[[int, bytes], None] | None = None  # is told each of `lines`, as it lies in the file
        self._on_bytes = on_bytes
        self._hashed = hashed
        self._hashing: Hashing | None = None
        self._opened: tuple[Hashing, io.BufferedReader[Any]] | None = None
        self._state: tuple[int, ...] | None = None  # of the file when it was first opened

    @property
    def stem(self) -> str:
        """Return the file's name without its folder and endings."""
        name = Path(self.path).name
        for packing in PACKINGS:
            name = name.removesuffix(packing.ending)
        return "stdin" if self.path == STDIN else name.rpartition(".")[0] or name

    def start(self, size: int = ENOUGH) -> bytes:
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
                hashing.check_size(self.name)
                self.sha256 = hashing.sum.hexdigest() if hashing.sum is not None else None

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Turn what can go wrong into InputError, and leave no file open behind it."""
        try:
            with ExitStack() as opened:
                opened.callback(self.close)
                yield
                opened.pop_all()
        except OSError as error:
            raise InputError(Fault(_why(error), self.name)) from error
        except MemoryError as error:
            raise InputError(Fault(TOO_LARGE, self.name)) from error

    def _reader(self) -> tuple[Hashing, io.BufferedReader[Any]]:
        if self._opened is None:
            hashing = Hashing(self._file(), self._on_bytes, hashed=self._hashed)
            self._hashing = hashing
            reader: io.BufferedReader[Any] = io.BufferedReader(hashing, ENOUGH)
            if packing := packing_of(reader.peek(8)[:8]):
                self.packing = packing.name
                unpacked = Unpacked(packing, reader, self.name, lambda: hashing.taken)
                reader = io.BufferedReader(Filled(unpacked), ENOUGH)
            if reader.peek(2)[:2] in _UTF_16:
                self.encoding, self.marked = "UTF-16", True
                reader = io.BufferedReader(Filled(Utf8(reader, self.name)), ENOUGH)
            if reader.peek(3)[:3] == _BOM:
                self.encoding, self.marked = "UTF-8", True
                reader.read(3)
            self._opened = hashing, reader
        return self._opened

    def close(self) -> None:
        """Close what is open; what was read whole is closed already."""
        if self._hashing is not None:
            self._hashing.close()
        self._opened = self._hashing = None

    def _file(self) -> BinaryIO:
        if self.path != STDIN:
            try:
                self._check_state(Path(self.path).stat())
                return Path(self.path).open("rb", buffering=0)
            except ValueError as error:  # a zero byte in the name, or a name that this locale cannot spell
                raise InputError(Fault(f"cannot be opened: {error}", self.name)) from error
        if sys.stdin is None:
            raise InputError(Fault("is closed", self.name))
        return sys.stdin.buffer

    def _check_state(self, found: os.stat_result) -> None:
        """Refuse a file that is opened again, and is another by now: what was taken from it would not fit together."""
        state = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
        if self._state not in (None, state) and stat.S_ISREG(found.st_mode):
            raise InputError(Fault("changed while it was being read", self.name, hint="wait until it is written"))
        self._state = state

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
                if self.on_line is not None:
                    self.on_line(number, line)
                yield number, line if line.isascii() else self._as_utf8(number, line)

    def _as_utf8(self, number: int, line: bytes) -> bytes:
        """Return a line as UTF-8: of CP949, if nothing before it was UTF-8. What is neither stays: it is no text."""
        if line.startswith(_BOM):
            raise InputError(Fault("begins with a byte order mark", self.name, number, expected="a row", hint=_JOINED))
        if self.encoding != "CP949":
            try:
                line.decode()
            except UnicodeDecodeError:
                if self.encoding != "ASCII":
                    return line
            else:
                self.encoding = "UTF-8" if self.encoding == "ASCII" else self.encoding
                return line
        elif _is_utf_8(line):
            raise InputError(_mixed(self.name, number))
        try:
            text = line.decode("cp949")
        except UnicodeDecodeError:
            return line
        self._tell_cp949(number)
        return text.encode()

    def _tell_cp949(self, number: int) -> None:
        if self.encoding != "CP949":
            self.encoding = "CP949"
            text = f"{self.name}: line {number} is not UTF-8; the file is read as CP949"
            warnings.warn(text, RankproofWarning, stacklevel=4)

    def content(self, largest: int = LARGEST_TEXT) -> bytearray:
        """Return all bytes. InputError where they are more than `largest`."""
        found = bytearray()
        with self.open() as reader:
            while piece := reader.read(PIECE):
                found += piece
                if len(found) > largest:
                    hint = "a format of lines (TREC, CSV, JSON lines) has no such limit"
                    raise InputError(Fault(f"is larger than {largest >> 20} MiB", self.name, hint=hint))
        return found

    def text(self) -> str:
        """Return the whole text, of UTF-8 or CP949. InputError for what is neither, with the line; or too large."""
        text = self._decoded(self.content())
        if "\0" in text:
            line = text.count("\n", 0, text.index("\0")) + 1
            raise InputError(Fault("holds a zero byte", self.name, line, expected="text", hint="is it a binary file?"))
        return text

    def _decoded(self, content: bytearray) -> str:
        try:
            text = content.decode()
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            try:
                text = content.decode("cp949")
            except UnicodeDecodeError:
                message = f"byte 0x{content[error.start]:02x} is not UTF-8"
                raise InputError(Fault(message, self.name, line, hint=NO_TEXT)) from error
            self._tell_cp949(line)
            mixed = next((at for at, one in enumerate(content.split(b"\n"), 1) if _is_utf_8(one)), None)
            if mixed is not None:
                raise InputError(_mixed(self.name, mixed)) from error
            return text
        if self.encoding == "ASCII" and not text.isascii():
            self.encoding = "UTF-8"
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


_JOINED = "were several files joined? remove the mark (U+FEFF)"


def _is_utf_8(line: bytes | bytearray) -> bool:
    """Return whether a line can hardly be CP949: it is UTF-8 with letters of three bytes, as Hangul has there."""
    try:
        return not line.isascii() and max(line.decode()) >= "\u0800"
    except UnicodeDecodeError:
        return False


def _mixed(name: str, number: int) -> Fault:
    return Fault("is UTF-8, in a file with lines of CP949", name, number, expected="one encoding", hint=NO_TEXT)


def _why(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, IsADirectoryError):
        return "is a folder, not a file"
    return f"cannot be used: {error.strerror or error}"
