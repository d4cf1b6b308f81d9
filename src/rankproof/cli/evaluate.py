"""`rankproof evaluate` and `rankproof explain`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rankproof.cli.options import (
    ContractOption,
    EvaluateFormat,
    FormatOption,
    MeasureOption,
    OutputFormat,
    OutputOption,
    QrelsArgument,
    RuleOption,
    RunArgument,
)
from rankproof.cli.spark import ColumnOption, Engine, EngineOption, PositionOption, SparkOption

if TYPE_CHECKING:
    from rankproof.record import Input
    from rankproof.values import ValuesOfRuns

_PerQuery = Annotated[bool, typer.Option("--per-query", "-q", help="Print each query's values too.")]
_EvaluateFormat = Annotated[EvaluateFormat, typer.Option("--format", help="How the values are written.")]
_Runs = Annotated[
    list[str], typer.Argument(metavar="RUN...", help="Rankings, in any format (TREC, CSV, JSON, …); - for stdin.")
]


def evaluate(
    qrels: QrelsArgument,
    runs: _Runs,
    measure: MeasureOption = None,
    contract: ContractOption = "rankproof",
    rule: RuleOption = None,
    per_query: _PerQuery = False,
    format: _EvaluateFormat = EvaluateFormat.TABLE,  # noqa: A002 - the option's name
    output: OutputOption = None,
    engine: EngineOption = Engine.PLAIN,
    spark: SparkOption = None,
    position: PositionOption = None,
    column: ColumnOption = None,
) -> None:
    """Print the measures of one or more runs, all under the same contract."""
    from rankproof.cli.inputs import check_outputs, no_measures, one_stdin, settings_in
    from rankproof.cli.output import emit, goes_to_terminal, say
    from rankproof.cli.spark import check_engine, on_spark
    from rankproof.evaluate import DEFAULT_MEASURES
    from rankproof.presets import read_rules
    from rankproof.record import record
    from rankproof.tables import as_json

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # no matrices here: starting threads for them takes longer
    one_stdin(qrels, *runs)
    check_outputs([qrels, *runs], output)
    no_measures(runs)
    check_engine(engine, [qrels, *runs], {"--spark": spark, "--position": position, "--column": column})
    asked = {"measures": measure or DEFAULT_MEASURES, "contract": contract, **read_rules(rule or ())}
    if engine is Engine.SPARK:
        found, inputs = on_spark(qrels, runs, spark, {**asked, "position": position, "columns": settings_in(column)})
    else:
        found, inputs = _from_files(qrels, runs, asked, hashed=format is EvaluateFormat.JSON)
    if format is EvaluateFormat.JSON:
        text = as_json({**record("evaluate", inputs), **found.to_dict()})
    else:
        text = _text(found, format, per_query=per_query, styled=goes_to_terminal(output))
        if format is not EvaluateFormat.MARKDOWN:  # there they stand under the table
            say(*found.notes())
    emit(text, output)


def _from_files(
    qrels: str, runs: list[str], asked: dict[str, Any], *, hashed: bool
) -> tuple[ValuesOfRuns, list[tuple[str, Input]]]:
    from rankproof.cli.progress import reading
    from rankproof.evaluate import evaluate as evaluate_runs
    from rankproof.formats import Source

    with reading([qrels, *runs]) as on_bytes:
        judgments, *rankings = (Source(path, on_bytes, hashed=hashed) for path in (qrels, *runs))
        found = evaluate_runs(judgments, rankings, **asked)
    return found, [("qrels", judgments), *(("run", source) for source in rankings)]


def _text(found: ValuesOfRuns, format: EvaluateFormat, *, per_query: bool, styled: bool) -> str:  # noqa: A002
    from rankproof.report.values import TIDY, means_table, query_tables, tidy_rows, trec_lines
    from rankproof.tables import as_csv, as_markdown, as_text

    if format is EvaluateFormat.TREC:
        return "".join(trec_lines(found, per_query=per_query))
    if format in (EvaluateFormat.CSV, EvaluateFormat.TSV):
        return as_csv(TIDY, list(tidy_rows(found, per_query=per_query)), tabs=format is EvaluateFormat.TSV)
    tables = [means_table(found), *(query_tables(found) if per_query else ())]
    if format is EvaluateFormat.MARKDOWN:
        return as_markdown(tables, found.notes())
    return as_text(tables, styled=styled)


def explain(
    measure: Annotated[str, typer.Argument(metavar="MEASURE", help="One measure, such as nDCG@10.")],
    qrels: QrelsArgument,
    run: RunArgument,
    query: Annotated[str, typer.Option("--query", metavar="QUERY_ID", help="The query to explain.")],
    contract: ContractOption = "rankproof",
    rule: RuleOption = None,
    format: FormatOption = OutputFormat.TABLE,  # noqa: A002 - the option's name
    output: OutputOption = None,
) -> None:
    """Show every term of one query's value: rank, document, grade, gain, discount, amount; the ideal; the sum."""
    from rankproof.cli.inputs import check_outputs, one_stdin
    from rankproof.cli.output import emit, goes_to_terminal
    from rankproof.explain import explain as explain_query
    from rankproof.formats import Source
    from rankproof.presets import read_rules
    from rankproof.record import record
    from rankproof.report.explanation import explanation_tables
    from rankproof.tables import as_csv, as_json, as_markdown, as_text

    one_stdin(qrels, run)
    check_outputs([qrels, run], output)
    judgments, ranking = Source(qrels), Source(run)
    found = explain_query(judgments, ranking, measure, query, contract, **read_rules(rule or ()))
    if format is OutputFormat.JSON:
        text = as_json({**record("explain", [("qrels", judgments), ("run", ranking)]), **found.to_dict()})
    elif format in (OutputFormat.CSV, OutputFormat.TSV):
        text = as_csv(found.rows()[0], found.rows()[1:], tabs=format is OutputFormat.TSV)
    else:
        tables = explanation_tables(found)
        if format is OutputFormat.MARKDOWN:
            text = as_markdown(tables, found.notes())
        else:
            text = as_text(tables, styled=goes_to_terminal(output)) + "\n" + "\n".join(found.notes()) + "\n"
    emit(text, output)
