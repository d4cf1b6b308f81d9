"""The rules of reading: what grades stand for, subtopics, chunks; and formats that are forced."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankproof as rp
from rankproof.contract import Contract
from rankproof.formats.chunks import rolled_up
from rankproof.model import Ranking, Run

CODES = {1: 4, 2: 3, 3: 2, 4: 1}
AS_FILES = {
    "trec": ("qrels", "q 0 a 1\nq 0 b 4\n"),
    "three columns": ("qrels", "q a 1\nq b 4\n"),
    "csv": ("qrels", "query_id;doc_id;grade\nq;a;1\nq;b;4\n"),
    "jsonl": ("qrels", '{"qid": "q", "docno": "a", "rel": 1}\n{"qid": "q", "docno": "b", "rel": 4}\n'),
    "json": ("qrels", '{"q": {"a": 1, "b": 4}}'),
    "records": ("qrels", '[{"qid": "q", "docno": "a", "rel": 1}, {"qid": "q", "docno": "b", "rel": 4}]'),
    "ratings": ("qrels", '{"queries": [{"query": "q", "ratings": {"a": 1, "b": "4"}}]}'),
}


@pytest.mark.parametrize("form", AS_FILES)
def test_a_grade_map_in_every_format(tmp_path: Path, form: str) -> None:
    """Where 1 is best each grade becomes what it stands for, whatever the file; one that is not listed is refused."""
    name, text = AS_FILES[form]
    (tmp_path / name).write_text(text, "utf-8")
    assert rp.read_qrels(tmp_path / name, rp.contract("rankproof", grade_map=CODES)) == {"q": {"a": 4, "b": 1}}
    with pytest.raises(rp.InputError, match=r"document b.*grade 4 is not in the grade-map; expected one of 1, 2"):
        rp.read_qrels(tmp_path / name, rp.contract("rankproof", grade_map={1: 2, 2: 1}))


def test_a_grade_map_of_objects() -> None:
    """Dicts and rows are mapped as files are; the caller's dict stays; fractions and negatives are grades too."""
    given_qrels = {"q": {"a": 1, "b": 4}}
    found = rp.evaluate(given_qrels, {"q": ["b", "a"]}, ["nDCG@1"], grade_map=CODES)
    assert found.means["nDCG@1"] == 1 / 4  # the report about Cranfield: not 1
    assert given_qrels == {"q": {"a": 1, "b": 4}}
    odd = rp.contract("rankproof", grade_map="-1=0.5,0.5=-2")
    assert rp.evaluate([("q", "a", -1), ("q", "b", 0.5)], {"q": ["a"]}, ["DCG@1"], odd).means["DCG@1"] == 0.5


SUBTOPICS = "q 1 a 2\nq 1 b 1\nq 2 a 1\nq 2 c 3\n"


@pytest.mark.parametrize(
    ("rule", "expected"),
    [("any", {"a": 2, "b": 1, "c": 3}), ("all", {"a": 1, "b": 0, "c": 0})],
)
def test_subtopics(tmp_path: Path, rule: str, expected: dict) -> None:
    """`any` takes a document's best grade; `all` its worst, 0 where a subtopic does not list it; else it is refused."""
    (tmp_path / "q").write_text(SUBTOPICS, "utf-8")
    assert rp.read_qrels(tmp_path / "q", rp.contract("rankproof", subtopics=rule)) == {"q": expected}
    with pytest.raises(
        rp.InputError, match="q:3: query q: the second column says 2 here, 1 before: are these sub"
    ) as no:
        rp.read_qrels(tmp_path / "q")
    assert "--subtopics any" in str(no.value)
    with pytest.raises(rp.InputError, match="document a: judged twice"):
        rp.read_qrels(tmp_path / "q", rp.contract("trec_eval-9"))  # there the column is not read


def test_a_second_column_that_differs_between_queries_is_no_subtopic(tmp_path: Path) -> None:
    """One value a query is an iteration, whichever it is; a column `subtopic` of a table is one where it differs."""
    (tmp_path / "q").write_text("q 0 a 1\nr Q0 a 1\n", "utf-8")
    assert rp.read_qrels(tmp_path / "q") == {"q": {"a": 1}, "r": {"a": 1}}
    (tmp_path / "q").write_text("query_id,subtopic,doc_id,grade\nq,x,a,1\nq,y,a,2\n", "utf-8")
    with pytest.raises(rp.InputError, match="subtopics"):
        rp.read_qrels(tmp_path / "q")
    assert rp.read_qrels(tmp_path / "q", rp.contract("rankproof", subtopics="any")) == {"q": {"a": 2}}


CHUNKS = Run("r", {"q": Ranking(["a#2", "b#1", "a#1", "c", "#x", "a#b#1"], [5.0, 4.0, 6.0, 3.0, 2.0, 1.0])})


@pytest.mark.parametrize(
    ("rule", "docs", "scores"),
    [
        ("max", ["b", "a", "c", "#x", "a#b"], [4.0, 6.0, 3.0, 2.0, 1.0]),
        ("first", ["a", "b", "c", "#x", "a#b"], [5.0, 4.0, 3.0, 2.0, 1.0]),
    ],
)
def test_chunks_become_documents(rule: str, docs: list, scores: list) -> None:
    """Of a document's chunks the best one counts, or the first; the last separator parts; what has none stays."""
    with pytest.warns(rp.RankproofWarning, match=rf"r: 6 chunks rolled up to 5 documents \(roll-up = {rule}\)"):
        found = rolled_up(CHUNKS, Contract(roll_up=rule))  # type: ignore[arg-type]
    assert found.rankings["q"].doc_ids == docs
    assert found.rankings["q"].scores == scores
    assert rolled_up(found, Contract(roll_up=rule)) is found  # type: ignore[arg-type]  # a#b is no chunk of a
    assert rolled_up(CHUNKS, Contract()) is CHUNKS


IDS = st.lists(st.sampled_from(["a#1", "a#2", "b#1", "b", "c#9"]), min_size=1, max_size=5, unique=True)


@given(IDS, st.sampled_from(["max", "first"]), st.data())
def test_rolling_up_keeps_each_document_once(ids: list[str], rule: str, data: st.DataObject) -> None:
    """Each document stands once, with the score of one of its chunks: with max, no chunk of it has a higher one."""
    scores = data.draw(st.lists(st.sampled_from([1.0, 2.0, 2.5]), min_size=len(ids), max_size=len(ids)))
    with pytest.warns(rp.RankproofWarning):
        found = rolled_up(Run("r", {"q": Ranking(ids, scores)}), Contract(roll_up=rule)).rankings["q"]  # type: ignore[arg-type]
    of_doc: dict[str, list[float]] = {}
    for chunk, score in zip(ids, scores, strict=True):
        of_doc.setdefault(chunk.split("#")[0], []).append(score)
    assert sorted(found.doc_ids) == sorted(of_doc)
    for doc, score in zip(found.doc_ids, found.scores or (), strict=True):
        assert score == (max(of_doc[doc]) if rule == "max" else of_doc[doc][0])


def test_a_chunk_without_a_number_is_not_lost() -> None:
    """A NaN among a document's chunks stays, for the rule nan-score to refuse."""
    run = {"q": {"a#1": 2.0, "a#2": math.nan}}
    with pytest.warns(rp.RankproofWarning), pytest.raises(rp.ContractError, match="NaN"):
        rp.evaluate({"q": {"a": 1}}, run, ["RR"], roll_up="max")


def test_roll_up_through_the_command_line(in_process, tmp_path: Path) -> None:
    """The rules are said in what is printed and recorded: the contract's name and the note."""
    (tmp_path / "q").write_text("q 0 a 1\n", "utf-8")
    (tmp_path / "r").write_text("q Q0 b::1 1 3 t\nq Q0 a::7 2 2 t\nq Q0 b::2 3 1 t\n", "utf-8")
    arguments = ("evaluate", str(tmp_path / "q"), str(tmp_path / "r"), "-m", "RR", "--format", "json")
    done = in_process(*arguments, "--roll-up", "first", "--chunk-separator", "::")
    assert '"roll-up": "first"' in done.out
    assert '"RR": 0.5' in done.out
    assert "3 chunks rolled up to 2 documents" in done.err
    assert in_process(*arguments, "--roll-up", "min").status == 2


FORCED = {
    # (role, text): what it is read as by itself, and what it is when it is forced
    ("qrels", "q,0,a,1 0 x 1\n"): (None, {"trec": {"q,0,a,1": {"x": 1}}}),
    ("qrels", "query_id doc_id 3\n"): ({"query_id": {"doc_id": 3}}, {"csv": None, "trec": None}),
}


@pytest.mark.parametrize(("role", "text"), FORCED)
def test_a_format_may_be_forced(in_process, tmp_path: Path, role: str, text: str) -> None:
    """--qrels-format and --run-format go before what the content looks like."""
    (tmp_path / "q").write_text(text, "utf-8")
    seen, forced = FORCED[role, text]
    if seen is not None:
        assert rp.read_qrels(tmp_path / "q") == seen
    for name, expected in forced.items():
        if expected is None:
            with pytest.raises(rp.InputError):
                rp.read_qrels(tmp_path / "q", format=name)
        else:
            assert rp.read_qrels(tmp_path / "q", format=name) == expected
    with pytest.raises(rp.InputError, match="there is no format 'xml'; expected one of parquet, arrow"):
        rp.read_qrels(tmp_path / "q", format="xml")
    done = in_process("evaluate", str(tmp_path / "q"), str(tmp_path / "q"), "--qrels-format", "json")
    assert (done.status, done.out) == (2, "")
    assert "q:1: column 1: is not JSON" in done.err


NO_ROWS = {
    b"PK\x03\x04rest": ("is a zip archive, or an Excel file; expected one of parquet", "save the sheet as CSV"),
    b"<html>\n<body>404</body>\n": ("is HTML or XML; expected one of parquet", "was a page saved instead of the file?"),
    b"%PDF-1.7\n": ("is a PDF", "export the table"),
    b"q1;d1;0,95\n": ("has no column for the query_id; it has q1;d1;0, 95", "the first row must name the columns"),
    b"qid;docno;rel\nq1;d1;0,95\n": ("column grade: grade '0,95'", "a decimal comma? write a point"),
    b"qid,docno,rel,label\nq1,d1,1,2\n": ("rel and label could both be the column grade", "rename those"),
    b"q 0 d 0\nq 1 d 0\nq 2 d 0\n": ("all 3 rows end in d 0", "are the documents in the second column"),
    b"q 0 d 1\nq 1 d 1\n": ("the second column says 1 here, 0 before", "--subtopics any"),
    b"just words\n": (
        "has 2 columns: 'just words'; expected 4 columns",
        "it fits no format; --qrels-format NAME forces one: parquet, arrow, jsonl, json, csv, three-columns, trec",
    ),
    b"\n": ("holds no judgments", None),
}


@pytest.mark.parametrize("content", NO_ROWS)
def test_what_a_new_user_gives(tmp_path: Path, content: bytes) -> None:
    """What is no file of judgments is named as what it is, with what to do about it."""
    (tmp_path / "q").write_bytes(content)
    with pytest.raises(rp.InputError) as refused:
        rp.read_qrels(tmp_path / "q")
    says, hint = NO_ROWS[content]
    assert says in str(refused.value)
    assert hint is None or f"hint: {hint}" in str(refused.value) or hint in str(refused.value).partition("hint:")[2]


LINED = {
    "csv": "query_id,doc_id,score\nq,a,2\nq,b,1\nq,a,0.5\n",
    "jsonl": "".join(
        f'{{"qid": "q", "docno": "{doc}", "score": {score}}}\n' for doc, score in (("a", 2), ("b", 1), ("a", 0))
    ),
    "three": "q a 1\nq b 2\nq a 3\n",
    "trec": "q Q0 a 1 3 t\nq Q0 b 2 2 t\nq Q0 a 3 1 t\n",
}


@pytest.mark.parametrize("form", LINED)
def test_a_fault_that_is_found_later_has_its_line(in_process, tmp_path: Path, form: str) -> None:
    """A document that stands twice in a run is named with both of its lines, whatever the format."""
    (tmp_path / "q").write_text("q 0 b 1\n", "utf-8")
    (tmp_path / "r").write_text(LINED[form], "utf-8")
    first, second = (1, 3) if form != "csv" else (2, 4)
    done = in_process("evaluate", str(tmp_path / "q"), str(tmp_path / "r"))
    assert done.status == 2
    assert f"r:{second}: query q, document a: stands twice" in done.err
    assert f"(first on line {first})" in done.err
