"""Is one run on Spark better than another? The values come from there, the statistics are those of `compare`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankproof.compare import Comparison, compare_values
from rankproof.compare.compare import DEFAULT_MEASURES
from rankproof.compare.pairs import check_means
from rankproof.compare.settings import settings_and_rules
from rankproof.contract import Contract
from rankproof.errors import Fault, InputError
from rankproof.formats import read_families
from rankproof.formats.results import named_apart
from rankproof.measures import Measure, parse_all
from rankproof.model import Run
from rankproof.presets import contract as contract_of
from rankproof.spark.runs import qrels_of, table_options, table_to_count, values_of_table
from rankproof.values import Values

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def compare(
    baseline: DataFrame,
    runs: DataFrame | Sequence[DataFrame],
    qrels: Any,
    measures: Iterable[str | Measure] | str = DEFAULT_MEASURES,
    contract: str | Path | Mapping[str, Any] | Contract = "rankproof",
    *,
    clusters: Any = None,
    **options: Any,
) -> Comparison:
    """Return how each run differs from the baseline, query by query, and what that shows.

    `baseline`: a table of one run; `runs`: tables of one or several runs each. Tables, judgments and their options as
    for `aggregate`; `clusters` and settings as for `rankproof.compare`. What unjudged documents could change is not
    asked: that needs whole rankings. Raises as both do.
    """
    chosen, others = table_options(options)
    settings, rules = settings_and_rules(others)
    given, asked = contract_of(contract, **rules), parse_all(measures)
    check_means(asked)
    judgments = qrels_of(qrels, given, chosen.qrels_columns)
    families = read_families(clusters) if clusters is not None else None

    def values(frame: DataFrame, name: str) -> list[Values]:
        table = table_to_count(frame, judgments, replace(chosen, name=name))
        return values_of_table(table, judgments, asked, given)

    first = values(baseline, "baseline")
    if len(first) != 1:
        raise InputError(Fault(f"the baseline holds {len(first)} runs", expected="one"))
    frames: list[Any] = list(runs) if isinstance(runs, (list, tuple)) else [runs]
    names = [chosen.name] if len(frames) == 1 else [f"{chosen.name}{at}" for at in range(1, len(frames) + 1)]
    found = [one for frame, name in zip(frames, names, strict=True) for one in values(frame, name)]
    named = named_apart([Run(one.run, {}) for one in (first[0], *found)])
    apart = [replace(one, run=run.name) for one, run in zip((first[0], *found), named, strict=True)]
    return compare_values(apart[0], apart[1:], settings, families)
