"""How do several rankings become one? By ranks (RRF), or by scores brought to one scale (CombSUM, CombMNZ)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import frexp, fsum, isfinite, ldexp, sqrt
from typing import TypeAlias

from rankproof.contract import Contract
from rankproof.errors import Fault, InputError, nearest, seen
from rankproof.model import Ranking, Run
from rankproof.placements import ranked

Scores: TypeAlias = Mapping[str, float]
"""Document id to score."""

RRF_K = 60
"""What Cormack, Clarke & Büttcher (2009) add to each rank."""

_HOUSE = Contract()


def min_max(scores: Scores) -> dict[str, float]:
    """Return scores from 0 (the lowest) to 1 (the highest); all 1 where they are equal."""
    above, high = _above_lowest(scores)
    return {doc: amount / high if high else 1.0 for doc, amount in above.items()}


def z_score(scores: Scores) -> dict[str, float]:
    """Return scores minus their mean, over their standard deviation (n below); all 0 where they are equal."""
    above, high = _above_lowest(scores)
    if not high:  # 0.1 three times has the mean 0.09999999999999999
        return dict.fromkeys(above, 0.0)
    mean = fsum(above.values()) / len(above)
    deviation = sqrt(fsum((amount - mean) ** 2 for amount in above.values()) / len(above))
    return {doc: (amount - mean) / deviation for doc, amount in above.items()}


def _above_lowest(scores: Scores) -> tuple[dict[str, float], float]:
    """Return how far scores lie above the lowest, on some scale of its own, and the greatest of these.

    No square or difference overflows there, and close scores keep their distance, however far from 0 they lie.
    """
    _, exponent = frexp(max(map(abs, scores.values())))
    scaled = {doc: ldexp(score, -exponent - 1) for doc, score in scores.items()}
    low = min(scaled.values())
    above = {doc: score - low for doc, score in scaled.items()}
    return above, max(above.values())


NORMALIZERS: Mapping[str, Callable[[Scores], Mapping[str, float]]] = {"min-max": min_max, "z-score": z_score}
"""How the scores of one query in one run are brought to a scale."""

METHODS: Mapping[str, str] = {
    "rrf": "the sum of weight / (k + rank), ranks from 1",
    "comb-sum": "the sum of weight · normalised score",
    "comb-mnz": "that sum times the number of runs that hold the document",
}
"""The methods by name (CombSUM and CombMNZ: Fox & Shaw 1994)."""


def fuse(
    runs: Sequence[Run],
    method: str = "rrf",
    *,
    weights: Sequence[float] | None = None,
    k: float = RRF_K,
    normalize: str = "min-max",
    name: str | None = None,
) -> Run:
    """Return one run made of several, over all their queries; equal scores stand by document id, ascending.

    A document gets nothing from a run that does not hold it. Ranks are those of the house contract: by score, ties by
    document id, descending. `weights`: one a run, finite. InputError for no runs, unknown names, other weights, a
    document that a run holds twice, and for scores asked of a run that has none, or has one that is not finite.
    """
    given = _checked_weights(runs, weights)
    for what, asked, known in (("method", method, METHODS), ("normalisation", normalize, NORMALIZERS)):
        if asked not in known:
            hint = f"did you mean {nearest(asked, known, 1)}?"
            raise InputError(Fault(f"unknown {what} {asked!r}", expected=f"one of {', '.join(known)}", hint=hint))
    if not (isfinite(k) and k >= 0):
        raise InputError(Fault(f"k cannot be {k!r}", expected="a number from 0 on, such as 60"))
    queries = dict.fromkeys(query for run in runs for query in run.rankings)
    rankings = {}
    for query in queries:
        parts = [_amounts(query, run, method, k, normalize) for run in runs]
        rankings[query] = _fused(parts, given, times_runs=method == "comb-mnz")
    return Run(name or f"{method}({','.join(run.name for run in runs)})", rankings)


def _checked_weights(runs: Sequence[Run], weights: Sequence[float] | None) -> Sequence[float]:
    if not runs:
        raise InputError(Fault("there are no runs to fuse", expected="two or more"))
    given = [1.0] * len(runs) if weights is None else weights
    if len(given) != len(runs) or not all(map(isfinite, given)):
        raise InputError(Fault(f"the weights are {list(given)}", expected=f"{len(runs)} finite numbers, one a run"))
    return given


def _amounts(query: str, run: Run, method: str, k: float, normalize: str) -> Mapping[str, float]:
    """Return what each of a run's documents gets, before its weight."""
    docs = ranked(query, run, _HOUSE)
    if method == "rrf" or not docs:
        return {doc: 1 / (k + rank) for rank, doc in enumerate(docs, 1)}
    ranking = run.rankings[query]
    if ranking.scores is None:
        hint = "rrf needs ranks alone"
        raise InputError(Fault("has no scores to add", run.source or run.name, query_id=query, hint=hint))
    scores = dict(zip(ranking.doc_ids, ranking.scores, strict=True))
    for doc, score in scores.items():
        if not isfinite(score):
            wrong = f"the score is {seen(score)}"
            raise InputError(
                Fault(wrong, run.source or run.name, query_id=query, doc_id=doc, expected="a finite number")
            )
    return NORMALIZERS[normalize](scores)


def _fused(parts: Sequence[Mapping[str, float]], weights: Sequence[float], *, times_runs: bool) -> Ranking:
    scores: dict[str, float] = {}
    for doc in dict.fromkeys(doc for part in parts for doc in part):
        held = [weight * part[doc] for part, weight in zip(parts, weights, strict=True) if doc in part]
        scores[doc] = fsum(held) * (len(held) if times_runs else 1)
    order = sorted(scores, key=lambda doc: (-scores[doc], doc))
    return Ranking(order, [scores[doc] for doc in order])
