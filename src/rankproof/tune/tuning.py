"""Which weights were chosen, from which, and what do they bring? The answer, as it is handed on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rankproof.compare import Comparison
from rankproof.model import Value
from rankproof.retrieve.fuse import Fusion
from rankproof.tables import Table, Told
from rankproof.tune.grid import Weights
from rankproof.tune.splits import Splits
from rankproof.words import first_of, query_count


class Tried(NamedTuple):
    """Weights, parallel to the runs, and the mean they have on the tune queries."""

    weights: Weights
    mean: Value


@dataclass(frozen=True, repr=False)
class Tuning(Told):
    """The weights that were best on the tune queries, and the comparison on the test queries.

    `alone`: the mean of each run by itself, on the tune queries. `compared`: the run best there (baseline), the fusion
    with the chosen weights, and with equal ones.
    """

    fusion: Fusion
    alone: Mapping[str, Value]
    tried: Sequence[Tried]
    chosen: Tried
    compared: Comparison
    splits: Splits

    @property
    def measure(self) -> str:
        """Return the measure that chose."""
        return self.compared.differences[0].measure

    @property
    def weights(self) -> Mapping[str, float]:
        """Return the chosen weight of each run."""
        return dict(zip(self.alone, self.chosen.weights, strict=True))

    def to_dict(self) -> dict[str, Any]:
        """Return what `rankproof tune --format json` writes."""
        compared = self.compared.to_dict()
        return {
            "contract": compared.pop("contract"),
            "fusion": self.fusion.to_dict(),
            "measure": self.measure,
            "weights": dict(self.weights),
            "queries": {
                "tune": list(self.splits.tune),
                "test": list(self.splits.test),
                "unjudged": list(self.splits.unjudged),
                "left_out": list(self.splits.left_out),
            },
            "tune": {
                "alone": dict(self.alone),
                "tried": [{"weights": list(one.weights), "mean": one.mean} for one in self.tried],
                "mean": self.chosen.mean,
            },
            "test": compared,
        }

    @property
    def says(self) -> str:
        """Return the chosen weights and the verdict on the test queries, as a sentence."""
        weights = ", ".join(f"{name} {weight:g}" for name, weight in self.weights.items())
        return f"weights: {weights}; {self.compared.verdict_says}"

    def rows(self) -> tuple[list[str], list[list[object]]]:
        """Return a header and a row for each weights that were tried, in their order."""
        return [*self.alone, self.measure], [[*one.weights, one.mean] for one in self.tried]

    def tables(self) -> list[Table]:
        """Return the weights that were tried, best first, then what they bring on the test queries."""
        tune, test = (query_count(len(judged)) for judged in (self.splits.tune, self.splits.test))
        names = list(self.alone)
        way = -1 if self.compared.differences[0].higher_is_better else 1
        ordered = sorted(self.tried, key=lambda one: (one is not self.chosen, one.mean is None, way * (one.mean or 0)))
        rows: list[list[object]] = [["chosen" if one is self.chosen else "", *one.weights, one.mean] for one in ordered]
        rows += [["alone", *(float(other == name) for other in names), mean] for name, mean in self.alone.items()]
        first = Table(["", *names, self.measure], rows, f"weights, on {tune} to tune")
        compared, *others = self.compared.tables()
        return [first, Table(compared.header, compared.rows, f"on {test} to test", compared.decimals), *others]

    def notes(self) -> list[str]:
        """Return what was fused and what was left out, as sentences."""
        tried = (
            f"{self.fusion.method} of {', '.join(self.alone)}: {len(self.tried)} weights tried by {self.measure} on "
            f"{query_count(len(self.splits.tune))}; on the {query_count(len(self.splits.test))} to test only the "
            "chosen ones were evaluated, and equal ones"
        )
        lines = [tried]
        for ids, what in (
            (self.splits.unjudged, "split but not judged"),
            (self.splits.left_out, "judged but in no split"),
        ):
            if ids:
                lines.append(f"{query_count(len(ids))} {what}: left out ({first_of(ids)})")
        return [*lines, *self.compared.notes()]
