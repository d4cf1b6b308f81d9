"""What did a reranker change? Before and after, in numbers and in words (formulas rag-ranking-metrics-v2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from rankproof.arithmetic import SAME, check_count
from rankproof.compare import Comparison, compare_values, statistics_of
from rankproof.contract import Contract
from rankproof.errors import RankproofError
from rankproof.evaluate import values_of
from rankproof.formats import Lab, Source, read_lab
from rankproof.formats.places import with_lines
from rankproof.measures import parse_all
from rankproof.model import Value
from rankproof.presets import FORMULAS_DATE
from rankproof.presets import contract as contract_of
from rankproof.values import Values

FORMULAS = "rag-ranking-metrics-v2"


class Meaning(NamedTuple):
    """What it means in words when a measure rises, falls or stays; `in_verdict`: it counts for the verdict."""

    rises: str
    falls: str
    stays: str
    in_verdict: bool


MEANINGS: Mapping[str, Meaning] = {
    "P": Meaning(
        "more of the first {k} places hold a relevant document",
        "fewer of the first {k} places hold a relevant document",
        "as many of the first {k} places hold a relevant document",
        in_verdict=True,
    ),
    "R": Meaning(
        "more of the relevant documents stand in the first {k} places",
        "fewer of the relevant documents stand in the first {k} places",
        "as many of the relevant documents stand in the first {k} places",
        in_verdict=True,
    ),
    "RR": Meaning(
        "the first relevant document comes earlier",
        "the first relevant document comes later",
        "the first relevant document comes as early",
        in_verdict=True,
    ),
    "nDCG": Meaning(
        "documents of higher grade come earlier",
        "documents of higher grade come later",
        "the order of grades is as good",
        in_verdict=True,
    ),
    "DuplicateRate": Meaning(
        "more of the results repeat a document: worse",
        "fewer of the results repeat a document: better",
        "as many of the results repeat a document",
        in_verdict=False,
    ),
    "EvidenceRate": Meaning(
        "more of the results hold evidence",
        "fewer of the results hold evidence",
        "as many of the results hold evidence",
        in_verdict=False,
    ),
}

VERDICTS = {
    "better": "on average reranking moved relevant documents up: {risen} rose, no P, R, RR or nDCG fell{queries}",
    "worse": "on average reranking moved relevant documents down: {fallen} fell, no P, R, RR or nDCG rose{queries}",
    "mixed": "on average reranking helped in part: {risen} rose, {fallen} fell{queries}",
    "same": "on average reranking changed none of P, R, RR and nDCG{queries}",
    "undefined": "no query has a relevant document: nothing can be said",
}

CAVEATS = (
    "A different number does not by itself prove significance, or that a final answer is true.",
    "Representative queries, consistent judgments, correct citations and faithful answers are checked apart.",
    "A file with real queries or private document ids must be stored and shared with care.",
)


class Change(NamedTuple):
    """One measure's means before and after, their difference, and what it means."""

    measure: str
    before: Value
    after: Value
    change: Value
    meaning: str


@dataclass(frozen=True)
class LabResult:
    """The two runs of a lab file under one contract, side by side at one cutoff."""

    k: int
    before: Values
    after: Values

    @property
    def contract(self) -> Contract:
        """Return the contract of both."""
        return self.before.contract

    @property
    def changes(self) -> list[Change]:
        """Return a row a measure."""
        return [self._change(measure) for measure in self.before.means]

    def _change(self, measure: str) -> Change:
        before, after = self.before.means[measure], self.after.means[measure]
        change = None if before is None or after is None else after - before
        if change is None:
            return Change(measure, before, after, None, "cannot be said")
        meaning = MEANINGS[self.before.measures[measure].symbol]
        words = meaning.stays if abs(change) < SAME else meaning.rises if change > 0 else meaning.falls
        return Change(measure, before, after, change, words.format(k=self.k))

    @property
    def verdict(self) -> str:
        """Return better, worse, mixed, same or undefined: of the means of P, R, RR and nDCG."""
        risen, fallen = self._moved(1), self._moved(-1)
        if all(row.change is None for row in self._ranking()):
            return "undefined"
        return "mixed" if risen and fallen else "better" if risen else "worse" if fallen else "same"

    @property
    def verdict_says(self) -> str:
        """Return the verdict as a sentence."""
        rose, fell, stayed = self.queries_moved
        queries = f"; {self._ndcg} rose for {rose} queries, fell for {fell}, stayed for {stayed}"
        names = {"risen": ", ".join(self._moved(1)), "fallen": ", ".join(self._moved(-1)), "queries": queries}
        return VERDICTS[self.verdict].format(**names)

    @cached_property
    def comparison(self) -> Comparison:
        """Return what the differences show, measure by measure: intervals, p, effect sizes, verdicts."""
        return compare_values(self.before, [self.after])

    @property
    def _ndcg(self) -> str:
        return f"nDCG@{self.k}"

    @property
    def queries_moved(self) -> tuple[int, int, int]:
        """Return for how many queries nDCG rose, fell and stayed."""
        pairs = zip(self.before.per_query[self._ndcg], self.after.per_query[self._ndcg], strict=True)
        changes = [after - before for before, after in pairs if before is not None and after is not None]
        rose, fell = (sum(change * sign >= SAME for change in changes) for sign in (1, -1))
        return rose, fell, len(changes) - rose - fell

    def _ranking(self) -> list[Change]:
        return [row for row in self.changes if MEANINGS[self.before.measures[row.measure].symbol].in_verdict]

    def _moved(self, sign: int) -> Sequence[str]:
        return [row.measure for row in self._ranking() if row.change is not None and row.change * sign >= SAME]

    def to_dict(self) -> dict[str, Any]:
        """Return what `rankproof rerank --format json` writes."""
        return {
            "formulas": {"version": FORMULAS, "date": FORMULAS_DATE},
            "k": self.k,
            "contract": self.contract.to_dict(),
            "queries": len(self.before.query_ids),
            "verdict": self.verdict,
            "verdict_says": self.verdict_says,
            "queries_moved": dict(zip(("rose", "fell", "stayed"), self.queries_moved, strict=True)),
            "means": [row._asdict() for row in self.changes],
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "statistics": statistics_of(self.comparison),
            "caveats": list(CAVEATS),
        }


def rerank_lab(lab: str | Path | Source | Lab, k: int = 5) -> LabResult:
    """Return the values before and after of a lab file at cutoff k. InputError for what is wrong with the file."""
    check_count("k", k)
    found = lab if isinstance(lab, Lab) else read_lab(lab)
    measures = parse_all([f"{symbol}@{k}" for symbol in MEANINGS])
    contract = contract_of(FORMULAS)
    try:
        before, after = (values_of(found.qrels, run, measures, contract) for run in (found.before, found.after))
    except RankproofError as error:  # a grade too large for 2^grade, say
        raise with_lines(error, found.before.source) from error
    return LabResult(k, before, after)
