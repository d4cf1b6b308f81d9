"""How do the lines of a file end, and what stands in them beside its rows?"""

from __future__ import annotations

import re

from rankproof.arithmetic import number_of
from rankproof.check.finding import Place, Tallies
from rankproof.formats.table import Role

BY_BLANKS = ("trec", "three-columns")
"""The formats whose columns are parted by white space, of any amount."""

_TOO_MUCH = re.compile(rb"[ \t\x0b\x0c]{2,}")


def mended_row(line: bytes, form: str) -> bytes:
    """Return a row without its line end, and without white space that means nothing in its format.

    A comment keeps what it says, and a row that would begin with # then, as comments do, what stands before.
    """
    if form in BY_BLANKS:
        stripped = _TOO_MUCH.sub(b" ", line.strip())
        return line.rstrip() if stripped.startswith(b"#") else stripped
    return line.strip(b" \t\r\n") if form == "jsonl" else line.removesuffix(b"\n").removesuffix(b"\r")


class Lines:
    """Hears the lines of a file one by one; `end` tells what there was."""

    def __init__(self, form: str, role: Role, found: Tallies) -> None:
        """Hear a file of this format."""
        self._form = form
        self._number_at = 3 if role == "qrels" else 4
        self._columns = 6 if (form, role) == ("trec", "run") else None
        self._found = found
        self.plain = self.returns = self.endless = 0
        self._first: Place | None = None

    def hear(self, number: int, line: bytes) -> None:
        """Take one line in, as it lies in the file."""
        if line.endswith(b"\r\n"):
            self.returns += 1
            self._first = self._first or Place(number)
        elif line.endswith(b"\n"):
            self.plain += 1
        else:
            self.endless += 1
            self._first = self._first or Place(number)
        if self._form in BY_BLANKS:
            self._look_at_columns(number, line)
        elif self._form == "jsonl":
            self._look_at_blanks(number, line)

    def _look_at_columns(self, number: int, line: bytes) -> None:
        columns = line.split()
        if line[:1] == b"#":
            self._comment(number, columns)
        elif self._columns is not None and len(columns) > self._columns:
            self._found.add("extra-columns", Place(number))
        if len(b" ".join(columns)) != len(line.rstrip(b"\r\n")):  # parted by more than one sign, somewhere
            self._look_at_blanks(number, line)

    def _look_at_blanks(self, number: int, line: bytes) -> None:
        if mended_row(line, self._form) != line.rstrip(b"\r\n"):
            self._found.add("white-space", Place(number))

    def _comment(self, number: int, columns: list[bytes]) -> None:
        is_data = len(columns) > self._number_at and number_of(columns[self._number_at]) is not None
        self._found.add("comments-like-data" if is_data else "comments", Place(number))

    @property
    def ends(self) -> str | None:
        """Return how lines end, escaped, or `mixed`; None where there are none."""
        if self.plain and self.returns:
            return "mixed"
        return "\\r\\n" if self.returns else "\\n" if self.plain or self.endless else None

    def end(self) -> None:
        """Say how the lines ended, where that was not all alike."""
        parts = [(self.returns, "\\r\\n"), (self.endless, "nothing (the last)")]
        if why := ", ".join(f"{count} in {end}" for count, end in parts if count):
            self._found.add("line-ends", self._first, why, self.returns + self.endless)
