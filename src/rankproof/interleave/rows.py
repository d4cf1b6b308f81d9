"""Is this a table of queries and documents, and which rows does it hold?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rankproof.errors import Fault, Faults, InputError, seen
from rankproof.formats import Source
from rankproof.formats.records import Record, header_of, read_records

_BY_NAME = (b"{", b"[", b"PAR1")
"""How JSON and Parquet begin, which name the fields of each row."""


def rows_of(source: Source, faults: Faults, nothing: Fault) -> Iterator[Record]:
    """Yield the rows of CSV with a column query_id, of JSON, or of Parquet; what is wrong is added to `faults`.

    InputError for other files and for those without a row: `nothing` says what such a file lacks, and what is expected.
    """
    start = source.start()
    begun = start.lstrip()
    rest = begun.strip(b"[]\r\n\t ")
    if rest and not begun.startswith(_BY_NAME):
        first, _, rest = begun.partition(b"\n")
        if "query_id" not in (header_of(source) or ()):
            line = 1 + start[: len(start) - len(begun)].count(b"\n")
            shown = seen(first.decode(errors="replace").rstrip(), 60)
            raise InputError(replace(nothing, message=f"begins with {shown}", line=line))
    if not rest.strip():
        raise InputError(nothing)
    yield from read_records(source, faults)
