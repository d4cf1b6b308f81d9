"""What is one query's value, and why has it none?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from math import isfinite
from typing import Any, NamedTuple

from rankproof.contract import Contract
from rankproof.errors import ContractError, Fault, Faults, MeasureError, RankproofError
from rankproof.measures import MEASURES, Measure
from rankproof.measures.ties import expected
from rankproof.model import Placements, Stacked, Value

NO_RELEVANT = "no relevant document"
NOTHING_TO_DIVIDE = "nothing to divide by"


class Outcomes(NamedTuple):
    """The values of many queries, and the reasons, by query, of those that were not computed."""

    query_ids: Sequence[str]
    values: Sequence[Value]  # parallel
    reasons: Mapping[str, str]


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


def outcomes(measure: Measure, queries: Mapping[str, Placements], contract: Contract) -> Outcomes:
    """Return the outcomes of all queries under the contract in effect for the measure.

    ContractError lists the queries that are refused, MeasureError names the first whose value is not defined.
    """
    if isinstance(queries, Stacked):
        together = import_module("rankproof.measures.together")  # no part of the lab's page: placements are not stacked
        try:
            parts = together.parts_of(measure, queries, contract)
        except MeasureError:  # it names no query
            parts = None
        if parts is not None:
            return _together(measure, queries, contract, parts)
    return _listed(_each(measure, queries, contract))


def _listed(found: Mapping[str, Outcome]) -> Outcomes:
    return Outcomes(
        tuple(found),
        [one.value for one in found.values()],
        {query: one.reason for query, one in found.items() if one.reason is not None},
    )


def _each(measure: Measure, queries: Mapping[str, Placements], contract: Contract) -> dict[str, Outcome]:
    found: dict[str, Outcome] = {}
    refused = Faults(ContractError)
    for query, at in queries.items():
        try:
            found[query] = outcome(measure, at, contract)
        except RankproofError as error:
            named = [replace(fault, query_id=fault.query_id or query) for fault in error.faults]
            if not isinstance(error, ContractError):
                raise type(error)(*named) from error
            for fault in named:  # as many queries as are refused for the same reason, not the first alone
                refused.add(fault)
    refused.raise_any()
    return found


def _together(measure: Measure, queries: Stacked, contract: Contract, parts: Any) -> Outcomes:
    """Return the outcomes of stacked placements from the parts of their values (`measures.together.Parts`)."""
    import numpy as np  # noqa: PLC0415 - an extra, loaded where placements are stacked

    ids, reasons = queries.query_ids, {}
    divides = parts.normaliser != 0
    without = ~parts.has_relevant if measure.needs_relevant else np.zeros(len(ids), bool)
    if contract.no_relevant == "error" and without.any():
        return _listed(_each(measure, queries, contract))  # says which ones
    numbers = np.divide(parts.total, parts.normaliser, out=np.zeros(len(ids)), where=divides)
    if not np.isfinite(numbers).all():
        return _listed(_each(measure, queries, contract))
    values: list[Value] = numbers.tolist()
    if measure.over_queries == "sum":
        values = [whole(measure, value) for value in values]
    rules: list[tuple[Any, Value, str]] = [
        (~divides & ~without, 0.0 if contract.zero_denominator == "zero" else None, NOTHING_TO_DIVIDE),
        (without, 0.0 if contract.no_relevant == "zero" else None, NO_RELEVANT),
    ]
    for which, value, reason in rules:
        for at in np.flatnonzero(which).tolist():
            values[at], reasons[ids[at]] = value, reason
    if contract.ties == "expected":
        tied = {ids[at]: queries.of(at) for at in queries.ties}
        for at, (query, one) in zip(queries.ties, _each(measure, tied, contract).items(), strict=True):
            values[at] = one.value
            reasons.pop(query, None)
            if one.reason is not None:
                reasons[query] = one.reason
    return Outcomes(ids, values, reasons)
