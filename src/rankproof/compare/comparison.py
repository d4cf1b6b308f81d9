"""Is B better than A, by how much, and what do these queries not show? The answer, as it is handed on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, NamedTuple

from rankproof.charts import Chart, Words, interval_plot
from rankproof.charts.pictures import picture
from rankproof.compare import limits, telling
from rankproof.compare.intervals import Interval
from rankproof.compare.settings import Settings
from rankproof.contract import Contract
from rankproof.errors import MeasureError, MissingPackageError
from rankproof.formats.frames import to_frame
from rankproof.measures import parse
from rankproof.model import Qrels, Run, Value
from rankproof.tables import Table, as_html, as_text
from rankproof.values import Values


class Changed(NamedTuple):
    """For how many queries the run is better than the baseline, as good, and worse."""

    wins: int
    ties: int
    losses: int


class Policy(NamedTuple):
    """What the comparison says if unjudged documents are treated in another way; None, with a reason, if unknown."""

    name: str
    delta: Value
    verdict: str | None
    reason: Words | None = None


@dataclass(frozen=True, slots=True)
class Labels:
    """How complete the labels are at a cutoff: the unjudged rate of both runs, and what other policies would say."""

    cutoff: int
    baseline_unjudged: Value
    run_unjudged: Value
    policies: Sequence[Policy]

    def flips(self, verdict: str) -> Sequence[Policy]:
        """Return the policies under which the verdict is another one."""
        return [policy for policy in self.policies if policy.verdict not in (verdict, None)]


@dataclass(frozen=True, slots=True)
class Difference:
    """One run against the baseline under one measure; `deltas` are parallel to `query_ids`."""

    measure: str
    baseline: str
    run: str
    higher_is_better: bool
    query_ids: Sequence[str]
    left_out: Sequence[str]
    units: int  # how many queries, or families of queries, were resampled
    deltas: Sequence[float]
    baseline_value: Value
    value: Value
    delta: Value
    changed: Changed
    intervals: Mapping[str, Interval] = field(default_factory=dict)  # by kind; empty below two units
    p: Mapping[str, float] = field(default_factory=dict)  # by test
    adjusted: float | None = None  # the deciding test's, corrected for the runs of the measure
    effect: Value = None  # d_z
    equivalence_p: float | None = None
    smallest_shown: Value = None
    queries_needed: int | None = None
    verdict: str = "not-enough-queries"
    labels: Labels | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return what `rankproof compare --format json` writes for it."""
        labels = self.labels and {
            "cutoff": self.labels.cutoff,
            "baseline_unjudged": self.labels.baseline_unjudged,
            "run_unjudged": self.labels.run_unjudged,
            "policies": [
                {**policy._asdict(), "reason": policy.reason and policy.reason.en} for policy in self.labels.policies
            ],
        }
        return {
            "measure": self.measure,
            "higher_is_better": self.higher_is_better,
            "run": self.run,
            "queries": len(self.query_ids),
            "units": self.units,
            "left_out": list(self.left_out),
            "baseline": self.baseline_value,
            "value": self.value,
            "delta": self.delta,
            "intervals": {kind: list(interval) for kind, interval in self.intervals.items()},
            "p": dict(self.p),
            "adjusted_p": self.adjusted,
            "effect_size": self.effect,
            **self.changed._asdict(),
            "equivalence_p": self.equivalence_p,
            "smallest_shown": self.smallest_shown,
            "queries_needed": self.queries_needed,
            "verdict": self.verdict,
            "labels": labels,
            "deltas": dict(zip(self.query_ids, self.deltas, strict=True)),
        }


class Inputs(NamedTuple):
    """What was compared: judgments, the baseline's run first, the contract."""

    qrels: Qrels
    runs: Sequence[Run]
    contract: Contract


@dataclass(frozen=True, eq=False)
class Comparison:
    """A baseline and the runs compared with it, a `Difference` for each measure and run.

    The verdict is that of the first measure for the first run: further measures and runs are looked at beside it.
    """

    settings: Settings
    baseline: Values
    runs: Mapping[str, Values]
    differences: Sequence[Difference]
    clustered: bool = False
    inputs: Inputs | None = None  # None: values alone were compared

    @property
    def contract(self) -> Contract:
        """Return the contract of all values."""
        return self.baseline.contract

    @property
    def verdict(self) -> str:
        """Return better, worse, no-difference-shown, equivalent or not-enough-queries."""
        return self.differences[0].verdict

    def of(self, measure: str, run: str | None = None) -> Difference:
        """Return the difference of a measure, for a run or the first one; KeyError where there is none."""
        name = _house(measure)
        for one in self.differences:
            if one.measure == name and run in (None, one.run):
                return one
        raise KeyError((measure, run))

    def to_dict(self) -> dict[str, Any]:
        """Return what `rankproof compare --format json` writes."""
        return {
            "contract": self.contract.to_dict(),
            "baseline": self.baseline.run,
            "verdict": self.verdict,
            **statistics_of(self),
            "values": [values.to_dict() for values in (self.baseline, *self.runs.values())],
        }

    def to_json(self) -> str:
        """Return `to_dict` as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    @property
    def verdict_says(self) -> str:
        """Return the verdict of the first measure on each run, a sentence and what it rests on a line."""
        decided = [one for one in self.differences if one.measure == self.differences[0].measure]
        return "\n".join(telling.verdict_says(one, self.settings).en for one in decided)

    def tables(self) -> list[Table]:
        """Return what is seen and shown, what these queries can show, and how complete the labels are."""
        labels = limits.labels_table(self)
        return [telling.differences_table(self), telling.reach_table(self), *([labels] if labels else [])]

    def notes(self) -> list[str]:
        """Return how the comparison was made, what it rests on, and what it does not show, as sentences."""
        return limits.notes(self)

    def to_frame(self, backend: str | None = None) -> Any:
        """Return a dataframe with a row a measure and run; `backend` is "pandas", "polars" or "pyarrow"."""
        header, rows = telling.rows(self)
        return to_frame({name: [row[at] for row in rows] for at, name in enumerate(header)}, backend)

    def __repr__(self) -> str:
        """Return the tables and notes, to read."""
        return "\n".join([self.verdict_says, "", as_text(self.tables(), styled=False), *self.notes()])

    def chart(self) -> Chart:
        """Return the differences with their intervals as a chart; `rp.picture` draws it."""
        level = telling.percent(self.settings.confidence)
        axis = Words(
            f"change from {self.baseline.run}, with its {level} interval",
            f"{self.baseline.run} 대비 변화와 {level} 구간",
        )
        rows = [
            (
                f"{one.measure} · {one.run}" if len(self.runs) > 1 else one.measure,
                one.delta,
                *(one.intervals[self.settings.interval] if telling.enough(one) else (None, None)),
                one.verdict,
            )
            for one in self.differences
        ]
        return interval_plot(rows, margin=self.settings.margin, axis=axis)

    def _repr_html_(self) -> str:
        """Return tables, notes and chart, as a notebook shows them."""
        try:
            drawn = picture(self.chart(), "svg").decode()
        except MissingPackageError as error:
            drawn = f"<p>{escape(f'{error.faults[0].message}: {error.faults[0].hint}')}</p>"
        return drawn + as_html(self.tables(), [self.verdict_says, *self.notes()])


def statistics_of(found: Comparison) -> dict[str, Any]:
    """Return settings and differences, for a result that holds the values already."""
    return {
        "settings": {**found.settings.to_dict(), "clustered": found.clustered},
        "differences": [one.to_dict() for one in found.differences],
    }


def _house(measure: str) -> str:
    """Return a measure's name in the house spelling; an unknown one as it is."""
    try:
        return str(parse(measure))
    except MeasureError:
        return measure
