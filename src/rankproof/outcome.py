"""What is one query's value, and why has it none?"""

from __future__ import annotations

from math import isfinite
from typing import NamedTuple

from rankproof.contract import Contract
from rankproof.errors import ContractError, Fault, MeasureError
from rankproof.measures import MEASURES, Measure
from rankproof.measures.ties import expected
from rankproof.model import Placements, Value

NO_RELEVANT = "no relevant document"
NOTHING_TO_DIVIDE = "nothing to divide by"


class Outcome(NamedTuple):
    """A value with, where it was not computed, the reason: None is undefined, 0 is 0 by rule."""

    value: Value
    reason: str | None = None


def outcome(measure: Measure, at: Placements, contract: Contract) -> Outcome:
    """Return one query's outcome under the contract in effect for the measure.

    With expected ties the value is the mean over their orders. Raises ContractError where a query without relevant
    documents is refused, MeasureError where the value is not defined for these grades or ties.
    """
    if measure.needs_relevant and not measure.has_relevant(at, contract):
        if contract.no_relevant == "error":
            hint = "--rule no-relevant=skip leaves it out, =zero gives it 0"
            raise ContractError(Fault(f"no relevant document for {measure}", about="qrels", hint=hint))
        return Outcome(0.0 if contract.no_relevant == "zero" else None, NO_RELEVANT)
    found = _computed(measure, at, contract)
    if not measure.normaliser(at, contract):
        return Outcome(found, NOTHING_TO_DIVIDE)
    return Outcome(whole(measure, found))


def _computed(measure: Measure, at: Placements, contract: Contract) -> Value:
    """Return the value; what is wrong with a measure of another package is an error that names it."""
    try:
        tied = at.ties and contract.ties == "expected"
        found = expected(measure, at, contract) if tied else measure.value(at, contract)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        if measure.symbol in MEASURES:
            raise  # our own fault: a traceback is what mends it
        raise MeasureError(Fault(f"{measure} fails: {type(error).__name__}: {error}")) from error
    if found is not None and not isfinite(found):
        raise MeasureError(Fault(f"{measure} gives {found}", expected="a finite value, or None"))
    return found


def whole(measure: Measure, found: Value) -> Value:
    """Return a count as a whole number, where it is one: under expected ties it may have a fraction."""
    return int(found) if measure.over_queries == "sum" and found is not None and found == int(found) else found
