"""What changed between two runs: which queries first, and what stands beside what."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from generators import QRELS, RUNS, in_common, run_of
from hypothesis import assume, given

from rankproof.diff import Change, Found, Move, Row, diff
from rankproof.errors import ContractError, InputError, MeasureError
from rankproof.evaluate import evaluate
from rankproof.formats.texts import Text
from rankproof.model import Ranking, Run
from rankproof.tables import as_text
from rankproof.words import Words

QRELS_BY_HAND = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}, "q3": {"a": 1}, "q4": {"c": 1, "d": -1}}
LEFT = {"q1": ["b", "a", "x"], "q2": ["a"], "q3": ["a", "y"], "q4": ["c", "d"]}
RIGHT = {"q1": ["a", "z", "b"], "q2": ["x", "y", "z", "a"], "q3": ["a", "x"], "q4": ["d", "e"]}
# RR: q1 1/2 to 1, q2 1 to 1/4, q3 stays at 1, q4 1 to 0


def by_hand(**options):
    return diff(QRELS_BY_HAND, LEFT, RIGHT, "RR", **options)


def test_the_greatest_change_comes_first() -> None:
    """Changes are right less left, the greatest first; the summary counts which rose, fell and stayed."""
    found = by_hand()
    assert found.changes == [
        Change("q4", 1, 0, -1),
        Change("q2", 1, 0.25, -0.75),
        Change("q1", 0.5, 1, 0.5),
        Change("q3", 1, 1, 0),
    ]
    assert found.counts == {"rose": 1, "fell": 2, "stayed": 1, "undefined": 0}
    assert found.summary == "RR from run to run#2: rose for 1 of 4 queries, fell for 2, stayed for 1"
    assert [one.change.query_id for one in found.queries] == ["q4", "q2", "q1"]  # what stayed is not shown
    assert [one.change.query_id for one in by_hand(queries=1).queries] == ["q4"]


def test_rounding_does_not_order() -> None:
    """Changes that differ in their last digit only stand in the order of the qrels, also over several of them."""
    assert 1 / 2 - 1 / 3 != 1 / 3 - 1 / 6
    half, third, sixth = ([*(f"x{at}" for at in range(ranks)), "a"] for ranks in (1, 2, 5))
    steps = {"q1": (half, third), "q2": (third, sixth), "q3": (half, third), "q4": (third, sixth), "q5": (half, sixth)}
    for order in (list(steps), list(steps)[::-1]):
        before, after = ({query: steps[query][at] for query in order} for at in (0, 1))
        found = diff({query: {"a": 1} for query in order}, before, after, "RR")
        assert [one.query_id for one in found.changes] == ["q5", *(query for query in order if query != "q5")]


def test_side_by_side() -> None:
    """Each rank has its documents with their grades, None for unjudged; moves, unique and unjudged are counted."""
    found = {one.change.query_id: one for one in by_hand().queries}
    assert found["q1"].rows == [
        Row(1, Found("b", 0), Found("a", 1)),
        Row(2, Found("a", 1), Found("z", None)),
        Row(3, Found("x", None), Found("b", 0)),
    ]
    assert found["q1"].moves == [
        Move("b", 1, 3, 0),
        Move("a", 2, 1, 1),
        Move("z", None, 2, None),
        Move("x", 3, None, None),
    ]
    assert [move.says for move in found["q1"].moves] == ["1 → 3 (down 2)", "2 → 1 (up 1)", "new at 2", "3 → gone"]
    assert (found["q1"].unique, found["q1"].unjudged) == ((1, 1), (1, 1))
    assert found["q2"].rows[1] == Row(2, None, Found("y", None))
    assert (found["q2"].unique, found["q2"].unjudged) == ((0, 3), (0, 3))
    assert found["q4"].rows[0] == Row(1, Found("c", 1), Found("d", None))  # pooled, but not judged
    assert found["q4"].unjudged == (1, 2)


def test_to_read() -> None:
    """Printed, a difference is its tables and notes, under the names of the runs; a notebook has the same as HTML."""
    found = diff(QRELS_BY_HAND, Run("old", _rankings(LEFT)), Run("new", _rankings(RIGHT)), "RR", queries=1)
    first, second = found.tables()
    assert first.header == [
        *("query_id", "old", "new", "delta", "direction", "documents only in old", "documents only in new"),
        *("unjudged in old", "unjudged in new"),
    ]
    assert first.rows == [["q4", 1, 0, "-1.0000", Words("fell", "내림"), 1, 1, 1, 2]]
    assert second.header == ["rank", "old", "grade", "move", "new", "grade", "move"]
    assert [list(map(str, row)) for row in second.rows] == [
        ["1", "c", "1", "1 → gone", "d", "unjudged", "2 → 1 (up 1)"],
        ["2", "d", "unjudged", "2 → 1 (up 1)", "e", "unjudged", "new at 2"],
    ]
    assert all(isinstance(cell, Words) for row in second.rows for cell in (row[3], row[5], row[6]))
    assert second.rows[0][6] == Words("2 → 1 (up 1)", "2 → 1 (위로 1)")
    text, html = repr(found), found._repr_html_()
    assert text.startswith("RR, left old, right new\nquery_id ")
    for note in found.notes():
        assert note in text
        assert note in html
    assert "2 more changed: see -n (in Python queries=)" in text
    assert html.count("<table>") == 2


def _rankings(of_query: dict) -> dict:
    return {query: Ranking(docs) for query, docs in of_query.items()}


def test_a_side_that_returned_nothing() -> None:
    """Where a run returned nothing for a query, its side of the table says so, and stays empty below."""
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"b": 1}}
    left, right = Run("old", _rankings({"q1": ["a"]})), Run("new", _rankings({"q1": ["a"], "q2": ["x", "a"]}))
    _, one, none = diff(qrels, left, right, "RR", only=["q2", "q3"]).tables()
    assert [list(map(str, row)) for row in one.rows] == [
        ["1", "old returned nothing", "", "", "x", "unjudged", "new at 1"],
        ["2", "", "", "", "a", "1", "new at 2"],
    ]
    assert [list(map(str, row)) for row in none.rows] == [
        ["", "old returned nothing", "", "", "new returned nothing", "", ""]
    ]


@pytest.mark.parametrize("width", [90, 110, 221])
@pytest.mark.parametrize("letter", ["x", "글", "e\u0301"])
def test_texts_fit_a_terminal(width: int, letter: str) -> None:
    """With a width, each row of a query's table fits it, as rich counts columns; without one, 60 characters stand."""
    from rich.cells import cell_len

    texts = {doc: Text("", letter * 200) for doc in "abcdexyz"}
    found = by_hand(doc_texts=texts)
    for table in found.tables(width)[1:]:
        lines = as_text([table], styled=False).splitlines()[1:]
        assert max(map(cell_len, lines)) <= width
        assert max(map(cell_len, lines)) > width - 8
    whole = found.tables()[1].rows[0][1]
    assert whole == f"c: {(letter * 200)[:60]}…"


def test_a_narrow_terminal() -> None:
    """A text keeps a few letters, however narrow the terminal."""
    found = by_hand(doc_texts={"c": Text("", "x" * 50), "d": Text("", "short")})
    assert found.tables(10)[1].rows[0][1] == "c: xxxxxxxxxxx…"
    assert found.tables(10)[1].rows[0][4] == "d: short"


def test_depth() -> None:
    """Rows end at the depth; a move out of it still says where the document went."""
    (query,) = by_hand(depth=1, only=["q2"]).queries
    assert query.rows == [Row(1, Found("a", 1), Found("x", None))]
    assert query.moves == [Move("a", 1, 4, 1), Move("x", None, 1, None)]
    assert (query.unique, query.unjudged) == ((1, 1), (0, 1))


def test_only_some_queries() -> None:
    """Queries asked for are shown whether they changed or not, and unknown ones are refused with the nearest."""
    assert [one.change.query_id for one in by_hand(only=["q3", "q4"]).queries] == ["q4", "q3"]
    with pytest.raises(ContractError, match=r"query q9: has no value in either run") as caught:
        by_hand(only=["q9", "q1", "q8"])
    assert "hint: nearest to q9: q" in str(caught.value)
    assert len(caught.value.faults) == 2


def test_texts() -> None:
    """Texts of the shown queries and documents stand in the result; without texts none do."""
    found = by_hand(queries=1, query_texts={"q4": "why?", "q1": "no"}, doc_texts={"c": Text("T", "t"), "z": "no"})
    assert found.queries[0].text == Text("", "why?")
    assert found.texts == {"c": Text("T", "t")}
    assert by_hand().texts == {}
    assert by_hand().queries[0].text is None


def test_what_cannot_be_compared() -> None:
    """A query without a value on one side has no delta, comes last, and is counted."""
    found = diff(
        {"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": ["a"]}, {"q1": ["b"], "q2": ["a"]}, "RR", missing_query="skip"
    )
    assert found.changes == [Change("q1", 1, 0, -1), Change("q2", None, 1, None)]
    assert found.counts["undefined"] == 1
    assert "cannot be compared for 1" in found.summary
    assert [one.change.query_id for one in found.queries] == ["q1"]
    (shown,) = diff(
        {"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": ["a"]}, {"q1": ["b"], "q2": ["a"]}, "RR", only=["q2"]
    ).queries
    assert shown.rows == [Row(1, None, Found("a", 1))]


def test_the_contract_orders() -> None:
    """The tie rule, a measure's own rules, and the rule for negative grades hold as in evaluate."""
    qrels, run = {"q": {"a": 1, "b": -1}}, {"q": {"a": 1.0, "b": 1.0}}
    up = diff(qrels, run, {"q": {"b": 2.0, "a": 1.0}}, "RR", ties="document-id-ascending")
    assert up.queries[0].rows[0] == Row(1, Found("a", 1), Found("b", None))
    own = diff(qrels, run, {"q": {"b": 2.0, "a": 1.0}}, "RR(ties=document-id-ascending)", negative_grade="non-relevant")
    assert own.queries[0].rows[0] == Row(1, Found("a", 1), Found("b", 0))


@given(QRELS, RUNS, RUNS)
def test_values_are_those_of_evaluate(qrels: dict, a: dict, b: dict) -> None:
    """Values are evaluate's; exchanged runs change every delta's sign; a run does not differ from itself."""
    assume(in_common(qrels, a))
    assume(in_common(qrels, b))
    forth, back = diff(qrels, a, b, "RR"), diff(qrels, b, a, "RR")
    values = [evaluate(qrels, run, ["RR"]) for run in (a, b)]
    for change in forth.changes:
        assert [change.left, change.right] == [one.of_query(change.query_id)["RR"] for one in values]
    mirrored = {one.query_id: one for one in back.changes}
    for change in forth.changes:
        delta = mirrored[change.query_id].delta
        assert change.delta == (None if delta is None else -delta)
    sizes = [abs(change.delta) for change in forth.changes if change.delta is not None]
    assert all(before - size > -1e-12 for before, size in pairwise(sizes))  # the same value stands in the qrels' order
    place = {query: at for at, query in enumerate(qrels)}
    for (one, size), (other, smaller) in pairwise(zip(forth.changes, sizes, strict=False)):
        assert size - smaller >= 1e-12 or place[one.query_id] < place[other.query_id]
    for one in diff(qrels, a, run_of(a), "RR", only=list(qrels), depth=3).queries:
        assert (one.moves, one.unique) == ([], (0, 0))
        assert all(row.left == row.right for row in one.rows)


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"measure": "P.5,10"}, MeasureError, "names 2 measures; expected one"),
        ({"measure": "nDGC"}, MeasureError, "nDCG"),
        ({"depth": 0}, MeasureError, "depth cannot be 0"),
        ({"queries": True}, MeasureError, "queries cannot be True"),
        ({"depht": 3}, ContractError, "depth"),
        ({"a": {"x": LEFT, "y": RIGHT}}, InputError, "2 runs are given"),
        ({"a": {"other": ["a"]}}, ContractError, "no query in common"),
        ({"a": {"q1": ["a", "a"]}}, ContractError, "stands twice"),
        ({"doc_texts": 3}, InputError, "holds no texts"),
    ],
)
def test_bad_input(options: dict, error: type[Exception], says: str) -> None:
    """Each mistake is refused by name."""
    with pytest.raises(error, match=says):
        diff(**{"qrels": QRELS_BY_HAND, "a": LEFT, "b": RIGHT, **options})


@pytest.fixture
def files(tmp_path):
    for name, content in {"qrels": QRELS_BY_HAND, "left": LEFT, "right": RIGHT}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    (tmp_path / "queries.tsv").write_text("q4\twhy is it so?\nq2\tunused\n")
    (tmp_path / "corpus.jsonl").write_text('{"_id": "c", "title": "Title", "text": "' + "long " * 40 + '"}\n')
    return [tmp_path / f"{name}.json" for name in ("qrels", "left", "right")]


def test_command(in_process, files, tmp_path) -> None:
    """`rankproof diff` prints what changed most, then both rankings side by side, with texts where they are given."""
    texts = ["--queries", tmp_path / "queries.tsv", "--corpus", tmp_path / "corpus.jsonl"]
    done = in_process("diff", *files, "-m", "RR", "-n", "1", *texts)
    assert done.status == 0
    for part in ("-1.0000", "query q4 (why is it so?): fell", "c: Title long", "unjudged", "gone", "2 → 1 (up 1)"):
        assert part in done.out
    assert "q2" not in done.out
    assert "rose for 1 of 4 queries" in done.err
    assert "2 more changed" in done.err
    shown = in_process("diff", *files, "-m", "RR", "--query", "q3", "--query", "q1", "--depth", "2")
    assert "query q3: stayed" in shown.out
    assert "query q4" not in shown.out


def test_command_for_programs(in_process, files, tmp_path) -> None:
    """JSON holds record, counts, rows and moves; CSV a row a query and rank; Markdown its notes."""
    content = json.loads(in_process("diff", *files, "-m", "RR", "--format", "json").out)
    assert [one["role"] for one in content["inputs"]] == ["qrels", "left", "right"]
    assert content["counts"] == {"rose": 1, "fell": 2, "stayed": 1, "undefined": 0}
    first = content["queries"][0]
    assert (first["query_id"], first["delta"], first["text"]) == ("q4", -1, None)
    assert first["rows"][0] == {
        "rank": 1,
        "left": {"doc_id": "c", "grade": 1},
        "right": {"doc_id": "d", "grade": None},
    }
    assert first["moves"][0] == {"doc_id": "c", "left": 1, "right": None, "grade": 1, "says": "1 → gone"}
    header, *rows = in_process("diff", *files, "-m", "RR", "--format", "csv", "-n", "1").out.splitlines()
    assert header.startswith("query_id,left_value,right_value,delta,rank,left,left_grade")
    assert rows[0] == "q4,1.0,0.0,-1.0,1,c,1,1 → gone,d,,2 → 1 (up 1)"
    markdown = in_process("diff", *files, "-m", "RR", "--format", "markdown", "-o", tmp_path / "out.md")
    assert "written to" in markdown.err
    assert "- RR from left to right" in (tmp_path / "out.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--query", "q7"], "hint: nearest to q7: q"),
        (["-m", "nDGC@10"], "nDCG"),
        (["-m", "nDCG@10", "-m", "R@10"], "2 measures are given: nDCG@10, R@10; expected one -m"),
        (["--corpus", "absent.jsonl"], "absent.jsonl: there is no such file"),
        (["--corpus", "-", "--queries", "-"], "standard input can be read once only"),
    ],
)
def test_command_with_bad_arguments(in_process, files, arguments: list[str], says: str) -> None:
    """A mistake ends with one message and status 2."""
    done = in_process("diff", *files, *arguments)
    assert (done.status, done.out) == (2, "")
    assert says in done.err
