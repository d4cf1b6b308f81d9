"""Which queries are there, with all their fields, and what does each ask?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from rankproof.errors import Fault, Faults, InputError, seen
from rankproof.formats.files import Source
from rankproof.formats.records import IDS, TEXTS, TITLES, Record, read_records
from rankproof.formats.texts import text_of, with_ids

QUESTION = "question"
ASKED = (*TEXTS, QUESTION)
"""The fields that may hold what a query asks, behind its title; the first that is there does."""


class Query(NamedTuple):
    """One query with the fields of its record; the text is None where no field holds one."""

    query_id: str
    text: str | None
    fields: Mapping[str, Any]
    line: int | None = None
    asked_in: str | None = None  # the field that holds the text, the title aside


@dataclass(frozen=True)
class Queries:
    """Queries in the order given, each id once, and the file that they came from."""

    items: Sequence[Query]
    source: str | None = None

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.items)

    @cached_property
    def fields(self) -> Sequence[str]:
        """Return the names of all fields, in the order in which they come."""
        return tuple(dict.fromkeys(name for query in self.items for name in query.fields))

    def fault(self, query: Query, message: str, column: str | None = None, expected: str | None = None) -> Fault:
        """Return what is wrong with one query, where it stands."""
        return Fault(message, self.source, query.line, query_id=query.query_id, column=column, expected=expected)


def read_queries(given: Any) -> Queries:
    """Return the queries of a file, of a mapping id to text or to fields, or of mappings with an id each.

    A file may be of any layout of `formats.records`. InputError lists its faults; an id that comes twice is one.
    """
    if isinstance(given, Queries):
        return given
    file = given if isinstance(given, Source) else Source(given) if isinstance(given, (str, Path)) else None
    faults = Faults()
    if file is not None and not file.start():  # as a split without queries is written
        file.text()
        return Queries((), file.name)
    records, name = (_records(given), "queries") if file is None else (read_records(file, faults), file.name)
    found = [Query(one, *_asked(record)) for one, record in with_ids(records, name, "queries", faults)]
    faults.raise_any()
    return Queries(tuple(found), file.name if file else getattr(given, "source", None))


def _records(given: Any) -> Iterator[Record]:
    if isinstance(given, Mapping):
        for one, held in given.items():
            fields = held if isinstance(held, Mapping) else {"text": str(held)}
            yield Record(None, fields if any(name in fields for name in IDS["queries"]) else {"_id": one, **fields})
        return
    if isinstance(given, bytes) or not isinstance(given, Iterable):
        raise InputError(Fault(f"queries cannot be {seen(given)}", expected="a file, or {query_id: text}"))
    for held in given:
        if not isinstance(held, Mapping):
            raise InputError(Fault(f"a query cannot be {seen(held)}", expected='a mapping such as {"_id": …}'))
        yield Record(None, held)


def _asked(record: Record) -> tuple[str | None, Mapping[str, Any], int | None, str | None]:
    """Return what a query asks, as `search` asks it, else by its field `question`; beside it what `Query` holds."""
    line, fields = record
    own = next((name for name in (*TEXTS, *TITLES) if name in fields), None)
    for name, said in ((own, fields), (QUESTION, {**fields, "text": fields.get(QUESTION)})):
        try:
            return str(text_of(Record(line, said), "")), fields, line, name
        except InputError:
            continue
    return None, fields, line, None
