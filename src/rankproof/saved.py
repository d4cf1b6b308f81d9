"""What did an earlier result say? Values are read back from the JSON that `evaluate` and `gate` write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

from rankproof.arithmetic import over_queries
from rankproof.contract import Contract
from rankproof.errors import Fault, InputError, RankproofError
from rankproof.formats.jsons import as_dicts
from rankproof.formats.objects import Pairs
from rankproof.measures import Measure, parse
from rankproof.model import Value
from rankproof.presets import contract as contract_of
from rankproof.values import TieRange, Values

EXPECTED = "a result of `rankproof evaluate … --format json` or `rankproof gate … --format json`"


class Saved(NamedTuple):
    """Values of an earlier run, and the sha256 of the judgments they were made with."""

    values: Values
    qrels_sha256: str | None


def is_result(content: Any) -> bool:
    """Return whether the content of a JSON file, objects as `Pairs`, is a result of ours, whatever its version."""
    return isinstance(content, Pairs) and {"schema", "command"} <= {key for key, _ in content}


def read_saved(parsed: Any, name: str) -> Saved:
    """Return the values in the content of a saved result of one run. InputError, naming the file, for anything else."""
    content = as_dicts(parsed, name)
    if content.get("schema") != 1:
        raise InputError(Fault("is no result of schema 1", name, expected=EXPECTED))
    if content.get("command") == "gate" and content.get("passed") is not True:
        hint = "take the baseline of that gate, or `rankproof evaluate` the run if it is the one to keep to"
        raise InputError(Fault("is of a gate that did not pass: its candidate is no baseline", name, hint=hint))
    runs = content.get("runs") if content.get("command") == "evaluate" else [content.get("candidate")]
    if not isinstance(runs, list) or not all(isinstance(run, dict) for run in runs):
        raise InputError(Fault("holds no values", name, expected=EXPECTED))
    if len(runs) != 1:
        names = ", ".join(str(run.get("run")) for run in runs)
        raise InputError(Fault(f"holds {len(runs)} runs: {names}", name, expected="a result of one run"))
    try:
        values = _values(runs[0], contract_of(content["contract"]))
    except RankproofError as error:
        raise InputError(*(Fault(fault.message, name, hint=fault.hint) for fault in error.faults)) from error
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise InputError(Fault(f"is damaged: {error!r}", name, expected=EXPECTED)) from error
    return Saved(values, _sha256_of_qrels(content))


def _sha256_of_qrels(content: Mapping[str, Any]) -> str | None:
    inputs = content.get("inputs")
    for one in inputs if isinstance(inputs, list) else ():
        if isinstance(one, dict) and one.get("role") == "qrels":
            found = one.get("sha256")
            return found if isinstance(found, str) else None
    return None


def _values(run: Mapping[str, Any], contract: Contract) -> Values:
    query_ids = [_text(query) for query in run["per_query"]["query_ids"]]
    if len(set(query_ids)) < len(query_ids):
        raise ValueError("a query stands twice")
    rows = {name: _row(row, len(query_ids)) for name, row in run["per_query"]["values"].items()}
    means = {name: _mean_of(parse(name), row, _value(run["means"][name])) for name, row in rows.items()}
    groups = {name: [_text(query) for query in run["queries"][name]] for name in run["queries"]}
    without = set(groups.get("without-relevant", ()))
    return Values(
        run=_text(run["run"]),
        contract=contract,
        measures={name: parse(name) for name in rows},
        query_ids=query_ids,
        per_query=rows,
        means=means,
        groups={
            "missing": [],
            "unjudged": [],
            "without-relevant": [],
            **groups,
            "evaluated": [query for query in query_ids if query not in without],
            "tied": [],  # how many there were is known, not which
        },
        undefined={
            name: {str(reason): [_text(query) for query in queries] for reason, queries in reasons.items()}
            for name, reasons in run["undefined"].items()
        },
        ties={name: _tie(run["ties"][name]) for name in rows},
        repeats=int(run["repeats"]),
    )


def _mean_of(measure: Measure, row: Sequence[Value], mean: Value) -> Value:
    """Return a mean that is that of its row; ValueError for one that is not."""
    found = over_queries(row, measure.over_queries, "exact")
    if (found is None) != (mean is None) or (
        found is not None and mean is not None and abs(found - mean) > 1e-9 * max(1, abs(found))
    ):
        raise ValueError(f"the mean of {measure} is {mean!r}, that of its queries {found!r}")
    return mean


def _tie(given: Mapping[str, Any]) -> TieRange:
    return TieRange(int(given["queries"]), _value(given["lowest"]), _value(given["highest"]))


def _row(given: Sequence[object], count: int) -> list[Value]:
    if len(given) != count:
        raise ValueError(f"a row of {len(given)} values for {count} queries")
    return [_value(value) for value in given]


def _value(given: object) -> Value:
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not isfinite(given):
        raise ValueError(f"the value {given!r}")
    return given


def _text(given: object) -> str:
    if not isinstance(given, str):
        raise TypeError(f"{given!r} where a name belongs")
    return given
