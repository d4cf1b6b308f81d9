"""The road of Parquet and Arrow: columns are placed as the rows are that are read from them, or left."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from needed import installed

import rankproof as rp
from rankproof.contract import Contract
from rankproof.errors import RankproofError
from rankproof.formats import as_qrels, as_runs
from rankproof.model import UnreadTable
from rankproof.placements import plain
from rankproof.placements.arrays import table

pa, feather, parquet = installed("pyarrow"), installed("pyarrow.feather"), installed("pyarrow.parquet")

SCORES = st.sampled_from([2.5, 2.0, 16777217.0, 16777216.0, -1.0])
IDS = st.sampled_from(["a", "b", "a b", "d10", "d1", "한", "a long name of a document, longer than a word"])
ROWS = st.lists(
    st.tuples(st.sampled_from(["1", "2", "query three"]), IDS, SCORES),
    min_size=1,
    unique_by=lambda one: one[:2],
)
CONTRACTS = [
    Contract(),
    Contract(score_precision="single"),
    Contract(ties="as-given"),
    Contract(ties="expected"),
    Contract(duplicate_document="unchecked", ties="document-id-ascending"),
]


@pytest.fixture(autouse=True)
def however_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The road is taken for small files too."""
    monkeypatch.setattr("rankproof.formats.unread.SMALLEST", {"run": 0, "qrels": 0})


def written(rows: list[tuple], path: Path, batch: int, **columns: Any) -> Path:
    """A file of these rows, so many in a batch."""
    queries, docs, scores = map(list, zip(*rows, strict=True))
    held = pa.table({"query_id": queries, "doc_id": docs, "score": scores, **columns})
    if path.suffix == ".parquet":
        parquet.write_table(held, path, row_group_size=batch)
    else:
        feather.write_feather(held, path, chunksize=batch, compression="uncompressed")
    return path


def both(qrels: dict, path: Path, contract: Contract) -> tuple[Any, Any]:
    """What the plain road says of the file that is read, and what this one says of its columns."""
    try:
        (read,), _ = as_runs(path, contract)
        expected = plain.place(qrels, read, contract)
    except RankproofError:
        expected = None
    (unread,), _ = as_runs(path, contract, lazily=True)
    assert isinstance(unread.rankings, UnreadTable)
    found = table.place(as_qrels(qrels, contract), unread, contract)
    return expected, found if found is None else replace(found, queries=dict(found.queries))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ROWS, st.booleans(), st.integers(1, 5), st.sampled_from([".parquet", ".arrow"]), st.sampled_from(CONTRACTS))
def test_columns_are_placed_as_rows(
    tmp_path: Path, rows: list, grouped: bool, batch: int, end: str, contract: Contract
) -> None:
    """Whatever the batches, the order of the rows and the ids: the placements of the run that is read."""
    ordered = sorted(rows, key=lambda row: row[0]) if grouped else rows
    qrels = {"1": {"a": 1, "d1": 2, "한": 0}, "query three": {"a b": 1}, "4": {"a": 1}}
    expected, found = both(qrels, written(ordered, tmp_path / f"run{end}", batch), contract)
    assert found == expected


def test_whole_numbers_are_ids(tmp_path: Path) -> None:
    """Columns of numbers are ids as they are spelled, and scores that are whole are scores."""
    path = tmp_path / "run.parquet"
    parquet.write_table(pa.table({"qid": [1, 1, 2], "docno": [7, 8, 7], "score": [1, 2, 3], "rank": [2, 1, 1]}), path)
    expected, found = both({"1": {"7": 1}, "2": {"9": 1}}, path, Contract())
    assert found == expected
    assert found.queries["1"].ranks == [2]


@pytest.mark.parametrize(
    "columns",
    [
        {"query_id": ["1", None], "doc_id": ["a", "b"], "score": [1.0, 2.0]},
        {"query_id": ["1", "1"], "doc_id": ["a", ""], "score": [1.0, 2.0]},
        {"query_id": ["1", "1"], "doc_id": ["a", "b"], "score": [1.0, None]},
        {"query_id": ["1", "1"], "doc_id": ["a", "b"], "score": [1.0, float("nan")]},
        {"query_id": ["1", "1"], "doc_id": ["a", "a"], "score": [1.0, 2.0]},
        {"query_id": ["1", "1"], "doc_id": ["a", "b"], "score": [1.0, 2.0], "rank": [1, None]},
    ],
)
def test_what_is_wrong_is_left_to_the_reader(tmp_path: Path, columns: dict[str, list]) -> None:
    """A row that lacks something, a document twice, NaN: refused as ever, with the reader's words."""
    path = tmp_path / "run.parquet"
    parquet.write_table(pa.table(columns), path)
    expected, found = both({"1": {"a": 1}}, path, Contract())
    assert (expected, found) == (None, None)
    with pytest.raises(RankproofError):
        rp.evaluate({"1": {"a": 1}}, path)


@pytest.mark.parametrize(
    "columns",
    [
        {"query_id": ["1"], "doc_id": ["a"], "rank": [1]},
        {"query_id": ["1"], "doc_id": ["a"], "score": ["1.5"]},
        {"query_id": [1.0], "doc_id": ["a"], "score": [1.5]},
        {"query_id": ["1"], "doc_id": ["a"], "score": [1.5], "run": ["x"]},
        {"query_id": ["1"], "doc_id": ["a"], "score": [1.5], "rank": ["1"]},
    ],
)
def test_other_tables_are_read_at_once(tmp_path: Path, columns: dict[str, list]) -> None:
    """Ranks alone, spelled scores, other ids, names of runs: nothing is left unread."""
    path = tmp_path / "run.parquet"
    parquet.write_table(pa.table(columns), path)
    try:
        found, _ = as_runs(path, Contract(), lazily=True)
    except RankproofError:
        return
    assert not any(isinstance(run.rankings, UnreadTable) for run in found)


def test_evaluate_takes_the_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values, counts and the run's name are those of the run that is read, and no row is read for them."""
    rows = [(str(query), f"d{at}", 9.0 - at) for query in range(3) for at in range(5)]
    path, qrels = written(rows, tmp_path / "bm25.parquet", 4), {"0": {"d1": 1}, "2": {"d4": 2, "x": 1}}
    expected = rp.evaluate(qrels, rp.read_run(path), ["AP", "nDCG@3", "NumRet"])
    monkeypatch.setattr("rankproof.placements.plain.place", None)
    found = rp.evaluate(qrels, path, ["AP", "nDCG@3", "NumRet"])
    assert found.to_dict() == expected.to_dict()
    assert found.run == "bm25"


def test_a_damaged_file_is_refused_as_ever(tmp_path: Path) -> None:
    """Bytes that are missing are said, whichever road comes to them."""
    path = written([("1", f"d{at}", 1.0) for at in range(500)], tmp_path / "run.parquet", 100)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(RankproofError, match="damaged"):
        rp.evaluate({"1": {"d1": 1}}, path)
