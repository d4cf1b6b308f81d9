"""What decides a system's run? Its settings, the bytes of its inputs, and the versions of what computes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

from rankproof.experiment.plan import Plan
from rankproof.systems import KINDS, System
from rankproof.systems.kinds import FUSIONS
from rankproof.systems.searchers import beside

HashOf: TypeAlias = Callable[[Path], str]

PACKAGES: Mapping[str, tuple[str, ...]] = {
    "bm25": ("bm25s", "PyStemmer", "kiwipiepy"),
    "lsa": ("scikit-learn", "PyStemmer", "kiwipiepy"),
    "cosine": ("numpy", "sentence-transformers"),
}
"""The packages whose version can change what a kind of search finds."""


def made_of(system: System, plan: Plan, keys: Mapping[str, str], hash_of: HashOf) -> dict[str, Any]:
    """Return what decides a system's run; `keys`: those of the systems that it is made of; `hash_of` hashes a file.

    An engine's index cannot be looked into: there only its address and settings count.
    """
    found: dict[str, Any] = {
        **system.to_dict(),
        "depth": plan.depth,
        "queries": [hash_of(plan.queries), list(plan.query_fields or ())],
        "versions": _versions(system),
        "files": {
            key: hash_of(plan.folder / system.options[key])
            for key, option in KINDS[system.kind].options.items()
            if option.type == "file" and system.options[key] is not None
        },
    }
    if system.kind in FUSIONS:
        found["parts"] = {part: keys[part] for part in system.parts}
    elif plan.corpus is not None and system.kind != "run":
        found["corpus"] = [hash_of(plan.corpus), list(plan.fields or ())]
    if embed := system.options.get("embed"):
        found["embed"] = _source_of(embed, plan.folder, hash_of)
    return found


def _versions(system: System) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for package in ("rankproof", *PACKAGES.get(system.kind, ())):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found


def _source_of(embed: str, folder: Path, hash_of: HashOf) -> str | None:
    """Return the hash of the module's file that holds an embedding function; None for a model's name."""
    module, mark, _ = embed.partition(":")
    if not mark:
        return None
    try:
        with beside(folder):
            spec = find_spec(module)
    except ImportError:  # loading it will say so
        return None
    return hash_of(Path(spec.origin)) if spec is not None and spec.origin is not None else None
