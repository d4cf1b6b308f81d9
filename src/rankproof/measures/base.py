"""What has every measure: options, terms, a normaliser, a name that reads back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from math import isfinite
from typing import Any, ClassVar, Literal, Self, TypeAlias, final

from rankproof.answers import kebab, spell
from rankproof.arithmetic import OverQueries, add
from rankproof.contract import Contract
from rankproof.errors import ContractError, Fault, MeasureError
from rankproof.model import Grade, Placements, Value
from rankproof.rules import named_answers, rules

Term: TypeAlias = tuple[int, Grade, float]
"""(rank, grade, amount): what one document adds to the sum."""

Above: TypeAlias = Literal["nothing", "any", "count", "set"]

SHORT = {"relevant_from": "rel"}
"""Rules that a measure's name spells shorter than a contract does."""


@dataclass(frozen=True)
class Measure(ABC):
    """The base: fields are options, class variables describe the measure, `terms` define it.

    The value of one query is (constant + sum of the terms) / normaliser. The law of terms: they come from the top rank
    down, and an amount depends on what stands above only as a set, never on its order (`above` says how). Expected
    ties rest on it; a measure that cannot keep it says so in `mean_is_open`.

    `rules` are the measure's own answers to rules of the contract, as in `P(rel=2)@5`: the contract that `terms` and
    the others receive already holds them.
    """

    rules: tuple[tuple[str, Any], ...] = field(default=(), kw_only=True)

    symbol: ClassVar[str]
    formula: ClassVar[str]
    source: ClassVar[str]
    examples: ClassVar[tuple[str, ...]]
    reads: ClassVar[tuple[str, ...]] = ("relevant_from",)  # the value rules that this measure asks for
    rel_implies: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Answers that `rel` in a name brings along, so that it has an effect."""
    at_field: ClassVar[str | None] = None  # the option that stands behind the @
    needs_relevant: ClassVar[bool] = True
    higher_is_better: ClassVar[bool] = True
    most: ClassVar[float | None] = None
    """The largest value that there can be, where the measure has one; none is below 0."""
    looks_at_grades: ClassVar[bool] = True
    """Whether its terms are judged documents: if they are not, a tie among these moves nothing."""
    above: ClassVar[Above] = "set"
    """How an amount depends on the rewarded documents above: not at all; it is 0 if there is any; it grows evenly with
    their count; in whatever way with the set of all documents above."""
    over_queries: ClassVar[OverQueries] = "mean"

    def __post_init__(self) -> None:
        """Refuse rules that this measure does not know; keep them in one order."""
        answers = named_answers(self.rules)
        for rule in answers:
            if rule not in self.rules_taken():
                takes = ", ".join(SHORT.get(one, kebab(one)) for one in self.rules_taken())
                raise MeasureError(Fault(f"{self.symbol} has no option {kebab(rule)}", expected=f"one of {takes}"))
        own = {rule: answer for rule, answer in answers.items() if not (rule == "gain_table" and answer is None)}
        object.__setattr__(self, "rules", tuple(sorted(own.items())))

    @classmethod
    def rules_taken(cls) -> tuple[str, ...]:
        """Return the rules that may stand in this measure's parentheses.

        They are those it reads, those of placing and of queries, and how its numbers are divided and added.
        """
        shared = [name for name, rule in rules().items() if rule.stage in ("place", "queries")]
        if not cls.needs_relevant:
            shared.remove("no_relevant")
        return (*cls.reads, *shared, "zero_denominator", "summation")

    def with_rules(self, **changes: object) -> Self:
        """Return the measure with its own answers to these rules."""
        return replace(self, rules=tuple({**dict(self.rules), **changes}.items()))

    def contract_in_effect(self, contract: Contract) -> Contract:
        """Return the contract with the overrides for this measure and the measure's own rules."""
        cut = self.at_field is not None and getattr(self, self.at_field) is not None
        try:
            return contract.for_measure(self.symbol, cut=cut, own=dict(self.rules))
        except ContractError as error:  # its own gain = table, and no table anywhere
            raise MeasureError(*(replace(one, message=f"{self}: {one.message}") for one in error.faults)) from error

    @abstractmethod
    def terms(self, at: Placements, contract: Contract) -> Iterable[Term]:
        """Yield the terms from the top rank down."""

    def constant(self, at: Placements, contract: Contract) -> float:
        """Return what is added to the sum of the terms."""
        return 0

    def normaliser(self, at: Placements, contract: Contract) -> float:
        """Return what the sum is divided by; at 0 the rule zero-denominator decides."""
        return 1

    def parts(self, term: Term, contract: Contract) -> Mapping[str, float]:
        """Return the factors of an amount that `explain` shows, such as gain and discount."""
        return {}

    def ideal(self, at: Placements, contract: Contract) -> Iterable[Term]:
        """Yield the terms of the ideal ranking, where the normaliser comes from one."""
        return ()

    def has_relevant(self, at: Placements, contract: Contract) -> bool:
        """Return whether the query has a document that this measure rewards."""
        return at.at_least(contract.relevant_from) > 0

    def kind(self, grade: Grade, contract: Contract) -> Hashable:
        """Return what this measure tells grades apart by; None for one that it treats like an unlisted document."""
        return grade

    def last_place(self, at: Placements, contract: Contract) -> int:
        """Return the last place that can add anything."""
        return at.returned

    def worth(self, grade: Grade, contract: Contract) -> float:
        """Return what decides which of two tied documents had better come first; 0 for an unlisted one."""
        return grade

    def mean_is_open(self, at: Placements, contract: Contract) -> bool:
        """Return whether the mean over all orders of the ties does not follow from the terms."""
        return False

    def range_is_open(self, at: Placements, contract: Contract) -> bool:
        """Return whether the best and the worst order of the tied documents do not bound the value."""
        return False

    @final
    def value(self, at: Placements, contract: Contract) -> Value:
        """Return the value for placements made under the contract in effect; None for 0/0 that is undefined."""
        normaliser = self.normaliser(at, contract)
        if not normaliser:
            return 0.0 if contract.zero_denominator == "zero" else None
        amounts = (amount for _, _, amount in self.terms(at, contract))
        return (self.constant(at, contract) + add(amounts, contract.summation)) / normaliser

    def __str__(self) -> str:
        """Return the house spelling, such as `P(rel=2)@5`; it reads back as the same measure."""
        own = [
            f"{f.name}={spell(getattr(self, f.name))}"
            for f in fields(self)
            if f.name not in ("rules", self.at_field) and getattr(self, f.name) != f.default
        ]
        own += [f"{SHORT.get(name, kebab(name))}={_spell_rule(value)}" for name, value in self.rules]
        at = getattr(self, self.at_field) if self.at_field else None
        options = f"({','.join(own)})" if own else ""
        return f"{self.symbol}{options}{'' if at is None else f'@{spell(at)}'}"


def _spell_rule(value: object) -> str:
    return f"{{{spell(value)}}}" if isinstance(value, tuple) else spell(value)


@dataclass(frozen=True)
class CutMeasure(Measure):
    """A measure that may look at the first k places only."""

    cutoff: int | None = None

    at_field: ClassVar[str | None] = "cutoff"

    def __post_init__(self) -> None:
        """Refuse a cutoff that is no whole number from 1 on."""
        super().__post_init__()
        check_option(self, "cutoff", self.cutoff is None or (is_whole(self.cutoff) and self.cutoff >= 1), "1 or more")

    def last_place(self, at: Placements, contract: Contract) -> int:
        """Return the cutoff, or where the results end."""
        return at.returned_within(self.cutoff)


def is_whole(value: object) -> bool:
    """Return whether an option holds a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def mark_crosses(at: Placements, end: int) -> bool:
    """Return whether a tie that holds a repeat or a mark of evidence crosses the place `end`."""
    return any(tie.marked and tie.first <= end < tie.last for tie in at.ties)


def is_number(value: object) -> bool:
    """Return whether an option holds a finite number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)


def check_option(measure: Measure, name: str, fits: bool, expected: str) -> None:
    """Raise MeasureError for an option that does not fit."""
    if not fits:
        message = f"{measure.symbol}: {name} cannot be {getattr(measure, name)!r}"
        raise MeasureError(Fault(message, expected=expected, hint=f"such as {measure.examples[0]}"))


class RelevantOrNot:
    """For measures that tell relevant documents from all others, and nothing else."""

    def kind(self, grade: Grade, contract: Contract) -> Hashable:
        """Return 1 for a relevant grade, None for another."""
        return 1 if grade >= contract.relevant_from else None


def relevant(at: Placements, contract: Contract, cutoff: int | None = None) -> Iterator[tuple[int, int, Grade]]:
    """Yield (how many so far, rank, grade) of the relevant documents from the top, up to the cutoff."""
    count = 0
    for rank, grade in at.within(cutoff):
        if grade >= contract.relevant_from:
            count += 1
            yield count, rank, grade
