"""Did the reranker keep to its candidates? It may reorder them, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from rankproof.contract import Contract
from rankproof.errors import Fault, Faults
from rankproof.model import Qrels, Ranking, Run
from rankproof.placements import ranked
from rankproof.words import counted


@dataclass(frozen=True, slots=True)
class Frozen:
    """One query's candidates, and what the reranked run made of them; document ids by rank."""

    candidates: Sequence[str]
    rest: Sequence[str]  # what stands below the candidates, as far down as the reranked run goes
    reranked: Sequence[str]  # the reranked run as it is
    new: Sequence[tuple[int, str]]  # (rank in the reranked run, document): neither a candidate nor left as it was
    dropped: Sequence[str]  # candidates that the reranked run lacks
    shorter: bool  # whether the first run holds more below the candidates than the reranked one


def frozen(
    qrels: Qrels, before: Run, after: Run, contract: Contract, *, depth: int | None = None, looked_at: int | None = None
) -> dict[str, Frozen]:
    """Return, for each judged query that the runs answer, its candidates and what breaks the freeze.

    The candidates are the first `depth` documents of `before` (None: all); what stands below them must stay where it
    was, up to where `after` ends. A candidate may be absent only where `after` was cut: it holds `looked_at` documents,
    and no measure looks further. Which documents a ranking holds follows the contract, whatever its depth and the sign
    of a score. Raises InputError for queries that one run answers and the other does not, ContractError as `ranked`.
    """
    listing = replace(contract, depth=None, non_positive_score="keep")
    faults, found = Faults(), {}
    for query in qrels:
        if (query in before.rankings) != (query in after.rankings):
            has, lacks = (before, after) if query in before.rankings else (after, before)
            hint = "a reranker is measured on the same queries: rerank each, or leave it out of both runs"
            faults.add(replace(_fault(lacks, query), message=f"absent, but {_name(has)} answers it", hint=hint))
        elif query in before.rankings:
            found[query] = _frozen(ranked(query, before, listing), ranked(query, after, listing), depth, looked_at)
    faults.raise_any()
    return found


def _frozen(before: Sequence[str], after: Sequence[str], depth: int | None, looked_at: int | None) -> Frozen:
    candidates = before[:depth]
    size, known, given_back = len(candidates), set(candidates), set(after)
    below = dict(enumerate(before[size:], size))
    new = [(at + 1, doc) for at, doc in enumerate(after) if doc not in known and below.get(at) != doc]
    was_cut = looked_at is not None and not new and len(after) >= min(looked_at, size)
    return Frozen(
        candidates=candidates,
        rest=before[size : len(after)],
        reranked=after,
        new=new,
        dropped=[] if was_cut else [doc for doc in candidates if doc not in given_back],
        shorter=max(size, len(after)) < len(before),
    )


def check(found: Mapping[str, Frozen], before: Run, after: Run) -> None:
    """Raise InputError naming query and document wherever the freeze is broken."""
    broken = [one for one in found.values() if one.new or one.dropped]
    if not broken:
        return
    faults, hints = Faults(), _hints(list(found.values()), before, after)
    for query, one in found.items():
        for fault in _broken(one, _fault(after, query), hints):
            faults.add(fault)
    faults.raise_any()


@dataclass(frozen=True, slots=True)
class _Hints:
    """What helps against documents from outside, and against candidates that are missing."""

    new: str
    dropped: str


def _broken(one: Frozen, where: Fault, hints: _Hints) -> Iterator[Fault]:
    """Yield a fault for all documents from outside, and one for all candidates that are missing."""
    if one.new:
        (rank, doc), more = one.new[0], len(one.new) - 1
        others = f"; nor {'is' if more == 1 else 'are'} {counted(more, 'other')}" if more else ""
        says = f"stands at rank {rank}, but is no candidate{others}"
        yield replace(where, message=says, doc_id=doc, hint=hints.new)
    if len(one.dropped) == 1:
        says = "is a candidate, but the reranked run lacks it"
        yield replace(where, message=says, doc_id=one.dropped[0], hint=hints.dropped)
    elif one.dropped:
        says = f"{len(one.dropped)} of {len(one.candidates)} candidates are missing, such as {one.dropped[0]}"
        yield replace(where, message=says, hint=hints.dropped)


def _hints(found: Sequence[Frozen], before: Run, after: Run) -> _Hints:
    """Return the hints that fit all queries together."""
    if _are_swapped(found):
        asked = (
            f"are the two runs swapped? For every query {_name(before)} holds what {_name(after)} holds, or less; "
            "the run from before reranking comes first. If they are not, --allow-new reports new documents apart"
        )
        return _Hints(asked, asked)
    new = "--allow-new reports it apart; --depth N says that only the first N were reranked, the rest left as it was"
    cut = "a reranker gives every candidate back; --rule depth=K compares runs of which only the first K were kept"
    if (first := _only_the_first(found)) is not None:
        most = max(len(one.candidates) for one in found)
        cut = (
            f"only the first {first} were reranked: --depth {first}; "
            f"all {most} were reranked and the rest cut off: --rule depth={first}"
        )
    elif not any(one.new for one in found):
        kept = min(len(one.reranked) for one in found if one.dropped)
        if kept:
            cut = f"if the rest was cut off after reranking, --rule depth={kept} compares the first {kept} places"
    return _Hints(new, cut)


def _are_swapped(found: Sequence[Frozen]) -> bool:
    """Return whether for every query the reranked run holds what the first one holds, and for one of them more."""
    whole = [([*one.candidates, *one.rest], one.reranked) for one in found if not one.shorter]
    return (
        len(whole) == len(found)
        and all(set(first) <= set(second) for first, second in whole)
        and any(set(first) < set(second) for first, second in whole)
    )


def _only_the_first(found: Sequence[Frozen]) -> int | None:
    """Return N where every query's reranked run holds its first N candidates, or all where there are fewer."""
    most = max(len(one.reranked) for one in found)
    if not most or not all(set(one.reranked) == set(one.candidates[:most]) for one in found):
        return None
    return most


def _fault(run: Run, query: str) -> Fault:
    return Fault("", run.source or run.name, query_id=query, about="run" if run.source else None)


def _name(run: Run) -> str:
    return run.source or run.name


def only(run: Run, kept: Mapping[str, AbstractSet[str]]) -> Run:
    """Return the run with no documents but these in the queries that `kept` names; other queries stay as they are."""
    rankings = {
        query: _only(ranking, kept[query]) if query in kept else ranking for query, ranking in run.rankings.items()
    }
    return replace(run, rankings=rankings)


def _only(ranking: Ranking, docs: AbstractSet[str]) -> Ranking:
    at = [index for index, doc in enumerate(ranking.doc_ids) if doc in docs]
    return Ranking(
        [ranking.doc_ids[index] for index in at],
        None if ranking.scores is None else [ranking.scores[index] for index in at],
        None if ranking.ranks is None else [ranking.ranks[index] for index in at],
        None if ranking.evidence is None else [ranking.evidence[index] for index in at],
    )
