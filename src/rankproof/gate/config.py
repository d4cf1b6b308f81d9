"""What does a project ask of its gate? `[gate]` in rankproof.toml, or `[tool.rankproof.gate]` in pyproject.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rankproof.errors import ContractError, Fault, InputError, nearest
from rankproof.rules import named_answers

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
    places = [FILES[file.name]] if file.name in FILES else list(FILES.values())
    for names in places:
        part = found
        for name in names:
            part = part.get(name) if isinstance(part, dict) else None
        if part is not None:
            return part
    return None


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
    return {**found, **({"rules": _rules(found["rules"], file)} if "rules" in found else {})}


def _rules(given: Mapping[str, Any], file: str) -> dict[str, Any]:
    """Return rules under their names in Python."""
    try:
        return named_answers(given.items())
    except ContractError as error:
        raise ContractError(*(replace(fault, file=file) for fault in error.faults)) from error


def _type_name(key: str) -> str:
    kind = KEYS[key]
    names = {
        list: 'a list such as ["nDCG@10 drop<=0.01"]',
        str: "a text",
        dict: "a table of rules",
        int: "a whole number",
    }
    return "a number" if isinstance(kind, tuple) else names[kind]
