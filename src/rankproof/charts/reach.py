"""How much of what was in reach did a reranker reach, as a picture?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TypeAlias

from rankproof.charts.palette import BLUE, GREY, ORANGE, cycled
from rankproof.charts.spec import Chart, Say, Spec, chart, nominal, number, tips
from rankproof.model import Value
from rankproof.tables import Table
from rankproof.words import TERMS, Words, same

Reach: TypeAlias = tuple[str, Value, Value, Value]
"""Measure, its value before, after, and at best."""

SIDES = ("before", "after", "ceiling")
_TURNS = {"up": BLUE, "down": ORANGE, "stays": GREY}


def reach_plot(rows: Sequence[Reach]) -> Chart:
    """Return each measure's value before and after reranking, beside the most that its candidates allow.

    A value that is undefined, or a ceiling that is not known, has no mark.
    """
    data = [
        {"label": measure, "before": before, "after": after, "ceiling": ceiling, "turn": _turn(before, after)}
        for measure, before, after, ceiling in rows
    ]
    alt = Words(
        "Each measure before and after reranking, and the ceiling that the candidates set: the grey stroke.",
        "지표별 리랭킹 전과 후, 그리고 후보로 도달할 수 있는 최댓값(회색 세로줄).",
    )
    return chart(_reached, data, Table(["measure", *SIDES], [list(row) for row in rows]), alt)


def _turn(before: Value, after: Value) -> str:
    if before is None or after is None or before == after:
        return "stays"
    return "up" if after > before else "down"


def _reached(say: Say) -> Spec:
    title = say(Words("○ before, ● after, | at best", "○ 전, ● 후, | 도달 가능한 최댓값"))
    y, tooltip = nominal("label", axis={"grid": False}), partial(tips, say, ("label", same(" ")))
    told = tooltip(*((name, Words(name, TERMS[name])) for name in SIDES))
    colour = nominal("turn", scale=cycled(list(_TURNS.values()), list(_TURNS)), legend=None)
    before, after, ceiling = (
        {"y": y, "x": number(side, title, scale={"zero": False}), "tooltip": told} for side in SIDES
    )
    left = {"type": "rule", "strokeWidth": 1.5, "strokeDash": [2, 3], "color": GREY}
    return {
        "height": {"step": 40},
        "layer": [
            {"mark": left, "encoding": {**after, "x2": {"field": "ceiling"}}},
            {
                "mark": {"type": "rule", "strokeWidth": 3},
                "encoding": {**before, "x2": {"field": "after"}, "color": colour},
            },
            {"mark": {"type": "tick", "color": GREY, "thickness": 3, "height": 24}, "encoding": ceiling},
            {"mark": {**_POINT, "filled": False, "strokeWidth": 2}, "encoding": {**before, "color": colour}},
            {"mark": {**_POINT, "filled": True}, "encoding": {**after, "color": colour}},
        ],
    }


_POINT = {"type": "point", "shape": "circle", "size": 110, "opacity": 1}
