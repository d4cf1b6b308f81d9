"""Do the names of grades, in a column beside them, say that the lowest is the best?"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from contextlib import suppress
from itertools import pairwise

from rankproof.arithmetic import number_of
from rankproof.check.finding import Place, Tallies
from rankproof.errors import InputError
from rankproof.formats.columns import columns_of
from rankproof.formats.delimited import dialect, first_row

SCALES: tuple[Mapping[str, int], ...] = (
    {"perfect": 5, "excellent": 4, "good": 3, "fair": 2, "bad": 1, "poor": 1},
    {
        "highly relevant": 4,
        "very relevant": 4,
        "relevant": 3,
        "partially relevant": 2,
        "somewhat relevant": 2,
        "marginally relevant": 2,
        "not relevant": 1,
        "non relevant": 1,
        "nonrelevant": 1,
        "irrelevant": 1,
    },
    {"exact": 4, "substitute": 3, "complement": 2, "irrelevant": 1},
    {"매우 적합": 4, "적합": 3, "부분 적합": 2, "부적합": 1},
)
"""Names of grades whose order is certain, the higher the better."""


class GradeNames:
    """Hears the lines of a table with a header, and keeps the grade of each name in its other columns."""

    def __init__(self, found: Tallies) -> None:
        """Note in `found` what the names say."""
        self._found = found
        self._header: list[str] | None = None
        self._delimiter = ","
        self._grade_at = 0
        self._of_column: dict[int, dict[str, set[float]]] = {}  # the grades of each name

    def hear(self, line: bytes) -> None:
        """Take one line in; one that is no whole row is passed over."""
        text = line.decode(errors="replace")
        if self._header is None:
            if text.strip():
                self._begin(text)
        elif self._of_column:
            with suppress(csv.Error):
                self._row(next(csv.reader([text], **dialect(self._delimiter)), []))

    def _begin(self, text: str) -> None:
        self._header = []
        with suppress(InputError, csv.Error):  # the reader says what is wrong with the header
            self._header, self._delimiter = first_row(text)
            used = columns_of(self._header, "grade", "")
            self._grade_at = used[2] or 0
            self._of_column = {at: {} for at in range(len(self._header)) if at not in used}

    def _row(self, cells: list[str]) -> None:
        if self._header is None or len(cells) != len(self._header):
            return
        grade = number_of(cells[self._grade_at])
        if grade is None:
            return
        for at in list(self._of_column):
            name = " ".join(cells[at].lower().replace("-", " ").replace("_", " ").split())
            if not any(name in scale for scale in SCALES):
                del self._of_column[at]  # a column that holds anything else names no grades
            else:
                self._of_column[at].setdefault(name, set()).add(grade)

    def end(self) -> None:
        """Say which column's names go against the grades: for each two of them the better name has the lower grade."""
        for at, grades in self._of_column.items():
            scale = next((one for one in SCALES if set(grades) <= set(one)), None)
            if scale is None or any(len(one) > 1 for one in grades.values()):
                continue
            ranked = sorted((scale[name], min(found), name) for name, found in grades.items())
            pairs = [(low, high) for low, high in pairwise(ranked) if low[0] < high[0]]
            if pairs and all(low[1] > high[1] for low, high in pairs) and self._header is not None:
                (_, worst, name), (_, best, other) = ranked[0], ranked[-1]
                why = f"{self._header[at]} calls grade {best:g} {other} and grade {worst:g} {name}"
                self._found.add("grades-against-names", Place(1), why)
