"""How is a file written? Whole or not at all, packed as its name says."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Literal
from uuid import uuid4

from rankproof.errors import Fault, InputError
from rankproof.formats.packing import packed


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


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file beside its place, then rename it: the old file or the new one, never half of one.

    Text is written as UTF-8; what is written is packed as the name's ending says (.gz, .bz2, .xz, .zst). A link is
    followed. What is no regular file, such as a device or a pipe, is written to as it is. InputError for what
    cannot be written.
    """
    target = Path(path)
    try:
        if target.is_dir():
            raise InputError(Fault("is a folder, not a file", str(path)))
        if _is_special(target):
            _write(target, "a", _bytes(content))
        else:
            _replace(Path(os.path.realpath(target)), packed(_bytes(content), target.name))
    except (OSError, ValueError) as error:
        message = f"cannot be written: {getattr(error, 'strerror', None) or error}"
        raise InputError(Fault(message, str(path))) from error


def _bytes(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.encode(errors="backslashreplace")


def _is_special(target: Path) -> bool:
    """Return whether a path is a device, a pipe, or one of a process's own streams (`/dev/stdout`)."""
    parts = target.absolute().parts
    own_stream = parts[:2] in (("/", "dev"), ("/", "proc")) and parts[:3] != ("/", "dev", "shm")  # that is a disk
    return own_stream or (target.exists() and not stat.S_ISREG(target.stat().st_mode))


def _replace(target: Path, content: bytes) -> None:
    part = target.with_name(f".rankproof.{os.getpid()}.{uuid4().hex}.part")  # other threads write here, too
    try:
        _write(part, "x", content)
        if target.exists():
            part.chmod(stat.S_IMODE(target.stat().st_mode))
        part.replace(target)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _write(path: Path, mode: Literal["a", "x"], content: bytes) -> None:
    with path.open(f"{mode}b") as file:
        file.write(content)
        file.flush()
        if mode == "x":
            os.fsync(file.fileno())
