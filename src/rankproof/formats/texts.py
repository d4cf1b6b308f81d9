"""What do queries and documents say? Files of texts by id: JSON a line (BEIR), or `id<TAB>text`."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rankproof.errors import Fault, Faults, InputError, seen
from rankproof.formats.files import Source

_JSON = 'an object a line: {"_id": …, "title": …, "text": …}'
_TSV = "2 columns: id<TAB>text"
_IDS = ("_id", "id")
_TEXTS = ("text", "contents")


class Text(NamedTuple):
    """What a query or a document says; the title is empty where there is none."""

    title: str
    text: str

    def __str__(self) -> str:
        """Return title and text on one line."""
        return " ".join(f"{self.title} {self.text}".split())


def read_texts(path: str | Path | Source, wanted: Collection[str] | None = None) -> dict[str, Text]:
    """Return the texts of a file by id; with `wanted` only these ids are kept, so that a large corpus is not held.

    A file that begins with { holds an object a line: `_id` or `id`, `title` if there is one, `text` or `contents`;
    any other holds `id<TAB>text`. InputError lists the file's faults, each with its line; an id that comes twice is one
    (of those that are kept).
    """
    source = path if isinstance(path, Source) else Source(path)
    in_json = source.start().lstrip()[:1] == b"{"
    read, expected = (_of_object, _JSON) if in_json else (_of_columns, _TSV)
    kept = None if wanted is None else frozenset(wanted)
    faults, found, lines = Faults(), dict[str, Text](), dict[str, int]()
    empty = True
    for number, (one, text) in _rows(source, read, faults, expected):
        empty = False
        if one in found:
            message = f"id {seen(one)} comes twice (first on line {lines[one]})"
            faults.add(Fault(message, source.name, number, expected="each id once"))
        elif kept is None or one in kept:
            found[one], lines[one] = text, number
    if empty and not faults:
        faults.add(Fault("holds no texts", source.name, expected=f"{_JSON}, or {_TSV}"))
    faults.raise_any()
    return found


_Row = tuple[str, Text]


def _rows(
    source: Source, read: Callable[[str], _Row | Fault], faults: Faults, expected: str
) -> Iterator[tuple[int, _Row]]:
    for number, line in source.lines():
        try:
            row = line.decode().rstrip("\r\n")
        except UnicodeDecodeError as error:
            faults.add(Fault(f"byte 0x{line[error.start]:02x} is not UTF-8", source.name, number))
            continue
        found = read(row) if row.strip() else None
        if isinstance(found, Fault):
            faults.add(Fault(found.message, source.name, number, column=found.column, expected=expected))
        elif found is not None:
            yield number, found


def _of_columns(row: str) -> _Row | Fault:
    columns = row.split("\t")
    if len(columns) != 2:
        count = "1 column" if len(columns) == 1 else f"{len(columns)} columns"
        return Fault(f"has {count}: {seen(row, 60)}")
    if not columns[0].strip():
        return Fault(f"has no id: {seen(row, 60)}")
    return columns[0].strip(), Text("", columns[1])


def _of_object(row: str) -> _Row | Fault:
    try:
        content = json.loads(row)
    except (ValueError, RecursionError) as error:
        return Fault(f"is not JSON: {getattr(error, 'msg', error)}")
    if not isinstance(content, dict):
        return Fault(f"is {seen(content, 60)}")
    one, text, title = _first(content, _IDS), _first(content, _TEXTS), content.get("title")
    if isinstance(one, bool) or not isinstance(one, (str, int)):
        return Fault(f"id {seen(one)}", column="_id")
    if not isinstance(text, str):
        return Fault(f"text {seen(text)}", column="text")
    if title is not None and not isinstance(title, str):
        return Fault(f"title {seen(title)}", column="title")
    return str(one), Text(title or "", text)


def _first(content: Mapping[str, Any], names: Collection[str]) -> Any:
    return next((content[name] for name in names if name in content), None)


def as_texts(given: Any, wanted: Collection[str]) -> Mapping[str, Text]:
    """Return the wanted texts of a path, or of a mapping id to `Text` or str. InputError for anything else."""
    if isinstance(given, (str, Path, Source)):
        return read_texts(given, wanted)
    if not isinstance(given, Mapping):
        raise InputError(Fault(f"{seen(given)} holds no texts", expected="a file, or a mapping of id to text"))
    return {
        one: text if isinstance(text := given[one], Text) else Text("", str(text)) for one in wanted if one in given
    }
