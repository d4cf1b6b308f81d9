"""Which systems were compared, how long do they take, and which is better? The answer, as it is handed on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from pathlib import Path
from statistics import median
from typing import Any

from rankproof.compare import Comparison
from rankproof.experiment.plan import Plan
from rankproof.model import Value
from rankproof.systems import Ranked, System
from rankproof.systems.ranking import DEEP
from rankproof.tables import Table, Told
from rankproof.words import Words, counted


@dataclass(frozen=True, slots=True)
class Tested:
    """A system, the hash of what decides its run, where that lies and its own hash, when it was made if not now (UTC).

    `seconds` a query, with those of the systems that it is made of; empty where they are not known.
    """

    system: System
    key: str
    file: Path
    sha256: str
    ranked: Ranked
    kept_since: str | None
    seconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def milliseconds(self) -> Mapping[str, Value]:
        """Return mean, median and 95th percentile of the time a query takes; None where nothing was searched."""
        times = sorted(1000 * one for one in self.seconds.values())
        if not times:
            return {"mean": None, "median": None, "p95": None}
        # The nearest rank: at least 95 % of the queries take no longer.
        return {
            "mean": fsum(times) / len(times),
            "median": median(times),
            "p95": times[-(-95 * len(times) // 100) - 1],
        }

    def to_dict(self) -> dict[str, Any]:
        """Return it, ready for JSON."""
        return {
            **self.system.to_dict(),
            "key": self.key,
            "run": str(self.file),
            "sha256": self.sha256,
            "kept_since": self.kept_since,
            "index_seconds": self.ranked.index_seconds,
            "milliseconds": dict(self.milliseconds),
            "seconds": dict(self.seconds),
            "notes": list(self.ranked.notes),
        }


@dataclass(frozen=True, repr=False)
class Experiment(Told):
    """The systems, baseline first; their comparison; the hash of all that decides the numbers."""

    plan: Plan
    tested: Sequence[Tested]
    compared: Comparison
    hash: str

    @property
    def means(self) -> Mapping[str, Mapping[str, Value]]:
        """Return the mean of each measure, by system."""
        values = [self.compared.baseline, *self.compared.runs.values()]
        return {one.run: dict(one.means) for one in values}

    def to_dict(self) -> dict[str, Any]:
        """Return what `rankproof experiment --format json` writes."""
        compared = self.compared.to_dict()
        return {
            "contract": compared.pop("contract"),
            "experiment": {
                "hash": self.hash,
                "file": self.plan.file,
                "depth": self.plan.depth,
                "systems": [one.to_dict() for one in self.tested],
            },
            **compared,
        }

    def tables(self) -> list[Table]:
        """Return the systems, their means, and the tables of the comparison."""
        return [self.systems_table(), self.means_table(), *self.compared.tables()]

    def systems_table(self) -> Table:
        """Return what each system is, and how long it takes."""
        header = ["system", "kind", "options", "index s", "median ms", "p95 ms", "run"]
        rows: list[list[object]] = [
            [
                one.system.name,
                one.system.kind,
                _options(one.system),
                one.ranked.index_seconds or None,
                one.milliseconds["median"],
                one.milliseconds["p95"],
                one.file.name,
            ]
            for one in self.tested
        ]
        return Table(header, rows, "systems")

    def means_table(self) -> Table:
        """Return the mean of each measure, a column a system."""
        names = list(self.means)
        measures = list(next(iter(self.means.values())))
        return Table(
            ["measure", *names], [[name, *(self.means[run][name] for run in names)] for name in measures], "means"
        )

    def notes(self) -> list[str]:
        """Return what the runs rest on, and what the comparison has to say, as sentences."""
        return [*(str(line) for line in self.says_of_runs()), *self.compared.notes()]

    def says_of_runs(self) -> list[Words]:
        """Return where the runs come from, in both languages."""
        kept = [one for one in self.tested if one.kept_since is not None]
        ran = len(self.tested) - len(kept)
        lines = [
            Words(
                f"experiment {self.hash[:12]}: {counted(ran, 'system')} run now, {len(kept)} from the store "
                f"({self.plan.store})",
                f"실험 {self.hash[:12]}: 시스템 {ran}개를 지금 실행했고 {len(kept)}개는 저장소({self.plan.store})에서 "
                "가져왔습니다.",
            )
        ]
        if self.plan.depth < DEEP and any(one.system.parts for one in self.tested):
            depth = self.plan.depth
            lines.append(
                Words(
                    f"a fusion sees the first {depth} of each of its parts: what stands below is lost to it",
                    f"결합은 각 부분의 앞 {depth}개만 봅니다. 그 아래는 보지 못합니다.",
                )
            )
        lines += [_may_have_changed(one) for one in kept if one.system.kind == "engine"]
        return lines + [Words(note, note) for one in self.tested for note in one.ranked.notes]


def _may_have_changed(one: Tested) -> Words:
    name = one.system.name
    return Words(
        f"{name}: answers of {one.kept_since}; its index may have changed since (--fresh {name} asks again)",
        f"{name}: {one.kept_since}의 답입니다. 그 뒤 색인이 바뀌었을 수 있습니다(--fresh {name}이면 다시 묻습니다).",
    )


def _options(system: System) -> str:
    """Return the options that say something, in one line."""
    told = {key: value for key, value in system.to_dict()["options"].items() if value not in (None, {})}
    return ", ".join(f"{key} {_spelled(value)}" for key, value in told.items())


def _spelled(value: object) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{key}={one}" for key, one in value.items())
    return "+".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
