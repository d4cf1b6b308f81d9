"""On which line of a TREC file does a query's document stand? Asked only for an error that was found later."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias

from rankproof.errors import Fault, RankproofError
from rankproof.formats.files import STDIN, Source

_Key: TypeAlias = tuple[bytes, bytes]  # query id, document id


def with_lines(error: RankproofError, qrels: str) -> RankproofError:
    """Return the error with file and line for each fault that names a query or a document, but no place.

    `qrels` is what the judgments are called in messages: a path, or a name. Each file is gone through once.
    """
    placed = [replace(fault, file=qrels) if fault.about == "qrels" else fault for fault in error.faults]
    wanted: dict[str, set[_Key]] = {}
    for fault in placed:
        if fault.file and fault.line is None and fault.query_id and fault.doc_id:
            wanted.setdefault(fault.file, set()).add(_key(fault))
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
    if path == STDIN:
        return found
    try:
        for number, line in Source(path).lines():
            tokens = line.split()
            if len(tokens) > 3 and (tokens[0], tokens[2]) in found:
                found[tokens[0], tokens[2]].append(number)
    except RankproofError:  # a name that is no file, or a pipe that has run dry: the fault stands without its line
        pass
    return found
