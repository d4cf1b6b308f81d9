"""Is a requirement met, to the confidence that was asked for?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, fsum

from rankproof.arithmetic import SAME
from rankproof.compare import VERDICTS, Settings
from rankproof.compare.differences import mean_intervals
from rankproof.compare.intervals import Interval
from rankproof.compare.pairs import Families, pairs_of
from rankproof.compare.significance import sign_floor
from rankproof.errors import Fault, MeasureError
from rankproof.gate.requirements import Requirement, Status
from rankproof.gate.result import Check
from rankproof.gate.telling import NOT_ENOUGH
from rankproof.values import Values
from rankproof.words import Words


def check(
    wanted: Requirement,
    baseline: Values,
    candidate: Values,
    settings: Settings,
    family_of: Mapping[str, str] | None,
) -> Check:
    """Return one requirement, decided. MeasureError where its measure is undefined for every query."""
    pairs = pairs_of(str(wanted.measure), baseline, [candidate])
    families = Families(pairs.query_ids, family_of)
    count = len(pairs.query_ids)
    if not count:
        raise MeasureError(Fault(f"{wanted.measure} is undefined for every query", expected="a measure with values"))
    share = wanted.limit if wanted.relative else 0.0  # of each query's baseline, so that its mean is resampled too
    way = -1 if wanted.quantity == "drop" else 1
    after = pairs.runs[candidate.run]
    deltas = [way * delta for delta in pairs.deltas(candidate.run)] if wanted.quantity else list(after)
    seen, offset = fsum(deltas) / count, share * fsum(pairs.baseline) / count
    limit = offset if wanted.relative else wanted.limit
    if sign_floor(len(families)) > settings.alpha:
        return Check(wanted, count, seen, limit, None, "undecided", _too_few(families, settings))
    column = [delta - share * base for delta, base in zip(deltas, pairs.baseline, strict=True)]
    (intervals,) = mean_intervals([column], families, settings)
    interval = Interval(*(bound + offset for bound in intervals[settings.interval]))
    if not wanted.quantity:
        interval = _with_rare_values(interval, column, families, settings)
    status = wanted.decided(interval, limit)
    return Check(wanted, count, seen, limit, interval, status, _why(status, seen, limit, interval, families))


def _with_rare_values(interval: Interval, values: Sequence[float], families: Families, settings: Settings) -> Interval:
    """Return the bounds of a mean all of whose values are equal, between 0 and 1: another one may just be rare.

    If a share s of all queries had another value, so many in a row would miss it with (1 - s)^n: the bound of Clopper
    and Pearson (1934) for no failure in n.
    """
    value = values[0]
    if any(abs(one - value) > SAME for one in values) or not 0 <= value <= 1:
        return interval
    rare = 1 - (settings.alpha / 2) ** (1 / len(families))
    return Interval(value * (1 - rare), value + (1 - value) * rare)


def _too_few(families: Families, settings: Settings) -> Words:
    unit = families.counted
    return Words(
        f"{VERDICTS[NOT_ENOUGH].words.en}: of {unit.en} no interval at {settings.confidence:g} can be trusted",
        f"{VERDICTS[NOT_ENOUGH].words.ko}: {unit.ko}로는 {settings.confidence:g} 구간을 믿을 수 없습니다",
    )


def _why(status: Status, seen: float, limit: float, interval: Interval, families: Families) -> Words:
    bounds, unit = f"[{interval.low:.4f}, {interval.high:.4f}]", families.counted
    found = Words(
        f"{seen:.4f} in {bounds}, limit {limit:.4f}, {unit.en}",
        f"{seen:.4f}, 구간 {bounds}, 한계 {limit:.4f}, {unit.ko}",
    )
    if status != "undecided":
        return found
    away, reach = abs(seen - limit), (interval.high - interval.low) / 2
    more = Words("it sits on the limit", "값이 한계에 있습니다")
    if away > reach / 1000:
        needed = ceil(len(families) * (reach / away) ** 2)
        noun = families.noun
        more = Words(
            f"if the mean stays, about {needed} {noun.en} would decide it",
            f"평균이 그대로면 {noun.ko} 약 {needed}개로 판단됩니다",
        )
    short = VERDICTS[NOT_ENOUGH].words
    return Words(f"{short.en}: {found.en}; {more.en}", f"{short.ko}: {found.ko}. {more.ko}")
