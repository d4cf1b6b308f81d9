"""What are the values of a run, for each query and over all of them?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from rankproof.arithmetic import over_queries
from rankproof.contract import Contract
from rankproof.errors import ContractError, Fault, Faults, RankproofError
from rankproof.formats import as_qrels, as_runs
from rankproof.measures import Measure, parse_all
from rankproof.measures.ties import expected, tie_range
from rankproof.model import Join, Placements, Qrels, Run, Value
from rankproof.placements import place
from rankproof.presets import contract as contract_of
from rankproof.values import TieRange, Values, ValuesOfRuns

DEFAULT_MEASURES = ("nDCG@10", "AP", "RR@10", "P@10", "R@100", "Judged@10")

NO_RELEVANT = "no relevant document"
NOTHING_TO_DIVIDE = "nothing to divide by"
ABSENT = "absent from the run"


def evaluate(
    qrels: Any,  # noqa: ANN401 - many shapes
    runs: Any,  # noqa: ANN401 - many shapes
    measures: Iterable[str | Measure] | str = DEFAULT_MEASURES,
    contract: str | Path | Mapping[str, Any] | Contract = "rankproof",
    **rules: object,
) -> Any:  # noqa: ANN401 - Values for a run, ValuesOfRuns for several; typed below
    """Return the values of a run, or of several.

    `qrels`: a path, {query_id: {doc_id: grade}}, {query_id: [relevant doc_id, …]}, rows of (query_id, doc_id, grade),
    or a dataframe. `runs`: one run as a path, {query_id: {doc_id: score}}, {query_id: [doc_id, …]} in ranked order,
    rows of (query_id, doc_id, score), a dataframe, or a Run (see `run_from_arrays`) gives Values; a list of these, or a
    dict of them by name, gives ValuesOfRuns. `contract`: a preset's name, a file, or a Contract; `rules` change single
    rules: `evaluate(…, contract="trec_eval-10", ties="expected")`. What was passed is never changed.

    Raises InputError, ContractError or MeasureError, each naming file, query and document where there is one.
    """
    given = contract_of(contract, **rules)
    chosen = parse_all([measures] if isinstance(measures, (str, Measure)) else measures)
    judgments = as_qrels(qrels, given)
    ranked, several = as_runs(runs, given)
    found = [values_of(judgments, run, chosen, given) for run in ranked]
    return ValuesOfRuns(found) if several else found[0]


def values_of(qrels: Qrels, run: Run, measures: Iterable[Measure], contract: Contract) -> Values:
    """Return the values of one run. Raises ContractError and MeasureError, with the query where there is one."""
    chosen = with_ideal_beside(measures, contract)
    joins = _Joins(qrels, run)
    base = joins.under(contract.for_measure("", cut=False, own={}))
    contracts = {str(measure): measure.contract_in_effect(contract) for measure in chosen}
    joined = {name: joins.under(in_effect) for name, in_effect in contracts.items()}
    some = [base, *joined.values()]
    query_ids = tuple(query for query in qrels if any(query in join.queries for join in some))
    rows, means, undefined, ties = {}, {}, {}, {}
    for measure in chosen:
        name = str(measure)
        column = _Column(measure, joined[name], contracts[name])
        rows[name] = tuple(column.values.get(query) for query in query_ids)
        means[name] = column.mean
        if reasons := column.undefined(query_ids):
            undefined[name] = reasons
        ties[name] = column.ties()
    return Values(run.name, contract, query_ids, rows, means, undefined, _groups(base, qrels), ties)


def with_ideal_beside(measures: Iterable[Measure], contract: Contract) -> list[Measure]:
    """Return the measures; where the contract's ideal is only what was retrieved, the same over all judged beside."""
    found: dict[Measure, None] = {}
    for measure in measures:
        found[measure] = None
        asked_for = "ideal" in dict(measure.rules)
        if "ideal" in measure.reads and not asked_for and measure.contract_in_effect(contract).ideal == "retrieved":
            found[measure.with_rules(ideal="all-judged")] = None
    return list(found)


class _Joins:
    """The placements of a run under the contracts in effect: each set of placing rules is placed once."""

    def __init__(self, qrels: Qrels, run: Run) -> None:
        self._qrels = qrels
        self._run = run
        self._made: dict[tuple[object, ...], Join] = {}

    def under(self, contract: Contract) -> Join:
        """Return the placements under a contract."""
        key: tuple[object, ...] = (*contract.items("place"), *contract.items("queries"))
        if contract.missing_query == "error":  # it asks whether a missing query has a relevant document
            key = (*key, contract.relevant_from)
        if key not in self._made:
            self._made[key] = place(self._qrels, self._run, contract)
        return replace(self._made[key], contract=contract)


class _Column:
    """One measure over the queries of one run."""

    def __init__(self, measure: Measure, join: Join, contract: Contract) -> None:
        self._measure = measure
        self._join = join
        self._contract = contract
        self._without = self._without_relevant()
        self.values: dict[str, Value] = {}
        for query, at in join.queries.items():
            with _naming(query):
                self.values[query] = self._empty() if query in self._without else value(measure, at, contract)

    def _without_relevant(self) -> frozenset[str]:
        if not self._measure.needs_relevant:
            return frozenset()
        found = []
        for query, at in self._join.queries.items():
            with _naming(query):
                if not self._measure.has_relevant(at, self._contract):
                    found.append(query)
        if found and self._contract.no_relevant == "error":
            faults = Faults(ContractError)
            hint = "--rule no-relevant=skip leaves it out, =zero gives it 0"
            for query in found:
                faults.add(Fault(f"no relevant document for {self._measure}", query_id=query, hint=hint))
            faults.raise_any()
        return frozenset(found)

    def _empty(self) -> Value:
        return 0.0 if self._contract.no_relevant == "zero" else None

    @property
    def mean(self) -> Value:
        """Return the value over all queries."""
        ordered = (self.values[query] for query in self._join.in_sum_order())
        return _whole(self._measure, over_queries(ordered, self._measure.over_queries, self._contract.summation))

    def undefined(self, query_ids: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """Return, by reason, the queries without a value."""
        found: dict[str, list[str]] = {}
        for query in query_ids:
            if self.values.get(query) is None:
                absent = query not in self.values
                reason = ABSENT if absent else NO_RELEVANT if query in self._without else NOTHING_TO_DIVIDE
                found.setdefault(reason, []).append(query)
        return found

    def ties(self) -> TieRange:
        """Return in how many queries ties touch the value, and the range of the mean."""
        lowest, highest, touched, known = dict(self.values), dict(self.values), 0, True
        for query, at in self._join.queries.items():
            if not at.ties or self.values[query] is None or query in self._without:
                continue
            found = tie_range(self._measure, at, self._contract)
            if found is None:
                known, touched = False, touched + 1
            elif found[0] < found[1]:
                lowest[query], highest[query] = found
                touched += 1
        if not known:
            return TieRange(touched, None, None)
        over = (self._measure.over_queries, self._contract.summation)
        order = self._join.in_sum_order()
        ends = [over_queries((end[query] for query in order), *over) for end in (lowest, highest)]
        return TieRange(touched, ends[0], ends[1])


@contextmanager
def _naming(query: str) -> Iterator[None]:
    """Name the query in an error that a measure raises."""
    try:
        yield
    except RankproofError as error:
        named = (replace(fault, query_id=fault.query_id or query) for fault in error.faults)
        raise type(error)(*named) from error


def value(measure: Measure, at: Placements, contract: Contract) -> Value:
    """Return one query's value under the contract in effect: with expected ties the mean over their orders."""
    if at.ties and contract.ties == "expected":
        return expected(measure, at, contract)
    return _whole(measure, measure.value(at, contract))


def _whole(measure: Measure, found: Value) -> Value:
    """Return a count as a whole number; under expected ties it may be none."""
    return int(found) if measure.is_count and found is not None and found == int(found) else found


def _groups(join: Join, qrels: Qrels) -> dict[str, Sequence[str]]:
    """Return the query ids that the counts count. A missing query without relevant documents counts as that first."""
    rel = join.contract.relevant_from
    without = {query for query, judgments in qrels.items() if not any(grade >= rel for grade in judgments.values())}
    skipped = without if join.contract.no_relevant != "zero" else frozenset[str]()
    return {
        "evaluated": [query for query in join.queries if query not in skipped],
        "without-relevant": [query for query in qrels if query in without],
        "missing": [query for query in join.missing if query not in skipped],
        "unjudged": list(join.unjudged),
        "tied": [query for query, at in join.queries.items() if any(tie.grades for tie in at.ties)],
    }
