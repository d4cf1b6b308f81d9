"""Which grades does a Spark table of judgments hold? By the rules of reading, on the driver."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rankproof.contract import Contract
from rankproof.errors import ContractError, Fault, Faults
from rankproof.formats.cells import NO_COLUMN, Cells, judgments_of
from rankproof.formats.judged import Judgment, qrels_of_rows
from rankproof.model import Grade, Qrels

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_READ = ("query_id", "doc_id", "grade")
_EXPECTED = "rows with query_id, doc_id and grade"


def collected_qrels(table: DataFrame, contract: Contract, name: str = "qrels") -> Qrels:
    """Return the judgments of a table that `qrels_table` returned, queries in the order of their ids.

    InputError for rows that are none; ContractError where the last of two judgments would count: rows have no order.
    """
    faults = Faults()
    rows = judgments_of(cells_of_table(table.toArrow()), faults, name)
    if contract.duplicate_judgment == "keep-last":
        rows = _check_last(rows, contract, name)
    return qrels_of_rows(rows, contract, faults, name, _EXPECTED)


def cells_of_table(rows: Any) -> Iterator[Cells]:
    """Yield the rows of an Arrow table of judgments, in an order that depends on nothing but them."""
    rows = rows.sort_by([(column, "ascending") for column in rows.column_names])
    columns = {column: rows.column(column).to_pylist() for column in rows.column_names}
    subtopics = columns.get("subtopic", [NO_COLUMN] * rows.num_rows)
    for query, doc, grade, subtopic in zip(*(columns[one] for one in _READ), subtopics, strict=True):
        yield Cells(None, query, doc, grade, subtopic=subtopic)


def _check_last(rows: Iterator[Judgment], contract: Contract, name: str) -> Iterator[Judgment]:
    """Yield the rows; ContractError, at the end, for documents with two grades of which the last would count."""
    faults = Faults(ContractError)
    grades: dict[tuple[str, str, str | None], Grade] = {}
    apart = contract.subtopics in ("any", "all")
    for row in rows:
        key = (row.query_id, row.doc_id, row.subtopic if apart else None)
        if grades.setdefault(key, row.grade) != row.grade:
            message = f"judged twice, {grades[key]} and {row.grade}: which is the last is open in a table"
            hint = "--rule duplicate-judgment=keep-highest, or keep one of them beforehand"
            faults.add(Fault(message, name, query_id=row.query_id, doc_id=row.doc_id, hint=hint))
        yield row
    faults.raise_any()
