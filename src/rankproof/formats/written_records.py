"""How are records of queries and documents written in another layout?"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from typing import Any, TypeAlias

from rankproof.errors import Fault, InputError, MissingPackageError, RankproofError
from rankproof.formats.columns import names_rows
from rankproof.formats.files import Given
from rankproof.formats.records import IDS, TEXTS, read_records
from rankproof.formats.written_tables import delimited_text

Fields: TypeAlias = Sequence[Mapping[str, Any]]


def holds_texts(held: Given) -> bool:
    """Return whether the first record of a file has an id and a text, and is no judgment or result."""
    ids = {name for names in IDS.values() for name in names}
    with closing(held), suppress(RankproofError):  # who reads it says what is wrong
        first = next(read_records(held), None)
        if first is not None:
            return (
                bool(ids & set(first.fields))
                and bool(set(TEXTS) & set(first.fields))
                and not names_rows([*first.fields])
            )
    return False


def written_records(records: Fields, layout: str, path: str) -> str | bytes:
    """Return the content of a file of records. InputError for a layout that holds none."""
    if layout not in _WRITERS:
        expected = f"one of {', '.join(_WRITERS)}: an ending, or --to"
        raise InputError(Fault(f"{layout} holds no queries or documents", path, expected=expected))
    return _WRITERS[layout](records, path)


def _lines(records: Fields, _: str) -> str:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records)


def _list(records: Fields, _: str) -> str:
    return json.dumps(list(records), ensure_ascii=False, indent=2) + "\n"


def _delimited(delimiter: str) -> Callable[[Fields, str], str]:
    def write(records: Fields, path: str) -> str:
        header = list(records[0])
        if other := next((number for number, one in enumerate(records, 1) if [*one] != header), None):
            message = f"record no. {other} has other fields than the first: {', '.join(records[other - 1])}"
            raise InputError(Fault(message, path, expected=", ".join(header), hint="JSON lines hold any fields"))
        return delimited_text(header, [list(one.values()) for one in records], delimiter)

    return write


def _parquet(records: Fields, path: str) -> bytes:
    try:
        import pyarrow as pa  # noqa: PLC0415 - only where such a file is written
        import pyarrow.parquet as pq  # noqa: PLC0415
    except ModuleNotFoundError as error:
        hint = 'pip install "rankproof[parquet]"'
        raise MissingPackageError(Fault("Parquet needs the package pyarrow", path, hint=hint)) from error
    into = io.BytesIO()
    try:
        pq.write_table(pa.Table.from_pylist(list(records)), into)
    except pa.ArrowException as error:
        message = f"does not fit into columns: {error}"
        raise InputError(Fault(message, path, hint="JSON lines hold any fields")) from error
    return into.getvalue()


_WRITERS: Mapping[str, Callable[[Fields, str], str | bytes]] = {
    "jsonl": _lines,
    "json": _list,
    "csv": _delimited(","),
    "tsv": _delimited("\t"),
    "parquet": _parquet,
}
