"""How does a page become Markdown, for a summary or a review?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rankproof.charts.spec import Chart
from rankproof.report.blocks import Block, Cards, Code, Details, Page, Verdict
from rankproof.tables import Table, as_markdown, escaped
from rankproof.words import Words


def page_markdown(page: Page) -> str:
    """Return a page as Markdown, in English: pictures are left out, their tables stay, folded away."""
    parts = [f"# {escaped(page.title.en)}", *map(_block, page.lead)]
    for section in page.sections:
        parts += [f"## {escaped(section.heading.en)}", *map(_block, section.blocks)]
    return "\n\n".join([*parts, *(escaped(line.en) for line in page.foot)]) + "\n"


def _block(block: Block) -> str:
    return next(write for kind, write in _WRITERS.items() if isinstance(block, kind))(block)


def _blocks(blocks: Sequence[Block]) -> str:
    return "\n\n".join(map(_block, blocks))


def _verdict(verdict: Verdict) -> str:
    return f"**{escaped(verdict.word.en)}.** {escaped(verdict.sentence.en)}"


def _cards(cards: Cards) -> str:
    rows = [[card.label.en, card.value, card.note.en if card.note else ""] for card in cards.cards]
    return _table(Table(["", "", ""], rows))


def _table(table: Table) -> str:
    title = f"**{escaped(table.title)}**\n\n" if table.title else ""
    return title + as_markdown([replace(table, title=None)]).rstrip()


def _folded(summary: str, inside: str) -> str:
    return f"<details><summary>{escaped(summary)}</summary>\n\n{inside}\n\n</details>"


def _code(code: Code) -> str:
    fence = "`" * max(
        3, 1 + max((len(run) for run in code.text.replace("`", " ` ").split() if set(run) == {"`"}), default=0)
    )
    return f"{fence}\n{code.text}\n{fence}"


_WRITERS: Mapping[type, Callable[[Any], str]] = {
    Words: lambda words: escaped(words.en),
    list: lambda items: "\n".join(f"- {escaped(item.en)}" for item in items),
    Table: _table,
    Chart: lambda chart: _folded(chart.alt.en, _table(chart.table)),
    Details: lambda details: _folded(details.summary.en, _blocks(details.blocks)),
    Verdict: _verdict,
    Cards: _cards,
    Code: _code,
}
"""How each block is written; Words come before list's siblings, as they are tuples of their own."""
