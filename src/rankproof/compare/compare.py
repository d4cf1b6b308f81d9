"""Are these runs better than that one? From judgments and rankings, or from values that stand already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rankproof.compare.comparison import Comparison, Inputs
from rankproof.compare.differences import differences_of
from rankproof.compare.labels import with_labels
from rankproof.compare.pairs import check_comparable, check_means, check_names, pairs_of
from rankproof.compare.settings import Settings, settings_and_rules
from rankproof.contract import Contract
from rankproof.errors import ContractError, Fault, Faults, InputError, RankproofError
from rankproof.evaluate import file_of, values_of
from rankproof.formats import as_qrels, as_runs, read_families
from rankproof.formats.places import with_lines
from rankproof.measures import Measure, parse_all
from rankproof.model import Held, Qrels, Run, Unread, UnreadTable
from rankproof.presets import contract as contract_of
from rankproof.values import Values

DEFAULT_MEASURES = ("nDCG@10", "AP", "RR@10", "P@10", "R@100")


def compare(
    qrels: Any,
    baseline: Any,
    runs: Any,
    measures: Iterable[str | Measure] | str = DEFAULT_MEASURES,
    contract: str | Path | Mapping[str, Any] | Contract = "rankproof",
    *,
    clusters: Any = None,
    **options: Any,
) -> Comparison:
    """Return how each run differs from the baseline, query by query, and what that shows.

    `qrels`, `baseline` (one run), `runs` (one or several), `measures`, `contract` and rules are given as to `evaluate`;
    the first measure decides. `clusters`: a file, or {query_id: family}; families are resampled whole. Settings:
    `tests` ("randomization", "t", "wilcoxon", "sign": the first decides), `correction` ("holm", "bh", "max-t", "tukey",
    "none"; over the runs of a measure), `interval` ("bca", "percentile", "t", "wider"), `confidence`,
    `margin` (asks whether the difference is within ±margin), `seed`, `permutations`, `resamples`.

    Raises InputError, ContractError or MeasureError; a run that answers no query is an error, not a loss.
    """
    settings, rules = settings_and_rules(options)
    given = contract_of(contract, **rules)
    judgments = as_qrels(qrels, given)
    ranked = baseline_and_runs(baseline, runs, given)
    families = read_families(clusters) if clusters is not None else None
    try:
        return compare_runs(Inputs(judgments, ranked, given), parse_all(measures), settings, families)
    except RankproofError as error:
        raise with_lines(error, file_of(qrels)) from error


def compare_runs(
    inputs: Inputs, measures: Sequence[Measure], settings: Settings, family_of: Mapping[str, str] | None = None
) -> Comparison:
    """Return the comparison of the first run with the others, with what its labels leave open."""
    check_answered(inputs.qrels, inputs.runs)
    check_means(measures)
    values = [values_of(inputs.qrels, run, measures, inputs.contract) for run in inputs.runs]
    return with_labels(compare_values(values[0], values[1:], settings, family_of), inputs, family_of)


def compare_values(
    baseline: Values,
    runs: Values | Sequence[Values],
    settings: Settings | None = None,
    family_of: Mapping[str, str] | None = None,
) -> Comparison:
    """Return the comparison of values that stand already.

    ContractError for other rules, queries or measures, InputError for runs without a name of their own.
    """
    chosen = Settings() if settings is None else settings
    runs = [runs] if isinstance(runs, Values) else runs
    check_names([baseline, *runs])
    check_comparable(baseline, runs)
    found = [
        one
        for measure in runs[0].measures
        for one in differences_of(pairs_of(measure, baseline, runs), baseline.run, chosen, family_of)
    ]
    return Comparison(chosen, baseline, {run.run: run for run in runs}, found, clustered=family_of is not None)


def baseline_and_runs(baseline: Any, runs: Any, contract: Contract) -> list[Run]:
    """Return the baseline and the runs, each under a name of its own. InputError where the baseline is not one run."""
    first, _ = as_runs(baseline, contract)
    if len(first) != 1:
        raise InputError(Fault(f"the baseline holds {len(first)} runs", expected="one"))
    if isinstance(runs, (list, tuple)) and not runs:
        raise InputError(Fault("no run is given to compare with", expected="one or more"))
    others, _ = as_runs(runs, contract)
    unnamed = first[0].source is None and first[0].name == "run" and not isinstance(baseline, Run)
    found, _ = as_runs([replace(first[0], name="baseline") if unnamed else first[0], *others], contract)
    return found


def values_of_answered(
    qrels: Qrels, runs: Sequence[Run], measures: Sequence[Measure], contract: Contract
) -> list[Values]:
    """Return the values of runs. InputError lists those without a single result for the judged queries.

    Those that are not read yet are looked at when one could not be placed.
    """
    check_answered(qrels, [run for run in runs if not isinstance(run.rankings, (Unread, UnreadTable, Held))])
    try:
        return [values_of(qrels, run, measures, contract) for run in runs]
    except ContractError:
        check_answered(qrels, runs)
        raise


def check_answered(qrels: Qrels, runs: Sequence[Run]) -> None:
    """Refuse a run without a single result for the judged queries: it never ran, which is no loss."""
    faults = Faults(InputError)
    for run in runs:
        if not any(query in run.rankings and len(run.rankings[query].doc_ids) for query in qrels):
            hint = "a run that never ran is an error, not a loss; compare the query ids of both files"
            sides = {"the qrels": qrels, "the run": run.rankings}
            begins = ", ".join(f"{whose} with {next(iter(ids))!r}" for whose, ids in sides.items() if ids)
            faults.add(Fault(f"answers no judged query (first ids: {begins})", run.source or run.name, hint=hint))
    faults.raise_any()
