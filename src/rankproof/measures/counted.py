"""How many relevant documents come back, and how early: P, R, F, Success, RR, AP, GMAP, R-precision, and of sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor
from typing import ClassVar

from rankproof.arithmetic import OverQueries
from rankproof.contract import Contract
from rankproof.measures.base import Above, CutMeasure, Measure, RelevantOrNot, Term, check_option, is_number, relevant
from rankproof.model import Placements


class _Hits(CutMeasure):
    """One term for each relevant document within the cutoff."""

    above: ClassVar[Above] = "nothing"

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield 1 for each relevant document."""
        for _, rank, grade in relevant(at, contract, self.cutoff):
            yield rank, grade, 1


class P(_Hits):
    """Precision: the share of the first k places that hold a relevant document; without k, of all that came back."""

    symbol: ClassVar[str] = "P"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "|relevant in the first k| / k"
    source: ClassVar[str] = "Cleverdon, Mills, Keen 1966"
    examples: ClassVar[tuple[str, ...]] = ("P@5", "P(rel=2)@10", "P", "P(precision-denominator=returned)@5")
    reads: ClassVar[tuple[str, ...]] = ("relevant_from", "precision_denominator")

    def normaliser(self, at: Placements, contract: Contract) -> float:
        """Return k, or what came back."""
        if self.cutoff is None or contract.precision_denominator == "returned":
            return at.returned_within(self.cutoff)
        return self.cutoff


class NumRelRet(_Hits):
    """The number of relevant documents in the first k places; without k, of those that came back."""

    symbol: ClassVar[str] = "NumRelRet"
    formula: ClassVar[str] = "|relevant in the first k|, added up over queries"
    source: ClassVar[str] = "trec_eval"
    examples: ClassVar[tuple[str, ...]] = ("NumRelRet", "NumRelRet@10", "NumRelRet(rel=2)")
    needs_relevant: ClassVar[bool] = False
    over_queries: ClassVar[OverQueries] = "sum"


class R(_Hits):
    """Recall: the share of the relevant documents that stands in the first k places; without k, that came back."""

    symbol: ClassVar[str] = "R"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "|relevant in the first k| / |relevant|"
    source: ClassVar[str] = "Cleverdon, Mills, Keen 1966"
    examples: ClassVar[tuple[str, ...]] = ("R@100", "R(rel=2)@10", "R", "R(recall-denominator=capped)@3")
    reads: ClassVar[tuple[str, ...]] = ("relevant_from", "recall_denominator")

    def normaliser(self, at: Placements, contract: Contract) -> float:
        """Return the number of relevant documents, or at most k of them."""
        count = at.at_least(contract.relevant_from)
        return min(count, self.cutoff) if self.cutoff and contract.recall_denominator == "capped" else count


@dataclass(frozen=True)
class F(CutMeasure):
    """The weighted harmonic mean of precision and recall; recall weighs beta times as much."""

    beta: float = 1.0

    symbol: ClassVar[str] = "F"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "(1 + beta²) · |relevant in the first k| / (beta² · |relevant| + denominator of P@k)"
    source: ClassVar[str] = "van Rijsbergen 1979"
    examples: ClassVar[tuple[str, ...]] = ("F@10", "F(beta=0.5)@10", "F")
    above: ClassVar[Above] = "nothing"
    reads: ClassVar[tuple[str, ...]] = ("relevant_from", "precision_denominator")

    def __post_init__(self) -> None:
        """Refuse a weight that is not above 0."""
        super().__post_init__()
        check_option(self, "beta", is_number(self.beta) and 0 < self.beta <= 1000, "a number above 0, at most 1000")

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield 1 + beta² for each relevant document."""
        for _, rank, grade in relevant(at, contract, self.cutoff):
            yield rank, grade, 1 + self.beta * self.beta

    def normaliser(self, at: Placements, contract: Contract) -> float:
        """Return beta² times the relevant documents, plus what precision divides by."""
        precision = P(self.cutoff).normaliser(at, contract)
        return self.beta * self.beta * at.at_least(contract.relevant_from) + precision


class Success(RelevantOrNot, CutMeasure):
    """Hit rate: 1 where the first k places hold a relevant document, else 0."""

    symbol: ClassVar[str] = "Success"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "1 if |relevant in the first k| > 0, else 0"
    source: ClassVar[str] = "trec_eval (success)"
    examples: ClassVar[tuple[str, ...]] = ("Success@5", "Success(rel=2)@10")
    above: ClassVar[Above] = "any"

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield 1 for the first relevant document."""
        for _, rank, grade in relevant(at, contract, self.cutoff):
            yield rank, grade, 1
            return


class RR(RelevantOrNot, CutMeasure):
    """Reciprocal rank: one over the rank of the first relevant document, 0 if none comes within k. Its mean is MRR."""

    symbol: ClassVar[str] = "RR"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "1 / rank of the first relevant document"
    source: ClassVar[str] = "Kantor, Voorhees 2000"
    examples: ClassVar[tuple[str, ...]] = ("RR@10", "RR", "RR(rel=2)@10")
    above: ClassVar[Above] = "any"

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield the first relevant document's 1/rank."""
        for _, rank, grade in relevant(at, contract, self.cutoff):
            yield rank, grade, 1 / rank
            return


class AP(RelevantOrNot, CutMeasure):
    """Average precision: the mean, over the relevant documents, of the precision at their ranks. Its mean is MAP."""

    symbol: ClassVar[str] = "AP"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "sum over relevant documents within k of P@(its rank) / |relevant|"
    source: ClassVar[str] = "Harman 1992; Buckley, Voorhees 2000"
    examples: ClassVar[tuple[str, ...]] = ("AP", "AP@10", "AP(rel=2)@100", "AP(ap-denominator=capped)@3")
    reads: ClassVar[tuple[str, ...]] = ("relevant_from", "ap_denominator")
    above: ClassVar[Above] = "count"

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield the precision at each relevant document."""
        for count, rank, grade in relevant(at, contract, self.cutoff):
            yield rank, grade, count / rank

    def normaliser(self, at: Placements, contract: Contract) -> float:
        """Return the number of relevant documents; at most k of them; or those retrieved."""
        count = at.at_least(contract.relevant_from)
        if contract.ap_denominator == "retrieved":
            return sum(1 for _ in relevant(at, contract, self.cutoff))
        return min(count, self.cutoff) if self.cutoff and contract.ap_denominator == "capped" else count


class GMAP(AP):
    """The geometric mean of AP over queries, which the worst queries move most; values below 0.00001 count as that."""

    symbol: ClassVar[str] = "GMAP"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "exp(mean over queries of log(max(AP, 0.00001)))"
    source: ClassVar[str] = "Robertson 2006"
    examples: ClassVar[tuple[str, ...]] = ("GMAP", "GMAP@100")
    over_queries: ClassVar[OverQueries] = "geometric-mean"


class Rprec(Measure):
    """R-precision: the precision at rank R, where R is the number of relevant documents."""

    symbol: ClassVar[str] = "Rprec"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "|relevant in the first R| / R, R = |relevant|"
    source: ClassVar[str] = "Buckley, Voorhees 2005"
    examples: ClassVar[tuple[str, ...]] = ("Rprec", "Rprec(rel=2)")
    above: ClassVar[Above] = "nothing"

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield 1 for each relevant document within the first R places."""
        for _, rank, grade in relevant(at, contract, at.at_least(contract.relevant_from)):
            yield rank, grade, 1

    def last_place(self, at: Placements, contract: Contract) -> int:
        """Return R, or where the results end."""
        return at.returned_within(at.at_least(contract.relevant_from))

    def normaliser(self, at: Placements, contract: Contract) -> float:
        """Return the number of relevant documents."""
        return at.at_least(contract.relevant_from)


@dataclass(frozen=True)
class RprecMult(Measure):
    """R-precision at a multiple of R: the precision at rank x·R, to tell precision-oriented from recall-oriented."""

    multiple: float = 1.0

    symbol: ClassVar[str] = "RprecMult"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "|relevant in the first n| / n, n = the whole part of x · |relevant| + 0.9"
    source: ClassVar[str] = "trec_eval (Rprec_mult)"
    examples: ClassVar[tuple[str, ...]] = ("RprecMult@0.2", "RprecMult@2", "RprecMult(rel=2)@1.5")
    above: ClassVar[Above] = "nothing"
    at_field: ClassVar[str | None] = "multiple"

    def __post_init__(self) -> None:
        """Refuse a multiple that is not above 0."""
        super().__post_init__()
        fits = is_number(self.multiple) and 0 < self.multiple <= 1000
        check_option(self, "multiple", fits, "a number above 0, at most 1000")

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield 1 for each relevant document within the first n places."""
        for _, rank, grade in relevant(at, contract, self._rank(at, contract)):
            yield rank, grade, 1

    def last_place(self, at: Placements, contract: Contract) -> int:
        """Return n, or where the results end."""
        return at.returned_within(self._rank(at, contract))

    def normaliser(self, at: Placements, contract: Contract) -> float:
        """Return n."""
        return self._rank(at, contract)

    def _rank(self, at: Placements, contract: Contract) -> int:
        return floor(self.multiple * at.at_least(contract.relevant_from) + 0.9)


class SetRelativeP(RelevantOrNot, Measure):
    """Precision of all that came back, over the highest that as many results could have."""

    symbol: ClassVar[str] = "SetRelativeP"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "|relevant that came back| / min(what came back, |relevant|)"
    source: ClassVar[str] = "trec_eval (set_relative_P)"
    examples: ClassVar[tuple[str, ...]] = ("SetRelativeP", "SetRelativeP(rel=2)")
    above: ClassVar[Above] = "nothing"

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield 1 for each relevant document."""
        for _, rank, grade in relevant(at, contract):
            yield rank, grade, 1

    def normaliser(self, at: Placements, contract: Contract) -> float:
        """Return what came back, at most the relevant documents."""
        return min(at.returned, at.at_least(contract.relevant_from))


class SetAP(RelevantOrNot, Measure):
    """Average precision of a set without an order: precision times recall of all that came back."""

    symbol: ClassVar[str] = "SetAP"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "|relevant that came back|² / (what came back · |relevant|)"
    source: ClassVar[str] = "trec_eval (set_map)"
    examples: ClassVar[tuple[str, ...]] = ("SetAP", "SetAP(rel=2)")
    above: ClassVar[Above] = "count"

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield 1, 3, 5, …: what each relevant document adds to the square."""
        for count, rank, grade in relevant(at, contract):
            yield rank, grade, 2 * count - 1

    def normaliser(self, at: Placements, contract: Contract) -> float:
        """Return what came back times the relevant documents."""
        return at.returned * at.at_least(contract.relevant_from)
