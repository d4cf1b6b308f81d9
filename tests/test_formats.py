"""Readers: what is right is read right, whatever the white space, line ends, marks and compression."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import sys
import threading
import time
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankproof as rp
from rankproof.contract import Contract
from rankproof.errors import RankproofError, RankproofWarning
from rankproof.formats import FORMATS, Source, as_qrels, as_runs, read_qrels, read_run, write_whole
from rankproof.model import Ranking, Run

HOUSE = Contract()
QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2}}
LINES = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 2\n"


@pytest.fixture
def write(tmp_path: Path):
    def to(content: str | bytes, name: str = "file.txt") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return to


@pytest.mark.parametrize(
    "content",
    [
        LINES,
        LINES.replace(" ", "\t"),
        LINES.replace(" ", " \t  "),
        LINES.replace("\n", "\r\n"),
        "\ufeff" + LINES,
        LINES.rstrip("\n"),
        "\n\n  " + LINES.replace("\n", "\n\n"),
        gzip.compress(LINES.encode()),
        gzip.compress(b"\xef\xbb\xbf" + LINES.encode()),
        json.dumps(QRELS),
        "\ufeff\n " + json.dumps(QRELS),
        gzip.compress(json.dumps(QRELS).encode()),
    ],
    ids=[
        "plain",
        "tabs",
        "mixed",
        "crlf",
        "bom",
        "no-newline",
        "blank",
        "gzip",
        "gzip-bom",
        "json",
        "json-bom",
        "json-gz",
    ],
)
def test_qrels(write, content: str | bytes) -> None:
    """One set of judgments, however it is written; its hash is that of the file's bytes."""
    path = write(content)
    source = Source(path)
    assert read_qrels(source, HOUSE) == QRELS
    assert source.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_grades_as_written(write) -> None:
    """Integers stay integers; fractions, signs and exponents are kept."""
    judged = read_qrels(write("q 0 a 1\nq 0 b 0.5\nq 0 c -2\nq 0 d 1e0\nq 0 e +3\n"), HOUSE)["q"]
    assert judged == {"a": 1, "b": 0.5, "c": -2, "d": 1.0, "e": 3}
    assert [type(grade) for grade in judged.values()] == [int, float, int, float, int]


def test_run(write) -> None:
    """Six columns, more after them left alone; the tag names the run; ranks are kept."""
    path = write("q1 Q0 d1 1 2.5 tag more columns\nq1 Q0 d2 2 -1e-3 tag\nq2 Q0 d1 0 inf tag\n")
    with pytest.warns(
        RankproofWarning, match="1 lines have more than 6 columns; what stands behind the tag is left alone"
    ):
        run = read_run(path, HOUSE)
    assert run.name == "tag"
    assert run.rankings == {
        "q1": Ranking(["d1", "d2"], [2.5, -0.001], [1, 2]),
        "q2": Ranking(["d1"], [float("inf")], [0]),
    }


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\x1c", "\x85", ","])
def test_only_ascii_white_space_parts_columns(write, space: str) -> None:
    """An id may hold any other space, and commas."""
    doc = f"d{space}1"
    assert read_qrels(write(f"q 0 {doc} 1\n"), HOUSE) == {"q": {doc: 1}}


def test_ungrouped_lines(write) -> None:
    """A query's lines need not stand together."""
    run = read_run(write("a Q0 x 1 1 t\nb Q0 x 1 1 t\na Q0 y 2 0.5 t\n"), HOUSE)
    assert run.rankings["a"].doc_ids == ["x", "y"]


def test_comments(write) -> None:
    """Lines that begin with # are left out and counted, or data, as the contract says."""
    path = write("# made by hand\nq 0 a 1\n#q 0 b 1\n")
    with pytest.warns(
        RankproofWarning, match=r"2 comment lines left out, 1 with the columns of data \(first: line 3\)"
    ):
        assert read_qrels(path, HOUSE) == {"q": {"a": 1}}
    assert read_qrels(write("#q 0 a 1\n"), Contract(comments="none")) == {"#q": {"a": 1}}
    with pytest.warns(RankproofWarning, match="1 comment line left out$"):
        read_qrels(write("# x\nq 0 a 1\n"), HOUSE)


def test_duplicate_judgments_are_counted_once(write) -> None:
    """However many documents are judged again, it is said in one note."""
    lines = "".join(f"q 0 d{number} {grade}\n" for number in range(9) for grade in (0, 1))
    with pytest.warns(RankproofWarning) as noted:
        read_qrels(write(lines), Contract(duplicate_judgment="keep-last"))
    (note,) = map(str, [one.message for one in noted])
    assert note.endswith("document d0: judged twice, 0 and 1; 1 counts, and 8 more (duplicate-judgment = keep-last)")


@pytest.mark.parametrize(("rule", "grade"), [("keep-last", 1), ("keep-highest", 2)])
def test_duplicate_judgments(write, rule: str, grade: int) -> None:
    """The last or the highest grade counts, in files, JSON and rows alike."""
    given = Contract(duplicate_judgment=rule)  # type: ignore[arg-type]
    lines, text = write("q 0 a 2\nq 0 a 1\n", "lines"), write('{"q": {"a": 2, "a": 1}}', "text")
    for passed in (lines, text, [("q", "a", 2), ("q", "a", 1)]):
        with pytest.warns(RankproofWarning, match=f"query q, document a: judged twice, 2 and 1; {grade} counts"):
            assert as_qrels(passed, given) == {"q": {"a": grade}}


def test_several_tags_are_one_run(write) -> None:
    """A file whose tag column names several runs is one run; it is said."""
    with pytest.warns(RankproofWarning, match=r"the tag column names 2 runs \(one, two…\); taken as one, one"):
        assert read_run(write("q Q0 a 1 1 one\nq Q0 b 2 0.5 two\n"), HOUSE).name == "one"


def test_stdin(monkeypatch) -> None:
    """`-` is standard input, read once, hashed."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LINES.encode())))
    source = Source("-")
    assert read_qrels(source, HOUSE) == QRELS
    assert (source.name, source.stem) == ("<stdin>", "stdin")
    assert source.sha256 == hashlib.sha256(LINES.encode()).hexdigest()


@pytest.mark.parametrize(
    ("content", "ranking"),
    [
        ('{"q": {"a": 2, "b": 1.5}}', Ranking(["a", "b"], [2.0, 1.5])),
        ('{"q": ["a", "b"]}', Ranking(["a", "b"])),
        ('{"q": [["a", 2], ["b", 1.5]]}', Ranking(["a", "b"], [2.0, 1.5])),
        ('{"q": []}', Ranking([])),
        ('{"q": {}}', Ranking([], [])),
        ('{"q": {"a": 1, "a": 0}}', Ranking(["a", "a"], [1.0, 0.0])),
    ],
)
def test_json_runs(write, content: str, ranking: Ranking) -> None:
    """Scores by document, lists in order, pairs; a key that comes twice is not lost. The file names the run."""
    run = read_run(write(content, "bm25.v2.json"), HOUSE)
    assert (run.name, run.rankings) == ("bm25.v2", {"q": ranking})


def test_objects() -> None:
    """Dicts, lists of relevant documents, rows; whole numbers become their digits; NumPy numbers are numbers."""
    import numpy as np

    assert as_qrels({1: {2: np.int64(3)}, "q": ["a", ("b", 2)], "s": {"c"}}, HOUSE) == {
        "1": {"2": 3},
        "q": {"a": 1, "b": 2},
        "s": {"c": 1},
    }
    (run,), several = as_runs({"q": {"a": np.float32(0.5), 7: 1}}, HOUSE)
    assert (run.rankings, several) == ({"q": Ranking(["a", "7"], [0.5, 1.0])}, False)
    (rows,), _ = as_runs([("q", "a", 2), ("q", "b", 1)], HOUSE)
    assert rows.rankings == {"q": Ranking(["a", "b"], [2.0, 1.0])}


def test_pandas_series_are_dicts() -> None:
    """A Series holds its values by id, like a dict."""
    import pandas as pd

    assert as_qrels({"q": pd.Series({"d1": 1, "d2": 0})}, HOUSE) == {"q": {"d1": 1, "d2": 0}}
    (run,), _ = as_runs({"q": pd.Series({"d1": 0.5, "d2": 0.25})}, HOUSE)
    assert run.rankings["q"] == Ranking(["d1", "d2"], [0.5, 0.25])


@pytest.mark.parametrize(
    ("given_run", "message"),
    [
        ({"q": {"d1", "d2"}}, "query q: holds a set, which has no order; expected a list in ranked order, or scores"),
        ({"q": {"d1": "1.0"}}, "query q, document d1, column score: score '1.0'; expected a number"),
        ({"q": {"d1": None}}, "query q, document d1, column score: score None"),
        ({"q": 5}, "query q: holds 5"),
        ({"q": "d1"}, "d1: there is no such file"),  # a dict of runs by name
        ({1: {"d1": 1}, "1": {"d1": 1}}, "query 1: comes twice"),
        ({1: {"q": {"a": 1}}, "1": {"q": {"a": 1}}}, "two runs have one name"),
        ([("q", "a")], "'a'"),
        (5, "is of type int"),
        ({}, "holds no results"),
        ([Run("r", {"q": Ranking([1, 2])})], "query q: holds an id that is no text"),  # type: ignore[list-item]
        ([Run("r", {"q": ["a"]})], "query q: holds .*; expected a Ranking"),  # type: ignore[dict-item]
        ([Run("r", {"q": Ranking(["a"], ["high"])})], "query q, column score: score 'high'"),  # type: ignore[list-item]
        ({"q": {"a": 10**400}}, "query q, document a, column score: score 1000"),
        ({"q": {"a": 10**5000}}, "score a int of thousands of digits"),
        ({"q": {10**5000: 1}}, "a int of thousands of digits is no id"),
        ({"q": {"a": Fraction(10**400)}}, "column score: score Fraction"),
    ],
)
def test_objects_that_are_no_run(given_run: object, message: str) -> None:
    """What is no run is refused: nothing is guessed, and nothing is lost."""
    with pytest.raises(rp.InputError, match=message):
        as_runs(given_run, HOUSE)


def test_rankings_are_parallel() -> None:
    """A ranking with fewer scores than documents is refused when it is made."""
    with pytest.raises(rp.InputError, match="a ranking has 2 documents and 1 scores; expected as many"):
        Ranking(["a", "b"], [1.0])


def test_json_ids_that_begin_like_json(write) -> None:
    """A TREC file whose ids begin with a bracket is a TREC file."""
    assert read_qrels(write("[q1] 0 {d} 1\n"), HOUSE) == {"[q1]": {"{d}": 1}}
    assert read_qrels(write("{q} 0 d 1\n"), HOUSE) == {"{q}": {"d": 1}}


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    """A named pipe gives all its lines, however many, though its format is looked at first."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    lines = "".join(f"q 0 doc-{number:06} 1\n" for number in range(5000))
    writer = threading.Thread(target=pipe.write_text, args=(lines,))
    writer.start()
    source = Source(pipe)
    assert len(read_qrels(source, HOUSE)["q"]) == 5000
    writer.join()
    assert source.sha256 == hashlib.sha256(lines.encode()).hexdigest()


def test_links_devices_and_pipes_are_written_through(tmp_path: Path) -> None:
    """A link stays a link; a pipe stays a pipe and gets the text."""
    file, link, pipe = tmp_path / "file", tmp_path / "link", tmp_path / "pipe"
    file.write_text("old")
    link.symlink_to(file)
    write_whole(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    write_whole(pipe, "text")
    reader.join()
    assert got == ["text"]
    assert pipe.is_fifo()


def test_several_runs(write) -> None:
    """A list, or a dict by name, is several runs, each under a name of its own."""
    one = {"q": {"a": 1.0}}
    file = write("q Q0 a 1 1 tag\n", "one.run")
    other = write("q Q0 a 1 1 tag\n", "two.run.gz")
    for passed, names in [
        ({"x": one, "y": {"q": ["a"]}, "z": [("q", "a", 1)], "f": file}, ["x", "y", "z", "f"]),
        ([one, one], ["run-1", "run-2"]),
        ([file, other], ["one", "two"]),
        ([file, file], ["one", "one#2"]),
        ((Run("a", {}), Run("b", {})), ["a", "b"]),
    ]:
        runs, several = as_runs(passed, HOUSE)
        assert [run.name for run in runs] == names
        assert several


def test_what_was_passed_is_never_changed() -> None:
    """Reading and evaluating leaves the caller's data alone."""
    qrels, run = {"q": {"a": 1, "b": -1}}, {"q": {"b": 2.0, "a": 1.0}, "unjudged": {"a": 1.0}}
    copies = json.dumps([qrels, run])
    rp.evaluate(qrels, run, ["nDCG@10"], negative_grade="non-relevant")
    assert json.dumps([qrels, run]) == copies


@pytest.mark.parametrize("query", ["#q", "\ufeffq", '{"q', "q\0", "q\ud800", "", "a\tb"])
def test_ids_that_would_not_read_back_are_not_written(tmp_path: Path, query: str) -> None:
    """An id that a reader would take for something else is refused, and nothing is written."""
    with pytest.raises(rp.InputError, match="cannot stand in a TREC file"):
        rp.write_run(Run("r", {query: Ranking(["a"])}), tmp_path / "a.run")
    assert list(tmp_path.iterdir()) == []


def test_numpy_scores_and_ranks_are_written(tmp_path: Path) -> None:
    """Scores of any number type are written as numbers; ranks stay as they were; ids keep other spaces."""
    import numpy as np

    run = Run("r", {"q": Ranking(["a\u00a0b", "c"], [np.float32(1.5), np.float64(0.1)], [2, 1])})
    rp.write_run(run, tmp_path / "a.run")
    assert read_run(tmp_path / "a.run", HOUSE).rankings == {"q": Ranking(["a\u00a0b", "c"], [1.5, 0.1], [2, 1])}


def test_what_a_trec_file_cannot_hold_is_said(tmp_path: Path) -> None:
    """Queries without results, and marks of evidence, are named in a warning."""
    run = Run("r", {"q": Ranking(["a"], evidence=[True]), "hollow": Ranking([])})
    with pytest.warns(RankproofWarning) as said:
        rp.write_run(run, tmp_path / "a.run")
    texts = [str(one.message) for one in said]
    assert "1 query without results cannot be written (first: hollow)" in texts[0]
    assert "marks of evidence cannot be written" in texts[1]


def test_a_slow_pipe_of_json_is_json(tmp_path: Path) -> None:
    """A pipe that gives its first bytes one by one is looked at when enough of it has come."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write_slowly() -> None:
        with pipe.open("wb", buffering=0) as file:
            for part in (b"{", b"\n ", b'"q": {"d": 1}}'):
                file.write(part)
                time.sleep(0.05)

    writer = threading.Thread(target=write_slowly)
    writer.start()
    assert read_qrels(pipe, HOUSE) == {"q": {"d": 1}}
    writer.join()


def test_an_error_in_a_pipe_does_not_wait_for_more(tmp_path: Path) -> None:
    """A fault that is found after reading is not looked up in a pipe, which has run dry."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("q Q0 a 1 2 t\nq Q0 a 2 1 t\n",))
    writer.start()
    with pytest.raises(rp.ContractError, match="pipe: query q, document a: stands twice"):
        rp.evaluate({"q": {"a": 1}}, pipe, ["RR"])
    writer.join()


def test_a_written_file_keeps_its_mode(tmp_path: Path) -> None:
    """A file that only its owner may read stays so when it is replaced."""
    file = tmp_path / "a"
    file.write_text("old")
    file.chmod(0o600)
    write_whole(file, "new")
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("new", 0o600)


def test_write_run_reads_back(tmp_path: Path) -> None:
    """A run written as TREC reads back; without scores its order is kept."""
    run = Run("my run", {"q": Ranking(["a", "é"], [0.1 + 0.2, -1e-300]), "u": Ranking(["b", "a"])})
    rp.write_run(run, tmp_path / "a.run")
    back = read_run(tmp_path / "a.run", HOUSE)
    assert back.name == "my-run"
    assert back.rankings == {
        "q": Ranking(["a", "é"], [0.1 + 0.2, -1e-300], [1, 2]),
        "u": Ranking(["b", "a"], [2, 1], [1, 2]),
    }
    with pytest.raises(rp.InputError, match="cannot stand in a TREC file: an id is empty, or holds white space"):
        rp.write_run(Run("r", {"q": Ranking(["a b"])}), tmp_path / "b.run")
    assert [file.name for file in tmp_path.iterdir()] == ["a.run"]


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch) -> None:
    """If writing fails, the old file stands and nothing is left beside it."""
    file = tmp_path / "a.txt"
    write_whole(file, "old")

    def fails(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fails)
    with pytest.raises(rp.InputError, match=r"a\.txt: cannot be written: No space left"):
        write_whole(file, "new")
    assert [one.read_text() for one in tmp_path.iterdir()] == ["old"]


@settings(max_examples=400)
@given(content=st.one_of(st.binary(max_size=60), st.text('q0ad1 \t\n#.-e{}[]":,\ufeff', max_size=60).map(str.encode)))
@pytest.mark.filterwarnings("ignore::rankproof.RankproofWarning")
def test_readers_never_break(tmp_path_factory, content: bytes) -> None:
    """Any bytes are read, or refused with a message that names the file; nothing else comes out of a reader."""
    path = tmp_path_factory.mktemp("fuzz") / "file"
    path.write_bytes(content)
    for read in (lambda: read_qrels(path, HOUSE), lambda: read_run(path, HOUSE), lambda: rp.read_lab(Source(path))):
        message = str(path)  # what is read needs none
        try:
            read()
        except RankproofError as error:
            message = str(error)
        assert str(path) in message


def test_formats_are_a_table() -> None:
    """Each format is named once, and says what it holds."""
    assert [known.name for known in FORMATS] == [
        *("parquet", "arrow", "jsonl", "json", "csv", "three-columns", "trec"),
    ]
    assert all(known.says for known in FORMATS)
