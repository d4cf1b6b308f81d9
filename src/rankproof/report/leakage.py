"""How does an audit of splits look as a report?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankproof.charts.palette import Tone
from rankproof.report.blocks import Block, Details, Page, Section, Verdict
from rankproof.report.sections import contract_section, foot, limits_section, provenance_section
from rankproof.splits import Found, Leakage
from rankproof.splits.leaks import KINDS, LIMITS
from rankproof.splits.result import contrast_table, examples_table, kinds_table, near_note
from rankproof.tables import Table
from rankproof.words import Words, query_count

EXAMPLES = 1000
"""So many leaks of a kind stand in a report; the JSON holds all."""


def leakage_page(found: Leakage, made_by: Mapping[str, Any] | None = None) -> Page:
    """Return the report of an audit: each kind with what to do, examples, the measure on clean and leaked queries."""
    kinds = [kind for kind in found.kinds.values() if kind.leaks]
    sections = [Section(Words("What was found", "찾은 것"), [kinds_table(found), _meanings()])]
    if kinds:
        sections.append(Section(Words("The leaks", "누출"), [_leaks(kind) for kind in kinds]))
    if found.contrasts:
        heading = Words("Does the measure know?", "지표에 드러나는가?")
        sections.append(Section(heading, [contrast_table(found)]))
    looked: list[Block] = [_sizes(found)]
    if found.kinds["near-text"].why_not is None:
        looked.append(near_note(found))
    if found.said:
        looked.append(list(found.said))
    by_contract = found.contrasts or found.kinds["shared-document"].why_not is None
    sections += [
        Section(Words("What was looked at", "무엇을 보았나"), looked),
        limits_section(LIMITS),
        *([contract_section(found.contract)] if by_contract else []),
        provenance_section(made_by),
    ]
    title = Words(f"Leakage into {found.test}", f"{found.test} 분할의 누출")
    return Page(title, sections, lead=[_verdict(found)], foot=foot(made_by))


def _verdict(found: Leakage) -> Verdict:
    """Return whether the test split leaks, and how much was looked at."""
    unchecked = [name for name, kind in found.kinds.items() if kind.why_not is not None]
    aside = Words("", "")
    if unchecked:
        names = ", ".join(unchecked)
        aside = Words(f" Not checked: {names}.", f" 확인하지 않은 것: {names}.")
    tone: Tone
    touched, total = len(found.touched), len(found.test_ids)
    if found.found:
        names = ", ".join(found.found)
        said = Words(
            f"{touched} of {query_count(total)} of {found.test} are touched ({names}).",
            f"{found.test}의 질의 {total}개 중 {touched}개가 누출과 닿아 있습니다({names}).",
        )
        word, tone = Words("Leaks were found", "누출이 있음"), "bad"
    else:
        said = Words(
            f"None of {query_count(total)} of {found.test} is touched.",
            f"{found.test}의 질의 {total}개 중 누출과 닿은 것이 없습니다.",
        )
        word, tone = Words("No leak was found", "누출을 찾지 못함"), "open" if unchecked else "good"
    return Verdict(word, Words(said.en + aside.en, said.ko + aside.ko), tone)


def _meanings() -> list[Words]:
    return [Words(f"{name}: {kind.says.en}", f"{name}: {kind.says.ko}") for name, kind in KINDS.items()]


def _leaks(kind: Found) -> Details:
    says, count = kind.kind.says, len(kind.leaks)
    summary = Words(f"{says.en}: {count}", f"{says.ko}: {count}개")
    return Details(summary, [kind.kind.mend, examples_table(kind, EXAMPLES)])


def _sizes(found: Leakage) -> Table:
    return Table(["split", "queries"], [[name, size] for name, size in found.sizes.items()])
