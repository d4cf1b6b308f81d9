"""Laws over the one table of measures: what holds for every measure, whatever its formula."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
from generators import DOCS, QRELS, RUNS, in_common, run_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rankproof.contract import Contract
from rankproof.errors import MeasureError
from rankproof.evaluate import evaluate, means_of, values_of
from rankproof.explain import explain
from rankproof.measures import Measure, known_measures, parse
from rankproof.model import Placements, Ranking, Run, Value
from rankproof.presets import PRESETS, contract
from rankproof.rules import rules

pytestmark = pytest.mark.untraced

EXAMPLES = [name for measure in known_measures().values() for name in measure.examples]
MEASURES = [parse(name) for name in EXAMPLES]


def of_one(measure: Measure, judged: dict, docs: list[str], given: Contract) -> Value:
    """Return the value of one ranking, given in order."""
    return values_of({"q": judged}, Run("r", {"q": Ranking(docs)}), [measure], given).per_query[str(measure)][0]


def lenient(preset: str, **rules: object) -> Contract:
    """A preset that refuses none of the generated inputs, which have no rank column."""
    order = "score" if PRESETS[preset].contract.order == "rank" else PRESETS[preset].contract.order
    return contract(preset, order=order, missing_query="zero", negative_grade="unjudged", **rules)


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=60)
@given(qrels=QRELS, run=RUNS)
def test_values_lie_in_their_range(preset: str, qrels: dict, run: dict) -> None:
    """A share lies from 0 to 1 (but for RBP of raw grades), a sum or a count from 0 up, under every preset."""
    assume(in_common(qrels, run))
    given = lenient(preset)
    found = values_of(qrels, run_of(run), MEASURES, given)
    for measure in MEASURES:
        for value in (*found.per_query[str(measure)], found.means[str(measure)]):
            if value is not None:
                assert value >= -1e-12, measure
                raw = measure.symbol == "RBP" and measure.contract_in_effect(given).rbp_gain == "raw"
                assert measure.most is None or raw or value <= measure.most + 1e-12, measure


def test_sums_and_counts_alone_have_no_most() -> None:
    """Sums of gains, and counts, go from 0 up; all others are shares, from 0 to 1."""
    without = {symbol for symbol, measure in known_measures().items() if measure.most is None}
    assert without == {"CG", "DCG", "NumQ", "NumRet", "NumRel", "NumRelRet", "NumNonrelRet"}
    assert {measure.most for measure in known_measures().values()} == {None, 1.0}


@settings(max_examples=100)
@given(qrels=QRELS, run=RUNS)
def test_names_do_not_matter(qrels: dict, run: dict) -> None:
    """Renaming queries and documents, in an order-preserving way, changes no value."""
    assume(in_common(qrels, run))

    def renamed(side: dict) -> dict:
        return {f"query-{q}": {f"doc {d}": x for d, x in docs.items()} for q, docs in side.items()}

    before = values_of(qrels, run_of(run), MEASURES, Contract())
    after = values_of(renamed(qrels), run_of(renamed(run)), MEASURES, Contract())
    assert [f"query-{query}" for query in before.query_ids] == list(after.query_ids)
    assert before.per_query == after.per_query
    assert before.means == after.means


@settings(max_examples=100)
@given(qrels=QRELS, run=RUNS, order=st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter(qrels: dict, run: dict, order) -> None:
    """A scored run is a set: neither the order of its lines nor that of the qrels changes a value."""
    assume(in_common(qrels, run))

    def shuffled(side: dict) -> dict:
        found = {query: dict(order.sample(list(docs.items()), len(docs))) for query, docs in side.items()}
        return dict(order.sample(list(found.items()), len(found)))

    before = values_of(qrels, run_of(run), MEASURES, Contract())
    after = values_of(shuffled(qrels), run_of(shuffled(run)), MEASURES, Contract())
    assert {query: before.of_query(query) for query in before.query_ids} == {
        query: after.of_query(query) for query in after.query_ids
    }
    assert before.means == after.means


NEVER_LOWER = [
    m for m in MEASURES if m.symbol not in ("infAP", "G", "EvidenceRate", "RBPResidual", "Judged", "Unjudged")
]
"""infAP estimates, G discounts by gains: both can fall; the others listed do not look at relevance."""


@settings(max_examples=200)
@given(
    judged=st.dictionaries(st.sampled_from(DOCS), st.integers(0, 3), min_size=1),
    docs=st.lists(st.sampled_from(DOCS), unique=True, min_size=2),
    data=st.data(),
)
def test_moving_a_better_document_up_never_lowers_a_value(judged: dict, docs: list[str], data) -> None:
    """Swapping a document with one of a lower grade directly above it never lowers a value."""
    pairs = [at for at in range(len(docs) - 1) if judged.get(docs[at + 1], 0) > judged.get(docs[at], 0)]
    assume(pairs)
    at = data.draw(st.sampled_from(pairs))
    swapped = [*docs[:at], docs[at + 1], docs[at], *docs[at + 2 :]]
    for measure in NEVER_LOWER:
        before, after = of_one(measure, judged, docs, Contract()), of_one(measure, judged, swapped, Contract())
        assert (before is None) == (after is None)
        if before is not None and after is not None:
            assert after >= before - 1e-12, measure


@settings(max_examples=100)
@given(
    judged=st.dictionaries(st.sampled_from(DOCS), st.integers(-1, 3), min_size=1),
    docs=st.lists(st.sampled_from(DOCS), unique=True),
    beyond=st.integers(0, 3),
)
def test_a_cutoff_at_the_depth_or_beyond_cuts_nothing(judged: dict, docs: list[str], beyond: int) -> None:
    """With the denominators that do not look at k, a cutoff at or beyond the depth of run and qrels changes nothing."""
    given = Contract(precision_denominator="returned", judged_denominator="returned")
    for measure in MEASURES:
        if measure.at_field == "cutoff":
            deep = replace(measure, cutoff=len(docs) + len(judged) + beyond + 1)  # type: ignore[call-arg]
            whole = replace(measure, cutoff=None)  # type: ignore[call-arg]
            assert of_one(deep, judged, docs, given) == of_one(whole, judged, docs, given), measure


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_name_reads_back(name: str) -> None:
    """parse(str(m)) == m, and the house spelling is printed as it is written."""
    assert str(parse(name)) == name
    assert parse(str(parse(name))) == parse(name)


class _Watching:
    """A contract that notes which rules are asked for."""

    def __init__(self, given: Contract) -> None:
        self.given = given
        self.asked: set[str] = set()

    def __getattr__(self, name: str) -> object:
        if name in rules():
            self.asked.add(name)
        return getattr(self.given, name)


def placements() -> Iterator[Placements]:
    yield Placements([1, 3, 4], [0, 2, 1], [2, 1, 1, 0], 5, repeats=[2], evidence=[1, 2])
    yield Placements([2], [3], [3], 2)
    yield Placements([], [], [1], 0)


def every_answer() -> Iterator[Contract]:
    """The house contract with each answer of each value rule in turn."""
    for name, rule in rules().items():
        for answer in rule.means if rule.stage == "value" else ():
            tabled = {"gain_table": {1: 3, 2: 1}} if answer == "table" else {}
            yield Contract().with_rules(**{name: answer}, **tabled)


@pytest.mark.parametrize("kind", known_measures().values(), ids=known_measures())
def test_a_measure_reads_the_rules_that_it_names(kind: type[Measure]) -> None:
    """`reads` is the truth: over all answers the formula asks for these rules of the contract, and for no others."""
    asked: set[str] = set()
    for at, answered, name in product(placements(), every_answer(), kind.examples):
        measure = parse(name)
        watching = _Watching(measure.contract_in_effect(answered))
        if measure.needs_relevant:
            measure.has_relevant(at, watching)  # type: ignore[arg-type]
        measure.value(at, watching)  # type: ignore[arg-type]
        for term in measure.terms(at, watching):  # type: ignore[arg-type]
            measure.parts(term, watching)  # type: ignore[arg-type]
        asked |= watching.asked
    assert asked - {"zero_denominator", "summation"} == set(kind.reads)


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=40)
@given(qrels=QRELS, run=RUNS, ties=st.sampled_from(["expected", "document-id-ascending"]))
def test_an_explanation_adds_up_to_the_value(preset: str, qrels: dict, run: dict, ties: str) -> None:
    """Explain gives the value of evaluate, for every measure, preset and tie rule; its amounts add up to it."""
    assume(in_common(qrels, run))
    given = lenient(preset, ties=ties)
    judged, placed = qrels, run_of(run)
    for name in EXAMPLES:
        try:
            values = evaluate(judged, placed, [name], given)
        except MeasureError:  # a denominator that depends on the order of a tie
            assert ties == "expected"
            continue
        for query, value in zip(values.query_ids, values.per_query[str(parse(name))], strict=True):
            found = explain(judged, placed, name, query, given)
            assert found.value == value
            if found.reason is None and value is not None:
                assert math.isclose((found.constant + found.total) / found.normaliser, value, abs_tol=1e-12)
            assert str(found)


@pytest.mark.parametrize("measure", MEASURES, ids=EXAMPLES)
def test_terms_keep_their_law(measure: Measure) -> None:
    """Terms come from the top down, and add up to the value."""
    for at in placements():
        given = measure.contract_in_effect(Contract())
        terms = list(measure.terms(at, given))
        assert [rank for rank, _, _ in terms] == sorted(rank for rank, _, _ in terms)
        value, normaliser = measure.value(at, given), measure.normaliser(at, given)
        if value is not None:
            total = measure.constant(at, given) + math.fsum(amount for _, _, amount in terms)
            assert math.isclose(value * normaliser, total, abs_tol=1e-12)


def test_every_measure_is_described() -> None:
    """A measure has a sentence, a formula, a source and examples; its first example is of this measure."""
    for symbol, measure in known_measures().items():
        assert measure.symbol == symbol
        assert measure.__doc__
        assert measure.__doc__.rstrip().endswith(".")
        assert measure.formula
        assert measure.source
        assert all(type(parse(name)) is measure for name in measure.examples)


@settings(max_examples=40)
@given(qrels=QRELS, run=RUNS)
def test_means_alone_are_those_beside_the_values(qrels: dict, run: dict) -> None:
    """Asked for by themselves, the means are those that stand beside each query's values."""
    assume(in_common(qrels, run))
    ranked, house = run_of(run), Contract()
    alone = means_of(qrels, ranked, MEASURES, house)
    assert {
        name: pytest.approx(mean) for name, mean in values_of(qrels, ranked, MEASURES, house).means.items()
    } == alone
