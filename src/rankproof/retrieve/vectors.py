"""Is each of these a vector that can be compared? Ids and rows of numbers, checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite
from typing import Any, NamedTuple, TypeAlias

from rankproof.errors import Fault, Faults, InputError, seen

Vectors: TypeAlias = Any
"""{id: [number, …]}, or (ids, rows): as many rows as ids, a NumPy array or a sequence of sequences."""

CELLS = 1 << 21
"""How many numbers a block of vectors, or of products, may hold: 8 MiB in single precision, 16 MiB in double."""

NEAR_ONE = (1e-10, 1e10)
"""Between these lengths the square of a vector in single precision neither overflows nor loses digits near 0."""

_DIRECTION = ("the vector is all zeros: it has no direction", "a number other than 0")
_FINITE = "finite numbers"
_NUMBERS = "fiu"


@dataclass(frozen=True)
class Side:
    """The documents or the queries, checked: one row an id, all of one dimension."""

    ids: Sequence[str]
    rows: Any  # a sequence of sequences; of an ArraySide an array
    dimension: int

    def as_array(self) -> ArraySide:
        """Return the same vectors in an array: in doubles, unless the rows are arrays of one smaller type."""
        return self._array

    @cached_property
    def _array(self) -> ArraySide:
        own = all(hasattr(row, "dtype") for row in self.rows)
        rows = numpy().array(self.rows, dtype=None if own else float)
        _, measured = _measured(rows)  # each row was found right before
        return ArraySide(self.ids, rows, self.dimension, *measured)


class Measured(NamedTuple):
    """What one pass over an array of vectors finds out; an entry a row."""

    lengths: Any  # of the scaled vector, in doubles, right to single precision
    exponents: Any | None  # the scaled vector is 2**-exponent times the vector; None: it is the vector itself
    squares: Any  # the products of the scaled vectors with themselves: NaN, until `products.py` knows them


@dataclass(frozen=True)
class ArraySide(Side):
    """A side that lies in a NumPy array, and what was measured of it, as in `Measured`."""

    lengths: Any
    exponents: Any | None
    squares: Any

    def as_array(self) -> ArraySide:
        """Return it as it is."""
        return self

    @cached_property
    def names(self) -> Any:
        """Return the ids as an array of objects, to take many at once."""
        return numpy().array(self.ids, dtype=object)

    @cached_property
    def places(self) -> Any:
        """Return an array: where each id stands among all of them in ascending order."""
        np = numpy()
        places = np.empty(len(self.ids), dtype=np.intp)
        places[sorted(range(len(self.ids)), key=self.ids.__getitem__)] = np.arange(len(self.ids))
        return places


def numpy() -> Any:
    """Return NumPy, None where there is none."""
    try:
        import numpy as np  # noqa: PLC0415 - only where it is worth loading
    except ModuleNotFoundError:
        return None
    return np


def checked(given: Vectors, what: str, dimension: int | None = None) -> Side:
    """Return ids and rows; `what`: document or query. `dimension` is that of the other side, where it is known.

    InputError, with the ids, for what is no vector of finite numbers, all zeros, or of another dimension than the
    first, for an id that is no text or comes twice, and for no vectors at all.
    """
    ids, rows = _ids_and_rows(given, what)
    faults = Faults()
    _check_ids(ids, what, faults)
    faults.raise_any()
    if not ids:
        raise InputError(Fault(f"there is no {what}", expected="one or more vectors"))
    size = dimension if dimension is not None else _length(rows[0])
    wrong: Iterable[_Wrong]
    side = Side(ids, rows, size)
    if not hasattr(rows, "dtype"):
        wrong = _wrong_in_rows(rows, size)
    elif not (wrong := _wrong_shape(rows, size)):
        wrong, measured = _measured(rows)
        side = ArraySide(ids, rows, size, *measured)
    for at, message, expected in wrong:
        faults.add(replace(about(what, ids[at], message), expected=expected))
    faults.raise_any()
    return side


def _check_ids(ids: Sequence[object], what: str, faults: Faults) -> None:
    if set(map(type, ids)) == {str} and len(set(ids)) == len(ids):
        return
    met: set[object] = set()
    for one in ids:
        if not isinstance(one, str):
            faults.add(Fault(f"the {what} id {seen(one)} is no text"))
        elif one in met:
            faults.add(about(what, one, "comes twice"))
        met.add(one)


def _ids_and_rows(given: Vectors, what: str) -> tuple[list[str], Any]:
    if isinstance(given, Mapping):
        return list(given), _stacked(list(given.values()))
    if isinstance(given, (tuple, list)) and len(given) == 2:
        ids, rows = list(given[0]), _as_array(given[1])
        if len(ids) != len(rows):
            raise InputError(Fault(f"there are {len(ids)} {what} ids and {len(rows)} vectors", expected="as many"))
        return ids, rows
    raise InputError(Fault(f"{seen(given)} holds no {what} vectors", expected="{id: vector}, or (ids, array)"))


def _as_array(rows: Any) -> Any:
    """Return what gives itself as an array, such as a tensor, as NumPy's; all else as it is."""
    np = numpy() if hasattr(rows, "__array__") else None
    return rows if np is None else np.asarray(rows)


def _stacked(rows: list[Any]) -> Any:
    """Return rows that are arrays of numbers, all alike, as one array; all else as it is."""
    alike = {(str(row.dtype), row.shape) if hasattr(row, "dtype") and hasattr(row, "shape") else None for row in rows}
    if (
        len(alike) != 1
        or None in alike
        or len(rows[0].shape) != 1
        or getattr(rows[0].dtype, "kind", "") not in _NUMBERS
    ):
        return rows
    return numpy().stack(rows)


def about(what: str, one: str, message: str) -> Fault:
    """Return a fault of one query or document."""
    return Fault(message, query_id=one) if what == "query" else Fault(message, doc_id=one)


def _length(row: object) -> int:
    return len(row) if isinstance(row, Sequence) or hasattr(row, "__len__") else 0


class _Wrong(NamedTuple):
    at: int
    message: str
    expected: str


def _wrong_in_rows(rows: Sequence[Any], size: int) -> Iterator[_Wrong]:
    for at, row in enumerate(rows):
        numbers = list(row) if hasattr(row, "__iter__") and not isinstance(row, (str, bytes, Mapping)) else None
        if numbers is None:
            yield _Wrong(at, f"{seen(row)} is no vector", _FINITE)
        elif wrong := [one for one in numbers if not _is_finite(one)]:
            yield _Wrong(at, f"the vector holds {seen(wrong[0])}", _FINITE)
        elif len(numbers) != size or not size:
            yield _other_dimension(at, len(numbers), size)
        elif not any(map(float, numbers)):  # a fraction can be too small for a double
            yield _Wrong(at, *_DIRECTION)


def _other_dimension(at: int, found: int, size: int) -> _Wrong:
    return _Wrong(at, f"the vector has {found} dimensions", f"{size or 'one or more'}, as the first document")


def _is_finite(one: object) -> bool:
    try:
        return not isinstance(one, (bool, str, bytes)) and isfinite(one)  # type: ignore[arg-type]  # TypeError is caught
    except (TypeError, OverflowError):
        return False


def _wrong_shape(rows: Any, size: int) -> list[_Wrong]:
    if rows.ndim != 2 or rows.dtype.kind not in _NUMBERS:
        raise InputError(Fault(f"an array of {rows.dtype} with {rows.ndim} dimensions", expected="a matrix of numbers"))
    return [] if rows.shape[1] == size and size else [_other_dimension(0, rows.shape[1], size)]


def _measured(rows: Any) -> tuple[list[_Wrong], Measured]:
    """Return what is wrong with the numbers in an array of vectors, and what they measure where nothing is.

    Numbers of up to 32 bits need no scaling: in doubles neither their products nor sums of these overflow or come near
    0, and a power of 2 taken out of them changes no bit of a quotient.
    """
    np = numpy()
    wrong: list[_Wrong] = []
    lengths = np.empty(len(rows))
    exponents = None if rows.dtype.itemsize <= 4 else np.zeros(len(rows), dtype=np.int32)
    step = max(1, CELLS // rows.shape[1])
    for start in range(0, len(rows), step):
        block, part = rows[start : start + step], slice(start, start + step)
        if not _quickly(block, lengths[part]):
            wrong += _in_doubles(block, lengths[part], None if exponents is None else exponents[part], start)
    return wrong, Measured(lengths, exponents, np.full(len(rows), np.nan))


def _quickly(block: Any, lengths: Any) -> bool:
    """Measure vectors of single precision in their own, and return whether that sufficed: it does not near faults."""
    np = numpy()
    if block.dtype != np.float32:
        return False
    with np.errstate(all="ignore"):
        np.sqrt(np.einsum("ij,ij->i", block, block), out=lengths)
    least, most = NEAR_ONE
    return bool(((lengths > least) & (lengths < most)).all())


def _in_doubles(block: Any, lengths: Any, exponents: Any | None, start: int) -> list[_Wrong]:
    np = numpy()
    with np.errstate(all="ignore"):
        wide = block.astype(np.float64)
        peaks = np.abs(wide).max(axis=1)
    wrong = []
    for at in np.flatnonzero(~((peaks > 0) & (peaks < np.inf))).tolist():
        number = next((float(one) for one in wide[at] if not np.isfinite(one)), None)
        fault = _DIRECTION if number is None else (f"the vector holds {number}", _FINITE)
        wrong.append(_Wrong(start + at, *fault))
    if not wrong:
        if exponents is not None:
            exponents[:] = np.frexp(peaks)[1]
            wide = np.ldexp(wide, -exponents[:, None])
        np.sqrt(np.einsum("ij,ij->i", wide, wide), out=lengths)
    return wrong
