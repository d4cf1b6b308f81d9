"""How do documents to judge, disputes and merged grades get into files?"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rankproof.answers import spell
from rankproof.errors import Fault, Faults, InputError
from rankproof.formats import write_whole
from rankproof.model import Qrels
from rankproof.tables import as_csv, as_json

ROWS = ("jsonl", "csv", "tsv")
"""How rows for a judge can be written: what a file's name ends in, too."""


def ending(path: str | Path) -> str:
    """Return what a file's name ends in, without the dot, in lower case."""
    return Path(path).suffix.removeprefix(".").lower()


def as_rows(columns: Sequence[str], rows: Sequence[Mapping[str, Any]], kind: str) -> str:
    """Return rows as `jsonl`, `csv` or `tsv`; what is held by name stands as `name=value; …` in a cell."""
    if kind == "jsonl":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return as_csv(columns, [[_cell(row[column]) for column in columns] for row in rows], tabs=kind == "tsv")


def _cell(given: object) -> object:
    return "; ".join(f"{name}={value}" for name, value in given.items()) if isinstance(given, dict) else given


def check_rows_file(path: str | Path) -> None:
    """Refuse a file for rows whose name does not say how they are written."""
    if ending(path) not in ROWS:
        known = " or ".join(f".{one}" for one in ROWS)
        raise InputError(
            Fault("does not say how its rows are written", str(path), expected=f"a name that ends in {known}")
        )


def write_rows(columns: Sequence[str], rows: Sequence[Mapping[str, Any]], path: str | Path) -> None:
    """Write rows, whole or not at all, as the file's name says. InputError for another ending."""
    check_rows_file(path)
    write_whole(path, as_rows(columns, rows, ending(path)))


def write_qrels(qrels: Qrels, path: str | Path) -> None:
    """Write qrels, whole or not at all: as JSON where the file's name ends in .json, else in TREC's four columns.

    InputError where there is no grade, or an id that TREC's columns cannot hold.
    """
    if not any(qrels.values()):
        raise InputError(Fault("there is no grade to write", str(path)))
    write_whole(path, as_json(qrels) if ending(path) == "json" else _trec_lines(qrels, str(path)))


def _trec_lines(qrels: Qrels, path: str) -> str:
    lines, faults = [], Faults()
    for query, grades in qrels.items():
        for doc, grade in grades.items():
            if why := _unwritable(query, doc):
                message, hint = f"cannot stand in a TREC file: {why}", "a name that ends in .json is written as JSON"
                faults.add(Fault(message, path, query_id=query, doc_id=doc, hint=hint))
            lines.append(f"{query} 0 {doc} {spell(grade)}\n")
    faults.raise_any()
    return "".join(lines)


def _unwritable(query: str, doc: str) -> str | None:
    """Return why a row with these ids would not read back."""
    if any(one.encode().split() != [one.encode()] or "\0" in one for one in (query, doc)):
        return "an id is empty, or holds white space or a zero byte"
    if query.startswith(("#", "\ufeff", '{"', '["', "[[", "[{", "{}", "[]")):
        return "a query id that begins so is read as a comment, a byte order mark or JSON"
    return None
