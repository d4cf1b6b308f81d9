"""Which records does a file of queries or documents hold? One table of formats; the content decides.

A record is a row with named fields. Which of them are the id, the title and the text, `texts` says; which is the
family, the source or the time of a query, those who split queries ask.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from rankproof.errors import Fault, Faults, InputError, seen
from rankproof.formats.cells import is_text
from rankproof.formats.columnar import parquet_rows
from rankproof.formats.delimited import decoded, first_row, rows_below
from rankproof.formats.files import Source
from rankproof.formats.jsons import as_dicts, parse_json
from rankproof.formats.sgml import elements_of
from rankproof.words import counted

Side: TypeAlias = Literal["queries", "documents"]

IDS: Mapping[Side, tuple[str, ...]] = {
    "queries": ("_id", "query_id", "query-id", "qid", "num", "id"),
    "documents": ("_id", "docno", "doc_id", "corpus-id", "docid", "id"),
}
"""What the field of the id may be called, of a query and of a document; where there are several, the first counts."""

_ANY_ID = frozenset(name for names in IDS.values() for name in names)

TITLES = ("title", "headline")
TEXTS = ("text", "contents", "content", "body", "query")
"""What the fields of title and text may be called."""

KNOWN = frozenset({*_ANY_ID, *TITLES, *TEXTS})
"""The fields that a table's header may spell in any case."""

LONGEST = 64 << 20
"""A longer line, or a longer cell of a table, in bytes or characters, is no text of a document."""

_LONGEST_HEADER = 8192
"""As many bytes hold the first line of most tables; of a longer one the columns in them count."""

EXPECTED = (
    'an object a line {"_id": …, "text": …}, CSV with a header, `id<TAB>text`, TREC SGML (<DOC>, <top>), or Parquet'
)


class Record(NamedTuple):
    """One row: the line it begins on (None where the format has no lines; Parquet counts rows), its fields by name."""

    line: int | None
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Layout:
    """A way to write records: what it looks like, and how it is read."""

    name: str
    says: str
    looks_like: Callable[[bytes], bool]  # given the first bytes, white space removed
    read: Callable[[Source, Faults], Iterator[Record]]


def layout_of(start: bytes) -> Layout:
    """Return the layout of a file that begins so."""
    return next(known for known in LAYOUTS if known.looks_like(start.lstrip()))


def read_records(path: str | Path | Source, faults: Faults | None = None) -> Iterator[Record]:
    """Yield the records of a file, whatever its layout.

    What is wrong with it is added to `faults`, for the caller to raise; without `faults` it is raised as InputError
    after the last record. MissingPackageError for Parquet without pyarrow.
    """
    source = path if isinstance(path, Source) else Source(path)
    found = Faults() if faults is None else faults
    start = source.start()
    empty = True
    for record in layout_of(start).read(source, found):
        empty = False
        yield record
    if empty and not found:
        found.add(Fault("holds no records", source.name, expected=EXPECTED))
    if faults is None:
        found.raise_any()


def header_of(source: Source) -> list[str] | None:
    """Return the columns that a table names in its first line, as `read_records` will, before the table is read.

    None for what is no table, and for one without a header: none of its columns is an id.
    """
    start = source.start(_LONGEST_HEADER)
    if not start.strip() or layout_of(start) is not TABLE:
        return None
    first = next(line for line in start.split(b"\n") if line.strip())
    try:
        header, _ = first_row(first.decode(errors="replace"))
    except csv.Error:
        return None
    return _as_known(header) if _names_an_id(header) else None


def id_of(record: Record, name: str, of: Side) -> str:
    """Return the id of a query or a document, a number as text; InputError, naming the file `name`, without one."""
    column = next((known for known in IDS[of] if known in record.fields), "_id")
    one = record.fields.get(column)
    if isinstance(one, bool) or not isinstance(one, (str, int)) or one == "" or not is_text(str(one)):
        expected = f"one of {', '.join(IDS[of])}, a text"
        raise InputError(Fault(f"id {seen(one)}", name, record.line, column=column, expected=expected))
    return str(one)


def _json_lines(source: Source, faults: Faults) -> Iterator[Record]:
    expected = 'an object a line: {"_id": …, "title": …, "text": …}'
    for number, line in decoded(source, faults, LONGEST):
        if not line.strip():
            continue
        try:
            content = json.loads(line, object_pairs_hook=_unique)
        except (ValueError, RecursionError) as error:
            faults.add(Fault(f"is not JSON: {getattr(error, 'msg', error)}", source.name, number, expected=expected))
            continue
        if isinstance(content, dict):
            yield Record(number, content)
        else:
            faults.add(Fault(f"is {seen(content, 60)}", source.name, number, expected=expected))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key comes twice in one object")
    return found


def _json_list(source: Source, faults: Faults) -> Iterator[Record]:
    content = as_dicts(parse_json(source.text(), source.name), source.name)
    for at, one in enumerate(content if isinstance(content, list) else [content], 1):
        if isinstance(one, dict):
            yield Record(None, one)
        else:
            faults.add(Fault(f"record no. {at} is {seen(one, 60)}", source.name, expected="an object"))


def _table(source: Source, faults: Faults) -> Iterator[Record]:
    """Yield the rows of CSV (or parted by semicolons or tabs) with a header, or of `id<TAB>text` without one."""
    csv.field_size_limit(LONGEST)
    lines = decoded(source, faults, LONGEST)
    first = next(((number, line) for number, line in lines if line.strip()), None)
    if first is None:
        return
    try:
        header, delimiter = first_row(first[1])
    except csv.Error as error:
        faults.add(Fault(f"is not CSV: {error}", source.name, first[0], expected="a header and rows, a row a line"))
        return
    if _names_an_id(header):
        yield from _with_header(source.name, header, lines, delimiter, faults)
    elif delimiter == "\t" or len(header) == 1:
        yield from _id_and_text(source.name, chain([first], lines), faults)
    else:
        message = f"has no column for the id among {', '.join(header)}"
        faults.add(Fault(message, source.name, first[0], expected=f"one of {', '.join(sorted(_ANY_ID))}"))


def _names_an_id(header: Sequence[str]) -> bool:
    return any(name.lower() in _ANY_ID for name in header)


def _as_known(header: Sequence[str]) -> list[str]:
    return [one.lower() if one.lower() in KNOWN else one for one in header]


def _with_header(
    name: str, header: list[str], lines: Iterable[tuple[int, str]], delimiter: str, faults: Faults
) -> Iterator[Record]:
    names = _as_known(header)
    if repeated := sorted({one for one in names if names.count(one) > 1}):
        faults.add(Fault(f"the column {repeated[0]} comes twice", name, 1, expected="each once"))
        return
    for line, row in rows_below(name, header, lines, delimiter, faults):
        yield Record(line, dict(zip(names, row, strict=True)))


def _id_and_text(name: str, lines: Iterable[tuple[int, str]], faults: Faults) -> Iterator[Record]:
    expected = "2 columns: id<TAB>text"
    for number, line in lines:
        row = line.rstrip("\r\n")
        if not row.strip():
            continue
        columns = row.split("\t")
        if len(columns) != 2:
            hint = "CSV needs a header with _id and text" if "," in row and len(columns) == 1 else None
            message = f"has {counted(len(columns), 'column')}: {seen(row, 60)}"
            faults.add(Fault(message, name, number, expected=expected, hint=hint))
        elif not columns[0].strip():
            faults.add(Fault(f"has no id: {seen(row, 60)}", name, number, expected=expected))
        else:
            yield Record(number, {"_id": columns[0].strip(), "text": columns[1]})


def _sgml(source: Source, faults: Faults) -> Iterator[Record]:
    yield from (Record(*element) for element in elements_of(source.text(), source.name, faults))


def _parquet(source: Source, faults: Faults) -> Iterator[Record]:
    number = 0
    try:
        for rows in parquet_rows(source):
            for row in rows:
                number += 1
                yield Record(number, row)
    except InputError as error:
        for fault in error.faults:
            faults.add(fault)


TABLE = Layout(
    "csv",
    "a header and rows, parted by commas, semicolons (both may quote) or tabs; or id<TAB>text",
    lambda _: True,
    _table,
)

LAYOUTS: tuple[Layout, ...] = (
    Layout("parquet", "columns by name", lambda start: start.startswith(b"PAR1"), _parquet),
    Layout(
        "trec-sgml",
        "<DOC> with <DOCNO> and fields, or <top> with <num>, <title>, <desc>",
        lambda start: start.startswith(b"<"),
        _sgml,
    ),
    Layout("jsonl", 'an object a line, as in BEIR: {"_id": …}', lambda start: start.startswith(b"{"), _json_lines),
    Layout("json", "a list of objects", lambda start: re.match(rb"\[\s*[{\]]", start) is not None, _json_list),
    TABLE,
)
"""The layouts, asked in this order."""
