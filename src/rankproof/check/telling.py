"""How is a check told as tables and sentences?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rankproof.answers import spell
from rankproof.tables import Table
from rankproof.words import counted

if TYPE_CHECKING:
    from rankproof.check.checked import Checked, CheckedFile
    from rankproof.check.finding import FileFinding
    from rankproof.model import Grade

SHOWN_GRADES = 12
"""So many different grades are listed in a table; JSON lists all."""

SHOWN_PLACES = 2
"""So many first places are listed in a table; JSON lists five."""

_FILES = (
    *("file", "role", "format", "packing", "encoding", "line ends"),
    *("queries", "documents", "rows", "depth", "grades", "ties"),
)
_FINDINGS = ("weight", "file", "kind", "count", "first", "meaning", "what to do")

TIDY_FINDINGS = ("weight", "file", "kind", "count", "line", "query_id", "doc_id", "meaning", "what_to_do")
"""The header of the rows that a program reads."""


def checked_tables(checked: Checked) -> list[Table]:
    """Return what each file holds, and the findings, those that matter most first."""
    files = Table(_FILES, [_holds(file) for file in checked.files])
    if not (findings := checked.findings):
        return [files]
    rows = [(one.weight, one.file, one.kind, one.count, _first(one), one.message, one.to_do) for one in findings]
    return [files, Table(_FINDINGS, rows)]


def _holds(file: CheckedFile) -> Sequence[object]:
    marked = " with byte order mark" if file.marked else ""
    return (
        file.name,
        file.role or "?",
        file.format or "?",
        file.packing or "",
        f"{file.encoding or '?'}{marked}",
        file.line_ends or "",
        file.queries,
        file.documents,
        file.rows,
        "" if file.depth is None else "/".join(f"{one:g}" for one in file.depth),
        _graded(file.grades),
        f"{file.tied_places} in {counted(file.tied_queries, 'query', 'queries')}" if file.tied_places else "",
    )


def _graded(grades: Mapping[Grade, int]) -> str:
    shown = [f"{spell(grade)}: {count}" for grade, count in list(grades.items())[:SHOWN_GRADES]]
    more = len(grades) - len(shown)
    return ", ".join([*shown, *([f"and {more} more"] if more else [])])


def _first(finding: FileFinding) -> str:
    """Return the first places as words; how many more follow, the count says."""
    return "; ".join(map(str, finding.places[:SHOWN_PLACES]))


def finding_rows(checked: Checked) -> Iterator[Sequence[object]]:
    """Yield a row a finding, under the header `TIDY_FINDINGS`, with its first place."""
    for one in checked.findings:
        place = one.places[0] if one.places else (None, None, None)
        yield (one.weight, one.file, one.kind, one.count, *place, one.message, one.to_do)


def checked_notes(checked: Checked) -> list[str]:
    """Return how many findings there are, and what was not looked at."""
    counts = checked.counts
    said = (
        (counts["wrong"], "finding is wrong", "findings are wrong"),
        (counts["suspicious"], "finding is suspicious", "findings are suspicious"),
        (counts["note"], "finding is worth a note", "findings are worth a note"),
    )
    told = [counted(count, one, several) for count, one, several in said if count]
    notes = [f"{counted(len(checked.files), 'file')}: {', '.join(told) or 'nothing found'}"]
    notes += [told for file in checked.files for told in file.told]
    roles = {file.role for file in checked.files}
    if len(roles & {"qrels", "run"}) == 1:
        lacking = "results" if "qrels" in roles else "judgments"
        notes.append(f"no {lacking} are given: whether queries and documents fit was not looked at")
    if any(file.role == "qrels" for file in checked.files):
        notes.append("depth: least, median and most documents of a query; of qrels those that are judged")
    return notes
