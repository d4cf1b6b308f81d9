"""What did a system find, where did it run, and how is a ranking cut?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rankproof.contract import Contract
from rankproof.model import Ranking, Run
from rankproof.words import counted, first_of, query_count

_HOUSE = Contract()


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a system found; the seconds each query took, empty where nothing was searched; what to know about it."""

    run: Run
    seconds: Mapping[str, float]
    notes: Sequence[str] = ()
    index_seconds: float = 0.0  # to read vectors, or to index the texts


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where a system runs: the folder that its relative paths start from, and the journal of an engine's answers."""

    folder: Path = Path()
    journal: Path | None = None
    restart: bool = False  # give up what the journal holds
    on_answer: Callable[[int, int], None] | None = None  # told how many queries are answered, of how many
    on_index: Callable[[int, int], None] | None = None  # told how many documents are embedded, of how many
    contract: Contract = _HOUSE  # ranks the parts of a fusion
    one_by_one: bool = True  # ask queries one at a time, so that each has its own time


def cut(run: Run, k: int) -> tuple[Run, list[str]]:
    """Return a run with the first k of each ranking, and a note where that parted documents of one score."""
    parted = [
        query
        for query, ranking in run.rankings.items()
        if ranking.scores is not None and len(ranking.doc_ids) > k and ranking.scores[k - 1] == ranking.scores[k]
    ]
    rankings = {
        query: Ranking(ranking.doc_ids[:k], None if ranking.scores is None else ranking.scores[:k])
        for query, ranking in run.rankings.items()
    }
    told = f"{run.name}: the cut at {k} parts equal scores in {query_count(len(parted))}, by id ({first_of(parted)})"
    return replace(run, rankings=rankings), [told] if parted else []


def ties_of(run: Run) -> list[str]:
    """Return a note where a run holds equal scores: the house contract ranks them another way than they are written."""
    tied = [
        query
        for query, ranking in run.rankings.items()
        if ranking.scores is not None and len(set(ranking.scores)) < len(ranking.scores)
    ]
    if not tied:
        return []
    ways = "the contract rankproof, as trec_eval, ranks these by id, descending; order=rank goes by the ranks written"
    return [f"{run.name}: equal scores in {query_count(len(tied))} ({first_of(tied)}); {ways}"]


def found_in(run: Run) -> str:
    """Return how much a run holds, as a sentence."""
    count = sum(len(ranking.doc_ids) for ranking in run.rankings.values())
    hollow = [query for query, ranking in run.rankings.items() if not len(ranking.doc_ids)]
    without = f", {len(hollow)} without a result ({first_of(hollow)})" if hollow else ""
    return f"{run.name}: {query_count(len(run.rankings))}{without}, {counted(count, 'result')}"
