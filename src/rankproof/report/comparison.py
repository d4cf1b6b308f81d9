"""How does a comparison look as a report: one page, from the verdict down to single queries?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from rankproof.charts import Chart, delta_plot
from rankproof.compare import VERDICTS, Comparison, Difference, Inputs
from rankproof.compare.limits import labels_table, limits
from rankproof.compare.telling import (
    DASH,
    differences_table,
    enough,
    interval_text,
    method,
    p_phrase,
    percent,
    reach_table,
    signed,
    star_of,
    verdict_rests_on,
)
from rankproof.diff import Diff, QueryDiff, diff
from rankproof.report.blocks import Block, Card, Cards, Details, Page, Section, Verdict
from rankproof.report.runs import cutoff_charts, moves_chart, score_charts
from rankproof.report.sections import STAR, contract_section, foot, limits_section, provenance_section, runs_table
from rankproof.tables import Table
from rankproof.values import shown
from rankproof.words import Words, same

HARDEST = 10
"""As many of the hardest queries, and of those that changed most, can be looked into."""


class Texts(NamedTuple):
    """Files, or mappings, with the texts of queries and documents, where there are any."""

    queries: Any = None
    documents: Any = None


def comparison_page(
    found: Comparison,
    made_by: Mapping[str, Any] | Callable[[], Mapping[str, Any]] | None = None,
    texts: Texts | None = None,
) -> Page:
    """Return the report of a comparison; where values alone were compared, what needs the rankings is left out."""
    first = found.differences[0]
    of_rankings = _of_rankings(found, found.inputs, texts or Texts()) if found.inputs is not None else []
    told = made_by() if callable(made_by) else made_by  # now that the texts have been read
    sections = [
        Section(Words("Measures", "지표"), _measures(found)),
        Section(
            Words("Query by query", "질의별"),
            [_deltas(one) for one in found.differences if one.measure == first.measure],
        ),
        *of_rankings,
        Section(
            Words("How it was compared", "비교 방법"),
            [method(found), runs_table([found.baseline, *found.runs.values()])],
        ),
        limits_section(limits(found)),
        contract_section(found.contract),
        provenance_section(told, found.settings.seed),
    ]
    decided = [one for one in found.differences if one.measure == first.measure]
    names = ", ".join(one.run for one in decided)
    return Page(
        Words(f"{names} against {first.baseline}", f"{first.baseline} 대비 {names}"),
        sections,
        lead=[*(_verdict(one, found) for one in decided), _cards(first, found)],
        foot=foot(told),
    )


def _verdict(one: Difference, found: Comparison) -> Verdict:
    """Return the banner of one run; its name stands in it where there are several."""
    verdict, name = VERDICTS[one.verdict], f"{one.run}: " if len(found.runs) > 1 else ""
    word = verdict.words if name else Words(verdict.words.en.capitalize(), verdict.words.ko)
    return Verdict(Words(f"{name}{word.en}", f"{name}{word.ko}"), verdict_rests_on(one, found.settings), verdict.tone)


def _cards(first: Difference, found: Comparison) -> Cards:
    level = percent(found.settings.confidence)
    interval = interval_text(first, found.settings)
    wins, ties, losses = first.changed
    needed = first.queries_needed
    return Cards(
        [
            Card(
                same(first.measure if len(found.runs) == 1 else f"{first.measure} · {first.run}"),
                signed(first.delta),
                same(f"{shown(first.baseline_value)} → {shown(first.value)}"),
                VERDICTS[first.verdict].tone,
            ),
            Card(Words(f"{level} interval", f"{level} 구간"), interval, p_phrase(first) if enough(first) else None),
            Card(
                Words("queries", "질의"),
                f"{len(first.query_ids):,}",
                Words(
                    f"{wins} better · {ties} same · {losses} worse", f"나아짐 {wins} · 같음 {ties} · 나빠짐 {losses}"
                ),
            ),
            Card(
                Words("detectable with these queries", "이 질의들로 드러낼 수 있는 차이"),
                shown(first.smallest_shown) if enough(first) else DASH,
                None
                if needed is None or not enough(first)
                else Words(
                    f"needed for {signed(first.delta)}: {needed:,} queries",
                    f"{signed(first.delta)}에 필요한 질의: {needed:,}개",
                ),
            ),
        ]
    )


def _measures(found: Comparison) -> list[Block]:
    star, labels = any(map(star_of, found.differences)), labels_table(found)
    stars, of_labels = [STAR] if star else [], [labels] if labels else []
    return [differences_table(found), *stars, found.chart(), reach_table(found), *of_labels]


def _deltas(one: Difference) -> Chart:
    return delta_plot(list(zip(one.query_ids, one.deltas, strict=True)), measure=f"{one.measure} ({one.run})")


def _of_rankings(found: Comparison, inputs: Inputs, texts: Texts) -> list[Section]:
    """Return what needs the rankings: for the first run its moves and queries, for all runs cutoffs and scores."""
    baseline, first = inputs.runs[:2]
    hardest, changed = _hardest(found), _changed(found)
    seen = _side_by_side([*hardest, *changed], found, inputs, texts)
    moved = moves_chart(inputs, baseline, first)
    sections = [
        Section(Words("Hardest queries", "가장 어려운 질의"), [_lowest(found), *_looked_into(hardest, seen)]),
        Section(Words("What changed most", "가장 많이 달라진 질의"), _looked_into(changed, seen)),
        Section(Words("Relevant documents", "적합 문서"), [moved] if moved else []),
        Section(Words("Over cutoffs", "컷오프별"), list(cutoff_charts(inputs))),
        Section(Words("Scores", "점수"), list(score_charts(inputs))),
    ]
    return [section for section in sections if section.blocks]


def _hardest(found: Comparison) -> list[str]:
    """Return the queries with the worst values of the first run."""
    one = found.differences[0]
    way, value_of = 1 if one.higher_is_better else -1, found.runs[one.run].of_query
    return sorted(one.query_ids, key=lambda query: way * (value_of(query)[one.measure] or 0.0))[:HARDEST]


def _lowest(found: Comparison) -> Words:
    """Return what hardest means, and how many queries are lost to both runs."""
    one, count = found.differences[0], len(found.differences[0].query_ids)
    pairs = zip(one.query_ids, one.deltas, strict=True)
    lost = sum(not delta and not found.baseline.of_query(query)[one.measure] for query, delta in pairs)
    return Words(
        f"The queries with the worst {one.measure} of {one.run}. {lost:,} of {count:,} have 0 in both runs.",
        f"{one.run}의 {one.measure}가 가장 나쁜 질의입니다. {count:,}개 가운데 {lost:,}개는 두 실행 모두 0입니다.",
    )


def _changed(found: Comparison) -> list[str]:
    """Return the queries that differ most between the baseline and the first run."""
    one = found.differences[0]
    rows = [(abs(delta), query) for query, delta in zip(one.query_ids, one.deltas, strict=True) if delta]
    return [query for _, query in sorted(rows, key=lambda row: -row[0])[:HARDEST]]


def _side_by_side(queries: list[str], found: Comparison, inputs: Inputs, texts: Texts) -> Diff:
    measure = found.baseline.measures[found.differences[0].measure]
    baseline, run = inputs.runs[:2]
    return diff(
        inputs.qrels,
        baseline,
        run,
        measure,
        inputs.contract,
        only=queries,
        query_texts=texts.queries,
        doc_texts=texts.documents,
    )


def _looked_into(queries: list[str], seen: Diff) -> list[Block]:
    """Return a row a query, and each query's two rankings, folded away."""
    of_query = {one.change.query_id: one for one in seen.queries}
    summary, *tables = replace(seen, queries=[of_query[query] for query in queries]).tables()
    blocks = [_folded(of_query[query], table) for query, table in zip(queries, tables, strict=True)]
    return [summary, *blocks] if blocks else []


def _folded(one: QueryDiff, table: Table) -> Details:
    values = " → ".join("–" if value is None else shown(value) for value in (one.change.left, one.change.right))
    parts = (one.change.query_id, str(one.text or ""), values)
    return Details(same(" · ".join(part for part in parts if part)), [table])
