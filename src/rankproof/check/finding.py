"""What was found in a file, how often, and where first?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rankproof.check.kinds import FILE_KINDS, Weight

FIRST = 5
"""How many places of a finding are kept."""


class Place(NamedTuple):
    """Where something is: its line (None where the format has none), query and document, as far as they matter."""

    line: int | None = None
    query_id: str | None = None
    doc_id: str | None = None

    def __str__(self) -> str:
        """Return it as words."""
        named = (("line", self.line), ("query", self.query_id), ("document", self.doc_id))
        return ", ".join(f"{name} {value}" for name, value in named if value is not None)


@dataclass(frozen=True, slots=True)
class FileFinding:
    """One kind of thing found in a file: how often, the first places, a sentence, what to do."""

    file: str
    kind: str
    count: int
    places: tuple[Place, ...]
    message: str

    @property
    def weight(self) -> Weight:
        """Return how much it matters."""
        return FILE_KINDS[self.kind].weight

    @property
    def to_do(self) -> str:
        """Return what helps."""
        return FILE_KINDS[self.kind].to_do

    def to_dict(self) -> dict[str, Any]:
        """Return it, ready for JSON."""
        return {
            "file": self.file,
            "weight": self.weight,
            "kind": self.kind,
            "count": self.count,
            "places": [place._asdict() for place in self.places],
            "message": self.message,
            "to_do": self.to_do,
        }


@dataclass(slots=True)
class _Tally:
    count: int = 0
    places: list[Place] = field(default_factory=list)
    why: str = ""


class Tallies:
    """Counts what is found in one file, kind by kind, and keeps the first places."""

    def __init__(self, file: str) -> None:
        """Count for the file of this name."""
        self._file = file
        self._found: dict[str, _Tally] = {}

    def add(self, kind: str, place: Place | None = None, why: str | None = None, count: int = 1) -> None:
        """Note one more of a kind, or `count` at one place; the first `why` given enters the sentence."""
        tally = self._found.setdefault(kind, _Tally())
        tally.count += count
        tally.why = tally.why or why or ""
        if place is not None and len(tally.places) < FIRST:
            tally.places.append(place)

    def findings(self) -> list[FileFinding]:
        """Return what was found, in the order of the table of kinds."""
        return [self._finding(kind, self._found[kind]) for kind in FILE_KINDS if kind in self._found]

    def _finding(self, kind: str, tally: _Tally) -> FileFinding:
        known = FILE_KINDS[kind]
        message = known.says.format(n=known.counted(tally.count), why=tally.why)
        return FileFinding(self._file, kind, tally.count, tuple(tally.places), message)
