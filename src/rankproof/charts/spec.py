"""What is a chart: which parts do all Vega-Lite specs share?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from json import dumps
from operator import itemgetter
from typing import Any, TypeAlias

from rankproof.charts.palette import CONFIG
from rankproof.errors import printable
from rankproof.tables import Table
from rankproof.words import Words

Spec: TypeAlias = Mapping[str, Any]
Rows: TypeAlias = Sequence[Mapping[str, object]]
Say: TypeAlias = Callable[[Words], str]
"""Picks one of the two languages."""

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
WIDTH = 640


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture, the table of its numbers, and a sentence that says what it shows.

    `spec` is a whole Vega-Lite v6 spec in English, with its data; `korean` the same in Korean, without the data.
    """

    spec: Spec
    korean: Spec
    table: Table
    alt: Words

    def in_korean(self) -> Spec:
        """Return the whole spec in Korean."""
        return {**self.korean, "datasets": self.spec["datasets"]}


def chart(layout: Callable[[Say], Spec], rows: Rows, table: Table, alt: Words) -> Chart:
    """Return a chart; the layout, made once a language, reads its data under the name `rows`.

    Control characters of ids are spelled out everywhere: a program that draws a chart can break at them.
    """
    english, korean = (
        _spelled(
            {
                "$schema": SCHEMA,
                "description": say(alt),
                "width": WIDTH,
                "config": CONFIG,
                "data": {"name": "rows"},
                **layout(say),
            }
        )
        for say in (itemgetter(0), itemgetter(1))
    )
    return Chart({**english, "datasets": {"rows": _spelled(rows)}}, korean, table, alt)


def _spelled(part: Any) -> Any:
    """Return the same with every text printable."""
    if isinstance(part, str):
        return printable(part)
    if isinstance(part, Mapping):
        return {key: _spelled(inner) for key, inner in part.items()}
    return [_spelled(inner) for inner in part] if isinstance(part, (list, tuple)) else part


def nominal(field: str, **more: object) -> Spec:
    """Return an encoding of names, in the order of the rows."""
    return {"field": field, "type": "nominal", "sort": None, "title": None, **more}


def number(field: str, title: str | None = None, **more: object) -> Spec:
    """Return an encoding of numbers, with few lines behind it."""
    return {"field": field, "type": "quantitative", "title": title, "axis": {"tickCount": 6}, **more}


def ends(title: str) -> Spec:
    """Return the encoding of an interval along x."""
    return {"x": number("low", title), "x2": {"field": "high"}}


def tips(say: Say, *fields: tuple[str, Words]) -> list[Spec]:
    """Return what the tooltip shows, as the field and its name."""
    return [{"field": field, "title": say(words)} for field, words in fields]


def zero_line(axis: str = "x") -> Spec:
    """Return a rule at 0."""
    return {"data": {"values": [{}]}, "mark": {"type": "rule", "strokeWidth": 1.5}, "encoding": {axis: {"datum": 0}}}


def named(words: Mapping[str, object], key: str = "datum.label") -> str:
    """Return the label expression that replaces what stands in the data by words, where it knows them."""
    return f"{dumps(words, ensure_ascii=False)}[{key}] || {key}"
