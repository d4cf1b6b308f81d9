"""How is a comparison before and after reranking told: as tables, and as sentences?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankproof.compare.telling import enough, method, shown_table, why_not_enough
from rankproof.presets import FORMULAS_DATE
from rankproof.tables import Table
from rankproof.words import Words, query_count

if TYPE_CHECKING:
    from rankproof.rerank.lab import LabResult

CAVEATS = (
    Words(
        "A different number does not by itself prove significance, or that a final answer is true.",
        "숫자가 다르다는 것만으로 유의함이나 최종 답변의 참됨이 증명되지는 않습니다.",
    ),
    Words(
        "Representative queries, consistent judgments, correct citations and faithful answers are checked apart.",
        "질의의 대표성, 판정의 일관성, 인용의 정확성, 답변의 충실성은 따로 확인해야 합니다.",
    ),
    Words(
        "A file with real queries or private document ids must be stored and shared with care.",
        "실제 질의나 비공개 문서 ID가 든 파일은 보관하고 나눌 때 조심해야 합니다.",
    ),
)


def lab_tables(found: LabResult) -> list[Table]:
    """Return the changes, each query, and what the differences show."""
    return [changes_table(found), lab_query_table(found), shown_table(found.comparison)]


def changes_table(found: LabResult) -> Table:
    """Return a row a measure: before, after, change, and what it means."""
    rows = [
        [
            *(row.measure, row.before, row.after, None if row.change is None else f"{row.change:+.6f}"),
            found.meaning(row.measure, row.change),
        ]
        for row in found.changes
    ]
    return Table(["measure", "before", "after", "change", "meaning"], rows, decimals=6)


def lab_query_table(found: LabResult) -> Table:
    """Return two rows a query: before and after."""
    rows = [
        [query, side, *values.of_query(query).values()]
        for query in found.before.query_ids
        for side, values in (("before", found.before), ("after", found.after))
    ]
    return Table(["query_id", "run", *found.before.means], rows, "per query", decimals=6)


def made_words(found: LabResult) -> list[Words]:
    """Return the formulas, and what was counted."""
    count, without = len(found.before.query_ids), found.before.counts["without-relevant"]
    apart, korean = "", ""
    if without:
        apart = f", {without} of them without a relevant document (left out of P, R, RR and nDCG)"
        korean = f", 그 가운데 적합 문서가 없는 {without}개는 P, R, RR, nDCG에서 뺌"
    name, print_of = found.contract.name, found.contract.fingerprint
    dated = (f" of {FORMULAS_DATE}", f"({FORMULAS_DATE})") if found.is_published else ("", "")
    return [
        Words(
            f"formulas {name}{dated[0]}, contract fingerprint {print_of}",
            f"계산식 {name}{dated[1]}, 계약 지문 {print_of}",
        ),
        Words(f"{query_count(count)}{apart}, K = {found.k}", f"질의 {count}개{korean}, K = {found.k}"),
    ]


def too_few(found: LabResult) -> list[Words]:
    """Return why nothing can be tested, where it cannot."""
    first = found.comparison.differences[0]
    if enough(first):
        return []
    why = why_not_enough(first)
    return [Words(f"Not enough queries to test this. {why.en}", f"검정하기에는 질의가 부족합니다. {why.ko}")]


def lab_notes(found: LabResult) -> list[str]:
    """Return the formulas, what was counted, how it was compared, and what the numbers do not show, as sentences."""
    return [one.en for one in (*made_words(found), *method(found.comparison), *too_few(found), *CAVEATS)]
