"""What does a project ask of its gate? `[gate]` in rankproof.toml, or `[tool.rankproof.gate]` in pyproject.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rankproof.errors import Fault, InputError, nearest

FILES: Mapping[str, tuple[str, ...]] = {"rankproof.toml": ("gate",), "pyproject.toml": ("tool", "rankproof", "gate")}
"""Where the table of a gate stands, by file; the first file that has one counts."""

KEYS: Mapping[str, type | tuple[type, ...]] = {
    "require": list,
    "contract": str,
    "rules": dict,
    "confidence": (int, float),
    "interval": str,
    "undecided": str,
    "per-query-worst": int,
    "cluster": str,
    "seed": int,
    "resamples": int,
}
"""What it may hold, and of which type."""


def read_config(path: Path | None, folder: Path) -> dict[str, Any]:
    """Return the gate's table of a file, or of the first file in the folder that has one; empty where none does."""
    files = [path] if path is not None else [folder / name for name in FILES if (folder / name).is_file()]
    for file in files:
        found = _table(file)
        if found is not None:
            return _checked(found, str(file))
        if path is not None:
            where = " or ".join(f"[{'.'.join(names)}]" for names in FILES.values())
            raise InputError(Fault("has no table for a gate", str(file), expected=where))
    return {}


def _table(file: Path) -> Any:
    try:
        found: Any = tomllib.loads(file.read_text("utf-8-sig"))
    except OSError as error:
        raise InputError(Fault(f"cannot be read: {error.strerror}", str(file))) from error
    except ValueError as error:
        raise InputError(Fault(f"is not TOML: {error}", str(file))) from error
    for name in FILES.get(file.name, ("gate",)):
        found = found.get(name) if isinstance(found, dict) else None
    return found


def _checked(found: Any, file: str) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise InputError(Fault("the gate is no table", file, expected=f"the keys {', '.join(KEYS)}"))
    for key, value in found.items():
        if key not in KEYS:
            hint = f"did you mean {nearest(key, KEYS, 1)}?"
            raise InputError(Fault(f"unknown key {key!r} of the gate", file, expected=", ".join(KEYS), hint=hint))
        if not isinstance(value, KEYS[key]) or isinstance(value, bool):
            raise InputError(Fault(f"the gate's {key} is {value!r}", file, expected=_type_name(key)))
    if not all(isinstance(text, str) for text in found.get("require", ())):
        raise InputError(Fault("the gate's require holds what is no text", file, expected=_type_name("require")))
    return found


def _type_name(key: str) -> str:
    kind = KEYS[key]
    names = {
        list: 'a list such as ["nDCG@10 drop<=0.01"]',
        str: "a text",
        dict: "a table of rules",
        int: "a whole number",
    }
    return "a number" if isinstance(kind, tuple) else names[kind]
