"""How do changes, means and values over cutoffs look as a picture?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TypeAlias

from rankproof.charts.palette import BLUE, DASHES, GREY, ORANGE, SERIES, SHAPES, cycled, sign
from rankproof.charts.spec import Chart, Say, Spec, chart, ends, named, nominal, number, tips, zero_line
from rankproof.model import Value
from rankproof.tables import Table
from rankproof.words import Words, counted, same

NAMED = 40
"""As many queries have their ids beside them; of more, the tooltip and the table tell the id."""
POINTED = 1000
"""As many places of a long chart answer to the pointer."""

Interval: TypeAlias = tuple[str, Value, Value, Value, str]
"""Label, delta, lower and upper end of its interval, verdict."""
Standing: TypeAlias = tuple[str, Value, Value, Value, str]
"""System, mean, lower and upper end of its interval, the letters of its groups."""

CHANGE, VALUE, QUERY = Words("change", "변화"), Words("value", "값"), Words("query", "질의")
LOW, HIGH = Words("low", "하한"), Words("high", "상한")

_RULE = {"type": "rule", "strokeWidth": 2.5, "strokeCap": "round"}
_POINT = {"type": "point", "filled": True, "size": 130, "opacity": 1}
_BESIDE = {"type": "text", "align": "left", "baseline": "middle", "dx": 10}


def interval_plot(
    rows: Sequence[Interval],
    *,
    margin: float | None = None,
    axis: Words = CHANGE,
    alt: Words | None = None,
    head: Sequence[str] = ("measure", "change"),
) -> Chart:
    """Return deltas with their intervals beside a line at zero, one row a label.

    `margin`: a band from -margin to margin, within which a change does not matter. `axis`: what the delta is, `alt`:
    what the chart shows, `head`: what its table calls a row and its number.
    """
    data = [
        {"label": label, "delta": delta, "low": low, "high": high, "verdict": verdict}
        for label, delta, low, high, verdict in rows
    ]
    cells = [[label, delta, low, high, sign(verdict).words] for label, delta, low, high, verdict in rows]
    band = (f", and the band of ±{margin:g} that does not matter", f"과 무시할 ±{margin:g} 띠") if margin else ("", "")
    said = Words(
        f"{counted(len(rows), 'change')}, each with its interval, beside a line at zero{band[0]}.",
        f"변화 {len(rows)}개와 그 구간, 0의 선{band[1]}.",
    )
    verdicts = list(dict.fromkeys(row[4] for row in rows))
    table = Table([*head, "low", "high", "verdict"], cells)
    return chart(partial(_intervals, verdicts, margin, axis), data, table, alt or said)


def _intervals(verdicts: Sequence[str], margin: float | None, axis: Words, say: Say) -> Spec:
    signs = [sign(verdict) for verdict in verdicts]
    legend = {"labelExpr": named({verdict: say(one.words) for verdict, one in zip(verdicts, signs, strict=True)})}
    colour = nominal("verdict", scale=cycled([one.colour for one in signs], verdicts), legend=legend)
    shape = nominal("verdict", scale=cycled([one.shape for one in signs], verdicts), legend=legend)
    band = {
        "data": {"values": [{"low": -(margin or 0), "high": margin or 0}]},
        "mark": {"type": "rect", "color": GREY, "opacity": 0.16},
        "encoding": {**ends(say(axis)), "y": {"value": 0}, "y2": {"value": "height"}},
    }
    y = nominal("label", axis={"grid": False})
    x = number("delta", say(axis))
    tooltip = tips(say, ("label", same(" ")), ("delta", axis), ("low", LOW), ("high", HIGH))
    return {
        "height": {"step": 34},
        "layer": [
            *([band] if margin else ()),
            zero_line(),
            {"mark": _RULE, "encoding": {"y": y, **ends(say(axis)), "color": colour}},
            {"mark": _POINT, "encoding": {"y": y, "x": x, "color": colour, "shape": shape, "tooltip": tooltip}},
            {
                "mark": _BESIDE,
                "encoding": {
                    "y": y,
                    "x": number("high", say(axis)),
                    "text": {"field": "delta", "type": "quantitative", "format": "+.4f"},
                },
            },
        ],
    }


def leaderboard_plot(rows: Sequence[Standing], *, measure: str) -> Chart:
    """Return each system's mean with its interval, and the letters of the groups it belongs to, in the order given.

    Systems that share a letter cannot be told apart.
    """
    data = [
        {"label": system, "mean": mean, "low": low, "high": high, "letters": letters}
        for system, mean, low, high, letters in rows
    ]
    alt = Words(
        f"Mean {measure} of {len(rows)} systems with intervals; systems that share a letter cannot be told apart.",
        f"시스템 {len(rows)}개의 평균 {measure}와 구간. 글자가 같은 시스템은 구별되지 않습니다.",
    )
    table = Table(["system", "mean", "low", "high", "letters"], [list(row) for row in rows])
    return chart(partial(_standings, measure), data, table, alt)


def _standings(measure: str, say: Say) -> Spec:
    y = nominal("label", axis={"grid": False})
    x = number("mean", measure, scale={"zero": False})
    letters = ("letters", Words("group", "그룹"))
    tooltip = tips(say, ("label", same(" ")), ("mean", same(measure)), ("low", LOW), ("high", HIGH), letters)
    return {
        "height": {"step": 34},
        "layer": [
            {"mark": {**_RULE, "color": BLUE}, "encoding": {"y": y, **ends(measure)}},
            {"mark": {**_POINT, "color": BLUE}, "encoding": {"y": y, "x": x, "tooltip": tooltip}},
            {
                "mark": {**_BESIDE, "fontWeight": "bold"},
                "encoding": {"y": y, "x": number("high", measure), "text": {"field": "letters"}},
            },
        ],
    }


def delta_plot(rows: Sequence[tuple[str, float]], *, measure: str) -> Chart:
    """Return each query's delta, the greatest first: rows are (query id, delta).

    Up to 40 queries are bars with their ids; more are a stepped area.
    """
    ordered = sorted(rows, key=lambda row: (-row[1], row[0]))
    data = [{"n": at, "query_id": query, "delta": delta} for at, (query, delta) in enumerate(ordered, 1)]
    up, down = sum(delta > 0 for _, delta in rows), sum(delta < 0 for _, delta in rows)
    level = len(rows) - up - down
    counts = Words(
        f"{up:,} better · {level:,} same · {down:,} worse",
        f"나아짐 {up:,} · 같음 {level:,} · 나빠짐 {down:,}",
    )
    alt = Words(
        f"Change of {measure} for each of {len(rows):,} queries, the greatest first: {counts.en}.",
        f"질의 {len(rows):,}개 각각의 {measure} 변화, 큰 것부터: {counts.ko}.",
    )
    layout = partial(_bars, measure, counts) if len(rows) <= NAMED else partial(_area, measure, counts, len(rows))
    return chart(layout, data, Table(["query_id", "change"], ordered), alt)


def _change_of(measure: str) -> Words:
    return Words(f"change of {measure}", f"{measure} 변화")


def _bars(measure: str, counts: Words, say: Say) -> Spec:
    colour = {"condition": {"test": "datum.delta < 0", "value": ORANGE}, "value": BLUE}
    encoding = {
        "y": {**nominal("query_id"), "axis": {"grid": False}},
        "x": number("delta", say(_change_of(measure))),
        "color": colour,
        "tooltip": tips(say, ("query_id", QUERY), ("delta", CHANGE)),
    }
    bar = {"mark": {"type": "bar", "height": {"band": 0.68}, "cornerRadiusEnd": 2}, "encoding": encoding}
    return {"title": say(counts), "height": {"step": 22}, "layer": [bar, zero_line()]}


def _area(measure: str, counts: Words, queries: int, say: Say) -> Spec:
    x = number("n", say(Words("queries, the greatest change first", "질의 (변화가 큰 것부터)")))
    x = {
        **x,
        "scale": {"domain": [0.5, queries + 0.5], "nice": False},
        "axis": {"grid": False, "format": ",d", "tickCount": 8},
    }
    y = number("delta", say(_change_of(measure)))

    def half(clipped: str, colour: str) -> Spec:
        mark = {"type": "area", "interpolate": "step", "color": colour, "opacity": 0.75}
        return {
            "transform": [{"calculate": clipped, "as": "part"}],
            "mark": mark,
            "encoding": {"x": x, "y": {**y, "field": "part"}},
        }

    every = -(-queries // POINTED)
    pointed = {
        "transform": [{"filter": f"datum.n % {every} == 0"}],
        "mark": {"type": "rule", "opacity": 0, "strokeWidth": 3},
        "encoding": {"x": x, "tooltip": tips(say, ("query_id", QUERY), ("delta", CHANGE))},
    }
    halves = [half("max(0, datum.delta)", BLUE), half("min(0, datum.delta)", ORANGE)]
    return {"title": say(counts), "height": 260, "layer": [*halves, zero_line("y"), pointed]}


def cutoff_plot(rows: Sequence[tuple[str, int, Value]], *, axis: Words = VALUE) -> Chart:
    """Return values over cutoffs, one line a series (a run, or a run and a measure): rows are (series, k, value)."""
    data = [{"series": series, "k": k, "value": value} for series, k, value in rows]
    series = list(dict.fromkeys(row["series"] for row in data))
    cutoffs = sorted({k for _, k, _ in rows})
    alt = Words(
        f"{len(series)} series of {axis.en} over the cutoffs {', '.join(map(str, cutoffs))}.",
        f"컷오프 {', '.join(map(str, cutoffs))}에서 {len(series)}개 계열의 {axis.ko}.",
    )
    table = Table(["series", "k", "value"], [list(row) for row in rows])
    return chart(partial(_cutoffs, [str(one) for one in series], cutoffs, axis), data, table, alt)


def _cutoffs(series: Sequence[str], cutoffs: Sequence[int], axis: Words, say: Say) -> Spec:
    wide = bool(cutoffs) and cutoffs[-1] > 10 * cutoffs[0]
    legend = {"symbolStrokeWidth": 0}  # a dashed outline would blur the shape
    line = {"type": "line", "strokeWidth": 2.2, "point": {"size": 70, "filled": True, "opacity": 1}}
    encoding = {
        "x": number(
            "k",
            say(Words("cutoff k", "컷오프 k")),
            scale={"type": "log"} if wide else {"zero": False},
            axis={"values": list(cutoffs), "format": "d", "grid": False, "labelOverlap": True},
        ),
        "y": number("value", say(axis), scale={"zero": False}),
        "color": nominal("series", scale=cycled(SERIES, series), legend=legend),
        "shape": nominal("series", scale=cycled(SHAPES, series), legend=legend),
        "strokeDash": nominal("series", scale=cycled(DASHES, series), legend=legend),
        "tooltip": tips(say, ("series", same(" ")), ("k", same("k")), ("value", axis)),
    }
    return {"height": 280, "mark": line, "encoding": encoding}
