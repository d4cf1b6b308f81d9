"""What do reports draw their charts with? Bundles Vega by npm while a wheel is built; without npm, goes on without."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VENDOR = Path("src/rankproof/report/vendor")
MADE_FROM = ("package.json", "package-lock.json", "tools/charts_bundle.mjs")
PATIENCE = 300  # seconds: behind a network that swallows everything, a build goes on without pictures
QUICK = ("--fetch-retries=1", "--fetch-retry-mintimeout=1000")  # without a network a build must not wait long
BUNDLE, LICENSES, STAMP = "vega.js", "LICENSES.txt", "made-from.sha256"


class ChartsHook(BuildHookInterface[Any]):
    """Lays the bundle, its licences and a stamp of what it was made from into the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - the hook's signature
        """Make the bundle, unless it is there and made from the same files."""
        root = Path(self.root)
        stamp = stamp_of(root)
        if not is_made(root / VENDOR, stamp):
            failed = make(root, stamp)
            if failed:
                (root / VENDOR / BUNDLE).unlink(missing_ok=True)  # an old one must not ship under a new lock
                print(  # noqa: T201 - a build says what it leaves out
                    f"rankproof: {failed}: building without the chart library; "
                    "HTML reports will show their tables, and no pictures",
                    file=sys.stderr,
                )


def stamp_of(root: Path) -> str:
    """Return a hash of everything the bundle is made from."""
    digest = hashlib.sha256()
    for name in MADE_FROM:
        digest.update((root / name).read_bytes())
    return digest.hexdigest()


def is_made(vendor: Path, stamp: str) -> bool:
    """Return whether all files are there and of this stamp."""
    if not all((vendor / name).is_file() for name in (BUNDLE, LICENSES, STAMP)):
        return False
    return (vendor / STAMP).read_text("ascii").strip() == stamp


def make(root: Path, stamp: str) -> str | None:
    """Fetch the pinned packages, bundle them, collect their licences; return why that cannot be done, or None."""
    npm = shutil.which("npm")
    if npm is None:
        return "npm is not installed"
    with tempfile.TemporaryDirectory() as scratch:
        bundle = Path(scratch, BUNDLE)
        commands = {
            "npm ci": ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--include=dev", *QUICK],
            "esbuild": ["run", "--silent", "bundle", "--", f"--outfile={bundle}"],
        }
        for name, arguments in commands.items():
            try:
                done = subprocess.run(  # noqa: S603 - npm as found, with arguments of our own
                    [npm, *arguments], cwd=root, capture_output=True, text=True, check=False, timeout=PATIENCE
                )
            except subprocess.TimeoutExpired:
                return f"{name} took longer than {PATIENCE} seconds"
            if done.returncode:
                said = [line.strip() for line in done.stderr.splitlines() if "error" in line.lower()]
                return f"{name} failed ({'; '.join(said[:3])[:300]})"
        vendor = root / VENDOR
        vendor.mkdir(parents=True, exist_ok=True)
        (vendor / STAMP).unlink(missing_ok=True)  # an interrupted build must not look finished
        shutil.copyfile(bundle, vendor / BUNDLE)
        (vendor / LICENSES).write_text(licenses(root), encoding="utf-8")
        (vendor / STAMP).write_text(f"{stamp}\n", encoding="ascii")
    return None


def licenses(root: Path) -> str:
    """Return name, version and licence text of each package that Vega is made of.

    The lock says which these are: some files of a bundle come from packages that hold code of others.
    """
    locked = json.loads((root / "package-lock.json").read_text("utf-8"))["packages"]
    texts = [f"{BUNDLE} is made from the following packages.\n"]
    for folder, entry in sorted(locked.items()):
        if not folder or entry.get("dev"):
            continue
        found = [path for path in (root / folder).iterdir() if path.name.lower().startswith(("licen", "copying"))]
        text = "\n\n".join(path.read_text("utf-8").strip() for path in sorted(found)) or "(no licence file)"
        texts.append(f"{folder.rpartition('node_modules/')[2]} {entry['version']} ({entry['license']})\n\n{text}\n")
    return f"\n{'-' * 78}\n\n".join(texts)
