"""What changed between two runs, as it is handed on: as objects, JSON, tables to read?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rankproof.arithmetic import SAME
from rankproof.contract import Contract
from rankproof.diff import telling
from rankproof.formats.texts import Text
from rankproof.measures import Measure
from rankproof.model import Grade, Value
from rankproof.tables import Table, Told
from rankproof.words import Words, query_count


class Found(NamedTuple):
    """A document in a ranking; without a grade it is unjudged."""

    doc_id: str
    grade: Grade | None


class Row(NamedTuple):
    """One rank, side by side; None where a ranking has ended."""

    rank: int
    left: Found | None
    right: Found | None


class Move(NamedTuple):
    """A document that stands elsewhere on the right; a rank is None where that run did not retrieve it."""

    doc_id: str
    left: int | None
    right: int | None
    grade: Grade | None  # None: unjudged

    @property
    def words(self) -> Words:
        """Return the move in words: `3 → 1 (up 2)`, `new at 4`, `4 → gone`."""
        if self.left is None:
            return Words(f"new at {self.right}", f"새로 {self.right}위")
        if self.right is None:
            return Words(f"{self.left} → gone", f"{self.left} → 사라짐")
        way, korean = ("up", "위로") if self.right < self.left else ("down", "아래로")
        seen, by = f"{self.left} → {self.right}", abs(self.left - self.right)
        return Words(f"{seen} ({way} {by})", f"{seen} ({korean} {by})")

    @property
    def says(self) -> str:
        """Return the move in English words."""
        return self.words.en


class Change(NamedTuple):
    """One query's values on both sides; the delta is None where one of them is undefined."""

    query_id: str
    left: Value
    right: Value
    delta: Value

    @property
    def way(self) -> str:
        """Return rose, fell, stayed or undefined."""
        if self.delta is None:
            return "undefined"
        return "stayed" if abs(self.delta) < SAME else "rose" if self.delta > 0 else "fell"


@dataclass(frozen=True, slots=True)
class QueryDiff:
    """One query side by side, down to the depth; ranks count each document once, as the contract orders them.

    `unique` and `unjudged` count, left and right, what stands within the depth: documents that do not stand within it
    on the other side, and documents without a grade.
    """

    change: Change
    rows: Sequence[Row]
    moves: Sequence[Move]  # documents within the depth on either side, by their best rank
    unique: tuple[int, int]
    unjudged: tuple[int, int]
    text: Text | None = None  # the query's


@dataclass(frozen=True, repr=False)
class Diff(Told):
    """What changed between two runs, query by query: all changes, and the queries shown side by side."""

    measure: Measure
    left: str
    right: str
    contract: Contract
    depth: int
    changes: Sequence[Change]  # the greatest first, undefined ones last
    queries: Sequence[QueryDiff]
    texts: Mapping[str, Text]  # of documents that are shown, where texts were given

    @property
    def counts(self) -> Mapping[str, int]:
        """Return for how many queries the value rose, fell, stayed, or is undefined on a side."""
        ways = [change.way for change in self.changes]
        return {way: ways.count(way) for way in ("rose", "fell", "stayed", "undefined")}

    @property
    def summary(self) -> str:
        """Return the counts as a sentence."""
        counts = self.counts
        undefined = f", cannot be compared for {counts['undefined']}" if counts["undefined"] else ""
        return (
            f"{self.measure} from {self.left} to {self.right}: rose for {counts['rose']} of "
            f"{query_count(len(self.changes))}, fell for {counts['fell']}, stayed for {counts['stayed']}{undefined}"
        )

    def tables(self, width: int | None = None) -> list[Table]:
        """Return the queries that changed most, then a table a query: both rankings side by side.

        The texts of documents are cut to 60 characters, or so that a table fits a terminal `width` columns wide.
        """
        return telling.difference_tables(self, width)

    def notes(self) -> list[str]:
        """Return how many queries rose and fell, and under which contract, as sentences."""
        return telling.difference_notes(self)

    def to_dict(self) -> dict[str, Any]:
        """Return what `rankproof diff --format json` writes."""
        return {
            "measure": str(self.measure),
            "left": self.left,
            "right": self.right,
            "contract": self.contract.to_dict(),
            "depth": self.depth,
            "counts": dict(self.counts),
            "changes": [change._asdict() for change in self.changes],
            "queries": [_as_dict(one) for one in self.queries],
            "texts": {doc: text._asdict() for doc, text in self.texts.items()},
        }


def _as_dict(one: QueryDiff) -> dict[str, Any]:
    return {
        **one.change._asdict(),
        "text": one.text and one.text._asdict(),
        "unique": {"left": one.unique[0], "right": one.unique[1]},
        "unjudged": {"left": one.unjudged[0], "right": one.unjudged[1]},
        "rows": [
            {
                "rank": row.rank,
                "left": row.left and row.left._asdict(),
                "right": row.right and row.right._asdict(),
            }
            for row in one.rows
        ],
        "moves": [{**move._asdict(), "says": move.says} for move in one.moves],
    }
