"""How are the cells of a row, typed or spelled, read as ids, grade, score and rank?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from math import isnan
from numbers import Integral
from typing import Any, NamedTuple

from rankproof.arithmetic import number_of
from rankproof.errors import Fault, Faults, seen
from rankproof.formats.grades import EXPECTED, grade_of, numeric
from rankproof.formats.judged import Judgment
from rankproof.formats.results import Result

NO_COLUMN = object()
"""What stands for a cell where there is no such column."""


class Cells(NamedTuple):
    """A row as it is given: the line, or the row's number, it stands on; a cell for each column, or NO_COLUMN."""

    line: int | None
    query_id: Any
    doc_id: Any
    number: Any  # a grade, or a score
    rank: Any = NO_COLUMN
    run: Any = NO_COLUMN
    subtopic: Any = NO_COLUMN


def is_text(given: object) -> bool:
    """Return whether this is text that can be written as UTF-8: no half of a surrogate pair."""
    if not isinstance(given, str):
        return False
    if given.isascii():
        return True
    try:
        given.encode()
    except UnicodeEncodeError:
        return False
    return True


def id_of(given: object, column: str, faults: Faults, where: Fault) -> str:
    """Return an id as text: a whole number as its digits. What is no id, or is empty, is a fault."""
    if is_text(given):
        if not given:
            faults.add(replace(where, message="is empty", column=column, expected="an id"))
        return str(given)
    if isinstance(given, Integral) and not isinstance(given, bool):
        with suppress(ValueError):  # thousands of digits are no id
            return str(int(given))
    hint = "a column with gaps turns whole numbers into fractions" if isinstance(given, float) else None
    expected = "text or a whole number"
    faults.add(replace(where, message=f"{seen(given)} is no id", column=column, expected=expected, hint=hint))
    return seen(given)


def judgments_of(rows: Iterable[Cells], faults: Faults, name: str) -> Iterator[Judgment]:
    """Yield the judgments of rows; a fault for each row that holds none."""
    for row in rows:
        query, doc = _ids(row, faults, name)
        if not (query and doc):
            continue
        grade = grade_of(row.number)
        if grade is None:
            faults.add(_refused(row, name, "grade", row.number, EXPECTED))
            continue
        subtopic = None if row.subtopic is NO_COLUMN else str(row.subtopic)
        yield Judgment(row.line, query, doc, grade, subtopic)


def results_of(rows: Iterable[Cells], faults: Faults, name: str) -> Iterator[Result]:
    """Yield the results of rows; a fault for each row that holds none."""
    for row in rows:
        query, doc = _ids(row, faults, name)
        if not (query and doc):
            continue
        score = None if row.number is NO_COLUMN else _number(row.number)
        rank = None if row.rank is NO_COLUMN else _number(row.rank)
        if score is None and row.number is not NO_COLUMN:
            faults.add(_refused(row, name, "score", row.number, "a number"))
        elif row.rank is not NO_COLUMN and (rank is None or isnan(rank)):  # NaN would stand anywhere
            faults.add(_refused(row, name, "rank", row.rank, "a number"))
        else:
            run = None if row.run is NO_COLUMN or row.run is None else str(row.run)
            yield Result(row.line, query, doc, score, rank, run)


def _ids(row: Cells, faults: Faults, name: str) -> tuple[str, str]:
    """Return the ids of a row; what is none is a fault."""
    query, doc = row.query_id, row.doc_id
    if not _is_plain(query):
        query = id_of(query, "query_id", faults, Fault("", name, row.line))
    if not _is_plain(doc):
        doc = id_of(doc, "doc_id", faults, Fault("", name, row.line, query_id=query))
    return query, doc


def _is_plain(given: object) -> bool:
    """Return whether this is an id at first sight, as most are."""
    return type(given) is str and given.isascii() and given != ""


def _refused(row: Cells, name: str, column: str, cell: object, expected: str) -> Fault:
    place = Fault(
        f"{column} {seen(cell)}", name, row.line, column=column, query_id=str(row.query_id), expected=expected
    )
    return replace(place, doc_id=str(row.doc_id), hint=_hint(cell))


def _hint(cell: object) -> str | None:
    spelled = cell.replace(",", ".") if isinstance(cell, str) and cell.count(",") == 1 else ""
    return None if number_of(spelled) is None else "a decimal comma? write a point"


def _number(cell: object) -> float | None:
    number = number_of(cell) if isinstance(cell, (str, bytes)) else numeric(cell)
    return None if number is None else float(number)
