"""What do the first bytes of a file look like?"""

from __future__ import annotations

import csv
import json
import re
from dataclasses import dataclass

from rankproof.arithmetic import number_of
from rankproof.formats.columns import names_rows
from rankproof.formats.delimited import first_row
from rankproof.formats.files import Source

BEGINS_AS_JSON = re.compile(rb"\{\s*[\"}]|\[\s*[\[\]{\"]")
"""How an object or a list of JSON begins, and hardly an id."""


@dataclass(frozen=True, slots=True)
class Start:
    """The first bytes of a file, white space removed, and its first row: neither blank nor a comment."""

    content: bytes
    row: bytes
    whole: bool  # whether all of the first row is here

    @property
    def is_parquet(self) -> bool:
        """Return whether it begins as Parquet does."""
        return self.content.startswith(b"PAR1")

    @property
    def is_arrow(self) -> bool:
        """Return whether it begins as an Arrow file does."""
        return self.content.startswith(b"ARROW1")

    @property
    def _is_binary(self) -> bool:
        return self.is_parquet or self.is_arrow

    @property
    def is_json(self) -> bool:
        """Return whether it begins as a JSON object or list does, and not as objects a line."""
        return BEGINS_AS_JSON.match(self.content) is not None and not self.is_json_lines

    @property
    def is_json_lines(self) -> bool:
        """Return whether the first row is an object with the fields of a judgment or a result."""
        if not (self.whole and self.content.startswith(b"{")):
            return False
        try:
            found = json.loads(self.content.split(b"\n", 1)[0])
        except (ValueError, RecursionError):
            return False
        return (
            isinstance(found, dict)
            and names_rows(list(found))
            and not any(isinstance(value, (dict, list)) for value in found.values())
        )

    @property
    def has_header(self) -> bool:
        """Return whether the first row names the columns of a table, a query's and a document's among them."""
        if self._is_binary:
            return False
        try:
            names, _ = first_row(self.row.decode(errors="replace"))
        except csv.Error:
            return False
        return names_rows(names)

    @property
    def header(self) -> list[str]:
        """Return the names in the first row of a table, or the fields of the first object; none for other files."""
        if self.is_json_lines:
            return list(json.loads(self.content.split(b"\n", 1)[0]))
        return first_row(self.row.decode(errors="replace"))[0] if self.has_header else []

    @property
    def columns(self) -> int:
        """Return how many columns the first row has, parted by white space."""
        return 0 if self._is_binary or self.is_json or self.is_json_lines else len(self.row.split())

    @property
    def delimiters(self) -> int:
        """Return how many commas, semicolons or tabs the first row has, whichever are most."""
        return max(self.row.count(mark) for mark in (b",", b";", b"\t"))

    def is_number(self, column: int) -> bool:
        """Return whether a column of the first row, parted by white space, is a number."""
        return number_of(self.row.split()[column]) is not None


def start_of(source: Source, *, comments: bool) -> Start:
    """Return how a file begins; lines that begin with # are left out if they are comments."""
    content = source.start(_ENOUGH).lstrip()
    lines = content.split(b"\n")
    rows = [
        (row, at < len(lines) - 1 or len(content) < _ENOUGH // 2)
        for at, row in enumerate(lines)
        if row.strip() and not (comments and row.startswith(b"#"))
    ]
    return Start(content, *(rows[0] if rows else (b"", True)))


_ENOUGH = 1 << 15
"""As many first bytes hold the first row of most files."""
