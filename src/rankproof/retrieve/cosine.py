"""Which documents are nearest by cosine? Exact search: every query is compared with every document.

Two roads give the same documents with the same scores, bit for bit: a plain one here, and one with NumPy in
`nearest.py`.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from math import frexp, ldexp, sqrt
from operator import mul
from typing import TypeAlias

from rankproof.arithmetic import add, check_count
from rankproof.errors import InputError
from rankproof.model import Ranking, Run
from rankproof.retrieve.nearest import nearest
from rankproof.retrieve.vectors import ArraySide, Side, Vectors, checked, numpy

__all__ = ["Vectors", "cosine_search", "search_checked"]

_LARGE = 1 << 18
"""From so many products on NumPy is worth loading."""

_Hit: TypeAlias = tuple[float, str]
"""(the score negated, document id): hits in ascending order stand by rank, equal scores by id."""


def cosine_search(documents: Vectors, queries: Vectors, k: int, *, name: str = "cosine") -> Run:
    """Return each query's k nearest documents by cosine, all of them where there are fewer.

    Equal scores stand by document id, ascending. The score is x·y / sqrt(x·x y·y) in doubles, each vector first scaled
    by a power of 2, which is exact, products added in the order of the dimensions; so identical vectors score alike to
    the last bit, while other multiples of a vector may differ from it by rounding. What is passed is never changed.

    An array is never copied as a whole, nor read into memory where it is mapped from a file: beside the vectors as they
    were passed a search holds less than 256 MB, 40 bytes a document, and what it finds. Lists of numbers are first put
    into an array of doubles.

    Raises InputError for what is no vector of finite numbers, has no direction (all zeros) or another dimension than
    the first document, for an id that is no text or comes twice, and for k below 1.
    """
    check_count("k", k, InputError)
    found = checked(documents, "document")
    return search_checked(found, checked(queries, "query", found.dimension), k, name)


def search_checked(documents: Side, queries: Side, k: int, name: str) -> Run:
    """Return what `cosine_search` does, from two sides that were checked."""
    large = len(documents.ids) * len(queries.ids) * documents.dimension >= _LARGE
    fast = isinstance(documents, ArraySide) or isinstance(queries, ArraySide) or (large and numpy() is not None)
    found = nearest(documents.as_array(), queries.as_array(), k) if fast else _plain(documents, queries, k)
    return Run(name, dict(zip(queries.ids, found, strict=True)))


def _plain(documents: Side, queries: Side, k: int) -> Iterator[Ranking]:
    """Yield each query's ranking, with the standard library."""
    scaled = [_scaled(row) for row in documents.rows]
    squares = [_product(row, row) for row in scaled]
    for row in queries.rows:
        query = _scaled(row)
        square = _product(query, query)
        hits = (
            (-(_product(other, query) / sqrt(other_square * square)), doc)
            for doc, other, other_square in zip(documents.ids, scaled, squares, strict=True)
        )
        yield _ranking(heapq.nsmallest(k, hits))


def _ranking(hits: Sequence[_Hit]) -> Ranking:
    return Ranking([doc for _, doc in hits], [-score for score, _ in hits])


def _product(x: Sequence[float], y: Sequence[float]) -> float:
    return add(map(mul, x, y), "sequential")


def _scaled(row: Iterable[float]) -> list[float]:
    """Return a vector over a power of 2, its greatest part from 0.5 to 1: no product overflows or comes near 0."""
    numbers = [float(number) for number in row]
    _, exponent = frexp(max(map(abs, numbers)))
    return [ldexp(number, -exponent) for number in numbers]
