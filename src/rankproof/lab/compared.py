"""What are the values of what the page gave, before and after, and what do they show?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankproof.compare import compare
from rankproof.compare.compare import check_answered
from rankproof.compare.pairs import check_comparable
from rankproof.compare.settings import Settings
from rankproof.evaluate import evaluate, values_of, with_ideal_beside
from rankproof.lab.asked import Asked
from rankproof.model import Run, Value
from rankproof.outcome import outcome
from rankproof.placements import place_query
from rankproof.rerank import LabResult, rerank_lab
from rankproof.rerank.lab import lab_measures
from rankproof.values import ValuesOfRuns


def two_runs(of: Asked, settings: Settings, *, tested: bool) -> LabResult:
    """Return both runs side by side. ContractError for what the contract forbids, and for runs of other queries.

    `tested`: runs that came as files of their own are compared as `rankproof compare` does.
    """
    if of.is_lab:
        found = rerank_lab(of.lab, of.k, of.contract, settings)
        check_comparable(found.before, [found.after])
        return found
    measures, (first, second) = lab_measures(of.k), of.runs
    if tested:
        compared = compare(of.qrels, first, [second], measures, of.contract, **settings.to_dict())
        return LabResult(of.k, compared.baseline, compared.runs[second.name], settings, compared)
    check_answered(of.qrels, of.runs)
    before, after = (values_of(of.qrels, run, measures, of.contract) for run in (first, second))
    check_comparable(before, [after])
    return LabResult(of.k, before, after, settings)


def one_run(of: Asked) -> ValuesOfRuns:
    """Return the values of a run alone."""
    check_answered(of.qrels, of.runs)
    found: ValuesOfRuns = evaluate(of.qrels, list(of.runs), lab_measures(of.k), of.contract)
    return found


def data_of(found: LabResult, of: Asked, *, tested: bool) -> Mapping[str, Any] | None:
    """Return what the command line's `--format json` holds; of runs that are not tested, there is none."""
    if of.is_lab:
        return found.to_dict(statistics=tested)
    return found.comparison.to_dict() if tested else None


def values_of_query(query: str, of: Asked, run: Run) -> dict[str, Value]:
    """Return one query's values in a run, by measure; None where one is undefined."""
    values: dict[str, Value] = {}
    for measure in with_ideal_beside(lab_measures(of.k), of.contract):
        in_effect = measure.contract_in_effect(of.contract)
        at = place_query(query, of.qrels[query], run, in_effect)
        values[str(measure)] = None if at is None else outcome(measure, at, in_effect).value
    return values
