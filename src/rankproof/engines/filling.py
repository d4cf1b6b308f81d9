"""How does a template become a request? `{name}` is a place to fill, `${NAME}` one for a secret."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

PLACE = re.compile(r"\$\{([A-Za-z_]\w*)\}|\{([a-z][a-z0-9-]*)\}")
"""`${NAME}` or `{name}`; other braces are text."""

_LEFT_OUT = object()


def fill(template: Any, values: Mapping[str, Any]) -> Any:
    """Return a copy of tables, lists and texts with their places filled, in one pass: what is filled in is no template.

    A text that is one place becomes the value as it is, so that "{k}" is a number in JSON; inside a longer text a value
    is spelled. Values stand under their names, secrets under $NAME. What is None leaves out the member of its table.
    """
    if isinstance(template, str):
        return _filled(template, values)
    if isinstance(template, Mapping):
        pairs = ((fill_text(key, values), fill(part, values)) for key, part in template.items())
        return {key: part for key, part in pairs if part is not _LEFT_OUT}
    if isinstance(template, list):
        return [part for part in (fill(one, values) for one in template) if part is not _LEFT_OUT]
    return template


def _filled(template: str, values: Mapping[str, Any]) -> Any:
    whole = PLACE.fullmatch(template)
    if whole is None:
        return fill_text(template, values)
    value = values[_name(whole)]
    return _LEFT_OUT if value is None else value


def fill_text(template: str, values: Mapping[str, Any]) -> str:
    """Return a text with its places filled by spelled values; None is spelled as nothing."""
    return PLACE.sub(lambda place: spelled(values[_name(place)]), template)


def fill_url(template: str, values: Mapping[str, Any], engine: str) -> str:
    """Return an address: `{engine}` as it is, whatever else is filled in percent-encoded."""
    quoted = {name: quote(spelled(value), safe="") for name, value in values.items()}
    return fill_text(template, {**quoted, "engine": engine})


def spelled(value: Any) -> str:
    """Return a value as text: lists joined by commas, booleans as in JSON, None as nothing."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return ",".join(map(spelled, value))
    return "" if value is None else str(value)


def places(template: Any) -> Iterator[str]:
    """Yield the names of a template's places; those of secrets begin with $."""
    if isinstance(template, str):
        yield from map(_name, PLACE.finditer(template))
    elif isinstance(template, Mapping):
        for key, part in template.items():
            yield from places(key)
            yield from places(part)
    elif isinstance(template, list):
        for part in template:
            yield from places(part)


def _name(place: re.Match[str]) -> str:
    return f"${place[1]}" if place[1] else place[2]
