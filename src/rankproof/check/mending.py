"""What of a file can be mended without judgment? Byte order mark, encoding, line ends, white space; no id, no grade."""

from __future__ import annotations

import csv
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from rankproof.check.lines import mended_row
from rankproof.contract import Contract
from rankproof.errors import Fault, Faults, InputError, RankproofError, RankproofWarning
from rankproof.formats.delimited import dialect, first_row
from rankproof.formats.files import Given, Source
from rankproof.formats.roles import role_of
from rankproof.formats.rows import judgment_rows, result_rows
from rankproof.formats.start import start_of
from rankproof.formats.table import Role, format_of
from rankproof.words import counted

_BOM = b"\xef\xbb\xbf"

_SAYS: Mapping[str, tuple[str, str | None]] = {
    "byte-order-mark": ("byte order mark removed", "byte order marks removed"),
    "encoding": ("file turned into UTF-8", "files turned into UTF-8"),
    "line-ends": ("line end turned into \\n", "line ends turned into \\n"),
    "white-space": ("line freed of white space", "lines freed of white space"),
}


class Mended(NamedTuple):
    """A file's bytes, mended and unpacked, and how often what was changed."""

    content: bytes
    changes: Mapping[str, int]

    def notes(self) -> list[str]:
        """Return what was changed, as sentences."""
        told = [counted(self.changes[name], *says) for name, says in _SAYS.items() if self.changes.get(name)]
        return told or ["nothing was to mend"]


def mend(path: str | Path, as_: Role | None = None) -> Mended:
    """Return a file as UTF-8 without byte order mark, with plain line ends and no white space that means nothing.

    The file is read whole. Its rows stay as they are and where they are: both versions are read and compared.
    InputError where they would not, for Parquet and Arrow, which are no text, and for what is neither judgments nor
    results.
    """
    source = Source(path)
    with source.open() as reader:
        content = reader.read()
    if content.startswith(_BOM):
        hint = "remove one by hand: it could belong to the first id"
        raise InputError(Fault("begins with two byte order marks", source.name, 1, hint=hint))
    changes = Counter({"byte-order-mark": int(source.marked)})
    text = Given(content, source.name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RankproofWarning)  # `check` tells the same as findings
        start = start_of(text, comments=True)
        if start.is_parquet or start.is_arrow:
            raise InputError(Fault("is no text: nothing in it is to mend", source.name))
        role = role_of(text, as_)
        form = format_of(text, role).name
        found = _mended(text, form, changes)
        changes["encoding"] = int("CP949" in (source.encoding, text.encoding) or source.encoding == "UTF-16")
        _check_same(text, Given(found, source.name), role)
    return Mended(found, {name: count for name, count in changes.items() if count})


def _mended(text: Source, form: str, changes: Counter[str]) -> bytes:
    if form == "json":  # white space between its parts is its own affair
        return text.text().encode()
    lines = [line for _, line in text.lines()]
    ends = _ends_of_rows([line.decode(errors="replace") for line in lines]) if form == "csv" else None
    return b"".join(_line(line, form, changes) if ends is None or at in ends else line for at, line in enumerate(lines))


def _line(line: bytes, form: str, changes: Counter[str]) -> bytes:
    row = mended_row(line, form)
    changes["line-ends"] += line.endswith(b"\r\n") or not line.endswith(b"\n")
    changes["white-space"] += form != "csv" and row != line.rstrip(b"\r\n")
    return row + b"\n"


def _ends_of_rows(lines: list[str]) -> set[int]:
    """Return the lines, from 0 on, that end a row of a table: the end of another stands within quotes."""
    header = next((line for line in lines if line.strip()), "")
    ends, taken = set[int](), 0

    def one_by_one() -> Iterator[str]:
        nonlocal taken
        for line in lines:
            taken += 1
            yield line

    try:
        for _ in csv.reader(one_by_one(), **dialect(first_row(header)[1])):
            ends.add(taken - 1)
    except csv.Error:  # what follows cannot be read, and stays as it is
        pass
    return ends


def _check_same(before: Source, after: Source, role: Role) -> None:
    """Refuse what would read otherwise than before."""
    for old, new in zip_longest(_spelled_rows(before, role), _spelled_rows(after, role)):
        if old != new:
            message = (
                f"cannot be mended without changing what it holds: {old or 'nothing'} would become {new or 'nothing'}"
            )
            raise InputError(Fault(message, before.name, hint="rankproof check FILE says where it is wrong"))


def _spelled_rows(source: Source, role: Role) -> Iterator[str]:
    rows = judgment_rows if role == "qrels" else result_rows
    try:
        for row in rows(source, Contract(), Faults()):
            yield repr(row)
    except RankproofError as error:
        yield str(error)
