"""What does a table of results say: which value has each system, how exactly, on which scale?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeAlias

from rankproof.aggregates.cells import Cell, Cells, read_cells
from rankproof.aggregates.grid import read_grid
from rankproof.arithmetic import check_count
from rankproof.errors import Fault, Faults, InputError
from rankproof.formats.files import Source
from rankproof.measures import Measure
from rankproof.words import counted, first_of

Scale: TypeAlias = Literal["share", "percent", "unknown", "number"]
"""How a value is written: from 0 to 1; from 0 to 100; one of these two; or the measure is no share."""

FINEST = Fraction(1, 10**6)
"""No value counts as written more exactly than this: floats, of single precision in some tools, keep no more."""

CLEARLY = 10
"""A share written as more than this was meant as a percentage."""


class Stated(NamedTuple):
    """A value as a table states it: it stands for all numbers from `low` to `high`, shares from 0 to 1."""

    text: str
    low: Fraction
    high: Fraction
    scale: Scale
    line: int | None
    queries: int | None = None  # over how many the mean goes, where that is known


@dataclass(frozen=True, slots=True)
class Row:
    """One system's values by measure."""

    system: str
    values: Mapping[Measure, Stated]

    @property
    def line(self) -> int | None:
        """Return the line of its first value."""
        return next(iter(self.values.values())).line


@dataclass(frozen=True, slots=True)
class Aggregates:
    """A table of results as it was read, and what was left out of it."""

    name: str
    rows: Sequence[Row]
    left: Sequence[str] = ()  # columns and measures that are none here
    blank: int = 0  # cells without a value
    cut: int = 0  # cells that hold more than their number
    single: int = 0  # rows of single queries
    around: int = 0  # lines of text around a Markdown table

    @property
    def measures(self) -> Sequence[Measure]:
        """Return the measures, in the order in which they come."""
        return list(dict.fromkeys(measure for row in self.rows for measure in row.values))

    def scales(self) -> Mapping[Scale, Sequence[str]]:
        """Return the measures on each scale that was assumed."""
        found: dict[Scale, dict[str, None]] = {}
        for row in self.rows:
            for measure, stated in row.values.items():
                found.setdefault(stated.scale, {})[str(measure)] = None
        return {scale: list(names) for scale, names in found.items()}

    def notes(self) -> list[str]:
        """Return what is to be known beside the findings, as sentences: the scale, and what was not read."""
        notes = [f"{self.name}: {counted(len(self.rows), 'system')}, {counted(len(self.measures), 'measure')}"]
        notes += [SAYS[scale].format(first_of(names, 6)) for scale, names in self.scales().items() if scale in SAYS]
        left = f"not known, left alone: {first_of(self.left, 6)}"
        told = (
            (len(self.left), "column or measure", "columns or measures", left),
            (self.blank, "cell", "cells", "without a value"),
            (self.cut, "cell", "cells", "with more than a number: the number alone was read"),
            (self.single, "row", "rows", "of single queries, left alone"),
            (self.around, "line", "lines", "of text around the table, left alone"),
        )
        return notes + [f"{counted(count, one, several)} {says}" for count, one, several, says in told if count]

    def to_dict(self) -> dict[str, Any]:
        """Return what was read and left out, ready for JSON."""
        return {
            "systems": [row.system for row in self.rows],
            "measures": [str(measure) for measure in self.measures],
            "scales": {scale: list(names) for scale, names in self.scales().items()},
            "left": list(self.left),
            "blank": self.blank,
            "cut": self.cut,
            "single": self.single,
            "around": self.around,
        }


SAYS: Mapping[Scale, str] = {
    "share": "read as shares from 0 to 1: {}",
    "percent": "read as percentages: {}",
    "unknown": "shares or percentages, which is open, so they are compared with nothing: {}",
}
"""How each scale is told."""


def read_aggregates(source: Source, queries: int | None = None) -> Aggregates:
    """Return a table of results: a row a system and a column a measure, or the other way round, or a row a value.

    CSV (parted by commas, semicolons or tabs) with a header, a Markdown table, a JSON list of objects, or an object of
    objects. `queries`: over how many each mean goes, where the table has no column that says it.

    A value written with d decimals stands for all numbers within half a step of the last, 0.5 · 10^-d. Shares are read
    as percentages where a percent sign or the head says so, where none of them is at most 1, and in columns above 1
    where one of the table is above 10. Where some are above 1, none above 10, either may be meant: the scale is open.

    InputError, with line and column, for a file that is no such table, a cell that is no number, and a value that is
    given twice.
    """
    if queries is not None:
        check_count("queries", queries, InputError)
    grid = read_grid(source)
    found = read_cells(grid, source.name)
    rows = _rows(found, queries, source.name)
    return Aggregates(source.name, rows, list(found.left), found.blank, found.cut, found.single, grid.around)


def _rows(found: Cells, queries: int | None, name: str) -> list[Row]:
    by_system: dict[str, dict[Measure, Cell]] = {}
    faults = Faults()
    for cell in found.cells:
        own = by_system.setdefault(cell.system, {})
        if first := own.get(cell.measure):
            where = "" if first.line is None else f" (first on line {first.line})"
            hint = "name each row in one column called system; data sets in one called dataset"
            message = f"{cell.system} has two values{where}"
            faults.add(Fault(message, name, cell.line, column=str(cell.measure), expected="one", hint=hint))
        own[cell.measure] = cell
    faults.raise_any()
    scales, said = _Scales(found.cells), found.queries
    return [
        Row(
            system,
            {one: _stated(cell, scales.of(cell), said.get(system, queries)) for one, cell in own.items()},
        )
        for system, own in by_system.items()
    ]


def is_share(measure: Measure) -> bool:
    """Return whether the values of a measure lie from 0 to 1."""
    return measure.most == 1


class _Scales:
    """Tells the scale of each cell from all that stand in a table."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        bare: dict[Measure, list[Fraction]] = {}
        for cell in cells:
            if is_share(cell.measure) and not (cell.percent or cell.number.percent) and cell.number.value:
                bare.setdefault(cell.measure, []).append(cell.number.value)
        self._marked = {cell.measure for cell in cells if cell.number.percent}
        written = [value for values in bare.values() for value in values]
        self._percent = bool(written) and (max(written) > CLEARLY or min(written) > 1)
        self._open = not self._percent and bool(written) and max(written) > 1
        self._above = {measure for measure, values in bare.items() if max(values) > 1}

    def of(self, cell: Cell) -> Scale:
        """Return the scale of one of the cells."""
        if not is_share(cell.measure):
            return "number"
        if cell.percent or cell.number.percent:
            return "percent"
        if cell.measure in self._marked:  # a bare number among percent signs
            return "percent" if cell.number.value > 1 else "unknown"
        if self._open:
            return "unknown"
        if not self._percent:
            return "share"
        return "percent" if cell.measure in self._above else "unknown"


def _stated(cell: Cell, scale: Scale, queries: int | None) -> Stated:
    number, by = cell.number, 100 if scale == "percent" else 1
    half = max(number.step / by / 2, FINEST)
    value = number.value / by
    return Stated(number.text, value - half, value + half, scale, cell.line, cell.queries or queries)
