"""How does a ranking of chunks become one of documents?"""

from __future__ import annotations

import warnings
from dataclasses import replace

from rankproof.contract import Contract
from rankproof.errors import RankproofWarning
from rankproof.model import Ranking, Run


def rolled_up(run: Run, contract: Contract) -> Run:
    """Return the run with its chunk ids turned into document ids, as the contract's rule roll-up says; and say so.

    A chunk's id is its document's, the separator, and what names the chunk; an id without the separator is a
    document's. Of a document's chunks one stays, in its place: the one given first, or that of the highest score.
    """
    if contract.roll_up == "none" or run.rolled_up:
        return run
    rankings, chunks, documents = {}, 0, 0
    for query, ranking in run.rankings.items():
        docs = [_document(doc, contract.chunk_separator) for doc in ranking.doc_ids]
        kept = _kept(docs, ranking, best=contract.roll_up == "max")
        rankings[query] = _only(ranking, docs, kept)
        chunks += len(docs)
        documents += len(kept)
    text = (
        f"{run.source or run.name}: {chunks} chunks rolled up to {documents} documents (roll-up = {contract.roll_up})"
    )
    warnings.warn(text, RankproofWarning, stacklevel=3)
    return replace(run, rankings=rankings, rolled_up=True)


def _document(doc: str, separator: str) -> str:
    head, found, _ = doc.rpartition(separator)
    return head if found and head else doc


def _kept(docs: list[str], ranking: Ranking, *, best: bool) -> list[int]:
    """Return the places that stay, in the order given; a chunk whose score is NaN stays, for the rule nan-score."""
    chosen: dict[str, int] = {}
    for at, doc in enumerate(docs):
        first = chosen.setdefault(doc, at)
        if best and ranking.scores is not None and first != at:
            score, highest = ranking.scores[at], ranking.scores[first]
            if score > highest or score != score:  # noqa: PLR0124 - NaN alone differs from itself
                chosen[doc] = at
    return sorted(chosen.values())


def _only(ranking: Ranking, docs: list[str], kept: list[int]) -> Ranking:
    scores, ranks, marks = ranking.scores, ranking.ranks, ranking.evidence
    return Ranking(
        [docs[at] for at in kept],
        None if scores is None else [scores[at] for at in kept],
        None if ranks is None else [ranks[at] for at in kept],
        None if marks is None else [marks[at] for at in kept],
    )
