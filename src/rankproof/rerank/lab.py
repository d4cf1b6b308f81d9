"""What did a reranker change? Before and after, in numbers and in words (formulas rag-ranking-metrics-v2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from rankproof.arithmetic import SAME, check_count
from rankproof.compare import Comparison, compare_values, statistics_of
from rankproof.compare.settings import Settings
from rankproof.contract import Contract
from rankproof.errors import RankproofError
from rankproof.evaluate import values_of
from rankproof.formats import Lab, Source, read_lab
from rankproof.formats.places import with_lines
from rankproof.measures import Measure, parse_all
from rankproof.model import Value
from rankproof.presets import FORMULAS_DATE
from rankproof.presets import contract as contract_of
from rankproof.rerank import lab_telling
from rankproof.rerank.lab_telling import CAVEATS
from rankproof.tables import Table, as_html, as_text
from rankproof.values import Values
from rankproof.words import Words

__all__ = ["CAVEATS", "FORMULAS", "MEANINGS", "VERDICTS", "Change", "LabResult", "Meaning", "rerank_lab"]

FORMULAS = "rag-ranking-metrics-v2"


class Meaning(NamedTuple):
    """What it means in words when a measure rises, falls or stays; `in_verdict`: it counts for the verdict."""

    rises: Words
    falls: Words
    stays: Words
    in_verdict: bool


MEANINGS: Mapping[str, Meaning] = {
    "P": Meaning(
        Words("more of the first {k} places hold a relevant document", "앞쪽 {k}개 자리에 적합 문서가 더 많아짐"),
        Words("fewer of the first {k} places hold a relevant document", "앞쪽 {k}개 자리에 적합 문서가 더 적어짐"),
        Words("as many of the first {k} places hold a relevant document", "앞쪽 {k}개 자리의 적합 문서 수가 그대로임"),
        in_verdict=True,
    ),
    "R": Meaning(
        Words(
            "more of the relevant documents stand in the first {k} places", "적합 문서가 앞쪽 {k}개 자리에 더 많이 옴"
        ),
        Words(
            "fewer of the relevant documents stand in the first {k} places", "적합 문서가 앞쪽 {k}개 자리에 더 적게 옴"
        ),
        Words(
            "as many of the relevant documents stand in the first {k} places",
            "앞쪽 {k}개 자리에 온 적합 문서가 그대로임",
        ),
        in_verdict=True,
    ),
    "RR": Meaning(
        Words("the first relevant document comes earlier", "첫 적합 문서가 더 앞에 옴"),
        Words("the first relevant document comes later", "첫 적합 문서가 더 뒤에 옴"),
        Words("the first relevant document comes as early", "첫 적합 문서의 자리가 그대로임"),
        in_verdict=True,
    ),
    "nDCG": Meaning(
        Words("documents of higher grade come earlier", "등급이 높은 문서가 더 앞에 옴"),
        Words("documents of higher grade come later", "등급이 높은 문서가 더 뒤에 옴"),
        Words("the order of grades is as good", "등급의 순서가 그대로 좋음"),
        in_verdict=True,
    ),
    "DuplicateRate": Meaning(
        Words("more of the results repeat a document: worse", "되풀이된 문서가 늘어남: 나빠짐"),
        Words("fewer of the results repeat a document: better", "되풀이된 문서가 줄어듦: 나아짐"),
        Words("as many of the results repeat a document", "되풀이된 문서의 비율이 그대로임"),
        in_verdict=False,
    ),
    "EvidenceRate": Meaning(
        Words("more of the results hold evidence", "근거가 있는 결과가 늘어남"),
        Words("fewer of the results hold evidence", "근거가 있는 결과가 줄어듦"),
        Words("as many of the results hold evidence", "근거가 있는 결과의 비율이 그대로임"),
        in_verdict=False,
    ),
}
_NOT_SAID = Words("cannot be said", "알 수 없음")

VERDICTS: Mapping[str, Words] = {
    "better": Words(
        "on average reranking moved relevant documents up: {risen} rose, no P, R, RR or nDCG fell{queries}",
        "평균적으로 리랭킹이 적합 문서를 위로 올렸습니다: {risen} 오름, 내린 P, R, RR, nDCG 없음{queries}",
    ),
    "worse": Words(
        "on average reranking moved relevant documents down: {fallen} fell, no P, R, RR or nDCG rose{queries}",
        "평균적으로 리랭킹이 적합 문서를 아래로 내렸습니다: {fallen} 내림, 오른 P, R, RR, nDCG 없음{queries}",
    ),
    "mixed": Words(
        "on average reranking helped in part: {risen} rose, {fallen} fell{queries}",
        "평균적으로 리랭킹이 일부에만 도움이 되었습니다: {risen} 오름, {fallen} 내림{queries}",
    ),
    "same": Words(
        "on average reranking changed none of P, R, RR and nDCG{queries}",
        "평균적으로 리랭킹이 P, R, RR, nDCG를 바꾸지 않았습니다{queries}",
    ),
    "undefined": Words(
        "no query has a relevant document: nothing can be said",
        "적합 문서가 있는 질의가 없어 아무것도 말할 수 없습니다",
    ),
}


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
    settings: Settings = field(default_factory=Settings)
    compared: Comparison | None = field(default=None, compare=False)  # where it stands already

    @property
    def contract(self) -> Contract:
        """Return the contract of both."""
        return self.before.contract

    @property
    def is_published(self) -> bool:
        """Return whether the values are those of the published formulas, and not of another contract."""
        return self.contract == contract_of(FORMULAS)

    @property
    def changes(self) -> list[Change]:
        """Return a row a measure."""
        return [self._change(measure) for measure in self.before.means]

    def _change(self, measure: str) -> Change:
        before, after = self.before.means[measure], self.after.means[measure]
        change = None if before is None or after is None else after - before
        return Change(measure, before, after, change, self.meaning(measure, change).en)

    def meaning(self, measure: str, change: Value) -> Words:
        """Return what a change of a measure means."""
        if change is None:
            return _NOT_SAID
        of_measure = MEANINGS[self.before.measures[measure].symbol]
        words = of_measure.stays if abs(change) < SAME else of_measure.rises if change > 0 else of_measure.falls
        return Words(*(one.format(k=self.k) for one in words))

    @property
    def verdict(self) -> str:
        """Return better, worse, mixed, same or undefined: of the means of P, R, RR and nDCG."""
        risen, fallen = self._moved(1), self._moved(-1)
        if all(row.change is None for row in self.deciding):
            return "undefined"
        return "mixed" if risen and fallen else "better" if risen else "worse" if fallen else "same"

    @property
    def verdict_says(self) -> str:
        """Return the verdict as a sentence."""
        return self.verdict_words.en

    @property
    def verdict_words(self) -> Words:
        """Return the verdict as a sentence in both languages."""
        rose, fell, stayed = self.queries_moved
        risen, fallen = (", ".join(self._moved(sign)) for sign in (1, -1))
        queries = Words(
            f"; {self._ndcg} rose for {rose} queries, fell for {fell}, stayed for {stayed}",
            f". {self._ndcg}: 오른 질의 {rose}개, 내린 질의 {fell}개, 그대로인 질의 {stayed}개",
        )
        english, korean = (
            says.format(risen=risen, fallen=fallen, queries=more)
            for says, more in zip(VERDICTS[self.verdict], queries, strict=True)
        )
        return Words(english, korean)

    @cached_property
    def comparison(self) -> Comparison:
        """Return what the differences show, measure by measure: intervals, p, effect sizes, verdicts."""
        return self.compared or compare_values(self.before, [self.after], self.settings)

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

    @property
    def deciding(self) -> list[Change]:
        """Return the rows that the verdict goes by: of P, R, RR and nDCG."""
        return [row for row in self.changes if MEANINGS[self.before.measures[row.measure].symbol].in_verdict]

    def _moved(self, sign: int) -> Sequence[str]:
        return [row.measure for row in self.deciding if row.change is not None and row.change * sign >= SAME]

    def to_dict(self, *, statistics: bool = True) -> dict[str, Any]:
        """Return what `rankproof rerank --format json` writes; without `statistics`, what is drawn is left out."""
        return {
            "formulas": {"version": FORMULAS, "date": FORMULAS_DATE} if self.is_published else None,
            "k": self.k,
            "contract": self.contract.to_dict(),
            "queries": len(self.before.query_ids),
            "verdict": self.verdict,
            "verdict_says": self.verdict_says,
            "queries_moved": dict(zip(("rose", "fell", "stayed"), self.queries_moved, strict=True)),
            "means": [row._asdict() for row in self.changes],
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "statistics": statistics_of(self.comparison) if statistics else None,
            "caveats": [caveat.en for caveat in CAVEATS],
        }

    def tables(self) -> list[Table]:
        """Return before, after and what the change means; each query; what the differences show."""
        return lab_telling.lab_tables(self)

    def notes(self) -> list[str]:
        """Return the formulas, what was counted, how it was compared, and what the numbers do not show."""
        return lab_telling.lab_notes(self)

    def __repr__(self) -> str:
        """Return the verdict, tables and notes, to read."""
        return "\n".join([self.verdict_says, "", as_text(self.tables(), styled=False), *self.notes()])

    def _repr_html_(self) -> str:
        """Return verdict, tables and notes, as a notebook shows them."""
        return as_html(self.tables(), [self.verdict_says, *self.notes()])


def rerank_lab(
    lab: str | Path | Source | Lab,
    k: int = 5,
    contract: str | Path | Mapping[str, Any] | Contract = FORMULAS,
    settings: Settings | None = None,
) -> LabResult:
    """Return the values before and after of a lab file at cutoff k, by the published formulas or another contract.

    InputError for what is wrong with the file, ContractError for what the contract forbids.
    """
    check_count("k", k)
    found = lab if isinstance(lab, Lab) else read_lab(lab)
    given, measures = contract_of(contract), lab_measures(k)
    try:
        before, after = (values_of(found.qrels, run, measures, given) for run in (found.before, found.after))
    except RankproofError as error:  # a grade too large for 2^grade, say
        raise with_lines(error, found.before.source) from error
    return LabResult(k, before, after, settings or Settings())


def lab_measures(k: int) -> list[Measure]:
    """Return the measures of a lab file at cutoff k."""
    return parse_all([f"{symbol}@{k}" for symbol in MEANINGS])
