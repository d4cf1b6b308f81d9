"""What do the judgments of a file hold, and what in them is suspicious?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from rankproof.answers import spell
from rankproof.check.finding import Place, Tallies
from rankproof.check.ids import Lines, look_at_ids
from rankproof.formats.judged import Judgment
from rankproof.model import Grade


@dataclass(slots=True)
class HeldJudgments:
    """The judgments of a file by query, the first of each document, and the first line of each id."""

    rows: int = 0
    queries: dict[str, dict[str, Grade]] = field(default_factory=dict)
    grades: Counter[Grade] = field(default_factory=Counter)
    query_lines: Lines = field(default_factory=dict)
    doc_lines: Lines = field(default_factory=dict)

    def depths(self) -> list[int]:
        """Return how many documents are judged, a query each."""
        return list(map(len, self.queries.values()))


class JudgmentsHeard:
    """Hears judgments one by one; nothing is refused."""

    def __init__(self, held: HeldJudgments, found: Tallies) -> None:
        """Hear into `held`, and note in `found` what is suspicious."""
        self._held = held
        self._found = found
        self._subtopics: dict[str, str] = {}  # the second column of each query's first row
        self._varying: set[str] = set()
        self._of_subtopics: dict[tuple[str, str, str], Grade] = {}  # only of queries where it varies

    def hear(self, rows: Iterable[Judgment]) -> None:
        """Take rows in, until they end or are refused."""
        held = self._held
        for row in rows:
            held.rows += 1
            held.grades[row.grade] += 1
            held.query_lines.setdefault(row.query_id, row.line)
            held.doc_lines.setdefault(row.doc_id, row.line)
            self._look_at_grade(row)
            docs = held.queries.setdefault(row.query_id, {})
            before = self._before(row, docs)
            docs.setdefault(row.doc_id, row.grade)
            if before is not None:
                self._again(row, before)

    def _look_at_grade(self, row: Judgment) -> None:
        if row.grade < 0:
            self._found.add("negative-grades", _place(row), spell(row.grade))
        if row.grade != int(row.grade):
            self._found.add("fractional-grades", _place(row), spell(row.grade))

    def _before(self, row: Judgment, docs: dict[str, Grade]) -> Grade | None:
        """Return the grade that the document had before, for the same subtopic."""
        if row.subtopic is None:
            return docs.get(row.doc_id)
        first = self._subtopics.setdefault(row.query_id, row.subtopic)
        if first == row.subtopic and row.query_id not in self._varying:
            return docs.get(row.doc_id)
        if row.query_id not in self._varying:
            self._varying.add(row.query_id)
            self._found.add("second-column", Place(row.line, row.query_id), f"{row.subtopic} after {first}")
            self._of_subtopics |= {(row.query_id, first, doc): grade for doc, grade in docs.items()}
        key = (row.query_id, row.subtopic, row.doc_id)
        before = self._of_subtopics.get(key)
        self._of_subtopics.setdefault(key, row.grade)
        return before

    def _again(self, row: Judgment, before: Grade) -> None:
        if row.grade == before:
            self._found.add("judged-twice", _place(row))
        else:
            self._found.add("judged-twice-differently", _place(row), f"{spell(row.grade)} after {spell(before)}")

    def end(self) -> None:
        """Look at what only all rows together show."""
        held, found = self._held, self._found
        look_at_ids("query_id", held.query_lines, found)
        look_at_ids("doc_id", held.doc_lines, found)
        if not held.rows:
            return
        if max(held.grades) < 1:
            found.add("nothing-relevant", count=held.rows)
        else:
            for query, docs in held.queries.items():
                if max(docs.values()) < 1:
                    found.add("queries-without-relevant", Place(held.query_lines[query], query))
        self._look_at_grades()

    def _look_at_grades(self) -> None:
        grades, rows = self._held.grades, self._held.rows
        if len(grades) == 1 and rows > 1:
            grade = next(iter(grades))
            self._found.add("only-relevant" if grade == 1 else "all-grades-equal", None, spell(grade), rows)
        positive = sorted(grade for grade in grades if grade >= 0)
        # 1 and 2 alone are common where only relevant documents are listed
        if len(positive) > 2 and positive == list(range(1, len(positive) + 1)):
            self._found.add("is-1-the-best", None, f"1 to {len(positive)}", rows)


def _place(row: Judgment) -> Place:
    return Place(row.line, row.query_id, row.doc_id)
