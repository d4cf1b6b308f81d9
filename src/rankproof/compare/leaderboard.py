"""Which of several systems can the data tell apart, and which stand together?"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from rankproof.arithmetic import SAME, over_queries
from rankproof.compare import telling_boards
from rankproof.compare.compare import DEFAULT_MEASURES, values_of_answered
from rankproof.compare.correct import CORRECTIONS
from rankproof.compare.differences import mean_intervals, tested
from rankproof.compare.intervals import Interval
from rankproof.compare.pairs import Families, Pairs, check_comparable, check_means, check_names, pairs_of
from rankproof.compare.settings import Settings, settings_and_rules, settings_of
from rankproof.compare.significance import sign_floor
from rankproof.compare.tukey import tukey
from rankproof.contract import Contract
from rankproof.errors import Fault, InputError, MeasureError, RankproofError
from rankproof.evaluate import file_of
from rankproof.formats import as_qrels, as_runs, read_families
from rankproof.formats.places import with_lines
from rankproof.measures import Measure, parse_all
from rankproof.model import Value
from rankproof.presets import contract as contract_of
from rankproof.similarity.correlation import OrderSimilarity, order_similarity
from rankproof.tables import Table, Told
from rankproof.values import ValuesOfRuns

DEFAULTS: Mapping[str, Any] = {"correction": "tukey", "permutations": 10_000}
"""Settings of a leaderboard where none are given: every pair is looked at, so all are corrected for."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One system under one measure; systems that share a group cannot be told apart by these queries."""

    run: str
    mean: Value
    interval: Interval | None
    groups: Sequence[str]


@dataclass(frozen=True, slots=True)
class Board:
    """One measure's order of the systems, best first; `deltas` and `p` are matrices in that order, row minus column."""

    measure: str
    higher_is_better: bool
    query_ids: Sequence[str]
    left_out: Sequence[str]
    units: int
    standings: Sequence[Standing]
    deltas: Sequence[Sequence[Value]]
    p: Sequence[Sequence[float | None]]

    @property
    def way(self) -> int:
        """Return 1 where higher values are better, -1 where lower ones are."""
        return 1 if self.higher_is_better else -1

    def to_dict(self) -> dict[str, Any]:
        """Return the board, ready for JSON."""
        return {
            "measure": self.measure,
            "higher_is_better": self.higher_is_better,
            "queries": len(self.query_ids),
            "units": self.units,
            "left_out": list(self.left_out),
            "standings": [
                {
                    "run": one.run,
                    "mean": one.mean,
                    "interval": None if one.interval is None else list(one.interval),
                    "groups": list(one.groups),
                }
                for one in self.standings
            ],
            "deltas": [list(row) for row in self.deltas],
            "adjusted_p": [list(row) for row in self.p],
        }


@dataclass(frozen=True, eq=False, repr=False)
class Leaderboard(Told):
    """Several systems under one contract, a board a measure, and how alike the measures order the systems."""

    settings: Settings
    values: ValuesOfRuns
    boards: Mapping[str, Board]
    clustered: bool = False

    @property
    def contract(self) -> Contract:
        """Return the contract of all values."""
        return next(iter(self.values.values())).contract

    @property
    def orders(self) -> dict[tuple[str, str], OrderSimilarity]:
        """Return, for each two measures, how alike they order the systems; means that differ by rounding are tied."""
        means = {
            name: {
                one.run: round(one.mean * board.way / SAME) * SAME for one in board.standings if one.mean is not None
            }
            for name, board in self.boards.items()
        }
        return {(one, other): order_similarity(means[one], means[other]) for one, other in combinations(means, 2)}

    def to_dict(self) -> dict[str, Any]:
        """Return what `rankproof leaderboard --format json` writes."""
        return {
            "contract": self.contract.to_dict(),
            "settings": {**self.settings.to_dict(), "clustered": self.clustered},
            "boards": [board.to_dict() for board in self.boards.values()],
            "orders": [
                {"measures": list(measures), "tau_b": alike.tau_b, "tau_ap": alike.tau_ap, "tau_ap_b": alike.tau_ap_b}
                for measures, alike in self.orders.items()
            ],
            "values": [values.to_dict() for values in self.values.values()],
        }

    def to_json(self) -> str:
        """Return `to_dict` as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def tables(self) -> list[Table]:
        """Return each measure's order with its groups, the matrix of all pairs, and how alike the measures order."""
        return telling_boards.tables(self)

    def notes(self) -> list[str]:
        """Return how it was made and what it does not show, as sentences."""
        return telling_boards.notes(self)


def leaderboard(
    qrels: Any,
    runs: Any,
    measures: Iterable[str | Measure] | str = DEFAULT_MEASURES,
    contract: str | Path | Mapping[str, Any] | Contract = "rankproof",
    *,
    clusters: Any = None,
    **options: Any,
) -> Leaderboard:
    """Return the order of two systems or more under each measure, and which of them the data cannot tell apart.

    Arguments as to `compare`; all pairs are looked at, so `correction` is "tukey" where none is named (randomised Tukey
    HSD: 10,000 shuffles), "holm", "bh" or "none" correct the p values of the first of `tests` over all pairs.

    Raises InputError, ContractError or MeasureError; a run that answers no query is an error, not a last place.
    """
    settings, rules = settings_and_rules(options, **DEFAULTS)
    if settings.correction == "max-t":
        raise MeasureError(
            Fault("max-t corrects against one baseline", expected="tukey, holm, bh or none for all pairs")
        )
    if len(settings.tests) > 1:
        raise MeasureError(Fault(f"{len(settings.tests)} tests are given", expected="one: a matrix holds one p a pair"))
    if settings.margin is not None:
        raise MeasureError(Fault("a leaderboard has no margin", hint="compare asks for equivalence within one"))
    given = contract_of(contract, **rules)
    judgments, (ranked, _) = as_qrels(qrels, given, lazily=True), as_runs(runs, given, lazily=True)
    if len(ranked) < 2:
        raise InputError(Fault("one run is given", expected="two or more to order"))
    families = read_families(clusters) if clusters is not None else None
    try:
        check_means(chosen_measures := parse_all(measures))
        values = ValuesOfRuns(values_of_answered(judgments, ranked, chosen_measures, given))
    except RankproofError as error:
        raise with_lines(error, file_of(qrels)) from error
    return leaderboard_of(values, settings, families)


def leaderboard_of(
    values: ValuesOfRuns, settings: Settings | None = None, family_of: Mapping[str, str] | None = None
) -> Leaderboard:
    """Return the leaderboard of values that stand already; ContractError for other rules or other queries."""
    chosen = settings_of(DEFAULTS) if settings is None else settings
    check_names(list(values.values()))
    first, *others = values.values()
    check_comparable(first, others)
    boards = {name: _board(pairs_of(name, first, others), first.run, chosen, family_of) for name in first.measures}
    return Leaderboard(chosen, values, boards, clustered=family_of is not None)


def _board(pairs: Pairs, first: str, settings: Settings, family_of: Mapping[str, str] | None) -> Board:
    rows = {first: pairs.baseline, **pairs.runs}
    families = Families(pairs.query_ids, family_of)
    means = {run: over_queries(row, "mean", "exact") for run, row in rows.items()}
    order = sorted(rows, key=lambda run: -pairs.direction * (means[run] or 0.0))
    ordered = [rows[run] for run in order]
    enough = len(families) > 1 and sign_floor(len(families)) <= settings.alpha
    p = _matrix_of_p(ordered, families, settings) if enough else [[None] * len(order) for _ in order]
    intervals = mean_intervals(ordered, families, settings) if enough else [{} for _ in order]
    groups = _groups([[one is not None and one <= settings.alpha for one in row] for row in p]) or [[] for _ in order]
    return Board(
        measure=str(pairs.measure),
        higher_is_better=pairs.measure.higher_is_better,
        query_ids=pairs.query_ids,
        left_out=pairs.left_out,
        units=len(families),
        standings=[
            Standing(run, means[run], intervals[at].get(settings.interval), groups[at]) for at, run in enumerate(order)
        ],
        deltas=[[_minus(means[one], means[other]) for other in order] for one in order],
        p=p,
    )


def _minus(one: Value, other: Value) -> Value:
    return None if one is None or other is None else one - other


def _matrix_of_p(rows: Sequence[Sequence[float]], families: Families, settings: Settings) -> list[list[float | None]]:
    """Return adjusted p of all pairs; None on the diagonal."""
    systems = range(len(rows))
    if (correct := CORRECTIONS[settings.correction][1]) is None:
        found = tukey([families.sums(row) for row in rows], settings.permutations, settings.seed)
        own = [_of_each_other(rows, one, families, settings) for one in systems]
        return [
            [None if one == other else max(found[one][other], own[one][other]) for other in systems] for one in systems
        ]
    pairs = list(combinations(systems, 2))
    deltas = [[left - right for left, right in zip(rows[one], rows[other], strict=True)] for one, other in pairs]
    raw = tested(settings.tests[0], [families.units(row) for row in deltas], settings)
    p = dict(zip(pairs, correct(raw), strict=True))
    return [[p.get((one, other), p.get((other, one))) for other in systems] for one in systems]


def _of_each_other(rows: Sequence[Sequence[float]], one: int, families: Families, settings: Settings) -> list[float]:
    """Return the pair's own p of one system against each; shuffles take all systems to vary alike."""
    deltas = [[left - right for left, right in zip(rows[one], row, strict=True)] for row in rows]
    return tested(settings.tests[0], [families.units(row) for row in deltas], settings)


MOST_GROUPS = 100
"""Of more groups than this nobody reads the letters, and finding them takes ever longer."""


def _groups(differ: Sequence[Sequence[bool]]) -> list[list[str]] | None:
    """Return each system's letters; two systems share one exactly where they do not differ (Piepho 2004).

    A set of all systems is split at every pair that differs; what another set holds is dropped. None for too many.
    """
    sets = {frozenset(range(len(differ)))}
    for one, other in combinations(range(len(differ)), 2):
        if differ[one][other]:
            split = {part - {gone} for part in sets if {one, other} <= part for gone in (one, other)}
            kept = {part for part in sets if not {one, other} <= part} | split
            sets = {part for part in kept if not any(part < larger for larger in kept)}
            if len(sets) > MOST_GROUPS:
                return None
    ordered = sorted(sets, key=sorted)
    return [[_letter(at) for at, part in enumerate(ordered) if system in part] for system in range(len(differ))]


def _letter(at: int) -> str:
    """Return a, b, …, z, aa, ab, …"""
    return (_letter(at // 26 - 1) if at >= 26 else "") + chr(ord("a") + at % 26)
