"""What do the paired values of one measure show, run by run?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil, fsum

from rankproof.arithmetic import SAME, over_queries
from rankproof.compare.comparison import Changed, Difference
from rankproof.compare.correct import CORRECTIONS, holm
from rankproof.compare.intervals import INTERVALS, Drawn, Interval
from rankproof.compare.pairs import Families, Pairs
from rankproof.compare.power import equivalence, smallest_effect, units_needed
from rankproof.compare.resample import drawn_again, sign_flips
from rankproof.compare.settings import Settings
from rankproof.compare.significance import EXACT_UP_TO, TESTS, effect_size, randomization_exact, sign_floor, spread
from rankproof.compare.tukey import tukey
from rankproof.compare.verdicts import verdict_of
from rankproof.errors import Fault, MeasureError


def differences_of(
    pairs: Pairs,
    baseline: str,
    settings: Settings,
    family_of: Mapping[str, str] | None = None,
    *,
    with_intervals: bool = True,
) -> list[Difference]:
    """Return a difference a run: what is seen and, from two queries (or families of queries) on, what it shows."""
    families = Families(pairs.query_ids, family_of)
    seen = [_seen(pairs, baseline, run, len(families)) for run in pairs.runs]
    if len(families) < 2:
        return seen
    tested = _Tested(pairs, families, settings)
    shown = [tested.on(one, at) for at, one in enumerate(seen)]
    if not with_intervals:
        return shown
    intervals = mean_intervals([one.deltas for one in seen], families, settings)
    return [replace(one, intervals=its) for one, its in zip(shown, intervals, strict=True)]


def tested(name: str, columns: Sequence[Sequence[float]], settings: Settings) -> list[float]:
    """Return each column's p by the test of this name; columns are parallel and share their random signs."""
    if (p_of := TESTS[name].p) is not None:
        return [p_of(units) for units in columns]
    differing = [[unit for unit in units if unit] for units in columns]  # the sign of 0 moves nothing
    if max(map(len, differing)) <= EXACT_UP_TO:
        return [randomization_exact(units) for units in differing]
    _check_enough(len(columns), settings)
    flips = sign_flips(columns, settings.permutations, settings.seed)
    return [
        randomization_exact(units) if len(units) <= EXACT_UP_TO else (beyond + 1) / (flips.trials + 1)
        for units, beyond in zip(differing, flips.alone, strict=True)
    ]


def _check_enough(comparisons: int, settings: Settings) -> None:
    """Refuse so few permutations that no p could reach the level."""
    over = comparisons if settings.correction == "holm" else 1
    if over > settings.alpha * (settings.permutations + 1):
        message = (
            f"{settings.permutations} permutations cannot show a p of {settings.alpha:g} over {comparisons} comparisons"
        )
        raise MeasureError(Fault(message, expected=f"{ceil(over / settings.alpha)} permutations or more"))


def mean_intervals(
    columns: Sequence[Sequence[float]], families: Families, settings: Settings
) -> list[dict[str, Interval]]:
    """Return the intervals of each column's mean, by kind; columns are parallel to the queries of the families."""
    sums = [families.sums(column) for column in columns]
    resampled = drawn_again(sums, families.sizes, settings.resamples, settings.seed)
    found = []
    for rows, means in zip(sums, resampled, strict=True):
        drawn = Drawn(fsum(rows) / sum(families.sizes), rows, families.sizes, means)
        found.append({kind: interval(drawn, settings.confidence) for kind, interval in INTERVALS.items()})
    return found


def _seen(pairs: Pairs, baseline: str, run: str, units: int) -> Difference:
    """Return a difference before any test: means, differences, counts."""
    deltas = pairs.deltas(run)
    wins, losses = (sum(delta * way >= SAME for delta in deltas) for way in (pairs.direction, -pairs.direction))
    return Difference(
        measure=str(pairs.measure),
        baseline=baseline,
        run=run,
        higher_is_better=pairs.measure.higher_is_better,
        query_ids=pairs.query_ids,
        left_out=pairs.left_out,
        units=units,
        deltas=deltas,
        baseline_value=over_queries(pairs.baseline, "mean", "exact"),
        value=over_queries(pairs.runs[run], "mean", "exact"),
        delta=over_queries(deltas, "mean", "exact"),
        changed=Changed(wins, len(deltas) - wins - losses, losses),
    )


class _Tested:
    """The tests of all runs under one measure: they share their random signs, and are corrected together."""

    def __init__(self, pairs: Pairs, families: Families, settings: Settings) -> None:
        self._pairs = pairs
        self._families = families
        self._settings = settings
        self._columns = [families.units(pairs.deltas(run)) for run in pairs.runs]
        self._p = {name: tested(name, self._columns, settings) for name in settings.tests}
        self._first = TESTS[settings.tests[0]]
        self._adjusted = self._corrected(self._p[self._first.name])
        self._over = 1 if settings.correction in ("none", "bh") else len(self._columns)
        self._within = self._equivalence()

    def _corrected(self, p: Sequence[float]) -> Sequence[float]:
        if (correct := CORRECTIONS[self._settings.correction][1]) is not None:
            return correct(p)
        return self._max_t() if self._settings.correction == "max-t" else self._against_all()

    def _max_t(self) -> list[float]:
        """Return p by step-down max-T: each at least as large as those of larger differences."""
        flips = sign_flips(self._columns, self._settings.permutations, self._settings.seed)
        raw = self._p[self._first.name]
        adjusted, so_far = [0.0] * len(self._columns), 0.0
        for at in flips.order:
            so_far = max(so_far, raw[at], (flips.together[at] + 1) / (flips.trials + 1))
            adjusted[at] = so_far
        return adjusted

    def _against_all(self) -> list[float]:
        """Return p by randomised Tukey HSD over all pairs of systems, of the pairs with the baseline."""
        values = [self._pairs.baseline, *self._pairs.runs.values()]
        found = tukey([self._families.sums(row) for row in values], self._settings.permutations, self._settings.seed)
        # Shuffles take all systems to vary alike; where one varies more, the pair's own p counts.
        return [max(one, other) for one, other in zip(self._p[self._first.name], found[0][1:], strict=True)]

    def on(self, seen: Difference, at: int) -> Difference:
        """Return a difference with what its units show."""
        units, settings = self._columns[at], self._settings
        deviation, effect = spread(units).deviation, effect_size(units)
        level = settings.alpha / self._over
        needed = None if effect is None else self._needed(effect, level)
        within = self._within[at]
        return replace(
            seen,
            p={name: p[at] for name, p in self._p.items()},
            adjusted=self._adjusted[at],
            effect=effect,
            equivalence_p=within,
            smallest_shown=smallest_effect(len(units), level) * deviation if deviation else None,
            queries_needed=needed and ceil(needed * len(seen.query_ids) / len(units)),
            verdict=verdict_of(
                p=self._adjusted[at],
                least_p=self._least(units),
                gain=(seen.delta or 0.0) * self._pairs.direction,
                equivalence_p=within,
                alpha=settings.alpha,
            ),
        )

    def _equivalence(self) -> Sequence[float | None]:
        """Return p of equivalence, corrected over the runs: by Holm where the correction knows no such p."""
        if (margin := self._settings.margin) is None:
            return [None] * len(self._columns)
        correct = CORRECTIONS[self._settings.correction][1] or holm
        return correct([equivalence(units, margin) for units in self._columns])

    def _needed(self, effect: float, level: float) -> int | None:
        """Return how many units show this effect, and no fewer than the test needs to show anything."""
        needed = units_needed(effect, level)
        return needed and max(needed, self._first.fewest(level))

    def _least(self, units: Sequence[float]) -> float:
        """Return the smallest adjusted p that these units could give; of units that never vary, that of their signs."""
        over = self._over if self._settings.correction == "holm" else 1
        least = self._first.least(len(units)) if spread(units).deviation else sign_floor(len(units))
        return least * over
