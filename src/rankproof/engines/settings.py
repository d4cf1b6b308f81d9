"""Which settings does a mapping have, and what are they?"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rankproof.errors import Fault, Faults, InputError, nearest

_NAME = re.compile(r"[a-z][a-z0-9-]*")
_BOOLEANS = {"true": True, "false": False}

_READ: Mapping[type, tuple[Callable[[str], Any], str]] = {
    str: (str, "a text"),
    bool: (lambda text: _BOOLEANS[text.lower()], "true or false"),
    int: (int, "a whole number"),
    float: (float, "a number"),
    list: (lambda text: [part.strip() for part in text.split(",")], "texts, separated by commas"),
}
"""How a setting is read, by the type of its default."""


def effective_settings(
    defaults: Mapping[str, Any], wanted: Sequence[str], given: Mapping[str, str], source: str
) -> dict[str, Any]:
    """Return each setting's value: the given one, of its default's type, or the default; None for an empty default.

    `wanted` are the names that the templates use. InputError for an unknown setting, or one that has to be given.
    """
    faults = Faults()
    for name, default in defaults.items():
        if type(default) not in _READ or not _NAME.fullmatch(name):
            expected = "small letters, digits and hyphens; a text, a number, true or false, or a list of texts"
            faults.add(Fault(f"the setting {name} is {default!r}", source, expected=expected))
    known = list(dict.fromkeys([*wanted, *defaults]))
    for name in given:
        if name not in known:
            hint = f"did you mean {nearest(name, known, 1)}?" if known else None
            faults.add(Fault(f"there is no setting {name!r}", source, expected=", ".join(known) or "none", hint=hint))
    for name in wanted:
        if name not in defaults and not given.get(name):
            faults.add(Fault(f"the setting {name} has to be given", source, hint=f"--set {name}=…"))
    faults.raise_any()
    values = {name: _read(name, given[name], defaults.get(name, ""), source) for name in known if name in given}
    return {name: None if value == "" else value for name, value in {**defaults, **values}.items()}


def _read(name: str, text: str, default: Any, source: str) -> Any:
    reader, expected = _READ[type(default)]
    try:
        return reader(text)
    except (KeyError, ValueError):
        raise InputError(Fault(f"the setting {name} is {text!r}", source, expected=expected)) from None
