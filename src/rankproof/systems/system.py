"""What is a system under test, and which settings may it have?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rankproof.answers import kebab
from rankproof.engines import files_of, has_own_index
from rankproof.engines.hiding import hashed, names_secret
from rankproof.errors import Fault, InputError, nearest, seen
from rankproof.systems.functions import file_of
from rankproof.systems.kinds import KINDS, LIFTED, PLACES, Kind
from rankproof.words import counted


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

    @property
    def paths(self) -> Mapping[str, str]:
        """Return the files that its options name, by option."""
        named = {key: self.options[key] for key, one in KINDS[self.kind].options.items() if one.type == "file"}
        mapping = self.options.get("mapping")
        if mapping is not None and mapping.endswith(".toml"):
            named["mapping"] = mapping
        return {key: path for key, path in named.items() if path is not None}

    @property
    def reads_corpus(self) -> bool:
        """Return whether it makes use of the texts of the documents where it is given them."""
        return self.needs_corpus or (self.kind == "engine" and not has_own_index(self.options["engine"]))

    def files(self, folder: Path = Path()) -> list[Path]:
        """Return all files that it reads, which no output may replace."""
        found = [folder / path for path in self.paths.values()]
        if self.kind == "engine":
            found += [folder / path for path in files_of(self.options["engine"])]
        if (embed := self.options.get("embed")) is not None and (module := file_of(embed, folder)) is not None:
            found.append(module)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return it, ready for JSON; settings that are named like secrets are hashed."""
        options = dict(self.options)
        if settings := options.get("set"):
            options["set"] = {key: hashed(one) if names_secret(key) else one for key, one in settings.items()}
        return {"name": self.name, "kind": self.kind, "options": options}


def read_system(name: str, table: Mapping[str, Any], file: str | None = None) -> System:
    """Return the system that a table describes, such as `method = "bm25"` with its options.

    One of `method`, `run` or `engine` says what it is; keys may be written with hyphens or underscores. InputError
    names the system and the option for whatever is unknown or has another type.
    """
    given = {kebab(key): value for key, value in table.items()}
    if len(given) < len(table):
        twice = next(key for key in given if sum(kebab(other) == key for other in table) > 1)
        raise InputError(Fault(f"system {name}: {twice} is given twice", file, expected="one spelling of it"))
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
    _check_parts(name, options, file)
    if options.get("delta") is not None and options["variant"] not in LIFTED:
        message = f"system {name}: the variant {options['variant']} has no delta"
        raise InputError(Fault(message, file, expected=f"one of {', '.join(LIFTED)}, or no delta"))
    return System(name, kind.name, MappingProxyType(options))


def _check_parts(name: str, options: Mapping[str, Any], file: str | None) -> None:
    """Refuse a fusion of fewer than two systems, of one twice, or with another number of weights."""
    parts, weights = options.get("of"), options.get("weights")
    if parts is None:
        return
    if len(set(parts)) < max(2, len(parts)):
        expected = "two or more systems, each once"
        raise InputError(Fault(f"system {name} is made of {', '.join(parts)}", file, expected=expected))
    if weights is not None and len(weights) != len(parts):
        message = f"system {name} has {counted(len(weights), 'weight')}"
        raise InputError(Fault(message, file, expected=f"{len(parts)}, one each"))


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
