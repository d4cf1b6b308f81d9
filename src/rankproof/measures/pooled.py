"""Measures for judgments that come from a pool: bpref, infAP, interpolated precision."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from math import floor
from typing import ClassVar

from rankproof.arithmetic import OverQueries
from rankproof.contract import Contract
from rankproof.measures.base import Measure, Term, check_option, is_number, relevant
from rankproof.model import Grade, Placements


class _PerRelevant(Measure):
    """A mean over the relevant documents that looks at the judged ones above each."""

    def kind(self, grade: Grade, contract: Contract) -> Hashable:
        """Return whether the grade is relevant, judged otherwise, or not judged."""
        return "relevant" if grade >= contract.relevant_from else "other" if grade >= 0 else "unsampled"

    def normaliser(self, at: Placements, contract: Contract) -> float:
        """Return the number of relevant documents."""
        return at.at_least(contract.relevant_from)


class Bpref(_PerRelevant):
    """Relevant documents, each less the share of judged non-relevant ones above it: made for incomplete judgments."""

    symbol: ClassVar[str] = "Bpref"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "1/R · sum over relevant of 1 - min(non-relevant above, R) / min(R, N)"
    source: ClassVar[str] = "Buckley, Voorhees 2004; trec_eval's bpref_bug note"
    examples: ClassVar[tuple[str, ...]] = ("Bpref", "Bpref(rel=2)")

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield 1 - min(non-relevant above, R) / min(R, N)."""
        count = at.at_least(contract.relevant_from)
        bound = min(count, at.at_least(0) - count)
        above = 0
        for rank, grade in at.within():
            if grade >= contract.relevant_from:
                yield rank, grade, 1 - min(above, count) / bound if above else 1
            elif grade >= 0:
                above += 1


class GMBpref(Bpref):
    """The geometric mean of Bpref over queries, which the worst move most; values below 0.00001 count as that."""

    symbol: ClassVar[str] = "GMBpref"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "exp(mean over queries of log(max(Bpref, 0.00001)))"
    source: ClassVar[str] = "trec_eval (gm_bpref), after Robertson 2006"
    examples: ClassVar[tuple[str, ...]] = ("GMBpref", "GMBpref(rel=2)")
    over_queries: ClassVar[OverQueries] = "geometric-mean"


class InfAP(_PerRelevant):
    """Inferred AP: the expectation of AP where only a sample of the pool was judged (negative grades: not sampled)."""

    symbol: ClassVar[str] = "infAP"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = (
        "1/R · sum over relevant of 1/rank + (pooled above / rank) · (relevant + e) / (judged + 2e)"
    )
    source: ClassVar[str] = "Yilmaz, Aslam 2006"
    examples: ClassVar[tuple[str, ...]] = ("infAP", "infAP(rel=2)")
    EPSILON: ClassVar[float] = 0.00001

    def range_is_open(self, at: Placements, contract: Contract) -> bool:
        """Return whether a judged document is tied: a better order can lower the estimate."""
        return any(tie.grades for tie in at.ties)

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield the expected precision at each relevant document."""
        hits = others = unsampled = 0
        for rank, grade in at.within():
            if grade >= contract.relevant_from:
                share = (hits + self.EPSILON) / (hits + others + 2 * self.EPSILON)
                above, pooled = rank - 1, hits + others + unsampled  # in trec_eval's order, for the same last bit
                yield rank, grade, 1 / rank + (above / rank) * (pooled / above) * share if above else 1.0
                hits += 1
            elif grade >= 0:
                others += 1
            else:
                unsampled += 1


class _Maximum(Measure):
    """A measure that takes a maximum: it looks at what stands below."""

    def mean_is_open(self, at: Placements, contract: Contract) -> bool:
        """Return whether a judged document is tied."""
        return any(tie.grades for tie in at.ties)


def _interpolated(at: Placements, contract: Contract, level: float) -> Term | None:
    """Return the term of the highest precision at any rank where recall is at least the level."""
    wanted = level * at.at_least(contract.relevant_from)
    needed = floor(wanted + (0.5 if contract.recall_level == "round" else 0.9))
    terms = [(rank, grade, count / rank) for count, rank, grade in relevant(at, contract) if count >= needed]
    return max(terms, key=lambda term: term[2], default=None)


@dataclass(frozen=True)
class IPrec(_Maximum):
    """Interpolated precision: the highest precision at any rank where recall is at least a level."""

    recall: float = 0.0

    symbol: ClassVar[str] = "IPrec"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = (
        "max of P@rank over ranks with at least as many relevant documents as the level needs (rule recall-level)"
    )
    source: ClassVar[str] = "Salton, McGill 1983; trec_eval (iprec_at_recall)"
    examples: ClassVar[tuple[str, ...]] = ("IPrec@0.1", "IPrec@0.5", "IPrec@1", "IPrec(rel=2)@0.5")
    reads: ClassVar[tuple[str, ...]] = ("relevant_from", "recall_level")
    at_field: ClassVar[str | None] = "recall"

    def __post_init__(self) -> None:
        """Refuse a level that is no share."""
        super().__post_init__()
        check_option(self, "recall", is_number(self.recall) and 0 <= self.recall <= 1, "a recall level from 0 to 1")

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield the best precision."""
        if (term := _interpolated(at, contract, self.recall)) is not None:
            yield term


class IPrec11(_Maximum):
    """Eleven-point average: the mean of the interpolated precision at recall 0, 0.1, …, 1."""

    symbol: ClassVar[str] = "IPrec11"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "1/11 · sum over levels 0, 0.1, …, 1 of IPrec@level"
    source: ClassVar[str] = "Salton, McGill 1983; trec_eval (11pt_avg)"
    examples: ClassVar[tuple[str, ...]] = ("IPrec11", "IPrec11(rel=2)")
    reads: ClassVar[tuple[str, ...]] = ("relevant_from", "recall_level")
    LEVELS: ClassVar[tuple[float, ...]] = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield the best precision of each level."""
        for level in self.LEVELS:
            if (term := _interpolated(at, contract, level)) is not None:
                yield term

    def normaliser(self, at: Placements, contract: Contract) -> float:
        """Return the number of levels."""
        return len(self.LEVELS)
