"""Which vectors are in this file, and whose are they? NumPy's .npy and .npz, Parquet, JSON and JSON lines."""

from __future__ import annotations

import io
import re
import zipfile
from array import array
from collections.abc import Callable, Iterable, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeAlias

from rankproof.errors import Fault, Faults, InputError, MissingPackageError, seen
from rankproof.formats.files import STDIN, Source
from rankproof.formats.jsons import parse_json
from rankproof.formats.records import read_records

IDS = ("_id", "id", "doc_id", "query_id")
VECTORS = ("vector", "embedding")
"""What the columns or keys are called, first name first; in an .npz `ids` and `vectors`."""

_EXPECTED = '.npy, .npz, Parquet, {id: [number, …]}, or {"_id": …, "vector": [number, …]} a line'
_LINE = 'an object a line: {"_id": …, "vector": [number, …]}'
_CELLS = 1 << 21
"""How many numbers of an array are looked at together."""

Found: TypeAlias = tuple[list[str], Any]
"""Ids and rows: an array of shape (vectors, dimensions)."""


def read_vectors(path: str | Path | Source, ids: str | Path | Source | None = None) -> Found:
    """Return the ids of a file's vectors, and the vectors as an array of shape (vectors, dimensions).

    The content decides what the file is. An .npy holds no ids: they come from a text file of one id a line, `ids` or
    else the file `NAME.ids.txt` beside `NAME.npy`; it is mapped, not read, unless it is compressed or comes through a
    pipe. An .npz holds `ids` and `vectors`; a Parquet file a column of ids (_id, id, doc_id, query_id) and one of lists
    (vector, embedding); JSON is {id: [number, …]}, or an object a line with keys like Parquet's columns.

    Raises InputError for what is none of these, for ids that are missing, come twice or are not as many as the vectors,
    for vectors of several lengths, and for numbers that are not finite; MissingPackageError for Parquet without
    pyarrow. Nothing is unpickled.
    """
    source = path if isinstance(path, Source) else Source(path)
    start = source.start()
    kind = next((known for known in _KINDS if known.looks_like(start.lstrip())), None)
    if kind is None:
        _refuse(source, Fault("holds no vectors that can be read", source.name, expected=_EXPECTED))
    if ids is not None and kind.holds_ids:
        hint = "leave out the file of ids"
        _refuse(source, Fault(f"is {kind.name} and holds its own ids", source.name, hint=hint))
    found, rows = kind.read(source, ids)
    _check(found, rows, source)
    return found, rows


def _refuse(source: Source, fault: Fault) -> NoReturn:
    """Raise a fault of a file that was begun, and close it."""
    with source.open():
        raise InputError(fault)


class _Kind(NamedTuple):
    name: str
    looks_like: Callable[[bytes], bool]  # given the first bytes, white space removed
    read: Callable[[Source, str | Path | Source | None], Found]
    holds_ids: bool = True


def _check(ids: Sequence[str], rows: Any, source: Source) -> None:
    """Refuse vectors without dimensions, numbers that are not finite, and ids that come twice."""
    import numpy as np  # noqa: PLC0415 - loaded for vectors only

    if rows.ndim != 2 or rows.dtype.kind not in "fiu" or not all(rows.shape):
        message = f"holds an array of {rows.dtype} of the shape {rows.shape}"
        raise InputError(Fault(message, source.name, expected="numbers, of the shape (vectors, dimensions)"))
    if len(ids) != len(rows):
        raise InputError(Fault(f"holds {len(rows)} vectors for {len(ids)} ids", source.name, expected="as many"))
    faults, first = Faults(), dict[str, int]()
    for at, one in enumerate(ids):
        if first.setdefault(one, at) != at:
            faults.add(Fault(f"row {at + 1}: id {seen(one)} comes twice (first in row {first[one] + 1})", source.name))
    step = max(1, _CELLS // rows.shape[1])
    for start in range(0, len(rows), step):
        for row in np.flatnonzero(~np.isfinite(rows[start : start + step]).all(axis=1)).tolist():
            at = start + row
            number = next(one for one in rows[at].tolist() if not isfinite(one))
            message = f"row {at + 1}: the vector of {seen(ids[at])} holds {number}"
            faults.add(Fault(message, source.name, expected="finite numbers"))
    faults.raise_any()


def _npy(source: Source, ids: str | Path | Source | None) -> Found:
    import numpy as np  # noqa: PLC0415 - loaded for vectors only

    beside = None if source.path == STDIN else Path(source.path).with_name(f"{source.stem}.ids.txt")
    if ids is None and (beside is None or not beside.is_file()):
        hint = f"name a file of one id a line{f', or put it at {beside}' if beside else ''}"
        _refuse(source, Fault("is an .npy, which holds no ids", source.name, hint=hint))
    with source.open() as reader:
        named = _ids_of(ids if isinstance(ids, Source) else Source(ids if ids is not None else str(beside)))
        mapped = source.path != STDIN and _begins_with(source.path, _NPY)
        content = None if mapped else io.BytesIO(reader.read())  # when mapped, still read through, for its hash
    try:
        if content is not None:
            return named, np.load(content, allow_pickle=False)
        return named, np.load(source.path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise InputError(Fault(f"cannot be read as .npy: {error}", source.name)) from error


def _begins_with(path: str, start: bytes) -> bool:
    with Path(path).open("rb") as file:
        return file.read(len(start)) == start


def _ids_of(source: Source) -> list[str]:
    """Return the ids of a text file, one a line."""
    faults, found = Faults(), []
    for number, line in source.lines():
        try:
            one = line.decode().strip()
        except UnicodeDecodeError as error:
            faults.add(Fault(f"byte 0x{line[error.start]:02x} is not UTF-8", source.name, number))
            continue
        if not one:
            faults.add(Fault("is empty", source.name, number, expected="an id on each line"))
        found.append(one)
    faults.raise_any()
    return found


def _npz(source: Source, _: object) -> Found:
    import numpy as np  # noqa: PLC0415 - loaded for vectors only

    with source.open() as reader:
        content = io.BytesIO(reader.read())
    try:
        with np.load(content, allow_pickle=False) as held:
            missing = [name for name in ("ids", "vectors") if name not in held.files]
            if missing:
                message = f"holds no {' and no '.join(missing)}, but {', '.join(held.files) or 'nothing'}"
                raise InputError(Fault(message, source.name, expected="the arrays ids and vectors"))
            ids, rows = held["ids"], held["vectors"]
    except (ValueError, EOFError, OSError, zipfile.BadZipFile) as error:
        hint = "ids have to be text or whole numbers, not Python objects" if "pickle" in str(error) else None
        raise InputError(Fault(f"cannot be read as .npz: {error}", source.name, hint=hint)) from error
    if ids.ndim != 1 or ids.dtype.kind not in "Uiu":
        message = f"ids is an array of {ids.dtype} of the shape {ids.shape}"
        raise InputError(Fault(message, source.name, expected="one row of texts or whole numbers"))
    return [str(one) for one in ids.tolist()], rows


def _parquet(source: Source, _: object) -> Found:
    with source.open() as reader:
        content = reader.read()
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra, loaded for such files only
        import pyarrow.parquet as pq  # noqa: PLC0415
    except ModuleNotFoundError as error:
        hint = 'pip install "rankproof[parquet]"'
        raise MissingPackageError(Fault("Parquet needs the package pyarrow", source.name, hint=hint)) from error
    try:
        file = pq.ParquetFile(io.BytesIO(content))
        names = [_column(file.schema_arrow.names, known, source) for known in (IDS, VECTORS)]
        kind = file.schema_arrow.field(names[1]).type
        if not (_is_list(pa, kind) and (pa.types.is_floating(kind.value_type) or pa.types.is_integer(kind.value_type))):
            raise InputError(Fault(f"holds {kind}", source.name, column=names[1], expected="lists of numbers"))
        batches = file.iter_batches(columns=names)
        return _of_batches(((batch.column(names[0]), batch.column(names[1])) for batch in batches), source)
    except pa.lib.ArrowException as error:
        raise InputError(Fault(f"cannot be read as Parquet: {error}", source.name)) from error


def _is_list(pa: Any, kind: Any) -> bool:
    return any(is_one(kind) for is_one in (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list))


def _column(held: Sequence[str], names: Sequence[str], source: Source) -> str:
    found = next((name for name in names if name in held), None)
    if found is None:
        message = f"has no column {' or '.join(names)}; it has {', '.join(held)}"
        raise InputError(Fault(message, source.name, expected="a column of ids and one of lists of numbers"))
    return found


def _of_batches(batches: Iterable[tuple[Any, Any]], source: Source) -> Found:
    """Return ids and rows of columns of ids and of lists, a batch at a time."""
    import numpy as np  # noqa: PLC0415 - loaded for vectors only
    import pyarrow.compute as pc  # noqa: PLC0415 - an extra, here by now

    blocks: list[Any] = []
    rows = _Rows(source)
    for ids, lists in batches:
        for one, length in zip(ids.to_pylist(), pc.list_value_length(lists).to_pylist(), strict=True):
            place = f"row {len(rows.ids) + 1}: "
            rows.ids.append(rows.id_of(one, None, place))
            rows.check_length(length, rows.ids[-1], None, place)
        numbers = lists.flatten()
        if numbers.null_count:
            rows.faults.add(Fault("holds a vector with an empty number", source.name, expected="finite numbers"))
        if not rows.faults:
            blocks.append(numbers.to_numpy(zero_copy_only=False).reshape(len(ids), -1))
    rows.faults.raise_any()
    if not blocks:
        raise InputError(Fault("holds no vectors", source.name, expected="a row a vector"))
    return rows.ids, np.concatenate(blocks)


class _Rows:
    """Gathers vectors of one length, and what is wrong with them."""

    def __init__(self, source: Source) -> None:
        self.ids: list[str] = []
        self.faults = Faults()
        self._numbers = array("d")
        self._size: int | None = None
        self._source = source

    def id_of(self, one: object, line: int | None, place: str = "") -> str:
        if isinstance(one, bool) or not isinstance(one, (str, int)) or one == "":
            self.faults.add(Fault(f"{place}id {seen(one)}", self._source.name, line, expected="a text"))
        return str(one)

    def check_length(self, found: int | None, one: str, line: int | None, place: str = "") -> bool:
        if not found:
            self._about(one, line, place, "is empty", "one or more numbers")
            return False
        self._size = found if self._size is None else self._size
        if found != self._size:
            self._about(one, line, place, f"has {found} dimensions", f"{self._size}, as the first")
        return found == self._size

    def _about(self, one: str, line: int | None, place: str, message: str, expected: str) -> None:
        text = f"{place}the vector of {seen(one)} {message}"
        self.faults.add(Fault(text, self._source.name, line, expected=expected))

    def add(self, one: object, vector: object, line: int | None = None) -> None:
        """Add a vector that JSON held."""
        own = self.id_of(one, line)
        if not isinstance(vector, list) or not {type(number) for number in vector} <= {int, float}:
            self._about(own, line, "", f"is {seen(vector, 60)}", "a list of numbers")
        elif self.check_length(len(vector), own, line):
            try:
                numbers = array("d", vector)
            except OverflowError:
                numbers = array("d", [float("inf")])
            if all(map(isfinite, numbers)):
                self._numbers.extend(numbers)
            else:
                self._about(own, line, "", f"is {seen(vector, 60)}", "finite numbers")
        self.ids.append(own)

    def found(self) -> Found:
        """Return ids and rows, where nothing is wrong."""
        import numpy as np  # noqa: PLC0415 - loaded for vectors only

        self.faults.raise_any()
        if not self.ids:
            raise InputError(Fault("holds no vectors", self._source.name, expected=_EXPECTED))
        return self.ids, np.frombuffer(self._numbers, dtype=np.float64).reshape(len(self.ids), -1)


def _json(source: Source, _: object) -> Found:
    if _looks_like_lines(source.start()):
        return _json_lines(source)
    rows = _Rows(source)
    for one, vector in parse_json(source.text(), source.name):  # it begins with {: an object, as pairs
        rows.add(one, vector)
    return rows.found()


def _looks_like_lines(start: bytes) -> bool:
    """Return whether the first object is one vector: its first value is no list, or is called vector or embedding."""
    first = re.match(rb'\s*\{\s*"((?:[^"\\]|\\.)*)"\s*:\s*(\[?)', start)
    return first is not None and (not first[2] or first[1].decode(errors="replace") in VECTORS)


def _json_lines(source: Source) -> Found:
    rows = _Rows(source)
    for line, fields in read_records(source, rows.faults):
        held = [next((name for name in names if name in fields), None) for names in (IDS, VECTORS)]
        lacking = [names[0] for names, name in zip((IDS, VECTORS), held, strict=True) if name is None]
        if lacking:
            rows.faults.add(Fault(f"has no {' and no '.join(lacking)}", source.name, line, expected=_LINE))
        else:
            one, vector = (fields[str(name)] for name in held)
            rows.add(one, vector, line)
    return rows.found()


_NPY = b"\x93NUMPY"

_KINDS = (
    _Kind(".npy", lambda start: start.startswith(_NPY), _npy, holds_ids=False),
    _Kind(".npz", lambda start: start.startswith(b"PK"), _npz),
    _Kind("Parquet", lambda start: start.startswith(b"PAR1"), _parquet),
    _Kind("JSON", lambda start: start.startswith(b"{"), _json),
)
"""What vectors come in, asked in this order."""
