"""Which queries belong together? A file of families, or a mapping: query_id to family."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rankproof.errors import Fault, Faults, InputError, seen
from rankproof.formats.cells import is_text
from rankproof.formats.files import Source
from rankproof.formats.jsons import parse_json
from rankproof.formats.objects import Pairs
from rankproof.words import counted

EXPECTED = "a line `query_id family`, a JSON object {query_id: family}, or one a line with _id and family"
_IDS = ("_id", "id", "query_id")


class FamilyOf(dict[str, str]):
    """The family of each query; `source` names the file that says so, None where there is none."""

    def __init__(self, families: Mapping[str, str] | Iterable[tuple[str, str]], source: str | None = None) -> None:
        """Hold these."""
        super().__init__(families)
        self.source = source


def read_families(given: Any) -> FamilyOf:
    """Return the family of each query, from a path or a mapping. InputError lists the faults of a file.

    A file holds `query_id family` a line, a JSON object {query_id: family}, or a JSON object a line with `_id` (or
    `id`, `query_id`) and `family`, as files of queries may.
    """
    if isinstance(given, Mapping):
        return FamilyOf(_checked(list(given.items()), "families"), getattr(given, "source", None))
    source = given if isinstance(given, Source) else Source(given) if isinstance(given, (str, Path)) else None
    if source is None:
        raise InputError(Fault(f"families cannot be {seen(given)}", expected="a file, or {query_id: family}"))
    in_json = source.start().lstrip()[:1] == b"{"
    text = source.text()
    return FamilyOf((_from_json if in_json else _from_lines)(text, source.name), source.name)


def _from_json(text: str, name: str) -> dict[str, str]:
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if _is_row(lines[0][1], alone=len(lines) == 1):
        return _from_objects(lines, name)
    content = parse_json(text, name)
    if not isinstance(content, Pairs):
        raise InputError(Fault("is no JSON object", name, expected=EXPECTED))
    return _checked(list(content), name)


def _is_row(line: str, *, alone: bool) -> bool:
    """Return whether the first line is a query of its own, not (the start of) an object of all queries."""
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(content, dict) and (not alone or ("family" in content and any(one in content for one in _IDS)))


def _checked(pairs: list[tuple[Any, Any]], name: str) -> dict[str, str]:
    faults, found = Faults(InputError), dict[str, str]()
    for query, family in pairs:
        if not is_text(query) or not is_text(family) or not family:
            faults.add(Fault(f"the family is {seen(family)}", name, query_id=str(query), expected="a text"))
        elif query in found:
            faults.add(Fault("stands twice", name, query_id=query))
        else:
            found[query] = family
    faults.raise_any()
    return found


def _from_objects(lines: Iterable[tuple[int, str]], name: str) -> dict[str, str]:
    faults, found = Faults(InputError), dict[str, str]()
    for number, line in lines:
        try:
            content = json.loads(line)
        except (ValueError, RecursionError) as error:
            faults.add(Fault(f"is not JSON: {getattr(error, 'msg', error)}", name, number))
            continue
        if not isinstance(content, dict):
            faults.add(Fault(f"is {seen(content, 60)}", name, number, expected=EXPECTED))
            continue
        query = next((content[one] for one in _IDS if one in content), None)
        family = content.get("family")
        query = str(query) if isinstance(query, int) and not isinstance(query, bool) else query
        for column, value in (("_id", query), ("family", family)):
            if not is_text(value) or not value:
                message = f"{column} {seen(value)}" if column in content else f"has no {column}"
                faults.add(Fault(message, name, number, expected="a text"))
                break
        else:
            _add(found, faults, (str(query), str(family)), name, number)
    faults.raise_any()
    return found


def _from_lines(text: str, name: str) -> dict[str, str]:
    faults, found = Faults(InputError), dict[str, str]()
    other: list[tuple[int, list[str]]] = []
    for number, line in enumerate(text.encode().split(b"\n"), 1):
        tokens = [token.decode() for token in line.split()]
        if len(tokens) == 2:
            _add(found, faults, (tokens[0], tokens[1]), name, number)
        elif tokens:
            other.append((number, tokens))
    if other:
        faults.add(_other_columns(other, name))
    elif not found:
        faults.add(Fault("holds no families", name, expected=EXPECTED))
    faults.raise_any()
    return found


def _add(found: dict[str, str], faults: Faults, row: tuple[str, str], name: str, number: int) -> None:
    query, family = row
    if found.setdefault(query, family) != family:
        message = f"is in {family} here, in {found[query]} before"
        faults.add(Fault(message, name, number, query_id=query, expected="one family a query"))


def _other_columns(rows: list[tuple[int, list[str]]], name: str) -> Fault:
    """Return one fault for all lines of other than two columns: mostly they have one cause."""
    number, tokens = rows[0]
    more = f", and {counted(len(rows) - 1, 'more line')} not two" if len(rows) > 1 else ""
    hint = "is it CSV? columns are parted by white space here" if any("," in token for token in tokens) else None
    return Fault(f"has {counted(len(tokens), 'column')}{more}", name, number, expected=EXPECTED, hint=hint)
