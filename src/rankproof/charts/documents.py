"""How do documents move between two rankings, and how are their scores spread, as a picture?"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import cycle
from json import dumps
from math import isfinite
from typing import NamedTuple, TypeAlias

from rankproof.charts.palette import BLUE, GREY, ORANGE, SERIES, cycled
from rankproof.charts.spec import Chart, Say, Spec, chart, named, nominal, number, tips
from rankproof.tables import Table
from rankproof.words import TERMS, Words, same

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

GROUPS: Mapping[str, str] = {"relevant": BLUE, "non-relevant": ORANGE, "unjudged": GREY}
"""The groups of scores, and their colours."""

BEFORE, AFTER, MISSING = Words("before", "전"), Words("after", "후"), Words("not retrieved", "검색 안 됨")

_TICKS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000, 1_000_000)


class _Look(NamedTuple):
    """What the layouts of moves have to know."""

    before: Words
    after: Words
    deepest: int  # the lowest rank drawn
    with_missing: bool  # whether a document that is drawn was not retrieved by one of the runs
    most: int  # documents at one place

    @property
    def beyond(self) -> float:
        """Return where documents stand that are not retrieved."""
        return 2.2 * max(self.deepest, 2)

    @property
    def end(self) -> float:
        """Return where the axis ends."""
        return 1.2 * self.beyond if self.with_missing else 1.2 * max(self.deepest, 2)


def rank_moves(
    rows: Sequence[Move], *, before: str | None = None, after: str | None = None, depth: int | None = None
) -> Chart:
    """Return where relevant documents stood before and stand after, with a place for those not retrieved.

    Up to 40 documents have a line each, those that rose most first; more are points, before against after, the larger
    the more documents lie there. A document in neither list, or below `depth` in both, is counted and not drawn.
    `before` and `after` are the names of the runs.
    """
    drawn = [row for row in rows if any(rank is not None and (depth is None or rank <= depth) for rank in row[3:])]
    deepest = max((rank for row in drawn for rank in row[3:] if rank is not None), default=1)
    ordered = sorted(drawn, key=lambda row: ((row[4] or deepest + 1) - (row[3] or deepest + 1), row[0], row[1]))
    one_query = len({row[0] for row in drawn}) == 1
    data = [
        {
            "label": doc if one_query else f"{query} · {doc}",
            "query_id": query,
            "doc_id": doc,
            "grade": grade,
            "before": left,
            "after": right,
            "move": _direction(left, right),
        }
        for query, doc, grade, left, right in ordered
    ]
    cells = [[*row, MOVES[_direction(row[3], row[4])][1]] for row in ordered]
    look = _Look(
        before=BEFORE if before is None else same(before),
        after=AFTER if after is None else same(after),
        deepest=deepest,
        with_missing=any(None in row[3:] for row in drawn),
        most=max(Counter(row[3:] for row in drawn).values(), default=1),
    )
    table = Table(["query_id", "doc_id", "grade", "before", "after", "move"], cells)
    layout = _dumbbells if len(drawn) <= NAMED else _before_against_after
    return chart(partial(layout, look), data, table, _moves_alt(rows, len(drawn)))


def _direction(before: Rank, after: Rank) -> str:
    if before == after:
        return "stays"
    return "up" if before is None or (after is not None and after < before) else "down"


def _moves_alt(rows: Sequence[Move], drawn: int) -> Words:
    """Return what is seen, in numbers: all documents that were given are counted, each once."""
    found = [(before, after) for *_, before, after in rows if (before, after) != (None, None)]
    moves = Counter(_direction(*ranks) for ranks in found)
    up, down, stays = (moves[move] for move in ("up", "down", "stays"))
    lost, nowhere, below = sum(after is None for _, after in found), len(rows) - len(found), len(found) - drawn
    more = [
        Words(f"; {lost} not retrieved after", f". 후에 검색 안 됨 {lost}"),
        *([Words(f"; {nowhere} in neither list", f". 양쪽에 없음 {nowhere}")] if nowhere else ()),
        *([Words(f"; {below} further down are not drawn", f". 더 아래의 {below}개는 그리지 않음")] if below else ()),
        *([Words(". The larger a mark, the more documents", ". 표시가 클수록 문서가 많음")] if drawn > NAMED else ()),
    ]
    return Words(
        f"Ranks of {len(rows):,} relevant documents before and after: {up} up, {down} down, {stays} stay"
        f"{''.join(one.en for one in more)}.",
        f"적합 문서 {len(rows):,}개의 전후 순위: 위로 {up}, 아래로 {down}, 그대로 {stays}"
        f"{''.join(one.ko for one in more)}.",
    )


def _rank(field: str, title: str, look: _Look, say: Say, *, downwards: bool = False) -> Spec:
    """Return a logarithmic axis of ranks, with a place beyond the deepest for documents that are not retrieved."""
    beyond = [look.beyond] if look.with_missing else []
    axis = {
        "values": [*(tick for tick in _TICKS if tick <= look.deepest), *beyond],
        "labelExpr": f"datum.value > {look.deepest} ? {dumps(say(MISSING))} : format(datum.value, 'd')",
        "labelOverlap": True,
    }
    scale = {"type": "log", "domain": [0.85, look.end], "nice": False, "reverse": downwards}
    return number(f"{field}_at", title, scale=scale, axis=axis)


def _placed(look: _Look) -> list[Spec]:
    return [
        {"calculate": f"isValid(datum.{side}) ? datum.{side} : {look.beyond}", "as": f"{side}_at"}
        for side in ("before", "after")
    ]


def _by_move(shapes: Sequence[str], look: _Look, say: Say, *more: tuple[str, Words]) -> dict[str, Spec | list[Spec]]:
    legend = {"labelExpr": named({move: say(words) for move, (_, words) in MOVES.items()})}
    told = [(name, Words(words, TERMS[name])) for name, words in (("query_id", "query"), ("doc_id", "document"))]
    told += [("grade", Words("grade", TERMS["grade"])), ("before", look.before), ("after", look.after)]
    return {
        "color": nominal("move", scale=cycled([colour for colour, _ in MOVES.values()], list(MOVES)), legend=legend),
        "shape": nominal("move", scale=cycled(shapes, list(MOVES)), legend=legend),
        "tooltip": tips(say, *told, *more),
    }


def _dumbbells(look: _Look, say: Say) -> Spec:
    y = nominal("label", axis={"grid": False})
    left, right = say(look.before), say(look.after)
    title = say(Words(f"rank: ○ {left}, ◂ ▸ {right}", f"순위: ○ {left}, ◂ ▸ {right}"))
    before, after = (_rank(side, title, look, say) for side in ("before", "after"))
    by_move = _by_move(("triangle-left", "triangle-right", "diamond"), look, say)
    hollow = {"type": "point", "shape": "circle", "filled": False, "size": 90, "strokeWidth": 2, "opacity": 1}
    return {
        "height": {"step": 24},
        "transform": _placed(look),
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.6},
                "encoding": {"y": y, "x": before, "x2": {"field": "after_at"}, "color": by_move["color"]},
            },
            {
                "mark": hollow,
                "encoding": {"y": y, "x": before, "color": by_move["color"], "tooltip": by_move["tooltip"]},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 110, "opacity": 1},
                "encoding": {"y": y, "x": after, **by_move},
            },
        ],
    }


def _before_against_after(look: _Look, say: Say) -> Spec:
    """Return a point a place, named in its tooltip by the first document that lies there."""
    diagonal = {
        "data": {"values": [{"before_at": 1, "after_at": 1}, {"before_at": look.end, "after_at": look.end}]},
        "mark": {"type": "line", "color": GREY, "strokeDash": [4, 4], "strokeWidth": 1, "clip": True},
    }
    here = Words("documents here", "여기 놓인 문서 수")
    place = ["before_at", "after_at"]
    scale = {"domain": [1, max(look.most, 4)], "range": [50, 800]}
    points = {
        "transform": [
            *_placed(look),
            {"joinaggregate": [{"op": "count", "as": "documents"}], "groupby": place},
            {"window": [{"op": "row_number", "as": "nth"}], "groupby": place},
            {"filter": "datum.nth === 1"},
        ],
        "mark": {"type": "point", "filled": True, "opacity": 0.7},
        "encoding": {
            **_by_move(("triangle-up", "triangle-down", "diamond"), look, say, ("documents", here)),
            "size": {"field": "documents", "type": "quantitative", "scale": scale, "legend": None},
        },
    }
    x, y = (say(Words(f"rank, {side.en}", f"순위, {side.ko}")) for side in (look.before, look.after))
    return {
        "height": 380,
        "encoding": {"x": _rank("before", x, look, say), "y": _rank("after", y, look, say, downwards=True)},
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


def _colours(groups: Iterable[str]) -> list[str]:
    """Return each group's own colour, whichever others stand beside it."""
    others = cycle(SERIES[2:-1])
    return [GROUPS[group] if group in GROUPS else next(others) for group in groups]


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
            "color": nominal("group", scale=cycled(_colours(sizes), list(sizes)), legend=None),
            "tooltip": tooltip,
        },
    }
