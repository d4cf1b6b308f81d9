"""Which ranking do the clicks prefer, and is it more than chance?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from math import fsum
from typing import Any, NamedTuple, TypeVar

from rankproof.arithmetic import SAME, check_confidence
from rankproof.compare.correct import holm
from rankproof.compare.intervals import Drawn as Resampled
from rankproof.compare.intervals import Interval, student
from rankproof.compare.significance import paired_t, sign_floor
from rankproof.interleave import telling
from rankproof.interleave.binomial import clopper_pearson, sign_p
from rankproof.interleave.clicks import Clicked, Impression, impressions_of
from rankproof.interleave.credit import Credit
from rankproof.interleave.lists import Interleaving
from rankproof.interleave.methods import METHODS, credit_of
from rankproof.tables import Table, Told

Number = TypeVar("Number", int, float)


class Outcomes(NamedTuple):
    """How often the left one won, neither did, the right one won."""

    left: int
    ties: int
    right: int

    @property
    def decided(self) -> int:
        """Return how often one of them won."""
        return self.left + self.right

    def to_dict(self) -> dict[str, int]:
        """Return the counts by name."""
        return {"left": self.left, "ties": self.ties, "right": self.right}


def outcomes_of(won: Iterable[int]) -> Outcomes:
    """Return the counts of -1 (left), 0 and 1 (right)."""
    signs = list(won)
    return Outcomes(signs.count(-1), signs.count(0), signs.count(1))


def winner(credits_: Sequence[float], left: int, right: int) -> int:
    """Return who has more credit: -1 the left one, 1 the right one, 0 neither, as far as rounding lets one say."""
    gain = credits_[right] - credits_[left]
    return 0 if abs(gain) <= SAME * max(1.0, *map(abs, credits_)) else 1 if gain > 0 else -1


@dataclass(frozen=True, slots=True)
class Preference:
    """Two runs: who won the impressions, how much more credit the right one has, and the test of it.

    Votes are the impressions, or one for each cluster. The sign test is exact binomial over votes, ties apart; the t
    test that of the mean credit, over impressions or the sums of clusters.
    """

    left: str
    right: str
    impressions: Outcomes
    votes: Outcomes
    share_interval: Interval
    gain: float  # credit of an impression, right minus left, in the mean
    gain_interval: Interval | None  # Student's; None below two units
    test: str  # sign or t: which one p is of
    p: float | None  # two-sided; None for t below two units
    adjusted_p: float | None  # Holm's over all pairs
    alpha: float

    @property
    def share(self) -> float | None:
        """Return which share of the decided votes the right run won; None where none was decided."""
        return self.votes.right / self.votes.decided if self.votes.decided else None

    @property
    def delta(self) -> float:
        """Return (wins + ties / 2) / impressions - 1/2 of the right run (Chapelle et al. 2012), from -1/2 to 1/2."""
        return (self.impressions.right + self.impressions.ties / 2) / sum(self.impressions) - 0.5

    @property
    def verdict(self) -> str:
        """Return left, right, none-shown, or too-few: whoever had won them all, the test could not show it."""
        if self.adjusted_p is None or (self.test == "sign" and sign_floor(self.votes.decided) > self.alpha):
            return "too-few"
        if self.adjusted_p > self.alpha:
            return "none-shown"
        ahead = self.votes.right - self.votes.left if self.test == "sign" else self.gain
        return "right" if ahead > 0 else "left"

    def to_dict(self) -> dict[str, Any]:
        """Return its part of the JSON."""
        return {
            "left": self.left,
            "right": self.right,
            "impressions": self.impressions.to_dict(),
            "votes": self.votes.to_dict(),
            "share": self.share,
            "share_interval": list(self.share_interval),
            "gain": self.gain,
            "gain_interval": None if self.gain_interval is None else list(self.gain_interval),
            "delta": self.delta,
            "test": self.test,
            "p": self.p,
            "adjusted_p": self.adjusted_p,
            "verdict": self.verdict,
        }


@dataclass(frozen=True, repr=False)
class ClickPreferences(Told):
    """What clicks on interleaved lists say of each two runs."""

    runs: Sequence[str]
    method: str
    credit: str
    cluster: str | None
    confidence: float
    pairs: Sequence[Preference]
    credits: Mapping[str, float]
    clicked: Clicked = field(repr=False)
    interleaving: Interleaving = field(repr=False)

    @cached_property
    def clusters(self) -> int | None:
        """Return how many clusters gave a vote; None where impressions did."""
        return None if self.cluster is None else len({one.cluster for one in self.clicked.impressions})

    def to_dict(self) -> dict[str, Any]:
        """Return what `rankproof interleave --clicks … --format json` writes."""
        return {
            "contract": self.interleaving.answers.contract.to_dict(),
            "runs": list(self.runs),
            "method": self.method,
            "k": self.interleaving.k,
            "seed": self.interleaving.seed,
            "credit": self.credit,
            "confidence": self.confidence,
            "cluster": self.cluster,
            "counts": {
                "impressions": len(self.clicked.impressions),
                "clicks": self.clicked.clicks,
                "repeats": self.clicked.repeats,
                "clusters": self.clusters,
                "lists_without_clicks": self.clicked.unclicked,
            },
            "credits": dict(self.credits),
            "pairs": [pair.to_dict() for pair in self.pairs],
            "caveats": telling.caveats(self),
        }

    def tables(self) -> list[Table]:
        """Return a row a pair of runs; then the credit of each run."""
        return telling.preference_tables(self)

    def notes(self) -> list[str]:
        """Return a sentence a pair, then what was counted and how, and what to bear in mind."""
        return telling.preference_notes(self)

    def rows(self) -> tuple[Sequence[str], Iterable[Sequence[object]]]:
        """Return the header and the rows that a program reads."""
        return telling.TIDY_PAIRS, telling.pair_rows(self)


def click_preferences(
    interleaving: Interleaving,
    clicks: Any,
    *,
    credit: str | None = None,
    cluster: str | None = None,
    confidence: float = 0.95,
) -> ClickPreferences:
    """Return who gets the clicks, for each two runs, Holm-corrected over all pairs.

    `clicks` is a file (CSV, JSON lines) or rows of dicts: query_id, doc_id, and, where known, impression, session,
    user. `credit` is what a click is worth; None for the method's own. The test is the sign test over impressions, or,
    for credit in parts, the t test of its mean (`Credit` says why). With `cluster` (user, session, query_id) the
    impressions of one share a vote, that of their majority, and for t their sum is one value. Raises InputError for
    clicks on what was not shown, and for a credit that the method does not have; MeasureError for a confidence outside
    0.5 to 0.9999.
    """
    check_confidence(confidence)
    rule = credit_of(METHODS[interleaving.method], credit)
    clicked = impressions_of(clicks, interleaving, cluster)
    given = _credits(rule, clicked.impressions, interleaving)
    sides = list(combinations(range(len(interleaving.runs)), 2))
    pairs = [_preference(given, side, clicked, (interleaving.runs, rule, confidence)) for side in sides]
    adjusted = holm([1.0 if pair.p is None else pair.p for pair in pairs])
    found = [pair if pair.p is None else replace(pair, adjusted_p=p) for pair, p in zip(pairs, adjusted, strict=True)]
    totals = {run: fsum(one[at] for one in given) for at, run in enumerate(interleaving.runs)}
    made = (interleaving.runs, interleaving.method, rule.name, cluster, confidence)
    return ClickPreferences(*made, found, totals, clicked, interleaving)


def _credits(rule: Credit, impressions: Sequence[Impression], interleaving: Interleaving) -> list[list[float]]:
    """Return the credit of every run in each impression; the same clicks on the same list are worked out once."""
    known: dict[tuple[str, int, tuple[int, ...]], list[float]] = {}
    found = []
    for one in impressions:
        key = (one.shown.query_id, one.shown.impression, one.clicked)
        if key not in known:
            rankings = interleaving.answers.rankings[one.shown.query_id]
            known[key] = rule.of(interleaving.drawn(one.shown), rankings, one.clicked)
        found.append(known[key])
    return found


def _preference(
    given: Sequence[Sequence[float]],
    side: tuple[int, int],
    clicked: Clicked,
    settings: tuple[Sequence[str], Credit, float],
) -> Preference:
    """Return what two runs' credits show, p not yet adjusted."""
    (left, right), (runs, rule, confidence) = side, settings
    gains = [one[right] - one[left] for one in given]
    signs = [winner(one, left, right) for one in given]
    clusters = [number if one.cluster is None else one.cluster for number, one in enumerate(clicked.impressions)]
    rows = _gathered(gains, clusters)
    votes = outcomes_of((total > 0) - (total < 0) for total in map(sum, _gathered(signs, clusters)))
    sums, mean = [fsum(row) for row in rows], fsum(gains) / len(gains)
    enough = len(rows) > 1
    p = sign_p(votes.left, votes.right) if rule.test == "sign" else paired_t(sums) if enough else None
    return Preference(
        runs[left],
        runs[right],
        outcomes_of(signs),
        votes,
        clopper_pearson(votes.right, votes.decided, confidence),
        mean,
        student(Resampled(mean, sums, list(map(len, rows)), ()), confidence) if enough else None,
        rule.test,
        p,
        p,
        1 - confidence,
    )


def _gathered(values: Sequence[Number], clusters: Sequence[object]) -> list[list[Number]]:
    """Return the values of each cluster."""
    found: dict[object, list[Number]] = {}
    for value, cluster in zip(values, clusters, strict=True):
        found.setdefault(cluster, []).append(value)
    return list(found.values())
