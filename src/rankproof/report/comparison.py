"""How does a comparison look as a report: one page, from the verdict down to single queries?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from rankproof.charts import Chart, delta_plot
from rankproof.compare import VERDICTS, Comparison, Difference, Inputs
from rankproof.compare.limits import labels_table, limits
from rankproof.compare.telling import (
    differences_table,
    interval_text,
    method,
    p_phrase,
    percent,
    reach_table,
    signed,
    star_of,
    verdict_rests_on,
)
from rankproof.diff import Diff, diff
from rankproof.model import Run
from rankproof.report.blocks import Block, Card, Cards, Details, Page, Section, Verdict
from rankproof.report.difference import difference_tables
from rankproof.report.runs import cutoff_charts, moves_chart, score_charts
from rankproof.report.sections import contract_section, foot, limits_section, provenance_section, runs_table
from rankproof.tables import Table
from rankproof.values import shown
from rankproof.words import Words, same

HARDEST = 10
"""As many of the hardest queries, and of those that changed most, can be looked into."""


_STAR = Words(
    "* With other labels for the unjudged documents the verdict would be another one: see the last table here.",
    "* 미판정 문서의 판정이 다르다면 결론이 달라집니다. 이 절의 마지막 표를 보십시오.",
)


class Texts(NamedTuple):
    """Files, or mappings, with the texts of queries and documents, where there are any."""

    queries: Any = None
    documents: Any = None


def comparison_page(found: Comparison, made_by: Mapping[str, Any] | None = None, texts: Texts | None = None) -> Page:
    """Return the report of a comparison; where values alone were compared, what needs the rankings is left out."""
    first = found.differences[0]
    sections = [
        Section(Words("Measures", "지표"), _measures(found)),
        Section(
            Words("Query by query", "질의별"),
            [_deltas(one) for one in found.differences if one.measure == first.measure],
        ),
        *(_of_rankings(found, found.inputs, texts or Texts()) if found.inputs is not None else ()),
        Section(
            Words("How it was compared", "비교 방법"),
            [method(found), runs_table([found.baseline, *found.runs.values()])],
        ),
        limits_section(limits(found)),
        contract_section(found.contract),
        provenance_section(made_by, found.settings.seed),
    ]
    verdict = VERDICTS[first.verdict]
    return Page(
        Words(f"{first.run} against {first.baseline}", f"{first.baseline} 대비 {first.run}"),
        sections,
        lead=[
            Verdict(
                Words(verdict.words.en.capitalize(), verdict.words.ko),
                verdict_rests_on(first, found.settings),
                VERDICTS[first.verdict].tone,
            ),
            _cards(first, found),
        ],
        foot=foot(made_by),
    )


def _cards(first: Difference, found: Comparison) -> Cards:
    level = percent(found.settings.confidence)
    interval = interval_text(first, found.settings)
    wins, ties, losses = first.changed
    needed = first.queries_needed
    return Cards(
        [
            Card(
                same(first.measure),
                signed(first.delta),
                same(f"{shown(first.baseline_value)} → {shown(first.value)}"),
                VERDICTS[first.verdict].tone,
            ),
            Card(Words(f"{level} interval", f"{level} 구간"), interval, same(p_phrase(first.adjusted))),
            Card(
                Words("queries", "질의"),
                f"{len(first.query_ids):,}",
                Words(
                    f"{wins} better · {ties} same · {losses} worse", f"나아짐 {wins} · 같음 {ties} · 나빠짐 {losses}"
                ),
            ),
            Card(
                Words("smallest difference shown", "드러낼 수 있는 최소 차이"),
                shown(first.smallest_shown),
                None
                if needed is None
                else Words(f"{needed:,} queries for the one seen", f"관측된 차이에는 질의 {needed:,}개"),
            ),
        ]
    )


def _measures(found: Comparison) -> list[Block]:
    star, labels = any(map(star_of, found.differences)), labels_table(found)
    stars, of_labels = [_STAR] if star else [], [labels] if labels else []
    return [differences_table(found), *stars, found.chart(), reach_table(found), *of_labels]


def _deltas(one: Difference) -> Chart:
    return delta_plot(list(zip(one.query_ids, one.deltas, strict=True)), measure=f"{one.measure} ({one.run})")


def _of_rankings(found: Comparison, inputs: Inputs, texts: Texts) -> list[Section]:
    """Return what needs the rankings: for the first run its moves and queries, for all runs cutoffs and scores."""
    baseline, first = inputs.runs[:2]
    moved = moves_chart(inputs, baseline, first)
    sections = [
        Section(
            Words("Hardest queries", "가장 어려운 질의"), _looked_into(_hardest(found), inputs, first, texts, found)
        ),
        Section(Words("What changed most", "가장 많이 달라진 질의"), _looked_into(None, inputs, first, texts, found)),
        Section(Words("Relevant documents", "적합 문서"), [moved] if moved else []),
        Section(Words("Over cutoffs", "컷오프별"), list(cutoff_charts(inputs))),
        Section(Words("Scores", "점수"), list(score_charts(inputs))),
    ]
    return [section for section in sections if section.blocks]


def _hardest(found: Comparison) -> list[str]:
    """Return the queries with the worst values of the first run."""
    one = found.differences[0]
    run = found.runs[one.run]
    rows = [
        (value, query)
        for query, value in zip(run.query_ids, run.per_query[one.measure], strict=True)
        if value is not None
    ]
    rows.sort(key=lambda row: row[0] if one.higher_is_better else -row[0])
    return [query for _, query in rows[:HARDEST]]


def _looked_into(only: list[str] | None, inputs: Inputs, run: Run, texts: Texts, found: Comparison) -> list[Block]:
    measure = found.baseline.measures[found.differences[0].measure]
    seen = diff(
        inputs.qrels,
        inputs.runs[0],
        run,
        measure,
        inputs.contract,
        queries=HARDEST,
        only=only,
        query_texts=texts.queries,
        doc_texts=texts.documents,
    )
    if only is not None:
        seen = replace(seen, queries=sorted(seen.queries, key=lambda one: only.index(one.change.query_id)))
    summary, *tables = difference_tables(seen)
    blocks = [
        _folded(query, table, seen) for query, table in zip((one.change for one in seen.queries), tables, strict=True)
    ]
    return [summary, *blocks] if tables else []


def _folded(change: Any, table: Table, seen: Diff) -> Details:
    text = next((str(one.text) for one in seen.queries if one.change == change and one.text), "")
    values = f"{shown(change.left)} → {shown(change.right)}"
    return Details(same(" · ".join(part for part in (change.query_id, text, values) if part)), [table])
