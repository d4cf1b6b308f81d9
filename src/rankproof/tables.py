"""How does a table look: to read, as Markdown, CSV, TSV or JSON?"""

from __future__ import annotations

import csv
import io
import json
import shutil
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from rankproof.errors import printable
from rankproof.values import shown


@dataclass(frozen=True, slots=True)
class Table:
    """A header and rows of values; a title stands above where several tables follow each other."""

    header: Sequence[str]
    rows: Sequence[Sequence[object]]
    title: str | None = None
    decimals: int = 4

    def records(self) -> list[dict[str, object]]:
        """Return a dict a row; a table of two columns without names is one dict."""
        if not any(self.header):
            return [{str(name): value for name, value in self.rows}]
        return [dict(zip(self.header, row, strict=True)) for row in self.rows]


class Told(ABC):
    """A result that is read as its tables with its notes: printed, and in a notebook. Its class says what both are."""

    __slots__ = ()

    @abstractmethod
    def tables(self) -> Sequence[Table]:
        """Return its tables."""

    @abstractmethod
    def notes(self) -> Sequence[str]:
        """Return what is to be known beside them, as sentences."""

    def __repr__(self) -> str:
        """Return tables and notes, to read."""
        return "\n".join([as_text(self.tables(), styled=False), *self.notes()])

    def _repr_html_(self) -> str:
        """Return the same as a notebook shows it."""
        return as_html(self.tables(), self.notes())


def as_text(tables: Sequence[Table], *, styled: bool) -> str:
    """Return tables to read in a terminal, or in a file as wide as they need."""
    from rich.console import Console  # noqa: PLC0415 - only where a table is drawn
    from rich.table import Table as RichTable  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    buffer = io.StringIO()
    width = shutil.get_terminal_size().columns if styled else 10_000
    console = Console(file=buffer, force_terminal=styled, width=width, highlight=False, emoji=False, markup=False)
    for at, table in enumerate(tables):
        if at:
            console.print()
        if table.title:
            console.print(Text(table.title, style="bold"))
        drawn = RichTable(box=None, pad_edge=False, header_style="bold", show_header=any(table.header))
        for column, name in enumerate(table.header):
            number = any(isinstance(row[column], (int, float)) for row in table.rows)
            drawn.add_column(Text(printable(name)), justify="right" if number else "left", overflow="fold")
        for row in table.rows:
            drawn.add_row(*(Text(printable(shown(cell, table.decimals))) for cell in row))
        console.print(drawn)
    return (
        "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n" if not styled else buffer.getvalue()
    )


def as_markdown(tables: Sequence[Table], notes: Sequence[str] = ()) -> str:
    """Return Markdown tables, with notes as a list behind them."""
    parts = []
    for table in tables:
        rows = [table.header, ["---"] * len(table.header), *table.rows]
        lines = ["| " + " | ".join(escaped(shown(cell, table.decimals)) for cell in row) + " |" for row in rows]
        parts.append("\n".join([*([f"## {table.title}", ""] if table.title else []), *lines]))
    if notes:
        parts.append("\n".join(f"- {escaped(note)}" for note in notes))
    return "\n\n".join(parts) + "\n"


def as_html(tables: Sequence[Table], notes: Sequence[str] = ()) -> str:
    """Return tables as plain HTML, as a notebook shows them, with notes under them."""
    parts = []
    for table in tables:
        head = "".join(f'<th scope="col">{escape(printable(name))}</th>' for name in table.header)
        rows = [[escape(printable(shown(cell, table.decimals))) for cell in row] for row in table.rows]
        body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
        caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
        parts.append(f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
    said = "<br>".join(map(escape, notes))
    return "".join(parts) + (f"<p>{said}</p>" if notes else "")


def escaped(text: str) -> str:
    """Return text for Markdown: no line break, no column, no tag."""
    return printable(text).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def as_csv(header: Sequence[str], rows: Sequence[Sequence[object]], *, tabs: bool) -> str:
    """Return CSV or TSV with full precision; an undefined value is an empty cell."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter="\t" if tabs else ",", lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return buffer.getvalue()


def as_json(content: Any) -> str:
    """Return JSON, indented, any script as it is."""
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
