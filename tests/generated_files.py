"""How does a file of judgments or results look that somebody wrote, with or without mistakes? Rows of each format.

A row is drawn with its kind, so that it is known how many rows, faults and comments a file holds before it is written.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from hypothesis import strategies as st
from wild_mutating import ENCODINGS, PACKINGS

Kind = Literal["good", "short", "long", "number", "blank", "comment"]
QUERIES = ("1", "q-2", "질의", "Q0")
NO_NUMBERS = ("x", "1_0", "0,5", "--1", "0x1", "½")


class Row(NamedTuple):
    """One line to write: its kind, ids, the number (a grade; a run's score is the same), and what is no number."""

    kind: Kind
    query_id: str
    doc_id: str
    number: int
    wrong: str


class Written(NamedTuple):
    """A file of a format, for qrels or a run: its rows, encoding and packing."""

    layout: str
    role: str
    rows: Sequence[Row]
    encoding: str
    packing: str

    @property
    def content(self) -> bytes:
        """Return the bytes."""
        return PACKINGS[self.packing](ENCODINGS[self.encoding](LAYOUTS[self.layout](self.rows, self.role)))

    def count(self, *kinds: Kind) -> int:
        """Return how many rows are of these kinds."""
        return sum(row.kind in kinds for row in self.rows)


def _cells(row: Row, role: str) -> list[str]:
    """Return the cells of a row with one too few or too many, or with a number that is none, if that is its kind."""
    number = row.wrong if row.kind == "number" else str(row.number)
    return {"short": [row.query_id, number], "long": [row.query_id, row.doc_id, number, "more", "x", "y"]}.get(
        row.kind, [row.query_id, row.doc_id, number]
    )


def _trec(rows: Sequence[Row], role: str) -> str:
    def line(row: Row) -> str:
        cells = _cells(row, role)
        if row.kind in ("short", "long"):
            return " ".join(cells[: 3 if role == "run" or row.kind == "short" else 6])
        query_id, doc_id, number = cells
        return f"{query_id} Q0 {doc_id} 1 {number} tag" if role == "run" else f"{query_id} 0 {doc_id} {number}"

    return _lines(rows, line)


def _three(rows: Sequence[Row], role: str) -> str:
    ranks: dict[str, int] = {}

    def line(row: Row) -> str:
        if role == "run" and row.kind == "good":
            ranks[row.query_id] = ranks.get(row.query_id, 0) + 1
            row = row._replace(number=ranks[row.query_id])
        return " ".join(_cells(row, role))

    return _lines(rows, line)


def _lines(rows: Sequence[Row], line: Callable[[Row], str]) -> str:
    other = {"blank": lambda _: " ", "comment": lambda _: "# said"}
    return "".join(f"{other.get(row.kind, line)(row)}\n" for row in rows)


def _table(delimiter: str) -> Callable[[Sequence[Row], str], str]:
    def text(rows: Sequence[Row], role: str) -> str:
        out = io.StringIO()
        write = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
        write.writerow(["query_id", "doc_id", "score" if role == "run" else "grade"])
        for row in rows:
            if row.kind == "blank":
                out.write("\n")
            elif row.kind != "comment":
                write.writerow(_cells(row, role))
        return out.getvalue()

    return text


def _records(rows: Sequence[Row], role: str) -> list[str]:
    number = "score" if role == "run" else "grade"
    found = []
    for row in rows:
        whole: dict[str, Any] = {"query_id": row.query_id, "doc_id": row.doc_id, number: row.number}
        if row.kind == "short":
            del whole["doc_id"]
        if row.kind == "number":
            whole[number] = row.wrong
        text = json.dumps(whole, ensure_ascii=row.number == 0)
        found.append("" if row.kind in ("blank", "comment") else f"[{text}]" if row.kind == "long" else text)
    return found


def _json_list(rows: Sequence[Row], role: str) -> str:
    return f"[{', '.join(one for one in _records(rows, role) if one)}]"


LAYOUTS: dict[str, Callable[[Sequence[Row], str], str]] = {
    "trec": _trec,
    "three-columns": _three,
    "commas": _table(","),
    "semicolons": _table(";"),
    "tabs": _table("\t"),
    "jsonl": lambda rows, role: "".join(f"{one}\n" for one in _records(rows, role)),
    "json": _json_list,
}
WITH_COMMENTS = ("trec", "three-columns")


@st.composite
def written(draw: st.DrawFn) -> Written:
    """Draw a file whose first row is right; half of them hold no faults."""
    kinds: tuple[Kind, ...] = ("good", "good", "good", "blank", "comment")
    kinds += ("short", "long", "number") if draw(st.booleans()) else ()
    given = draw(st.lists(st.tuples(st.sampled_from(kinds), st.sampled_from(QUERIES)), max_size=30))
    rows = [
        Row(kind, query, draw(st.sampled_from(("d", "문서", "a#"))) + str(at), at % 3, NO_NUMBERS[at % len(NO_NUMBERS)])
        for at, (kind, query) in enumerate([("good", "1"), *given])
    ]
    return Written(
        draw(st.sampled_from(list(LAYOUTS))),
        draw(st.sampled_from(("qrels", "run"))),
        rows,
        draw(st.sampled_from(list(ENCODINGS))),
        draw(st.sampled_from(list(PACKINGS))),
    )


NAMES = ("judgmentRatings", "requests", "topics", "query_groups", "queries", "query_doc_pairs", "query", "ratings")
NAMES += ("docId", "rating", "id", "_id", "placeholders", "$query", "relevant_documents", "gain", "judgements")
NAMES += ("query_text", "doc_id", "query_id", "grade", "score", "rank", "run", "subtopic", "queryId", "before", "after")
NAMES += ("relevant", "hasEvidence", "text", "title", "family", "1", "", "\ud800")
LEAVES = st.none() | st.booleans() | st.integers(-2, 3) | st.sampled_from(["", "1", "d", "\ud800", "nan"])
LEAVES |= st.sampled_from([1.5, float("nan"), float("inf"), 10**400, -(2**53) - 2])
JSONS = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=12,
)
"""Any JSON, with the names of fields that readers look for."""
