"""How does a table of chunks become one of documents? As `formats.chunks` does it, in SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankproof.spark.row_rules import UNDECIDED
from rankproof.spark.tables import literal

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_BY = {
    ("max", True): "'first', score, 'then', CASE WHEN isnan(score) THEN position ELSE -position END",
    ("max", False): "'first', score, 'then', 0",
    ("first", True): "'first', -position, 'then', score",
}
"""The greatest of what makes a chunk stay, by the rule, and whether there is a position."""


def rolled_up_table(table: DataFrame, roll_up: str, separator: str) -> DataFrame:
    """Return a table of chunks as one of documents, as the rule roll-up says: one shuffle of all rows by document.

    A document's chunk of the highest score stays (NaN, to be refused or placed last, goes before all), or the one of
    the lowest position. A number that one of its chunks lacks the document lacks: it is refused where it is read.
    """
    ids = [name for name in ("run", "query_id") if name in table.columns]
    numbers = [name for name in ("score", "position") if name in table.columns]
    kept = ", ".join(f"'{name}', {name}" for name in numbers)
    parts = {"chunk": ("max", f"named_struct({_BY[roll_up, 'position' in numbers]}, {kept})")}
    parts |= {f"no_{name}": ("max", f"CAST({name} IS NULL AS INT)") for name in numbers}
    found = [f"CASE WHEN no_{name} > 0 THEN NULL ELSE chunk.{name} END AS {name}" for name in numbers]
    if roll_up == "first":
        parts["other"] = ("min", "named_struct('first', position, 'then', score)")
        found.append(f"NOT (chunk.then <=> other.then) AS {UNDECIDED}")
    rows = table.selectExpr(
        *ids, f"{_document(separator)} AS doc_id", *(f"{text} AS {part}" for part, (_, text) in parts.items())
    )
    grouped = rows.groupBy(*ids, "doc_id").agg({part: of_all for part, (of_all, _) in parts.items()})
    named = grouped.selectExpr(
        *ids, "doc_id", *(f"`{of_all}({part})` AS {part}" for part, (of_all, _) in parts.items())
    )
    return named.selectExpr(*ids, "doc_id", *found)


def _document(separator: str) -> str:
    """Return SQL for the id of a chunk's document."""
    text = literal(separator)
    tail = f"(char_length(substring_index(doc_id, {text}, -1)) + {len(separator)})"
    head = f"substring(doc_id, 1, char_length(doc_id) - {tail})"
    return f"CASE WHEN instr(doc_id, {text}) > 0 AND char_length(doc_id) > {tail} THEN {head} ELSE doc_id END"
