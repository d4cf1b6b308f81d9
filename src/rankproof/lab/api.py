"""What may the page ask the engine, and what does it answer? JSON text in, JSON text out; nothing is read or written.

A call that succeeds answers {"ok": true, "result": …, "warnings": […]}; what is wrong with the input,
{"ok": false, "error": {"message", "faults", "more"}}; what is wrong with rankproof itself,
{"ok": false, "error": {"message", "unexpected": true}}.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, TypeAlias

from rankproof.errors import Fault, InputError, RankproofError, RankproofWarning, nearest, seen
from rankproof.formats.jsons import as_dicts, parse_json

Call: TypeAlias = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Takes a call's arguments, gives its result: both as JSON holds them."""

CALLS: Mapping[str, str] = {
    "about": "about",
    "sample": "about",
    "lab": "lab",
    "query": "lab",
    "explain": "lab",
    "lab_report": "lab",
    "lab_csv": "lab",
    "lab_json": "lab",
    "interleaving": "interleaving",
    "interleaving_choices": "interleaving",
    "interleaving_users": "interleaving",
    "interleaving_plan": "interleaving",
    "closed_corpus": "closed_corpus",
    "contracts": "contracts",
    "precision_recall": "teaching",
    "mrr_ndcg": "teaching",
    "comparison": "comparison",
    "comparison_query": "comparison",
    "example_texts": "comparison",
    "leakage": "leakage",
}
"""Each call, and the module of `rankproof.lab.calls` that holds the function of its name: loaded when it is asked."""


def call(name: str, arguments: str) -> str:
    """Return the answer to a call, as JSON text; whatever is asked, nothing is raised."""
    try:
        return _text(_answer(name, arguments))
    except RankproofError as error:
        return _text({"ok": False, "error": told(error)})
    except Exception as error:  # noqa: BLE001 - the page shows it, and goes on
        message = f"{type(error).__name__}: {error}"
        return _text({"ok": False, "error": {"message": message, "unexpected": True}})


def function_of(name: str) -> Call:
    """Return the function of a call. InputError for an unknown name."""
    if name not in CALLS:
        raise InputError(Fault(f"there is no call {seen(name)}", hint=f"nearest: {nearest(str(name), CALLS)}"))
    found: Call = getattr(import_module(f"rankproof.lab.calls.{CALLS[name]}"), name)
    return found


def _answer(name: str, arguments: str) -> dict[str, Any]:
    given = as_dicts(parse_json(arguments, "the arguments"), "the arguments")
    if not isinstance(given, dict):
        raise InputError(Fault("the arguments are no JSON object"))
    asked = function_of(name)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = asked(given)
    said = [str(one.message) for one in caught if issubclass(one.category, RankproofWarning)]
    return {"ok": True, "result": result, "warnings": list(dict.fromkeys(said))}


def told(error: RankproofError) -> dict[str, Any]:
    """Return an error as the page reads it: its message, and each fault with its place."""
    return {"message": str(error), "faults": [_fault(fault) for fault in error.faults], "more": error.more}


def _fault(fault: Fault) -> dict[str, Any]:
    column = int(fault.column) if fault.column and fault.column.isascii() and fault.column.isdigit() else fault.column
    return {
        "message": fault.message,
        "file": fault.file,
        "line": fault.line,
        "column": column,  # a number in JSON text, the name of a column in a table
        "query_id": fault.query_id,
        "doc_id": fault.doc_id,
        "expected": fault.expected,
        "hint": fault.hint,
    }


def _text(content: Mapping[str, Any]) -> str:
    """Return JSON text; half of a surrogate pair, which no UTF-8 holds, is escaped."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(content, allow_nan=False, separators=(",", ":"))
    return text
