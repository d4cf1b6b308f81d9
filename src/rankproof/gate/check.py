"""Is a requirement met, to the confidence that was asked for?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import ceil, fsum, log

from rankproof.arithmetic import SAME
from rankproof.compare import Settings
from rankproof.compare.differences import mean_intervals
from rankproof.compare.intervals import Interval
from rankproof.compare.pairs import Families, pairs_of
from rankproof.compare.significance import sign_floor
from rankproof.errors import Fault, MeasureError
from rankproof.gate.requirements import Requirement
from rankproof.gate.result import Check
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
    found = Check(wanted, count, families.counted, seen, limit)
    if sign_floor(len(families)) > settings.alpha:
        return replace(found, why=_too_few(families, settings))
    if wanted.relative and wanted.at_least and not offset:
        return replace(
            found, why=Words("a share of a baseline mean of 0 says nothing", "기준 평균 0의 비율은 뜻이 없습니다")
        )
    column = [delta - share * base for delta, base in zip(deltas, pairs.baseline, strict=True)]
    (intervals,) = mean_intervals([column], families, settings)
    interval = Interval(*(bound + offset for bound in intervals[settings.interval]))
    alike = not wanted.quantity and all(abs(one - column[0]) < SAME for one in column) and 0 <= seen <= 1
    if alike:
        interval = _with_rare_values(seen, len(families), settings)
    status = wanted.decided(interval, limit)
    found = replace(found, interval=interval, status=status)
    if status != "undecided":
        return found
    needed = (_needed_of_rare if alike else _needed)(found, len(families), settings)
    return replace(found, why=_more(needed, families))


def _with_rare_values(value: float, count: int, settings: Settings) -> Interval:
    """Return the bounds of a mean all of whose values are equal, between 0 and 1: another one may just be rare.

    If a share s of all queries had another value, so many in a row would miss it with (1 - s)^n: the bound of Clopper
    and Pearson (1934) for no failure in n.
    """
    rare = 1 - (settings.alpha / 2) ** (1 / count)
    return Interval(value * (1 - rare), value + (1 - value) * rare)


def _needed(found: Check, count: int, _: Settings) -> int | None:
    """Return how many units would decide it, if mean and spread stay; None where the mean sits on the limit."""
    low, high = found.interval or (found.seen, found.seen)
    reach = found.seen - low if found.limit < found.seen else high - found.seen
    away = abs(found.seen - found.limit)
    return max(count + 1, ceil(count * (reach / away) ** 2)) if away > reach / 1000 else None


def _needed_of_rare(found: Check, count: int, settings: Settings) -> int | None:
    """Return how many units without another value would decide it."""
    value, limit = found.seen, found.limit
    allowed = 1 - limit / value if limit < value else (limit - value) / (1 - value) if value < 1 else 0
    return max(count + 1, ceil(log(settings.alpha / 2) / log(1 - allowed))) if 0 < allowed < 1 else None


def _too_few(families: Families, settings: Settings) -> Words:
    unit = families.counted
    return Words(
        f"of {unit.en} no interval at {settings.confidence:g} can be trusted",
        f"{unit.ko}로는 {settings.confidence:g} 구간을 믿을 수 없습니다",
    )


def _more(needed: int | None, families: Families) -> Words:
    if needed is None:
        return Words("the mean sits on the limit", "평균이 한계에 있습니다")
    return Words(
        f"if the mean stays, about {needed} {families.noun.en} would decide it",
        f"평균이 그대로면 {families.noun.ko} 약 {needed}개로 판단됩니다",
    )
