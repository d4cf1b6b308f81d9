"""`rankproof rerank`: before and after reranking, of a lab file, or of two runs with the ceiling."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rankproof.cli.options import (
    ContractOption,
    FormatOption,
    MeasureOption,
    OutputFormat,
    OutputOption,
    ReportOption,
    RuleOption,
)

if TYPE_CHECKING:
    from rankproof.rerank.reranking import Reranking

_Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="LAB | QRELS BEFORE AFTER",
        help="A lab file, JSON or CSV, that holds judgments and both rankings; or judgments and two runs.",
    ),
]
_Cutoff = Annotated[int, typer.Option("-k", min=1, help="Lab file: the cutoff.")]
_Depth = Annotated[
    int | None,
    typer.Option("--depth", min=1, help="Runs: how many of BEFORE's documents were reranked; all if not given."),
]
_AllowNew = Annotated[
    bool, typer.Option("--allow-new", help="Runs: report documents that break the freeze apart, not as errors.")
]
_PerQuery = Annotated[bool, typer.Option("--per-query", "-q", help="Runs: print each query's values too.")]
_Moves = Annotated[bool, typer.Option("--moves", help="Runs: print the ranks of the relevant documents too.")]

_ROLES = ("qrels", "run", "run")
_OF_LAB = {"k": "-k"}
_OF_RUNS = {
    "measure": "--measure",
    "contract": "--contract",
    "rule": "--rule",
    "depth": "--depth",
    "allow_new": "--allow-new",
    "per_query": "--per-query",
    "moves": "--moves",
}


def rerank(
    context: typer.Context,
    inputs: _Inputs,
    k: _Cutoff = 5,
    measure: MeasureOption = None,
    contract: ContractOption = "rankproof",
    rule: RuleOption = None,
    depth: _Depth = None,
    allow_new: _AllowNew = False,
    per_query: _PerQuery = False,
    moves: _Moves = False,
    report: ReportOption = None,
    format: FormatOption = OutputFormat.TABLE,  # noqa: A002 - the option's name
    output: OutputOption = None,
) -> None:
    """Show what reranking changed: of a lab file in numbers and words; of two runs with the ceiling of the candidates.

    With QRELS BEFORE AFTER the candidates are frozen: AFTER may only reorder BEFORE's documents. Printed are candidate
    recall, each measure before, after and at best, and the share of the reachable gain that was taken.
    """
    from rankproof.cli.inputs import check_outputs

    _check_form(context, inputs)
    check_outputs(inputs, output, report)
    if len(inputs) == 1:
        _lab(inputs[0], k, format, output, report)
        return
    from rankproof.cli.inputs import one_stdin
    from rankproof.cli.output import emit, goes_to_terminal, say
    from rankproof.cli.progress import reading
    from rankproof.formats import Source
    from rankproof.presets import contract as contract_of
    from rankproof.presets import read_rules
    from rankproof.record import record
    from rankproof.report.write import check_ending, write_report
    from rankproof.rerank.ceiling import RERANK_MEASURES
    from rankproof.rerank.ceiling import rerank as rerank_runs
    from rankproof.tables import as_json

    if report is not None:
        check_ending(report)
    one_stdin(*inputs)
    rules = contract_of(contract, **read_rules(rule or ()))
    with reading(inputs) as on_bytes:
        files = [Source(path, on_bytes) for path in inputs]
        qrels, before, after = files
        measures = measure or RERANK_MEASURES
        found = rerank_runs(qrels, before, after, measures, rules, depth=depth, allow_new=allow_new)
    made_by = record("rerank", list(zip(_ROLES, files, strict=True)))
    if report is not None:
        write_report(found, report, made_by=made_by)
        say(f"report written to {report}")
    if format is OutputFormat.JSON:
        text = as_json({**made_by, **found.to_dict()})
    else:
        text = _text(found, format, per_query=per_query, moves=moves, styled=goes_to_terminal(output))
        if format is not OutputFormat.MARKDOWN:  # there they stand under the table
            say(*found.notes())
    emit(text, output)


def _check_form(context: typer.Context, inputs: Sequence[str]) -> None:
    """Refuse another number of files, and options of the other form."""
    from rankproof.errors import Fault, InputError

    if len(inputs) not in (1, 3):
        hint = "several measures: -m before each"
        raise InputError(Fault(f"{len(inputs)} files are given", expected="LAB, or QRELS BEFORE AFTER", hint=hint))
    strange, form = (_OF_RUNS, "a lab file") if len(inputs) == 1 else (_OF_LAB, "QRELS BEFORE AFTER")
    for name, option in strange.items():
        source = context.get_parameter_source(name)
        if source is not None and source.name != "DEFAULT":
            expected = "a measure such as nDCG@5, which holds its cutoff" if name == "k" else "QRELS BEFORE AFTER"
            raise InputError(Fault(f"{option} does not belong to {form}", expected=expected))


def _lab(lab: str, k: int, format: OutputFormat, output: Path | None, report: Path | None) -> None:  # noqa: A002
    from rankproof.cli.output import emit, goes_to_terminal, say
    from rankproof.formats import Source
    from rankproof.record import record
    from rankproof.report.write import check_ending, write_report
    from rankproof.rerank.lab import rerank_lab
    from rankproof.rerank.lab_telling import lab_query_table
    from rankproof.tables import as_csv, as_json, as_markdown, as_text

    if report is not None:
        check_ending(report)
    source = Source(lab)
    found = rerank_lab(source, k)
    made_by = record("rerank", [("lab", source)])
    if report is not None:
        write_report(found, report, made_by=made_by)
        say(f"report written to {report}")
    if format is OutputFormat.JSON:
        text = as_json({**made_by, **found.to_dict()})
    elif format in (OutputFormat.CSV, OutputFormat.TSV):
        queries = lab_query_table(found)
        text = as_csv(queries.header, queries.rows, tabs=format is OutputFormat.TSV)
    elif format is OutputFormat.MARKDOWN:
        text = f"**{found.verdict_says}**\n\n" + as_markdown(found.tables(), found.notes())
    else:
        text = f"{found.verdict_says}\n\n" + as_text(found.tables(), styled=goes_to_terminal(output))
        say(*found.notes())
    emit(text, output)


def _text(
    found: Reranking,
    format: OutputFormat,  # noqa: A002
    *,
    per_query: bool,
    moves: bool,
    styled: bool,
) -> str:
    from rankproof.rerank.telling import MOVES, RERANKING, moves_rows, reranking_rows, reranking_tables
    from rankproof.tables import as_csv, as_markdown, as_text

    if format in (OutputFormat.CSV, OutputFormat.TSV):
        tabs = format is OutputFormat.TSV
        if moves:
            return as_csv(MOVES, moves_rows(found), tabs=tabs)
        return as_csv(RERANKING, list(reranking_rows(found, per_query=per_query)), tabs=tabs)
    tables = reranking_tables(found, per_query=per_query, moves=moves)
    if format is OutputFormat.MARKDOWN:
        return f"**{found.recall_says}**\n\n" + as_markdown(tables, found.notes())
    return f"{found.recall_says}\n\n" + as_text(tables, styled=styled)
