"""What is shown, relevant or not: Judged, Unjudged, duplicate rate, evidence rate, and the counts."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import ClassVar

from rankproof.arithmetic import OverQueries
from rankproof.contract import Contract
from rankproof.measures.base import Above, CutMeasure, Measure, Term, mark_crosses
from rankproof.model import Grade, Placements


class _Shown(CutMeasure):
    """A share of the places within k that hold a result."""

    reads: ClassVar[tuple[str, ...]] = ()
    needs_relevant: ClassVar[bool] = False

    def normaliser(self, at: Placements, contract: Contract) -> float:
        """Return what came back, at most k."""
        return at.returned_within(self.cutoff)


class _OfJudgments(_Shown):
    """A share that the rule judged-denominator divides."""

    reads: ClassVar[tuple[str, ...]] = ("judged_denominator",)
    above: ClassVar[Above] = "nothing"

    def normaliser(self, at: Placements, contract: Contract) -> float:
        """Return k, or what came back, at most k."""
        by_cutoff = contract.judged_denominator == "cutoff" and self.cutoff is not None
        return self.cutoff or 0 if by_cutoff else at.returned_within(self.cutoff)


class Judged(_OfJudgments):
    """The share of the results within k that are judged (over k under another judged-denominator)."""

    symbol: ClassVar[str] = "Judged"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "|judged in the first k| / results within k"
    source: ClassVar[str] = "ir_measures (Judged)"
    examples: ClassVar[tuple[str, ...]] = ("Judged@10", "Judged")

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield 1 for each judged document."""
        for rank, grade in at.within(self.cutoff):
            if grade >= 0:
                yield rank, grade, 1


class Unjudged(_OfJudgments):
    """The share of the results within k that have no judgment: what the labels cannot tell."""

    symbol: ClassVar[str] = "Unjudged"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "|unjudged in the first k| / results within k"
    source: ClassVar[str] = "trec_eval 10 (unj)"
    examples: ClassVar[tuple[str, ...]] = ("Unjudged@10", "Unjudged")
    higher_is_better: ClassVar[bool] = False

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield -1 for each judged document."""
        for rank, grade, one in Judged(self.cutoff).terms(at, contract):
            yield rank, grade, -one

    def constant(self, at: Placements, contract: Contract) -> float:
        """Return the different documents within k."""
        returned = at.returned_within(self.cutoff)
        return returned - bisect_right(at.repeats, returned)

    def mean_is_open(self, at: Placements, contract: Contract) -> bool:
        """Return whether it is open how many repeats stand within k."""
        return mark_crosses(at, self.last_place(at, contract))

    range_is_open = mean_is_open


class _OfMarks(_Shown):
    """A share of the places that are marked, whatever is judged."""

    looks_at_grades: ClassVar[bool] = False
    source: ClassVar[str] = "rankproof (the formulas rag-ranking-metrics-v2)"

    @abstractmethod
    def marks(self, at: Placements) -> Sequence[int]:
        """Return the marked ranks, ascending."""

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield 1 for each mark."""
        marks = self.marks(at)
        yield from ((rank, 0, 1) for rank in marks[: bisect_right(marks, self.last_place(at, contract))])

    def mean_is_open(self, at: Placements, contract: Contract) -> bool:
        """Return whether a tie that holds a mark crosses the last place that counts."""
        return mark_crosses(at, self.last_place(at, contract))

    range_is_open = mean_is_open


class DuplicateRate(_OfMarks):
    """The share of the results within k that repeat a document which counts elsewhere."""

    symbol: ClassVar[str] = "DuplicateRate"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "|repeats in the first k| / results within k"
    examples: ClassVar[tuple[str, ...]] = ("DuplicateRate@5", "DuplicateRate")
    higher_is_better: ClassVar[bool] = False

    def marks(self, at: Placements) -> Sequence[int]:
        """Return the ranks of the repeats."""
        return at.repeats


class EvidenceRate(_OfMarks):
    """The share of the results within k that are marked as holding evidence; undefined where nothing was marked."""

    symbol: ClassVar[str] = "EvidenceRate"
    most: ClassVar[float | None] = 1.0
    formula: ClassVar[str] = "|marked in the first k| / results within k"
    examples: ClassVar[tuple[str, ...]] = ("EvidenceRate@5", "EvidenceRate")

    def marks(self, at: Placements) -> Sequence[int]:
        """Return the ranks that hold evidence."""
        return at.evidence or ()

    def mean_is_open(self, at: Placements, contract: Contract) -> bool:
        """Return whether it is open how many marks stand within k; never where nothing was marked."""
        return at.evidence is not None and super().mean_is_open(at, contract)

    range_is_open = mean_is_open

    def normaliser(self, at: Placements, contract: Contract) -> float:
        """Return what came back, at most k; 0 where nothing was marked."""
        return 0 if at.evidence is None else super().normaliser(at, contract)


class _Count(Measure):
    """A number, added up over queries."""

    looks_at_grades: ClassVar[bool] = False
    source: ClassVar[str] = "trec_eval"
    reads: ClassVar[tuple[str, ...]] = ()
    needs_relevant: ClassVar[bool] = False
    over_queries: ClassVar[OverQueries] = "sum"

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield nothing: the number does not depend on places."""
        yield from ()


class NumQ(_Count):
    """The number of queries."""

    symbol: ClassVar[str] = "NumQ"
    formula: ClassVar[str] = "1 for each query, added up"
    examples: ClassVar[tuple[str, ...]] = ("NumQ",)

    def constant(self, at: Placements, contract: Contract) -> float:
        """Return 1."""
        return 1


class NumRet(_Count):
    """The number of results."""

    symbol: ClassVar[str] = "NumRet"
    formula: ClassVar[str] = "|returned|, added up over queries"
    examples: ClassVar[tuple[str, ...]] = ("NumRet",)

    def constant(self, at: Placements, contract: Contract) -> float:
        """Return how many came back."""
        return at.returned


class NumRel(_Count):
    """The number of relevant documents in the qrels."""

    symbol: ClassVar[str] = "NumRel"
    formula: ClassVar[str] = "|relevant|, added up over queries"
    examples: ClassVar[tuple[str, ...]] = ("NumRel", "NumRel(rel=2)")
    reads: ClassVar[tuple[str, ...]] = ("relevant_from",)

    def constant(self, at: Placements, contract: Contract) -> float:
        """Return how many are relevant."""
        return at.at_least(contract.relevant_from)


class NumNonrelRet(Measure):
    """The number of documents that came back and were judged non-relevant."""

    symbol: ClassVar[str] = "NumNonrelRet"
    formula: ClassVar[str] = "|judged non-relevant that came back|, added up over queries"
    source: ClassVar[str] = "trec_eval (num_nonrel_judged_ret)"
    examples: ClassVar[tuple[str, ...]] = ("NumNonrelRet", "NumNonrelRet(rel=2)")
    needs_relevant: ClassVar[bool] = False
    higher_is_better: ClassVar[bool] = False
    above: ClassVar[Above] = "nothing"
    over_queries: ClassVar[OverQueries] = "sum"

    def terms(self, at: Placements, contract: Contract) -> Iterator[Term]:
        """Yield 1 for each document judged non-relevant."""
        for rank, grade in at.within():
            if 0 <= grade < contract.relevant_from:
                yield rank, grade, 1

    def worth(self, grade: Grade, contract: Contract) -> float:
        """Return 1 for a document judged non-relevant."""
        return 1 if 0 <= grade < contract.relevant_from else 0
