"""How do several rankings become one? By ranks (RRF), or by scores brought to one scale (CombSUM, CombMNZ)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import frexp, fsum, isfinite, ldexp, sqrt
from pathlib import Path
from typing import Any, TypeAlias

from rankproof.contract import Contract
from rankproof.errors import Fault, InputError, nearest, seen
from rankproof.formats import as_runs
from rankproof.model import Ranking, Run
from rankproof.placements import ranked
from rankproof.presets import contract as contract_of

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


MOST = 1e100
"""A weight beyond it is refused: sums would overflow."""


def fuse(  # noqa: PLR0913 - each has a default that serves
    runs: Any,
    method: str = "rrf",
    *,
    weights: Sequence[float] | None = None,
    k: float = RRF_K,
    normalize: str = "min-max",
    name: str | None = None,
    contract: str | Path | Mapping[str, Any] | Contract = "rankproof",
) -> Run:
    """Return one run made of several, over all their queries; equal scores stand by document id, ascending.

    `runs`: a list of files, dicts, dataframes or runs, or a dict of these by name; `contract` as of `evaluate`.

    A document gets nothing from a run that does not hold it, and a run with weight 0 takes no part at all. Ranks are
    those of the contract; the house's go by score, ties by document id, descending. `weights`: one a run, finite.
    InputError for no runs, unknown names, other weights, a document that a run holds twice (by rrf, where the contract
    refuses it), and for scores asked of a run that has none, or has one that is not finite.
    """
    given = contract_of(contract)
    ranked_lists = as_runs(runs, given)[0] if runs else []
    return Amounts(ranked_lists, method, k=k, normalize=normalize, contract=given).fused(weights, name)


class Amounts:
    """What each document of each run gets before weights: found once, then fused under any weights."""

    def __init__(
        self,
        runs: Sequence[Run],
        method: str = "rrf",
        *,
        k: float = RRF_K,
        normalize: str = "min-max",
        contract: Contract = _HOUSE,
    ) -> None:
        """Find them, as `fuse` says."""
        if not runs:
            raise InputError(Fault("there are no runs to fuse", expected="two or more"))
        _check_known("method", method, METHODS)
        _check_known("normalisation", normalize, NORMALIZERS)
        if not (isfinite(k) and k >= 0):
            raise InputError(Fault(f"the k of rrf cannot be {k!r}", expected="a number from 0 on, such as 60"))
        self._method = method
        self._names = [run.name for run in runs]
        amounts_of = _by_ranks(k) if method == "rrf" else _by_scores(NORMALIZERS[normalize])
        self._runs = [
            {query: amounts_of(query, run, ranked(query, run, contract)) for query in run.rankings} for run in runs
        ]

    def fused(self, weights: Sequence[float] | None = None, name: str | None = None) -> Run:
        """Return the runs fused under these weights, equal ones where none are given."""
        given = self._checked([1.0] * len(self._runs) if weights is None else weights)
        parts = [(run, weight) for run, weight in zip(self._runs, given, strict=True) if weight]
        queries = dict.fromkeys(query for run, _ in parts for query in run)
        times_runs = self._method == "comb-mnz"
        rankings = {
            query: _fused([(run[query], weight) for run, weight in parts if query in run], times_runs=times_runs)
            for query in queries
        }
        return Run(name or f"{self._method}({','.join(self._names)})", rankings)

    def _checked(self, weights: Sequence[float]) -> Sequence[float]:
        if len(weights) != len(self._runs) or not all(isfinite(weight) and abs(weight) <= MOST for weight in weights):
            message = f"the weights are {list(weights)}"
            raise InputError(Fault(message, expected=f"{len(self._runs)} finite numbers, one a run"))
        if not any(weights):
            raise InputError(Fault("all weights are 0", expected="one that is not"))
        return weights


@dataclass(frozen=True, slots=True)
class Fusion:
    """How runs are fused: method, normalisation of scores, what RRF adds to a rank."""

    method: str = "comb-sum"
    normalize: str = "min-max"
    rrf_k: float = 60

    @classmethod
    def asked(cls, method: str, normalize: str | None = None, rrf_k: float | None = None) -> Fusion:
        """Return it from options that may not be given. InputError for one that has no effect on the method."""
        _check_known("method", method, METHODS)
        if method == "rrf" and normalize is not None:
            raise InputError(Fault("rrf normalises no scores", expected="rrf without a normalisation"))
        if method != "rrf" and rrf_k is not None:
            raise InputError(Fault(f"{method} adds nothing to ranks", expected=f"{method} without the k of rrf"))
        defaults = cls()
        return cls(method, normalize or defaults.normalize, defaults.rrf_k if rrf_k is None else rrf_k)

    def amounts(self, runs: Sequence[Run], contract: Contract = _HOUSE) -> Amounts:
        """Return what each document of each run gets, to fuse under any weights."""
        return Amounts(runs, self.method, k=self.rrf_k, normalize=self.normalize, contract=contract)

    def to_dict(self) -> dict[str, Any]:
        """Return what has an effect, ready for JSON."""
        without = "normalize" if self.method == "rrf" else "rrf_k"
        return {name: value for name, value in asdict(self).items() if name != without}


def _check_known(what: str, asked: str, known: Iterable[str]) -> None:
    if asked not in (names := list(known)):
        hint = f"did you mean {nearest(asked, names, 1)}?"
        raise InputError(Fault(f"unknown {what} {asked!r}", expected=f"one of {', '.join(names)}", hint=hint))


AmountsOf: TypeAlias = Callable[[str, Run, Sequence[str]], Scores]
"""Given a query, a run and its documents by rank: what each of these gets."""


def _by_ranks(k: float) -> AmountsOf:
    return lambda _query, _run, docs: {doc: 1 / (k + rank) for rank, doc in enumerate(docs, 1)}


def _by_scores(normalizer: Callable[[Scores], Scores]) -> AmountsOf:
    return lambda query, run, docs: normalizer(_scores(query, run)) if docs else {}


def _scores(query: str, run: Run) -> dict[str, float]:
    """Return a ranking's scores by document. InputError for none, one that is not finite, and a repeated document."""
    ranking, file = run.rankings[query], run.source or run.name
    if ranking.scores is None:
        raise InputError(Fault("has no scores to add", file, query_id=query, hint="rrf needs ranks alone"))
    scores = dict(zip(ranking.doc_ids, ranking.scores, strict=True))
    for doc, score in scores.items():
        if not isfinite(score):
            wrong = f"the score is {seen(score)}"
            raise InputError(Fault(wrong, file, query_id=query, doc_id=doc, expected="a finite number"))
    if len(scores) < len(ranking.doc_ids):
        raise InputError(
            Fault("repeats a document: which score counts?", file, query_id=query, hint="rrf goes by ranks")
        )
    return scores


def _fused(parts: Sequence[tuple[Scores, float]], *, times_runs: bool) -> Ranking:
    held: dict[str, list[float]] = {}
    for amounts, weight in parts:
        for doc, amount in amounts.items():
            held.setdefault(doc, []).append(weight * amount)
    scores = {doc: fsum(amounts) * (len(amounts) if times_runs else 1) for doc, amounts in held.items()}
    order = sorted(scores, key=lambda doc: (-scores[doc], doc))
    return Ranking(order, [scores[doc] for doc in order])
