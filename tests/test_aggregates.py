"""Does `check` find what cannot be true in a table of results, and nothing else?"""

from __future__ import annotations

import json
from collections import defaultdict
from fractions import Fraction
from itertools import combinations_with_replacement

import pytest
from generators import JUDGMENTS, SCORED
from hypothesis import given, settings
from hypothesis import strategies as st

from rankproof import evaluate
from rankproof.aggregates import KINDS, Aggregates, Finding, impossible, read_aggregates
from rankproof.aggregates.laws import REASONS
from rankproof.aggregates.whole import mean_of_parts, means_of_ranks
from rankproof.answers import kebab, spell
from rankproof.contract import Contract
from rankproof.errors import InputError, RankproofError
from rankproof.formats import Source
from rankproof.formats.files import Given
from rankproof.measures import MEASURES, parse
from rankproof.presets import PRESETS


def read(text: str, queries: int | None = None) -> Aggregates:
    return read_aggregates(Given(text, "table"), queries)


def found_in(text: str, queries: int | None = None) -> list[Finding]:
    return impossible(read(text, queries))


def kinds_in(text: str, queries: int | None = None) -> list[str]:
    return [finding.kind for finding in found_in(text, queries)]


def table(values: dict[str, object], queries: int | None = None) -> str:
    head = "".join(f",{name}" for name in values)
    row = "".join(f",{value}" for value in values.values())
    return f"system,queries{head}\na,{queries or ''}{row}\n"


CUT = [f"{symbol}@{k}" for symbol in ("P", "R", "Success", "RR", "AP") for k in (1, 2, 3, 5, 10)]
ASKED = [*CUT, "P", "R", "Success", "RR", "AP", "nDCG@5", "F@5", "P(rel=2)@2", "Success(rel=2)@2", "R(rel=2)@5"]
RULES = {
    "precision_denominator": ["cutoff", "returned"],
    "recall_denominator": ["relevant", "capped"],
    "ap_denominator": ["relevant", "capped", "retrieved"],
    "zero_denominator": ["undefined", "zero"],
    "no_relevant": ["zero", "skip"],
    "missing_query": ["zero", "skip"],
    "negative_grade": ["unjudged", "non-relevant"],
    "unjudged": ["non-relevant", "condensed"],
    "ties": ["document-id-descending", "as-given", "expected"],
    "non_positive_score": ["keep", "drop"],
    "rbp_gain": ["scaled", "raw"],
    "ideal": ["all-judged", "retrieved"],
    "ideal_depth": ["cutoff", "whole", "returned"],
    "summation": ["exact", "sequential"],
    "depth": [None, 3],
    "relevant_from": [1.0, 2.0],
}
OWN = st.builds(
    lambda own: Contract(**own), st.fixed_dictionaries({}, optional={r: st.sampled_from(a) for r, a in RULES.items()})
)
KNOWN = st.sampled_from([preset.contract for preset in PRESETS.values()])
MANY = st.integers(1, 6).map(lambda count: [f"q{at}" for at in range(count)])


def in_effect(contract: Contract) -> set[str]:
    own = {f"{kebab(rule)}={spell(answer)}" for rule, answer in contract.items()}
    return own | ({"overrides"} if contract.overrides else set())


@st.composite
def true_tables(draw, contracts):
    """A table of what `evaluate` says: written with some decimals, as shares or percentages; and what excuses it."""
    contract, queries = draw(contracts), draw(MANY)
    qrels = {query: draw(JUDGMENTS) for query in queries}
    run = {query: draw(SCORED) for query in draw(st.lists(st.sampled_from(queries), unique=True, min_size=1))}
    asked = draw(st.lists(st.sampled_from(ASKED), unique=True, min_size=2, max_size=12))
    try:
        means = evaluate(qrels, run, asked, contract).means
    except RankproofError:  # refused under this contract: there is no table
        means = {}
    decimals, percent = draw(st.sampled_from([1, 2, 3, 4, 6, None])), draw(st.sampled_from(["", "%", " "]))
    by = 100 if percent else 1
    written = {
        name: (repr(value * by) if decimals is None else f"{value * by:.{decimals}f}") + percent.strip()
        for name, value in means.items()
        if value is not None
    }
    excuses = in_effect(contract) | ({"scale=percent"} if percent == " " else set())
    return excuses, {f'"{name}"': value for name, value in written.items()}, len(queries)


@settings(max_examples=300)
@given(true_tables(OWN | KNOWN))
def test_true_tables_are_never_found(case) -> None:
    """What `evaluate` says, under whatever contract, is found only where a rule in effect is named as the excuse."""
    excuses, values, queries = case
    for finding in found_in(table(values, queries)) if values else []:
        assert excuses & set(finding.unless), finding


@settings(max_examples=200)
@given(true_tables(st.just(Contract(no_relevant="zero"))))
def test_plain_tables_hold_nothing(case) -> None:
    """Under a contract that leaves no query out and divides as the textbook does, nothing but the scale is doubted."""
    _, values, queries = case
    for finding in found_in(table(values, queries)) if values else []:
        assert finding.unless == ("scale=percent",), finding


@settings(max_examples=100)
@given(JUDGMENTS, SCORED, OWN)
def test_every_share_lies_in_its_range(qrels, run, contract) -> None:
    """Each measure that says that 1 is its most keeps to it, so that no true value is outside its range."""
    names = [one for measure in MEASURES.values() if measure.most == 1 for one in measure.examples if "=" not in one]
    try:
        means = evaluate({"q": qrels}, {"q": run}, names, contract).means
    except RankproofError:
        return
    values = {name: repr(value) for name, value in means.items() if value is not None}
    for finding in found_in(table(values)) if values else []:
        assert in_effect(contract) & set(finding.unless), finding


PLANTED = {
    "outside-range": {"R@5": "1.02", "nDCG@10": "0.90"},
    "falls-as-k-grows": {"R@5": "0.51", "R@10": "0.49"},
    "hits-fall": {"P@5": "0.50", "P@10": "0.24"},
    "too-many-hits": {"P@1": "0.10", "P@2": "0.60"},
    "precision-above-success": {"P@5": "0.51", "Success@5": "0.49"},
    "success-above-hits": {"P@5": "0.10", "Success@5": "0.60"},
    "recall-above-success": {"R@5": "0.51", "Success@10": "0.49"},
    "ap-above-success": {"AP@5": "0.51", "Success@5": "0.49"},
    "ap-above-recall": {"AP@5": "0.51", "R@5": "0.49"},
    "reciprocal-rank-too-high": {"Success@1": "0.40", "RR@10": "0.72"},
    "reciprocal-rank-too-low": {"Success@1": "0.40", "RR@10": "0.38"},
    "no-whole-number": {"Success@5": "0.52"},
}


@pytest.mark.parametrize("kind", PLANTED)
def test_each_kind_is_found(kind: str) -> None:
    """A falsehood is found by its kind, its line and its measures; rounded until it may be true, it is not."""
    (finding,) = found_in(table(PLANTED[kind], 10 if kind == "no-whole-number" else None))
    assert (finding.kind, finding.system, finding.line) == (kind, "a", 2)
    assert set(finding.measures) <= set(PLANTED[kind])
    assert all(value in finding.message for name, value in PLANTED[kind].items() if name in finding.measures)
    assert finding.to_dict()["unless"] == list(finding.unless)
    rounded = {name: f"{float(value):.0f}" for name, value in PLANTED[kind].items()}
    assert kinds_in(table(rounded, 10 if kind == "no-whole-number" else None)) == []


EMPTY = ({"q": {"a": 1}, "p": {"b": 1}}, {"q": ["a"], "p": []})
LATE = ({"q": {"a": 1, "b": 1}}, {"q": ["a", "x", "y", "b"]})
HALF = ({"q": {"a": 1}, "p": {"b": 1}}, {"q": ["a"], "p": ["x"]})


@pytest.mark.parametrize(
    ("kind", "excuse", "lists", "measures"),
    [
        ("falls-as-k-grows", "recall-denominator=capped", LATE, ["R@1", "R@2"]),
        ("falls-as-k-grows", "ap-denominator=capped", LATE, ["AP@1", "AP@2"]),
        ("falls-as-k-grows", "ap-denominator=retrieved", LATE, ["AP@1", "AP@4"]),
        ("ap-above-recall", "ap-denominator=capped", LATE, ["AP@1", "R@1"]),
        ("ap-above-recall", "ap-denominator=retrieved", LATE, ["AP@1", "R@1"]),
        ("ap-above-success", "ap-denominator=retrieved", HALF, ["AP@1", "Success@1"]),
        ("precision-above-success", "precision-denominator=returned", EMPTY, ["P@1", "Success@1"]),
        ("reciprocal-rank-too-low", "precision-denominator=returned", EMPTY, ["P@1", "RR@10"]),
    ],
)
def test_what_excuses_a_finding(kind: str, excuse: str, lists: tuple, measures: list[str]) -> None:
    """Under the rule that is named as its excuse, what is found is true; under the house's, it does not come."""
    rule, _, answer = excuse.replace("-", "_").partition("=")
    for rules, found in (({rule: answer}, [kind]), ({}, [])):
        means = evaluate(*lists, measures, **rules).means
        findings = found_in(table({name: f"{value:.4f}" for name, value in means.items()}))
        assert [finding.kind for finding in findings] == found
        assert all(excuse in finding.unless for finding in findings)


def test_every_kind_is_planted() -> None:
    """Each kind that there is has its falsehood here, and each excuse its words."""
    assert {*PLANTED, "equal-rows"} == set(KINDS)
    rules = {f"{kebab(rule)}={answer}" for rule, answers in RULES.items() for answer in answers}
    assert set(REASONS) <= rules | {"overrides", "scale=percent"}


@given(
    st.sampled_from(["R", "Success", "RR", "AP"]), st.integers(0, 997), st.integers(2, 900), st.sampled_from([1, 100])
)
def test_a_fall_by_more_than_rounding_is_found(symbol: str, low: int, more: int, by: int) -> None:
    """A fall by two steps of the last decimal is found on either scale, a fall by one may be rounding."""
    high = min(low + more, 1000)
    marked, decimals = ("%", 1) if by == 100 else ("", 3)
    written = [f"{value * by / 1000:.{decimals}f}{marked}" for value in (high, low, low + 1)]
    assert kinds_in(table({f"{symbol}@5": written[0], f"{symbol}@10": written[1]})) == ["falls-as-k-grows"]
    assert kinds_in(table({f"{symbol}@5": written[2], f"{symbol}@10": written[1]})) == []


def test_what_may_fall() -> None:
    """nDCG@k and P@k may fall as k grows; DCG has no range; a measure without a cutoff is held to k = 1 alone."""
    assert kinds_in(table({"nDCG@5": 0.9, "nDCG@10": 0.2, "P@5": 0.9, "P@10": 0.5, "DCG@10": 7.1})) == []
    assert kinds_in(table({"R@10": "0.90", "R": "0.50"})) == []
    assert kinds_in(table({"R@1": "0.90", "R": "0.50"})) == ["falls-as-k-grows"]
    assert kinds_in(table({"P@1": "0.90", "MRR": "0.50"})) == ["reciprocal-rank-too-low"]
    assert kinds_in(table({"P@1": "0.20", "MRR": "0.70"})) == ["reciprocal-rank-too-high"]  # at most 0.2 + 0.8 / 2


def test_a_share_has_two_ends() -> None:
    """Below 0 and above 100 % nothing is true; what may be rounding of 0 or 1 is."""
    assert kinds_in(table({"nDCG@5": "-0.02", "R@5": "0.5"})) == ["outside-range"]
    assert kinds_in(table({"nDCG@5": "101.2%", "R@5": "50%"})) == ["outside-range"]
    assert kinds_in(table({"nDCG@5": "1.0000001", "R@5": "-0.0"})) == []


def test_options_keep_measures_apart() -> None:
    """Measures with other options are not compared; an option that excuses a fall is no finding."""
    assert kinds_in(table({'"R(rel=2)@5"': "0.9", "R@10": "0.5"})) == []
    assert kinds_in(table({'"R(rel=2)@5"': "0.9", '"R(rel=2)@10"': "0.5"})) == ["falls-as-k-grows"]
    capped = {f'"R(recall-denominator=capped)@{k}"': value for k, value in ((5, "0.9"), (10, "0.5"))}
    assert kinds_in(table(capped)) == []


def test_the_first_place_is_one_number() -> None:
    """P@1, Success@1 and RR@1 are the same: any two of them that differ are found."""
    for one, other in (("P", "Success"), ("P", "RR"), ("Success", "RR")):
        assert len(kinds_in(table({f"{one}@1": "0.50", f"{other}@1": "0.40"}))) == 1
        assert len(kinds_in(table({f"{one}@1": "0.40", f"{other}@1": "0.50"}))) == 1
        assert kinds_in(table({f"{one}@1": "0.40", f"{other}@1": "0.40"})) == []


def first_ranks(queries: int, places: int):
    """All ways in which the first hits of some queries can stand; None: not within the places."""
    return combinations_with_replacement([*range(1, places + 1), None], queries)


def reciprocal(ranks, k: int) -> Fraction:
    return sum((Fraction(1, rank) for rank in ranks if rank and rank <= k), Fraction(0)) / len(ranks)


@pytest.mark.parametrize("cutoffs", [(1,), (1, 3), (2,), (2, 3), (1, 2, 3), (5,), (3, 5), (1, 6)])
def test_the_bounds_of_rr_are_met(cutoffs: tuple[int, ...]) -> None:
    """Over all ways four first hits can stand, RR@4 beside Success is found just where it is beyond all of them."""
    reached = defaultdict(set)
    for ranks in first_ranks(4, 6):
        success = tuple(Fraction(sum(1 for rank in ranks if rank and rank <= k), 4) for k in cutoffs)
        reached[success].add(reciprocal(ranks, 4))
    for success, means in reached.items():
        named = {f"Success@{k}": f"{float(value):.6f}" for k, value in zip(cutoffs, success, strict=True)}
        high, low = max(means), min(means)
        for value in (high, low):
            assert kinds_in(table({**named, "RR@4": f"{float(value):.6f}"})) == []
        past = kinds_in(table({**named, "RR@4": f"{float(high) + 0.0001:.6f}"}))
        assert ("reciprocal-rank-too-high" in past) == (high < 1) or "outside-range" in past
        if low and max(cutoffs) <= 4:
            assert "reciprocal-rank-too-low" in kinds_in(table({**named, "RR@4": f"{float(low) - 0.0001:.6f}"}))


@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize("queries", [1, 2, 3])
def test_sums_of_reciprocal_ranks(queries: int, k: int) -> None:
    """A mean of RR is one over these queries just where some ranks, tried one by one, give it."""
    reached = {reciprocal(ranks, k) for ranks in first_ranks(queries, k)}
    for at in range(241):
        low, high = Fraction(at, 240) - Fraction(1, 1000), Fraction(at, 240) + Fraction(1, 1000)
        mean = means_of_ranks(low, high, queries, k)
        assert (mean is not None and mean.queries == queries) == any(low <= one <= high for one in reached)
        if mean:
            assert low <= mean.total / mean.queries <= high


@given(st.integers(1, 30), st.integers(1, 5), st.integers(0, 1000), st.integers(0, 40))
def test_means_of_hits(queries: int, parts: int, low: int, width: int) -> None:
    """A mean of hits is one just where some number of hits, tried one by one, gives it."""
    bounds = Fraction(low, 1000), Fraction(low + width, 1000)
    tried = [Fraction(hits, queries * parts) for hits in range(queries * parts + 1)]
    inside = [one for one in tried if bounds[0] <= one <= bounds[1]]
    mean = mean_of_parts(*bounds, queries, parts)
    assert (mean is None) == (not inside)
    assert mean is None or mean.total / queries in inside


def test_no_whole_number_of_queries() -> None:
    """Over 8 queries 0.63 is 5/8, rounded, and 0.62 is it cut off; 0.61 is none, nor over fewer; P@2 counts halves."""
    assert kinds_in(table({"Success@5": "0.63"}, 8)) == []
    assert kinds_in(table({"Success@5": "0.62"}, 8)) == []
    (finding,) = found_in(table({"Success@5": "0.652"}, 8))
    assert finding.unless == ("ties=expected",)
    (finding,) = found_in(table({"Success@5": "0.667"}, 8))
    assert "over 6 it could be 4/6" in finding.message
    assert "missing-query=skip" in finding.unless
    assert kinds_in(table({"P@2": "0.6875"}, 8)) == []  # 11 of 16
    assert kinds_in(table({"P@2": "0.65"}, 8)) == ["no-whole-number"]
    assert kinds_in(table({"RR@2": "0.85"}, 2)) == ["no-whole-number"]  # 1, 3/4, 1/2, 1/4, 0
    assert kinds_in("system,Success@5\na,0.652\n") == []
    assert kinds_in("system,Success@5\na,0.652\n", 8) == ["no-whole-number"]
    assert kinds_in(table({"RR@2": "0.85"}, 101)) == []
    assert kinds_in(table({"RR@10": "0e9", "Success@5": "0e9"}, 100)) == []  # written so, it may be anything


def test_equal_rows() -> None:
    """Two systems with the same two values are named with each other; one value alone is nothing to suspect."""
    (finding,) = found_in("system,R@5,nDCG@5\na,0.50,0.40\nb,0.50,0.41\nc,0.50,0.40\n")
    assert (finding.kind, finding.system, finding.line) == ("equal-rows", "c", 4)
    assert "same values as a" in finding.message
    assert kinds_in("system,R@5\na,0.5\nb,0.5\n") == []


MARKDOWN = """
| Model | #Queries | Recall@5 ↑ | recall_at_10 |
|:--|--:|---|---|
| **bm25** | 40 | **.50** | .6* |
| dense | 40 | .25† | .75 |
"""
LIKE_OURS = "bm25 num_q,40\nbm25 R@5,0.50\nbm25 R@10,0.6\ndense num_q,40\ndense R@5,0.25\ndense R@10,0.75\n"
WIDE = "system,queries,R@5,R@10\nbm25,40,0.50,0.6\ndense,40,0.25,0.75\n"


@pytest.mark.parametrize(
    "text",
    [
        WIDE,
        WIDE.replace(",", "\t"),
        "\ufeff" + WIDE.replace("\n", "\r\n"),
        WIDE.replace(",", ";").replace("0.", "0,"),
        MARKDOWN,
        "Model | n | R@5 | R@10\n--|--|--|--\nbm25|40|0.50|0.6\ndense|40|0.25|0.75\n",
        '[{"run": "bm25", "n": 40, "R@5": 0.50, "R@10": 0.6}, {"run": "dense", "n": 40, "R@5": 0.25, "R@10": 0.75}]',
        '{"bm25": {"R@5": 0.50, "R@10": 0.6, "num_q": 40}, "dense": {"R@5": 0.25, "R@10": 0.75, "num_q": 40}}',
        '{"R@5": {"bm25": 0.50, "dense": 0.25}, "R@10": {"bm25": 0.6, "dense": 0.75}, "n": {"bm25": 40, "dense": 40}}',
        "measure,bm25,dense\nNumQ,40,40\nR@5,0.50,0.25\nR@10,0.6,0.75\n",
        "run,measure,value,queries\nbm25,recall_5,0.50,40\nbm25,recall_10,0.6,40\ndense,R@5,0.25,40\ndense,R@10,0.75,40\n",
        "run,metric,k,score,n\nbm25,recall,5,0.50,40\nbm25,recall,10,0.6,40\ndense,R,5,0.25,40\ndense,R,10,0.75,40\n",
        "model,k,recall,n\nbm25,5,0.50,40\nbm25,10,0.6,40\ndense,5,0.25,40\ndense,10,0.75,40\n",
        "run,query_id,measure,value\n" + LIKE_OURS.replace(" ", ",all,"),
    ],
)
def test_the_same_table_in_all_shapes(text: str) -> None:
    """However a table is written, the same values of the same systems are read, with the decimals they have."""
    rows = read(text).rows
    values = {row.system: {str(one): stated for one, stated in row.values.items()} for row in rows}
    tight, wide = Fraction(1, 200), Fraction(1, 20)
    half = {"R@5": (Fraction(1, 2), tight), "R@10": (Fraction(3, 5), wide)}
    for name, (value, around) in half.items():
        assert (values["bm25"][name].low, values["bm25"][name].high) == (value - around, value + around)
    assert values["dense"]["R@10"].low == Fraction(745, 1000)
    assert {stated.queries for own in values.values() for stated in own.values()} == {40}
    assert [row.system for row in rows] == ["bm25", "dense"]
    assert kinds_in(text) == []


@pytest.mark.parametrize(
    ("spelled", "measure"),
    [
        *(("Recall@10", "R@10"), ("recall_at_10", "R@10"), ("Recall at 10", "R@10"), ("R@1k", None)),
        *(("recall@1k", "R@1000"), ("MRR@10", "RR@10"), ("mrr_at_10", "RR@10"), ("MRR10", "RR@10")),
        *(("Hit@1", "Success@1"), ("hit_rate@5", "Success@5"), ("Hit Rate @ 5", "Success@5"), ("HR@10", "Success@10")),
        *(("accuracy@1", "Success@1"), ("accuracy", None), ("MAP@100", "AP@100"), ("mAP50", None), ("P@5", "P@5")),
        *(("prec@5", "P@5"), ("NDCG_10", "nDCG@10"), ("ndcg_cut_10", "nDCG@10"), ("nDCG@10 (%)", "nDCG@10")),
        *(("F1", "F"), ("f1_5", "F@5"), ("**P@5** ↑", "P@5"), ("params", None), ("year", None)),
        *(("RR(rel=2)@10", "RR(rel=2)@10"), ("ERR@20", None), ("recall_0", None)),
    ],
)
def test_spellings(spelled: str, measure: str | None) -> None:
    """A column is read by the names that tables use; one that names no measure is left alone, and told."""
    found = read(f"system,{spelled},P@7\na,0.5,0.5\n")
    assert [str(one) for one in found.measures] == [*([measure] if measure else []), "P@7"]
    assert list(found.left) == ([] if measure else [spelled])


@pytest.mark.parametrize(
    ("head", "cells", "scales"),
    [
        ("R@5,R@10", "0.345,0.5", {"share": ["R@5", "R@10"]}),
        ("R@5,R@10", "34.5,50", {"percent": ["R@5", "R@10"]}),
        ("R@5,R@10", "34.5%,0.5%", {"percent": ["R@5", "R@10"]}),
        ("R@5,R@10 (%)", "0.345,0.5", {"share": ["R@5"], "percent": ["R@10"]}),
        ("R@5,RR@10", "97.5,0.3", {"percent": ["R@5"], "unknown": ["RR@10"]}),
        ("R@5,RR@10", "1.2,0.3", {"unknown": ["R@5", "RR@10"]}),
        ("R@5,R@10", "34.5%,0.5%\nb,0.4,50", {"percent": ["R@5", "R@10"], "unknown": ["R@5"]}),
        ("k,Recall (%)", "5,0.4", {"percent": ["R@5"]}),
        ("R@5,DCG@10", "0.5,7.5", {"share": ["R@5"], "number": ["DCG@10"]}),
    ],
)
def test_scales(head: str, cells: str, scales: dict) -> None:
    """The scale is what signs and heads say, else percent where nothing is at most 1; what is open is so, and told."""
    found = read(f"system,{head}\na,{cells}\n")
    assert found.scales() == scales
    told = {"share": "read as shares", "percent": "read as percentages", "unknown": "which is open"}
    assert all(any(told[scale] in note for note in found.notes()) for scale in scales if scale in told)


def test_what_is_left_out_is_told() -> None:
    """Columns that name no measure, empty cells, deviations, rows of single queries and text around are counted."""
    found = read("A text.\n\n| model | size | R@5 | P@5 |\n|---|---|---|---|\n| a | big | 0.5 ± 0.1 | - |\n\nMore.\n")
    assert (list(found.left), found.blank, found.cut, found.around) == (["size"], 1, 1, 2)
    notes = "\n".join(found.notes())
    for told in ("1 system, 1 measure", "left alone: size", "1 cell without", "1 cell with more", "2 lines of text"):
        assert told in notes
    found = read("run,query,measure,value\na,1,R@5,0.5\na,all,R@5,0.5\na,all,speed,12\n")
    assert (found.single, list(found.left)) == (1, ["speed"])
    assert found.to_dict()["measures"] == ["R@5"]
    assert list(read("measure,a\nR@5,0.5\nspeed,12\n").left) == ["speed"]


def test_data_sets_and_rows_without_a_name() -> None:
    """A column of data sets belongs to the name; rows without a name are numbered."""
    found = read("dataset,model,R@5\nnq,a,0.5\nhp,a,0.4\n")
    assert [row.system for row in found.rows] == ["nq / a", "hp / a"]
    assert [row.system for row in read("R@5,P@5\n0.5,0.4\n0.4,0.3\n").rows] == ["row 1", "row 2"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "table: is empty; expected a table of results"),
        ("q1 0 d1 1\nq1 0 d2 0\n", "names no measure with a value"),
        ("a,b\n1,2\n", "its columns are 'a', 'b'"),
        ("system,R@5\n", "names no measure with a value"),
        ("system,R@5\na,0.5\nb,x\n", "table:3: column R@5: 'x'; expected a number"),
        ("system,R@5\na,0.5\nb,inf\n", "table:3: column R@5: 'inf'"),
        ("system,R@5,P@5\na,0.5\n", "table:2: has 2 columns; expected 3 columns: system, R@5, P@5"),
        ("system,R@5,R@5\na,0.5,0.5\n", "the column 'R@5' comes twice"),
        ("system,R@5,recall_5\na,0.5,0.5\n", "table:2: column R@5: a has two values (first on line 2)"),
        ("system,R@5\na,0.5\na,0.4\n", "table:3: column R@5: a has two values (first on line 2); expected one"),
        ("system,n,R@5\na,many,0.5\n", "table:2: column n: 'many'; expected a number of queries"),
        ("system,n,R@5\na,2.5,0.5\n", "column n: '2.5'"),
        ("system,k,recall\na,five,0.5\n", "table:2: column k: 'five'; expected a cutoff"),
        ('system,R@5\n"a,0.5\n', "table:2: is not CSV"),
        ("| system | R@5 |\n|--|--|\n| a |\n", "table:3: has 1 column"),
        ("| system | R@5 |\n|--|--|\n| a | 1 |\n\n| system | R@5 |\n|--|--|\n| a | 1 |\n", "table:5: a second table"),
        ('{"a": {"R@5": 0.5', "table:1: column"),
        ("[1, 2]", "holds ['1', '2']"),
        ("{}", "names no measure with a value"),
        ('{"schema": 1, "command": "evaluate"}', "is a result that was saved"),
        ('{"a": {"R@5": NaN}}', "names no measure with a value"),
        ('{"a": {"R@5": [0.5]}, "b": {"R@5": 0.5}}', "column R@5: \"['0.5']\""),
    ],
)
def test_what_is_no_table(text: str, says: str) -> None:
    """A file that is no table of results is refused, by line and column and with what was expected."""
    with pytest.raises(InputError) as error:
        read(text)
    assert says in str(error.value)


def test_bad_bytes_and_queries(tmp_path) -> None:
    """Bytes that are no UTF-8, too many of them, and a number of queries that is none are refused by name."""
    file = tmp_path / "table.csv"
    for content, says in (
        (b"system,R@5\n\xff,1\n", ":2: byte 0xff is not UTF-8"),
        ((b"a" * 999 + b"\n") * 4200, "is larger than 4 MiB"),
    ):
        file.write_bytes(content)
        with pytest.raises(InputError) as error:
            read_aggregates(Source(file))
        assert f"{file}{says}" in str(error.value) or says in str(error.value)
    with pytest.raises(InputError, match="queries cannot be 0"):
        read("system,R@5\na,0.5\n", 0)


MARKS = [*'|,;\t\n\n"{}[]:', "---", "|--|--|\n", "(%)", "\\|", " ", "@", "é", "²"]
WORDS = ["system", "measure", "value", "k", "n", "R@5", "MRR", "P@k", "F(beta=0)", "a", "NaN"]
NUMBERS = ["0.5", "34%", "1e9", "−1", "1e-999", "1_0", "0" * 70]
PIECES = st.sampled_from([*MARKS, *WORDS, *NUMBERS])


@settings(max_examples=500)
@given(st.lists(PIECES, max_size=25).map("".join) | st.text(max_size=40))
def test_whatever_is_pasted(text: str) -> None:
    """Any text is read, or refused with InputError; what is read can be told and handed on as JSON."""
    try:
        found = read(text, 7)
    except InputError:
        return
    assert found.notes()
    json.dumps([found.to_dict(), *(finding.to_dict() for finding in impossible(found))])


def test_measures_read_back() -> None:
    """The names in a finding are the package's own, to be evaluated again."""
    (finding,) = found_in("system,recall_at_5,Recall@10\na,0.51,0.49\n")
    assert [str(parse(name)) for name in finding.measures] == list(finding.measures) == ["R@5", "R@10"]
