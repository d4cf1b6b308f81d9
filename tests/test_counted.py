"""The road of dicts and lists: whatever it places it places as the plain road does; what it cannot do it leaves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankproof as rp
from rankproof.contract import Contract
from rankproof.errors import RankproofError
from rankproof.formats import as_qrels, as_runs
from rankproof.model import Held
from rankproof.placements import plain
from rankproof.placements.arrays import counted
from rankproof.placements.roads import can_be_arrays
from rankproof.presets import PRESETS

IDS = st.sampled_from(["a", "b", "c", "d10", "d1", "d", "한", "\U0001f600", "\uffee"])
QUERIES = st.sampled_from(["1", "2", "3", "q"])
SCORES = st.sampled_from([3, 2.5, 2, 1e300, -1.0, 0.0, -0.0, 16777216.0, 16777217.0, float("inf"), float("nan"), True])
QRELS = st.dictionaries(QUERIES, st.dictionaries(IDS, st.integers(-1, 3)), min_size=1)
RUNS = st.one_of(
    st.dictionaries(QUERIES, st.dictionaries(IDS, SCORES), min_size=1),
    st.dictionaries(QUERIES, st.lists(IDS, unique=True), min_size=1),
    st.dictionaries(QUERIES, st.lists(IDS), min_size=1),
)
CONTRACTS = [one.contract for one in PRESETS.values() if can_be_arrays(one.contract)] + [
    Contract(ties="expected"),
    Contract(ties="as-given"),
    Contract(unjudged="condensed"),
    Contract(depth=2),
    Contract(depth=2, unjudged="condensed", score_precision="single"),
    Contract(missing_query="error"),
    Contract(missing_query="skip"),
    Contract(unjudged_query="error"),
    Contract(negative_grade="non-relevant"),
]


@pytest.fixture(autouse=True)
def however_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """The road is taken for few results too."""
    monkeypatch.setattr("rankproof.formats.objects.MANY", 0)


def both(qrels: dict, run: Any, contract: Contract) -> tuple[Any, Any]:
    """What the plain road says of the copies that are read, None where it refuses them; and what this one says."""
    try:
        (copied,), _ = as_runs(run, contract)
        expected = plain.place(as_qrels(qrels, contract), copied, contract)
    except RankproofError:
        expected = None
    try:
        (kept,), _ = as_runs(run, contract, lazily=True)
        found = counted.place(as_qrels(qrels, contract, lazily=True), kept, contract)
    except RankproofError:
        found = None
    return expected, found if found is None else replace(found, queries=dict(found.queries))


@settings(max_examples=1000, deadline=None)
@given(QRELS, RUNS, st.sampled_from(CONTRACTS))
def test_what_is_counted_is_what_is_sorted(qrels: dict, run: dict, contract: Contract) -> None:
    """Any dicts and lists, under any contract: the placements of the plain road, or none."""
    expected, found = both(qrels, run, contract)
    parts = run.values()
    odd = any(
        "nan" in map(repr, part.values()) if isinstance(part, dict) else len(set(part)) < len(part) for part in parts
    )
    assert found == expected if not odd else found is None or found == expected


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from([float(at) for at in range(60)]), min_size=65, max_size=120),
    st.integers(1, 100),
    st.sampled_from(CONTRACTS),
)
def test_long_rankings(scores: list[float], judged: int, contract: Contract) -> None:
    """Of a long ranking with many ties some are judged: the same placements, and they are counted."""
    run = {"1": {f"d{at}": score for at, score in enumerate(scores)}, "2": {"d0": 1.0}}
    expected, found = both({"1": {f"d{at}": at % 3 for at in range(judged)}, "2": {"d0": 1}}, run, contract)
    assert found is not None
    assert found == expected


@pytest.mark.parametrize(
    "run",
    [
        {"1": {1: 2.0, "a": 1.0}},
        {"1": {"": 2.0}},
        {"1": {"\ud800": 2.0}},
        {"1": {"a": "2.0"}},
        {"1": {"a": None}},
        {"1": {"a": [2.0]}},
        {"1": ["a", 2]},
        {"1": ["a", ("b", 1.0)]},
        {"1": [["a", 1.0]]},
        {1: {"a": 2.0}},
        {"": {"a": 2.0}},
        {"1": {"a": 1.0}, "2": ["a"]},
        {"1": "ab"},
        {"1": {"a", "b"}},
        {},
        [("1", "a", 1.0)],
    ],
)
def test_what_needs_a_second_look_is_not_held(run: Any) -> None:
    """Ids and scores of other types, or empty: the reader has to turn them, or to refuse them."""
    try:
        (found,), _ = as_runs(run, Contract(), lazily=True)
    except RankproofError:
        return
    assert not isinstance(found.rankings, Held)


@pytest.mark.parametrize("grade", [1.0, True, "1", None, 2**60, np.int64(1)])
def test_other_grades_are_looked_at(grade: Any) -> None:
    """Grades that are no whole numbers, or too large, are turned or refused as ever."""
    qrels = {"1": {"a": grade}}
    try:
        found = as_qrels(qrels, Contract(), lazily=True)
    except RankproofError:
        return
    assert found is not qrels
    assert found == as_qrels(qrels, Contract())


def test_numbers_of_numpy_are_scores() -> None:
    """Scores as NumPy gives them are compared as the numbers they are."""
    run = {"1": {"a": np.float32(1.5), "b": np.float64(2.5), "c": np.int64(2)}}
    expected, found = both({"1": {"c": 1}}, run, Contract())
    assert found == expected
    assert found.queries["1"].ranks == [2]


def test_held_rankings_are_a_mapping() -> None:
    """Whoever asks for a ranking gets it, and what was passed stays as it was."""
    given_run = {"1": {"a": 1, "b": 2.0}, "2": ["c"]}
    held = Held(given_run)
    assert (list(held), len(held)) == (["1", "2"], 2)
    assert (held["1"].doc_ids, held["1"].scores, held["2"].scores) == (["a", "b"], [1.0, 2.0], None)
    assert given_run == {"1": {"a": 1, "b": 2.0}, "2": ["c"]}


def test_evaluate_gives_the_same_however_it_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values, counts, ties and notes of `evaluate` do not depend on the road."""
    qrels = {str(query): {f"d{at}": at % 3 for at in range(query % 5)} for query in range(40)}
    run = {str(query): {f"d{at}": float(at * query % 7) for at in range(9)} for query in range(2, 44)}
    measures = ["nDCG@3", "AP", "RR@2", "P@3", "R@5", "Judged@3", "bpref", "NumRel", "NumQ"]
    found = rp.evaluate(qrels, run, measures)
    monkeypatch.setattr("rankproof.formats.objects.MANY", 10**9)
    expected = rp.evaluate(qrels, run, measures)
    assert found.to_dict() == expected.to_dict()
    assert found.notes() == expected.notes()
    assert found.groups == expected.groups
