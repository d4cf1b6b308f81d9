"""`rankproof measures`: what is there, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rankproof.cli.options import FormatOption, OutputFormat, OutputOption

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rankproof.tables import Table

_Name = Annotated[str | None, typer.Argument(metavar="[NAME]", help="A measure; without one all are listed.")]


def measures(
    name: _Name = None,
    format: FormatOption = OutputFormat.TABLE,  # noqa: A002 - the option's name
    output: OutputOption = None,
) -> None:
    """List the measures, or show one: formula, options, rules it reads, source, other tools' names."""
    from rankproof.report.reference import measure_table, measures_table

    show_tables([measures_table() if name is None else measure_table(name)], format, output)


def show_tables(tables: Sequence[Table], format: OutputFormat, output: Path | None) -> None:  # noqa: A002 - the option's name
    """Print tables in a format; CSV and TSV hold the first."""
    from rankproof.cli.output import emit, goes_to_terminal
    from rankproof.tables import as_csv, as_json, as_markdown, as_text

    if format is OutputFormat.JSON:
        text = as_json({table.title or "rows": table.records() for table in tables})
    elif format in (OutputFormat.CSV, OutputFormat.TSV):
        text = as_csv(tables[0].header, tables[0].rows, tabs=format is OutputFormat.TSV)
    elif format is OutputFormat.MARKDOWN:
        text = as_markdown(tables)
    else:
        text = as_text(tables, styled=goes_to_terminal(output))
    emit(text, output)
