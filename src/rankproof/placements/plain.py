"""Placements with the standard library: the road that is kept for ever, and that others are checked against.

The steps, in this order: own document and dropped scores, order and ties, duplicates, depth, condensing. The cutoff
belongs to the measures.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from rankproof.contract import Contract
from rankproof.errors import ContractError, Fault, Faults
from rankproof.model import Grade, Join, Placements, Qrels, Ranking, Run, Tie
from rankproof.placements.order import Order, Places, entries

_EMPTY = Ranking(())

PlacesOf: TypeAlias = Callable[[str, Ranking, Contract], Places]
"""What gives the places of a query's entries, from its id, its ranking (empty where the run lacks it), the contract."""


def ordered(query: str, ranking: Ranking, contract: Contract) -> Order:
    """Return the places of a ranking's entries, without those that the contract takes out beforehand."""
    return Order(entries(query, ranking, contract), contract.ties)


def place(
    qrels: Qrels, run: Run, contract: Contract, *, with_doc_ids: bool = False, places_of: PlacesOf = ordered
) -> Join:
    """Join a run with judgments under a contract; `with_doc_ids` keeps the ids of the placed documents.

    `places_of` lets places be counted elsewhere: then the run's rankings say no more than which queries it answers.
    Raises ContractError for what the contract forbids, with the query and, where there is one, the document.
    """
    missing = tuple(query for query in qrels if query not in run.rankings)
    unjudged = tuple(query for query in run.rankings if query not in qrels)
    where, faults = run.source or run.name, Faults(ContractError)
    if len(missing) == len(qrels):
        seen = f"the qrels begin with {_first(qrels)}, the run with {_first(run.rankings)}"
        hint = "compare the query ids: a prefix, zero padding or another case is enough to part them"
        raise ContractError(Fault(f"no query in common with the qrels: {seen}", where, hint=hint))
    for query in unjudged if contract.unjudged_query == "error" else ():
        hint = "--rule unjudged-query=skip leaves it out"
        faults.add(Fault("in the run, but without judgments", where, query_id=query, hint=hint))
    queries: dict[str, Placements] = {}
    for query, judgments in qrels.items():
        try:
            at = place_query(query, judgments, run, contract, with_doc_ids=with_doc_ids, places_of=places_of)
        except ContractError as error:
            for fault in error.faults:
                faults.add(fault)
        else:
            if at is not None:
                queries[query] = at
    faults.raise_any()
    return Join(run.name, contract, queries, missing, unjudged)


def _first(queries: Iterable[str]) -> str:
    return next((repr(query) for query in queries), "nothing")


def place_query(
    query: str,
    judgments: Mapping[str, Grade],
    run: Run,
    contract: Contract,
    *,
    with_doc_ids: bool = False,
    places_of: PlacesOf = ordered,
) -> Placements | None:
    """Return where one query's judged documents stand; None where the run lacks it and the contract leaves it out.

    Raises ContractError as `place` does.
    """
    if query not in run.rankings:
        if contract.missing_query == "skip":
            return None
        _check_missing(query, judgments, run, contract)
    try:
        judgments = read_grades(query, judgments, contract)
        placed = _placed(query, judgments, places_of(query, run.rankings.get(query, _EMPTY), contract), contract)
        return finished(placed, judgments.values(), contract, with_doc_ids=with_doc_ids)
    except ContractError as error:
        raise ContractError(*(_naming_the_run(fault, run) for fault in error.faults)) from error


def ranked(query: str, run: Run, contract: Contract) -> list[str]:
    """Return a query's documents by rank, each once, up to the contract's depth; none where the run lacks the query.

    Under expected ties, whose order is open, tied documents stand by id, descending. Raises ContractError as `place`.
    """
    order, counting = _counting(query, run, contract)
    docs = order.doc_ids
    return [docs[at] for at in order.places() if counting[docs[at]] == at][: contract.depth]


def ranked_groups(query: str, run: Run, contract: Contract) -> list[list[str]]:
    """Return what `ranked` does, in groups of equal scores: they are ties, whatever rule orders them within a group."""
    order, counting = _counting(query, run, contract)
    documents = sorted((order.rank(at), order.block(at), doc) for doc, at in counting.items())[: contract.depth]
    groups: dict[tuple[int, int], list[str]] = {}
    for _, block, doc in documents:
        groups.setdefault(block, []).append(doc)
    return list(groups.values())


def _counting(query: str, run: Run, contract: Contract) -> tuple[Order, dict[str, int]]:
    """Return the order of a query's entries, and the index at which each document counts."""
    try:
        order = ordered(query, run.rankings.get(query, _EMPTY), contract)
        return order, _duplicates(query, order, contract)[0]
    except ContractError as error:
        raise ContractError(*(_naming_the_run(fault, run) for fault in error.faults)) from error


def _check_missing(query: str, judgments: Mapping[str, Grade], run: Run, contract: Contract) -> None:
    """Refuse a missing query if the contract does; without relevant documents it counts as that first, unless 0."""
    counts = contract.no_relevant == "zero" or any(grade >= contract.relevant_from for grade in judgments.values())
    if contract.missing_query == "error" and counts:
        hint = "--rule missing-query=zero counts it as an empty ranking, =skip leaves it out"
        where = run.source or run.name
        raise ContractError(Fault("judged, but absent from the run", where, query_id=query, hint=hint))


def _naming_the_run(fault: Fault, run: Run) -> Fault:
    """Return a fault of a run with the run's file, or, where it came from no file, with its name."""
    if fault.about != "run":
        return fault
    return replace(fault, file=run.source) if run.source else replace(fault, file=run.name, about=None)


def rules_that_place(contract: Contract) -> tuple[object, ...]:
    """Return what `place` reads of a contract: two contracts that agree in it place a run alike."""
    asks = contract.missing_query == "error" and contract.no_relevant != "zero"
    return (
        *contract.items("place"),
        contract.missing_query,
        contract.unjudged_query,
        (contract.relevant_from, contract.no_relevant) if asks else None,
    )


def _check_grades(query: str, judgments: Mapping[str, Grade]) -> None:
    faults = Faults(ContractError)
    place = Fault("", about="qrels", column="grade", query_id=query, expected="a grade of 0 or more")
    for doc, grade in judgments.items():
        if grade < 0:
            faults.add(replace(place, message=f"grade {grade}", doc_id=doc))
    faults.raise_any()


@dataclass(slots=True)
class Placed:
    """One query's placements on their way through the steps."""

    documents: list[tuple[int, Grade, str]]  # (rank, grade, doc_id), ascending
    ties: list[Tie]
    repeats: list[tuple[int, bool]]  # (rank, whether the document is judged), ascending
    evidence: list[int] | None
    returned: int
    copies: int


def read_grades(query: str, judgments: Mapping[str, Grade], contract: Contract) -> Mapping[str, Grade]:
    """Return a query's grades under the rule for those below 0. ContractError where it refuses one."""
    if contract.negative_grade == "error":
        _check_grades(query, judgments)
    elif contract.negative_grade == "non-relevant":
        return {doc: max(grade, 0) for doc, grade in judgments.items()}
    return judgments


def finished(placed: Placed, pool: Iterable[Grade], contract: Contract, *, with_doc_ids: bool = False) -> Placements:
    """Return the placements of one query, cut at the depth and condensed; `pool`: all grades that its qrels list."""
    if contract.depth is not None:
        _cut(placed, contract.depth)
    if contract.unjudged == "condensed":
        _condense(placed)
    return Placements(
        ranks=[rank for rank, _, _ in placed.documents],
        grades=[grade for _, grade, _ in placed.documents],
        pool=sorted(pool, reverse=True),
        returned=placed.returned,
        ties=placed.ties,
        repeats=[rank for rank, _ in placed.repeats],
        evidence=placed.evidence,
        doc_ids=[doc for _, _, doc in placed.documents] if with_doc_ids else None,
        copies=placed.copies,
    )


def _placed(query: str, judgments: Mapping[str, Grade], order: Places, contract: Contract) -> Placed:
    counting, repeats = _duplicates(query, order, contract)
    copies = len(repeats)
    if repeats and contract.duplicate_slot == "removed":
        order, repeats = order.without(repeats), set()
        counting = {doc: at for at, doc in enumerate(order.doc_ids)}
    found = {doc: counting[doc] for doc in judgments if doc in counting}
    marked = None if order.evidence is None else [at for at, mark in enumerate(order.evidence) if mark]
    return Placed(
        documents=sorted((order.rank(at), judgments[doc], doc) for doc, at in found.items()),
        ties=_ties(order, [(at, judgments[doc]) for doc, at in found.items()], [*repeats, *(marked or ())]),
        repeats=sorted((order.rank(at), judgments.get(order.doc_ids[at], -1) >= 0) for at in repeats),
        evidence=None if marked is None else sorted(map(order.rank, marked)),
        returned=order.returned,
        copies=copies,
    )


def _ties(order: Places, judged: Sequence[tuple[int, Grade]], others: Iterable[int]) -> list[Tie]:
    marked = set(map(order.block, others))
    grades_in: dict[tuple[int, int], list[Grade]] = {block: [] for block in marked}
    for at, grade in judged:
        grades_in.setdefault(order.block(at), []).append(grade)
    return [
        Tie(first, last, tuple(sorted(grades, reverse=True)), (first, last) in marked)
        for (first, last), grades in sorted(grades_in.items())
        if first < last
    ]


def _duplicates(query: str, order: Places, contract: Contract) -> tuple[dict[str, int], set[int]]:
    """Return the index at which each document counts, and the indexes of its repeats."""
    doc_ids = order.doc_ids
    last = {doc: at for at, doc in enumerate(doc_ids)}
    if len(last) == len(doc_ids) or contract.duplicate_document == "unchecked":
        return last, set()
    places: dict[str, list[int]] = {}
    for at, doc in enumerate(doc_ids):
        places.setdefault(doc, []).append(at)
    if contract.duplicate_document == "error":
        doc, (one, other, *_) = next((doc, at) for doc, at in places.items() if len(at) > 1)
        hint = "--rule duplicate-document=keep-first, keep-best or keep-last says which one counts"
        message = f"stands twice: {_ordinal(one)} and {_ordinal(other)} of the query's results"
        raise ContractError(Fault(message, about="run", query_id=query, doc_id=doc, hint=hint))
    if contract.duplicate_document == "keep-first":
        counting = {doc: at[0] for doc, at in places.items()}
    elif contract.duplicate_document == "keep-last":
        counting = last
    else:
        counting = {doc: _best(query, doc, at, order, contract) for doc, at in places.items()}
    return counting, {at for at, doc in enumerate(doc_ids) if counting[doc] != at}


def _ordinal(at: int) -> str:
    return f"no. {at + 1}"


def _best(query: str, doc: str, places: Sequence[int], order: Places, contract: Contract) -> int:
    best = min(places, key=order.rank)
    if contract.ties == "expected" and [order.block(at) for at in places].count(order.block(best)) > 1:
        hint = "--rule duplicate-document=keep-first, or another tie rule"
        message = "stands twice with the same score: under expected ties it is open which one ranks best"
        raise ContractError(Fault(message, about="run", query_id=query, doc_id=doc, hint=hint))
    return best


def _cut(placed: Placed, depth: int) -> None:
    placed.documents = [document for document in placed.documents if document[0] <= depth]
    placed.ties = [tie for tie in placed.ties if tie.first <= depth]
    placed.repeats = [repeat for repeat in placed.repeats if repeat[0] <= depth]
    placed.evidence = None if placed.evidence is None else [rank for rank in placed.evidence if rank <= depth]
    placed.returned = min(placed.returned, depth)


def _condense(placed: Placed) -> None:
    """Take out the unjudged (a grade below 0 that is still here says so): judged documents, and repeats, move up."""
    documents = [one for one in placed.documents if one[1] >= 0]
    repeats = [rank for rank, judged in placed.repeats if judged]
    kept = sorted([*(rank for rank, _, _ in documents), *repeats])
    new_rank = {rank: at for at, rank in enumerate(kept, 1)}
    ties = []
    for tie in placed.ties:
        first, last = bisect_left(kept, tie.first) + 1, bisect_right(kept, tie.last)
        if tie.last > placed.returned:  # it crosses the depth: how much of it is condensed is open
            last = max(last, first + 1, len(kept) + 1)
        if first < last:
            ties.append(Tie(first, last, tuple(grade for grade in tie.grades if grade >= 0), tie.marked))
    placed.ties = ties
    placed.documents = [(new_rank[rank], grade, doc) for rank, grade, doc in documents]
    placed.repeats = [(new_rank[rank], True) for rank in repeats]
    if placed.evidence is not None:
        placed.evidence = [new_rank[rank] for rank in placed.evidence if rank in new_rank]
    placed.returned = len(kept)
