"""Which judgments or results do tables and records with named columns hold: CSV, JSON lines, Parquet, Arrow?"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rankproof.contract import Contract
from rankproof.errors import Fault, Faults, InputError, seen
from rankproof.formats.cells import NO_COLUMN, Cells, judgments_of, results_of
from rankproof.formats.columnar import read_arrow, read_parquet
from rankproof.formats.columns import columns_of
from rankproof.formats.delimited import decoded, first_row, rows_below
from rankproof.formats.doubtful import DoubtfulIds
from rankproof.formats.files import LONGEST_LINE, Source
from rankproof.formats.frames import qrels_of_frame, runs_of_frame
from rankproof.formats.judged import qrels_of_rows
from rankproof.formats.objects import Pairs
from rankproof.formats.results import runs_of_rows
from rankproof.model import Qrels, Run

QRELS = "a column each for query_id, doc_id and grade"
RUN = "a column each for query_id, doc_id, and score or rank"


def _cells(line: int | None, row: Sequence[Any], at: Sequence[int | None]) -> Cells:
    return Cells(line, *(NO_COLUMN if one is None else row[one] for one in at))


def delimited(source: Source, number: str, faults: Faults) -> Iterator[Cells]:
    """Yield the rows under a header; `number`: whether it names a `grade` or a `score`. A fault for what is none."""
    csv.field_size_limit(LONGEST_LINE)  # one for the whole process: another reader may have set its own
    lines = decoded(source, faults, LONGEST_LINE)
    first = next(((line, text) for line, text in lines if text.strip()), None)
    if first is None:
        return
    try:
        header, delimiter = first_row(first[1])
    except csv.Error as error:
        raise InputError(Fault(f"is not CSV: {error}", source.name, first[0], expected="a header")) from error
    at = columns_of(header, number, source.name)
    doubtful = DoubtfulIds(source.name, faults)
    for line, row in rows_below(source.name, header, lines, delimiter, faults):
        cells = _cells(line, row, at)
        if doubtful.passes(cells, row):
            yield cells
    doubtful.tell()


def read_delimited_qrels(source: Source, contract: Contract) -> Qrels:
    """Read qrels from a table with a header, parted by commas, semicolons or tabs."""
    faults = Faults()
    rows = judgments_of(delimited(source, "grade", faults), faults, source.name)
    return qrels_of_rows(rows, contract, faults, source.name, QRELS)


def read_delimited_runs(source: Source, _: Contract) -> list[Run]:
    """Read runs from a table with a header: one, or one for each name in a column `run`."""
    faults = Faults()
    rows = results_of(delimited(source, "score", faults), faults, source.name)
    return runs_of_rows(rows, faults, source.name, source.stem, RUN)


def _json_lines(source: Source, faults: Faults, expected: str) -> Iterator[tuple[int, Any]]:
    for line, text in decoded(source, faults, LONGEST_LINE):
        if not text.strip():
            continue
        try:
            yield line, json.loads(text, object_pairs_hook=Pairs)
        except (ValueError, RecursionError) as error:
            faults.add(Fault(f"is not JSON: {getattr(error, 'msg', error)}", source.name, line, expected=expected))


_RECORD: Mapping[str, str] = {
    "grade": 'an object a line: {"query_id": …, "doc_id": …, "grade": …}',
    "score": 'an object a line: {"query_id": …, "doc_id": …, "score": …}',
}


def cells_of_records(
    records: Iterable[tuple[int | None, Any]], number: str, faults: Faults, name: str
) -> Iterator[Cells]:
    """Yield the cells of JSON objects, as pairs; a fault for what is no such record."""
    known: dict[tuple[str, ...], tuple[int | None, ...]] = {}
    for line, record in records:
        if not isinstance(record, Pairs):
            faults.add(Fault(f"is {seen(record, 60)}", name, line, expected=_RECORD[number]))
            continue
        fields = tuple(key for key, _ in record)
        try:
            at = known[fields] if fields in known else known.setdefault(fields, _fields(fields, number, name))
        except InputError as error:
            for fault in error.faults:
                faults.add(Fault(fault.message, name, line, expected=_RECORD[number], hint=fault.hint))
            continue
        yield _cells(line, [value for _, value in record], at)


def _fields(fields: Sequence[str], number: str, name: str) -> tuple[int | None, ...]:
    if twice := sorted({one for one in fields if fields.count(one) > 1}):
        raise InputError(Fault(f"the field {twice[0]} comes twice", name))
    return columns_of(fields, number, name)


def record_lines(source: Source, number: str, faults: Faults) -> Iterator[Cells]:
    """Yield the cells of a JSON object a line; `number` is `grade` or `score`. A fault for what is none."""
    records = _json_lines(source, faults, _RECORD[number])
    return cells_of_records(records, number, faults, source.name)


def read_jsonl_qrels(source: Source, contract: Contract) -> Qrels:
    """Read qrels from a JSON object a line."""
    faults = Faults()
    rows = judgments_of(record_lines(source, "grade", faults), faults, source.name)
    return qrels_of_rows(rows, contract, faults, source.name, _RECORD["grade"])


def read_jsonl_runs(source: Source, _: Contract) -> list[Run]:
    """Read runs from a JSON object a line."""
    faults = Faults()
    rows = results_of(record_lines(source, "score", faults), faults, source.name)
    return runs_of_rows(rows, faults, source.name, source.stem, _RECORD["score"])


def read_parquet_qrels(source: Source, contract: Contract) -> Qrels:
    """Read qrels from the columns of a Parquet file."""
    return qrels_of_frame(read_parquet(source), contract, source.name)


def read_parquet_runs(source: Source, _: Contract) -> list[Run]:
    """Read runs from the columns of a Parquet file."""
    return runs_of_frame(read_parquet(source), source.stem, source.name)


def read_arrow_qrels(source: Source, contract: Contract) -> Qrels:
    """Read qrels from the columns of an Arrow (Feather) file."""
    return qrels_of_frame(read_arrow(source), contract, source.name)


def read_arrow_runs(source: Source, _: Contract) -> list[Run]:
    """Read runs from the columns of an Arrow (Feather) file."""
    return runs_of_frame(read_arrow(source), source.stem, source.name)
