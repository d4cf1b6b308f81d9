"""May this candidate replace the baseline? Each requirement is decided on an interval, not on a point."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, fsum
from pathlib import Path
from typing import Any, Literal, NamedTuple

from rankproof.arithmetic import SAME
from rankproof.compare import Settings, check_answered, settings_and_rules, settings_of
from rankproof.compare.differences import mean_intervals
from rankproof.compare.intervals import Interval
from rankproof.compare.pairs import Families, check_comparable, check_means, pairs_of
from rankproof.compare.significance import sign_floor
from rankproof.contract import Contract
from rankproof.errors import Fault, InputError, MeasureError, RankproofError
from rankproof.evaluate import file_of, values_of
from rankproof.formats import Source, as_qrels, as_runs, read_families
from rankproof.formats.jsons import parse_json
from rankproof.formats.objects import run_of
from rankproof.formats.places import with_lines
from rankproof.gate.requirements import Requirement, Status, requirement
from rankproof.measures import Measure
from rankproof.measures.base import is_whole
from rankproof.model import Qrels
from rankproof.presets import contract as contract_of
from rankproof.saved import is_result, read_saved
from rankproof.values import Values

Undecided = Literal["fail", "pass"]

DEFAULTS: Mapping[str, Any] = {"interval": "wider"}
"""Settings of a gate where none are given: it decides, so it leans to the careful side."""


class Options(NamedTuple):
    """Whether what is undecided fails, and how many of the queries that lost most are listed."""

    undecided: Undecided = "fail"
    worst: int = 20


class Check(NamedTuple):
    """One requirement with what was seen, its interval (None below two queries) and how it was decided."""

    requirement: Requirement
    queries: int
    seen: float | None
    limit: float | None
    interval: Interval | None
    status: Status
    says: str


class Fallen(NamedTuple):
    """A query whose value is lower than the baseline's."""

    query_id: str
    measure: str
    baseline: float
    value: float
    delta: float


@dataclass(frozen=True, eq=False)
class Gate:
    """The checks of one candidate against one baseline; `worst` are the queries that lost most."""

    settings: Settings
    baseline: Values
    candidate: Values
    checks: Sequence[Check]
    worst: Sequence[Fallen]
    undecided: Undecided
    clustered: bool = False

    @property
    def status(self) -> Status:
        """Return fail if a requirement fails, else undecided if one is, else pass."""
        found = {check.status for check in self.checks}
        return "fail" if "fail" in found else "undecided" if "undecided" in found else "pass"

    @property
    def passed(self) -> bool:
        """Return whether the gate opens: what is undecided counts as `undecided` says."""
        return self.status == "pass" or (self.status == "undecided" and self.undecided == "pass")

    @property
    def says(self) -> str:
        """Return the outcome as a sentence."""
        count = {
            status: sum(check.status == status for check in self.checks) for status in ("pass", "fail", "undecided")
        }
        said = [f"{number} {SAYS[status]}" for status, number in count.items() if number]
        outcome = "passed" if self.passed else "failed"
        return f"gate {outcome}: {', '.join(said)} ({self.candidate.run} against {self.baseline.run})"

    def to_dict(self) -> dict[str, Any]:
        """Return what `rankproof gate --format json` writes; a later gate can take it as its baseline."""
        return {
            "contract": self.candidate.contract.to_dict(),
            "settings": {**self.settings.to_dict(), "clustered": self.clustered},
            "status": self.status,
            "passed": self.passed,
            "undecided": self.undecided,
            "says": self.says,
            "checks": [
                {
                    "requirement": check.requirement.text,
                    "measure": str(check.requirement.measure),
                    "queries": check.queries,
                    "seen": check.seen,
                    "limit": check.limit,
                    "interval": None if check.interval is None else list(check.interval),
                    "status": check.status,
                    "says": check.says,
                }
                for check in self.checks
            ],
            "worst": [one._asdict() for one in self.worst],
            "baseline": self.baseline.to_dict(),
            "candidate": self.candidate.to_dict(),
        }

    def to_json(self) -> str:
        """Return `to_dict` as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)


SAYS: Mapping[str, str] = {"pass": "met", "fail": "not met", "undecided": "undecided (not enough queries)"}
"""How a status reads."""


def gate(  # noqa: PLR0913 - the inputs, and a keyword for each choice
    qrels: Any,
    baseline: Any,
    candidate: Any,
    require: Sequence[str] | str,
    contract: str | Path | Mapping[str, Any] | Contract = "rankproof",
    *,
    undecided: Undecided = "fail",
    worst: int = 20,
    clusters: Any = None,
    **options_and_rules: Any,
) -> Gate:
    """Return whether a candidate meets every requirement.

    `qrels` and `candidate` are given as to `evaluate`; `baseline` is a run too, Values, or a saved JSON result of
    `evaluate` or `gate`. `require`: texts such as "nDCG@10 drop<=0.01", "AP drop<=2%", "RR rise>=0" and "R@100>=0.8".
    A requirement is met (not met) where the whole interval at the confidence lies on the right (wrong) side; else it is
    undecided, and `undecided` says whether that fails. Settings as to `compare`; `worst` queries are listed.

    Raises InputError, ContractError or MeasureError, also where the baseline has another contract or other queries.
    """
    if undecided not in ("fail", "pass"):
        raise MeasureError(Fault(f"undecided cannot be {undecided!r}", expected="fail or pass"))
    if not is_whole(worst) or worst < 0:
        raise MeasureError(Fault(f"worst cannot be {worst!r}", expected="a whole number from 0 on"))
    wanted = [requirement(text) for text in ([require] if isinstance(require, str) else require)]
    if not wanted:
        raise MeasureError(Fault("no requirement is given", hint='such as --require "nDCG@10 drop<=0.01"'))
    settings, rules = settings_and_rules(options_and_rules, **DEFAULTS)
    given = contract_of(contract, **rules)
    families = read_families(clusters) if clusters is not None else None
    values = _both(qrels, baseline, candidate, wanted, given)
    return gate_values(*values, wanted, settings, families, Options(undecided, worst))


def _both(
    qrels: Any, baseline: Any, candidate: Any, wanted: Sequence[Requirement], contract: Contract
) -> tuple[Values, Values]:
    judgments = as_qrels(qrels, contract)
    measures = list({one.measure: None for one in wanted})
    source = Source(baseline) if isinstance(baseline, (str, Path)) else baseline
    try:
        if isinstance(source, Values):
            before = source
        elif isinstance(source, Source) and source.start().lstrip().startswith(b"{"):
            before = _of_json(source, judgments, qrels, measures, contract)
        else:
            before = _values(judgments, source, measures, contract)
        after = _values(judgments, candidate, measures, contract)
    except RankproofError as error:
        raise with_lines(error, file_of(qrels)) from error
    if before.run == after.run:
        before, after = replace(before, run=f"{before.run} (baseline)"), replace(after, run=f"{after.run} (candidate)")
    return before, after


def _values(qrels: Qrels, given: Any, measures: Sequence[Measure], contract: Contract) -> Values:
    runs, _ = as_runs(given, contract)
    if len(runs) != 1:
        raise InputError(Fault(f"{len(runs)} runs are given", expected="one baseline and one candidate"))
    check_answered(qrels, runs)
    return values_of(qrels, runs[0], measures, contract)


def _of_json(source: Source, judgments: Qrels, qrels: Any, measures: Sequence[Measure], contract: Contract) -> Values:
    """Return the values of a JSON file: of a saved result, or of a run. Those made with other judgments are refused."""
    content = parse_json(source.text(), source.name)
    if not is_result(content):
        return _values(judgments, run_of(content, source.stem, source.name), measures, contract)
    saved = read_saved(content, source.name)
    now = qrels.sha256 if isinstance(qrels, Source) else None
    if now is not None and saved.qrels_sha256 not in (None, now):
        hint = "evaluate the baseline again with these judgments (a file that was packed anew counts as another)"
        raise InputError(
            Fault("was made with other judgments: the sha256 of the qrels differs", source.name, hint=hint)
        )
    return saved.values


def gate_values(
    baseline: Values,
    candidate: Values,
    wanted: Sequence[Requirement],
    settings: Settings | None = None,
    family_of: Mapping[str, str] | None = None,
    options: Options | None = None,
) -> Gate:
    """Return the gate of values that stand already; ContractError for other rules or other queries."""
    chosen, (undecided, worst) = settings or settings_of(DEFAULTS), options or Options()
    check_means(one.measure for one in wanted)
    check_comparable(baseline, [candidate])
    checks = [_check(one, baseline, candidate, chosen, family_of) for one in wanted]
    named = next((one for one in wanted if one.quantity), wanted[0])
    fallen = _fallen(str(named.measure), baseline, candidate)[:worst]
    return Gate(chosen, baseline, candidate, checks, fallen, undecided, clustered=family_of is not None)


def _check(
    wanted: Requirement,
    baseline: Values,
    candidate: Values,
    settings: Settings,
    family_of: Mapping[str, str] | None,
) -> Check:
    pairs = pairs_of(str(wanted.measure), baseline, [candidate])
    after = pairs.runs[candidate.run]
    families = Families(pairs.query_ids, family_of)
    count = len(pairs.query_ids)
    if not count:
        raise MeasureError(Fault(f"{wanted.measure} is undefined for every query", expected="a measure with values"))
    share = wanted.limit if wanted.relative else 0.0  # of each query's baseline, so that its mean is resampled too
    way = -1 if wanted.quantity == "drop" else 1
    deltas = [way * delta for delta in pairs.deltas(candidate.run)] if wanted.quantity else list(after)
    column = [delta - share * base for delta, base in zip(deltas, pairs.baseline, strict=True)]
    seen, offset = fsum(deltas) / count, share * fsum(pairs.baseline) / count
    limit = offset if wanted.relative else wanted.limit
    if (least := sign_floor(len(families))) > settings.alpha:
        why = f"with {len(families)} no interval at {settings.confidence:g} can be trusted (2/2^n = {least:.3g})"
        return Check(wanted, count, seen, limit, None, "undecided", f"not enough queries: {why}")
    (intervals,) = mean_intervals([column], families, settings)
    interval = Interval(*(bound + offset for bound in intervals[settings.interval]))
    status = wanted.decided(interval, limit)
    return Check(wanted, count, seen, limit, interval, status, _says(status, seen, limit, interval, count))


def _says(status: Status, seen: float, limit: float, interval: Interval, count: int) -> str:
    bounds = f"{seen:.4f} in [{interval.low:.4f}, {interval.high:.4f}], limit {limit:.4f}"
    if status != "undecided":
        return f"{bounds}, {count} queries"
    away, reach = abs(seen - limit), (interval.high - interval.low) / 2
    enough = (
        f"about {ceil(count * (reach / away) ** 2)} queries would decide it"
        if away > reach / 1000
        else "it sits on the limit"
    )
    return f"not enough queries: {bounds}, {count} queries; if the mean stays, {enough}"


def _fallen(measure: str, baseline: Values, candidate: Values) -> list[Fallen]:
    pairs = pairs_of(measure, baseline, [candidate])
    rows = zip(pairs.query_ids, pairs.baseline, pairs.runs[candidate.run], strict=True)
    found = [Fallen(query, measure, base, value, value - base) for query, base, value in rows]
    lost = [one for one in found if one.delta * pairs.direction <= -SAME]
    return sorted(lost, key=lambda one: one.delta * pairs.direction)
