"""What is one ranking worth under each contract, and which rules make the values differ?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from rankproof.evaluate import ABSENT
from rankproof.lab.blocks_json import page_json
from rankproof.lab.contracts_telling import Row, page_of
from rankproof.lab.given import choice_of, count_of, text_of
from rankproof.lab.ranked_grades import QUERY, Asked, asked_in
from rankproof.measures import parse
from rankproof.outcome import Outcome
from rankproof.presets import PRESETS
from rankproof.why.under import OneMeasure, Under, needed

Arguments: TypeAlias = Mapping[str, Any]

MEASURES = ("nDCG@{k}", "DCG@{k}", "P@{k}", "R@{k}", "RR@{k}", "AP@{k}", "Bpref", "RBP(p=0.8)", "Judged@{k}")
"""The measures that stand side by side, whatever else is asked."""


def contracts(arguments: Arguments) -> dict[str, Any]:
    """Return a ranking's value of a measure under every preset, and the rules that make each differ.

    Arguments: those of `asked_in`; `measure`; `k`, the cutoff of the other measures; `reference`, the preset that the
    others are held against. A preset's `rules` are enough to make the difference, and none of them can be spared.
    """
    asked, measure = asked_in(arguments), parse(text_of(arguments, "measure"))
    reference = choice_of(arguments, "reference", tuple(PRESETS))
    on, base = OneMeasure(asked.qrels, asked.run, measure), PRESETS[reference].contract
    rows = []
    for name, preset in PRESETS.items():
        found = on.under(preset.contract)
        rules = needed(on, base, preset.contract, _alike)
        rows.append(Row(name, *_seen(found), found.why_refused, rules))
    others = _others(asked, arguments)
    page = page_of(measure, reference, rows, others, asked.shown())
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
    measures = [parse(name.format(k=count_of(arguments, "k", 5))) for name in MEASURES]
    each = [OneMeasure(asked.qrels, asked.run, one) for one in measures]
    return {
        name: {str(on.measure): _seen(on.under(preset.contract)).value for on in each}
        for name, preset in PRESETS.items()
    }


def _seen(under: Under) -> Outcome:
    """Return the one query's outcome."""
    found = under.per_query.get(QUERY, Outcome(None, None if under.refused else ABSENT))
    return Outcome(found.value, found.reason if found.value is None else None)


def _alike(one: Under, other: Under) -> bool:
    return (_seen(one), one.why_refused) == (_seen(other), other.why_refused)
