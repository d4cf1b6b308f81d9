"""Dataframes of any library that Narwhals knows (pandas, polars, pyarrow, Modin, …)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import repeat
from typing import TYPE_CHECKING, Any

from rankproof.contract import Contract
from rankproof.errors import Fault, Faults, InputError, MissingPackageError
from rankproof.formats.cells import NO_COLUMN, Cells, judgments_of, results_of
from rankproof.formats.columns import columns_of
from rankproof.formats.judged import qrels_of_rows
from rankproof.formats.results import runs_of_rows
from rankproof.model import Qrels, Run

if TYPE_CHECKING:
    from types import ModuleType

BACKENDS = ("pandas", "polars", "pyarrow")


def is_frame(given: object) -> bool:
    """Return whether an object is a dataframe, without importing anything."""
    return hasattr(given, "columns") and hasattr(given, "shape") and not isinstance(given, Mapping)


def qrels_of_frame(frame: object, contract: Contract, name: str = "qrels") -> Qrels:
    """Return qrels from columns query_id, doc_id and grade (or names that tools use for them)."""
    faults = Faults()
    rows = judgments_of(cells_of_frame(frame, name, "grade"), faults, name)
    return qrels_of_rows(rows, contract, faults, name, "rows with query_id, doc_id and grade")


def runs_of_frame(frame: object, name: str = "run", source: str | None = None) -> list[Run]:
    """Return the runs of columns query_id, doc_id, and score or rank: one, or one for each name in a column `run`."""
    faults, where = Faults(), source or name
    rows = results_of(cells_of_frame(frame, where, "score"), faults, where)
    runs = runs_of_rows(rows, faults, where, name, "rows with query_id, doc_id, and score or rank")
    return [replace(run, source=source) for run in runs]


def cells_of_frame(frame: object, name: str, number: str) -> Iterator[Cells]:
    """Yield the cells of a dataframe's rows; `number` is `grade` or `score`. InputError without these columns."""
    narwhals = _narwhals()
    try:
        known = narwhals.from_native(frame, eager_only=True)
    except (narwhals.exceptions.NarwhalsError, TypeError) as error:  # a column twice; a frame that is not there yet
        raise InputError(Fault(f"is no dataframe that can be read: {error}", name)) from error
    header = [column if isinstance(column, str) else "" for column in known.columns]
    at = columns_of(header, number, name)
    columns = [repeat(NO_COLUMN) if one is None else known[header[one]].to_list() for one in at]
    for row, cells in enumerate(zip(*columns, strict=False), 1):
        yield Cells(row, *cells)


def _narwhals() -> ModuleType:
    try:
        import narwhals.stable.v2 as narwhals  # noqa: PLC0415 - an extra, loaded for dataframes only
    except ImportError as error:
        hint = 'pip install "rankproof[frames]"'
        raise MissingPackageError(Fault("dataframes need the package narwhals", hint=hint)) from error
    return narwhals


def to_frame(columns: Mapping[str, Sequence[Any]], backend: str | None = None) -> Any:
    """Return a dataframe of pandas, polars or pyarrow: the one named, else the first that is installed."""
    if backend is not None and backend not in BACKENDS:
        raise InputError(Fault(f"there is no dataframe backend {backend!r}", expected=f"one of {', '.join(BACKENDS)}"))
    found = [name for name in ([backend] if backend else BACKENDS) if find_spec(name)]
    if not found:
        missing = backend or "pandas, polars or pyarrow"
        raise MissingPackageError(Fault(f"{missing} is not installed", hint=f"pip install {backend or 'pandas'}"))
    typed = {name: _of_one_type(column) for name, column in columns.items()}
    return _narwhals().from_dict(typed, backend=found[0]).to_native()


def _of_one_type(column: Sequence[Any]) -> list[Any]:
    """Return a column with its counts as floats where it holds a fraction too: some libraries want one type."""
    if any(isinstance(value, float) for value in column):
        return [float(value) if isinstance(value, int) else value for value in column]
    return list(column)
