"""How does the explanation of a value look: as tables to print, as blocks of a page?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rankproof.answers import spell
from rankproof.explain import Explanation, Place, span, spans
from rankproof.outcome import NO_RELEVANT, NOTHING_TO_DIVIDE
from rankproof.report.blocks import Block
from rankproof.report.korean import says_of
from rankproof.report.korean_measures import measure_words
from rankproof.tables import Table
from rankproof.words import Words, same

REASONS: Mapping[str, str] = {NO_RELEVANT: "적합 문서가 없음", NOTHING_TO_DIVIDE: "나눌 것이 없음"}
"""Why a value was not computed, in Korean."""


def explanation_tables(found: Explanation) -> list[Table]:
    """Return the terms, and the ideal ranking where there is one."""
    header, *rows = found.rows()
    tables = [Table(header, rows)] if rows else []
    if found.ideal:
        header, *rows = found.rows(ideal=True)
        tables.append(Table(header, rows, "the ideal ranking"))
    return tables


def explanation_blocks(found: Explanation) -> list[Block]:
    """Return the formula, the sum, what else matters, the terms and the ideal ranking: values whole, not rounded."""
    formula = measure_words(found.measure).formula
    notes = [Words(f"{found.measure} = {formula.en}", f"{found.measure} = {formula.ko}")]
    if found.reason is not None:
        return [[*notes, _reason(found.reason, found.value)]]
    total, over = f"{found.total:.6f}", f"{found.normaliser:.6f}"
    start = f"({found.constant:g} + {total})" if found.constant else total
    value = "–" if found.value is None else f"{found.value:.6f}"
    notes.append(
        Words(
            f"the amounts add up to {total}, to be divided by {over}: {start} / {over} = {value}",
            f"기여의 합 {total}, 나누는 수 {over}: {start} / {over} = {value}",
        )
    )
    tables: list[Block] = [_terms(found.places, ideal=False)] if found.places else []
    tables += [_terms(found.ideal, ideal=True)] if found.ideal else []
    return [[*notes, *_beside(found)], *tables]


def _reason(reason: str, value: float | None) -> Words:
    """Return why a value was not computed; `reason` ends with the rule that decided."""
    what, _, rule = reason.partition(", and ")
    shown = "–" if value is None else f"{value:.6f}"
    return Words(f"{shown}: {reason}", f"{shown}: {REASONS.get(what, what)}, {rule}")


def _beside(found: Explanation) -> list[Words]:
    """Return what stands without a judgment, and what ties leave open."""
    notes = []
    if found.unjudged:
        ranks = spans(found.unjudged)
        notes.append(
            Words(f"no judged document counts at rank {ranks.en}", f"순위 {ranks.ko}에는 세는 판정 문서가 없음")
        )
    if found.tie_range:
        low, high = found.tie_range
        says = says_of("ties", found.contract.ties)
        notes.append(
            Words(
                f"ties touch it: from {low:.6f} to {high:.6f}, depending on how they are broken ({says.en})",
                f"동점의 영향: 동점을 푸는 방법에 따라 {low:.6f}부터 {high:.6f}까지 ({says.ko})",
            )
        )
    return notes


def _terms(places: Sequence[Place], *, ideal: bool) -> Table:
    parts = list(dict.fromkeys(part for place in places for part in place.parts))
    header = ["rank", *([] if ideal else ["document"]), "grade", *parts, "amount"]
    rows = [
        [
            one.ranks[0] if one.ranks[0] == one.ranks[1] else span(*one.ranks),
            *([] if ideal else [one.doc_id or same("–")]),
            None if one.grade is None else spell(one.grade),
            *(one.parts.get(part) for part in parts),
            one.amount,
        ]
        for one in places
    ]
    return Table(header, rows, "the ideal ranking" if ideal else "the terms", decimals=6)
