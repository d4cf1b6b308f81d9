"""How does a page become one HTML file that asks for nothing else?"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from typing import Any

from rankproof.charts.palette import Tone
from rankproof.charts.spec import Chart
from rankproof.errors import printable
from rankproof.report.blocks import Block, Card, Cards, Code, Details, Page, Section, Verdict
from rankproof.tables import Table
from rankproof.values import shown
from rankproof.words import Words, term

AT_ONCE = 100
"""As many rows of a table stand in the page at first; a button brings as many more."""

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:"
"""The page may use what stands in it, and nothing from anywhere else."""

SIGNS: Mapping[Tone, str] = {"good": "▲", "bad": "▼", "open": "◆"}

NO_PICTURES = Words(
    "This report has no pictures: rankproof was installed without its chart library, because npm was missing or could"
    " not fetch it. All numbers are in the tables. For pictures, install Node.js with npm, and then rankproof again.",
    "이 보고서에는 그림이 없습니다. npm이 없었거나 내려받지 못해 rankproof가 차트 라이브러리 없이 설치되었습니다."
    " 숫자는 모두 표에 있습니다. 그림을 보려면 npm이 포함된 Node.js를 설치한 다음 rankproof를 다시 설치하세요.",
)
NUMBERS, CONTENTS, TABLE = Words("The numbers", "숫자 보기"), Words("Contents", "차례"), Words("Table", "표")
UNDEFINED = term("undefined")
MORE = Words(f"Show the next {AT_ONCE}", f"다음 {AT_ONCE}개 보기")


def as_html(page: Page, charts: str | None = None) -> str:
    """Return a page as one HTML file: style, script and data are inside, nothing is loaded, nothing is sent.

    It speaks English and Korean. Without JavaScript it is English, with every table open at its first rows. `charts` is
    the text of the chart library, for who has it and whose package lies elsewhere; else it is the package's own.
    """
    writer = _Writer()
    lead = writer.blocks(page.lead)
    sections = "\n".join(writer.section(at, section) for at, section in enumerate(page.sections))
    bundle = (charts or _bundle()) if writer.charts else None
    if writer.charts and bundle is None:
        lead = f'<p class="note">{_both(NO_PICTURES)}</p>\n{lead}'
    scripts = [text for text in (bundle, _asset("script.js")) if text is not None]
    return _asset("page.html").format(
        policy=POLICY,
        title=_escaped(page.title.en),
        style=_asset("look.css") + _asset("style.css"),
        early=_EARLY,
        heading=_both(page.title),
        contents=_contents(page.sections),
        lead=lead,
        sections=sections,
        foot="\n".join(f"<p>{_both(line)}</p>" for line in page.foot),
        data=_json({"title": page.title, "undefined": UNDEFINED, "charts": writer.charts, "tables": writer.tables}),
        scripts="\n".join(f"<script>{_closed(text)}</script>" for text in scripts),
    )


_EARLY = """document.documentElement.className = 'js';
if (/^ko\\b/i.test(navigator.language)) document.documentElement.lang = 'ko';"""
"""Stands in the head, so that the page is not seen in the other language, or unfolded, first."""


@dataclass
class _Writer:
    """Writes blocks, and gathers what the script needs: the charts, and the rows that come by a button."""

    charts: list[Mapping[str, Any]] = field(default_factory=list)
    tables: list[Mapping[str, Any]] = field(default_factory=list)
    captions: int = 0

    def section(self, at: int, section: Section) -> str:
        heading = f'<h2 id="h{at}">{_both(section.heading)}</h2>'
        return f'<section id="s{at}" aria-labelledby="h{at}">\n{heading}\n{self.blocks(section.blocks)}\n</section>'

    def blocks(self, blocks: Sequence[Block]) -> str:
        return "\n".join(self.block(block) for block in blocks)

    def block(self, block: Block) -> str:
        return next(write for kind, write in _WRITERS.items() if isinstance(block, kind))(self, block)

    def details(self, details: Details) -> str:
        return _folded(details.summary, self.blocks(details.blocks))

    def chart(self, chart: Chart) -> str:
        english = {key: part for key, part in chart.spec.items() if key != "datasets"}
        self.charts.append({"datasets": chart.spec["datasets"], "en": english, "ko": chart.korean})
        return (
            f'<figure class="chart"><div class="picture"></div><figcaption>{_both(chart.alt)}</figcaption>\n'
            f"{_folded(NUMBERS, self.table(chart.table))}</figure>"
        )

    def table(self, table: Table) -> str:
        self.captions += 1
        name = f"t{self.captions}"
        kinds = [_kind([row[at] for row in table.rows]) for at in range(len(table.header))]
        rows = "\n".join(_row(row, kinds, table.decimals) for row in table.rows[:AT_ONCE])
        return (
            f'<div class="table" role="group" tabindex="0" aria-labelledby="{name}">'
            f'<table{_class(["dense"] if len(kinds) > MANY else [])} style="--columns: {len(kinds)}">'
            f"{_caption(table, self.captions)}{_head(table.header, kinds)}\n<tbody>\n{rows}\n</tbody></table></div>"
            f"{self.rest(table, kinds)}"
        )

    def rest(self, table: Table, kinds: Sequence[str]) -> str:
        if len(table.rows) <= AT_ONCE:
            return ""
        rest = [[_shown(cell, table.decimals) for cell in row] for row in table.rows[AT_ONCE:]]
        self.tables.append({"kinds": kinds, "rows": rest})
        count = len(table.rows)
        told = _both(Words(f" of {count:,} rows", f" / 전체 {count:,}행"))
        button = f'<button type="button" class="more" data-table="{len(self.tables) - 1}" hidden>{_both(MORE)}</button>'
        return f'<p class="rest"><span><span class="shown">{AT_ONCE}</span>{told}</span>{button}</p>'


def _paragraph(_: _Writer, words: Words) -> str:
    return f"<p>{_both(words)}</p>"


def _list(_: _Writer, items: Sequence[Words]) -> str:
    return "<ul>" + "".join(f"<li>{_both(item)}</li>" for item in items) + "</ul>"


def _verdict(_: _Writer, verdict: Verdict) -> str:
    return (
        f'<div class="verdict {verdict.tone}"><span class="sign" aria-hidden="true">{SIGNS[verdict.tone]}</span>'
        f'<div><p class="word">{_both(verdict.word)}</p><p>{_both(verdict.sentence)}</p></div></div>'
    )


def _cards(_: _Writer, cards: Cards) -> str:
    return '<dl class="cards">' + "".join(map(_card, cards.cards)) + "</dl>"


def _card(card: Card) -> str:
    note = f'<dd class="note-of">{_both(card.note)}</dd>' if card.note else ""
    value = f'<dd style="--length: {max(1, len(card.value))}">{_escaped(card.value)}</dd>'
    return f'<div class="{card.tone}"><dt>{_both(card.label)}</dt>{value}{note}</div>'


def _code(_: _Writer, code: Code) -> str:
    lines = "\n".join(_escaped(line) for line in code.text.splitlines())
    return f"<pre><code>{lines}</code></pre>"


_WRITERS: Mapping[type, Callable[[_Writer, Any], str]] = {
    Words: _paragraph,
    list: _list,
    Table: _Writer.table,
    Chart: _Writer.chart,
    Details: _Writer.details,
    Verdict: _verdict,
    Cards: _cards,
    Code: _code,
}
"""How each kind of block is written."""


def _folded(summary: Words, inside: str) -> str:
    """Return details that are open until the script closes them."""
    return f"<details open><summary>{_both(summary)}</summary><div>\n{inside}\n</div></details>"


def _contents(sections: Sequence[Section]) -> str:
    if len(sections) < 2:
        return ""
    links = "".join(f'<li><a href="#s{at}">{_both(one.heading)}</a></li>' for at, one in enumerate(sections))
    return (
        f'<nav class="contents" aria-labelledby="contents"><p id="contents">{_both(CONTENTS)}</p><ol>{links}</ol></nav>'
    )


def _caption(table: Table, at: int) -> str:
    if table.title:
        return f'<caption id="t{at}">{_both(term(table.title))}</caption>'
    return f'<caption id="t{at}" class="unseen">{_both(TABLE)} {at}</caption>'


def _head(header: Sequence[str], kinds: Sequence[str]) -> str:
    if not any(header):
        return ""
    return f"<thead><tr>{''.join(map(_heading, header, kinds))}</tr></thead>"


def _heading(name: str, kind: str) -> str:
    if not name:
        return "<td></td>"
    classes = {"n": kind == "n", "long": len(name) > LONG}
    return f'<th{_class([one for one, is_so in classes.items() if is_so])} scope="col">{_both(term(name))}</th>'


def _row(row: Sequence[object], kinds: Sequence[str], decimals: int) -> str:
    cells = (_cell(cell, kind, decimals) for cell, kind in zip(row, kinds, strict=True))
    return f"<tr>{''.join(cells)}</tr>"


def _cell(cell: object, kind: str, decimals: int) -> str:
    names = [name for name in (kind, "null" if cell is None else "") if name]
    return f"<td{_class(names)}>{_content(cell, decimals)}</td>"


def _content(cell: object, decimals: int) -> str:
    if cell is None:
        return _DASH
    return _both(cell) if isinstance(cell, Words) else _escaped(shown(cell, decimals))


_DASH = "".join(
    f'<span lang="{lang}" role="img" aria-label="{word}" title="{word}">–</span>'
    for lang, word in zip(("en", "ko"), UNDEFINED, strict=True)
)
"""An undefined value: a dash is seen, and its word is read out, and comes with the pointer."""


def _class(names: Sequence[str]) -> str:
    return f' class="{" ".join(names)}"' if names else ""


def _shown(cell: object, decimals: int) -> object:
    """Return what the script writes into a cell: text, a pair for the two languages, or null."""
    if cell is None or isinstance(cell, Words):
        return cell
    return printable(shown(cell, decimals))


SHORT = 24
"""Columns whose texts are no longer than this keep each in one line."""

LONG = 12
"""Heads of columns that are longer than this may break, but not after each word."""

MANY = 12
"""Where there are more columns than this, words break anywhere on paper, lest the last columns fall off it."""


def _kind(cells: Sequence[object]) -> str:
    """Return the class of a column: n for numbers, s for short texts of figures, w for short words, or nothing.

    Figures, such as an interval, never break, and words not on a screen; what is longer may.
    """
    if any(map(_is_number, cells)):
        return "n"
    texts = [text for cell in cells if cell is not None for text in (cell if isinstance(cell, Words) else (str(cell),))]
    if any(len(text) > SHORT for text in texts):
        return ""
    return "w" if any(one.isalpha() for text in texts for one in text) else "s"


def _is_number(cell: object) -> bool:
    return isinstance(cell, (int, float)) and not isinstance(cell, bool)


def _escaped(text: str) -> str:
    """Return text that no id can break out of, its control characters spelled out."""
    return escape(printable(text))


def _both(words: Words) -> str:
    """Return the words in both languages, of which the style sheet shows one."""
    if words.en == words.ko:
        return _escaped(words.en)
    return f'<span lang="en">{_escaped(words.en)}</span><span lang="ko">{_escaped(words.ko)}</span>'


def _json(content: object) -> str:
    """Return JSON that can stand in a script element: nothing in it ends the element or opens a comment."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for mark in "<>&\u2028\u2029":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text.encode("utf-8", "backslashreplace").decode()  # half a surrogate pair cannot be written


def _closed(script: str) -> str:
    """Return a script in which no string ends the script element."""
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _asset(name: str) -> str:
    return (files("rankproof.report") / "assets" / name).read_text("utf-8")


def _bundle() -> str | None:
    """Return the chart library, where the package was built with it."""
    bundle = files("rankproof.report") / "vendor" / "vega.js"
    return bundle.read_text("utf-8") if bundle.is_file() else None
