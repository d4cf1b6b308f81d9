"""Weights of a fusion: chosen on one split, judged on another."""

from __future__ import annotations

import json
from math import comb
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankproof as rp
from rankproof.errors import InputError, RankproofError
from rankproof.tune import Fusion, tune_fusion, weight_grid

EXAMPLE = Path(rp.__file__).parent / "example"
RUNS = [EXAMPLE / "bm25-ngrams.run", EXAMPLE / "lsa.run"]
QRELS = EXAMPLE / "qrels.txt"
KOREAN = [f"ko-{number:02}" for number in range(1, 13)]
ENGLISH = [f"en-{number:02}" for number in range(1, 13)]


def tuned(**options):
    given = {"tune": KOREAN, "test": ENGLISH, "steps": 10, **options}
    return tune_fusion(QRELS, RUNS, **given)


@given(st.integers(2, 4), st.integers(1, 8))
def test_the_grid(runs: int, steps: int) -> None:
    """All ways to share `steps` units among the runs stand in it, each once, and sum to 1."""
    grid = weight_grid(runs, steps)
    assert len(set(grid)) == len(grid) == comb(steps + runs - 1, runs - 1)
    assert all(sum(round(weight * steps) for weight in weights) == steps for weights in grid)


@pytest.mark.parametrize("method", ["rrf", "comb-sum", "comb-mnz"])
def test_the_best_weights_are_chosen(method: str) -> None:
    """The chosen weights are the best of all that were tried, each evaluated by hand with `fuse` and `evaluate`."""
    found = tuned(fusion=Fusion(method), measures=["nDCG@5", "AP"])
    runs = [rp.read_run(path) for path in RUNS]
    qrels = {query: grades for query, grades in rp.read_qrels(QRELS).items() if query in KOREAN}
    means = {}
    for part in range(11):
        weights = (part / 10, 1 - part / 10)
        fused = rp.fuse(runs, method, weights=weights)
        means[part] = rp.evaluate(qrels, fused, "nDCG@5").means["nDCG@5"]
    assert [one.mean for one in found.tried] == pytest.approx(list(means.values()), abs=1e-12)
    best = [part for part, mean in means.items() if mean > max(means.values()) - 1e-12]
    assert round(found.chosen.weights[0] * 10) == min(best, key=lambda part: (abs(part - 5), part))


def test_the_test_split_is_compared_by_compare() -> None:
    """What is reported on the test queries is `compare` of the best single run, the tuned and the even fusion."""
    found = tuned(measures=["nDCG@5", "AP"], seed=3)
    runs = [rp.read_run(path) for path in RUNS]
    alone = rp.evaluate({q: g for q, g in rp.read_qrels(QRELS).items() if q in KOREAN}, runs, "nDCG@5")
    best = max(alone.values(), key=lambda values: values.means["nDCG@5"]).run
    assert found.compared.baseline.run == best
    fused = {
        "tuned": rp.fuse(runs, "comb-sum", weights=found.chosen.weights),
        "equal-weights": rp.fuse(runs, "comb-sum"),
    }
    qrels = {q: g for q, g in rp.read_qrels(QRELS).items() if q in ENGLISH}
    baseline = next(run for run in runs if run.name == best)
    expected = rp.compare(qrels, baseline, fused, ["nDCG@5", "AP"], seed=3)
    for ours, theirs in zip(found.compared.differences, expected.differences, strict=True):
        assert (ours.run, ours.measure, ours.delta, ours.p, ours.intervals) == (
            theirs.run,
            theirs.measure,
            theirs.delta,
            theirs.p,
            theirs.intervals,
        )


def test_a_run_without_weight_takes_no_part() -> None:
    """Weight 0 for a run means the other run alone: its mean among the weights is that of `evaluate`."""
    for method in ("rrf", "comb-sum", "comb-mnz"):
        found = tuned(fusion=Fusion(method), measures="AP")
        means = {one.weights: one.mean for one in found.tried}
        assert [means[1.0, 0.0], means[0.0, 1.0]] == pytest.approx(list(found.alone.values()), abs=1e-12)


def test_splits_are_those_of_split_queries() -> None:
    """The parts that `split_queries` returns may stand for the queries."""
    split = rp.split_queries(dict.fromkeys([*KOREAN, *ENGLISH], "text"), by="hash", ratios="50/50", names="dev,test")
    found = tuned(tune=split.parts["dev"], test=split.parts["test"])
    assert sorted(found.splits.tune) == sorted(query.query_id for query in split.parts["dev"])


def test_families_are_resampled_whole() -> None:
    """With clusters the comparison on the test queries is by families, as that of `compare`."""
    found = tuned(clusters={query: str(at // 2) for at, query in enumerate([*KOREAN, *ENGLISH])})
    assert found.compared.differences[0].units == 6


def test_names_that_are_taken() -> None:
    """Runs that are called as the fusions would be are no obstacle."""
    run = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d1": 2.0, "d2": 1.0}}
    qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    found = tune_fusion(qrels, {"tuned": run, "equal-weights": run}, tune=["q1"], test=["q2"], steps=2)
    assert list(found.compared.runs) == ["tuned-2", "equal-weights-2"]


def test_ranks_are_the_contracts() -> None:
    """Under a contract that goes by the order given, parts are ranked so too."""
    run = rp.Run("a", {query: rp.Ranking(["d1", "d2"], [1.0, 2.0]) for query in ("q1", "q2")})
    other = rp.Run("b", run.rankings)
    qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    asked = {"tune": ["q1"], "test": ["q2"], "measures": "P@1", "fusion": Fusion("rrf"), "steps": 2}
    found = tune_fusion(qrels, [run, other], order="position", **asked)
    assert [one.mean for one in found.tried] == [1.0, 1.0, 1.0]


def test_test_judgments_choose_nothing() -> None:
    """Whatever the judgments of the test queries say, the same weights are chosen."""
    qrels = {query: dict(grades) for query, grades in rp.read_qrels(QRELS).items()}
    turned = {q: {doc: 3 - grade if q in ENGLISH else grade for doc, grade in g.items()} for q, g in qrels.items()}
    found = [tune_fusion(given, RUNS, tune=KOREAN, test=ENGLISH, steps=10) for given in (qrels, turned)]
    assert found[0].weights == found[1].weights
    assert found[0].tried == found[1].tried
    assert found[0].compared.differences[0].value != found[1].compared.differences[0].value


def test_of_equally_good_weights_the_most_even_are_chosen() -> None:
    """Where all weights are as good, the runs weigh alike; lower is better for a measure that says so."""
    run = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d1": 2.0, "d2": 1.0}}
    qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    found = tune_fusion(qrels, {"a": run, "b": run}, tune=["q1"], test=["q2"], steps=4)
    assert found.weights == {"a": 0.5, "b": 0.5}
    other = {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d2": 2.0}}
    judged = {"a": run, "b": {**other, "q1": {"d9": 3.0}}}
    found = tune_fusion(qrels, judged, tune=["q1"], test=["q2"], steps=4, measures="Unjudged@1")
    assert found.weights["a"] > found.weights["b"]


def test_queries_that_take_no_part_are_counted() -> None:
    """Judged queries of no split, and split queries without judgments, are named in the notes."""
    found = tuned(tune=[*KOREAN[:6], "new"])
    assert found.splits.left_out == tuple(KOREAN[6:])
    assert found.splits.unjudged == ("new",)
    notes = "\n".join(found.notes())
    assert "1 query split but not judged: left out (new)" in notes
    assert "6 queries judged but in no split: left out (ko-07, ko-08, ko-09, …)" in notes


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"tune": [*KOREAN, "en-01"]}, r"1 query in both splits \(en-01\); expected each query in one"),
        ({"tune": ["x"]}, r"no tune query is judged \(first: 'x'\)"),
        ({"test": []}, "no test query is judged"),
        ({"test": 3}, "the test queries cannot be 3"),
        ({"test": [3]}, "the test query id 3 is no text"),
        ({"steps": 0}, "0 steps cannot be tried"),
        ({"steps": 10_000}, "10000 steps of 2 runs make 10,001 weights; expected at most 10,000"),
        ({"fusion": Fusion("rff")}, "unknown method 'rff'"),
        ({"measures": "NumRet"}, "NumRet is a sum over queries"),
    ],
)
def test_what_is_refused(options, says: str) -> None:
    """What cannot be tuned is refused with a message that says why."""
    with pytest.raises(RankproofError, match=says):
        tuned(**options)


def test_one_run_cannot_be_fused() -> None:
    """A fusion needs two runs."""
    with pytest.raises(InputError, match="there is 1 run to fuse; expected two or more"):
        tune_fusion(QRELS, RUNS[:1], tune=KOREAN, test=ENGLISH)


def test_nothing_relevant_to_tune_on() -> None:
    """A measure that is undefined for all tune queries chooses nothing."""
    run = {"q1": {"d1": 2.0}, "q2": {"d1": 2.0}}
    with pytest.raises(InputError, match="nDCG@10 is undefined for all tune queries"):
        tune_fusion({"q1": {"d1": 0}, "q2": {"d1": 1}}, {"a": run, "b": run}, tune=["q1"], test=["q2"])


def test_the_command(in_process, tmp_path) -> None:
    """The command reads splits from files of queries, and prints and writes what the function returns."""
    for name, ids in (("tune", KOREAN), ("test", ENGLISH)):
        (tmp_path / name).write_text("".join(f"{query}\ttext\n" for query in ids))
    arguments = ("tune", QRELS, *RUNS, "--tune-on", tmp_path / "tune", "--test-on", tmp_path / "test", "--steps", "10")
    expected = tuned(seed=1)
    done = in_process(*arguments)
    assert done.status == 0, done.err
    assert "weights, on 12 queries to tune" in done.out
    assert "on 12 queries to test" in done.out
    assert expected.says in done.err
    done = in_process(*arguments, "--format", "json")
    content = json.loads(done.out)
    assert content["weights"] == dict(expected.weights)
    assert [one["role"] for one in content["inputs"]] == ["qrels", "run", "run", "tune", "test"]
    done = in_process(*arguments, "--format", "csv")
    assert done.out.splitlines()[0] == "bm25-ngrams,lsa,nDCG@10"
    assert len(done.out.splitlines()) == 12
    assert "## on 12 queries to test" in in_process(*arguments, "--format", "markdown").out.replace("**", "## ")
    assert "weights, on 12 queries to tune" in repr(expected)
    done = in_process(*arguments, "--rrf-k", "5")
    assert (done.status, "comb-sum adds nothing to ranks" in done.err) == (2, True)
    done = in_process(*arguments, "--method", "rrf", "--normalize", "z-score")
    assert (done.status, "rrf normalises no scores" in done.err) == (2, True)
    assert "<table" in expected._repr_html_()
