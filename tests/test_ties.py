"""Expected ties and the tie range, against brute force over every order that the scores allow."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankproof as rp
from rankproof.evaluate import values_of
from rankproof.measures import known_measures, parse
from rankproof.model import Placements, Ranking, Run
from rankproof.outcome import outcome
from rankproof.placements import place_query
from rankproof.presets import contract
from rankproof.values import TieRange

pytestmark = pytest.mark.untraced

DOCS = ["a", "b", "c", "d", "e"]
EXAMPLES = [name for measure in known_measures().values() for name in measure.examples]
SMALL = [f"{name.partition('@')[0]}@{k}" for name in EXAMPLES if "@" in name and "IPrec" not in name for k in (1, 2, 3)]
TABLED = ["nDCG(gain-table={1:3,2:1,3:2})@2", "DCG(gain-table={0:1,1:4,2:0})@3"]
NAMES = sorted(
    {str(parse(name)) for name in (*EXAMPLES, *SMALL, *TABLED)} - {"NumQ", "NumRet", "NumRel", "NumRel(rel=2)"}
)
MEASURES = [parse(name) for name in NAMES]
SCORES = st.lists(st.sampled_from([1.0, 2.0]), min_size=5, max_size=5)
JUDGED = st.dictionaries(st.sampled_from([*DOCS, "unseen", "other"]), st.integers(-1, 3), min_size=1)
RULES: dict[str, dict] = {
    "plain": {},
    "depth": {"depth": 3},
    "condensed": {"unjudged": "condensed"},
    "condensed to a depth": {"unjudged": "condensed", "depth": 3},
    "keep-first": {"duplicate_document": "keep-first"},
    "keep-last to a depth": {"duplicate_document": "keep-last", "depth": 3},
    "keep-first removed": {"duplicate_document": "keep-first", "duplicate_slot": "removed"},
}


def may_refuse(rules: dict) -> set[str]:
    """Return the measures that may refuse expected ties, by name."""
    found = {"IPrec", "IPrec11", "AP"}  # a maximum, and AP's denominator of those retrieved within k
    found |= {"nDCGRel", "RnDCG"}  # means over ranks, whose DCG depends on the order above
    found |= {"nDCG"} if "depth" in rules else set()  # the ideal of those retrieved
    found |= {"DuplicateRate", "Unjudged"} if "duplicate_document" in rules else set()  # repeats that cross k
    return {measure.symbol for measure in MEASURES} if "unjudged" in rules and "depth" in rules else found


def orders(scores: list[float]) -> Iterator[tuple[int, ...]]:
    """Every order of the entries that the scores allow."""
    for order in permutations(range(len(scores))):
        if all(scores[one] >= scores[other] for one, other in pairwise(order)):
            yield order


def brute_force(docs: list[str], judged: dict, scores: list[float], rules: dict) -> dict[str, list[float]]:
    """The defined values of each measure under every order: which copy counts is settled by the order as given."""
    counting = {"keep-first": 0, "keep-last": -1}.get(rules.get("duplicate_document", ""), 0)
    kept = {doc: [at for at, other in enumerate(docs) if other == doc][counting] for doc in docs}
    removed = rules.get("duplicate_slot") == "removed"
    named = {at: doc if kept[doc] == at else f"{doc} again {at}" for at, doc in enumerate(docs)}
    values: dict[str, list[float]] = {name: [] for name in NAMES}
    in_effect = [(str(one), one, one.contract_in_effect(contract(**rules))) for one in MEASURES]
    for order in orders(scores):
        copies = [named[at] for at in order if not (removed and kept[docs[at]] != at)]
        at = placements_of(judged, copies, rules)
        for name, measure, given_rules in in_effect:
            if (value := outcome(measure, at, given_rules).value) is not None:
                values[name].append(value)
    return values


def placements_of(judged: dict, copies: list[str], rules: dict) -> Placements:
    """Place an order in which repeats carry a name of their own, then mark them as repeats."""
    plain = {name: value for name, value in rules.items() if not name.startswith("duplicate")}
    at = place_query("q", judged, Run("r", {"q": Ranking(copies)}), contract(**plain))
    assert at is not None
    seen = copies[: at.returned] if "unjudged" not in plain else []
    return replace(at, repeats=[rank for rank, doc in enumerate(seen, 1) if " again " in doc])


@pytest.mark.parametrize("name_of_rules", RULES)
@settings(max_examples=20)
@given(judged=JUDGED, scores=SCORES, data=st.data())
def test_expected_is_the_mean_and_the_range_holds(name_of_rules: str, judged: dict, scores: list[float], data) -> None:
    """The expected value is the mean over all orders; lowest and highest value over all orders are the range."""
    rules = RULES[name_of_rules]
    copies = "duplicate_document" in rules
    docs = data.draw(st.lists(st.sampled_from(DOCS[:3]), min_size=5, max_size=5)) if copies else DOCS
    run = Run("r", {"q": Ranking(docs, scores)})
    for name, values in brute_force(docs, judged, scores, rules).items():
        try:
            found = values_of({"q": judged}, run, [parse(name)], contract(ties="expected", **rules))
        except rp.MeasureError:
            assert parse(name).symbol in may_refuse(rules), name
            continue
        value, tie = found.per_query[name][0], found.ties[name]
        if not values:
            assert value is None
            continue
        assert value is not None
        mean = float(sum(map(Fraction, values)) / len(values))
        assert math.isclose(value, mean, abs_tol=1e-12), name
        check_range(name, tie, values, found.means[name])


def check_range(name: str, tie: TieRange, values: list[float], mean: float | None) -> None:
    """Where a range is given it is exact; where ties are said to touch nothing, no order changes the value."""
    if not tie.queries:
        assert math.isclose(min(values), max(values), abs_tol=1e-12), name
    elif (
        tie.lowest is not None and tie.highest is not None and parse(name).over_queries != "geometric-mean"
    ):  # it has a floor
        assert mean is not None
        assert math.isclose(tie.lowest, min(values), abs_tol=1e-12), name
        assert math.isclose(tie.highest, max(values), abs_tol=1e-12), name


@settings(max_examples=25)
@given(judged=JUDGED, scores=SCORES, ties=st.sampled_from(["document-id-descending", "as-given", "expected"]))
def test_the_range_is_the_same_under_every_tie_rule(judged: dict, scores: list[float], ties: str) -> None:
    """The range looks at all orders, not at the one that the rule chose."""
    run = Run("r", {"q": Ranking(DOCS, scores)})
    for measure in MEASURES:
        found = []
        for rule in ("document-id-ascending", ties):
            try:
                found.append(values_of({"q": judged}, run, [measure], contract(ties=rule)).ties[str(measure)])
            except rp.MeasureError:
                assert ties == "expected"
        assert len({one.queries for one in found}) == 1, measure
        assert all(one[1:] == pytest.approx(found[0][1:], nan_ok=True) for one in found if one.lowest is not None), (
            measure
        )


def test_what_is_open_is_not_given() -> None:
    """Which of two copies ranks best is open, so no range is given; where repeats cross k, the mean is refused too."""
    run = {"q": [("a", 1.0), ("a", 1.0), ("b", 1.0)]}
    best = rp.evaluate({"q": {"a": 1}}, run, ["RR"], duplicate_document="keep-best")
    assert best.ties["RR"] == (1, None, None)
    rate = rp.evaluate({"q": {"z": 1}}, run, ["DuplicateRate"], duplicate_document="keep-first", ties="expected")
    assert rate.means["DuplicateRate"] == pytest.approx(1 / 3)
    crossing = {"q": [("a", 2.0), ("a", 1.0), ("b", 1.0)]}
    for measure in ("Unjudged@2", "DuplicateRate@2"):
        with pytest.raises(rp.MeasureError, match=f"{measure} has no expected ties here"):
            rp.evaluate({"q": {"z": 1}}, crossing, [measure], duplicate_document="keep-first", ties="expected")
        found = rp.evaluate({"q": {"z": 1}}, crossing, [measure], duplicate_document="keep-first")
        assert found.ties[measure] == (1, None, None)


def test_maxima_refuse_expected_ties_by_name() -> None:
    """Interpolated precision takes a maximum: under expected ties it says so, and which rule would do."""
    with pytest.raises(rp.MeasureError, match=r"query q: IPrec@0.5 has no expected ties here") as refused:
        rp.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}}, ["IPrec@0.5"], ties="expected")
    assert "IPrec(ties=document-id-descending)@0.5" in str(refused.value)
    settled = rp.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 0.5}}, ["IPrec@0.5"], ties="expected")
    assert settled.means["IPrec@0.5"] == 1.0


def test_marks_on_tied_judged_documents_count() -> None:
    """Two marked documents that tie, both within k: the evidence rate is 1 in every order, and so in the mean."""
    run = Run("r", {"q": Ranking(["a", "b"], [1.0, 1.0], evidence=[True, True])})
    found = rp.evaluate({"q": {"a": 1}}, run, ["EvidenceRate", "EvidenceRate@2"], ties="expected")
    assert list(found.means.values()) == [1.0, 1.0]
    explained = rp.explain({"q": {"a": 1}}, run, "EvidenceRate", "q", ties="expected")
    assert (explained.value, explained.total) == (1.0, 2.0)


def test_the_range_where_this_order_divides_nothing() -> None:
    """AP over those retrieved within 1 is 0/0 in one order, 1 in the other: no range is known, but it is said."""
    run = {"q": {"b": 1.0, "a": 1.0}}
    for rule in ("zero", "undefined"):
        found = rp.evaluate({"q": {"a": 1}}, run, ["AP(ap-denominator=retrieved)@1"], zero_denominator=rule)
        assert found.ties["AP(ap-denominator=retrieved)@1"] == (1, None, None)
    nowhere = rp.evaluate({"q": {"z": 1, "a": 0}}, run, ["AP(ap-denominator=retrieved)"])
    assert nowhere.ties["AP(ap-denominator=retrieved)"].queries == 0


def test_a_long_tie_with_many_relevant_takes_no_time() -> None:
    """Of 4,000 tied documents half are relevant: RR is expected as in an urn with half the balls red, near ln 2."""
    judged = {f"d{at}": 1 for at in range(2000)}
    run = {"q": dict.fromkeys([*judged, *(f"n{at}" for at in range(2000))], 1.0)}
    found = rp.evaluate({"q": judged}, run, ["RR"], ties="expected").means["RR"]
    chance, rr = Fraction(1), Fraction(0)
    for rank in range(1, 60):  # the rest is below 2^-59
        left = 4000 - rank + 1
        rr += chance * Fraction(2000, left) / rank
        chance *= Fraction(left - 2000, left)
    assert found == pytest.approx(float(rr), abs=1e-12)


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
    """InfAP of a long tie has too many sets above: an error, not an hour. A cutoff keeps ERR within reach."""
    judged = {f"d{at}": 1 + at % 3 for at in range(140)} | {f"n{at}": 0 for at in range(60)}
    run = {"q": dict.fromkeys(judged, 1.0)}
    with pytest.raises(rp.MeasureError, match="infAP has no expected ties here: a tie of 200 documents has too many"):
        rp.evaluate({"q": judged}, run, ["infAP"], ties="expected")
    found = rp.evaluate({"q": judged}, run, ["ERR(max=3)@2"], ties="expected").means["ERR(max=3)@2"]
    stops = [(2**grade - 1) / 8 for grade in judged.values()]
    first = math.fsum(stops) / 200
    second = math.fsum((1 - one) * (math.fsum(stops) - one) / 199 for one in stops) / 200 / 2
    assert found == pytest.approx(first + second, abs=1e-12)
