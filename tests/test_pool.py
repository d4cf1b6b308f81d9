"""Pooling: what is to judge, in an order that tells neither rank nor run, and how much is judged already."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankproof as rp
from rankproof.demo import lay_out
from rankproof.errors import ContractError, InputError, MeasureError
from rankproof.formats import Source
from rankproof.pool import Pooled, PooledQuery
from rankproof.words import term

HANGUL = re.compile("[가-힣]")
A = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"x": 1.0}}
B = {"q1": {"b": 9.0, "d": 8.0, "a": 7.0}}
DOCS = st.sampled_from("abcdef")
RUNS = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]),
    st.dictionaries(DOCS, st.sampled_from([0.0, 1.0, 1.0 + 1e-12, 2.0]), max_size=6),
    min_size=1,
)


def ids(found: rp.Pool) -> set[tuple[str, str]]:
    return {(one.query_id, one.doc_id) for one in found.documents}


def test_pool_by_hand() -> None:
    """The first two of each run, once each, with the rank in each run; what the qrels judge is left out."""
    found = rp.pool({"A": A, "B": B}, depth=2, qrels={"q1": {"a": 0, "z": 1}})
    assert {one.doc_id: (dict(one.ranks), one.held_by, one.best_rank) for one in found.documents} == {
        "b": ({"A": 2, "B": 1}, 2, 1),
        "d": ({"B": 2}, 1, 2),
        "x": ({"A": 1}, 1, 1),
    }
    assert found.queries == {"q1": PooledQuery(3, 1, 2, 0), "q2": PooledQuery(1, 0, 1, 0)}
    assert [(run.run, run.documents, run.judged, run.short) for run in found.runs] == [
        ("A", 3, 1, ["q2"]),
        ("B", 2, 0, []),
    ]
    assert [run.judged_share for run in found.runs] == [0.25, 0.0]  # A: 1/2 and 0/1


@given(RUNS, RUNS, st.integers(1, 7))
def test_pool_is_the_union_less_the_judged(a: dict, b: dict, depth: int) -> None:
    """The documents are those that stand within the depth of either run, sorted by score and id, and are not judged."""
    qrels = {query: {"a": 1, "b": 0, "c": -1} for query in a}
    expected = set()
    for run in (a, b):
        for query, scores in run.items():
            by_rank = sorted(scores, key=lambda doc: (scores[doc], doc), reverse=True)[:depth]
            expected |= {(query, doc) for doc in by_rank if not (query in qrels and doc in {"a", "b"})}
    found = rp.pool({"A": a, "B": b}, depth=depth, qrels=qrels)
    assert ids(found) == expected
    assert len(found.documents) == len(expected)
    assert sum(counts.to_judge for counts in found.queries.values()) == len(expected)


@given(st.permutations("abcdef"), st.permutations("abcdef"), st.integers(0, 5))
def test_the_order_tells_no_rank(one: list[str], other: list[str], seed: int) -> None:
    """Runs that hold the same documents in any order give the same rows in the same order."""
    first, second = (rp.pool({"q": docs}, depth=6, seed=seed) for docs in (one, other))
    assert first.rows() == second.rows()
    assert [one.doc_id for one in rp.pool([{"q": one}, {"q": other}], depth=6, seed=seed).documents] == [
        row["doc_id"] for row in first.rows()
    ]


def test_the_seed_decides_the_order() -> None:
    """The same seed gives the same order, another one another; documents of a query stay together."""
    docs = [f"d{at}" for at in range(20)]
    orders = {
        seed: [(one.query_id, one.doc_id) for one in rp.pool({"q": docs, "p": docs}, depth=20, seed=seed).documents]
        for seed in (1, 2)
    }
    assert orders[1] == [
        (one.query_id, one.doc_id) for one in rp.pool({"q": docs, "p": docs}, depth=20, seed=1).documents
    ]
    assert orders[1] != orders[2]
    assert sorted(orders[1]) == sorted(orders[2])
    for order in orders.values():
        assert [query for query, _ in order] == ["q"] * 20 + ["p"] * 20
        assert [doc for _, doc in order[:20]] != docs
        assert [doc for _, doc in order[:20]] != [doc for _, doc in order[20:]]  # the query has a say


def test_rows_are_blind() -> None:
    """A row holds ids, an empty grade and texts; runs and ranks only if asked for."""
    found = rp.pool({"A": A, "B": B}, depth=1)
    assert {tuple(row) for row in found.rows()} == {("query_id", "doc_id", "grade")}
    assert all(row["grade"] is None for row in found.rows())
    shown = {row["doc_id"]: row for row in found.rows(show_runs=True)}
    assert shown["b"] == {
        "query_id": "q1",
        "doc_id": "b",
        "grade": None,
        "held_by": 1,
        "best_rank": 1,
        "runs": {"B": 1},
    }
    text = json.dumps(found.to_dict()["documents"]) + found.as_rows("csv")
    assert "best_rank" not in text
    assert "runs" not in text


def test_take_by_hand() -> None:
    """At most so many a query: first what most runs hold, then the best rank; the rest is counted."""
    runs = {"A": {"q": ["a", "b", "c"]}, "B": {"q": ["d", "c", "e"]}, "C": {"q": ["f", "g", "b"]}}
    found = rp.pool(runs, depth=3, take=2)
    assert ids(found) == {("q", "c"), ("q", "b")}  # each held by two runs
    three = rp.pool(runs, depth=3, take=3, qrels={"q": {"a": 1, "f": 0}})
    assert ids(three) == {("q", "c"), ("q", "b"), ("q", "d")}  # d has rank 1, e and g have not
    assert three.queries["q"] == PooledQuery(7, 2, 3, 2)
    assert three.left_out == 2
    assert any("2 unjudged documents left out" in note for note in three.notes())


@given(RUNS, RUNS, st.integers(1, 4))
def test_take_leaves_out_the_least(a: dict, b: dict, take: int) -> None:
    """Whatever is taken is held by as many runs as what is left out, or by more, or as many at no worse a rank."""
    everything, taken = rp.pool([a, b], depth=4), rp.pool([a, b], depth=4, take=take)
    assert ids(taken) <= ids(everything)
    for query, counts in taken.queries.items():
        kept = [(-one.held_by, one.best_rank) for one in taken.documents if one.query_id == query]
        rest = [(-one.held_by, one.best_rank) for one in everything.documents if one.query_id == query]
        assert sorted(rest)[: len(kept)] == sorted(kept)
        assert len(kept) == min(take, len(rest)) == counts.to_judge


def test_judged_share_is_the_measure(tmp_path: Path) -> None:
    """Over queries that are all judged, the share is the mean of Judged@depth."""
    lay_out(tmp_path)
    runs = [str(tmp_path / f"{name}.run") for name in ("bm25-ngrams", "bm25-words", "lsa")]
    for depth in (1, 5, 10):
        found = rp.pool(runs, depth=depth, qrels=str(tmp_path / "qrels.txt"))
        values = rp.evaluate(str(tmp_path / "qrels.txt"), runs, [f"Judged@{depth}"])
        assert [run.judged_share for run in found.runs] == [
            pytest.approx(values[run.run][f"Judged@{depth}"], abs=1e-15) for run in found.runs
        ]


def test_negative_grades_follow_the_contract() -> None:
    """A grade below 0 is not judged yet, or judged non-relevant, or refused, as the contract says."""
    qrels = {"q1": {"a": -1}}
    assert ("q1", "a") in ids(rp.pool(A, depth=1, qrels=qrels))
    assert ("q1", "a") not in ids(rp.pool(A, depth=1, qrels=qrels, negative_grade="non-relevant"))
    with pytest.raises(ContractError, match="query q1, document a: grade -1"):
        rp.pool(A, depth=1, qrels=qrels, negative_grade="error")


def test_ranks_follow_the_contract() -> None:
    """The contract's rule for ties decides which of two equal documents is within the depth; its depth cuts too."""
    run = {"q": {"a": 1.0, "b": 1.0}}
    assert ids(rp.pool(run, depth=1)) == {("q", "b")}
    assert ids(rp.pool(run, depth=1, ties="document-id-ascending")) == {("q", "a")}
    assert rp.pool({"q": ["a", "b", "c"]}, depth=3, contract=rp.contract("rankproof", depth=2)).runs[0].short == ["q"]


def test_what_notes_say() -> None:
    """Notes tell short and absent rankings, the least judged run, and what has no text."""
    notes = "\n".join(
        rp.pool(
            {"A": A, "B": B},
            depth=2,
            qrels={"q1": {"a": 0}},
            queries={"q1": "one?", "q9": "nine?"},
            corpus={"b": "text of b"},
        ).notes()
    )
    for part in (
        "3 judgments to make for 2 queries, 1 to 2 a query: from the first 2 of 2 runs",
        "least judged is B (Judged@2 0.0000), most A (0.2500): unjudged counts as not relevant",
        "A returns fewer than 2 documents for 1 query (q2)",
        "B does not answer 1 query (q2)",
        "1 query to judge without a text (q2)",
        "2 documents to judge without a text",
        "no run answers 1 query of the file of queries (q9)",
    ):
        assert part in notes
    assert "no judgments were given" in "\n".join(rp.pool(A).notes())


def test_nothing_left_to_judge() -> None:
    """Where all is judged there is no row, and no run is called least judged; an empty ranking has no share."""
    found = rp.pool([{"q": ["a"]}, {"q": []}], qrels={"q": {"a": 0}})
    assert found.rows() == []
    assert found.as_rows("csv") == "query_id,doc_id,grade\n"
    assert [run.judged_share for run in found.runs] == [1.0, None]
    assert "least judged" not in repr(found)


def test_refused_input() -> None:
    """A depth below 1, qrels of other queries, a repeated document and qrels among the runs are refused."""
    for wrong in ({"depth": 0}, {"depth": 1.5}, {"take": 0}):
        with pytest.raises(MeasureError, match="cannot be"):
            rp.pool(A, **wrong)
    with pytest.raises(ContractError, match=r"no query in common with the qrels: .*'Q1', the runs with 'q1'"):
        rp.pool(A, qrels={"Q1": {"a": 1}})
    with pytest.raises(ContractError, match="stands twice"):
        rp.pool({"q": ["a", "a"]})
    with pytest.raises(InputError, match=r"ends in \.jsonl or .csv or .tsv"):
        rp.pool(A).write("pool.xlsx")


def test_to_read() -> None:
    """Printed, a pool is a row a run and its notes; every head has Korean."""
    found = rp.pool({"A": A, "B": B}, qrels={"q1": {"a": 1}})
    assert repr(found).splitlines()[0].split() == ["run", "queries", "documents", "judged", "unjudged", "Judged@10"]
    assert found._repr_html_().count("<tr>") == 3
    heads = [head for table in found.tables(per_query=True) for head in (*table.header, table.title or "per query")]
    assert [head for head in heads if head != "Judged@10" and not HANGUL.search(term(head).ko)] == []
    assert Pooled("q", "d", {"A": 3, "B": 2}).best_rank == 2


@pytest.fixture
def example(tmp_path: Path, monkeypatch) -> Path:
    lay_out(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


POOL = ("pool", "bm25-words.run", "lsa.run", "--qrels", "qrels.txt")


def test_command(example, in_process) -> None:
    """Rows go to a file as its name ends; texts stand beside the ids; counts go to stderr."""
    done = in_process(*POOL, "--queries", "queries.jsonl", "--corpus", "corpus.jsonl", "-o", "todo.csv")
    assert (done.status, done.out) == (0, "")
    assert "judgments to make for 24 queries" in done.err
    rows = list(csv.DictReader(io.StringIO((example / "todo.csv").read_text("utf-8"))))
    assert list(rows[0]) == ["query_id", "doc_id", "grade", "query", "title", "text"]
    assert all(row["grade"] == "" and row["text"] and row["query"] for row in rows)
    lines = in_process(*POOL, "--format", "jsonl", "--show-runs").out.splitlines()
    assert [(row["query_id"], row["doc_id"]) for row in map(json.loads, lines)] == [
        (row["query_id"], row["doc_id"]) for row in rows
    ]
    assert set(json.loads(lines[0])["runs"]) <= {"bm25-words", "lsa"}
    table = in_process(*POOL, "-q").out.splitlines()
    assert table[0].split()[0] == "run"
    assert "to judge" in "\n".join(table)
    assert "| lsa |" in in_process(*POOL, "--format", "markdown").out
    assert "lsa=" in in_process(*POOL, "--format", "tsv", "--show-runs").out


@pytest.mark.parametrize("name", ["todo.csv.gz", "todo.txt", "todo.xlsx", "todo", "todo.table"])
def test_an_unknown_ending_is_refused(example, in_process, name: str) -> None:
    """A name that does not say what is to be written is an error unless --format does; nothing is written before."""
    done = in_process(*POOL, "-o", name)
    assert (done.status, done.out) == (2, "")
    assert ".jsonl or .csv or .tsv or .json or .markdown" in done.err
    assert "--format csv" in done.err
    assert not (example / name).exists()
    assert in_process(*POOL, "-o", name, "--format", "csv").status == 0
    assert Source(example / name).text().startswith("query_id,doc_id,grade\n")


def test_endings_that_are_known(example, in_process) -> None:
    """Markdown and JSON are written as their names end."""
    for name, start in (("p.md", "| run |"), ("p.JSON", "{"), ("p.tsv", "query_id\tdoc_id")):
        assert in_process(*POOL, "-o", name).status == 0
        assert (example / name).read_text("utf-8").startswith(start)


def test_texts_between_tabs(tmp_path) -> None:
    """In TSV quotes stand as they are, and white space in a text is a blank; an id with a tab is refused."""
    found = rp.pool({'q"1': ['d"1']}, queries={'q"1': 'a "b"\tc'}, corpus={'d"1': "two\r\n\tlines"})
    found.write(tmp_path / "todo.tsv")
    header, row = (tmp_path / "todo.tsv").read_text("utf-8").split("\n")[:2]
    assert header.split("\t") == ["query_id", "doc_id", "grade", "query", "title", "text"]
    assert row.split("\t") == ['q"1', 'd"1', "", 'a "b" c', "", "two lines"]
    (tmp_path / "done.tsv").write_text(f"{header}\n{row.replace(chr(9) * 2, chr(9) + '2' + chr(9), 1)}\n", "utf-8")
    assert rp.merge_judges({"ann": tmp_path / "done.tsv"}).qrels == {'q"1': {'d"1': 2}}
    with pytest.raises(InputError, match=r"column doc_id: doc_id .* cannot stand between tabs"):
        rp.pool({"q": ["a\tb"]}).as_rows("tsv")


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl"])
def test_what_is_filled_in_is_read_back(example, in_process, kind: str) -> None:
    """Rows with their grades filled in become qrels, and then nothing is left to judge."""
    assert in_process(*POOL, "--corpus", "corpus.jsonl", "-o", f"todo.{kind}").status == 0
    text = (example / f"todo.{kind}").read_text("utf-8")
    if kind == "jsonl":
        rows = [{**json.loads(line), "grade": 2} for line in text.splitlines()]
        (example / "done.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    else:
        header, *rows = csv.reader(io.StringIO(text), delimiter="," if kind == "csv" else "\t")
        with (example / f"done.{kind}").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter="," if kind == "csv" else "\t").writerows(
                [header, *([query, doc, "2", *rest] for query, doc, _, *rest in rows)]
            )
    done = in_process("judges", "qrels.txt", f"done.{kind}", "--no-agreement", "-o", "all.qrels")
    assert done.status == 0, done.err
    again = in_process("pool", "bm25-words.run", "lsa.run", "--qrels", "all.qrels", "--format", "jsonl")
    assert (again.status, again.out) == (0, "")
    assert "0 judgments to make" in again.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("pool", "qrels.txt", "lsa.run"), "this looks like qrels: give them as --qrels"),
        (("pool", "lsa.run", "--qrels", "lsa.run"), "this looks like a run"),
        (("pool", "lsa.run", "-o", "lsa.run"), "it would be overwritten"),
        (("pool", "nowhere.run"), "there is no such file"),
        (("pool", "lsa.run", "--rule", "ties=maybe"), "ties"),
        (("pool", "nowhere.run", "-o", "nowhere/todo.csv"), "nowhere/todo.csv: cannot be written"),
    ],
)
def test_command_with_bad_arguments(example, in_process, arguments: tuple[str, ...], says: str) -> None:
    """A mistake ends with one message and status 2."""
    done = in_process(*arguments)
    assert (done.status, done.out) == (2, "")
    assert says in done.err
