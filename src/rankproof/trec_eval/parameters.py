"""How are the parameters behind a measure's name read: `P.5,10`, `iprec_at_recall..10,.20`, `ndcg.1=3,2=9`?

Each raises MeasureError for what it cannot read; `name` is the measure's, for the message.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from rankproof.arithmetic import number_of
from rankproof.errors import Fault, MeasureError

LARGEST = 2**53
_NUMBERS = "numbers parted by commas, such as .25,.5,.75"
_CUTOFFS = "whole numbers from 1 on, parted by commas, such as 5,10"
_PAIRS = "grade=gain parted by commas, such as 1=3,2=9"


def numbers(name: str, text: str) -> tuple[float, ...]:
    """Return numbers in the order given."""
    return tuple(_number(name, one, _NUMBERS) for one in text.split(","))


def levels(name: str, text: str) -> tuple[float, ...]:
    """Return numbers in ascending order, each once."""
    return _ascending(name, numbers(name, text))


def cutoffs(name: str, text: str) -> tuple[int, ...]:
    """Return whole numbers from 1 on in ascending order, each once; of a fraction the whole part, as trec_eval does."""
    found = [int(_number(name, one, _CUTOFFS)) for one in text.split(",")]
    if min(found) < 1:
        raise MeasureError(Fault(f"{name}: cutoff {min(found)}", expected=_CUTOFFS))
    return tuple(map(int, _ascending(name, found)))


def gains(name: str, text: str) -> Mapping[float, float]:
    """Return gains by grade."""
    found = {_number(name, grade, _PAIRS): gain for grade, gain in pairs(name, text).items()}
    if min(found.values()) < 0:
        raise MeasureError(Fault(f"{name}: gain {min(found.values()):g}", expected="gains of 0 or more"))
    return found


def pairs(name: str, text: str) -> Mapping[str, float]:
    """Return numbers by what stands before their =, each once."""
    found: dict[str, float] = {}
    for one in text.split(","):
        key, equals, value = one.partition("=")
        if not equals or key in found:
            why = f"{key} is given twice" if equals else f"parameter {one!r}"
            raise MeasureError(Fault(f"{name}: {why}", expected=_PAIRS))
        found[key] = _number(name, value, _PAIRS)
    return found


def _number(name: str, text: str, expected: str) -> float:
    number = number_of(text)
    if number is None or not isfinite(number) or abs(number) > LARGEST:
        raise MeasureError(Fault(f"{name}: parameter {text!r}", expected=expected))
    return number


def _ascending(name: str, found: tuple[float, ...] | list[int]) -> tuple[float, ...]:
    if len(set(found)) < len(found):
        raise MeasureError(Fault(f"{name}: a parameter is given twice", expected="each once"))
    return tuple(sorted(found))
