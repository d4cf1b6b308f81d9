"""`rankproof compare`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rankproof.cli.comparing import (
    ClusterOption,
    ConfidenceOption,
    CorpusOption,
    CorrectionOption,
    IntervalOption,
    MarginOption,
    PermutationsOption,
    QueriesOption,
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

if TYPE_CHECKING:
    from rankproof.compare import Comparison


def compare(
    qrels: QrelsArgument,
    baseline: Annotated[str, typer.Argument(metavar="BASELINE", help="The run to compare with.")],
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="The runs to compare.")],
    measure: MeasureOption = None,
    contract: ContractOption = "rankproof",
    rule: RuleOption = None,
    test: TestOption = None,
    correct: CorrectionOption = "holm",
    interval: IntervalOption = "bca",
    confidence: ConfidenceOption = 0.95,
    margin: MarginOption = None,
    cluster: ClusterOption = None,
    seed: SeedOption = 1,
    permutations: PermutationsOption = 100_000,
    resamples: ResamplesOption = 10_000,
    report: ReportOption = None,
    queries: QueriesOption = None,
    corpus: CorpusOption = None,
    format: FormatOption = OutputFormat.TABLE,  # noqa: A002 - the option's name
    output: OutputOption = None,
) -> None:
    """Compare runs with a baseline, query by query: difference, interval, p, effect size, verdict.

    The first measure decides. The values of one contract and the same queries are compared, nothing else.
    """
    from rankproof.cli.inputs import check_outputs, no_measures, one_stdin
    from rankproof.cli.output import emit, goes_to_terminal, say
    from rankproof.cli.progress import reading
    from rankproof.compare import compare as compare_runs
    from rankproof.compare.compare import DEFAULT_MEASURES
    from rankproof.compare.settings import Settings
    from rankproof.errors import Fault, InputError
    from rankproof.formats import Source
    from rankproof.presets import read_rules
    from rankproof.record import record
    from rankproof.report.write import check_ending, write_report
    from rankproof.tables import as_json

    if report is not None:
        check_ending(report)
    elif queries is not None or corpus is not None:
        hint = "diff --queries --corpus shows texts in the terminal"
        raise InputError(Fault("--queries and --corpus are for the report", expected="--report FILE too", hint=hint))
    one_stdin(qrels, baseline, *runs, *(path or "" for path in (cluster, queries, corpus)))
    check_outputs([qrels, baseline, *runs, cluster, queries, corpus], output, report)
    no_measures([baseline, *runs])
    settings = Settings(
        tests=tuple(test or ("randomization",)),
        correction=correct,
        interval=interval,
        confidence=confidence,
        margin=margin,
        seed=seed,
        permutations=permutations,
        resamples=resamples,
    )
    rules = read_rules(rule or ())
    with reading([qrels, baseline, *runs]) as on_bytes:
        judgments, first = Source(qrels, on_bytes), Source(baseline, on_bytes)
        others = [Source(run, on_bytes) for run in runs]
        families = Source(cluster) if cluster is not None else None
        found = compare_runs(
            judgments,
            first,
            others,
            measure or DEFAULT_MEASURES,
            contract,
            clusters=families,
            **settings.to_dict(),
            **rules,
        )
    inputs = [("qrels", judgments), ("run", first), *(("run", source) for source in others)]
    inputs += [("clusters", families)] if families is not None else []
    if report is not None:
        texts = {role: Source(path) for role, path in (("queries", queries), ("corpus", corpus)) if path is not None}
        write_report(
            found,
            report,
            made_by=lambda: record("compare", [*inputs, *texts.items()]),  # the texts are hashed while they are read
            query_texts=texts.get("queries"),
            doc_texts=texts.get("corpus"),
        )
        say(f"report written to {report}")
    if format is OutputFormat.JSON:
        text = as_json({**record("compare", inputs), **found.to_dict()})
    else:
        text = _text(found, format, styled=goes_to_terminal(output))
        if format is not OutputFormat.MARKDOWN:
            say(*found.notes())
    say(found.verdict_says)
    emit(text, output)


def _text(found: Comparison, format: OutputFormat, *, styled: bool) -> str:  # noqa: A002
    from rankproof.compare.telling import rows
    from rankproof.tables import as_csv, as_markdown, as_text

    if format in (OutputFormat.CSV, OutputFormat.TSV):
        return as_csv(*rows(found), tabs=format is OutputFormat.TSV)
    if format is OutputFormat.MARKDOWN:
        return as_markdown(found.tables(), [found.verdict_says, *found.notes()])
    return as_text(found.tables(), styled=styled)
