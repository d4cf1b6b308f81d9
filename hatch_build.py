"""Which third-party files ship with rankproof? The reports' chart library and the lab's Python, laid in by npm.

Both are made while a wheel is built; without npm, the wheel is built without them.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LOCKED = ("package.json", "package-lock.json")
PATIENCE = 300  # seconds: behind a network that swallows everything, a build goes on without
QUICK = ("--fetch-retries=1", "--fetch-retry-mintimeout=1000")  # without a network a build must not wait long
LICENSES, STAMP = "LICENSES.txt", "made-from.sha256"
RULE = f"\n{'-' * 78}\n\n"


class NotMadeError(Exception):
    """Says why the files cannot be made."""


class Part(NamedTuple):
    """A folder of third-party files: what it is made from and how, which files are in it, and what is lost without."""

    folder: Path
    made_from: Sequence[str]
    also_from: Callable[[Path], bytes]
    files: Sequence[str]
    make: Callable[[Path, Path], None]
    licenses: Callable[[Path], str]
    lost: str

    def stamp(self, root: Path) -> str:
        """Return a hash of everything that the files are made from."""
        digest = hashlib.sha256()
        for name in self.made_from:
            digest.update((root / name).read_bytes())
        digest.update(self.also_from(root))
        return digest.hexdigest()

    def is_made(self, root: Path) -> bool:
        """Return whether all files are there, made from what is here."""
        folder = root / self.folder
        if not all((folder / name).is_file() for name in (*self.files, LICENSES, STAMP)):
            return False
        return (folder / STAMP).read_text("ascii").strip() == self.stamp(root)

    def lay(self, root: Path) -> None:
        """Make the files, and put them in their place when all of them are made."""
        folder = root / self.folder
        with tempfile.TemporaryDirectory() as scratch:
            self.make(root, Path(scratch))
            folder.mkdir(parents=True, exist_ok=True)
            (folder / STAMP).unlink(missing_ok=True)  # an interrupted build must not look finished
            for name in self.files:
                shutil.copyfile(Path(scratch, name), folder / name)
            (folder / LICENSES).write_text(self.licenses(root), encoding="utf-8")
            (folder / STAMP).write_text(f"{self.stamp(root)}\n", encoding="ascii")


class VendorHook(BuildHookInterface[Any]):
    """Lays the files, their licences and a stamp of what they were made from into the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - the hook's signature
        """Make what is not there yet, or was made from other files."""
        root = Path(self.root)
        wanted = [part for part in PARTS if not part.is_made(root)]
        try:
            if wanted:
                fetch(root)
            for part in wanted:
                part.lay(root)
        except NotMadeError as error:
            left_out = [part for part in PARTS if not part.is_made(root)]
            for part in left_out:  # old files must not ship under a new lock
                for name in part.files:
                    (root / part.folder / name).unlink(missing_ok=True)
            lost = "; ".join(part.lost for part in left_out)
            print(f"rankproof: {error}: {lost}", file=sys.stderr)  # noqa: T201 - a build says what it leaves out


def fetch(root: Path) -> None:
    """Fetch the pinned packages, and run none of their scripts."""
    run("npm", root, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--include=dev", *QUICK)


def run(program: str, root: Path, *arguments: str) -> None:
    """Run npm or node; NotMadeError where that fails."""
    found = shutil.which(program)
    if found is None:
        message = f"{program} is not installed"
        raise NotMadeError(message)
    called = f"{program} {arguments[0]}"
    try:
        done = subprocess.run(  # noqa: S603 - the program as found, with arguments of our own
            [found, *arguments], cwd=root, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        message = f"{called} took longer than {PATIENCE} seconds"
        raise NotMadeError(message) from None
    if done.returncode:
        said = [line.strip()[:200] for line in done.stderr.splitlines() if "error" in line.lower()]
        message = f"{called} failed ({'; '.join(said[:3])[:300]})"
        raise NotMadeError(message)


BUNDLE = "vega.js"


def make_charts(root: Path, folder: Path) -> None:
    """Bundle the chart library."""
    run("npm", root, "run", "--silent", "bundle", "--", f"--outfile={folder / BUNDLE}")


COPIED = {
    "lit-html.mjs": "lit-html/lit-html.js",
    "pyodide.asm.mjs": "pyodide/pyodide.asm.mjs",
    "pyodide.mjs": "pyodide/pyodide.mjs",
}
PACKED = {"pyodide.asm.wasm.gz": "pyodide/pyodide.asm.wasm"}
"""What is packed here, as that takes longer than a visitor of the page likes to wait."""

COMPILED = ("compiled.zip", "pyodide-lock.json", "python_stdlib.zip")


def make_lab(root: Path, folder: Path) -> None:
    """Copy or pack Pyodide and lit-html, and compile the standard library and rankproof by Pyodide's own Python."""
    for name, source in COPIED.items():
        data = (root / "node_modules" / source).read_bytes()
        (folder / name).write_bytes(_without_map(data) if name.endswith(".mjs") else data)
    for name, source in PACKED.items():
        (folder / name).write_bytes(gzip.compress((root / "node_modules" / source).read_bytes(), 9, mtime=0))
    (folder / "engine.zip").write_bytes(engine_of(root))
    run("node", root, "tools/lab_stdlib.mjs", str(folder / "engine.zip"), str(folder))


def _without_map(script: bytes) -> bytes:
    """Return a script that names no source map: it is not there, and a browser would ask for it."""
    lines = script.splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(b"//# sourceMappingURL="))


def engine_of(root: Path) -> bytes:
    """Return rankproof's own files as the page gets them."""
    spec = importlib.util.spec_from_file_location("rankproof_lab_engine", root / "src/rankproof/lab/engine.py")
    if spec is None or spec.loader is None:
        message = "src/rankproof/lab/engine.py cannot be read"
        raise NotMadeError(message)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    packed: bytes = module.engine_zip(root / "src" / "rankproof")
    return packed


CHARTS = ("vega", "vega-interpreter", "vega-lite")
SHIPPED = ("node_modules/lit-html", "node_modules/pyodide")
"""What the lab's page is made of: what these depend on serves other programs than browsers, and is not shipped."""

OUR_COPIES = {"pyodide": "tools/licenses/pyodide.txt"}
"""Licences of packages that come without their text."""


def charts_licenses(root: Path) -> str:
    """Return name, version and licence text of each package that the chart library is made of.

    The lock says which these are: some files of a bundle come from packages that hold code of others.
    """
    return RULE.join([f"{BUNDLE} is made from the following packages.\n", *_texts(root, _with_theirs(root, CHARTS))])


def lab_licenses(root: Path) -> str:
    """Return name, version and licence text of what the lab ships beside rankproof and the chart library."""
    texts = [(root / "tools" / "licenses" / f"{name}.txt").read_text("utf-8") for name in ("python", "linked")]
    told = "The lab's page is made of the following packages, of rankproof itself, and of the chart library.\n"
    python = f"Python, its interpreter and standard library (PSF-2.0)\n\n{texts[0]}"
    return RULE.join([told, *_texts(root, SHIPPED), python, texts[1]])


def _locked(root: Path) -> dict[str, Mapping[str, Any]]:
    packages: dict[str, Mapping[str, Any]] = json.loads((root / "package-lock.json").read_text("utf-8"))["packages"]
    return packages


def _with_theirs(root: Path, names: Iterable[str]) -> list[str]:
    """Return the folders of packages and of all that they depend on."""
    locked, found = _locked(root), set[str]()
    waiting = [("", name) for name in names]
    while waiting:
        needing, name = waiting.pop()
        folder = next(place for place in _places(needing, name) if place in locked)
        if folder not in found:
            found.add(folder)
            waiting += [(folder, needed) for needed in locked[folder].get("dependencies", {})]
    return sorted(found)


def _places(needing: str, name: str) -> Iterable[str]:
    """Yield where a package that another needs may lie: inside that one's folder, or further out."""
    while needing:
        yield f"{needing}/node_modules/{name}"
        needing = needing.rpartition("node_modules/")[0].rstrip("/")
    yield f"node_modules/{name}"


def _texts(root: Path, folders: Iterable[str]) -> Iterable[str]:
    locked = _locked(root)
    for folder in folders:
        name, entry = folder.rpartition("node_modules/")[2], locked[folder]
        found = [path for path in (root / folder).iterdir() if path.name.lower().startswith(("licen", "copying"))]
        paths = sorted(found) or ([root / OUR_COPIES[name]] if name in OUR_COPIES else [])
        text = "\n\n".join(path.read_text("utf-8").strip() for path in paths) or "(no licence file)"
        yield f"{name} {entry['version']} ({entry['license']})\n\n{text}\n"


PARTS = (
    Part(
        folder=Path("src/rankproof/report/vendor"),
        made_from=(*LOCKED, "tools/charts_bundle.mjs"),
        also_from=lambda _: b"",
        files=(BUNDLE,),
        make=make_charts,
        licenses=charts_licenses,
        lost="HTML reports will show their tables, and no pictures",
    ),
    Part(
        folder=Path("src/rankproof/lab/vendor"),
        made_from=(*LOCKED, "tools/lab_stdlib.mjs", "tools/lab_stdlib.py"),
        also_from=engine_of,
        files=(*COPIED, *PACKED, *COMPILED),
        make=make_lab,
        licenses=lab_licenses,
        lost="`rankproof lab` will say that it is missing",
    ),
)
