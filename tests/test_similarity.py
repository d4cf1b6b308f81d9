"""How alike rankings, runs and orderings are: against SciPy, the definitions, brute force and published values."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise, permutations, product
from math import fsum, inf, isnan, log, nan, sqrt

import pytest
from generators import RUNS, run_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rankproof.contract import Contract
from rankproof.errors import ContractError, InputError, MeasureError
from rankproof.model import Ranking, Run
from rankproof.placements import ranked, ranked_groups
from rankproof.similarity import (
    kendall_tau_b,
    order_similarity,
    similarities,
    similarity,
    tau_ap,
    tau_ap_b,
)
from rankproof.similarity.overlap import RBO, overlap, rbo

close = pytest.approx
PAIRS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8)
ORDERS = st.permutations(range(6))

# ---- Kendall's tau-b


@given(PAIRS)
def test_tau_b_is_that_of_scipy(pairs: list[tuple[int, int]]) -> None:
    """tau-b is SciPy's, and None where SciPy has NaN."""
    from scipy.stats import kendalltau

    x, y = [one for one, _ in pairs], [one for _, one in pairs]
    theirs = kendalltau(x, y).statistic if len(pairs) > 1 else nan
    assert kendall_tau_b(x, y) == (None if isnan(theirs) else close(theirs, abs=1e-12))


def test_tau_b_of_long_lists() -> None:
    """Reversed, a thousand values agree with -1; themselves with exactly 1."""
    values = [float(one * 7919 % 1009) for one in range(1000)]
    assert kendall_tau_b(values, values) == 1
    assert kendall_tau_b(values, [-one for one in values]) == -1


# ---- tau-AP

# The example data and values of the authors of tau-AP,a and tau-AP,b (ircor 1.0, its tests), four digits
PUBLISHED = [
    (
        (0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992),
        (0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988),
        (0.9, 0.4, 0.9, 0.9, 0.7, 0.1, 0.2, 0.4, 0.5, 1),
        (0.8, 0.4, 0.8, 1, 0.7, 0.1, 0.4, 0.5, 0.6, 1),
        {"tau": 0.9111, "tau-b": 0.9398, "ap": 0.8519, "ap-a": 0.7454, "ap-sym": 0.8333, "ap-b": 0.7321},
    ),
    (
        (0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38),
        (0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644),
        (0.3, 0.6, 0.2, 0.9, 0.6, 0.2, 0.7, 0.8, 0.7, 0.4),
        (0.3, 0.8, 0.7, 0.9, 0.1, 0.1, 0.5, 0.6, 1, 0.6),
        {"tau": 0.2889, "tau-b": 0.3765, "ap": 0.2504, "ap-a": 0.2692, "ap-sym": 0.2880, "ap-b": 0.297},
    ),
    (
        (0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445),
        (0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25),
        (0.2, 0.6, 0.9, 0.1, 0.5, 0.6, 0.8, 0.4, 1, 0.4),
        (0.8, 0.3, 0.3, 0.9, 0.6, 0.3, 0.2, 0.9, 0, 0.2),
        {"tau": -0.6889, "tau-b": -0.6510, "ap": -0.6971, "ap-a": -0.5558, "ap-sym": -0.668, "ap-b": -0.7047},
    ),
]


@pytest.mark.parametrize(("x", "y", "x_tied", "y_tied", "values"), PUBLISHED)
def test_published_correlations(x, y, x_tied, y_tied, values) -> None:
    """All correlations have the values that the authors of the tie-aware ones publish."""
    found = {
        "tau": kendall_tau_b(x, y),
        "tau-b": kendall_tau_b(x_tied, y_tied),
        "ap": tau_ap(x, y),
        "ap-a": tau_ap(x, y_tied),
        "ap-sym": tau_ap_b(x, y),
        "ap-b": tau_ap_b(y_tied, x_tied),
    }
    assert found == close(values, abs=5e-5)


def by_definition(truth: Sequence[float], other: Sequence[float]) -> float:
    """2 / (n - 1) · Σ over ranks i ≥ 2 of C(i) / (i - 1), less 1 (Yilmaz, Aslam, Robertson 2008); no ties."""
    order = sorted(range(len(other)), key=lambda at: -other[at])
    shares = [
        sum(truth[above] > truth[at] for above in order[:rank]) / rank for rank, at in enumerate(order) if rank > 0
    ]
    return 2 * fsum(shares) / (len(order) - 1) - 1


@given(ORDERS, ORDERS)
def test_tau_ap_without_ties(truth: list[int], other: list[int]) -> None:
    """tau-AP is its definition; the symmetric one is the mean of both directions."""
    assert tau_ap(truth, other) == close(by_definition(truth, other), abs=1e-12)
    both = (by_definition(truth, other) + by_definition(other, truth)) / 2
    assert tau_ap_b(truth, other) == close(both, abs=1e-12)
    assert tau_ap(truth, truth) == 1
    assert tau_ap(truth, [-one for one in truth]) == -1


@given(st.permutations(range(5)), st.lists(st.integers(0, 2), min_size=5, max_size=5))
@settings(max_examples=40)
def test_tau_ap_with_ties_is_the_mean_over_their_orders(truth: list[int], other: list[int]) -> None:
    """Ties in the other order give the mean of tau-AP over every way to break them."""
    broken = [
        by_definition(truth, [value + bit * 0.01 for value, bit in zip(other, bits, strict=True)])
        for bits in permutations(range(5))
    ]
    assert tau_ap(truth, other) == close(fsum(broken) / len(broken), abs=1e-12)


@given(PAIRS)
def test_tau_ap_b_takes_no_side(pairs: list[tuple[int, int]]) -> None:
    """tau-AP,b is the same for both sides, within -1 and 1, and None exactly where tau-b is."""
    x, y = [one for one, _ in pairs], [one for _, one in pairs]
    value = tau_ap_b(x, y)
    assert value == tau_ap_b(y, x)
    assert (value is None) == (kendall_tau_b(x, y) is None)
    assert value is None or -1 <= value <= 1


def test_tau_ap_weighs_the_top() -> None:
    """Two systems exchanged at the top cost more than two exchanged at the bottom; tau-b sees no difference."""
    truth, top, bottom = [4, 3, 2, 1], [3, 4, 2, 1], [4, 3, 1, 2]
    assert kendall_tau_b(truth, top) == kendall_tau_b(truth, bottom)
    # by hand: (0 + 1 + 1) / 3 and (1 + 1 + 2/3) / 3 of the pairs agree
    assert tau_ap(truth, top) == close(2 * 2 / 3 - 1)
    assert tau_ap(truth, bottom) == close(2 * (8 / 3) / 3 - 1)


def test_correlations_refuse_what_has_no_order() -> None:
    """Sequences that are not parallel, NaN, text, and ties in a true order are refused; too few values are None."""
    for correlation in (kendall_tau_b, tau_ap, tau_ap_b):
        with pytest.raises(InputError, match="2 values stand beside 1; expected parallel"):
            correlation([1, 2], [1])
        with pytest.raises(InputError, match="nan has no place in an order"):
            correlation([1, 2], [1, nan])
        with pytest.raises(InputError, match="'high' has no place"):
            correlation(["high", 2], [1, 2])
        assert correlation([1], [1]) is None
        assert correlation([], []) is None
        assert correlation([inf, 2], [3, 1]) == 1
    with pytest.raises(MeasureError, match="tau_ap_b"):
        tau_ap([1, 1], [1, 2])


def test_orderings_of_systems() -> None:
    """Systems are matched by name; those of one side only are named; ties in the true order leave tau-AP undefined."""
    found = order_similarity({"a": 0.9, "b": 0.5, "c": 0.1, "x": 1}, {"c": 0.2, "a": 0.8, "b": 0.3, "y": 1})
    assert (found.tau_b, found.tau_ap, found.tau_ap_b) == (1, 1, 1)
    assert (list(found.systems), list(found.only_left), list(found.only_right)) == (["a", "b", "c"], ["x"], ["y"])
    assert order_similarity({"a": 1, "b": 1, "c": 0}, {"a": 3, "b": 2, "c": 1}).tau_ap is None
    assert order_similarity({"a": 1}, {"b": 1})[:3] == (None, None, None)


# ---- overlap and RBO, by their definitions

Groups = Sequence[Sequence[object]]


def shares(groups: Groups, depth: int, *, at_once: bool) -> dict[object, float]:
    """How much of each item stands within a depth: in the mean over orders of its tie, or at once."""
    found, before = {}, 0
    for group in groups:
        if before < depth:
            part = 1.0 if at_once else min((depth - before) / len(group), 1.0)
            found.update(dict.fromkeys(group, part))
        before += len(group)
    return found


def agreement(left: Groups, right: Groups, depth: int, ties: str) -> float:
    x, y = (shares(groups, depth, at_once=ties == "w") for groups in (left, right))
    shared = fsum(x[item] * y[item] for item in x if item in y)
    squares = [fsum(one * one for one in side.values()) for side in (x, y)]
    return shared / {"a": depth, "b": sqrt(squares[0] * squares[1]), "w": fsum(squares) / 2}[ties]


def series(left: Groups, right: Groups, p: float, ties: str, depth: int = 60) -> float:
    """Return (1 - p) Σ p^(d-1) A(d), cut where p^d is below what a float holds."""
    return (1 - p) * fsum(p ** (d - 1) * agreement(left, right, d, ties) for d in range(1, depth + 1))


def singles(items: Sequence[object]) -> list[tuple[object]]:
    return [(item,) for item in items]


def flat(groups: Groups) -> list[object]:
    return [item for group in groups for item in group]


def lowest(a: Groups, b: Groups, p: float, ties: str) -> float:
    """The value if both go on with items of their own."""
    more = ([(f"{side}{n}",) for n in range(60)] for side in ("left", "right"))
    return series([*a, *next(more)], [*b, *next(more)], p, ties)


def highest(a: Groups, b: Groups, p: float, ties: str) -> float:
    """The greatest value over all ways to go on: the other's items, in any order, then the same new ones."""
    of_a, of_b = ([item for item in flat(x) if item not in flat(y)] for x, y in ((b, a), (a, b)))
    short = len(flat(a)) <= len(flat(b))
    many, few = (of_a, of_b) if short else (of_b, of_a)  # what the shorter one takes up first is what matters
    new = singles([f"new{n}" for n in range(60)])
    found = []
    for order in permutations(many):
        more = (singles(order), singles(few)) if short else (singles(few), singles(order))
        found.append(series([*a, *more[0], *new], [*b, *more[1], *new], p, ties))
    return max(found)


@st.composite
def tied(draw: st.DrawFn, most: int = 5) -> list[list[str]]:
    """A ranking of a few items, some of them tied."""
    items = draw(st.permutations("abcdefg"))[: draw(st.integers(1, most))]
    cuts = [at for at in range(1, len(items)) if draw(st.booleans())]
    edges = [0, *cuts, len(items)]
    return [list(items[start:end]) for start, end in pairwise(edges)]


@given(tied(), tied(), st.sampled_from([0.3, 0.5]), st.sampled_from("abw"))
@settings(max_examples=60)
def test_rbo_bounds_are_what_a_continuation_can_reach(a: Groups, b: Groups, p: float, ties: str) -> None:
    """The minimum is the series if nothing more is shared, minimum + residual the greatest over all continuations."""
    found = rbo(a, b, p, ties=ties)
    assert found.minimum == close(lowest(a, b, p, ties), abs=1e-12)
    assert found.minimum + found.residual == close(highest(a, b, p, ties), abs=1e-12)
    assert found.extrapolated is not None
    assert -1e-12 <= found.minimum <= found.extrapolated + 1e-12
    assert found.extrapolated <= found.minimum + found.residual + 1e-12
    assert found == rbo(b, a, p, ties=ties)


def orders(groups: Groups) -> list[list[object]]:
    """Every way to break the ties."""
    return [flat(parts) for parts in product(*(permutations(group) for group in groups))]


@given(tied(4), tied(4), st.sampled_from([0.3, 0.9]))
@settings(max_examples=40)
def test_ties_count_as_the_mean_over_their_orders(a: Groups, b: Groups, p: float) -> None:
    """The a-variant's minimum is the mean over every way to break the ties; of lists as long, the others are too."""
    broken = [rbo(x, y, p) for x, y in product(orders(a), orders(b))]
    found = rbo(a, b, p)
    assert found.minimum == close(fsum(one.minimum for one in broken) / len(broken), abs=1e-12)
    if len(flat(a)) == len(flat(b)):
        assert found.residual == close(fsum(one.residual for one in broken) / len(broken), abs=1e-12)
        guesses = [one.extrapolated for one in broken if one.extrapolated is not None]
        assert found.extrapolated == close(fsum(guesses) / len(broken), abs=1e-12)


@given(tied(4), tied(4), st.integers(1, 6))
@settings(max_examples=40)
def test_overlap_with_ties_is_the_mean_over_their_orders(a: Groups, b: Groups, k: int) -> None:
    """overlap@k is the share of common items among the first k, in the mean over every way to break the ties."""
    places = min(k, max(len(flat(a)), len(flat(b))))
    broken = [len({*x[:k]} & {*y[:k]}) / places for x, y in product(orders(a), orders(b))]
    assert overlap(a, b, k) == close(fsum(broken) / len(broken), abs=1e-12)


def webber(a: Sequence[object], b: Sequence[object], p: float) -> float:
    """RBO_EXT of Webber, Moffat, Zobel 2010, equation 32: rankings of any two lengths, no ties."""
    a, b = sorted((a, b), key=len)
    s, long = len(a), len(b)
    x = {d: len({*a[:d]} & {*b[:d]}) for d in range(1, long + 1)}
    first = fsum(x[d] / d * p**d for d in range(1, long + 1))
    second = fsum(x[s] * (d - s) / (s * d) * p**d for d in range(s + 1, long + 1))
    return (1 - p) / p * (first + second) + ((x[long] - x[s]) / long + x[s] / s) * p**long


def webber_minimum(a: Sequence[object], b: Sequence[object], p: float) -> float:
    """RBO_MIN of the same, equation 11: rankings of one length."""
    k = len(a)
    x = {d: len({*a[:d]} & {*b[:d]}) for d in range(1, k + 1)}
    return (1 - p) / p * (fsum((x[d] - x[k]) * p**d / d for d in range(1, k + 1)) - x[k] * log(1 - p))


@given(ORDERS, ORDERS, st.integers(1, 6), st.sampled_from([0.1, 0.5, 0.9, 0.98]))
def test_rbo_without_ties_is_webbers(a: list[int], b: list[int], length: int, p: float) -> None:
    """Without ties all variants are the published formulas, for rankings of one length and of two."""
    found = {ties: rbo(a[:length], b, p, ties=ties) for ties in "abw"}
    for one in found.values():
        assert one == close(found["a"], abs=1e-12)
    assert found["a"].extrapolated == close(webber(a[:length], b, p), abs=1e-12)
    assert rbo(a[:4], b[:4], p).minimum == close(webber_minimum(a[:4], b[:4], p), abs=1e-12)


# Rows of the test table that the authors of the tie-aware variants publish with their paper (Corsi and Urbano 2024):
# both rankings, p, then extrapolated, minimum and residual of w, a and b
CORSI_URBANO = [
    (
        "(i5 i9 i13 i15 i16 i19 i20) (i3 i8)",
        "i6 (i4 i18) i2 i7 i8 i17 i14 (i11 i12) i1",
        0.958074765324023,
        (0.0816485573277354, 0.0370062754797617, 0.557929421095898),
        (0.0808189832771587, 0.0354671825076603, 0.557929421095898),
        (0.0813693619867344, 0.0356267307324464, 0.557929421095898),
    ),
    (
        "i13 (i1 i4 i5 i6)",
        "i3 i14 i11 (i10 i15) i12 (i6 i9) i4 i2",
        0.92238320668128,
        (0.117578490431637, 0.0763135264223449, 0.463680134758586),
        (0.114619469221414, 0.0733545052121218, 0.464590602823269),
        (0.11474835409049, 0.0734833900811979, 0.465106142299574),
    ),
    (
        "(i3 i6) (i2 i7) i10",
        "(i3 i6 i7 i10) (i1 i2)",
        0.965413635276732,
        (0.946064537517568, 0.343706790399566, 0.615064167117501),
        (0.92051534467649, 0.319428239558438, 0.615064167117501),
        (0.956844651806714, 0.348953051936765, 0.615064167117501),
    ),
    (
        "(i4 i14) i10 i9 i16 i1 (i11 i21) i7",
        "(i4 i7 i9 i10 i14 i16) i21 (i1 i11) (i3 i6 i17 i18)",
        0.980350757903177,
        (0.95731778452095, 0.350742506261885, 0.606575278259065),
        (0.939619367902257, 0.336112285552834, 0.603507082349424),
        (0.96333114711547, 0.35963910728389, 0.60369203983158),
    ),
    (
        "i26 (i1 i2 i3 i4 i5 i6 i7 i8 i9 i10)",
        "(i19 i25) (i2 i3) (i7 i9 i12 i26) (i18 i22) (i1 i10 i14) (i5 i8)",
        0.947995253587843,
        (0.567020436833909, 0.362931177029673, 0.320041571263618),
        (0.512406299904543, 0.317657317687162, 0.320329826620298),
        (0.542244994152802, 0.345144157486949, 0.320501780559138),
    ),
]


def spelled(text: str) -> list[list[str]]:
    """Return the groups of a ranking that is spelled `a (b c) d`."""
    groups: list[list[str]] = []
    within = False
    for word in text.split():
        if not within:
            groups.append([])
        groups[-1].append(word.strip("()"))
        within = (within or word.startswith("(")) and not word.endswith(")")
    return groups


@pytest.mark.parametrize(("x", "y", "p", "w", "a", "b"), CORSI_URBANO)
def test_published_rbo_with_ties(x: str, y: str, p: float, w, a, b) -> None:
    """The three variants have the values that their authors publish, whichever ranking comes first."""
    for ties, (guess, least, residual) in {"w": w, "a": a, "b": b}.items():
        for found in (rbo(spelled(x), spelled(y), p, ties=ties), rbo(spelled(y), spelled(x), p, ties=ties)):
            assert found == close((least, residual, guess), abs=1e-12)


def test_rbo_at_its_ends() -> None:
    """A ranking agrees with itself by 1, with a disjoint one by 0; what is open shrinks with the depth, to nothing."""
    items = [f"d{n}" for n in range(1000)]
    assert rbo(items, items).extrapolated == 1
    assert rbo(items[:5], items[5:9]).extrapolated == 0
    assert rbo(items[:5], items[5:9]).minimum == 0
    for ties in ("b", "w"):
        assert rbo([["a", "b"], "c"], [["b", "a"], "c"], ties=ties).extrapolated == close(1, abs=1e-15)
    for one in (items, items[::-1]):
        residuals = [rbo(items[:depth], one[:depth], 0.9).residual for depth in (0, 1, 2, 5, 10, 50, 400, 1000)]
        assert residuals == sorted(residuals, reverse=True)
        assert residuals[0] == close(1)
        assert 0 <= residuals[-1] < 1e-15
    deep = rbo(items, items, 0.999)  # nothing is lost to rounding: p^k is open, less what the seen items still fix
    assert deep.minimum + deep.residual == close(1, abs=1e-12)


def test_empty_rankings() -> None:
    """Of an empty ranking everything is open, and there is nothing to extrapolate."""
    assert rbo([], ["a"]) == RBO(0, close(1), None)
    assert rbo([], [], 0.5) == RBO(0, close(1), None)
    assert overlap([], [], 3) is None
    assert overlap([], ["a"], 3) == 0


def test_overlap_by_hand() -> None:
    """Two of the first three are shared; where both are shorter than k, the longer one's length divides."""
    assert overlap(["a", "b", "c"], ["b", "x", "a"], 3) == close(2 / 3)
    assert overlap(["a", "b", "c"], ["b", "x", "a"], 1) == 0
    assert overlap(["a", "b"], ["b", "a"], 10) == 1
    assert overlap(["a"], ["b", "a"], 10) == 0.5


@pytest.mark.parametrize("p", [0, 1, -0.5, 2, nan, "0.9", None])
def test_p_lies_between_0_and_1(p: object) -> None:
    """Another p is refused."""
    with pytest.raises(MeasureError, match=r"p cannot be .*between 0 and 1"):
        rbo(["a"], ["a"], p)


def test_rankings_that_are_none() -> None:
    """An item that comes twice, a set, text, a k of 0 and an unknown variant are refused."""
    with pytest.raises(InputError, match="'a' comes twice"):
        rbo(["a", ["b", "a"]], ["a"])
    with pytest.raises(InputError, match="is no ranking"):
        rbo("abc", ["a"])
    with pytest.raises(InputError, match="is no ranking"):
        overlap({"a"}, ["a"], 1)
    for k in (0, 1.5, True):
        with pytest.raises(MeasureError, match="k cannot be"):
            overlap(["a"], ["a"], k)
    with pytest.raises(MeasureError, match="ties cannot be 'c'; expected a or b or w"):
        rbo(["a"], ["a"], ties="c")


# ---- runs


@given(RUNS, st.sampled_from(["document-id-descending", "document-id-ascending", "as-given", "expected"]))
def test_ranked_groups(given_run: dict, ties: str) -> None:
    """Groups hold equal scores, greater ones first; laid end to end they are the ranking, whatever the tie rule."""
    run, contract = run_of(given_run), Contract(ties=ties)
    for query, scores in given_run.items():
        groups = ranked_groups(query, run, contract)
        assert [doc for group in groups for doc in group] == ranked(query, run, contract)
        of_groups = [{scores[doc] for doc in group} for group in groups]
        assert [*map(len, of_groups)] == [1] * len(groups)
        flat_scores = [score for one in of_groups for score in one]
        assert flat_scores == sorted(set(scores.values()), reverse=True)


def test_groups_end_at_the_depth() -> None:
    """A tie that crosses the depth keeps what the tie rule puts within it; a run without scores has no ties."""
    run = Run("r", {"q": Ranking(["a", "b", "c"], [2.0, 1.0, 1.0])})
    assert ranked_groups("q", run, Contract(depth=2)) == [["a"], ["c"]]
    assert ranked_groups("q", Run("r", {"q": Ranking(["a", "b"])}), Contract()) == [["a"], ["b"]]
    assert ranked_groups("absent", run, Contract()) == []


A = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"a": 1.0, "b": 1.0}, "q3": {"z": 1.0}}
B = {"q1": {"b": 3.0, "a": 2.0, "d": 1.0}, "q2": {"b": 1.0, "a": 1.0}, "q4": {"a": 1.0}}


def test_two_runs_by_hand() -> None:
    """Each query both answer is compared; equal scores are ties; queries of one run only are named, never averaged."""
    found = similarity(A, B, k=2)
    first, tied_query = found.per_query["q1"], found.per_query["q2"]
    assert (first.overlap, first.tau_b, first.tau_ap_b, first.common, first.left, first.right) == (1, -1, -1, 2, 3, 3)
    assert first.rbo == rbo(["a", "b", "c"], ["b", "a", "d"], 0.9).extrapolated
    assert (tied_query.overlap, tied_query.tau_b) == (1, None)
    assert tied_query.rbo == close(0.1 * 0.5 + 0.9)  # at depth 1 two orders of four agree, below all do
    assert list(found.per_query) == ["q1", "q2"]
    assert (found.only_left, found.only_right) == (["q3"], ["q4"])
    assert found.means["tau_b"] == -1
    assert found.means["overlap"] == 1
    assert found.undefined == {"tau_b": ["q2"], "tau_ap_b": ["q2"]}
    text = found.notes()[0]
    for part in ("2 queries that both answer", "1 query that only run answers, left out (q3)", "run#2", "undefined"):
        assert part in text


def test_which_queries_and_rules() -> None:
    """With qrels only their queries count; the contract's depth ends what is looked at."""
    assert list(similarity(A, B, qrels={"q1": {"a": 1}}).per_query) == ["q1"]
    assert similarity(A, B, qrels={"q1": {"a": 1}}).only_left == []
    found = similarity(A, B, depth=1)
    assert (found.per_query["q1"].common, found.per_query["q1"].left) == (0, 1)
    assert found.contract.depth == 1


@given(RUNS, RUNS)
def test_similarity_takes_no_side(a: dict, b: dict) -> None:
    """Exchanged runs are as alike; a run without ties is like itself by 1, and by 0 open only below what it holds."""
    assume(a.keys() & b.keys())
    forth, back = similarity(a, b), similarity(b, a)
    for query, alike in forth.per_query.items():
        assert back.per_query[query] == close(alike._replace(left=alike.right, right=alike.left), abs=1e-12)
    assert forth.only_left == back.only_right
    for query, alike in similarity(a, a).per_query.items():
        docs = a[query]
        if docs and len(set(docs.values())) == len(docs):
            assert (alike.overlap, alike.rbo, alike.common) == (1, 1, len(docs))
            assert alike.tau_b in {1, None}


def test_two_runs_together() -> None:
    """Two runs in a list, or in a dict by name, are as alike as each by itself; any other number is refused."""
    found = similarity(A, B, k=2)
    assert similarity([A, B], k=2).per_query == found.per_query
    named = similarity({"one": A, "two": B}, k=2)
    assert (named.left, named.right, named.per_query) == ("one", "two", found.per_query)
    for others, count in (([A, B, A], "3 runs"), ([A], "1 run"), (A, "1 run")):
        with pytest.raises(InputError, match=f"{count} given; expected two") as error:
            similarity(others)
        assert "similarities(runs) compares each two of several" in str(error.value)


def test_to_read() -> None:
    """Printed, similarities are their tables and notes; one pair reads as similarities of two runs do."""
    pair, both = similarity({"one": A, "two": B}, k=2), similarities({"one": A, "two": B}, k=2)
    assert repr(pair) == repr(both)
    assert pair._repr_html_() == both._repr_html_()
    lines = repr(pair).splitlines()
    assert lines[0] == "one and two"
    assert lines[2].split() == ["overlap@2", "1.0000"]
    assert repr(pair).endswith("\n".join(both.notes()))
    assert [table.title for table in pair.tables(per_query=True)] == ["one and two", "one and two, per query"]
    several = similarities({"one": A, "two": B, "three": A}, k=2)
    assert [table.title for table in several.tables()] == list(several.names.values())
    assert several._repr_html_().count("<table>") == len(several.names)


def test_several_runs() -> None:
    """Each pair stands once, and the matrix on both sides of an empty diagonal."""
    found = similarities({"one": A, "two": B, "three": A}, k=2)
    assert [(pair.left, pair.right) for pair in found.pairs] == [("one", "two"), ("one", "three"), ("two", "three")]
    matrix = found.matrix("rbo")
    assert [matrix[at][at] for at in range(3)] == [None] * 3
    assert matrix == [list(column) for column in zip(*matrix, strict=True)]
    assert matrix[0][1] == similarity(A, B, k=2).means["rbo"]
    with pytest.raises(InputError, match="nearest: tau_b"):
        found.matrix("taub")


def test_runs_that_cannot_be_compared() -> None:
    """No query in common, one run only, several runs on a side, and a repeated document are refused."""
    with pytest.raises(ContractError, match="no query in common: run begins with q, run#2 begins with p"):
        similarity({"q": {"a": 1.0}}, {"p": {"a": 1.0}})
    with pytest.raises(InputError, match="one run is given"):
        similarities([A])
    with pytest.raises(InputError, match="2 runs are given; expected one on each side"):
        similarity({"x": A, "y": B}, A)
    with pytest.raises(ContractError, match="stands twice"):
        similarity({"q": ["a", "a"]}, {"q": ["a"]})
    with pytest.raises(MeasureError, match="p cannot be 1"):
        similarity(A, B, p=1)


@pytest.fixture
def runs(tmp_path):
    for name, content in {"one": A, "two": B, "three": A}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    return [tmp_path / f"{name}.json" for name in ("one", "two", "three")]


def test_command(in_process, runs) -> None:
    """`rankproof similarity` prints the means of two runs, or matrices of more, and says what it left out."""
    done = in_process("similarity", *runs[:2], "-k", "2")
    assert done.status == 0
    assert "overlap@2" in done.out
    assert "RBO(p=0.9)" in done.out
    assert "1 query that only one answers, left out (q3)" in done.err
    done = in_process("similarity", *runs, "--format", "json", "--rbo-p", "0.5")
    content = json.loads(done.out)
    assert (content["command"], content["runs"], content["p"]) == ("similarity", ["one", "two", "three"], 0.5)
    assert content["matrices"]["overlap"][0][1] == similarity(A, B).means["overlap"]
    assert len(content["inputs"][0]["sha256"]) == 64
    assert content["pairs"][0]["per_query"]["q1"]["common"] == 2
    matrices = in_process("similarity", *runs).out
    assert [line.split() for line in matrices.splitlines()].count(["one", "two", "three"]) == 7
    lines = in_process("similarity", *runs[:2], "--format", "csv", "-q").out.splitlines()
    assert [line.split(",")[2] for line in lines] == ["query_id", "q1", "q2", "all"]
    assert "- contract rankproof" in in_process("similarity", *runs[:2], "--format", "markdown").out


def test_qrels_have_no_place_here(in_process, runs, tmp_path) -> None:
    """Qrels among the runs are named as such, without the advice to put them first."""
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    done = in_process("similarity", tmp_path / "qrels", runs[0])
    assert (done.status, done.out) == (2, "")
    assert "hint: this looks like qrels: similarity takes runs only\n" in done.err
    for of_runs in (similarity, similarities):
        with pytest.raises(InputError, match="similarity takes runs only"):
            of_runs([str(tmp_path / "qrels"), str(runs[0])])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [(["--rbo-p", "1"], "p cannot be 1.0"), (["--rule", "ties=maybe"], "ties"), (["--rule", "depht=1"], "depth")],
)
def test_command_with_bad_arguments(in_process, runs, arguments: list[str], says: str) -> None:
    """A mistake ends with one message and status 2."""
    done = in_process("similarity", *runs, *arguments)
    assert (done.status, done.out) == (2, "")
    assert says in done.err
