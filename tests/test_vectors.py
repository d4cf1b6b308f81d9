"""Files of vectors: each format gives the ids and numbers written to it; what is wrong is named by file, row and id."""

from __future__ import annotations

import gzip
import io
import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rankproof.errors import InputError, MissingPackageError
from rankproof.formats.files import Source
from rankproof.formats.vectors import read_vectors

IDS = ["d1", "문서 2", "d3"]
ROWS = [[1.0, -0.5], [0.25, 3.0], [0.0, 2.0]]
"""Halves and quarters: the same in every precision."""


def npy(rows=ROWS, kind="float32") -> bytes:
    held = io.BytesIO()
    np.save(held, np.array(rows, dtype=kind))
    return held.getvalue()


def npz(**arrays) -> bytes:
    held = io.BytesIO()
    np.savez(held, **arrays)
    return held.getvalue()


def parquet(kind: pa.DataType | None = None, id_name: str = "_id", name: str = "vector", rows=ROWS, ids=IDS) -> bytes:
    held = io.BytesIO()
    pq.write_table(pa.table({name: pa.array(rows, kind), "text": ["x"] * len(rows), id_name: pa.array(ids)}), held)
    return held.getvalue()


def lines(rows=ROWS, ids=IDS, id_name: str = "_id", name: str = "vector") -> bytes:
    return "\n".join(json.dumps({name: row, id_name: one}) for one, row in zip(ids, rows, strict=True)).encode()


FILES = {
    ".npy": npy(),
    ".npy of whole numbers": npy([[4, -2], [1, 12], [0, 8]], "int16"),
    ".npy, compressed": gzip.compress(npy()),
    ".npy in Fortran's order": npy(np.asfortranarray(ROWS)),
    ".npz": npz(ids=np.array(IDS), vectors=np.array(ROWS)),
    "Parquet of doubles": parquet(),
    "Parquet of singles": parquet(pa.list_(pa.float32()), "doc_id", "embedding"),
    "Parquet of halves": parquet(pa.list_(pa.float16()), rows=[[np.float16(one) for one in row] for row in ROWS]),
    "Parquet of lists of one size": parquet(pa.list_(pa.float32(), 2), "query_id"),
    "Parquet of large lists": parquet(pa.large_list(pa.float64()), "id"),
    "JSON": json.dumps(dict(zip(IDS, ROWS, strict=True))).encode(),
    "JSON in many lines": json.dumps(dict(zip(IDS, ROWS, strict=True)), indent=1).encode(),
    "JSON lines": lines(),
    "JSON lines, other names": lines(id_name="doc_id", name="embedding"),
    "JSON lines, the id first": b'{"id": "d1", "vector": [1, -0.5]}\n\n' + lines(ROWS[1:], IDS[1:], id_name="id"),
}


@pytest.mark.parametrize("kind", FILES)
def test_each_format_gives_what_was_written(kind: str, tmp_path) -> None:
    """Ids and numbers come back in their order, whatever the file is called; the bytes are hashed."""
    path = tmp_path / "some file"
    path.write_bytes(FILES[kind])
    (tmp_path / "ids").write_text("\n".join(IDS) + "\n", "utf-8")
    source = Source(path)
    ids, rows = read_vectors(source, tmp_path / "ids" if kind.startswith(".npy") else None)
    scale = 4 if "whole" in kind else 1
    assert ids == IDS
    assert (rows / scale).tolist() == ROWS
    plain = Source(path)
    with plain.open():
        pass
    assert source.sha256 == plain.sha256 is not None


def test_ids_beside(tmp_path) -> None:
    """Without a file of ids, those of NAME.ids.txt beside NAME.npy are taken; the array stays in its file."""
    (tmp_path / "docs.npy").write_bytes(npy())
    (tmp_path / "docs.ids.txt").write_bytes("\ufeffd1\r\n문서 2\r\nd3".encode())
    ids, rows = read_vectors(tmp_path / "docs.npy")
    assert ids == IDS
    assert isinstance(rows, np.memmap)
    assert rows.dtype == np.float32
    (tmp_path / "docs.npy.gz").write_bytes(gzip.compress(npy()))
    assert read_vectors(tmp_path / "docs.npy.gz")[0] == IDS


def test_numbers_keep_their_type(tmp_path) -> None:
    """Singles stay singles in Parquet and .npz: nothing is widened."""
    (tmp_path / "a").write_bytes(parquet(pa.list_(pa.float32())))
    (tmp_path / "b").write_bytes(npz(ids=np.array([1, 2]), vectors=np.ones((2, 3), dtype=np.float32)))
    assert read_vectors(tmp_path / "a")[1].dtype == np.float32
    ids, rows = read_vectors(tmp_path / "b")
    assert (ids, rows.dtype) == (["1", "2"], np.float32)


def test_many_batches(tmp_path) -> None:
    """A Parquet file of several row groups comes back whole."""
    table = pa.table({"id": [f"d{at}" for at in range(1000)], "embedding": [[at, 1.0] for at in range(1000)]})
    pq.write_table(table, tmp_path / "p", row_group_size=7)
    ids, rows = read_vectors(tmp_path / "p")
    assert (ids[999], rows[:, 0].tolist()) == ("d999", list(range(1000)))


class Planted:
    """What runs code when it is unpickled."""

    def __reduce__(self):
        return (Path.touch, (Path("unpickled"),))


BAD = {
    "nothing": (b"", "holds no vectors that can be read"),
    "text": (b"d1 1.0 2.0\n", "holds no vectors that can be read; expected .npy, .npz, Parquet, {id: [number, …]}"),
    "cut .npy": (npy()[:-3], "cannot be read as .npy"),
    "one dimension": (npy([1, 2, 3]), "holds an array of float32 of the shape (3,)"),
    "no dimensions": (npy([[], [], []]), "of the shape (3, 0)"),
    "text in an array": (npy([["x"]] * 3, "U1"), "holds an array of <U1 of the shape (3, 1); expected numbers"),
    "NaN": (npy([[1, 2], [1, math.nan], [math.inf, 1]]), "row 2: the vector of '문서 2' holds nan; expected finite"),
    "fewer rows": (npy(ROWS[:2]), "holds 2 vectors for 3 ids"),
    "cut .npz": (npz(ids=np.array(IDS), vectors=np.array(ROWS))[:-30], "cannot be read as .npz"),
    "other arrays": (npz(a=np.ones(2)), "holds no ids and no vectors, but a; expected the arrays ids and vectors"),
    "ids of two dimensions": (npz(ids=np.array([IDS]), vectors=np.array(ROWS)), "ids is an array of"),
    "fractions as ids": (npz(ids=np.ones(3), vectors=np.array(ROWS)), "ids is an array of float64"),
    "an id twice": (npz(ids=np.array(["a", "b", "a"]), vectors=np.array(ROWS)), "row 3: id 'a' comes twice (first in"),
    "cut Parquet": (parquet()[:-20], "cannot be read as Parquet"),
    "no vectors in Parquet": (parquet(name="v"), "has no column vector or embedding; it has v, text, _id"),
    "no ids in Parquet": (parquet(id_name="key"), "has no column _id or id or doc_id or query_id; it has vector, text"),
    "texts in Parquet": (parquet(rows=["a", "b", "c"]), "column vector: holds string; expected lists of numbers"),
    "lists of texts": (parquet(rows=[["a"], ["b"], ["c"]]), "holds list<"),
    "other lengths in Parquet": (parquet(rows=[[1.0], [1.0, 2.0], [1.0]]), "row 2: the vector of '문서 2' has 2 dimen"),
    "a missing list": (parquet(rows=[[1.0], None, [1.0]]), "row 2: the vector of '문서 2' is empty"),
    "a missing number": (parquet(rows=[[1.0], [None], [1.0]]), "holds a vector with an empty number"),
    "a missing id": (parquet(ids=["a", None, "b"]), "row 2: id None; expected a text"),
    "Parquet without rows": (parquet(pa.list_(pa.float32()), rows=[], ids=pa.array([], pa.string())), "no vectors"),
    "no JSON": (b'{"d1": [1, 2', "is not JSON"),
    "a number for a vector": (b'{"d1": [1], "d2": 3}', "the vector of 'd2' is 3; expected a list of numbers"),
    "text in a vector": (b'{"d1": [1], "d2": ["1"]}', "the vector of 'd2' is ['1']; expected a list of numbers"),
    "true in a vector": (b'{"d1": [true]}', "the vector of 'd1' is [True]; expected a list of numbers"),
    "an empty vector": (b'{"d1": []}', "the vector of 'd1' is empty; expected one or more numbers"),
    "another length": (b'{"d1": [1, 2], "d2": [1]}', "the vector of 'd2' has 1 dimensions; expected 2, as the first"),
    "NaN in JSON": (b'{"d1": [NaN]}', "the vector of 'd1' is [nan]; expected finite numbers"),
    "too great": (b'{"d1": [1' + b"0" * 400 + b"]}", "expected finite numbers"),
    "a key twice": (b'{"d1": [1], "d1": [2]}', "row 2: id 'd1' comes twice (first in row 1)"),
    "no vectors": (b"{}", "holds no "),
    "a line without a vector": (lines() + b'\n{"_id": "d4", "text": "x"}', "4: has no vector; expected an object"),
    "a line without anything": (lines() + b'\n{"text": "x"}', "4: has no _id and no vector"),
    "a line that is no JSON": (lines() + b"\n{", "4: is not JSON"),
    "no id in a line": (b'{"_id": null, "vector": [1]}', "1: id None; expected a text"),
    "another length in a line": (lines([[1], [2, 3], [1]]), "2: the vector of '문서 2' has 2 dimensions; expected 1"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_files_are_named(case: str, tmp_path) -> None:
    """What cannot be read is an InputError that names the file, the row or line, and the id."""
    content, says = BAD[case]
    path = tmp_path / "bad.npy"
    path.write_bytes(content)
    if content.startswith(b"\x93"):
        (tmp_path / "bad.ids.txt").write_text("\n".join(IDS), "utf-8")
    with pytest.raises(InputError) as error:
        read_vectors(path)
    assert says in str(error.value)
    assert str(error.value).startswith(str(path))


def test_nothing_is_unpickled(tmp_path, monkeypatch) -> None:
    """Objects in an .npy or an .npz are refused, and their code does not run."""
    monkeypatch.chdir(tmp_path)
    planted = np.array([Planted()], dtype=object)
    np.save("a.npy", planted, allow_pickle=True)
    Path("a.ids.txt").write_text("d")
    np.savez("b.npz", ids=planted, vectors=np.ones((1, 1)))
    with pytest.raises(InputError, match=r"a\.npy: cannot be read as \.npy"):
        read_vectors("a.npy")
    with pytest.raises(InputError, match="ids have to be text or whole numbers"):
        read_vectors("b.npz")
    assert not Path("unpickled").exists()


def test_files_of_ids(tmp_path) -> None:
    """Ids that are missing, empty or not wanted are faults of the file that should or should not hold them."""
    path, ids = tmp_path / "d.npy", tmp_path / "ids"
    path.write_bytes(npy())
    with pytest.raises(InputError) as error:
        read_vectors(path)
    assert "is an .npy, which holds no ids" in str(error.value)
    assert f"put it at {tmp_path / 'd.ids.txt'}" in str(error.value)
    ids.write_bytes(b"a\n\nb\xff\n")
    with pytest.raises(InputError) as error:
        read_vectors(path, ids)
    assert f"{ids}:2: is empty; expected an id on each line\n{ids}:3: byte 0xff" in str(error.value)
    with pytest.raises(InputError, match="there is no such file"):
        read_vectors(path, tmp_path / "none")
    path.write_bytes(lines())
    ids.write_text("a")
    with pytest.raises(InputError, match="is JSON and holds its own ids"):
        read_vectors(path, ids)


def test_through_a_pipe(tmp_path) -> None:
    """An .npy on standard input is read, its ids from a file."""
    (tmp_path / "ids").write_text("a\nb\nc\n")
    code = f"from rankproof.formats.vectors import read_vectors\nprint(read_vectors('-', {str(tmp_path / 'ids')!r}))"
    done = subprocess.run([sys.executable, "-c", code], input=npy(), capture_output=True, timeout=60, check=True)
    assert done.stdout.startswith(b"(['a', 'b', 'c'], array([[ 1.  , -0.5 ],")


def test_without_pyarrow(tmp_path, monkeypatch) -> None:
    """Parquet without pyarrow says which extra is missing."""
    (tmp_path / "p").write_bytes(parquet())
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingPackageError, match=r"rankproof\[parquet\]"):
        read_vectors(tmp_path / "p")
