"""Fusing runs: ranks from 1, nothing from a list that lacks a document, scores on one scale; ranx beside it."""

from __future__ import annotations

import json
import warnings
from fractions import Fraction
from math import sqrt
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from needed import lacking

import rankproof as rp
from rankproof.retrieve.fuse import NORMALIZERS

pytestmark = pytest.mark.untraced


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
        ([run("a", ["d"])], {"k": -1}, "the k of rrf cannot be -1"),
        ([run("a", ["d"])], {"method": "comb-sum"}, "a: query q: has no scores to add"),
        (
            [run("a", {"d": float("inf")})],
            {"method": "comb-mnz"},
            "a: query q, document d: the score is inf; expected a finite number",
        ),
    ],
)
def test_what_is_refused(arguments: list, options: dict, message: str) -> None:
    """No runs, unknown names, weights that do not fit, and scores where there are none are refused."""
    with pytest.raises(rp.InputError) as error:
        rp.fuse(arguments, **options)
    assert message in str(error.value)
    with pytest.raises(rp.ContractError, match="stands twice"):
        rp.fuse([run("a", ["d", "d"])])


@given(st.lists(st.sampled_from([0.1, 0.1 + 2**-56, 0, 5e-324, -1, 1e16, 1e16 + 2, 1e308, -1e308]), min_size=1))
def test_scales_are_exact(amounts: list[float]) -> None:
    """Both scales are what fractions give: near ties far from 0, and scores as great as they can be, included."""
    given_ = {str(at): amount for at, amount in enumerate(amounts)}
    exact = [Fraction(amount) for amount in amounts]
    low, high, mean = min(exact), max(exact), sum(exact) / len(exact)
    spread = sum((one - mean) ** 2 for one in exact) / len(exact)
    shares = [float((one - low) / (high - low)) if high > low else 1.0 for one in exact]
    assert list(NORMALIZERS["min-max"](given_).values()) == pytest.approx(shares)
    standings = [(-1 if one < mean else 1) * sqrt((one - mean) ** 2 / spread) if spread else 0.0 for one in exact]
    assert list(NORMALIZERS["z-score"](given_).values()) == pytest.approx(standings, abs=1e-9)


@pytest.fixture(scope="module")
def ranx():
    """Fuse lists with ranx: imported here only, as Numba compiles it, a minute in a fresh installation."""
    try:
        import ranx
        from numba.core.errors import NumbaTypeSafetyWarning
    except ImportError:
        lacking("ranx is not installed")

    def fuse(lists: list[dict[str, float]], method: str, norm: str | None = None, **options: object):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NumbaTypeSafetyWarning)  # in its typed lists
            given_ = [ranx.Run.from_dict({"q": dict(scored)}, name=str(at)) for at, scored in enumerate(lists)]
            return dict(ranx.fuse(given_, norm=norm, method=method, params=options or None)["q"])

    return fuse


def ours(lists: list[dict[str, float]], method: str, **options: object) -> dict[str, float]:
    return scores(rp.fuse([run(str(at), scored) for at, scored in enumerate(lists)], method, **options))


# Ids of one letter: ranx is compiled anew for each length of an id.
amounts = st.sampled_from([0.0, 1.0, 1.5, 1.5001, 2.0, -3.0, 7.25])
some = st.lists(st.dictionaries(st.sampled_from("abcde"), amounts, min_size=1), min_size=2, max_size=3)
NAMES = {"comb-sum": "sum", "comb-mnz": "mnz", "min-max": "min-max", "z-score": "zmuv"}


def spread_out(lists: list[dict[str, float]]) -> bool:
    """Return whether no list is of one score: there ranx deviates."""
    return all(len(set(one.values())) > 1 for one in lists)


def test_rrf_is_that_of_ranx(ranx) -> None:
    """RRF scores are those of ranx for lists without ties, documents that lists lack included."""
    assert ours([{"a": 2, "b": 1}, {"b": 3, "x": 2, "a": 1}], "rrf") == pytest.approx(
        ranx([{"a": 2, "b": 1}, {"b": 3, "x": 2, "a": 1}], "rrf", k=60)
    )

    @given(some, st.sampled_from([0, 1, 60]))
    def holds(lists: list[dict[str, float]], k: int) -> None:
        assume(all(len(set(one.values())) == len(one) for one in lists))
        assert ours(lists, "rrf", k=k) == pytest.approx(ranx(lists, "rrf", k=k))

    holds()


@pytest.mark.parametrize("method", ["comb-sum", "comb-mnz"])
@pytest.mark.parametrize("normalize", ["min-max", "z-score"])
def test_scores_are_those_of_ranx(ranx, method: str, normalize: str) -> None:
    """CombSUM and CombMNZ over both scales are those of ranx, near ties and missing documents included."""

    @given(some)
    def holds(lists: list[dict[str, float]]) -> None:
        assume(spread_out(lists) or normalize == "z-score")
        expected = ranx(lists, NAMES[method], NAMES[normalize])
        assert ours(lists, method, normalize=normalize) == pytest.approx(expected, abs=1e-9)

    holds()


def test_weights_are_those_of_ranx(ranx) -> None:
    """A weighted CombSUM is ranx's weighted sum."""

    @given(some, st.lists(st.sampled_from([0.3, 1.0, 2.5]), min_size=3, max_size=3))
    def holds(lists: list[dict[str, float]], weights: list[float]) -> None:
        assume(spread_out(lists))
        weights = weights[: len(lists)]
        expected = ranx(lists, "wsum", "min-max", weights=weights)
        assert ours(lists, "comb-sum", weights=weights) == pytest.approx(expected, abs=1e-9)

    holds()


@pytest.mark.parametrize(
    ("lists", "normalize", "theirs", "expected"),
    [
        # docs/fusion.md gives the reasons
        ([{"a": 5.0}, {"b": 2.0, "c": 1.0}], "min-max", {"a": 0, "b": 1, "c": 0}, {"a": 1, "b": 1, "c": 0}),
        ([{"a": 5.0, "b": 5.0}, {"c": 2.0}], "min-max", {"a": 0, "b": 0, "c": 0}, {"a": 1, "b": 1, "c": 1}),
        (
            [{"a": 1e-12, "b": 0.0}, {"c": 1.0, "d": 0.0}],
            "min-max",
            {"a": 0.001, "b": 0, "c": 1, "d": 0},
            {"a": 1, "b": 0, "c": 1, "d": 0},
        ),
        (
            [{"a": 1e-12, "b": 0.0}, {"c": 1.0, "d": 0.0}],
            "z-score",
            {"a": 0.0005, "b": -0.0005, "c": 1, "d": -1},
            {"a": 1, "b": -1, "c": 1, "d": -1},
        ),
    ],
    ids=["a list of one", "equal scores", "close scores, min-max", "close scores, z-score"],
)
def test_where_ranx_deviates(ranx, lists: list, normalize: str, theirs: dict, expected: dict) -> None:
    """A list of one score, or of close ones, all but vanishes in ranx, which never divides by less than 1e-9."""
    assert ranx(lists, "sum", NAMES[normalize]) == pytest.approx(theirs, abs=1e-9)
    assert ours(lists, "comb-sum", normalize=normalize) == pytest.approx(expected, abs=1e-9)


def test_where_ranx_deviates_in_ties(ranx) -> None:
    """Equal scores: ranx ranks them by an unstable sort; here by id, descending inside a list, ascending in the result.

    Twenty documents tied in both lists stand in ranx by id neither forward nor backward.
    """
    tied = {f"e{at:02}": 1.0 for at in range(20)}
    theirs, found = ranx([tied, tied], "rrf", k=60), ours([tied, tied], "rrf")
    assert list(found) == sorted(tied, reverse=True)
    assert sorted(theirs.values()) == pytest.approx(sorted(found.values()))
    assert list(theirs) not in (sorted(tied), sorted(tied, reverse=True))


def test_a_run_without_weight_takes_no_part(ranx) -> None:
    """With weight 0 a run brings no document and multiplies nothing; ranx's weighted sum keeps its documents at 0."""
    lists = [{"a": 2.0, "b": 1.0}, {"c": 3.0, "a": 1.0}]
    assert ranx(lists, "wsum", "min-max", weights=[1.0, 0.0]) == pytest.approx({"a": 1, "b": 0, "c": 0}, abs=1e-9)
    for method in ("rrf", "comb-sum", "comb-mnz"):
        assert ours(lists, method, weights=[1.0, 0.0]) == ours(lists[:1], method)
    with pytest.raises(rp.InputError, match="all weights are 0"):
        ours(lists, "comb-sum", weights=[0.0, 0.0])
    with pytest.raises(rp.InputError, match="the weights are"):
        ours(lists, "comb-mnz", weights=[1e308, 1e308])


def test_runs_may_be_files_and_dicts(tmp_path) -> None:
    """Files, dicts and runs fuse alike, and a contract may be named."""
    scored = {"q": {"x": 2.0, "y": 1.0}}
    rp.write_run(rp.Run("a", {"q": rp.Ranking(["x", "y"], [2.0, 1.0])}), tmp_path / "a.run")
    for runs in ([tmp_path / "a.run", scored], {"a": scored, "b": scored}):
        assert [*rp.fuse(runs, contract="trec_eval-10").rankings["q"].doc_ids] == ["x", "y"]


def test_parts_are_ranked_by_the_contract() -> None:
    """Under another contract the parts of RRF are ranked as it says: here by the order given, not by scores."""
    given_ = rp.Run("a", {"q": rp.Ranking(["x", "y"], [1.0, 2.0])})
    assert [*rp.fuse([given_]).rankings["q"].doc_ids] == ["y", "x"]
    assert [*rp.fuse([given_], contract=rp.contract(order="position")).rankings["q"].doc_ids] == ["x", "y"]


def test_where_ranx_refuses(ranx) -> None:
    """An empty list has nothing to give here; ranx fails on it, on one run, and on runs of other queries."""
    assert ours([{"a": 2.0}, {}], "comb-sum") == {"a": 1.0}
    for lists, error in (([{"a": 2.0}, {}], ValueError), ([{"a": 2.0}], AssertionError)):
        with pytest.raises(error):
            ranx(lists, "sum", "min-max")
    a, b = (rp.Run(query, {query: rp.Ranking(["d"], [1.0])}) for query in ("q1", "q2"))
    assert sorted(rp.fuse([a, b]).rankings) == ["q1", "q2"]
