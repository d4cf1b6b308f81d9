"""How do the vectors of a tiny corpus lie around a query, in a plane?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import atan2, cos, hypot, sin
from typing import TypedDict

from rankproof.charts import Chart
from rankproof.charts.palette import BLUE, GREY, ORANGE, cycled
from rankproof.charts.spec import Say, Spec, chart, named, nominal, tips
from rankproof.tables import Table
from rankproof.words import Words, same

KINDS: Mapping[str, tuple[str, str, Words]] = {
    "query": (ORANGE, "diamond", Words("the query", "질의")),
    "candidate": (BLUE, "circle", Words("candidate", "후보")),
    "other": (GREY, "square", Words("no candidate", "후보 아님")),
}
"""What a vector is: its colour, its shape and its words."""

Vector = Sequence[float]
HEIGHT = 340


def plane(query: str, vector: Vector, documents: Mapping[str, Vector], candidates: Sequence[str]) -> Chart:
    """Return the query and all documents as arrows from the origin, and the angle within which the candidates lie.

    One unit is as long along x as along y, however wide the picture is. The query is a direction: its arrow is as long
    as that of the longest document.
    """
    farthest = max(hypot(*one) for one in documents.values())
    scale = farthest / hypot(*vector)
    rows = [_row(doc, at, "candidate" if doc in candidates else "other", farthest) for doc, at in documents.items()]
    rows.append(_row(query, [scale * one for one in vector], "query", farthest))
    names = ", ".join(candidates)
    alt = Words(
        f"{len(documents)} documents as vectors, the query {query} as a direction; within the dashed angle lie its "
        f"candidates: {names}.",
        f"문서 {len(documents)}개의 벡터와 질의 {query}의 방향. 점선 사이의 각도 안에 있는 것이 후보입니다: {names}.",
    )
    cells = [[row["id"], *{**documents, query: vector}[row["id"]], KINDS[row["kind"]][2]] for row in rows]
    table = Table(["vector", "x", "y", "what"], cells)
    rays = _rays(vector, [documents[doc] for doc in candidates], 1.08 * farthest)
    return chart(partial(_layout, 1.25 * farthest, rays), rows, table, alt)


class _Row(TypedDict):
    """A vector: its end, what it is, and where its name stands, a little farther out."""

    id: str
    x: float
    y: float
    kind: str
    name_x: float
    name_y: float


def _row(name: str, at: Vector, kind: str, farthest: float) -> _Row:
    out = 1 + 0.13 * farthest / hypot(*at)
    return {"id": name, "x": at[0], "y": at[1], "kind": kind, "name_x": out * at[0], "name_y": out * at[1]}


def _rays(query: Vector, candidates: Sequence[Vector], length: float) -> list[dict[str, float]]:
    """Return the ends of two lines at the angle of the candidate that is farthest from the query, to both sides."""
    towards = atan2(query[1], query[0])
    widest = max(_angle(query, one) for one in candidates)
    return [{"x": length * cos(towards + way * widest), "y": length * sin(towards + way * widest)} for way in (1, -1)]


def _angle(one: Vector, other: Vector) -> float:
    """Return the angle between two vectors, from 0 to pi; the arc tangent keeps small ones exact."""
    across, along = one[0] * other[1] - one[1] * other[0], one[0] * other[0] + one[1] * other[1]
    return abs(atan2(across, along))


def _layout(reach: float, rays: Sequence[Mapping[str, float]], say: Say) -> Spec:
    def along(field: str, one: str, other: str) -> Spec:
        wide = f"{reach} * max(1, {one} / {other})"
        scale = {"domainMin": {"expr": f"-{wide}"}, "domainMax": {"expr": wide}, "nice": False, "zero": False}
        return {"field": field, "type": "quantitative", "title": None, "scale": scale, "axis": {"tickCount": 6}}

    x, y = along("x", "width", "height"), along("y", "height", "width")
    origin = {"x2": {"datum": 0}, "y2": {"datum": 0}}
    legend = {"labelExpr": named({kind: say(words) for kind, (_, _, words) in KINDS.items()})}
    names = list(KINDS)
    colour = nominal("kind", scale=cycled([one[0] for one in KINDS.values()], names), legend=legend)
    shape = nominal("kind", scale=cycled([one[1] for one in KINDS.values()], names), legend=legend)
    told = tips(say, ("id", same(" ")), ("kind", Words("what", "내용")))
    dashed = {"type": "rule", "strokeDash": [4, 4], "strokeWidth": 1.5, "color": BLUE}
    return {
        "height": HEIGHT,
        "layer": [
            {"data": {"values": [dict(ray) for ray in rays]}, "mark": dashed, "encoding": {"x": x, "y": y, **origin}},
            {"mark": {"type": "rule", "strokeWidth": 2.5}, "encoding": {"x": x, "y": y, **origin, "color": colour}},
            {
                "mark": {"type": "point", "filled": True, "size": 130, "opacity": 1},
                "encoding": {"x": x, "y": y, "color": colour, "shape": shape, "tooltip": told},
            },
            {
                "mark": {"type": "text", "fontWeight": "bold"},
                "encoding": {
                    "x": {**x, "field": "name_x"},
                    "y": {**y, "field": "name_y"},
                    "text": {"field": "id"},
                },
            },
        ],
    }
