"""On which line of a TREC file does a query's document stand? Asked only for an error that was found later."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from rankproof.errors import Fault, RankproofError
from rankproof.formats.files import Source

_Key: TypeAlias = tuple[bytes, bytes]  # query id, document id


def with_lines(error: RankproofError, qrels_file: str | None) -> RankproofError:
    """Return the error with file and line for each fault that names a query and a document, but no line.

    `qrels_file` is where the judgments came from, if from a file. Each file is gone through once.
    """
    of_qrels = qrels_file or "qrels"
    placed = [replace(fault, file=of_qrels) if fault.about == "qrels" else fault for fault in error.faults]
    wanted: dict[str, set[_Key]] = {}
    for fault in placed:
        from_file = {"qrels": qrels_file, "run": fault.file}.get(fault.about or "")
        if from_file and fault.line is None and fault.query_id and fault.doc_id:
            wanted.setdefault(from_file, set()).add(_key(fault))
    lines = {file: _lines_of(file, keys) for file, keys in wanted.items()}
    faults = (_with_line(fault, lines.get(fault.file or "", {})) for fault in placed)
    return type(error)(*faults, more=error.more)


def _key(fault: Fault) -> _Key:
    return (fault.query_id or "").encode(), (fault.doc_id or "").encode()


def _with_line(fault: Fault, lines: dict[_Key, list[int]]) -> Fault:
    found = lines.get(_key(fault), [])
    if len(found) > 1:
        return replace(fault, line=found[1], message=f"{fault.message} (first on line {found[0]})")
    return replace(fault, line=found[0]) if found else fault


def _lines_of(path: str, keys: Iterable[_Key]) -> dict[_Key, list[int]]:
    """Return the lines of each query and document; none for what cannot be read again."""
    found: dict[_Key, list[int]] = {key: [] for key in keys}
    if not Path(path).is_file():  # standard input, or a pipe: it has run dry
        return found
    try:
        for number, line in Source(path).lines():
            tokens = line.split()
            if len(tokens) > 3 and (tokens[0], tokens[2]) in found:
                found[tokens[0], tokens[2]].append(number)
    except RankproofError:  # it changed meanwhile: the fault stands without its line
        pass
    return found
