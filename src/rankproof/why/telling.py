"""How is it told why contracts give different numbers?"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from rankproof.answers import kebab, spell
from rankproof.tables import Table
from rankproof.why.under import TINY
from rankproof.words import counted

if TYPE_CHECKING:
    from rankproof.why.presets import UnderPresets
    from rankproof.why.under import Answers
    from rankproof.why.why import Bite, Part, Why

DECIMALS = 6


def why_tables(found: Why) -> list[Table]:
    """Return the values, the rules that matter, and the queries that each changes most."""
    rows = [
        [contract.name, value, refused or ""]
        for contract, value, refused in zip(found.contracts, found.values, found.refused, strict=True)
    ]
    tables = [Table(["contract", "value", "refused"], rows, str(found.measure), decimals=DECIMALS)]
    if found.parts:
        a, b = (contract.name for contract in found.contracts)
        parts = [_row(part) for part in found.parts]
        ends: list[list[object]] = [["all of these together", "", "", found.gap, found.values[1], "", "", ""]]
        if found.interaction is not None:
            ends.insert(0, ["only several together", "", "", found.interaction, "", "", "", ""])
        header = ["rule", f"A: {a}", f"B: {b}", "change", "value", "refused", "queries", "needed"]
        rows_of_parts = [*parts, *([_shown(end) for end in ends] if found.gap is not None else [])]
        tables.append(Table(header, rows_of_parts, "each rule alone, from A towards B", decimals=DECIMALS))
    bites = [
        [kebab(part.rule), one.query_id, one.before, one.after] for part in found.parts for one in _seen_bites(part)
    ]
    if bites:
        header = ["rule", "query_id", "before", "after"]
        tables.append(Table(header, bites, "queries that a rule changes most", decimals=DECIMALS))
    return tables


def _seen_bites(part: Part) -> list[Bite]:
    """Return the queries that a rule changes in more than the last digits."""
    return [one for one in part.bites if one.weight > TINY or None in (one.before, one.after)]


def _row(part: Part) -> list[object]:
    answers = [_spelled(one) for one in part.answers]
    needed = "yes" if part.needed else "no"
    return _shown([kebab(part.rule), *answers, part.change, part.value, part.refused or "", part.queries, needed])


def _shown(row: list[object]) -> list[object]:
    """Return a row with its change signed; one too small for the table's decimals is written out."""
    change = row[3]
    if not isinstance(change, float):
        return row
    signed = f"{change:+.{DECIMALS}f}" if abs(change) >= 10**-DECIMALS or not change else f"{change:+.1e}"
    return [*row[:3], signed, *row[4:]]


def _spelled(answers: Answers) -> str:
    return ", ".join(spell(answer) for answer in answers.values())


def why_notes(found: Why) -> list[str]:
    """Return which rules are enough, which do nothing here, and how to look into a query."""
    a, b = found.contracts
    notes = []
    if not found.parts:
        notes.append(f"no rule in which {a.name} and {b.name} differ changes {found.measure} here")
    elif found.gap is not None and abs(found.gap) <= TINY:
        last = "all but the last digits of " if found.gap else ""
        notes.append(f"both give {last}the same value")
    enough = [kebab(part.rule) for part in found.parts if part.needed]
    if enough:
        notes.append(f"{', '.join(enough)}: enough to take the value of {a.name} to that of {b.name}, each needed")
    if found.idle:
        notes.append(f"differ, and change nothing here: {', '.join(map(kebab, found.idle))}")
    return notes


PARTS = ("rule", "a", "b", "change", "value", "refused", "queries", "needed")
"""The header of the rows that a program reads."""


def part_rows(found: Why) -> list[list[object]]:
    """Return a row a rule that matters, under the header `PARTS`; then the interaction, and the whole gap."""
    rows: list[list[object]] = [
        [
            kebab(part.rule),
            *map(_spelled, part.answers),
            part.change,
            part.value,
            part.refused,
            part.queries,
            part.needed,
        ]
        for part in found.parts
    ]
    ends: list[list[object]] = [
        ["interaction", None, None, found.interaction, None, None, None, None],
        ["gap", None, None, found.gap, found.values[1], found.refused[1], None, None],
    ]
    return [*rows, *ends]


def explain_commands(found: Why, name: str, qrels: str, run: str) -> list[str]:
    """Return the commands that explain the value that each rule changes most: under A, called `name`, and with it."""
    told = []
    for part in found.parts:
        for bite in _seen_bites(part)[:1]:
            shared = ["rankproof", "explain", str(found.measure), qrels, run, "--query", bite.query_id]
            rules = [
                word
                for rule, answer in part.answers[1].items()
                for word in ("--rule", f"{kebab(rule)}={spell(answer)}")
            ]
            ways = [(bite.before, []), (bite.after, rules)]  # what has no value there is not explained there
            told += [shlex.join([*shared, "--contract", name, *own]) for value, own in ways if value is not None]
    return list(dict.fromkeys(told))


GROUPED = ("group", "contract", "value", "refused")
"""The header of the rows of `presets_tables`."""


def preset_rows(found: UnderPresets) -> list[list[object]]:
    """Return a row a preset, under the header `GROUPED`."""
    return [
        [at, name, group.value, group.refused] for at, group in enumerate(found.groups, 1) for name in group.presets
    ]


def presets_tables(found: UnderPresets) -> list[Table]:
    """Return a row a preset, with the number of its group."""
    rows = [[*row[:3], row[3] or ""] for row in preset_rows(found)]
    return [Table(GROUPED, rows, str(found.measure), decimals=DECIMALS)]


def presets_notes(found: UnderPresets) -> list[str]:
    """Return how many values there are."""
    values = [group for group in found.groups if group.value is not None]
    others = len(found.groups) - len(values)
    contracts = counted(sum(len(group.presets) for group in found.groups), "contract")
    none = f", {counted(others, 'reason')} to give none" if others else ""
    return [f"{contracts}, {counted(len(values), 'value')}{none}"]
