"""The same numbers on Spark: against the plain road and trec_eval's files; what moves, and what is refused."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator
from math import fsum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import ROOT
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from needed import installed, lacking
from spark_rows import CONTRACTS, QRELS
from test_trec_eval import OUTPUTS, covered, left_out_by_9, mend

import rankproof as rp
from rankproof import spark as on_spark
from rankproof.errors import ContractError, InputError, MissingPackageError
from rankproof.presets import read_rules
from rankproof.report.values import trec_lines
from rankproof.spark.repeats import repeated
from rankproof.spark.runs import values_of_tables
from rankproof.spark.sessions import large_batches, refusals
from rankproof.values import ValuesOfRuns

pa = installed("pyarrow")
pq = installed("pyarrow.parquet")

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")

ENGINE = "RANKPROOF_TEST_SPARK"
"""Where it is `sail`, the tests run on that."""

NOT_ON_SAIL = "moves or command or java or pyspark or submit or collated or sail"
"""What is about Spark itself, or the command line, which starts it."""

QUICK = {
    "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
    "spark.sql.shuffle.partitions": "3",
    "spark.default.parallelism": "2",
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
    "spark.eventLog.rolling.enabled": "false",
    "spark.driver.memory": "1g",
    "spark.sql.files.openCostInBytes": "1g",  # a file is a partition
    "spark.sql.adaptive.enabled": "false",  # so that partitions stay as many as they are
}


@pytest.fixture(scope="module")
def events(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("events")


@pytest.fixture(scope="module")
def spark(events):
    """One session for the module, bound to loopback; or, where the environment says so, Sail by Spark Connect."""
    installed("pyspark")
    if os.environ.get(ENGINE) == "sail":
        yield from sail()
        return
    if shutil.which("java") is None:
        lacking("there is no java, which Spark needs")
    from pyspark.sql import SparkSession

    from rankproof.spark.sessions import LOCAL

    set_before = {name: os.environ.get(name) for name in ("SPARK_LOCAL_IP", "PYSPARK_PYTHON", "PYTHONPATH")}
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    builder = SparkSession.builder.master("local[2]").appName("tests")
    for name, value in {**LOCAL, **QUICK, "spark.eventLog.dir": events.as_uri()}.items():
        builder = builder.config(name, value)
    found = builder.getOrCreate()
    yield found
    found.stop()
    for name, value in set_before.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value


def sail() -> Iterator[Any]:
    """A session of Sail, in this process."""
    server = installed("pysail.spark").SparkConnectServer("127.0.0.1", 0)
    server.start(background=True)
    from pyspark.sql import SparkSession

    found = SparkSession.builder.remote(f"sc://127.0.0.1:{server.listening_address[1]}").getOrCreate()
    yield found
    found.stop()
    server.stop()


def frame(session: Any, rows: list[tuple], *names: str) -> Any:
    """Rows as a DataFrame."""
    return session.createDataFrame(pa.table({name: [row[at] for row in rows] for at, name in enumerate(names)}))


RUN = [("q1", "a", 2.0), ("q1", "b", 1.0), ("q2", "c", 1.0), ("q2", "d", 0.5), ("q3", "x", 1.0)]
JUDGED = [("q1", "b", 1), ("q2", "c", 2), ("q2", "d", 1), ("q9", "z", 1)]
IDS = ("query_id", "doc_id", "score")
NAN = float("nan")


# ---- the same numbers


@settings(max_examples=100 if os.environ.get(ENGINE) else 8, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_generated_tables_are_placed_as_the_plain_road_places_them(spark, data) -> None:
    """Contracts over all placing rules, systems and queries mixed over partitions: the same placements, or refusals."""
    from spark_agreeing import SYSTEMS, agree

    agree(spark, data.draw(QRELS), data.draw(SYSTEMS), data.draw(CONTRACTS))


def test_all_of_it_on_sail() -> None:
    """The tests of this module pass on Sail through Spark Connect, which has no Java and keeps no order of rows.

    In a process of its own: one that has spoken to a server can no longer run Spark itself.
    """
    installed("pysail")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", __file__, "-q", "-p", "no:cacheprovider", "-k", f"not ({NOT_ON_SAIL})"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=ROOT,
        env={**os.environ, ENGINE: "sail"},
    )
    assert done.returncode == 0, done.stdout[-5000:]
    assert int(re.findall(r"(\d+) passed", done.stdout)[0]) > 40
    skipped = sum(map(int, re.findall(r"(\d+) skipped", done.stdout)))
    assert skipped == sum(map(int, re.findall(r"SKIPPED \[(\d+)\] .*RANKPROOF_DATA is not set", done.stdout)))


def files(session: Any, folder: Path, qrels: str, results: str) -> tuple[Any, Any]:
    """Files of trec_eval as tables, rows in no order."""
    judged, run = rp.read_qrels(folder / qrels), rp.read_run(folder / results)
    rows = [
        (query, doc, score)
        for query, ranking in run.rankings.items()
        for doc, score in zip(ranking.doc_ids, ranking.scores or (), strict=True)
    ]
    grades = [(query, doc, grade) for query, docs in judged.items() for doc, grade in docs.items()]
    shuffled = sorted(rows, key=lambda row: row[1][::-1])
    return (
        frame(session, shuffled, *IDS).repartition(5),
        frame(session, grades, "query_id", "doc_id", "grade").repartition(2),
    )


TREC_OUTPUTS = [
    (output, contract, arguments)
    for output, contract, arguments in OUTPUTS
    if output in ("out.test.aql", "out.test.aqc", "out.test.aqcM", "out.test.meas_params", "out-9.0.8/out.test.aq")
]


@pytest.mark.filterwarnings("ignore::rankproof.errors.RankproofWarning")
@pytest.mark.parametrize(("output", "contract", "arguments"), TREC_OUTPUTS, ids=[one[0] for one in TREC_OUTPUTS])
def test_trec_evals_files(spark, data, output: str, contract: str, arguments: tuple[str, ...]) -> None:
    """Each covered row that trec_eval prints for its test files comes out, byte for byte and in the same order."""
    folder = data / "trec_eval"
    expected = (folder / output).read_text().splitlines()
    named = dict.fromkeys(line.split("\t")[0].strip() for line in expected)
    ours = [name for name in named if covered(name)]
    qrels, results, *options = arguments
    rules = [options[at + 1] for at, one in enumerate(options) if one == "--rule"]
    run, judged = files(spark, folder, qrels, results)
    found = on_spark.aggregate(run, judged, ours, contract, name="STANDARD", **read_rules(rules))
    printed = "".join(trec_lines(ValuesOfRuns((found,)), per_query=True)).splitlines()
    wanted = [mend(output, line) for line in expected if line.split("\t")[0].strip() in ours]
    assert len(wanted) > 60
    kept = [line for line in printed if not line.startswith("runid ") and not left_out_by_9(contract, line)]
    assert sorted(kept) == sorted(wanted)


# ---- what moves


def shuffled(session: Any, events: Path, act: Any) -> int:
    """The bytes that Spark writes to shuffles while something is done, from its event log."""
    bus = session.sparkContext._jsc.sc().listenerBus()
    bus.waitUntilEmpty()
    (log,) = events.iterdir()
    before = log.stat().st_size
    act()
    bus.waitUntilEmpty()
    with log.open("rb") as opened:
        opened.seek(before)
        lines = [json.loads(line) for line in opened.read().splitlines()]
    ended = [one["Task Metrics"] for one in lines if one["Event"] == "SparkListenerTaskEnd"]
    assert ended
    return sum(one["Shuffle Write Metrics"]["Shuffle Bytes Written"] for one in ended)


def big_run(session: Any, folder: Path, times: int, partitions: int) -> Any:
    """20 judged queries of 100 · times rows, and as many queries that nobody judged, rows in any order."""
    rows = [(f"q{at % 40}", f"d{at}", float(at * 7919 % 99991)) for at in range(40 * 100 * times)]
    rows += [(f"other{at}", "d", 1.0) for at in range(200 * times)]
    path = folder / f"{times}-{partitions}"
    ordered = sorted(rows, key=lambda row: hash_of(row[1] + row[0]))
    for at in range(partitions):
        path.mkdir(exist_ok=True)
        part = ordered[at::partitions]
        columns = {name: [row[n] for row in part] for n, name in enumerate(IDS)}
        pq.write_table(pa.table(columns), path / f"{at}.parquet")
    return session.read.parquet(str(path))


def hash_of(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=8).digest()


@pytest.mark.filterwarnings("ignore:.*more than 50 queries are not judged")
def test_what_moves_does_not_grow_with_the_run(spark, events, tmp_path) -> None:
    """Ten times the unjudged rows (queries, too): the same bytes are shuffled; more judged rows or partitions: more.

    A rule that has to see all ids shuffles more for more rows.
    """
    qrels = {f"q{at}": {f"d{at + 40 * n}": 1 for n in range(10)} for at in range(20)}
    more_judged = {f"q{at}": {f"d{at + 40 * n}": 1 for n in range(40)} for at in range(20)}

    def moved(times: int, partitions: int, judged: dict, rule: str = "unchecked") -> int:
        run = big_run(spark, tmp_path, times, partitions)
        assert run.rdd.getNumPartitions() == partitions
        return shuffled(
            spark,
            events,
            lambda: on_spark.aggregate(run, judged, ["AP"], named=50, duplicate_document=rule),
        )

    few, many = moved(10, 4, qrels), moved(100, 4, qrels)
    assert few > 0
    assert many == pytest.approx(few, rel=0.1)
    assert moved(10, 4, more_judged) > 2 * few
    assert moved(10, 8, qrels) > 1.5 * few
    assert moved(100, 4, qrels, "error") - many > 5 * (moved(10, 4, qrels, "error") - few)


# ---- tables and results, by hand


def test_a_row_a_query(spark) -> None:
    """RR by hand: 1/2 for q1, 1 for q2, 0 for a query that the run lacks; the unjudged q3 is named, and left out."""
    found = on_spark.aggregate(frame(spark, RUN, *IDS), frame(spark, JUDGED, "query_id", "doc_id", "grade"), ["RR"])
    assert dict(zip(found.query_ids, found.per_query["RR"], strict=True)) == {"q1": 0.5, "q2": 1.0, "q9": 0.0}
    assert found.means["RR"] == fsum((0.5, 1.0, 0.0)) / 3
    assert (list(found.groups["missing"]), list(found.groups["unjudged"])) == (["q9"], ["q3"])
    rows = on_spark.evaluate(frame(spark, RUN, *IDS), {"q1": {"b": 1}, "q2": {"d": 0}}, ["RR", "P@1"])
    assert rows.columns == ["query_id", "RR", "P@1"]
    assert {tuple(row) for row in rows.collect()} == {("q1", 0.5, 0.0), ("q2", None, None)}


def test_a_session_is_left_as_it_was(spark) -> None:
    """How many rows a worker gets at once is set while rows are counted, and put back."""
    name = "spark.sql.execution.arrow.maxRecordsPerBatch"
    for value in ("77", "123456"):
        spark.conf.set(name, value)
        on_spark.aggregate(frame(spark, RUN, *IDS), {"q1": {"b": 1}}, ["RR"])
        assert spark.conf.get(name) == value
    spark.conf.unset(name)


def test_threads_of_a_session_leave_it_as_it_was(spark) -> None:
    """Two that count at once, the first of which ends first, put back what was set before both."""
    name = "spark.sql.execution.arrow.maxRecordsPerBatch"
    spark.conf.set(name, "77")
    first, second = large_batches(spark), large_batches(spark)
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert spark.conf.get(name) == "100000"
    second.__exit__(None, None, None)
    assert spark.conf.get(name) == "77"
    spark.conf.unset(name)


def test_a_session_that_lets_nothing_be_set() -> None:
    """Where an engine forbids to say how many rows a worker gets, it gets as many as it gets."""
    installed("pyspark")
    from pyspark.errors import AnalysisException

    class Fixed:
        def get(self, _name: str, default: object) -> object:
            return default

        def set(self, _name: str, _value: str) -> None:
            raise AnalysisException("CANNOT_MODIFY_CONFIG")

        def unset(self, _name: str) -> None:
            raise AnalysisException("CANNOT_MODIFY_CONFIG")

    with large_batches(SimpleNamespace(conf=Fixed())):
        pass


def test_an_active_session_is_taken_wherever_its_java_is(spark, monkeypatch) -> None:
    """Where a session is active it is the one, though this machine may have no Java."""
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("JAVA_HOME", "")
    assert on_spark.session().conf.get("spark.sql.session.timeZone") == spark.conf.get("spark.sql.session.timeZone")


def test_values_are_those_of_the_same_rows_here(spark) -> None:
    """What is handed on, ties and counts included, is what the same rows give without Spark."""
    run = [("q1", "b", 1.0), ("q1", "a", 1.0), ("q2", "c", 1.0), ("q4", "é", 3.0)]
    for contract in ("rankproof", "trec_eval-9", "trec_eval-10-complete", "pytrec_eval", "teaching"):
        ours = on_spark.aggregate(
            frame(spark, run, *IDS), {"q1": {"a": 1}, "q2": {"c": 2}, "q3": {"x": 1}}, ["nDCG@10", "AP"], contract
        )
        plain = rp.evaluate({"q1": {"a": 1}, "q2": {"c": 2}, "q3": {"x": 1}}, run, ["nDCG@10", "AP"], contract)
        assert ours == plain
        assert (ours.ties, ours.groups, ours.undefined) == (plain.ties, plain.groups, plain.undefined)


def test_ids_are_compared_by_their_bytes_even_where_they_are_collated(spark) -> None:
    """A column whose collation takes q1 and Q1 for one is read as plain text."""
    run = frame(spark, RUN, *IDS).selectExpr("query_id COLLATE UTF8_LCASE AS query_id", "doc_id", "score")
    found = on_spark.aggregate(run, {"q1": {"b": 1}, "Q2": {"c": 1}}, ["RR"])
    assert dict(zip(found.query_ids, found.per_query["RR"], strict=True)) == {"q1": 0.5, "Q2": 0.0}
    assert list(found.groups["unjudged"]) == ["q2", "q3"]


def test_runs_are_called_as_their_tables(spark) -> None:
    """A run whose table names none has the name of its path, but for `.parquet` and `run=`."""
    paths = ["runs/v1.2", "runs/v1.3/", "runs/run=bm25", "runs/dense.parquet"]
    found = values_of_tables([(path, frame(spark, RUN, *IDS)) for path in paths], {"q1": {"b": 1}}, ["RR"], "rankproof")
    assert [*found] == ["v1.2", "v1.3", "bm25", "dense"]


def test_many_systems_at_once(spark, tmp_path, monkeypatch) -> None:
    """Runs lie in folders run=NAME; a name stays text, however few are counted in one reading."""
    for name, score in (("007", 2.0), ("10", 0.5), ("b", 1.0)):
        (tmp_path / f"run={name}").mkdir()
        table = pa.table({"qid": [1, 1], "document_id": ["a", "b"], "sim": [score, 1.5]})
        pq.write_table(table, tmp_path / f"run={name}" / "part.parquet")
    runs = on_spark.read_runs(spark, str(tmp_path))
    for at_once in (5_000_000, 1):
        monkeypatch.setattr("rankproof.spark.passes.AT_ONCE", at_once)
        found = on_spark.aggregate(runs, {"1": {"a": 1}}, ["RR"])
        assert {name: values.means["RR"] for name, values in found.items()} == {"007": 1.0, "10": 0.5, "b": 0.5}
    rows = on_spark.evaluate(runs, {"1": {"a": 1}}, ["RR"], columns={"score": "sim"}).collect()
    assert sorted(map(tuple, rows)) == [("007", "1", 1.0), ("10", "1", 0.5), ("b", "1", 0.5)]


def parquet(folder: Path, **columns: list) -> None:
    """A table as a file of a folder that is made."""
    folder.mkdir(parents=True)
    pq.write_table(pa.table(columns), folder / "part.parquet")


def test_ids_in_the_names_of_folders_are_text(spark, tmp_path) -> None:
    """What a folder calls a run or a query stays as it is spelled, whatever that column is called."""
    for system, score in (("007", 2.0), ("7", 0.5)):
        for query in ("001", "1"):
            folder = tmp_path / f"system={system}" / f"query_id={query}"
            parquet(folder, doc_id=["a", "b"], score=[score, 1.0])
    found = on_spark.aggregate(on_spark.read_runs(spark, str(tmp_path)), {"001": {"a": 1}, "1": {"b": 1}}, ["RR"])
    values = {name: dict(zip(one.query_ids, one.per_query["RR"], strict=True)) for name, one in found.items()}
    assert values == {"007": {"001": 1.0, "1": 0.5}, "7": {"001": 0.5, "1": 1.0}}


def test_a_run_that_is_a_number_in_the_file(spark, tmp_path) -> None:
    """A column `run` of whole numbers that stands in the files is read as it is, and named by its digits."""
    columns = {"query_id": [1, 1], "doc_id": ["a", "b"], "score": [2.0, 1.0], "run": [7, 7]}
    parquet(tmp_path / "table", **columns)
    found = on_spark.aggregate(on_spark.read_runs(spark, str(tmp_path / "table")), {"1": {"b": 1}}, ["RR"])
    plain = rp.evaluate({"1": {"b": 1}}, pa.table(columns).to_pandas(), ["RR"])
    assert (found.run, found.per_query) == ("7", plain.per_query)


def test_rows_that_name_no_run(spark) -> None:
    """Rows whose run is empty or null are of the run that is named otherwise, as in files."""
    rows = [("q1", "a", 2.0, None), ("q1", "b", 1.0, ""), ("q1", "b", 1.0, "x")]
    found = on_spark.aggregate(frame(spark, rows, *IDS, "run"), {"q1": {"b": 1}}, ["RR"], name="mine")
    assert {name: one.means["RR"] for name, one in found.items()} == {"mine": 0.5, "x": 1.0}
    empty = frame(spark, [row for row in rows if row[3] == ""], *IDS, "run")
    assert on_spark.aggregate(empty, {"q1": {"b": 1}}, ["RR"]).run == "run"


RANKED = ("query_id", "doc_id", "rank")


@pytest.mark.parametrize("contract", ["rankproof", "trec_eval-9", "teaching"])
def test_ranks_without_scores(spark, contract: str) -> None:
    """Without scores the ranks order a ranking, as here; two rows at one rank, where that is open, are refused."""
    rows = [("q1", "a", 3), ("q1", "b", 1), ("q1", "c", 2), ("q2", "a", 7)]
    qrels = {"q1": {"a": 1, "c": 2}, "q2": {"a": 1}}
    table = pa.table({name: [row[at] for row in rows] for at, name in enumerate(RANKED)})
    found = on_spark.aggregate(spark.createDataFrame(table), qrels, ["AP", "nDCG@10"], contract)
    plain = rp.evaluate(qrels, table.to_pandas(), ["AP", "nDCG@10"], contract)
    assert (found.per_query, found.ties, found.groups) == (plain.per_query, plain.ties, plain.groups)
    tied = frame(spark, [*rows, ("q1", "d", 3)], *RANKED)
    with pytest.raises(ContractError, match="query q1, document a, column rank: has the rank of another row"):
        on_spark.aggregate(tied, qrels, ["AP"], contract)
    assert on_spark.aggregate(tied, {"q1": {"c": 1}}, ["RR"], contract).means["RR"] == 0.5  # no judged one is tied


def test_positions_without_scores_and_ranks(spark) -> None:
    """Without scores and ranks rows stand in the order given, as here."""
    rows = [("q1", "a", 2), ("q1", "b", 1), ("q1", "c", 3)]
    found = on_spark.aggregate(frame(spark, rows, "query_id", "doc_id", "no"), {"q1": {"a": 1}}, ["RR"], position="no")
    assert found.per_query == rp.evaluate({"q1": {"a": 1}}, {"q1": ["b", "a", "c"]}, ["RR"]).per_query


def test_repeats_are_looked_for_once(spark, monkeypatch) -> None:
    """Measures that order ties by rules of their own share the look at repeated documents."""
    looked = []
    monkeypatch.setattr("rankproof.spark.passes.repeated", lambda rows: looked.append(rows) or repeated(rows))
    rows = [("q1", "a", 1.0), ("q1", "a", 2.0), ("q1", "b", 1.0)]
    measures = ["RR", "RR(ties=expected)", "RR(ties=document-id-ascending)"]
    found = on_spark.aggregate(frame(spark, rows, *IDS), {"q1": {"b": 1}}, measures, duplicate_document="keep-best")
    assert len(looked) == 1
    assert found.per_query == rp.evaluate({"q1": {"b": 1}}, rows, measures, duplicate_document="keep-best").per_query


def test_one_query_with_half_the_rows(spark) -> None:
    """One query with half the rows, rows of all queries in all partitions: ranks counted by hand."""
    big = [("big", f"d{at}", float(at)) for at in range(1000)]
    small = [(f"q{at}", f"d{doc}", float(doc)) for at in range(100) for doc in range(10)]
    rows = sorted([*big, *small], key=lambda row: (row[1], row[0]))
    qrels = {"big": {"d990": 1}, **{f"q{at}": {"d7": 1} for at in range(100)}}
    found = on_spark.aggregate(frame(spark, rows, *IDS).repartition(7), qrels, ["RR"], duplicate_document="unchecked")
    assert found.of_query("big")["RR"] == 1 / 10  # d991 to d999 stand above it
    assert {found.of_query(f"q{at}")["RR"] for at in range(100)} == {1 / 3}


def test_more_judgments_than_are_broadcast(spark) -> None:
    """Joined by a hash, and by ids behind it, the judged rows are the same."""
    run, judged = frame(spark, RUN, *IDS), frame(spark, JUDGED, "query_id", "doc_id", "grade")
    assert on_spark.aggregate(run, judged, ["AP"], broadcast=0) == on_spark.aggregate(run, judged, ["AP"])


@pytest.mark.parametrize("rules", [{"roll_up": "max"}, {"roll_up": "first"}, {"roll_up": "max", "ties": "as-given"}])
@pytest.mark.filterwarnings("ignore::rankproof.errors.RankproofWarning")
def test_chunks_are_rolled_up_as_in_files(spark, rules: dict) -> None:
    """Chunk ids become document ids by the last separator, overlapping ones too: the same values as here."""
    docs = ["a##1", "a##2", "b###1", "b#", "##c", "d", "d##", "é##x", "a##1##2", "a##3"]
    rows = [
        ("q", doc, score, at)
        for at, (doc, score) in enumerate(zip(docs, [1, 5, 4, 4, 9, 2, 3, 7, 6, 5.0], strict=True))
    ]
    run = frame(spark, [(q, d, float(s), at) for q, d, s, at in rows], *IDS, "position").repartition(3)
    qrels = {"q": {"a": 1, "b#": 1, "d": 2, "é": 1, "a##1": 1}}
    rules = {**rules, "chunk_separator": "##"}
    ours = on_spark.aggregate(run, qrels, ["AP", "nDCG@3"], position="position", **rules)
    plain = rp.evaluate(qrels, {"q": {d: float(s) for _, d, s, _ in rows}}, ["AP", "nDCG@3"], **rules)
    assert (ours.per_query, ours.ties) == (plain.per_query, plain.ties)


FIRST_CHUNKS = [
    ([("q", "a#1", 1.0, None), ("q", "a#2", 2.0, 2)], InputError, "document a, column position: 1 row has no position"),
    ([("q", "a#1", 1.0, 1), ("q", "a#2", None, 2)], InputError, "document a, column score: 1 row has no score"),
    ([("q", "a#1", 1.0, 1), ("q", "a#2", 2.0, 1)], ContractError, "document a, column position: 1 row has several"),
    ([("q", "a#1", 1.0, 1), ("q", "a#2", NAN, 1)], ContractError, "document a, column position: 1 row has several"),
]


@pytest.mark.parametrize(("rows", "kind", "says"), FIRST_CHUNKS)
@pytest.mark.filterwarnings("ignore::rankproof.errors.RankproofWarning")
def test_a_first_chunk_that_is_open_is_refused(spark, rows: list, kind: type, says: str) -> None:
    """Which chunk comes first is never guessed: positions that lack or are equal, and scores that lack, are refused."""
    table = frame(spark, [*rows, ("q", "b", 1.5, 3)], *IDS, "position")
    rules = {"roll_up": "first", "chunk_separator": "#"}
    with pytest.raises(kind, match=says):
        on_spark.aggregate(table, {"q": {"a": 1}}, ["RR"], position="position", **rules)


@pytest.mark.filterwarnings("ignore::rankproof.errors.RankproofWarning")
def test_what_of_chunks_decides_nothing_is_not_refused(spark) -> None:
    """Equal positions behind the first chunk, or of equal chunks, or of queries without judgments, change nothing."""
    rows = [
        ("q", "a#1", 1.0, 1),
        ("q", "a#2", 9.0, 4),
        ("q", "a#3", 8.0, 4),
        ("q", "b#1", 2.0, 2),
        ("q", "b#2", 2.0, 2),
    ]
    other = [("x", "a#1", 1.0, 1), ("x", "a#2", 2.0, 1)]
    rules = {"roll_up": "first", "chunk_separator": "#"}
    found = on_spark.aggregate(
        frame(spark, [*rows, *other], *IDS, "no"), {"q": {"a": 1}}, ["RR"], position="no", **rules
    )
    plain = rp.evaluate({"q": {"a": 1}}, [row[:3] for row in rows], ["RR"], **rules)
    assert found.per_query == plain.per_query == {"RR": (0.5,)}


def test_comparison_is_that_of_the_values(spark) -> None:
    """A comparison on Spark is the comparison of the values; settings and rules are read as everywhere."""
    qrels = {f"q{at}": {"a": 1} for at in range(8)}
    one = [(query, doc, score) for query in qrels for doc, score in (("a", 1.0), ("b", 2.0))]
    two = [(query, doc, score) for query in qrels for doc, score in (("a", 3.0), ("b", 2.0))]
    quick = {"permutations": 200, "resamples": 200, "seed": 5}
    found = on_spark.compare(frame(spark, one, *IDS), frame(spark, two, *IDS), qrels, ["RR"], **quick)
    values = [rp.evaluate(qrels, rows, ["RR"]) for rows in (one, two)]
    assert found.of("RR").delta == 0.5
    assert found.of("RR").p == rp.compare(qrels, one, two, ["RR"], **quick).of("RR").p
    assert [found.baseline.means, found.runs["run"].means] == [one.means for one in values]
    both = frame(spark, [("q1", "a", 1.0, "x"), ("q1", "a", 1.0, "y")], *IDS, "run")
    with pytest.raises(InputError, match="baseline holds 2 runs"):
        on_spark.compare(both, both, qrels, ["RR"])


def test_runs_of_one_name_are_told_apart_as_here(spark) -> None:
    """Two tables whose runs have one name are compared, under the names that `rankproof.compare` gives such runs."""
    rows = [[(f"q{at}", "a", score, "bm25") for at in range(4)] for score in (1.0, 2.0)]
    tables = [pa.table({name: [row[at] for row in one] for at, name in enumerate((*IDS, "run"))}) for one in rows]
    qrels, quick = {f"q{at}": {"a": 1} for at in range(4)}, {"permutations": 100, "resamples": 100}
    found = on_spark.compare(*(spark.createDataFrame(one) for one in tables), qrels, ["RR"], **quick)
    plain = rp.compare(qrels, *(one.to_pandas() for one in tables), ["RR"], **quick)
    assert (found.baseline.run, [*found.runs]) == (plain.baseline.run, [*plain.runs]) == ("bm25", ["bm25#2"])


def test_check_counts_what_was_planted(spark) -> None:
    """Repeats, NaN, infinity, ties, cells that lack, and queries on one side only are found, as often as planted."""
    nan, inf = float("nan"), float("inf")
    rows = [
        *[("q1", "a", 1.0), ("q1", "a", 2.0), ("q1", "b", nan), ("q1", "c", 2.0), ("q1", None, 0.0)],
        *[("q2", "a", inf), ("q2", "b", -inf), ("q2", "c", 3.0), ("q2", "d", 3.0), ("q2", "e", 3.0)],
        *[("q3", "a", 5.0), ("q3", "b", 5.0), (" q4", "", 1.0)],
    ]
    found = on_spark.check(frame(spark, rows, *IDS), frame(spark, JUDGED, "query_id", "doc_id", "grade"))
    counts = {one.kind: one.count for one in found.files[1].findings}
    assert counts == {
        "retrieved-twice": 1,
        "nan": 1,
        "infinity": 2,
        "ties": 5,
        "all-scores-equal": 1,
        "unreadable-row": 2,
        "blanks-around-id": 1,
        "queries-missing": 1,
        "queries-unjudged": 2,
    }
    held = found.files[1]
    assert (held.rows, held.queries, held.tied_places, held.depth) == (13, 4, 7, (1, 3.5, 5))
    assert found.files[0].grades == {1: 3, 2: 1}


def test_check_counts_what_is_there(spark) -> None:
    """A null is no document and no score: neither counted as a document nor as tied with another; each is told."""
    rows = [("q", "a", 1.0), ("q", None, None), ("q", "", None), ("q", "b", None), ("q", "a", 2.0)]
    (held,) = on_spark.check(frame(spark, rows, *IDS)).files
    assert (held.rows, held.documents, held.tied_places, held.tied_queries) == (5, 2, 0, 0)
    assert {one.kind: one.count for one in held.findings} == {"unreadable-row": 5, "retrieved-twice": 1}


# ---- what is refused


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ({"ties": "as-given"}, "ties = as-given asks for the order of the rows"),
        ({"ties": "unspecified"}, "ties = unspecified asks"),
        ({"order": "position"}, "order = position asks"),
        ({"duplicate_document": "keep-first"}, "duplicate-document = keep-first asks"),
        ({"duplicate_document": "keep-last"}, "duplicate-document = keep-last asks"),
        ({"roll_up": "first"}, "roll-up = first asks"),
        ({"order": "rank"}, "has no rank column to order by"),
        ({"order": "rank", "roll_up": "max"}, "roll-up = max of a table goes by scores"),
    ],
)
def test_a_table_has_no_order_of_its_own(spark, rules: dict, says: str) -> None:
    """Rules about the order given are refused without a position, and those about ranks without ranks."""
    with pytest.raises(ContractError, match=says):
        on_spark.aggregate(frame(spark, RUN, *IDS), {"q1": {"a": 1}}, ["RR"], **rules)


BAD_ROWS = [
    ([("q1", None, 1.0)], "1 row has no id of a document, such as this"),
    ([("q1", "", 1.0), ("x", "", 1.0)], "2 rows have no id of a document"),
    ([(None, "a", 1.0)], "document a, column query_id: 1 row has no id of a query"),
    ([("x", "a", None)], "query x, document a, column score: 1 row has no score"),
    ([("q1", "x", NAN)], "query q1, document x: 1 row with NaN"),
    ([("q1", "b", 3.0)], "query q1, document b: stands in 2 rows"),
    ([("q1", "", 3.0), ("q1", "", 4.0)], "query q1, column doc_id: 2 rows have no id of a document"),
    ([("q1", None, 3.0), ("q1", None, 4.0)], "query q1, column doc_id: 2 rows have no id of a document"),
    ([("q1", "y", 3.0), ("q1", "y", 4.0)], "query q1, document y: stands in 2 rows"),
]


@pytest.mark.parametrize(("rows", "says"), BAD_ROWS)
def test_rows_that_are_refused(spark, rows: list, says: str) -> None:
    """Cells that lack, NaN and repeats are refused with their number and an example, judged or not."""
    with pytest.raises((InputError, ContractError), match=says):
        on_spark.aggregate(frame(spark, [*RUN, *rows], *IDS), {"q1": {"b": 1}}, ["RR"])


def test_a_rank_that_is_nan_is_no_rank(spark) -> None:
    """NaN as a rank cannot be read, whatever the rule for scores: InputError, as here."""
    rows = [("q1", "a", 1.0), ("q1", "b", NAN)]
    with pytest.raises(InputError, match="query q1, document b, column rank: 1 row has the rank NaN") as found:
        on_spark.aggregate(frame(spark, rows, "query_id", "doc_id", "rank"), {"q1": {"a": 1}}, ["RR"], order="rank")
    assert "nan-score" not in str(found.value)
    table = pa.table({name: [row[at] for row in rows] for at, name in enumerate(("query_id", "doc_id", "rank"))})
    with pytest.raises(InputError):
        rp.evaluate({"q1": {"a": 1}}, table.to_pandas(), ["RR"], order="rank")


def test_an_empty_table_holds_nothing(spark) -> None:
    """A table without rows is refused as such, with a column for the run or without, as it is here."""
    for names in (IDS, (*IDS, "run")):
        table = frame(spark, [(*row, "r") for row in RUN], *IDS, "run").select(*names).where("score > 9")
        with pytest.raises(InputError, match=r"^run: holds no results"):
            on_spark.aggregate(table, {"q1": {"b": 1}}, ["RR"])
    with pytest.raises(InputError, match="holds no results"):
        rp.evaluate({"q1": {"b": 1}}, [], ["RR"])


def test_what_of_unjudged_queries_is_not_refused(spark) -> None:
    """NaN and repeats of a query without judgments are left alone, as in files; so is a row of another one's id."""
    rows = [*RUN, ("x", "a", NAN), ("x", "b", 1.0), ("x", "b", 2.0)]
    assert on_spark.aggregate(frame(spark, rows, *IDS), {"q1": {"b": 1}}, ["RR"]).means["RR"] == 0.5


def test_vouched_for_in_vain(spark) -> None:
    """Where nothing is checked, a judged document that comes twice is seen all the same, and refused."""
    rows = frame(spark, [*RUN, ("q1", "b", 5.0)], *IDS)
    with pytest.raises(ContractError, match="document b: stands twice, although duplicate-document = unchecked"):
        on_spark.aggregate(rows, {"q1": {"b": 1}}, ["RR"], duplicate_document="unchecked")


def test_positions_part_the_rows_of_a_query(spark) -> None:
    """Where the order given decides, two rows at one position are refused."""
    rows = frame(spark, [("q", "a", 1.0, 1), ("q", "b", 1.0, 1), ("q", "c", 0.5, 2)], *IDS, "no")
    with pytest.raises(ContractError, match="document a, column position: has the position of another row"):
        on_spark.aggregate(rows, {"q": {"a": 1}}, ["RR"], position="no", ties="as-given")
    twice = frame(spark, [("q", "a", 1.0, 1), ("q", "a", 2.0, 1)], *IDS, "no")
    lacks = frame(spark, [("q", "a", 1.0, 1), ("q", "a", 2.0, None)], *IDS, "no")
    with pytest.raises(InputError, match="repeated documents without a position"):
        on_spark.aggregate(lacks, {"q": {"a": 1}}, ["RR"], position="no", duplicate_document="keep-first")
    with pytest.raises(ContractError, match="stands twice at one position"):
        on_spark.aggregate(twice, {"q": {"a": 1}}, ["RR"], position="no", duplicate_document="keep-first")


def test_a_table_that_changes_is_refused(spark) -> None:
    """A table computed with the time gives other rows when it is read again, and is told so."""
    now = "CAST(unix_micros(current_timestamp()) AS DOUBLE) AS score"
    rows = frame(spark, RUN, *IDS).selectExpr("query_id", "doc_id", now)
    with pytest.raises(InputError, match="gives other rows when it is read again"):
        on_spark.aggregate(rows, {"q1": {"b": 1}, "q2": {"c": 1}}, ["RR"])


def test_columns_that_differ_in_case_alone(spark) -> None:
    """Where a name means two columns to Spark, one line says so."""
    rows = frame(spark, [("q1", "b", 1.0, "x")], "query_id", "ID", "score", "iD")
    for columns in ({"doc_id": "ID"}, {"doc_id": "iD"}):
        try:
            found = on_spark.aggregate(rows, {"q1": {"b": 1}}, ["RR"], columns=columns)
        except InputError as error:
            assert "cannot be read by Spark" in str(error)  # noqa: PT017 - an engine may tell them apart
        else:
            assert found.means["RR"] == (columns["doc_id"] == "ID")


def test_columns_that_no_rule_reads(spark) -> None:
    """A rank as text does not matter under order = score, and is read where it does; any column of runs is text."""
    rows = [("q1", "a", 2.0, "2", 0.5), ("q1", "b", 1.0, "1", 0.5)]
    table = frame(spark, rows, *IDS, "rank", "tag")
    found = on_spark.aggregate(table, {"q1": {"b": 1}}, ["RR"])
    assert (found.run, found.means["RR"]) == ("0.5", 0.5)
    assert on_spark.aggregate(table, {"q1": {"b": 1}}, ["RR"], order="rank").means["RR"] == 1.0
    words = frame(spark, [("q1", "a", 2.0, "first")], *IDS, "rank")
    with pytest.raises(InputError, match="document a, column rank: 1 row has no rank"):
        on_spark.aggregate(words, {"q1": {"b": 1}}, ["RR"], order="rank")
    flags = frame(spark, [("q1", "b", 2.0, True)], *IDS, "rank")
    assert on_spark.aggregate(flags, {"q1": {"b": 1}}, ["RR"]).means["RR"] == 1.0


@pytest.mark.parametrize(
    ("names", "options", "says"),
    [
        (("query_id", "doc_id", "value"), {}, "has no column for the score"),
        (("query_id", "thing", "score"), {}, "has no column for the doc_id"),
        (("query_id", "doc_id", "score"), {"columns": {"score": "sim"}}, "has no column sim"),
        (("query_id", "doc_id", "score"), {"columns": {"grade": "sim"}}, "'grade' is no column of ours"),
        (("score", "doc_id", "query_id"), {}, "the column query_id is of the type double"),
        (
            ("query_id", "docid", "score"),
            {"position": "score"},
            "column position: the column score is of the type double",
        ),
    ],
)
def test_columns_that_are_refused(spark, names: tuple, options: dict, says: str) -> None:
    """Columns that lack, or cannot be what they are to be, are named."""
    with pytest.raises(InputError, match=says):
        on_spark.aggregate(frame(spark, RUN, *names), {"q1": {"b": 1}}, ["RR"], **options)


def test_judgments_have_no_last_one(spark) -> None:
    """Two grades of a document are refused under keep-last; the highest can be kept, whatever the order."""
    judged = frame(spark, [("q1", "b", 0), ("q1", "b", 2)], "query_id", "doc_id", "grade")
    with pytest.raises(ContractError, match="query q1, document b: judged twice, 0 and 2: which is the last is open"):
        on_spark.aggregate(frame(spark, RUN, *IDS), judged, ["RR"], duplicate_judgment="keep-last")
    with pytest.warns(rp.RankproofWarning, match="2 counts"):
        found = on_spark.aggregate(frame(spark, RUN, *IDS), judged, ["RR"], duplicate_judgment="keep-highest")
    assert found.means["RR"] == 0.5


def test_more_unjudged_queries_than_are_named(spark) -> None:
    """The first by their ids are named, however the rows are parted, and a warning says that there are more."""
    rows = frame(spark, [*RUN, *((f"x{at:02}", "a", 1.0) for at in range(50))], *IDS).repartition(5)
    with pytest.warns(rp.RankproofWarning, match="more than 3 queries are not judged"):
        found = on_spark.aggregate(rows, {"q1": {"b": 1}}, ["RR"], named=3)
    assert list(found.groups["unjudged"]) == ["q2", "q3", "x00"]
    with (
        pytest.raises(ContractError, match="query q2: in the run, but without judgments"),
        pytest.warns(rp.RankproofWarning),
    ):
        on_spark.aggregate(rows, {"q1": {"b": 1}}, ["RR"], named=1, unjudged_query="error")
    with pytest.raises(InputError, match="named is 0; expected how many queries are named, 1 or more"):
        on_spark.aggregate(rows, {"q1": {"b": 1}}, ["RR"], named=0, unjudged_query="error")


def test_only_tables_of_spark_are_taken() -> None:
    """Anything else is pointed to where it belongs."""
    with pytest.raises(InputError, match="the run is a dict; expected a DataFrame of Spark"):
        on_spark.aggregate({}, {"q1": {"b": 1}}, ["RR"])


# ---- the command line


@pytest.fixture
def tables(tmp_path) -> Path:
    """Judgments, and a run without the name of one, as Parquet."""
    for name, rows, columns in (("judged", JUDGED, ("query_id", "doc_id", "grade")), ("bm25", RUN, IDS)):
        columns_of = {column: [row[at] for row in rows] for at, column in enumerate(columns)}
        pq.write_table(pa.table(columns_of), tmp_path / f"{name}.parquet")
    return tmp_path


def test_command(spark, in_process, tables) -> None:
    """`evaluate --engine spark` prints what `evaluate` prints; its JSON says what was read."""
    both = [tables / "judged.parquet", tables / "bm25.parquet", "-m", "RR", "-m", "nDCG@10", "-q"]
    done, plain = in_process("evaluate", *both, "--engine", "spark"), in_process("evaluate", *both)
    assert (done.status, done.out) == (0, plain.out)
    (tables / "qrels.txt").write_text("".join(f"{query} 0 {doc} {grade}\n" for query, doc, grade in JUDGED))
    done = in_process("evaluate", tables / "qrels.txt", both[1], "--engine", "spark", "--format", "json")
    content = json.loads(done.out)
    schema = json.loads((ROOT / "docs" / "result-1.schema.json").read_text("utf-8"))
    installed("jsonschema").validate(content, schema)
    assert [one["sha256"] is None for one in content["inputs"]] == [False, True]
    assert content["runs"][0]["run"] == "bm25"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere.parquet", "--engine", "spark"], "nowhere.parquet: cannot be read by Spark: [PATH_NOT_FOUND]"),
        (["-", "--engine", "spark"], "Spark reads tables, not standard input"),
        (["bm25.parquet", "--spark", "local[1]"], "--spark belongs to Spark"),
        (["bm25.parquet", "--position", "no"], "--position belongs to Spark"),
        (["bm25.parquet", "--column", "score=sim"], "--column belongs to Spark"),
        (["bm25.parquet", "--engine", "spark", "--column", "score=sim"], "column score: has no column sim"),
        (["bm25.parquet", "bm25.parquet", "--engine", "spark"], "holds the run bm25, as another table does"),
        (["bm25.parquet", "--engine", "spark", "--position", "no"], "has no column no"),
        (["bm25.parquet", "--engine", "spark", "--rule", "ties=as-given"], "asks for the order of the rows"),
    ],
)
def test_command_refuses(spark, in_process, tables, arguments: list, says: str) -> None:
    """A mistake ends with one message and status 2."""
    paths = [tables / one if one.endswith(".parquet") else one for one in arguments]
    done = in_process("evaluate", tables / "judged.parquet", *paths)
    assert (done.status, done.out) == (2, "")
    assert says in done.err
    assert "Traceback" not in done.err


def test_what_is_no_parquet_is_named(spark, in_process, tables, tmp_path: Path) -> None:
    """A run in text is refused with the way to make a table of it, a folder of such files with what Spark says."""
    (tmp_path / "text.run").write_text("q1 Q0 a 1 2.0 t\n", "utf-8")
    done = in_process("evaluate", tables / "judged.parquet", tmp_path / "text.run", "--engine", "spark")
    assert (done.status, done.out) == (2, "")
    assert f"{tmp_path / 'text.run'}: is no Parquet" in done.err
    assert f"rankproof convert {tmp_path / 'text.run'} OUT.parquet" in done.err
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "part.parquet").write_text("q1 Q0 a 1 2.0 t\n" * 3, "utf-8")
    with pytest.raises(InputError, match=r"folder: cannot be read by Spark: .*(Parquet|FILE)"):
        on_spark.read_runs(spark, str(tmp_path / "folder"))


def test_no_java(command, tables) -> None:
    """A machine without Java gets one clear line."""
    installed("pyspark")
    done = command(
        "evaluate",
        tables / "judged.parquet",
        tables / "bm25.parquet",
        "--engine",
        "spark",
        PATH="/nowhere",
        JAVA_HOME="",
    )
    assert done.status == 2
    assert done.err.splitlines()[0] == "error: Spark needs Java 17 or newer, and there is no java here"


def test_no_pyspark(monkeypatch) -> None:
    """Without pyspark the extra is named."""
    monkeypatch.setitem(sys.modules, "pyspark.errors", None)
    with pytest.raises(MissingPackageError, match=r'pip install "rankproof\[spark\]"'):
        on_spark.session()


def test_workers_of_pyspark_that_lack_a_package() -> None:
    """What the workers lack is named in one line; so is anything else that Spark fails with."""
    installed("pyspark")
    from pyspark.errors import PySparkException

    lacks = "PYTHON_EXCEPTION\nTraceback …\nModuleNotFoundError: No module named 'rankproof.spark'\n at java"
    with pytest.raises(MissingPackageError, match="the workers of Spark lack the package rankproof"), refusals():
        raise PySparkException(lacks)
    before = list(warnings.filters)
    with pytest.raises(InputError, match=r"^Spark fails: out of space$"), refusals():
        raise PySparkException("out of space\n\tat org.apache")
    assert warnings.filters == before


def test_spark_submit(tables) -> None:
    """`spark-submit …/rankproof/__main__.py evaluate --engine spark` runs in the session that it is given."""
    pyspark = installed("pyspark")
    if shutil.which("java") is None:
        lacking("there is no java, which Spark needs")
    main = Path(str(rp.__file__)).with_name("__main__.py")
    loopback = [f"--conf={name}=127.0.0.1" for name in ("spark.driver.host", "spark.driver.bindAddress")]
    quick = ["--conf=spark.ui.enabled=false", f"--driver-java-options={QUICK['spark.driver.extraJavaOptions']}"]
    home = Path(pyspark.__file__).parent
    asked = ["judged.parquet", "bm25.parquet", "--engine=spark", "-m", "RR", "--format=csv", "-o", "found.csv"]
    done = subprocess.run(
        [home / "bin" / "spark-submit", "--master=local[1]", *loopback, *quick, main, "evaluate", *asked],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
        cwd=tables,
        env={**os.environ, "SPARK_HOME": str(home), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"},
    )
    assert done.returncode == 0, done.stderr
    assert (tables / "found.csv").read_text().splitlines() == ["run,query_id,measure,value", "bm25,all,RR,0.5"]
