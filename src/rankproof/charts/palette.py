"""Which colours, shapes and words do the charts use?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from rankproof.words import Words

BLUE, ORANGE, GREY = "#2b7fd4", "#cc5f1a", "#7b8794"
SERIES = (BLUE, ORANGE, "#12908a", "#a45bc4", "#b98800", "#d2527f", "#5c8a2f", GREY)
"""Middle tones: each has a contrast of 3 or more against the light and against the dark page."""
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [12, 4], [4, 4], [1, 3], [10, 2, 4, 2])
"""No two series are told apart by colour alone."""


Tone: TypeAlias = Literal["good", "bad", "open"]
"""Whether something is good news, bad news, or still open."""


class Sign(NamedTuple):
    """What a verdict is called, how it looks in a chart, which mark stands before it in a table, and its tone."""

    words: Words
    colour: str
    shape: str
    mark: str
    tone: Tone = "open"


SIGNS: Mapping[str, Sign] = {
    "better": Sign(Words("better", "나아짐"), BLUE, "triangle-up", "▲", "good"),
    "worse": Sign(Words("worse", "나빠짐"), ORANGE, "triangle-down", "▼", "bad"),
    "no-difference-shown": Sign(Words("no difference shown", "차이가 드러나지 않음"), GREY, "circle", "–"),
    "equivalent": Sign(Words("equivalent", "동등함"), "#12908a", "diamond", "="),
    "not-enough-queries": Sign(Words("not enough queries", "질의가 부족함"), GREY, "triangle-left", "?"),
    "same": Sign(Words("same", "같음"), GREY, "square", "="),
    "mixed": Sign(Words("mixed", "엇갈림"), "#a45bc4", "triangle-right", "±"),
    "undefined": Sign(Words("undefined", "정의되지 않음"), GREY, "cross", "·"),
}
"""All verdicts, by name: the first five of comparisons, then those of lab files. Each has a shape of its own."""

DECISIONS: Mapping[str, Sign] = {
    "met": Sign(Words("met", "충족"), BLUE, "triangle-up", "✓", "good"),
    "not-met": Sign(Words("not met", "미충족"), ORANGE, "triangle-down", "✗", "bad"),
    "undecided": Sign(Words("undecided (not enough queries)", "미결 (질의가 부족함)"), GREY, "triangle-left", "?"),
}
"""How a gate decides a requirement, by name."""


def sign(verdict: str) -> Sign:
    """Return how a verdict looks; one that is not in the table is told apart by its words."""
    return {**SIGNS, **DECISIONS}.get(verdict, Sign(Words(verdict, verdict), GREY, "cross", "·"))


_INK, _QUIET, _LINE = "#4a5560", "#66727e", "#8c98a4"

CONFIG: Mapping[str, Any] = {
    "font": "system-ui, 'Segoe UI', 'Apple SD Gothic Neo', 'Malgun Gothic', 'Noto Sans CJK KR', sans-serif",
    "aria": False,  # a chart is one picture with a description; its table has the numbers
    "padding": 4,
    "view": {"stroke": None},
    "axis": {
        "labelColor": _INK,
        "labelFontSize": 12,
        "labelLimit": 220,
        "labelPadding": 6,
        "titleColor": _QUIET,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "titlePadding": 10,
        "gridColor": _LINE,
        "gridOpacity": 0.28,
        "domain": False,
        "ticks": False,
    },
    "legend": {
        "orient": "top",
        "direction": "horizontal",
        "title": None,
        "labelColor": _INK,
        "labelFontSize": 12,
        "labelLimit": 280,
        "symbolSize": 90,
        "symbolStrokeWidth": 2,
        "symbolOpacity": 1,
        "columnPadding": 18,
        "offset": 10,
    },
    "title": {"anchor": "start", "color": _INK, "fontSize": 12, "fontWeight": "normal", "offset": 8},
    "text": {"color": _INK, "fontSize": 12},
    "rule": {"color": _LINE},
}
"""Quiet axes; a page lets its own style sheet set the ink of texts and lines."""


def cycled(of: Sequence[Any], names: Sequence[str]) -> Mapping[str, Any]:
    """Return a scale that gives each name its own entry, from the start again where there are more names."""
    return {"domain": list(names), "range": [of[at % len(of)] for at in range(len(names))]}
