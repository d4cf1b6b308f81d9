"""Which grade has each document, when all rows of a file of judgments have been heard?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from rankproof.answers import spell
from rankproof.contract import Contract
from rankproof.errors import Fault, Faults
from rankproof.formats.grades import Rejudged
from rankproof.model import Grade, Qrels


class Judgment(NamedTuple):
    """One row: the line it stands on (None where the format has none), ids, grade as written, and what it is about."""

    line: int | None
    query_id: str
    doc_id: str
    grade: Grade
    subtopic: str | None = None  # the second column of TREC qrels; None where there is no such column


_SUBTOPICS_HINT = (
    "--subtopics any counts a document by its best subtopic, all by its worst;"
    " --rule subtopics=ignored if that column means nothing"
)


def grade_meant(grade: Grade, grade_map: Mapping[float, float], where: Fault, faults: Faults) -> Grade | None:
    """Return what a grade stands for; None, and a fault at this place, where the map lacks it."""
    if grade not in grade_map:
        message, expected = (
            f"grade {spell(grade)} is not in the grade-map",
            f"one of {', '.join(map(spell, grade_map))}",
        )
        faults.add(replace(where, message=message, column="grade", expected=expected))
        return None
    mapped = grade_map[grade]
    return int(mapped) if mapped.is_integer() else mapped


class Judged:
    """Hears judgments one by one and applies the rules of reading: grade-map, subtopics, duplicate-judgment."""

    def __init__(self, contract: Contract, faults: Faults, name: str) -> None:
        """Hear judgments of the input `name` under this contract; what it refuses is added to `faults`."""
        self._name = name
        self._faults = faults
        self._map = None if contract.grade_map is None else dict(contract.grade_map)
        self._subtopics = contract.subtopics
        self._rejudged = Rejudged(contract, faults)
        self._found: dict[str, dict[str, Grade]] = {}
        self._apart: dict[str, dict[str, dict[str, Grade]]] = {}  # by query and subtopic, where these count
        self._first: dict[str, str] = {}  # each query's first subtopic, where there must be no second
        self._refused = False

    @property
    def plain(self) -> bool:
        """Return whether grades stand as they are given."""
        return self._map is None

    def query(self, query: str) -> dict[str, Grade]:
        """Return the grades of a query, from now on one that was judged."""
        return self._found.setdefault(query, {})

    def hear(self, row: Judgment) -> None:
        """Take one row in."""
        _, query, doc, grade, subtopic = row
        if self._map is not None:
            mapped = self._mapped(row)
            if mapped is None:
                return
            grade = mapped
        of_query = self._found.get(query)
        if of_query is None:
            of_query = self._found[query] = {}
        apart = subtopic is not None and self._subtopics in ("any", "all")
        if of_query if apart else query in self._apart:
            message = "some rows of the query name a subtopic, others none"
            place = Fault(message, self._name, row.line, query_id=query, doc_id=doc)
            self._faults.add(replace(place, expected="all of them, or none"))
            return
        if subtopic is not None and apart:
            of_query = self._apart.setdefault(query, {}).setdefault(subtopic, {})
        elif subtopic is not None and self._subtopics == "error" and self._is_second(query, subtopic):
            self._refuse_second(row)
            return
        if doc in of_query:
            self._rejudged.judge(of_query, doc, grade, Fault("", self._name, row.line, query_id=query))
        else:
            of_query[doc] = grade

    def _mapped(self, row: Judgment) -> Grade | None:
        where = Fault("", self._name, row.line, query_id=row.query_id, doc_id=row.doc_id)
        return grade_meant(row.grade, self._map or {}, where, self._faults)

    def _is_second(self, query: str, subtopic: str) -> bool:
        return self._first.setdefault(query, subtopic) != subtopic

    def _refuse_second(self, row: Judgment) -> None:
        """Note, once, that a query's rows are about several things."""
        if not self._refused:
            before = self._first[row.query_id]
            message = f"the second column says {row.subtopic} here, {before} before: are these subtopics, or judges?"
            expected = "one for all rows of a query, such as 0"
            place = Fault(message, self._name, row.line, query_id=row.query_id, expected=expected)
            self._faults.add(replace(place, hint=_SUBTOPICS_HINT))
            self._refused = True

    def qrels(self) -> Qrels:
        """Return the grades of all queries; say once what was judged twice."""
        self._rejudged.tell()
        for query, of_subtopic in self._apart.items():
            self._found[query] = _together(of_subtopic.values(), best=self._subtopics == "any")
        return self._found


def _together(subtopics: Iterable[dict[str, Grade]], *, best: bool) -> dict[str, Grade]:
    """Return each document's best grade over the subtopics; or its worst, 0 where one does not list it."""
    listed = list(subtopics)
    docs = dict.fromkeys(doc for grades in listed for doc in grades)
    if best:
        return {doc: max(grades[doc] for grades in listed if doc in grades) for doc in docs}
    return {doc: min(grades.get(doc, 0) for grades in listed) for doc in docs}


def qrels_of_rows(rows: Iterable[Judgment], contract: Contract, faults: Faults, name: str, expected: str) -> Qrels:
    """Return what the rows say. InputError lists `faults`: the reader's, and those of the rules."""
    judged, empty = Judged(contract, faults, name), True
    for row in rows:
        empty = False
        judged.hear(row)
    if empty and not faults:
        faults.add(Fault("holds no judgments", name, expected=expected))
    faults.raise_any()
    return judged.qrels()
