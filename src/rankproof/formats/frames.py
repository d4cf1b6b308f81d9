"""Dataframes of any library that Narwhals knows (pandas, polars, pyarrow, Modin, …)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from rankproof.contract import Contract
from rankproof.errors import Fault, InputError, MissingPackageError
from rankproof.formats.objects import qrels_of, run_of
from rankproof.model import Qrels, Run

if TYPE_CHECKING:
    from types import ModuleType

COLUMNS: dict[str, tuple[str, ...]] = {
    "query_id": ("query_id", "qid", "query-id", "topic", "query", "q_id"),
    "doc_id": ("doc_id", "docid", "docno", "corpus-id", "document_id", "document", "doc"),
    "grade": ("grade", "relevance", "rel", "label", "rating", "score"),
    "score": ("score", "sim", "similarity"),
    "run": ("run", "run_name", "run_id", "system", "tag"),
}
"""What a column is called, first name first."""

BACKENDS = ("pandas", "polars", "pyarrow")


def is_frame(given: object) -> bool:
    """Return whether an object is a dataframe, without importing anything."""
    return hasattr(given, "columns") and hasattr(given, "shape") and not isinstance(given, Mapping)


def qrels_of_frame(frame: object, contract: Contract) -> Qrels:
    """Return qrels from columns query_id, doc_id and grade (or names that tools use for them)."""
    return qrels_of(_rows(frame, "qrels", ("query_id", "doc_id", "grade")), contract)


def runs_of_frame(frame: object, name: str = "run") -> list[Run]:
    """Return the runs of columns query_id, doc_id and score: one, or one for each name in a column `run`."""
    rows = _rows(frame, name, ("query_id", "doc_id", "score"), optional="run")
    of_run: dict[str, list[tuple[Any, ...]]] = {}
    for *row, run in rows:
        of_run.setdefault(name if run is None else str(run), []).append(tuple(row))
    return [run_of(own, run) for run, own in of_run.items()] or [run_of((), name)]


def _rows(frame: object, name: str, wanted: Sequence[str], optional: str | None = None) -> Iterator[tuple[Any, ...]]:
    known = _narwhals().from_native(frame, eager_only=True)
    lower = {column.lower(): column for column in known.columns if isinstance(column, str)}
    chosen = []
    for column in (*wanted, *([optional] if optional else [])):
        names = [lower[other] for other in COLUMNS[column] if other in lower]
        if not names and column != optional:
            seen = ", ".join(map(str, known.columns))
            hint = f"rename it: {column} may be called {', '.join(COLUMNS[column])}"
            raise InputError(Fault(f"has no column {column}; it has {seen}", name, hint=hint))
        chosen.append(known[names[0]].to_list() if names else [None] * len(known))
    return zip(*chosen, strict=True)


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
