"""What do we say to a case of a tool's record, and does it agree with the tool?"""

from __future__ import annotations

import math
from typing import Any

import peers

import rankproof as rp

REFUSED, UNDEFINED = "refused", "undefined"

RECORDS = sorted(path.stem for path in peers.RECORDED.glob("*.json"))
"""The presets with a record, and the tools without a preset, whose measures carry their own rules."""


def ours(case: dict[str, Any], contract: str) -> float | str:
    """Return our value, the mean over the queries; or that the case is refused, or its value undefined."""
    rankings = {query: _ranking(case, given) for query, given in case["run"].items()}
    try:
        found = rp.evaluate(case["qrels"], rp.Run("run", rankings), [case["measure"]], contract)
    except rp.RankproofError:
        return REFUSED
    mean = next(iter(found.means.values()))  # beside it may stand the same over all judged documents
    return UNDEFINED if mean is None else float(mean)


def _ranking(case: dict[str, Any], given: Any) -> rp.Ranking:
    """Return a ranking of ids, of scores by id, or of pairs: with a score, or where the case says so with a rank."""
    if isinstance(given, list) and all(isinstance(one, str) for one in given):
        return rp.Ranking(given)
    pairs = list(given.items()) if isinstance(given, dict) else given
    docs, numbers = [doc for doc, _ in pairs], [number for _, number in pairs]
    return rp.Ranking(docs, ranks=numbers) if case.get("column") == "rank" else rp.Ranking(docs, numbers)


def right(case: dict[str, Any]) -> float | str:
    """Return the value that is right where the tool deviates: worked out by hand."""
    return case["here"] if case["here"] in (REFUSED, UNDEFINED) else peers.worked_out(case["here"])


def agree(tool: float | str, here: float | str, within: float = 1e-9) -> bool:
    """Return whether the values are the same, or both refuse: what a tool does instead of a value is no value."""
    if isinstance(tool, str) or isinstance(here, str):
        return isinstance(tool, str) and isinstance(here, str)
    return math.isclose(tool, here, rel_tol=0, abs_tol=within)
