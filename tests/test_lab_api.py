"""What the page asks, and what the engine answers: JSON in and out, the command line's numbers, errors with places."""

from __future__ import annotations

import base64
import gzip
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

import rankproof as rp
from rankproof.lab import given
from rankproof.lab.api import CALLS, call, function_of
from rankproof.lab.blocks_json import page_json
from rankproof.presets import PRESETS
from rankproof.report.blocks import Card, Cards, Code, Details, Page, Section, Verdict
from rankproof.tables import Table
from rankproof.words import Words

EXAMPLE = Path(str(rp.__file__)).parent / "example"
SAMPLE = (EXAMPLE / "lab.json").read_text("utf-8")
CSV = (EXAMPLE / "lab.csv").read_text("utf-8")

QRELS = "q1 0 a 3\nq1 0 b 1\nq2 0 c 2\nq3 0 d 1\n"
BEFORE = "q1 Q0 x 1 9.5 first\nq1 Q0 a 2 8 first\nq2 Q0 c 1 3 first\nq2 Q0 y 2 2 first\nq3 Q0 z 1 1 first\n"
AFTER = "q1 Q0 a 1 9 second\nq1 Q0 b 2 8 second\nq2 Q0 y 1 3 second\nq2 Q0 c 2 2 second\nq3 Q0 d 1 1 second\n"
RUNS = {name: {"name": name, "text": text} for name, text in (("qrels", QRELS), ("before", BEFORE), ("after", AFTER))}


def ask(name: str, **arguments: object) -> dict:
    """Return the result of a call that succeeds."""
    answer = json.loads(call(name, json.dumps(arguments)))
    assert answer["ok"], answer
    return answer["result"]


def fault(name: str, **arguments: object) -> dict:
    """Return the first fault of a call that is refused."""
    answer = json.loads(call(name, json.dumps(arguments)))
    assert not answer["ok"]
    assert "unexpected" not in answer["error"], answer
    return answer["error"]["faults"][0]


def tables(part: object) -> Iterator[dict]:
    """Yield every table in a result."""
    if isinstance(part, dict):
        if part.get("kind") == "table":
            yield part
        for inner in part.values():
            yield from tables(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from tables(inner)


def rows_of(found: dict, *names: str) -> list[dict]:
    """Return the rows of the first table with these columns, by the English names of its columns."""
    for table in tables(found["page"]):
        header = [name["en"] for name in table["header"]]
        if set(names) <= set(header):
            return [dict(zip(header, row, strict=True)) for row in table["rows"]]
    raise AssertionError(names)


KNOWN = {
    # the published sample: measure, before q-1, q-2, after q-1, q-2
    1: [("P", 0, 0, 1, 1), ("R", 0, 0, 0.5, 1)],
    3: [
        ("P", 1 / 3, 1 / 3, 2 / 3, 1 / 3),
        ("R", 0.5, 1, 1, 1),
        ("RR", 0.5, 1 / 3, 1, 1),
        ("nDCG", 0.496639, 0.5, 1, 1),
        ("DuplicateRate", 1 / 3, 0, 0, 0),
        ("EvidenceRate", 2 / 3, 2 / 3, 2 / 3, 0.5),
    ],
    5: [
        ("P", 0.4, 0.2, 0.4, 0.2),
        ("R", 1, 1, 1, 1),
        ("RR", 0.5, 1 / 3, 1, 1),
        ("nDCG", 0.641929, 0.5, 1, 1),
        ("DuplicateRate", 0.25, 0, 0, 0),
        ("EvidenceRate", 0.75, 2 / 3, 2 / 3, 0.5),
    ],
}


@pytest.mark.parametrize("k", KNOWN)
@pytest.mark.parametrize("text", [SAMPLE, CSV], ids=["json", "csv"])
def test_known_case(text: str, k: int) -> None:
    """The sample has the published values, query by query and as means, with the change between them."""
    found = ask("lab", text=text, k=k)
    queries = {(row["query_id"], row["run"]): row for row in rows_of(found, "query_id", "run")}
    means = {row["measure"]: row for row in rows_of(found, "measure", "meaning")}
    for symbol, *expected in KNOWN[k]:
        name = f"{symbol}@{k}"
        order = [("q-1", "before"), ("q-2", "before"), ("q-1", "after"), ("q-2", "after")]
        assert [queries[one][name] for one in order] == pytest.approx(expected, abs=5e-7)
        before, after = (expected[0] + expected[1]) / 2, (expected[2] + expected[3]) / 2
        assert (means[name]["before"], means[name]["after"]) == pytest.approx((before, after), abs=5e-7)
        assert float(means[name]["change"]) == pytest.approx(after - before, abs=1.5e-6)
    assert found["formulas"] == {"version": "rag-ranking-metrics-v2", "date": "2026-08-30"}


def told(done) -> dict:
    """Return a command's JSON without the record of when and where it ran."""
    assert done.status == 0, done.err
    record = {"schema", "command", "arguments", "inputs", "versions", "time", "machine"}
    return {key: part for key, part in json.loads(done.out).items() if key not in record}


@pytest.mark.parametrize("file", ["lab.json", "lab.csv"])
def test_a_lab_file_gives_what_the_command_gives(in_process, file: str) -> None:
    """The data is, to the last digit, what `rankproof rerank` writes for the same file."""
    found = ask("lab", text=(EXAMPLE / file).read_text("utf-8"), k=3)
    assert json.dumps(found["data"]) == json.dumps(
        told(in_process("rerank", EXAMPLE / file, "-k", "3", "--format", "json"))
    )


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A folder with judgments and two runs, in which the test runs."""
    for name, file in RUNS.items():
        (tmp_path / name).write_text(file["text"])
    monkeypatch.chdir(tmp_path)
    return tmp_path


MEASURES = [part for one in ("P", "R", "RR", "nDCG", "DuplicateRate", "EvidenceRate") for part in ("-m", f"{one}@2")]


@pytest.mark.parametrize("contract", ["rankproof", "trec_eval-9", "rag-ranking-metrics-v2", "textbook"])
def test_two_runs_give_what_the_command_gives(folder, in_process, contract: str) -> None:
    """The data of judgments and two runs is what `rankproof compare` writes, under any contract, rule and seed."""
    found = ask("lab", **RUNS, k=2, contract=contract, rules={"ties": "as-given"}, seed=7, resamples=500)
    options = ["--contract", contract, "--rule", "ties=as-given", "--seed", "7", "--resamples", "500"]
    done = in_process("compare", "qrels", "before", "after", *MEASURES, *options, "--format", "json")
    assert json.dumps(found["data"]) == json.dumps(told(done))
    assert (found["form"], found["runs"]) == ("runs", ["first", "second"])


def test_one_run_gives_what_the_command_gives(folder, in_process) -> None:
    """The data of judgments and one run is what `rankproof evaluate` writes."""
    found = ask("lab", qrels=RUNS["qrels"], before=RUNS["before"], k=2)
    done = in_process("evaluate", "qrels", "before", *MEASURES, "--format", "json")
    assert json.dumps(found["data"]) == json.dumps(told(done))
    assert (found["form"], found["tested"]) == ("run", False)


def test_runs_as_json_are_read_too(folder, in_process) -> None:
    """JSON judgments and a gzipped JSON run, given as bytes, give the same values as their lines do."""
    qrels = {"q1": {"a": 3, "b": 1}, "q2": {"c": 2}, "q3": {"d": 1}}
    packed = gzip.compress(json.dumps({"q1": ["x", "a"], "q2": ["c", "y"], "q3": ["z"]}).encode())
    run = {"name": "first.json.gz", "base64": base64.b64encode(packed).decode()}
    found = ask("lab", qrels=json.dumps(qrels), before=run, k=2)
    lines = ask("lab", qrels=QRELS, before=BEFORE, k=2)
    assert found["data"]["runs"][0]["per_query"] == lines["data"]["runs"][0]["per_query"]


def test_without_statistics_the_rest_is_the_same() -> None:
    """Asked without statistics a comparison has the same values, and neither interval nor p."""
    whole, quick = (ask("lab", text=SAMPLE, statistics=wanted) for wanted in (True, False))
    assert (whole["tested"], quick["tested"], quick["data"]["statistics"]) == (True, False, None)
    assert {**whole["data"], "statistics": None} == quick["data"]
    assert rows_of(whole, "query_id", "run") == rows_of(quick, "query_id", "run")
    assert "p" not in rows_of(quick, "measure", "meaning")[0]


def test_downloads_are_what_the_command_writes(folder, in_process, monkeypatch) -> None:
    """JSON, CSV and HTML are those of the command line; the record tells the command that gives the same."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.chdir(EXAMPLE)
    given_file = {"name": "lab.json", "text": SAMPLE}
    saved = ask("lab_json", text=given_file, k=3)["text"]
    typed = json.loads(saved)["arguments"]
    assert typed == ["rerank", "lab.json", "-k", "3"]
    assert in_process(*typed, "--format", "json").out.replace(',\n    "--format",\n    "json"', "") == saved
    assert in_process(*typed, "--format", "csv").out == ask("lab_csv", text=given_file, k=3)["text"]
    assert in_process(*typed, "--report", folder / "report.html").status == 0
    written = (folder / "report.html").read_text("utf-8")
    shown = ask("lab_report", text=given_file, k=3)["text"]
    assert written.replace(f" --report {folder / 'report.html'}", "") == shown


def test_the_report_of_two_runs(folder, in_process, monkeypatch) -> None:
    """The report of two runs is the one that the command of its record writes."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    asked = {**RUNS, "k": 2, "contract": "textbook", "rules": ["ties=as-given"], "tests": ["t"], "interval": "t"}
    typed = json.loads(ask("lab_json", **asked)["text"])["arguments"]
    assert typed[0] == "compare"
    assert typed[16:] == ["--contract", "textbook", "--rule", "ties=as-given", "--test", "t", "--interval", "t"]
    assert in_process(*typed, "--report", "report.html").status == 0
    written = (folder / "report.html").read_text("utf-8").replace(" --report report.html", "")
    assert written == ask("lab_report", **asked)["text"]


def test_the_chart_library_can_be_passed_in() -> None:
    """A report takes the chart library that the page has, in place of the package's own."""
    assert "rankproofCharts = 5" in ask("lab_report", **RUNS, charts="rankproofCharts = 5")["text"]


def test_a_query_side_by_side() -> None:
    """A query shows each place of both lists: grade, evidence, repeats where they stand, moves; and its values."""
    found = ask("query", text=SAMPLE, query="q-1", k=3)
    sides = {side["run"]: side["places"] for side in found["data"]["runs"]}
    keys = ("rank", "doc_id", "grade", "evidence", "first")
    assert sides["before"] == [
        dict(zip(keys, row, strict=True))
        for row in (
            (1, "doc-x", None, False, None),
            (2, "doc-a", 3, True, None),
            (3, "doc-a", 3, True, 2),
            (4, "doc-c", 2, True, None),
        )
    ]
    assert [place["doc_id"] for place in sides["after"]] == ["doc-a", "doc-c", "doc-x"]
    table = next(table for table in tables(found["page"]) if table["header"][0]["en"] == "rank")
    assert table["rows"][2] == [
        *(3, "doc-a", "3", {"en": "yes", "ko": "있음"}, {"en": "repeats no. 2", "ko": "2번째의 되풀이"}),
        *("doc-x", {"en": "unjudged", "ko": "미판정"}, "", {"en": "1 → 3 (down 2)", "ko": "1 → 3 (아래로 2)"}),
    ]
    assert found["data"]["values"]["before"]["DuplicateRate@3"] == 1 / 3


def test_a_query_of_one_run_and_one_that_a_run_lacks() -> None:
    """One run alone has one list; of a query that a run lacks the list is empty, and what is relevant is named."""
    found = ask("query", qrels="q1 0 a 1\nq2 0 b 1\n", before="q1 Q0 a 1 1 t\n", query="q2")
    assert found["data"]["runs"] == [{"run": "t", "places": []}]
    assert "not retrieved: b" in json.dumps(found["page"])
    assert found["data"]["values"]["t"]["RR@5"] == 0.0


@pytest.mark.parametrize("rule", ["keep-first", "keep-best", "keep-last"])
@pytest.mark.parametrize("slot", ["occupies", "removed"])
def test_places_are_those_that_count(rule: str, slot: str) -> None:
    """The rank of a judged document in its list is the rank in the value's terms, whatever counts as its repeat."""
    run = "".join(f"q Q0 {doc} 1 {score} t\n" for doc, score in (("b", 1), ("a", 2), ("b", 3), ("a", 1.5), ("c", 1)))
    rules = {"duplicate-document": rule, "duplicate-slot": slot}
    given_runs = {"qrels": "q 0 a 1\nq 0 b 2\nq 0 c 1\n", "before": run, "rules": rules, "query": "q"}
    places = ask("query", **given_runs)["data"]["runs"][0]["places"]
    terms = ask("explain", **given_runs, measure="DCG")["data"]["places"]
    counted = {place["doc_id"]: place["rank"] for place in places if place["first"] is None}
    assert counted == {term["doc_id"]: term["first_rank"] for term in terms}


def test_a_value_term_by_term(in_process) -> None:
    """An explanation adds up to the value; its data is what `rankproof explain` writes for the same run."""
    found = ask("explain", text=SAMPLE, query="q-1", measure="nDCG@3", run="before")
    # doc-a of grade 3 at rank 2: 7 / log2(3); ideal 7 / 1 + 3 / log2(3)
    assert found["data"]["value"] == pytest.approx(4.416508 / 8.892789, abs=1e-6)
    assert [row["amount"] for row in rows_of(found, "document", "amount")] == [pytest.approx(4.416508, abs=1e-6)]
    again = ask("explain", **RUNS, query="q1", measure="RR", run="second")
    assert again["data"]["value"] == 1.0
    assert again["page"]["title"]["en"] == "RR of query q1, second"


def test_an_explanation_is_what_the_command_writes(folder, in_process) -> None:
    """The data of an explanation is what `rankproof explain` writes for the same files."""
    found = ask("explain", **RUNS, query="q2", measure="nDCG@2", run="after")
    done = in_process("explain", "nDCG@2", "qrels", "after", "--query", "q2", "--format", "json")
    assert json.dumps(found["data"]) == json.dumps(told(done))


def test_a_value_that_is_undefined_says_why() -> None:
    """A value that a rule decides names the reason and the rule, in both languages."""
    found = ask("explain", qrels="q 0 a 0\np 0 a 1\n", before="q Q0 a 1 1 t\n", query="q", measure="AP")
    said = found["page"]["lead"][0]["items"][1]
    assert said["en"] == "–: no relevant document, and no-relevant = skip"
    assert said["ko"] == "–: 적합 문서가 없음, no-relevant = skip"


LAB = "query_id,document_id,relevance,before_rank,after_rank,has_evidence\n"
BROKEN = {
    # what is given, and the file, line and column of the first fault
    "no JSON": ({"text": '[{"queryId": "q",\n  "relevant": oops}]'}, ("pasted text", 2, 15)),
    "an unknown field": (
        {"text": '[\n  {"queryId": "q", "relevant": [{"id": "a",\n "rank": 1}]}]'},
        ("pasted text", 2, 33),
    ),
    "a grade of 0": (
        {
            "text": {
                "name": "x.json",
                "text": '[{"queryId": "q", "relevant": [\n  {"id": "a"},\n    {"id": "b", "grade": 0}],'
                ' "before": [], "after": []}]',
            }
        },
        ("x.json", 3, 5),
    ),
    "a list that is none": (
        {"text": '[{"queryId": "q", "relevant": [], "before": [],\n"after": 5}]'},
        ("pasted text", 2, 10),
    ),
    "a query twice": (
        {"text": '[\n{"queryId": "q", "relevant": [], "before": [], "after": []},\n {"queryId": "q"}]'},
        ("pasted text", 3, 2),
    ),
    "a word for a relevance": ({"text": f"{LAB}q,a,high,1,1,\n"}, ("pasted text", 2, "relevance")),
    "a rank twice": ({"text": f"{LAB}q,a,1,1,1,\nq,b,,1,2,\n"}, ("pasted text", 3, "before_rank")),
    "a gap": ({"text": f"{LAB}p,a,1,1,1,\nq,a,1,2,1,\n"}, ("pasted text", 3, None)),
    "a grade too large for its gain": (
        {"text": f"{LAB}q,a,1,1,1,\nq,b,5000,2,2,\n"},
        ("pasted text", 2, None),
    ),
    "a word for a grade": ({"qrels": "q 0 a 1\nq 0 b high\n", "before": BEFORE}, ("qrels", 2, "grade")),
    "a word for a score": ({"qrels": QRELS, "before": "q1 Q0 a 1 x t\n"}, ("before", 1, "score")),
    "a document twice": (
        {"qrels": QRELS, "before": BEFORE, "after": "q1 Q0 a 1 9 t\nq1 Q0 b 2 8 t\nq1 Q0 a 3 7 t\n"},
        ("after", 3, None),
    ),
    "a grade in JSON": ({"qrels": '{"q1":\n {"a": "x"}}', "before": BEFORE}, ("qrels", 2, 8)),
    "a byte that is no UTF-8": (
        {"qrels": {"name": "j.txt", "base64": base64.b64encode(b"q 0 a 1\nq 0 \xff 1\n").decode()}, "before": BEFORE},
        ("j.txt", 2, "doc_id"),
    ),
    "half of a surrogate pair": ({"text": f"{LAB}q,\ud800,1,1,1,\n"}, ("pasted text", 2, None)),
}


@pytest.mark.parametrize("case", BROKEN)
def test_faults_have_their_place(case: str) -> None:
    """What is wrong in a text is named with its file, line and, in JSON and tables, column."""
    arguments, place = BROKEN[case]
    found = fault("lab", **arguments)
    assert (found["file"], found["line"], found["column"]) == place, found


REFUSED = {
    # arguments of `lab`, and what the message says
    "nothing": ({}, "qrels is missing"),
    "no run": ({"qrels": QRELS}, "before is missing"),
    "a number for a text": ({"text": 5}, "text is 5"),
    "no base64": ({"text": {"base64": "?"}}, "is no base64"),
    "damaged gzip": ({"text": {"base64": base64.b64encode(b"\x1f\x8b\x08").decode()}}, "is damaged gzip"),
    "k of 0": ({"text": SAMPLE, "k": 0}, "k cannot be 0"),
    "k as a text": ({"text": SAMPLE, "k": "5"}, "k cannot be '5'"),
    "an unknown contract": ({"text": SAMPLE, "contract": "rankprof"}, "there is no contract 'rankprof'"),
    "a file for a contract": ({"text": SAMPLE, "contract": "/etc/rules.toml"}, "there is no contract"),
    "a list for a contract": ({"text": SAMPLE, "contract": []}, "contract is []"),
    "an unknown rule": ({"text": SAMPLE, "rules": {"tie": "expected"}}, "there is no rule 'tie'"),
    "a number for rules": ({"text": SAMPLE, "rules": 5}, "rules are 5"),
    "an unknown interval": ({"text": SAMPLE, "interval": "wide"}, "unknown interval 'wide'"),
    "a word for cutoffs": ({"text": SAMPLE, "cutoffs": "1"}, "cutoffs is '1'"),
    "a word for statistics": ({"text": SAMPLE, "statistics": "yes"}, "statistics is 'yes'"),
    "an unknown format": ({"text": SAMPLE, "format": "xml"}, "format is 'xml'"),
    "duplicates that a contract refuses": ({"text": SAMPLE, "contract": "rankproof"}, "stands twice"),
    "runs of other queries": ({"qrels": QRELS, "before": BEFORE, "after": "x Q0 a 1 1 t\n"}, "answers no judged query"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_asked_is_refused(case: str) -> None:
    """What the call cannot use is refused as the user's, with a sentence."""
    arguments, message = REFUSED[case]
    assert message in fault("lab", **arguments)["message"]


def test_other_calls_refuse_what_they_do_not_know() -> None:
    """An unknown call, query, run or measure is refused, with the nearest."""
    assert fault("labb")["hint"].startswith("nearest: lab")
    assert fault("query", text=SAMPLE, query="q-9")["hint"] == "nearest: q-2, q-1"
    assert (
        "there is no run 'during'" in fault("explain", text=SAMPLE, query="q-1", measure="RR", run="during")["message"]
    )
    assert "nDCH" in fault("explain", text=SAMPLE, query="q-1", measure="nDCH@5")["message"]
    assert fault("lab_report", qrels=QRELS, before=BEFORE)["message"] == "a run alone has no report"
    for arguments in ("5", "[", "[" * 100_000, ""):
        assert json.loads(call("lab", arguments))["error"]["faults"][0]["message"]


def test_a_text_is_read_as_it_was_called() -> None:
    """A text that is called JSON is read as JSON, whatever it begins with."""
    assert "no column query_id" in fault("lab", text="x [1]")["message"]
    assert "is not JSON" in fault("lab", text="x [1]", format="json")["message"]


def test_what_is_left_out_is_said() -> None:
    """What a reader of files warns of stands beside the result, each time it is asked."""
    asked = json.dumps({"qrels": f"# judged in May\n{QRELS}", "before": BEFORE})
    for _ in range(2):
        assert json.loads(call("lab", asked))["warnings"] == ["qrels: 1 comment line left out"]


def test_a_large_file_is_refused_before_it_is_read() -> None:
    """More than 5 MB as UTF-8 is refused with its size, though it be no JSON at all; packed, by what it holds."""
    big = fault("lab", text="[" + "가" * 2_000_000)
    assert big["message"] == "is 5.7 MB (6,000,001 bytes)"
    assert big["expected"] == "5 MB at most"
    packed = base64.b64encode(gzip.compress(bytes(6_000_000))).decode()
    assert "holds more than 5 MB" in fault("lab", text={"base64": packed})["message"]


def large() -> str:
    """Return a lab file of a bit less than 5 MB."""
    draw, queries, size = random.Random(1), [], 2
    while size < given.MOST_BYTES - 6000:
        docs = [f"document-{draw.randrange(1000):04}" for _ in range(20)]
        sides = [[{"id": doc, "hasEvidence": draw.random() < 0.5} for doc in draw.sample(docs, 20)] for _ in range(2)]
        relevant = [{"id": doc, "grade": draw.choice([1, 2, 3])} for doc in dict.fromkeys(docs[:5])]
        queries.append({"queryId": f"q-{len(queries)}", "relevant": relevant, "before": sides[0], "after": sides[1]})
        size += len(json.dumps(queries[-1])) + 2
    return json.dumps(queries)


def test_five_megabytes() -> None:
    """A file of 5 MB is compared, every query with both runs; intervals wait until they are asked for."""
    text = large()
    assert len(text) > given.MOST_BYTES - 12_000
    begun = time.perf_counter()
    found = ask("lab", text=text)
    print(f"{time.perf_counter() - begun:.1f} s")
    queries = json.loads(text)
    assert not found["tested"]
    assert len(rows_of(found, "query_id", "run")) == 2 * len(queries)
    first = rp.explain(
        {"q": {one["id"]: one["grade"] for one in queries[0]["relevant"]}},
        {"q": [one["id"] for one in queries[0]["before"]]},
        "R@5",
        "q",
        "rag-ranking-metrics-v2",
    )
    assert rows_of(found, "query_id", "run")[0]["R@5"] == first.value


def language_gaps(part: object, way: str = "") -> Iterator[str]:
    """Yield where a text stands in one language only."""
    if isinstance(part, dict):
        if {"en", "ko"} & set(part):
            if set(part) != {"en", "ko"} or not all(isinstance(text, str) for text in part.values()):
                yield way
        else:
            for key, inner in part.items():
                if key in ("spec", "korean", "data"):
                    continue
                if key in ("title", "summary", "sentence", "word", "label", "alt", "text") and isinstance(inner, str):
                    yield f"{way}.{key}"
                yield from language_gaps(inner, f"{way}.{key}")
    elif isinstance(part, list):
        for at, inner in enumerate(part):
            yield from language_gaps(inner, f"{way}[{at}]")


PAGES = {
    "about": ("about", {}),
    "lab": ("lab", {"text": SAMPLE, "k": 3}),
    "runs": ("lab", {**RUNS, "k": 2}),
    "run": ("lab", {"qrels": RUNS["qrels"], "before": RUNS["before"]}),
    "query": ("query", {"text": SAMPLE, "query": "q-1"}),
    "explain": ("explain", {"text": SAMPLE, "query": "q-1", "measure": "nDCG@5"}),
}


@pytest.mark.parametrize("case", PAGES)
def test_every_text_has_both_languages(case: str) -> None:
    """Every text of a page has English and Korean; sentences are Korean in Korean, and so are fixed heads of tables."""
    name, arguments = PAGES[case]
    found = ask(name, **arguments)
    assert list(language_gaps(found)) == []
    plain = {one["en"] for table in tables(found) for one in table["header"] if one["en"] == one["ko"] and one["en"]}
    names = {"p", "d_z", "k", "first", "second"}
    assert {one for one in plain if "@" not in one} <= names
    for section in found["page"]["sections"]:
        assert section["heading"]["en"] != section["heading"]["ko"]


def test_what_the_engine_is() -> None:
    """`about` tells every preset with every rule, every measure with its formula, the formats, and the limit."""
    found = ask("about")
    assert [one["name"] for one in found["contracts"]] == list(PRESETS)
    assert all(one["whose"]["en"] for one in found["contracts"])
    for one in found["contracts"]:
        assert len(one["blocks"][0]["rows"]) == len(list(rp.contract(one["name"]).items()))
    assert [one["symbol"] for one in found["measures"]] == [one.symbol for one in rp.measures()]
    for one in found["measures"]:
        assert one["what"]["en"] != one["what"]["ko"], one["symbol"]
    assert found["limits"]["bytes"] == 5 * 1024 * 1024
    assert {one["name"]: one["here"] for one in found["analyzers"]}["kiwi"] is False
    assert ask("sample") == {"json": SAMPLE, "csv": CSV}


def test_every_call_has_its_function() -> None:
    """Each call that is listed loads."""
    for name in CALLS:
        assert callable(function_of(name))


def test_every_kind_of_block() -> None:
    """Each block is an object of its kind; a table keeps its values, and tells numbers from counts and text."""
    words = Words("a", "가")
    table = Table(["measure", "queries", "value", ""], [["P", 3, 0.1, words], [None, None, 1.0, True]], "per query")
    blocks = [words, [words], table, Details(words, [words]), Verdict(words, words, "good"), Code("x\ny")]
    found = page_json(
        Page(words, [Section(words, blocks)], lead=[Cards([Card(words, "1", words, "bad")])], foot=[words])
    )
    both = {"en": "a", "ko": "가"}
    assert found["lead"] == [{"kind": "cards", "cards": [{"label": both, "value": "1", "note": both, "tone": "bad"}]}]
    text, listed, tabled, details, verdict, code = found["sections"][0]["blocks"]
    assert text == {"kind": "text", "text": both}
    assert listed == {"kind": "list", "items": [both]}
    assert tabled["columns"] == ["text", "count", "number", "text"]
    assert tabled["rows"] == [["P", 3, 0.1, both], [None, None, 1.0, True]]
    assert (tabled["title"], tabled["header"][0]) == (
        {"en": "per query", "ko": "질의별"},
        {"en": "measure", "ko": "지표"},
    )
    assert details == {"kind": "details", "summary": both, "blocks": [text]}
    assert verdict == {"kind": "verdict", "word": both, "sentence": both, "tone": "good"}
    assert code == {"kind": "code", "text": "x\ny"}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
DOC = st.sampled_from(["a", "b", "c", ""])
ENTRY = st.fixed_dictionaries(
    {"id": DOC}, optional={"grade": st.sampled_from([1, 2, 0.5, 1100, "x"]), "hasEvidence": st.booleans()}
)
QUERY = st.fixed_dictionaries(
    {
        "queryId": st.sampled_from(["p", "q", ""]),
        **{key: st.lists(ENTRY, max_size=4) for key in ("relevant", "before", "after")},
    }
)
LINES = st.lists(
    st.sampled_from([*QRELS.splitlines(), *BEFORE.splitlines(), "", "# x", "q 0", "q1 0 a -1", "q Q0 a 1 nan t"])
)
TEXT = st.text(max_size=30) | LINES.map("\n".join) | st.lists(QUERY, max_size=3).map(json.dumps) | JSON.map(json.dumps)
FILE = TEXT | JSON | st.fixed_dictionaries({"name": st.text(max_size=5), "text": TEXT})
ARGUMENTS = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("text", "qrels", "before", "after"), FILE),
        "k": st.integers(-1, 4) | JSON,
        "contract": st.sampled_from(list(PRESETS)) | JSON,
        "rules": st.sampled_from([{"ties": "expected"}, {"depth": 1}, ["unjudged=condensed"]]) | JSON,
        "query": st.sampled_from(["q", "q1", "p"]) | JSON,
        "measure": st.sampled_from(["nDCG@2", "RR", "GMAP", "infAP"]) | JSON,
        "run": st.sampled_from(["before", "after"]) | JSON,
        "statistics": st.just(value=False) | JSON,
        "cutoffs": st.just([1, 2]) | JSON,
        "format": st.sampled_from(["json", "csv", "auto"]) | JSON,
    },
)


@drawn(name=st.sampled_from(list(CALLS)) | st.text(max_size=5), arguments=ARGUMENTS)
@settings(max_examples=400)
def test_no_argument_makes_a_call_raise(name: str, arguments: dict) -> None:
    """Whatever is asked, the answer is JSON: a result, or what is wrong with what was given, never with the engine."""
    answer = json.loads(call(name, json.dumps(arguments)))
    assert answer["ok"] or ("unexpected" not in answer["error"] and answer["error"]["faults"]), answer


def test_what_breaks_inside_is_told_as_such(monkeypatch) -> None:
    """A fault of the engine's own is an answer too, marked as unexpected."""

    def broken(_: object) -> dict:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("rankproof.lab.calls.about.about", broken)
    assert json.loads(call("about", "{}")) == {
        "ok": False,
        "error": {"message": "ZeroDivisionError: oops", "unexpected": True},
    }
