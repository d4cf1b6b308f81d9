"""How are numbers read, and floats added so that the same bits come out everywhere?

`sum` is not used for floats: its result changed with Python 3.12.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from math import exp, fsum, log
from operator import add as _add
from typing import Literal, TypeAlias

from rankproof.errors import Fault, MeasureError, RankproofError, seen

Summation: TypeAlias = Literal["exact", "sequential"]
OverQueries: TypeAlias = Literal["mean", "sum", "geometric-mean"]

GEOMETRIC_FLOOR = 0.00001
"""The least value that enters a geometric mean (trec_eval's): a zero would make the whole mean zero."""

SAME = 1e-12
"""Two values that differ by less are the same: rounding, not change."""


def add(amounts: Iterable[float], summation: Summation) -> float:
    """Return the sum, correctly rounded once (`exact`) or from left to right (`sequential`, as in C)."""
    if summation == "exact":
        return fsum(amounts)
    return reduce(_add, amounts, 0.0)


def over_queries(values: Iterable[float | None], how: OverQueries, summation: Summation) -> float | None:
    """Return the mean, sum or geometric mean of the defined values; None when there are none."""
    defined = [value for value in values if value is not None]
    if not defined:
        return None
    if how == "sum":
        return add(defined, summation)
    if how == "mean":
        return add(defined, summation) / len(defined)
    return exp(add((log(max(value, GEOMETRIC_FLOOR)) for value in defined), summation) / len(defined))


def check_count(name: str, given: object, error: type[RankproofError] = MeasureError) -> None:
    """Refuse what is no whole number from 1 on."""
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        raise error(Fault(f"{name} cannot be {seen(given)}", expected="a whole number from 1 on"))


def check_confidence(given: object, error: type[RankproofError] = MeasureError) -> None:
    """Refuse what is no level of confidence that an interval can have."""
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not 0.5 <= given <= 0.9999:
        expected = "a number from 0.5 to 0.9999, such as 0.95"
        raise error(Fault(f"confidence cannot be {seen(given)}", expected=expected))


def number_of(text: str | bytes) -> float | None:
    """Return the number that a text spells, NaN and infinity too; None where it spells none (Python's `1_000`, say)."""
    try:
        number = float(text)
    except ValueError:
        return None
    return None if (b"_" in text if isinstance(text, bytes) else "_" in text) else number
