"""`rankproof measures` and `rankproof contracts`: what is there, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rankproof.cli.options import FormatOption, OutputFormat, OutputOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rankproof.contract import Contract
    from rankproof.report import Table


def measures(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="A measure; without one all are listed.")] = None,
    format: FormatOption = OutputFormat.TABLE,  # noqa: A002 - the option's name
    output: OutputOption = None,
) -> None:
    """List the measures, or show one: formula, options, rules it reads, source, other tools' names."""
    from rankproof.measures import measures as all_measures
    from rankproof.report import Table

    if name is not None:
        _show(_one_measure(name), format, output)
        return
    rows = [[measure.symbol, measure.examples[0], (measure.__doc__ or "").split("\n")[0]] for measure in all_measures()]
    _show([Table(["measure", "written", "what it is"], rows)], format, output)


def _one_measure(name: str) -> list[Table]:
    from rankproof.answers import kebab
    from rankproof.measures import parse
    from rankproof.measures.base import SHORT
    from rankproof.measures.names import ALIASES, TREC_NAMES
    from rankproof.measures.table import known_measures
    from rankproof.report import Table

    kind = {symbol.lower(): measure for symbol, measure in known_measures().items()}.get(name.lower())
    kind = kind or type(parse(name))
    elsewhere = [alias for alias, house in ALIASES.items() if house.partition("(")[0] == kind.symbol]
    elsewhere += [trec for trec, house, _ in TREC_NAMES if house.partition("(")[0] == kind.symbol]
    options = ", ".join(SHORT.get(rule, kebab(rule)) for rule in kind.reads) or "none"
    after = {"cutoff": "@k: a cutoff, from 1", "recall": "@x: a recall level from 0 to 1", None: "nothing"}
    rows = [
        ["measure", kind.symbol],
        ["what it is", kind.__doc__ or ""],
        ["formula", kind.formula],
        ["over queries", kind.over_queries],
        ["better", "higher" if kind.higher_is_better else "lower"],
        ["after the name", after.get(kind.at_field, str(kind.at_field))],
        ["rules it reads", options],
        ["written", " · ".join(kind.examples)],
        ["elsewhere", " · ".join(dict.fromkeys(elsewhere)) or "-"],
        ["source", kind.source],
    ]
    return [Table(["", ""], rows)]


def contracts(
    a: Annotated[
        str | None, typer.Argument(metavar="[A]", help="A preset or a contract file; without one all are listed.")
    ] = None,
    b: Annotated[
        str | None, typer.Argument(metavar="[B]", help="A second one: show the rules in which they differ.")
    ] = None,
    format: FormatOption = OutputFormat.TABLE,  # noqa: A002 - the option's name
    toml: Annotated[
        bool, typer.Option("--toml", help="Write contract A as TOML, to edit and pass to --contract.")
    ] = False,
    output: OutputOption = None,
) -> None:
    """List the presets; show one with its rules in words; or show in which rules two differ."""
    from rankproof.cli.output import emit
    from rankproof.presets import contract, to_toml
    from rankproof.presets import contracts as all_presets
    from rankproof.report import Table

    if a is None:
        rows = [[one.name, one.contract.fingerprint, one.version, one.source] for one in all_presets()]
        _show([Table(["contract", "fingerprint", "version", "whose rules"], rows)], format, output)
    elif toml:
        emit(to_toml(contract(a)), output)
    elif b is None:
        _show(_one_contract(contract(a)), format, output)
    else:
        _show([_two_contracts(contract(a), contract(b))], format, output)


def _one_contract(contract: Contract) -> list[Table]:
    from rankproof.answers import kebab, spell
    from rankproof.presets import PRESETS
    from rankproof.report import Table
    from rankproof.rules import rules

    rows = [
        [kebab(name), spell(value), rules()[name].question, rules()[name].says(value)]
        for name, value in contract.items()
    ]
    tables = [Table(["rule", "answer", "question", "in words"], rows, f"{contract.name} ({contract.fingerprint})")]
    if contract.overrides:
        own = [[on, kebab(name), spell(value)] for on, changes in contract.overrides for name, value in changes]
        tables.append(Table(["measure", "rule", "answer"], own, "for single measures"))
    preset = PRESETS.get(contract.name)
    if preset is not None:
        facts = [["version", preset.version], ["source", preset.source], ["verified", preset.verified]]
        tables.append(Table(["", ""], facts, "where it comes from"))
        if preset.deviations:
            gaps = [[one.topic, one.tool, one.here] for one in preset.deviations]
            tables.append(Table(["topic", "the tool", "here"], gaps, "known deviations"))
    return tables


def _two_contracts(a: Contract, b: Contract) -> Table:
    from rankproof.answers import kebab, spell
    from rankproof.contract import differences
    from rankproof.report import Table
    from rankproof.rules import rules

    rows = []
    for name, (left, right) in differences(a, b).items():
        question = rules()[name.rpartition(": ")[2]].question
        rows.append([kebab(name), spell(left), spell(right), question])
    return Table(["rule", a.name, b.name, "question"], rows, f"{a.name} and {b.name} differ in {len(rows)} rules")


def _show(tables: Sequence[Table], format: OutputFormat, output: object) -> None:  # noqa: A002 - the option's name
    from rankproof.cli.output import emit, goes_to_terminal
    from rankproof.report import as_csv, as_json, as_markdown, as_text

    if format is OutputFormat.JSON:
        content = {
            table.title or "rows": [dict(zip(table.header, row, strict=True)) for row in table.rows] for table in tables
        }
        text = as_json(content)
    elif format in (OutputFormat.CSV, OutputFormat.TSV):
        text = as_csv(tables[0].header, tables[0].rows, tabs=format is OutputFormat.TSV)
    elif format is OutputFormat.MARKDOWN:
        text = as_markdown(tables)
    else:
        text = as_text(tables, styled=goes_to_terminal(output))  # type: ignore[arg-type]  # a path or None
    emit(text, output)  # type: ignore[arg-type]  # a path or None
