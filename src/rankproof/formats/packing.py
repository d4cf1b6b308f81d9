"""How is a file packed, and which bytes does it hold? Unpacked as it is read, and no further than a real file goes."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, BinaryIO, NamedTuple

from rankproof.errors import Fault, InputError, MissingPackageError

_FREE = 64 << 20
_MOST = 250
"""Beyond `_FREE` bytes a file that holds more than `_MOST` times what lies on the disk is a trap, not a table."""

_PIECE = 1 << 16
"""As many bytes are unpacked at once, however many are asked for: a trap is noticed before it fills the memory."""

_MEMORY = 256 << 20
"""As much memory an xz file may claim; `xz -9` claims 65 MiB."""


class Packing(NamedTuple):
    """A way to pack bytes: its name, the ending and the first bytes of such files, the module that does it."""

    name: str
    ending: str
    magic: bytes
    module: Callable[[], Any]  # it has `open` and `compress`; ModuleNotFoundError where it is not installed
    options: Mapping[str, Any] = {}  # of `compress`


def _gzip() -> Any:
    import gzip  # noqa: PLC0415 - each is loaded where such a file is met

    return gzip


class _Streams(NamedTuple):
    """A module whose own `open` takes what stands behind a damaged stream for waste, and drops it in silence."""

    compress: Callable[..., bytes]
    decompressor: Callable[[], Any]

    def open(self, file: BinaryIO, _: str) -> _Unpacking:
        """Unpack all streams of a file, and nothing but streams."""
        return _Unpacking(self.decompressor, file)


class _Unpacking:
    """The bytes of one packed stream after another; what is no stream is an error, but for zeros that fill up."""

    def __init__(self, decompressor: Callable[[], Any], file: BinaryIO) -> None:
        self._new, self._file = decompressor, file
        self._stream = decompressor()

    def read(self, size: int) -> bytes:
        """Return some bytes, at most `size`; none at the end."""
        while True:
            given = b""
            if self._stream.eof:
                if not (given := self._next_stream()):
                    return b""
                self._stream = self._new()
            elif self._stream.needs_input and not (given := self._file.read(_PIECE)):
                raise EOFError("it ends before its end mark")
            if found := self._stream.decompress(given, size):
                return bytes(found)

    def _next_stream(self) -> bytes:
        given = self._stream.unused_data.lstrip(b"\0")
        while not given and (piece := self._file.read(_PIECE)):
            given = piece.lstrip(b"\0")
        return bytes(given)


def _bz2() -> Any:
    import bz2  # noqa: PLC0415

    return _Streams(bz2.compress, bz2.BZ2Decompressor)


def _lzma() -> Any:
    import lzma  # noqa: PLC0415

    return _Streams(lzma.compress, partial(lzma.LZMADecompressor, memlimit=_MEMORY))


def _zstd() -> Any:
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore] # noqa: PLC0415
    except ModuleNotFoundError:
        from backports import zstd  # noqa: PLC0415
    return zstd


PACKINGS: tuple[Packing, ...] = (
    Packing("gzip", ".gz", b"\x1f\x8b", _gzip, {"mtime": 0}),  # the same bytes for the same content, whenever
    Packing("bzip2", ".bz2", b"BZh", _bz2),
    Packing("xz", ".xz", b"\xfd7zXZ\x00", _lzma),
    Packing("zstd", ".zst", b"\x28\xb5\x2f\xfd", _zstd),
)
"""The ways to pack a file, told by its first bytes."""

_HINTS: Mapping[str, str] = {"zstd": 'pip install "rankproof[zstd]"'}


def packing_of(start: bytes) -> Packing | None:
    """Return how a file that begins so is packed; None for one that is not."""
    return next((known for known in PACKINGS if start.startswith(known.magic)), None)


def packed(content: bytes, name: str) -> bytes:
    """Return what a file of this name holds: bytes packed as its ending says, or as they are.

    MissingPackageError where the module is not installed.
    """
    packing = next((known for known in PACKINGS if name.endswith(known.ending)), None)
    return content if packing is None else _module(packing, name).compress(content, **packing.options)


def _module(packing: Packing, name: str) -> Any:
    try:
        return packing.module()
    except ModuleNotFoundError as error:
        hint = _HINTS.get(packing.name)
        raise MissingPackageError(Fault(f"is {packing.name}, which this Python lacks", name, hint=hint)) from error


def check_ratio(held: int, size: int, name: str, hint: str | None = None) -> None:
    """Refuse what holds far more bytes than it has on the disk."""
    if held > _FREE and held > _MOST * size:
        message = f"holds more than {_MOST} times its own size"
        raise InputError(Fault(message, name, expected="a file that holds rows", hint=hint))


class Unpacked(io.RawIOBase):
    """The bytes that a packed file holds. InputError where it is damaged, or a trap that would fill the memory."""

    def __init__(self, packing: Packing, file: BinaryIO, name: str, taken: Callable[[], int]) -> None:
        """Unpack `file`; `taken` says how many bytes were read from it until now."""
        self._packing = packing
        self._file = _module(packing, name).open(file, "rb")
        self._name = name
        self._taken = taken
        self._given = 0

    def readable(self) -> bool:
        """Return that it is."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # BufferedReader passes a memoryview
        """Fill the buffer."""
        try:
            chunk = self._file.read(min(len(buffer), _PIECE))
        except InputError:
            raise
        except Exception as error:  # each of these modules has errors of its own
            raise InputError(Fault(f"is damaged {self._packing.name}: {error}", self._name)) from error
        buffer[: len(chunk)] = chunk
        self._given += len(chunk)
        hint = f"if it is what it says, unpack it ({self._packing.name}) and give that file"
        check_ratio(self._given, self._taken(), self._name, hint)
        return len(chunk)


class Utf8(io.RawIOBase):
    """The bytes of a UTF-16 text with a byte order mark, as UTF-8. InputError where it is damaged."""

    def __init__(self, file: io.BufferedReader[Any], name: str) -> None:
        """Read from `file`, which begins with the mark."""
        import codecs  # noqa: PLC0415

        self._file = file
        self._name = name
        self._decoder = codecs.getincrementaldecoder("utf-16")()
        self._waiting = b""
        self._read = 0

    def readable(self) -> bool:
        """Return that it is."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # BufferedReader passes a memoryview
        """Fill the buffer."""
        while not self._waiting:
            chunk = self._file.read(1 << 16)
            try:
                self._waiting = self._decoder.decode(chunk, final=not chunk).encode()
            except UnicodeDecodeError as error:
                message = f"is damaged UTF-16 near byte {self._read + error.start}: {error.reason}"
                raise InputError(Fault(message, self._name, hint="save it as UTF-8")) from error
            self._read += len(chunk)
            if not chunk:
                break
        count = min(len(buffer), len(self._waiting))
        buffer[:count], self._waiting = self._waiting[:count], self._waiting[count:]
        return count
