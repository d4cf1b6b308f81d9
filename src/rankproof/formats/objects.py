"""Python objects: dicts, lists of tuples, lists of documents. What was passed is never changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import isfinite
from numbers import Integral, Real
from typing import Any, NamedTuple

from rankproof.contract import Contract
from rankproof.errors import Fault, Faults
from rankproof.formats.trec import judge_again
from rankproof.model import Grade, Qrels, Ranking, Run

_QRELS = "{query_id: {doc_id: grade}}, or rows of (query_id, doc_id, grade)"
_RUN = "{query_id: {doc_id: score}}, {query_id: [doc_id, …]}, or rows of (query_id, doc_id, score)"


class Pairs(list[tuple[str, Any]]):
    """A JSON object as its pairs in order: a key that comes twice is not lost."""


class _Group(NamedTuple):
    """One query's part of an object, or one row of it."""

    query_id: str
    part: Any
    row: int | None


def qrels_of(given: Any, contract: Contract, name: str = "qrels") -> Qrels:  # noqa: ANN401 - many shapes
    """Return qrels from a dict of dicts, a dict of lists of relevant documents, or rows of (query, document, grade).

    A list of relevant documents gives each grade 1. InputError lists the faults; `name` stands in its messages.
    """
    faults = Faults()
    qrels: dict[str, dict[str, Grade]] = {}
    for query, judgments, row in _groups(given, faults, name, _QRELS):
        of_query = qrels.setdefault(query, {})
        for doc_id, grade in _graded(judgments):
            doc, number = _text(doc_id, "doc_id", faults, Fault("", name, row, query_id=query)), _number(grade)
            if number is None or not isfinite(number):
                faults.add(Fault(f"grade {grade!r}", name, row, "grade", query, doc, "a finite number"))
            elif doc in of_query:
                judge_again(of_query, doc, number, contract, faults, Fault("", name, row, None, query, doc))
            else:
                of_query[doc] = number
    if not qrels and not faults:
        faults.add(Fault("holds no judgments", name, expected=_QRELS))
    faults.raise_any()
    return qrels


def run_of(given: Any, name: str = "run", source: str | None = None) -> Run:  # noqa: ANN401 - many shapes
    """Return a run from a dict of dicts (document to score), a dict of ranked lists, or rows (query, document, score).

    InputError lists the faults; `source`, or else the run's name, stands in its messages.
    """
    faults, where = Faults(), source or name
    found: dict[str, tuple[list[str], list[float] | None]] = {}
    for query, results, row in _groups(given, faults, where, _RUN):
        docs, scores = found.setdefault(query, ([], [] if _has_scores(results) else None))
        for doc_id, score in _scored(results):
            doc, number = _text(doc_id, "doc_id", faults, Fault("", where, row, query_id=query)), _number(score)
            if scores is not None and number is None:
                faults.add(Fault(f"score {score!r}", where, row, "score", query, doc, "a number"))
                continue
            docs.append(doc)
            if scores is not None and number is not None:
                scores.append(float(number))
    if not found and not faults:
        faults.add(Fault("holds no results", where, expected=_RUN))
    faults.raise_any()
    return Run(name, {query: Ranking(docs, scores) for query, (docs, scores) in found.items()}, source)


def _groups(given: Any, faults: Faults, name: str, expected: str) -> Iterator[_Group]:  # noqa: ANN401 - many shapes
    """Yield one group a query of a dict, or one a row."""
    if isinstance(given, (Mapping, Pairs)):
        seen: set[str] = set()
        for query_id, part in given.items() if isinstance(given, Mapping) else given:
            query = _text(query_id, "query_id", faults, Fault("", name))
            if query in seen:
                faults.add(Fault("comes twice", name, query_id=query, expected="each query once"))
            elif isinstance(part, (str, bytes)) or not isinstance(part, Collection):
                faults.add(Fault(f"holds {part!r}", name, query_id=query, expected=expected))
            else:
                yield _Group(query, part, None)
            seen.add(query)
    elif isinstance(given, Iterable) and not isinstance(given, (str, bytes)):
        for number, row in enumerate(given, 1):
            if isinstance(row, Sequence) and not isinstance(row, (str, bytes)) and len(row) == 3:
                yield _Group(_text(row[0], "query_id", faults, Fault("", name, number)), [tuple(row[1:])], number)
            else:
                faults.add(Fault(f"is {row!r}", name, number, expected="a row of three"))
    else:
        faults.add(Fault(f"is of type {type(given).__name__}", name, expected=expected))


def _text(given: object, column: str, faults: Faults, where: Fault) -> str:
    """Return an id as text: a whole number as its digits."""
    if isinstance(given, str):
        return given
    if isinstance(given, Integral) and not isinstance(given, bool):
        return str(int(given))
    hint = "a column with gaps turns whole numbers into fractions" if isinstance(given, float) else None
    expected = "text or a whole number"
    faults.add(Fault(f"{given!r} is no id", where.file, where.line, column, where.query_id, None, expected, hint))
    return str(given)


def _graded(judgments: Any) -> Iterable[tuple[object, object]]:  # noqa: ANN401 - many shapes
    if isinstance(judgments, Mapping):
        return judgments.items()
    return [one if isinstance(one, tuple) and len(one) == 2 else (one, 1) for one in judgments]


def _has_scores(results: Any) -> bool:  # noqa: ANN401 - many shapes
    return isinstance(results, (Mapping, Pairs)) or any(map(_is_scored, results))


def _is_scored(result: object) -> bool:
    return isinstance(result, (tuple, list)) and len(result) == 2


def _scored(results: Any) -> Iterable[tuple[object, object]]:  # noqa: ANN401 - many shapes
    if isinstance(results, Mapping):
        return results.items()
    return [(one[0], one[1]) if _is_scored(one) else (one, None) for one in results]


def _number(given: object) -> int | float | None:
    """Return a number as int or float, whichever type it comes in; None for anything else."""
    if isinstance(given, Integral):
        return int(given)
    return float(given) if isinstance(given, Real) else None
