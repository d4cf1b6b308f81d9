"""What does a JSON text hold: an object by query, a list of objects, nested ratings?"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

from rankproof.contract import Contract
from rankproof.errors import Fault, Faults, InputError, RankproofWarning
from rankproof.formats.cells import Cells, judgments_of, results_of
from rankproof.formats.files import TOO_LARGE, Source
from rankproof.formats.judged import Judgment, qrels_of_rows
from rankproof.formats.objects import Pairs, judgments_in, qrels_of, results_in, run_of
from rankproof.formats.ratings import key_of, ratings_of
from rankproof.formats.results import Result, runs_of_rows
from rankproof.formats.tables import cells_of_records
from rankproof.model import Qrels, Run
from rankproof.words import counted


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
    except MemoryError as error:
        raise InputError(Fault(TOO_LARGE, name)) from error
    except ValueError as error:  # an integer of thousands of digits
        raise InputError(Fault(f"is not JSON that can be read: {error}", name)) from error


def as_dicts(content: Any, name: str) -> Any:
    """Return parsed JSON with its objects as dicts; InputError where a key comes twice in one, or it is too deep."""
    try:
        return _as_dicts(content, name)
    except RecursionError as error:  # what was parsed in one depth of calls may be too deep in another
        raise InputError(Fault("is nested too deep", name)) from error


def _as_dicts(content: Any, name: str) -> Any:
    if isinstance(content, Pairs):
        if len(dict(content)) < len(content):
            raise InputError(Fault("a key comes twice in one object", name))
        return {key: _as_dicts(value, name) for key, value in content}
    return [_as_dicts(one, name) for one in content] if isinstance(content, list) else content


_QRELS = "{query_id: {doc_id: grade}}, a list of objects, or nested ratings"
_RUN = "{query_id: {doc_id: score}}, {query_id: [doc_id, …]}, or a list of objects"


def read_json_qrels(source: Source, contract: Contract) -> Qrels:
    """Read qrels from a JSON object by query, from a list of objects, or from nested ratings of a tool."""
    content, faults = _content(source, _QRELS), Faults()
    if not (key_of(content) or _holds_records(content)):
        return qrels_of(content, contract, source.name)
    rows = _judgments(content, faults, source.name)
    return qrels_of_rows(rows, contract, faults, source.name, _QRELS)


def judgments(source: Source, faults: Faults) -> Iterator[Judgment]:
    """Yield the judgments of a JSON text, whatever its shape; a fault for each that is none."""
    content = _content(source, _QRELS)
    if key_of(content) or _holds_records(content):
        return _judgments(content, faults, source.name)
    return judgments_in(content, faults, source.name)


def _judgments(content: Any, faults: Faults, name: str) -> Iterator[Judgment]:
    """Yield the judgments of nested ratings, or of a list of objects."""
    if key := key_of(content):
        cells = _once(ratings_of(content, key, faults, name), name)
    else:
        cells = cells_of_records(enumerate(content, 1), "grade", faults, name)
    return judgments_of((one._replace(line=None) for one in cells), faults, name)


def _once(rows: Iterable[Cells], name: str) -> Iterator[Cells]:
    """Yield the rows of nested ratings, which may list a query twice: each once; and say how many were repeated."""
    met: set[tuple[str, ...]] = set()
    repeated = 0
    for row in rows:
        spelled = tuple(map(repr, row))
        repeated += spelled in met
        if spelled not in met:
            met.add(spelled)
            yield row
    if repeated:
        text = f"{name}: {counted(repeated, 'rating')} repeated with the same grade; each counts once"
        warnings.warn(text, RankproofWarning, stacklevel=2)


def read_json_runs(source: Source, _: Contract) -> list[Run]:
    """Read a run from a JSON object by query, named by the file; or the runs of a list of objects."""
    content, faults = _content(source, _RUN), Faults()
    if not _holds_records(content):
        return [run_of(content, source.stem, source.name)]
    cells = cells_of_records(enumerate(content, 1), "score", faults, source.name)
    return runs_of_rows(results_of(cells, faults, source.name), faults, source.name, source.stem, _RUN)


def results(source: Source, faults: Faults) -> Iterator[Result]:
    """Yield the results of a JSON text, whatever its shape; a fault for each that is none."""
    content = _content(source, _RUN)
    if not _holds_records(content):
        return results_in(content, faults, source.name)
    cells = cells_of_records(enumerate(content, 1), "score", faults, source.name)
    return results_of((one._replace(line=None) for one in cells), faults, source.name)


def _holds_records(content: Any) -> bool:
    return not isinstance(content, Pairs) and any(isinstance(one, Pairs) for one in content)


def _content(source: Source, expected: str) -> Any:
    """Return an object, or a list: of objects with named fields, or of rows of three."""
    content = parse_json(source.text(), source.name)
    if not isinstance(content, list):
        raise InputError(Fault("is no JSON object", source.name, expected=expected))
    keys = {key for key, _ in content} if isinstance(content, Pairs) else set()
    if {"schema", "command"} <= keys:
        hint = "only the BASELINE of `rankproof gate` may be a saved result"
        raise InputError(Fault("is a result that was saved, not a run", source.name, expected=expected, hint=hint))
    if any(isinstance(one, Pairs) and "queryId" in dict(one) for one in content):
        hint = "`rankproof rerank` reads the lab's list of queries"
        raise InputError(Fault("is a lab file, not one of judgments or results", source.name, hint=hint))
    return content
