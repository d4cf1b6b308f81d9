"""How does the difference between two runs look?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rankproof.diff import Change, Diff, Found, Move, QueryDiff
from rankproof.formats.texts import Text
from rankproof.tables import Table

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

_SHOWN = 60
"""As many characters of a text stand in a table."""


def difference_tables(found: Diff) -> list[Table]:
    """Return the queries that changed most, then a table a query: both rankings side by side."""
    header = ["query_id", found.left, found.right, "delta", "way"]
    counted = [f"{what} {side}" for what in ("only", "unjudged") for side in ("left", "right")]
    rows = [[*one.change[:3], _signed(one.change), one.change.way, *one.unique, *one.unjudged] for one in found.queries]
    first = Table([*header, *counted], rows, f"{found.measure}, left {found.left}, right {found.right}")
    return [first, *(_query_table(one, found) for one in found.queries)]


def difference_rows(found: Diff) -> Iterator[Sequence[object]]:
    """Yield a row a query and rank, under the header `CHANGED`; what is unjudged has no grade."""
    for one in found.queries:
        moves = {move.doc_id: move for move in one.moves}
        for row in one.rows:
            sides = [(side, side and side.doc_id, side and side.grade) for side in (row.left, row.right)]
            cells = [cell for side, doc, grade in sides for cell in (doc, grade, _moved(side, moves))]
            yield (*one.change, row.rank, *cells)


def difference_notes(found: Diff) -> list[str]:
    """Return how many queries rose and fell, and under which contract, as sentences."""
    changed = found.counts["rose"] + found.counts["fell"]
    unseen = changed - len([one for one in found.queries if one.change.way in ("rose", "fell")])
    more = [f"{unseen} more changed (see -n)"] if unseen else []
    return [found.summary, *more, f"contract {found.contract.name} ({found.contract.fingerprint})"]


def _signed(change: Change) -> str | None:
    return None if change.delta is None else f"{change.delta:+.4f}"


def _query_table(one: QueryDiff, found: Diff) -> Table:
    moves = {move.doc_id: move for move in one.moves}
    rows = [
        [row.rank, *(cell for side in (row.left, row.right) for cell in _cells(side, moves, found.texts))]
        for row in one.rows
    ]
    said = f" ({_start(one.text)})" if one.text else ""
    header = ["rank", "left", "grade left", "goes", "right", "grade right", "comes"]
    return Table(header, rows, f"query {one.change.query_id}{said}: {one.change.way}")


def _cells(side: Found | None, moves: Mapping[str, Move], texts: Mapping[str, Text]) -> list[object]:
    if side is None:
        return ["", "", ""]
    text = texts.get(side.doc_id)
    document = f"{side.doc_id}: {_start(text)}" if text else side.doc_id
    return [document, "unjudged" if side.grade is None else str(side.grade), _moved(side, moves)]


def _moved(side: Found | None, moves: Mapping[str, Move]) -> str:
    if side is None:
        return ""
    return moves[side.doc_id].says if side.doc_id in moves else "stays"


def _start(text: Text) -> str:
    said = str(text)
    return said if len(said) <= _SHOWN else f"{said[:_SHOWN].rstrip()}…"
