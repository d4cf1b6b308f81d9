"""`rankproof leaderboard`."""

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
    ReportOption,
    RuleOption,
)

_Runs = Annotated[list[str], typer.Argument(metavar="RUN RUN...", help="Two or more rankings to order.")]
_Correction = Annotated[str, typer.Option("--correct", help="Over all pairs: tukey, holm, bh or none.")]


def leaderboard(
    qrels: QrelsArgument,
    runs: _Runs,
    measure: MeasureOption = None,
    contract: ContractOption = "rankproof",
    rule: RuleOption = None,
    test: TestOption = None,
    correct: _Correction = "tukey",
    interval: IntervalOption = "bca",
    confidence: ConfidenceOption = 0.95,
    cluster: ClusterOption = None,
    seed: SeedOption = 1,
    permutations: PermutationsOption = 10_000,
    resamples: ResamplesOption = 10_000,
    report: ReportOption = None,
    format: FormatOption = OutputFormat.TABLE,  # noqa: A002 - the option's name
    output: OutputOption = None,
) -> None:
    """Order systems under each measure: means with intervals, groups that cannot be told apart, all pairs."""
    from rankproof.cli.inputs import check_outputs, no_measures, one_stdin
    from rankproof.cli.output import say, show
    from rankproof.cli.progress import reading
    from rankproof.compare import leaderboard as order
    from rankproof.compare.compare import DEFAULT_MEASURES
    from rankproof.compare.telling_boards import rows
    from rankproof.formats import Source
    from rankproof.presets import read_rules
    from rankproof.record import record
    from rankproof.report.write import check_ending, write_report

    if report is not None:
        check_ending(report)
    one_stdin(qrels, *runs, cluster or "")
    check_outputs([qrels, *runs, cluster], output, report)
    no_measures(runs)
    with reading([qrels, *runs]) as on_bytes:
        judgments, sources = Source(qrels, on_bytes), [Source(run, on_bytes) for run in runs]
        families = Source(cluster) if cluster is not None else None
        found = order(
            judgments,
            sources,
            measure or DEFAULT_MEASURES,
            contract,
            clusters=families,
            tests=test or "randomization",
            correction=correct,
            interval=interval,
            confidence=confidence,
            seed=seed,
            permutations=permutations,
            resamples=resamples,
            **read_rules(rule or ()),
        )
    inputs = [("qrels", judgments), *(("run", source) for source in sources)]
    inputs += [("clusters", families)] if families is not None else []
    if report is not None:
        write_report(found, report, made_by=record("leaderboard", inputs))
        say(f"report written to {report}")
    show(
        format,
        output,
        content=lambda: {**record("leaderboard", inputs), **found.to_dict()},
        rows=lambda: rows(found),
        tables=found.tables,
        notes=found.notes(),
    )
