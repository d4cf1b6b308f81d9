"""On which line of a TREC file does a query's document stand? Asked only for an error that was found later."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rankproof.errors import Fault, RankproofError
from rankproof.formats.files import STDIN, Source


def with_lines(error: RankproofError, qrels_path: str) -> RankproofError:
    """Return the error with the file and line of each fault that names a query or a document but no place."""
    return type(error)(*(_with_line(fault, qrels_path) for fault in error.faults), more=error.more)


def _with_line(fault: Fault, qrels_path: str) -> Fault:
    if fault.line is not None or fault.query_id is None:
        return fault
    placed = replace(fault, file=fault.file or qrels_path)
    if fault.doc_id is None or placed.file in (STDIN, Source(STDIN).name):
        return placed
    lines = list(_lines_of(str(placed.file), fault.query_id, fault.doc_id))
    if len(lines) > 1:
        return replace(placed, line=lines[1], message=f"{fault.message} (first on line {lines[0]})")
    return replace(placed, line=lines[0]) if lines else placed


def _lines_of(path: str, query_id: str, doc_id: str) -> Iterator[int]:
    query, doc = query_id.encode(), doc_id.encode()
    for number, line in Source(path).lines():
        tokens = line.split()
        if len(tokens) > 3 and tokens[0] == query and tokens[2] == doc:
            yield number
