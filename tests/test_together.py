"""Measures of many queries at once: the same bits as query by query."""

from __future__ import annotations

import io
from contextlib import nullcontext
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankproof.contract import Contract
from rankproof.errors import RankproofError
from rankproof.measures import MEASURES, Measure, parse
from rankproof.measures.together import TOGETHER, parts_of
from rankproof.model import Run, Stacked
from rankproof.outcome import outcomes
from rankproof.placements.arrays.scan import scan
from rankproof.placements.roads import allows_arrays
from rankproof.presets import PRESETS

NAMES = sorted(
    {example for measure in TOGETHER for example in measure.examples}
    | {"P@3", "R@3", "F@3", "Success@2", "RR@2", "AP@3", "nDCG@3", "DCG@2", "CG@2", "Judged@3", "Unjudged@3", "nDCG"}
)
CHANGES: tuple[dict[str, Any], ...] = (
    {},
    {"ties": "expected"},
    {"ties": "as-given"},
    {"score_precision": "single"},
    {"depth": 3},
    {"unjudged": "condensed"},
    {"negative_grade": "non-relevant"},
    {"missing_query": "skip"},
    {"no_relevant": "zero"},
    {"no_relevant": "error"},
    {"relevant_from": 2.0},
    {"gain": "exponential"},
    {"gain": "binary"},
    {"gain": "table", "gain_table": ((1, 3.0), (2, 1.0))},
    {"low_grade_gain": "zero", "relevant_from": 2.0},
    {"ideal": "retrieved"},
    {"ideal_depth": "whole"},
    {"ideal_depth": "returned"},
    {"precision_denominator": "returned"},
    {"recall_denominator": "capped"},
    {"ap_denominator": "capped"},
    {"ap_denominator": "retrieved"},
    {"judged_denominator": "cutoff"},
    {"zero_denominator": "zero"},
    {"summation": "sequential"},
)
DOCS = [f"d{at}" for at in range(9)]
GRADES = st.sampled_from([0, 1, 2, 3, -1])
QRELS = st.dictionaries(
    st.sampled_from(["1", "2", "3", "4"]),
    st.dictionaries(st.sampled_from(DOCS), GRADES, min_size=1),
    min_size=1,
)
ROWS = st.lists(
    st.tuples(st.sampled_from(["1", "2", "3", "5"]), st.sampled_from(DOCS), st.sampled_from(["3.5", "2.25", "1.0"])),
    min_size=1,
    unique_by=lambda one: one[:2],
)


def stacked_of(qrels: dict, rows: list[tuple], contract: Contract) -> Stacked | None:
    """The stacked placements of a run; None where the contract refuses it, or condenses it."""
    text = "".join(f"{query} Q0 {doc} 1 {score} t\n" for query, doc, score in rows).encode()
    opened = lambda: nullcontext(io.BytesIO(text))  # noqa: E731
    join = scan(opened, qrels, contract, Run("t", {}, "run"))
    return join.queries if join is not None and isinstance(join.queries, Stacked) else None


def found(measure: Measure, queries: Any, contract: Contract) -> object:
    """The values, bit by bit, and the reasons; or what is refused."""
    try:
        query_ids, values, reasons = outcomes(measure, queries, contract)
    except RankproofError as error:
        return sorted(map(str, error.faults))
    return dict(zip(query_ids, map(repr, values), strict=True)), dict(reasons)


def contracts() -> st.SearchStrategy[Contract]:
    """Those of the presets that can be scanned, each with one or two other answers."""
    bases = [one.contract for one in PRESETS.values() if allows_arrays(one.contract)]
    return st.builds(
        lambda base, one, other: base.with_rules(**one).with_rules(**other),
        st.sampled_from(bases),
        st.sampled_from(CHANGES),
        st.sampled_from(CHANGES),
    ).filter(lambda contract: contract.unjudged != "condensed")


@pytest.mark.untraced
@settings(max_examples=1500, deadline=None)
@given(QRELS, ROWS, contracts(), st.sampled_from(NAMES))
def test_all_queries_at_once_have_the_values_of_each(qrels: dict, rows: list, contract: Contract, name: str) -> None:
    """Values with all their bits, whole numbers, reasons and refusals are those of the measure's terms."""
    measure = parse(name)
    in_effect = measure.contract_in_effect(contract)
    stacked = stacked_of(qrels, rows, in_effect)
    if stacked is not None:
        assert found(measure, stacked, in_effect) == found(measure, dict(stacked), in_effect)


@pytest.mark.parametrize("measure", TOGETHER)
def test_the_table_holds_measures_of_this_package(measure: type[Measure]) -> None:
    """What is in the table is known by its symbol; each of its examples has parts."""
    assert MEASURES[measure.symbol] is measure
    stacked = stacked_of({"1": {"d1": 1}}, [("1", "d1", "1.0")], Contract())
    assert stacked is not None
    assert all(parts_of(parse(name), stacked, Contract()) is not None for name in measure.examples)


def test_another_measure_is_computed_query_by_query() -> None:
    """A measure that is not in the table has no parts, and its values all the same."""
    stacked = stacked_of({"1": {"d1": 3}}, [("1", "d1", "1.0")], Contract())
    assert stacked is not None
    assert parts_of(parse("ERR(max=3)@10"), stacked, Contract()) is None
    assert outcomes(parse("ERR(max=3)@10"), stacked, Contract()) == (("1",), [7 / 8], {})


def test_long_sums_have_their_order() -> None:
    """A thousand terms: sums from left to right and exact ones differ, and each is that of the terms."""
    qrels = {"1": {f"d{at}": 1 + at % 3 for at in range(1000)}}
    rows = [("1", f"d{at}", f"{2000 - at}.5") for at in range(1000)]
    sums = set()
    for summation in ("exact", "sequential"):
        contract = Contract(summation=summation)  # type: ignore[arg-type]
        stacked = stacked_of(qrels, rows, contract)
        for measure in map(parse, ("AP(rel=2)", "DCG", "nDCG(gain=exponential)")):
            assert found(measure, stacked, contract) == found(measure, dict(stacked or {}), contract)
            sums.add(repr(found(measure, stacked, contract)))
    assert len(sums) > 3
