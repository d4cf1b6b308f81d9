"""How is a contract asked for, read from a file, and written to one?"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rankproof.answers import kebab
from rankproof.contract import SCHEMA, Contract
from rankproof.errors import ContractError, Fault, nearest
from rankproof.presets.table import PRESETS
from rankproof.rules import known_rule, named_answers


def contract(of: str | Path | Mapping[str, Any] | Contract = "rankproof", **rules: object) -> Contract:
    """Return a contract: a preset by name, a TOML or JSON file, a dict as `Contract.to_dict` gives it, or itself.

    `rules` change single rules: `contract("trec_eval-10", ties="expected")`. Raises ContractError.
    """
    if isinstance(of, Contract):
        found = of
    elif isinstance(of, Mapping):
        found = _from_dict(of, "contract")
    elif not isinstance(of, (str, Path)):
        expected = "a preset's name, a file, a dict or a Contract"
        raise ContractError(Fault(f"{of!r} is no contract", expected=expected))
    elif str(of) in PRESETS:
        found = PRESETS[str(of)].contract
    elif Path(of).suffix in (".toml", ".json"):
        found = _from_file(Path(of))
    else:
        near = nearest(str(of), PRESETS)
        raise ContractError(
            Fault(f"there is no contract {str(of)!r}", hint=f"nearest: {near}; or a file ending in .toml or .json")
        )
    return found.with_rules(**rules)


def read_rules(options: Iterable[str]) -> dict[str, str]:
    """Return the rules of options such as `ties=expected`."""
    found: dict[str, str] = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals:
            raise ContractError(Fault(f"{option!r} sets no rule", expected="rule=value, such as ties=expected"))
        if known_rule(name) in found:
            raise ContractError(Fault(f"{kebab(known_rule(name))} is given twice", expected="one answer a rule"))
        found[known_rule(name)] = value.strip()
    return found


def to_toml(given: Contract) -> str:
    """Return a contract as TOML that `contract` reads back."""
    written = given.to_dict()
    lines = [f"{key} = {_toml_value(written[key])}" for key in ("name", "schema")]
    lines.append(f"# fingerprint when written: {given.fingerprint}")
    for table, own in [
        ("rules", written["rules"]),
        *((f"overrides.{_toml_value(k)}", v) for k, v in written["overrides"].items()),
    ]:
        lines += ["", f"[{table}]", *(f"{name} = {_toml_value(value)}" for name, value in own.items())]
    return "\n".join(lines) + "\n"


def _toml_value(value: object) -> str:
    if value is None:
        return '"none"'  # TOML has no null; the rules read this word
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{json.dumps(key)} = {json.dumps(gain)}' for key, gain in value.items())} }}"
    # A JSON text is a TOML text but for two things: TOML knows no surrogate pairs, and wants DEL escaped.
    text = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    return text.encode(errors="replace").decode()


def _from_file(path: Path) -> Contract:
    try:
        text = path.read_text("utf-8-sig")
        data = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text, object_pairs_hook=_each_key_once)
    except OSError as error:
        raise ContractError(Fault(f"cannot be read: {error.strerror}", str(path))) from error
    except (ValueError, RecursionError) as error:
        raise ContractError(Fault(f"is not {path.suffix[1:].upper()}: {error}", str(path))) from error
    if not isinstance(data, dict):
        raise ContractError(Fault("is not a table of rules", str(path)))
    return _from_dict(data, str(path))


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError(f"a key comes twice among {', '.join(key for key, _ in pairs)}")
    return dict(pairs)


_KEYS = ("preset", "name", "schema", "fingerprint", "rules", "overrides")


def _from_dict(data: Mapping[str, Any], where: str) -> Contract:
    if unknown := [key for key in data if key not in _KEYS]:
        hint = f"rules stand under [rules], such as {kebab(str(unknown[0]))} = …"
        raise ContractError(Fault(f"unknown key {unknown[0]!r}", where, expected=", ".join(_KEYS), hint=hint))
    if data.get("schema", SCHEMA) != SCHEMA:
        raise ContractError(Fault(f"has schema {data['schema']!r}", where, expected=f"schema {SCHEMA}"))
    base, answers, overrides = data.get("preset", "rankproof"), data.get("rules", {}), data.get("overrides", {})
    if not isinstance(base, str) or base not in PRESETS:
        hint = f"nearest: {nearest(str(base), PRESETS)}"
        raise ContractError(Fault(f"there is no preset {base!r}", where, hint=hint))
    if not isinstance(answers, Mapping) or not isinstance(overrides, Mapping):
        raise ContractError(Fault("rules and overrides are tables", where))
    given = PRESETS[base].contract
    try:
        found = replace(
            given,
            **named_answers(answers.items()),
            overrides=tuple({**dict(given.overrides), **overrides}.items()),
            name=str(data.get("name", where)),
        )
    except ContractError as error:
        raise ContractError(*(replace(fault, file=fault.file or where) for fault in error.faults)) from error
    if found.name in PRESETS and PRESETS[found.name].contract != found:
        found = replace(found, name=f"{found.name}, changed in {where}")
    if data.get("fingerprint", found.fingerprint) != found.fingerprint:
        hint = "remove the fingerprint if the change is meant"
        raise ContractError(Fault("the fingerprint is not that of these rules", where, hint=hint))
    return found
