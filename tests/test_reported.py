"""Inputs made from public bug reports of other tools, each with the right answer and the contract that gives it."""

from __future__ import annotations

import json

import pytest

import rankproof as rp


@pytest.fixture(scope="module")
def cases(data):
    found = json.loads((data / "reported" / "cases.json").read_text("utf-8"))
    return {case["id"]: (case["input"], case["expected"]) for case in found}


def about(expected: float) -> object:
    return pytest.approx(expected, abs=5e-7)


def test_01_ties(cases) -> None:
    """Equal scores: each tie rule has its RR; the range and the mean over all orders are said."""
    given, expected = cases["01"]
    rr = {
        ties: rp.evaluate(given["qrels"], given["run"], ["RR"], "rankproof", ties=ties)
        for ties in ("document-id-descending", "document-id-ascending", "as-given", "expected")
    }
    assert rr["document-id-descending"].means["RR"] == expected["rr_docid_desc"]
    assert rr["as-given"].means["RR"] == about(expected["rr_input_order"])
    assert rr["expected"].means["RR"] == about(expected["rr_mean_over_ties"])
    assert rp.evaluate(given["qrels"], given["run"], ["RR"], "pytrec_eval").means["RR"] == expected["rr_docid_desc"]
    for values in rr.values():
        touched, lowest, highest = values.ties["RR"]
        assert (touched, lowest, highest) == (1, about(expected["rr_min"]), about(expected["rr_max"]))
    assert len(given["run"]["q"]) == expected["tied_docs"]


def test_03_float32(cases) -> None:
    """Scores that differ only beyond float32: apart in double, a tie in single precision."""
    given, expected = cases["03"]
    assert rp.evaluate(given["qrels"], given["run"], ["RR"], "rankproof").means["RR"] == expected["rr_double"]
    for contract in ("trec_eval-9", "pytrec_eval"):
        found = rp.evaluate(given["qrels"], given["run"], ["RR"], contract)
        assert found.means["RR"] == expected["rr_trec_eval_float32"]
    assert rp.evaluate(given["qrels"], given["run"], ["RR"], "trec_eval-10").means["RR"] == expected["rr_double"]


def test_04_query_without_judgments(cases) -> None:
    """A query with nothing judged is undefined and counted; it does not touch its neighbours."""
    given, expected = cases["04"]
    found = rp.evaluate(given["qrels"], given["run"], ["AP"], "rankproof")
    assert dict(zip(found.query_ids, found.per_query["AP"], strict=True)) == expected["ap"]
    assert found.means["AP"] == expected["mean_defined"]
    assert found.counts["evaluated"] == expected["n_defined"]
    assert found.counts["without-relevant"] == 1
    assert (
        rp.evaluate(given["qrels"], given["run"], ["AP"], no_relevant="zero").means["AP"] == expected["mean_zero_rule"]
    )


@pytest.mark.parametrize("contract", ["rag-ranking-metrics-v2", "textbook"])
def test_05_duplicates(cases, contract: str) -> None:
    """A document that comes twice counts once, at its first place; the repeat keeps its place."""
    given, expected = cases["05"]
    names = {"P@4": "p@4", "R@4": "r@4", "RR": "rr", "AP": "ap", "nDCG@4": "ndcg@4", "DuplicateRate@4": "dup_rate@4"}
    measures = [name.replace("nDCG@4", "nDCG(ideal=all-judged)@4") for name in names]
    found = rp.evaluate(given["qrels"], given["ranking"], measures, contract)
    assert {names[n.replace("(ideal=all-judged)", "")]: v for n, v in found.means.items()} == {
        name: about(value) for name, value in expected.items()
    }


def test_05_duplicates_are_refused_by_the_house(cases) -> None:
    """The house contract refuses a repeated document, and names it."""
    given, _ = cases["05"]
    with pytest.raises(rp.ContractError, match=r"query q, document m: stands twice: no\. 1 and no\. 2"):
        rp.evaluate(given["qrels"], given["ranking"], ["RR"])


def test_07_missing_queries(cases) -> None:
    """A judged query without results counts 0 and is counted; the mean over the run is a named alternative."""
    given, expected = cases["07"]
    found = rp.evaluate(given["qrels"], given["run"], ["RR"], "rankproof")
    assert found.means["RR"] == expected["mrr_over_qrels"]
    assert list(found.groups["missing"]) == expected["missing_in_run"]
    assert rp.evaluate(given["qrels"], given["run"], ["RR"], "trec_eval-9").means["RR"] == expected["mrr_over_run"]
    assert rp.evaluate(given["qrels"], given["run"], ["RR"], "trec_eval-9-complete").means["RR"] == 0.5
    with pytest.raises(rp.ContractError, match="query q2: judged, but absent from the run"):
        rp.evaluate(given["qrels"], given["run"], ["RR"], "trec_eval-10")


def test_09_fractional_grades(cases) -> None:
    """Fractions are kept as written; cutting them, as trec_eval does, gives another value."""
    given, expected = cases["09"]
    found = rp.evaluate(given["qrels"], given["run"], ["nDCG@2"], "rankproof")
    assert found.means["nDCG@2"] == about(expected["ndcg@2_linear"])
    cut = {query: {doc: int(grade) for doc, grade in judged.items()} for query, judged in given["qrels"].items()}
    assert rp.evaluate(cut, given["run"], ["nDCG@2"]).means["nDCG@2"] == about(expected["ndcg@2_truncated"])


@pytest.mark.parametrize("negative", ["unjudged", "non-relevant"])
def test_10_negative_grades(cases, negative: str) -> None:
    """A negative grade has gain 0, whatever it says about judging."""
    given, expected = cases["10"]
    found = rp.evaluate(given["qrels"], given["ranking"], ["nDCG@3", "RR@3"], "rankproof", negative_grade=negative)
    assert found.means == {"nDCG@3": about(expected["ndcg@3"]), "RR@3": about(expected["rr@3"])}


def test_13_perfect_is_one(cases) -> None:
    """A perfect ranking has exactly 1, and no epsilon; nothing relevant is 0 by rule, or undefined."""
    given, expected = cases["13"]
    docs = [str(rank) for rank, _ in enumerate(given["verdicts"])]
    perfect = {"q": dict(zip(docs, given["verdicts"], strict=True))}
    assert rp.evaluate(perfect, {"q": docs}, ["AP"], "rankproof").means["AP"] == expected["ap"]
    nothing = {"q": dict.fromkeys(docs, 0)}
    assert rp.evaluate(nothing, {"q": docs}, ["AP"], "rankproof").means["AP"] is None
    assert rp.evaluate(nothing, {"q": docs}, ["AP"], "textbook").means["AP"] == 0.0


def test_14_ap_denominators(cases) -> None:
    """AP divides by all relevant documents; over those retrieved it is another number with another name."""
    given, expected = cases["14"]
    found = rp.evaluate(given["qrels"], given["ranking"], ["AP", "AP(ap-denominator=retrieved)"], "rankproof")
    assert list(found.means.values()) == [expected["ap"], expected["context_precision"]]


def test_20_err_scale(cases) -> None:
    """ERR demands the highest grade of the scale, which its name shows."""
    given, expected = cases["20"]
    docs = {f"d{rank}": grade for rank, grade in enumerate(given["grades_in_rank_order"])}
    found = rp.evaluate({"q": docs}, {"q": list(docs)}, ["ERR(max=1)", "ERR(max=4)"], "rankproof")
    assert found.means == {"ERR(max=1)": expected["err_max1"], "ERR(max=4)": expected["err_max4"]}
    with pytest.raises(rp.MeasureError, match="'ERR@20' needs max"):
        rp.measure("ERR@20")


def test_23_grades_where_one_is_best(cases) -> None:
    """A scale where 1 is best needs a gain table: 1 counts 4, 4 counts 1."""
    given, expected = cases["23"]
    table = {code: 5 - code for code in (1, 2, 3, 4)}
    found = rp.evaluate(given["qrels_codes"], given["ranking"], ["nDCG@1"], gain="table", gain_table=table)
    assert found.means["nDCG@1"] == expected["ndcg@1"]
    assert rp.evaluate(given["qrels_codes"], given["ranking"], ["nDCG@1"]).means["nDCG@1"] == expected["wrong"]


def test_24_byte_order_mark(cases, tmp_path) -> None:
    """A byte order mark is no part of the first query id."""
    given, expected = cases["24"]
    qrels = tmp_path / "qrels.txt"
    qrels.write_text(given["qrels_text"], "utf-8")
    assert qrels.read_bytes().startswith(b"\xef\xbb\xbf")
    found = rp.evaluate(qrels, given["run"], ["AP"])
    assert found.means["AP"] == expected["ap"]
    assert found.counts["evaluated"] == expected["n_queries"]


def test_15_comma_in_an_id(cases, tmp_path) -> None:
    """A document id may hold a comma: white space alone parts columns."""
    given, expected = cases["15"]
    run = tmp_path / "a.run"
    run.write_text(given["run_text"], "utf-8")
    assert rp.evaluate(given["qrels"], run, ["RR"]).means["RR"] == expected["rr"]


def test_25_course_chapter(cases) -> None:
    """Team draft ends when a list runs dry; nDCG has the value of its formula."""
    given, expected = cases["25"]
    for seed in range(20):
        drafted = rp.team_draft_interleave(**given["team_draft"], seed=seed)
        assert drafted.documents == expected["interleaved"]
    grades, k = given["ndcg"]["grades_in_rank_order"], given["ndcg"]["k"]
    assert rp.ndcg_at_k(grades, k) == about(expected["ndcg@5_linear"])
    assert rp.ndcg_at_k(grades, k, gain="exponential") == about(expected["ndcg@5_exp"])
