"""What is handed on of a check: what each file holds, and what was found in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from rankproof.check import telling
from rankproof.check.finding import FileFinding
from rankproof.check.kinds import WEIGHTS, Weight
from rankproof.formats.table import Role
from rankproof.model import Grade
from rankproof.tables import Table, Told


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedFile:
    """What one file holds, as far as it could be read."""

    name: str
    role: Role | Literal["aggregates"] | None = None  # aggregates: a table of measures; None: none of these, or open
    format: str | None = None
    packing: str | None = None
    encoding: str | None = None  # None: nothing of it was read
    marked: bool = False  # whether it begins with a byte order mark
    line_ends: str | None = None  # \n, \r\n or mixed; None where the format has no lines
    rows: int = 0
    queries: int = 0
    documents: int = 0  # different ids
    runs: Sequence[str] = ()  # the names that a run's rows give; empty where they give none
    depth: tuple[int, float, int] | None = None  # documents of a query: least, median, most
    grades: Mapping[Grade, int] = field(default_factory=dict)  # how many judgments have each, the lowest first
    tied_queries: int = 0
    tied_places: int = 0  # results with the score of another one of their query
    told: Sequence[str] = ()  # how a table of measures was read
    findings: Sequence[FileFinding] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it, ready for JSON, without its findings."""
        depth = None if self.depth is None else dict(zip(("least", "median", "most"), self.depth, strict=True))
        return {
            "file": self.name,
            "role": self.role,
            "format": self.format,
            "packing": self.packing,
            "encoding": self.encoding,
            "byte_order_mark": self.marked,
            "line_ends": self.line_ends,
            "rows": self.rows,
            "queries": self.queries,
            "documents": self.documents,
            "runs": list(self.runs),
            "depth": depth,
            "grades": [{"grade": grade, "count": count} for grade, count in self.grades.items()],
            "ties": {"queries": self.tied_queries, "places": self.tied_places},
        }


@dataclass(frozen=True, repr=False)
class Checked(Told):
    """What several files hold, in the order given, and what is wrong with them or suspicious about them."""

    files: Sequence[CheckedFile]

    @property
    def findings(self) -> list[FileFinding]:
        """Return the findings of all files, those that matter most first."""
        found = [one for file in self.files for one in file.findings]
        return sorted(found, key=lambda one: WEIGHTS.index(one.weight))

    @property
    def counts(self) -> Mapping[Weight, int]:
        """Return how many findings have each weight."""
        found = Counter(one.weight for one in self.findings)
        return {weight: found[weight] for weight in WEIGHTS}

    @property
    def is_clean(self) -> bool:
        """Return whether nothing is wrong or suspicious."""
        return not (self.counts["wrong"] or self.counts["suspicious"])

    def to_dict(self) -> dict[str, Any]:
        """Return what `rankproof check --format json` writes."""
        return {
            "files": [file.to_dict() for file in self.files],
            "findings": [one.to_dict() for one in self.findings],
            "counts": dict(self.counts),
            "clean": self.is_clean,
            "notes": self.notes(),
        }

    def tables(self) -> list[Table]:
        """Return what the files hold, and the findings."""
        return telling.checked_tables(self)

    def notes(self) -> list[str]:
        """Return how many findings there are, and what was not looked at, as sentences."""
        return telling.checked_notes(self)
