"""What did the page give: texts of files, a contract, numbers? Checked here, once for all tabs."""

from __future__ import annotations

import gzip
import zlib
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import fields
from io import BytesIO
from typing import Any

from rankproof.arithmetic import check_count
from rankproof.compare.settings import Settings, settings_of
from rankproof.contract import Contract
from rankproof.errors import ContractError, Fault, InputError, nearest, seen
from rankproof.presets import PRESETS, read_rules
from rankproof.presets import contract as contract_of
from rankproof.rules import known_rule

MOST_BYTES = 5 * 1024 * 1024
"""A larger file is refused before it is read: a page that hangs tells nobody anything."""

PASTED = "pasted text"


def content_of(arguments: Mapping[str, Any], key: str, name: str = PASTED) -> tuple[bytes, str] | None:
    """Return the bytes and the name of a file that the page gave; None where it gave none.

    A file is a text, or {"name", "text"}, or {"name", "base64"} for its bytes as they are. InputError for what is
    neither, and for more than 5 MB.
    """
    given = arguments.get(key)
    if given is None:
        return None
    named = given if isinstance(given, Mapping) else {"text": given}
    name = str(named.get("name") or name)
    text, packed = named.get("text"), named.get("base64")
    if isinstance(text, str):
        content = text.encode(errors="surrogatepass")
    elif isinstance(packed, str):
        content = _unpacked(packed, name)
    else:
        raise InputError(
            Fault(f"{key} is {seen(given)}", expected='a text, or {"name", "text"}, or {"name", "base64"}')
        )
    _check_size(len(content), name)
    return content, name


def _unpacked(packed: str, name: str) -> bytes:
    _check_size(len(packed) * 3 // 4 - 2, name)
    try:
        content = b64decode(packed, validate=True)
    except ValueError as error:
        raise InputError(Fault(f"is no base64: {error}", name)) from error
    if content[:2] != b"\x1f\x8b":
        return content
    try:
        with gzip.GzipFile(fileobj=BytesIO(content)) as file:
            plain = file.read(MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(Fault(f"is damaged gzip: {error}", name)) from error
    if len(plain) > MOST_BYTES:
        message = f"holds more than {MOST_BYTES >> 20} MB when it is unpacked"
        raise InputError(Fault(message, name, expected=_MOST, hint=_HINT))
    return content  # it is unpacked again where it is read, and hashed as it was given


_MOST = f"{MOST_BYTES >> 20} MB at most"
_HINT = "the command line has no limit"


def _check_size(size: int, name: str) -> None:
    if size > MOST_BYTES:
        raise InputError(Fault(f"is {size / 1024 / 1024:.1f} MB ({size:,} bytes)", name, expected=_MOST, hint=_HINT))


def count_of(arguments: Mapping[str, Any], key: str, default: int) -> int:
    """Return a whole number from 1 on. MeasureError for what is none."""
    given = arguments.get(key)
    found = default if given is None else given
    check_count(key, found)
    return int(found)


def text_of(arguments: Mapping[str, Any], key: str) -> str:
    """Return a text that the call cannot do without. InputError where there is none."""
    given = arguments.get(key)
    if not isinstance(given, str) or not given:
        raise InputError(Fault(f"{key} is {seen(given)}", expected="a text that is not empty"))
    return given


def text_in(arguments: Mapping[str, Any], key: str) -> str:
    """Return a text that may be empty, or left out. InputError for what is no text."""
    given = arguments.get(key)
    if given is not None and not isinstance(given, str):
        raise InputError(Fault(f"{key} is {seen(given)}", expected="a text"))
    return given or ""


def choice_of(arguments: Mapping[str, Any], key: str, choices: tuple[str, ...]) -> str:
    """Return one of some words, the first where none is given. InputError for another."""
    given = arguments.get(key)
    if given is None:
        return choices[0]
    if given not in choices:
        raise InputError(Fault(f"{key} is {seen(given)}", expected=f"one of {', '.join(choices)}"))
    return str(given)


def flag_of(arguments: Mapping[str, Any], key: str, *, default: bool) -> bool:
    """Return a yes or no. InputError for what is neither."""
    given = arguments.get(key)
    if given is not None and not isinstance(given, bool):
        raise InputError(Fault(f"{key} is {seen(given)}", expected="true or false"))
    return default if given is None else given


def contract_in(arguments: Mapping[str, Any], default: str = "rankproof") -> Contract:
    """Return the contract asked for: a preset's name or a contract as JSON, with `rules` changed.

    `rules` is an object of rule and answer, or a list of `rule=answer`. ContractError for what is not known.
    """
    given, rules = arguments.get("contract"), arguments.get("rules")
    if isinstance(given, str) and given not in PRESETS and given:
        hint = f"nearest: {nearest(given, PRESETS)}"  # a name that ends in .toml would be read from the disk
        raise ContractError(Fault(f"there is no contract {seen(given)}", hint=hint))
    if given is not None and not isinstance(given, (str, Mapping)):
        raise ContractError(Fault(f"contract is {seen(given)}", expected="a preset's name, or a contract as JSON"))
    return contract_of(given or default, **_rules_in(rules))


def _rules_in(given: object) -> Mapping[str, object]:
    if given is None:
        return {}
    if isinstance(given, Mapping):
        return {known_rule(str(name)): answer for name, answer in given.items()}
    if isinstance(given, list) and all(isinstance(one, str) for one in given):
        return read_rules(given)
    raise ContractError(
        Fault(f"rules are {seen(given)}", expected="an object of rule and answer, or rule=answer texts")
    )


def settings_in(arguments: Mapping[str, Any]) -> Settings:
    """Return how to compare, with the command line's defaults. MeasureError for what cannot be."""
    names = [one.name for one in fields(Settings)]
    return settings_of({name: arguments[name] for name in names if arguments.get(name) is not None})


def counts_in(arguments: Mapping[str, Any], key: str, most: int = 20) -> list[int]:
    """Return whole numbers from 1 on, ascending, each once; none where none are given. InputError for others."""
    given = arguments.get(key)
    if given is None:
        return []
    if not isinstance(given, list) or len(given) > most:
        raise InputError(Fault(f"{key} is {seen(given)}", expected=f"a list of at most {most} whole numbers"))
    for one in given:
        check_count(key, one)
    return sorted(set(given))
