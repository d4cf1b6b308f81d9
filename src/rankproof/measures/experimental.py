"""What do trec_eval's experimental measures say: BinG, G, and nDCG averaged over relevant documents or levels?"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate, groupby
from math import log2
from typing import ClassVar

from rankproof.arithmetic import add
from rankproof.contract import Contract
from rankproof.measures.base import Measure, RelevantOrNot, Term, relevant
from rankproof.measures.graded import DISCOUNTS, OfGains, gain_rule
from rankproof.model import Placements


class BinG(RelevantOrNot, Measure):
    """Relevant documents, each less the more other documents stand above it."""

    symbol: ClassVar[str] = "BinG"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "1/R · sum over relevant of 1 / log2(2 + other documents above)"
    source: ClassVar[str] = "trec_eval (binG)"
    examples: ClassVar[tuple[str, ...]] = ("BinG", "BinG(rel=2)")

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield 1 / log2(2 + other documents above)."""
        for count, rank, grade in relevant(at, contract):
            yield rank, grade, 1 / log2(2 + rank - count)

    def normaliser(self, at: Placements, contract: Contract) -> float:
        """Return the number of relevant documents."""
        return at.at_least(contract.relevant_from)


def _ideal_gains(at: Placements, contract: Contract) -> list[float]:
    """Return the gains above 0 of all judged documents, highest first."""
    return sorted(filter(None, map(gain_rule(contract), at.pool)), reverse=True)


class G(OfGains):
    """Gains, each less the further the gains down to its rank fall behind those of the ideal ranking."""

    symbol: ClassVar[str] = "G"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = (
        "sum of gain / log2(2 + cost - gains down to its rank) / sum of the ideal gains;"
        " cost = sum down to its rank of the ideal gain, at least 1 a place"
    )
    source: ClassVar[str] = "trec_eval (G)"
    examples: ClassVar[tuple[str, ...]] = ("G", "G(gain=exponential)")

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield gain / log2(2 + cost - gains so far)."""
        gain_of, gained = gain_rule(contract), 0.0
        costs = [0.0, *accumulate(max(gain, 1.0) for gain in _ideal_gains(at, contract))]
        for rank, grade in at.within():
            if gain := gain_of(grade):
                gained += gain
                beyond = max(0, rank - len(costs) + 1)  # places without an ideal gain cost 1
                yield rank, grade, gain / log2(2 + costs[rank - beyond] + beyond - gained)

    def normaliser(self, at: Placements, contract: Contract) -> float:
        """Return the sum of all gains."""
        return add(_ideal_gains(at, contract), contract.summation)

    def range_is_open(self, at: Placements, contract: Contract) -> bool:
        """Return whether a judged document is tied: a better order can lower the value."""
        return any(tie.grades for tie in at.ties)


class _Averaged(OfGains):
    """A mean of nDCG at several ranks: partial sums from left to right, whatever the rule summation says."""

    reads: ClassVar[tuple[str, ...]] = (*OfGains.reads, "discount")

    def mean_is_open(self, at: Placements, contract: Contract) -> bool:
        """Return whether a judged document is tied: the DCG at a rank depends on the order above it."""
        return any(tie.grades for tie in at.ties)

    def gained(self, at: Placements, contract: Contract) -> list[Term]:
        """Return the documents with a gain, each with the DCG at its rank."""
        gain_of, discount, dcg, found = gain_rule(contract), DISCOUNTS[contract.discount], 0.0, []
        for rank, grade in at.within():
            if gain := gain_of(grade):
                dcg += gain / discount(rank)
                found.append((rank, grade, dcg))
        return found

    def ideal_dcgs(self, at: Placements, contract: Contract) -> list[float]:
        """Return the DCG of the ideal ranking at each rank that has a gain."""
        discount = DISCOUNTS[contract.discount]
        return list(accumulate(gain / discount(rank) for rank, gain in enumerate(_ideal_gains(at, contract), 1)))


class NDCGRel(_Averaged):
    """nDCG averaged over the relevant documents: at the rank of each, and at the end for those that did not come."""

    symbol: ClassVar[str] = "nDCGRel"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "mean over documents with a gain of nDCG@(its rank); of all results for one not retrieved"
    source: ClassVar[str] = "trec_eval (ndcg_rel)"
    examples: ClassVar[tuple[str, ...]] = ("nDCGRel", "nDCGRel(gain=exponential)")

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield the nDCG at each document with a gain."""
        ideal = self.ideal_dcgs(at, contract)
        for rank, grade, dcg in self.gained(at, contract):
            yield rank, grade, dcg / ideal[min(rank, len(ideal)) - 1]

    def constant(self, at: Placements, contract: Contract) -> float:
        """Return what the documents with a gain that did not come add: each the nDCG of all results."""
        gained, ideal = self.gained(at, contract), self.ideal_dcgs(at, contract)
        return (len(ideal) - len(gained)) * gained[-1][2] / ideal[-1] if gained else 0.0

    def normaliser(self, at: Placements, contract: Contract) -> float:
        """Return the number of documents with a gain."""
        return len(_ideal_gains(at, contract))


class RnDCG(_Averaged):
    """nDCG averaged over ranks: where each level of gain ends in the ideal ranking, and where the results end."""

    symbol: ClassVar[str] = "RnDCG"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = (
        "mean of DCG@n / ideal DCG@n over the ranks n where the ideal gain falls,"
        " and over the last result if it stands more than one place beyond them"
    )
    source: ClassVar[str] = "trec_eval (Rndcg)"
    examples: ClassVar[tuple[str, ...]] = ("RnDCG", "RnDCG(gain=binary)")

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield the nDCG at each rank, as a term of the last document with a gain down to there."""
        gained, ideal = self.gained(at, contract), self.ideal_dcgs(at, contract)
        ranks = [rank for rank, _, _ in gained]
        for end in self._ends(at, contract):
            if count := bisect_right(ranks, end):
                rank, grade, dcg = gained[count - 1]
                yield rank, grade, dcg / ideal[min(end, len(ideal)) - 1]

    def normaliser(self, at: Placements, contract: Contract) -> float:
        """Return the number of ranks."""
        return len(self._ends(at, contract))

    def has_relevant(self, at: Placements, contract: Contract) -> bool:
        """Return whether the query has a relevant document, and one with a gain."""
        return at.at_least(contract.relevant_from) > 0 and super().has_relevant(at, contract)

    def _ends(self, at: Placements, contract: Contract) -> list[int]:
        gains = _ideal_gains(at, contract)
        ends = list(accumulate(len(list(level)) for _, level in groupby(gains)))
        return [*ends, at.returned] if at.returned > len(gains) + 1 else ends
