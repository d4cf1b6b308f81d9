"""Which judged queries may choose, and which may only judge the choice?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rankproof.errors import Fault, InputError, seen
from rankproof.formats.files import Source
from rankproof.formats.records import id_of, read_records
from rankproof.model import Qrels, Run
from rankproof.words import first_of, query_count


@dataclass(frozen=True, slots=True)
class Splits:
    """The judgments of the tune and of the test queries; ids of those split but not judged, and judged but in none."""

    tune: Qrels
    test: Qrels
    unjudged: tuple[str, ...]
    left_out: tuple[str, ...]


def splits_of(qrels: Qrels, tune: Any, test: Any) -> Splits:
    """Return the judgments by split; `tune`, `test`: a file of queries, or their ids.

    InputError for a query in both, and for a split without a judged query.
    """
    asked = {"tune": query_ids(tune, "tune"), "test": query_ids(test, "test")}
    if both := [query for query in asked["tune"] if query in asked["test"]]:
        hint = "a query that chooses the weights cannot judge them; `rankproof split` makes splits"
        message = f"{query_count(len(both))} in both splits ({first_of(both)})"
        raise InputError(Fault(message, expected="each query in one", hint=hint))
    found = {name: {query: qrels[query] for query in ids if query in qrels} for name, ids in asked.items()}
    for name, judged in found.items():
        if not judged:
            first = next(iter(asked[name]), None)
            raise InputError(Fault(f"no {name} query is judged (first: {seen(first)})", expected="ids of the qrels"))
    return Splits(
        found["tune"],
        found["test"],
        tuple(query for ids in asked.values() for query in ids if query not in qrels),
        tuple(query for query in qrels if not any(query in ids for ids in asked.values())),
    )


def query_ids(given: Any, what: str) -> dict[str, None]:
    """Return the ids of a file of queries, or of a collection, in their order. InputError for anything else."""
    if isinstance(given, (str, Path, Source)):
        source = given if isinstance(given, Source) else Source(given)
        return {id_of(record, source.name, "queries"): None for record in read_records(source)}
    if isinstance(given, (Mapping, Iterable)):
        ids: list[Any] = [getattr(one, "query_id", one) for one in given]  # the parts of a split hold queries
        if wrong := [one for one in ids if not isinstance(one, str)]:
            raise InputError(Fault(f"the {what} query id {seen(wrong[0])} is no text", expected="a text"))
        return dict.fromkeys(ids)
    raise InputError(Fault(f"the {what} queries cannot be {seen(given)}", expected="a file of queries, or ids"))


def only(run: Run, judged: Qrels) -> Run:
    """Return a run with the rankings of the judged queries alone."""
    return replace(run, rankings={query: one for query, one in run.rankings.items() if query in judged})
