"""Why two contracts give different numbers: each rule alone, what only several together do, and all presets."""

from __future__ import annotations

import json
from itertools import pairwise
from math import fsum
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankproof as rp
from rankproof.contract import differences
from rankproof.presets import PRESETS
from rankproof.why.telling import explain_commands

EXAMPLE = Path(str(rp.__file__)).parent / "example"
CLOSE = 1e-12

DOCS = ["a", "b", "c", "d"]
QUERIES = ["q1", "q2", "q3"]
QRELS = st.dictionaries(
    st.sampled_from(QUERIES), st.dictionaries(st.sampled_from(DOCS), st.integers(-1, 3), min_size=1), min_size=1
)
RUN = st.dictionaries(
    st.sampled_from(QUERIES),
    st.dictionaries(st.sampled_from(DOCS), st.sampled_from([0.0, 1.0, 1.00000001, 2.0]), min_size=1),
    min_size=1,
)
CONTRACT = st.sampled_from(sorted(PRESETS))
MEASURE = st.sampled_from(["nDCG@2", "AP", "P@3", "RR", "Judged@3", "Bpref"])


def mean(qrels, run, measure: str, contract):
    """A mean, or None where the contract refuses the input."""
    try:
        found = rp.evaluate(qrels, run, [measure], contract)
    except rp.RankproofError:
        return None
    return found.means[measure]


def given_why(qrels, run, measure: str, a: str, b: str):
    """Both values, and why they differ; None where both refuse the input."""
    ends = mean(qrels, run, measure, a), mean(qrels, run, measure, b)
    return (ends, None) if ends == (None, None) else (ends, rp.why(qrels, run, measure, a, b))


def in_effect(measure: str, *presets: str) -> list[rp.Contract]:
    """The contracts with their overrides for this measure as rules."""
    return [rp.measure(measure).contract_in_effect(PRESETS[preset].contract) for preset in presets]


@settings(max_examples=150)
@given(QRELS, RUN, MEASURE, CONTRACT, CONTRACT)
def test_parts_add_up_to_the_gap(qrels, run, measure: str, a: str, b: str) -> None:
    """Each part is A with that one rule less A; the parts and the interaction are the whole gap between the values."""
    ends, found = given_why(qrels, run, measure, a, b)
    if found is None:
        return
    assert found.values == ends
    for part in found.parts:
        alone = mean(qrels, run, measure, in_effect(measure, a)[0].with_rules(**part.answers[1]))
        assert part.value == alone
        assert part.change == (None if alone is None or ends[0] is None else alone - ends[0])
    if None in ends:
        assert (found.gap, found.interaction) == (None, None)
        return
    assert found.gap == ends[1] - ends[0]
    if found.interaction is not None:
        parts = [part.change for part in found.parts]
        assert fsum([*parts, found.interaction]) == pytest.approx(ends[1] - ends[0], abs=CLOSE)


@settings(max_examples=100)
@given(QRELS, RUN, MEASURE, CONTRACT, CONTRACT)
def test_needed_rules_are_enough_and_the_idle_do_nothing(qrels, run, measure: str, a: str, b: str) -> None:
    """A with the needed rules has B's value; A with an idle rule, and B without it, keep theirs in every query."""
    ends, found = given_why(qrels, run, measure, a, b)
    if found is None:
        return
    base, other = in_effect(measure, a, b)
    answers = {rule: both[1] for rule, both in differences(base, other).items()}
    enough = {part.rule: answers[part.rule] for part in found.parts if part.needed}
    reached = mean(qrels, run, measure, base.with_rules(**enough))
    assert reached == (None if ends[1] is None else pytest.approx(ends[1], abs=1e-9))
    for rule in found.idle:
        assert mean(qrels, run, measure, base.with_rules(**{rule: answers[rule]})) == ends[0]
        assert mean(qrels, run, measure, other.with_rules(**{rule: getattr(base, rule)})) == ends[1]


def reported(data: Path) -> dict[str, dict]:
    """The public reports, by number."""
    return {case["id"]: case for case in json.loads((data / "reported" / "cases.json").read_text("utf-8"))}


REPORTS = [
    ("01", "RR", "rankproof", {"ties": "as-given"}, ["ties"]),
    ("03", "RR", "trec_eval-9", {"score_precision": "double"}, ["score_precision"]),
    ("04", "AP", "trec_eval-9", {"no_relevant": "skip"}, ["no_relevant"]),
    ("05", "R@4", "rankproof", {"duplicate_document": "keep-first"}, ["duplicate_document"]),
    ("07", "RR", "rankproof", {"missing_query": "skip"}, ["missing_query"]),
    ("14", "AP", "rankproof", {"ap_denominator": "retrieved"}, ["ap_denominator"]),
]


@pytest.mark.parametrize(("case", "measure", "a", "rules", "named"), REPORTS, ids=[one[0] for one in REPORTS])
def test_reports_are_named(data: Path, case: str, measure: str, a: str, rules: dict, named: list[str]) -> None:
    """For public reports of differing numbers, the rule that each was about is the one that is named, among all others.

    The other contract differs in more than that rule: in rules that this input does not touch.
    """
    found = reported(data)[case]["input"]
    run = found.get("run") or found["ranking"]
    idle = {"gain": "exponential", "judged_denominator": "returned", "recall_level": "add-0.9", "rbp_gain": "raw"}
    b = rp.contract(a, **idle, **rules)
    why = rp.why(found["qrels"], run, measure, a, b)
    assert [part.rule for part in why.parts] == named
    assert [part.needed for part in why.parts] == [True]
    assert why.parts[0].queries or why.refused != (None, None)


BETWEEN_TOOLS = [
    ("01", "RR@3", "pytrec_eval", "beir", {"ties"}),
    ("03", "RR", "pytrec_eval", "rankproof", {"score_precision"}),
    ("04", "AP", "pytrec_eval", "rankproof", {"no_relevant"}),
    ("05", "R@4", "rankproof", "textbook", {"duplicate_document"}),
    ("07", "RR", "pytrec_eval", "ir_measures", {"missing_query"}),
    ("07", "RR", "mteb", "beir", {"missing_query"}),
    ("10", "nDCG@3", "rankproof", "scikit-learn", {"negative_grade"}),
    ("14", "AP", "rankproof", "ragas", {"ap_denominator"}),
]


@pytest.mark.parametrize(
    ("case", "measure", "a", "b", "named"), BETWEEN_TOOLS, ids=[" ".join(one[:4]) for one in BETWEEN_TOOLS]
)
def test_reports_between_tools_are_named(data: Path, case: str, measure: str, a: str, b: str, named: set[str]) -> None:
    """Between presets of tools, which differ in many rules, those needed are what the public report was about."""
    found = reported(data)[case]["input"]
    why = rp.why(found["qrels"], found.get("run") or found["ranking"], measure, a, b)
    assert {part.rule for part in why.parts if part.needed} == named


def test_last_digits_are_no_difference() -> None:
    """What only adding in another order changes is said in words: no query is listed for it, none to be explained.

    0.1 + 0.2 + 0.3 is 0.6000000000000001 from left to right.
    """
    qrels = {f"q{hits}": {f"d{at}": 1 for at in range(hits)} for hits in (1, 2, 3)}
    run = {query: list(judged) for query, judged in qrels.items()}
    found = rp.why(qrels, run, "P@10", "rankproof", rp.contract("rankproof", summation="sequential"))
    assert 0 < abs(found.gap) < 1e-9
    assert [part.rule for part in found.parts] == ["summation"]
    assert "both give all but the last digits of the same value" in found.notes()
    assert len(found.tables()) == 2
    assert explain_commands(found, "rankproof", "qrels", "run") == []


def test_what_is_noticed_is_said_once(command, tmp_path) -> None:
    """Contracts that read a file differently read it again; what was noticed in it is not said again."""
    (tmp_path / "q").write_text("q 0 a 1\n", "utf-8")
    (tmp_path / "r").write_text("q Q0 a 1 2.0 tag behind\n", "utf-8")
    done = command("contracts", "trec_eval-9", "rankproof", "q", "r", "-m", "RR", cwd=tmp_path)
    assert done.err.count("more than 6 columns") == 1


def test_by_hand() -> None:
    """Two rules, worked out by hand: a missing query, and a gain; the rest is what both do together.

    q1: grades 3 at rank 2 of 2 (the other is unjudged). Linear and exponential nDCG@2 are both 1/log2(3); with a grade
    1 judged too and not retrieved, linear: (3/log2 3)/(3 + 1/log2 3), exponential: (7/log2 3)/(7 + 1/log2 3).
    """
    qrels = {"q1": {"a": 3, "b": 1}, "q2": {"c": 1}}
    run = {"q1": {"x": 2.0, "a": 1.0}}
    log = 1.5849625007211562
    linear, exponential = (3 / log) / (3 + 1 / log), (7 / log) / (7 + 1 / log)
    found = rp.why(
        qrels, run, "nDCG@2", "rankproof", rp.contract("rankproof", gain="exponential", missing_query="skip")
    )
    parts = {part.rule: part for part in found.parts}
    assert found.values == (pytest.approx(linear / 2), pytest.approx(exponential))
    assert parts["gain"].change == pytest.approx(exponential / 2 - linear / 2)
    assert parts["missing_query"].change == pytest.approx(linear - linear / 2)
    assert found.interaction == pytest.approx((exponential - linear) / 2)
    assert [(one.query_id, one.before, one.after) for one in parts["missing_query"].bites] == [("q2", 0.0, None)]
    assert [one.query_id for one in parts["gain"].bites] == ["q1"]


def test_gains_of_a_table_are_one_rule() -> None:
    """A table of gains and `gain = table` are changed together, there and back."""
    table = rp.contract("rankproof", gain="table", gain_table={1: 1, 2: 10})
    qrels, run = {"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
    for a, b in (("rankproof", table), (table, "rankproof")):
        found = rp.why(qrels, run, "nDCG@2", a, b)
        assert [part.rule for part in found.parts] == ["gain"]
        assert found.interaction == 0


def test_a_measure_may_have_rules_of_its_own() -> None:
    """What a measure's name answers itself is the same under every contract."""
    qrels, run = {"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
    found = rp.why(qrels, run, "nDCG(gain=exponential)@2", "rankproof", "teaching")
    assert found.parts == []
    assert found.gap == 0
    assert "no rule in which rankproof and teaching differ changes nDCG(gain=exponential)@2 here" in found.notes()


def test_both_refuse() -> None:
    """Where both contracts refuse the input for one reason there is nothing to explain: the error is the answer."""
    with pytest.raises(rp.RankproofError, match="NaN"):
        rp.why({"q": {"a": 1}}, {"q": {"a": float("nan")}}, "AP", "rankproof", "trec_eval-9")
    with pytest.raises(rp.RankproofError, match="nowhere"):
        rp.under_presets("nowhere", {"q": {"a": 1.0}}, "AP")


@settings(max_examples=60)
@given(QRELS, RUN, MEASURE)
def test_presets_are_grouped_by_their_value(qrels, run, measure: str) -> None:
    """Every preset is in one group, with the value that `evaluate` gives; groups fall, those that refuse come last."""
    values = {name: mean(qrels, run, measure, name) for name in PRESETS}
    try:
        found = rp.under_presets(qrels, run, measure)
    except rp.RankproofError:
        assert set(values.values()) == {None}
        return
    assert sorted(name for group in found.groups for name in group.presets) == sorted(PRESETS)
    for group in found.groups:
        for name in group.presets:
            assert values[name] == (None if group.value is None else pytest.approx(group.value, abs=1e-9))
    shown = [group.value for group in found.groups if group.value is not None]
    assert all(one - other > 1e-9 for one, other in pairwise(shown))
    assert [group.value is None for group in found.groups] == sorted(group.value is None for group in found.groups)


def test_command(command, tmp_path) -> None:
    """`contracts A B QRELS RUN` prints what `rp.why` says, with commands that run; JSON holds the same numbers."""
    files = [EXAMPLE / "qrels.txt", EXAMPLE / "bm25-words.run"]
    done = command("contracts", "trec_eval-9", "rankproof", *files, "-m", "AP")
    assert done.status == 0, done.err
    row = next(line.split() for line in done.out.splitlines() if line.startswith("missing-query"))
    assert row == ["missing-query", "skip", "zero", "-0.015238", "0.350463", "1", "yes"]
    explained = [line.split("explained by: ")[1] for line in done.err.splitlines() if "explained by: " in line]
    assert len(explained) == 1  # trec_eval-9 skips the query that it misses
    for line in explained:
        assert command(*line.split()[1:]).status == 0
    found = rp.why(*files, "AP", "trec_eval-9", "rankproof", bites=1)
    done = command("contracts", "trec_eval-9", "rankproof", *files, "-m", "AP", "-n", "1", "--format", "json")
    written = json.loads(done.out)
    assert {name: written[name] for name in found.to_dict()} == json.loads(json.dumps(found.to_dict()))
    done = command("contracts", "trec_eval-9", "rankproof", files[0], "-", "-m", "AP", stdin=files[1].read_bytes())
    assert "-0.015238" in done.out
    done = command("contracts", "trec_eval-9", "rankproof", *files, "--format", "csv")
    assert done.out.splitlines()[0] == "rule,a,b,change,value,refused,queries,needed"


def test_command_for_all_presets(command) -> None:
    """`contracts --all QRELS RUN` prints a line a preset."""
    files = [EXAMPLE / "qrels.txt", EXAMPLE / "bm25-words.run"]
    done = command("contracts", "--all", *files, "-m", "nDCG@5", "--format", "csv")
    lines = [line.split(",") for line in done.out.splitlines()]
    assert lines[0] == ["group", "contract", "value", "refused"]
    assert sorted(line[1] for line in lines[1:]) == sorted(PRESETS)
    assert command("contracts", "--all", *files).status == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["rankproof", "textbook", "qrels.txt"],
            "two contracts go with judgments and a run; 3 given; expected A B QRELS RUN",
        ),
        (["--all", "qrels.txt"], "--all takes judgments and a run; 1 given; expected QRELS RUN"),
        (["--toml"], "--toml writes one contract; 0 given; expected A"),
        (["rankproof", "textbook", "nowhere", "bm25.run"], "there is no such file"),
        (["rankproof", "nobody", "qrels.txt", "lsa.run"], "there is no contract 'nobody'"),
        (["rankproof", "textbook", "-", "-"], "standard input can be read once only"),
    ],
)
def test_bad_input(command, arguments: list[str], says: str) -> None:
    """What is wrong is said in one line, with exit status 2."""
    done = command("contracts", *arguments, cwd=EXAMPLE)
    assert done.status == 2
    assert says in done.err
    assert "Traceback" not in done.err
