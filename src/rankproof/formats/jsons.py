"""JSON objects: qrels {query_id: {doc_id: grade}}; runs {query_id: {doc_id: score}}, or lists in ranked order."""

from __future__ import annotations

import json
from typing import Any

from rankproof.contract import Contract
from rankproof.errors import Fault, InputError
from rankproof.formats.files import Source
from rankproof.formats.objects import Pairs, qrels_of, run_of
from rankproof.model import Qrels, Run


def parse_json(text: str, name: str, *, as_written: bool = False) -> Any:
    """Return what a JSON text holds, objects as `Pairs`; InputError with line and column where it is no JSON.

    `as_written`: numbers stay texts, with the decimals that they are written with.
    """
    number = str if as_written else None
    try:
        return json.loads(text, object_pairs_hook=Pairs, parse_float=number, parse_int=number, parse_constant=number)
    except json.JSONDecodeError as error:
        raise InputError(Fault(f"is not JSON: {error.msg}", name, error.lineno, column=str(error.colno))) from error
    except RecursionError as error:
        raise InputError(Fault("is nested too deep", name)) from error
    except ValueError as error:  # an integer of thousands of digits
        raise InputError(Fault(f"is not JSON that can be read: {error}", name)) from error


def as_dicts(content: Any, name: str) -> Any:
    """Return parsed JSON with its objects as dicts; InputError where a key comes twice in one."""
    if isinstance(content, Pairs):
        if len(dict(content)) < len(content):
            raise InputError(Fault("a key comes twice in one object", name))
        return {key: as_dicts(value, name) for key, value in content}
    return [as_dicts(one, name) for one in content] if isinstance(content, list) else content


def read_json_qrels(source: Source, contract: Contract) -> Qrels:
    """Read qrels from a JSON object."""
    return qrels_of(_object(source, "{query_id: {doc_id: grade}}"), contract, source.name)


def read_json_run(source: Source, _: Contract) -> Run:
    """Read a run from a JSON object; it is named by the file."""
    return run_of(_object(source, "{query_id: {doc_id: score}}"), source.stem, source.name)


def _object(source: Source, expected: str) -> Pairs:
    content = parse_json(source.text(), source.name)
    if not isinstance(content, Pairs):
        hint = "`rankproof rerank` reads the lab's list of queries" if isinstance(content, list) else None
        raise InputError(Fault("is no JSON object", source.name, expected=expected, hint=hint))
    if {"schema", "command"} <= {key for key, _ in content}:
        hint = "only the BASELINE of `rankproof gate` may be a saved result"
        raise InputError(Fault("is a result that was saved, not a run", source.name, expected=expected, hint=hint))
    return content
