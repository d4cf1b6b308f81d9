"""The functions of a course, and a search function under test."""

from __future__ import annotations

import threading

import pytest

import rankproof as rp

JUDGMENTS = [
    rp.Judgment("q1", "first", "a", 1),
    rp.Judgment("q1", "first", "b", 0),
    rp.Judgment("q2", "second", "c", 3),
]


def found(text: str, k: int) -> list[str]:
    """A search function that knows both queries."""
    return {"first": ["b", "a", "x"], "second": ["c", "x", "y"]}[text][:k]


def test_documents_that_come_twice_count_once() -> None:
    """A repeat counts once, at its first place, and keeps its place."""
    assert rp.precision_at_k(["a", "a", "b"], {"a", "b"}, 3) == pytest.approx(2 / 3)
    assert rp.average_precision(["a", "a", "b"], {"a", "b"}) == pytest.approx((1 + 2 / 3) / 2)


def test_sets_are_no_rankings() -> None:
    """A set has no order: neither the functions nor a search function may give one; a dict gives scores."""
    with pytest.raises(rp.InputError, match="holds a set, which has no order"):
        rp.precision_at_k({"a", "b"}, {"a"}, 1)  # type: ignore[arg-type]
    result = rp.evaluate_search(lambda text, k: {"a", "b"} if text == "first" else found(text, k), JUDGMENTS)
    assert "which has no order" in result.errors["q1"]
    scored = rp.evaluate_search(
        lambda text, k: {"a": 0.1, "x": float(len(text) * k)}, JUDGMENTS, "RR", contract="rankproof"
    )
    assert scored.means == {"RR": 0.25}


def test_nothing_relevant_or_retrieved_is_zero() -> None:
    """Recall and AP are 0 when nothing is relevant; P divides by k, however little came back."""
    assert rp.recall_at_k(["a"], set(), 3) == 0.0
    assert rp.average_precision([], {"a"}) == 0.0
    assert rp.reciprocal_rank(["a"], set()) == 0.0
    assert rp.precision_at_k(["a"], {"a"}, 4) == 0.25
    assert rp.ndcg_at_k([], 3) == 0.0
    assert rp.ndcg_at_k([0, 0], 3) == 0.0


def test_means_over_queries() -> None:
    """MAP and MRR are plain means over (retrieved, relevant) pairs."""
    queries = [(["a", "b"], {"b"}), (["a"], {"a"}), ([], {"a"})]
    assert rp.mean_average_precision(queries) == pytest.approx((0.5 + 1 + 0) / 3)
    assert rp.mean_reciprocal_rank(queries) == pytest.approx((0.5 + 1 + 0) / 3)
    with pytest.raises(rp.InputError, match="there are no queries"):
        rp.mean_reciprocal_rank([])


def test_dcg() -> None:
    """DCG adds gain over log2(rank + 1); missed documents enter the ideal."""
    assert rp.dcg_at_k([3, 0, 1], 3) == pytest.approx(3 + 1 / 2)
    assert rp.dcg_at_k([3, 0, 1], 3, gain="exponential") == pytest.approx(7 + 1 / 2)
    assert rp.ndcg_at_k([1], 1, missed=[2]) == 0.5


def test_evaluate_search() -> None:
    """Each judged query is asked once; the values, the run and the seconds come back."""
    asked: list[tuple[str, int]] = []

    def search(text: str, k: int) -> list[str]:
        asked.append((text, k))
        return found(text, k)

    result = rp.evaluate_search(search, JUDGMENTS, ["RR", "P@2"], k=2)
    assert asked == [("first", 2), ("second", 2)]
    assert result.values.per_query == {"RR": (0.5, 1.0), "P@2": (0.5, 0.5)}
    assert result.run.rankings["q1"].doc_ids == ["b", "a"]
    assert set(result.seconds) == {"q1", "q2"}
    assert result.errors == {}
    assert "2 queries asked in" in repr(result)


def test_evaluate_search_takes_scores_and_tuples() -> None:
    """(id, score) pairs are results too, plain tuples are judgments; the order given ranks, as courses have it."""

    def scored(text: str, k: int) -> list[tuple[str, float]]:
        return [(f"{text}-none", 0.0), ("a", 0.1), ("b", 0.9)][1 : k + 1]

    result = rp.evaluate_search(scored, [("q", "text", "a", 1)], ["RR"])
    assert result.means == {"RR": 1.0}
    by_score = rp.evaluate_search(scored, [("q", "text", "a", 1)], ["RR"], 5, "rankproof")
    assert by_score.means == {"RR": 0.5}


def test_a_query_that_fails_is_reported() -> None:
    """A search that raises, or returns what is no list of documents, does not stop the others."""

    def search(text: str, k: int) -> object:
        if text == "first":
            raise TimeoutError("no answer")
        return found(text, k)

    for broken in (search, lambda text, k: 5 if text == "first" else found(text, k)):
        result = rp.evaluate_search(broken, JUDGMENTS, ["RR"])
        assert list(result.errors) == ["q1"]
        assert result.means == {"RR": 0.5}
        assert result.values.groups["missing"] == ["q1"]
    assert "query q1 failed: TypeError" in repr(result)
    skipped = rp.evaluate_search(search, JUDGMENTS, ["RR"], contract="trec_eval-9")
    assert skipped.means == {"RR": 1.0}
    with pytest.raises(rp.InputError, match=r"query q1: the search failed for all 2 queries; here: KeyError: 'first'"):
        rp.evaluate_search(lambda text, k: {k: text}[text], JUDGMENTS)


def test_threads_give_the_same_result() -> None:
    """Several threads ask at once; the result is in the order of the judgments all the same."""
    both = threading.Barrier(2, timeout=30)

    def search(text: str, k: int) -> list[str]:
        both.wait()
        return found(text, k)

    result = rp.evaluate_search(search, JUDGMENTS, ["RR"], threads=2)
    assert list(result.run.rankings) == ["q1", "q2"]
    assert result.values.per_query == {"RR": (0.5, 1.0)}


def test_progress_is_shown_on_stderr(capsys, monkeypatch) -> None:
    """A bar where it is asked for, or stderr is a terminal; none otherwise."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    rp.evaluate_search(found, JUDGMENTS, progress=True)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "asking" in shown.err
    rp.evaluate_search(found, JUDGMENTS)
    assert capsys.readouterr().err == ""


def test_wrong_arguments() -> None:
    """No threads at all are refused; one measure may stand without a list."""
    with pytest.raises(rp.InputError, match="threads cannot be 0"):
        rp.evaluate_search(found, JUDGMENTS, threads=0)
    assert rp.evaluate_search(found, JUDGMENTS, "RR").means == {"RR": 0.75}
    assert rp.evaluate_search(found, JUDGMENTS, "RR", contract="rankproof", relevant_from=2).means == {"RR": 1.0}


def test_judgments_that_contradict_each_other() -> None:
    """Two texts for a query, two grades for a document, rows that are no judgments, none at all."""
    for judgments, message in [
        ([*JUDGMENTS, rp.Judgment("q1", "other", "c", 1)], "query q1: two texts: 'first' and 'other'"),
        (
            [*JUDGMENTS, rp.Judgment("q1", "first", "a", 0)],
            "query q1, document a: judged twice: grade 0 here, 1 before",
        ),
        ([("q1", "a", 1)], "judgment no. 1 is"),
        ([5], "judgment no. 1 is 5"),
        ([], "there are no judgments"),
    ]:
        with pytest.raises(rp.InputError, match=message):
            rp.evaluate_search(found, judgments)


def test_evaluate_search_system() -> None:
    """The course's form: a dict of means at k."""
    means = rp.evaluate_search_system(found, JUDGMENTS, k=2)
    assert means["P@2"] == 0.5
    assert means["RR@2"] == 0.75


def test_team_draft_is_fair_and_ends() -> None:
    """Both rankings pick equally often; over seeds the coin is fair; it ends where a ranking runs dry."""
    first = []
    for seed in range(400):
        drafted = rp.team_draft_interleave(["a", "b", "c", "d"], ["d", "c", "b", "a"], 4, seed=seed)
        assert sorted(drafted.documents) == ["a", "b", "c", "d"]
        assert drafted.teams.count("A") == drafted.teams.count("B") == 2
        first.append(drafted.teams[0])
    assert 160 <= first.count("A") <= 240  # four standard deviations of a fair coin
    assert rp.team_draft_interleave(["a", "b"], ["a"], 5, seed=1).documents in (["a"], ["a", "b"])
    assert rp.team_draft_interleave([], ["a"], 5).documents in ([], ["a"])
    assert len(rp.team_draft_interleave("abcdef", "fedcba", 3).documents) == 3
    assert rp.team_draft_interleave("abc", "cab", 3, seed=7) == rp.team_draft_interleave("abc", "cab", 3, seed=7)
    with pytest.raises(rp.InputError, match="k cannot be 0"):
        rp.team_draft_interleave(["a"], ["b"], 0)
