"""`rankproof measures` and `rankproof contracts`: what is there, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rankproof.cli.options import FormatOption, OutputFormat, OutputOption

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rankproof.report import Table

_Name = Annotated[str | None, typer.Argument(metavar="[NAME]", help="A measure; without one all are listed.")]
_A = Annotated[
    str | None, typer.Argument(metavar="[A]", help="A preset or a contract file; without one all are listed.")
]
_B = Annotated[str | None, typer.Argument(metavar="[B]", help="A second one: show the rules in which they differ.")]
_Toml = Annotated[
    bool,
    typer.Option("--toml", help="Write contract A as TOML, to edit and pass to --contract (so does --format json)."),
]


def measures(
    name: _Name = None,
    format: FormatOption = OutputFormat.TABLE,  # noqa: A002 - the option's name
    output: OutputOption = None,
) -> None:
    """List the measures, or show one: formula, options, rules it reads, source, other tools' names."""
    from rankproof.report import measure_table, measures_table

    _show([measures_table() if name is None else measure_table(name)], format, output)


def contracts(
    a: _A = None,
    b: _B = None,
    format: FormatOption = OutputFormat.TABLE,  # noqa: A002 - the option's name
    toml: _Toml = False,
    output: OutputOption = None,
) -> None:
    """List the presets; show one with its rules in words; or show in which rules two differ."""
    from rankproof.cli.output import emit
    from rankproof.errors import ContractError, Fault
    from rankproof.presets import contract, to_toml
    from rankproof.report import as_json, contract_tables, contracts_table, differences_table

    if toml and (a is None or b is not None):
        raise ContractError(Fault("--toml writes one contract", expected="one name before it"))
    if a is None:
        _show([contracts_table()], format, output)
    elif toml:
        emit(to_toml(contract(a)), output)
    elif b is None and format is OutputFormat.JSON:
        emit(as_json(contract(a).to_dict()), output)  # the form that --contract takes
    elif b is None:
        _show(contract_tables(contract(a)), format, output)
    else:
        _show([differences_table(contract(a), contract(b))], format, output)


def _show(tables: Sequence[Table], format: OutputFormat, output: Path | None) -> None:  # noqa: A002 - the option's name
    from rankproof.cli.output import emit, goes_to_terminal
    from rankproof.report import as_csv, as_json, as_markdown, as_text

    if format is OutputFormat.JSON:
        text = as_json({table.title or "rows": table.records() for table in tables})
    elif format in (OutputFormat.CSV, OutputFormat.TSV):
        text = as_csv(tables[0].header, tables[0].rows, tabs=format is OutputFormat.TSV)
    elif format is OutputFormat.MARKDOWN:
        text = as_markdown(tables)
    else:
        text = as_text(tables, styled=goes_to_terminal(output))
    emit(text, output)
