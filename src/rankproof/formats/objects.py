"""Python objects: dicts, lists of tuples, lists of documents. What was passed is never changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any, NamedTuple

from rankproof.contract import Contract
from rankproof.errors import Fault, Faults, seen
from rankproof.formats.cells import id_of, is_text
from rankproof.formats.grades import EXPECTED, LARGEST, grade_of, numeric
from rankproof.formats.judged import Judged, Judgment
from rankproof.formats.results import Result
from rankproof.model import Qrels, Ranking, Run

_QRELS = "{query_id: {doc_id: grade}}, or rows of (query_id, doc_id, grade)"
_RUN = "{query_id: {doc_id: score}}, {query_id: [doc_id, …]}, or rows of (query_id, doc_id, score)"


class Pairs(list[tuple[str, Any]]):
    """A JSON object as its pairs in order: a key that comes twice is not lost."""


class _Group(NamedTuple):
    """One query's part of an object, or one row of it."""

    query_id: str
    part: Any
    row: int | None


def qrels_of(given: Any, contract: Contract, name: str = "qrels") -> Qrels:
    """Return qrels from a dict of dicts, a dict of lists of relevant documents, or rows of (query, document, grade).

    A list or set of relevant documents gives each grade 1. InputError lists the faults; `name` stands in its messages.
    """
    faults = Faults()
    judged, empty = Judged(contract, faults, name), True
    for query, judgments, row in _groups(given, faults, name, _QRELS):
        of_query = judged.query(query)
        empty = False
        if judged.plain and not of_query and _is_plain(judgments) and _are_whole_grades(judgments):
            of_query.update(judgments)
        else:
            _judge(judged, judgments, faults, Fault("", name, row, query_id=query))
    if empty and not faults:
        faults.add(Fault("holds no judgments", name, expected=_QRELS))
    faults.raise_any()
    return judged.qrels()


def _are_whole_grades(judgments: Mapping[Any, Any]) -> bool:
    grades = judgments.values()
    return set(map(type, grades)) <= {int} and (not grades or (max(grades) <= LARGEST and min(grades) >= -LARGEST))


def _are_scores(results: Mapping[Any, Any]) -> bool:
    kinds = set(map(type, results.values()))
    return kinds <= {float} or (kinds <= {int, float} and all(numeric(score) is not None for score in results.values()))


def _judge(judged: Judged, judgments: Any, faults: Faults, where: Fault) -> None:
    for row in _rows(judgments, faults, where):
        judged.hear(row)


def _rows(judgments: Any, faults: Faults, where: Fault) -> Iterator[Judgment]:
    """Yield one query's judgments."""
    for doc_id, given in _graded(judgments):
        doc = id_of(doc_id, "doc_id", faults, where)
        grade = None if isinstance(given, str) else grade_of(given)
        if grade is None:
            faults.add(replace(where, message=f"grade {seen(given)}", column="grade", doc_id=doc, expected=EXPECTED))
        else:
            yield Judgment(where.line, where.query_id or "", doc, grade)


def judgments_in(given: Any, faults: Faults, name: str) -> Iterator[Judgment]:
    """Yield the judgments of what `qrels_of` takes, one that comes twice too; a fault for each that is none."""
    for query, judgments, row in _groups(given, faults, name, _QRELS):
        yield from _rows(judgments, faults, Fault("", name, row, query_id=query))


def results_in(given: Any, faults: Faults, name: str) -> Iterator[Result]:
    """Yield the results of what `run_of` takes, one that comes twice too; a fault for each that is none."""
    for query, results, row in _groups(given, faults, name, _RUN):
        where, scored = Fault("", name, row, query_id=query), _has_scores(results)
        for doc_id, said in _scored(results):
            doc, score = id_of(doc_id, "doc_id", faults, where), numeric(said)
            if scored and score is None:
                faults.add(
                    replace(where, message=f"score {seen(said)}", column="score", doc_id=doc, expected="a number")
                )
            else:
                yield Result(row, query, doc, None if score is None else float(score))


def run_of(given: Any, name: str = "run", source: str | None = None) -> Run:
    """Return a run from a dict of dicts (document to score), a dict of ranked lists, or rows (query, document, score).

    InputError lists the faults; `source`, or else the run's name, stands in its messages.
    """
    faults, where = Faults(), source or name
    found: dict[str, tuple[list[str], list[float] | None]] = {}
    for query, results, row in _groups(given, faults, where, _RUN):
        if _is_plain(results) and query not in found and _are_scores(results):
            found[query] = (list(results), list(map(float, results.values())))
        elif isinstance(results, AbstractSet):
            expected = "a list in ranked order, or scores"
            faults.add(Fault("holds a set, which has no order", where, row, query_id=query, expected=expected))
        else:
            ranking = found.setdefault(query, ([], [] if _has_scores(results) else None))
            _rank(ranking, results, faults, Fault("", where, row, query_id=query))
    if not found and not faults:
        faults.add(Fault("holds no results", where, expected=_RUN))
    faults.raise_any()
    return Run(name, {query: Ranking(docs, scores) for query, (docs, scores) in found.items()}, source)


def _rank(ranking: tuple[list[str], list[float] | None], results: Any, faults: Faults, where: Fault) -> None:
    docs, scores = ranking
    for doc_id, score in _scored(results):
        doc, number = id_of(doc_id, "doc_id", faults, where), numeric(score)
        if scores is not None and number is None:
            faults.add(replace(where, message=f"score {seen(score)}", column="score", doc_id=doc, expected="a number"))
            continue
        docs.append(doc)
        if scores is not None and number is not None:
            scores.append(float(number))


def _groups(given: Any, faults: Faults, name: str, expected: str) -> Iterator[_Group]:
    """Yield one group a query of a dict, or one a row."""
    if has_items(given):
        met: set[str] = set()
        for query_id, part in _items(given):
            query = id_of(query_id, "query_id", faults, Fault("", name))
            if query in met:
                faults.add(Fault("comes twice", name, query_id=query, expected="each query once"))
            elif isinstance(part, (str, bytes)) or not isinstance(part, Collection):
                faults.add(Fault(f"holds {seen(part)}", name, query_id=query, expected=expected))
            else:
                yield _Group(query, part, None)
            met.add(query)
    elif isinstance(given, Iterable) and not isinstance(given, (str, bytes)):
        for number, row in enumerate(given, 1):
            if isinstance(row, Sequence) and not isinstance(row, (str, bytes)) and len(row) == 3:
                yield _Group(id_of(row[0], "query_id", faults, Fault("", name, number)), [tuple(row[1:])], number)
            else:
                faults.add(Fault(f"is {seen(row)}", name, number, expected="a row of three"))
    else:
        faults.add(Fault(f"is of type {type(given).__name__}", name, expected=expected))


def has_items(given: object) -> bool:
    """Return whether an object holds values by key: a dict, a JSON object, a pandas Series."""
    return isinstance(given, (Mapping, Pairs)) or callable(getattr(given, "items", None))


def _items(given: Any) -> Iterable[tuple[object, Any]]:
    return given if isinstance(given, Pairs) else given.items()


def _is_plain(part: object) -> bool:
    """Return whether a query's part is a dict by text without surrogates, the shape that needs no second look."""
    return isinstance(part, dict) and "" not in part and set(map(type, part)) <= {str} and is_text("".join(part))


def _graded(judgments: Any) -> Iterable[tuple[object, object]]:
    if has_items(judgments):
        return _items(judgments)
    return [(one[0], one[1]) if _is_pair(one) else (one, 1) for one in judgments]


def _has_scores(results: Any) -> bool:
    return has_items(results) or any(map(_is_pair, results))


def _is_pair(result: object) -> bool:
    return isinstance(result, (tuple, list)) and len(result) == 2


def _scored(results: Any) -> Iterable[tuple[object, object]]:
    if has_items(results):
        return _items(results)
    return [(one[0], one[1]) if _is_pair(one) else (one, None) for one in results]
