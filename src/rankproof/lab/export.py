"""How does the lab get onto any host? As plain files in a folder."""

from __future__ import annotations

import json
import os
from pathlib import Path, PurePosixPath

from rankproof.errors import Fault, InputError
from rankproof.lab.site import SERVICE_WORKER, SITE, Site


def export(site: Site, folder: Path) -> None:
    """Write the lab's files; what an earlier export wrote, and this one does not have, goes.

    InputError for a folder that holds anything but an earlier export, or cannot be written.
    """
    try:
        earlier = _earlier(folder)
        for name, data in site.files.items():
            _write(folder / name, data)
        for name in earlier - set(site.files):
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise InputError(Fault(f"cannot be written: {error.strerror or error}", str(folder))) from error


def _earlier(folder: Path) -> set[str]:
    """Return the files of an earlier export in this folder, none where it is empty; refuse any other content."""
    if folder.exists() and not folder.is_dir():
        raise InputError(Fault("is a file, not a folder", str(folder)))
    if not folder.exists() or not any(folder.iterdir()):
        return set()
    ours = _listed(folder / SITE)
    present = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    foreign = sorted(present - ours)
    if foreign:
        raise InputError(
            Fault(
                f"holds {foreign[0]!r}, which is not of an exported lab",
                str(folder),
                hint="name an empty or a new folder, or one that an export was written to",
            )
        )
    return ours


def _listed(listing: Path) -> set[str]:
    """Return the names that an export's own list holds; of a file that is no such list, none."""
    try:
        names = [PurePosixPath(name) for name in json.loads(listing.read_text("utf-8"))["files"]]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return set()
    return {SITE, SERVICE_WORKER, *(str(name) for name in names if not name.is_absolute() and ".." not in name.parts)}


def _write(path: Path, data: bytes) -> None:
    """Write a file beside its place, then rename it: never half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".rankproof.{os.getpid()}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
