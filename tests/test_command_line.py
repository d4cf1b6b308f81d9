"""The commands: data to stdout, talk to stderr, every format, documented JSON."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import shlex
import subprocess
import sys
from math import log2
from pathlib import Path

import jsonschema
import pytest
from conftest import ROOT

import rankproof as rp
from rankproof.cli.app import app
from rankproof.demo import lay_out
from rankproof.values import Values

SCHEMA = json.loads((ROOT / "docs" / "result-1.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


@pytest.fixture
def example(tmp_path: Path, monkeypatch) -> Path:
    lay_out(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


EVALUATE = ("evaluate", "qrels.txt", "bm25-words.run", "lsa.run", "-m", "nDCG@10", "-m", "NumRet")


def test_table(example, in_process) -> None:
    """A row a measure, a column a run; counts are whole; the contract and the counts are talk."""
    done = in_process(*EVALUATE)
    assert done.status == 0
    rows = [line.split() for line in done.out.splitlines()]
    assert rows[0] == ["measure", "bm25-words", "lsa"]
    assert [row[0] for row in rows[1:]] == ["nDCG@10", "NumRet"]
    assert rows[2][1:] == [str(len((example / f"{run}.run").read_text().splitlines())) for run in ("bm25-words", "lsa")]
    assert "contract rankproof (9bc7356a0d95)" in done.err
    assert "bm25-words: 24 queries evaluated; 1 missing from the run, counted as an empty ranking (ko-05)\n" in done.err
    assert "lsa: 24 queries evaluated\n" in done.err


def test_per_query_table(example, in_process) -> None:
    """With --per-query follow, for several runs, a table a measure; for one run a table with a column a measure."""
    done = in_process(*EVALUATE, "--per-query")
    assert "nDCG@10, per query" in done.out
    assert [line.split() for line in done.out.splitlines() if line.startswith("query_id")] == [
        ["query_id", "bm25-words", "lsa"]
    ] * 2
    assert sum(line.startswith("ko-05") for line in done.out.splitlines()) == 2
    one = in_process("evaluate", "qrels.txt", "lsa.run", "-m", "RR", "-m", "AP", "-q")
    assert "lsa, per query" in one.out
    assert [line.split() for line in one.out.splitlines() if line.startswith("query_id")] == [["query_id", "RR", "AP"]]


@pytest.mark.parametrize(("name", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_tidy(example, in_process, name: str, delimiter: str) -> None:
    """One value a row, in full precision: its mean is the mean of its queries; undefined is an empty cell."""
    done = in_process(*EVALUATE, "-m", "Judged@10", "-q", "--format", name)
    rows = list(csv.DictReader(io.StringIO(done.out), delimiter=delimiter))
    values = [row for row in rows if row["run"] == "lsa" and row["measure"] == "nDCG@10"]
    (mean,) = [float(row["value"]) for row in values if row["query_id"] == "all"]
    queries = [float(row["value"]) for row in values if row["query_id"] != "all"]
    assert len(queries) == 24
    assert mean == pytest.approx(sum(queries) / 24, abs=1e-15)
    assert next(row["value"] for row in rows if (row["query_id"], row["measure"]) == ("ko-05", "Judged@10")) == ""


def test_markdown(example, in_process) -> None:
    """A Markdown table, with the notes under it."""
    done = in_process(*EVALUATE, "--format", "markdown")
    assert done.out.startswith("| measure | bm25-words | lsa |\n| --- | --- | --- |\n| nDCG@10 | 0.")
    assert "\n- contract rankproof (9bc7356a0d95)\n" in done.out


def test_trec(example, in_process) -> None:
    """trec_eval's columns; what is undefined is null; a measure that trec_eval lacks has its house name."""
    done = in_process("evaluate", "qrels.txt", "bm25-words.run", "-m", "AP", "-m", "EvidenceRate@5", "--format", "trec")
    lines = done.out.splitlines()
    assert lines[0] == "runid                 \tall\tbm25-words"
    assert lines[1].startswith("map                   \tall\t0.")
    assert lines[2] == "EvidenceRate@5        \tall\tnull"


@pytest.fixture
def inputs(example, monkeypatch) -> Path:
    """The example, with families of queries, judgments of one query, and a run whose first three places turned."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)  # a gate would write there
    queries = [json.loads(line) for line in (example / "queries.jsonl").read_text("utf-8").splitlines()]
    for language, name in (("ko", "korean.txt"), ("en", "english.txt")):
        ids = [str(query["_id"]) for query in queries if query["language"] == language]
        (example / name).write_text("".join(f"{query}\t-\n" for query in ids))
    (example / "families.txt").write_text("".join(f"{query['_id']} f{query['family']}\n" for query in queries))
    judgments = (example / "qrels.txt").read_text().splitlines(keepends=True)
    (example / "one.txt").write_text("".join(line for line in judgments if line.startswith("en-01 ")))
    docs: dict[str, list[str]] = {}
    rows = [line.split() for line in (example / "bm25-ngrams.run").read_text().splitlines()]
    for query, _, doc, *_ in sorted(rows, key=lambda row: (float(row[4]), row[2]), reverse=True):
        docs.setdefault(query, []).append(doc)
    turned = [(query, doc) for query, found in docs.items() for doc in [*reversed(found[:3]), *found[3:5]]]
    (example / "turned.run").write_text(
        "".join(f"{query} Q0 {doc} 0 {-at} turned\n" for at, (query, doc) in enumerate(turned))
    )
    return example


FEW = ("--resamples", "100")
FEWER = (*FEW, "--permutations", "100")
COMPARE = ("compare", "qrels.txt", "bm25-words.run", "lsa.run", "bm25-ngrams.run", *FEWER)
LEADERBOARD = ("leaderboard", "qrels.txt", "bm25-words.run", "lsa.run", "bm25-ngrams.run", *FEWER)
GATE = ("gate", "qrels.txt", "bm25-words.run", "bm25-ngrams.run", *FEW)
RERANK = ("rerank", "qrels.txt", "bm25-ngrams.run")
DIFF = ("diff", "qrels.txt", "bm25-words.run", "lsa.run")
SIMILARITY = ("similarity", "bm25-words.run", "lsa.run")
CHECK = ("check", "qrels.txt", "bm25-words.run", "lsa.run")
POOL = ("pool", "bm25-words.run", "lsa.run", "--qrels", "qrels.txt")
JUDGES = ("judges", "qrels.txt", "one.txt", "--resamples", "100")
INTERLEAVE = ("interleave", "bm25-words.run", "lsa.run")
SPLITS = ("--tune-on", "korean.txt", "--test-on", "english.txt")
LEAKAGE = ("leakage", "queries.jsonl", "train=queries.jsonl")
CLOSED_CORPUS = ("closed-corpus", "closed-corpus.json")
TESTS = ("--test", "t", "--test", "wilcoxon", "--test", "sign", "--test", "randomization")
NO_SUCH_GRADE = ("-m", "ERR(max=3)@10", "--rule", "relevant-from=4", "--rule", "no-relevant=zero")


def test_the_schema_is_one() -> None:
    """The documented schema is a JSON Schema, and each of its parts is used."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    text = json.dumps(SCHEMA)
    assert [name for name in SCHEMA["$defs"] if f'"#/$defs/{name}"' not in text] == []


def fits(found: object) -> None:
    """Fail where a result does not fit the documented schema."""
    VALIDATOR.validate(found)


@pytest.mark.parametrize(
    "arguments",
    [
        (*EVALUATE, "-m", "EvidenceRate@5", "--rule", "gain=table", "--rule", "gain-table=1:1,2:3,3:7"),
        (*EVALUATE, "--rule", "ties=expected"),
        COMPARE,
        (*COMPARE, "--margin", "0.3", "--cluster", "families.txt", *TESTS, "--correct", "bh"),
        (*COMPARE, "--correct", "max-t", "--interval", "wider"),
        (*COMPARE, "-m", "Judged@10", "-m", "Unjudged@10", "--correct", "bh", "--interval", "t"),
        (*COMPARE, *NO_SUCH_GRADE, "--correct", "tukey", "--confidence", "0.5"),
        ("compare", "one.txt", "lsa.run", "bm25-ngrams.run", "--correct", "none", "--interval", "percentile"),
        ("compare", "qrels.txt", "lsa.run", "lsa.run", "--margin", "0.1", *FEWER),
        ("compare", "one.txt", "lsa.run", "bm25-words.run", "-m", "EvidenceRate@5"),
        LEADERBOARD,
        (*LEADERBOARD, "--correct", "holm", "--test", "t", "--cluster", "families.txt", "-m", "AP"),
        ("leaderboard", "one.txt", "lsa.run", "bm25-ngrams.run", "-m", "AP", "-m", "RR", "-m", "EvidenceRate@5"),
        (*GATE, "--require", "nDCG@10 drop<=0.05", "--require", "R@10 >= 0.1", "--cluster", "families.txt"),
        (*GATE, "--require", "AP drop<=1%", "--interval", "t", "--confidence", "0.9", "--per-query-worst", "2"),
        ("gate", "one.txt", "lsa.run", "lsa.run", "--require", "RR>=0.5", "--undecided", "pass"),
        ("explain", "nDCG@10", "qrels.txt", "bm25-ngrams.run", "--query", "ko-01"),
        ("explain", "RR", "qrels.txt", "bm25-ngrams.run", "--query", "en-11", "--rule", "ties=expected"),
        ("explain", "Unjudged@10", "qrels.txt", "bm25-words.run", "--query", "ko-05"),
        ("rerank", "lab.json", "-k", "3"),
        ("rerank", "lab.csv"),
        (*RERANK, "bm25-ngrams.run"),
        (*RERANK, "lsa.run", "--allow-new", "-m", "nDCG@5", "-m", "NumRet"),
        (*RERANK, "turned.run", "--depth", "3"),
        CLOSED_CORPUS,
        (*CLOSED_CORPUS, "--expect", "closed-corpus.expected.json"),
        DIFF,
        (*DIFF, "--queries", "queries.jsonl", "--corpus", "corpus.jsonl", "-n", "2", "--depth", "3"),
        (*DIFF, "-m", "Judged@10", "--query", "ko-05", "--query", "ko-01"),
        ("diff", "one.txt", "lsa.run", "lsa.run"),
        ("contracts", "trec_eval-9", "textbook", "qrels.txt", "bm25-words.run", "-m", "AP"),
        ("contracts", "trec_eval-10", "rankproof", "qrels.txt", "bm25-words.run", "-m", "AP"),
        ("contracts", "--all", "qrels.txt", "bm25-words.run"),
        SIMILARITY,
        CHECK,
        (*SIMILARITY, "bm25-ngrams.run", "-k", "3", "--rbo-p", "0.5"),
        ("similarity", "lsa.run", "lsa.run"),
        ("tune", "qrels.txt", "lsa.run", "bm25-ngrams.run", *SPLITS, "--steps", "4"),
        ("tune", "qrels.txt", "lsa.run", "bm25-ngrams.run", *SPLITS, "--method", "rrf", "-m", "AP", "--steps", "1"),
        ("experiment", "experiment.toml"),
        (*INTERLEAVE, "--simulate", "perfect", "--qrels", "qrels.txt", "--simulated", "50"),
        (*POOL, "--queries", "queries.jsonl", "--corpus", "corpus.jsonl", "--show-runs"),
        ("pool", "lsa.run", "--take", "2"),
        ("split", "queries.jsonl"),
        ("split", "queries.jsonl", "--by", "hash", "--quota", "--seed", "2"),
        LEAKAGE,
        (*LEAKAGE, "--corpus", "corpus.jsonl", "--qrels", "qrels.txt", "--tuned-on", "one.txt", "--run", "lsa.run"),
        JUDGES,
        (*JUDGES, "--judge", "one=human", "--judge", "qrels=model", "--reranker-model", "qrels", "--resamples", "0"),
        ("judges", "one.txt", "--no-agreement"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_json_keeps_its_schema(inputs, in_process, arguments: tuple[str, ...]) -> None:
    """JSON results fit the documented schema; the hashes are those of the files."""
    done = in_process(*arguments, "--format", "json")
    assert done.status == 0, done.err
    found = json.loads(done.out)
    fits(found)
    assert found["command"] == arguments[0]
    for one in found["inputs"]:
        assert one["sha256"] == hashlib.sha256((inputs / one["path"]).read_bytes()).hexdigest()


@pytest.mark.parametrize("required", ["nDCG@10 rise>=0.5", "nDCG@10 rise>=0.1"])
def test_json_of_a_gate_that_stays_shut_keeps_its_schema(inputs, in_process, required: str) -> None:
    """What fails or is undecided ends with status 1, and its JSON fits the schema too."""
    done = in_process(*GATE, "--require", required, "--interval", "t", "--format", "json")
    assert done.status == 1, done.err
    found = json.loads(done.out)
    fits(found)
    assert (found["status"], found["passed"]) == ("fail" if required.endswith("0.5") else "undecided", False)


def test_saved_results_are_baselines(inputs, in_process) -> None:
    """A result of `evaluate`, and one of `gate`, is a baseline of the next gate; what that writes fits the schema."""
    assert (
        in_process("evaluate", "qrels.txt", "lsa.run", "-m", "AP", "--format", "json", "-o", "first.json").status == 0
    )
    for saved, result in (("first.json", "second.json"), ("second.json", "third.json")):
        arguments = ("gate", "qrels.txt", saved, "lsa.run", "--require", "AP drop<=0", *FEW)
        assert in_process(*arguments, "--format", "json", "-o", result).status == 0
        found = json.loads((inputs / result).read_text("utf-8"))
        fits(found)
        assert found["baseline"]["means"] == found["candidate"]["means"]
        assert found["baseline"]["per_query"] == found["candidate"]["per_query"]


WRONG = {
    "evaluate": [(("runs", 0, "counts", "tied"), -1), (("inputs", 0, "role"), "judgments"), (("schema",), 2)],
    "compare": [
        (("verdict",), "improved"),
        (("differences", 0, "verdict"), "mixed"),
        (("differences", 0, "adjusted_p"), 1.5),
        (("differences", 0, "p"), {"anova": 0.1}),
        (("differences", 0, "intervals"), {"bca": [0, 1]}),
        (("differences", 0, "intervals", "bca"), [0]),
        (("differences", 0, "labels", "policies", 0, "name"), "ignored"),
        (("differences", 0, "labels", "policies", 0, "verdict"), "same"),
        (("settings", "correction"), "bonferroni"),
        (("settings", "tests"), []),
        (("settings", "interval"), "normal"),
        (("values",), []),
    ],
    "leaderboard": [
        (("settings", "correction"), "max-t"),
        (("boards", 0, "standings", 0, "groups"), ["A"]),
        (("boards", 0, "adjusted_p", 0, 1), -0.1),
    ],
    "gate": [
        (("status",), "passed"),
        (("checks", 0, "status"), "met"),
        (("undecided",), "undecided"),
        (("checks", 0, "interval"), [0, 1, 2]),
        (("checks",), []),
    ],
    "rerank": [(("moved", "gone"), 1), (("moves", 0, "before"), 0), (("without_new",), {})],
    "closed-corpus": [(("queries", "q1", "delta"), "0"), (("candidateRecall",), "none"), (("queries",), {})],
    "diff": [
        (("queries", 0, "rows", 0, "left"), {"doc_id": "d"}),
        (("queries", 0, "moves", 0, "left"), 0),
        (("changes", 0, "delta"), "up"),
    ],
    "similarity": [
        (("pairs", 0, "undefined", "tau"), []),
        (("matrices", "overlap", 0), None),
        (("p",), 1),
        (("pairs", 0, "queries", "both"), ["q"]),
    ],
    "check": [
        (("files", 0, "role"), "lab"),
        (("files", 0, "depth"), {"least": 1}),
        (("findings", 0, "weight"), "bad"),
        (("findings", 0, "places"), [{"line": 0}]),
        (("counts",), {"wrong": 0}),
    ],
    "pool": [(("documents", 0, "grade"), 1), (("runs", 0, "judged_share"), 2), (("queries", "ko-01", "extra"), "1")],
    "judges": [
        (("settings", "resolve"), "mode"),
        (("judges", 0, "kind"), "person"),
        (("pairs", 0, "coefficients", "cohen", "interval"), [0]),
        (("groups", 0, "coefficients", "pi"), {}),
    ],
}
"""By command, what no result can hold: (where, the wrong value)."""


@pytest.mark.parametrize(
    "arguments",
    [
        EVALUATE,
        COMPARE,
        LEADERBOARD,
        (*GATE, "--require", "nDCG@10 drop<=0.05"),
        (*RERANK, "turned.run", "--depth", "3", "-m", "nDCG@10"),
        CLOSED_CORPUS,
        DIFF,
        SIMILARITY,
        CHECK,
        POOL,
        JUDGES,
    ],
    ids=lambda arguments: arguments[0],
)
def test_schema_refuses_what_is_no_result(inputs, in_process, arguments: tuple[str, ...]) -> None:
    """A result that lacks a field, has one more, bears another command or holds a wrong word does not fit."""
    found = json.loads(in_process(*arguments, "--format", "json").out)
    fits(found)
    wrong = [{name: value for name, value in found.items() if name != left_out} for left_out in found]
    wrong += [{**found, "extra": 1}]
    wrong += [{**found, "command": command} for command in (*WRONG, "explain", "bench") if command != arguments[0]]
    wrong += [_with(found, where, value) for where, value in WRONG[arguments[0]]]
    for one in wrong:
        assert not VALIDATOR.is_valid(one)


@pytest.mark.parametrize(
    ("arguments", "where"),
    [
        (COMPARE, ("settings",)),
        (COMPARE, ("differences", 0)),
        (COMPARE, ("differences", 0, "labels")),
        (COMPARE, ("differences", 0, "labels", "policies", 0)),
        (LEADERBOARD, ("boards", 0)),
        (LEADERBOARD, ("boards", 0, "standings", 0)),
        (LEADERBOARD, ("orders", 0)),
        ((*GATE, "--require", "R@10 drop<=0.05", "--require", "Unjudged@10 rise<=1"), ("checks", 0)),
        (("gate", "qrels.txt", "bm25-ngrams.run", "lsa.run", "--require", "AP drop<=1", *FEW), ("worst", 0)),
        ((*RERANK, "turned.run", "--depth", "3", "-m", "RR"), ("share_per_query",)),
        ((*RERANK, "turned.run", "--depth", "3", "-m", "RR"), ("moves", 0)),
        ((*RERANK, "turned.run", "--depth", "3", "-m", "RR"), ("ceiling",)),
        (("rerank", "lab.json"), ("statistics",)),
        (CLOSED_CORPUS, ("queries", "q3")),
        (DIFF, ("counts",)),
        (DIFF, ("changes", 0)),
        (DIFF, ("queries", 0)),
        (DIFF, ("queries", 0, "rows", 0)),
        (DIFF, ("queries", 0, "moves", 0)),
        (SIMILARITY, ("pairs", 0)),
        (SIMILARITY, ("pairs", 0, "queries")),
        (SIMILARITY, ("pairs", 0, "per_query", "ko-01")),
        (SIMILARITY, ("matrices",)),
    ],
    ids=lambda given: str(given[0]),
)
def test_schema_refuses_parts_that_lack_a_field(
    inputs, in_process, arguments: tuple[str, ...], where: tuple[str | int, ...]
) -> None:
    """Each field of a part is needed, and no other is known."""
    found = json.loads(in_process(*arguments, "--format", "json").out)
    fits(found)
    part = found
    for key in where:
        part = part[key]
    wrong = [{name: value for name, value in part.items() if name != left_out} for left_out in part]
    for one in (*wrong, {**part, "extra": None}):
        assert not VALIDATOR.is_valid(_with(found, where, one))


def _with(found: object, where: tuple[str | int, ...], value: object) -> object:
    """Return a copy of a result with another value at a place."""
    copy = part = json.loads(json.dumps(found))
    for key in where[:-1]:
        part = part[key]
    part[where[-1]] = value
    return copy


def test_json_holds_what_the_table_shows(example, in_process) -> None:
    """Means, queries and counts of the JSON agree with each other."""
    found = json.loads(in_process(*EVALUATE, "--format", "json").out)
    words = found["runs"][0]
    assert words["counts"] == {"evaluated": 24, "without-relevant": 0, "missing": 1, "unjudged": 0, "tied": 0}
    assert words["queries"]["missing"] == ["ko-05"]
    row = dict(zip(words["per_query"]["query_ids"], words["per_query"]["values"]["nDCG@10"], strict=True))
    assert row["ko-05"] == 0
    assert words["means"]["nDCG@10"] == pytest.approx(sum(row.values()) / 24)
    assert found["contract"]["fingerprint"] == "9bc7356a0d95"


def test_output_goes_to_a_file(example, in_process) -> None:
    """-o writes the file and says so; nothing goes to stdout."""
    done = in_process(*EVALUATE, "--format", "json", "-o", "result.json")
    assert done.out == ""
    assert "written to result.json" in done.err
    assert json.loads((example / "result.json").read_text("utf-8"))["schema"] == 1


def test_explain(example, in_process) -> None:
    """Each term with rank, document, grade, gain, discount and amount; the ideal; the sum."""
    done = in_process("explain", "nDCG@3", "qrels.txt", "bm25-ngrams.run", "--query", "ko-01")
    lines = done.out.splitlines()
    assert lines[0].split() == ["rank", "document", "grade", "gain", "discount", "amount"]
    assert lines[1].split() == ["1", "ko-oxygen-02", "2", "2.000000", "1.000000", "2.000000"]
    assert lines[2].split() == ["2", "ko-oxygen-01", "3", "3.000000", "1.584963", "1.892789"]
    assert "the ideal ranking" in lines
    dcg, ideal = 2 + 3 / log2(3), 3 + 2 / log2(3) + 2 / 2
    assert f"value {dcg / ideal:.6f} = {dcg:.6f} / {ideal:.6f}" in done.out


def test_explain_under_expected_ties(example, in_process) -> None:
    """A tie is shown as the places it spans, with the mean amount, and the range of the value."""
    (example / "tied.run").write_text("q Q0 a 1 1 t\nq Q0 b 2 1 t\nq Q0 c 3 1 t\n")
    (example / "tied.qrels").write_text("q 0 c 1\n")
    done = in_process("explain", "RR", "tied.qrels", "tied.run", "--query", "q", "--rule", "ties=expected")
    assert done.out.splitlines()[1].split() == ["1–3", "c", "1", "0.611111"]
    assert "ties touch it: from 0.333333 to 1.000000" in done.out


@pytest.mark.parametrize(
    ("name", "start"), [("csv", "rank,document"), ("tsv", "rank\tdocument"), ("markdown", "| rank |")]
)
def test_explain_in_other_formats(example, in_process, name: str, start: str) -> None:
    """The terms as CSV, TSV and Markdown."""
    arguments = ("explain", "AP", "qrels.txt", "lsa.run", "--query", "en-01", "--format", name)
    assert in_process(*arguments).out.startswith(start)


def test_explain_marks_and_r(example, in_process) -> None:
    """Marked places show the grade of what stands there, or none; R-precision looks at R places."""
    run = rp.Run("r", {"q": rp.Ranking(["a", "x", "b"], evidence=[True, True, False])})
    found = rp.explain({"q": {"a": 3, "b": 1}}, run, "EvidenceRate", "q")
    assert [(one.ranks[0], one.doc_id, one.grade, one.amount) for one in found.places] == [
        (1, "a", 3, 1),
        (2, None, None, 1),
        (3, "b", 1, 0.0),
    ]
    assert found.rows()[2][1:3] == ["-", "-"]
    assert rp.explain({"q": {"a": 1, "c": 1}}, {"q": ["x", "a", "y", "z"]}, "Rprec", "q").unjudged == [1]
    with pytest.raises(rp.ContractError, match="run: query gone: absent from the run, and missing-query = skip"):
        rp.explain({"gone": {"a": 1}}, {"q": ["a"]}, "RR", "gone", missing_query="skip")
    with pytest.raises(rp.InputError, match="2 runs are given; expected one to explain"):
        rp.explain({"q": {"a": 1}}, [{"q": ["a"]}, {"q": ["a"]}], "RR", "q")


def test_explain_what_is_undefined(example, in_process) -> None:
    """Where there is no value the reason stands in its place."""
    (example / "none.qrels").write_text("q 0 a 0\n")
    (example / "none.run").write_text("q Q0 a 1 1 t\n")
    done = in_process("explain", "AP", "none.qrels", "none.run", "--query", "q")
    assert "value null: no relevant document, and no-relevant = skip" in done.out
    done = in_process("explain", "Judged@10", "qrels.txt", "bm25-words.run", "--query", "ko-05")
    assert "value null: nothing to divide by, and zero-denominator = undefined" in done.out


@pytest.mark.parametrize("name", ["table", "json", "csv", "tsv", "markdown"])
def test_reference_commands(in_process, name: str) -> None:
    """Measures and contracts answer in every format."""
    for arguments in (("measures",), ("measures", "nDCG"), ("contracts",), ("contracts", "textbook")):
        done = in_process(*arguments, "--format", name)
        assert done.status == 0
        assert done.out.strip()
        if name == "json":
            json.loads(done.out)


def test_measures_shows_one(in_process) -> None:
    """One measure: its sentence, formula, rules, and names elsewhere, by any of its names."""
    for name in ("nDCG", "ndcg", "ndcg_cut_10", "nDCG@5"):
        done = in_process("measures", name)
        assert "DCG@k / DCG@k of the ideal ranking" in done.out
        assert "ndcg_burges" in done.out
        assert "ideal-depth" in done.out
    assert "p (0.8)" in in_process("measures", "RBP").out
    assert "max (required)" in in_process("measures", "ERR").out


def test_contracts_shows_differences(in_process) -> None:
    """Two contracts: the rules in which they differ, with both answers."""
    done = in_process("contracts", "trec_eval-9", "trec_eval-10")
    assert "trec_eval-9 and trec_eval-10 differ in 4 rules" in done.out
    for part in ("comments", "score-precision", "recall-level", "missing-query"):
        assert part in done.out
    assert "teaching and closed-corpus differ in no rule" in in_process("contracts", "teaching", "closed-corpus").out


def test_a_contract_can_be_written_edited_and_used(example, in_process) -> None:
    """Contracts --toml gives a file that --contract takes."""
    assert in_process("contracts", "textbook", "--toml", "-o", "ours.toml").status == 0
    text = (example / "ours.toml").read_text("utf-8")
    assert "contract textbook (a40677a31661)" in in_process(*EVALUATE, "--contract", "ours.toml").err
    (example / "ours.toml").write_text(text.replace('ties = "as-given"', 'ties = "expected"'), "utf-8")
    assert "contract textbook, changed in ours.toml (" in in_process(*EVALUATE, "--contract", "ours.toml").err
    (example / "ours.toml").write_text(f'fingerprint = "000000000000"\n{text}', "utf-8")
    assert "the fingerprint is not that of these rules" in in_process(*EVALUATE, "--contract", "ours.toml").err


def test_a_contract_as_json_is_one_that_is_taken(example, in_process) -> None:
    """Contracts NAME --format json writes the contract itself: it reads back as the same."""
    assert in_process("contracts", "trec_eval-9", "--format", "json", "-o", "nine.json").status == 0
    assert rp.contract(example / "nine.json") == rp.contract("trec_eval-9")
    assert "contract trec_eval-9 (5cf9cc9a0509)" in in_process(*EVALUATE, "--contract", "nine.json").err


def test_contract_file_with_overrides_is_shown(example, in_process) -> None:
    """Rules for single measures are listed apart."""
    (example / "ours.toml").write_text('[overrides."RR@k"]\nties = "expected"\n')
    done = in_process("contracts", "ours.toml")
    assert "for single measures" in done.out
    assert "RR@k" in done.out


def test_rerank(example, in_process) -> None:
    """The verdict first, then before, after, change and meaning, then each query."""
    done = in_process("rerank", "lab.json", "-k", "3")
    lines = done.out.splitlines()
    assert lines[0].startswith("on average reranking moved relevant documents up: P@3, R@3, RR@3, nDCG@3 rose")
    assert lines[0].endswith("nDCG@3 rose for 2 queries, fell for 0, stayed for 0")
    assert lines[3].split()[:4] == ["P@3", "0.333333", "0.500000", "+0.166667"]
    assert "q-2" in done.out
    assert "formulas rag-ranking-metrics-v2 of 2026-08-30" in done.err
    assert "does not by itself prove significance" in done.err
    assert in_process("rerank", "lab.json", "-k", "3", "--format", "csv").out.startswith("query_id,run,P@3")
    assert in_process("rerank", "lab.csv", "-k", "3", "--format", "markdown").out.startswith(
        "**on average reranking moved"
    )


def test_demo(tmp_path, in_process, monkeypatch) -> None:
    """The demo lays out the example, prints the means and where the report lies; again, it does the same."""
    monkeypatch.chdir(tmp_path)
    first = in_process("demo")
    assert first.status == 0
    assert "report: rankproof-demo/report.md" in first.err
    assert "nDCG@10" in first.out
    report = (tmp_path / "rankproof-demo" / "report.md").read_text("utf-8")
    assert "산소 농도 적정공기" in report
    assert in_process("demo").out == first.out
    for line in first.err.splitlines():
        if line.startswith("  rankproof "):
            assert in_process(*shlex.split(line)[1:]).status == 0


def test_demo_overwrites_nothing(tmp_path, in_process) -> None:
    """A file of the same name with other content is left alone; a folder that cannot be made is said."""
    (tmp_path / "qrels.txt").write_text("mine")
    done = in_process("demo", tmp_path)
    assert done.status == 2
    assert "qrels.txt: is there already, with other content" in done.err
    assert [file.name for file in tmp_path.iterdir()] == ["qrels.txt"]
    assert "cannot be made" in in_process("demo", tmp_path / "qrels.txt" / "deeper").err


def test_version_and_help(in_process) -> None:
    """--version and --help answer; without arguments help is shown."""
    assert in_process("--version").out == "rankproof 0.1.0\n"
    assert "evaluate" in in_process("--help").out
    for command in app.registered_commands:
        assert in_process(str(command.name), "--help").status == 0


def test_stdin_and_pipes(example, command) -> None:
    """- reads standard input; a reader that goes away early is no error; output is UTF-8 in any locale."""
    run = (example / "lsa.run").read_bytes()
    done = command("evaluate", "qrels.txt", "-", "-m", "RR", stdin=run, cwd=example)
    assert (done.status, done.out.split()[1]) == (0, "lsa")
    with subprocess.Popen(
        [sys.executable, "-m", "rankproof", "contracts", "textbook", "--format", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as piped:
        assert piped.stdout is not None
        assert piped.stderr is not None
        piped.stdout.close()
        assert (piped.stderr.read(), piped.wait()) == (b"", 0)
    ascii_only = command("explain", "nDCG@3", "qrels.txt", "lsa.run", "--query", "ko-01", cwd=example, LC_ALL="C")
    assert ascii_only.status == 0


def test_closed_streams(example, command) -> None:
    """A closed stdout is an error of one line; a closed stderr loses the talk, and does not mix it with the data."""
    for closed, status in ((">&-", 2), ("2>&-", 0)):
        script = f"{shlex.join([sys.executable, '-m', 'rankproof', *EVALUATE, '--format', 'csv'])} {closed}"
        done = subprocess.run(["/bin/sh", "-c", script], capture_output=True, text=True, cwd=example, check=False)
        assert done.returncode == status, done
        assert "Traceback" not in done.stderr
        assert done.stdout == "" or done.stdout.startswith("run,query_id,measure,value\n")
        assert "contract" not in done.stdout
    assert (
        "standard output is closed"
        in subprocess.run(
            ["/bin/sh", "-c", f"{shlex.join([sys.executable, '-m', 'rankproof', *EVALUATE])} >&-"],
            capture_output=True,
            text=True,
            cwd=example,
            check=False,
        ).stderr
    )


def test_output_to_a_stream(example, command) -> None:
    """-o /dev/stdout goes where stdout goes."""
    done = command(*EVALUATE, "--format", "csv", "-o", "/dev/stdout", cwd=example)
    assert done.out.startswith("run,query_id,measure,value\n")


def test_odd_ids_do_not_break_a_table(tmp_path, in_process) -> None:
    """Ids with line ends, tabs, bars, tags and escapes stay in their cell, in every format."""
    odd = "a|b\n\t<b>\x1b[31m"
    (tmp_path / "qrels").write_text(json.dumps({odd: {"d": 1}}))
    (tmp_path / "run").write_text(json.dumps({odd: {"d": 1.0}}))
    for name, rows in (("table", 6), ("markdown", 12), ("trec", 3), ("csv", 4)):
        done = in_process("evaluate", tmp_path / "qrels", tmp_path / "run", "-m", "RR", "-q", "--format", name)
        assert done.status == 0
        assert "\x1b" not in done.out or name == "csv"
        assert len(done.out.splitlines()) <= rows, done.out
        assert name != "markdown" or "a\\|b\\\\n\\\\t&lt;b>" in done.out
        assert name != "csv" or list(csv.reader(io.StringIO(done.out, newline="")))[1][1] == odd


def test_comments_are_noted_on_stderr(example, command) -> None:
    """What was left out of a file is said, once, as a note."""
    text = (example / "qrels.txt").read_text()
    (example / "noted.txt").write_text("# by hand\n" + text)
    done = command("evaluate", "noted.txt", "lsa.run", "-m", "RR", cwd=example)
    assert done.err.startswith("note: noted.txt: 1 comment line left out\n")


def test_large_files_show_progress_in_a_terminal(example, in_process, monkeypatch) -> None:
    """A bar on stderr while large files are read, where that is a terminal; the result is the same."""
    plain = in_process(*EVALUATE)
    monkeypatch.setattr("rankproof.cli.progress.LARGE", 1)
    assert in_process(*EVALUATE) == plain
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    shown = in_process(*EVALUATE)
    assert shown.out == plain.out
    assert "reading" in shown.err


def test_interrupt(in_process, monkeypatch, example) -> None:
    """Ctrl-C ends with status 130, without a traceback."""

    def interrupted(*_: object) -> Values:
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules["rankproof.evaluate"], "values_of", interrupted)
    done = in_process(*EVALUATE)
    assert (done.status, done.out) == (130, "")
    assert "Traceback" not in done.err


def test_terminal_tables_fit(example, in_process, monkeypatch) -> None:
    """In a terminal the table is drawn for its width, with headings in bold; no colour is ever used."""
    monkeypatch.setattr("rankproof.cli.output.goes_to_terminal", lambda _: True)
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    wide = ("contracts", "textbook")
    styled = in_process(*wide).out
    assert "\x1b[1m" in styled
    plain = re.sub(r"\x1b\[[0-9;]*m", "", styled)
    assert max(map(len, plain.splitlines())) <= 60


@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", "qrels.txt", "lsa.run", "-o", "lsa.run"),
        ("explain", "RR", "qrels.txt", "lsa.run", "--query", "ko-01", "-o", "./qrels.txt"),
        ("compare", "qrels.txt", "lsa.run", "bm25-words.run", "-o", "bm25-words.run"),
        ("compare", "qrels.txt", "lsa.run", "bm25-words.run", "--report", "x.html", "-o", "x.html"),
        ("leaderboard", "qrels.txt", "lsa.run", "bm25-words.run", "-o", "lsa.run"),
        ("gate", "qrels.txt", "lsa.run", "lsa.run", "--require", "RR>=0", "-o", "lsa.run"),
        ("diff", "qrels.txt", "lsa.run", "bm25-words.run", "-o", "lsa.run"),
        ("similarity", "lsa.run", "bm25-words.run", "-o", "lsa.run"),
        ("check", "qrels.txt", "lsa.run", "-o", "lsa.run"),
        ("check", "qrels.txt", "--fix", "-o", "qrels.txt"),
        ("rerank", "lab.json", "-o", "lab.json"),
        ("closed-corpus", "closed-corpus.json", "-o", "closed-corpus.json"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_no_output_overwrites_an_input(example, in_process, arguments: tuple[str, ...]) -> None:
    """An output that is an input, or another output, is refused, and every file stays as it was."""
    before = {path.name: path.read_bytes() for path in example.iterdir()}
    done = in_process(*arguments)
    assert done.status == 2
    assert "is read or written already: it would be overwritten" in done.err
    assert {path.name: path.read_bytes() for path in example.iterdir()} == before
