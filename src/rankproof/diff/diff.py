"""Which queries changed most between two runs, and what moved in them?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, zip_longest
from math import inf
from pathlib import Path
from typing import Any

from rankproof.arithmetic import SAME, check_count
from rankproof.contract import Contract
from rankproof.diff.difference import Change, Diff, Found, Move, QueryDiff, Row
from rankproof.errors import ContractError, Fault, Faults, MeasureError, RankproofError, nearest, seen
from rankproof.evaluate import file_of, values_of
from rankproof.formats import as_qrels
from rankproof.formats.places import with_lines
from rankproof.formats.texts import as_texts
from rankproof.measures import Measure, parse_all
from rankproof.model import Grade, Qrels, Run
from rankproof.placements import place_query, ranked
from rankproof.presets import contract as contract_of
from rankproof.similarity.runs import two_runs


def diff(  # noqa: PLR0913 - two runs, what is measured, and how much of it is shown
    qrels: Any,
    a: Any,
    b: Any,
    measure: str | Measure = "nDCG@10",
    contract: str | Path | Mapping[str, Any] | Contract = "rankproof",
    *,
    queries: int = 10,
    depth: int = 10,
    only: Sequence[str] | None = None,
    query_texts: Any = None,
    doc_texts: Any = None,
    **rules: object,
) -> Diff:
    """Return the queries whose value changed most from run `a` to run `b`, side by side down to `depth`.

    Inputs as for `evaluate`, one run each and one measure. The greatest change comes first, equal ones in the order of
    the qrels; `queries` of those that changed are shown, or, with `only`, these query ids and no others, changed or
    not. `query_texts` and `doc_texts`: a file as `read_texts` reads, or a mapping of id to text. Raises InputError,
    ContractError and MeasureError as `evaluate` does, and for query ids that have no value.
    """
    chosen = _one_measure(measure)
    for name, number in (("queries", queries), ("depth", depth)):
        check_count(name, number)
    given = contract_of(contract, **rules)
    judgments, (left, right) = as_qrels(qrels, given), two_runs(a, b, given)
    in_effect = chosen.contract_in_effect(given)
    try:
        changes = _changes(judgments, left, right, chosen, given)
        wanted = _wanted(changes, queries, only)
        shown = [_side_by_side(change, judgments, left, right, in_effect, depth) for change in wanted]
    except RankproofError as error:
        raise with_lines(error, file_of(qrels)) from error
    if query_texts is not None:
        said = as_texts(query_texts, "queries", [one.change.query_id for one in shown])
        shown = [replace(one, text=said.get(one.change.query_id)) for one in shown]
    texts = {} if doc_texts is None else as_texts(doc_texts, "documents", _documents(shown))
    return Diff(chosen, left.name, right.name, given, depth, changes, shown, texts)


def _one_measure(given: str | Measure) -> Measure:
    found = parse_all(given)
    if len(found) != 1:
        raise MeasureError(Fault(f"{seen(given)} names {len(found)} measures", expected="one"))
    return found[0]


def _changes(qrels: Qrels, left: Run, right: Run, measure: Measure, contract: Contract) -> list[Change]:
    """Return each query's change, the greatest first, undefined ones last."""
    values = [values_of(qrels, run, [measure], contract) for run in (left, right)]
    rows = [dict(zip(one.query_ids, one.per_query[str(measure)], strict=True)) for one in values]
    found = []
    for query in qrels:
        if any(query in row for row in rows):
            before, after = (row.get(query) for row in rows)
            delta = None if before is None or after is None else after - before
            found.append(Change(query, before, after, delta))
    return _in_order(found)


def _in_order(changes: Sequence[Change]) -> list[Change]:
    """Return the greatest change first, undefined ones last; what rounding alone tells apart keeps its order."""
    sizes = sorted((abs(change.delta) for change in changes if change.delta is not None), reverse=True)
    place: dict[float, int] = {}
    for before, size in pairwise([inf, *sizes]):
        place[size] = len(place) if before - size >= SAME else place[before]
    return sorted(changes, key=lambda one: inf if one.delta is None else place[abs(one.delta)])


def _wanted(changes: Sequence[Change], most: int, only: Sequence[str] | None) -> list[Change]:
    if only is None:
        return [change for change in changes if change.way in ("rose", "fell")][:most]
    of_query, faults = {change.query_id: change for change in changes}, Faults(ContractError)
    for query in map(str, only):
        if query not in of_query:
            hint = f"nearest to {query}: {nearest(query, of_query)}"
            faults.add(Fault("has no value in either run", query_id=query, hint=hint))
    faults.raise_any()
    asked = set(map(str, only))
    return [change for change in changes if change.query_id in asked]


def _side_by_side(change: Change, qrels: Qrels, left: Run, right: Run, contract: Contract, depth: int) -> QueryDiff:
    query, runs = change.query_id, (left, right)
    grades = {doc: grade for run in runs for doc, grade in _grades(query, qrels, run, contract)}
    orders = [ranked(query, run, contract) for run in runs]
    tops = [[Found(doc, grades.get(doc)) for doc in order[:depth]] for order in orders]
    unique = [len({one.doc_id for one in mine} - {one.doc_id for one in theirs}) for mine, theirs in (tops, tops[::-1])]
    unjudged = [sum(one.grade is None for one in top) for top in tops]
    return QueryDiff(
        change,
        [Row(rank, *pair) for rank, pair in enumerate(zip_longest(*tops), 1)],
        _moves(orders, tops, grades),
        (unique[0], unique[1]),
        (unjudged[0], unjudged[1]),
    )


def _grades(query: str, qrels: Qrels, run: Run, contract: Contract) -> list[tuple[str, Grade]]:
    """Return the documents that a run retrieved and that are judged, with their grades."""
    at = place_query(query, qrels[query], run, contract, with_doc_ids=True)
    found = [] if at is None else zip(at.doc_ids or (), at.grades, strict=True)
    return [(doc, grade) for doc, grade in found if grade >= 0]  # below 0 is pooled, but not judged


def _moves(orders: Sequence[Sequence[str]], tops: Sequence[Sequence[Found]], grades: Mapping[str, Grade]) -> list[Move]:
    left, right = ({doc: rank for rank, doc in enumerate(order, 1)} for order in orders)
    shown = dict.fromkeys(one.doc_id for pair in zip_longest(*tops) for one in pair if one is not None)
    moves = [Move(doc, left.get(doc), right.get(doc), grades.get(doc)) for doc in shown]
    return [move for move in moves if move.left != move.right]


def _documents(shown: Sequence[QueryDiff]) -> list[str]:
    """Return the ids of all documents that stand in a row, each once."""
    found = (one.doc_id for diff in shown for row in diff.rows for one in (row.left, row.right) if one is not None)
    return list(dict.fromkeys(found))
