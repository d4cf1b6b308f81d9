"""What are the cosines of very many pairs of vectors, products added in the order of the dimensions?

The plain road adds a pair's products one after the other. Here many pairs lie side by side, a column each, and are
added row by row: for each pair that is the same order.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from rankproof.retrieve.vectors import CELLS, ArraySide, numpy

PAIRS = 1024
"""As many pairs are added up at a time, so that they stay in a processor's cache."""


class Asked(NamedTuple):
    """A block of queries."""

    columns: Any  # in doubles, scaled; a column a query
    unit: Any  # of length 1, in single precision
    squares: Any  # the products of the scaled vectors with themselves

    @property
    def size(self) -> int:
        """Return how many they are."""
        return len(self.squares)


class Pairs(NamedTuple):
    """Parallel arrays: a query's place in its block, a document's row, the product in single precision."""

    queries: Any
    docs: Any
    near: Any

    def at(self, places: Any) -> Pairs:
        """Return some of them."""
        return Pairs(*(part[places] for part in self))

    def with_others(self, others: list[Pairs]) -> Pairs:
        """Return these and others."""
        np = numpy()
        return Pairs(*(np.concatenate(parts) for parts in zip(self, *others, strict=True)))

    def by_query(self) -> Pairs:
        """Return them in the order of the queries, otherwise as they stand."""
        return self.at(by_query(self.queries))


def by_query(queries: Any) -> Any:
    """Return the order that sorts places of queries, equal ones as they stand: by digits, as the numbers are short."""
    np = numpy()
    return np.argsort(queries.astype(np.int16), kind="stable")


def asked_of(queries: ArraySide, part: slice) -> Asked:
    """Return a block of queries."""
    np = numpy()
    columns = np.array(queries.rows[part].T, dtype=np.float64, order="C")
    if queries.exponents is not None:
        columns = np.ldexp(columns, -queries.exponents[part])
    squares = np.zeros(columns.shape[1])
    for dimension in columns:
        squares += dimension * dimension
    return Asked(columns, (columns / np.sqrt(squares)).astype(np.float32), squares)


def scores_of(documents: ArraySide, asked: Asked, pairs: Pairs) -> Any:
    """Return the cosine of each pair, in doubles; pairs stand in the order of the queries."""
    np = numpy()
    squares = documents.squares
    wanted = np.zeros(len(documents.ids), dtype=bool)
    wanted[pairs.docs] = True
    unknown = np.flatnonzero(wanted & np.isnan(squares))
    squares[unknown] = _in_parts(lambda part: _products(documents, unknown[part], None), len(unknown))

    def others(part: slice, start: int, end: int) -> Any:
        own = pairs.queries[part][start:end]
        counts = np.bincount(own - own[0])
        return np.repeat(asked.columns[:, own[0] : own[0] + len(counts)], counts, axis=1)

    products = _in_parts(
        lambda part: _products(documents, pairs.docs[part], lambda start, end: others(part, start, end)),
        len(pairs.docs),
    )
    return products / np.sqrt(squares[pairs.docs] * asked.squares[pairs.queries])


def _in_parts(function: Callable[[slice], Any], size: int) -> Any:
    """Return what a function makes of a range, in as many threads as help; parts do not depend on each other."""
    np = numpy()
    threads = min(_threads(), size // (4 * PAIRS))
    if threads < 2:
        return function(slice(0, size))
    ends = [size * at // threads for at in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        return np.concatenate(list(pool.map(function, (slice(*ends_of) for ends_of in pairwise(ends)))))


def _threads() -> int:
    """Return how many threads may run: as many as BLAS is told to use, or as there are processors for us."""
    told = os.environ.get("OMP_NUM_THREADS", "")
    if told.isdecimal() and int(told):
        return int(told)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _products(documents: ArraySide, docs: Any, others: Callable[[int, int], Any] | None) -> Any:
    """Return the product of each document with another vector, or with itself, added as the plain road adds.

    `others(start, end)`: these vectors, a column each. Memory is taken once: to take it a block costs as much as to use
    it.
    """
    np = numpy()
    exponents = documents.exponents
    step = max(1, min(PAIRS, CELLS // documents.dimension))
    narrow = np.empty((step, documents.dimension), dtype=documents.rows.dtype)
    room = np.empty(step * documents.dimension)
    totals = np.zeros(len(docs))
    for start in range(0, len(docs), step):
        at = docs[start : start + step]
        columns = room[: documents.dimension * len(at)].reshape(documents.dimension, len(at))
        np.copyto(columns, np.take(documents.rows, at, axis=0, out=narrow[: len(at)], mode="clip").T)
        if exponents is not None:
            np.ldexp(columns, -exponents[at], out=columns)
        columns *= columns if others is None else others(start, start + len(at))
        _add_up(columns, totals[start : start + len(at)])
    return totals


def _add_up(rows: Any, total: Any) -> None:
    """Add rows to a total of zeros, one after the other."""
    np = numpy()
    if rows.shape[1] == PAIRS and _adds_in_order(len(rows)):
        np.add.reduce(rows, axis=0, out=total)
    else:
        for row in rows:
            total += row


@cache
def _adds_in_order(count: int) -> bool:
    """Return whether NumPy's own sum of as many rows as `PAIRS` long adds them one after the other.

    It does, as the notes on `numpy.sum` let one expect, and is quicker; but no one promises it. The numbers tried are
    roots, whose sums tell one order from another.
    """
    np = numpy()
    rows = np.sqrt(np.arange(1.0, count * PAIRS + 1)).reshape(count, PAIRS)
    total = np.zeros(PAIRS)
    for row in rows:
        total += row
    return bool((np.add.reduce(rows, axis=0) == total).all())
