"""What are the values of a run, for each query and over all of them?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Any, overload

from rankproof.arithmetic import over_queries
from rankproof.contract import Contract
from rankproof.errors import Fault, MeasureError, RankproofError
from rankproof.formats import Source, as_qrels, as_runs
from rankproof.formats.places import with_lines
from rankproof.measures import Measure, check_overrides, parse_all
from rankproof.measures.ties import tie_range, ties_matter
from rankproof.model import Join, Qrels, Run, Stacked, UnreadQrels, Value
from rankproof.outcome import NO_RELEVANT, Outcome, outcomes, whole
from rankproof.placements import place, rules_that_place
from rankproof.presets import contract as contract_of
from rankproof.values import TieRange, Values, ValuesOfRuns

DEFAULT_MEASURES = ("nDCG@10", "AP", "RR@10", "P@10", "R@100", "Judged@10")
ABSENT = "absent from the run"


@overload
def evaluate(
    qrels: Any,
    runs: Run | str | Path,
    measures: Iterable[str | Measure] | str = DEFAULT_MEASURES,
    contract: str | Path | Mapping[str, Any] | Contract = "rankproof",
    **rules: object,
) -> Values: ...


@overload
def evaluate(
    qrels: Any,
    runs: Any,
    measures: Iterable[str | Measure] | str = DEFAULT_MEASURES,
    contract: str | Path | Mapping[str, Any] | Contract = "rankproof",
    **rules: object,
) -> Any: ...


def evaluate(
    qrels: Any,
    runs: Any,
    measures: Iterable[str | Measure] | str = DEFAULT_MEASURES,
    contract: str | Path | Mapping[str, Any] | Contract = "rankproof",
    **rules: object,
) -> Any:
    """Return the values of a run, or of several.

    `qrels`: a path, {query_id: {doc_id: grade}}, {query_id: [relevant doc_id, …]}, rows of (query_id, doc_id, grade),
    or a dataframe. `runs`: one run as a path, {query_id: {doc_id: score}}, {query_id: [doc_id, …]} in ranked order,
    rows of (query_id, doc_id, score), a dataframe, or a Run (see `run_from_arrays`) gives Values; a list of these, a
    dict of them by name, or a dataframe whose column `run` names several, gives ValuesOfRuns. `contract`: a preset's
    name, a file, or a Contract; `rules` change single rules: `evaluate(…, contract="trec_eval-10", ties="expected")`.
    What was passed is never changed.

    Raises InputError, ContractError or MeasureError, each naming file, query and document where there is one.
    """
    given = contract_of(contract, **rules)
    chosen = parse_all(measures)
    judgments = as_qrels(qrels, given, lazily=True)
    ranked, several = as_runs(runs, given, lazily=True)
    try:
        found = [values_of(judgments, run, chosen, given) for run in ranked]
    except RankproofError as error:
        raise with_lines(error, file_of(qrels)) from error
    return ValuesOfRuns(found) if several else found[0]


def file_of(given: object) -> str | None:
    """Return the file that judgments are read from; None for an object."""
    return given.name if isinstance(given, Source) else str(given) if isinstance(given, (str, Path)) else None


def values_of(qrels: Qrels, run: Run, measures: Iterable[Measure], contract: Contract) -> Values:
    """Return the values of one run. Raises ContractError and MeasureError, with the query where there is one."""
    return values_of_joins(qrels, run.name, measures, contract, Joins(qrels, run).under)


def values_of_joins(
    qrels: Qrels, run: str, measures: Iterable[Measure], contract: Contract, under: Callable[[Contract], Join]
) -> Values:
    """Return the values of the run of this name from its placements `under` the contracts in effect, made anywhere."""
    check_overrides(contract)
    chosen = {str(measure): measure for measure in with_ideal_beside(measures, contract)}
    if not chosen:
        raise MeasureError(Fault("no measure is asked for", hint="such as nDCG@10"))
    columns = {}
    for name, measure in chosen.items():
        in_effect = measure.contract_in_effect(contract)
        columns[name] = Column(measure, under(in_effect), in_effect)
    query_ids = tuple(_those_in(qrels, [column.query_ids for column in columns.values()]))
    undefined = {name: column.undefined(query_ids) for name, column in columns.items()}
    return Values(
        run=run,
        contract=contract,
        measures=chosen,
        query_ids=query_ids,
        per_query={name: column.row(query_ids) for name, column in columns.items()},
        means={name: column.mean for name, column in columns.items()},
        undefined={name: reasons for name, reasons in undefined.items() if reasons},
        groups=_groups(qrels, contract, list(columns.values())),
        repeats=next(iter(columns.values())).join.copies(),
        ties={name: column.ties() for name, column in columns.items()},
    )


def means_of(qrels: Qrels, run: Run, measures: Iterable[Measure], contract: Contract) -> dict[str, Value]:
    """Return the means of one run alone, without what ties could change: for curves of many measures."""
    joins, found = Joins(qrels, run), {}
    for measure in measures:
        in_effect = measure.contract_in_effect(contract)
        found[str(measure)] = Column(measure, joins.under(in_effect), in_effect).mean
    return found


def with_ideal_beside(measures: Iterable[Measure], contract: Contract) -> list[Measure]:
    """Return the measures; where the contract's ideal is only what was retrieved, the same over all judged beside."""
    found: dict[Measure, None] = {}
    for measure in measures:
        found[measure] = None
        asked_for = "ideal" in dict(measure.rules)
        if "ideal" in measure.reads and not asked_for and measure.contract_in_effect(contract).ideal == "retrieved":
            found[measure.with_rules(ideal="all-judged")] = None
    return list(found)


class Joins:
    """The placements of a run under the contracts in effect: each set of placing rules is placed once."""

    def __init__(self, qrels: Qrels, run: Run) -> None:
        """Place nothing yet."""
        self._qrels = qrels
        self._run = run
        self._made: dict[tuple[object, ...], Join] = {}

    def under(self, contract: Contract) -> Join:
        """Return the placements under a contract."""
        key = rules_that_place(contract)
        if key not in self._made:
            self._made[key] = place(self._qrels, self._run, contract)
        return replace(self._made[key], contract=contract)


class Column:
    """One measure over the queries of one run: their values, `reasons` of those not computed, the `mean`."""

    def __init__(self, measure: Measure, join: Join, contract: Contract) -> None:
        """Take each query's outcome under the contract in effect. Raises ContractError and MeasureError."""
        self.measure = measure
        self.join = join
        self._contract = contract
        self.query_ids, self._row, self.reasons = outcomes(measure, join.queries, contract)

    @cached_property
    def values(self) -> dict[str, Value]:
        """Return each query's value."""
        return dict(zip(self.query_ids, self._row, strict=True))

    @property
    def outcomes(self) -> dict[str, Outcome]:
        """Return each query's value with its reason."""
        return {query: Outcome(value, self.reasons.get(query)) for query, value in self.values.items()}

    def row(self, query_ids: Sequence[str]) -> tuple[Value, ...]:
        """Return the values of these queries, None for one that has none."""
        if tuple(query_ids) == tuple(self.query_ids):
            return tuple(self._row)
        return tuple(map(self.values.get, query_ids))

    @property
    def mean(self) -> Value:
        """Return the value over all queries."""
        return whole(self.measure, self._mean)

    @cached_property
    def _mean(self) -> Value:
        return self._over(self._row)

    def _over(self, values: Sequence[Value]) -> Value:
        summation = self._contract.summation
        if summation == "sequential":
            values = list(map(values.__getitem__, self.join.sum_order()))
        return over_queries(values, self.measure.over_queries, summation)

    def _with(self, changed: Mapping[str, Value]) -> Value:
        """Return the value over all queries if some had others."""
        return self._over([changed.get(query, value) for query, value in zip(self.query_ids, self._row, strict=True)])

    def evaluated(self) -> Collection[str]:
        """Return the queries that have what this measure needs, or count as 0."""
        lacking = {query for query, reason in self.reasons.items() if reason == NO_RELEVANT}
        without = {query for query in lacking if self.values[query] is None}
        return self.values.keys() - without if without else self.query_ids

    def undefined(self, query_ids: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """Return, by reason, the queries without a value."""
        found: dict[str, list[str]] = {}
        if len(query_ids) == len([value for value in self._row if value is not None]):
            return found
        for query, value in zip(query_ids, self.row(query_ids), strict=True):
            if value is None:
                reason = self.reasons.get(query) if query in self.values else ABSENT
                found.setdefault(str(reason), []).append(query)
        return found

    def ties(self) -> TieRange:
        """Return in how many queries ties touch the value, and the range of the mean."""
        lowest: dict[str, Value] = {}
        highest: dict[str, Value] = {}
        touched, known = 0, True
        for query, at in self.join.tied():
            if self.reasons.get(query) == NO_RELEVANT or not ties_matter(self.measure, at, self._contract):
                continue
            found = tie_range(self.measure, at, self._contract)
            if found is None:
                known, touched = False, touched + 1
            elif found[0] < found[1]:
                lowest[query], highest[query] = found
                touched += 1
        if not touched:
            return TieRange(0, self._mean, self._mean)
        if not known:
            return TieRange(touched, None, None)
        return TieRange(touched, self._with(lowest), self._with(highest))


def _those_in(qrels: Qrels, parts: Sequence[Collection[str]]) -> Iterable[str]:
    """Return the queries of the qrels, in their order, that are in one of the parts, which hold no others."""
    if any(len(part) == len(qrels) for part in parts):
        return qrels
    found = set[str]().union(*parts)
    return [query for query in qrels if query in found]


def _without_relevant(qrels: Qrels, join: Join, relevant_from: float) -> set[str]:
    """Return the queries without a grade that is relevant."""
    if isinstance(join.queries, Stacked) and len(join.queries) == len(qrels) and relevant_from > 0:
        return set(join.queries.without(relevant_from))
    best = qrels.best_grades() if isinstance(qrels, UnreadQrels) else None
    if best is None:
        best = {query: max(judged.values(), default=-inf) for query, judged in qrels.items()}
    return {query for query, grade in best.items() if not grade >= relevant_from}


def _groups(qrels: Qrels, contract: Contract, columns: Sequence[Column]) -> dict[str, Sequence[str]]:
    """Return the query ids that the counts count. A missing query without relevant documents counts as that first.

    A query is evaluated unless it was left out, or lacks what every measure that needs a relevant document needs.
    """
    join = columns[0].join
    without = _without_relevant(qrels, join, contract.relevant_from)
    apart = without if contract.no_relevant != "zero" else frozenset[str]()
    asking = [column for column in columns if column.measure.needs_relevant]
    joins = {id(column.join.queries): column.join for column in columns}
    tied = set[str]().union(*(one.with_judged_ties() for one in joins.values()))
    return {
        "evaluated": list(_those_in(qrels, [column.evaluated() for column in asking or columns])),
        "without-relevant": list(_those_in(qrels, [without])),
        "missing": [query for query in join.missing if query not in apart],
        "unjudged": list(join.unjudged),
        "tied": list(_those_in(qrels, [tied])),
    }
