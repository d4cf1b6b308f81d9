"""Which settings does a database engine have, and what was chosen?"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import NamedTuple

from rankproof.arithmetic import number_of
from rankproof.errors import Fault, Faults, InputError, nearest


class Setting(NamedTuple):
    """A setting's value where none is given, what it decides, and its possible values where these are few."""

    default: str
    says: str
    allowed: tuple[str, ...] = ()


BOOLEAN = ("false", "true")


def chosen(given: Mapping[str, str], known: Mapping[str, Setting], engine: str) -> dict[str, str]:
    """Return every known setting, as given or by default. InputError for unknown names and values."""
    faults = Faults()
    for name, value in given.items():
        if name not in known:
            hint = f"did you mean {nearest(name, known, 1)}?"
            faults.add(Fault(f"{engine} has no setting {name!r}", expected=f"one of {', '.join(known)}", hint=hint))
        elif (allowed := known[name].allowed) and value not in allowed:
            faults.add(Fault(f"the setting {name} cannot be {value!r}", expected=f"one of {', '.join(allowed)}"))
    faults.raise_any()
    return {name: given.get(name, setting.default) for name, setting in known.items()}


def refuse_unused(given: Mapping[str, str], names: tuple[str, ...], reason: str) -> None:
    """Refuse settings that were given but decide nothing here: silence would hide it."""
    if unused := [name for name in names if name in given]:
        raise InputError(Fault(f"the setting {', '.join(unused)} {reason}", hint="leave it out"))


def names_in(value: str) -> list[str]:
    """Return the names in a list with commas."""
    return [name.strip() for name in value.split(",") if name.strip()]


def numbers_in(name: str, value: str) -> list[float]:
    """Return the finite numbers in a list with commas. InputError for anything else."""
    found = [number_of(part) for part in names_in(value)]
    numbers = [number for number in found if number is not None and isfinite(number)]
    if len(numbers) < len(found):
        raise InputError(Fault(f"the setting {name} cannot be {value!r}", expected="numbers with commas, such as 2,1"))
    return numbers


def whole_in(name: str, value: str, least: int, most: int) -> int:
    """Return a whole number from `least` to `most`. InputError for anything else."""
    number = int(value) if value.isascii() and value.isdigit() and len(value) < 10 else -1
    if not least <= number <= most:
        expected = f"a whole number from {least} to {most}"
        raise InputError(Fault(f"the setting {name} cannot be {value!r}", expected=expected))
    return number
