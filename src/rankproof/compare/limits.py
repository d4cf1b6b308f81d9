"""What does a comparison rest on, and what does it not show?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rankproof.compare.telling import marked, method, percent, signed, star_of, why_not_enough
from rankproof.compare.verdicts import VERDICTS
from rankproof.tables import Table
from rankproof.words import Words

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
        *(note.en for note in limits(found)),
    ]


def _of_runs(found: Comparison) -> Iterator[str]:
    for name, values in ((found.baseline.run, found.baseline), *found.runs.items()):
        yield from (f"{name}: {note}" for note in values.notes())


def limits(found: Comparison) -> list[Words]:
    """Return what the comparison does not show."""
    return [*_left_out(found), *_labels_flip(found), *_general_limits(found)]


def _left_out(found: Comparison) -> Iterator[Words]:
    without = set(found.baseline.groups.get("without-relevant", ()))
    for one in found.differences:
        if count := len(set(one.left_out) - without):
            yield Words(
                f"{one.measure}, {one.run}: {count} queries left out, where it is undefined in one of the runs",
                f"{one.measure}, {one.run}: 어느 한쪽에서 정의되지 않는 질의 {count}개를 뺐습니다",
            )
    fewest = min(found.differences, key=lambda one: one.units)
    if fewest.units < 2:
        why = why_not_enough(fewest)
        yield Words(f"not enough queries: {why.en}", f"질의가 부족합니다: {why.ko}")
    elif fewest.units < FEW and found.settings.interval in ("bca", "percentile"):
        yield Words(
            f"a bootstrap interval of {fewest.units} queries is somewhat too narrow (--interval wider)",
            f"질의 {fewest.units}개의 부트스트랩 구간은 조금 좁습니다 (--interval wider)",
        )


def _labels_flip(found: Comparison) -> Iterator[Words]:
    for one in found.differences:
        for policy in one.labels.flips(one.verdict) if one.labels is not None else ():
            became, says, delta = VERDICTS[str(policy.verdict)], POLICY_SAYS[policy.name], signed(policy.delta)
            yield Words(
                f"{one.measure}, {one.run}: {says.en}, the verdict would be “{became.words.en}” (delta {delta})",
                f"{one.measure}, {one.run}: {says.ko} 결론은 “{became.words.ko}”이 됩니다 (변화 {delta})",
            )


def _general_limits(found: Comparison) -> Iterator[Words]:
    labels = [one.labels for one in found.differences if one.labels is not None]
    if any(one.baseline_unjudged or one.run_unjudged for one in labels):
        yield Words(
            "labels are incomplete: an unjudged document counts as not relevant, which need not be true",
            "판정이 완전하지 않습니다. 미판정 문서는 비적합으로 세지만 실제로는 다를 수 있습니다",
        )
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
