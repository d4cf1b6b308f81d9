"""How does an experiment look as a report? Its systems and their means, then the page of their comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rankproof.experiment import Experiment, Plan
from rankproof.formats.texts import read_texts
from rankproof.report.blocks import Page, Section
from rankproof.report.comparison import Texts, comparison_page
from rankproof.words import Words


def experiment_page(found: Experiment, made_by: Mapping[str, Any] | None = None) -> Page:
    """Return the report of an experiment."""
    page = comparison_page(found.compared, made_by, _texts(found.plan))
    systems = Section(
        Words("Systems", "시스템"),
        [_one_of_everything(found), found.systems_table(), found.means_table(), found.says_of_runs()],
    )
    return replace(page, sections=[systems, *page.sections])


def _one_of_everything(found: Experiment) -> Words:
    depth = found.plan.depth
    return Words(
        f"One corpus, the same queries, judgments and rules for every system, the first {depth:,} documents of each. "
        "Times are of one machine, a query at a time, and of a fusion with its parts.",
        f"모든 시스템에 같은 말뭉치, 질의, 판정, 규칙을 쓰고, 각각 앞 {depth:,}개 문서까지 봅니다. 시간은 한 기계에서 "
        "질의를 하나씩 물어 잰 것이고, 결합은 그 부분들의 시간을 더한 것입니다.",
    )


def _texts(plan: Plan) -> Texts:
    """Return the texts that stand beside the ids: of the fields that were searched."""
    documents = (
        plan.corpus
        if plan.corpus is None or plan.fields is None
        else read_texts(plan.corpus, "documents", fields=plan.fields)
    )
    queries = (
        plan.queries if plan.query_fields is None else read_texts(plan.queries, "queries", fields=plan.query_fields)
    )
    return Texts(queries, documents)
