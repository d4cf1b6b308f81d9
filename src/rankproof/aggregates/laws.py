"""Which inequalities hold between the means of measures, whatever the run?

Each law holds for every query, and is linear: so it holds for means over the same queries, and for expected ties. With
h(k) relevant documents in the first k places and r the rank of the first one, of one query: P@k = h(k)/k, R@k =
h(k)/|relevant|, Success@k = 1 if r ≤ k, RR@k = 1/r if r ≤ k, AP@k = (sum over the relevant ranks i ≤ k of h(i)/i) /
|relevant|. A measure without a cutoff may have one that its name does not say: it is held to what is true for every k.
nDCG@k and P@k may fall as k grows, and so no law forbids it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from rankproof.aggregates.stated import Stated
from rankproof.measures import Measure

RETURNED = "precision-denominator=returned"
CAPPED_R = "recall-denominator=capped"
CAPPED_AP = "ap-denominator=capped"
RETRIEVED_AP = "ap-denominator=retrieved"
OVERRIDES = "overrides"

REASONS: Mapping[str, str] = {
    RETURNED: "P divides by what came back",
    CAPPED_R: "R divides by at most k",
    CAPPED_AP: "AP divides by at most k",
    RETRIEVED_AP: "AP divides by the relevant documents that came back",
    OVERRIDES: "one of the measures follows other rules than the other",
    "rbp-gain=raw": "RBP counts raw grades",
    "scale=percent": "the table holds percentages",
    "ties=expected": "tied documents share their places",
    "no-relevant=skip": "queries without a relevant document were left out",
    "missing-query=skip": "missing queries were left out",
}
"""The rules under which a finding may yet be true, and what each says."""


class Term(NamedTuple):
    """One value of a table, by its measure, and how many times it counts."""

    measure: Measure
    stated: Stated
    times: Fraction = Fraction(1)


class Claim(NamedTuple):
    """A law applied to a row: the lesser side (all terms together) cannot be above the greater one plus `extra`."""

    kind: str
    lesser: Sequence[Term]
    greater: Sequence[Term]
    why: str
    unless: tuple[str, ...] = ()
    extra: Fraction = Fraction(0)

    @property
    def is_broken(self) -> bool:
        """Return whether no values within the rounding keep the law."""
        low = _total(term.times * term.stated.low for term in self.lesser)
        return low > _total(term.times * term.stated.high for term in self.greater) + self.extra


def _total(amounts: Iterator[Fraction]) -> Fraction:
    return sum(amounts, Fraction(0))  # exact: these are no floats


ByCutoff: TypeAlias = Mapping[int | None, Term]
Known: TypeAlias = Mapping[str, ByCutoff]
"""The values of one row by symbol and cutoff; None: the name says none."""


def claims(known: Known) -> Iterator[Claim]:
    """Yield all laws that the values of a row, whose measures have the same options, are under."""
    for law in LAWS:
        yield from law(known)


def _cut(known: Known, symbol: str) -> list[tuple[int, Term]]:
    return sorted((k, term) for k, term in known.get(symbol, {}).items() if k is not None)


def _falling(known: Known) -> Iterator[Claim]:
    """R@k, Success@k, RR@k, AP@k ≤ the same at m > k: every place adds 0 or more, the denominator stays."""
    rules = {"R": (CAPPED_R,), "Success": (), "RR": (), "AP": (CAPPED_AP, RETRIEVED_AP)}
    for symbol, unless in rules.items():
        cut = _cut(known, symbol)
        why = f"{symbol} cannot fall as k grows"
        for at, (_, later) in enumerate(cut):
            if at:
                highest = max((term for _, term in cut[:at]), key=lambda term: term.stated.low)
                yield Claim("falls-as-k-grows", [highest], [later], why, unless)
        if (uncut := known.get(symbol, {}).get(None)) and cut and cut[0][0] == 1:
            yield Claim("falls-as-k-grows", [cut[0][1]], [uncut], why, (*unless, OVERRIDES))


def _hits(known: Known) -> Iterator[Claim]:
    """k·P@k = h(k) cannot fall, nor grow by more than the places: h(k) ≤ h(m) ≤ h(k) + m - k for m > k.

    Nor where P@k divides by what came back, c: k·P@k = h(k) · max(1, k/c), in which neither factor falls; and where c <
    m it grows by m·h(m)/c - k·P@k ≤ m - k, as h(m) ≤ h(k) + c - k for k < c, and h(m) = h(k) ≤ c for k ≥ c.
    """
    cut = _cut(known, "P")
    for (k, early), (m, late) in pairwise(cut):
        hits, more = early._replace(times=Fraction(k)), late._replace(times=Fraction(m))
        yield Claim("hits-fall", [hits], [more], "k times P@k, the number of hits, cannot fall")
        why = f"at most {m - k} hits stand in {m - k} places more"
        yield Claim("too-many-hits", [more], [hits], why, (), Fraction(m - k))


def _precision(known: Known) -> Iterator[Claim]:
    """P@k ≤ Success@m and Success@k ≤ m·P@m for m ≥ k: where there is a hit there are 1 to k of them.

    P@k that divides by what came back can only be higher, in its mean too, which leaves out queries without results:
    the second law holds for it as well.
    """
    precision, success = _cut(known, "P"), _cut(known, "Success")
    for k, one in precision:
        if found := _from(success, k):
            why = "P@k is at most Success@k: where nothing is found it is 0"
            yield Claim("precision-above-success", [one], [found[1]], why, (RETURNED, OVERRIDES))
    for k, one in success:
        if found := _from(precision, k):
            hits = found[1]._replace(times=Fraction(found[0]))
            why = "k times P@k, the number of hits, is at least Success@k"
            yield Claim("success-above-hits", [one], [hits], why, (OVERRIDES,))


def _recall(known: Known) -> Iterator[Claim]:
    """R@k ≤ Success@m, AP@k ≤ Success@m, AP@k ≤ R@m for m ≥ k: each precision in AP is at most 1."""
    recall, success = _cut(known, "R"), _cut(known, "Success")
    for k, one in recall:
        if found := _from(success, k):
            why = "R@k is at most Success@k: where nothing is found it is 0"
            yield Claim("recall-above-success", [one], [found[1]], why, (OVERRIDES,))
    for k, one in _cut(known, "AP"):
        if found := _from(success, k):
            why = "AP@k is at most Success@k: where nothing is found it is 0"
            yield Claim("ap-above-success", [one], [found[1]], why, (RETRIEVED_AP, OVERRIDES))
        if found := _from(recall, k):
            why = "AP@k is at most R@k: it weighs each relevant document found by a precision"
            yield Claim("ap-above-recall", [one], [found[1]], why, (CAPPED_AP, RETRIEVED_AP, OVERRIDES))


def _from(cut: Sequence[tuple[int, Term]], k: int) -> tuple[int, Term] | None:
    return next(((m, term) for m, term in cut if m >= k), None)


def _first_hit(known: Known) -> Iterator[Claim]:
    """Success at cutoffs c says in how many queries r ≤ c; between two of them 1/r has a least and a greatest value.

    With cutoffs 0 = c0 < c1 < … : RR@k ≤ Σ (Success@ci - Success@ci-1) / (ci-1 + 1), up to the first ci ≥ k, or to all
    queries behind the last; RR@k ≥ Σ (Success@ci - Success@ci-1) / ci over ci ≤ k. So 1/k Success@k ≤ RR@k ≤ Success@k,
    and RR@1 = Success@1 = P@1: each of them stands for Success@1 where it is not there. (P@1 that divides by what came
    back may be higher in its mean, which leaves out queries without results: the first bound stays one.)
    """
    for k, reciprocal in known.get("RR", {}).items():
        successes, unless = _successes(known, reciprocal)
        greatest, extra = _greatest(successes, k)
        if greatest:
            why = f"with the first hits where the others put them, {reciprocal.measure} cannot be so high"
            yield Claim("reciprocal-rank-too-high", [reciprocal], greatest, why, (OVERRIDES,), extra)
        if least := _least(successes, k):
            why = f"with the first hits where the others put them, {reciprocal.measure} cannot be so low"
            yield Claim("reciprocal-rank-too-low", least, [reciprocal], why, unless)


def _successes(known: Known, reciprocal: Term) -> tuple[dict[int, Term], tuple[str, ...]]:
    """Return Success by cutoff, to bound one RR by, and the rules under which what stands for it is something else."""
    found = dict(_cut(known, "Success"))
    for symbol, unless in (("RR", (OVERRIDES,)), ("P", (RETURNED, OVERRIDES))):
        same = known.get(symbol, {}).get(1)
        if 1 not in found and same and same != reciprocal:
            return dict(sorted([(1, same), *found.items()])), unless
    return found, (OVERRIDES,)


def _greatest(successes: Mapping[int, Term], k: int | None) -> tuple[list[Term], Fraction]:
    """Return the terms that bound RR@k from above, and what is added: queries whose first hit comes behind them all."""
    cutoffs = [c for at, c in enumerate(successes) if k is None or at == 0 or list(successes)[at - 1] < k]
    terms, before = [], 0
    for at, c in enumerate(cutoffs):
        is_last = at == len(cutoffs) - 1 and k is not None and c >= k
        weight = Fraction(1, before + 1) - (0 if is_last else Fraction(1, c + 1))
        terms.append(successes[c]._replace(times=weight))
        before = c
    return terms, Fraction(0) if not cutoffs or (k is not None and before >= k) else Fraction(1, before + 1)


def _least(successes: Mapping[int, Term], k: int | None) -> list[Term]:
    """Return the terms that bound RR@k from below."""
    cutoffs = [c for c in successes if c <= (k or 1)]
    weights = [
        Fraction(1, c) - (Fraction(1, after) if after else 0)
        for c, after in zip(cutoffs, [*cutoffs[1:], 0], strict=False)
    ]
    return [successes[c]._replace(times=weight) for c, weight in zip(cutoffs, weights, strict=True)]


LAWS: tuple[Callable[[Known], Iterator[Claim]], ...] = (_falling, _hits, _precision, _recall, _first_hit)
"""The laws, in the order in which they are told."""
