"""Which queries have to stay together: by a field, a file of families, or a moment?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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


def groups_of(queries: Queries, by: str, field: str | None = None, families: Any = None) -> dict[str, str]:
    """Return the group of each query by query_id; under `time` the family, or the query itself.

    InputError lists the queries that have none.
    """
    if families is not None:
        return _of_families(queries, families)
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


def _of_families(queries: Queries, families: Any) -> dict[str, str]:
    family_of = read_families(families)
    faults = Faults()
    for query in queries.items:
        if query.query_id not in family_of:
            file = family_of.source or queries.source
            faults.add(Fault("has no family", file, query_id=query.query_id, expected="a family for each query"))
    faults.raise_any()
    return {query.query_id: family_of[query.query_id] for query in queries.items}


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


class Joined:
    """Groups that grow together as links are found (union-find: Galler and Fischer 1964)."""

    def __init__(self, members: Iterable[str]) -> None:
        """Begin with each member by itself."""
        self._parent = {member: member for member in members}

    def top(self, member: str) -> str:
        """Return the member that stands for the group."""
        while (above := self._parent[member]) != member:
            self._parent[member] = member = self._parent[above]  # halve the way for the next who asks
        return member

    def join(self, one: str, other: str) -> None:
        """Make two groups one; the lower id stands for it, so that the order of links does not matter."""
        first, second = sorted((self.top(one), self.top(other)))
        self._parent[second] = first

    def groups(self) -> dict[str, str]:
        """Return, for each member, the member that stands for its group: the lowest id in it."""
        return {member: self.top(member) for member in self._parent}
