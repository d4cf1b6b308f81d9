"""What is a measure of one input under any contract, and which rules take it from one to another?"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from rankproof.contract import Contract, differences
from rankproof.errors import RankproofError, RankproofWarning
from rankproof.evaluate import Column, Joins
from rankproof.formats import as_qrels, as_runs
from rankproof.measures import Measure
from rankproof.model import Value
from rankproof.outcome import Outcome

Answers: TypeAlias = Mapping[str, Any]
"""Rules with an answer each; together they are what changes as one."""


class Under(NamedTuple):
    """What a contract gives: the mean and each query's outcome; or why it refuses the input."""

    value: Value
    per_query: Mapping[str, Outcome]
    refused: RankproofError | None = None

    @property
    def told(self) -> tuple[Value, str | None]:
        """Return the value, and the first thing that is refused."""
        return self.value, self.why_refused

    @property
    def why_refused(self) -> str | None:
        """Return the first thing that is refused, in words."""
        return None if self.refused is None else self.refused.faults[0].message


class OneMeasure:
    """A measure of one run under any contract; what contracts share is read and placed once."""

    def __init__(self, qrels: Any, run: Any, measure: Measure) -> None:
        """Take judgments and a run as `evaluate` does; they are read when a contract is asked for."""
        self.measure = measure
        self.run_name = "run"
        self._qrels = qrels
        self._run = run
        self._joins: dict[tuple[object, ...], Joins] = {}
        self._found: dict[Contract, Under] = {}

    def under(self, contract: Contract) -> Under:
        """Return the mean and each query's outcome, or why the contract refuses the input."""
        in_effect = self.measure.contract_in_effect(contract)
        if in_effect not in self._found:
            self._found[in_effect] = self._evaluated(in_effect)
        return self._found[in_effect]

    def _evaluated(self, contract: Contract) -> Under:
        try:
            column = Column(self.measure, self._read(contract).under(contract), contract)
        except RankproofError as error:
            return Under(None, {}, error)
        return Under(column.mean, column.outcomes)

    def _read(self, contract: Contract) -> Joins:
        rules = tuple(contract.items("read"))
        if rules not in self._joins:
            with warnings.catch_warnings():
                if self._joins:  # what was noticed has been said
                    warnings.simplefilter("ignore", RankproofWarning)
                (run,), _ = as_runs(self._run, contract)
                self._joins[rules] = Joins(as_qrels(self._qrels, contract), run)
            self.run_name = run.name
        return self._joins[rules]

    def differing(self, a: Contract, b: Contract) -> dict[str, tuple[Answers, Answers]]:
        """Return the rules in which two contracts differ for this measure, each with what A and B answer.

        The gains of a table belong to the rule `gain`.
        """
        found = differences(self.measure.contract_in_effect(a), self.measure.contract_in_effect(b))
        parts: dict[str, tuple[Answers, Answers]] = {
            rule: ({rule: left}, {rule: right}) for rule, (left, right) in found.items()
        }
        if "gain_table" in parts:
            tables = parts.pop("gain_table")
            gains = parts.get("gain", ({}, {}))
            parts["gain"] = ({**gains[0], **tables[0]}, {**gains[1], **tables[1]})
        return parts


TINY = 1e-9
"""Values that differ by less do so in how their numbers were added up."""


def told_alike(one: Under, other: Under) -> bool:
    """Return whether the value is the same to the last bit, or refused for the same reason."""
    return one.told == other.told


def nearly_alike(one: Under, other: Under) -> bool:
    """Return whether the value is the same but for its last digits, or refused for the same reason."""
    if one.value is None or other.value is None:
        return one.told == other.told
    return abs(one.value - other.value) <= TINY


def needed(on: OneMeasure, a: Contract, b: Contract, alike: Callable[[Under, Under], bool] = told_alike) -> list[str]:
    """Return rules that take A's value to B's: enough of those that differ, and none that could be spared.

    Rules get A's answer, one after the other, as long as the outcome stays B's; and again while that spares another:
    without one, an earlier one may be idle too. Which are left may hang on their order, which is the documentation's.
    """
    base, wanted = on.measure.contract_in_effect(a), on.under(b)
    kept = {rule: answers for rule, (_, answers) in on.differing(a, b).items()}
    count = None
    while count != len(kept):
        count = len(kept)
        for rule in list(kept):
            fewer = {one: answer for name, answers in kept.items() if name != rule for one, answer in answers.items()}
            if alike(on.under(base.with_rules(**fewer)), wanted):
                del kept[rule]
    return list(kept)
