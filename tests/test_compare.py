"""Comparing runs: the same queries and contract, what is undecided is said, and what the labels leave open."""

from __future__ import annotations

import csv
import io
import json
import random
from math import isfinite
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rankproof as rp
from rankproof.compare import VERDICTS, Settings, compare_values
from rankproof.compare.verdicts import verdict_of
from rankproof.demo import lay_out

QUICK = {"permutations": 2000, "resamples": 500}


def numbers(found: object) -> list[float]:
    """Return all numbers in a nested result."""
    if isinstance(found, dict):
        return [number for one in found.values() for number in numbers(one)]
    if isinstance(found, list):
        return [number for one in found for number in numbers(one)]
    return [found] if isinstance(found, float) else []


def hits(ranks: list[int | None]) -> tuple[dict[str, dict[str, int]], dict[str, list[str]]]:
    """Return qrels with one relevant document a query, and a run that has it at these ranks (None: not at all)."""
    qrels = {f"q{at}": {"d": 1} for at in range(len(ranks))}
    run = {
        f"q{at}": [*(f"x{n}" for n in range((rank or 4) - 1)), *(["d"] if rank else [])]
        for at, rank in enumerate(ranks)
    }
    return qrels, run


def at(ranks: list[int | None]) -> dict[str, list[str]]:
    return hits(ranks)[1]


QRELS = hits([1] * 12)[0]


def test_means_deltas_and_counts() -> None:
    """Means, the difference, wins, ties and losses are those of the queries, by hand."""
    base, run = at([1, 2, 4, 4, 2, 1] * 2), at([1, 1, 2, 2, 4, 1] * 2)
    one = rp.compare(QRELS, base, run, ["RR"], **QUICK).of("recip_rank")
    assert one.baseline_value == pytest.approx((1 + 1 / 2 + 1 / 4 + 1 / 4 + 1 / 2 + 1) / 6)
    assert one.delta == pytest.approx((0 + 1 / 2 + 1 / 4 + 1 / 4 - 1 / 4 + 0) / 6)
    assert one.changed == (6, 4, 2)
    assert list(one.deltas) == [0, 0.5, 0.25, 0.25, -0.25, 0] * 2
    # of the eight that differ, 3 quarters up, 1 down: all patterns of signs can be counted
    units = [0.5, 0.25, 0.25, -0.25] * 2
    expected = stats.permutation_test((units,), lambda x: x.sum(), permutation_type="samples", n_resamples=float("inf"))
    assert one.p["randomization"] == pytest.approx(expected.pvalue)


@given(st.lists(st.sampled_from([1, 2, 3, None]), min_size=1, max_size=30))
def test_identical_runs(ranks: list[int | None]) -> None:
    """A run against itself: delta 0, p = 1 in every test, no NaN, never better or worse."""
    qrels, run = hits(ranks)
    if not any(run.values()):
        return
    tests = ("randomization", "t", "wilcoxon", "sign")
    found = rp.compare(qrels, run, dict(run), ["RR", "nDCG@3"], tests=tests, margin=0.1, **QUICK)
    for one in found.differences:
        assert one.delta == 0
        assert one.verdict == ("not-enough-queries" if len(ranks) < 6 else "equivalent")
        if len(ranks) > 1:
            assert one.p == dict.fromkeys(tests, 1.0)
            assert set(one.intervals.values()) == {(0.0, 0.0)}
    assert all(map(isfinite, numbers(found.to_dict())))


@pytest.mark.untraced
@given(st.lists(st.tuples(st.sampled_from([1, 2, 3, None]), st.sampled_from([1, 2, 3, None])), min_size=6, max_size=25))
def test_swapping_runs_swaps_the_verdict(ranks: list[tuple[int | None, int | None]]) -> None:
    """B against A says of A against B: the same p, the opposite delta, interval and word."""
    left, right = at([one for one, _ in ranks]), at([other for _, other in ranks])
    qrels = hits([1] * len(ranks))[0]
    if not any(left.values()) or not any(right.values()):
        return
    there = rp.compare(qrels, left, right, ["RR"], interval="percentile", **QUICK).differences[0]
    back = rp.compare(qrels, right, left, ["RR"], interval="percentile", **QUICK).differences[0]
    assert back.delta == pytest.approx(-there.delta)
    assert back.p == there.p
    assert back.intervals["percentile"] == pytest.approx([-one for one in reversed(there.intervals["percentile"])])
    opposite = {"better": "worse", "worse": "better"}
    assert back.verdict == opposite.get(there.verdict, there.verdict)


def test_lower_is_better_for_some_measures() -> None:
    """More repeats are worse: the verdict follows the measure's direction."""
    qrels = {f"q{at}": {"d": 1} for at in range(10)}
    clean, repeated = {q: ["d", "e"] for q in qrels}, {q: ["d", "d"] for q in qrels}
    found = rp.compare(qrels, clean, repeated, ["DuplicateRate@2"], duplicate_document="keep-first", **QUICK)
    assert found.verdict == "worse"
    assert found.differences[0].changed == (0, 0, 10)


def test_few_queries() -> None:
    """One query has no interval and says why; five cannot reach 5 %, six can."""
    for count, verdict in ((1, "not-enough-queries"), (5, "not-enough-queries"), (6, "better")):
        qrels = hits([1] * count)[0]
        found = rp.compare(qrels, at([3] * count), at([1] * count), ["RR"], **QUICK)
        assert found.verdict == verdict
        assert bool(found.differences[0].intervals) == (count > 1)
    one = rp.compare(hits([1])[0], at([2]), at([1]), ["RR"], **QUICK)
    assert any("an interval needs two" in note for note in one.notes())
    assert "not enough queries. 1 query: an interval needs two" in one.verdict_says


def test_holm_raises_what_few_queries_can_show() -> None:
    """Two runs, six queries: the smallest Holm p is 2 · 2/64 > 0.05, so nothing can be shown."""
    qrels = hits([1] * 6)[0]
    found = rp.compare(qrels, at([3] * 6), [at([1] * 6), at([2] * 6)], ["RR"], **QUICK)
    assert [one.verdict for one in found.differences] == ["not-enough-queries"] * 2


def test_another_contract_is_refused() -> None:
    """Values made under another contract are refused, and the differing rules named."""
    house = rp.evaluate(QRELS, {"a": at([1] * 12)}, ["RR"])["a"]
    other = rp.evaluate(QRELS, {"b": at([2] * 12)}, ["RR"], ties="expected")["b"]
    with pytest.raises(rp.ContractError, match="ties is document-id-descending for a, expected for b"):
        compare_values(house, [other])


def test_values_that_cannot_be_told_apart_are_refused() -> None:
    """No run, two runs of one name, and other measures are refused; a single Values will do for a list."""
    a, b, c = (rp.evaluate(QRELS, {name: at([1, 2] * 6)}, ["RR"])[name] for name in "abc")
    assert compare_values(a, b, Settings(**QUICK)).verdict == "no-difference-shown"
    for wrong, error, message in (
        ([], rp.InputError, "no run is given to compare with"),
        ([b, b], rp.InputError, "two of the runs are called b"),
        ([a], rp.InputError, "two of the runs are called a"),
        ([b, rp.evaluate(QRELS, {"d": at([1] * 12)}, ["AP"])["d"]], rp.ContractError, "d has no values of RR"),
        ([b, rp.evaluate(QRELS, {"d": at([1] * 12)}, ["RR", "AP"])["d"]], rp.ContractError, "a has no values of AP"),
    ):
        with pytest.raises(error, match=message):
            compare_values(a, wrong)
    assert len(compare_values(a, [b, c], Settings(**QUICK)).differences) == 2
    with pytest.raises(rp.InputError, match="no run is given"):
        rp.compare(QRELS, at([1] * 12), [], ["RR"])


def test_equivalence_is_corrected_too() -> None:
    """With several runs, equivalence, the smallest difference shown and the queries needed are those of all of them."""
    draw = random.Random(4)
    qrels = hits([1] * 30)[0]
    ranks = [draw.choice([1, 2, 3]) for _ in range(30)]
    runs = [at([rank + (draw.random() < 0.2) for rank in ranks]) for _ in range(4)]
    alone = rp.compare(qrels, at(ranks), runs[0], ["RR"], margin=0.1, **QUICK).differences[0]
    among = rp.compare(qrels, at(ranks), runs, ["RR"], margin=0.1, **QUICK).differences[0]
    assert among.equivalence_p > alone.equivalence_p
    assert among.smallest_shown > alone.smallest_shown
    assert among.queries_needed > alone.queries_needed


def test_other_queries_are_refused() -> None:
    """Where the contract leaves missing queries out, runs that miss different ones are refused, by name."""
    base, run = at([1] * 12), at([2] * 12)
    del run["q3"]
    with pytest.raises(rp.ContractError, match="1 query has a value for baseline but not for run-1: q3") as error:
        rp.compare(QRELS, base, [run], ["RR"], missing_query="skip")
    assert "missing-query=zero" in str(error.value)
    counted = rp.compare(QRELS, base, [run], ["RR"], **QUICK)
    assert counted.differences[0].deltas[3] == -1
    assert any("1 missing from the run, counted as an empty ranking (q3)" in note for note in counted.notes())


def test_a_run_that_never_ran_is_an_error() -> None:
    """A run without any result for the judged queries is refused, whether its queries are there or not."""
    for empty in ({f"q{at}": [] for at in range(12)}, {"other": ["d"]}):
        with pytest.raises(
            rp.InputError, match=r"answers no judged query \(first ids: the qrels with 'q0', the run with"
        ):
            rp.compare(QRELS, at([1] * 12), empty, ["RR"])


def test_unknown_settings_are_refused() -> None:
    """An unknown test, correction or interval names the known ones; numbers out of range are refused."""
    for wrong, message in (
        ({"tests": "tee"}, "unknown test 'tee'; expected one of randomization, t, wilcoxon, sign"),
        ({"correction": "holms"}, "did you mean holm?"),
        ({"interval": "bcaa"}, "did you mean bca?"),
        ({"confidence": 95}, "confidence cannot be 95"),
        ({"margin": 0.0}, "margin cannot be 0.0; expected a number above 0"),
        ({"permutations": 5}, "permutations cannot be 5"),
        ({"permutations": "x"}, "permutations cannot be 'x'"),
        ({"resamples": 100.5}, "resamples cannot be 100.5"),
        ({"confidence": None}, "confidence cannot be None"),
        ({"confidence": 0.99999}, "confidence cannot be 0.99999; expected a number from 0.5 to 0.9999"),
        ({"margin": True}, "margin cannot be True"),
        ({"seed": None}, "seed cannot be None"),
        ({"tests": None}, "tests cannot be None"),
        ({"tests": "sign", "correction": "max-t"}, "max-t belongs to the randomization test, not to sign"),
        ({"tests": ()}, "unknown test ''"),
    ):
        with pytest.raises(rp.MeasureError) as error:
            rp.compare(QRELS, at([1] * 12), at([2] * 12), ["RR"], **wrong)
        assert message in str(error.value)
    with pytest.raises(rp.MeasureError, match="there is no setting or rule 'tie'\n\nhint: nearest: ties"):
        rp.compare(QRELS, at([1] * 12), at([2] * 12), ["RR"], tie="expected")


def test_several_runs_share_the_correction() -> None:
    """Holm over two runs doubles the smaller p; max-T and Tukey lie between the raw p and Bonferroni's."""
    draw = random.Random(3)
    runs = [at([draw.choice([1, 2, 3]) for _ in range(12)]) for _ in range(3)]
    found = {
        name: rp.compare(QRELS, runs[0], runs[1:], ["RR"], correction=name, **QUICK).differences
        for name in ("none", "holm", "bh", "max-t", "tukey")
    }
    raw = [one.adjusted for one in found["none"]]
    assert [one.p["randomization"] for one in found["holm"]] == raw
    assert min(one.adjusted for one in found["holm"]) == pytest.approx(min(1, 2 * min(raw)))
    for name in ("holm", "bh", "max-t", "tukey"):
        for one, p in zip(found[name], raw, strict=True):
            assert one.adjusted >= p - 0.05
    for one, p in zip(found["max-t"], raw, strict=True):
        assert one.adjusted <= min(1.0, 2 * p) + 0.05


def test_seeds_decide_alone() -> None:
    """The same seed gives the same result; another one another, near it."""
    draw = random.Random(1)
    qrels = hits([1] * 40)[0]
    base, run = (at([draw.choice([1, 2, 3, None]) for _ in range(40)]) for _ in range(2))
    one, again, other = (rp.compare(qrels, base, run, ["RR"], seed=seed, **QUICK).to_dict() for seed in (1, 1, 2))
    assert one == again
    assert one["differences"][0]["intervals"] != other["differences"][0]["intervals"]
    for kind, bounds in one["differences"][0]["intervals"].items():
        assert bounds == pytest.approx(other["differences"][0]["intervals"][kind], abs=0.05)


@pytest.mark.untraced
def test_families_are_resampled_whole() -> None:
    """With 12 families of 4 like queries, tests on rows claim too much; on families they keep the level."""
    draw = random.Random(7)
    query_ids = [f"q{at}" for at in range(48)]
    family_of = {query: f"f{at // 4}" for at, query in enumerate(query_ids)}
    claims = {"rows": 0, "families": 0}
    quick = Settings(tests=("t",), permutations=100, resamples=100)
    template = rp.evaluate({query: {"d": 1} for query in query_ids}, {query: ["d"] for query in query_ids}, ["RR"])
    for _ in range(400):
        shared = [draw.gauss(0, 1) for _ in range(12)]
        deltas = [0.1 * (shared[at // 4] + draw.gauss(0, 1)) for at in range(48)]
        run = _with_values(template, deltas)
        base = _with_values(template, [0.0] * 48, "base")
        for name, families in (("rows", None), ("families", family_of)):
            claims[name] += compare_values(base, [run], quick, families).verdict in ("better", "worse")
    assert claims["rows"] / 400 > 0.12
    assert claims["families"] <= stats.binom.ppf(1 - 1e-4, 400, 0.05)


def _with_values(template, row, name="run"):
    from dataclasses import replace

    return replace(template, run=name, per_query={"RR": row}, means={"RR": sum(row) / len(row)})


def test_a_family_of_one_changes_nothing() -> None:
    """Families of one query each give what queries give; unequal families keep the mean over queries."""
    draw = random.Random(9)
    base, run = (at([draw.choice([1, 2, 3, None]) for _ in range(12)]) for _ in range(2))
    alone = rp.compare(QRELS, base, run, ["RR"], **QUICK).differences[0]
    single = rp.compare(QRELS, base, run, ["RR"], clusters={query: query for query in QRELS}, **QUICK).differences[0]
    assert single.intervals == alone.intervals
    assert single.p == alone.p
    uneven = {query: "big" if int(query[1:]) < 4 else query for query in QRELS}
    grouped = rp.compare(QRELS, base, run, ["RR"], clusters=uneven, **QUICK).differences[0]
    assert grouped.delta == alone.delta
    assert grouped.units == 9
    with pytest.raises(rp.InputError, match="query q11: has no family"):
        rp.compare(QRELS, base, run, ["RR"], clusters={query: query for query in QRELS if query != "q11"})


def test_equivalence_needs_a_margin() -> None:
    """Runs that differ by a hair are equivalent within a margin, and only not shown to differ without one."""
    values = [1, 2, 3] * 10
    qrels = hits(values)[0]
    base, run = at(values), at([1, 2, 4, *values[3:]])
    assert rp.compare(qrels, base, run, ["RR"], **QUICK).verdict == "no-difference-shown"
    assert rp.compare(qrels, base, run, ["RR"], margin=0.05, **QUICK).verdict == "equivalent"


@pytest.mark.parametrize(
    ("p", "least", "gain", "within", "word"),
    [
        (0.01, 0.0, 0.2, None, "better"),
        (0.01, 0.0, -0.2, None, "worse"),
        (0.05, 0.0, 0.2, None, "better"),
        (0.06, 0.0, 0.2, None, "no-difference-shown"),
        (0.06, 0.0, 0.2, 0.04, "equivalent"),
        (0.01, 0.0, 0.2, 0.04, "equivalent"),
        (0.01, 0.0, 0.2, 0.06, "better"),
        (0.2, 0.06, 0.2, 0.01, "not-enough-queries"),
        (None, 0.0, 0.2, None, "not-enough-queries"),
    ],
)
def test_the_verdict_table(p, least, gain, within, word: str) -> None:
    """The word follows from p, the smallest p that is possible, the direction and the margin."""
    assert verdict_of(p=p, least_p=least, gain=gain, equivalence_p=within, alpha=0.05) == word
    assert word in VERDICTS


def test_unjudged_documents_that_would_flip_the_verdict_are_marked() -> None:
    """A new run whose first result is unjudged looks worse; were it relevant, it would not: that is said."""
    qrels = {f"q{at}": {"d": 1, "n": 0} for at in range(12)}
    base, run = {q: ["d", "n"] for q in qrels}, {q: ["new", "d"] for q in qrels}
    found = rp.compare(qrels, base, run, ["RR@2"], **QUICK)
    (one,) = found.differences
    assert found.verdict == "worse"
    assert (one.labels.cutoff, one.labels.baseline_unjudged, one.labels.run_unjudged) == (2, 0, 0.5)
    says = {policy.name: (policy.verdict, policy.delta) for policy in one.labels.policies}
    assert says == {"unjudged-relevant": ("no-difference-shown", 0.0), "condensed": ("no-difference-shown", 0.0)}
    assert any("were relevant, the verdict would be “no difference shown”" in note for note in found.notes())
    only_relevant = {q: {"d": 1} for q in qrels}
    policies = rp.compare(only_relevant, base, run, ["RR@2"], **QUICK).differences[0].labels.policies
    assert [policy.reason.en for policy in policies] == [
        "none of the first results is judged not relevant, so all would be alike",
        "no document is judged not relevant, so only relevant ones would be left",
    ]
    judged = {q: {"d": 1, "n": 0, "new": 0} for q in qrels}
    assert rp.compare(judged, base, run, ["RR@2"], **QUICK).differences[0].labels.policies == []


def test_an_unknown_effect_of_labels_is_said() -> None:
    """Where a measure is not defined once the unjudged are relevant, the effect is not known, with the reason."""
    qrels = {f"q{at}": {"d": 1, "n": 0} for at in range(8)}
    tied = {"u": 0.5, "v": 0.5}  # if these are relevant, interpolated precision depends on the order of a tie
    base, run = {q: {"d": 1.0, "n": 0.9, **tied} for q in qrels}, {q: {"d": 0.1, "n": 0.9, **tied} for q in qrels}
    found = rp.compare(qrels, base, run, ["IPrec@0.5"], ties="expected", **QUICK)
    policy, condensed = found.differences[0].labels.policies
    assert policy.verdict is None
    assert policy.reason.en == "IPrec@0.5 has no expected ties here: a tie leaves its value open"
    assert condensed.verdict == "worse"
    assert "not known" in repr(found)


def test_rounding_is_no_difference() -> None:
    """Two orders with one AP, whose floats differ in the last digit, are ties in every count and test."""
    qrels = {f"q{at}": {"a": 1, "b": 1} for at in range(30)}
    left = {q: ["a", *(f"x{n}" for n in range(10)), "b"] for q in qrels}  # ranks 1 and 12: (1 + 2/12) / 2 = 7/12
    right = {q: ["x", "a", "b"] for q in qrels}  # ranks 2 and 3: (1/2 + 2/3) / 2 = 7/12
    found = rp.compare(qrels, left, right, ["AP"], tests=("randomization", "t", "wilcoxon", "sign"), **QUICK)
    (one,) = found.differences
    assert set(one.deltas) == {0.0}
    assert one.changed == (0, 30, 0)
    assert set(one.p.values()) == {1.0}


@pytest.mark.parametrize("measure", ["GMAP", "NumRelRet", "NumQ"])
def test_what_is_no_mean_over_queries_is_refused(measure: str) -> None:
    """A sum or a geometric mean does not change by the mean of its queries' changes: it is refused by name."""
    base, run = at([1] * 12), at([2] * 12)
    for ask in (
        lambda: rp.compare(QRELS, base, run, ["RR", measure]),
        lambda: rp.leaderboard(QRELS, {"a": base, "b": run}, [measure]),
        lambda: rp.gate(QRELS, base, run, f"{measure}>=1"),
    ):
        with pytest.raises(
            rp.MeasureError, match=rf"{measure} is a .* over queries; expected a measure that is a mean"
        ):
            ask()
    found = rp.rerank(QRELS, base, at([1] * 12), [measure, "RR"])
    assert [one.measure for one in found.comparison.differences] == ["RR"]
    assert rp.rerank(QRELS, base, at([1] * 12), [measure]).comparison is None


def test_values_too_large_to_square_are_refused() -> None:
    """A gain of 2^1000 is a number, but no statistics can be made of it."""
    qrels = {f"q{at}": {"d": 1000, "e": 1} for at in range(8)}
    base, run = {q: ["d", "e"] for q in qrels}, {q: ["e", "d"] for q in qrels}
    with pytest.raises(rp.MeasureError, match=r"has values beyond 1e\+100"):
        rp.compare(qrels, base, run, ["DCG(gain=exponential)@2"])


def test_too_few_permutations_are_refused() -> None:
    """Where no p could reach the level, more permutations are asked for, instead of saying that nothing is shown."""
    draw = random.Random(2)
    qrels = hits([1] * 40)[0]
    base, run = at([4] * 40), at([draw.choice([1, 2]) for _ in range(40)])
    with pytest.raises(rp.MeasureError, match=r"100 permutations cannot show a p of 0\.005 over 1") as error:
        rp.compare(qrels, base, run, ["RR"], permutations=100, confidence=0.995)
    assert "expected 200 permutations or more" in str(error.value)


def test_what_never_varies_is_not_certain() -> None:
    """Equal differences in every query give t and equivalence no more than signs that all agree: 2 / 2^n."""
    qrels = hits([1] * 3)[0]
    one = rp.compare(qrels, at([2] * 3), at([1] * 3), ["RR"], tests="t", margin=0.9, **QUICK).differences[0]
    assert one.p["t"] == 1 / 4
    assert one.equivalence_p == 1 / 4
    assert one.verdict == "not-enough-queries"


@pytest.mark.parametrize("correction", ["holm", "bh", "max-t", "tukey"])
def test_no_correction_goes_below_the_tests_own_p(correction: str) -> None:
    """An adjusted p is at least the test's own, also where one system varies far more than the others."""
    draw = random.Random(5)
    qrels = hits([1] * 20)[0]
    base = at([draw.choice([2, 3]) for _ in range(20)])
    runs = [
        at([draw.choice([1, None])] * 1 + [draw.choice([1, None]) for _ in range(19)]),
        at([2, 3] * 10),
        at([3] * 20),
    ]
    for one in rp.compare(qrels, base, runs, ["RR"], correction=correction, permutations=2000).differences:
        assert one.adjusted >= one.p["randomization"]


def test_queries_needed_are_at_least_what_the_test_needs() -> None:
    """However large the effect, six queries are the fewest that can show it at 5 %."""
    draw = random.Random(3)
    qrels = hits([1] * 10)[0]
    base, run = at([4] * 10), at([draw.choice([1, 1, 1, 2]) for _ in range(10)])
    assert rp.compare(qrels, base, run, ["RR"], **QUICK).differences[0].queries_needed == 6


def test_undefined_queries_are_left_out_and_counted() -> None:
    """A query without relevant documents is in no pair, and stands among those left out."""
    qrels = {**QRELS, "none": {"x": 0}}
    base, run = {**at([1] * 12), "none": ["x"]}, {**at([2] * 12), "none": ["x"]}
    one = rp.compare(qrels, base, run, ["RR"], **QUICK).differences[0]
    assert list(one.left_out) == ["none"]
    assert len(one.query_ids) == 12


@pytest.fixture
def example(tmp_path: Path, monkeypatch) -> Path:
    lay_out(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


COMPARE = ("compare", "qrels.txt", "bm25-words.run", "bm25-ngrams.run", "lsa.run", "-m", "nDCG@10", "-m", "RR@10")


def test_command_table(example, in_process) -> None:
    """A row a measure and run with its verdict; how it was made and what it does not show is talk."""
    done = in_process(*COMPARE)
    assert done.status == 0
    rows = [line.split() for line in done.out.splitlines()]
    assert rows[0][:6] == ["measure", "run", "verdict", "baseline", "value", "delta"]
    assert rows[1][0:2] == ["nDCG@10", "bm25-ngrams"]
    assert "seed 1" in done.err
    assert "labels are incomplete" in done.err
    assert [line.partition(":")[0] for line in done.err.splitlines()[-2:]] == [
        "bm25-ngrams against bm25-words",
        "lsa against bm25-words",
    ]


def test_command_formats_agree(example, in_process) -> None:
    """CSV and JSON hold the same full-precision numbers; Markdown has the verdict in its notes."""
    (first, *_) = csv.DictReader(io.StringIO(in_process(*COMPARE, "--format", "csv").out))
    found = json.loads(in_process(*COMPARE, "--format", "json").out)["differences"][0]
    assert float(first["delta"]) == found["delta"]
    assert [float(first["low"]), float(first["high"])] == found["intervals"]["bca"]
    assert first["verdict"] == found["verdict"]
    assert "\n- bm25-ngrams against bm25-words: " in in_process(*COMPARE, "--format", "markdown").out


def test_command_with_families(example, in_process) -> None:
    """--cluster reads `query_id family` lines or JSON; faults name file and line."""
    queries = sorted({line.split()[0] for line in Path("qrels.txt").read_text("utf-8").splitlines()})
    Path("families.txt").write_text("".join(f"{query}\tf{at // 2}\n" for at, query in enumerate(queries)))
    Path("families.json").write_text(json.dumps({query: f"f{at // 2}" for at, query in enumerate(queries)}))
    outs = [
        in_process(*COMPARE, "--cluster", name, "--format", "csv").out for name in ("families.txt", "families.json")
    ]
    assert outs[0] == outs[1]
    assert json.loads(in_process(*COMPARE, "--cluster", "families.txt", "--format", "json").out)["settings"][
        "clustered"
    ]
    for text, message in (
        ("ko-01 f1 x\n", "bad:1: has 3 columns; expected a line `query_id family`"),
        ("ko-01 f1\nko-01 f2\n", "bad:2: query ko-01: is in f2 here, in f1 before"),
        ("\n", "bad: holds no families"),
        ('{"ko-01": 1}', "bad: query ko-01: the family is 1; expected a text"),
        ('{"ko-01": "a", "ko-01": "a"}', "bad: query ko-01: stands twice"),
        ("ko-01 f1\n", "query ko-02: has no family"),
    ):
        Path("bad").write_text(text)
        done = in_process(*COMPARE, "--cluster", "bad")
        assert done.status == 2
        assert message in done.err
    with pytest.raises(rp.InputError, match="families cannot be 3"):
        rp.compare("qrels.txt", "lsa.run", "lsa.run", clusters=3)


def test_command_refuses(example, in_process) -> None:
    """Unknown settings, one run for a baseline and no run end with status 2 and one message."""
    done = in_process(*COMPARE, "--test", "anova")
    assert (done.status, done.out) == (2, "")
    assert "error: unknown test 'anova'; expected one of randomization, t, wilcoxon, sign" in done.err
    assert in_process("compare", "qrels.txt", "lsa.run").status == 2


def test_dataframe_and_notebook(example) -> None:
    """A row a difference in a dataframe; a notebook shows a table with its notes, ids escaped."""
    runs = {"a<b": rp.read_run("bm25-ngrams.run")}
    found = rp.compare("qrels.txt", "lsa.run", runs, ["nDCG@10"], **QUICK)
    assert found.to_frame("polars")["delta"].to_list() == [found.differences[0].delta]
    assert "a&lt;b" in found._repr_html_()
    assert "<svg" in found._repr_html_()
    assert rp.picture(found.chart(), "png").startswith(b"\x89PNG")
    with pytest.raises(rp.InputError, match="'gif' is no kind of picture; expected png or svg"):
        rp.picture(found.chart(), "gif")
    assert found.verdict_says in repr(found)
    assert json.loads(found.to_json())["verdict"] == found.verdict
    with pytest.raises(KeyError):
        found.of("P@3")
    with pytest.raises(rp.InputError, match="the baseline holds 2 runs"):
        rp.compare("qrels.txt", {"x": "lsa.run", "y": "bm25-words.run"}, runs, ["AP"])
