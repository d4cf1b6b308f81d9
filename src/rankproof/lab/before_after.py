"""How does a comparison before and after look in the page: what is seen at once, and what takes longer?

What is seen (means, values of each query, moves) is there in a moment. What the differences show (intervals, p) comes
from ten thousand draws, and curves ask for twenty measures more: of many queries a page asks for these apart.
"""

from __future__ import annotations

from collections.abc import Sequence

from rankproof.answers import kebab
from rankproof.charts import Chart, delta_plot
from rankproof.compare.limits import labels_table, limits
from rankproof.compare.telling import (
    DASH,
    enough,
    interval_text,
    method,
    p_text,
    percent,
    reach_table,
    shown_table,
    star_of,
)
from rankproof.contract import Contract
from rankproof.lab.asked import Asked
from rankproof.report.blocks import Block, Details, Page, Section
from rankproof.report.korean import contract_words, override_words, says_of
from rankproof.report.lab import TITLE, lab_cards, lab_query_table, lab_verdict
from rankproof.report.runs import cutoff_charts, moves_chart
from rankproof.report.sections import STAR, limits_section, runs_table
from rankproof.rerank.lab import LabResult
from rankproof.rerank.lab_telling import CAVEATS, changes_table, made_words, too_few
from rankproof.tables import Table
from rankproof.values import Values
from rankproof.words import Words, query_count

UNTESTED = Words(
    "Intervals, p and the curves over cutoffs are not drawn here: of many queries they take longer.",
    "구간, p, 컷오프별 곡선은 여기서 계산하지 않았습니다. 질의가 많으면 시간이 더 걸립니다.",
)
ASSUMED = ("unjudged", "duplicate_document", "duplicate_slot", "order", "ties", "missing_query", "no_relevant")
"""The rules that a reader should know without opening the contract."""


def two_runs_page(found: LabResult, asked: Asked, cutoffs: Sequence[int], *, tested: bool) -> Page:
    """Return the page of two runs; `tested`: with intervals, p and curves."""
    title = (
        TITLE
        if asked.is_lab
        else Words(f"{found.before.run} → {found.after.run}", f"{found.before.run} → {found.after.run}")
    )
    lead: list[Block] = [lab_verdict(found), lab_cards(found), *(too_few(found) if tested else [UNTESTED])]
    moved = moves_chart(asked.inputs, *asked.runs)
    sections = [
        Section(
            Words("Before and after", "전과 후"), [means_table(found, tested=tested), *_tested(found, tested=tested)]
        ),
        Section(Words("Query by query", "질의별"), [*_deltas(found), lab_query_table(found)]),
        Section(Words("Relevant documents", "적합 문서"), [moved] if moved else []),
        Section(Words("Over cutoffs", "컷오프별"), cutoff_charts(asked.inputs, cutoffs) if tested or cutoffs else []),
        Section(
            Words("What was assumed", "무엇을 가정했나"),
            assumptions(found.contract, made_words(found), [found.before, found.after]),
        ),
        limits_section([*CAVEATS, *(limits(found.comparison) if tested and not asked.is_lab else [])]),
    ]
    return Page(title, [section for section in sections if section.blocks], lead=lead)


def one_run_page(values: Values, asked: Asked, cutoffs: Sequence[int]) -> Page:
    """Return the page of a run alone: means, each query, cutoffs, what was assumed."""
    made = Words(
        f"{query_count(len(values.query_ids))}, K = {asked.k}", f"질의 {len(values.query_ids)}개, K = {asked.k}"
    )
    sections = [
        Section(Words("Means", "평균"), [Table(["measure", "value"], list(values.means.items()), decimals=6)]),
        Section(Words("Query by query", "질의별"), [_query_table(values)]),
        Section(Words("Over cutoffs", "컷오프별"), list(cutoff_charts(asked.inputs, cutoffs))),
        Section(Words("What was assumed", "무엇을 가정했나"), assumptions(values.contract, [made], [values])),
        limits_section(CAVEATS),
    ]
    return Page(Words(values.run, values.run), [section for section in sections if section.blocks])


def _query_table(values: Values) -> Table:
    """Return a row a query, laid out as for two runs."""
    rows = [[query, values.run, *values.of_query(query).values()] for query in values.query_ids]
    return Table(["query_id", "run", *values.means], rows, "per query", decimals=6)


def means_table(found: LabResult, *, tested: bool) -> Table:
    """Return a row a measure: before, after, change, what it means; if tested, interval, p, queries needed too."""
    plain = changes_table(found)
    if not tested:
        return plain
    shown = {one.measure: one for one in found.comparison.differences}
    rows: list[list[object]] = []
    for *cells, meaning in plain.rows:
        one = shown[str(cells[0])]
        p, needed = (p_text(one.adjusted), one.queries_needed) if enough(one) else (DASH, None)
        rows.append([*cells, interval_text(one, found.settings), p, needed, meaning])
    more = [f"{percent(found.settings.confidence)} interval", "p", "queries needed for this delta"]
    return Table([*plain.header[:-1], *more, plain.header[-1]], rows, decimals=plain.decimals)


def _tested(found: LabResult, *, tested: bool) -> list[Block]:
    """Return what the differences show, where it was asked for."""
    if not tested:
        return []
    compared = found.comparison
    drawn: list[Block] = [compared.chart()] if any(map(enough, compared.differences)) else []
    labels, star = labels_table(compared), any(map(star_of, compared.differences))
    more: list[Block] = [shown_table(compared), *([STAR] if star else []), reach_table(compared)]
    more += [labels] if labels else []
    summary = Words("More than chance? All numbers", "우연 이상인가? 모든 숫자")
    return [*drawn, Details(summary, [*more, method(compared)])]


def _deltas(found: LabResult) -> list[Chart]:
    """Return how nDCG changed, query by query, where it is defined on both sides."""
    name = f"nDCG@{found.k}"
    rows = [
        (query, after - before)
        for query in found.before.query_ids
        if (before := found.before.of_query(query)[name]) is not None
        and (after := found.after.of_query(query)[name]) is not None
    ]
    return [delta_plot(rows, measure=name)] if rows else []


def assumptions(contract: Contract, made: Sequence[Words], runs: Sequence[Values]) -> list[Block]:
    """Return what the numbers rest on: formulas, the rules that matter most, what was counted, the whole contract."""
    rules = [_rule_words(rule, getattr(contract, rule)) for rule in ASSUMED]
    own = override_words(contract)
    summary = Words(
        f"All rules of the contract {contract.name} ({contract.fingerprint})",
        f"계약 {contract.name}({contract.fingerprint})의 모든 규칙",
    )
    alike = Words(
        "means are over queries, and each query weighs the same; what is undefined is left out, and counted",
        "평균은 질의 평균이며 질의마다 무게가 같습니다. 정의되지 않은 값은 빼고 그 수를 셉니다",
    )
    unmarked = Words(
        "nothing is marked as holding evidence, so the evidence rate is undefined",
        "근거 표시가 하나도 없어 근거 비율은 정의되지 않습니다",
    )
    rates = [value for one in runs for name, value in one.means.items() if name.startswith("EvidenceRate")]
    notes = [*made, alike, *([unmarked] if rates and all(rate is None for rate in rates) else []), *rules]
    return [notes, runs_table(runs), Details(summary, [contract_words(contract), *([own] if own else [])])]


_ABOUT: dict[str, Words] = {
    "unjudged": Words("a document without a judgment", "판정이 없는 문서"),
    "duplicate_document": Words("a document that a ranking holds twice", "한 순위에 두 번 있는 문서"),
    "duplicate_slot": Words("whether a repeat uses up a rank", "되풀이된 문서가 자리를 차지하는지"),
    "order": Words("what orders a ranking", "순위를 정하는 것"),
    "ties": Words("two equal scores", "점수가 같을 때"),
    "missing_query": Words("a query that a run lacks", "실행에 없는 질의"),
    "no_relevant": Words("a query without a relevant document", "적합 문서가 없는 질의"),
}


def _rule_words(rule: str, answer: object) -> Words:
    about, says = _ABOUT[rule], says_of(rule, answer)
    return Words(f"{about.en}: {says.en} ({kebab(rule)})", f"{about.ko}: {says.ko} ({kebab(rule)})")
