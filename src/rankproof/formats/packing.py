"""How is a file packed, and which bytes does it hold? Unpacked as it is read, and no further than a real file goes."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, NamedTuple

from rankproof.errors import Fault, InputError, MissingPackageError

_FREE = 64 << 20
_MOST = 250
"""Beyond `_FREE` bytes a file that holds more than `_MOST` times what lies on the disk is a trap, not a table."""


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


def _bz2() -> Any:
    import bz2  # noqa: PLC0415

    return bz2


def _lzma() -> Any:
    import lzma  # noqa: PLC0415

    return lzma


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
            chunk = self._file.read(len(buffer))
        except InputError:
            raise
        except Exception as error:  # each of these modules has errors of its own
            raise InputError(Fault(f"is damaged {self._packing.name}: {error}", self._name)) from error
        buffer[: len(chunk)] = chunk
        self._given += len(chunk)
        if self._given > _FREE and self._given > _MOST * self._taken():
            message = f"holds more than {_MOST} times its own size"
            hint = f"if it is what it says, unpack it ({self._packing.name}) and give that file"
            raise InputError(Fault(message, self._name, expected="a file that holds rows", hint=hint))
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
