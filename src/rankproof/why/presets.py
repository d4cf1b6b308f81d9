"""What does each preset give for one run, and which of them agree?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rankproof.measures import Measure, parse
from rankproof.model import Value
from rankproof.presets import PRESETS
from rankproof.tables import Table, Told
from rankproof.why import telling
from rankproof.why.under import OneMeasure, Under, nearly_alike


@dataclass(frozen=True, slots=True)
class SameValue:
    """Presets that give one value, or refuse the input for one reason."""

    value: Value
    refused: str | None
    presets: Sequence[str]


@dataclass(frozen=True, slots=True, repr=False)
class UnderPresets(Told):
    """The value of one measure under each preset, those that agree together, highest first."""

    measure: Measure
    groups: Sequence[SameValue]

    def tables(self) -> list[Table]:
        """Return a row a preset."""
        return telling.presets_tables(self)

    def notes(self) -> list[str]:
        """Return how many values there are."""
        return telling.presets_notes(self)

    def to_dict(self) -> dict[str, Any]:
        """Return what `rankproof contracts --all QRELS RUN --format json` writes."""
        return {
            "measure": str(self.measure),
            "groups": [
                {"value": one.value, "refused": one.refused, "presets": list(one.presets)} for one in self.groups
            ],
        }


def under_presets(qrels: Any, run: Any, measure: str | Measure) -> UnderPresets:
    """Return what each preset gives for a run, grouped by equal value (to a billionth).

    `qrels` and `run` as `evaluate` takes them. Raises what the presets raise where all refuse the input for one reason.
    """
    on = OneMeasure(qrels, run, parse(measure) if isinstance(measure, str) else measure)
    found = {name: on.under(preset.contract) for name, preset in PRESETS.items()}
    refusals = [under.refused for under in found.values() if under.refused is not None]
    if len(refusals) == len(found) and len({under.why_refused for under in found.values()}) == 1:
        raise refusals[0]
    groups: list[SameValue] = []
    for name, under in sorted(found.items(), key=lambda one: _highest_first(one[1])):
        last = groups[-1] if groups else None
        if last and nearly_alike(found[last.presets[0]], under):
            groups[-1] = SameValue(last.value, last.refused, [*last.presets, name])
        else:
            groups.append(SameValue(under.value, under.why_refused, [name]))
    return UnderPresets(on.measure, groups)


def _highest_first(under: Under) -> tuple[bool, float, str]:
    return under.value is None, -(under.value or 0.0), under.why_refused or ""
