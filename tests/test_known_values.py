"""Known values of the four systems that this package has to contain, to 6 decimals."""

from __future__ import annotations

from math import log2

import pytest

import rankproof as rp
from rankproof.demo import lay_out

CLOSED = {"q1": {"d2": 3, "d3": 1}, "q2": {"d4": 2}, "q3": {"d1": 0}}
BEFORE = {"q1": {"d1": 0.9, "d2": 0.8}, "q2": {"d3": 0.7, "d2": 0.6}, "q3": {"d1": 0.5, "d2": 0.5}}
AFTER = {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d2": 2.0, "d3": 1.0}, "q3": {"d2": 1.0, "d1": 0.5}}


def test_closed_corpus() -> None:
    """The closed-corpus case: two queries evaluated, one without a relevant document set apart."""
    before, after = (rp.evaluate(CLOSED, run, ["R@2", "nDCG@2"], "closed-corpus") for run in (BEFORE, AFTER))
    assert before.counts["evaluated"] == 2
    assert before.counts["without-relevant"] == 1
    assert before.means["R@2"] == after.means["R@2"] == 0.25
    assert before.of_query("q1")["nDCG@2"] == pytest.approx((7 / log2(3)) / (7 + 1 / log2(3)), abs=1e-12)
    assert before.means["nDCG@2"] == pytest.approx(0.289382, abs=5e-7)
    assert after.means["nDCG@2"] == pytest.approx(0.45866, abs=5e-7)
    assert after.means["nDCG@2"] - before.means["nDCG@2"] == pytest.approx(0.169278, abs=5e-7)
    assert before.of_query("q2") == {"R@2": 0.0, "nDCG@2": 0.0}
    assert before.of_query("q3") == {"R@2": None, "nDCG@2": None}
    assert before.undefined["nDCG@2"] == {"no relevant document": ["q3"]}


# K: measure: (before q-1, before q-2, mean), (after q-1, after q-2, mean), change; None where the table has no value
LAB = {
    1: {
        "P@1": ((0, 0, 0), (1, 1, 1), 1),
        "R@1": ((0, 0, 0), (0.5, 1, 0.75), 0.75),
    },
    3: {
        "P@3": ((0.333333, 0.333333, 0.333333), (0.666667, 0.333333, 0.5), 0.166667),
        "R@3": ((0.5, 1, 0.75), (1, 1, 1), 0.25),
        "RR@3": ((0.5, 0.333333, 0.416667), (1, 1, 1), 0.583333),
        "nDCG@3": ((0.496639, 0.5, 0.498320), (1, 1, 1), 0.501680),
        "DuplicateRate@3": ((0.333333, 0, 0.166667), (0, 0, 0), -0.166667),
        "EvidenceRate@3": ((0.666667, 0.666667, 0.666667), (0.666667, 0.5, 0.583333), -0.083333),
    },
    5: {
        "P@5": ((0.4, 0.2, 0.3), (0.4, 0.2, 0.3), 0),
        "R@5": ((1, 1, 1), (1, 1, 1), 0),
        "RR@5": ((None, None, 0.416667), (None, None, 1), 0.583333),
        "nDCG@5": ((0.641929, 0.5, 0.570964), (1, 1, 1), 0.429036),
        "DuplicateRate@5": ((0.25, 0, 0.125), (None, None, 0), -0.125),
        "EvidenceRate@5": ((0.75, 0.666667, 0.708333), (0.666667, 0.5, 0.583333), -0.125),
    },
}


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    folder = tmp_path_factory.mktemp("example")
    lay_out(folder)
    return folder


@pytest.mark.parametrize("file", ["lab.json", "lab.csv"])
@pytest.mark.parametrize("k", LAB)
def test_lab_sample(example, file: str, k: int) -> None:
    """The lab's sample at K = 1, 3 and 5, from JSON and from CSV."""
    found = rp.rerank_lab(example / file, k)
    changes = {row.measure: row for row in found.changes}
    for measure, (before, after, change) in LAB[k].items():
        for values, (one, two, mean) in ((found.before, before), (found.after, after)):
            row = values.per_query[measure]
            assert values.query_ids == ("q-1", "q-2")
            for value, expected in ((row[0], one), (row[1], two), (values.means[measure], mean)):
                if expected is not None:
                    assert value == pytest.approx(expected, abs=5e-7), measure
        assert changes[measure].change == pytest.approx(change, abs=5e-7)


def test_lab_verdict(example) -> None:
    """At K = 3 all four ranking measures rise: better; the formulas and their date are named."""
    found = rp.rerank_lab(example / "lab.json", 3)
    assert found.verdict == "better"
    assert found.to_dict()["formulas"] == {"version": "rag-ranking-metrics-v2", "date": "2026-08-30"}
    assert found.changes[4].meaning == "fewer of the results repeat a document: better"


def test_teaching() -> None:
    """The teaching pages: k divides P however few come back; gains are 2^grade - 1; no relevant document: undefined."""
    qrels = {"q": {"a": 3, "b": 1, "c": 2}, "none": {"a": 0}}
    found = rp.evaluate(
        qrels, {"q": {"x": 3.0, "c": 2.0, "a": 1.0}}, ["P@5", "R@5", "RR@5", "DCG@5", "nDCG@5"], "teaching"
    )
    dcg, ideal = 3 / log2(3) + 7 / 2, 7 + 3 / log2(3) + 1 / 2
    assert found.of_query("q") == pytest.approx(
        {"P@5": 0.4, "R@5": 2 / 3, "RR@5": 0.5, "DCG@5": dcg, "nDCG@5": dcg / ideal}
    )
    assert set(found.of_query("none").values()) == {None}


def test_textbook() -> None:
    """The course's cases; the mean of RR over first relevant ranks 2, 1, 3 is (1/2 + 1 + 1/3) / 3."""
    retrieved, relevant = [101, 205, 303, 404, 102], {101, 102, 303, 507}
    assert rp.precision_at_k(retrieved, relevant, 5) == pytest.approx(0.6)
    assert rp.recall_at_k(retrieved, relevant, 5) == pytest.approx(0.75)
    queries = [(["x", "a"], {"a"}), (["a", "x"], {"a"}), (["x", "y", "a"], {"a"})]
    assert rp.mean_reciprocal_rank(queries) == pytest.approx(0.611111, abs=5e-7)
    assert rp.ndcg_at_k([3, 0, 2, 1, 0], 5) == pytest.approx(0.930451, abs=5e-7)
    assert rp.ndcg_at_k([3, 0, 2, 1, 0], 5, gain="exponential") == pytest.approx(0.950801, abs=5e-7)


def test_textbook_shows_all_judged_beside_retrieved() -> None:
    """An ideal of what was retrieved hides what was missed: the value over all judged documents stands beside it."""
    found = rp.evaluate({"q": {"a": 1, "missed": 3}}, {"q": ["a"]}, ["nDCG@5"], "textbook")
    assert found.means["nDCG@5"] == 1.0
    assert found.means["nDCG(ideal=all-judged)@5"] == pytest.approx(1 / (3 + 1 / log2(3)))
