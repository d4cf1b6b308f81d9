"""Which queries does a file hold that a system was tuned on?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rankproof.errors import Fault, InputError, seen
from rankproof.formats import Source
from rankproof.formats.jsons import as_dicts, parse_json
from rankproof.formats.records import IDS, Record, id_of, read_records

_HEADS = frozenset(("query-id", "query_id"))
"""What the column of query ids is called in a table of judgments with a header."""


def ids_in(given: Any) -> tuple[str, set[str]]:
    """Return the name of a file that was tuned on, and the query ids in it: judgments, a run, or queries.

    TREC lines begin with the query id, and so do three columns parted by tabs, with a header or without; a JSON object
    of objects or lists has it as keys; any other file holds records. In Python a mapping has it as keys.
    """
    if isinstance(given, Mapping):
        return "a mapping", {str(query) for query in given}
    if not isinstance(given, (str, Path, Source)):
        raise InputError(Fault(f"{seen(given)} holds no query ids", expected="a file, or a mapping by query_id"))
    source = given if isinstance(given, Source) else Source(given)
    first = source.start().lstrip().split(b"\n", 1)[0]
    if first[:1] in (b"{", b"["):
        return source.name, _ids_in_json(source)
    columns = first.split()
    if first.startswith((b"<", b"PAR1")) or b"," in first or first.count(b"\t") == 1 or len(columns) not in (3, 4, 6):
        return source.name, {id_of(record, source.name) for record in read_records(source)}
    lines = source.text().split("\n")
    found = {line.split()[0] for line in lines if line.strip()}
    return source.name, found - _HEADS


def _ids_in_json(source: Source) -> set[str]:
    text = source.text()
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) > 1 and isinstance(_row(lines[0][1]), dict):
        return {id_of(Record(number, _object(number, line, source.name)), source.name) for number, line in lines}
    content = as_dicts(parse_json(text, source.name), source.name)
    if isinstance(content, dict) and not any(isinstance(content.get(name), (str, int)) for name in IDS):
        return set(content)
    return {_id_of_row(row, source.name) for row in (content if isinstance(content, list) else [content])}


def _row(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _object(number: int, line: str, name: str) -> Mapping[str, Any]:
    found = _row(line)
    if not isinstance(found, dict):
        raise InputError(Fault("is no JSON object", name, number, expected='an object a line {"_id": …}'))
    return found


def _id_of_row(row: Any, name: str) -> str:
    """Return the query id of an object, of a list that begins with it, or the id itself."""
    if isinstance(row, dict):
        return id_of(Record(None, row), name)
    return id_of(Record(None, {"_id": row[0] if isinstance(row, list) and row else row}), name)
