"""Is this a table of queries and documents, and which rows does it hold?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from rankproof.errors import Fault, Faults, InputError, seen
from rankproof.formats import Source
from rankproof.formats.records import Record, read_records

_BY_NAME = (b"{", b"[", b"PAR1")
"""How JSON and Parquet begin, which name the fields of each row."""


def rows_of(source: Source, faults: Faults, nothing: Fault) -> Iterator[Record]:
    """Yield the rows of CSV with a column query_id, of JSON, or of Parquet; what is wrong is added to `faults`.

    InputError for other files and for those without a row: `nothing` says what such a file lacks, and what is expected.
    """
    start = source.start()
    begun = start.lstrip()
    header, _, rest = (b"", b"", begun.strip(b"[]\r\n\t ")) if begun.startswith(_BY_NAME) else begun.partition(b"\n")
    if header:
        first = header.decode(errors="replace").rstrip()
        if "query_id" not in (name.strip(' "').lower() for name in re.split("[\t,;]", first)):
            line = 1 + start[: len(start) - len(begun)].count(b"\n")
            raise InputError(replace(nothing, message=f"begins with {seen(first, 60)}", line=line))
    if not rest.strip():
        raise InputError(nothing)
    yield from read_records(source, faults)
