"""The road of dicts and lists: whatever it places it places as the plain road does; what it cannot do it leaves."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankproof as rp
from rankproof.contract import Contract
from rankproof.errors import InputError, RankproofError
from rankproof.formats import as_qrels, as_runs
from rankproof.model import Held, HeldQrels, Ranking
from rankproof.placements import plain
from rankproof.placements.arrays import counted
from rankproof.placements.roads import allows_arrays
from rankproof.presets import PRESETS

IDS = st.sampled_from(["a", "b", "c", "d10", "d1", "d", "한", "\U0001f600", "\uffee"])
QUERIES = st.sampled_from(["1", "2", "3", "q"])
SCORES = st.sampled_from([3, 2.5, 2, 1e300, -1.0, 0.0, -0.0, 16777216.0, 16777217.0, float("inf"), float("nan"), True])
QRELS = st.dictionaries(QUERIES, st.dictionaries(IDS, st.integers(-1, 3)), min_size=1)
RUNS = st.one_of(
    st.dictionaries(QUERIES, st.dictionaries(IDS, SCORES), min_size=1),
    st.dictionaries(QUERIES, st.lists(IDS, unique=True), min_size=1),
    st.dictionaries(QUERIES, st.lists(IDS), min_size=1),
    st.dictionaries(QUERIES, st.one_of(st.dictionaries(IDS, SCORES), st.lists(IDS, unique=True)), min_size=1),
)
CONTRACTS = [one.contract for one in PRESETS.values() if allows_arrays(one.contract)] + [
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
    monkeypatch.setattr("rankproof.formats.held.MANY", 0)


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
@given(QRELS, RUNS, st.sampled_from(CONTRACTS), st.integers(1, 20))
def test_what_is_counted_is_what_is_sorted(qrels: dict, run: dict, contract: Contract, together: int) -> None:
    """Any dicts and lists, under any contract, however many at a time: the placements of the plain road, or none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counted, "_TOGETHER", together)
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
        {"1": "ab"},
        {"1": {"a", "b"}},
        {},
        [("1", "a", 1.0)],
    ],
)
def test_what_needs_a_second_look_is_read(run: Any) -> None:
    """Ids and scores of other types, or empty, in judged queries or in others: turned, or refused, as ever."""
    for qrels in ({"1": {"a": 1}}, {"2": {"a": 1}}, {"3": {"a": 1}}):
        told = []
        for lazily in (False, True):
            try:
                (found,), _ = as_runs(run, Contract(), lazily=lazily)
                assert counted.place(qrels, found, Contract()) is None
                told.append({query: found.rankings[query] for query in found.rankings})
            except RankproofError as error:
                told.append(str(error))
        assert told[0] == told[1]


class Name(str, Enum):  # noqa: UP042 - StrEnum would spell itself
    """Text with another spelling."""

    A = "a"


@pytest.mark.parametrize("grade", [1.0, True, "1", None, 2**60, np.int64(1)])
@pytest.mark.parametrize("doc", ["a", "", 1, Name.A, "\ud800"])
def test_other_judgments_are_looked_at(grade: Any, doc: Any) -> None:
    """Grades that are no whole numbers, or too large, and ids that are no text are turned or refused as ever."""
    run = {"1": {"a": 1.0}}
    (ranked,), _ = as_runs(run, Contract(), lazily=True)
    told = []
    for lazily in (False, True):
        try:
            found = as_qrels({"1": {doc: grade}}, Contract(), lazily=lazily)
            assert not lazily or counted.place(found, ranked, Contract()) is None
            told.append(dict(found))
        except RankproofError as error:
            told.append(str(error))
    assert told[0] == told[1]


def test_numbers_of_numpy_are_scores() -> None:
    """Scores as NumPy gives them are compared as the numbers they are."""
    run = {"1": {"a": np.float32(1.5), "b": np.float64(2.5), "c": np.int64(2)}}
    expected, found = both({"1": {"c": 1}}, run, Contract())
    assert found == expected
    assert found.queries["1"].ranks == [2]


def test_what_is_held_is_a_mapping() -> None:
    """Whoever asks for a ranking or judgments gets them, and what was passed stays as it was."""
    given_run, given_qrels = {"1": {"a": 1, "b": 2.0}, "2": ["c"]}, {"1": {"a": 1}, "2": {}}
    (run,), _ = as_runs(given_run, Contract(), lazily=True)
    qrels = as_qrels(given_qrels, Contract(), lazily=True)
    assert isinstance(run.rankings, Held)
    assert isinstance(qrels, HeldQrels)
    assert (list(run.rankings), len(run.rankings)) == (["1", "2"], 2)
    assert (list(qrels), len(qrels), "2" in qrels, "3" in qrels) == (["1", "2"], 2, True, False)
    assert run.rankings["1"] == Ranking(["a", "b"], [1.0, 2.0])
    assert run.rankings["2"] == Ranking(["c"])
    assert dict(qrels) == given_qrels == {"1": {"a": 1}, "2": {}}
    assert given_run == {"1": {"a": 1, "b": 2.0}, "2": ["c"]}


@pytest.mark.parametrize("where", ["judged", "unjudged"])
@pytest.mark.parametrize("score", [10**400, Fraction(10**400, 3)])
def test_scores_beyond_a_double_are_refused(where: str, score: Any) -> None:
    """A number that no double holds is told, wherever it stands."""
    run = {"judged": {"a": 1.0}, "unjudged": {"a": 1.0}}
    run[where] = {"a": score}
    with pytest.raises(InputError, match="expected a number"):
        rp.evaluate({"judged": {"a": 1}}, run)


def test_faults_of_judgments_and_run_are_told_by_evaluate() -> None:
    """What is held is read when something is wrong with it, and the message says where that is."""
    with pytest.raises(InputError, match="qrels: query 2, document b, column grade: grade 'x'"):
        rp.evaluate({"1": {"a": 1}, "2": {"b": "x"}}, {"1": {"a": 1.0}})
    with pytest.raises(InputError, match="run: query 2, document b, column score: score 'x'"):
        rp.evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}, "2": {"b": "x"}})


def test_evaluate_gives_the_same_however_it_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values, counts, ties and notes of `evaluate` do not depend on the road."""
    qrels = {str(query): {f"d{at}": at % 3 for at in range(query % 5)} for query in range(40)}
    run = {str(query): {f"d{at}": float(at * query % 7) for at in range(9)} for query in range(2, 44)}
    measures = ["nDCG@3", "AP", "RR@2", "P@3", "R@5", "Judged@3", "bpref", "NumRel", "NumQ"]
    found = rp.evaluate(qrels, run, measures)
    monkeypatch.setattr("rankproof.formats.held.MANY", 10**9)
    expected = rp.evaluate(qrels, run, measures)
    assert found.to_dict() == expected.to_dict()
    assert found.notes() == expected.notes()
    assert found.groups == expected.groups
