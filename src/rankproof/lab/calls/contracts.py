"""What is one ranking worth under each contract, and which rules make the values differ?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from rankproof.contract import Contract, differences
from rankproof.errors import RankproofError
from rankproof.evaluate import ABSENT, values_of
from rankproof.lab.blocks_json import page_json
from rankproof.lab.contracts_telling import Row, page_of
from rankproof.lab.given import choice_of, text_of
from rankproof.lab.ranked_grades import QUERY, Asked, asked_in
from rankproof.measures import Measure, parse
from rankproof.presets import PRESETS
from rankproof.presets import contract as contract_of

Arguments: TypeAlias = Mapping[str, Any]

MEASURES = ("nDCG@{k}", "DCG@{k}", "P@{k}", "R@{k}", "RR@{k}", "AP@{k}", "Bpref", "RBP(p=0.8)", "Judged@{k}")
"""The measures that stand side by side, whatever else is asked."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a contract gives: a value, or why there is none; or why it refuses the input."""

    value: float | None
    reason: str | None = None
    refused: str | None = None


def contracts(arguments: Arguments) -> dict[str, Any]:
    """Return a ranking's value of a measure under every preset, and the rules that make each differ.

    Arguments: those of `asked_in`; `measure`; `k`, the cutoff of the other measures; `reference`, the preset that the
    others are held against. A preset's `rules` are enough to make the difference, and none of them can be spared.
    """
    asked, measure = asked_in(arguments), parse(text_of(arguments, "measure"))
    reference = choice_of(arguments, "reference", tuple(PRESETS))
    base = PRESETS[reference].contract
    of_base = value_under(asked, measure, base)
    rows = []
    for name, preset in PRESETS.items():
        found = of_base if name == reference else value_under(asked, measure, preset.contract)
        rules = [] if found == of_base else deciding(asked, measure, base, preset.contract)
        rows.append(Row(name, found.value, found.reason, found.refused, rules))
    others = _others(asked, arguments)
    page = page_of(str(measure), reference, rows, others, asked.shown())
    return {
        "measure": str(measure),
        "reference": reference,
        "documents": asked.shown(),
        "page": page_json(page),
        "data": {
            "measure": str(measure),
            "reference": reference,
            "contracts": {
                row.name: {
                    "fingerprint": PRESETS[row.name].contract.fingerprint,
                    "value": row.value,
                    "reason": row.reason,
                    "refused": row.refused,
                    "rules": list(row.rules),
                }
                for row in rows
            },
            "measures": others,
        },
    }


def _others(asked: Asked, arguments: Arguments) -> dict[str, dict[str, float | None]]:
    """Return other measures' values, by contract and measure; None where there is none."""
    measures = [parse(name.format(k=asked.cutoff(arguments))) for name in MEASURES]
    return {
        name: {str(one): value_under(asked, one, preset.contract).value for one in measures}
        for name, preset in PRESETS.items()
    }


def value_under(asked: Asked, measure: Measure, contract: Contract) -> Outcome:
    """Return what a contract gives for the ranking."""
    try:
        found = values_of(asked.qrels, asked.run, [measure], contract)
    except RankproofError as error:
        return Outcome(None, refused=error.faults[0].message)
    name = str(measure)
    reason = next(iter(found.undefined.get(name, {})), None)
    values = found.of_query(QUERY) if QUERY in found.query_ids else None
    return Outcome(None, ABSENT) if values is None else Outcome(values[name], reason)


def deciding(asked: Asked, measure: Measure, base: Contract, other: Contract) -> list[str]:
    """Return rules that turn one contract's value into another's: enough, and none that could be spared.

    Rules in which the two differ are given the first one's answer, one after the other, as long as the value stays the
    other one's, and again while that spares another: without one, an earlier one may be idle too. Which rules are left
    may hang on their order, which is that of the documentation.
    """
    wanted = value_under(asked, measure, other)
    kept = {rule: answers for rule, answers in differences(base, other).items() if ": " not in rule}
    count = None
    while count != len(kept):
        count = len(kept)
        for rule in list(kept):
            fewer = {name: answers[1] for name, answers in kept.items() if name != rule}
            if value_under(asked, measure, contract_of(base, **fewer)) == wanted:
                del kept[rule]
    return list(kept)
