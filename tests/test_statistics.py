"""The statistics of a comparison, each against SciPy, statsmodels, a published example, brute force or simulation."""

from __future__ import annotations

import random
from itertools import permutations, product
from math import fsum, sqrt
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower
from statsmodels.stats.weightstats import ttost_paired

from rankproof.compare.correct import benjamini_hochberg, holm
from rankproof.compare.distributions import normal_cdf, t_above, t_power, t_quantile, t_two_sided
from rankproof.compare.draws import BLOCK, Draws, numbers_of
from rankproof.compare.intervals import Drawn, bca, percentile, quantile, student, wider
from rankproof.compare.power import equivalence, smallest_effect, units_needed
from rankproof.compare.resample import drawn_again, exact_share, ranges, sign_flips
from rankproof.compare.significance import (
    effect_size,
    paired_t,
    randomization_exact,
    sign,
    spread,
    t_statistic,
    wilcoxon,
)
from rankproof.compare.tukey import tukey

MAIZE = (49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48)
"""Darwin's crossed minus self-fertilised maize, in eighths of an inch (Fisher 1935, The Design of Experiments)."""

few_valued = st.lists(st.sampled_from([-0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.30000000000000004]), min_size=2, max_size=40)
lists = st.lists(st.floats(-1, 1), min_size=2, max_size=30)


@pytest.mark.parametrize("df", [1, 2, 3, 7, 24, 199, 5000])
def test_students_t(df: int) -> None:
    """Tail and quantile are SciPy's."""
    for t in (0.0, 0.01, 0.7, 1.96, 2.5, 8.0, 40.0):
        assert t_two_sided(t, df) == pytest.approx(2 * stats.t.sf(t, df), rel=1e-9)
        assert t_above(-t, df) == pytest.approx(stats.t.sf(-t, df), rel=1e-9)
    for share in (0.001, 0.025, 0.4, 0.5, 0.9, 0.975, 0.9995):
        assert t_quantile(share, df) == pytest.approx(stats.t.ppf(share, df), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("df", [1, 2, 5, 11, 49, 300])
@pytest.mark.parametrize("alpha", [0.1, 0.05, 0.001])
def test_power_of_t(df: int, alpha: float) -> None:
    """The power is that of SciPy's noncentral t."""
    critical = stats.t.ppf(1 - alpha / 2, df)
    for shift in (0.0, 0.5, 2.0, 4.0):
        expected = stats.nct.sf(critical, df, shift) + stats.nct.cdf(-critical, df, shift)
        assert t_power(shift, df, alpha) == pytest.approx(expected, abs=1e-7)


def test_published_power() -> None:
    """d_z 0.2 needs 199 queries and 0.5 needs 34; 12 queries show 0.889 standard deviations, 50 show 0.404."""
    assert units_needed(0.2, 0.05) == 199
    assert units_needed(-0.5, 0.05) == 34
    assert smallest_effect(12, 0.05) == pytest.approx(0.889, abs=5e-4)
    assert smallest_effect(50, 0.05) == pytest.approx(0.404, abs=5e-4)
    assert units_needed(0.0, 0.05) is None
    assert units_needed(1e-6, 0.05) is None


@pytest.mark.parametrize("alpha", [0.05, 0.001])
@pytest.mark.parametrize("count", [2, 3, 10, 80])
def test_smallest_effect_is_that_of_scipy(count: int, alpha: float) -> None:
    """What can be shown has a power of 0.8 by SciPy's noncentral t; what is needed is what statsmodels solves for."""
    critical = stats.t.ppf(1 - alpha / 2, count - 1)
    shift = smallest_effect(count, alpha) * sqrt(count)
    power = stats.nct.sf(critical, count - 1, shift) + stats.nct.cdf(-critical, count - 1, shift)
    assert power == pytest.approx(0.8, abs=5e-4)
    needed = TTestPower().solve_power(effect_size=0.37, alpha=0.01, power=0.8)
    assert units_needed(0.37, 0.01) == int(np.ceil(needed))


def test_fishers_maize() -> None:
    """Fisher's 15 pairs: 863 of 32768 patterns on one side, 0.0526733 two-sided; t = 2.148 with p = 0.0497."""
    assert exact_share(MAIZE) == (2 * 863, 2**15)
    assert randomization_exact(MAIZE) == pytest.approx(0.0526733, abs=5e-8)
    assert t_statistic(MAIZE) == pytest.approx(2.148, abs=5e-4)
    assert paired_t(MAIZE) == pytest.approx(stats.ttest_1samp(MAIZE, 0).pvalue, rel=1e-10)


@given(lists)
def test_the_t_test_is_scipys(units: list[float]) -> None:
    """Paired t and d_z are SciPy's t and its statistic over the root of n."""
    if spread(units).deviation > 1e-6:
        expected = stats.ttest_1samp(units, 0)
        assert paired_t(units) == pytest.approx(expected.pvalue, rel=1e-6, abs=1e-12)
        assert effect_size(units) == pytest.approx(expected.statistic / sqrt(len(units)), rel=1e-6, abs=1e-9)


@given(few_valued)
def test_the_sign_test_is_binomial(units: list[float]) -> None:
    """P is that of SciPy's binomial test over the differences that are not 0."""
    up, down = sum(unit > 0 for unit in units), sum(unit < 0 for unit in units)
    expected = stats.binomtest(up, up + down).pvalue if up + down else 1.0
    assert sign(units) == pytest.approx(expected, rel=1e-9)


@given(st.lists(st.integers(1, 10**6), min_size=2, max_size=50, unique=True), st.integers(0, 2**50 - 1))
def test_wilcoxon_without_ties_is_scipys(sizes: list[int], signs: int) -> None:
    """Exact p is SciPy's where no two differences have one size."""
    units = [size if signs >> at & 1 else -size for at, size in enumerate(sizes)]
    assert wilcoxon(units) == pytest.approx(stats.wilcoxon(units, method="exact").pvalue, rel=1e-9)


@given(st.lists(st.integers(-3, 3), min_size=2, max_size=11))
def test_wilcoxon_with_ties_is_exact(units: list[int]) -> None:
    """With shared ranks p counts all patterns of signs of these ranks."""
    differ = [unit for unit in units if unit]
    ranks = stats.rankdata(np.abs(differ)) if differ else []
    seen = min(fsum(r for r, u in zip(ranks, differ, strict=True) if u * way > 0) for way in (1, -1))
    low = sum(fsum(compress) <= seen + 1e-9 for compress in map(list, _subsets(ranks)))
    assert wilcoxon(units) == pytest.approx(min(1.0, 2 * low / 2 ** len(differ)))


def _subsets(ranks):
    for chosen in product((0, 1), repeat=len(ranks)):
        yield [rank for rank, take in zip(ranks, chosen, strict=True) if take]


@given(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), min_size=2, max_size=30))
def test_wilcoxon_sees_no_rounding(hits: list[tuple[int, int]]) -> None:
    """Differences of tenths, made with all their rounding, give what whole numbers give."""
    tenths = [a / 10 - b / 10 for a, b in hits]
    assert wilcoxon([0.0 if abs(one) < 1e-12 else one for one in tenths]) == wilcoxon([a - b for a, b in hits])


def test_wilcoxon_of_many_is_scipys() -> None:
    """Beyond 50 differences p is SciPy's normal one, corrected for ties."""
    draw = random.Random(5)
    for step in (0.001, 0.05):
        units = [round(draw.gauss(0.05, 0.3) / step) * step for _ in range(120)]
        differ = [unit for unit in units if unit]
        expected = stats.wilcoxon(np.round(np.array(differ) / step), method="approx", correction=False).pvalue
        assert wilcoxon([round(unit / step) for unit in differ]) == pytest.approx(expected, rel=1e-9)


@given(few_valued.filter(lambda units: len(units) <= 10))
def test_the_exact_test_counts_all_patterns(units: list[float]) -> None:
    """P is the share of sign patterns whose sum, in whole tenths, is at least as far from 0."""
    tenths = [round(unit * 10) for unit in units]
    far = abs(sum(tenths))
    beyond = sum(abs(sum(map(int.__mul__, tenths, signs))) >= far for signs in product((1, -1), repeat=len(tenths)))
    assert exact_share(units) == (beyond, 2 ** len(units))


def test_the_randomization_test_is_scipys() -> None:
    """The exact share is that of SciPy's permutation test, and random signs come near it."""
    draw = random.Random(2)
    units = [draw.gauss(0.1, 0.3) for _ in range(12)]
    expected = stats.permutation_test((units,), np.mean, permutation_type="samples", n_resamples=np.inf).pvalue
    assert randomization_exact(units) == pytest.approx(expected)
    found = sign_flips([units], 20_000, 7)
    low, high = stats.binom.ppf([1e-6, 1 - 1e-6], 20_000, expected)
    assert low <= found.alone[0] <= high
    assert found.together == found.alone


@given(st.integers(1, 70), st.integers(1, 4), st.integers(0, 10), st.data())
def test_both_roads_flip_alike(count: int, width: int, seed: int, data) -> None:
    """The plain and the NumPy road count the same, also where sums are near ties."""
    value = st.sampled_from([-0.3, -0.1, 0.0, 0.1, 0.2, 0.30000000000000004, 1 / 3, 1e-9])
    columns = [data.draw(st.lists(value, min_size=count, max_size=count)) for _ in range(width)]
    assert sign_flips(columns, 120, seed, plain=True) == sign_flips(columns, 120, seed)


@given(st.integers(1, 40), st.integers(2, 5), st.integers(0, 10), st.data())
def test_both_roads_draw_and_shuffle_alike(count: int, width: int, seed: int, data) -> None:
    """The plain and the NumPy road give the same resampled means and the same ranges, to the bit."""
    value = st.sampled_from([-0.3, 0.0, 0.1, 0.30000000000000004, 1 / 3, 1e-9])
    columns = [data.draw(st.lists(value, min_size=count, max_size=count)) for _ in range(width)]
    sizes = data.draw(st.lists(st.integers(1, 3), min_size=count, max_size=count))
    assert drawn_again(columns, sizes, 60, seed, plain=True) == drawn_again(columns, sizes, 60, seed)
    assert ranges(columns, 30, seed, plain=True) == ranges(columns, 30, seed)


def test_blocks_change_nothing() -> None:
    """More rows than a block holds, and more systems than a word can number, give the same on both roads."""
    draw = random.Random(1)
    columns = [[draw.random() for _ in range(50)] for _ in range(35)]
    assert ranges(columns, 90, 3, plain=True) == ranges(columns, 90, 3)
    rows = BLOCK // 2 + 5
    plain = [word for row in Draws(4, "here").rows(rows, 2) for word in numbers_of(row)]
    assert plain == [int(word) for block in Draws(4, "here").blocks(rows, 2) for word in block.ravel()]
    assert plain[:4] != [int(word) for block in Draws(4, "there").blocks(2, 2) for word in block.ravel()]


@given(st.lists(st.integers(-64, 64), min_size=3, max_size=25), st.sampled_from([0.8, 0.95, 0.99]))
def test_bootstrap_intervals_are_scipys(sixty_fourths: list[int], confidence: float) -> None:
    """From the same resampled means, percentile and BCa bounds are SciPy's (sums of 64ths are exact in both)."""
    units = [one / 64 for one in sixty_fourths]
    if max(units) == min(units):
        return
    (means,) = drawn_again([units], [1] * len(units), 400, 3)
    drawn = Drawn(fsum(units) / len(units), units, [1] * len(units), means)
    for name, ours in (("percentile", percentile), ("BCa", bca)):
        if name == "BCa" and not means[0] < drawn.mean < means[-1]:
            continue
        found = stats.bootstrap(
            (np.array(units),),
            lambda sample, axis: np.mean(sample, axis=axis),
            n_resamples=0,
            method=name,
            confidence_level=confidence,
            bootstrap_result=SimpleNamespace(bootstrap_distribution=np.array(means)),
        ).confidence_interval
        assert ours(drawn, confidence) == pytest.approx((found.low, found.high), abs=1e-9)


def test_students_interval_is_scipys() -> None:
    """The t interval is SciPy's; the quantile between two values lies on a line, as NumPy's."""
    units = [0.1, 0.4, -0.2, 0.3, 0.0]
    drawn = Drawn(fsum(units) / 5, units, [1] * 5, sorted(units))
    assert student(drawn, 0.9) == pytest.approx(
        stats.t.interval(0.9, 4, loc=np.mean(units), scale=stats.sem(units)), rel=1e-9
    )
    for share in (0, 0.1, 0.33, 0.999, 1):
        assert quantile(sorted(units), share) == pytest.approx(np.quantile(units, share))


@given(st.lists(st.sampled_from([0.0001, 0.01, 0.02, 0.04, 0.05, 0.3, 0.9, 1.0]), min_size=1, max_size=12))
def test_corrections_are_those_of_statsmodels(p: list[float]) -> None:
    """Holm and Benjamini-Hochberg adjusted p are statsmodels'."""
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1])
    assert benjamini_hochberg(p) == pytest.approx(multipletests(p, method="fdr_bh")[1])


@given(lists, st.sampled_from([0.01, 0.1, 0.5]))
def test_equivalence_is_that_of_statsmodels(units: list[float], margin: float) -> None:
    """P of two one-sided tests is statsmodels' for paired samples."""
    if spread(units).deviation > 1e-6:
        expected = ttost_paired(np.array(units), np.zeros(len(units)), -margin, margin)[0]
        assert equivalence(units, margin) == pytest.approx(expected, rel=1e-6, abs=1e-12)


def test_tukey_counts_all_shuffles() -> None:
    """On a case small enough to list, random shuffles come near the exact share of ranges."""
    values = [[3, 1, 2, 5], [1, 0, 2, 1], [2, 2, 4, 3]]
    by_query = list(zip(*values, strict=True))
    totals = [sum(row) for row in values]
    found = [
        max(sums) - min(sums)
        for shuffled in product(*(permutations(query) for query in by_query))
        for sums in [[sum(column) for column in zip(*shuffled, strict=True)]]
    ]
    p = tukey([[float(value) for value in row] for row in values], 20_000, 1)
    for one, other in ((0, 1), (0, 2), (1, 2)):
        exact = sum(far >= abs(totals[one] - totals[other]) for far in found) / len(found)
        low, high = stats.binom.ppf([1e-6, 1 - 1e-6], 20_000, exact)
        assert low <= p[one][other] * 20_001 - 1 <= high
        assert p[one][other] == p[other][one]
    assert [p[at][at] for at in range(3)] == [1.0, 1.0, 1.0]


def test_tukey_comes_near_the_studentized_range() -> None:
    """For normal values p is near that of Tukey's HSD on the residuals of system and query (SciPy's distribution)."""
    draw = np.random.default_rng(3)
    values = draw.normal(size=(4, 60)) + np.array([[0], [0.2], [0.4], [0.1]]) + draw.normal(size=60)
    residuals = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    scale = sqrt((residuals**2).sum() / (3 * 59) / 60)
    p = tukey(values.tolist(), 20_000, 1)
    for one in range(4):
        for other in range(one):
            far = abs(values[one].mean() - values[other].mean()) / scale
            assert p[one][other] == pytest.approx(stats.studentized_range.sf(far, 4, 3 * 59), abs=0.03)


def test_max_t_is_westfall_youngs() -> None:
    """Step-down max-T of few rows is near the exact one, counted over all sign patterns by its definition."""
    draw = random.Random(8)
    columns = [[draw.gauss(mean, 1) for _ in range(8)] for mean in (0.0, 0.9, 0.5)]
    scaled = np.array(columns).T / np.sqrt((np.array(columns) ** 2).sum(axis=1))
    seen = np.abs(scaled.sum(axis=0))
    order = np.argsort(-seen)
    signs = np.array(list(product((1, -1), repeat=8)))
    sums = np.abs(signs @ scaled)[:, order]
    exact = [(sums[:, rank:].max(axis=1) >= seen[order[rank]] - 1e-9).mean() for rank in range(3)]
    found = sign_flips(columns, 20_000, 1)
    assert list(found.order) == order.tolist()
    for rank, share in enumerate(exact):
        low, high = stats.binom.ppf([1e-6, 1 - 1e-6], 20_000, share)
        assert low <= found.together[order[rank]] <= high


def _rejections(tests, sample, count: int, trials: int = 1500) -> dict[str, int]:
    draw = random.Random(11)
    rejected = dict.fromkeys(tests, 0)
    for trial in range(trials):
        units = [sample(draw) for _ in range(count)]
        for name, test in tests.items():
            rejected[name] += test(units, trial) <= 0.05
    return rejected


@pytest.mark.parametrize(
    "sample",
    [
        lambda draw: draw.gauss(0, 0.2),
        lambda draw: draw.choice((-1, 1)) * draw.random() ** 4,
        lambda draw: draw.choice((-0.5, -0.1, 0.0, 0.0, 0.1, 0.5)),
    ],
    ids=["normal", "heavy tails", "many ties"],
)
def test_false_positives_keep_the_level(sample) -> None:
    """Where nothing differs, each test claims a difference in at most 5 % of samples, within binomial bounds."""
    tests = {
        "randomization": lambda units, seed: (sign_flips([units], 499, seed).alone[0] + 1) / 500,
        "t": lambda units, _: paired_t(units),
        "wilcoxon": lambda units, _: wilcoxon(units),
        "sign": lambda units, _: sign(units),
    }
    rejected = _rejections(tests, sample, 24)
    low, high = stats.binom.ppf([1e-4, 1 - 1e-4], 1500, 0.05)
    for name, count in rejected.items():
        assert count <= high, (name, count)
    assert rejected["randomization"] >= low
    assert rejected["sign"] > 0


def test_families_of_claims_keep_the_level() -> None:
    """Where four systems are alike, max-T and Tukey claim any difference at all in at most 5 % of samples."""
    draw, trials, claimed = np.random.default_rng(5), 600, {"max-t": 0, "tukey": 0}
    for trial in range(trials):
        values = draw.normal(size=(4, 15)) + draw.normal(size=15)
        flips = sign_flips((values[1:] - values[0]).tolist(), 199, trial)
        claimed["max-t"] += (min(flips.together) + 1) / 200 <= 0.05
        claimed["tukey"] += min(map(min, tukey(values.tolist(), 199, trial))) <= 0.05
    low, high = stats.binom.ppf([1e-4, 1 - 1e-4], trials, 0.05)
    for name, count in claimed.items():
        assert low <= count <= high, (name, count)


def test_equivalence_keeps_the_level() -> None:
    """Where the true difference lies on the margin, equivalence is claimed in at most 5 % of samples."""
    draw, trials = random.Random(12), 1500
    claimed = sum(equivalence([draw.gauss(0.05, 0.1) for _ in range(20)], 0.05) <= 0.05 for _ in range(trials))
    low, high = stats.binom.ppf([1e-4, 1 - 1e-4], trials, 0.05)
    assert low <= claimed <= high


def test_intervals_cover() -> None:
    """Over samples of a skewed population each interval holds the true mean about as often as it says."""
    draw, held, trials = random.Random(4), dict.fromkeys(("percentile", "bca", "t", "wider"), 0), 800
    for trial in range(trials):
        units = [draw.random() ** 2 - 1 / 3 for _ in range(40)]
        (means,) = drawn_again([units], [1] * 40, 500, trial)
        drawn = Drawn(fsum(units) / 40, units, [1] * 40, means)
        for name, interval in (("percentile", percentile), ("bca", bca), ("t", student), ("wider", wider)):
            low, high = interval(drawn, 0.95)
            held[name] += low <= 0 <= high
    for name, count in held.items():
        assert 0.91 <= count / trials <= 0.98, (name, count)


def test_normal_cdf_is_scipys() -> None:
    """The share below z is SciPy's."""
    for z in (-8.0, -1.96, 0.0, 0.3, 3.0):
        assert normal_cdf(z) == pytest.approx(stats.norm.cdf(z), rel=1e-12, abs=1e-16)
