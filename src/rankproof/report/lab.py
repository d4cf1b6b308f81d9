"""How does a lab file's comparison before and after reranking look as a report?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankproof.charts.palette import SIGNS
from rankproof.compare.telling import enough, method, shown_table, signed
from rankproof.model import Value
from rankproof.report.blocks import Block, Card, Cards, Page, Section, Verdict
from rankproof.report.sections import contract_section, foot, limits_section, provenance_section, runs_table
from rankproof.rerank.lab import LabResult
from rankproof.rerank.lab_telling import CAVEATS, changes_table, lab_notes, lab_query_table, made_words, too_few
from rankproof.values import shown
from rankproof.words import Words, same

__all__ = ["TITLE", "changes_table", "lab_cards", "lab_notes", "lab_page", "lab_query_table", "lab_verdict"]


def lab_page(found: LabResult, made_by: Mapping[str, Any] | None = None) -> Page:
    """Return the report of a lab file: verdict, means, what the differences show, each query, what is not shown."""
    comparison = found.comparison
    drawn = [comparison.chart()] if any(map(enough, comparison.differences)) else []
    sections = [
        Section(Words("Before and after", "전과 후"), [changes_table(found)]),
        Section(
            Words("More than chance?", "우연 이상인가?"),
            [*drawn, shown_table(comparison), method(comparison)],
        ),
        Section(Words("Query by query", "질의별"), [lab_query_table(found)]),
        Section(
            Words("What was counted", "무엇을 세었나"),
            [made_words(found), runs_table([found.before, found.after])],
        ),
        limits_section(CAVEATS),
        contract_section(found.contract),
        provenance_section(made_by, comparison.settings.seed),
    ]
    lead: list[Block] = [lab_verdict(found), lab_cards(found), *too_few(found)]
    return Page(TITLE, sections, lead=lead, foot=foot(made_by))


TITLE = Words("Before and after reranking", "리랭킹 전과 후")


def lab_verdict(found: LabResult) -> Verdict:
    """Return the verdict as a banner."""
    sign = SIGNS[found.verdict]
    return Verdict(Words(sign.words.en.capitalize(), sign.words.ko), found.verdict_words, sign.tone)


def lab_cards(found: LabResult) -> Cards:
    """Return the measures that the verdict goes by."""
    return Cards(
        [
            Card(same(row.measure), signed(row.change), same(f"{_number(row.before)} → {_number(row.after)}"))
            for row in found.deciding
            if row.change is not None
        ]
    )


def _number(value: Value) -> str:
    return "–" if value is None else shown(value)
