"""How is a grade read, and what if a document is judged twice?"""

from __future__ import annotations

import warnings
from dataclasses import replace
from math import isfinite
from numbers import Integral, Real

from rankproof.arithmetic import number_of
from rankproof.contract import Contract
from rankproof.errors import Fault, Faults, RankproofWarning
from rankproof.model import Grade

LARGEST = 2**53
"""Beyond it a double no longer holds every whole number, and a grade is a mistake."""

EXPECTED = "a finite number of at most 2^53"


def grade_of(given: object) -> Grade | None:
    """Return a grade as written or given: an int where it is one, else the nearest double; None for anything else."""
    number = _spelled(given) if isinstance(given, (str, bytes)) else numeric(given)
    return number if number is not None and isfinite(number) and abs(number) <= LARGEST else None


def _spelled(text: str | bytes) -> int | float | None:
    number = number_of(text)
    if number is None or not isfinite(number) or abs(number) > LARGEST:
        return None
    try:
        return int(text)
    except ValueError:
        return number


def numeric(given: object) -> int | float | None:
    """Return a number as int or float, whichever type it comes in; None for anything else, and for one too large."""
    try:
        if isinstance(given, Integral):
            return int(given) if isfinite(int(given)) else None
        return float(given) if isinstance(given, Real) else None
    except OverflowError:
        return None


class Rejudged:
    """Applies the rule for documents that are judged a second time for one query, and says how many there were."""

    def __init__(self, contract: Contract, faults: Faults) -> None:
        """Judge under this contract; note faults where it refuses a second judgment."""
        self._rule = contract.duplicate_judgment
        self._faults = faults
        self._count = 0
        self._first: Fault | None = None

    def judge(self, judgments: dict[str, Grade], doc: str, grade: Grade, where: Fault) -> None:
        """Judge a document that `judgments` holds already; `where` names file, line and query."""
        before = judgments[doc]
        if self._rule == "error":
            message = f"judged twice: grade {grade} here, {before} before"
            hint = "--rule duplicate-judgment=keep-last or keep-highest says which one counts"
            self._faults.add(replace(where, message=message, doc_id=doc, hint=hint))
            return
        judgments[doc] = grade if self._rule == "keep-last" else max(grade, before)
        self._count += 1
        if self._first is None:
            message = f"judged twice, {before} and {grade}; {judgments[doc]} counts"
            self._first = replace(where, message=message, doc_id=doc)

    def tell(self) -> None:
        """Say, once, what a rule other than `error` left out."""
        if self._first is not None:
            more = f", and {self._count - 1} more" if self._count > 1 else ""
            warnings.warn(f"{self._first}{more} (duplicate-judgment = {self._rule})", RankproofWarning, stacklevel=3)
