"""Fusing runs: ranks from 1, nothing from a list that does not hold a document, scores on one scale."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankproof as rp


def run(name: str, ranking: list[str] | dict[str, float]) -> rp.Run:
    """Return a run of one query, in ranked order or scored."""
    if isinstance(ranking, dict):
        return rp.Run(name, {"q": rp.Ranking(list(ranking), list(ranking.values()))})
    return rp.Run(name, {"q": rp.Ranking(ranking)})


def scores(found: rp.Run) -> dict[str, float]:
    ranking = found.rankings["q"]
    return dict(zip(ranking.doc_ids, ranking.scores, strict=True))


def test_case_17(data: Path) -> None:
    """The reported case: a document that one list lacks gets nothing from it, ranks start at 1."""
    (case,) = [one for one in json.loads((data / "reported" / "cases.json").read_text("utf-8")) if one["id"] == "17"]
    asked, expected = case["input"], case["expected"]
    found = rp.fuse([run(str(at), docs) for at, docs in enumerate(asked["lists"])], k=asked["k_rrf"])
    assert {doc: round(score, 6) for doc, score in scores(found).items()} == expected["scores"]
    values = rp.evaluate({"q": dict.fromkeys(asked["relevant"], 1)}, found, ["RR@3"])
    assert values["RR@3"] == expected["mrr@3"]


def test_rrf_by_hand() -> None:
    """1/61 + 1/62 = 0.0325225 for ranks 2 and 1, 1/61 + 1/63 = 0.0322665 for ranks 1 and 3."""
    found = rp.fuse([run("a", ["d1", "d2"]), run("b", ["d2", "x", "d1"])])
    assert [*found.rankings["q"].doc_ids][:2] == ["d2", "d1"]
    assert scores(found)["d2"] == pytest.approx(0.0325225, abs=5e-8)
    assert scores(found)["d1"] == pytest.approx(0.0322665, abs=5e-8)
    assert found.name == "rrf(a,b)"


def test_scores_by_hand() -> None:
    """CombSUM adds min-max or z-scores; CombMNZ multiplies by the lists that hold a document; weights weigh."""
    a, b = run("a", {"d1": 10.0, "d2": 5.0, "d3": 0.0}), run("b", {"d2": 4.0, "d4": 2.0})
    assert scores(rp.fuse([a, b], "comb-sum")) == {"d2": 1.5, "d1": 1.0, "d3": 0.0, "d4": 0.0}
    assert scores(rp.fuse([a, b], "comb-mnz")) == {"d2": 3.0, "d1": 1.0, "d3": 0.0, "d4": 0.0}
    assert scores(rp.fuse([a, b], "comb-sum", weights=[2, 1])) == {"d1": 2.0, "d2": 2.0, "d3": 0.0, "d4": 0.0}
    spread = (50 / 3) ** 0.5
    expected = {"d1": 5 / spread, "d2": 0 + 1, "d3": -5 / spread, "d4": -1}
    assert scores(rp.fuse([a, b], "comb-sum", normalize="z-score")) == pytest.approx(expected)
    assert scores(rp.fuse([run("a", {"d": 3.0, "e": 3.0})], "comb-sum")) == {"d": 1.0, "e": 1.0}
    assert scores(rp.fuse([run("a", {"d": 3.0, "e": 3.0})], "comb-sum", normalize="z-score")) == {"d": 0.0, "e": 0.0}


lists = st.lists(st.sampled_from("abcdef"), unique=True, max_size=6)


@given(st.lists(lists, min_size=1, max_size=4), st.permutations(range(4)))
def test_laws_of_rrf(rankings: list[list[str]], order: list[int]) -> None:
    """The order of the runs changes nothing; of one run the order stays; every document of any run is there."""
    runs = [run(str(at), docs) for at, docs in enumerate(rankings)]
    found = scores(rp.fuse(runs))
    assert set(found) == {doc for docs in rankings for doc in docs}
    assert scores(rp.fuse([runs[at] for at in order if at < len(runs)])) == found
    assert list(rp.fuse(runs[:1]).rankings["q"].doc_ids) == rankings[0]


def test_queries_of_all_runs() -> None:
    """A query that one run alone answers is fused from that run."""
    found = rp.fuse([rp.Run("a", {"q1": rp.Ranking(["x"])}), rp.Run("b", {"q2": rp.Ranking(["y"])})], name="both")
    assert {query: list(ranking.doc_ids) for query, ranking in found.rankings.items()} == {"q1": ["x"], "q2": ["y"]}
    assert found.name == "both"


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ([], {}, "there are no runs to fuse"),
        ([run("a", ["d"])], {"method": "rff"}, "unknown method 'rff'; expected one of rrf, comb-sum, comb-mnz"),
        ([run("a", ["d"])], {"normalize": "z"}, "unknown normalisation 'z'"),
        ([run("a", ["d"])], {"weights": [1, 2]}, "the weights are [1, 2]; expected 1 finite numbers"),
        ([run("a", ["d"])], {"weights": [float("nan")]}, "the weights are [nan]"),
        ([run("a", ["d"])], {"k": -1}, "k cannot be -1"),
        ([run("a", ["d"])], {"method": "comb-sum"}, "a: query q: has no scores to add"),
    ],
)
def test_what_is_refused(arguments: list, options: dict, message: str) -> None:
    """No runs, unknown names, weights that do not fit, and scores where there are none are refused."""
    with pytest.raises(rp.InputError) as error:
        rp.fuse(arguments, **options)
    assert message in str(error.value)
    with pytest.raises(rp.ContractError, match="stands twice"):
        rp.fuse([run("a", ["d", "d"])])
