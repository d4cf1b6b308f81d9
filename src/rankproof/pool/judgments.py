"""What did each judge say? Files of judgments, of one judge or several each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from rankproof.contract import Contract
from rankproof.errors import Fault, Faults, InputError, nearest, seen
from rankproof.formats import Source, as_qrels
from rankproof.formats.cells import is_text
from rankproof.formats.columns import position
from rankproof.formats.grades import EXPECTED, Rejudged, grade_of
from rankproof.formats.judged import grade_meant
from rankproof.formats.objects import qrels_of
from rankproof.formats.records import Record, header_of, read_records
from rankproof.formats.texts import Text
from rankproof.model import Grade, Qrels

KINDS: Mapping[str, str] = {"human": "people", "model": "models"}
"""What a judge can be, and what several are called."""
PROVENANCE = ("model", "prompt", "date")
"""The columns that say where a judgment came from."""
COLUMNS = ("query_id", "doc_id", "grade")
"""The columns that each row of a table of judgments needs."""


class Item(NamedTuple):
    """What is judged: a document for a query."""

    query_id: str
    doc_id: str


@dataclass(frozen=True, slots=True)
class Judge:
    """Who judged: kind `human` or `model` (None: not said), how many grades, how many rows without one."""

    name: str
    kind: str | None
    graded: int
    blank: int
    provenance: Mapping[str, Mapping[str, int]]  # by column of PROVENANCE, each value and on how many grades it stands

    def to_dict(self) -> dict[str, Any]:
        """Return all of it, ready for JSON."""
        provenance = {column: dict(values) for column, values in self.provenance.items()}
        return {
            "name": self.name,
            "kind": self.kind,
            "graded": self.graded,
            "blank": self.blank,
            "provenance": provenance,
        }


@dataclass(frozen=True, slots=True)
class Judgments:
    """What several judges said: of each item, in the order first met, the grades by judge, in the judges' order."""

    judges: Sequence[Judge]
    grades: Mapping[Item, Mapping[str, Grade]]
    query_texts: Mapping[str, str]  # those that stood beside the judgments
    doc_texts: Mapping[str, Text]

    def of_kind(self, kind: str) -> list[str]:
        """Return the names of the judges of a kind."""
        return [judge.name for judge in self.judges if judge.kind == kind]


def read_judgments(files: Any, contract: Contract, kinds: Mapping[str, str] | None = None) -> Judgments:
    """Return what judges said, from files, or from a mapping of a judge's name to a file or to qrels in any shape.

    A file holds qrels (TREC, JSON), or rows with query_id, doc_id and grade (CSV, JSON lines, Parquet), as `pool`
    writes them; a row without a grade is not judged yet. The judge is named by the column `judge`, else by the file
    (the mapping's key); the column `kind`, or `kinds` by judge, says `human` or `model`. Negative and repeated grades
    as the contract says. InputError lists a file's faults.
    """
    reading = _Reading(contract)
    for name, given in _named(files):
        if isinstance(given, Source) and _is_table(given):
            reading.rows(given, name)
        elif isinstance(given, Mapping):
            reading.qrels(qrels_of(given, contract, name), name, None)
        else:
            reading.qrels(as_qrels(given, contract), name, given.name if isinstance(given, Source) else None)
        reading.faults.raise_any()
    reading.rejudged.tell()
    for judge, kind in (kinds or {}).items():
        reading.set_kind(judge, kind)
    return reading.judgments()


def read_kinds(options: Iterable[str]) -> dict[str, str]:
    """Return the kinds of judges from options such as `ann=human`. InputError for what says no kind."""
    found = {}
    for option in options:
        judge, equals, kind = option.rpartition("=")
        if not equals or not judge:
            raise InputError(Fault(f"{seen(option)} names no kind", expected="a judge's name, =, human or model"))
        found[judge] = kind.strip().lower()
    return found


def _named(files: Any) -> Iterator[tuple[str, Any]]:
    """Yield a judge's name and a source, or an object; files that share a stem are named by their paths."""
    if isinstance(files, Mapping):
        for name, given in files.items():
            yield str(name), Source(given) if isinstance(given, (str, Path)) else given
        return
    sources = [one if isinstance(one, Source) else Source(one) for one in _checked(files)]
    stems = Counter(source.stem for source in sources)
    for source in sources:
        yield source.stem if stems[source.stem] == 1 else source.name, source


def _checked(files: Any) -> Sequence[str | Path | Source]:
    given = [files] if isinstance(files, (str, Path, Source)) else files
    if not isinstance(given, Sequence) or not given:
        raise InputError(
            Fault(f"{seen(files)} holds no judgments", expected="files, or a mapping of judge to judgments")
        )
    for one in given:
        if not isinstance(one, (str, Path, Source)):
            hint = "{name: judgments} names the judge of an object"
            raise InputError(Fault(f"{seen(one, 60)} is no file", expected="a path", hint=hint))
    return given


_SCALAR_FIRST = re.compile(rb'\{\s*"(?:[^"\\]|\\.)*"\s*:\s*[^\s{\[]')


_ONE_OBJECT = re.compile(rb'\{\s*\n|\{\s*"schema"\s*:')
"""How the results of commands begin, and what is no object a line."""


def _is_table(source: Source) -> bool:
    """Return whether a file holds rows with named columns: TREC and JSON qrels do not.

    InputError for a JSON object that is neither rows nor qrels, such as a command's result.
    """
    start = source.start().lstrip()
    if _SCALAR_FIRST.match(start) and _ONE_OBJECT.match(start):
        hint = "`pool --format jsonl` (or csv, tsv) writes rows to fill in"
        expected = "rows of judgments, an object a line, or qrels"
        raise InputError(
            Fault("is one JSON object, such as a command's result", source.name, expected=expected, hint=hint)
        )
    if start.startswith((b"[", b"PAR1")):
        return True
    if start.startswith(b"{"):
        return _SCALAR_FIRST.match(start) is not None
    first = start.split(b"\n", 1)[0]  # of CSV, with whatever columns, read_records knows what is wrong
    return header_of(source) is not None or (b"," in first and len(first.split()) < len(COLUMNS))


def _with_known_names(record: Record, name: str) -> Record:
    """Return a record whose query, document and grade go by the names that they have here, whatever theirs are."""
    fields = list(record.fields)
    found = {column: position(fields, column, name) for column in COLUMNS}
    renamed = {column: record.fields[fields[at]] for column, at in found.items() if at is not None}
    return Record(record.line, {**record.fields, **renamed})


class _Reading:
    """Collects what each judge said, file after file."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self.faults = Faults()
        self.rejudged = Rejudged(contract, self.faults)
        self._grades: dict[str, dict[str, dict[str, Grade]]] = {}  # judge, query, document
        self._blank = Counter[str]()
        self._kinds: dict[str, str] = {}
        self._provenance: dict[str, dict[str, Counter[str]]] = {}
        self._queries: dict[str, str] = {}
        self._docs: dict[str, Text] = {}

    def qrels(self, qrels: Qrels, judge: str, file: str | None) -> None:
        """Take a judge's qrels, from a file or from an object."""
        for query, grades in qrels.items():
            for doc, grade in grades.items():
                self._judge(judge, grade, Fault("", file or judge, query_id=query, doc_id=doc))

    def rows(self, source: Source, name: str) -> None:
        """Take the rows of a table; the judge is its own column, or else `name`."""
        for given in read_records(source, self.faults):
            record = _with_known_names(given, source.name)
            if missing := [column for column in COLUMNS if column not in record.fields]:
                known = ", ".join(map(str, record.fields))
                fault = Fault(f"has no column {missing[0]}", source.name, record.line, expected=", ".join(COLUMNS))
                self.faults.add(replace(fault, hint=f"its columns are {known}"))
                return
            ids = [_id(record, column) for column in COLUMNS[:2]]
            for column, one in zip(COLUMNS, ids, strict=False):
                if one is None:
                    message = f"{seen(record.fields[column], 60)} is no id"
                    self.faults.add(
                        Fault(message, source.name, record.line, column=column, expected="text or a number")
                    )
            if ids[0] is not None and ids[1] is not None:
                self._row(record, name, Fault("", source.name, record.line, query_id=ids[0], doc_id=ids[1]))

    def _row(self, record: Record, name: str, where: Fault) -> None:
        judge = _cell(record, "judge") or name
        given = record.fields["grade"]
        if given is None or (isinstance(given, str) and not given.strip()):
            self._blank[judge] += 1
            self._grades.setdefault(judge, {})
        elif (grade := grade_of(given)) is None:
            self.faults.add(replace(where, message=f"grade {seen(given, 60)}", column="grade", expected=EXPECTED))
        elif (meant := self._meant(grade, where)) is not None and self._judge(judge, meant, where):
            for column in PROVENANCE:
                if value := _cell(record, column):
                    self._provenance.setdefault(judge, {}).setdefault(column, Counter())[value] += 1
        if kind := _cell(record, "kind").lower():
            self.set_kind(judge, kind, where)
        self._keep_texts(record, where)

    def _meant(self, grade: Grade, where: Fault) -> Grade | None:
        """Return what a grade of a table stands for; those of qrels were mapped as they were read."""
        known = self._contract.grade_map
        return grade if known is None else grade_meant(grade, dict(known), where, self.faults)

    def _judge(self, judge: str, grade: Grade, where: Fault) -> bool:
        """Take a grade, and return whether it is one: below 0 it says what the contract says it says."""
        query, doc = where.query_id or "", where.doc_id or ""
        of_query = self._grades.setdefault(judge, {}).setdefault(query, {})
        if grade < 0 and self._contract.negative_grade == "error":
            self.faults.add(replace(where, message=f"grade {grade}", column="grade", expected="a grade of 0 or more"))
        elif grade < 0 and self._contract.negative_grade == "unjudged":
            self._blank[judge] += 1
            return False
        kept = max(grade, 0)
        if doc in of_query:
            self.rejudged.judge(of_query, doc, kept, where)
        else:
            of_query[doc] = kept
        return True

    def set_kind(self, judge: str, kind: str, where: Fault | None = None) -> None:
        """Note what a judge is. A fault for what cannot be, two kinds of one judge, a judge who said nothing."""
        place = where or Fault("")
        before = self._kinds.setdefault(judge, kind)
        if kind not in KINDS:
            self.faults.add(replace(place, message=f"kind {seen(kind)}", column="kind", expected=" or ".join(KINDS)))
        elif before != kind:
            message = f"judge {judge} is {kind} here, {before} before"
            self.faults.add(replace(place, message=message, column="kind", expected="one kind a judge"))
        elif where is None and judge not in self._grades:
            hint = f"the judges are {', '.join(self._grades)}; nearest: {nearest(judge, self._grades, 1)}"
            self.faults.add(replace(place, message=f"no judge is called {judge!r}", hint=hint))
        if where is None:
            self.faults.raise_any()

    def _keep_texts(self, record: Record, where: Fault) -> None:
        if query := _cell(record, "query"):
            self._queries.setdefault(where.query_id or "", query)
        title, text = _cell(record, "title") or "", _cell(record, "text") or ""
        if title or text:
            self._docs.setdefault(where.doc_id or "", Text(title, text))

    def judgments(self) -> Judgments:
        """Return all of it; InputError where there is no grade at all."""
        items: dict[Item, dict[str, Grade]] = {}
        graded = Counter[str]()
        for judge, queries in self._grades.items():
            for query, grades in queries.items():
                for doc, grade in grades.items():
                    items.setdefault(Item(query, doc), {})[judge] = grade
                    graded[judge] += 1
        if not items:
            hint = "are the rows not filled in yet?" if self._blank else None
            raise InputError(Fault("there is no grade in what was given", expected="judgments", hint=hint))
        judges = [
            Judge(name, self._kinds.get(name), graded[name], self._blank[name], self._provenance.get(name, {}))
            for name in self._grades
        ]
        return Judgments(judges, items, self._queries, self._docs)


def _id(record: Record, column: str) -> str | None:
    given = record.fields[column]
    usable = isinstance(given, (str, int)) and not isinstance(given, bool) and is_text(str(given))
    return str(given) or None if usable else None


def _cell(record: Record, column: str) -> str:
    """Return what stands in a column that need not be there, as text; empty where nothing does."""
    given = record.fields.get(column)
    return "" if given is None else str(given).strip()
