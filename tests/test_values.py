"""Values: means, per query, counts, what is undefined and why; as dict, JSON, text and HTML."""

from __future__ import annotations

import json
import math

import pytest

import rankproof as rp

QRELS = {"q1": {"a": 1, "b": 1}, "q2": {"a": 0}, "q3": {"a": 1}, "q4": {"c": 2}}
RUN = {"q1": {"a": 2.0, "x": 1.0}, "q2": {"a": 1.0}, "q4": {"x": 1.0, "c": 1.0}, "q9": {"a": 1.0}}


@pytest.fixture
def values():
    return rp.evaluate(QRELS, RUN, ["AP", "Judged@1", "NumRel"])


def test_counts_and_groups(values) -> None:
    """Every query is counted once where it belongs: evaluated, without relevant, missing, unjudged, tied."""
    assert values.groups == {
        "evaluated": ["q1", "q3", "q4"],
        "without-relevant": ["q2"],
        "missing": ["q3"],
        "unjudged": ["q9"],
        "tied": ["q4"],
    }
    assert values.counts == {"evaluated": 3, "without-relevant": 1, "missing": 1, "unjudged": 1, "tied": 1}


def test_means_and_reasons(values) -> None:
    """A mean is over what is defined; what is undefined has its reason."""
    assert values.query_ids == ("q1", "q2", "q3", "q4")
    assert values.per_query["AP"] == (0.5, None, 0.0, 0.5)
    assert values.means["AP"] == pytest.approx(1 / 3)
    assert values.undefined == {
        "AP": {"no relevant document": ["q2"]},
        "Judged@1": {"nothing to divide by": ["q3"]},
    }
    assert values.per_query["NumRel"] == (2, 0, 1, 1)
    assert values.means["NumRel"] == 4
    assert values["map"] == values.means["AP"]
    assert values.of_query("q1")["AP"] == 0.5
    assert (list(values), len(values), "map" in values, "RR" in values) == (
        ["AP", "Judged@1", "NumRel"],
        3,
        True,
        False,
    )
    assert values.get("foo") is values.get("official") is None
    assert values == rp.evaluate(QRELS, RUN, list(values))
    assert values != rp.evaluate(QRELS, RUN, list(values), gain="exponential")
    assert values != dict(values)
    with pytest.raises(KeyError):
        values.of_query("q9")


def test_ties_are_said(values) -> None:
    """C ties with x: AP of q4 is 1/2 or 1, so the mean lies between (1/2 + 0 + 1/2) / 3 and (1/2 + 0 + 1) / 3."""
    assert values.ties["AP"] == (1, pytest.approx(1 / 3), pytest.approx(1 / 2))
    assert "ties touch AP in 1 query; its mean lies from 0.3333 to 0.5000, depending on" in repr(values)


def test_dict_and_json(values) -> None:
    """to_json is to_dict with the contract; per-query values can be left out."""
    found = json.loads(values.to_json())
    assert found["contract"]["fingerprint"] == values.contract.fingerprint
    assert {key: found[key] for key in values.to_dict()} == json.loads(json.dumps(values.to_dict()))
    assert "per_query" not in values.to_dict(per_query=False)
    runs = rp.evaluate(QRELS, {"one": RUN, "two": RUN}, ["AP"])
    assert [run["run"] for run in json.loads(runs.to_json())["runs"]] == ["one", "two"]


def test_to_read(values) -> None:
    """The repr is a table with the contract and the counts; a notebook gets the same as HTML, escaped."""
    assert repr(values).splitlines()[0].split() == ["run", "AP", "Judged@1", "NumRel"]
    assert "contract rankproof (9bc7356a0d95)" in repr(values)
    for note in (
        "run: 3 queries evaluated; 1 missing from the run, counted as an empty ranking (q3)",
        "1 without a relevant document, undefined and left out where a measure needs one (q2)",
        "1 in the run but without judgments, left out (q9); 1 with ties of judged documents (q4)\n",
        "run: Judged@1 is undefined for 1 query: nothing to divide by",
    ):
        assert note in repr(values)
    assert "AP is undefined" not in repr(values)
    runs = rp.evaluate(QRELS, {"<b>": RUN}, ["AP"])
    assert '<th scope="row">&lt;b&gt;</th><td>0.3333</td>' in runs._repr_html_()
    assert values._repr_html_().startswith("<table>")
    assert (len(runs), list(runs)) == (1, ["<b>"])


def test_notes_name_the_first_queries() -> None:
    """Of many queries the first three are named; ties that no value depends on are said to be so."""
    qrels = {f"q{n}": {"a": 1} for n in range(5)}
    notes = rp.evaluate(qrels, {"q0": {"a": 2.0, "b": 1.0, "c": 1.0}}, ["RR"]).notes()
    assert notes == ["5 queries evaluated; 4 missing from the run, counted as an empty ranking (q1, q2, q3, …)"]
    tied = rp.evaluate({"q": {"a": 1, "b": 0}}, {"q": {"a": 2.0, "b": 1.0, "c": 1.0}}, ["RR"]).notes()
    assert tied == ["1 query evaluated; 1 with ties of judged documents (q), which no value here depends on"]


def test_repeats_are_counted() -> None:
    """Results that repeat a document are counted, whether they use up a rank or not."""
    for slot in ("occupies", "removed"):
        found = rp.evaluate(
            {"q": {"a": 1}}, {"q": list("aabb")}, ["RR"], duplicate_document="keep-first", duplicate_slot=slot
        )
        assert found.repeats == found.to_dict()["repeats"] == 2
        assert "2 results repeat a document of their query (duplicate-document = keep-first)" in repr(found)


def test_measures_with_rules_of_their_own_need_no_other() -> None:
    """What the contract refuses does not stand in the way of a measure that answers for itself."""
    qrels, run = {"q": {"a": 1}, "gone": {"a": 1}}, {"q": list("aa")}
    measure = "RR(duplicate-document=keep-first,missing-query=zero)@5"
    found = rp.evaluate(qrels, run, [measure], "trec_eval-10")
    assert found.means == {str(rp.measure(measure)): 0.5}
    assert found.counts["missing"] == 1
    with pytest.raises(rp.MeasureError, match="no measure is asked for"):
        rp.evaluate(qrels, run, [])


def test_geometric_mean() -> None:
    """GMAP is exp of the mean of logs, with a floor of 0.00001."""
    found = rp.evaluate({"p": {"a": 1}, "q": {"a": 1}}, {"p": ["a"], "q": ["b"]}, ["GMAP"])
    assert found.means["GMAP"] == pytest.approx(math.exp((math.log(1) + math.log(0.00001)) / 2))
    assert found.per_query["GMAP"] == (1.0, 0.0)


def test_a_mean_of_nothing_is_undefined() -> None:
    """Where no query has a value the mean is None, not 0 and not an error."""
    found = rp.evaluate({"q": {"a": 0}}, {"q": ["a"]}, ["AP", "EvidenceRate"])
    assert found.means == {"AP": None, "EvidenceRate": None}
    assert "null" in repr(found)


def test_other_missing_rule_for_one_measure() -> None:
    """A measure with its own rule for missing queries has its own mean; where it skips one, that is said."""
    found = rp.evaluate(QRELS, RUN, ["AP", "AP(missing-query=skip)"])
    assert found.means["AP(missing-query=skip)"] == pytest.approx(0.5)
    assert found.undefined["AP(missing-query=skip)"] == {
        "no relevant document": ["q2"],
        "absent from the run": ["q3"],
    }


def test_sequential_sums_go_by_byte_order() -> None:
    """Under sequential summation queries are added in byte order of their ids, from left to right."""
    grades = {"10": 3, "2": 10, "1": 7}
    qrels = {query: {f"d{n}": 1 for n in range(count)} for query, count in grades.items()}
    run = {query: ["d0"] for query in qrels}
    found = rp.evaluate(qrels, run, ["R"], summation="sequential").means["R"]
    assert found == ((1 / 7 + 1 / 3) + 1 / 10) / 3
    assert rp.evaluate(qrels, run, ["R"]).means["R"] == math.fsum([1 / 7, 1 / 3, 1 / 10]) / 3


def test_an_error_names_the_run_it_is_about(tmp_path, monkeypatch) -> None:
    """Of several runs the one at fault is named; a file that happens to have its name is not looked into."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "second").write_text("q1 Q0 a 1 1 t\n" * 2)
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    runs = {"first": {"q1": ["a"]}, "second": {"q1": ["a", "a"]}}
    message = r"second: query q1, document a: stands twice: no\. 1 and no\. 2 of the query's results\n"
    with pytest.raises(rp.ContractError, match=message) as refused:
        rp.evaluate(QRELS, runs, ["RR"])
    assert "line" not in str(refused.value)
    with pytest.raises(rp.ContractError, match=r"^qrels: query q, document a, column grade: grade -1"):
        rp.evaluate({"q": {"a": -1}}, {"q": ["a"]}, ["RR"], negative_grade="error")


def test_no_relevant_may_be_refused() -> None:
    """Under no-relevant = error each query without a relevant document is named, with the measure that asks."""
    with pytest.raises(rp.ContractError, match="query q2: no relevant document for AP"):
        rp.evaluate(QRELS, RUN, ["AP"], no_relevant="error")
    assert rp.evaluate(QRELS, RUN, ["NumRel"], no_relevant="error").means["NumRel"] == 4


def test_relevance_level_of_a_measure_decides_what_is_without_relevant() -> None:
    """P(rel=2) has nothing relevant where grades end at 1; nDCG asks for gains, not for levels."""
    found = rp.evaluate({"q": {"a": 1}}, {"q": ["a"]}, ["P(rel=2)@1", "P@1", "nDCG"], relevant_from=1)
    assert list(found.means.values()) == [None, 1.0, 1.0]
    half = rp.evaluate({"q": {"a": 0.5}}, {"q": ["a"]}, ["P@1", "nDCG"])
    assert list(half.means.values()) == [None, 1.0]


@pytest.mark.parametrize("measure", ["RBP(p=0.5)", "RBP(p=0.5,rbp-gain=raw)", "RBP(p=0.5,rbp-gain=binary)"])
def test_rbp_gains(measure: str) -> None:
    """Grades 4 at rank 1 and 1 at rank 2, p = 0.5: scaled over 4, raw, or binary."""
    expected = {"RBP(p=0.5)": 0.5 * (1 + 0.25 / 2), "RBP(p=0.5,rbp-gain=raw)": 0.5 * (4 + 1 / 2)}
    found = rp.evaluate({"q": {"a": 4, "b": 1}}, {"q": ["a", "b"]}, [measure]).means[str(rp.measure(measure))]
    assert found == pytest.approx(expected.get(measure, 0.5 * (1 + 1 / 2)))


def test_ideal_depths() -> None:
    """The ideal is as long as the cutoff, the whole list, or what came back."""
    qrels, run = {"q": {"a": 1, "b": 1, "c": 1}}, {"q": ["a"]}
    discounts = [1, 1 / math.log2(3), 1 / 2]
    for rule, length in (("cutoff", 2), ("whole", 3), ("returned", 1)):
        found = rp.evaluate(qrels, run, ["nDCG@2"], ideal_depth=rule).means["nDCG@2"]
        assert found == pytest.approx(1 / sum(discounts[:length]))
