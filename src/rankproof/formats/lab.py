"""The lab's files: judgments with the ranking before and after reranking, as JSON or CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from rankproof.errors import Fault, Faults, seen
from rankproof.formats.cells import is_text
from rankproof.formats.files import Source
from rankproof.formats.grades import grade_of
from rankproof.formats.jsons import parse_json
from rankproof.formats.objects import Pairs
from rankproof.model import Grade, Qrels, Ranking, Run

SIDES = ("before", "after")
COLUMNS = ("query_id", "document_id", "relevance", "before_rank", "after_rank", "has_evidence")
_OF_QUERY, _OF_ENTRY = {"queryId", "relevant", *SIDES}, {"id", "grade", "hasEvidence"}
_MARKS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


@dataclass(frozen=True, slots=True)
class Lab:
    """What a lab file holds: judgments and two runs."""

    qrels: Qrels
    before: Run
    after: Run


@dataclass(slots=True)
class _Query:
    """One query while it is read: grades, and a list of (document, mark of evidence) a side."""

    grades: dict[str, Grade] = field(default_factory=dict)
    before: list[tuple[str, bool | None]] = field(default_factory=list)
    after: list[tuple[str, bool | None]] = field(default_factory=list)


def read_lab(path: str | Path | Source, layout: Literal["json", "csv"] | None = None) -> Lab:
    """Read a lab file, JSON or CSV by its content or by `layout`. InputError lists the faults, each with its place."""
    source = path if isinstance(path, Source) else Source(path)
    text, faults = source.text(), Faults()
    is_json = layout == "json" if layout else text.lstrip()[:1] in ("[", "{")
    read = _from_json if is_json else _from_csv
    queries = read(text, source.name, faults)
    if not queries and not faults:
        faults.add(Fault("holds no queries", source.name))
    faults.raise_any()
    return _lab(queries, source.name)


def _lab(queries: Mapping[str, _Query], name: str) -> Lab:
    marked = any(mark is not None for found in queries.values() for _, mark in (*found.before, *found.after))

    def run(side: str) -> Run:
        rankings = {}
        for query, found in queries.items():
            results = getattr(found, side)
            marks = [bool(mark) for _, mark in results] if marked else None
            rankings[query] = Ranking([doc for doc, _ in results], evidence=marks)
        return Run(side, rankings, name)

    qrels = {query: {doc: grade for doc, grade in found.grades.items() if grade} for query, found in queries.items()}
    return Lab(qrels, run("before"), run("after"))


def _from_json(text: str, name: str, faults: Faults) -> dict[str, _Query]:
    content = parse_json(text, name)
    queries: dict[str, _Query] = {}
    if isinstance(content, Pairs) or not isinstance(content, list):
        faults.add(Fault("is no list", name, expected="a list with an object for each query"))
        return queries
    for number, item in enumerate(content, 1):
        where = Fault(f"entry {number} of the list", name, way=(number - 1,))
        given = _fields(item, _OF_QUERY)
        if isinstance(given, _Wrong):
            faults.add(given.at(where))
            continue
        query = given.get("queryId")
        if not is_text(query) or not query:
            faults.add(_Wrong(f": queryId is {seen(query)}", "a text that is not empty").at(where))
        elif query in queries:
            faults.add(replace(_Wrong(": the query comes twice").at(where), query_id=query))
        else:
            queries[query] = _query_from_json(given, replace(where, query_id=query), faults)
    return queries


class _Wrong(NamedTuple):
    """What is wrong with a part of the list; its place is worked out only where something is."""

    says: str
    expected: str | None = None
    doc_id: str | None = None

    def at(self, where: Fault) -> Fault:
        """Return the fault at a place, which the message of `where` names."""
        return replace(where, message=where.message + self.says, expected=self.expected, doc_id=self.doc_id)


def _fields(item: object, known: set[str]) -> dict[str, Any] | _Wrong:
    """Return an object's fields; what is wrong with what is no object, or has a field that is not known."""
    if not isinstance(item, Pairs):
        return _Wrong(" is no object", _object_with(known))
    fields = dict(item)
    if fields.keys() <= known and len(item) == len(fields):
        return fields
    strange = [key for key, _ in item if key not in known]
    what = f"has a field {strange[0]!r}" if strange else "has a field twice"
    return _Wrong(f" {what}", _object_with(known))


def _object_with(known: set[str]) -> str:
    return f"an object with {', '.join(sorted(known))}"


def _query_from_json(given: Mapping[str, Any], of_query: Fault, faults: Faults) -> _Query:
    found, way = _Query(), of_query.way or ()
    for key in ("relevant", *SIDES):
        entries = given.get(key)
        if isinstance(entries, Pairs) or not isinstance(entries, list):
            what = "is missing" if entries is None else "is no list"
            expected = "a list of documents, perhaps empty"
            faults.add(replace(of_query, message=f"{key} {what}", expected=expected, way=(*way, key)))
            continue
        for at, entry in enumerate(entries):
            wrong = _take_entry(found, key, entry)
            if wrong is not None:
                faults.add(wrong.at(replace(of_query, message=f"{key}, no. {at + 1}", way=(*way, key, at))))
    return found


def _take_entry(found: _Query, key: str, given: object) -> _Wrong | None:
    """Take a document in; return what is wrong with it, if something is."""
    entry = _fields(given, _OF_ENTRY)
    if isinstance(entry, _Wrong):
        return entry
    doc, grade, mark = entry.get("id"), entry.get("grade", 1), entry.get("hasEvidence")
    if not is_text(doc) or not doc:
        return _Wrong(f": id is {seen(doc)}", "a text that is not empty")
    if isinstance(grade, (bool, str)) or (number := grade_of(grade)) is None or number < 1:
        return _Wrong(f": grade is {seen(grade)}", "a number from 1 on", doc)
    if mark is not None and not isinstance(mark, bool):
        return _Wrong(f": hasEvidence is {seen(mark)}", "true or false", doc)
    if key != "relevant":
        getattr(found, key).append((doc, mark))
    elif doc in found.grades:
        return _Wrong(": the document is listed twice", doc_id=doc)
    else:
        found.grades[doc] = number
    return None


@dataclass(frozen=True, slots=True)
class _Row:
    """One CSV row with its line."""

    line: int
    cells: Mapping[str, str]


def _from_csv(text: str, name: str, faults: Faults) -> dict[str, _Query]:
    placed: dict[str, dict[str, dict[int, tuple[str, bool | None, int]]]] = {}
    queries: dict[str, _Query] = {}
    for row in _csv_rows(text, name, faults):
        query, doc = row.cells["query_id"], row.cells["document_id"]
        if not query or not doc:
            column = "document_id" if query else "query_id"
            faults.add(Fault("is empty", name, row.line, column=column, query_id=query or None))
            continue
        found = queries.setdefault(query, _Query())
        ranks = placed.setdefault(query, {side: {} for side in SIDES})
        where = Fault("", name, row.line, query_id=query, doc_id=doc)
        _take_relevance(found.grades, doc, row.cells["relevance"], where, faults)
        mark = _mark(row.cells["has_evidence"], where, faults)
        for side in SIDES:
            _take_rank(ranks[side], (doc, mark, row.line), row.cells[f"{side}_rank"], side, where, faults)
    for query, sides in placed.items():
        for side, of_side in sides.items():
            _check_gaps(of_side, side, query, name, faults)
            setattr(queries[query], side, [of_side[rank][:2] for rank in sorted(of_side)])
    return queries


def _csv_rows(text: str, name: str, faults: Faults) -> Iterator[_Row]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    expected = f"the columns {', '.join(COLUMNS)}"
    try:
        header = [cell.strip().lower() for cell in next(reader, [])]
        wrong = [f"has no column {column}" for column in COLUMNS if column not in header]
        wrong += [f"has the column {column} twice" for column in COLUMNS if header.count(column) > 1]
        if wrong:
            held = ", ".join(header) or "nothing"
            faults.add(Fault(f"{wrong[0]}; the first line has {held[:80]}", name, 1, expected=expected))
            return
        for cells in reader:
            if len(cells) == len(header):
                yield _Row(reader.line_num, {column: cell.strip() for column, cell in zip(header, cells, strict=True)})
            elif cells:
                count = f"has {len(cells)} cells"
                faults.add(Fault(count, name, reader.line_num, expected=f"{len(header)}, as in the first line"))
    except csv.Error as error:
        faults.add(Fault(f"is not CSV: {error}", name, reader.line_num))


def _at(where: Fault, message: str, column: str, expected: str | None = None) -> Fault:
    """Return a fault in a column of the row `where`."""
    return replace(where, message=message, column=column, expected=expected)


def _take_relevance(grades: dict[str, Grade], doc: str, text: str, where: Fault, faults: Faults) -> None:
    """Note what a row says of a document's relevance; an empty cell says nothing that another row could contradict."""
    grade = grade_of(text) if text else None
    if text and (grade is None or (grade != 0 and grade < 1)):
        expected = "a number from 1 on; empty or 0 where it is not relevant"
        faults.add(_at(where, f"relevance {text!r}", "relevance", expected))
    elif grade is not None and grades.setdefault(doc, grade) != grade:
        faults.add(_at(where, f"relevance {grade} here, {grades[doc]} before", "relevance"))


def _mark(text: str, where: Fault, faults: Faults) -> bool | None:
    if text and text.lower() not in _MARKS:
        faults.add(_at(where, f"has_evidence {text!r}", "has_evidence", "true, false, or empty"))
    return _MARKS.get(text.lower())


def _take_rank(
    ranks: dict[int, tuple[str, bool | None, int]],
    result: tuple[str, bool | None, int],
    text: str,
    side: str,
    where: Fault,
    faults: Faults,
) -> None:
    if not text:
        return
    column, rank = f"{side}_rank", int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    if rank < 1:
        expected = "a whole number from 1 on; empty where it was not retrieved"
        faults.add(_at(where, f"{column} {text!r}", column, expected))
    elif rank in ranks:
        faults.add(_at(where, f"{column} {rank} stands on line {ranks[rank][2]} already", column))
    else:
        ranks[rank] = result


def _check_gaps(ranks: Mapping[int, object], side: str, query: str, name: str, faults: Faults) -> None:
    if gaps := [rank for rank in range(1, len(ranks) + 1) if rank not in ranks]:
        hint = "every place of a ranking has its row, relevant or not"
        faults.add(Fault(f"no row has {side}_rank {gaps[0]}", name, query_id=query, hint=hint))
