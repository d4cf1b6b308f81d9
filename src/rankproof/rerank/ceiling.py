"""What could a reranker reach with these candidates, and what did it reach?

The candidates are the ceiling: no order of them finds a document that is not among them. A measure's ceiling is its
value for the best order of exactly these candidates, so it comes from the same definition as every other value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from rankproof.compare import Inputs
from rankproof.contract import Contract
from rankproof.errors import Fault, InputError, RankproofError, seen
from rankproof.evaluate import ABSENT, file_of, values_of, with_ideal_beside
from rankproof.formats import as_qrels, as_runs
from rankproof.formats.places import with_lines
from rankproof.measures import Measure, parse, parse_all
from rankproof.model import Grade, Qrels, Ranking, Run, Value
from rankproof.placements import place_query
from rankproof.presets import contract as contract_of
from rankproof.rerank import telling
from rankproof.rerank.frozen import Frozen, check, frozen, only
from rankproof.rerank.reranking import RECALL, Move, Reranking
from rankproof.values import TieRange, Values
from rankproof.words import Words

__all__ = ["RERANK_MEASURES", "Move", "Reranking", "rerank"]

RERANK_MEASURES = ("nDCG@10", "AP", "RR@10", "P@10")


def rerank(  # noqa: PLR0913 - as `evaluate`, with two runs and the freeze
    qrels: Any,
    before: Any,
    after: Any,
    measures: Iterable[str | Measure] | str = RERANK_MEASURES,
    contract: str | Path | Mapping[str, Any] | Contract = "rankproof",
    *,
    depth: int | None = None,
    allow_new: bool = False,
    **rules: object,
) -> Reranking:
    """Return what a reranker reached with frozen candidates, and what it could have reached.

    `qrels`, `measures`, `contract` and `rules` as in `evaluate`; `before` and `after` are one run each, in any of its
    forms. The candidates of a query are the documents that `before` ranks first, `depth` of them or all; `after` must
    hold exactly these, in whatever order, and below them what `before` has there, in its place, or nothing. Where
    `after` ends earlier than `before` does, `before` is looked at only as far: the values compare the same documents.
    Of a run that kept only the first K reranked documents, compare the first K places: by the contract's own rule
    `depth`, as in `contract("rankproof", depth=10)`. Queries without judgments are not looked at.

    Raises InputError naming query and document where `after` holds a document that is no candidate or lacks one that
    is, or a query that only one run answers; `allow_new` reports such documents apart instead. Otherwise as `evaluate`.
    """
    _check_depth(depth)
    given = contract_of(contract, **rules)
    chosen = with_ideal_beside(parse_all(measures), given)
    judgments = as_qrels(qrels, given)
    first, second = _one_run(before, "before", given), _one_run(after, "after", given)
    try:
        depths = [measure.contract_in_effect(given).depth for measure in chosen]
        looked_at = None if None in depths else max((one for one in depths if one is not None), default=None)
        found = frozen(judgments, first, second, given, depth=depth, looked_at=looked_at)
        if not allow_new:
            check(found, first, second)
        made = _reranking(judgments, (first, second), found, chosen, given)
        return replace(made, depth=depth, looked_at=looked_at)
    except RankproofError as error:
        raise with_lines(error, file_of(qrels)) from error


def _check_depth(depth: object) -> None:
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int) or depth < 1):
        raise InputError(Fault(f"depth cannot be {seen(depth)}", expected="a whole number from 1 on, or none"))


def _one_run(given: Any, side: str, contract: Contract) -> Run:
    """Return the one run of an object or a file; what came from no file and has no name is named by its side."""
    try:
        runs, _ = as_runs(given, contract)
    except InputError as error:
        named = (replace(fault, file=side) if fault.file == "run" else fault for fault in error.faults)
        raise InputError(*named, more=error.more) from error
    if len(runs) != 1:
        raise InputError(Fault(f"holds {len(runs)} runs", side, expected="one"))
    named_by_us = runs[0].source is None and not isinstance(given, Run) and runs[0].name == "run"
    return replace(runs[0], name=side) if named_by_us else runs[0]


def _reranking(
    qrels: Qrels,
    runs: tuple[Run, Run],
    found: Mapping[str, Frozen],
    measures: Sequence[Measure],
    contract: Contract,
) -> Reranking:
    before, after = runs
    shortened = {query: {*one.candidates, *one.rest} for query, one in found.items() if one.shorter}
    new = {query: [doc for _, doc in one.new] for query, one in found.items() if one.new}
    dropped = {query: one.dropped for query, one in found.items() if one.dropped}
    kept = {query: set(after.rankings[query].doc_ids) - set(docs) for query, docs in new.items()}
    compared = (only(before, shortened), after)
    values = values_of(qrels, compared[0], measures, contract)
    return Reranking(
        before=values,
        after=values_of(qrels, after, measures, contract),
        ceiling=_ceiling(qrels, found, values, contract),
        candidate_recall=_candidate_recall(qrels, found, contract),
        moves=[move for query in found for move in _moves(query, qrels[query], runs, contract)],
        new=new,
        dropped=dropped,
        shortened=list(shortened),
        without_new=values_of(qrels, only(after, kept), measures, contract) if new or dropped else None,
        candidates={query: len(one.candidates) for query, one in found.items()},
        inputs=Inputs(qrels, compared, contract),
    )


def _candidate_recall(qrels: Qrels, found: Mapping[str, Frozen], contract: Contract) -> Values:
    run = Run("candidates", {query: Ranking(one.candidates) for query, one in found.items()})
    return values_of(qrels, run, [parse(RECALL)], replace(contract, depth=None))


def _moves(query: str, judgments: Mapping[str, Grade], runs: tuple[Run, Run], contract: Contract) -> Iterable[Move]:
    """Yield the query's relevant documents, highest grade first, with their ranks in the lists as they stand."""
    listing = replace(contract, depth=None, non_positive_score="keep", unjudged="non-relevant")
    sides: list[dict[str, int]] = []
    for run in runs:
        at = place_query(query, judgments, run, listing, with_doc_ids=True)
        sides.append({} if at is None else dict(zip(at.doc_ids or (), at.ranks, strict=True)))
    for doc, grade in sorted(judgments.items(), key=lambda one: -one[1]):
        if grade >= contract.relevant_from:
            yield Move(query, doc, grade, sides[0].get(doc), sides[1].get(doc))


_UNKNOWN: Mapping[Words, Callable[[Measure, Contract], bool]] = {
    telling.NOT_ASKED: lambda measure, _: (
        not (measure.looks_at_grades and (measure.needs_relevant or "relevant_from" in measure.reads))
    ),
    telling.CONDENSED: lambda _, contract: contract.unjudged == "condensed" and contract.depth is not None,
    telling.TAKEN_OUT: lambda _, contract: contract.non_positive_score == "drop",
}
"""Why no order of the candidates is known to be the best for a measure: (measure, contract in effect) to whether."""


def _ceiling(qrels: Qrels, found: Mapping[str, Frozen], before: Values, contract: Contract) -> Values:
    """Return the values of the best order of the candidates, for each measure.

    The best order is by `Measure.worth`, highest first, what is not listed at 0, and else as it was. That it is the
    best follows from what measures are: a more rewarded document that moves up never lowers a value; for infAP, whose
    estimate can fall, because each relevant document has its highest term where only relevant ones stand above it.
    """
    grades = sorted({grade for query in found for grade in qrels[query].values()})
    orders: dict[tuple[float, ...], list[Measure]] = {}
    rows: dict[str, _Row] = {}
    for name, measure in before.measures.items():
        in_effect = measure.contract_in_effect(contract)
        if reasons := [reason for reason, holds in _UNKNOWN.items() if holds(measure, in_effect)]:
            rows[name] = _Row((None,) * len(before.query_ids), None, {reasons[0].en: list(before.query_ids)}, None)
        else:
            orders.setdefault(tuple(measure.worth(grade, in_effect) for grade in grades), []).append(measure)
    for worths, alike in orders.items():
        best = _best_run(qrels, found, dict(zip(grades, worths, strict=True)))
        values = values_of(qrels, best, alike, contract)
        rows |= {str(measure): _row(values, str(measure), before.query_ids) for measure in alike}
    return Values(
        run="ceiling",
        contract=contract,
        measures=before.measures,
        query_ids=before.query_ids,
        per_query={name: rows[name].values for name in before.measures},
        means={name: rows[name].mean for name in before.measures},
        undefined={name: rows[name].undefined for name in before.measures if rows[name].undefined},
        groups={**before.groups, "tied": []},
        ties={name: tie for name in before.measures if (tie := rows[name].ties)},
    )


class _Row(NamedTuple):
    """One measure's part of the ceiling."""

    values: Sequence[Value]
    mean: Value
    undefined: Mapping[str, Sequence[str]]
    ties: TieRange | None


def _row(values: Values, name: str, query_ids: Sequence[str]) -> _Row:
    by_query = dict(zip(values.query_ids, values.per_query[name], strict=True))
    absent = [query for query in query_ids if query not in by_query]
    undefined = {**values.undefined.get(name, {}), **({ABSENT: absent} if absent else {})}
    return _Row(tuple(map(by_query.get, query_ids)), values.means[name], undefined, values.ties[name])


def _best_run(qrels: Qrels, found: Mapping[str, Frozen], worth: Mapping[Grade, float]) -> Run:
    rankings = {}
    for query, one in found.items():
        of_doc = {doc: -worth[grade] for doc, grade in qrels[query].items()}
        best = sorted(one.candidates, key=lambda doc: of_doc.get(doc, 0.0))
        rankings[query] = Ranking([*best, *one.rest])
    return Run("ceiling", rankings)
