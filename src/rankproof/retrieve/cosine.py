"""Which documents are nearest by cosine? Exact search: every query is compared with every document.

Two roads give the same documents with the same scores, bit for bit: a plain one, and one with NumPy. A matrix product
adds in an order of its own, and can score identical documents unequally; so it only says which documents come near the
first k, and these are scored again by the plain road's arithmetic, term by term in the order of the dimensions.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import frexp, isfinite, ldexp, sqrt
from operator import mul
from typing import Any, NamedTuple, TypeAlias

from rankproof.arithmetic import add
from rankproof.errors import Fault, Faults, InputError, seen
from rankproof.model import Ranking, Run

Vectors: TypeAlias = Any
"""{id: [number, …]}, or (ids, rows): as many rows as ids, a NumPy array or a sequence of sequences."""

_CELLS = 1 << 22
"""How many numbers a block of documents, or of its scores, may hold: 32 MiB."""

_LARGE = 1 << 18
"""From so many products on NumPy is worth loading."""

_Hit: TypeAlias = tuple[float, str]
"""(the score negated, document id): hits in ascending order stand by rank, equal scores by id."""


def cosine_search(documents: Vectors, queries: Vectors, k: int, *, name: str = "cosine") -> Run:
    """Return each query's k nearest documents by cosine, all of them where there are fewer.

    Equal scores stand by document id, ascending. The score is x·y / sqrt(x·x y·y) in doubles, each vector first scaled
    by a power of 2, which is exact; so identical vectors score alike to the last bit, while other multiples of a vector
    may differ from it by rounding. What is passed is never changed.

    Raises InputError for what is no vector of finite numbers, has no direction (all zeros) or another dimension than
    the first document, for an id that is no text or comes twice, and for k below 1.
    """
    _check_k(k)
    found = _read(documents, "document")
    asked = _read(queries, "query", found.dimension)
    large = len(found.ids) * len(asked.ids) * found.dimension >= _LARGE
    road = _with_numpy if found.is_array or asked.is_array or (large and _numpy() is not None) else _plain
    return Run(
        name,
        {
            query: Ranking([doc for _, doc in hits], [-score for score, _ in hits])
            for query, hits in zip(asked.ids, road(found, asked, k), strict=True)
        },
    )


def _check_k(k: object) -> None:
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise InputError(Fault(f"k cannot be {seen(k)}", expected="a whole number from 1 on"))


class _Side(NamedTuple):
    """The documents or the queries, checked."""

    ids: Sequence[str]
    rows: Any  # a sequence of sequences, or an array
    dimension: int

    @property
    def is_array(self) -> bool:
        """Return whether the rows are a NumPy array."""
        return hasattr(self.rows, "dtype")


def _numpy() -> Any:
    """Return NumPy, None where there is none."""
    try:
        import numpy as np  # noqa: PLC0415 - only where it is worth loading
    except ModuleNotFoundError:
        return None
    return np


def _read(given: Vectors, what: str, dimension: int | None = None) -> _Side:
    """Return ids and rows; `what`: document or query."""
    ids, rows = _ids_and_rows(given, what)
    faults = Faults()
    met: set[str] = set()
    for one in ids:
        if not isinstance(one, str):
            faults.add(Fault(f"the {what} id {seen(one)} is no text"))
        elif one in met:
            faults.add(_about(what, one, "comes twice"))
        met.add(one)
    faults.raise_any()
    if not ids:
        raise InputError(Fault(f"there is no {what}", expected="one or more vectors"))
    size = dimension if dimension is not None else _length(rows[0])
    check = _wrong_in_array if hasattr(rows, "dtype") else _wrong_in_rows
    for at, message, expected in check(rows, size):
        faults.add(replace(_about(what, ids[at], message), expected=expected))
    faults.raise_any()
    return _Side(ids, rows, size)


def _ids_and_rows(given: Vectors, what: str) -> tuple[list[str], Any]:
    if isinstance(given, Mapping):
        return list(given), list(given.values())
    if isinstance(given, (tuple, list)) and len(given) == 2:
        ids, rows = list(given[0]), _as_array(given[1])
        if len(ids) != len(rows):
            raise InputError(Fault(f"there are {len(ids)} {what} ids and {len(rows)} vectors", expected="as many"))
        return ids, rows
    raise InputError(Fault(f"{seen(given)} holds no {what} vectors", expected="{id: vector}, or (ids, array)"))


def _as_array(rows: Any) -> Any:
    """Return what gives itself as an array, such as a tensor, as NumPy's; all else as it is."""
    np = _numpy() if hasattr(rows, "__array__") else None
    return rows if np is None else np.asarray(rows)


def _about(what: str, one: str, message: str) -> Fault:
    return Fault(message, query_id=one) if what == "query" else Fault(message, doc_id=one)


def _length(row: object) -> int:
    return len(row) if isinstance(row, Sequence) or hasattr(row, "__len__") else 0


_Wrong: TypeAlias = tuple[int, str, str]
"""(index, message, what was expected)."""

_DIRECTION = ("the vector is all zeros: it has no direction", "a number other than 0")
_FINITE = "finite numbers"


def _wrong_in_rows(rows: Sequence[Any], size: int) -> Iterator[_Wrong]:
    for at, row in enumerate(rows):
        numbers = list(row) if hasattr(row, "__iter__") and not isinstance(row, (str, bytes, Mapping)) else None
        if numbers is None:
            yield at, f"{seen(row)} is no vector", _FINITE
        elif wrong := [one for one in numbers if not _is_finite(one)]:
            yield at, f"the vector holds {seen(wrong[0])}", _FINITE
        elif len(numbers) != size or not size:
            yield at, f"the vector has {len(numbers)} dimensions", f"{size or 'one or more'}, as the first document"
        elif not any(numbers):
            yield at, *_DIRECTION


def _is_finite(one: object) -> bool:
    try:
        return not isinstance(one, (bool, str, bytes)) and isfinite(one)  # type: ignore[arg-type]  # TypeError is caught
    except (TypeError, OverflowError):
        return False


def _wrong_in_array(rows: Any, size: int) -> Iterator[_Wrong]:
    np = _numpy()
    if rows.ndim != 2 or rows.dtype.kind not in "fiu":
        raise InputError(Fault(f"an array of {rows.dtype} with {rows.ndim} dimensions", expected="a matrix of numbers"))
    if rows.shape[1] != size or not size:
        yield 0, f"the vector has {rows.shape[1]} dimensions", f"{size or 'one or more'}, as the first document"
        return
    step = max(1, _CELLS // size)
    for start in range(0, len(rows), step):
        block = rows[start : start + step]
        for at in np.flatnonzero(~np.isfinite(block).all(axis=1)):
            number = next(float(one) for one in block[at] if not np.isfinite(one))
            yield start + int(at), f"the vector holds {number}", _FINITE
        for at in np.flatnonzero(~block.any(axis=1)):
            yield start + int(at), *_DIRECTION


def _plain(documents: _Side, queries: _Side, k: int) -> Iterator[list[_Hit]]:
    """Yield each query's hits, with the standard library."""
    scaled = [_scaled(row) for row in documents.rows]
    squares = [_product(row, row) for row in scaled]
    for row in queries.rows:
        query = _scaled(row)
        square = _product(query, query)
        hits = (
            (-(_product(other, query) / sqrt(other_square * square)), doc)
            for doc, other, other_square in zip(documents.ids, scaled, squares, strict=True)
        )
        yield heapq.nsmallest(k, hits)


def _product(x: Sequence[float], y: Sequence[float]) -> float:
    return add(map(mul, x, y), "sequential")


def _scaled(row: Iterable[float]) -> list[float]:
    """Return a vector over a power of 2, its greatest part from 0.5 to 1: no product overflows or comes near 0."""
    numbers = [float(number) for number in row]
    _, exponent = frexp(max(map(abs, numbers)))
    return [ldexp(number, -exponent) for number in numbers]


def _with_numpy(documents: _Side, queries: _Side, k: int) -> Iterator[list[_Hit]]:
    """Yield each query's hits, with NumPy: block after block of documents, so that memory stays bounded."""
    np = _numpy()
    asked, asked_squares = _scaled_block(np, queries.rows)
    best: list[list[_Hit]] = [[] for _ in queries.ids]
    size = documents.dimension
    # Twice what a sum of so many rounded products, in any order, and the division can be off by: Higham 2002, 3.1.
    margin = 8 * (size + 8) * 2.0**-53
    step = max(1, _CELLS // max(size, len(queries.ids)))
    for start in range(0, len(documents.ids), step):
        block, squares = _scaled_block(np, documents.rows[start : start + step])
        near = (block @ asked.T) / np.sqrt(np.outer(squares, asked_squares))
        for at, column in enumerate(near.T):
            least = np.partition(column, -k)[-k] if k < len(column) else -np.inf
            if len(best[at]) == k:
                least = max(least, -best[at][-1][0])
            rows = np.flatnonzero(column >= least - margin)
            scores = _products(np, block[rows], asked[at]) / np.sqrt(squares[rows] * asked_squares[at])
            ids = (documents.ids[start + row] for row in rows.tolist())
            best[at] = heapq.nsmallest(k, [*best[at], *zip((-scores).tolist(), ids, strict=True)])
    yield from best


def _scaled_block(np: Any, rows: Any) -> tuple[Any, Any]:
    """Return vectors as doubles, scaled as `_scaled` does, and the products with themselves."""
    block = np.array(rows, dtype=np.float64)
    _, exponents = np.frexp(np.abs(block).max(axis=1))
    block = np.ldexp(block, -exponents[:, None])
    return block, _products(np, block, block)


def _products(np: Any, rows: Any, others: Any) -> Any:
    """Return the product of each row with another, or with one other, added as `_product` does."""
    total = np.zeros(len(rows))
    for x, y in zip(rows.T, others.T, strict=True):
        total += x * y
    return total
