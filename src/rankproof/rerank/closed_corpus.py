"""What does exact search with frozen reranking give on a corpus small enough to check by hand?

A tiny experiment that fixes what the words mean before models compete; it measures no model. `formats.fixture` says
what the fixture holds. The k documents of highest cosine are a query's candidates, equal scores by document id,
ascending. The reranker orders these by its scores, highest first; equal scores keep the order of the candidates.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from pathlib import Path
from typing import Any, Final

from rankproof.errors import Fault, Faults, InputError, RankproofError
from rankproof.formats import Source
from rankproof.formats.fixture import Fixture, read_fixture
from rankproof.formats.jsons import as_dicts, parse_json
from rankproof.model import Ranking, Run, Value
from rankproof.rerank.ceiling import Reranking, rerank
from rankproof.retrieve import cosine_search

CONTRACT = "closed-corpus"
DECIMALS = 6

NOTES = (
    "Unjudged is grade 0 here because the corpus is closed; in pooled evaluation unjudged does not mean irrelevant.",
    "Queries without a positive judgment are left out of the means; that says nothing about no-answer quality.",
)


@dataclass(frozen=True)
class ClosedCorpus:
    """The outcome: candidates and reranked lists by query id, and the values before and after."""

    k: int
    candidates: Mapping[str, Sequence[str]]
    reranked: Mapping[str, Sequence[str]]
    values: Reranking

    @property
    def _ndcg(self) -> str:
        return f"nDCG@{self.k}"

    def _of(self, query: str) -> tuple[Value, Value, Value, Value]:
        """Return recall, nDCG before and after, and their difference; all None without a positive judgment."""
        recall = self.values.candidate_recall.of_query(query)["R"]
        before, after = (one.of_query(query)[self._ndcg] for one in (self.values.before, self.values.after))
        return recall, before, after, None if before is None or after is None else after - before

    @property
    def paired_delta(self) -> Value:
        """Return the mean of the queries' differences in nDCG, unrounded."""
        deltas = [delta for query in self.candidates if (delta := self._of(query)[3]) is not None]
        return fsum(deltas) / len(deltas) if deltas else None

    def to_dict(self) -> dict[str, Any]:
        """Return the outputs, numbers rounded to 6 decimals; null where there is no positive judgment."""
        values = self.values
        excluded = values.before.counts["without-relevant"]
        return {
            "evaluatedQueries": len(self.candidates) - excluded,
            "excludedNoPositiveQueries": excluded,
            "candidateRecall": _rounded(values.candidate_recall.means["R"]),
            "baselineNdcg": _rounded(values.before.means[self._ndcg]),
            "challengerNdcg": _rounded(values.after.means[self._ndcg]),
            "pairedNdcgDelta": _rounded(self.paired_delta),
            "queries": {query: self._query(query) for query in self.candidates},
        }

    def _query(self, query: str) -> dict[str, Any]:
        recall, before, after, delta = map(_rounded, self._of(query))
        return {
            "candidates": list(self.candidates[query]),
            "reranked": list(self.reranked[query]),
            "recall": recall,
            "baselineNdcg": before,
            "challengerNdcg": after,
            "delta": delta,
        }

    def notes(self) -> list[str]:
        """Return what the numbers do not say, as sentences."""
        count = self.to_dict()["evaluatedQueries"]
        queries = {1: "One query says", 2: "Two queries say"}.get(count, f"{count} queries of a fixture say")
        return [f"{queries} nothing about significance.", *NOTES]


def _rounded(value: Value) -> Value:
    return None if value is None else round(value, DECIMALS) + 0.0  # no -0.0


def closed_corpus(fixture: str | Path | Source) -> ClosedCorpus:
    """Return what a fixture gives: exact search, frozen reranking, paired evaluation under contract closed-corpus.

    Raises InputError naming query and document for what is wrong with the fixture: see `read_fixture`; and for a score
    of a document that is no candidate, or a candidate without a score. MeasureError for a grade too large for 2^grade.
    """
    given = read_fixture(fixture)
    try:
        found = cosine_search(given.documents, given.vectors, given.k)
    except InputError as error:
        raise InputError(*(replace(one, file=given.name) for one in error.faults), more=error.more) from error
    candidates = {query: list(ranking.doc_ids) for query, ranking in found.rankings.items()}
    reranked = _reranked(given, candidates)
    after = Run("reranked", {query: Ranking(docs) for query, docs in reranked.items()})
    try:
        values = rerank(given.judgments, found, after, [f"nDCG@{given.k}"], CONTRACT)
    except RankproofError as error:
        raise type(error)(*(replace(one, file=given.name) for one in error.faults), more=error.more) from error
    return ClosedCorpus(given.k, candidates, reranked, values)


def _reranked(given: Fixture, candidates: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    faults = Faults()
    found = {}
    for query, docs in candidates.items():
        scores = given.scores[query]
        where = Fault("", given.name, query_id=query, expected=f"scores of its candidates: {', '.join(docs)}")
        for doc in (doc for doc in scores if doc not in docs):
            faults.add(replace(where, message="has a score, but is no candidate", doc_id=doc))
        for doc in (doc for doc in docs if doc not in scores):
            faults.add(replace(where, message="is a candidate, but has no score", doc_id=doc))
        found[query] = sorted(docs, key=lambda doc: -scores.get(doc, 0.0))  # stable: equal scores keep their order
    faults.raise_any()
    return found


def read_expected(path: str | Path | Source) -> dict[str, Any]:
    """Read a file of expected outputs, without the record, contract and notes that the command writes beside them."""
    source = path if isinstance(path, Source) else Source(path)
    content = as_dicts(parse_json(source.text(), source.name), source.name)
    if not isinstance(content, dict):
        raise InputError(Fault("is no JSON object", source.name, expected="the outputs, by key"))
    return {key: value for key, value in content.items() if key not in BESIDE}


BESIDE = ("schema", "command", "arguments", "inputs", "versions", "time", "machine", "contract", "notes")
"""What stands beside the outputs in a result file, and is not compared."""


def compared(expected: object, got: object, path: str = "") -> Iterator[str]:
    """Yield where two JSON values differ, as `path: expected X, got Y`; missing and additional keys too."""
    if isinstance(expected, dict) and isinstance(got, dict):
        for key in dict.fromkeys([*expected, *got]):
            yield from compared(expected.get(key, _NOTHING), got.get(key, _NOTHING), f"{path}.{key}" if path else key)
    elif isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        for at, (one, other) in enumerate(zip(expected, got, strict=True)):
            yield from compared(one, other, f"{path}[{at}]")
    elif expected != got or isinstance(expected, bool) != isinstance(got, bool):
        yield f"{path}: expected {_spelled(expected)}, got {_spelled(got)}"


_NOTHING: Final = object()


def _spelled(value: object) -> str:
    return "nothing" if value is _NOTHING else json.dumps(value, ensure_ascii=False)
