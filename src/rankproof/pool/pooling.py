"""Which documents of these runs should be judged next?"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from rankproof.arithmetic import check_count, over_queries
from rankproof.contract import Contract
from rankproof.errors import ContractError, Fault, Faults, RankproofError
from rankproof.formats import as_qrels, as_runs
from rankproof.formats.places import with_lines
from rankproof.formats.table import runs_only
from rankproof.formats.texts import Text, as_texts
from rankproof.model import Qrels, Run, Value
from rankproof.placements import ranked
from rankproof.pool import telling, writing
from rankproof.presets import contract as contract_of
from rankproof.tables import Table, Told


class Pooled(NamedTuple):
    """A document to judge for a query, and the rank at which each run holds it within the pool's depth."""

    query_id: str
    doc_id: str
    ranks: Mapping[str, int]  # by run, in the order given

    @property
    def held_by(self) -> int:
        """Return how many runs hold it."""
        return len(self.ranks)

    @property
    def best_rank(self) -> int:
        """Return its best rank, from 1."""
        return min(self.ranks.values())


class PooledQuery(NamedTuple):
    """What the pool of one query holds: how many documents, and how many of these each way."""

    pooled: int
    judged: int
    to_judge: int
    left_out: int  # neither judged nor taken


@dataclass(frozen=True, slots=True)
class RunInPool:
    """How much of what one run adds to the pool is judged already."""

    run: str
    per_query: Mapping[str, tuple[int, int]]  # of each query it answers: documents within the depth, judged ones
    short: Sequence[str]  # the queries for which it returns fewer documents than the depth

    @property
    def documents(self) -> int:
        """Return how many documents it adds, over all queries."""
        return sum(documents for documents, _ in self.per_query.values())

    @property
    def judged(self) -> int:
        """Return how many of these are judged."""
        return sum(judged for _, judged in self.per_query.values())

    @property
    def judged_share(self) -> Value:
        """Return Judged@depth: the mean share over the queries with results, from 0 to 1; None where it has none.

        A query without judgments counts as 0 here; the measure Judged leaves it out.
        """
        shares = (judged / documents for documents, judged in self.per_query.values() if documents)
        return over_queries(shares, "mean", "exact")

    def to_dict(self) -> dict[str, Any]:
        """Return the counts and the share, ready for JSON."""
        counts = {"queries": len(self.per_query), "documents": self.documents, "judged": self.judged}
        return {"run": self.run, **counts, "judged_share": self.judged_share, "short": list(self.short)}


@dataclass(frozen=True, repr=False)
class Pool(Told):
    """The documents to judge: each query's in an order that tells neither rank nor run."""

    contract: Contract
    depth: int
    take: int | None
    seed: int
    documents: Sequence[Pooled]
    queries: Mapping[str, PooledQuery]
    runs: Sequence[RunInPool]
    against_qrels: bool = False  # whether judgments were given
    query_texts: Mapping[str, Text] | None = None  # None: no file of texts was given
    doc_texts: Mapping[str, Text] | None = field(default=None)

    @cached_property
    def left_out(self) -> int:
        """Return how many unjudged documents `take` leaves out."""
        return sum(query.left_out for query in self.queries.values())

    def rows(self, *, show_runs: bool = False) -> list[dict[str, Any]]:
        """Return a row a document, for a judge to fill in `grade`; `show_runs` tells who holds it, and where."""
        return [telling.row_of(self, one, show_runs=show_runs) for one in self.documents]

    def as_rows(self, kind: str, *, show_runs: bool = False) -> str:
        """Return the rows as `jsonl`, `csv` or `tsv`, which `merge_judges` reads back."""
        columns = telling.pool_columns(self, show_runs=show_runs)
        return writing.as_rows(columns, self.rows(show_runs=show_runs), kind)

    def write(self, path: str | Path, *, show_runs: bool = False) -> None:
        """Write the rows to a file whose name ends in .jsonl, .csv or .tsv, whole or not at all."""
        columns = telling.pool_columns(self, show_runs=show_runs)
        writing.write_rows(columns, self.rows(show_runs=show_runs), path)

    def to_dict(self, *, show_runs: bool = False) -> dict[str, Any]:
        """Return what `rankproof pool --format json` writes."""
        return {
            "contract": self.contract.to_dict(),
            "depth": self.depth,
            "take": self.take,
            "seed": self.seed,
            "to_judge": len(self.documents),
            "left_out": self.left_out,
            "runs": [run.to_dict() for run in self.runs],
            "queries": {query: counts._asdict() for query, counts in self.queries.items()},
            "documents": self.rows(show_runs=show_runs),
            "notes": self.notes(),
        }

    def tables(self, *, per_query: bool = False) -> list[Table]:
        """Return a row a run: what it adds, and how much is judged; with `per_query` a row a query too."""
        return telling.pool_tables(self, per_query=per_query)

    def notes(self) -> list[str]:
        """Return how many judgments are to make, and what was left out or is missing, as sentences."""
        return list(telling.pool_notes(self))


def pool(  # noqa: PLR0913 - keyword-only settings
    runs: Any,
    *,
    depth: int = 10,
    qrels: Any = None,
    take: int | None = None,
    queries: Any = None,
    corpus: Any = None,
    seed: int = 1,
    contract: str | Path | Mapping[str, Any] | Contract = "rankproof",
    **rules: object,
) -> Pool:
    """Return the documents to judge: the union of each run's first `depth` for each query, less those judged.

    Runs and `qrels` as for `evaluate`; ranks by the contract (depth pooling, as at TREC: Sparck Jones & van Rijsbergen
    1975). `take` keeps at most so many a query: those held by most runs, among these the best rank first, among these
    by the hash. A query's documents stand in the order of a hash of seed, query and document, whatever their ranks.
    `queries` and `corpus` are texts by id, to stand beside the ids. InputError and ContractError as `evaluate`, also
    where no query of the runs is in the qrels; MeasureError for a depth or take below 1.
    """
    check_count("depth", depth)
    if take is not None:
        check_count("take", take)
    given = contract_of(contract, **rules)
    with runs_only("give them as --qrels (qrels=)"):
        named = as_runs(runs, given)[0]
    judged = {} if qrels is None else _judged(as_qrels(qrels, given), named, given)
    try:
        found = {query: _of_query(query, named, depth, given) for query in _queries(named)}
    except RankproofError as error:
        raise with_lines(error, None) from error
    documents, counts = _chosen(found, judged, take, seed)
    return Pool(
        given,
        depth,
        take,
        seed,
        documents,
        counts,
        [_run_in_pool(run.name, found, judged, depth) for run in named],
        qrels is not None,
        None if queries is None else as_texts(queries, "queries"),
        None if corpus is None else as_texts(corpus, "documents", list({one.doc_id for one in documents})),
    )


_InRuns = Mapping[str, Sequence[str]]
"""Of one query, the first documents of each run that answers it."""


def _queries(runs: Sequence[Run]) -> list[str]:
    return list(dict.fromkeys(query for run in runs for query in run.rankings))


def _of_query(query: str, runs: Sequence[Run], depth: int, contract: Contract) -> _InRuns:
    return {run.name: ranked(query, run, contract)[:depth] for run in runs if query in run.rankings}


def _judged(qrels: Qrels, runs: Sequence[Run], contract: Contract) -> Mapping[str, Collection[str]]:
    """Return the judged documents by query: a negative grade says what the contract says it says."""
    if not any(query in qrels for query in _queries(runs)):
        seen = f"the qrels begin with {next(iter(qrels), '')!r}, the runs with {next(iter(_queries(runs)), '')!r}"
        hint = "compare the query ids: a prefix, zero padding or another case is enough to part them"
        raise ContractError(Fault(f"no query in common with the qrels: {seen}", hint=hint))
    faults, found = Faults(ContractError), dict[str, frozenset[str]]()
    counts = contract.negative_grade == "non-relevant"
    for query, judgments in qrels.items():
        found[query] = frozenset(doc for doc, grade in judgments.items() if counts or grade >= 0)
        for doc, grade in judgments.items() if contract.negative_grade == "error" else ():
            if grade < 0:
                faults.add(Fault(f"grade {grade}", query_id=query, doc_id=doc, expected="a grade of 0 or more"))
    faults.raise_any()
    return found


def _chosen(
    found: Mapping[str, _InRuns], judged: Mapping[str, Collection[str]], take: int | None, seed: int
) -> tuple[list[Pooled], dict[str, PooledQuery]]:
    documents, counts = list[Pooled](), dict[str, PooledQuery]()
    for query, in_runs in found.items():
        pooled = _union(query, in_runs)
        place = {one.doc_id: _hash(seed, query, one.doc_id) for one in pooled}
        open_ones = [one for one in pooled if one.doc_id not in judged.get(query, ())]
        open_ones.sort(key=lambda one: (-one.held_by, one.best_rank, place[one.doc_id]))
        taken = open_ones[:take]
        documents += sorted(taken, key=lambda one: place[one.doc_id])
        counts[query] = PooledQuery(len(pooled), len(pooled) - len(open_ones), len(taken), len(open_ones) - len(taken))
    return documents, counts


def _union(query: str, in_runs: _InRuns) -> list[Pooled]:
    ranks: dict[str, dict[str, int]] = {}
    for run, docs in in_runs.items():
        for rank, doc in enumerate(docs, 1):
            ranks.setdefault(doc, {})[run] = rank
    return [Pooled(query, doc, at) for doc, at in ranks.items()]


def _hash(seed: int, query: str, doc: str) -> bytes:
    return blake2b(json.dumps([seed, query, doc]).encode(), digest_size=16).digest()


def _run_in_pool(
    run: str, found: Mapping[str, _InRuns], judged: Mapping[str, Collection[str]], depth: int
) -> RunInPool:
    per_query = {}
    for query, in_runs in found.items():
        if run in in_runs:
            known = judged.get(query, ())
            per_query[query] = (len(in_runs[run]), sum(doc in known for doc in in_runs[run]))
    return RunInPool(run, per_query, [query for query, (documents, _) in per_query.items() if documents < depth])
