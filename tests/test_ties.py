"""Expected ties and the tie range, against brute force over every order that the scores allow."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankproof as rp
from rankproof.evaluate import values_of
from rankproof.measures import known_measures, parse
from rankproof.model import Ranking, Run
from rankproof.presets import contract

DOCS = ["a", "b", "c", "d", "e"]
EXAMPLES = [name for measure in known_measures().values() for name in measure.examples]
SMALL = [f"{name.partition('@')[0]}@{k}" for name in EXAMPLES if "@" in name and "IPrec" not in name for k in (1, 2, 3)]
NAMES = sorted({*EXAMPLES, *SMALL} - {"NumQ", "NumRet", "NumRel", "NumRel(rel=2)"})  # they know no places
MEASURES = [parse(name) for name in NAMES]
REFUSING = ("IPrec", "IPrec11", "AP", "nDCG", "P", "Judged", "Unjudged")
"""Refused by name: a maximum, a mark, or a denominator that depends on the order of a tie."""
TIED = st.lists(st.sampled_from([1.0, 2.0]), min_size=5, max_size=5)
JUDGED = st.dictionaries(st.sampled_from([*DOCS, "unseen", "other"]), st.integers(-1, 3), min_size=1)


def brute_force(judged: dict, scores: list[float], rules: dict) -> dict[str, list[float]]:
    """The defined values of each measure under every order that the scores allow."""
    values: dict[str, list[float]] = {name: [] for name in NAMES}
    for order in permutations(range(len(DOCS))):
        if all(scores[one] >= scores[other] for one, other in pairwise(order)):
            run = Run("r", {"q": Ranking([DOCS[at] for at in order])})
            found = values_of({"q": judged}, run, MEASURES, contract(**rules))
            for name, row in found.per_query.items():
                values[name] += [value for value in row if value is not None]
    return values


@pytest.mark.parametrize("rules", [{}, {"depth": 3}, {"unjudged": "condensed"}], ids=["plain", "depth", "condensed"])
@settings(max_examples=40)
@given(judged=JUDGED, scores=TIED)
def test_expected_is_the_mean_and_the_range_holds(rules: dict, judged: dict, scores: list[float]) -> None:
    """The expected value is the mean over all orders; lowest and highest value over all orders are the range."""
    run = Run("r", {"q": Ranking(DOCS, scores)})
    for name, values in brute_force(judged, scores, rules).items():
        try:
            found = values_of({"q": judged}, run, [parse(name)], contract(ties="expected", **rules))
        except rp.MeasureError:
            assert rules or parse(name).symbol in REFUSING[:3], name
            assert parse(name).symbol in REFUSING, name
            continue
        value, tie = found.per_query[name][0], found.ties[name]
        if not values:
            assert value is None
            continue
        assert value is not None
        mean = float(sum(map(Fraction, values)) / len(values))
        assert math.isclose(value, mean, abs_tol=1e-12), name
        if tie.lowest is not None and tie.highest is not None and tie.queries and "GMAP" not in name:  # it has a floor
            assert math.isclose(tie.lowest, min(values), abs_tol=1e-12), name
            assert math.isclose(tie.highest, max(values), abs_tol=1e-12), name
        if not tie.queries:
            assert math.isclose(min(values), max(values), abs_tol=1e-12), name


def test_maxima_refuse_expected_ties_by_name() -> None:
    """Interpolated precision takes a maximum: under expected ties it says so, and which rule would do."""
    with pytest.raises(rp.MeasureError, match=r"query q: IPrec@0.5 has no expected ties") as refused:
        rp.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}}, ["IPrec@0.5"], ties="expected")
    assert "IPrec(ties=document-id-descending)@0.5" in str(refused.value)
    settled = rp.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 0.5}}, ["IPrec@0.5"], ties="expected")
    assert settled.means["IPrec@0.5"] == 1.0


def test_a_measure_may_choose_its_own_tie_rule() -> None:
    """Beside expected ties one measure can keep a rule of its own."""
    found = rp.evaluate(
        {"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}}, ["RR", "RR(ties=document-id-ascending)"], ties="expected"
    )
    assert found.means == {"RR": 0.75, "RR(ties=document-id-ascending)": 1.0}


def test_a_long_tie_of_a_constant_scorer() -> None:
    """1,000 documents with one score, 3 relevant: expected P@10 is 3/1000, RR has the range 1/998 to 1."""
    run = {"q": {f"d{at:04d}": 0.5 for at in range(1000)}}
    found = rp.evaluate({"q": {"d0001": 1, "d0500": 1, "d0999": 1}}, run, ["P@10", "RR", "AP"], ties="expected")
    assert found.means["P@10"] == pytest.approx(3 / 1000)
    # the first of 3 among 1000 places stands at r with C(1000 - r, 2) / C(1000, 3)
    rr = sum(math.comb(1000 - rank, 2) / math.comb(1000, 3) / rank for rank in range(1, 999))
    assert found.means["RR"] == pytest.approx(rr, abs=1e-12)
    assert found.ties["RR"] == (1, pytest.approx(1 / 998), 1.0)


def test_a_tie_that_is_too_large_is_refused() -> None:
    """ERR of a long tie with many grades has too many orders: an error, not an hour."""
    judged = {f"d{at}": 1 + at % 7 for at in range(140)}
    run = {"q": dict.fromkeys([f"d{at}" for at in range(200)], 1.0)}
    with pytest.raises(rp.MeasureError, match="too many orders"):
        rp.evaluate({"q": judged}, run, ["ERR(max=7)"], ties="expected")
