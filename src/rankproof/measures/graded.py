"""Measures that weigh grades: CG, DCG, nDCG, RBP and its residual, ERR."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from math import log2
from typing import ClassVar

from rankproof.arithmetic import add
from rankproof.contract import Contract
from rankproof.errors import Fault, MeasureError
from rankproof.measures.base import Above, CutMeasure, Measure, Term, check_option, is_number, is_whole
from rankproof.model import Grade, Placements

HIGHEST_EXPONENT = 1000
"""2 to a higher grade is near the end of what a double holds."""


def two_to(grade: Grade) -> float:
    """Return 2 to a grade, exact for whole grades."""
    if grade > HIGHEST_EXPONENT:
        hint = "map the grades to a smaller scale, or choose another gain"
        expected = "a grade of at most 1000"
        message = f"2 to the grade {grade} is too large"
        raise MeasureError(Fault(message, about="qrels", expected=expected, hint=hint))
    return float(2**grade)


GAINS: dict[str, Callable[[Grade], float]] = {
    "linear": lambda grade: grade * 1.0,
    "exponential": lambda grade: two_to(grade) - 1,
    "binary": lambda _: 1.0,
}


DISCOUNTS: dict[str, Callable[[int], float]] = {"log2": lambda rank: log2(rank + 1)}


def gain_rule(contract: Contract) -> Callable[[Grade], float]:
    """Return what the contract makes of a grade: a gain of 0 or more."""
    lowest = contract.relevant_from if contract.low_grade_gain == "zero" else 0
    if contract.gain_table is not None:
        table = dict(contract.gain_table)
        return lambda grade: table.get(grade, 0.0) if grade >= lowest else 0.0
    gain = GAINS[contract.gain]
    return lambda grade: gain(grade) if grade >= lowest and grade > 0 else 0.0


class OfGains(Measure):
    """A measure that weighs documents by their gains."""

    reads: ClassVar[tuple[str, ...]] = ("gain", "gain_table", "low_grade_gain", "relevant_from")
    rel_implies: ClassVar[tuple[tuple[str, str], ...]] = (("low_grade_gain", "zero"),)

    def worth(self, grade: Grade, contract: Contract) -> float:
        """Return the gain."""
        return gain_rule(contract)(grade)

    def has_relevant(self, at: Placements, contract: Contract) -> bool:
        """Return whether a document of the query has a gain."""
        return any(map(gain_rule(contract), at.pool))


class _Gains(OfGains, CutMeasure):
    """A measure that adds up gains."""

    above: ClassVar[Above] = "nothing"

    def discount(self, rank: int, contract: Contract) -> float:
        """Return what a gain at this rank is divided by."""
        return DISCOUNTS[contract.discount](rank)

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield gain / discount of each document that has a gain."""
        return self._discounted(at.within(self.cutoff), contract)

    def _discounted(self, ranked: Iterable[tuple[int, Grade]], contract: Contract) -> Iterator[Term]:
        gain_of = gain_rule(contract)
        for rank, grade in ranked:
            if gain := gain_of(grade):
                yield rank, grade, gain / self.discount(rank, contract)

    def parts(self, term: Term, contract: Contract) -> dict[str, float]:
        """Return the gain and the discount."""
        rank, grade, _ = term
        return {"gain": gain_rule(contract)(grade), "discount": self.discount(rank, contract)}


class CG(_Gains):
    """Cumulative gain: the sum of the gains in the first k places."""

    symbol: ClassVar[str] = "CG"
    formula: ClassVar[str] = "sum over the first k of gain(grade)"
    source: ClassVar[str] = "Järvelin, Kekäläinen 2000"
    examples: ClassVar[tuple[str, ...]] = ("CG@10", "CG(gain=exponential)@10")

    def discount(self, rank: int, contract: Contract) -> float:
        """Return 1: nothing is discounted."""
        return 1


class DCG(_Gains):
    """Discounted cumulative gain: the sum of the gains in the first k places, each over its discount."""

    symbol: ClassVar[str] = "DCG"
    formula: ClassVar[str] = "sum over the first k of gain(grade) / log2(rank + 1)"
    source: ClassVar[str] = "Järvelin, Kekäläinen 2002; discount as in Burges et al. 2005"
    examples: ClassVar[tuple[str, ...]] = ("DCG@10", "DCG(gain=exponential)@10")
    reads: ClassVar[tuple[str, ...]] = (*_Gains.reads, "discount")


class NDCG(_Gains):
    """Normalised discounted cumulative gain: DCG over that of the ideal order of the documents."""

    symbol: ClassVar[str] = "nDCG"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "DCG@k / DCG@k of the ideal ranking"
    source: ClassVar[str] = "Järvelin, Kekäläinen 2002; discount as in Burges et al. 2005"
    examples: ClassVar[tuple[str, ...]] = ("nDCG@10", "nDCG(gain=exponential)@10", "nDCG", "nDCG(ideal=retrieved)@5")
    reads: ClassVar[tuple[str, ...]] = (*_Gains.reads, "discount", "ideal", "ideal_depth")

    def ideal(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield the terms of the best order: highest gain first."""
        documents = at.pool if contract.ideal == "all-judged" else at.grades
        best = sorted(documents, key=gain_rule(contract), reverse=True)
        depth = {"cutoff": self.cutoff, "whole": None, "returned": at.returned_within(self.cutoff)}
        return self._discounted(enumerate(islice(best, depth[contract.ideal_depth]), 1), contract)

    def normaliser(self, at: Placements, contract: Contract) -> float:
        """Return the DCG of the ideal ranking."""
        return add((amount for _, _, amount in self.ideal(at, contract)), contract.summation)


@dataclass(frozen=True)
class _Persistent(CutMeasure):
    """A measure of a person who goes on to the next place with chance p."""

    p: float = 0.8

    above: ClassVar[Above] = "nothing"

    def __post_init__(self) -> None:
        """Refuse a chance outside 0 to 1."""
        super().__post_init__()
        check_option(self, "p", is_number(self.p) and 0 < self.p < 1, "a number above 0 and below 1")

    def weights(self, at: Placements) -> Iterator[tuple[int, Grade, float]]:
        """Yield (rank, grade, (1 - p) p^(rank - 1)); the power by multiplication, the same bits everywhere."""
        weight, reached = 1 - self.p, 1
        for rank, grade in at.within(self.cutoff):
            for _ in range(rank - reached):
                weight *= self.p
            reached = rank
            yield rank, grade, weight


class RBP(_Persistent):
    """Rank-biased precision: the gain found at the rate of a person who goes on to the next place with chance p."""

    symbol: ClassVar[str] = "RBP"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "(1 - p) · sum of gain(grade) · p^(rank - 1)"
    source: ClassVar[str] = "Moffat, Zobel 2008"
    examples: ClassVar[tuple[str, ...]] = ("RBP(p=0.95)", "RBP", "RBP(rbp-gain=binary,rel=2)@20")
    reads: ClassVar[tuple[str, ...]] = ("relevant_from", "rbp_gain")
    rel_implies: ClassVar[tuple[tuple[str, str], ...]] = (("rbp_gain", "binary"),)

    def gain(self, grade: Grade, at: Placements, contract: Contract) -> float:
        """Return what the rule rbp-gain makes of a grade."""
        if contract.rbp_gain == "binary":
            return 1 if grade >= contract.relevant_from else 0
        return max(grade, 0) / (max(1, at.pool[0]) if contract.rbp_gain == "scaled" else 1)

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield gain (1 - p) p^(rank - 1)."""
        for rank, grade, weight in self.weights(at):
            if gain := self.gain(grade, at, contract):
                yield rank, grade, gain * weight

    def has_relevant(self, at: Placements, contract: Contract) -> bool:
        """Return whether a document of the query has a gain."""
        return any(self.gain(grade, at, contract) for grade in at.pool)


class RBPResidual(_Persistent):
    """What RBP could still gain if every document that is not judged, or never came, were relevant."""

    symbol: ClassVar[str] = "RBPResidual"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "1 - (1 - p) · sum over judged of p^(rank - 1)"
    source: ClassVar[str] = "Moffat, Zobel 2008"
    examples: ClassVar[tuple[str, ...]] = ("RBPResidual", "RBPResidual(p=0.95)")
    reads: ClassVar[tuple[str, ...]] = ()
    needs_relevant: ClassVar[bool] = False
    higher_is_better: ClassVar[bool] = False

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield what each judged document takes away."""
        for rank, grade, weight in self.weights(at):
            if grade >= 0:
                yield rank, grade, -weight

    def constant(self, at: Placements, contract: Contract) -> float:
        """Return 1: all that a ranking without end can gain."""
        return 1


@dataclass(frozen=True)
class ERR(CutMeasure):
    """Expected reciprocal rank: of a person who stops at a place with a chance that grows with its grade."""

    max: int = field(kw_only=True)

    symbol: ClassVar[str] = "ERR"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = (
        "sum over the first k of stop(rank) / rank · chance of coming there; stop = (2^grade - 1) / 2^max"
    )
    source: ClassVar[str] = "Chapelle, Metzler, Zhang, Grinspan 2009"
    examples: ClassVar[tuple[str, ...]] = ("ERR(max=3)@10", "ERR(max=4)@20", "ERR(max=3)")
    reads: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        """Demand the highest grade of the scale: without it values of two data sets cannot be compared."""
        super().__post_init__()
        fits = is_whole(self.max) and 1 <= self.max <= HIGHEST_EXPONENT
        check_option(self, "max", fits, "the highest grade of the scale, from 1 to 1000")

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield the chance of stopping at each place, over its rank."""
        going = 1.0
        for rank, grade in at.within(self.cutoff):
            if grade > 0:
                stop = self.stop(grade)
                yield rank, grade, going * stop / rank
                going *= 1 - stop

    def stop(self, grade: Grade) -> float:
        """Return the chance that a document of this grade ends the search."""
        if grade > self.max:
            message = f"ERR(max={self.max}): a judgment has grade {grade}"
            raise MeasureError(Fault(message, about="qrels", expected="max at least as high as every grade"))
        return (two_to(grade) - 1) / two_to(self.max)

    def parts(self, term: Term, contract: Contract) -> dict[str, float]:
        """Return the chance of stopping."""
        return {"stop": self.stop(term[1])}

    def has_relevant(self, at: Placements, contract: Contract) -> bool:
        """Return whether a document of the query has a grade above 0."""
        return bool(at.pool) and at.pool[0] > 0
