"""How is a grade read, and what if a document is judged twice?"""

from __future__ import annotations

from math import isfinite
from numbers import Integral, Real

from rankproof.arithmetic import number_of
from rankproof.contract import Contract
from rankproof.errors import Fault, Faults
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
    if isinstance(given, Integral):
        return int(given) if abs(int(given)) <= 10**300 else None
    return float(given) if isinstance(given, Real) else None


def judge_again(
    judgments: dict[str, Grade], doc: str, grade: Grade, contract: Contract, faults: Faults, where: Fault
) -> None:
    """Apply the rule for a document that is judged a second time for one query; `where` names file, line and query."""
    if contract.duplicate_judgment == "error":
        message = f"judged twice: grade {grade} here, {judgments[doc]} before"
        hint = "--rule duplicate-judgment=keep-last or keep-highest says which one counts"
        faults.add(Fault(message, where.file, where.line, query_id=where.query_id, doc_id=doc, hint=hint))
    elif contract.duplicate_judgment == "keep-last" or grade > judgments[doc]:
        judgments[doc] = grade
