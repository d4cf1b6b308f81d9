"""How do documents to judge, and disputes, get into files?"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rankproof.errors import Fault, InputError, seen
from rankproof.formats import write_whole
from rankproof.tables import as_csv

ROWS = ("jsonl", "csv", "tsv")
"""How rows for a judge can be written: what a file's name ends in, too."""
IDS = ("query_id", "doc_id")
"""The columns that have to read back as they were."""


def ending(path: str | Path) -> str:
    """Return what a file's name ends in, without the dot, in lower case."""
    return Path(path).suffix.removeprefix(".").lower()


def as_rows(columns: Sequence[str], rows: Sequence[Mapping[str, Any]], kind: str) -> str:
    """Return rows as `jsonl`, `csv` or `tsv`; what is held by name stands as `name=value; …` in a cell.

    Between tabs nothing is quoted: white space in a text becomes a blank there. InputError for an id that holds a tab
    or a line end.
    """
    if kind == "jsonl":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    cells = [[_cell(row[column]) for column in columns] for row in rows]
    if kind == "csv":
        return as_csv(columns, cells, tabs=False)
    return "".join("\t".join(line) + "\n" for line in (columns, *(_between_tabs(columns, row) for row in cells)))


def _cell(given: object) -> object:
    return "; ".join(f"{name}={value}" for name, value in given.items()) if isinstance(given, dict) else given


def _between_tabs(columns: Sequence[str], row: Sequence[object]) -> list[str]:
    found = []
    for column, cell in zip(columns, row, strict=True):
        text = "" if cell is None else str(cell)
        parted = re.sub(r"[\t\r\n]+", " ", text)
        if column in IDS and parted != text:
            message = f"{column} {seen(cell)} cannot stand between tabs"
            raise InputError(Fault(message, column=column, hint="write CSV or JSON lines"))
        found.append(parted)
    return found


def check_rows_file(path: str | Path) -> None:
    """Refuse a file for rows whose name does not say how they are written."""
    if ending(path) not in ROWS:
        known = " or ".join(f".{one}" for one in ROWS)
        raise InputError(
            Fault("does not say how its rows are written", str(path), expected=f"a name that ends in {known}")
        )


def write_rows(columns: Sequence[str], rows: Sequence[Mapping[str, Any]], path: str | Path) -> None:
    """Write rows, whole or not at all, as the file's name says. InputError for another ending."""
    write_whole(path, rows_for(path, columns, rows))


def rows_for(path: str | Path, columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the rows as a file's name says. InputError for another ending, and for what cannot be written so."""
    check_rows_file(path)
    return as_rows(columns, rows, ending(path))
