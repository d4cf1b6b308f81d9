"""What did a reranker reach, of what was in reach?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from rankproof.arithmetic import SAME
from rankproof.compare import Comparison, compare_values, statistics_of
from rankproof.contract import Contract
from rankproof.model import Grade, Value
from rankproof.values import Values, shown
from rankproof.words import first_of, query_count

RECALL = "R"
"""Candidate recall: over all candidates, so that no order changes it."""


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
        recall = self.candidate_recall.means[RECALL]
        if recall is None:
            return "candidate recall is undefined: no query has a relevant document"
        why = "no order of them finds the others" if recall < 1 else "they hold every relevant document"
        return f"candidate recall {shown(recall)}: the candidates are the ceiling, {why}"

    @cached_property
    def comparison(self) -> Comparison | None:
        """Return what the differences show: intervals, p, verdicts; None where no measure is a mean over queries."""
        means = [name for name, measure in self.before.measures.items() if measure.over_queries == "mean"]
        return compare_values(self.before.only(means), [self.after.only(means)]) if means else None

    def moved(self) -> dict[str, int]:
        """Return how many relevant documents rose, fell, stayed, and are missing from either list."""
        both = [(move.before, move.after) for move in self.moves if move.before and move.after]
        found = {"rose": 0, "fell": 0, "stayed": 0, "missing": len(self.moves) - len(both)}
        for before, after in both:
            found["rose" if after < before else "fell" if after > before else "stayed"] += 1
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

    def notes(self) -> list[str]:
        """Return, as sentences: the contract, what is to be said of both runs, of the ceiling, of a broken freeze."""
        lines = [f"contract {self.contract.name} ({self.contract.fingerprint})"]
        for side, values in (("before", self.before), ("after", self.after)):
            lines += [f"{side} ({values.run}): {note}" for note in values.notes()]
        moved = self.moved()
        lines.append(
            f"relevant documents: {moved['rose']} rose, {moved['fell']} fell, {moved['stayed']} stayed, "
            f"{moved['missing']} are missing from one list or both"
        )
        for measure, reasons in self.ceiling.undefined.items():
            if self.ceiling.means[measure] is None and self.before.means[measure] is not None:
                lines += [f"{measure} has no ceiling: {reason}" for reason in reasons]
        if self.shortened:
            lines.append(f"before is looked at only as far as after goes in {_in_queries(self.shortened)}")
        for what, found in (("new, no candidates", self.new), ("missing candidates", self.dropped)):
            if found:
                count = sum(map(len, found.values()))
                lines.append(f"freeze broken: {count} documents are {what}, in {_in_queries(list(found))}")
        if self._broken:
            lines.append("the ceiling does not bound these queries: their share, and that of the means, is null")
        return lines


def _share(before: Value, after: Value, ceiling: Value) -> Value:
    if before is None or after is None or ceiling is None or abs(ceiling - before) < SAME:
        return None
    return (after - before) / (ceiling - before)


def _in_queries(query_ids: Sequence[str]) -> str:
    return f"{query_count(len(query_ids))} ({first_of(query_ids)})"
