"""How are judgments and runs written as tables: CSV, JSON lines, Parquet, Arrow?"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isfinite
from typing import Any, NamedTuple

from rankproof.answers import spell
from rankproof.errors import Fault, Faults, InputError, MissingPackageError
from rankproof.formats.trec import OTHERS
from rankproof.model import Qrels, Ranking, Run


def check_ids(pairs: Iterable[tuple[str, str]], why: Callable[[str, str], str | None], what: str, path: str) -> None:
    """Refuse ids that cannot stand in a file, each with why. InputError lists them."""
    faults = Faults()
    for query, doc in pairs:
        if reason := why(query, doc):
            faults.add(Fault(f"cannot stand in {what}: {reason}", path, query_id=query, doc_id=doc, hint=OTHERS))
    faults.raise_any()


def pairs_of(qrels: Qrels) -> Iterator[tuple[str, str]]:
    """Return each judgment's query and document."""
    return ((query, doc) for query, grades in qrels.items() for doc in grades)


def results_of(runs: Sequence[Run]) -> Iterator[tuple[str, str]]:
    """Return each result's query and document."""
    return ((query, doc) for run in runs for query, ranking in run.rankings.items() for doc in ranking.doc_ids)


def check_finite(query: str, ranking: Ranking, path: str) -> None:
    """Refuse a score that JSON has no number for."""
    for doc, score in zip(ranking.doc_ids, ranking.scores or (), strict=False):
        if not isfinite(score):
            message = f"the score {score} cannot stand in JSON"
            raise InputError(Fault(message, path, query_id=query, doc_id=doc, hint="TREC and CSV hold it"))


_ENDS = {",": "\r\n", "\t": "\t\r\n"}
"""What an id cannot hold between these."""


class _Table(NamedTuple):
    header: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def _judgments(qrels: Qrels) -> _Table:
    rows = [(query, doc, grade) for query, grades in qrels.items() for doc, grade in grades.items()]
    return _Table(("query_id", "doc_id", "grade"), rows)


def _runs(runs: Sequence[Run], path: str) -> _Table:
    """Return a row a result; ranks where a ranking has them, or where nothing else orders it."""
    rankings = [one for run in runs for one in run.rankings.values() if len(one.doc_ids)]
    scored = {one.scores is not None for one in rankings}
    if len(scored) > 1:
        message = "some queries have scores, others have none"
        raise InputError(Fault(message, path, hint=OTHERS))
    ranked = {one.ranks is not None for one in rankings} if scored == {True} else {True}
    if len(ranked) > 1:
        raise InputError(Fault("some queries have ranks, others have none", path))
    columns = (
        "run",
        "query_id",
        "doc_id",
        *(["rank"] if ranked != {False} else []),
        *(["score"] if True in scored else []),
    )
    rows = []
    for run in runs:
        for query, one in run.rankings.items():
            places = one.ranks if one.ranks is not None else range(1, len(one.doc_ids) + 1)
            for at, (doc, place) in enumerate(zip(one.doc_ids, places, strict=True)):
                score = [] if one.scores is None else [float(one.scores[at])]
                rows.append((run.name, query, doc, *([place] if "rank" in columns else []), *score))
    return _Table(columns, rows)


def _check_table(pairs: Iterable[tuple[str, str]], path: str, without: str = "") -> None:
    """Refuse ids that would not read back: empty ones, and those with one of the signs that part cells or rows."""

    def why(query: str, doc: str) -> str | None:
        spelled = query + doc
        if not query or not doc:
            return "an id is empty"
        if "\0" in spelled or spelled.encode(errors="replace").decode() != spelled:
            return "an id holds a zero byte or half of a surrogate pair"
        return "an id holds a tab, or the end of a line" if set(without) & set(spelled) else None

    check_ids(pairs, why, "a table", path)


def delimited_text(header: Sequence[str], rows: Iterable[Sequence[Any]], delimiter: str) -> str:
    """Return a table with its header, parted by commas, where cells are quoted, or tabs."""
    quoted = str if delimiter == "\t" else _quoted
    lines = [[quoted(_spelled(cell)) for cell in row] for row in (header, *rows)]
    return "".join(delimiter.join(line) + "\n" for line in lines)


def _quoted(cell: str) -> str:
    """Return a cell in quotes where it needs them; the csv module leaves a lone carriage return without."""
    return '"' + cell.replace('"', '""') + '"' if set('",\r\n') & set(cell) else cell


def _spelled(cell: Any) -> str:
    return cell if isinstance(cell, str) else spell(cell) if isinstance(cell, int) else repr(cell)


def csv_qrels(delimiter: str) -> Callable[[Qrels, str], str]:
    """Return how judgments are written between these delimiters."""

    def write(qrels: Qrels, path: str) -> str:
        _check_table(pairs_of(qrels), path, _ENDS[delimiter])
        return delimited_text(*_judgments(qrels), delimiter)

    return write


def csv_runs(delimiter: str) -> Callable[[Sequence[Run], str], str]:
    """Return how runs are written between these delimiters, all in one table."""

    def write(runs: Sequence[Run], path: str) -> str:
        _check_table(results_of(runs), path, _ENDS[delimiter])
        _check_table(((run.name, run.name) for run in runs), path, _ENDS[delimiter])
        return delimited_text(*_runs(runs, path), delimiter)

    return write


def _lines(table: _Table) -> str:
    rows = (dict(zip(table.header, row, strict=True)) for row in table.rows)
    return "".join(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows)


def jsonl_qrels(qrels: Qrels, path: str) -> str:
    """Return judgments as an object a line."""
    _check_table(pairs_of(qrels), path)
    return _lines(_judgments(qrels))


def jsonl_runs(runs: Sequence[Run], path: str) -> str:
    """Return runs as an object a line, all in one file."""
    _check_table(results_of(runs), path)
    for run in runs:
        for query, ranking in run.rankings.items():
            check_finite(query, ranking, path)
    return _lines(_runs(runs, path))


def _columns(table: _Table, path: str, ending: str) -> bytes:
    """Return a table as Parquet or Arrow. MissingPackageError without pyarrow."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - only where such a file is written
    except ModuleNotFoundError as error:
        hint = 'pip install "rankproof[parquet]"'
        raise MissingPackageError(Fault(f"{ending} needs the package pyarrow", path, hint=hint)) from error
    columns = [list(column) for column in zip(*table.rows, strict=True)]
    typed = [pa.array(_of_one_type(column)) for column in columns]
    held, into = pa.table(dict(zip(table.header, typed, strict=True))), io.BytesIO()
    if ending == "parquet":
        import pyarrow.parquet  # noqa: PLC0415

        pyarrow.parquet.write_table(held, into)
    else:
        import pyarrow.ipc  # noqa: PLC0415

        with pyarrow.ipc.new_file(into, held.schema) as file:
            file.write_table(held)
    return into.getvalue()


def _of_one_type(column: list[Any]) -> list[Any]:
    return [float(cell) for cell in column] if any(isinstance(cell, float) for cell in column) else column


def columnar_qrels(ending: str) -> Callable[[Qrels, str], bytes]:
    """Return how judgments are written as columns. MissingPackageError without pyarrow."""

    def write(qrels: Qrels, path: str) -> bytes:
        _check_table(pairs_of(qrels), path)
        return _columns(_judgments(qrels), path, ending)

    return write


def columnar_runs(ending: str) -> Callable[[Sequence[Run], str], bytes]:
    """Return how runs are written as columns, all in one table. MissingPackageError without pyarrow."""

    def write(runs: Sequence[Run], path: str) -> bytes:
        _check_table(results_of(runs), path)
        return _columns(_runs(runs, path), path, ending)

    return write
