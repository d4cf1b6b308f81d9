"""What is there, in words: measures, and contracts with their rules?"""

from __future__ import annotations

from dataclasses import MISSING, fields

from rankproof.answers import kebab, spell
from rankproof.contract import Contract, differences
from rankproof.measures import Measure, known_measures, measures, other_names, parse
from rankproof.measures.base import SHORT
from rankproof.presets import PRESETS, contracts
from rankproof.rules import rules
from rankproof.tables import Table

_AFTER_THE_NAME = {"cutoff": "@k: a cutoff, from 1", "recall": "@x: a recall level from 0 to 1", None: "nothing"}


def measures_table() -> Table:
    """Return a row a measure."""
    rows = [[one.symbol, one.examples[0], (one.__doc__ or "").partition("\n")[0]] for one in measures()]
    return Table(["measure", "written", "what it is"], rows)


def measure_table(name: str) -> Table:
    """Return what there is to know of one measure, by any of its names. MeasureError for an unknown one."""
    by_symbol = {symbol.lower(): measure for symbol, measure in known_measures().items()}
    measure = by_symbol.get(name.lower()) or type(parse(name))
    rows = [["measure", measure.symbol], ["what it is", measure.__doc__ or ""], *measure_facts(measure)]
    return Table(["", ""], rows)


def measure_facts(measure: type[Measure]) -> list[list[str]]:
    """Return (what, answer) rows: formula, options, rules, spellings, source."""
    own = [one for one in fields(measure) if one.name not in ("rules", measure.at_field)]
    options = [f"{one.name} ({'required' if one.default is MISSING else spell(one.default)})" for one in own]
    return [
        ["formula", measure.formula],
        ["over queries", f"{measure.over_queries}; {'higher' if measure.higher_is_better else 'lower'} is better"],
        ["after the name", _AFTER_THE_NAME.get(measure.at_field, f"@{measure.at_field}")],
        ["options", ", ".join(options) or "none"],
        ["rules it reads", ", ".join(SHORT.get(rule, kebab(rule)) for rule in measure.reads) or "none"],
        ["written", " · ".join(measure.examples)],
        ["elsewhere", " · ".join(other_names(measure)) or "-"],
        ["source", measure.source],
    ]


def contracts_table() -> Table:
    """Return a row a preset."""
    rows = [[one.name, one.contract.fingerprint, one.version, one.source] for one in contracts()]
    return Table(["contract", "fingerprint", "version", "whose rules"], rows)


def contract_tables(contract: Contract) -> list[Table]:
    """Return a contract's rules in words and, for a preset, where they come from and what deviates."""
    rows = [
        [kebab(name), spell(answer), rules()[name].question, rules()[name].says(answer)]
        for name, answer in contract.items()
    ]
    tables = [Table(["rule", "answer", "question", "in words"], rows, f"{contract.name} ({contract.fingerprint})")]
    if contract.overrides:
        own = [[on, kebab(name), spell(answer)] for on, answers in contract.overrides for name, answer in answers]
        tables.append(Table(["measure", "rule", "answer"], own, "for single measures"))
    if (preset := PRESETS.get(contract.name)) is not None and preset.contract == contract:
        facts = [["version", preset.version], ["source", preset.source], ["verified", preset.verified]]
        tables.append(Table(["", ""], facts, "where it comes from"))
        if preset.deviations:
            gaps = [[one.topic, one.tool, one.here] for one in preset.deviations]
            tables.append(Table(["topic", "the tool", "here"], gaps, "known deviations"))
    return tables


def differences_table(a: Contract, b: Contract) -> Table:
    """Return a row for each rule in which two contracts differ."""
    rows = [
        [kebab(name), spell(left), spell(right), rules()[name.rpartition(": ")[2]].question]
        for name, (left, right) in differences(a, b).items()
    ]
    count = f"{len(rows)} rules" if rows else "no rule"
    return Table(["rule", a.name, b.name, "question"], rows, f"{a.name} and {b.name} differ in {count}")
