"""Which rows does a pasted table hold: CSV, Markdown or JSON?"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rankproof.aggregates.written import measure_in
from rankproof.errors import Fault, Faults, InputError, seen
from rankproof.formats.files import Source
from rankproof.formats.jsons import as_dicts, parse_json
from rankproof.words import counted

LARGEST = 4 << 20
"""More bytes are no table of results."""

EXPECTED = (
    "a table of results: CSV with a header, a Markdown table, or JSON objects; "
    "a column a measure (system,R@5,MRR@10), or the columns system,measure,value"
)

_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*")
_BAR = re.compile(r"(?<!\\)\|")


class Line(NamedTuple):
    """A row of cells, and the line it stands on; None in JSON, which has no lines."""

    number: int | None
    cells: Sequence[str]


@dataclass(frozen=True, slots=True)
class Grid:
    """A header and rows as long as it; `around`: how many lines of text stand around a Markdown table."""

    header: Sequence[str]
    rows: Sequence[Line]
    around: int = 0


def read_grid(source: Source) -> Grid:
    """Return the rows of a table, whichever way it is written. InputError where it is none."""
    lines = _lines(source)
    first = next((text.lstrip() for _, text in lines if text.strip()), "")
    if not first:
        raise InputError(Fault("is empty", source.name, expected=EXPECTED))
    if first[0] in "{[":
        return _json("\n".join(text for _, text in lines), source)
    rules = [at for at, (_, text) in enumerate(lines) if at and _is_rule(text) and _is_head(lines[at - 1][1])]
    return _markdown(lines, rules, source.name) if rules else _csv(lines, source.name)


def _lines(source: Source) -> list[tuple[int, str]]:
    found, size = [], 0
    for number, line in source.lines(LARGEST):
        size += len(line)
        if size > LARGEST:
            raise InputError(Fault(f"is larger than {LARGEST >> 20} MiB", source.name, expected=EXPECTED))
        try:
            found.append((number, line.decode().rstrip("\r\n")))
        except UnicodeDecodeError as error:
            raise InputError(Fault(f"byte 0x{line[error.start]:02x} is not UTF-8", source.name, number)) from error
    return found


def _grid(name: str, header: Sequence[str], rows: Iterable[Line], at: int | None, around: int = 0) -> Grid:
    """Return the rows under a header; InputError for columns of one name, and for rows of another length."""
    if repeated := next((one for one in header if header.count(one) > 1), None):
        raise InputError(Fault(f"the column {seen(repeated)} comes twice", name, at, expected="each once"))
    kept, faults = list(rows), Faults()
    expected = f"{counted(len(header), 'column')}: {', '.join(header)}"
    for row in kept:
        if len(row.cells) != len(header):
            faults.add(Fault(f"has {counted(len(row.cells), 'column')}", name, row.number, expected=expected))
    faults.raise_any()
    return Grid(header, kept, around)


def _csv(lines: Sequence[tuple[int, str]], name: str) -> Grid:
    filled = [(number, text) for number, text in lines if text.strip()]
    number, first = filled[0]
    mark = next((one for one in "\t;," if one in first and (one != ";" or "," not in first)), ",")
    begun: list[int] = []

    def texts() -> Iterator[str]:
        for at, text in filled:
            begun.append(at)
            yield text + "\n"

    rows = []
    reader = csv.reader(texts(), delimiter=mark, strict=True)
    try:
        for cells in reader:
            rows.append(Line(begun[0], [cell.strip() for cell in cells]))
            begun.clear()
    except csv.Error as error:
        raise InputError(
            Fault(f"is not CSV: {error}", name, begun[0] if begun else number, expected=EXPECTED)
        ) from error
    return _grid(name, rows[0].cells, rows[1:], number)


def _markdown(lines: Sequence[tuple[int, str]], rules: Sequence[int], name: str) -> Grid:
    """Return the one table that stands in a text: the lines with bars from the one above its rule on."""
    head, *others = [at - 1 for at in rules]
    end = next((at for at in range(head, len(lines)) if "|" not in lines[at][1]), len(lines))
    if later := [at for at in others if at >= end]:
        line = lines[later[0]][0]
        raise InputError(Fault("a second table begins", name, line, expected="one table a file"))
    table = [Line(number, _cells(text)) for number, text in lines[head:end] if not _is_rule(text)]
    around = [text for _, text in (*lines[:head], *lines[end:]) if text.strip()]
    return _grid(name, table[0].cells, table[1:], table[0].number, len(around))


def _is_rule(text: str) -> bool:
    """Return whether a line is the one below the heads of a Markdown table."""
    return "|" in text and _RULE.fullmatch(text) is not None


def _is_head(text: str) -> bool:
    return "|" in text and not _is_rule(text)


def _cells(text: str) -> list[str]:
    bare = text.strip().removeprefix("|")
    bare = bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare
    return [cell.strip().replace("\\|", "|") for cell in _BAR.split(bare)]


def _json(text: str, source: Source) -> Grid:
    """Return the rows of a list of objects, an object of objects, or one object. Numbers stay as they are written."""
    content = as_dicts(parse_json(text, source.name, as_written=True), source.name)
    if isinstance(content, dict) and {"schema", "command"} <= content.keys():
        hint = "write the result again with --format csv"
        raise InputError(Fault("is a result that was saved, not a table", source.name, expected=EXPECTED, hint=hint))
    objects, names = _objects(content)
    if not objects or not all(isinstance(one, dict) for one in objects):
        raise InputError(Fault(f"holds {seen(content, 60)}", source.name, expected=EXPECTED))
    own = list(dict.fromkeys(key for one in objects for key in one))
    rows = [Line(None, [_cell(one.get(key)) for key in own]) for one in objects]
    if names is None:
        return _grid(source.name, own, rows, None)
    first = "measure" if any(map(measure_in, names)) and not any(map(measure_in, own)) else "system"
    named = [Line(None, [name, *row.cells]) for name, row in zip(names, rows, strict=True)]
    return _grid(source.name, [first, *own], named, None)


def _objects(content: Any) -> tuple[list[Any], list[str] | None]:
    """Return the objects, and their names where they have any."""
    if isinstance(content, list):
        return content, None
    if isinstance(content, dict) and content and all(isinstance(one, dict) for one in content.values()):
        return list(content.values()), list(content)
    return [content], None


def _cell(given: object) -> str:
    return "" if given is None else given if isinstance(given, str) else seen(given, 60)
