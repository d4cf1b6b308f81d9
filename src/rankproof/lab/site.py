"""Which files is the lab, and which version of it do they make?"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rankproof import __version__
from rankproof.errors import Fault, MissingPackageError
from rankproof.lab.engine import PACKAGE, engine_zip

PAGE, VENDOR, CHARTS = PACKAGE / "lab" / "page", PACKAGE / "lab" / "vendor", PACKAGE / "report" / "vendor" / "vega.js"
LOOK, STYLE = PACKAGE / "report" / "assets" / "look.css", "style.css"
INDEX, ENGINE, SITE, SERVICE_WORKER = "index.html", "engine.zip", "site.json", "service-worker.mjs"
WASM = "pyodide.asm.wasm"
PACKED = f"{WASM}.gz"
MADE_BY_THE_BUILD = (
    "LICENSES.txt",
    "compiled.zip",
    "lit-html.mjs",
    "pyodide-lock.json",
    "pyodide.asm.mjs",
    PACKED,
    "pyodide.mjs",
    "python_stdlib.zip",
)

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self' blob:; font-src 'self'; base-uri 'none'; form-action 'none'"
)
"""What the page may load and where it may send: nothing but its own files, nowhere but its own place."""

_CHARTS_AS_MODULE = b"\nexport const { draw } = rankproofCharts;\n"
_UNVERSIONED = b"'unversioned'"
_FIRST_SCRIPT = b'<script type="module"'
_IN_WORKERS = {"loading.mjs", "worker.mjs", SERVICE_WORKER}


@dataclass(frozen=True, slots=True)
class Site:
    """The files of the lab by their address, a hash of them all, and the sha256 of the Python among them.

    `packed` holds, by their address too, those that the build has packed by gzip.
    """

    files: Mapping[str, bytes]
    version: str
    engine: str
    packed: Mapping[str, bytes] = field(default_factory=dict)


def site(*, service_worker: bool = True) -> Site:
    """Return the lab as files. MissingPackageError where the build left its third-party files out.

    With a service worker a browser keeps the files, and opens them without a network.
    """
    vendor = _vendor()
    packed = {f"vendor/{WASM}": vendor.pop(f"vendor/{PACKED}")}
    unpacked = {name: gzip.decompress(data) for name, data in packed.items()}
    files = {**_page(), **vendor, **unpacked, ENGINE: engine_zip()}
    script = files.pop(SERVICE_WORKER)
    version = _version({**files, SERVICE_WORKER: script})
    engine = hashlib.sha256(files[ENGINE]).hexdigest()
    content = {
        "version": version,
        "rankproof": __version__,
        "engine": engine,
        "service_worker": service_worker,
        "files": {name: {"bytes": len(data), "integrity": _integrity(data)} for name, data in sorted(files.items())},
    }
    files[SITE] = json.dumps(content, separators=(",", ":")).encode()
    if service_worker:
        files[SERVICE_WORKER] = script.replace(_UNVERSIONED, f"'{version}'".encode(), 1)
    return Site(files, version, engine, packed)


def _page() -> dict[str, bytes]:
    paths = sorted(path for path in PAGE.rglob("*") if path.is_file() and not path.name.startswith("."))
    files = {path.relative_to(PAGE).as_posix(): path.read_bytes() for path in paths}
    modules = ["vendor/lit-html.mjs", *(name for name in files if name.endswith(".mjs") and name not in _IN_WORKERS)]
    asked_at_once = "".join(f'<link rel="modulepreload" href="{name}">\n' for name in modules).encode()
    return {
        **files,
        INDEX: files[INDEX].replace(_FIRST_SCRIPT, asked_at_once + _FIRST_SCRIPT, 1),  # or each asks for the next
        STYLE: LOOK.read_bytes() + files[STYLE],  # it looks as the reports do
    }


def _vendor() -> dict[str, bytes]:
    """Return the third-party files; the charts' bundle is that of the reports, as a module."""
    paths = {f"vendor/{name}": VENDOR / name for name in MADE_BY_THE_BUILD}
    missing = [path for path in (*paths.values(), CHARTS) if not path.is_file()]
    if missing:
        raise _not_built(missing)
    files = {name: path.read_bytes() for name, path in paths.items()}
    charts = {"vendor/vega.mjs": CHARTS.read_bytes() + _CHARTS_AS_MODULE}
    licenses = {"vendor/LICENSES-charts.txt": (CHARTS.parent / "LICENSES.txt").read_bytes()}
    return files | charts | licenses


def _not_built(missing: list[Path]) -> MissingPackageError:
    message = (
        f"rankproof was installed without the lab: {missing[0].name} is missing; npm was not there when it was built"
    )
    hint = "install Node.js with npm, then: pip install --force-reinstall --no-deps --no-cache-dir rankproof"
    return MissingPackageError(Fault(message, hint=hint))


def _version(files: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, data in sorted(files.items()):
        digest.update(f"{name}\n{hashlib.sha256(data).hexdigest()}\n".encode())
    return digest.hexdigest()


def _integrity(data: bytes) -> str:
    """Return the hash as browsers check it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(data).digest()).decode()}"
