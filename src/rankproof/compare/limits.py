"""What does a comparison rest on, and what does it not show?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rankproof.arithmetic import SAME
from rankproof.compare.telling import enough, marked, method, percent, signed, star_of, unit_of, why_not_enough
from rankproof.compare.verdicts import VERDICTS
from rankproof.tables import Table
from rankproof.values import shown
from rankproof.words import Words, query_count

if TYPE_CHECKING:
    from rankproof.compare.comparison import Comparison, Difference, Policy

FEW = 20
"""Fewer queries than this make a bootstrap interval too narrow."""

POLICY_SAYS: Mapping[str, Words] = {
    "unjudged-relevant": Words(
        "if the unjudged documents of the first results were relevant", "앞쪽 결과의 미판정 문서가 모두 적합 문서라면"
    ),
    "condensed": Words("if the unjudged documents are taken out of the results", "결과에서 미판정 문서를 빼면"),
}


UNJUDGED: Mapping[str, Words] = {
    "non-relevant": Words(
        "labels are incomplete: an unjudged document counts as not relevant, which need not be true",
        "판정이 완전하지 않습니다. 미판정 문서는 비적합으로 세지만 실제로는 다를 수 있습니다",
    ),
    "condensed": Words(
        "labels are incomplete: unjudged documents are taken out of the results, as if nobody saw them",
        "판정이 완전하지 않습니다. 미판정 문서는 아무도 보지 않은 것처럼 결과에서 뺍니다",
    ),
}
"""What incomplete labels do to the numbers, by the contract's rule `unjudged`."""


def labels_table(found: Comparison) -> Table | None:
    """Return a row a measure and run: how complete the labels are, and the verdict if they were otherwise.

    None where that is not known for any, because values alone were compared.
    """
    rows = [_labels_row(one) for one in found.differences if one.labels is not None]
    header = ["measure", "run", "verdict", "first", "unjudged, baseline", "unjudged, run"]
    header += ["if the unjudged were relevant", "if they are taken out"]
    return Table(header, rows, "how complete the labels are") if rows else None


def _labels_row(one: Difference) -> list[object]:
    labels = one.labels
    assert labels is not None  # noqa: S101 - asked for rows that have them
    said = {policy.name: _said(policy) for policy in labels.policies}
    return [
        *(one.measure, one.run, marked(one.verdict, star_of(one)), labels.cutoff),
        *(percent(labels.baseline_unjudged), percent(labels.run_unjudged)),
        *(said.get(name, Words("no change", "변화 없음")) for name in POLICY_SAYS),
    ]


def _said(policy: Policy) -> Words:
    return Words("not known", "알 수 없음") if policy.verdict is None else marked(policy.verdict)


def notes(found: Comparison) -> list[str]:
    """Return how the comparison was made, what it rests on, and what it does not show."""
    contract = found.contract
    return [
        f"contract {contract.name} ({contract.fingerprint})",
        *(note.en for note in method(found)),
        *_of_runs(found),
        *(note.en for note in limits(found, ties=False)),  # those stand with their runs
    ]


def _of_runs(found: Comparison) -> Iterator[str]:
    for name, values in ((found.baseline.run, found.baseline), *found.runs.items()):
        yield from (f"{name}: {note}" for note in values.notes())


def limits(found: Comparison, *, ties: bool = True) -> list[Words]:
    """Return what the comparison does not show; without `ties`, not what breaking them otherwise could do."""
    parts = (*((_ties,) if ties else ()), _left_out, _same_rankings, _interval_and_p, _labels_flip, _general_limits)
    return [note for part in parts for note in part(found)]


def _ties(found: Comparison) -> Iterator[Words]:
    """Say where breaking ties otherwise would move a mean."""
    for values in (found.baseline, *found.runs.values()):
        for measure, tie in values.ties.items():
            if tie.lowest is None or tie.highest is None or tie.highest - tie.lowest <= SAME:
                continue
            low, high = shown(tie.lowest), shown(tie.highest)
            yield Words(
                f"{values.run}: ties touch {measure} in {query_count(tie.queries)}; broken otherwise, its mean could "
                f"be anything from {low} to {high}",
                f"{values.run}: {measure}는 질의 {tie.queries}개에서 동점에 걸립니다. 동점을 달리 가르면 평균은 "
                f"{low}에서 {high} 사이입니다",
            )


def _left_out(found: Comparison) -> Iterator[Words]:
    without = set(found.baseline.groups.get("without-relevant", ()))
    for one in found.differences:
        if count := len(set(one.left_out) - without):
            yield Words(
                f"{one.measure}, {one.run}: {query_count(count)} left out, where it is undefined in one of the runs",
                f"{one.measure}, {one.run}: 어느 한쪽에서 정의되지 않는 질의 {count}개를 뺐습니다",
            )
    fewest = min(found.differences, key=lambda one: one.units)
    if fewest.units < 2:
        why = why_not_enough(fewest)
        yield Words(f"not enough queries: {why.en}", f"질의가 부족합니다: {why.ko}")
    elif enough(fewest) and fewest.units < FEW and found.settings.interval in ("bca", "percentile"):
        unit = unit_of(found)
        yield Words(
            f"a bootstrap interval of {fewest.units} {unit.en} is somewhat too narrow (the interval “wider” is not)",
            f"{unit.ko} {fewest.units}개의 부트스트랩 구간은 실제보다 조금 좁습니다(“wider” 구간은 그렇지 않습니다)",
        )


def _labels_flip(found: Comparison) -> Iterator[Words]:
    unknown = [policy for one in found.differences if one.labels is not None for policy in one.labels.policies]
    for name, reason in dict.fromkeys((policy.name, policy.reason) for policy in unknown if policy.reason):
        says = POLICY_SAYS[name]
        yield Words(
            f"what the verdict would be {says.en} is not known: {reason.en}",
            f"{says.ko} 어떤 결론일지 알 수 없습니다: {reason.ko}",
        )
    for one in found.differences:
        for policy in one.labels.flips(one.verdict) if one.labels is not None else ():
            became, says, delta = VERDICTS[str(policy.verdict)], POLICY_SAYS[policy.name], signed(policy.delta)
            yield Words(
                f"{one.measure}, {one.run}: {says.en}, the verdict would be “{became.words.en}” (delta {delta})",
                f"{one.measure}, {one.run}: {says.ko} 결론은 “{became.words.ko}”이 됩니다 (변화 {delta})",
            )


def _same_rankings(found: Comparison) -> Iterator[Words]:
    runs = found.inputs.runs if found.inputs is not None else ()
    for run in runs[1:]:
        if run.rankings == runs[0].rankings:
            yield Words(
                f"{run.name} holds the same rankings as {runs[0].name}: is it the same file?",
                f"{run.name}의 순위가 {runs[0].name}과(와) 같습니다. 같은 파일입니까?",
            )


def _interval_and_p(found: Comparison) -> Iterator[Words]:
    """Say why an interval clear of 0 may stand beside no verdict, where it does."""
    for one in found.differences:
        interval = one.intervals.get(found.settings.interval)
        if one.verdict == "no-difference-shown" and interval and (interval.low > 0 or interval.high < 0):
            yield Words(
                "the verdict goes by the (adjusted) p; an interval is of one mean by itself, so the two can differ",
                "결론은 (보정한) p를 따릅니다. 구간은 평균 하나만의 것이어서 둘이 다를 수 있습니다",
            )
            return


def _general_limits(found: Comparison) -> Iterator[Words]:
    labels = [one.labels for one in found.differences if one.labels is not None]
    if any(one.baseline_unjudged or one.run_unjudged for one in labels):
        yield UNJUDGED[found.contract.unjudged]
    measures = list(dict.fromkeys(one.measure for one in found.differences))
    if len(measures) > 1:
        yield Words(
            f"{len(measures)} measures were looked at: {measures[0]} decides; they are not corrected for each other",
            f"지표 {len(measures)}개를 보았습니다. {measures[0]}로 결론을 정했고, 지표 사이의 보정은 하지 않았습니다",
        )
    yield Words(
        "queries of another kind, and what users do, are not shown by these numbers",
        "다른 종류의 질의나 사용자의 행동은 이 숫자에 나타나지 않습니다",
    )
