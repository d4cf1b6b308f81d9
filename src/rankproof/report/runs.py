"""What do the rankings themselves show: over cutoffs, in their scores, in the places of relevant documents?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rankproof.charts import Chart, Move, cutoff_plot, rank_moves, score_distribution
from rankproof.compare import Inputs
from rankproof.errors import RankproofError
from rankproof.evaluate import means_of
from rankproof.measures import parse_all
from rankproof.model import Grade, Run
from rankproof.placements import place_query, ranked
from rankproof.words import Words

CUTOFFS = (1, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
SCORED = 100
"""As many results of a query enter the distribution of scores."""


def cutoff_charts(inputs: Inputs, asked: Sequence[int] = ()) -> list[Chart]:
    """Return recall and nDCG over cutoffs, a line a run; none for a measure that these grades or ties forbid.

    The cutoffs are those asked for, or as many of `CUTOFFS` as the rankings are long.
    """
    longest = max((len(ranking.doc_ids) for run in inputs.runs for ranking in run.rankings.values()), default=0)
    cutoffs = asked or [k for k in CUTOFFS if k < longest] + [k for k in CUTOFFS if k >= longest][:1]
    charts = []
    for symbol, words in (("R", Words("mean recall", "평균 재현율")), ("nDCG", Words("mean nDCG", "평균 nDCG"))):
        measures = parse_all([f"{symbol}@{k}" for k in cutoffs])
        try:
            means = {run.name: means_of(inputs.qrels, run, measures, inputs.contract) for run in inputs.runs}
        except RankproofError:
            continue
        rows = [
            (name, k, found[str(one)])
            for name, found in means.items()
            for one, k in zip(measures, cutoffs, strict=True)
        ]
        charts.append(cutoff_plot(rows, axis=words))
    return charts


def moves_chart(inputs: Inputs, before: Run, after: Run) -> Chart | None:
    """Return where the relevant documents stood before and stand after; None where no query has one."""
    rows = list(_moves(inputs, before, after))
    return rank_moves(rows, before=before.name, after=after.name) if rows else None


def _moves(inputs: Inputs, before: Run, after: Run) -> Iterator[Move]:
    for query, judgments in inputs.qrels.items():
        left, right = (_ranks(inputs, run, query) for run in (before, after))
        for doc, grade in judgments.items():
            if grade >= inputs.contract.relevant_from and (doc in left or doc in right):
                yield query, doc, grade, left.get(doc), right.get(doc)


def _ranks(inputs: Inputs, run: Run, query: str) -> dict[str, int]:
    at = place_query(query, inputs.qrels[query], run, inputs.contract, with_doc_ids=True)
    return {} if at is None else dict(zip(at.doc_ids or (), at.ranks, strict=True))


def score_charts(inputs: Inputs) -> list[Chart]:
    """Return how the scores of relevant, non-relevant and unjudged results are spread, a chart a run with scores."""
    return [score_distribution(run.name, groups) for run in inputs.runs if (groups := _scores(inputs, run))]


def _scores(inputs: Inputs, run: Run) -> dict[str, Sequence[float]]:
    groups: dict[str, list[float]] = {"relevant": [], "non-relevant": [], "unjudged": []}
    for query, judgments in inputs.qrels.items():
        ranking = run.rankings.get(query)
        if ranking is None or ranking.scores is None:
            continue
        score_of = dict(zip(ranking.doc_ids, ranking.scores, strict=True))
        for doc in ranked(query, run, inputs.contract)[:SCORED]:
            groups[_group(judgments.get(doc, -1), inputs.contract.relevant_from)].append(score_of[doc])
    return {name: scores for name, scores in groups.items() if scores} if any(groups.values()) else {}


def _group(grade: Grade, relevant_from: float) -> str:
    return "unjudged" if grade < 0 else "relevant" if grade >= relevant_from else "non-relevant"
