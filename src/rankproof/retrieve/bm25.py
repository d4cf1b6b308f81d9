"""Which documents hold the query's words, the rare ones counting most? BM25, with the standard library."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping
from math import fsum, isfinite, log

from rankproof.arithmetic import check_count
from rankproof.errors import Fault, InputError
from rankproof.model import Ranking, Run
from rankproof.retrieve.text import Analyzer, analyzer_of


def check_documents(documents: Mapping[str, str]) -> None:
    """Refuse an empty collection."""
    if not documents:
        raise InputError(Fault("there are no documents to search", expected="{doc_id: text}"))


def check_parameters(k1: float, b: float) -> None:
    """Refuse a k1 that is no finite number from 0 on, and a b outside 0 to 1."""
    if not (isfinite(k1) and k1 >= 0):
        raise InputError(Fault(f"k1 cannot be {k1!r}", expected="a number from 0 on, such as 1.5"))
    if not 0 <= b <= 1:
        raise InputError(Fault(f"b cannot be {b!r}", expected="a number from 0 to 1, such as 0.75"))


class BM25:
    """An index over texts by document id; `search` ranks them for queries.

    The score of a document is the sum, over the query's tokens (repeats count again), of
    idf · tf · (k1 + 1) / (tf + k1 · (1 - b + b · length / mean length)), with idf = ln(1 + (N - n + 0.5) / (n + 0.5))
    where n of the N documents hold the token, so that none is below 0 (Robertson & Zaragoza 2009, with Lucene's idf).
    Documents that hold no token of the query are not retrieved.
    """

    def __init__(
        self, documents: Mapping[str, str], *, analyzer: str | Analyzer = "words", k1: float = 1.5, b: float = 0.75
    ) -> None:
        """Index the texts. InputError for no documents, an unknown analyzer, k1 below 0 or b outside 0 to 1."""
        check_documents(documents)
        check_parameters(k1, b)
        self._tokens_of = analyzer_of(analyzer)
        counts = {doc: Counter(self._tokens_of(text)) for doc, text in documents.items()}
        lengths = {doc: count.total() for doc, count in counts.items()}
        mean = sum(lengths.values()) / len(lengths) or 1.0
        self._k1 = k1
        self._norms = {doc: k1 * (1 - b + b * length / mean) for doc, length in lengths.items()}
        self._postings: dict[str, list[tuple[str, int]]] = {}
        for doc, count in counts.items():
            for token, times in count.items():
                self._postings.setdefault(token, []).append((doc, times))

    def search(self, queries: Mapping[str, str], k: int, *, name: str = "bm25") -> Run:
        """Return each query's k best documents, equal scores by id, ascending; fewer where fewer hold its tokens."""
        check_count("k", k, InputError)
        return Run(name, {query: self._ranking(text, k) for query, text in queries.items()})

    def _ranking(self, text: str, k: int) -> Ranking:
        amounts: dict[str, list[float]] = {}
        for token in self._tokens_of(text):
            postings = self._postings.get(token, ())
            idf = log(1 + (len(self._norms) - len(postings) + 0.5) / (len(postings) + 0.5))
            for doc, times in postings:
                # Grouped as bm25s does, so that BM25s comes to the same bits.
                amount = idf * (times * (self._k1 + 1) / (times + self._norms[doc]))
                amounts.setdefault(doc, []).append(amount)
        scored = ((-fsum(parts), doc) for doc, parts in amounts.items())
        best = heapq.nsmallest(k, scored)
        return Ranking([doc for _, doc in best], [-score for score, _ in best])
