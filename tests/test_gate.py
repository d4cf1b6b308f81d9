"""The gate: decided on the interval, three exit statuses, every form of report, saved baselines."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rankproof as rp
from rankproof.compare.intervals import Interval
from rankproof.gate import requirement

QUICK = {"resamples": 1000}


def write(folder: Path, name: str, ranks: list[int | None]) -> str:
    """Write a run whose relevant document of query i stands at ranks[i]; None: the query is not answered."""
    lines = []
    for at, rank in enumerate(ranks):
        docs = [] if rank is None else [*(f"x{n}" for n in range(rank - 1)), "d"]
        lines += [f"q{at} Q0 {doc} {place} {100 - place} {name}" for place, doc in enumerate(docs, 1)]
    (folder / name).write_text("".join(f"{line}\n" for line in lines) or "other Q0 d 1 1 t\n")
    return name


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    (tmp_path / "qrels").write_text("".join(f"q{at} 0 d 1\n" for at in range(40)))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return tmp_path


DRAW = random.Random(6)
BASE = [DRAW.choice([1, 2, 3, 4]) for _ in range(40)]
NOISY = [DRAW.choice([1, 2, 3, 4]) for _ in range(40)]

# scenario: (qrels of how many queries, baseline, candidate, requirement, more arguments, exit status, what is said)
SCENARIOS = {
    "clear gain": (40, BASE, [1] * 40, "RR drop<=0.01", [], 0, "gate passed: 1 met"),
    "clear gain asked for": (40, BASE, [1] * 40, "RR rise>=0.1", [], 0, "gate passed: 1 met"),
    "clear loss": (40, BASE, [rank + 3 for rank in BASE], "RR drop<=0.01", [], 1, "gate failed: 1 not met"),
    "no change": (40, BASE, BASE, "RR drop<=0.01", [], 0, "gate passed: 1 met"),
    "noise": (40, BASE, NOISY, "RR drop<=0.01", [], 1, "1 undecided (not enough queries)"),
    "noise may pass": (40, BASE, NOISY, "RR drop<=0.01", ["--undecided", "pass"], 0, "gate passed: 1 undecided"),
    "noise within a wide limit": (40, BASE, NOISY, "RR drop<=0.9", [], 0, "gate passed: 1 met"),
    "tiny n": (
        5,
        [1] * 5,
        [1] * 5,
        "RR drop<=0.01",
        [],
        1,
        "5 queries; of 5 queries no interval at 0.95 can be trusted",
    ),
    "one query": (1, [1], [2], "RR drop<=0.01", [], 1, "of 1 query no interval at 0.95"),
    "tiny n at a lower level": (5, [2] * 5, [1] * 5, "RR drop<=0.01", ["--confidence", "0.9"], 0, "gate passed"),
    "few missing queries": (40, [1] * 40, [1] * 30 + [None] * 10, "RR drop<=0.01", [], 1, "10 missing from the run"),
    "every query missing": (40, BASE, [None] * 40, "RR drop<=0.01", [], 2, "answers no judged query"),
    "missing queries skipped": (
        *(40, [1] * 40, [1] * 30 + [None] * 10, "RR drop<=0.01", ["--rule", "missing-query=skip"], 2),
        "10 queries have values for base but not for candidate: q30, q31",
    ),
    "a mean that holds": (40, BASE, [1] * 40, "RR>=0.8", [], 0, "gate passed: 1 met"),
    "a mean that does not": (40, BASE, [9] * 40, "RR>=0.8", [], 1, "gate failed: 1 not met"),
    "a share of the baseline": (40, [1] * 40, [1] * 39 + [2], "RR drop<=10%", [], 0, "gate passed: 1 met"),
    "an unknown measure": (40, BASE, BASE, "nDGC@10 drop<=0.01", [], 2, "nDGC@10"),
    "a requirement that cannot be read": (40, BASE, BASE, "RR drop 0.01", [], 2, "cannot be read; expected a measure"),
}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_scenarios(folder: Path, in_process, scenario: str) -> None:
    """Each situation has its exit status, and says why."""
    count, before, after, required, more, status, says = SCENARIOS[scenario]
    (folder / "qrels").write_text("".join(f"q{at} 0 d 1\n" for at in range(count)))
    base, candidate = write(folder, "base", before), write(folder, "candidate", after)
    done = in_process("gate", "qrels", base, candidate, "--require", required, *more)
    assert done.status == status, done.err
    assert says in done.err
    assert (done.out == "") == (status == 2)


def test_another_contract_is_an_error(folder: Path, in_process) -> None:
    """A saved baseline made under another contract is refused with the differing rules, status 2."""
    base, candidate = write(folder, "base", BASE), write(folder, "candidate", BASE)
    in_process("evaluate", "qrels", base, "-m", "RR", "--rule", "ties=expected", "--format", "json", "-o", "base.json")
    done = in_process("gate", "qrels", "base.json", candidate, "--require", "RR drop<=0.01")
    assert done.status == 2
    assert "ties is expected for base, document-id-descending for candidate" in done.err


def test_a_baseline_of_the_same_name_is_told_apart(folder: Path, in_process) -> None:
    """Where baseline and candidate bear one tag, errors say which is which."""
    base = write(folder, "base", BASE)
    in_process("evaluate", "qrels", base, "-m", "RR", "--format", "json", "-o", "base.json")
    done = in_process("gate", "qrels", "base.json", base, "--require", "RR>=0.1", "--rule", "ties=expected")
    assert "document-id-descending for base (baseline), expected for base (candidate)" in done.err
    done = in_process("gate", "qrels", "base.json", base, "--require", "AP>=0.1")
    assert "base (baseline) has no values of AP" in done.err


def test_saved_baselines_decide_as_runs_do(folder: Path, in_process) -> None:
    """A result of evaluate, and one of an earlier gate, stand for the run file: the same checks."""
    base, candidate = write(folder, "base", BASE), write(folder, "candidate", NOISY)
    in_process("evaluate", "qrels", base, "-m", "RR", "-m", "AP", "--format", "json", "-o", "base.json")
    asked = ("--require", "RR drop<=0.05", "--format", "json")
    of_run = json.loads(in_process("gate", "qrels", base, candidate, *asked).out)
    saved = json.loads(in_process("gate", "qrels", "base.json", candidate, *asked).out)
    assert saved["checks"] == of_run["checks"]
    assert saved["worst"] == of_run["worst"]
    in_process("gate", "qrels", base, base, *asked, "-o", "gate.json")
    again = json.loads(in_process("gate", "qrels", "gate.json", candidate, *asked).out)
    assert again["checks"] == of_run["checks"]
    done = in_process("gate", "qrels", "base.json", candidate, "--require", "P@1>=0.1")
    assert (done.status, "base has no values of P@1" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"schema": 1, "command": "evaluate", "runs": []}', "holds 0 runs"),
        ('{"schema": 2, "command": "evaluate", "runs": []}', "is no result of schema 1"),
        ('{"schema": 1, "command": "explain"}', "holds no values"),
        ('{"schema": 1, "command": "evaluate", "runs": [{}], "contract": {}}', "is damaged"),
        ('{"schema": 1, "command": "evaluate", "runs": [{}], "contract": {"preset": "x"}}', "there is no preset 'x'"),
        ('{"schema": 1, "command": "evaluate", ', "is not JSON"),
        ('{"schema": 1, "command": "evaluate", "runs": [], "runs": []}', "a key comes twice in one object"),
    ],
)
def test_damaged_results_are_refused(folder: Path, in_process, text: str, message: str) -> None:
    """A saved result that is none is an error that names the file."""
    (folder / "base.json").write_text(text)
    done = in_process("gate", "qrels", "base.json", write(folder, "candidate", BASE), "--require", "RR>=0.1")
    assert done.status == 2
    assert "error: base.json:" in done.err
    assert message in done.err


def test_other_values_in_a_result_are_refused(folder: Path, in_process) -> None:
    """A value that is no number, and a row of another length, are damage."""
    in_process("evaluate", "qrels", write(folder, "base", BASE), "-m", "RR", "--format", "json", "-o", "base.json")
    for change in ({"RR": [1.0]}, {"RR": ["1"] * 40}, {"RR": [True] * 40}, {"RR": [10**400] * 40}, {"RR": [0.5] * 40}):
        content = json.loads((folder / "base.json").read_text())
        content["runs"][0]["per_query"]["values"] = change
        (folder / "changed.json").write_text(json.dumps(content))
        done = in_process("gate", "qrels", "changed.json", "base", "--require", "RR>=0.1")
        assert done.status == 2
        assert "changed.json: is damaged" in done.err


def test_other_judgments_are_refused(folder: Path, in_process) -> None:
    """A baseline saved with other judgments cannot be compared: the hash of the qrels says so."""
    base = write(folder, "base", BASE)
    in_process("evaluate", "qrels", base, "-m", "RR", "--format", "json", "-o", "base.json")
    (folder / "qrels").write_text("".join(f"q{at} 0 d 2\n" for at in range(40)))
    done = in_process("gate", "qrels", "base.json", base, "--require", "RR>=0.1")
    assert done.status == 2
    assert "base.json: was made with other judgments" in done.err


def test_other_judgments_are_refused_in_python_too(folder: Path, in_process) -> None:
    """A path given in Python is hashed as the command line hashes it."""
    base = write(folder, "base", BASE)
    in_process("evaluate", "qrels", base, "-m", "RR", "--format", "json", "-o", "base.json")
    assert rp.gate("qrels", "base.json", base, "RR>=0.01", **QUICK).checks
    (folder / "qrels").write_text("".join(f"q{at} 0 d 2\n" for at in range(40)))
    for qrels in ("qrels", folder / "qrels"):
        with pytest.raises(rp.InputError, match="was made with other judgments"):
            rp.gate(qrels, "base.json", base, "RR>=0.01")


def test_a_failed_candidate_is_no_baseline(folder: Path, in_process) -> None:
    """The result of a gate that did not pass is refused as a baseline; of one that did, the run keeps its name."""
    base, worse = write(folder, "base", BASE), write(folder, "worse", [rank + 3 for rank in BASE])
    asked = ("--require", "RR drop<=0.01", "--format", "json", "-o")
    assert in_process("gate", "qrels", base, worse, *asked, "failed.json").status == 1
    done = in_process("gate", "qrels", "failed.json", worse, *asked, "next.json")
    assert done.status == 2
    assert "failed.json: is of a gate that did not pass: its candidate is no baseline" in done.err
    assert in_process("gate", "qrels", base, base, *asked, "passed.json").status == 0
    done = in_process("gate", "qrels", "passed.json", base, *asked, "again.json")
    assert "(base (candidate) against base (baseline))" in done.err
    assert json.loads((folder / "again.json").read_text())["candidate"]["run"] == "base"


@given(st.floats(-1, 1), st.floats(0, 1), st.floats(-1, 1), st.sampled_from(["RR>={}", "RR<={}", "RR rise>={}"]))
def test_decided_on_the_interval(low: float, width: float, limit: float, text: str) -> None:
    """Pass and fail exclude each other; what holds the limit inside is undecided; a wider interval decides less."""
    wanted = requirement(text.format(f"{limit:.6f}"))
    status = wanted.decided(Interval(low, low + width), wanted.limit)
    inside = low < wanted.limit < low + width
    assert (status == "undecided") == inside or min(abs(wanted.limit - low), abs(wanted.limit - low - width)) < 1e-11
    wider = wanted.decided(Interval(low - 0.1, low + width + 0.1), wanted.limit)
    assert wider in (status, "undecided")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("RR fall<=0.1", "bounds 'fall'; expected drop, rise, or nothing"),
        ("RR dorp<=0.01", "hint: did you mean drop?"),
        ("RR drop<0.01", "hint: write <= for <"),
        ("RR drop=<0.01", "hint: write <= for =<"),
        ("P(rel=2)@5 rise => 0.01", "hint: write >= for =>"),
        ("RR ≥ 0.1", "hint: write >= for ≥"),
        ("RR == 0.1", "hint: write <= or >= for =="),
        ("RR<=1%", "bounds a mean by a share"),
        ("RR>=nan", "has the limit 'nan'; expected a number"),
        ("RR>=1_0", "has the limit '1_0'"),
        ("RR=0.1", "cannot be read"),
        ("R@100>=8", "is out of reach; expected R@100 lies from 0 to 1"),
        ("RR rise>=2", "is out of reach"),
        ("", "cannot be read"),
        ("P(rel=2", "cannot be read"),
    ],
)
def test_requirements_that_cannot_be_read(text: str, message: str) -> None:
    """A requirement that is no requirement says what was expected."""
    with pytest.raises(rp.MeasureError) as error:
        requirement(text)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "measure", "quantity", "at_least", "limit", "relative"),
    [
        ("nDCG@10 drop<=0.01", "nDCG@10", "drop", False, 0.01, False),
        ("nDCG(gain=exponential)@10 drop <= 1.5 %", "nDCG(gain=exponential)@10", "drop", False, 0.015, True),
        ("P(rel=2)@5>=0.8", "P(rel=2)@5", "", True, 0.8, False),
        ("map RISE >= 1e-2", "AP", "rise", True, 0.01, False),
        ("ERR(max=3)@10<=.5", "ERR(max=3)@10", "", False, 0.5, False),
    ],
)
def test_requirements(text, measure, quantity, at_least, limit, relative) -> None:
    """Measure by any spelling, quantity, direction, limit, and whether it is a share."""
    found = requirement(text)
    assert (str(found.measure), found.quantity, found.at_least) == (measure, quantity, at_least)
    assert (found.limit, found.relative) == (pytest.approx(limit), relative)


@pytest.fixture
def three(folder: Path) -> tuple[str, ...]:
    """A gate of which one requirement is met, one is not, and one is undecided."""
    write(folder, "base", BASE)
    write(folder, "candidate", NOISY)
    asked = ("RR drop<=0.9", "RR>=0.99", "RR drop<=0.0001")
    return ("gate", "qrels", "base", "candidate", *(part for text in asked for part in ("--require", text)))


def test_junit(three, in_process) -> None:
    """A test case a requirement; what fails and what is undecided are failures, or skipped if it may pass."""
    root = ET.fromstring(in_process(*three, "--format", "junit").out)  # noqa: S314 - our own output
    cases = root.findall(".//testcase")
    assert [case.get("name") for case in cases] == ["RR drop<=0.9", "RR>=0.99", "RR drop<=0.0001"]
    assert [[part.tag for part in case] for case in cases] == [["system-out"], ["failure"], ["failure"]]
    assert (root.get("tests"), root.get("failures"), root.get("skipped")) == ("3", "2", "0")
    root = ET.fromstring(in_process(*three, "--undecided", "pass", "--format", "junit").out)  # noqa: S314
    assert [[part.tag for part in case] for case in root.findall(".//testcase")][2] == ["skipped"]


def test_sarif(three, in_process) -> None:
    """A rule a requirement and a result for each that is not met, at the candidate's file."""
    found = json.loads(in_process(*three, "--format", "sarif").out)
    (run,) = found["runs"]
    assert found["version"] == "2.1.0"
    assert [rule["shortDescription"]["text"] for rule in run["tool"]["driver"]["rules"]][1] == "RR>=0.99"
    assert [(result["ruleId"], result["level"]) for result in run["results"]] == [
        ("requirement-2", "error"),
        ("requirement-3", "error"),
    ]
    where = run["results"][0]["locations"][0]["physicalLocation"]
    assert where == {"artifactLocation": {"uri": "candidate"}, "region": {"startLine": 1}}


def test_markdown_and_the_step_summary(three, folder: Path, in_process, monkeypatch) -> None:
    """Markdown has the outcome, the requirements and the worst queries; a CI's summary file gets it appended."""
    summary = folder / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    done = in_process(*three, "--format", "markdown", "--per-query-worst", "3")
    assert done.out.startswith("## ❌ gate failed: 1 met, 1 not met, 1 undecided (not enough queries)")
    assert "| RR&gt;=0.99 |" in done.out or "| RR>=0.99 |" in done.out
    assert done.out.count("\n| q") == 3 + 1  # the header begins with query_id
    assert summary.read_text("utf-8") == "before\n" + done.out


def test_a_summary_that_cannot_be_written(three, folder: Path, in_process, monkeypatch) -> None:
    """The decision stands; that its summary is lost is said."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "none" / "summary.md"))
    done = in_process(*three[:4], "--require", "RR>=0.01")
    assert done.status == 0
    assert "cannot be written: No such file or directory" in done.err


def test_requirements_of_a_project(folder: Path, in_process) -> None:
    """rankproof.toml, then pyproject.toml, hold requirements and options; the command line goes before them."""
    write(folder, "base", BASE)
    write(folder, "candidate", [1] * 40)
    given = ("gate", "qrels", "base", "candidate")
    assert "error: no requirement is given" in in_process(*given).err
    (folder / "pyproject.toml").write_text('[tool.rankproof.gate]\nrequire = ["RR<=0.5"]\nundecided = "pass"\n')
    assert in_process(*given).status == 1
    (folder / "rankproof.toml").write_text(
        '[gate]\nrequire = ["RR drop<=0.01"]\nconfidence = 0.9\nper-query-worst = 1\n'
        '[gate.rules]\nties = "as-given"\nmissing-query = "zero"\n'
    )
    found = json.loads(in_process(*given, "--format", "json").out)
    assert [check["requirement"] for check in found["checks"]] == ["RR drop<=0.01"]
    assert (found["settings"]["confidence"], found["contract"]["rules"]["ties"]) == (0.9, "as-given")
    assert in_process(*given, "--require", "RR<=0.5", "--config", "rankproof.toml").status == 1
    for text, message in (
        ("[gate]\nrequired = []\n", "unknown key 'required' of the gate; expected require"),
        ("[gate]\nrequire = 'RR>=1'\n", "the gate's require is 'RR>=1'; expected a list"),
        ("[gate]\nrequire = [1]\n", "the gate's require holds what is no text"),
        ("[gate]\nrules = {tie = 'x'}\n", "there is no rule"),
        ("[gate]\nrules = {seed = 5}\n", "there is no rule"),
        ("[gate]\nseed = true\n", "the gate's seed is True; expected a whole number"),
        ("[gate]\nconfidence = 'x'\n", "the gate's confidence is 'x'; expected a number"),
        ("gate = 1\n", "the gate is no table"),
        ("[other]\n", "has no [gate]; it has [other]"),
        ("[gate\n", "is not TOML"),
    ):
        (folder / "rankproof.toml").write_text(text)
        done = in_process(*given, "--config", "rankproof.toml")
        assert done.status == 2
        assert f"rankproof.toml: {message}" in done.err
    assert "cannot be read" in in_process(*given, "--config", "none.toml").err
    (folder / "other.toml").write_text('[tool.rankproof.gate]\nrequire = ["RR<=0.5"]\n')
    assert in_process(*given, "--config", "other.toml").status == 1


def test_python(folder: Path) -> None:
    """The same from Python, on dicts and on values; what cannot be is refused."""
    qrels = {f"q{at}": {"d": 1} for at in range(20)}
    base, better = {q: ["x", "d"] for q in qrels}, {q: ["d"] for q in qrels}
    found = rp.gate(qrels, base, better, "RR rise>=0.4", **QUICK)
    assert found.passed
    assert found.worst == []
    assert json.loads(found.to_json())["status"] == "pass"
    saved = rp.evaluate(qrels, base, ["RR"])
    assert rp.gate(qrels, saved, better, "RR rise>=0.4", **QUICK).checks == found.checks
    families = {query: f"f{at % 3}" for at, query in enumerate(qrels)}
    grouped = rp.gate(qrels, base, better, "RR rise>=0.4", clusters=families, **QUICK)
    assert grouped.status == "undecided"
    with pytest.raises(rp.MeasureError, match="undecided cannot be 'maybe'"):
        rp.gate(qrels, base, better, "RR>=0", undecided="maybe")
    with pytest.raises(rp.InputError, match="2 runs are given"):
        rp.gate(qrels, base, [base, better], "RR>=0")
    with pytest.raises(rp.MeasureError, match="RR is undefined for every query"):
        rp.gate({q: {"d": 0} for q in qrels}, base, better, "RR>=0", undecided="pass")
    for wrong in (None, [1], 3):
        with pytest.raises(rp.MeasureError, match="require cannot be"):
            rp.gate(qrels, base, better, wrong)
    with pytest.raises(rp.MeasureError, match="worst cannot be -1"):
        rp.gate(qrels, base, better, "RR>=0", worst=-1)
    assert [one.query_id for one in rp.gate(qrels, better, base, "RR drop<=0.01", worst=2, **QUICK).worst] == [
        "q0",
        "q1",
    ]


def test_a_limit_that_is_met_exactly() -> None:
    """Where every query falls by the limit, the requirement is met, whatever the last digit of the mean."""
    qrels = {f"q{at}": {"d": 1} for at in range(12)}
    base = {q: ["d"] for q in qrels}
    for rank in (3, 5, 7, 10, 20):
        run = {q: [*(f"x{n}" for n in range(rank - 1)), "d"] for q in qrels}
        assert rp.gate(qrels, base, run, f"RR drop<={1 - 1 / rank!r}", **QUICK).status == "pass"
        assert rp.gate(qrels, run, base, f"RR rise>={1 - 1 / rank!r}", **QUICK).status == "pass"


def test_a_mean_that_never_varies_is_not_certain() -> None:
    """Six hits of six prove a success rate of 0.54 at 95 % (Clopper & Pearson), and no more."""
    qrels = {f"q{at}": {"d": 1} for at in range(6)}
    run = {q: ["d"] for q in qrels}
    (sure,) = rp.gate(qrels, run, run, "Success@1>=0.5", **QUICK).checks
    assert sure.status == "pass"
    assert sure.interval.low == pytest.approx(stats.binomtest(6, 6).proportion_ci(0.95, "exact").low)
    assert rp.gate(qrels, run, run, "Success@1>=0.95", **QUICK).status == "undecided"
    none = {q: ["x"] for q in qrels}
    (lost,) = rp.gate(qrels, run, none, "Success@1<=0.5", **QUICK).checks
    assert lost.interval.high == pytest.approx(stats.binomtest(0, 6).proportion_ci(0.95, "exact").high)


@pytest.mark.parametrize(("required", "needed"), [("Success@1>=0.8", 17), ("Success@1>=0.9", 36)])
def test_queries_that_would_decide_a_mean_that_never_varies(required: str, needed: int) -> None:
    """The number named is the first for which the exact bound of all hits (SciPy's) reaches the limit."""
    qrels = {f"q{at}": {"d": 1} for at in range(10)}
    run = {q: ["d"] for q in qrels}
    limit = float(required.partition(">=")[2])
    assert stats.binomtest(needed, needed).proportion_ci(0.95, "exact").low >= limit
    assert stats.binomtest(needed - 1, needed - 1).proportion_ci(0.95, "exact").low < limit
    (check,) = rp.gate(qrels, run, run, required, **QUICK).checks
    assert f"about {needed} queries would decide it" in check.says


def test_a_share_of_nothing_says_nothing() -> None:
    """A rise by a share of a baseline mean of 0 is undecided, with the reason."""
    qrels = {f"q{at}": {"d": 1} for at in range(10)}
    (check,) = rp.gate(qrels, {q: ["x"] for q in qrels}, {q: ["y"] for q in qrels}, "RR rise>=2%", **QUICK).checks
    assert check.status == "undecided"
    assert "a share of a baseline mean of 0 says nothing" in check.says


def test_a_share_of_the_baseline_is_resampled_with_it() -> None:
    """A fall by exactly half in every query is within 60 %, and beyond 40 %, for certain."""
    qrels = {f"q{at}": {"d": 1} for at in range(12)}
    base = {q: ["x"] * (at % 3) + ["d"] for at, q in enumerate(qrels)}
    base = {q: [f"{doc}{n}" if doc == "x" else doc for n, doc in enumerate(docs)] for q, docs in base.items()}
    half = {q: [*(f"y{n}" for n in range(2 * len(docs) - 1)), "d"] for q, docs in base.items()}
    assert rp.gate(qrels, base, half, "RR drop<=60%", **QUICK).status == "pass"
    assert rp.gate(qrels, base, half, "RR drop<=50%", **QUICK).status == "pass"
    assert rp.gate(qrels, base, half, "RR drop<=40%", **QUICK).status == "fail"


def test_the_gate_is_careful_with_few_queries() -> None:
    """Its interval holds both the bootstrap's and Student's, unless another one is asked for."""
    draw = random.Random(1)
    qrels = {f"q{at}": {"d": 1} for at in range(10)}
    base, run = ({q: [f"x{n}" for n in range(draw.choice([0, 1, 3]))] + ["d"] for q in qrels} for _ in range(2))
    wide, bca, t = (
        rp.gate(qrels, base, run, "RR drop<=0.1", **QUICK, **more).checks[0].interval
        for more in ({}, {"interval": "bca"}, {"interval": "t"})
    )
    assert wide == (min(bca.low, t.low), max(bca.high, t.high))


def test_a_forbidden_improvement_is_a_mistake() -> None:
    """For a measure of which less is better, a bound on its fall is refused, with the bound that was meant."""
    with pytest.raises(rp.MeasureError, match="forbids Unjudged@10 to get better") as error:
        requirement("Unjudged@10 drop<=0.01")
    assert "Unjudged@10 rise<=… forbids it to get worse" in str(error.value)
    assert requirement("Unjudged@10 rise<=0.01").limit == 0.01


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("RR drop>=0.01", "asks RR to get worse"),
        ("RR rise<=0.01", "forbids RR to get better"),
        ("Unjudged@10 rise>=0.01", "asks Unjudged@10 to get worse: less of it is better"),
        ("Unjudged@10 drop<=0.01", "forbids Unjudged@10 to get better: less of it is better"),
    ],
)
def test_bounds_the_wrong_way_are_mistakes(text: str, message: str) -> None:
    """Whichever way a measure is better, a bound that forbids a gain or asks for a loss is refused, with the others."""
    loss, gain = ("rise", "drop") if "Unjudged" in text else ("drop", "rise")
    with pytest.raises(rp.MeasureError, match=message) as error:
        requirement(text)
    measure = text.partition(" ")[0]
    meant = f"{measure} {loss}<=… forbids it to get worse, {measure} {gain}>=… asks it to get better"
    assert meant in str(error.value)
    for bound in (f"{loss}<=", f"{gain}>="):
        assert requirement(f"{measure} {bound}0.01").limit == 0.01


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("rankproof.toml", "[gates]\nrequire = []\n", "has no [gate]; it has [gates]\n\nhint: did you mean [gate]?"),
        ("rankproof.toml", "require = []\n", "has no [gate]; it has require\n\nhint: write [gate] above require"),
        (
            "rankproof.toml",
            "[tool.rankproof.gates]\n",
            "has no [gate] or [tool.rankproof.gate]; it has [tool.rankproof.gates]\n\nhint: did you mean [tool.rank",
        ),
        ("rankproof.toml", "[tool.other]\n", "has no [gate]; it has [tool]"),
        (
            "pyproject.toml",
            "[tool.rankproof]\nrequire = []\n",
            "has no [tool.rankproof.gate]; it has require\n\nhint: write [tool.rankproof.gate] above require",
        ),
    ],
)
def test_a_file_that_was_meant_for_a_gate(folder: Path, in_process, name: str, text: str, message: str) -> None:
    """A file that is ours and holds no table for a gate is named, with what it holds and what was meant."""
    (folder / name).write_text(text)
    done = in_process("gate", "qrels", write(folder, "base", BASE), "base", "--require", "RR>=0.01")
    assert done.status == 2
    assert f"{name}: {message}" in done.err


def test_where_a_gate_may_stand(folder: Path, in_process) -> None:
    """rankproof.toml, and any file that is named, may hold either table; other tools' tables and nothing are passed."""
    write(folder, "base", BASE)
    given, table = ("gate", "qrels", "base", "base"), 'require = ["RR<=0.5"]\n'
    (folder / "rankproof.toml").write_text("")
    (folder / "pyproject.toml").write_text("[project]\n[gate]\n[tool.other]\n")
    assert in_process(*given, "--require", "RR>=0.01").status == 0
    done = in_process(*given, "--config", "rankproof.toml")
    assert (done.status, "rankproof.toml: has no [gate]; it has nothing" in done.err) == (2, True)
    for heading in ("[gate]", "[tool.rankproof.gate]"):
        for name in ("other.toml", "pyproject.toml", "rankproof.toml"):
            (folder / name).write_text(f"{heading}\n{table}")
            assert in_process(*given, "--config", name).status == 1
        assert in_process(*given).status == 1


def test_pytest_plugin(folder: Path) -> None:
    """The fixture returns the gate that opened, and fails the test with the table or error of one that did not."""
    write(folder, "base", BASE)
    write(folder, "candidate", [1] * 40)
    (folder / "test_search.py").write_text(
        "def test_better(rankproof_gate):\n"
        "    assert rankproof_gate('qrels', 'base', 'candidate', ['RR drop<=0.01']).passed\n"
        "def test_worse(rankproof_gate):\n"
        "    rankproof_gate('qrels', 'candidate', 'base', ['RR drop<=0.01'])\n"
        "def test_absent(rankproof_gate):\n"
        "    rankproof_gate('qrels', 'absent', 'base', ['RR drop<=0.01'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_search.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    assert "2 failed, 1 passed" in done.stdout
    assert "absent: there is no such file" in done.stdout
    assert "pytest_plugin.py" not in done.stdout  # a message, no traceback
    assert "gate failed: 1 not met (base against candidate)" in done.stdout


@pytest.mark.parametrize(("required", "status"), [("RR drop<=0.01\n\n  RR>=0.5\n", 0), ("RR<=0.5", 1)])
def test_the_action_asks_the_gate(folder: Path, required: str, status: int) -> None:
    """The script of action.yml passes its inputs on, a requirement a line, and ends as the gate does."""
    write(folder, "base", BASE)
    write(folder, "candidate", [1] * 40)
    script = textwrap.dedent((ROOT / "action.yml").read_text("utf-8").rpartition("run: |\n")[2])
    inputs = {
        "QRELS": "qrels",
        "BASELINE": "base",
        "CANDIDATE": "candidate",
        "REQUIRE": required,
        "REPORT": "gate.html",
    }
    done = subprocess.run(
        [str(shutil.which("bash")), "-e", "-o", "pipefail", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={
            **os.environ,
            **inputs,
            "CONFIDENCE": "0.9",
            "UNDECIDED": "",
            "RESULT": "gate.json",
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        },
    )
    assert done.returncode == status, done.stderr
    found = json.loads((folder / "gate.json").read_text())
    assert [check["requirement"] for check in found["checks"]] == [
        one.strip() for one in required.split("\n") if one.strip()
    ]
    assert found["settings"]["confidence"] == 0.9
    assert (folder / "gate.html").is_file()
