"""Placing rules, one by one, on rankings small enough to place by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest
from generators import DOCS
from hypothesis import given, settings
from hypothesis import strategies as st

from rankproof.contract import Contract
from rankproof.errors import ContractError
from rankproof.model import Placements, Ranking, Run, Tie
from rankproof.placements import place

NAN = float("nan")


def placed(
    judged: Mapping[str, float],
    docs: list[str],
    scores: list[float] | None = None,
    ranks: list[int] | None = None,
    evidence: list[bool] | None = None,
    **rules: Any,
) -> Placements:
    """Return the placements of one query, q."""
    run = Run("r", {"q": Ranking(docs, scores, ranks, evidence)})
    return place({"q": judged}, run, Contract(**rules), with_doc_ids=True).queries["q"]


def at(found: Placements) -> dict[str, int]:
    """Return where each placed document stands."""
    return dict(zip(found.doc_ids or (), found.ranks, strict=True))


JUDGED = {"a": 1, "b": 2, "c": 0, "d": -1}


def test_rank_is_one_plus_the_greater_scores() -> None:
    """Only judged documents are placed; the pool holds every listed grade, highest first."""
    found = placed(JUDGED, ["x", "a", "b", "d"], [4.0, 1.0, 3.0, 2.0])
    assert at(found) == {"b": 2, "d": 3, "a": 4}
    assert (found.grades, found.pool, found.returned) == ([2, -1, 1], [2, 1, 0, -1], 4)


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({"order": "score"}, {"a": 2, "b": 1, "c": 3}),
        ({"order": "rank"}, {"a": 1, "b": 3, "c": 2}),
        ({"order": "position"}, {"c": 1, "a": 2, "b": 3}),
    ],
)
def test_order(rules: dict, expected: dict) -> None:
    """Scores, the rank column, or the order given."""
    assert at(placed(JUDGED, ["c", "a", "b"], [1.0, 2.0, 3.0], [2, 1, 3], **rules)) == expected


def test_order_by_rank_needs_ranks() -> None:
    """A scored run without a rank column cannot be ordered by rank; a plain list is in ranked order already."""
    assert at(placed(JUDGED, ["b", "a"], order="rank")) == {"b": 1, "a": 2}
    with pytest.raises(ContractError, match="query q: has no rank column to order by"):
        placed(JUDGED, ["a"], [1.0], order="rank")


@pytest.mark.parametrize(
    ("ties", "expected"),
    [
        ("document-id-descending", {"é": 1, "b": 2, "a": 3}),
        ("document-id-ascending", {"a": 1, "b": 2, "é": 3}),
        ("as-given", {"b": 1, "é": 2, "a": 3}),
        ("unspecified", {"b": 1, "é": 2, "a": 3}),
    ],
)
def test_ties(ties: str, expected: dict) -> None:
    """Equal scores go by the bytes of the ids, either way, or as given; the tie itself is noted."""
    found = placed({"a": 1, "b": 2, "é": 3}, ["b", "é", "a"], [1.0, 1.0, 1.0], ties=ties)
    assert at(found) == expected
    assert list(found.ties) == [Tie(1, 3, (3, 2, 1))]


def test_equal_ranks_are_ties_too() -> None:
    """Under order = rank equal ranks go by the tie rule."""
    found = placed(JUDGED, ["b", "a"], [1.0, 2.0], [1, 1], order="rank", ties="document-id-ascending")
    assert at(found) == {"a": 1, "b": 2}


def test_ties_are_noted_only_where_they_touch_a_judged_document() -> None:
    """A tie among unjudged documents changes nothing, and is not kept."""
    assert placed({"a": 1}, ["x", "y", "a"], [2.0, 2.0, 1.0]).ties == []


def test_score_precision() -> None:
    """16777217 and 16777216 are one number in single precision."""
    docs, scores = ["a", "b"], [16777217.0, 16777216.0]
    assert at(placed(JUDGED, docs, scores)) == {"a": 1, "b": 2}
    assert at(placed(JUDGED, docs, scores, score_precision="single")) == {"b": 1, "a": 2}
    assert at(placed(JUDGED, docs, [1e300, 1e200], score_precision="single")) == {"b": 1, "a": 2}


def test_nan_scores() -> None:
    """NaN is refused with its document, or comes last, tied with other NaNs."""
    docs, scores = ["a", "b", "c", "x"], [NAN, float("-inf"), NAN, 0.5]
    with pytest.raises(ContractError, match="query q, document a: has the score NaN; expected a number"):
        placed(JUDGED, docs, scores)
    found = placed(JUDGED, docs, scores, nan_score="last")
    assert at(found) == {"b": 2, "c": 3, "a": 4}
    assert list(found.ties) == [Tie(3, 4, (1, 0))]


def test_non_positive_scores() -> None:
    """Scores of 0 or less may count as not retrieved."""
    found = placed(JUDGED, ["a", "b", "c"], [0.0, 0.1, -1.0], non_positive_score="drop")
    assert (at(found), found.returned) == ({"b": 1}, 1)


def test_own_document() -> None:
    """A document with the query's id may be taken out before anything else."""
    judged = {"q": 1, "a": 1}
    assert at(placed(judged, ["q", "a"], [2.0, 1.0])) == {"q": 1, "a": 2}
    found = placed(judged, ["q", "a"], [2.0, 1.0], own_document="remove")
    assert (at(found), found.returned, found.pool) == ({"a": 1}, 1, [1, 1])


DUPLICATES = [
    # rule, slot: ranks, repeats, of a 1.0 · b 3.0 · a 4.0 · c 2.0 · a 0.5, that is a b c a a
    ("keep-first", "occupies", {"b": 2, "c": 3, "a": 4}, [1, 5]),
    ("keep-best", "occupies", {"a": 1, "b": 2, "c": 3}, [4, 5]),
    ("keep-last", "occupies", {"b": 2, "c": 3, "a": 5}, [1, 4]),
    ("keep-first", "removed", {"b": 1, "c": 2, "a": 3}, []),
    ("keep-best", "removed", {"a": 1, "b": 2, "c": 3}, []),
    ("keep-last", "removed", {"b": 1, "c": 2, "a": 3}, []),
    ("unchecked", "occupies", {"b": 2, "c": 3, "a": 5}, []),
]


@pytest.mark.parametrize(("rule", "slot", "expected", "repeats"), DUPLICATES)
def test_duplicates(rule: str, slot: str, expected: dict, repeats: list[int]) -> None:
    """Which place of a repeated document counts, and whether its repeats use up ranks."""
    docs, scores = ["a", "b", "a", "c", "a"], [1.0, 3.0, 4.0, 2.0, 0.5]
    found = placed(JUDGED, docs, scores, duplicate_document=rule, duplicate_slot=slot)
    assert at(found) == expected
    assert list(found.repeats) == repeats
    assert found.returned == (5 if slot == "occupies" else 3)


def test_duplicates_are_refused() -> None:
    """By default a document that stands twice is an error that names it and both places."""
    with pytest.raises(
        ContractError, match=r"query q, document x: stands twice: no\. 1 and no\. 3 of the query's results"
    ):
        placed(JUDGED, ["x", "a", "x"], [3.0, 2.0, 1.0])


def test_best_of_tied_duplicates_is_open_under_expected_ties() -> None:
    """Two copies with one score: which one ranks best depends on the order of the tie."""
    with pytest.raises(ContractError, match="stands twice with the same score"):
        placed(JUDGED, ["a", "a"], [1.0, 1.0], duplicate_document="keep-best", ties="expected")


def test_depth() -> None:
    """Beyond the depth nothing is seen; repeats before it use up places."""
    docs = ["a", "a", "b", "c"]
    found = placed(JUDGED, docs, evidence=[True, True, False, True], duplicate_document="keep-first", depth=3)
    assert (at(found), list(found.repeats), found.evidence, found.returned) == ({"a": 1, "b": 3}, [2], [1, 2], 3)
    tied = placed({"a": 1, "b": 1}, ["a", "b"], [1.0, 1.0], depth=1)
    assert (at(tied), list(tied.ties)) == ({"b": 1}, [Tie(1, 2, (1, 1))])


def test_condensed() -> None:
    """The unjudged are taken out, after the depth: judged documents and their repeats move up."""
    docs = ["x", "a", "d", "a", "y", "b", "c"]
    marks = [True, True, False, False, False, False, True]
    rules = {"unjudged": "condensed", "duplicate_document": "keep-first"}
    found = placed(JUDGED, docs, evidence=marks, **rules)
    assert at(found) == {"a": 1, "b": 3, "c": 4}
    assert (list(found.repeats), found.evidence, found.returned) == ([2], [1, 4], 4)
    assert at(placed(JUDGED, docs, **rules, negative_grade="non-relevant")) == {"a": 1, "d": 2, "b": 4, "c": 5}
    assert at(placed(JUDGED, docs, **rules, depth=5)) == {"a": 1}


def test_condensed_ties_shrink() -> None:
    """A tie keeps only its judged documents; with one left it is none."""
    found = placed(JUDGED, ["x", "a", "b", "c", "y"], [2.0, 2.0, 1.0, 1.0, 1.0], unjudged="condensed")
    assert list(found.ties) == [Tie(2, 3, (2, 0))]
    crossing = placed({"a": 1, "z": 0}, ["z", "a", "u", "v"], [2.0, 1.0, 1.0, 1.0], unjudged="condensed", depth=2)
    assert [tie.last > crossing.returned for tie in crossing.ties] == [True]


def test_repeats_of_the_unjudged_are_condensed_too() -> None:
    """A repeat of a document with a negative grade goes with it."""
    found = placed({"c": -1, "d": 1}, ["c", "c", "d"], unjudged="condensed", duplicate_document="keep-first")
    assert (at(found), list(found.repeats), found.returned) == ({"d": 1}, [], 1)


def test_negative_grades() -> None:
    """Pooled but unjudged, judged non-relevant, or refused."""
    assert placed(JUDGED, ["d"]).grades == [-1]
    assert placed(JUDGED, ["d"], negative_grade="non-relevant").grades == [0]
    assert placed(JUDGED, ["d"], negative_grade="non-relevant").pool == [2, 1, 0, 0]
    with pytest.raises(
        ContractError, match="query q, document d, column grade: grade -1; expected a grade of 0 or more"
    ):
        placed(JUDGED, ["d"], negative_grade="error")


RUN = Run("r", {"here": Ranking(["a"]), "extra": Ranking(["a"])})
QRELS = {"here": {"a": 1}, "gone": {"a": 1}, "hollow": {"a": 0}}


@pytest.mark.parametrize(
    ("missing", "no_relevant", "expected"),
    [
        ("zero", "skip", ["here", "gone", "hollow"]),
        ("skip", "skip", ["here"]),
        ("skip", "zero", ["here"]),
        ("error", "skip", "gone"),
        ("error", "zero", "gone"),
    ],
)
def test_missing_queries(missing: str, no_relevant: str, expected: object) -> None:
    """An absent query is an empty ranking, left out, or refused; without relevant documents it is that first."""
    given = Contract(missing_query=missing, no_relevant=no_relevant)  # type: ignore[arg-type]
    if isinstance(expected, str):
        with pytest.raises(ContractError, match="query gone: judged, but absent from the run") as refused:
            place(QRELS, RUN, given)
        assert ("hollow" in str(refused.value)) == (no_relevant == "zero")
        return
    join = place(QRELS, RUN, given)
    assert list(join.queries) == expected
    assert (join.missing, join.unjudged) == (("gone", "hollow"), ("extra",))


def test_unjudged_queries_may_be_refused() -> None:
    """A query of the run without judgments is left out, or an error."""
    with pytest.raises(ContractError, match="query extra: in the run, but without judgments"):
        place(QRELS, RUN, Contract(unjudged_query="error"))


def test_no_query_in_common() -> None:
    """Not one query on both sides is an error that shows how each side's ids begin."""
    with pytest.raises(
        ContractError, match="no query in common with the qrels: the qrels begin with '01', the run with '1'"
    ):
        place({"01": {"a": 1}}, Run("r", {"1": Ranking(["a"])}), Contract())


@settings(max_examples=300)
@given(
    docs=st.lists(st.sampled_from(DOCS), unique=True, max_size=8),
    scores=st.lists(st.sampled_from([0.0, 1.0, 1.0 + 1e-9, 2.0, -1.0]), min_size=8, max_size=8),
    precision=st.sampled_from(["single", "double"]),
    ties=st.sampled_from(["document-id-descending", "document-id-ascending", "as-given"]),
)
def test_counting_equals_sorting(docs: list[str], scores: list[float], precision: str, ties: str) -> None:
    """Ranks found by counting are those of a full sort by score, then by the tie rule."""
    judged = dict.fromkeys(DOCS, 1)
    found = placed(judged, docs, scores[: len(docs)], score_precision=precision, ties=ties)
    rows = list(zip(docs, scores, range(len(docs)), strict=False))
    if precision == "single":
        rows = [(doc, float(f"{score:.6g}"), n) for doc, score, n in rows]
    by_id = sorted(rows, key=lambda row: row[0].encode(), reverse=ties == "document-id-descending")
    by_tie = sorted(rows, key=lambda row: row[2]) if ties == "as-given" else by_id
    ordered = sorted(by_tie, key=lambda row: -row[1])
    assert at(found) == {doc: rank for rank, (doc, _, _) in enumerate(ordered, 1)}


@settings(max_examples=200)
@given(
    docs=st.lists(st.sampled_from(DOCS[:4]), max_size=7),
    depth=st.sampled_from([None, 1, 3]),
    judged=st.dictionaries(st.sampled_from(DOCS[:4]), st.integers(-1, 2), min_size=1),
)
def test_placements_are_consistent(docs: list[str], depth: int | None, judged: dict) -> None:
    """Ranks ascend, lie within what returned, and no place is taken twice; nothing passed is changed."""
    before = (list(docs), dict(judged))
    for rule, slot, unjudged in product(
        ("keep-first", "keep-best", "keep-last"), ("occupies", "removed"), ("non-relevant", "condensed")
    ):
        found = placed(judged, docs, duplicate_document=rule, duplicate_slot=slot, unjudged=unjudged, depth=depth)
        places = [*found.ranks, *found.repeats]
        assert list(found.ranks) == sorted(found.ranks)
        assert len(set(places)) == len(places)
        assert all(1 <= rank <= found.returned for rank in places)
        assert found.returned <= (math.inf if depth is None else depth)
        if slot == "removed":
            assert not found.repeats
    assert (docs, judged) == before
