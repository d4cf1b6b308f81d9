"""Whichever road a run takes, from bytes or through the readers: the same numbers, names, groups and messages."""

from __future__ import annotations

import resource
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from needed import installed

import rankproof as rp
from rankproof.errors import InputError, RankproofError
from rankproof.formats import unread
from rankproof.formats.files import Source
from rankproof.gate import gate
from rankproof.placements.arrays import scan, table

NEVER = 1 << 60
MARK = b"\xef\xbb\xbf"
QRELS = b"q1 0 d1 1\nq2 0 d2 1\n"
RUN = b"q1 Q0 d1 1 2.0 t\nq2 Q0 d2 1 1.0 t\n"
MEASURES = ("P@1", "AP", "NumRet", "Judged@10")


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Say from how many bytes, judgments or results on an input is large."""

    def from_size(size: int) -> None:
        monkeypatch.setattr(unread, "SMALLEST", {"run": size, "qrels": size})
        monkeypatch.setattr("rankproof.formats.held.MANY", size)

    return from_size


@pytest.fixture
def both(large: Callable[[int], None]) -> Callable[[Callable[[], Any]], list[Any]]:
    """Return a function that calls another as for small inputs, then as for large ones, and returns what was said."""

    def called(ask: Callable[[], Any]) -> list[Any]:
        told = []
        for size in (NEVER, 0):
            large(size)
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                try:
                    said = ask()
                except RankproofError as error:
                    said = type(error), sorted(map(str, error.faults))
            told.append((said, [str(one.message) for one in warned]))
        return told

    return called


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str, bytes], str]:
    """Return a function that writes a file and returns its path."""

    def write(name: str, content: bytes) -> str:
        (tmp_path / name).write_bytes(content)
        return str(tmp_path / name)

    return write


def found(qrels: Any, run: Any, **rules: Any) -> Any:
    """What `evaluate` finds, as far as it can be compared."""
    values = rp.evaluate(qrels, run, MEASURES, **rules)
    return values.run, values.to_dict(), values.groups, values.notes()


LONG = b"x" * (1 << 20)


@pytest.mark.parametrize(
    "run",
    [
        QRELS,
        b"q1 Q0 d1 1 2.0\nq2 Q0 d2 1 1.0\n",
        b"q1\xc2\xa0Q0 d1 1 2.0 t\n",
        b"# c\n" * 20_000 + RUN,
        b"q1 Q0 d1 1 2.0 t\n" + MARK + b"q2 Q0 d2 1 1.0 t\n",
        MARK + MARK + RUN,
        MARK + RUN,
        "q1 Q0 d1 1 2.0 한글\nq2 Q0 d2 1 1.0 한글\n".encode("cp949"),
        "q1 Q0 한 1 2.0 t\n".encode("cp949") + RUN[17:],
        RUN + b"q3 Q0 " + LONG[: (1 << 20) - 17] + b" 1 1.0 t\n",
        RUN + b"q3 Q0 " + LONG[: (1 << 20) - 16] + b" 1 1.0 t\n",
        RUN + b"q3 Q0 " + LONG[: (1 << 20) - 15] + b" 1 1.0 t\n",
        RUN + b"q3 Q0 " + LONG[: (1 << 20) - 16] + b" 1 1.0 t\r\n",
        RUN + b"q3 Q0 " + LONG[: (1 << 20) - 15] + b" 1 1.0 t",
        b"q3 Q0 " + LONG[: (1 << 20) - 14] + b" 1 1.0 t",
        b"",
        b"\n",
        b"q7 Q0 d1 1 2.0 t\n",
        b"q1 Q0 d1 1 x t\n",
        b"q1 Q0 d1 x 1.0 t\n",
        RUN + b"q1 Q0 d1 x 1.0 t\n",
    ],
)
def test_runs(run: bytes, both: Callable, written: Callable) -> None:
    """Odd runs are read, or refused, as if they were small."""
    path = written("r.txt", run)
    small, as_large = both(lambda: found({"q1": {"d1": 1}, "q2": {"d2": 1}}, path))
    assert as_large == small


@pytest.mark.parametrize(
    "qrels",
    [
        RUN,
        b"q1 d1 1\nq2 d2 1\n",
        b"q1 0 d1 1\n" + MARK + b"q2 0 d2 1\n",
        b"q1 0 d1 2\nq1 0 d1 0\nq2 0 d2 1\n",
        b"q1 0 d1 0\nq1 0 d1 2\nq2 0 d2 1\n",
        b"q1 0 d1 0\nq2 0 d2 1\nq1 0 d9 1\n",
        "q1 0 한 1\nq2 0 d2 1\n".encode("cp949"),
        b"x y\n",
        b"q1 0 d1 x\n",
        b"q1 0 d1 1\nq2 0 d2 x\n",
    ],
)
@pytest.mark.parametrize("rule", ["error", "keep-last", "keep-highest"])
def test_judgments(qrels: bytes, rule: str, both: Callable, written: Callable) -> None:
    """Odd judgments are read, or refused, as if they were few."""
    path, run = written("q.txt", qrels), written("r.txt", RUN)
    small, as_large = both(lambda: found(path, run, duplicate_judgment=rule))
    assert as_large == small


def test_a_refusal_names_the_same_query(both: Callable) -> None:
    """A query that lacks what the contract asks for, and another whose ties have no mean: one message."""
    qrels = {"q1": {"a": 0}, "q2": {"a": 1, "b": 0, "c": 2}}
    run = {"q1": {"a": 1.0}, "q2": {"a": 1.0, "b": 1.0, "c": 1.0}}
    rules = {"ties": "expected", "no_relevant": "error"}
    small, as_large = both(lambda: rp.evaluate(qrels, run, ("AP(ap-denominator=retrieved)@2",), **rules))
    assert as_large == small


@pytest.mark.parametrize("kind", ["rows", "dicts"])
def test_runs_without_a_judged_query(kind: str, both: Callable, written: Callable) -> None:
    """Of several runs all that answer nothing are named, by the leaderboard and the gate too."""
    given: list[Any] = [written(f"{name}.txt", b"q9 Q0 d1 1 1.0 t\n") for name in "ab"]
    if kind == "dicts":
        given = [{"q9": {"d1": 1.0}}, {"q9": {"d1": 2.0}}]
    qrels = {"q1": {"d1": 1}}
    small, as_large = both(lambda: rp.leaderboard(qrels, given))
    assert as_large == small
    (error, messages), _ = as_large
    assert (error, len(messages)) == (InputError, 2)
    small, as_large = both(lambda: gate(qrels, *given, ["AP"]))
    assert as_large == small


def test_damaged_and_doubled_columns(both: Callable, written: Callable, tmp_path: Path) -> None:
    """Texts that are no UTF-8, and a name that comes twice, in Parquet: one message."""
    pa, pq = installed("pyarrow"), installed("pyarrow.parquet")
    damaged = pa.StringArray.from_buffers(1, pa.py_buffer(b"\0\0\0\0\3\0\0\0"), pa.py_buffer(b"a\xffa"))
    one = pa.array(["q1"])
    for name, table_of in {
        "bad": pa.table([one, damaged, pa.array([1.0])], ["query_id", "doc_id", "score"]),
        "twice": pa.table([one, one, pa.array([1.0]), pa.array([1.0])], ["query_id", "doc_id", "score", "score"]),
    }.items():
        path = str(tmp_path / f"{name}.parquet")
        pq.write_table(table_of, path)
        small, as_large = both(lambda path=path: found({"q1": {"q1": 1}}, path))
        assert as_large == small
        assert as_large[0][0] is InputError


@pytest.mark.parametrize("rows", [1, 2, 3, 7])
def test_a_query_over_many_batches(rows: int, large: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few rows a batch has: the places of the rows as a dict has them, and each row is taken in once."""
    pa = installed("pyarrow")
    queries = ["a"] * 1 + ["b"] * 9 + ["c"] * 2 + ["d"] * 40 + ["e"] * 3
    docs, scores = [f"d{at}" for at in range(55)], [float(at * 7 % 11) for at in range(55)]
    whole = pa.table({"query_id": queries, "doc_id": docs, "score": scores})
    path = str(tmp_path / "r.arrow")
    with pa.ipc.new_file(path, whole.schema) as file:
        for batch in whole.to_batches(max_chunksize=rows):
            file.write_batch(batch)
    qrels = {query: {f"d{at}": at % 3 for at in range(0, 55, 2)} for query in "abcde"}
    run: dict[str, dict[str, float]] = {}
    for query, doc, score in zip(queries, docs, scores, strict=True):
        run.setdefault(query, {})[doc] = score
    large(NEVER)
    expected = rp.evaluate(qrels, run, MEASURES)
    taken = 0
    by_itself = table._by_itself

    def counted(part: Any) -> Any:
        nonlocal taken
        taken += len(part.queries)
        return by_itself(part)

    monkeypatch.setattr(table, "_by_itself", counted)
    large(0)
    values = rp.evaluate(qrels, path, MEASURES)
    assert (values.per_query, values.ties) == (expected.per_query, expected.ties)
    assert 0 < taken <= len(docs)


def test_files_that_wait_are_not_open(large: Callable, written: Callable) -> None:
    """More runs than a process may have files open are read."""
    large(0)
    paths = [written(f"{number}.txt", RUN) for number in range(60)]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with Path(paths[0]).open() as last:
        open_now = last.fileno()
    resource.setrlimit(resource.RLIMIT_NOFILE, (open_now + 20, hard))
    try:
        values = rp.evaluate({"q1": {"d1": 1}, "q2": {"d2": 1}}, paths, "AP")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert [one["AP"] for one in values.values()] == [1.0] * 60


def test_the_road_of_a_run_is_its_own(large: Callable, written: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run is placed from its bytes, whichever runs were read before it."""
    qrels, irregular = written("q.txt", QRELS), written("odd.txt", RUN.replace(b" Q0", b"  Q0"))
    big = [written("1.txt", RUN), written("2.txt", RUN)]
    placed: dict[str, bool] = {}
    place = scan.place

    def seen(judgments: Any, run: Any, contract: Any) -> Any:
        join = place(judgments, run, contract)
        placed[Path(run.source).name] = join is not None
        return join

    monkeypatch.setattr(scan, "place", seen)
    large(0)
    rp.evaluate(qrels, [{"q1": {"d1": 1.0}}, big[0], irregular, big[1]], "AP")
    assert placed == {"1.txt": True, "odd.txt": False, "2.txt": True}


def test_a_file_that_changes_is_refused(written: Callable) -> None:
    """Judgments and runs are read once or twice: what was written meanwhile is not mixed with what was read."""
    source = Source(written("q.txt", QRELS))
    with source.open() as reader:
        reader.read()
    written("q.txt", QRELS + b"q3 0 d3 1\n")
    with pytest.raises(InputError, match=r"q.txt: changed while it was being read"), source.open():
        pass
