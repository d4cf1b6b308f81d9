"""What did the gate decide?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from rankproof.compare import Settings
from rankproof.compare.intervals import Interval
from rankproof.gate import telling
from rankproof.gate.requirements import Requirement, Status
from rankproof.gate.telling import OUTCOMES, STATUSES
from rankproof.tables import Table, as_html
from rankproof.values import Values
from rankproof.words import Words

Undecided = Literal["fail", "pass"]


class Options(NamedTuple):
    """Whether what is undecided fails, and how many of the queries that lost most are listed."""

    undecided: Undecided = "fail"
    worst: int = 20


@dataclass(frozen=True, slots=True)
class Check:
    """One requirement with what was seen, its interval (None where too few queries allow none) and how it was decided.

    All are in the measure's units: a mean, or how far it fell or rose. `why` says why it is undecided.
    """

    requirement: Requirement
    queries: int
    counted: Words  # queries, or families of them, with the noun
    seen: float
    limit: float
    interval: Interval | None = None
    status: Status = "undecided"
    why: Words | None = None

    @property
    def said(self) -> Words:
        """Return what was seen and how it was decided, as a sentence."""
        return telling.said(self)

    @property
    def says(self) -> str:
        """Return the same in English."""
        return self.said.en


class Fallen(NamedTuple):
    """A query whose value is lower than the baseline's."""

    query_id: str
    measure: str
    baseline: float
    value: float
    delta: float


@dataclass(frozen=True, eq=False)
class Gate:
    """The checks of one candidate against one baseline; `worst` are the queries that lost most."""

    settings: Settings
    baseline: Values
    candidate: Values
    checks: Sequence[Check]
    worst: Sequence[Fallen]
    undecided: Undecided
    clustered: bool = False

    @property
    def status(self) -> Status:
        """Return fail if a requirement fails, else undecided if one is, else pass."""
        found = {check.status for check in self.checks}
        return "fail" if "fail" in found else "undecided" if "undecided" in found else "pass"

    @property
    def passed(self) -> bool:
        """Return whether the gate opens: what is undecided counts as `undecided` says."""
        return self.status == "pass" or (self.status == "undecided" and self.undecided == "pass")

    @property
    def names(self) -> tuple[str, str]:
        """Return how baseline and candidate are called; apart, where both runs have one name."""
        baseline, candidate = self.baseline.run, self.candidate.run
        return (
            (f"{baseline} (baseline)", f"{candidate} (candidate)") if baseline == candidate else (baseline, candidate)
        )

    @property
    def said(self) -> Words:
        """Return the outcome as a sentence."""
        found = [check.status for check in self.checks]
        met = OUTCOMES[self.passed]
        counts = [(found.count(status), sign.words) for status, sign in STATUSES.items() if status in found]
        english, korean = (", ".join(f"{count} {words[at]}" for count, words in counts) for at in (0, 1))
        baseline, candidate = self.names
        return Words(
            f"gate {met.en}: {english} ({candidate} against {baseline})",
            f"게이트 {met.ko}: {korean} ({baseline} 대비 {candidate})",
        )

    @property
    def says(self) -> str:
        """Return the outcome as a sentence, in English."""
        return self.said.en

    def to_dict(self) -> dict[str, Any]:
        """Return what `rankproof gate --format json` writes; a later gate can take it as its baseline."""
        return {
            "contract": self.candidate.contract.to_dict(),
            "settings": {**self.settings.to_dict(), "clustered": self.clustered},
            "status": self.status,
            "passed": self.passed,
            "undecided": self.undecided,
            "says": self.says,
            "checks": [
                {
                    "requirement": check.requirement.text,
                    "measure": str(check.requirement.measure),
                    "queries": check.queries,
                    "seen": check.seen,
                    "limit": check.limit,
                    "interval": None if check.interval is None else list(check.interval),
                    "status": check.status,
                    "says": check.says,
                }
                for check in self.checks
            ],
            "worst": [one._asdict() for one in self.worst],
            "baseline": self.baseline.to_dict(),
            "candidate": self.candidate.to_dict(),
        }

    def to_json(self) -> str:
        """Return `to_dict` as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def tables(self) -> list[Table]:
        """Return a row a requirement, and the queries that lost most."""
        return telling.tables(self)

    def notes(self) -> list[str]:
        """Return what is undecided and why, the contract, and what was counted how."""
        return telling.notes(self)

    def __repr__(self) -> str:
        """Return the outcome, its tables and notes, to read."""
        return "\n".join([telling.as_read(self, styled=False), *telling.notes(self)])

    def _repr_html_(self) -> str:
        """Return the same as a notebook shows it."""
        return as_html(telling.tables(self), [self.says, *telling.notes(self)])
