"""Where in the text that was given does a fault lie? Line and column, asked only once something is wrong."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from rankproof.errors import Fault, RankproofError

Given: TypeAlias = tuple[bytes, str]
"""A file's bytes and its name."""


class Placed(NamedTuple):
    """A part of a JSON document, and the offset at which it begins; parts inside are placed too."""

    value: Any  # a list of pairs for an object, a list of Placed for a list, else the value
    at: int


@contextmanager
def placing(*files: Given | None) -> Iterator[None]:
    """Name line and column in the faults of what is raised, as far as these files hold them."""
    try:
        yield
    except RankproofError as error:
        of_name = {name: content for content, name in filter(None, files)}
        faults = [_with_place(fault, of_name.get(fault.file or "")) for fault in error.faults]
        raise type(error)(*faults, more=error.more) from error


def _with_place(fault: Fault, content: bytes | None) -> Fault:
    if content is None or fault.line is not None:
        return fault
    plain = gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
    text = plain.decode("utf-8-sig", errors="replace")
    if text.lstrip()[:1] in ("[", "{"):
        return _in_json(fault, text)
    rows = _csv_lines if text.lstrip().lower().startswith(("query_id", '"query_id"')) else _trec_lines
    found = [line for line, query, doc in rows(text) if query == fault.query_id and fault.doc_id in (None, doc)]
    if not found:
        return fault
    return replace(fault, line=found[1] if fault.doc_id is not None and len(found) > 1 else found[0])


def _trec_lines(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line, query and document of each row."""
    for number, line in enumerate(text.split("\n"), 1):
        tokens = line.split()
        if len(tokens) > 3:
            yield number, tokens[0], tokens[2]


def _csv_lines(text: str) -> Iterator[tuple[int, str, str]]:
    reader = csv.reader(io.StringIO(text, newline=""))
    header = [cell.strip().lower() for cell in next(reader, [])]
    if not {"query_id", "document_id"} <= set(header):
        return
    query, doc = header.index("query_id"), header.index("document_id")
    for cells in reader:
        if len(cells) == len(header):
            yield reader.line_num, cells[query].strip(), cells[doc].strip()


def _in_json(fault: Fault, text: str) -> Fault:
    try:
        root = _part(text, _skipped(text, 0))[0]
    except (ValueError, IndexError, RecursionError):  # not JSON: the fault has its place, or none
        return fault
    way = _way(root, fault)
    if not way:  # it is about the whole file
        return fault
    at = _offset(root, way)
    line = text.count("\n", 0, at) + 1
    return replace(fault, line=line, column=str(at - text.rfind("\n", 0, at)))


def _way(root: Placed, fault: Fault) -> Sequence[str | int]:
    """Return the way to what a fault is about: the way it names, or else to its query and document."""
    if fault.way is not None or fault.query_id is None:
        return fault.way or ()
    if not root.value or isinstance(root.value[0], Placed):  # a lab's list of queries
        for at, entry in enumerate(root.value):
            if _get(entry, "queryId") == fault.query_id:
                return (at, *_way_to_entry(entry, fault.doc_id))
        return ()
    return (fault.query_id, *(() if fault.doc_id is None else (fault.doc_id,)))


def _way_to_entry(entry: Placed, doc: str | None) -> Sequence[str | int]:
    for key in ("relevant", "before", "after") if doc is not None else ():
        part = next((value for name, value in entry.value if name == key), None)
        for at, one in enumerate(part.value if part is not None else ()):
            if _get(one, "id") == doc:
                return key, at
    return ()


def _get(part: Placed, key: str) -> object:
    pairs = part.value if isinstance(part.value, list) else []
    return next((one[1].value for one in pairs if not isinstance(one, Placed) and one[0] == key), None)


def _offset(root: Placed, way: Sequence[str | int]) -> int:
    """Return where the way ends, or the last part of it that there is."""
    part = root
    for step in way:
        inside = part.value if isinstance(part.value, list) else []
        if isinstance(step, int):
            found = inside[step] if step < len(inside) and isinstance(inside[step], Placed) else None
        else:
            pairs = [one if not isinstance(one, Placed) else (one.value, one) for one in inside]
            found = next((value for name, value in pairs if name == step), None)
        if found is None:
            break
        part = found
    return part.at


_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")


def _skipped(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()


def _part(text: str, at: int) -> tuple[Placed, int]:
    """Return the JSON value that begins here, placed, and where it ends. ValueError or IndexError for other text."""
    if text[at] not in "[{":
        value, end = _DECODER.raw_decode(text, at)
        return Placed(value, at), end
    is_object, found, here = text[at] == "{", [], _skipped(text, at + 1)
    while text[here] not in "]}":
        key = None
        if is_object:
            key, here = _DECODER.raw_decode(text, here)
            here = _skipped(text, _skipped(text, here) + 1)  # behind the colon
        part, here = _part(text, here)
        found.append((key, part) if is_object else part)
        here = _skipped(text, here)
        if text[here] == ",":
            here = _skipped(text, here + 1)
    return Placed(found, at), here + 1
