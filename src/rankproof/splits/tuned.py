"""Which queries does a file hold that a system was tuned on?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rankproof.errors import Fault, InputError, seen
from rankproof.formats import Source
from rankproof.formats.jsons import as_dicts, parse_json
from rankproof.formats.records import IDS, Record, header_of, id_of, read_records

OWN = ("query_id", "query-id", "qid")
"""What a query's id is called in a row that may have an id of its own: a judgment, a click, a document shown."""


def ids_in(given: Any) -> tuple[str, set[str]]:
    """Return the name of a file that was tuned on, and the query ids in it: judgments, a run, queries, or any table.

    A table has a header, or is JSON lines; TREC lines begin with the query id, and so do three columns parted by tabs;
    a JSON object of objects or lists has it as keys. In Python a mapping has it as keys. InputError for what holds no
    query ids.
    """
    if isinstance(given, Mapping):
        return "a mapping", {str(query) for query in given}
    if not isinstance(given, (str, Path, Source)):
        raise InputError(Fault(f"{seen(given)} holds no query ids", expected="a file, or a mapping by query_id"))
    source = given if isinstance(given, Source) else Source(given)
    first = source.start().lstrip().split(b"\n", 1)[0]
    if first[:1] in (b"{", b"["):
        return source.name, _in_json(source)
    if header_of(source) is None and b"," not in first and first.count(b"\t") != 1 and _is_rows(first):
        lines = [line.split()[0] for line in source.text().split("\n") if line.strip()]
        return source.name, set(lines[lines[0].lower() in OWN :])
    return source.name, {_id_of(record, source.name) for record in read_records(source)}


def _is_rows(first: bytes) -> bool:
    return not first.startswith((b"<", b"PAR1")) and len(first.split()) in (3, 4, 6)


def _in_json(source: Source) -> set[str]:
    text = source.text()
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) > 1 and isinstance(_row(lines[0][1]), dict):
        return {_id_of(Record(number, _object(number, line, source.name)), source.name) for number, line in lines}
    content = as_dicts(parse_json(text, source.name), source.name)
    if isinstance(content, list):
        return {_id_in_list(row, source.name) for row in content}
    if any(isinstance(content.get(name), (str, int)) for name in (*OWN, *IDS["queries"])):
        return {_id_of(Record(None, content), source.name)}
    if {"schema", "command"} <= content.keys() or not all(isinstance(held, (dict, list)) for held in content.values()):
        hint = "of a command's results those of --format jsonl or csv hold a row a judgment"
        raise InputError(Fault("holds no rows by query id", source.name, expected="{query_id: {doc_id: …}}", hint=hint))
    return set(content)


def _row(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _object(number: int, line: str, name: str) -> Mapping[str, Any]:
    found = _row(line)
    if not isinstance(found, dict):
        raise InputError(Fault("is no JSON object", name, number, expected='an object a line {"query_id": …}'))
    return found


def _id_in_list(row: Any, name: str) -> str:
    """Return the query id of an object, of a list that begins with it, or the id itself."""
    fields = row if isinstance(row, dict) else {"_id": row[0] if isinstance(row, list) and row else row}
    return _id_of(Record(None, fields), name)


def _id_of(record: Record, name: str) -> str:
    """Return the query id of a row: its own id only where no field says which query it is of."""
    own = next((known for known in OWN if known in record.fields), None)
    fields = record.fields if own is None else {"query_id": record.fields[own]}
    return id_of(Record(record.line, fields), name, "queries")
