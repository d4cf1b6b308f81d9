"""Broken files and arguments: one clear message each, exit status 2, no traceback, file and line named."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

GOOD_QRELS = "q1 0 d1 1\nq2 0 d2 1\n"
GOOD_RUN = "q1 Q0 d1 1 2.0 t\nq1 Q0 d2 2 1.0 t\nq2 Q0 d2 1 1.0 t\n"
GOOD = {"qrels": GOOD_QRELS, "run": GOOD_RUN}

# what is broken: (file, its content), further arguments, what the message holds
FILES: dict[str, tuple[tuple[str, str | bytes], list[str], list[str]]] = {
    "empty qrels": (("qrels", ""), [], ["qrels: holds no judgments", "expected 4 columns"]),
    "empty run": (("run", ""), [], ["run: holds no results", "expected 6 columns"]),
    "only blank lines": (("run", "\n \n\t\n"), [], ["run: holds no results"]),
    "three columns of qrels": (
        ("qrels", "q1 0 d1 1\nq1 d2 1\n"),
        [],
        ["qrels:2: has 3 columns: 'q1 d2 1'", "expected 4 columns", "hint: is the second column"],
    ),
    "five columns of a run": (
        ("run", "q1 Q0 d1 1 2.0 t\nq1 Q0 d2 2 1.0\n"),
        [],
        ["run:2: has 5 columns: 'q1 Q0 d2 2 1.0'", "expected 6 columns", "hint: is the tag missing"],
    ),
    "a run for qrels": (("qrels", GOOD_RUN), [], ["qrels:1: has 6 columns", "hint: this looks like a run"]),
    "qrels for a run": (("run", GOOD_QRELS), [], ["run:1: has 4 columns", "hint: this looks like qrels"]),
    "a grade that is no number": (
        ("qrels", "q1 0 d1 1\nq1 0 d2 high\n"),
        [],
        ["qrels:2: query q1, document d2, column grade: grade 'high'; expected a finite number"],
    ),
    "a rank that is no number": (
        ("run", "q1 Q0 my doc 1 9.0 t\n"),
        [],
        [
            "run:1: query q1, document my, column rank: rank 'doc'; expected a number",
            "hint: does an id hold white space?",
        ],
    ),
    "carriage returns for line ends": (
        ("run", "q1 Q0 d9 1 3 t\rq1 Q0 d1 2 2 t\r"),
        [],
        ["run:1: holds a carriage return within the line"],
    ),
    "a grade of 400 digits": (
        ("qrels", f"q1 0 d1 1{'0' * 400}\n"),
        [],
        ["qrels:1:", "expected a finite number of at most 2^53"],
    ),
    "a JSON grade of 400 digits": (
        ("qrels", f'{{"q1": {{"d1": 1{"0" * 400}}}}}'),
        [],
        ["qrels: query q1, document d1", "2^53"],
    ),
    "a JSON score of 400 digits": (
        ("run", f'{{"q1": {{"d1": 1{"0" * 400}}}}}'),
        [],
        ["run: query q1, document d1, column score"],
    ),
    "half of a surrogate pair": (("run", '{"q1": {"\\ud800": 1}}'), [], ["run: query q1, column doc_id", "is no id"]),
    "a line without end": (("qrels", "q1 0 d1 1 " + "x" * (1 << 20)), [], ["qrels:1: is longer than 1 MiB"]),
    "a grade that is NaN": (("qrels", "q1 0 d1 nan\n"), [], ["qrels:1:", "grade 'nan'"]),
    "a grade that is infinite": (("qrels", "q1 0 d1 1e999\n"), [], ["qrels:1:", "grade '1e999'"]),
    "a score that is no number": (
        ("run", "q1 Q0 d1 1 first t\n"),
        [],
        ["run:1: query q1, document d1, column score: score 'first'; expected a number"],
    ),
    "a score that is NaN": (
        ("run", "q1 Q0 d1 1 2 t\nq1 Q0 d2 2 nan t\n"),
        [],
        ["run:2: query q1, document d2: has the score NaN", "hint: --rule nan-score=last"],
    ),
    "a document that is retrieved twice": (
        ("run", "q1 Q0 d1 1 2 t\nq2 Q0 d2 1 2 t\nq1 Q0 d1 2 1 t\n"),
        [],
        [
            "run:3: query q1, document d1: stands twice",
            "(first on line 1)",
            "hint: --rule duplicate-document=keep-first",
        ],
    ),
    "a document that is judged twice": (
        ("qrels", "q1 0 d1 1\nq1 0 d1 0\n"),
        [],
        ["qrels:2: query q1, document d1: judged twice: grade 0 here, 1 before", "hint: --rule duplicate-judgment"],
    ),
    "no query in common": (
        ("run", "Q1 Q0 d1 1 2 t\n"),
        [],
        ["run: no query in common with the qrels: the qrels begin with 'q1', the run with 'Q1'", "hint: compare"],
    ),
    "binary bytes": (("run", b"q1 Q0 d1 1 2 t\n\x00\x01\x02\xff\n"), [], ["run:2: holds a zero byte", "UTF-8 text"]),
    "bytes that are not UTF-8": (
        ("qrels", b"q1 0 d1 1\nq1 0 \xff\xd7 1\n"),
        [],
        ["qrels:2: column doc_id: byte 0xff is not UTF-8"],
    ),
    "UTF-16 that is cut off": (
        ("qrels", GOOD_QRELS.encode("utf-16")[:-1]),
        [],
        ["qrels: is damaged UTF-16 near byte", "hint: save it as"],
    ),
    "gzip that is cut off": (("run", gzip.compress(GOOD_RUN.encode())[:-12]), [], ["run: is damaged gzip"]),
    "JSON with a mistake": (("qrels", '{"q1":\n  {"d1" 1}}'), [], ["qrels:2: column 9: is not JSON: Expecting ':'"]),
    "JSON that is a list": (
        ("qrels", '[{"queryId": "q1", "relevant": []}]'),
        [],
        ["qrels: is a lab file", "hint: `rankproof rerank` reads the lab's"],
    ),
    "JSON with a wrong grade": (
        ("qrels", '{"q1": {"d1": "1"}}'),
        [],
        ["qrels: query q1, document d1, column grade: grade '1'; expected a finite number"],
    ),
    "JSON with a query twice": (("run", '{"q1": {"d1": 1}, "q1": {}}'), [], ["run: query q1: comes twice"]),
    "JSON with a document twice": (
        ("run", '{"q1": {"d1": 1, "d1": 2}}'),
        [],
        ["run: query q1, document d1: stands twice"],
    ),
    "JSON with a number for a query": (("run", '{"q1": 5}'), [], ["run: query q1: holds 5; expected {query_id:"]),
    "CSV without a header": (
        ("qrels", "q1,d1,1\n"),
        [],
        ["qrels:1: has no column for the query_id; it has q1, d1, 1; expected one of query_id, qid"],
    ),
    "CSV with blanks": (
        ("qrels", "Query Text,Doc ID,Doc Position, Title\nstar wars,1,1, Star Wars\n"),
        [],
        ["qrels:1: has no column for the grade; it has Query Text, Doc ID, Doc Position, Title"],
    ),
    "a header of qrels": (
        ("qrels", "query it doc grade\nq1 0 d1 1\n"),
        [],
        ["qrels:1:", "grade 'grade'", "hint: is it a header?"],
    ),
    "a header of a run": (
        ("run", "query q0 doc rank score tag\n"),
        [],
        ["run:1:", "rank 'rank'", "hint: is it a header?"],
    ),
    "three columns of a run that are no ranks": (
        ("run", "q1 d1 0.5\n"),
        [],
        ["run:1: query q1, document d1, column rank: rank '0.5'", "hint: if the third column is a score"],
    ),
    "three columns of a run that may be scores": (
        ("run", "q1 d1 2\nq1 d2 1\n"),
        [],
        ["run: query q1: the third column goes 2, 1: a rank, or a score?", "hint: CSV says it by a header"],
    ),
    "no relevant document": (
        ("qrels", "q1 0 d1 0\n"),
        ["--rule", "no-relevant=error"],
        ["qrels: query q1: no relevant document for nDCG@10", "hint: --rule no-relevant=skip"],
    ),
    "a negative grade": (
        ("qrels", "q1 0 d1 1\nq1 0 d2 -1\n"),
        ["--rule", "negative-grade=error"],
        ["qrels:2: query q1, document d2, column grade: grade -1; expected a grade of 0 or more"],
    ),
    "a query that is absent": (
        ("run", "q1 Q0 d1 1 2 t\n"),
        ["--contract", "trec_eval-10"],
        ["run: query q2: judged, but absent from the run", "hint: --rule missing-query=zero"],
    ),
    "a grade beyond ERR's scale": (
        ("qrels", "q1 0 d1 5\n"),
        ["-m", "ERR(max=3)"],
        ["qrels: query q1: ERR(max=3): a judgment has grade 5; expected max at least as high"],
    ),
    "a grade too large to raise 2 to": (
        ("qrels", "q1 0 d1 100000000\n"),
        ["--rule", "gain=exponential"],
        ["query q1: 2 to the grade 100000000 is too large", "hint: map the grades to a smaller scale"],
    ),
}

ARGUMENTS: dict[str, tuple[list[str], list[str]]] = {
    "a missing file": (["evaluate", "absent.txt", "run"], ["absent.txt: there is no such file"]),
    "a folder": (["evaluate", "qrels", "."], [".: is a folder, not a file"]),
    "an unknown measure": (
        ["evaluate", "qrels", "run", "-m", "nDGC@10"],
        ["unknown measure 'nDGC@10'", "nearest: nDCG"],
    ),
    "cutoff 0": (["evaluate", "qrels", "run", "-m", "P@0"], ["'P@0': P: cutoff cannot be 0; expected 1 or more"]),
    "an unknown contract": (
        ["evaluate", "qrels", "run", "--contract", "trec"],
        ["no contract 'trec'", "nearest: trec_"],
    ),
    "an unknown rule": (["evaluate", "qrels", "run", "--rule", "tie=x"], ["there is no rule 'tie'", "nearest: ties"]),
    "an unknown answer": (["evaluate", "qrels", "run", "--rule", "ties=x"], ["ties cannot be 'x'; expected one of"]),
    "a rule twice": (
        ["evaluate", "qrels", "run", "--rule", "ties=expected", "--rule", "ties=as-given"],
        ["ties is given twice"],
    ),
    "a rule without an answer": (["evaluate", "qrels", "run", "--rule", "ties"], ["'ties' sets no rule"]),
    "an empty name": (["evaluate", "", "run"], ["'': is a folder, not a file"]),
    "a folder for a result": (["evaluate", "qrels", "run", "-o", "."], [".: is a folder, not a file"]),
    "an option twice": (["evaluate", "qrels", "run", "-m", "P(rel=2,rel=3)@5"], ["relevant-from is given twice"]),
    "measures in one -m": (
        ["evaluate", "qrels", "run", "-m", "P@5,AP"],
        ["'P@5,AP'", "hint: name one measure with each -m"],
    ),
    "TOML of two contracts": (["contracts", "textbook", "teaching", "--toml"], ["--toml writes one contract"]),
    "a measure for a run": (
        ["evaluate", "qrels", "run", "-m", "RR", "AP"],
        ["AP: there is no such file", "hint: if AP is a measure"],
    ),
    "stdin twice": (["evaluate", "-", "-"], ["standard input can be read once only"]),
    "a folder that is not there": (
        ["evaluate", "qrels", "run", "-o", "no/a.txt"],
        ["no/a.txt: cannot be written: its folder is not there"],
    ),
    "a query that is not judged": (
        ["explain", "RR", "qrels", "run", "--query", "q3"],
        ["query q3: the qrels do not hold"],
    ),
    "several measures to explain": (["explain", "P.5,10", "qrels", "run", "--query", "q1"], ["names 2 measures"]),
    "no run": (["evaluate", "qrels"], ["Missing argument 'RUN...'"]),
    "an unknown command": (["evalute"], ["No such command 'evalute'"]),
    "an unknown format": (["evaluate", "qrels", "run", "--format", "xml"], ["'xml' is not one of"]),
    "K of 0": (["rerank", "lab", "-k", "0"], ["Invalid value for '-k'"]),
    "a lab that is not there": (["rerank", "lab"], ["lab: there is no such file"]),
    "an unknown measure to show": (["measures", "nDGC"], ["unknown measure 'nDGC'"]),
    "an unknown contract to show": (["contracts", "x", "y"], ["no contract 'x'"]),
    "a contract file that is not there": (["contracts", "x.toml"], ["x.toml: cannot be read: No such file"]),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    for name, content in GOOD.items():
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(done, parts: list[str]) -> None:
    assert done.status == 2, done
    assert done.out == ""
    assert "Traceback" not in done.err
    for part in parts:
        assert part in done.err


@pytest.mark.parametrize("case", FILES)
def test_broken_files(folder, in_process, case: str) -> None:
    """A broken file is refused by name, with line, query, document and column where there are such, and a hint."""
    (name, content), arguments, parts = FILES[case]
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    check(in_process("evaluate", "qrels", "run", *arguments), parts)


@pytest.mark.parametrize("case", ARGUMENTS)
def test_broken_arguments(folder, in_process, case: str) -> None:
    """A wrong argument is refused, saying what was expected."""
    arguments, parts = ARGUMENTS[case]
    check(in_process(*arguments), parts)
    assert sorted(file.name for file in folder.iterdir()) == ["qrels", "run"]


def test_the_first_twenty_faults_are_listed(folder, in_process) -> None:
    """All faults of a file come in one run: the first twenty, and how many more."""
    (folder / "run").write_text("q1 Q0 d1 1 x t\n" * 50)
    done = in_process("evaluate", "qrels", "run")
    assert done.err.count("column score") == 20
    assert "run:20:" in done.err
    assert "… and 30 more" in done.err


def test_files_of_another_kind_are_one_fault(folder, in_process) -> None:
    """Qrels where a run belongs, or the other way round, are said once, not once a line."""
    done = in_process("evaluate", "run", "qrels")
    assert done.err.count("\n") == 3
    assert "hint: this looks like a run" in done.err


def test_nothing_is_written_when_the_input_is_bad(folder, in_process) -> None:
    """A result file of an earlier run stands as it was."""
    (folder / "result.json").write_text("old")
    (folder / "run").write_text("q1 Q0 d1\n")
    assert in_process("evaluate", "qrels", "run", "--format", "json", "-o", "result.json").status == 2
    assert (folder / "result.json").read_text() == "old"


LAB = "query_id,document_id,relevance,before_rank,after_rank,has_evidence\n"
LABS = {
    "nothing": ("", ["lab:1: has no column query_id; the first line has nothing"]),
    "an empty list": ("[]", ["lab: holds no queries"]),
    "an object": ("{}", ["lab: is no list; expected a list with an object for each query"]),
    "a broken list": ("[1,", ["lab:1: column 4: is not JSON"]),
    "a number for a query": ("[5]", ["lab: entry 1 of the list is no object; expected an object with after, before"]),
    "a field that is not known": (
        '[{"queryId": "q", "retrieved": []}]',
        ["entry 1 of the list has a field 'retrieved'"],
    ),
    "a field twice": ('[{"queryId": "q", "queryId": "r"}]', ["entry 1 of the list has a field twice"]),
    "no id": ('[{"relevant": [], "before": [], "after": []}]', ["entry 1 of the list: queryId is None"]),
    "no list": (
        '[{"queryId": "q", "relevant": 3, "before": []}]',
        ["query q: relevant is no list", "query q: after is missing"],
    ),
    "a grade below 1": (
        '[{"queryId": "q", "relevant": [{"id": "a", "grade": 0}], "before": [], "after": []}]',
        ["query q, document a: relevant, no. 1: grade is 0; expected a number from 1 on"],
    ),
    "a grade of text": (
        '[{"queryId": "q", "relevant": [{"id": "a", "grade": "3"}], "before": [], "after": []}]',
        ["query q, document a: relevant, no. 1: grade is '3'"],
    ),
    "a document listed twice": (
        '[{"queryId": "q", "relevant": [{"id": "a"}, {"id": "a"}], "before": [], "after": []}]',
        ["query q, document a: relevant, no. 2: the document is listed twice"],
    ),
    "a document without id": (
        '[{"queryId": "q", "relevant": [], "before": [{"grade": 1}], "after": []}]',
        ["query q: before, no. 1: id is None"],
    ),
    "a document that is text": (
        '[{"queryId": "q", "relevant": [], "before": ["a"], "after": []}]',
        ["query q: before, no. 1 is no object; expected an object with grade, hasEvidence, id"],
    ),
    "a mark of text": (
        '[{"queryId": "q", "relevant": [], "before": [{"id": "a", "hasEvidence": "yes"}], "after": []}]',
        ["query q, document a: before, no. 1: hasEvidence is 'yes'; expected true or false"],
    ),
    "a query twice": (
        '[{"queryId": "q", "relevant": [], "before": [], "after": []}, {"queryId": "q"}]',
        ["query q: entry 2 of the list: the query comes twice"],
    ),
    "a header that lacks a column": (
        "query_id,document_id\n",
        ["lab:1: has no column relevance; the first line has query_id"],
    ),
    "a column twice": (f"relevance,{LAB}", ["lab:1: has the column relevance twice"]),
    "a relevance and a 0": (f"{LAB}q,a,0,1,,\nq,a,2,2,,\n", ["lab:3:", "relevance 2 here, 0 before"]),
    "a grade of 400 digits": (
        f'[{{"queryId": "q", "relevant": [{{"id": "a", "grade": 1{"0" * 400}}}], "before": [], "after": []}}]',
        ["query q, document a: relevant, no. 1: grade is"],
    ),
    "a grade too large to raise 2 to": (f"{LAB}q,a,5000,1,,\n", ["lab: query q: 2 to the grade 5000 is too large"]),
    "a row that is short": (f"{LAB}q,a,1\n", ["lab:2: has 3 cells; expected 6, as in the first line"]),
    "an open quote": (f'{LAB}"q,a,1,1,1,\n', ["is not CSV"]),
    "an empty document": (f"{LAB}q,,1,1,1,\n", ["lab:2: query q, column document_id: is empty"]),
    "an empty query": (f"{LAB},a,1,1,1,\n", ["lab:2: column query_id: is empty"]),
    "a relevance of text": (
        f"{LAB}q,a,high,1,1,\n",
        ["lab:2: query q, document a, column relevance: relevance 'high'"],
    ),
    "two relevances": (
        f"{LAB}q,a,2,1,1,\nq,a,3,2,2,\n",
        ["lab:3: query q, document a, column relevance: relevance 3 here, 2"],
    ),
    "a rank of text": (
        f"{LAB}q,a,1,first,1,\n",
        ["lab:2: query q, document a, column before_rank: before_rank 'first'"],
    ),
    "a rank twice": (f"{LAB}q,a,1,1,1,\nq,b,,1,2,\n", ["lab:3:", "before_rank 1 stands on line 2 already"]),
    "a gap in the ranks": (f"{LAB}q,a,1,2,1,\n", ["lab: query q: no row has before_rank 1", "hint: every place"]),
    "a mark that is neither": (f"{LAB}q,a,1,1,1,maybe\n", ["column has_evidence: has_evidence 'maybe'"]),
    "a zero byte": (f"{LAB}q,a\0,1,1,1,\n", ["lab:2: holds a zero byte"]),
    "not UTF-8": (f"{LAB}q,".encode() + b"\xff,1,1,1,\n", ["lab:2: byte 0xff is not UTF-8"]),
}


@pytest.mark.parametrize("case", LABS)
def test_broken_labs(folder, in_process, case: str) -> None:
    """A broken lab file is refused with the place of each fault."""
    content, parts = LABS[case]
    (folder / "lab").write_bytes(content if isinstance(content, bytes) else content.encode())
    check(in_process("rerank", "lab"), parts)
