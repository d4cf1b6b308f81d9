"""Charts: valid Vega-Lite, the numbers of their tables, readable without colour."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from math import inf, nan
from xml.etree import ElementTree as ET

import pytest
import report_sample as sample
from browser import ROOT, needed
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from rankproof.charts import cutoff_plot, delta_plot, interval_plot, palette, rank_moves, score_distribution
from rankproof.charts.pictures import picture
from rankproof.charts.reach import reach_plot
from rankproof.errors import MissingPackageError, printable

REACHED = [("nDCG@10", 0.25, 0.5, 0.75), ("AP", 0.5, 0.25, 0.5), ("RR", 0.5, 0.5, None), (sample.HOSTILE, None, 0.1, 1)]
CHARTS = {**sample.charts(), "reach": reach_plot(REACHED)}
FIELDS = {
    "intervals": {"measure": "label", "change": "delta", "low": "low", "high": "high"},
    "deltas": {"query_id": "query_id", "change": "delta"},
    "many deltas": {"query_id": "query_id", "change": "delta"},
    "moves": {one: one for one in ("query_id", "doc_id", "grade", "before", "after")},
    "many moves": {one: one for one in ("query_id", "doc_id", "grade", "before", "after")},
    "cutoffs": {one: one for one in ("series", "k", "value")},
    "scores": {one: one for one in ("group", "from", "to", "count")},
    "reach": {"measure": "label", "before": "before", "after": "after", "ceiling": "ceiling"},
    "standings": {"system": "label", "mean": "mean", "low": "low", "high": "high", "letters": "letters"},
}
"""Which field of the spec's rows holds which column of the table."""


@pytest.fixture(scope="module")
def schema():
    """The JSON Schema that Vega-Lite publishes in its package."""
    return json.loads(needed("node_modules/vega-lite/build/vega-lite-schema.json").read_text("utf-8"))


@pytest.mark.parametrize("name", CHARTS)
def test_specs_are_valid(name: str, schema) -> None:
    """Each spec, in both languages, holds against Vega-Lite's own schema."""
    for spec in (CHARTS[name].spec, CHARTS[name].in_korean()):
        faults = sorted(Draft7Validator(schema).iter_errors(spec), key=lambda one: one.json_path)
        assert [f"{one.json_path}: {one.message[:300]}" for one in faults] == []


@pytest.mark.parametrize("name", CHARTS)
def test_specs_are_drawn(name: str) -> None:
    """vl-convert, another program, draws each spec in both languages, with as many places as there are numbers."""
    for korean in (False, True):
        drawn = ET.fromstring(picture(CHARTS[name], "svg", korean=korean))  # noqa: S314 - our own picture
        texts = " ".join(drawn.itertext())
        assert "NaN" not in ET.tostring(drawn, encoding="unicode")
        if name == "intervals":
            assert ("나아짐" if korean else "better") in texts
            assert "+0.0410" in texts
    assert picture(CHARTS[name], "png").startswith(b"\x89PNG")


@pytest.mark.parametrize("name", CHARTS)
def test_numbers_are_those_of_the_table(name: str) -> None:
    """The rows that a spec draws are the rows of the chart's table, number for number."""
    chart, fields = CHARTS[name], FIELDS[name]
    columns = [list(chart.table.header).index(column) for column in fields]
    told = [[row[at] for at in columns] for row in chart.table.rows]
    drawn = [[row[field] for field in fields.values()] for row in chart.spec["datasets"]["rows"]]
    assert drawn == [[printable(cell) if isinstance(cell, str) else cell for cell in row] for row in told]


@pytest.mark.parametrize("name", CHARTS)
def test_both_languages_show_the_same(name: str) -> None:
    """The two layouts differ in words only, and each spec is described."""
    chart = CHARTS[name]
    assert chart.spec["description"] == printable(chart.alt.en)
    assert chart.korean["description"] == printable(chart.alt.ko)

    def shape(part: object) -> object:
        if isinstance(part, dict):
            return {key: shape(inner) for key, inner in part.items() if key not in ("datasets", "labelExpr")}
        return [shape(inner) for inner in part] if isinstance(part, list) else type(part)

    assert shape(chart.spec) == shape(chart.korean)
    assert (
        re.search("[가-힣]", json.dumps({**chart.korean, "description": ""}, ensure_ascii=False)) or name == "standings"
    )


@pytest.mark.parametrize("name", CHARTS)
def test_texts_are_printable(name: str) -> None:
    """No id brings a control character into a spec: the program that draws it may end at one."""

    def texts(part: object) -> Iterator[str]:
        if isinstance(part, str):
            yield part
        for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
            yield from texts(inner)

    assert [text for text in texts([CHARTS[name].spec, CHARTS[name].korean]) if not text.isprintable()] == []


def test_rows_are_not_changed() -> None:
    """What the caller passed stays as it was."""
    rows, moves, scores = deepcopy(sample.DELTAS), deepcopy(sample.MOVES), deepcopy(sample.SCORES)
    delta_plot(rows, measure="AP")
    rank_moves(moves)
    score_distribution("run", scores)
    assert (rows, moves, scores) == (sample.DELTAS, sample.MOVES, sample.SCORES)


def test_deltas_are_sorted_and_counted() -> None:
    """The greatest delta comes first, and the sentence counts which rose, stayed and fell."""
    chart = CHARTS["deltas"]
    assert [row[1] for row in chart.table.rows] == [0.75, 0.25, 0.0, -0.25, -0.5]
    assert "2 better · 1 same · 2 worse" in chart.alt.en
    assert chart.spec["title"] == "2 better · 1 same · 2 worse"


@pytest.mark.parametrize(("count", "mark"), [(40, "bar"), (41, "area"), (5000, "area")])
def test_many_queries_are_an_area(count: int, mark: str) -> None:
    """Up to 40 queries are bars with names; more are an area, of which at most 1000 places answer to the pointer."""
    spec = delta_plot(sample.many_deltas(count), measure="AP").spec
    assert spec["layer"][0]["mark"]["type"] == mark
    if mark == "area":
        step = int(re.search(r"% (\d+)", json.dumps(spec["layer"][-1]))[1])
        assert count / step <= 1000


def test_moves() -> None:
    """A smaller rank is a move up, none after is a move down; what neither list holds is counted and not drawn."""
    told = {(row[0], row[1]): str(row[5]) for row in CHARTS["moves"].table.rows}
    assert told == {
        ("q1", "a"): "up",
        ("q1", "b"): "down",
        ("q1", "c"): "up",
        ("q2", "a"): "down",
        ("q2", "b"): "stays",
    }
    assert "6 relevant documents" in CHARTS["moves"].alt.en
    assert "2 up, 2 down, 1 stay; 1 not retrieved after; 1 in neither list" in CHARTS["moves"].alt.en


def test_moves_end_at_the_depth() -> None:
    """Below the depth nothing is drawn, but it is counted; without a document that is missing, no place is kept."""
    rows = [("q", "a", 1, 5, 2), ("q", "b", 1, 1, 3), ("q", "c", 1, 35, 35), ("q", "d", 1, 40, None)]
    chart = rank_moves(rows, before="bm25", after="cross", depth=5)
    assert [row[1] for row in chart.table.rows] == ["a", "b"]
    assert "1 up, 2 down, 1 stay; 1 not retrieved after; 2 further down are not drawn" in chart.alt.en
    text = json.dumps(chart.spec)
    assert '"values": [1, 2, 3, 5]' in text
    assert "rank: ○ bm25, ◂ ▸ cross" in json.dumps(chart.spec, ensure_ascii=False)
    assert max(chart.spec["layer"][0]["encoding"]["x"]["scale"]["domain"]) < 10
    drawn = rank_moves([*rows, ("q", "e", 1, 4, None)], depth=5).spec["layer"][0]["encoding"]["x"]["axis"]["values"]
    assert drawn == [1, 2, 3, 5, 11.0]


def test_many_documents_at_one_place_are_one_larger_point() -> None:
    """Of 60 documents that went from 2 to 1, and one from 3 to 3, two points are drawn, sized by 60 and by 1."""
    chart = rank_moves([*((f"q{at}", "a", 1, 2, 1) for at in range(60)), ("q", "b", 1, 3, 3)])
    assert len(chart.spec["datasets"]["rows"]) == 61
    assert chart.spec["layer"][1]["encoding"]["size"]["scale"]["domain"] == [1, 60]
    drawn = ET.fromstring(picture(chart, "svg"))  # noqa: S314 - our own picture
    (points,) = [one for one in drawn.iter() if "mark-symbol role-mark" in (one.get("class") or "")]
    assert len(points) == 2


def test_reach_turns() -> None:
    """A measure that rose, fell, stayed or is undefined is told apart, and the ceiling is not drawn where unknown."""
    rows = CHARTS["reach"].spec["datasets"]["rows"]
    assert [row["turn"] for row in rows] == ["up", "down", "stays", "stays"]
    assert rows[2]["ceiling"] is None


def test_groups_of_scores_keep_their_colours() -> None:
    """Relevant is blue, non-relevant orange, unjudged grey, in whatever order and company they stand."""
    own = {"relevant": palette.BLUE, "non-relevant": palette.ORANGE, "unjudged": palette.GREY}
    for names in (["unjudged", "relevant"], ["non-relevant"], ["x", "unjudged", "y"]):
        scale = score_distribution("run", {name: [1.0] for name in names}).spec["encoding"]["color"]["scale"]
        colours = dict(zip(scale["domain"], scale["range"], strict=True))
        assert list(colours) == names
        assert {name: colours[name] for name in names if name in own} == {
            name: own[name] for name in names if name in own
        }
        assert not {colours[name] for name in names if name not in own} & set(own.values())
        assert len(set(colours.values())) == len(names)


def test_bins_by_hand() -> None:
    """Three bins from 0 to 9 take a score at their lower edge, and the last one also its upper edge."""
    counts = {(row[0], row[1]): row[3] for row in CHARTS["scores"].table.rows}
    assert counts == {
        ("relevant", 0.0): 0,
        ("relevant", 3.0): 1,
        ("relevant", 6.0): 2,
        ("non-relevant", 0.0): 2,
        ("non-relevant", 3.0): 2,
        ("non-relevant", 6.0): 0,
        ("unjudged", 0.0): 1,
        ("unjudged", 3.0): 0,
        ("unjudged", 6.0): 0,
    }


SCORES = st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.3, 1 / 3, 1.0, -5.0, 1e300, -1e300, inf, -inf, nan]), max_size=12)


@given(st.dictionaries(st.sampled_from(["relevant", "non-relevant", "x"]), SCORES), st.integers(1, 7))
def test_bins_lose_nothing(groups: dict[str, list[float]], bins: int) -> None:
    """Each finite score is in one bin of its group, between its edges; those that are not finite are told."""
    table = score_distribution("run", groups, bins=bins).table
    finite = {group: [one for one in scores if abs(one) < inf] for group, scores in groups.items()}
    found: Counter[str] = Counter()
    for group, low, high, count in table.rows:
        found[group] += count
        inside = sum(low <= one < high for one in finite[group])
        assert inside <= count <= sum(low <= one <= high for one in finite[group])
    if any(finite.values()):
        assert found == Counter({group: len(scores) for group, scores in finite.items()})
    left = sum(map(len, groups.values())) - sum(map(len, finite.values()))
    assert (table.title or "").startswith(f"{left} scores" if left else "")


def test_undefined_is_told_and_not_drawn_as_zero() -> None:
    """A change or a value that is undefined is null in the table and in the data."""
    assert interval_plot([("AP", None, None, None, "undefined")]).table.rows[0][1:4] == [None, None, None]
    chart = cutoff_plot([("run", 5, None)])
    assert chart.table.rows == [["run", 5, None]]
    assert chart.spec["datasets"]["rows"] == [{"series": "run", "k": 5, "value": None}]


def luminance(colour: str) -> float:
    """Return the relative luminance of #rrggbb (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_colours_stand_out_on_both_pages() -> None:
    """Each colour of the palette has a contrast of 3 or more against the light and the dark page (WCAG 1.4.11)."""
    style = (ROOT / "src/rankproof/report/assets/style.css").read_text("utf-8")
    pages = re.findall(r"--page: (#\w{6})", style)
    assert len(pages) == 2
    for colour in {*palette.SERIES, *(sign.colour for sign in palette.SIGNS.values())}:
        for page in pages:
            dark, light = sorted((luminance(colour), luminance(page)))
            assert (light + 0.05) / (dark + 0.05) >= 3, (colour, page)


def test_the_lab_has_the_colours_of_the_reports() -> None:
    """Each colour that reports name has the same two values, light and dark, in the lab."""
    report = (ROOT / "src/rankproof/report/assets/style.css").read_text("utf-8")
    lab = (ROOT / "src/rankproof/lab/page/style.css").read_text("utf-8")
    colour = re.compile(r"(--[\w-]+): (#\w+);")
    light, _, dark = report.partition("@media screen and (prefers-color-scheme: dark)")
    of_report = {name: (value, value) for name, value in colour.findall(light.partition("}")[0])}
    of_report |= {name: (of_report[name][0], value) for name, value in colour.findall(dark.partition("}")[0])}
    of_lab = {name: (value, value) for name, value in colour.findall(lab)}
    of_lab |= {name: (one, other) for name, one, other in re.findall(r"(--[\w-]+): light-dark\((#\w+), (#\w+)\);", lab)}
    assert of_report
    assert {name: of_lab.get(name) for name in of_report} == of_report


def test_colour_is_never_the_only_sign() -> None:
    """Series differ in shape and dash too, and each verdict has a shape of its own."""
    assert len(set(palette.SHAPES)) == len(set(map(tuple, palette.DASHES))) == len(palette.SERIES)
    for signs in (palette.SIGNS, palette.DECISIONS):
        assert len({sign.shape for sign in signs.values()}) == len(signs)


def test_without_vl_convert(monkeypatch) -> None:
    """Without the package the error says how to install it."""
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(MissingPackageError, match=r"needs the package vl-convert-python\n\nhint: pip install"):
        picture(CHARTS["deltas"], "png")
