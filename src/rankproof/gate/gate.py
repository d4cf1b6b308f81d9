"""May this candidate replace the baseline? Each requirement is decided on an interval, not on a point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rankproof.arithmetic import SAME
from rankproof.compare import Settings, settings_and_rules, settings_of, values_of_answered
from rankproof.compare.pairs import check_comparable, check_means, pairs_of
from rankproof.contract import Contract
from rankproof.errors import Fault, InputError, MeasureError, RankproofError, seen
from rankproof.evaluate import file_of
from rankproof.formats import Source, as_qrels, as_runs, read_families
from rankproof.formats.jsons import parse_json
from rankproof.formats.objects import run_of
from rankproof.formats.places import with_lines
from rankproof.gate.check import check
from rankproof.gate.requirements import Requirement, requirement
from rankproof.gate.result import Fallen, Gate, Options, Undecided
from rankproof.measures import Measure
from rankproof.measures.base import is_whole
from rankproof.model import Qrels
from rankproof.presets import contract as contract_of
from rankproof.saved import is_result, read_saved
from rankproof.values import Values

DEFAULTS: Mapping[str, Any] = {"interval": "wider"}
"""Settings of a gate where none are given: it decides, so it leans to the careful side."""


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

    `qrels` and `candidate` are given as to `evaluate`; `baseline` is a run too, or a saved JSON result of `evaluate` or
    `gate`; either may be Values. `require`: texts such as "nDCG@10 drop<=0.01", "AP drop<=2%", "RR rise>=0" and
    "R@100>=0.8". A requirement is met (not met) where the whole interval lies on the right (wrong) side; else it is
    undecided, and `undecided` says whether that fails. Settings as to `compare`; `worst` queries are listed.

    Raises InputError, ContractError or MeasureError, also where the baseline has another contract or other queries.
    """
    if undecided not in ("fail", "pass"):
        raise MeasureError(Fault(f"undecided cannot be {undecided!r}", expected="fail or pass"))
    if not is_whole(worst) or worst < 0:
        raise MeasureError(Fault(f"worst cannot be {worst!r}", expected="a whole number from 0 on"))
    asked: Any = [require] if isinstance(require, str) else require
    if not isinstance(asked, Sequence) or not all(isinstance(text, str) for text in asked):
        raise MeasureError(Fault(f"require cannot be {seen(require)}", expected='texts such as "nDCG@10 drop<=0.01"'))
    wanted = [requirement(text) for text in asked]
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
    given = Source(qrels) if isinstance(qrels, (str, Path)) else qrels  # a file's hash is compared with a saved one
    judgments = as_qrels(given, contract)
    measures = list({one.measure: None for one in wanted})
    source = Source(baseline) if isinstance(baseline, (str, Path)) else baseline
    try:
        if isinstance(source, Values):
            before = source
        elif isinstance(source, Source) and source.start().lstrip().startswith(b"{"):
            before = _of_json(source, judgments, given, measures, contract)
        else:
            before = _values(judgments, source, measures, contract)
        after = candidate if isinstance(candidate, Values) else _values(judgments, candidate, measures, contract)
    except RankproofError as error:
        raise with_lines(error, file_of(qrels)) from error
    return before, after


def _values(qrels: Qrels, given: Any, measures: Sequence[Measure], contract: Contract) -> Values:
    runs, _ = as_runs(given, contract, lazily=True)
    if len(runs) != 1:
        raise InputError(Fault(f"{len(runs)} runs are given", expected="one baseline and one candidate"))
    return values_of_answered(qrels, runs, measures, contract)[0]


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
    checks = [check(one, baseline, candidate, chosen, family_of) for one in wanted]
    named = next((one for one in wanted if one.quantity), wanted[0])
    fallen = _fallen(str(named.measure), baseline, candidate)[:worst]
    return Gate(chosen, baseline, candidate, checks, fallen, undecided, clustered=family_of is not None)


def _fallen(measure: str, baseline: Values, candidate: Values) -> list[Fallen]:
    pairs = pairs_of(measure, baseline, [candidate])
    rows = zip(pairs.query_ids, pairs.baseline, pairs.runs[candidate.run], strict=True)
    found = [Fallen(query, measure, base, value, value - base) for query, base, value in rows]
    lost = [one for one in found if one.delta * pairs.direction <= -SAME]
    return sorted(lost, key=lambda one: one.delta * pairs.direction)
