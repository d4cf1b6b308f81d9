"""Which rows are of judged documents, which documents come twice in a ranking, and what becomes of these?"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from rankproof.contract import Contract
from rankproof.errors import SHOWN, ContractError, Fault, Faults, InputError
from rankproof.model import Qrels


def repeated(candidates: Any) -> Any:
    """Return the rows of an Arrow table whose document stands in another row of its ranking too.

    `candidates` has the columns query_id, doc_id, and run where there is one; ids are compared, not their hashes.
    """
    import pyarrow as pa  # noqa: PLC0415 - loaded where it counts
    import pyarrow.compute as pc  # noqa: PLC0415

    ids = ids_in(candidates.column_names)
    rows = candidates.append_column("row", pa.array(range(candidates.num_rows), pa.int64()))
    counts = rows.group_by(ids).aggregate([("row", "count")])
    twice = counts.filter(pc.greater(counts.column("row_count"), 1)).select(ids)
    return rows.join(twice, ids, join_type="left semi").sort_by("row").select(candidates.column_names)


def ids_in(columns: Collection[str]) -> list[str]:
    """Return those of these columns that say which row is of which document in which ranking."""
    return [name for name in ("run", "query_id", "doc_id") if name in columns]


def check_repeats(rows: Any, source: str | None) -> None:
    """Refuse the repeated rows of an Arrow table, a document once. ContractError."""
    faults = []
    hint = "--rule duplicate-document=keep-first, keep-best or keep-last says which one counts"
    ids = ids_in(rows.column_names)
    counts = rows.group_by(ids).aggregate([([], "count_all")]).sort_by([(name, "ascending") for name in ids])
    for one in counts.slice(0, SHOWN).to_pylist():
        of_run = f" of the run {one['run']}" if "run" in one else ""
        message = f"stands in {one['count_all']} rows{of_run}"
        faults.append(Fault(message, source, query_id=one["query_id"], doc_id=one["doc_id"], hint=hint))
    if faults:
        raise ContractError(*faults, more=counts.num_rows - len(faults))


def with_repeats(hits: Any, rows: Any, qrels: Qrels, contract: Contract, source: str | None) -> Any:
    """Return the judged rows, and the repeated ones that are not judged: their places count too.

    Where the first or the last row of a document counts: ContractError for two rows at one position, InputError for one
    without.
    """
    import pyarrow as pa  # noqa: PLC0415

    if contract.duplicate_document in ("keep-first", "keep-last"):
        _check_positions(rows, source)
    others = rows.filter(pa.array([not one for one in _judged(rows, qrels)], pa.bool_()))
    return pa.concat_tables([hits, others.select(hits.column_names).cast(hits.schema)])  # what may be null can differ


def judged_rows(rows: Any, qrels: Qrels) -> Any:
    """Return the rows of an Arrow table whose document is judged."""
    import pyarrow as pa  # noqa: PLC0415

    return rows.filter(pa.array(_judged(rows, qrels), pa.bool_()))


def _judged(rows: Any, qrels: Qrels) -> list[bool]:
    nothing: dict[str, float] = {}
    ids = zip(rows.column("query_id").to_pylist(), rows.column("doc_id").to_pylist(), strict=True)
    return [doc in qrels.get(query, nothing) for query, doc in ids]


def _check_positions(rows: Any, source: str | None) -> None:
    import pyarrow.compute as pc  # noqa: PLC0415

    if rows.column("position").null_count:
        raise InputError(Fault("holds repeated documents without a position", source, column="position"))
    by = [*ids_in(rows.column_names), "position"]
    counts = rows.group_by(by).aggregate([([], "count_all")])
    faults = Faults(ContractError)
    twice = counts.filter(pc.greater(counts.column("count_all"), 1))
    for one in twice.sort_by([(name, "ascending") for name in by]).to_pylist():
        message, expected = "stands twice at one position", "another one for each row of a query"
        place = Fault(message, source, column="position", expected=expected)
        faults.add(replace(place, query_id=one["query_id"], doc_id=one["doc_id"]))
    faults.raise_any()
