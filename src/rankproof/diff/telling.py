"""How is the difference between two runs told: as tables and as sentences?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING
from unicodedata import combining, east_asian_width

from rankproof.formats.texts import Text
from rankproof.tables import Table
from rankproof.words import Words, term

if TYPE_CHECKING:
    from rankproof.diff.difference import Change, Diff, Found, Move, QueryDiff

_SHOWN = 60
"""As many characters of a text stand in a table that has not to fit a terminal."""

_AT_LEAST = 12
"""A text keeps as many columns of a terminal, however narrow that is."""

_BETWEEN = 2
"""Columns of a table stand so far apart."""


def difference_tables(found: Diff, width: int | None = None) -> list[Table]:
    """Return the queries that changed most, then a table a query: both rankings side by side.

    The texts of documents are cut to 60 characters; with a `width`, so that a table fits a terminal of that width.
    """
    runs = (found.left, found.right)
    header = ["query_id", *runs, "delta", "direction"]
    header += [head.format(run) for head in ("documents only in {}", "unjudged in {}") for run in runs]
    rows = [
        [*one.change[:3], _signed(one.change), term(one.change.way), *one.unique, *one.unjudged]
        for one in found.queries
    ]
    first = Table(header, rows, f"{found.measure}, left {found.left}, right {found.right}")
    return [first, *(_query_table(one, found, width) for one in found.queries)]


def difference_notes(found: Diff) -> list[str]:
    """Return how many queries rose and fell, and under which contract, as sentences."""
    changed = found.counts["rose"] + found.counts["fell"]
    unseen = changed - len([one for one in found.queries if one.change.way in ("rose", "fell")])
    more = [f"{unseen} more changed: see -n (in Python queries=)"] if unseen else []
    return [found.summary, *more, f"contract {found.contract.name} ({found.contract.fingerprint})"]


def _signed(change: Change) -> str | None:
    return None if change.delta is None else f"{change.delta:+.4f}"


def _query_table(one: QueryDiff, found: Diff, width: int | None) -> Table:
    header = ["rank", found.left, "grade", "move", found.right, "grade", "move"]
    moves = {move.doc_id: move for move in one.moves}
    left = _side([row.left for row in one.rows], found.left, moves)
    right = _side([row.right for row in one.rows], found.right, moves)
    ranks: list[object] = [row.rank for row in one.rows] or [""]
    rows = [[rank, *mine, *theirs] for rank, mine, theirs in zip(ranks, left, right, strict=True)]
    room = None if width is None else _room(header, rows, width)
    rows = [
        [_with_text(cell, found.texts, room) if at in _DOCUMENTS else cell for at, cell in enumerate(row)]
        for row in rows
    ]
    said = f" ({_start(str(one.text))})" if one.text else ""
    return Table(header, rows, f"query {one.change.query_id}{said}: {one.change.way}")


_DOCUMENTS = (1, 4)
"""In these columns of a query's table stand documents."""


def _side(found: Sequence[Found | None], run: str, moves: Mapping[str, Move]) -> list[list[object]]:
    """Return document, grade and move of each rank of one side."""
    if not any(found):
        nothing = Words(f"{run} returned nothing", f"{run}: 결과 없음")
        return [[nothing if not at else "", "", ""] for at in range(len(found) or 1)]
    return [["", "", ""] if one is None else [one.doc_id, _grade(one), _moved(one, moves)] for one in found]


def _grade(one: Found) -> Words | str:
    return term("unjudged") if one.grade is None else str(one.grade)


def _moved(one: Found, moves: Mapping[str, Move]) -> Words:
    return moves[one.doc_id].words if one.doc_id in moves else Words("stays", "그대로")


def _room(header: Sequence[str], rows: Sequence[Sequence[object]], width: int) -> int:
    """Return how many columns of a terminal each of the two documents has beside what else stands in a row."""
    columns = list(zip(header, *rows, strict=True))
    others = [max(_wide(str(cell)) for cell in one) for at, one in enumerate(columns) if at not in _DOCUMENTS]
    return (width - sum(others) - _BETWEEN * (len(columns) - 1)) // len(_DOCUMENTS)


def _with_text(cell: object, texts: Mapping[str, Text], room: int | None) -> object:
    text = texts.get(cell) if isinstance(cell, str) else None
    if text is None:
        return cell
    return f"{cell}: {_start(str(text)) if room is None else _fitting(str(text), room - _wide(f'{cell}: '))}"


def _start(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN].rstrip()}…"


def _fitting(text: str, room: int) -> str:
    """Return as much of a text as fits so many columns of a terminal."""
    most = max(room, _AT_LEAST)
    if _wide(text) <= most:
        return text
    used, kept = 1, 0  # the sign of omission takes one
    for one in text:
        used += _wide(one)
        if used > most:
            break
        kept += 1
    return f"{text[:kept].rstrip()}…"


def _wide(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return sum(0 if combining(one) else 2 if east_asian_width(one) in "WF" else 1 for one in text)


CHANGED = (
    "query_id",
    "left_value",
    "right_value",
    "delta",
    "rank",
    "left",
    "left_grade",
    "left_move",
    "right",
    "right_grade",
    "right_move",
)
"""The header of the rows that a program reads."""


def difference_rows(found: Diff) -> Iterator[Sequence[object]]:
    """Yield a row a query and rank, under the header `CHANGED`; what is unjudged has no grade."""
    for one in found.queries:
        moves = {move.doc_id: move for move in one.moves}
        for row in one.rows:
            sides = [(side, side and side.doc_id, side and side.grade) for side in (row.left, row.right)]
            cells = [cell for side, doc, grade in sides for cell in (doc, grade, _moved_says(side, moves))]
            yield (*one.change, row.rank, *cells)


def _moved_says(side: Found | None, moves: Mapping[str, Move]) -> str:
    if side is None:
        return ""
    return moves[side.doc_id].says if side.doc_id in moves else "stays"
