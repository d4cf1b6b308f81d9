"""What does a file hold, and what in it is suspicious? Each file is read once; none that is refused ends the check."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from math import isinf, isnan
from pathlib import Path
from statistics import median
from typing import TypeAlias

from rankproof.aggregates import Aggregates, impossible, read_aggregates
from rankproof.arithmetic import number_of
from rankproof.check.between import look_at_never_returned, look_at_pair
from rankproof.check.checked import Checked, CheckedFile
from rankproof.check.finding import FileFinding, Place, Tallies
from rankproof.check.judgments import HeldJudgments, JudgmentsHeard
from rankproof.check.kinds import FILE_KINDS
from rankproof.check.lines import Lines
from rankproof.check.names import GradeNames
from rankproof.check.results import HeldResults, hear_results, look_at_results
from rankproof.contract import Contract
from rankproof.errors import Fault, Faults, InputError, RankproofError, RankproofWarning
from rankproof.formats.files import STDIN, Given, Source
from rankproof.formats.roles import role_of
from rankproof.formats.rows import judgment_rows, result_rows
from rankproof.formats.start import start_of
from rankproof.formats.table import Role, format_of

Held: TypeAlias = HeldJudgments | HeldResults


def check(*files: str | Path | Source, as_: Role | None = None, queries: int | None = None) -> Checked:
    """Return what files of judgments, results, or tables of measures hold, and what in them is wrong or suspicious.

    Each run is compared with each file of judgments. `as_`, `qrels` or `run`, says what a file is whose columns leave
    it open; `queries`, over how many a table's means go. What a reader would refuse is a finding here; InputError only
    without files, and for another `as_`.
    """
    if not files:
        raise InputError(Fault("no file is given", expected="judgments, results, or both"))
    if as_ not in (None, "qrels", "run"):
        raise InputError(Fault(f"as_ cannot be {as_!r}", expected="qrels or run"))
    read = [_File(one if isinstance(one, Source) else Source(one), as_, queries) for one in files]
    judged = [(one, one.held) for one in read if isinstance(one.held, HeldJudgments) and one.held.rows]
    ranked = [(one, one.held) for one in read if isinstance(one.held, HeldResults) and one.held.rows]
    for qrels, judgments in judged:
        for run, results in ranked:
            look_at_pair(judgments, qrels.name, results, run.found)
        if ranked:
            look_at_never_returned(judgments, [results for _, results in ranked], qrels.found)
    return Checked([one.checked() for one in read])


class _File:
    """One file, read when it is made."""

    def __init__(self, source: Source, as_: Role | None, queries: int | None) -> None:
        self.name = source.name
        self.found = Tallies(source.name)
        self._table: Aggregates | None = None
        self.held: Held | None = None
        self._source = source
        self._role: Role | None = None
        self._format: str | None = None
        self._lines: Lines | None = None
        with closing(source), warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", RankproofWarning)
            try:
                self._read(as_)
            except RankproofError as error:
                self._refused(error)
            if as_ is None and not self._has_rows():
                self._table = _table_of(source, queries)
        if self._format == "json":  # what the other formats warn of has kinds of its own
            for one in told:
                self.found.add("told", why=str(one.message).removeprefix(f"{self.name}: "))
        self._encoded()

    def _has_rows(self) -> bool:
        return self.held is not None and self.held.rows > 0

    def _read(self, as_: Role | None) -> None:
        """Read it, as judgments or results."""
        start, source = start_of(self._source, comments=True), self._source
        if start.is_parquet or start.is_arrow:  # their columns are named at the end: read twice, from the memory
            with source.open() as reader:
                source = Given(reader.read(), source.name)
        self._role = role_of(source, as_)
        self._format = format_of(source, self._role).name
        faults = FaultsHeard(self.found)
        lines = self._lines = Lines(self._format, self._role, self.found)
        source.on_line = lines.hear
        try:
            (self._read_judgments if self._role == "qrels" else self._read_results)(source, faults)
        finally:
            lines.end()
        if self.held is not None and not self.held.rows and not faults:
            what = "judgments" if self._role == "qrels" else "results"
            raise InputError(Fault(f"holds no {what}", self.name))

    def _read_judgments(self, source: Source, faults: Faults) -> None:
        held = self.held = HeldJudgments()
        heard, names = JudgmentsHeard(held, self.found), GradeNames(self.found)
        if self._format == "csv" and self._lines is not None:
            source.on_line = _both(self._lines, names)
        try:
            heard.hear(judgment_rows(source, Contract(), faults))
        finally:
            heard.end()
            names.end()

    def _read_results(self, source: Source, faults: Faults) -> None:
        held = self.held = HeldResults()
        tags_part = self._format != "trec"
        try:
            hear_results(result_rows(source, Contract(), faults), held, self.found, tags_part=tags_part)
        finally:
            look_at_results(held, self.found, tags_part=tags_part)

    def _refused(self, error: RankproofError) -> None:
        first = error.faults[0]
        why = str(replace(first, file=None, line=None))
        hint = f" ({first.hint})" if first.hint else ""
        self.found.add("unreadable", Place(first.line, first.query_id, first.doc_id), f"{why}{hint}")

    def _encoded(self) -> None:
        kinds = {"CP949": "guessed-encoding", "UTF-16": "utf-16"}
        if kind := kinds.get(self._source.encoding):
            self.found.add(kind)
        elif self._source.marked:
            self.found.add("byte-order-mark", Place(1) if self._lines is not None and self._lines.ends else None)

    def checked(self) -> CheckedFile:
        """Return what it holds."""
        if self._table is not None:
            return _checked_table(self._source, self._table)
        source, held = self._source, self.held
        depths = held.depths() if held is not None else []
        ranked = held if isinstance(held, HeldResults) else HeldResults()
        return CheckedFile(
            name=self.name,
            role=self._role,
            format=self._format,
            packing=source.packing,
            encoding=source.encoding if source.sha256 or self._lines is not None else None,
            marked=source.marked,
            line_ends=None if self._lines is None else self._lines.ends,
            rows=0 if held is None else held.rows,
            queries=0 if held is None else len(held.query_lines),
            documents=0 if held is None else len(held.doc_lines),
            runs=[tag for tag in ranked.tags if tag],
            depth=(min(depths), median(depths), max(depths)) if depths else None,
            grades=dict(sorted(held.grades.items())) if isinstance(held, HeldJudgments) else {},
            tied_queries=ranked.tied_queries,
            tied_places=ranked.tied_places,
            findings=self.found.findings(),
        )


def _table_of(source: Source, queries: int | None) -> Aggregates | None:
    """Return the table of measures that a file holds; None for what is none, or could be read once only."""
    again = source if isinstance(source, Given) else Source(source.path)
    if again.path == STDIN or not (isinstance(again, Given) or Path(again.path).is_file()):
        return None
    try:
        found = read_aggregates(again, queries)
    except RankproofError:
        return None
    source.sha256 = again.sha256  # of the same file
    return found


def _checked_table(source: Source, table: Aggregates) -> CheckedFile:
    """Return what a table of measures holds, each of its findings for itself."""
    found = []
    for one in impossible(table):
        kind = "equal-rows" if one.kind == "equal-rows" else "impossible-unless" if one.unless else "impossible"
        where = f"{one.system}: " if one.system else ""
        found.append(FileFinding(source.name, kind, 1, (Place(one.line),), f"{where}{one.message}"))
    return CheckedFile(
        name=source.name,
        role="aggregates",
        packing=source.packing,
        encoding=source.encoding,
        marked=source.marked,
        rows=len(table.rows),
        told=table.notes(),
        findings=sorted(found, key=lambda one: list(FILE_KINDS).index(one.kind)),
    )


class FaultsHeard(Faults):
    """Counts each row that is refused as a finding."""

    def __init__(self, found: Tallies) -> None:
        super().__init__()
        self._found = found

    def add(self, fault: Fault) -> None:
        """Note one row."""
        super().add(fault)
        why = str(replace(fault, file=None, line=None, query_id=None, doc_id=None, column=None))
        self._found.add(_kind_of(fault), Place(fault.line, fault.query_id, fault.doc_id), why)


_REFUSED = re.compile(r"(?:grade|score|rank) ['\"]?([^'\"]+)['\"]?")


def _kind_of(fault: Fault) -> str:
    """Return the kind of a row that is refused: NaN and infinity are told apart."""
    shown = _REFUSED.fullmatch(fault.message)
    number = None if shown is None else number_of(shown[1])
    if number is None or not (isnan(number) or isinf(number)):
        return "unreadable-row"
    return "nan" if isnan(number) else "infinity"


def _both(lines: Lines, names: GradeNames) -> Callable[[int, bytes], None]:
    def hear(number: int, line: bytes) -> None:
        lines.hear(number, line)
        names.hear(line)

    return hear
