"""Which rows does a table hold that is parted by commas, semicolons or tabs?

Between tabs nothing is quoted, as in the files of most collections; elsewhere quotes hold marks and line ends.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from rankproof.errors import Fault, Faults
from rankproof.formats.files import NO_TEXT, Source
from rankproof.words import counted


class Header(NamedTuple):
    """A table's first row: the line, its cells, and what parts them."""

    line: int
    names: list[str]
    delimiter: str


def decoded(source: Source, faults: Faults, longest: int) -> Iterator[tuple[int, str]]:
    """Yield (number, line) as text; a fault for a line that is no text."""
    for number, line in source.lines(longest):
        try:
            yield number, line.decode()
        except UnicodeDecodeError as error:
            faults.add(Fault(f"byte 0x{line[error.start]:02x} is not UTF-8", source.name, number, hint=NO_TEXT))


def first_row(line: str) -> tuple[list[str], str]:
    """Return the cells of a table's first line, and what parts them. csv.Error for quotes without an end."""
    delimiter = next((mark for mark in "\t;," if mark in line and (mark != ";" or "," not in line)), ",")
    return [name.strip() for name in next(csv.reader([line.rstrip("\r\n")], **dialect(delimiter)))], delimiter


def dialect(delimiter: str) -> dict[str, Any]:
    """Return how the csv module reads a table that this parts."""
    quoting = csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL
    return {"delimiter": delimiter, "quoting": quoting, "strict": True}


def rows_below(
    name: str, header: Sequence[str], lines: Iterable[tuple[int, str]], delimiter: str, faults: Faults
) -> Iterator[tuple[int, list[str]]]:
    """Yield (line on which it begins, cells) for each row under a header that has as many cells; faults for others."""
    begun: list[int] = []

    def texts() -> Iterator[str]:
        for number, line in lines:
            begun.append(number)
            yield line

    reader = csv.reader(texts(), **dialect(delimiter))
    while True:
        begun.clear()
        try:
            row = next(reader, None)
        except csv.Error as error:
            faults.add(Fault(f"is not CSV: {error}", name, begun[0] if begun else None))
            return
        if row is None:
            return
        if (len(row) < 2 or delimiter == "\t") and not "".join(row).strip():  # a blank line is no row
            continue
        if len(row) == len(header):
            yield begun[0], row
        else:
            expected = f"{counted(len(header), 'column')}: {', '.join(header)}"
            faults.add(Fault(f"has {counted(len(row), 'column')}", name, begun[0], expected=expected))
