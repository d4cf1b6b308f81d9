"""How do documents move between two rankings, and how are their scores spread, as a picture?"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import partial
from json import dumps
from math import isfinite
from typing import TypeAlias

from rankproof.charts.palette import BLUE, GREY, ORANGE, SERIES, cycled
from rankproof.charts.spec import Chart, Say, Spec, chart, named, nominal, number, tips
from rankproof.tables import Table
from rankproof.words import TERMS, Words

Rank: TypeAlias = int | None
Move: TypeAlias = tuple[str, str, float, Rank, Rank]
"""Query id, document id, grade, rank before and after; None: not retrieved."""

NAMED = 40
"""As many documents have a line of their own; more are points, before against after."""

MOVES: Mapping[str, tuple[str, Words]] = {
    "up": (BLUE, Words("up", "위로")),
    "down": (ORANGE, Words("down", "아래로")),
    "stays": (GREY, Words("stays", "그대로")),
}
"""A direction, its colour and its words."""

BEFORE, AFTER, MISSING = Words("before", "전"), Words("after", "후"), Words("not retrieved", "검색 안 됨")

_TICKS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000, 1_000_000)
_TIPS = (
    ("query_id", Words("query", "질의")),
    ("doc_id", Words("document", "문서")),
    ("grade", Words("grade", "등급")),
    ("before", BEFORE),
    ("after", AFTER),
)


def rank_moves(rows: Sequence[Move]) -> Chart:
    """Return where relevant documents stood before and stand after, with a place for those not retrieved.

    Up to 40 documents have a line each, those that rose most first; more are points, before against after.
    """
    deepest = max((rank for *_, before, after in rows for rank in (before, after) if rank is not None), default=1)
    ordered = sorted(rows, key=lambda row: ((row[4] or deepest + 1) - (row[3] or deepest + 1), row[0], row[1]))
    one_query = len({row[0] for row in rows}) == 1
    data = [
        {
            "label": doc if one_query else f"{query} · {doc}",
            "query_id": query,
            "doc_id": doc,
            "grade": grade,
            "before": before,
            "after": after,
            "move": _direction(before, after),
        }
        for query, doc, grade, before, after in ordered
    ]
    cells = [[*row, MOVES[_direction(row[3], row[4])][1]] for row in ordered]
    table = Table(["query_id", "doc_id", "grade", "before", "after", "move"], cells)
    layout = _dumbbells if len(rows) <= NAMED else _before_against_after
    return chart(partial(layout, deepest), data, table, _moves_alt(rows))


def _direction(before: Rank, after: Rank) -> str:
    if before == after:
        return "stays"
    return "up" if before is None or (after is not None and after < before) else "down"


def _moves_alt(rows: Sequence[Move]) -> Words:
    moves = [_direction(before, after) for *_, before, after in rows]
    up, down, stays = (moves.count(move) for move in ("up", "down", "stays"))
    lost = sum(after is None for *_, after in rows)
    return Words(
        f"Ranks of {len(rows):,} relevant documents before and after: {up} up, {down} down, {stays} stay; "
        f"{lost} not retrieved after.",
        f"적합 문서 {len(rows):,}개의 전후 순위: 위로 {up}, 아래로 {down}, 그대로 {stays}. 후에 검색 안 됨 {lost}.",
    )


def _rank(field: str, deepest: int, title: str, say: Say, *, downwards: bool = False) -> Spec:
    """Return a logarithmic axis of ranks, with a place beyond the deepest for documents that are not retrieved."""
    beyond = 2.2 * max(deepest, 2)
    axis = {
        "values": [*(tick for tick in _TICKS if tick <= deepest), beyond],
        "labelExpr": f"datum.value > {deepest} ? {dumps(say(MISSING))} : format(datum.value, 'd')",
        "labelOverlap": True,
    }
    scale = {"type": "log", "domain": [0.85, 1.2 * beyond], "nice": False, "reverse": downwards}
    return number(f"{field}_at", title, scale=scale, axis=axis)


def _placed(deepest: int) -> list[Spec]:
    beyond = 2.2 * max(deepest, 2)
    return [
        {"calculate": f"isValid(datum.{side}) ? datum.{side} : {beyond}", "as": f"{side}_at"}
        for side in ("before", "after")
    ]


def _by_move(shapes: Sequence[str], say: Say) -> Spec:
    legend = {"labelExpr": named({move: say(words) for move, (_, words) in MOVES.items()})}
    return {
        "color": nominal("move", scale=cycled([colour for colour, _ in MOVES.values()], list(MOVES)), legend=legend),
        "shape": nominal("move", scale=cycled(shapes, list(MOVES)), legend=legend),
        "tooltip": tips(say, *_TIPS),
    }


def _dumbbells(deepest: int, say: Say) -> Spec:
    y = nominal("label", axis={"grid": False})
    title = say(Words("rank: ○ before, ◂ ▸ after", "순위: ○ 전, ◂ ▸ 후"))
    before, after = (_rank(side, deepest, title, say) for side in ("before", "after"))
    look = _by_move(("triangle-left", "triangle-right", "diamond"), say)
    hollow = {"type": "point", "shape": "circle", "filled": False, "size": 90, "strokeWidth": 2, "opacity": 1}
    return {
        "height": {"step": 24},
        "transform": _placed(deepest),
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.6},
                "encoding": {"y": y, "x": before, "x2": {"field": "after_at"}, "color": look["color"]},
            },
            {
                "mark": hollow,
                "encoding": {"y": y, "x": before, "color": look["color"], "tooltip": look["tooltip"]},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 110, "opacity": 1},
                "encoding": {"y": y, "x": after, **look},
            },
        ],
    }


def _before_against_after(deepest: int, say: Say) -> Spec:
    far = 2.2 * max(deepest, 2)
    diagonal = {
        "data": {"values": [{"before_at": 1, "after_at": 1}, {"before_at": far, "after_at": far}]},
        "mark": {"type": "line", "color": GREY, "strokeDash": [4, 4], "strokeWidth": 1},
    }
    points = {
        "transform": _placed(deepest),
        "mark": {"type": "point", "filled": True, "size": 60, "opacity": 0.7},
        "encoding": _by_move(("triangle-up", "triangle-down", "diamond"), say),
    }
    return {
        "height": 380,
        "encoding": {
            "x": _rank("before", deepest, say(Words("rank before", "전 순위")), say),
            "y": _rank("after", deepest, say(Words("rank after", "후 순위")), say, downwards=True),
        },
        "layer": [diagonal, points],
    }


def score_distribution(run: str, groups: Mapping[str, Sequence[float]], *, bins: int = 30) -> Chart:
    """Return one run's scores as a histogram a group (relevant, non-relevant, unjudged), over the same bins.

    Each group is scaled to its own fullest bin. Scores that are not finite are counted in the table's title.
    """
    finite = {group: [score for score in scores if isfinite(score)] for group, scores in groups.items()}
    left_out = sum(len(groups[group]) - len(scores) for group, scores in finite.items())
    edges = _edges([score for scores in finite.values() for score in scores], bins)
    data, cells = [], []
    for lane, (group, scores) in enumerate(finite.items()):
        counts = _counts(scores, edges)
        for low, high, count in zip(edges, edges[1:], counts, strict=False):
            place = {"lane": len(finite) - 1 - lane, "most": max(counts)}
            data.append({"group": group, "from": low, "to": high, "count": count, **place})
            cells.append([group, low, high, count])
    sizes = {group: len(scores) for group, scores in finite.items()}
    told = ", ".join(f"{group} {size:,}" for group, size in sizes.items())
    told_ko = ", ".join(f"{TERMS.get(group, group)} {size:,}" for group, size in sizes.items())
    alt = Words(
        f"How the scores of {run} are spread over {len(edges) - 1} bins, each group by itself: {told}.",
        f"{run}의 점수 분포, 구간 {len(edges) - 1}개, 그룹별: {told_ko}.",
    )
    title = f"{left_out} scores that are not finite are left out" if left_out else None
    return chart(partial(_histograms, sizes), data, Table(["group", "from", "to", "count"], cells, title), alt)


def _edges(scores: Sequence[float], bins: int) -> list[float]:
    if not scores:
        return [0.0]
    low, high = min(scores), max(scores)
    if low == high:
        return [low - 0.5, high + 0.5]
    return [low, *(low * (1 - at / bins) + high * (at / bins) for at in range(1, bins)), high]


def _counts(scores: Sequence[float], edges: Sequence[float]) -> list[int]:
    """Return how many scores each bin holds: from its lower edge, below its upper one; the last holds its end too."""
    counts = [0] * (len(edges) - 1)
    for score in scores:
        counts[min(bisect_right(edges, score) - 1, len(counts) - 1)] += 1
    return counts


def _histograms(sizes: Mapping[str, int], say: Say) -> Spec:
    names = list(sizes)[::-1]
    labels = {
        str(lane): [say(Words(name, TERMS.get(name, name))), f"{sizes[name]:,}"] for lane, name in enumerate(names)
    }
    axis = {
        "values": [lane + 0.4 for lane in range(len(names))],
        "labelExpr": named(labels, key="floor(datum.value)"),
        "grid": False,
    }
    tooltip = tips(say, *((one, Words(one, TERMS[one])) for one in ("group", "from", "to", "count")))
    return {
        "height": max(1, len(names)) * 84,
        "transform": [{"calculate": "datum.lane + 0.88 * datum.count / max(1, datum.most)", "as": "top"}],
        "mark": {"type": "bar", "binSpacing": 1},
        "encoding": {
            "x": number("from", say(Words("score", "점수")), scale={"zero": False, "nice": False}),
            "x2": {"field": "to"},
            "y": number("lane", axis=axis, scale={"domain": [0, max(1, len(names))], "nice": False}),
            "y2": {"field": "top"},
            "color": nominal("group", scale=cycled((BLUE, ORANGE, GREY, *SERIES[2:]), list(sizes)), legend=None),
            "tooltip": tooltip,
        },
    }
