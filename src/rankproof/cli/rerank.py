"""`rankproof rerank`: before and after reranking."""

from __future__ import annotations

from typing import Annotated

import typer

from rankproof.cli.options import FormatOption, OutputFormat, OutputOption

_Lab = Annotated[
    str, typer.Argument(metavar="LAB", help="A lab file, JSON or CSV: judgments, ranking before and after.")
]
_Cutoff = Annotated[int, typer.Option("-k", min=1, help="The cutoff.")]


def rerank(
    lab: _Lab,
    k: _Cutoff = 5,
    format: FormatOption = OutputFormat.TABLE,  # noqa: A002 - the option's name
    output: OutputOption = None,
) -> None:
    """Show what reranking changed: the verdict, each measure before and after, and each query."""
    from rankproof.cli.output import emit, goes_to_terminal, say
    from rankproof.cli.record import record
    from rankproof.formats import Source
    from rankproof.report import (
        as_csv,
        as_json,
        as_markdown,
        as_text,
        changes_table,
        lab_notes,
        lab_query_table,
    )
    from rankproof.rerank import rerank_lab

    source = Source(lab)
    found = rerank_lab(source, k)
    tables = [changes_table(found), lab_query_table(found)]
    if format is OutputFormat.JSON:
        text = as_json({**record("rerank", [("lab", source)]), **found.to_dict()})
    elif format in (OutputFormat.CSV, OutputFormat.TSV):
        text = as_csv(tables[1].header, tables[1].rows, tabs=format is OutputFormat.TSV)
    elif format is OutputFormat.MARKDOWN:
        text = f"**{found.verdict_says}**\n\n" + as_markdown(tables, lab_notes(found))
    else:
        text = f"{found.verdict_says}\n\n" + as_text(tables, styled=goes_to_terminal(output))
        say(*lab_notes(found))
    emit(text, output)
