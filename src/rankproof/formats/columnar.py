"""Which columns does a Parquet or Arrow file hold? Read no further than a real file goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rankproof.errors import Fault, InputError, MissingPackageError
from rankproof.formats.files import LARGEST_TEXT, Source
from rankproof.formats.packing import check_ratio

LARGEST_COLUMNS = 4 << 30
"""A larger file of columns, in bytes, is refused where its rows are read one after another."""

_ROWS = 1024
"""As many rows become Python's objects at once."""


def read_parquet(source: Source) -> Any:
    """Return the table of a Parquet file. InputError where it is damaged or a trap; MissingPackageError."""
    with _columns(source, "Parquet") as pa:
        return _checked(pa.Table.from_batches(_parquet_batches(pa, source, LARGEST_TEXT)), source)


def read_arrow(source: Source) -> Any:
    """Return the table of an Arrow (Feather) file, as `read_parquet` does."""
    with _columns(source, "Arrow") as pa:
        content = source.content()
        file = pa.ipc.open_file(pa.py_buffer(content))
        batches, held = [], 0
        for at in range(file.num_record_batches):
            batches.append(file.get_batch(at))
            held += batches[-1].nbytes
            check_ratio(held, len(content), source.name)
        return _checked(pa.Table.from_batches(batches, file.schema), source)


def schema(path: str) -> Any:
    """Return the schema of a Parquet or Arrow file on the disk; None where it cannot be had, for whatever reason."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra, loaded where such a file is read
        import pyarrow.parquet  # noqa: PLC0415
    except ModuleNotFoundError:
        return None
    try:
        with pa.memory_map(path) as file:
            if file.read(4) == b"PAR1":
                return pa.parquet.read_schema(file)
            file.seek(0)
            return pa.ipc.open_file(file).schema
    except (pa.lib.ArrowException, OSError, ValueError):
        return None


def batches(source: Source) -> Iterator[Any]:
    """Yield the batches of a Parquet or Arrow file. Raises as `read_parquet` does, when it comes to the fault."""
    if source.start(4) == b"PAR1":
        with _columns(source, "Parquet") as pa:
            yield from _parquet_batches(pa, source, LARGEST_COLUMNS)
    else:
        yield from read_arrow(source).to_batches()


def parquet_rows(source: Source) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of a Parquet file, some at a time. Raises as `read_parquet` does, when it comes to the fault."""
    done = 0
    with _columns(source, "Parquet", lambda: f" behind row {done}") as pa:
        for batch in _parquet_batches(pa, source, LARGEST_COLUMNS):
            for at in range(0, len(batch), _ROWS):
                rows = batch.slice(at, _ROWS).to_pylist()
                yield rows
                done += len(rows)


@contextmanager
def _columns(source: Source, kind: str, where: Callable[[], str] = str) -> Iterator[Any]:
    """Give pyarrow, and turn what it raises into InputError."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra, loaded where such a file is read
        import pyarrow.ipc  # noqa: PLC0415
        import pyarrow.parquet  # noqa: PLC0415
    except ModuleNotFoundError as error:
        hint = 'pip install "rankproof[parquet]"'
        raise MissingPackageError(Fault(f"{kind} needs the package pyarrow", source.name, hint=hint)) from error
    try:
        yield pa
    except (pa.lib.ArrowException, OSError, ValueError, MemoryError) as error:  # ValueError: texts that are not UTF-8
        raise InputError(Fault(f"is damaged {kind}{where()}: {error}", source.name)) from error


def _parquet_batches(pa: Any, source: Source, largest: int) -> Iterator[Any]:
    """Yield the batches of a Parquet file, texts as dictionaries: one that is repeated a million times is held once."""
    content = source.content(largest)
    size = len(content)
    file = pa.parquet.ParquetFile(pa.py_buffer(content))
    _refuse_twins(file.schema_arrow.names, source)
    meta = file.metadata
    packed = sum(meta.row_group(at).total_byte_size for at in range(meta.num_row_groups))
    check_ratio(max(packed, meta.num_rows), size, source.name)
    texts = [one.name for one in file.schema_arrow if _is_text(pa, one.type)]
    file = pa.parquet.ParquetFile(pa.py_buffer(content), read_dictionary=texts)
    held, first = 0, True
    for batch in file.iter_batches():
        held += sum(_bytes_in(pa, column) for column in batch.columns)
        check_ratio(held, size, source.name)
        first = False
        yield batch
    if first:
        yield pa.RecordBatch.from_pylist([], schema=file.schema_arrow)


def _is_text(pa: Any, kind: Any) -> bool:
    return any(is_one(kind) for is_one in (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary))


def _bytes_in(pa: Any, column: Any) -> int:
    """Return how many bytes a column holds, a text in a dictionary as often as it is named."""
    if pa.types.is_dictionary(column.type) and _is_text(pa, column.type.value_type):
        import pyarrow.compute as pc  # noqa: PLC0415

        return pc.sum(pc.binary_length(column.dictionary).take(column.indices)).as_py() or 0
    return int(column.nbytes)


def _checked(table: Any, source: Source) -> Any:
    _refuse_twins(table.column_names, source)
    for column in table.columns:
        column.validate(full=True)  # texts that are no UTF-8
    return table


def _refuse_twins(names: list[str], source: Source) -> None:
    if repeated := sorted({one for one in names if names.count(one) > 1}):
        raise InputError(Fault(f"the column {repeated[0]} comes twice", source.name, expected="each once"))
