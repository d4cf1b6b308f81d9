"""What does a project ask of its gate? `[gate]` in rankproof.toml, or `[tool.rankproof.gate]` in pyproject.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from rankproof.errors import ContractError, Fault, InputError, nearest
from rankproof.rules import named_answers
from rankproof.words import first_of

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
    """Return the gate's table of a file, or of the first file in the folder that has one; empty where none does.

    InputError for a file that was meant for a gate, as rankproof.toml is, and has no table for it.
    """
    files = [path] if path is not None else [folder / name for name in FILES if (folder / name).is_file()]
    for file in files:
        content = _content(file)
        ours = path is None and file.name == "pyproject.toml"  # only its own table there is for us
        places = [FILES[file.name]] if ours else list(FILES.values())
        for names in places:
            found = _at(content, names)
            if found is not None:
                return _checked(found, str(file))
        parents = {names[:-1]: parent for names in places if isinstance(parent := _at(content, names[:-1]), dict)}
        if path is not None or any(parents.values()):
            raise InputError(_no_table(parents, str(file)))
    return {}


def _content(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8-sig"))
    except OSError as error:
        raise InputError(Fault(f"cannot be read: {error.strerror}", str(file))) from error
    except ValueError as error:
        raise InputError(Fault(f"is not TOML: {error}", str(file))) from error


def _at(content: Any, names: Sequence[str]) -> Any:
    """Return what stands under nested names; None where nothing does."""
    for name in names:
        content = content.get(name) if isinstance(content, dict) else None
    return content


def _no_table(parents: Mapping[tuple[str, ...], Mapping[str, Any]], file: str) -> Fault:
    """Return what is wrong with a file that holds other keys where the gate's table would stand."""
    seen, hints = [], []
    for parent, holds in parents.items():
        gate = _in_brackets(parent, "gate")
        for key, value in holds.items():
            if (*parent, key) == FILES["pyproject.toml"][:1] and len(parents) > 1:
                continue  # what it holds is named itself
            seen.append(_in_brackets(parent, key) if isinstance(value, dict) else key)
            if key in KEYS:
                hints.append(f"write {gate} above {key}")
            elif get_close_matches(key.lower(), ["gate"], 1):
                hints.append(f"did you mean {gate}?")
    wanted = " or ".join(_in_brackets(parent, "gate") for parent in parents)
    return Fault(f"has no {wanted}; it has {first_of(seen) or 'nothing'}", file, hint=next(iter(hints), None))


def _in_brackets(parent: Sequence[str], key: str) -> str:
    return f"[{'.'.join((*parent, key))}]"


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
