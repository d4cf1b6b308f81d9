"""Which documents are nearest by cosine, among very many? The road with NumPy, to the same bits as the plain one.

A product of matrices in single precision is quick, but adds in an order of its own and can score identical documents
unequally. So it only says which documents may be among the first k; these are scored again in doubles, products added
in the order of the dimensions, as the plain road adds them.

What is left out is proved to stand below k others. With u = 2**-24 and n dimensions, n u <= 1/16: a vector brought to
length 1 in single precision is off by at most n u / 2 + 3 u in each part, relatively, if the sum under its root was
rounded in single precision too, else by 2 u; one that is left as it is, because its length comes out as 1 to within
(n / 4 + 8) u, by at most (3 n / 4 + 9) u. The sum of n rounded products, in any order, is off by at most
n u / (1 - n u) times the sum of their sizes (Higham 2002, section 3.1), which is at most 1 for vectors of length 1.
Together, with what is lost near 0 and in the doubles, that is below 2 (n + 8) u: `_bound`. If k documents come to a
product of t or more, their cosines are t minus the bound or more; a document whose product is below t minus two bounds
has a cosine below all of theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rankproof.model import Ranking
from rankproof.retrieve.products import Asked, Pairs, asked_of, by_query, scores_of
from rankproof.retrieve.vectors import CELLS, NEAR_ONE, ArraySide, numpy

_QUERIES = 1024
"""As many queries are asked at a time, so that a block of scores stays in a processor's cache."""


def nearest(documents: ArraySide, queries: ArraySide, k: int) -> Iterator[Ranking]:
    """Yield each query's first k documents by cosine, equal scores by id; both sides hold arrays.

    Blocks of queries are compared with blocks of documents, so that memory does not grow with either.
    """
    k = min(k, len(documents.ids))
    step = max(1, min(_QUERIES, CELLS // documents.dimension, CELLS // (8 * k)))
    for start in range(0, len(queries.ids), step):
        asked = asked_of(queries, slice(start, start + step))
        pairs = _candidates(documents, asked, k)
        yield from _rankings(documents, asked, pairs, k)


def _bound(dimension: int) -> float:
    """Return how far a product in single precision can be from the cosine; see the top of this module."""
    return 2 * (dimension + 8) * 2.0**-24 if dimension <= 1 << 20 else float("inf")


def _candidates(documents: ArraySide, asked: Asked, k: int) -> Pairs:
    """Return the pairs that may be among the first k, in the order of the queries."""
    np = numpy()
    step = max(1, CELLS // (2 * max(documents.dimension, asked.size)))
    found = _Found(documents, asked, k, step)
    room = np.empty((step, documents.dimension), dtype=np.float32)
    products = np.empty((step, asked.size), dtype=np.float32)
    for start in range(0, len(documents.ids), step):
        size = min(step, len(documents.ids) - start)
        np.matmul(_units(documents, slice(start, start + size), room[:size]), asked.unit, out=products[:size])
        found.look_at(products[:size], start)
    return found.pairs()


def _units(documents: ArraySide, part: slice, room: Any) -> Any:
    """Return documents brought to length 1 in single precision."""
    np = numpy()
    rows, lengths, exponents = documents.rows[part], documents.lengths[part], documents.exponents
    (least, most), near = NEAR_ONE, (documents.dimension / 4 + 8) * 2.0**-24
    if rows.dtype == np.float32:
        shortest, longest = lengths.min(), lengths.max()
        if 1 - near <= shortest and longest <= 1 + near:
            return rows
        if least < shortest and longest < most:
            return np.multiply(rows, (1 / lengths).astype(np.float32)[:, None], out=room)
    wide = rows.astype(np.float64)
    if exponents is not None:
        wide = np.ldexp(wide, -exponents[part][:, None])
    return np.divide(wide, lengths[:, None], out=room, casting="same_kind")


class _Found:
    """What is known of a block of queries while the documents go by."""

    def __init__(self, documents: ArraySide, asked: Asked, k: int, step: int) -> None:
        np = numpy()
        self._documents, self._asked, self._k = documents, asked, k
        self._margin = 2 * _bound(documents.dimension) + 2.0**-23  # the last for `_low`, rounded
        self._best = np.full((asked.size, k), -np.inf, dtype=np.float32)  # the k greatest products met, in no order
        self._low = np.full(asked.size, -np.inf, dtype=np.float32)  # what is below cannot be among the first k
        nothing = np.empty(0, dtype=np.intp)
        self._kept = Pairs(nothing, nothing, np.empty(0, dtype=np.float32))
        self._fresh: list[Pairs] = []  # kept, and not yet in `_best`
        self._known: list[Pairs] = []  # kept, and in `_best`
        self._counts = np.zeros(asked.size, dtype=np.intp)  # of fresh pairs, a query
        self._most = max(CELLS // 2, 4 * asked.size * k)  # pairs to be kept
        self._met = 0
        self._room = np.empty((step, asked.size), dtype=bool)

    def look_at(self, products: Any, start: int) -> None:
        """Keep the pairs of a block of products (documents, queries) that may be among the first k."""
        np = numpy()
        before, self._met = self._met, self._met + len(products)
        raised = before < self._k <= self._met  # from here on there are k to be among
        if not raised:
            at = self._passing(products)
            raised = before >= self._k and len(at) > products.size // 8
        if raised:
            self._raise([*self._padded(), products.T])
            at = self._passing(products)
        docs = at // self._asked.size  # quicker than divmod
        queries = at - docs * self._asked.size
        pairs = Pairs(queries, docs + start, products.ravel()[at])
        (self._known if raised else self._fresh).append(pairs)
        if not raised:
            self._counts += np.bincount(queries, minlength=len(self._counts))
            if self._counts.max() >= self._k:
                self._raise(self._padded())
        if sum(len(pairs.docs) for pairs in (self._kept, *self._known, *self._fresh)) > self._most:
            self._thin_out()

    def _passing(self, products: Any) -> Any:
        """Return the flat places of the products that are not too low."""
        np = numpy()
        return np.flatnonzero(np.greater_equal(products, self._low, out=self._room[: len(products)]))

    def _padded(self) -> list[Any]:
        """Return the products of the fresh pairs, a row a query."""
        np = numpy()
        if not self._fresh:
            return []
        queries = np.concatenate([pairs.queries for pairs in self._fresh])
        near = np.concatenate([pairs.near for pairs in self._fresh])
        order = by_query(queries)
        queries, starts = queries[order], np.cumsum(self._counts) - self._counts
        padded = np.full((len(self._counts), self._counts.max()), -np.inf, dtype=np.float32)
        padded[queries, np.arange(len(queries)) - starts[queries]] = near[order]
        return [padded]

    def _raise(self, products: list[Any]) -> None:
        """Let more products, a row a query, into the k greatest, and with them all that is fresh."""
        np = numpy()
        if products:
            best = np.concatenate([self._best, *products], axis=1)
            self._best = np.partition(best, -self._k, axis=1)[:, -self._k :]
        self._low = (self._best.min(axis=1).astype(np.float64) - self._margin).astype(np.float32)
        self._known += self._fresh
        self._fresh = []
        self._counts[:] = 0

    def pairs(self) -> Pairs:
        """Return the pairs that are left, in the order of the queries."""
        self._raise(self._padded())
        kept = self._kept.with_others(self._known)
        self._known = []
        self._kept = kept.at(kept.near >= self._low[kept.queries]).by_query()
        return self._kept

    def _thin_out(self) -> None:
        """Drop pairs that came to be too low; where too many are near ties, score them and keep each query's first."""
        pairs = self.pairs()
        if len(pairs.docs) > self._most // 2:
            scores = scores_of(self._documents, self._asked, pairs)
            self._kept = pairs.at(_first(self._documents, pairs, scores, self._k))


def _rankings(documents: ArraySide, asked: Asked, pairs: Pairs, k: int) -> Iterator[Ranking]:
    scores = scores_of(documents, asked, pairs)
    first = _first(documents, pairs, scores, k)
    ids = documents.names[pairs.docs[first]].tolist()
    found = scores[first].tolist()
    for start in range(0, asked.size * k, k):  # each query has k: k is not above the number of documents
        yield Ranking(ids[start : start + k], found[start : start + k])


def _first(documents: ArraySide, pairs: Pairs, scores: Any, k: int) -> Any:
    """Return the places of each query's first k pairs, best first, in the order of the queries."""
    np = numpy()
    best = np.argsort(-scores)
    order = best[by_query(pairs.queries[best])]
    queries, ranked = pairs.queries[order], scores[order]
    if ((ranked[1:] == ranked[:-1]) & (queries[1:] == queries[:-1])).any():
        order = np.lexsort((documents.places[pairs.docs], -scores, pairs.queries))
    ranks = np.arange(len(order)) - np.searchsorted(queries, np.arange(_QUERIES))[queries]
    return order[ranks < k]
