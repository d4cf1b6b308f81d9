"""What did a reranker reach, of what was in reach?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from rankproof.arithmetic import SAME
from rankproof.compare import Comparison, Inputs, compare_values, statistics_of
from rankproof.compare.labels import with_labels
from rankproof.contract import Contract
from rankproof.model import Grade, Value
from rankproof.rerank import telling
from rankproof.rerank.telling import RECALL
from rankproof.tables import Table, as_html, as_text
from rankproof.values import Values

__all__ = ["RECALL", "Move", "Reranking"]


class Move(NamedTuple):
    """Where a relevant document stood before and after, by rank; None: it is not in that run's list."""

    query_id: str
    doc_id: str
    grade: Grade
    before: int | None
    after: int | None


@dataclass(frozen=True)
class Reranking:
    """A run before and after its candidates were reordered, and the best that any order of them gives.

    `before` and `after` hold the same queries in the same order; so do `ceiling` and the rows of `share_per_query`.
    Where `without_new` is not None the freeze was broken: `new` and `dropped` list the documents by query, and
    `without_new` holds the values of the reranked run with the new ones taken out.
    """

    before: Values
    after: Values
    ceiling: Values  # undefined for a measure whose best order is not known; its `undefined` says why
    candidate_recall: Values
    moves: Sequence[Move]
    depth: int | None = None
    new: Mapping[str, Sequence[str]] = field(default_factory=dict)
    dropped: Mapping[str, Sequence[str]] = field(default_factory=dict)
    shortened: Sequence[str] = ()  # queries whose first run was looked at only as far as the reranked run goes
    without_new: Values | None = None
    candidates: Mapping[str, int] = field(default_factory=dict)  # by query, how many
    looked_at: int | None = None  # the contract's depth, the deepest of all measures; None: there is none
    inputs: Inputs | None = field(default=None, compare=False)  # None: how complete the labels are is not said

    @property
    def contract(self) -> Contract:
        """Return the contract of all values."""
        return self.before.contract

    @cached_property
    def share(self) -> Mapping[str, Value]:
        """Return, by measure, the share of the reachable gain that was taken: of the means.

        (after - before) / (ceiling - before): 1 where all was taken, below 0 where reranking did harm. None where the
        ceiling is no higher than before, is not known, or does not bound the reranked run because the freeze was
        broken; and where the means are over different queries.
        """
        return {
            measure: _share(self.before.means[measure], self.after.means[measure], self.ceiling.means[measure])
            if self._is_bounded(measure)
            else None
            for measure in self.before.measures
        }

    @cached_property
    def share_per_query(self) -> Mapping[str, Sequence[Value]]:
        """Return, by measure, each query's own share, parallel to `before.query_ids`."""
        return {measure: tuple(self._shares(measure)) for measure in self.before.measures}

    def _rows(self, measure: str) -> list[tuple[str, Value, Value, Value]]:
        sides = (one.per_query[measure] for one in (self.before, self.after, self.ceiling))
        return list(zip(self.before.query_ids, *sides, strict=True))

    def _is_bounded(self, measure: str) -> bool:
        return all(
            (before is None) == (after is None) == (ceiling is None)
            and not (after is not None and query in self._broken)
            for query, before, after, ceiling in self._rows(measure)
        )

    def _shares(self, measure: str) -> Iterable[Value]:
        for query, before, after, ceiling in self._rows(measure):
            yield None if query in self._broken else _share(before, after, ceiling)

    @property
    def _broken(self) -> AbstractSet[str]:
        return {*self.new, *self.dropped}

    @property
    def recall_says(self) -> str:
        """Return candidate recall as a sentence."""
        return telling.recall_words(self).en

    @cached_property
    def comparison(self) -> Comparison | None:
        """Return what the differences show: intervals, p, verdicts; None where no measure is a mean over queries."""
        means = [name for name, measure in self.before.measures.items() if measure.over_queries == "mean"]
        if not means:
            return None
        before, after = self.before.only(means), self.after.only(means)
        if after.run == before.run:
            after = replace(after, run=f"{after.run}, reranked")
        found = compare_values(before, [after])
        return found if self.inputs is None else with_labels(found, self.inputs, None)

    def direction(self, move: Move) -> str:
        """Return whether a document rose, fell, stayed, or is missing from a list, so that nothing can be said.

        Of a reranked run that was cut at the contract's depth, a document that stood within it and is gone fell.
        """
        if move.before is not None and move.after is not None:
            return "rose" if move.after < move.before else "fell" if move.after > move.before else "stayed"
        cut_off = (
            self.looked_at is not None
            and move.before is not None
            and move.before <= self.looked_at
            and move.query_id not in self._broken
            and (self.depth is None or move.before <= self.depth)
        )
        return "fell" if cut_off else "missing"

    def moved(self) -> dict[str, int]:
        """Return how many relevant documents rose, fell, stayed, and are missing from either list."""
        found = dict.fromkeys(("rose", "fell", "stayed", "missing"), 0)
        for move in self.moves:
            found[self.direction(move)] += 1
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return what `rankproof rerank QRELS BEFORE AFTER --format json` writes."""
        return {
            "contract": self.contract.to_dict(),
            "depth": self.depth,
            "candidate_recall": self.candidate_recall.to_dict(),
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "ceiling": self.ceiling.to_dict(),
            "share": dict(self.share),
            "share_per_query": {
                "query_ids": list(self.before.query_ids),
                "values": {measure: list(row) for measure, row in self.share_per_query.items()},
            },
            "moved": self.moved(),
            "moves": [move._asdict() for move in self.moves],
            "new": {query: list(docs) for query, docs in self.new.items()},
            "dropped": {query: list(docs) for query, docs in self.dropped.items()},
            "shortened": list(self.shortened),
            "statistics": None if self.comparison is None else statistics_of(self.comparison),
            "without_new": None if self.without_new is None else self.without_new.to_dict(),
        }

    def tables(self) -> list[Table]:
        """Return before, after, ceiling and share; what the differences show; how complete the labels are."""
        return telling.reranking_tables(self)

    def notes(self) -> list[str]:
        """Return, as sentences: the contract, both runs, the ceiling, how they were compared, what is not shown."""
        return telling.notes(self)

    def __repr__(self) -> str:
        """Return the tables and notes, to read."""
        return "\n".join([self.recall_says, "", as_text(self.tables(), styled=False), *self.notes()])

    def _repr_html_(self) -> str:
        """Return tables and notes, as a notebook shows them."""
        return as_html(self.tables(), [self.recall_says, *self.notes()])


def _share(before: Value, after: Value, ceiling: Value) -> Value:
    if before is None or after is None or ceiling is None or abs(ceiling - before) < SAME:
        return None
    return (after - before) / (ceiling - before)
