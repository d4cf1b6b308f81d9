"""Which documents hold the query's words, in a collection too large for plain Python? BM25 by the package bm25s.

bm25s says what each token adds to each document, in doubles. It is not asked for the first k: it pads short lists with
documents of score 0, leaves the order of ties open, and adds up in the order of the query, so that rounding can part
what is equal. Here each score is added up exactly and rounded once, as `BM25` does.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from math import fsum, isfinite
from typing import Any, NamedTuple

from rankproof.arithmetic import check_count
from rankproof.errors import Fault, InputError, MissingPackageError, nearest
from rankproof.model import Ranking, Run
from rankproof.retrieve.bm25 import check_documents, check_parameters
from rankproof.retrieve.text import Analyzer, analyzer_of


class Formula(NamedTuple):
    """A variant of BM25: what bm25s calls its parts, and what it is."""

    weight: str  # bm25s's name for what the count of a token in a document is worth
    idf: str  # bm25s's name for what the token's rarity is worth
    says: str
    lifted: bool = False  # a document that lacks a token is scored for it too, which divides by 0 where k1 is 0


METHODS: Mapping[str, Formula] = {
    "lucene": Formula(
        "atire", "lucene", "idf ln(1 + (N - n + 0.5) / (n + 0.5)), never below 0: the scores of the plain BM25"
    ),
    "robertson": Formula("robertson", "robertson", "idf ln((N - n + 0.5) / (n + 0.5)), 0 where that is below 0"),
    "atire": Formula("atire", "atire", "idf ln(N / n)"),
    "bm25l": Formula("bm25l", "bm25l", "idf ln((N + 1) / (n + 0.5)), long documents lifted by delta", lifted=True),
    "bm25+": Formula(
        "bm25+", "bm25+", "idf ln((N + 1) / n), each token a document holds worth delta more", lifted=True
    ),
}
"""The variants by name (Kamphuis et al. 2020 compare them; BM25L and BM25+ are Lv & Zhai's of 2011)."""


class BM25s:
    """An index over texts by document id, held by the package bm25s; `search` ranks them for queries.

    `lucene` gives the documents, order and scores of `BM25`, to the last bit. It has the factor (k1 + 1), which
    bm25s's own `lucene` and Lucene since version 8 leave out: no order changes by it. The others are bm25s's own, so
    `robertson` has no such factor, and `bm25l` and `bm25+` add to every score what the query's tokens are worth to a
    document that lacks them. A document that gains nothing from the query's tokens is not retrieved: it holds none, or
    none of which the idf is above 0.
    """

    def __init__(
        self,
        documents: Mapping[str, str],
        *,
        analyzer: str | Analyzer = "words",
        method: str = "lucene",
        k1: float = 1.5,
        b: float = 0.75,
        delta: float = 0.5,
    ) -> None:
        """Index the texts; `delta` counts for bm25l and bm25+ (Lv & Zhai take 0.5 and 1).

        InputError as for `BM25`, and for an unknown method, a delta below 0, or k1 = 0 where delta counts.
        MissingPackageError without bm25s.
        """
        check_documents(documents)
        check_parameters(k1, b)
        _check_method(method, k1, delta)
        self._tokens_of = analyzer_of(analyzer)
        self._doc_ids = list(documents)
        self._token_ids: dict[str, int] = {}
        texts = [
            [self._token_ids.setdefault(token, len(self._token_ids)) for token in self._tokens_of(text)]
            for text in documents.values()
        ]
        formula = METHODS[method]
        self._index = _bm25s().BM25(
            method=formula.weight, idf_method=formula.idf, k1=k1, b=b, delta=delta, dtype="float64"
        )
        if self._token_ids:  # bm25s divides by the mean length
            self._index.index((texts, self._token_ids), create_empty_token=False, show_progress=False)

    def search(self, queries: Mapping[str, str], k: int, *, name: str = "bm25s") -> Run:
        """Return each query's k best documents, equal scores by id, ascending; fewer where fewer gain by its tokens."""
        check_count("k", k, InputError)
        return Run(name, {query: self._ranking(text, k) for query, text in queries.items()})

    def _ranking(self, text: str, k: int) -> Ranking:
        tokens = [self._token_ids[token] for token in self._tokens_of(text) if token in self._token_ids]
        near = self._near(tokens, k).tolist()
        columns = [self._index.get_scores_from_ids([token])[near].tolist() for token in tokens]
        scores = map(fsum, zip(*columns, strict=True))
        best = heapq.nsmallest(k, ((-score, self._doc_ids[at]) for at, score in zip(near, scores, strict=True)))
        return Ranking([doc for _, doc in best], [-score for score, _ in best])

    def _near(self, tokens: Sequence[int], k: int) -> Any:
        """Return the indexes of the documents that rounding may put among the first k."""
        import numpy as np  # noqa: PLC0415 - only where an index is searched

        total = np.zeros(len(self._doc_ids))
        gains = np.zeros(len(self._doc_ids), dtype=bool)
        for token in tokens:
            column = self._index.get_scores_from_ids([token])
            total += column
            lacking = self._index.nonoccurrence_array  # None where a document that lacks a token gets 0
            gains |= column > (0.0 if lacking is None else lacking[token])
        found = np.flatnonzero(gains)
        if len(found) <= k:
            return found
        least = np.partition(total[found], -k)[-k]
        # No amount is below 0, so a sum of n is off by less than n roundings; four times that for two such sums.
        return found[total[found] >= least * (1 - 8 * len(tokens) * 2.0**-53)]


def _check_method(method: str, k1: float, delta: float) -> None:
    if method not in METHODS:
        hint = f"did you mean {nearest(method, METHODS, 1)}?"
        raise InputError(Fault(f"unknown method {method!r}", expected=f"one of {', '.join(METHODS)}", hint=hint))
    if not (isfinite(delta) and delta >= 0):
        raise InputError(Fault(f"delta cannot be {delta!r}", expected="a number from 0 on, such as 0.5"))
    if METHODS[method].lifted and not k1:
        raise InputError(Fault(f"k1 cannot be 0 in {method}", expected="a number above 0, such as 1.5"))


def _bm25s() -> Any:
    try:
        import bm25s  # noqa: PLC0415 - an extra
    except ImportError:
        hint = 'pip install "rankproof[search]", or the plain BM25'
        raise MissingPackageError(Fault("BM25s needs the package bm25s", hint=hint)) from None
    return bm25s
