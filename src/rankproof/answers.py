"""How is the answer to a rule of the contract read, checked and spelled?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal

from rankproof.arithmetic import number_of
from rankproof.errors import ContractError, Fault

Stage = Literal["read", "place", "queries", "value"]
"""When a rule acts: as files are read, as rankings are placed, as queries enter the mean, as a value is made."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A question with its possible answers."""

    question: str
    stage: Stage
    kind: str  # choice, number, count, table, grades or text
    means: Mapping[str, str]  # a sentence for each choice
    unmarked: tuple[object, ...] = ()  # answers as before the rule was there: no fingerprint shows them

    def checked(self, name: str, value: object) -> Any:
        """Return the answer in its one form, from a typed value or its spelling; refuse any other."""
        try:
            return _READERS[self.kind](self, value)
        except (TypeError, ValueError, OverflowError):
            expected = {
                "choice": f"one of {', '.join(self.means)}",
                "number": "a finite number above 0",
                "count": "a whole number from 1 on, or none",
                "table": "grades with their gains, such as 1:0.5,2:1",
                "grades": "grades with the grades they stand for, such as 1=4,2=3,3=2,4=1",
                "text": "text without white space",
            }[self.kind]
            raise ContractError(Fault(f"{kebab(name)} cannot be {value!r}", expected=expected)) from None

    def says(self, value: object) -> str:
        """Return what an answer means, in words."""
        return self.means.get(str(value), spell(value))


def kebab(name: str) -> str:
    """Return a rule's name as files, options and pages spell it."""
    return name.replace("_", "-")


def spell(value: object) -> str:
    """Return an answer as an option takes it: `expected`, `2`, `none`, `1:0.5,2:1`."""
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return ",".join(f"{spell(grade)}:{spell(gain)}" for grade, gain in value)
    return repr(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def jsonable(value: object) -> object:
    """Return an answer as JSON holds it: a gain table as an object."""
    return {spell(grade): gain for grade, gain in value} if isinstance(value, tuple) else value


def _choice(rule: Rule, value: object) -> object:
    if value not in rule.means:
        raise ValueError(value)
    return value


def _finite(value: object) -> float:
    number = number_of(value) if isinstance(value, str) else value
    if isinstance(number, bool) or not isinstance(number, (int, float)) or not isfinite(number):
        raise ValueError(value)
    return float(number) + 0.0  # -0.0 is 0.0


def _number(_: Rule, value: object) -> object:
    number = _finite(value)
    if number <= 0:
        raise ValueError(value)
    return number


def _count(_: Rule, value: object) -> object:
    if value is None or value == "none":
        return None
    number = _finite(value)
    if number < 1 or not number.is_integer():
        raise ValueError(value)
    return int(number)


def _table(rule: Rule, value: object) -> object:
    table = _grades(rule, value)
    if table is not None and min(gain for _, gain in table) < 0:
        raise ValueError(value)
    return table


def _grades(_: Rule, value: object) -> tuple[tuple[float, float], ...] | None:
    if value is None or value == "none":
        return None
    if isinstance(value, str):
        pairs = [pair.replace("=", ":").split(":") for pair in value.split(",")]
    else:
        pairs = [list(pair) for pair in (value.items() if isinstance(value, Mapping) else value)]  # type: ignore[attr-defined]  # a TypeError here is caught
    table = {_finite(grade): _finite(other) for grade, other in pairs}
    if not table or len(table) != len(pairs) or max(map(abs, table.values())) > 2**53:
        raise ValueError(value)
    return tuple(sorted(table.items()))


def _text(_: Rule, value: object) -> object:
    if not isinstance(value, str) or not value or value.split() != [value]:
        raise ValueError(value)
    return value


_READERS = {"choice": _choice, "number": _number, "count": _count, "table": _table, "grades": _grades, "text": _text}
