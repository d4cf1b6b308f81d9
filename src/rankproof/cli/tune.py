"""`rankproof tune`: weights of a fusion, chosen on one split and judged on another."""

from __future__ import annotations

from typing import Annotated

import typer

from rankproof.cli.comparing import (
    ClusterOption,
    ConfidenceOption,
    IntervalOption,
    PermutationsOption,
    ResamplesOption,
    SeedOption,
    TestOption,
)
from rankproof.cli.options import (
    ContractOption,
    FormatOption,
    MeasureOption,
    OutputFormat,
    OutputOption,
    QrelsArgument,
    RuleOption,
)

_Runs = Annotated[list[str], typer.Argument(metavar="RUN RUN...", help="Two or more rankings to fuse.")]
_Tune = Annotated[str, typer.Option("--tune-on", metavar="QUERIES", help="The queries that choose the weights.")]
_Test = Annotated[str, typer.Option("--test-on", metavar="QUERIES", help="The queries that judge the choice.")]
_Method = Annotated[str, typer.Option("--method", help="rrf, comb-sum or comb-mnz.")]
_Normalize = Annotated[
    str | None, typer.Option("--normalize", help="comb-sum, comb-mnz: min-max (default) or z-score.")
]
_RrfK = Annotated[float | None, typer.Option("--rrf-k", help="rrf: what is added to each rank (60).")]
_Steps = Annotated[int, typer.Option("--steps", min=1, help="Weights go from 0 to 1 in so many steps.")]


def tune(
    qrels: QrelsArgument,
    runs: _Runs,
    tune_on: _Tune,
    test_on: _Test,
    measure: MeasureOption = None,
    method: _Method = "comb-sum",
    normalize: _Normalize = None,
    rrf_k: _RrfK = None,
    steps: _Steps = 20,
    contract: ContractOption = "rankproof",
    rule: RuleOption = None,
    test: TestOption = None,
    interval: IntervalOption = "bca",
    confidence: ConfidenceOption = 0.95,
    cluster: ClusterOption = None,
    seed: SeedOption = 1,
    permutations: PermutationsOption = 100_000,
    resamples: ResamplesOption = 10_000,
    format: FormatOption = OutputFormat.TABLE,  # noqa: A002 - the option's name
    output: OutputOption = None,
) -> None:
    """Choose a fusion's weights on the tune queries, and report what they bring on the test queries alone."""
    from rankproof.cli.inputs import check_outputs, no_measures, one_stdin
    from rankproof.cli.output import show
    from rankproof.cli.progress import counting
    from rankproof.formats import Source
    from rankproof.presets import read_rules
    from rankproof.record import record
    from rankproof.tune import Fusion, tune_fusion
    from rankproof.tune.tune import DEFAULT_MEASURES

    one_stdin(qrels, *runs, tune_on, test_on, cluster or "")
    check_outputs([qrels, *runs, tune_on, test_on, cluster], output)
    no_measures(runs)
    judgments, sources = Source(qrels), [Source(run) for run in runs]
    tuned, tested = Source(tune_on), Source(test_on)
    families = None if cluster is None else Source(cluster)
    with counting("tuning") as on_tried:
        found = tune_fusion(
            judgments,
            sources,
            tune=tuned,
            test=tested,
            measures=measure or DEFAULT_MEASURES,
            contract=contract,
            fusion=Fusion.asked(method, normalize, rrf_k),
            steps=steps,
            clusters=families,
            on_tried=on_tried,
            tests=test or "randomization",
            interval=interval,
            confidence=confidence,
            seed=seed,
            permutations=permutations,
            resamples=resamples,
            **read_rules(rule or ()),
        )
    inputs = [("qrels", judgments), *(("run", source) for source in sources), ("tune", tuned), ("test", tested)]
    inputs += [("clusters", families)] if families is not None else []
    show(
        format,
        output,
        content=lambda: {**record("tune", inputs), **found.to_dict()},
        rows=found.rows,
        tables=found.tables,
        notes=[*found.notes(), found.says],
    )
