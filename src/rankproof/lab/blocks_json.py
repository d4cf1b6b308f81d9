"""How does a page made of the report's blocks look as JSON? Every text in both languages, every value whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rankproof.charts.spec import Chart
from rankproof.report.blocks import Block, Cards, Code, Details, Page, Section, Verdict
from rankproof.tables import Table
from rankproof.words import Words, term


def page_json(page: Page) -> dict[str, Any]:
    """Return {"title", "lead": [block], "sections": [{"heading", "blocks"}], "foot": [text]}."""
    return {
        "title": words_json(page.title),
        "lead": blocks_json(page.lead),
        "sections": [section_json(section) for section in page.sections],
        "foot": [words_json(line) for line in page.foot],
    }


def section_json(section: Section) -> dict[str, Any]:
    """Return {"heading", "blocks"}."""
    return {"heading": words_json(section.heading), "blocks": blocks_json(section.blocks)}


def blocks_json(blocks: Sequence[Block]) -> list[dict[str, Any]]:
    """Return each block as an object; its `kind` says which it is."""
    return [block_json(block) for block in blocks]


def block_json(block: Block) -> dict[str, Any]:
    """Return a block as an object: text, list, table, chart, details, verdict, cards or code."""
    return next(write for kind, write in _WRITERS.items() if isinstance(block, kind))(block)


def words_json(words: Words) -> dict[str, str]:
    """Return {"en", "ko"}."""
    return {"en": words.en, "ko": words.ko}


def _text(words: Words) -> dict[str, Any]:
    return {"kind": "text", "text": words_json(words)}


def _list(items: Sequence[Words]) -> dict[str, Any]:
    return {"kind": "list", "items": [words_json(item) for item in items]}


def table_json(table: Table) -> dict[str, Any]:
    """Return a table: its values as they are, not rounded; null is undefined, {"en", "ko"} is text in two languages.

    `columns` says of each column whether it holds numbers with `decimals` ("number"), whole counts ("count") or text:
    JavaScript cannot tell 1.0 from 1.
    """
    kinds = [_kind([row[at] for row in table.rows]) for at in range(len(table.header))]
    return {
        "kind": "table",
        "title": words_json(term(table.title)) if table.title else None,
        "header": [words_json(term(name)) for name in table.header],
        "columns": kinds,
        "rows": [[_cell(cell, kind) for cell, kind in zip(row, kinds, strict=True)] for row in table.rows],
        "decimals": table.decimals,
    }


def _cell(cell: object, kind: str) -> object:
    if kind == "text" and type(cell) is int:  # beside words, a count would get the decimals of a value
        return str(cell)
    return words_json(cell) if isinstance(cell, Words) else cell


def _kind(cells: Sequence[object]) -> str:
    kinds = {type(cell) for cell in cells if cell is not None}
    return "text" if not kinds or not kinds <= {int, float} else "number" if float in kinds else "count"


def _chart(chart: Chart) -> dict[str, Any]:
    """Return a chart: `spec` whole and in English; `korean` is the same without the data, which the two share."""
    return {
        "kind": "chart",
        "spec": chart.spec,
        "korean": chart.korean,
        "alt": words_json(chart.alt),
        "table": table_json(chart.table),
    }


def _details(details: Details) -> dict[str, Any]:
    return {"kind": "details", "summary": words_json(details.summary), "blocks": blocks_json(details.blocks)}


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "kind": "verdict",
        "word": words_json(verdict.word),
        "sentence": words_json(verdict.sentence),
        "tone": verdict.tone,
    }


def _cards(cards: Cards) -> dict[str, Any]:
    return {
        "kind": "cards",
        "cards": [
            {
                "label": words_json(card.label),
                "value": card.value,
                "note": words_json(card.note) if card.note else None,
                "tone": card.tone,
            }
            for card in cards.cards
        ],
    }


def _code(code: Code) -> dict[str, Any]:
    return {"kind": "code", "text": code.text}


_WRITERS: Mapping[type, Callable[[Any], dict[str, Any]]] = {
    Words: _text,
    list: _list,
    Table: table_json,
    Chart: _chart,
    Details: _details,
    Verdict: _verdict,
    Cards: _cards,
    Code: _code,
}
"""How each kind of block is written; Words come before list's siblings, as they are tuples of their own."""
