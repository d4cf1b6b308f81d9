"""Which queries belong together? A file of clusters, or a mapping: query_id to family."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rankproof.errors import Fault, Faults, InputError, seen
from rankproof.formats.files import Source
from rankproof.formats.jsons import parse_json
from rankproof.formats.objects import Pairs, is_text

EXPECTED = "a line `query_id family`, or a JSON object {query_id: family}"


def read_families(given: Any) -> Mapping[str, str]:
    """Return the family of each query, from a path or a mapping. InputError lists the faults of a file."""
    if isinstance(given, Mapping):
        return _checked(list(given.items()), "clusters")
    source = given if isinstance(given, Source) else Source(given) if isinstance(given, (str, Path)) else None
    if source is None:
        raise InputError(Fault(f"clusters cannot be {seen(given)}", expected="a file, or {query_id: family}"))
    if source.start().lstrip()[:1] == b"{":
        content = parse_json(source.text(), source.name)
        if not isinstance(content, Pairs):
            raise InputError(Fault("is no JSON object", source.name, expected=EXPECTED))
        return _checked(list(content), source.name)
    return _from_lines(source)


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


def _from_lines(source: Source) -> dict[str, str]:
    faults, found = Faults(InputError), dict[str, str]()
    for number, line in enumerate(source.text().encode().split(b"\n"), 1):
        tokens = [token.decode() for token in line.split()]
        if not tokens:
            continue
        if len(tokens) != 2:
            faults.add(Fault(f"has {len(tokens)} columns", source.name, number, expected=EXPECTED))
        elif found.setdefault(tokens[0], tokens[1]) != tokens[1]:
            message = f"is in {tokens[1]} here, in {found[tokens[0]]} before"
            faults.add(Fault(message, source.name, number, query_id=tokens[0], expected="one family a query"))
    if not found:
        faults.add(Fault("holds no families", source.name, expected=EXPECTED))
    faults.raise_any()
    return found
