"""Which queries stand side by side, and may they? The same contract and the same queries, or it is refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum

from rankproof.answers import kebab, spell
from rankproof.arithmetic import SAME
from rankproof.contract import differences
from rankproof.errors import ContractError, Fault, Faults, InputError, MeasureError
from rankproof.measures import Measure
from rankproof.model import Value
from rankproof.values import Values
from rankproof.words import Words, counted, first_of, query_count


def check_comparable(baseline: Values, runs: Sequence[Values]) -> None:
    """Refuse runs whose contract or queries are not the baseline's; the error says which rules or queries."""
    faults = Faults(ContractError)
    for run in runs:
        for fault in _other_rules(baseline, run) or _other_queries(baseline, run):
            faults.add(fault)
        left, right = told_apart(baseline, run)
        for one, name, other in ((baseline, left, run), (run, right, runs[0])):
            if unknown := [measure for measure in other.measures if measure not in one.measures]:
                hint = f"rankproof evaluate … -m {' -m '.join(unknown)} gives it them"
                faults.add(Fault(f"{name} has no values of {', '.join(unknown)}", hint=hint))
    faults.raise_any()


def told_apart(baseline: Values, run: Values) -> tuple[str, str]:
    """Return what a baseline and a run are called; apart, where both have one name."""
    if baseline.run != run.run:
        return baseline.run, run.run
    return f"{baseline.run} (baseline)", f"{run.run} (candidate)"


def check_names(values: Sequence[Values]) -> None:
    """Refuse a single run, and runs that cannot be told apart by name."""
    names = [one.run for one in values]
    if len(values) < 2:
        raise InputError(Fault("no run is given to compare with", expected="one or more"))
    if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise InputError(Fault(f"two of the runs are called {twice[0]}", expected="a name for each"))


def _other_rules(baseline: Values, run: Values) -> list[Fault]:
    hint = "values made under different rules cannot be compared: evaluate both under one contract"
    one, other = told_apart(baseline, run)
    return [
        Fault(
            f"{one} and {other} have different contracts: {kebab(rule)} is {spell(left)} for {one}, "
            f"{spell(right)} for {other}",
            hint=hint,
        )
        for rule, (left, right) in differences(baseline.contract, run.contract).items()
    ]


def _other_queries(baseline: Values, run: Values) -> list[Fault]:
    faults = []
    hint = "compare on the same queries: with the rule missing-query=zero a query without an answer counts 0"
    left, right = told_apart(baseline, run)
    for one, other, name, lacks in ((baseline, run, left, right), (run, baseline, right, left)):
        if lacking := sorted(set(one.query_ids) - set(other.query_ids)):
            have = "has a value" if len(lacking) == 1 else "have values"
            message = f"{query_count(len(lacking))} {have} for {name} but not for {lacks}: {first_of(lacking, 5)}"
            faults.append(Fault(message, hint=hint))
    return faults


@dataclass(frozen=True)
class Pairs:
    """One measure's values, parallel to `query_ids`: the baseline's, and a row a run. All are defined."""

    measure: Measure
    query_ids: Sequence[str]
    baseline: Sequence[float]
    runs: Mapping[str, Sequence[float]]
    left_out: Sequence[str]  # queries for which the measure is undefined in one of the runs

    def deltas(self, run: str) -> list[float]:
        """Return run minus baseline, a query; what is rounding alone is 0."""
        deltas = [value - base for value, base in zip(self.runs[run], self.baseline, strict=True)]
        return [0.0 if abs(delta) < SAME else delta for delta in deltas]

    @property
    def direction(self) -> int:
        """Return 1 where higher values are better, -1 where lower ones are."""
        return 1 if self.measure.higher_is_better else -1


LARGEST = 1e100
"""Values beyond it are the mark of a gain that went wrong, and their squares are no numbers any more."""


def check_means(measures: Iterable[Measure]) -> None:
    """Refuse measures that are no mean over queries: what differs query by query is not what differs over all."""
    faults = Faults(MeasureError)
    for measure in measures:
        if measure.over_queries != "mean":
            what = "a sum over queries" if measure.over_queries == "sum" else f"a {measure.over_queries} over queries"
            expected = "a measure that is a mean over queries"
            faults.add(Fault(f"{measure} is {what}", expected=expected, hint="such as AP, nDCG@10, R@100"))
    faults.raise_any()


def pairs_of(measure: str, baseline: Values, runs: Sequence[Values]) -> Pairs:
    """Return a measure's values on the queries for which it is defined in the baseline and in every run.

    MeasureError for a measure that is no mean over queries, and for values too large to be squared.
    """
    check_means([baseline.measures[measure]])
    rows: list[Mapping[str, Value]] = [
        dict(zip(one.query_ids, one.per_query[measure], strict=True)) for one in (baseline, *runs)
    ]
    query_ids = [query for query in baseline.query_ids if all(row[query] is not None for row in rows)]
    kept = set(query_ids)
    defined = [[value for query in query_ids if (value := row[query]) is not None] for row in rows]
    if any(abs(value) > LARGEST for row in defined for value in row):
        hint = "is the gain meant? 2^grade of a large grade is larger than any number of results"
        raise MeasureError(Fault(f"{measure} has values beyond {LARGEST:g}", expected="values to compare", hint=hint))
    return Pairs(
        measure=baseline.measures[measure],
        query_ids=query_ids,
        baseline=defined[0],
        runs={run.run: row for run, row in zip(runs, defined[1:], strict=True)},
        left_out=[query for query in baseline.query_ids if query not in kept],
    )


class Families:
    """The rows that are resampled: single queries, or families of queries that stand and fall together."""

    def __init__(self, query_ids: Sequence[str], family_of: Mapping[str, str] | None) -> None:
        """Group the queries; InputError names those without a family."""
        if family_of is not None and (without := [query for query in query_ids if query not in family_of]):
            faults = Faults(InputError)
            for query in without:
                file = getattr(family_of, "source", None)  # of a file; a mapping has none
                faults.add(Fault("has no family", file, query_id=query, expected="a family for each query"))
            faults.raise_any()
        self.given = family_of is not None
        self._members: dict[str, list[int]] = {}
        for at, query in enumerate(query_ids):
            self._members.setdefault(query if family_of is None else family_of[query], []).append(at)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._members)

    @property
    def noun(self) -> Words:
        """Return what they are called, in the plural."""
        return Words("families of queries", "질의 묶음") if self.given else Words("queries", "질의")

    @property
    def counted(self) -> Words:
        """Return how many there are, with the noun."""
        one = "family of queries" if self.given else "query"
        return Words(counted(len(self), one, self.noun.en), f"{self.noun.ko} {len(self)}개")

    @cached_property
    def sizes(self) -> list[int]:
        """Return how many queries each holds."""
        return [len(members) for members in self._members.values()]

    def sums(self, values: Sequence[float]) -> list[float]:
        """Return a row's sum a family; `values` are parallel to the queries."""
        return [fsum(values[at] for at in members) for members in self._members.values()]

    def units(self, values: Sequence[float]) -> list[float]:
        """Return the sums scaled so that their mean is the mean over queries (for single queries: the values)."""
        count = fsum(self.sizes)
        return [total * len(self) / count for total in self.sums(values)] if self.given else list(values)
