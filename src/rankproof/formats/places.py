"""On which line of its file does a query's document stand? Asked only for an error that was found later."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from rankproof.contract import Contract
from rankproof.errors import Fault, Faults, RankproofError
from rankproof.formats.files import Source
from rankproof.formats.rows import judgment_rows, result_rows

_Key: TypeAlias = tuple[str, str]  # query id, document id


def with_lines(error: RankproofError, qrels_file: str | None) -> RankproofError:
    """Return the error with file and line for each fault that names a query and a document, but no line.

    `qrels_file` is where the judgments came from, if from a file. Each file is gone through once.
    """
    of_qrels = qrels_file or "qrels"
    placed = [replace(fault, file=of_qrels) if fault.about == "qrels" else fault for fault in error.faults]
    wanted: dict[tuple[str, str], set[_Key]] = {}
    for fault in placed:
        from_file = {"qrels": qrels_file, "run": fault.file}.get(fault.about or "")
        if from_file and fault.about and fault.line is None and fault.query_id and fault.doc_id:
            wanted.setdefault((from_file, fault.about), set()).add(_key(fault))
    lines = {file: _lines_of(file, keys, about) for (file, about), keys in wanted.items()}
    faults = (_with_line(fault, lines.get(fault.file or "", {})) for fault in placed)
    return type(error)(*faults, more=error.more)


def _key(fault: Fault) -> _Key:
    return fault.query_id or "", fault.doc_id or ""


def _with_line(fault: Fault, lines: dict[_Key, list[int]]) -> Fault:
    found = lines.get(_key(fault), [])
    if len(found) > 1:
        return replace(fault, line=found[1], message=f"{fault.message} (first on line {found[0]})")
    return replace(fault, line=found[0]) if found else fault


def _lines_of(path: str, keys: Iterable[_Key], about: str) -> dict[_Key, list[int]]:
    """Return the lines of each query and document; none for what has no lines, or cannot be read again."""
    found: dict[_Key, list[int]] = {key: [] for key in keys}
    if not Path(path).is_file():  # standard input, or a pipe: it has run dry
        return found
    source, rows = Source(path), judgment_rows if about == "qrels" else result_rows
    with closing(source), warnings.catch_warnings(), suppress(RankproofError):  # it changed meanwhile: without its line
        warnings.simplefilter("ignore")  # they were said when it was read
        for line, query, doc, *_ in rows(source, Contract(), Faults()):
            if line is not None and (query, doc) in found:
                found[query, doc].append(line)
    return found
