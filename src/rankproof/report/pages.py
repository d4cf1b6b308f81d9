"""How do a gate and a reranking look as a report?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankproof.charts import interval_plot, rank_moves
from rankproof.charts.palette import Tone
from rankproof.compare import Comparison
from rankproof.compare.limits import limits
from rankproof.compare.telling import method, shown_table
from rankproof.gate import Gate
from rankproof.report.blocks import Block, Page, Section, Verdict
from rankproof.report.gate import gate_tables
from rankproof.report.reranking import broken_table, moves_table, reranking_query_tables, reranking_table
from rankproof.report.sections import contract_section, foot, limits_section, provenance_section, runs_table
from rankproof.rerank import Reranking
from rankproof.words import Words, same

_STATUS: Mapping[str, tuple[Words, Tone]] = {
    "pass": (Words("Passed", "통과"), "good"),
    "fail": (Words("Failed", "실패"), "bad"),
    "undecided": (Words("Not enough queries", "질의가 부족함"), "open"),
}
_GATE_LIMIT = Words(
    "A requirement is decided on the interval of the mean: what lies within it is not decided by these queries.",
    "요구 조건은 평균의 구간으로 판단합니다. 구간 안에 한계가 있으면 이 질의들로는 판단할 수 없습니다.",
)


def gate_page(found: Gate, made_by: Mapping[str, Any] | None = None) -> Page:
    """Return the report of a gate: each requirement, decided; the queries that lost most."""
    word, tone = _STATUS[found.status]
    checks, *worst = gate_tables(found)
    says: list[Block] = [[same(f"{check.requirement.text}: {check.says}") for check in found.checks]]
    sections = [
        Section(Words("Requirements", "요구 조건"), [checks, *says]),
        *([Section(Words("Queries that lost most", "가장 나빠진 질의"), list(worst))] if worst else []),
        Section(Words("What was counted", "무엇을 세었나"), [runs_table([found.baseline, found.candidate])]),
        limits_section([_GATE_LIMIT]),
        contract_section(found.candidate.contract),
        provenance_section(made_by, found.settings.seed),
    ]
    title = Words(
        f"Gate: {found.candidate.run} against {found.baseline.run}",
        f"게이트: {found.baseline.run} 대비 {found.candidate.run}",
    )
    return Page(title, sections, lead=[Verdict(word, same(found.says), tone)], foot=foot(made_by))


def reranking_page(found: Reranking, made_by: Mapping[str, Any] | None = None) -> Page:
    """Return the report of a reranking: before, after, ceiling, share; moves; what the differences show."""
    moved = [rank_moves(found.moves)] if found.moves else []
    broken: list[Block] = [broken_table(found)] if found.without_new is not None else []
    before_after: list[Block] = [same(found.recall_says), reranking_table(found), *broken]
    sections = [
        Section(Words("Before, after, at best", "전, 후, 최선"), before_after),
        *([] if found.comparison is None else _shown(found.comparison)),
        Section(Words("Relevant documents", "적합 문서"), [*moved, moves_table(found)]),
        Section(Words("Query by query", "질의별"), list(reranking_query_tables(found))),
        Section(Words("What was counted", "무엇을 세었나"), [runs_table([found.before, found.after])]),
        *([] if found.comparison is None else [limits_section(limits(found.comparison))]),
        contract_section(found.contract),
        provenance_section(made_by, None if found.comparison is None else found.comparison.settings.seed),
    ]
    title = Words(f"{found.before.run} reranked", f"{found.before.run} 리랭킹")
    return Page(title, sections, foot=foot(made_by))


def _shown(comparison: Comparison) -> list[Section]:
    """Return what the differences show, and how they were compared."""
    rows = [
        (one.measure, one.delta, *one.intervals.get("bca", (None, None)), one.verdict) for one in comparison.differences
    ]
    axis = Words("change by reranking, with its 95 % interval", "리랭킹에 따른 변화와 95 % 구간")
    return [
        Section(
            Words("More than chance?", "우연 이상인가?"), [shown_table(comparison), interval_plot(rows, axis=axis)]
        ),
        Section(Words("How it was compared", "비교 방법"), [method(comparison)]),
    ]
