"""Which Python runs in the page? This package's own files, packed the same way every time.

The build runs this file by itself, before the package is installed: it imports nothing of rankproof.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent

LEFT_OUT = (
    *("__main__.py", "cli/", "demo.py", "py.typed", "pytest_plugin.py", "saved.py", "textbook.py"),
    *("aggregates/", "check/", "engines/", "experiment/", "gate/", "pool/", "spark/", "systems/", "trec_eval/"),
    "tune/",
    *("formats/convert.py", "formats/roles.py", "formats/vectors.py", "formats/written_records.py"),
    *("measures/together.py", "placements/arrays/"),
    *("report/experiment.py", "report/gate.py", "report/leaderboard.py", "report/markdown.py", "report/reference.py"),
    *("report/reranking.py", "report/vendor/", "report/write.py"),
    *("lab/engine.py", "lab/export.py", "lab/page/", "lab/server.py", "lab/site.py", "lab/vendor/"),
)
"""What only a terminal, a network, a server or a build needs: all else goes into the page."""

INNER = "modules.zip"
"""The zip inside engine.zip; those that the build makes are alike."""

_EPOCH = (1980, 1, 1, 0, 0, 0)


def engine_zip(package: Path = PACKAGE) -> bytes:
    """Return the package's Python files and data as a zip that is the same, byte by byte, for the same files.

    It holds one zip, in which nothing is packed: packed as a whole, files that are alike take a fifth less.
    """
    inner = _zip(
        {f"{package.name}/{name}": path.read_bytes() for name, path in engine_files(package)}, zipfile.ZIP_STORED
    )
    return _zip({INNER: inner}, zipfile.ZIP_DEFLATED)


def _zip(files: Mapping[str, bytes], method: int) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = method
            entry.create_system = 3  # whatever system packs it
            archive.writestr(entry, data, compresslevel=9)
    return packed.getvalue()


def engine_files(package: Path = PACKAGE) -> Iterator[tuple[str, Path]]:
    """Yield the name below the package, with slashes, and the path of each file that goes into the page, by name."""
    found = {path.relative_to(package).as_posix(): path for path in package.rglob("*") if path.is_file()}
    for name in sorted(found):
        is_made = "__pycache__/" in name or name.endswith(".pyc") or "/." in f"/{name}"
        if not is_made and not name.startswith(LEFT_OUT):
            yield name, found[name]
