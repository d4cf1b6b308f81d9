"""`rankproof contracts`: the rules in words, in which of them two differ, and why they give different numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rankproof.cli.options import FormatOption, OutputFormat, OutputOption

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rankproof.cli.output import Rows
    from rankproof.formats import Source
    from rankproof.why import UnderPresets, Why

_Given = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[A [B [QRELS RUN]]]",
        help="A preset or a contract file; a second one; judgments and a run. With --all only QRELS RUN.",
        show_default=False,
    ),
]
_Measure = Annotated[
    list[str] | None, typer.Option("--measure", "-m", help="One measure, such as nDCG@10.", show_default="nDCG@10")
]
_All = Annotated[bool, typer.Option("--all", help="The value of QRELS RUN under every preset.")]
_Bites = Annotated[int, typer.Option("-n", min=0, help="How many of the queries that a rule changes most are shown.")]
_TomlOption = Annotated[
    bool,
    typer.Option("--toml", help="Write contract A as TOML, to edit and pass to --contract (so does --format json)."),
]


def contracts(
    given: _Given = None,
    measure: _Measure = None,
    every: _All = False,
    n: _Bites = 3,
    format: FormatOption = OutputFormat.TABLE,  # noqa: A002 - the option's name
    toml: _TomlOption = False,
    output: OutputOption = None,
) -> None:
    """List the presets; show one with its rules; show in which rules two differ; or why they give different numbers.

    With judgments and a run: both values, what each rule in which A and B differ changes alone, what only several
    together do, and the queries that it changes most.
    """
    from rankproof.cli.reference import show_tables
    from rankproof.presets import contract
    from rankproof.report.reference import contract_tables, contracts_table, differences_table

    names = given or []
    if every:
        _all(_these(names, "--all takes judgments and a run", "QRELS RUN"), measure, format, output)
    elif toml:
        _toml(_these(names, "--toml writes one contract", "A")[0], output)
    elif len(names) > 2:
        _why(_these(names, "two contracts go with judgments and a run", "A B QRELS RUN"), measure, n, format, output)
    elif not names:
        show_tables([contracts_table()], format, output)
    elif len(names) == 1 and format is OutputFormat.JSON:
        _json(names[0], output)
    elif len(names) == 1:
        show_tables(contract_tables(contract(names[0])), format, output)
    else:
        show_tables([differences_table(*map(contract, names))], format, output)


def _these(given: Sequence[str], says: str, wanted: str) -> Sequence[str]:
    """Refuse more or fewer arguments than these."""
    from rankproof.errors import Fault, InputError

    if len(given) != len(wanted.split()):
        raise InputError(Fault(f"{says}; {len(given)} given", expected=wanted))
    return given


def _toml(name: str, output: Path | None) -> None:
    from rankproof.cli.output import emit
    from rankproof.presets import contract, to_toml

    emit(to_toml(contract(name)), output)


def _json(name: str, output: Path | None) -> None:
    """Write a contract in the form that --contract takes."""
    from rankproof.cli.output import emit
    from rankproof.presets import contract
    from rankproof.tables import as_json

    emit(as_json(contract(name).to_dict()), output)


def _why(
    given: Sequence[str],
    measure: list[str] | None,
    bites: int,
    format: OutputFormat,  # noqa: A002 - the option's name
    output: Path | None,
) -> None:
    from rankproof.cli.inputs import one_measure
    from rankproof.why import why
    from rankproof.why.telling import PARTS, explain_commands, part_rows

    a, b, qrels, run = given
    sources = _sources(qrels, run, output)
    found = why(*sources, one_measure(measure, "nDCG@10"), a, b, bites=bites)
    commands = [f"explained by: {command}" for command in explain_commands(found, a, qrels, run)]
    _show(found, sources, (PARTS, part_rows(found)), commands, format, output)


def _all(
    given: Sequence[str],
    measure: list[str] | None,
    format: OutputFormat,  # noqa: A002 - the option's name
    output: Path | None,
) -> None:
    from rankproof.cli.inputs import one_measure
    from rankproof.why import under_presets
    from rankproof.why.telling import GROUPED, preset_rows

    qrels, run = given
    sources = _sources(qrels, run, output)
    found = under_presets(*sources, one_measure(measure, "nDCG@10"))
    hint = f"which rules make two of them differ: rankproof contracts A B {qrels} {run} -m '{found.measure}'"
    _show(found, sources, (GROUPED, preset_rows(found)), [hint], format, output)


def _sources(qrels: str, run: str, output: Path | None) -> tuple[Source, Source]:
    """Return the inputs; standard input is taken in whole, as contracts that read it differently read it again."""
    from rankproof.cli.inputs import check_outputs, one_stdin
    from rankproof.formats.files import Given, Source

    one_stdin(qrels, run)
    check_outputs([qrels, run], output)
    sources = [Source(path) for path in (qrels, run)]
    for at, source in enumerate(sources):
        if source.path == "-":
            with source.open() as reader:
                sources[at] = Given(reader.read(), source.name)
    return sources[0], sources[1]


def _show(
    found: Why | UnderPresets,
    sources: Sequence[Source],
    rows: Rows,
    hints: Sequence[str],
    format: OutputFormat,  # noqa: A002 - the option's name
    output: Path | None,
) -> None:
    from rankproof.cli.output import show
    from rankproof.record import record

    show(
        format,
        output,
        content=lambda: {**record("contracts", list(zip(("qrels", "run"), sources, strict=True))), **found.to_dict()},
        rows=lambda: rows,
        tables=found.tables,
        notes=[*found.notes(), *hints],
    )
