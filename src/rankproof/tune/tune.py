"""Which weights are best on the queries that may choose them, and what do they bring on the others?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from rankproof.arithmetic import SAME
from rankproof.compare.compare import compare_runs
from rankproof.compare.comparison import Inputs
from rankproof.compare.pairs import check_means
from rankproof.compare.settings import settings_and_rules
from rankproof.contract import Contract
from rankproof.errors import Fault, InputError, RankproofError
from rankproof.evaluate import file_of, means_of
from rankproof.formats import as_qrels, as_runs, read_families
from rankproof.formats.places import with_lines
from rankproof.measures import Measure, parse_all
from rankproof.model import Qrels, Run, Value
from rankproof.presets import contract as contract_of
from rankproof.retrieve.fuse import Fusion
from rankproof.tune.grid import evenness, weight_grid
from rankproof.tune.splits import only, splits_of
from rankproof.tune.tuning import Tried, Tuning

DEFAULT_MEASURES = ("nDCG@10",)
TUNED, EQUAL = "tuned", "equal-weights"


def tune_fusion(  # noqa: PLR0913 - both splits are named, the rest has defaults that serve
    qrels: Any,
    runs: Any,
    *,
    tune: Any,
    test: Any,
    measures: Iterable[str | Measure] | str = DEFAULT_MEASURES,
    contract: str | Path | Mapping[str, Any] | Contract = "rankproof",
    fusion: Fusion | None = None,
    steps: int = 20,
    clusters: Any = None,
    on_tried: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Tuning:
    """Return the weights of a fusion with the best mean on the `tune` queries, and what they bring on the `test` ones.

    All weights in steps of 1/`steps` are tried; the first measure decides. Of equally good ones the most even are
    taken. On the test queries only the chosen weights are evaluated, against the run that was best on the tune queries,
    with equal weights beside them; `clusters` (families of queries) and `options` (rules, settings) are those of
    `compare`. `tune`, `test`: a file of queries, or their ids. `on_tried` is told how many weights were tried, and of
    how many.

    InputError for a query in both splits, for splits without judgments, and whatever `fuse` and `compare` refuse.
    """
    settings, rules = settings_and_rules(options)
    given, chosen = contract_of(contract, **rules), parse_all(measures)
    how, first = fusion or Fusion(), chosen[0]
    try:
        ranked = as_runs(runs, given)[0]
        check_means(chosen)
        splits = splits_of(as_qrels(qrels, given), tune, test)
        tried: list[Tried] = []
        grid = weight_grid(len(ranked), steps)
        amounts = how.amounts([only(run, splits.tune) for run in ranked], given)
        for weights in grid:
            tried.append(Tried(weights, _mean(splits.tune, amounts.fused(weights), first, given)))
            if on_tried is not None:
                on_tried(len(tried), len(grid))
        best = min(_best(tried, first), key=lambda one: (evenness(one.weights), one.weights))
        alone = [
            Tried((at,), _mean(splits.tune, only(run, splits.tune), first, given)) for at, run in enumerate(ranked)
        ]
        baseline = only(ranked[int(_best(alone, first)[0].weights[0])], splits.test)
        amounts = how.amounts([only(run, splits.test) for run in ranked], given)
        named = [free_name(name, [run.name for run in ranked]) for name in (TUNED, EQUAL)]
        tested = [baseline, amounts.fused(best.weights, named[0]), amounts.fused(None, named[1])]
        families = read_families(clusters) if clusters is not None else None
        compared = compare_runs(Inputs(splits.test, tested, given), chosen, settings, families)
    except RankproofError as error:
        raise with_lines(error, file_of(qrels)) from error
    means = {run.name: one.mean for run, one in zip(ranked, alone, strict=True)}
    return Tuning(how, means, tried, best, compared, splits)


def free_name(name: str, taken: Sequence[str]) -> str:
    """Return a name, with a number behind it where it is taken."""
    return name if name not in taken else next(f"{name}-{at}" for at in count(2) if f"{name}-{at}" not in taken)


def _mean(judged: Qrels, run: Run, measure: Measure, contract: Contract) -> Value:
    return next(iter(means_of(judged, run, [measure], contract).values()))


def _best(tried: Sequence[Tried], measure: Measure) -> list[Tried]:
    """Return those with the best mean, but for rounding. InputError where none has one."""
    way = 1 if measure.higher_is_better else -1
    known = [(way * one.mean, one) for one in tried if one.mean is not None]
    if not known:
        raise InputError(Fault(f"{measure} is undefined for all tune queries", hint="are any documents relevant?"))
    top = max(value for value, _ in known)
    return [one for value, one in known if value >= top - SAME]
