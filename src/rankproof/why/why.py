"""Why do two contracts give different values? Each rule alone, and what only several together do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from typing import Any

from rankproof.answers import jsonable, kebab
from rankproof.contract import Contract
from rankproof.measures import Measure, parse
from rankproof.model import Value
from rankproof.presets import contract as contract_of
from rankproof.tables import Table, Told
from rankproof.why import telling
from rankproof.why.under import TINY, Answers, OneMeasure, Under, nearly_alike, needed, told_alike


@dataclass(frozen=True, slots=True)
class Bite:
    """A query that a rule changes: its value before and after, None where it has none; and how much that weighs.

    The weight is the change; of a query that enters or leaves the mean, how far its value is from the mean without it.
    """

    query_id: str
    before: Value
    after: Value
    weight: float


@dataclass(frozen=True, slots=True)
class Part:
    """What one rule does alone: contract A with B's answer to it."""

    rule: str
    answers: tuple[Answers, Answers]  # of A and of B
    value: Value
    refused: str | None
    change: float | None  # from A's value; None where either is none
    needed: bool  # whether it is one of the rules that are enough to take A's value to B's
    queries: int  # how many queries it changes
    bites: Sequence[Bite]  # those that it changes most

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON holds of it."""
        a, b = ({kebab(rule): jsonable(answer) for rule, answer in of.items()} for of in self.answers)
        return {
            "rule": kebab(self.rule),
            "a": a,
            "b": b,
            "value": self.value,
            "refused": self.refused,
            "change": self.change,
            "needed": self.needed,
            "queries": self.queries,
            "bites": [
                {"query_id": one.query_id, "before": one.before, "after": one.after, "weight": one.weight}
                for one in self.bites
            ],
        }


@dataclass(frozen=True, slots=True, repr=False)
class Why(Told):
    """Both values, what each rule that matters does alone, and what is left to several together."""

    measure: Measure
    run: str
    contracts: tuple[Contract, Contract]
    values: tuple[Value, Value]
    refused: tuple[str | None, str | None]
    gap: float | None
    parts: Sequence[Part]
    interaction: float | None
    idle: Mapping[str, tuple[Answers, Answers]]  # rules that differ and change nothing here

    def tables(self) -> list[Table]:
        """Return the values, the rules that matter, and the queries that each changes most."""
        return telling.why_tables(self)

    def notes(self) -> list[str]:
        """Return how to read them."""
        return telling.why_notes(self)

    def to_dict(self) -> dict[str, Any]:
        """Return what `rankproof contracts A B QRELS RUN --format json` writes."""
        a, b = (
            {"contract": contract.to_dict(), "value": value, "refused": refused}
            for contract, value, refused in zip(self.contracts, self.values, self.refused, strict=True)
        )
        return {
            "measure": str(self.measure),
            "run": self.run,
            "a": a,
            "b": b,
            "gap": self.gap,
            "parts": [part.to_dict() for part in self.parts],
            "interaction": self.interaction,
            "idle": [kebab(rule) for rule in self.idle],
        }


def why(
    qrels: Any,
    run: Any,
    measure: str | Measure,
    a: str | Path | Mapping[str, Any] | Contract,
    b: str | Path | Mapping[str, Any] | Contract,
    *,
    bites: int = 5,
) -> Why:
    """Return why contract B gives another value of a measure than contract A, on this input.

    `qrels` and `run` as `evaluate` takes them, `a` and `b` as it takes a contract. Each rule in which they differ is
    changed alone, from A towards B; what these changes do not add up to is the interaction. `bites`: how many of the
    queries that a rule changes most are named. A contract may refuse the input: then it has no value, and the rules
    that make the difference are named all the same. Raises what A raises where both refuse it for one reason.
    """
    contracts = contract_of(a), contract_of(b)
    on = OneMeasure(qrels, run, parse(measure) if isinstance(measure, str) else measure)
    base, other = (on.measure.contract_in_effect(one) for one in contracts)
    left, right = on.under(base), on.under(other)
    if left.refused is not None and left.why_refused == right.why_refused:
        raise left.refused
    gap = _change(left.value, right.value)
    enough = needed(on, base, other, told_alike if gap is None or abs(gap) <= TINY else nearly_alike)
    parts: list[Part] = []
    idle: dict[str, tuple[Answers, Answers]] = {}
    for rule, answers in on.differing(base, other).items():
        alone = on.under(base.with_rules(**answers[1]))
        without = on.under(other.with_rules(**answers[0]))
        if rule in enough or not _alike(alone, left) or not _alike(without, right):
            parts.append(_part(rule, answers, left, alone, needed=rule in enough, bites=bites))
        else:
            idle[rule] = answers
    known = [part.change for part in parts if part.change is not None]
    adds_up = gap is not None and len(known) == len(parts)
    return Why(
        measure=on.measure,
        run=on.run_name,
        contracts=contracts,
        values=(left.value, right.value),
        refused=(left.why_refused, right.why_refused),
        gap=gap,
        parts=sorted(parts, key=lambda part: -abs(part.change or 0.0)),
        interaction=fsum([gap, *(-one for one in known)]) if adds_up and gap is not None else None,
        idle=idle,
    )


def _alike(one: Under, other: Under) -> bool:
    """Return whether two contracts give the same, the mean and every query."""
    return (one.told, one.per_query) == (other.told, other.per_query)


def _part(rule: str, answers: tuple[Answers, Answers], left: Under, alone: Under, *, needed: bool, bites: int) -> Part:
    found = [] if alone.refused is not None or left.refused is not None else _bites(left, alone)
    return Part(
        rule=rule,
        answers=answers,
        value=alone.value,
        refused=alone.why_refused,
        change=_change(left.value, alone.value),
        needed=needed,
        queries=len(found),
        bites=found[:bites],
    )


def _bites(before: Under, after: Under) -> list[Bite]:
    """Return the queries whose value or place in the mean changes, those that weigh most first."""
    found = []
    for query in dict.fromkeys([*before.per_query, *after.per_query]):
        one, other = (under.per_query[query].value if query in under.per_query else None for under in (before, after))
        if one != other:
            found.append(Bite(query, one, other, _weight(one, other, before.value if one is None else after.value)))
    return sorted(found, key=lambda one: (-one.weight, one.query_id.encode()))


def _weight(before: Value, after: Value, mean: Value) -> float:
    """Return how much a query's change weighs; `mean` is the one without it, where it enters the mean or leaves it."""
    value = after if before is None else before
    change = _change(mean or 0.0, value) if before is None or after is None else _change(before, after)
    return abs(change or 0.0)


def _change(before: Value, after: Value) -> float | None:
    return None if before is None or after is None else after - before
