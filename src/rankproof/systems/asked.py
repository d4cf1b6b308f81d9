"""Which systems does one command ask for? A method, an engine, or a fusion with the methods it is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rankproof.errors import Fault, InputError
from rankproof.systems.kinds import FUSIONS, KINDS
from rankproof.systems.system import System, read_system

FUSED = ("bm25", "lsa")
"""What a fusion is made of where nothing else is said."""


def systems_of(
    options: Mapping[str, Any],
    method: str | None = None,
    engine: str | None = None,
    of: Sequence[str] | None = None,
    name: str | None = None,
) -> list[System]:
    """Return the systems to run, in their order; the last is the one that was asked for, the others are its parts.

    Each part of a fusion takes the options that belong to its method. InputError for an option that belongs to nothing
    asked for.
    """
    if engine is not None and method is not None:
        raise InputError(Fault("a method and an engine are given", expected="one of them"))
    if engine is not None and of:
        raise InputError(Fault("an engine is no fusion", expected=f"--method of {', '.join(FUSIONS)} with --of"))
    if engine is not None:
        return [read_system(name or "engine", {"engine": engine, **options})]
    wanted = method or "bm25"
    if wanted not in FUSIONS:
        if of:
            raise InputError(Fault(f"{wanted} is no fusion", expected=f"--of with {', '.join(FUSIONS)}"))
        return [read_system(name or wanted, {"method": wanted, **options})]
    return _fusion(wanted, name or wanted, list(of or FUSED), options)


def _fusion(method: str, name: str, of: list[str], options: Mapping[str, Any]) -> list[System]:
    searched = [kind for kind in KINDS if kind not in (*FUSIONS, "run", "engine")]
    for part in of:
        if part not in searched:
            raise InputError(Fault(f"a fusion cannot be made of {part!r}", expected=f"of {', '.join(searched)}"))
    if len(set(of)) < max(2, len(of)):
        raise InputError(Fault(f"the fusion is made of {', '.join(of)}", expected="two or more methods, each once"))
    known = {part: KINDS[part].options for part in (*of, method)}
    parts = {part: {key: value for key, value in options.items() if key in known[part]} for part in known}
    rest = {key: value for key, value in options.items() if not any(key in given for given in parts.values())}
    return [
        *(read_system(part, {"method": part, **parts[part]}) for part in of),
        read_system(name, {"method": method, "of": of, **parts[method], **rest}),
    ]
