"""Which shown documents were clicked, and in whose impression?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from rankproof.errors import Fault, Faults, InputError, seen
from rankproof.formats import Source
from rankproof.formats.records import Record
from rankproof.interleave.lists import Interleaving, ShownList
from rankproof.interleave.methods import whole_number
from rankproof.interleave.rows import rows_of

APART = ("impression", "session", "user")
"""The columns that, with the query, tell one impression from another."""
CLUSTERS = ("user", "session", "query_id")
"""What impressions can be gathered by, to one vote each."""
EXPECTED = (
    "rows with query_id and doc_id, and if known impression, session, user: CSV with these columns, or JSON lines"
)


class Impression(NamedTuple):
    """One showing of a list: the places that were clicked, from 0 on, ascending, each once; and what it belongs to."""

    shown: ShownList
    clicked: tuple[int, ...]
    cluster: str | None


@dataclass
class Clicked:
    """The impressions of a click log, and what was counted on the way."""

    impressions: list[Impression] = field(default_factory=list)
    clicks: int = 0
    repeats: int = 0  # clicks on a document that was clicked in the same impression
    columns: frozenset[str] = frozenset()
    unclicked: int = 0  # lists that nobody clicked on


class _Found(NamedTuple):
    shown: ShownList
    cluster: str | None
    places: list[int]


def impressions_of(given: Any, interleaving: Interleaving, cluster: str | None = None) -> Clicked:
    """Return the impressions of a file of clicks, or of rows of dicts.

    A click has query_id and doc_id, and may have impression (the number of the list where several were made, else any
    name; 1.0 and 01 are 1), session and user. Clicks that share all of these and the query are one impression.
    InputError lists, each with its line, clicks on what was not shown, and clicks without what they need.
    """
    _check_cluster(cluster)
    faults = Faults()
    name = given.name if isinstance(given, Source) else str(given) if isinstance(given, (str, Path)) else "clicks"
    lists = {one[:2]: (one, _places(one)) for one in interleaving.lists}
    found: dict[tuple[str | None, ...], _Found] = {}
    counted, columns = Clicked(), set[str]()
    for record in _records(given, name, faults):
        ids = _ids(record, name, faults, _needed(interleaving, cluster))
        at = None if ids is None else _at(ids, lists, interleaving, Fault("", name, record.line), faults)
        if ids is None or at is None:
            continue
        shown, place = at
        columns.update(column for column in APART if ids[column] is not None)
        key = (ids["query_id"], *(ids[column] for column in APART))
        one = found.setdefault(key, _Found(shown, None if cluster is None else ids[cluster], []))
        counted.clicks += 1
        counted.repeats += place in one.places
        one.places.append(place)
    faults.raise_any()
    if not found:
        raise InputError(Fault("holds no clicks", name, expected=EXPECTED))
    counted.impressions = [Impression(shown, tuple(sorted({*places})), of) for shown, of, places in found.values()]
    counted.columns = frozenset(columns)
    counted.unclicked = len(lists) - len({one.shown[:2] for one in counted.impressions})
    return counted


def _check_cluster(cluster: str | None) -> None:
    if cluster is not None and cluster not in CLUSTERS:
        raise InputError(Fault(f"clicks cannot be gathered by {cluster!r}", expected=f"one of {', '.join(CLUSTERS)}"))


def _places(shown: ShownList) -> Mapping[str, int]:
    return {doc_id: place for place, doc_id in enumerate(shown.doc_ids)}


def _needed(interleaving: Interleaving, cluster: str | None) -> Iterable[str]:
    impression = ["impression"] if interleaving.impressions > 1 else []
    return dict.fromkeys(["query_id", "doc_id", *impression, *([cluster] if cluster else [])])


def _records(given: Any, name: str, faults: Faults) -> Iterator[Record]:
    if isinstance(given, (str, Path, Source)):
        source = given if isinstance(given, Source) else Source(given)
        yield from rows_of(source, faults, Fault("holds no clicks", name, expected=EXPECTED))
        return
    for number, row in enumerate(given, 1):
        if not isinstance(row, Mapping):
            faults.add(Fault(f"is {seen(row)}", "clicks", number, expected="a dict with query_id and doc_id"))
        else:
            yield Record(number, row)


def _ids(record: Record, name: str, faults: Faults, needed: Iterable[str]) -> dict[str, str | None] | None:
    """Return a click's ids as text, None where it has none; nothing, and a fault, where one is missing."""
    found: dict[str, str | None] = {}
    for column in ("query_id", "doc_id", *APART):
        given = record.fields.get(column)
        if column == "impression" and (number := whole_number(given)) is not None:
            given = number
        if isinstance(given, bool) or not isinstance(given, (str, int, type(None))):
            faults.add(Fault(f"{column} {seen(given)}", name, record.line, column=column, expected="a text"))
            return None
        found[column] = None if given is None or given == "" else str(given)
    for column in needed:
        if found[column] is None:
            faults.add(Fault(f"has no {column}", name, record.line, column=column, expected=f"a column {column}"))
            return None
    return found


def _at(
    ids: Mapping[str, str | None],
    lists: Mapping[tuple[str, int], tuple[ShownList, Mapping[str, int]]],
    interleaving: Interleaving,
    where: Fault,
    faults: Faults,
) -> tuple[ShownList, int] | None:
    """Return the list that was clicked and the place in it; nothing, and a fault, where it was not shown."""
    query, doc, number = ids["query_id"] or "", ids["doc_id"] or "", ids["impression"] or ""
    several = interleaving.impressions > 1
    known = lists.get((query, (whole_number(number) or 0) if several else 1))
    of_which = f", impression {number}" if several else ""
    if known is None:
        message = f"no list was shown for this query{of_which}"
        faults.add(Fault(message, where.file, where.line, query_id=query))
    elif doc not in known[1]:
        hint = "were the clicks on these lists? --shown FILE, or the same runs, -k, --method and --seed"
        message = f"was not shown{of_which}"
        faults.add(Fault(message, where.file, where.line, query_id=query, doc_id=doc, hint=hint))
    else:
        return known[0], known[1][doc]
    return None
