"""What did an earlier result say? Values are read back from the JSON that `evaluate` and `gate` write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

from rankproof.contract import Contract
from rankproof.errors import Fault, InputError, RankproofError
from rankproof.formats import Source
from rankproof.formats.jsons import parse_json
from rankproof.formats.objects import Pairs
from rankproof.measures import parse
from rankproof.model import Value
from rankproof.presets import contract as contract_of
from rankproof.values import TieRange, Values

EXPECTED = "a result of `rankproof evaluate … --format json` or `rankproof gate … --format json`"


class Saved(NamedTuple):
    """Values of an earlier run, and the sha256 of the judgments they were made with."""

    values: Values
    qrels_sha256: str | None


def is_saved(source: Source) -> bool:
    """Return whether an input looks like a saved result, not like a run; nothing of it is used up."""
    start = source.start()
    return start.lstrip().startswith(b"{") and b'"schema"' in start and b'"command"' in start


def read_saved(source: Source) -> Saved:
    """Return the values in a saved result of one run. InputError for anything else."""
    content = _plain(parse_json(source.text(), source.name))
    if not isinstance(content, dict) or content.get("schema") != 1:
        raise InputError(Fault("is no result of schema 1", source.name, expected=EXPECTED))
    runs = content.get("runs") if content.get("command") == "evaluate" else [content.get("candidate")]
    if not isinstance(runs, list) or not all(isinstance(run, dict) for run in runs):
        raise InputError(Fault("holds no values", source.name, expected=EXPECTED))
    if len(runs) != 1:
        names = ", ".join(str(run.get("run")) for run in runs)
        raise InputError(Fault(f"holds {len(runs)} runs: {names}", source.name, expected="a result of one run"))
    try:
        values = _values(runs[0], contract_of(content["contract"]))
    except RankproofError as error:
        raise InputError(*(Fault(fault.message, source.name, hint=fault.hint) for fault in error.faults)) from error
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(Fault(f"is damaged: {error!r}", source.name, expected=EXPECTED)) from error
    return Saved(values, _sha256_of_qrels(content))


def _plain(content: Any) -> Any:
    """Return JSON objects as dicts."""
    if isinstance(content, Pairs):
        return {key: _plain(value) for key, value in content}
    return [_plain(one) for one in content] if isinstance(content, list) else content


def _sha256_of_qrels(content: Mapping[str, Any]) -> str | None:
    inputs = content.get("inputs")
    for one in inputs if isinstance(inputs, list) else ():
        if isinstance(one, dict) and one.get("role") == "qrels":
            return str(one.get("sha256"))
    return None


def _values(run: Mapping[str, Any], contract: Contract) -> Values:
    query_ids = [_text(query) for query in run["per_query"]["query_ids"]]
    rows = {name: _row(row, len(query_ids)) for name, row in run["per_query"]["values"].items()}
    groups = {name: [_text(query) for query in run["queries"][name]] for name in run["queries"]}
    without = set(groups.get("without-relevant", ()))
    return Values(
        run=_text(run["run"]),
        contract=contract,
        measures={name: parse(name) for name in rows},
        query_ids=query_ids,
        per_query=rows,
        means={name: _value(run["means"][name]) for name in rows},
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
