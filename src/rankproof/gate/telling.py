"""How is a gate's decision told: as tables, and as sentences?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rankproof.charts.palette import DECISIONS, SIGNS, Sign
from rankproof.errors import printable
from rankproof.gate.requirements import Status
from rankproof.tables import Table, as_text
from rankproof.words import Words

if TYPE_CHECKING:
    from rankproof.gate.result import Check, Gate

NOT_ENOUGH = "not-enough-queries"
"""The name of the verdict that stands for an undecided requirement."""

STATUSES: Mapping[Status, Sign] = {
    "pass": DECISIONS["met"],
    "fail": DECISIONS["not-met"],
    "undecided": DECISIONS["undecided"],
}
"""How a status reads and looks."""

OUTCOMES: Mapping[bool, Words] = {True: Words("passed", "통과"), False: Words("failed", "실패")}
"""How the outcome reads."""


def tables(found: Gate) -> list[Table]:
    """Return a row a requirement, and the queries that lost most; falls and rises are shown as signed changes."""
    level = f"{100 * found.settings.confidence:g} % interval"
    header = ["requirement", "seen", level, "must be", "queries", "status"]
    tables = [Table(header, [_row(check) for check in found.checks])]
    if found.worst:
        fallen = [[one.query_id, one.baseline, one.value, f"{one.delta:+.4f}"] for one in found.worst]
        title = f"queries that lost most, {found.worst[0].measure}"
        tables.append(Table(["query_id", "baseline", "candidate", "delta"], fallen, title))
    return tables


def said(check: Check) -> Words:
    """Return what was seen and how it was decided; falls and rises as signed changes, as in the table."""
    seen, interval, bound = _spelled(check)
    within = Words(f" in {interval}", f", 구간 {interval}") if check.interval else Words("", "")
    found = Words(
        f"{seen}{within.en}, must be {bound}, {check.counted.en}",
        f"{seen}{within.ko}, 한계 {bound}, {check.counted.ko}",
    )
    if check.why is None:
        return found
    short = SIGNS[NOT_ENOUGH].words
    return Words(f"{short.en}: {found.en}; {check.why.en}", f"{short.ko}: {found.ko}. {check.why.ko}")


def _row(check: Check) -> list[object]:
    seen, interval, bound = _spelled(check)
    sign = STATUSES[check.status]
    status = Words(*(f"{sign.mark} {text}" for text in sign.words))
    return [check.requirement.text, seen, interval, bound, check.queries, status]


def _spelled(check: Check) -> tuple[str, str, str]:
    """Return what was seen, its interval, and what it must be."""
    seen, low, high, limit, at_least = _as_change(check)
    form = "{:+.4f}" if check.requirement.quantity else "{:.4f}"
    interval = "–" if low is None or high is None else f"[{form.format(low)}, {form.format(high)}]"
    return form.format(seen), interval, f"{'≥' if at_least else '≤'} {form.format(limit)}"


def _as_change(check: Check) -> tuple[float, float | None, float | None, float, bool]:
    """Return seen, low, high, limit and whether it is a lower limit; a fall as a change below 0."""
    low, high = check.interval or (None, None)
    if check.requirement.quantity != "drop":
        return check.seen, low, high, check.limit, check.requirement.at_least
    turned = (None, None) if low is None or high is None else (0.0 - high, 0.0 - low)
    return 0.0 - check.seen, *turned, 0.0 - check.limit, not check.requirement.at_least


def notes(found: Gate) -> list[str]:
    """Return what is undecided and why, the contract, and what was counted how."""
    settings, contract = found.settings, found.candidate.contract
    drawn = "" if settings.interval == "t" else f", {settings.resamples} resamples, seed {settings.seed}"
    lines = [f"{check.requirement.text}: {check.says}" for check in found.checks if check.status == "undecided"]
    lines.append(f"contract {contract.name} ({contract.fingerprint}); interval {settings.interval}{drawn}")
    lines += [f"{found.candidate.run}: {note}" for note in found.candidate.notes()]
    if found.status == "undecided":
        lines.append(f"what is undecided counts as {found.undecided} (--undecided)")
    return lines


def as_read(found: Gate, *, styled: bool) -> str:
    """Return the outcome and its tables, to read."""
    return f"{printable(found.says)}\n\n{as_text(tables(found), styled=styled)}"
