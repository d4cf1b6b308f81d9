"""Where do judged documents stand, when the rows above them have been counted elsewhere?"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankproof.contract import Contract
from rankproof.errors import Fault, InputError
from rankproof.model import Join, Qrels, Ranking, Run
from rankproof.placements.plain import place
from rankproof.spark.counting import NAMED
from rankproof.spark.row_rules import positions, row_rules
from rankproof.spark.summed import Summed, Tally, check_apart, check_positions, check_vouched
from rankproof.spark.wanted import Wanted


@dataclass(frozen=True, slots=True)
class CountedPlaces:
    """The places of some entries of a ranking, as they were counted: parallel sequences (`Places`)."""

    doc_ids: Sequence[str] = ()
    blocks: Sequence[tuple[int, int]] = ()
    ranks: Sequence[int] = ()
    returned: int = 0
    evidence: None = None

    def block(self, at: int) -> tuple[int, int]:
        """Return the first and the last place that the entry at this index can take."""
        return self.blocks[at]

    def rank(self, at: int) -> int:
        """Return the place of the entry at this index."""
        return self.ranks[at]

    def without(self, indexes: Collection[int]) -> CountedPlaces:
        """Return the places of the other entries once those at these indexes are taken out of the ranking."""
        out = set(indexes)
        kept = [at for at in range(len(self.doc_ids)) if at not in out]
        ranks = sorted(self.ranks[at] for at in out)
        starts = sorted(self.blocks[at][0] for at in out)  # blocks lie apart: their first places say which is meant

        def moved(block: tuple[int, int]) -> tuple[int, int]:
            return block[0] - bisect_left(starts, block[0]), block[1] - bisect_right(starts, block[0])

        return CountedPlaces(
            [self.doc_ids[at] for at in kept],
            [moved(self.blocks[at]) for at in kept],
            [self.ranks[at] - bisect_left(ranks, self.ranks[at]) for at in kept],
            self.returned - len(out),
        )


@dataclass(frozen=True)
class CountedRun:
    """One run as it was counted: the places of each query that it answers, and the queries without judgments."""

    name: str
    places: Mapping[str, CountedPlaces]
    unjudged: Sequence[str] = ()  # the first by their ids
    has_more_unjudged: bool = False

    def join(self, qrels: Qrels, contract: Contract) -> Join:
        """Return the placements, by the steps that place any run. Raises ContractError as these do."""
        answered = dict.fromkeys([*self.places, *self.unjudged], Ranking(()))
        nothing = CountedPlaces()
        return place(
            qrels,
            Run(self.name, answered),
            contract,
            places_of=lambda query, _ranking, _contract: self.places.get(query, nothing),
        )


def runs_of_counts(
    wanted: Wanted, hits: Any, counts: Any, contract: Contract, *, name: str = "run", named: int = NAMED
) -> list[CountedRun]:
    """Return the runs as they were counted: `hits` are the rows that `wanted_rows` returned, `counts` their sums.

    `name` is that of a run whose table names none; `named` as of `RowCounter`. Raises InputError for rows that cannot
    be read, ContractError for what the contract refuses.
    """
    if not counts.num_rows:
        raise InputError(Fault("holds no results", name))
    rules = row_rules(contract, hits.column_names)
    tally = Tally(counts)
    tally.check_rows(name)
    summed = Summed(wanted, tally, greater_wins=rules.greater_wins)
    check_positions(wanted, tally, hits, name)
    if rules.apart:
        check_apart(summed, hits, name)
    check_vouched(wanted, hits, contract, name)
    order = _order_given(wanted, hits)
    docs, ranks = hits.column("doc_id").take(order).to_pylist(), summed.ranks[order].tolist()
    blocks = list(zip(summed.first[order].tolist(), summed.last[order].tolist(), strict=True))
    queries, bounds, found = wanted.queries.to_pylist(), summed.bounds.tolist(), []
    returned, answered = summed.kept.tolist(), summed.answered.tolist()
    for at, run in enumerate(wanted.runs):
        places = {}
        for group, query in enumerate(queries, at * len(queries)):
            if answered[group]:
                part = slice(bounds[group], bounds[group + 1])
                places[query] = CountedPlaces(docs[part], blocks[part], ranks[part], returned[group])
        found.append(CountedRun(run or name, places, *tally.unjudged(at, named)))
    return found


def _order_given(wanted: Wanted, hits: Any) -> Any:
    """Return the rows, group by group, in the order given where there is a position."""
    import numpy as np  # noqa: PLC0415 - loaded where it counts

    if "position" not in hits.column_names:
        return np.arange(len(wanted.keys))
    return np.lexsort((positions(hits), wanted.groups))
