"""Interleaving: known values, exact distributions by enumeration, SciPy's binomial, and what a click log must say."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections import Counter
from dataclasses import replace
from itertools import product
from math import fsum, prod
from pathlib import Path
from random import Random

import jsonschema
import pytest
from conftest import ROOT
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy import stats

import rankproof as rp
from rankproof.compare.significance import sign
from rankproof.errors import ContractError, InputError, MeasureError, MissingPackageError
from rankproof.interleave import METHODS, chances, read_shown
from rankproof.interleave.binomial import clopper_pearson, impressions_for, sign_p, sign_power
from rankproof.interleave.credit import CREDITS
from rankproof.interleave.drawing import Drawn, by_random, fair_length
from rankproof.interleave.methods import credit_of, method_of, prepared, seed_of
from rankproof.interleave.probabilistic import shares, shares_in_rounds
from rankproof.interleave.users import MODELS, Rates, clicked
from rankproof.words import term

close = pytest.approx
A, B = [1, 2, 3, 4], [2, 3, 4, 1]
TWO = sorted(METHODS)
FAIR = [name for name in TWO if name != "balanced"]
SEVERAL = sorted(name for name, method in METHODS.items() if not method.only_two)
RANKINGS = st.lists(st.sampled_from("abcde"), max_size=4)
FULL = st.permutations("abcd").map(lambda ranking: ranking[:3])


def by_documents(method: str, rankings, k: int) -> dict[tuple, float]:
    """How likely each list is, whoever contributed its documents."""
    found: dict[tuple, list[float]] = {}
    for one in chances(method, rankings, k):
        found.setdefault(one.documents, []).append(one.chance)
    return {documents: fsum(parts) for documents, parts in found.items()}


def credits_of(method: str, drawn: Drawn, rankings, places, name: str | None = None) -> list[float]:
    return credit_of(METHODS[method], name).of(drawn, rankings, places)


def one_click(method: str, rankings, k: int, name: str | None = None):
    """Every list and click on it: their chance for a user who clicks one shown place at random, and the credits."""
    for one in chances(method, rankings, k):
        drawn = Drawn(one.documents, one.teams)
        for place in range(len(one.documents)):
            yield one.chance / len(one.documents), credits_of(method, drawn, rankings, [place], name)


# ---- known values


def test_balanced_is_biased_where_it_is_known_to_be() -> None:
    """A = 1234 and B = 2341 under balanced: whoever goes first, one click at random lets B win 3 of 4 times."""
    assert by_documents("balanced", [A, B], 4) == {(1, 2, 3, 4): 0.5, (2, 1, 3, 4): 0.5}
    wins = fsum(chance for chance, (a, b) in one_click("balanced", [A, B], 4) if b > a)
    losses = fsum(chance for chance, (a, b) in one_click("balanced", [A, B], 4) if a > b)
    assert (wins, losses) == (close(3 / 4), close(1 / 4))


def test_team_draft_is_fair_there_but_blind_to_the_third_document() -> None:
    """A = 1234, B = 2341 under team draft: one click at random has no bias, and one on 3 is A's as often as B's."""
    assert fsum(chance * (b - a) for chance, (a, b) in one_click("team-draft", [A, B], 4)) == close(0, abs=1e-12)
    teams = Counter[tuple[int, int]]()
    for one in chances("team-draft", [A, B], 4):
        for document, team in zip(one.documents, one.teams or (), strict=True):
            teams[document, team] += one.chance
    assert [teams[document, 0] for document in (1, 2, 3, 4)] == [1, 0, 0.5, 0.5]


def test_probabilistic_has_its_known_values() -> None:
    """[1, 2] and [1, 3], τ = 3: by hand a top has 8/9; in rounds the others have 4/81 and 1/162."""
    rounds = by_documents("probabilistic-rounds", [[1, 2], [1, 3]], 2)
    published = {(1, 2): 0.4444, (1, 3): 0.4444, (2, 1): 0.0494, (3, 1): 0.0494, (2, 3): 0.0062, (3, 2): 0.0062}
    assert rounds == close(published, abs=5e-5)
    anew = by_documents("probabilistic", [[1, 2], [1, 3]], 2)
    # by hand: 2 first has 1/2 · 1/9; then A has only 1 left, and B gives 1 with 8/9
    assert anew == close({**rounds, (2, 1): 17 / 324, (3, 1): 17 / 324, (2, 3): 1 / 324, (3, 2): 1 / 324})


def test_optimised_has_its_known_values() -> None:
    """[1, 2] and [2, 3]: the two balances of inverse ranks leave one mix, 3/7, 13/35 and 1/5 by hand."""
    found = by_documents("optimised", [[1, 2], [2, 3]], 2)
    # p(12) · 2/3 = (p(21) + p(23)) · 1/2, and (p(12) + p(21)) / 6 = p(23) · 2/3
    assert found == close({(1, 2): 3 / 7, (2, 1): 13 / 35, (2, 3): 1 / 5}, abs=1e-9)


# ---- laws of every method


@given(st.sampled_from(TWO), RANKINGS, RANKINGS, st.integers(1, 4))
def test_every_list_is_one_of_the_rankings(method: str, a, b, k: int) -> None:
    """Whatever is shown is in a ranking, once, k times at most; the chances of all lists add up to 1; it ends."""
    found = chances(method, [a, b], k)
    assert fsum(one.chance for one in found) == close(1)
    for one in found:
        assert len({*one.documents}) == len(one.documents) <= k
        assert {*one.documents} <= {*a, *b}
        assert one.teams is None or len(one.teams) == len(one.documents)
        for document, team in zip(one.documents, one.teams or (), strict=one.teams is not None):
            assert document in (a, b)[team]


@given(st.sampled_from(SEVERAL), st.lists(RANKINGS, min_size=3, max_size=3), st.integers(1, 3))
@settings(max_examples=40)
def test_multileaving_ends_and_contributes(method: str, rankings, k: int) -> None:
    """Of three rankings too: every list ends, each document comes from its team, and the chances add up to 1."""
    found = chances(method, rankings, k)
    assert fsum(one.chance for one in found) == close(1)
    for one in found:
        assert all(document in rankings[team] for document, team in zip(one.documents, one.teams or (), strict=True))


@given(st.sampled_from(TWO), RANKINGS, RANKINGS, st.integers(1, 4))
def test_repeats_count_once(method: str, a, b, k: int) -> None:
    """A document that comes twice in a ranking counts at its first place only."""
    assert chances(method, [a, b], k) == chances(method, [list(dict.fromkeys(a)), list(dict.fromkeys(b))], k)


@given(st.sampled_from(FAIR), RANKINGS, RANKINGS, st.integers(1, 3))
def test_a_click_at_random_favours_nobody(method: str, a, b, k: int) -> None:
    """However long both are, a user who clicks one shown place at random gives both the same credit in the mean."""
    firsts = [list(dict.fromkeys(ranking)) for ranking in (a, b)]
    for name in METHODS[method].credits:
        bias = fsum(chance * (right - left) for chance, (left, right) in one_click(method, firsts, k, name))
        assert bias == close(0, abs=1e-9)


@given(st.sampled_from(["team-draft", "probabilistic", "probabilistic-rounds"]), FULL, FULL, st.integers(1, 3))
def test_counted_winners_are_fair_under_clicks_at_random(method: str, a, b, k: int) -> None:
    """Credit that is decided by counting winners lets both win alike under one click at random."""
    for name in METHODS[method].credits:
        if CREDITS[name].test == "sign":
            won = fsum(chance * ((b > a) - (b < a)) for chance, (a, b) in one_click(method, [a, b], k, name))
            assert won == close(0, abs=1e-12)


def test_credit_in_parts_is_not_decided_by_counting() -> None:
    """A = 1234, B = 2341: one click at random on a probabilistic list lets B win more often, but by no more credit."""
    found = list(one_click("probabilistic", [A, B], 1))
    assert fsum(chance * (b - a) for chance, (a, b) in found) == close(0, abs=1e-12)
    weights = [1, 1 / 8, 1 / 27, 1 / 64]
    a_wins = (weights[0] + weights[3]) / 2 / fsum(weights)  # 1 is shown: A has it first, B last
    assert fsum(chance for chance, (a, b) in found if a > b) == close(a_wins)
    assert a_wins < 0.45


@given(
    st.sampled_from(["probabilistic", "probabilistic-rounds"]),
    st.lists(RANKINGS, min_size=2, max_size=3),
    st.integers(1, 3),
)
@settings(max_examples=60)
def test_marginalised_credit_is_the_posterior(method: str, rankings, k: int) -> None:
    """How likely a ranking contributed a place is its share among all ways to draw the list, short ones included."""
    ways: dict[tuple, list] = {}
    for one in chances(method, rankings, k):
        ways.setdefault(one.documents, []).append(one)
    firsts = [list(dict.fromkeys(ranking)) for ranking in rankings]
    of_place = shares if method == "probabilistic" else shares_in_rounds
    for documents, all_ways in ways.items():
        found = of_place(Drawn(documents, None), firsts)
        for place, team in ((place, team) for place in range(len(documents)) for team in range(len(rankings))):
            hits = fsum(one.chance for one in all_ways if one.teams[place] == team)
            assert found[place][team] == close(hits / fsum(one.chance for one in all_ways), abs=1e-9)


CLICKED = [0.9, 0.5, 0.3, 0.7]
"""How likely places are clicked, from the top: all documents are equally bad."""


def edges(method: str, rankings, k: int, name: str):
    """Every list with every set of clicked places: the chance of both, and how much more credit right has than left."""
    for one in chances(method, rankings, k):
        drawn, places = Drawn(one.documents, one.teams), range(len(one.documents))
        for picked in product([True, False], repeat=len(places)):
            chance = prod(CLICKED[at] if hit else 1 - CLICKED[at] for at, hit in zip(places, picked, strict=True))
            credit = credits_of(method, drawn, rankings, [at for at in places if picked[at]], name)
            yield one.chance * chance, credit


@given(st.sampled_from(FAIR), RANKINGS, RANKINGS, st.integers(1, 4))
@example("team-draft", ["a"], ["b", "c"], 3)
@example("team-draft", ["a"], ["a", "b"], 3)
@example("probabilistic", ["a", "b"], ["c"], 3)
@example("probabilistic-rounds", ["a", "b", "c"], ["a"], 3)
@settings(deadline=None)
def test_equally_bad_rankings_get_equal_credit_whatever_their_lengths(method: str, a, b, k: int) -> None:
    """Users who see no difference credit both alike in the mean, and where winners are counted both win as often."""
    for name in METHODS[method].credits:
        found = list(edges(method, [list(dict.fromkeys(a)), list(dict.fromkeys(b))], k, name))
        assert fsum(chance * (right - left) for chance, (left, right) in found) == close(0, abs=1e-9)
        if CREDITS[name].test == "sign":
            won = fsum(chance * ((right > left) - (right < left)) for chance, (left, right) in found)
            assert won == close(0, abs=1e-12)


@given(st.sampled_from(SEVERAL), st.lists(RANKINGS, min_size=3, max_size=3), st.integers(1, 3))
@settings(max_examples=30, deadline=None)
def test_three_equally_bad_rankings_get_equal_credit(method: str, rankings, k: int) -> None:
    """The same of three rankings: each has a third of all credit."""
    firsts = [list(dict.fromkeys(ranking)) for ranking in rankings]
    for name in METHODS[method].credits:
        found = list(edges(method, firsts, k, name))
        shared = [fsum(chance * credit[at] for chance, credit in found) for at in range(3)]
        assert shared == close([fsum(shared) / 3] * 3, abs=1e-9)


@given(st.integers(0, 4), st.integers(0, 4), st.integers(1, 4))
def test_balanced_gains_nothing_by_length(left: int, right: int, k: int) -> None:
    """Of two rankings without a common document, balanced lists credit both alike, however long each is."""
    found = list(edges("balanced", [list("abcd")[:left], list("wxyz")[:right]], k, "top-k"))
    assert fsum(chance * (b - a) for chance, (a, b) in found) == close(0, abs=1e-12)


@given(st.sampled_from(TWO), RANKINGS, RANKINGS, st.integers(1, 4))
def test_coins_do_not_decide_how_long_a_list_is(method: str, a, b, k: int) -> None:
    """All lists of two rankings are equally long, and k long where both rankings are."""
    (length,) = {len(one.documents) for one in chances(method, [a, b], k)}
    assert length == k or min(len({*a}), len({*b})) < k


def test_how_long_lists_are() -> None:
    """By hand: identical rankings are shown whole, each of two others gives as many, a part of the other is its end."""
    for ranking in ("a", "abc", "abcd"):
        assert fair_length([ranking, ranking], 9, in_rounds=True) == len(ranking)
    assert fair_length(["abc", "xyz"], 9, in_rounds=True) == 6
    assert fair_length(["ab", "vwxyz"], 9, in_rounds=True) == 4
    assert fair_length(["a", "ab"], 9, in_rounds=True) == 1  # b first, or a first and a again: one place is sure
    assert fair_length(["ab", "bcd"], 9, in_rounds=True) == 2  # a and b: then ab has nothing left
    assert fair_length(["abc", "bde"], 9, in_rounds=True) == 4  # a, b, c, d: then abc has nothing left
    assert fair_length(["ab", "cd", "ef"], 9, in_rounds=True) == 6
    assert fair_length(["ab", "vwxyz"], 9, in_rounds=False) == 2  # ab may be drawn for every place
    assert fair_length(["", "ab"], 9, in_rounds=True) == fair_length(["", "ab"], 9, in_rounds=False) == 0


@given(st.sampled_from(TWO), FULL, st.integers(1, 3))
def test_identical_rankings_are_treated_alike(method: str, ranking, k: int) -> None:
    """Of two identical rankings neither is ever credited more in the mean, and credit in parts is a tie each time."""
    for name in METHODS[method].credits:
        found = list(one_click(method, [ranking, ranking], k, name))
        assert fsum(chance * (b - a) for chance, (a, b) in found) == close(0, abs=1e-12)
        if CREDITS[name].test == "t" or name == "top-k":
            assert all(a == close(b) for _, (a, b) in found)


@given(st.permutations("abcde"), st.permutations("abcde"), st.integers(1, 5))
def test_balanced_holds_as_many_tops_of_both(a, b, k: int) -> None:
    """Every beginning of a balanced list is the union of the tops of both rankings, to depths that differ by one."""
    for documents in by_documents("balanced", [a, b], k):
        for end in range(1, len(documents) + 1):
            tops = [({*a[:i]} | {*b[:j]}) for i in range(6) for j in range(6) if abs(i - j) <= 1]
            assert {*documents[:end]} in tops


@given(st.permutations("abcd"), st.permutations("cdef"), st.integers(1, 4))
@settings(max_examples=30)
def test_optimised_is_made_of_tops_and_balanced_at_every_length(a, b, k: int) -> None:
    """Beginnings are unions of tops; at every length the inverse ranks of both balance."""
    found = by_documents("optimised", [a, b], k)
    credit = [{doc: 1 / rank for rank, doc in enumerate(ranking[:k], 1)} for ranking in (a, b)]
    for end in range(1, k + 1):
        tops = [({*a[:i]} | {*b[:j]}) for i in range(k + 1) for j in range(k + 1)]
        assert all({*documents[:end]} in tops for documents in found)
        edges = (
            chance * (credit[0].get(doc, 1 / (k + 1)) - credit[1].get(doc, 1 / (k + 1)))
            for documents, chance in found.items()
            for doc in documents[:end]
        )
        assert fsum(edges) == close(0, abs=1e-9)


@pytest.mark.parametrize("method", TWO)
def test_drawn_lists_follow_their_chances(method: str) -> None:
    """Lists drawn by random numbers come as often as the exact distribution says (chi-squared, p above 1e-4)."""
    rankings = [list("abcd"), list("bcea")]
    exact = {(one.documents, one.teams): one.chance for one in chances(method, rankings, 3)}
    draw, random = prepared(METHODS[method], rankings, 3), Random(7)
    seen = Counter[tuple]()
    for _ in range(4000):
        one = draw(by_random(random))
        seen[tuple(one.documents), None if one.teams is None else tuple(one.teams)] += 1
    assert {*seen} <= {*exact}
    often = [key for key, chance in exact.items() if chance * 4000 >= 5]
    counts, expected = [seen[key] for key in often], [exact[key] * 4000 for key in often]
    counts.append(4000 - sum(counts))
    expected.append(4000 - fsum(expected))
    if expected[-1] < 1e-6:
        counts, expected = counts[:-1], expected[:-1]
    assert stats.chisquare(counts, [one * sum(counts) / fsum(expected) for one in expected]).pvalue > 1e-4


def test_assignment_is_fair_over_seeds() -> None:
    """Over 2,000 seeds each of two, and of three, rankings contributes the first document about as often (p > 1e-4)."""
    for runs, count in (({"a": {"q": ["x", "y"]}, "b": {"q": ["x", "y"]}}, 2), (None, 3)):
        named = runs or {name: {"q": ["x", "y"]} for name in "abc"}
        firsts = Counter(rp.interleave(named, 2, seed=seed).lists[0].teams[0] for seed in range(2000))
        assert len(firsts) == count
        for times in firsts.values():
            assert stats.binomtest(times, 2000, 1 / count).pvalue > 1e-4


def test_what_no_method_takes() -> None:
    """Unknown methods and credits, one ranking, three for a method of two, a k of 0, and too much to enumerate."""
    with pytest.raises(
        InputError, match=r"there is no method 'teamdraft'; expected one of .*\n\nhint: nearest: team-draft"
    ):
        method_of("teamdraft")
    with pytest.raises(InputError, match="balanced cannot be credited by 'binary'; expected one of top-k"):
        credit_of(METHODS["balanced"], "binary")
    with pytest.raises(InputError, match="1 ranking is given; expected two or more"):
        chances("team-draft", [[1]], 1)
    with pytest.raises(InputError, match="optimised takes two rankings, not 3"):
        chances("optimised", [[1], [2], [3]], 1)
    with pytest.raises(InputError, match="k cannot be True"):
        chances("balanced", [[1], [2]], True)
    with pytest.raises(InputError, match="more than 200000 ways to draw a list"):
        chances("probabilistic", [list(range(30)), list(range(30))], 5)
    with pytest.raises(InputError, match="optimised interleaving of 13 places has too many lists"):
        chances("optimised", [list(range(13)), list(range(13, 26))], 13)


def test_optimised_needs_scipy(monkeypatch) -> None:
    """Without SciPy optimised interleaving names it; every other method works on."""
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(MissingPackageError, match="optimised interleaving needs the package scipy"):
        chances("optimised", [[1, 2], [2, 1]], 2)
    assert all(chances(name, [[1, 2], [2, 1]], 2) for name in SEVERAL)


# ---- credit


def test_credit_by_hand() -> None:
    """Two clicks on a list of four, by each rule."""
    drawn = Drawn(["a", "b", "c", "d"], [0, 1, 1, 0])
    rankings = [["a", "c", "b", "d"], ["b", "a", "e", "c"]]
    assert CREDITS["binary"].of(drawn, rankings, [0, 2]) == [1, 1]
    assert CREDITS["inverse-rank"].of(drawn, rankings, [0, 2]) == [1, close(1 / 3)]
    # the lowest click is on c: second in the first ranking, so k = 2; the second ranking has only a there
    assert CREDITS["top-k"].of(drawn, rankings, [0, 2]) == [2, 1]
    assert CREDITS["list-ranks"].of(drawn, rankings, [0, 3]) == [close(1 + 1 / 4), close(1 / 2 + 1 / 5)]
    # a first: 1 of the first ranking's weights against 1/8 of the second's
    all_of = 1 + 1 / 8 + 1 / 27 + 1 / 64
    assert CREDITS["marginalised"].of(drawn, rankings, [0]) == close([(1 / all_of) / (1.125 / all_of), 1 / 9])
    assert all(credit.of(drawn, rankings, []) == [0, 0] for credit in CREDITS.values())


# ---- the binomial


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_sign_test_is_that_of_scipy_and_of_compare(left: int, right: int) -> None:
    """The p is SciPy's exact binomial one, and what `compare` gives for so many differences up and down."""
    assert sign_p(left, right) == close(sign([-1.0] * left + [1.0] * right), rel=1e-11)
    if left + right:
        assert sign_p(left, right) == close(stats.binomtest(left, left + right).pvalue, rel=1e-11)


@given(st.integers(0, 40), st.integers(0, 40), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
@settings(max_examples=50)
def test_the_interval_is_that_of_scipy(wins: int, losses: int, confidence: float) -> None:
    """Clopper and Pearson's interval is SciPy's; nothing is known without trials."""
    if wins + losses == 0:
        assert clopper_pearson(0, 0, confidence) == (0, 1)
        return
    theirs = stats.binomtest(wins, wins + losses).proportion_ci(confidence, method="exact")
    assert clopper_pearson(wins, wins + losses, confidence) == close((theirs.low, theirs.high), abs=1e-10)


def brute_power(count: int, left: float, right: float, alpha: float) -> float:
    """The chance of every outcome whose p is at most alpha, over the trinomial distribution, by SciPy."""
    return fsum(
        stats.multinomial.pmf([lost, won, count - lost - won], count, [left, right, 1 - left - right])
        for lost in range(count + 1)
        for won in range(count + 1 - lost)
        if lost + won and stats.binomtest(lost, lost + won).pvalue <= alpha
    )


@pytest.mark.parametrize(("left", "right"), [(0.1, 0.4), (0.3, 0.3), (0.0, 0.5), (0.25, 0.75), (0.2, 0.8)])
@pytest.mark.parametrize("count", [1, 6, 17, 24])
def test_the_power_is_the_sum_over_all_outcomes(count: int, left: float, right: float) -> None:
    """The power of the sign test with ties is the chance of all significant outcomes."""
    assert sign_power(count, left, right, 0.05) == close(brute_power(count, left, right, 0.05), abs=1e-10)


@pytest.mark.parametrize(("left", "right"), [(0.2, 0.8), (0.1, 0.5), (0.0, 0.4)])
def test_impressions_needed_are_where_the_power_stays(left: float, right: float) -> None:
    """One impression less has too little power, and no larger number (to twice as many) has."""
    found = impressions_for(left, right, 0.05, 0.8)
    assert found is not None
    assert found > 1
    assert brute_power(found - 1, left, right, 0.05) < 0.8
    later = [found, found + 1, found + 2, found + 3, found + 7]
    assert all(brute_power(count, left, right, 0.05) >= 0.8 for count in later)


def test_impressions_needed_of_large_numbers() -> None:
    """For a share of .51 the power is reached there and not 1 % before, by SciPy; ties add what they take away."""

    def power(count: int) -> float:
        critical = stats.binom.ppf(0.025, count, 0.5) - 1  # a lesser side this small is significant
        return stats.binom.cdf(critical, count, 0.51) + stats.binom.sf(count - critical - 1, count, 0.51)

    found = impressions_for(0.49, 0.51, 0.05, 0.8)
    assert found is not None
    assert power(found) >= 0.8 > power(round(0.99 * found))
    assert impressions_for(0.049, 0.051, 0.05, 0.8) == close(10 * found, rel=0.01)
    assert impressions_for(0.3, 0.3, 0.05, 0.8) is None
    assert impressions_for(0.4999999, 0.5, 0.05, 0.8) is None


# ---- users


def test_click_models_are_the_published_ones() -> None:
    """Rates by grade, of two, three and five grades as published; of four on straight lines; unjudged as the lowest."""
    navigational, informational = MODELS["navigational"], MODELS["informational"]
    assert [navigational.rates(grade, 1) for grade in (0, 1)] == [(0.05, 0.2), (0.95, 0.9)]
    assert [navigational.rates(grade, 2).click for grade in (0, 1, 2)] == [0.05, 0.5, 0.95]
    assert [informational.rates(grade, 4) for grade in (1, 4)] == [(0.6, 0.2), (0.9, 0.5)]
    assert informational.rates(1, 3) == close((0.6 + 0.1 / 3, 0.2 + 0.1 / 3))
    assert informational.rates(-1, 3) == informational.rates(0, 3) == (0.4, 0.1)
    assert MODELS["perfect"].rates(2, 4) == (0.4, 0)


def test_users_click_as_often_as_they_should() -> None:
    """The second place is clicked if the user did not end at the first: .5 · (1 - .8 · .25) (binomial, p > 1e-4)."""
    random = Random(5)
    seen = Counter(place for _ in range(4000) for place in clicked([Rates(0.8, 0.25), Rates(0.5, 1.0)], random))
    for place, chance in ((0, 0.8), (1, 0.5 * (1 - 0.2))):
        assert stats.binomtest(seen[place], 4000, chance).pvalue > 1e-4


# ---- lists of runs

RUNS = {
    "old": {"q1": ["a", "b", "c"], "q2": ["d", "e"], "q3": ["a"]},
    "new": {"q1": ["c", "d", "a"], "q2": ["e", "d"], "q4": ["a"]},
}


def test_lists_depend_on_seed_query_and_number_alone() -> None:
    """The same seed gives the same lists, whatever other queries there are; no two lists share their coins."""
    found = rp.interleave(RUNS, 3, seed=4, impressions=20)
    assert found == rp.interleave(RUNS, 3, seed=4, impressions=20)
    alone = {name: {"q2": run["q2"]} for name, run in RUNS.items()}
    assert [one for one in found.lists if one.query_id == "q2"] == rp.interleave(alone, 3, seed=4, impressions=20).lists
    same = {name: {f"q{at}": ["a", "b", "c", "d"] for at in range(40)} for name in ("x", "y")}
    teams = Counter(one.teams for one in map(_hashable, rp.interleave(same, 4).lists))
    assert len(teams) == 4
    assert (
        len({seed_of(seed, query, number) for seed in (0, 1) for query in ("", "1", "/1") for number in (1, 11)}) == 12
    )
    assert rp.interleave(RUNS, 3, seed=4).lists != rp.interleave(RUNS, 3, seed=5).lists


def _hashable(one):
    return one._replace(doc_ids=tuple(one.doc_ids), teams=tuple(one.teams))


def test_queries_that_not_all_answer_are_named() -> None:
    """Only queries that every run answers are interleaved; the others are named, and none in common is refused."""
    found = rp.interleave(RUNS)
    assert [one.query_id for one in found.lists] == ["q1", "q2"]
    assert found.to_dict()["left_out"] == ["q3", "q4"]
    assert "2 queries that not all runs answer, left out (q3, q4)" in found.notes()
    with pytest.raises(ContractError, match="no query in common: a begins with q1, b begins with q2"):
        rp.interleave({"a": {"q1": ["x"]}, "b": {"q2": ["x"]}})
    with pytest.raises(InputError, match="1 run is given; expected two or more"):
        rp.interleave({"q1": ["x"]})
    with pytest.raises(InputError, match="impressions cannot be 0"):
        rp.interleave(RUNS, impressions=0)
    with pytest.raises(InputError, match="query q1: optimised takes two rankings, not 3"):
        rp.interleave({**RUNS, "third": RUNS["old"]}, method="optimised")
    told: list[tuple[int, int]] = []
    rp.interleave(RUNS, on_done=lambda done, total: told.append((done, total)))
    assert told == [(1, 2), (2, 2)]


def test_the_contract_orders_the_rankings() -> None:
    """Scores and the rule for ties decide what stands first, as everywhere."""
    tied = {"a": {"q": {"x": 1.0, "y": 1.0}}, "b": {"q": {"x": 1.0, "y": 1.0}}}
    assert rp.interleave(tied, 1, ties="document-id-ascending").lists[0].doc_ids == ["x"]
    assert rp.interleave(tied, 1, ties="document-id-descending").lists[0].doc_ids == ["y"]


# ---- clicks

SHOWN = {"a": {f"q{at}": ["x", "y"] for at in range(1, 13)}, "b": {f"q{at}": ["z", "w"] for at in range(1, 13)}}


def on_team(found: rp.Interleaving, team: str, query: str) -> dict[str, str]:
    """A click on what a team contributed to a query's list."""
    one = next(one for one in found.lists if one.query_id == query)
    return {"query_id": query, "doc_id": one.doc_ids[list(one.teams or ()).index(team)]}


def test_clicks_by_hand() -> None:
    """Nine impressions for b, one for a, two ties: the sign test's p is 22/1024, the share 9/10."""
    lists = rp.interleave(SHOWN, 2, seed=3)
    queries = [f"q{at}" for at in range(1, 13)]
    rows = [on_team(lists, "b", query) for query in [*queries[:9], *queries[10:]]]
    rows += [on_team(lists, "a", query) for query in queries[9:]]
    rows += [rows[0]]  # again, and counted once
    found = rp.click_preferences(lists, rows)
    (pair,) = found.pairs
    assert (pair.impressions, pair.votes) == ((1, 2, 9), (1, 2, 9))
    assert (pair.p, pair.share, pair.verdict) == (close(22 / 1024), 0.9, "right")
    assert pair.delta == close((9 + 1) / 12 - 0.5)
    assert pair.gain == close((9 - 1) / 12)
    assert found.credits == {"a": 3, "b": 11}
    ttest = stats.ttest_1samp([-1, 0, 0, *[1] * 9], 0).confidence_interval(0.95)
    assert pair.gain_interval == close((ttest.low, ttest.high))
    notes = found.notes()
    assert notes[0] == (
        "b gets the clicks: b won 9 of the 10 impressions with a winner (90 %, 95 % interval 55.5 % to 99.7 %), "
        "2 tied; sign test p 0.0215"
    )
    assert "1 click on a document clicked before in its impression, counted once" in notes
    assert "no impression, session or user is known: all clicks on a query count as one impression" in notes
    assert "9 of the 10" in repr(found)
    assert "<table>" in found._repr_html_()


def test_verdicts() -> None:
    """Five that agree cannot reach .05 (p 1/16); six can (1/32); an even score shows nothing."""
    lists = rp.interleave(SHOWN, 2, seed=3)

    def of(b: int, a: int) -> rp.ClickPreferences:
        rows = [on_team(lists, "b" if at < b else "a", f"q{at + 1}") for at in range(b + a)]
        return rp.click_preferences(lists, rows)

    assert [of(*wins).pairs[0].verdict for wins in ((5, 0), (6, 0), (0, 6), (5, 5))] == [
        "too-few",
        "right",
        "left",
        "none-shown",
    ]
    assert (
        of(5, 0)
        .notes()[0]
        .endswith(
            "too few to tell a and b apart: b won 5 of the 5 impressions with a winner, 0 tied; "
            "were all to agree, p would be 0.0625"
        )
    )
    assert of(5, 5).notes()[0].startswith("no preference shown between a and b")
    assert "7 lists without a click: if they were shown, they are ties" in of(5, 0).notes()


def test_a_user_has_one_vote() -> None:
    """One who clicks a hundred times counts as one: the majority of each user's impressions votes, equal ones tie."""
    lists = rp.interleave(SHOWN, 2, seed=3)
    rows = [{**on_team(lists, "b", "q1"), "user": "u0", "session": str(at)} for at in range(100)]
    rows += [{**on_team(lists, "a", f"q{at}"), "user": f"u{at}"} for at in range(1, 7)]
    rows += [{**on_team(lists, team, "q9"), "user": "u9", "session": team} for team in ("a", "b")]
    alone, clustered = rp.click_preferences(lists, rows), rp.click_preferences(lists, rows, cluster="user")
    assert (alone.pairs[0].votes, alone.pairs[0].verdict) == ((7, 0, 101), "right")
    assert (clustered.pairs[0].impressions, clustered.pairs[0].votes) == ((7, 0, 101), (6, 1, 1))
    assert (clustered.pairs[0].p, clustered.pairs[0].verdict) == (close(16 / 128), "none-shown")
    assert clustered.clusters == 8
    assert any("--cluster user gives each one vote" in note for note in alone.notes())
    assert any(
        note.startswith("one vote a user: whoever won most of its impressions (8 in all)") for note in clustered.notes()
    )


def test_credit_in_parts_is_tested_by_its_mean() -> None:
    """Of probabilistic lists the gain, its interval and p are SciPy's paired t test over impressions."""
    runs = {"a": {f"q{at}": list("abcd") for at in range(30)}, "b": {f"q{at}": list("bcda") for at in range(30)}}
    lists, random = rp.interleave(runs, 4, method="probabilistic", seed=1), Random(2)
    rows = [{"query_id": one.query_id, "doc_id": random.choice(one.doc_ids)} for one in lists.lists]
    found = rp.click_preferences(lists, rows)
    places = {row["query_id"]: row["doc_id"] for row in rows}
    gains = []
    for one in lists.lists:
        row = shares(Drawn(one.doc_ids, None), [list("abcd"), list("bcda")])[one.doc_ids.index(places[one.query_id])]
        gains.append(row[1] - row[0])
    theirs = stats.ttest_1samp(gains, 0)
    (pair,) = found.pairs
    assert (pair.test, pair.p) == ("t", close(theirs.pvalue))
    assert pair.gain_interval == close(tuple(theirs.confidence_interval(0.95)))
    assert "t test p" in found.notes()[0]
    gathered = rp.click_preferences(
        lists, [{**row, "user": int(row["query_id"][1:]) % 7} for row in rows], cluster="user"
    )
    sums = [fsum(gains[at] for at in range(30) if at % 7 == user) for user in range(7)]
    assert gathered.pairs[0].p == close(stats.ttest_1samp(sums, 0).pvalue)
    alone = rp.click_preferences(lists, rows[:1]).pairs[0]
    assert (alone.p, alone.adjusted_p, alone.gain_interval, alone.verdict) == (None, None, None, "too-few")


def test_all_pairs_are_corrected_by_holm() -> None:
    """Of three runs every pair is told; the least p counts three times."""
    runs = {name: {f"q{at}": [f"{name}{n}" for n in range(3)] for at in range(20)} for name in "abc"}
    lists = rp.interleave(runs, 3, seed=2)
    rows = [on_team(lists, "c", f"q{at}") for at in range(18)] + [on_team(lists, "a", f"q{at}") for at in range(4)]
    found = rp.click_preferences(lists, rows)
    assert [(one.left, one.right) for one in found.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    p = [sign_p(*counts) for counts in ((4, 0), (0, 14), (0, 18))]
    assert [one.p for one in found.pairs] == close(p)
    assert [one.adjusted_p for one in found.pairs] == close([p[0], 2 * p[1], 3 * p[2]])
    assert "adjusted p" in found.tables()[0].header


def test_several_lists_of_a_query_need_their_number() -> None:
    """Where a query has several lists, a click names the one it was on; what it did not show is refused."""
    lists = rp.interleave({"a": {"q": ["x", "y"]}, "b": {"q": ["z", "w"]}}, 1, seed=1, impressions=8)
    first = {one.impression: one.doc_ids[0] for one in lists.lists}
    rows = [{"query_id": "q", "doc_id": doc, "impression": number} for number, doc in first.items()]
    found = rp.click_preferences(lists, rows)
    assert sum(found.pairs[0].impressions) == 8
    assert found.credits == Counter(one.teams[0] for one in lists.lists)
    with pytest.raises(InputError, match="clicks:1: column impression: has no impression"):
        rp.click_preferences(lists, [{"query_id": "q", "doc_id": "x"}])
    other = "z" if first[1] == "x" else "x"
    with pytest.raises(InputError, match=f"clicks:1: query q, document {other}: was not shown, impression 1"):
        rp.click_preferences(lists, [{"query_id": "q", "doc_id": other, "impression": "1"}])
    with pytest.raises(InputError, match="query q: no list was shown for this query, impression x"):
        rp.click_preferences(lists, [{"query_id": "q", "doc_id": "x", "impression": "x"}])


@pytest.mark.parametrize("impressions", [1, 8])
def test_spellings_of_an_impression_are_one(impressions: int, tmp_path: Path) -> None:
    """1, "1", "1.0", " 1", "01" and 1.0 are impression 1, whether that is the number of a list or a name."""
    lists = rp.interleave({"a": {"q": ["x", "y"]}, "b": {"q": ["z", "w"]}}, 2, seed=1, impressions=impressions)
    docs = lists.lists[0].doc_ids
    spellings = [1, "1", "1.0", " 1", "01", 1.0]
    rows = [{"query_id": "q", "doc_id": docs[at % 2], "impression": spelling} for at, spelling in enumerate(spellings)]
    found = rp.click_preferences(lists, rows)
    assert sum(found.pairs[0].impressions) == 1
    assert (found.clicked.clicks, found.clicked.repeats) == (6, 4)
    (tmp_path / "clicks.csv").write_text(f"query_id,doc_id,impression\nq,{docs[0]},1.0\nq,{docs[1]}, 01\n")
    assert sum(rp.click_preferences(lists, tmp_path / "clicks.csv").pairs[0].impressions) == 1


def test_names_of_impressions_stay_apart() -> None:
    """What is no whole number is a name, as it is spelled."""
    lists = rp.interleave({"a": {"q": ["x"]}, "b": {"q": ["z"]}}, 2, seed=1)
    names = ["1", "1.5", "a1", "A1", "1 a", "-1", "1e0"]
    rows = [{"query_id": "q", "doc_id": "x", "impression": name} for name in names]
    assert sum(rp.click_preferences(lists, rows).pairs[0].impressions) == len(names)


BAD_CLICKS = {
    "query_id,doc_id\nq1,a\nq1,nowhere\n": "clicks.csv:3: query q1, document nowhere: was not shown",
    "query_id,doc_id\nq9,a\n": "clicks.csv:2: query q9: no list was shown for this query",
    "query_id,user\nq1,u\n": "clicks.csv:2: column doc_id: has no doc_id; expected a column doc_id",
    "query_id,doc_id\n": "clicks.csv: holds no clicks; expected rows with query_id and doc_id",
    "": "clicks.csv: holds no clicks; expected rows with query_id and doc_id, and if known impression, session, user",
    "[]\n": "clicks.csv: holds no clicks; expected rows with query_id and doc_id",
    "\nqid,docid\n1,a\n": "clicks.csv:2: begins with 'qid,docid'; expected rows with query_id and doc_id",
    "q1\ta\n": "clicks.csv:1: begins with 'q1\\ta'; expected rows with query_id and doc_id",
    "<DOC>\n": "clicks.csv:1: begins with '<DOC>'; expected rows with query_id and doc_id",
    '{"query_id": "q1", "doc_id": 1.5}\n': "clicks.csv:1: column doc_id: doc_id 1.5; expected a text",
}


@pytest.mark.parametrize("text", BAD_CLICKS)
def test_bad_clicks_are_named_by_line(tmp_path: Path, text: str) -> None:
    """A click on what was not shown, or without what it needs, is refused with file and line."""
    (tmp_path / "clicks.csv").write_text(text)
    with pytest.raises(InputError, match=re.escape(BAD_CLICKS[text])):
        rp.click_preferences(rp.interleave(RUNS, 3), tmp_path / "clicks.csv")


def test_bad_choices_about_clicks() -> None:
    """A cluster or confidence that cannot be, a cluster that the clicks lack, and what is no row."""
    lists, rows = rp.interleave(RUNS, 3), [{"query_id": "q1", "doc_id": "a"}]
    with pytest.raises(
        InputError, match="clicks cannot be gathered by 'team'; expected one of user, session, query_id"
    ):
        rp.click_preferences(lists, rows, cluster="team")
    with pytest.raises(InputError, match="clicks:1: column user: has no user"):
        rp.click_preferences(lists, rows, cluster="user")
    with pytest.raises(MeasureError, match=r"confidence cannot be 95"):
        rp.click_preferences(lists, rows, confidence=95)
    with pytest.raises(InputError, match="clicks:1: is 'q1'"):
        rp.click_preferences(lists, ["q1"])


# ---- how many impressions it takes


def test_simulated_rates_are_those_of_the_exact_distribution() -> None:
    """One relevant document, a perfect user, team draft: the wins follow from the chances of the lists (p > 1e-4)."""
    a, b, qrels = ["r", "x", "y"], ["x", "y", "r"], {"q": {"r": 1, "x": 0}}
    found = rp.impressions_needed(qrels, {"q": a}, {"q": b}, 3, model="perfect", simulated=4000, seed=2)
    of_a = fsum(
        one.chance for one in chances("team-draft", [a, b], 3) if (one.teams or ())[one.documents.index("r")] == 0
    )
    assert stats.binomtest(found.outcomes.left, 4000, of_a).pvalue > 1e-4
    assert sum(found.outcomes) == 4000
    share = found.outcomes.right / found.outcomes.decided
    assert found.needed.impressions == impressions_for(1 - share, share, 0.05, 0.8)
    low, high = found.needed[1:]
    assert low is not None
    assert high is not None
    assert low <= found.needed.impressions <= high
    assert found.answers.runs[0] in found.notes()[0]
    assert found == rp.impressions_needed(qrels, {"q": a}, {"q": b}, 3, model="perfect", simulated=4000, seed=2)


def test_plan_by_the_mean_credit() -> None:
    """Where the mean is tested, the need is statsmodels' for the simulated effect size, to one impression."""
    from statsmodels.stats.power import TTestPower

    a, b, qrels = ["r", "x", "y"], ["x", "y", "r"], {"q": {"r": 1, "x": 0}}
    found = rp.impressions_needed(qrels, {"q": a}, {"q": b}, 3, method="probabilistic", simulated=3000)
    effect = abs(found.gain) / found.deviation
    theirs = TTestPower().solve_power(effect, alpha=0.05, power=0.8)
    assert found.test == "t"
    assert found.needed.impressions == close(theirs, abs=1)


def test_identical_runs_show_no_preference() -> None:
    """Between a run and itself no number of impressions shows a preference, as far as the simulation can say."""
    run, qrels = {"q": ["a", "b", "c"], "p": ["c", "a", "b"]}, {"q": {"a": 1}, "p": {"b": 1}}
    for method in TWO:
        found = rp.impressions_needed(qrels, run, run, 3, method=method, simulated=2000)
        assert found.needed.high is None
        assert (
            stats.binomtest(found.outcomes.left, found.outcomes.decided or 1).pvalue > 1e-4
            or not found.outcomes.decided
        )
        assert found.direction is None
        assert found.needed.impressions is None
        assert re.match(
            "the simulation shows no direction between run-1 and run-2: "
            "(its 95 % interval .* holds (50 %|0)|the credit never)",
            found.notes()[0],
        )
    none = rp.impressions_needed({"q": {"a": 0}}, {"q": ["a"]}, {"q": ["a"]}, model="perfect", simulated=10)
    assert none.needed == (None, none.needed.low, None)
    assert none.share is None


@pytest.mark.parametrize("method", FAIR)
def test_a_longer_ranking_of_equally_bad_documents_shows_no_direction(method: str) -> None:
    """Where every grade is 0, a plan for a short and a long ranking names nobody, and says that lists are short."""
    short = {"q": ["a", "b"], "p": ["c"], "full": list("abc")}
    long = {"q": ["c", "b", "d", "e"], "p": list("abde"), "full": list("cde")}
    zero = {query: dict.fromkeys("abcde", 0) for query in short}
    found = rp.impressions_needed(
        zero, short, long, 3, method=method, model="informational", credit=METHODS[method].credits[-1], simulated=4000
    )
    assert found.direction is None
    assert found.needed.impressions is None
    wanted = {query for query in short if len(chances(method, [short[query], long[query]], 3)[0].documents) < 3}
    assert found.short == [query for query in short if query in wanted]
    assert any(note.startswith(f"{len(wanted)} quer") and "less than k" in note for note in found.to_dict()["caveats"])


def test_a_plan_that_needs_too_many_says_so(monkeypatch) -> None:
    """Where more impressions are needed than are planned for, it still says for whom; one impression shows nobody."""
    a, b, qrels = ["r", "x", "y"], ["x", "y", "r"], {"q": {"r": 1, "x": 0}}
    found = rp.impressions_needed(qrels, {"q": a}, {"q": b}, 3, model="informational", simulated=2000)
    for module in ("binomial", "telling"):
        monkeypatch.setattr(sys.modules[f"rankproof.interleave.{module}"], "MOST", 8)
    assert (found.direction, found.needed.impressions) == ("left", None)
    assert found.notes()[0].startswith("it takes more than 8 impressions to see that run-1 gets the clicks (sign test")
    alone = rp.impressions_needed(qrels, {"q": a}, {"q": b}, method="probabilistic", simulated=1)
    assert alone.notes()[0].startswith(
        "the simulation shows no direction between run-1 and run-2: one impression has no interval ("
    )
    same = replace(alone, gains=[0.5, 0.5])
    assert (same.direction, same.needed) == (None, (None, None, None))
    assert "shows no direction between run-1 and run-2: the credit never varies (" in same.notes()[0]


def test_balanced_says_that_it_is_biased() -> None:
    """Lists, preferences and plans made by balanced interleaving say its bias, in JSON too; those of others do not."""
    qrels = {"q1": {"a": 1}}
    for method, says in (("balanced", True), ("team-draft", False)):
        lists = rp.interleave(RUNS, 3, method=method)
        clicks = rp.click_preferences(lists, [{"query_id": "q1", "doc_id": lists.lists[0].doc_ids[0]}])
        plan = rp.impressions_needed(qrels, RUNS["old"], RUNS["new"], method=method, simulated=10)
        told = [lists.notes(), clicks.notes(), plan.notes(), clicks.to_dict()["caveats"], plan.to_dict()["caveats"]]
        assert [any("win 3 of 4 times" in note for note in notes) for notes in told] == [says] * 5


def test_bad_plans_are_refused() -> None:
    """No judged query, an unknown model, a power of 1, no impressions, several runs."""
    run, qrels = {"q": ["a"], "p": ["a"]}, {"q": {"a": 1}}
    assert rp.impressions_needed(qrels, run, run, simulated=1).unjudged == ["p"]
    with pytest.raises(ContractError, match="no query that both runs answer is judged"):
        rp.impressions_needed({"r": {"a": 1}}, run, run)
    with pytest.raises(InputError, match="there is no click model 'perfekt'"):
        rp.impressions_needed(qrels, run, run, model="perfekt")
    with pytest.raises(MeasureError, match="power cannot be 1; expected between 0 and 1"):
        rp.impressions_needed(qrels, run, run, power=1)
    with pytest.raises(InputError, match="simulated cannot be 0"):
        rp.impressions_needed(qrels, run, run, simulated=0)


# ---- the command line

VALIDATOR = jsonschema.Draft202012Validator(json.loads((ROOT / "docs" / "result-1.schema.json").read_text("utf-8")))


@pytest.fixture
def files(tmp_path: Path, monkeypatch) -> Path:
    """Two runs, a third, judgments, and clicks on what seed 1 shows."""
    monkeypatch.chdir(tmp_path)
    for name, docs in (("old", "abcd"), ("new", "dcba"), ("third", "badc")):
        lines = [f"q{at} Q0 {doc} {rank} {9 - rank} {name}" for at in range(9) for rank, doc in enumerate(docs, 1)]
        (tmp_path / f"{name}.run").write_text("\n".join(lines) + "\n")
    (tmp_path / "qrels").write_text("".join(f"q{at} 0 d 1\n" for at in range(9)))
    rows = [f"q{at},d,u{at // 2},s{at}" for at in range(9)]
    (tmp_path / "clicks.csv").write_text("query_id,doc_id,user,session\n" + "\n".join(rows) + "\n")
    return tmp_path


PAIR = ("interleave", "old.run", "new.run", "-k", "4", "--seed", "1")


@pytest.mark.parametrize("method", TWO)
@pytest.mark.parametrize("name", ["csv", "tsv", "json"])
def test_saved_lists_are_read_back(files, in_process, method: str, name: str) -> None:
    """Clicks on a saved file of lists say what they say on lists that are drawn again by the same seed."""
    saved = in_process(*PAIR, "--method", method, "--format", name, "-o", "shown")
    assert saved.status == 0, saved.err
    again = in_process(*PAIR, "--method", method, "--clicks", "clicks.csv", "--format", "csv")
    read = in_process(
        "interleave", "old.run", "new.run", "--shown", "shown", "--clicks", "clicks.csv", "--format", "csv"
    )
    assert again.status == read.status == 0, read.err
    assert again.out == read.out
    lists = rp.interleave(["old.run", "new.run"], 4, method=method, seed=1)
    assert read_shown("shown", ["old.run", "new.run"]).lists == [
        one._replace(doc_ids=list(one.doc_ids)) for one in lists.lists
    ]


def test_lists_as_a_table(files, in_process) -> None:
    """A row a document: rank and team; the number of the impression where there are several; talk on stderr."""
    done = in_process(*PAIR)
    assert done.out.splitlines()[0].split() == ["query_id", "rank", "doc_id", "team"]
    assert len(done.out.splitlines()) == 1 + 9 * 4
    assert "9 queries, of old, new; k 4, seed 1" in done.err
    several = in_process(*PAIR, "--impressions", "2", "--method", "balanced")
    assert several.out.splitlines()[0].split() == ["query_id", "impression", "rank", "doc_id"]
    rows = list(csv.DictReader(io.StringIO(in_process(*PAIR, "--format", "csv").out)))
    assert {(row["method"], row["k"], row["seed"]) for row in rows} == {("team-draft", "4", "1")}
    assert in_process(*PAIR, "--format", "markdown").out.startswith("| query_id | rank | doc_id | team |")


FORMS = [
    PAIR,
    (*PAIR, "--method", "optimised", "--impressions", "2"),
    (*PAIR, "--clicks", "clicks.csv", "--cluster", "user", "--confidence", "0.9"),
    (*PAIR, "--clicks", "clicks.csv", "--method", "probabilistic"),
    ("interleave", "old.run", "new.run", "third.run", "-k", "4", "--seed", "1", "--clicks", "clicks.csv"),
    (*PAIR, "--simulate", "navigational", "--qrels", "qrels", "--simulated", "200"),
    (*PAIR, "--simulate", "informational", "--qrels", "qrels", "--simulated", "200", "--method", "optimised"),
    (*PAIR, "--simulate", "perfect", "--qrels", "qrels", "--simulated", "1", "--method", "probabilistic-rounds"),
]


@pytest.mark.parametrize("arguments", FORMS)
def test_every_form_in_every_format(files, in_process, arguments: tuple[str, ...]) -> None:
    """JSON fits the documented schema and lacks no field of it; heads are Korean too; the other formats answer."""
    done = in_process(*arguments, "--format", "json")
    assert done.status == 0, done.err
    found = json.loads(done.out)
    VALIDATOR.validate(found)
    for left_out in found:
        assert not VALIDATOR.is_valid({name: value for name, value in found.items() if name != left_out})
    assert not VALIDATOR.is_valid({**found, "extra": 1})
    assert not VALIDATOR.is_valid({**found, "method": "zipper"})
    for name in ("table", "csv", "tsv", "markdown"):
        assert in_process(*arguments, "--format", name).status == 0
    heads = re.findall(r"^\| (?!---)(.+) \|\n\| ---", in_process(*arguments, "--format", "markdown").out, re.MULTILINE)
    for head in (cell for row in heads for cell in row.split(" | ") if cell != "p"):
        assert re.search("[가-힣]", term(head).ko), head
    for title in re.findall(r"^## (.+)", in_process(*arguments, "--format", "markdown").out, re.MULTILINE):
        assert re.search("[가-힣]", term(title).ko), title


PLAN = ("--simulate", "perfect", "--qrels", "qrels")
REFUSED = {
    ("--cluster", "user"): "--cluster says nothing without --clicks",
    ("--credit", "binary"): "--credit says nothing without --clicks or --simulate",
    ("--qrels", "qrels"): "--qrels says nothing without --simulate",
    ("--power", "0.9"): "--power says nothing without --simulate",
    ("--alpha", "0.05"): "--alpha says nothing without --simulate",
    ("--simulated", "10000"): "--simulated says nothing without --simulate",
    ("--confidence", "0.95"): "--confidence says nothing without --clicks",
    ("--clicks", "clicks.csv", "--power", "0.9"): "--power says nothing without --simulate",
    (*PLAN, "--confidence", "0.9"): "--confidence says nothing without --clicks",
    (*PLAN, "--power", "1"): "power cannot be 1.0; expected between 0 and 1",
    (*PLAN, "--alpha", "nan"): "alpha cannot be nan; expected between 0 and 1",
    (*PLAN, "--simulated", "0"): "Invalid value for '--simulated'",
    ("--clicks", "clicks.csv", "--confidence", "0"): "confidence cannot be 0.0; expected a number from 0.5",
    ("--simulate", "perfect"): "--simulate needs judgments\n\nhint: --qrels FILE",
    ("--clicks", "clicks.csv", "--simulate", "perfect", "--qrels", "qrels"): "--clicks says nothing beside --simulate",
    ("--clicks", "clicks.csv", "--shown", "shown"): "-k says nothing beside --shown",
    ("--simulate", "perfect", "--qrels", "qrels", "--impressions", "3"): "--impressions says nothing beside --simulate",
    ("third.run", "--simulate", "perfect", "--qrels", "qrels"): "3 runs are given; expected two to plan for",
    ("third.run", "--method", "balanced"): "balanced takes two rankings, not 3",
    ("--method", "zipper"): "there is no method 'zipper'",
    ("-o", "old.run"): "is read or written already: it would be overwritten",
    ("--clicks", "gone.csv"): "gone.csv: there is no such file",
}


@pytest.mark.parametrize("arguments", REFUSED, ids=" ".join)
def test_what_cannot_be_asked_for(files, in_process, arguments: tuple[str, ...]) -> None:
    """One message and status 2."""
    done = in_process(*PAIR, *arguments)
    assert (done.status, done.out) == (2, "")
    assert REFUSED[arguments] in done.err


def test_a_file_of_lists_is_named_by_its_ending_alone(files, in_process) -> None:
    """-o takes the format from the ending; --format wins over it; other endings are tables."""
    for name in ("csv", "tsv", "json", "md", "CSV"):
        assert in_process(*PAIR, "-o", f"lists.{name}").status == 0
        form = {"md": "markdown"}.get(name, name.lower())
        told, written = in_process(*PAIR, "--format", form).out, (files / f"lists.{name}").read_text()
        if form == "json":
            assert json.loads(told)["lists"] == json.loads(written)["lists"]
        else:
            assert told == written
    assert in_process(*PAIR, "-o", "lists.csv", "--format", "table").status == 0
    assert in_process(*PAIR, "-o", "lists.txt").status == 0
    table = in_process(*PAIR).out
    assert table == (files / "lists.csv").read_text() == (files / "lists.txt").read_text()


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_lists_that_were_printed_to_be_read_are_refused(files, in_process, form: str) -> None:
    """--shown says that it wants CSV or JSON where it is given a table or Markdown; an empty file holds no lists."""
    assert in_process(*PAIR, "--format", form, "-o", "shown").status == 0
    done = in_process("interleave", "old.run", "new.run", "--shown", "shown", "--clicks", "clicks.csv")
    assert (done.status, done.out) == (2, "")
    assert re.search("shown:1: begins with '.*'; expected a file that `rankproof interleave … --format json", done.err)
    (files / "shown").write_text("")
    done = in_process("interleave", "old.run", "new.run", "--shown", "shown", "--clicks", "clicks.csv")
    assert "shown: holds no lists; expected a file that `rankproof interleave" in done.err


GOOD = "query_id,impression,rank,doc_id,team,method,k,seed\nq1,1,1,a,old,team-draft,4,1\n"
BAD_SHOWN = {
    GOOD.replace("q1,1,1,a", "q1,1,1,zz"): "shown:2: query q1, document zz: is in none of the runs",
    GOOD.replace("q1,1,1,a", "q77,1,1,a"): "shown:2: query q77: no list of this query can be made of these runs",
    GOOD.replace(
        "a,old", "a,other"
    ): "shown:2: query q1, document a, column team: team 'other'; expected one of old, new",
    GOOD.replace("a,old", "a,"): "column team: team None; expected one of old, new",
    GOOD.replace("q1,1,1", "q1,1,2"): "shown:2: query q1, document a: stands at rank 2; expected rank 1, in order",
    GOOD + "q1,1,2,b,new,team-draft,4,2\n": "shown:3: query q1: was made with method team-draft, k 4, seed 2; expected",
    GOOD.replace(",4,1", ",four,1"): "shown:2: column k: k 'four'",
    GOOD.replace("team-draft", "zipper"): "shown:2: column method: method 'zipper'",
    "query_id,doc_id\nq1,a\n": "shown:2: column impression: has no impression",
    "{}": "shown: holds no lists; expected a file that",
    '{"command": "interleave", "lists": []}': "shown: holds no lists",
    '{"command": "interleave", "lists": [{"doc_ids": ["a"], "teams": []}]}': "shown: holds {'doc_ids'",
}


@pytest.mark.parametrize("text", BAD_SHOWN)
def test_bad_files_of_lists_are_named_by_line(files, in_process, text: str) -> None:
    """A file of lists that these runs cannot have made is refused, by line and column."""
    (files / "shown").write_text(text)
    done = in_process("interleave", "old.run", "new.run", "--shown", "shown", "--clicks", "clicks.csv")
    assert (done.status, done.out) == (2, "")
    assert BAD_SHOWN[text] in done.err


@given(st.data())
@settings(max_examples=20)
def test_any_lists_come_back_from_json(tmp_path_factory, data) -> None:
    """What `to_dict` says is what `read_shown` reads, for any method, k and number of impressions."""
    from rankproof.tables import as_json

    runs = {
        name: {
            "q": data.draw(st.lists(st.sampled_from("abcde"), min_size=1, max_size=4, unique=True)),
            "p": ["x", "y", "z"],
        }
        for name in ("a", "b")
    }
    method, k = data.draw(st.sampled_from(TWO)), data.draw(st.integers(1, 4))
    lists = rp.interleave(runs, k, method=method, seed=5, impressions=data.draw(st.integers(1, 3)))
    assume(all(one.doc_ids for one in lists.lists))
    path = tmp_path_factory.mktemp("shown") / "lists.json"
    path.write_text(as_json({"command": "interleave", **lists.to_dict()}))
    assert read_shown(path, runs).to_dict() == lists.to_dict()
