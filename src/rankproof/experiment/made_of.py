"""What decides a system's run? Its settings, the bytes of its inputs, and the versions of what computes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from sqlite3 import sqlite_version
from typing import Any, TypeAlias

from rankproof.experiment.plan import Plan
from rankproof.systems import System
from rankproof.systems.functions import source_of
from rankproof.systems.kinds import FUSIONS

HashOf: TypeAlias = Callable[[Path], str]

PACKAGES: Mapping[str, tuple[str, ...]] = {"bm25": ("bm25s",), "lsa": ("scikit-learn",), "cosine": ("numpy",)}
"""The packages whose version can change what a kind of search finds."""

ANALYZED_BY: Mapping[str, tuple[str, ...]] = {
    "english": ("PyStemmer", "bm25s"),
    "kiwi": ("kiwipiepy", "kiwipiepy_model"),
}
"""Those that an analyzer needs."""

PATIENCE = ("concurrency", "retries", "timeout")
"""Options that change how an engine is asked, and not what it answers."""


def made_of(system: System, plan: Plan, runs: Mapping[str, str], hash_of: HashOf) -> dict[str, Any]:
    """Return what decides a system's run; `runs`: the hashes of the runs that it may be made of; `hash_of`: of a file.

    An engine's index cannot be looked into: there only its address and settings count.
    """
    found: dict[str, Any] = {
        "name": system.name,
        "kind": system.kind,
        "options": {key: value for key, value in system.to_dict()["options"].items() if key not in PATIENCE},
        "depth": plan.depth,
        "queries": [hash_of(plan.queries), list(plan.query_fields or ())],
        "versions": _versions(system),
        "files": {option: hash_of(plan.folder / path) for option, path in system.paths.items()},
    }
    if system.kind in FUSIONS:
        found["parts"] = {part: runs[part] for part in system.parts}
        found["contract"] = plan.contract.fingerprint
    elif plan.corpus is not None and system.reads_corpus:
        found["corpus"] = [hash_of(plan.corpus), list(plan.fields or ())]
    if embed := system.options.get("embed"):
        found["embed"] = source_of(embed, plan.folder, hash_of)
    return found


def _versions(system: System) -> dict[str, str | None]:
    embed = system.options.get("embed")
    packages = [
        "rankproof",
        *PACKAGES.get(system.kind, ()),
        *ANALYZED_BY.get(system.options.get("analyzer") or "", ()),
        *(("sentence-transformers",) if embed is not None and ":" not in embed else ()),
    ]
    found: dict[str, str | None] = {}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    if system.kind == "engine" and system.options["engine"].startswith("sqlite:"):
        found["sqlite"] = sqlite_version
    return found
