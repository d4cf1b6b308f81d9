"""What is a system under test, and which settings may it have?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rankproof.answers import kebab
from rankproof.errors import Fault, InputError, nearest, seen
from rankproof.systems.kinds import KINDS, PLACES, Kind


@dataclass(frozen=True, slots=True)
class System:
    """A name, what kind of search it is, and its options: those that were given, and the defaults of the others."""

    name: str
    kind: str
    options: Mapping[str, Any]

    @property
    def parts(self) -> tuple[str, ...]:
        """Return the names of the systems whose rankings it is made of."""
        return tuple(self.options.get("of") or ())

    @property
    def needs_corpus(self) -> bool:
        """Return whether it needs the texts of the documents."""
        return KINDS[self.kind].needs_corpus or (self.kind == "cosine" and self.options["embed"] is not None)

    def to_dict(self) -> dict[str, Any]:
        """Return it, ready for JSON."""
        return {"name": self.name, "kind": self.kind, "options": dict(self.options)}


def read_system(name: str, table: Mapping[str, Any], file: str | None = None) -> System:
    """Return the system that a table describes, such as `method = "bm25"` with its options.

    One of `method`, `run` or `engine` says what it is; keys may be written with hyphens or underscores. InputError
    names the system and the option for whatever is unknown or has another type.
    """
    given = {kebab(key): value for key, value in table.items()}
    kind, rest = _kind(name, given, file)
    options = {key: option.default for key, option in kind.options.items()}
    for key, value in rest.items():
        if key not in kind.options:
            raise InputError(_unknown(name, key, kind, file))
        option = kind.options[key]
        if not option.fits(value):
            raise InputError(Fault(f"system {name}: {key} is {seen(value)}", file, expected=option.expected))
        options[key] = value
    missing = [key for key, option in kind.options.items() if option.needed and options[key] is None]
    if missing:
        raise InputError(Fault(f"system {name} has no {missing[0]}", file, expected=kind.options[missing[0]].expected))
    return System(name, kind.name, MappingProxyType(options))


def _kind(name: str, given: Mapping[str, Any], file: str | None) -> tuple[Kind, dict[str, Any]]:
    """Return the kind that a table names, and what else stands there."""
    named = [key for key in ("method", *PLACES) if key in given]
    if len(named) != 1:
        expected = "one of method, run, engine"
        raise InputError(Fault(f"system {name} has {' and '.join(named) or 'no method'}", file, expected=expected))
    if named[0] in PLACES:
        return KINDS[named[0]], dict(given)
    method, rest = given["method"], {key: value for key, value in given.items() if key != "method"}
    methods = [kind for kind in KINDS if kind not in PLACES]
    if method not in methods:
        hint = f"did you mean {nearest(str(method), methods, 1)}?"
        raise InputError(
            Fault(f"system {name}: unknown method {seen(method)}", file, expected=", ".join(methods), hint=hint)
        )
    return KINDS[method], rest


def _unknown(name: str, key: str, kind: Kind, file: str | None) -> Fault:
    others = [other.name for other in KINDS.values() if key in other.options]
    hint = f"{key} is for {', '.join(others)}" if others else f"did you mean {nearest(key, kind.options, 1)}?"
    return Fault(f"system {name}: {key} is no option of {kind.name}", file, expected=", ".join(kind.options), hint=hint)
