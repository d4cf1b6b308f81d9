"""What is a preset?"""

from __future__ import annotations

from dataclasses import dataclass

from rankproof.contract import Contract


@dataclass(frozen=True, slots=True)
class Deviation:
    """Where a tool departs from its documented rule, or from what is done here: what it gives, what is given here."""

    topic: str
    tool: str
    here: str


@dataclass(frozen=True, slots=True)
class Preset:
    """A named contract: whose rules, in which version, where they were read, how they were verified."""

    contract: Contract
    version: str
    source: str
    verified: str
    deviations: tuple[Deviation, ...] = ()

    @property
    def name(self) -> str:
        """Return the preset's name, which is its contract's."""
        return self.contract.name
