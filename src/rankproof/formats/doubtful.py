"""Which ids of a table say something else than was meant: what it took from a quote, a blank or a comment?"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace

from rankproof.errors import Fault, Faults, RankproofWarning, seen
from rankproof.formats.cells import Cells
from rankproof.words import counted


class DoubtfulIds:
    """Looks at the ids of a table, row by row: refuses some, counts others and says once that they are doubtful."""

    def __init__(self, name: str, faults: Faults) -> None:
        """Look at the table `name`; what is refused is added to `faults`."""
        self._name, self._faults = name, faults
        self._count = 0
        self._first = ""
        self._long = 0  # rows that go over several lines
        self._first_long: int | None = None

    def passes(self, row: Cells, cells: Sequence[str]) -> bool:
        """Return whether a row's ids are kept; a fault where one holds a line end: a quote swallowed rows."""
        if any("\n" in cell for cell in cells):
            self._long += 1
            self._first_long = self._first_long or row.line
        for column, one in (("query_id", row.query_id), ("doc_id", row.doc_id)):
            if "\n" in one or "\r" in one:
                place = Fault(f"{seen(one)} holds a line end", self._name, row.line, column=column)
                self._faults.add(replace(place, expected="an id", hint="is a quote missing, or one too many?"))
                return False
            if one != one.strip() or one[:1] == '"' or (column == "query_id" and one[:1] == "#"):
                self._count += 1
                self._first = self._first or f"{seen(one)} on line {row.line}"
        return True

    def tell(self) -> None:
        """Say that such ids count as they are written, and which rows could hold others."""
        if self._long and not self._faults:
            text = f"{self._name}: {counted(self._long, 'row')} with line ends within quotes"
            warnings.warn(f"{text} (first: line {self._first_long})", RankproofWarning, stacklevel=2)
        if self._count:
            text = f"{self._name}: {counted(self._count, 'id')} with a blank at an end, or a quote or # before it"
            warnings.warn(f"{text}; taken as written (first: {self._first})", RankproofWarning, stacklevel=2)
