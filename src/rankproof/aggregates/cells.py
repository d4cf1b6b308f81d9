"""Which system, which measure and which number does each cell of a table of results give?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rankproof.aggregates.grid import EXPECTED, Grid, Line
from rankproof.aggregates.written import BLANK, Named, Written, count_in, measure_in, number_in
from rankproof.errors import Fault, Faults, InputError, seen
from rankproof.measures import Measure

SYSTEMS = (
    "system",
    "run",
    "run_name",
    "model",
    "name",
    "method",
    "approach",
    "retriever",
    "reranker",
    "encoder",
    "tag",
)
SETS = ("dataset", "data", "corpus", "collection", "task", "split", "subset", "lang", "language")
MEASURES = ("measure", "metric", "measures", "metrics")
VALUES = ("value", "mean", "score", "result", "average")
CUTOFFS = ("k", "@k", "cutoff", "top_k", "topk", "at")
COUNTS = ("queries", "n", "num_q", "num_queries", "n_queries", "query_count", "#queries", "#_queries")
QUERIES = ("query_id", "query", "qid", "topic")
"""What columns are called, in lower case; a hyphen or a blank may stand for the low line."""

OVER_ALL = frozenset({"", "all", "mean", "amean", "average"})
"""What stands in the column of the query where a value is one over all queries."""


class Cell(NamedTuple):
    """One number of a table: whose it is, of which measure, and whether its head says that it is a percentage."""

    system: str
    measure: Measure
    number: Written
    percent: bool
    line: int | None
    queries: int | None = None  # as the row itself says


class Whose(NamedTuple):
    """The system of a row, and its number of queries where the row says it."""

    system: str
    queries: int | None = None


@dataclass(slots=True)
class Cells:
    """The numbers of a table, NumQ by system, and what was not read."""

    cells: list[Cell] = field(default_factory=list)
    queries: dict[str, int] = field(default_factory=dict)
    left: dict[str, None] = field(default_factory=dict)  # names of columns or measures that are none here
    blank: int = 0  # cells without a value
    cut: int = 0  # cells with more in them than a number
    single: int = 0  # rows of single queries


def read_cells(grid: Grid, name: str) -> Cells:
    """Return the cells of a table. InputError for what is no number, and where no measure is named at all."""
    reader = _Reader(grid, name)
    if reader.named(MEASURES) is None:
        reader.wide()
    elif reader.named(VALUES) is None:
        reader.across()
    else:
        reader.tidy()
    reader.faults.raise_any()
    if not reader.found.cells:
        hint = f"its columns are {', '.join(map(seen, grid.header[:12]))}" if grid.header else None
        raise InputError(Fault("names no measure with a value", name, expected=EXPECTED, hint=hint))
    return reader.found


def _spelled(head: str) -> str:
    return head.strip(" *_`").lower().replace("-", "_").replace(" ", "_")


class _Reader:
    """Reads one grid, in the way that its header asks for."""

    def __init__(self, grid: Grid, name: str) -> None:
        self._grid = grid
        self._name = name
        self._heads = list(map(_spelled, grid.header))
        self.found = Cells()
        self.faults = Faults()

    def named(self, names: Sequence[str]) -> int | None:
        """Return the first column that is called so."""
        return next((at for at, head in enumerate(self._heads) if head in names), None)

    def wide(self) -> None:
        """Read a row a system, a column a measure."""
        known = {at: one for at in range(len(self._heads)) if (one := self._measure_of(at))}
        labels = self._labels(set(known))
        cutoff = self.named(CUTOFFS)
        self._leave({*known, *labels, *self._columns(cutoff, self.named(COUNTS), self.named(QUERIES))})
        for row, whose in self._rows(labels):
            for at, one in known.items():
                self._cell(whose, self._cut(one, row, cutoff), row, at)

    def tidy(self) -> None:
        """Read a row a value."""
        measure, value, cutoff = (self.named(names) for names in (MEASURES, VALUES, CUTOFFS))
        used = self._columns(measure, value, cutoff, self.named(COUNTS), self.named(QUERIES))
        labels = self._labels(used)
        self._leave({*labels, *used})
        for row, whose in self._rows(labels):
            one = measure_in(row.cells[measure or 0])
            if one is None:
                self.found.left[row.cells[measure or 0]] = None
            else:
                self._cell(whose, self._cut(one, row, cutoff), row, value or 0)

    def across(self) -> None:
        """Read a row a measure, a column a system."""
        measure, cutoff = self.named(MEASURES) or 0, self.named(CUTOFFS)
        used = self._columns(measure, cutoff)
        systems = [at for at in range(len(self._heads)) if at not in used and self._holds_numbers(at)]
        self._leave({*systems, *used})
        for row in self._grid.rows:
            head = row.cells[measure]
            one = measure_in("NumQ" if _spelled(head) in COUNTS else head)
            if one is None:
                self.found.left[head] = None
                continue
            for at in systems:
                self._cell(Whose(self._grid.header[at]), self._cut(one, row, cutoff), row, at)

    def _columns(self, *found: int | None) -> set[int]:
        return {at for at in found if at is not None}

    def _measure_of(self, at: int) -> Named | None:
        """Return the measure of a column; None where it names none, something else, or holds no number at all."""
        if any(self._heads[at] in names for names in (SYSTEMS, SETS, CUTOFFS, COUNTS, QUERIES)):
            return None
        is_empty = all(row.cells[at].lower() in BLANK for row in self._grid.rows)
        return measure_in(self._grid.header[at]) if is_empty or self._holds_numbers(at) else None

    def _holds_numbers(self, at: int) -> bool:
        return any(number_in(row.cells[at]) for row in self._grid.rows)

    def _labels(self, taken: set[int]) -> list[int]:
        """Return the columns that name a row; where none is called so, the first that is no number's."""
        free = [at for at in range(len(self._heads)) if at not in taken]
        known = [at for at in free if self._heads[at] in (*SYSTEMS, *SETS)]
        if any(self._heads[at] in SYSTEMS for at in known):
            return known
        apart = (*SETS, *CUTOFFS, *COUNTS, *QUERIES)
        first = next((at for at in free if self._heads[at] not in apart and self._names(at)), None)
        return [*self._columns(first), *known]

    def _names(self, at: int) -> bool:
        """Return whether the cells of a column are names, not numbers: of the first column without a head, any are."""
        return not self._heads[at] or not self._holds_numbers(at)

    def _leave(self, used: set[int]) -> None:
        self.found.left |= {head: None for at, head in enumerate(self._grid.header) if at not in used}

    def _rows(self, labels: Sequence[int]) -> Iterator[tuple[Line, Whose]]:
        """Yield the rows of aggregates, each with its system's name."""
        query = self.named(QUERIES)
        for number, row in enumerate(self._grid.rows, 1):
            if query is not None and row.cells[query].lower() not in OVER_ALL:
                self.found.single += 1
                continue
            parts = [bare for at in labels if (bare := row.cells[at].strip(" *_`"))]
            system = " / ".join(parts) or (f"row {number}" if self.named(MEASURES) is None else self._name)
            yield row, Whose(system, self._count(row, self.named(COUNTS)))

    def _count(self, row: Line, at: int | None) -> int | None:
        """Return the number of queries in a cell, if there is one."""
        if at is None or row.cells[at].lower() in BLANK:
            return None
        count = count_in(row.cells[at])
        if count is None:
            self._refuse(row, at, "a number of queries, a whole number from 1 on")
        return count

    def _cut(self, one: Named, row: Line, at: int | None) -> Named:
        """Return the measure with the cutoff of the row's own column, if it has none."""
        measure = one.measure
        if at is None or row.cells[at].lower() in BLANK or measure.at_field != "cutoff" or "@" in str(measure):
            return one
        count = count_in(row.cells[at])
        if count is None:
            self._refuse(row, at, "a cutoff, a whole number from 1 on")
            return one
        cut = measure_in(f"{measure}@{count}")
        return one._replace(measure=cut.measure) if cut else one

    def _cell(self, whose: Whose, one: Named, row: Line, at: int) -> None:
        text = row.cells[at]
        if text.lower().strip(" *_`") in BLANK:
            self.found.blank += 1
        elif one.measure.symbol == "NumQ":
            if count := self._count(row, at):
                self.found.queries[whose.system] = count
        elif number := number_in(text):
            self.found.cut += number.more
            self.found.cells.append(Cell(whose.system, one.measure, number, one.percent, row.number, whose.queries))
        else:
            self._refuse(row, at, "a number, such as 0.345 or 34.5%")

    def _refuse(self, row: Line, at: int, expected: str) -> None:
        head = self._grid.header[at]
        self.faults.add(Fault(seen(row.cells[at], 60), self._name, row.number, column=head, expected=expected))
