"""How are one ranking's values under all contracts told, with the rules that part them?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from rankproof.answers import kebab, spell
from rankproof.charts import Chart
from rankproof.charts.palette import BLUE, GREY
from rankproof.charts.spec import Say, Spec, chart, nominal, number, tips
from rankproof.contract import differences
from rankproof.evaluate import ABSENT
from rankproof.measures import Measure
from rankproof.model import Value
from rankproof.presets import PRESETS
from rankproof.report.blocks import Block, Details, Page, Section
from rankproof.report.explanation import REASONS
from rankproof.report.korean import question_of, says_of
from rankproof.report.sections import limits_section
from rankproof.tables import Table
from rankproof.why.under import TINY
from rankproof.words import Words, counted, same


class Row(NamedTuple):
    """What one contract gives: a value, or why there is none, or why it refuses; and the rules that decide it."""

    name: str
    value: Value
    reason: str | None
    refused: str | None
    rules: Sequence[str]

    @property
    def outcome(self) -> tuple[object, ...]:
        """Return what is compared with other contracts."""
        return self.value, self.reason, self.refused


_REASONS: Mapping[str, Words] = {
    **{reason: Words(reason, korean) for reason, korean in REASONS.items()},
    ABSENT: Words(ABSENT, "실행에 없음"),
}

LIMITS = (
    Words(
        "A preset holds the rules of a tool as they were read and verified; what a tool does against its own rules "
        "is listed by the command line (rankproof contracts NAME), not here.",
        "프리셋은 도구의 규칙을 읽고 확인한 것입니다. 도구가 자신의 규칙과 다르게 하는 일은 여기가 아니라 "
        "명령줄(rankproof contracts 이름)에 있습니다.",
    ),
    Words(
        "The rules named are enough to make the difference, and none of them can be spared; now and then others would "
        "do as well.",
        "적힌 규칙이면 차이가 생기기에 충분하고, 하나라도 빼면 그렇지 않습니다. 다른 규칙의 조합으로도 "
        "같은 값이 될 때가 있습니다.",
    ),
    Words(
        "One query shows what a rule does, not how often it matters.",
        "질의 하나는 규칙이 하는 일을 보여 줄 뿐, 그 차이가 얼마나 자주 나타나는지는 말하지 않습니다.",
    ),
)


def page_of(
    measure: Measure,
    reference: str,
    rows: Sequence[Row],
    others: Mapping[str, Mapping[str, Value]],
    documents: Sequence[Mapping[str, object]],
) -> Page:
    """Return the page: the values, the rules behind each difference, other measures, what it does not show."""
    base, name = next(row for row in rows if row.name == reference), str(measure)
    names = list(next(iter(others.values())))
    table = Table(["contract", *names], [[name, *values.values()] for name, values in others.items()], decimals=6)
    sections = [
        Section(same(name), [*_picture(name, rows), _values(base, rows), _ranking(documents)]),
        Section(Words("Which rules make them differ", "값을 다르게 만드는 규칙"), _why(measure, reference, rows)),
        Section(Words("Other measures of the same ranking", "같은 순위의 다른 지표"), [table]),
        limits_section(LIMITS),
    ]
    return Page(Words("Contracts", "계약"), sections, lead=[_summary(name, base, rows)])


def _ranking(documents: Sequence[Mapping[str, object]]) -> Details:
    """Return the ranking as it was given: ids decide ties, and `?` is unjudged."""
    unjudged = Words("unjudged", "미판정")
    rows = [
        [place, one["doc_id"], unjudged if one["grade"] is None else str(one["grade"]), one["score"]]
        for place, one in enumerate(documents, 1)
    ]
    return Details(
        Words("The ranking as it was given", "주어진 순위"), [Table(["place", "doc_id", "grade", "score"], rows)]
    )


def _summary(measure: str, base: Row, rows: Sequence[Row]) -> Words:
    """Return how many different values there are."""
    values = len({row.value for row in rows if row.value is not None})
    refused = sum(row.refused is not None for row in rows)
    other = sum(row.outcome != base.outcome for row in rows)
    more = (
        (f" {refused} of them refuse the input.", f" 입력을 거부하는 계약은 {refused}개입니다.")
        if refused
        else ("", "")
    )
    return Words(
        f"{len(rows)} contracts give this one ranking {counted(values, 'different value')} of {measure}.{more[0]} "
        f"Other than {base.name}: {other}.",
        f"계약 {len(rows)}개가 이 순위 하나에 주는 {measure} 값은 {values}가지입니다.{more[1]} "
        f"기준({base.name})과 다른 계약은 {other}개입니다.",
    )


def _picture(measure: str, rows: Sequence[Row]) -> list[Chart]:
    data = [{"contract": row.name, "value": row.value} for row in rows if row.value is not None]
    if not data:
        return []
    alt = Words(f"{measure} of the one ranking under each contract.", f"순위 하나의 계약별 {measure}.")
    table = Table(["contract", "value"], [[row.name, row.value] for row in rows if row.value is not None], decimals=6)
    return [chart(partial(_bars, measure), data, table, alt)]


def _bars(measure: str, say: Say) -> Spec:
    y = {**nominal("contract"), "axis": {"grid": False, "labelLimit": 240}}
    x = number("value", measure)
    told = tips(say, ("contract", Words("contract", "계약")), ("value", Words("value", "값")))
    text = {"field": "value", "type": "quantitative", "format": ".6f"}
    return {
        "height": {"step": 26},
        "layer": [
            {
                "mark": {"type": "bar", "color": BLUE, "height": {"band": 0.62}, "cornerRadiusEnd": 2},
                "encoding": {"y": y, "x": x, "tooltip": told},
            },
            {
                "mark": {"type": "text", "align": "left", "dx": 6, "color": GREY},
                "encoding": {"y": y, "x": x, "text": text},
            },
        ],
    }


def _values(base: Row, rows: Sequence[Row]) -> Table:
    cells = [[row.name, row.value, _beside(base, row), ", ".join(map(kebab, row.rules))] for row in rows]
    return Table(["contract", "value", "delta", "rules that make it differ"], cells, decimals=6)


def _beside(base: Row, row: Row) -> Words:
    """Return how a value differs from the reference's, or why there is none."""
    if row.refused is not None:
        return Words(f"refused: {row.refused}", f"거부: {row.refused}")
    if row.value is None:
        reason = _REASONS.get(row.reason or "", same(row.reason or "–"))
        return Words(f"undefined: {reason.en}", f"정의되지 않음: {reason.ko}")
    if row.name == base.name:
        return Words("the reference", "기준")
    if row.outcome == base.outcome:
        return Words("same", "같음")
    return Words("a value", "값이 있음") if base.value is None else _delta(row.value - base.value)


def _delta(delta: float) -> Words:
    """Return a difference; one that six decimals cannot show is said in words."""
    if abs(delta) >= TINY:
        return same(f"{delta:+.6f}")
    return Words(f"{delta:+.1g}, in the last digits", f"{delta:+.1g}, 마지막 자리")


def _why(measure: Measure, reference: str, rows: Sequence[Row]) -> list[Block]:
    """Return each rule that decides, in words; folded away, all others in which a contract differs for the measure."""
    base = measure.contract_in_effect(PRESETS[reference].contract)
    cells: list[list[object]] = []
    folded: list[Block] = []
    for row in rows:
        differs = differences(base, measure.contract_in_effect(PRESETS[row.name].contract))
        lines = [_line(rule, answers) for rule, answers in differs.items()]
        cells += [[row.name, *line] for rule, line in zip(differs, lines, strict=True) if rule in row.rules]
        if idle := [line for rule, line in zip(differs, lines, strict=True) if rule not in row.rules]:
            count = len(idle)
            summary = Words(
                f"{row.name}: {counted(count, 'rule')} that differ and change nothing here",
                f"{row.name}: 다르지만 여기서는 아무것도 바꾸지 않는 규칙 {count}개",
            )
            folded.append(Details(summary, [Table(["rule", "question", reference, row.name], idle)]))
    if not cells:
        return [Words("All contracts give the same here.", "여기서는 모든 계약의 값이 같습니다."), *folded]
    return [Table(["contract", "rule", "question", reference, "here"], cells), *folded]


def _line(rule: str, answers: tuple[object, object]) -> list[object]:
    """Return a rule, its question, and both answers in words."""
    said = [says_of(rule, answer) for answer in answers]
    spelled = [spell(answer) for answer in answers]
    words = [Words(f"{says.en} ({one})", f"{says.ko} ({one})") for says, one in zip(said, spelled, strict=True)]
    return [kebab(rule), question_of(rule), *words]
