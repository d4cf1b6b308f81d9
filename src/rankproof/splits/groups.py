"""Which queries have to stay together: by a field, a file of families, or a moment?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from math import isfinite
from typing import Any, NamedTuple, TypeAlias

from rankproof.arithmetic import number_of
from rankproof.errors import Fault, Faults, InputError, nearest, seen
from rankproof.formats.families import read_families
from rankproof.splits.queries import Queries, Query

FAMILY = "family"
BY: Mapping[str, str | None] = {"family": FAMILY, "source": "source", "time": "time", "hash": None}
"""The ways to group, and the field that each reads if no other is named; `hash` takes each query by itself."""


def groups_of(queries: Queries, by: str, field: str | None = None) -> dict[str, str]:
    """Return the group of each query by query_id, the query itself under `hash` and `time`.

    InputError lists the queries that have none.
    """
    named = field or BY[by]
    if named is None or by == "time":
        return {query.query_id: query.query_id for query in queries.items}
    found, faults = {}, Faults()
    for query, value in _values(queries, named, by):
        if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
            faults.add(queries.fault(query, f"{named} {seen(value)}", column=named, expected="a text"))
        else:
            found[query.query_id] = str(value)
    faults.raise_any()
    return found


def groups_in(families: Any, queries: Queries) -> tuple[dict[str, str], list[str]]:
    """Return the family of each query by a file or a mapping, and which it does not name: each a group of its own.

    InputError where it names none of the queries.
    """
    family_of = read_families(families)
    ids = [query.query_id for query in queries.items]
    alone = [query for query in ids if query not in family_of]
    if len(alone) == len(ids):
        message = f"names none of the queries: it begins with {next(iter(family_of), None)!r}, they with {ids[0]!r}"
        raise InputError(Fault(message, family_of.source or queries.source, expected="query_id and family"))
    named = frozenset(family_of.values())
    taken, found = {*named, *ids}, dict[str, str]()
    for query in ids:
        group = family_of.get(query, query)
        if query not in family_of and query in named:  # another family happens to be called as this query is
            while group in taken:
                group = f"({group})"
            taken.add(group)
        found[query] = group
    return found, alone


def _values(queries: Queries, field: str, by: str) -> Iterator[tuple[Query, Any]]:
    """Yield each query's value of a field. InputError where no query has the field."""
    if field not in queries.fields:
        near = nearest(field, queries.fields, 1)
        named = f"--field names another, such as {near}" if near else "--field names another"
        hints = {"family": f"--families FILE gives the families, --by hash takes each query by itself; {named}"}
        message = f"no query has the field {field}"
        expected = f"one of {', '.join(queries.fields)}"
        raise InputError(Fault(message, queries.source, expected=expected, hint=hints.get(by, named)))
    for query in queries.items:
        yield query, query.fields.get(field)


def declared_families(queries: Iterable[Query]) -> dict[str, str]:
    """Return the families that the records name themselves, by query_id; a query without one is left out."""
    given = ((query.query_id, query.fields.get(FAMILY)) for query in queries)
    return {one: str(family) for one, family in given if isinstance(family, (str, int)) and family != ""}


Point: TypeAlias = float | datetime


class Moment(NamedTuple):
    """When a query was asked: what sorts, and how the file spells it."""

    at: Any  # a Point; all that are compared are of one kind
    spelled: str


EXPECTED_TIME = "an ISO date such as 2026-11-30, or a number"


def moments_of(queries: Queries, field: str | None = None) -> dict[str, Moment]:
    """Return the moment of each query: numbers, or ISO dates, of which all or none have a time zone.

    InputError lists those that are neither, and says where one kind is mixed with another.
    """
    named = field or str(BY["time"])
    found, faults = {}, Faults()
    for query, value in _values(queries, named, "time"):
        at = _point(value)
        if at is None:
            message = f"{named} {seen(value)}"
            faults.add(queries.fault(query, message, column=named, expected=EXPECTED_TIME))
        else:
            found[query.query_id] = Moment(at, str(value))
    faults.raise_any()
    kinds: dict[str, Query] = {}
    for query in queries.items:
        kinds.setdefault(_kind(found[query.query_id].at), query)
    if len(kinds) > 1:
        said = " and ".join(f"{kind} ({found[query.query_id].spelled})" for kind, query in kinds.items())
        raise InputError(Fault(f"{named} holds {said}", queries.source, column=named, expected="one kind"))
    return found


def _point(value: Any) -> Point | None:
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime.combine(value, time())
    if isinstance(value, str):
        number = number_of(value)
        if number is None:
            try:
                return datetime.fromisoformat(value.strip())
            except ValueError:
                return None
        value = number
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value):
        return None
    return value


def _kind(at: Point) -> str:
    if not isinstance(at, datetime):
        return "numbers"
    return "dates without a time zone" if at.utcoffset() is None else "dates with one"


def joined(members: Iterable[str], links: Iterable[Sequence[str]]) -> dict[str, str]:
    """Return, for each member, the lowest id that a chain of links leads to (union-find: Galler and Fischer 1964)."""
    above = {member: member for member in members}

    def top(member: str) -> str:
        while (higher := above[member]) != member:
            above[member] = member = above[higher]  # halve the way for the next who asks
        return member

    for first, *others in links:
        for other in others:
            low, high = sorted((top(first), top(other)))
            above[high] = low
    return {member: top(member) for member in above}
