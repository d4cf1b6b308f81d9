"""How is a search service asked over HTTP, and where in its answer do the documents stand?"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rankproof.engines.filling import fill_text, places
from rankproof.engines.hiding import (
    authorizes,
    hashed,
    is_from_environment,
    is_literal_secret,
    names_secret,
    without_user,
)
from rankproof.engines.presets import PRESETS, preset_text
from rankproof.engines.settings import effective_settings
from rankproof.errors import Fault, Faults, InputError, nearest

_NUMBER = (int, float)
KEYS: Mapping[str, tuple[type | tuple[type, ...], str]] = {
    "extends": (str, "the name of a preset"),
    "url": (str, 'an address that begins with {engine} and has no parameters, such as "{engine}/{index}/_search"'),
    "method": (str, "GET or POST"),
    "headers": (dict, "a table of texts"),
    "params": (dict, "a table of texts, numbers or booleans"),
    "body": ((dict, str), "a table, or JSON as a text"),
    "hits": (str, "a JSONPath"),
    "id": (str, "a JSONPath"),
    "id-pattern": (str, "a regular expression with one group"),
    "score": (str, "a JSONPath"),
    "score-order": (str, "descending or ascending"),
    "refuse-if": (list, "a list of JSONPaths"),
    "ok-empty": (bool, "true or false"),
    "max-k": (int, "a whole number"),
    "timeout": (_NUMBER, "seconds"),
    "settings": (dict, "a table of texts, numbers, booleans or lists of texts"),
}
"""What a mapping may hold, of which type, and how that is called; docs/engines.md says what each means."""

_ADDRESS = re.compile(r"\{engine\}(/[^?#]*)?")
_METHODS = ("GET", "POST")
_ORDERS = ("descending", "ascending")
_ASKED = ("query", "k", "vector")
_FILLED_ONCE = ("hits", "id", "score", "score-order")
_SECRETS_ALLOWED = ("headers", "params")
_HELD: Mapping[str, tuple[type, ...]] = {"headers": (str,), "params": (str, *_NUMBER)}


@dataclass(frozen=True)
class HttpMapping:
    """One service's mapping with its settings in effect: templates of the request, and paths into the answer."""

    name: str  # the preset, or the file without its ending
    source: str  # for messages
    url: str
    method: str
    headers: Mapping[str, Any]
    params: Mapping[str, Any]
    body: Any  # None: no body
    hits: str  # JSONPath of the list of hits
    id: str  # in a hit
    id_pattern: str | None
    score: str | None  # in a hit; None: the order given ranks
    ascending: bool  # a smaller score is better
    refuse_if: Sequence[str]
    ok_empty: bool
    max_k: int | None
    timeout: float | None  # seconds
    settings: Mapping[str, Any]

    @property
    def needs_vector(self) -> bool:
        """Return whether a vector of the query is asked for."""
        return "vector" in places([self.params, self.body])

    def secrets(self) -> list[str]:
        """Return the names of its secrets, each with a $ in front."""
        names = dict.fromkeys(places([self.headers, self.params]))
        return [name for name in names if name.startswith("$")]

    def deciding(self) -> dict[str, Any]:
        """Return all that decides the answers, ready for JSON.

        Values that may be secrets are hashed: those in headers, and of settings that stand there or are named like one.
        """
        authorizing = [part for name, part in _members(self.body) if authorizes(name)]
        inside = set(places([self.headers, authorizing]))
        return {
            **{key: part for key, part in asdict(self).items() if key not in ("name", "source", "timeout")},
            "headers": {
                name: part if is_from_environment(part) else hashed(part) for name, part in self.headers.items()
            },
            "settings": {
                name: hashed(value) if name in inside or names_secret(name) else value
                for name, value in self.settings.items()
            },
        }


def read_mapping(given: str | Path, settings: Mapping[str, str] | None = None) -> HttpMapping:
    """Read a preset by its name, or a TOML file, and put the settings in. InputError for all that is wrong with it."""
    name, source, content = _content(given)
    faults = Faults()
    for fault in _wrong_keys(content, source):
        faults.add(fault)
    faults.raise_any()
    if isinstance(content.get("body"), str):
        content["body"] = _json_body(content["body"], source)
    for fault in (*_wrong_places(content, source), *_literal_secrets(content, source), *_wrong_values(content, source)):
        faults.add(fault)
    faults.raise_any()
    used = dict.fromkeys(places({key: part for key, part in content.items() if key not in ("settings", "id-pattern")}))
    wanted = [one for one in used if not one.startswith("$") and one not in (*_ASKED, "engine")]
    in_effect = effective_settings(content.get("settings", {}), wanted, settings or {}, source)
    filled = {key: fill_text(content[key], in_effect) for key in _FILLED_ONCE if key in content}
    return _mapping(name, source, {**content, **filled}, in_effect)


def _content(given: str | Path) -> tuple[str, str, dict[str, Any]]:
    if str(given) in PRESETS:
        return str(given), f"preset {given}", tomllib.loads(preset_text(str(given)))
    path = Path(given)
    if path.suffix != ".toml":
        shown = without_user(str(given))
        hint = f"nearest: {nearest(shown, PRESETS, 1)}; or a file ending in .toml"
        raise InputError(Fault(f"there is no mapping {shown!r}", expected=", ".join(PRESETS), hint=hint))
    try:
        content = tomllib.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise InputError(Fault(f"cannot be read: {error.strerror}", str(path))) from error
    except ValueError as error:
        raise InputError(Fault(f"is not TOML: {error}", str(path))) from error
    if "extends" in content:
        if content["extends"] not in PRESETS:
            raise InputError(Fault(f"extends {content['extends']!r}", str(path), expected=", ".join(PRESETS)))
        content = _merged(tomllib.loads(preset_text(content["extends"])), content)
    return path.stem, str(path), content


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Return both tables in one; where both have a key, tables are merged and another value is the one above."""
    both = {
        key: _merged(below[key], part) if isinstance(part, dict) and isinstance(below.get(key), dict) else part
        for key, part in above.items()
    }
    return {**below, **both}


def _wrong_keys(content: Mapping[str, Any], source: str) -> list[Fault]:
    faults = []
    for key, value in content.items():
        if key not in KEYS:
            hint = f"did you mean {nearest(key, KEYS, 1)}?"
            faults.append(Fault(f"unknown key {key!r}", source, expected=", ".join(KEYS), hint=hint))
        elif not isinstance(value, KEYS[key][0]) or (isinstance(value, bool) and KEYS[key][0] is not bool):
            faults.append(Fault(_is(key, value), source, expected=KEYS[key][1]))
    missing = [key for key in ("hits", "id") if key not in content]
    return [*faults, *(Fault(f"has no {key}", source, expected=KEYS[key][1]) for key in missing)]


def _json_body(text: str, source: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        hint = 'places stand inside JSON texts: {"q": "{query}", "limit": "{k}"}'
        raise InputError(Fault(f"the body is no JSON: {error}", source, hint=hint)) from error


def _wrong_places(content: Mapping[str, Any], source: str) -> list[Fault]:
    """Return what stands where it must not: secrets in what is recorded, a query in an address."""
    faults = []
    for key, part in content.items():
        if key in ("settings", "id-pattern"):
            continue
        for name in places(part):
            if name.startswith("$") and key not in _SECRETS_ALLOWED:
                hint = "a secret stands in [headers] or [params]"
                faults.append(Fault(f"{key} asks for the secret ${{{name[1:]}}}", source, hint=hint))
            elif name == "engine" and key != "url":
                faults.append(Fault(f"{{engine}} stands in {key}", source, expected="only in url"))
            elif name in _ASKED and key not in ("params", "body"):
                faults.append(Fault(f"{{{name}}} stands in {key}", source, expected="only in [params] or the body"))
    return faults


def _literal_secrets(content: Mapping[str, Any], source: str) -> list[Fault]:
    """Return which headers, parameters and members of the body hold a secret itself, which is not shown."""
    found = [
        (key, name)
        for key in _SECRETS_ALLOWED
        for name, part in content.get(key, {}).items()
        if is_literal_secret(name, part)
    ]
    found += [
        ("body", name)
        for name, part in _members(content.get("body"))
        if part and authorizes(name) and not any(places(part))
    ]
    hint = 'in [headers] or [params]: Authorization = "Bearer ${NAME}", with NAME set in the environment'
    return [Fault(f"[{key}] holds a secret in {name} itself", source, hint=hint) for key, name in found]


def _members(body: Any) -> Iterator[tuple[str, str]]:
    """Yield the members of a body's tables, at any depth, whose values are texts."""
    if isinstance(body, Mapping):
        for name, part in body.items():
            if isinstance(part, str):
                yield name, part
            yield from _members(part)
    elif isinstance(body, list):
        for part in body:
            yield from _members(part)


def _wrong_values(content: Mapping[str, Any], source: str) -> list[Fault]:
    checks: Mapping[str, Callable[[Any], bool]] = {
        "url": lambda url: bool(_ADDRESS.fullmatch(url)),
        "method": lambda method: method in _METHODS and not (method == "GET" and "body" in content),
        "headers": lambda table: all(isinstance(part, _HELD["headers"]) for part in table.values()),
        "params": lambda table: all(isinstance(part, _HELD["params"]) for part in table.values()),
        "id-pattern": _has_one_group,
        "refuse-if": lambda paths: all(isinstance(path, str) for path in paths),
        "max-k": lambda most: most > 0,
        "timeout": lambda seconds: 0 < seconds < float("inf"),
    }
    wrong = [key for key, holds in checks.items() if key in content and not holds(content[key])]
    return [Fault(_is(key, content[key]), source, expected=_expected(key, content)) for key in wrong]


def _is(key: str, value: Any) -> str:
    """Return what a key holds; no value where a secret may stand."""
    if key in _SECRETS_ALLOWED:
        if not isinstance(value, Mapping):
            return f"{key} is no table"
        return (
            f"{key} is wrong at {', '.join(name for name, part in value.items() if not isinstance(part, _HELD[key]))}"
        )
    return f"{key} is {(without_user(value) if key == 'url' else value)!r}"


def _expected(key: str, content: Mapping[str, Any]) -> str:
    return "POST, since there is a body" if key == "method" and "body" in content else KEYS[key][1]


def _has_one_group(pattern: str) -> bool:
    try:
        return re.compile(pattern).groups == 1
    except re.error:
        return False


def _mapping(name: str, source: str, content: Mapping[str, Any], settings: Mapping[str, Any]) -> HttpMapping:
    order = content.get("score-order", _ORDERS[0])
    if order not in _ORDERS:
        raise InputError(Fault(f"score-order is {order!r}", source, expected=KEYS["score-order"][1]))
    return HttpMapping(
        name=name,
        source=source,
        url=content.get("url", "{engine}"),
        method=content.get("method", "POST" if "body" in content else "GET"),
        headers=content.get("headers", {}),
        params=content.get("params", {}),
        body=content.get("body"),
        hits=content["hits"],
        id=content["id"],
        id_pattern=content.get("id-pattern"),
        score=content.get("score") or None,
        ascending=order == "ascending",
        refuse_if=tuple(content.get("refuse-if", ())),
        ok_empty=content.get("ok-empty", False),
        max_k=content.get("max-k"),
        timeout=content.get("timeout"),
        settings=settings,
    )
