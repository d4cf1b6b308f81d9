"""Did the reranker keep to its candidates? It may reorder them, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from rankproof.contract import Contract
from rankproof.errors import Fault, Faults
from rankproof.model import Qrels, Ranking, Run
from rankproof.placements import ranked


@dataclass(frozen=True, slots=True)
class Frozen:
    """One query's candidates, and what the reranked run made of them; document ids by rank."""

    candidates: Sequence[str]
    rest: Sequence[str]  # what stands below the candidates, as far down as the reranked run goes
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
            faults.add(replace(_fault(lacks, query), message=f"absent, but {_name(has)} answers it"))
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
        new=new,
        dropped=[] if was_cut else [doc for doc in candidates if doc not in given_back],
        shorter=max(size, len(after)) < len(before),
    )


def check(found: Mapping[str, Frozen], after: Run) -> None:
    """Raise InputError naming query and document wherever the freeze is broken."""
    faults = Faults()
    for query, one in found.items():
        for fault in _broken(one, _fault(after, query)):
            faults.add(fault)
    faults.raise_any()


def _broken(one: Frozen, where: Fault) -> Iterator[Fault]:
    hint = "--allow-new reports it apart; --depth N says that only the first N were reranked, the rest left as it was"
    for rank, doc in one.new:
        yield replace(where, message=f"stands at rank {rank}, but is no candidate", doc_id=doc, hint=hint)
    hint = "a reranker gives every candidate back; --rule depth=K compares runs of which only the first K were kept"
    for doc in one.dropped:
        yield replace(where, message="is a candidate, but the reranked run lacks it", doc_id=doc, hint=hint)


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
