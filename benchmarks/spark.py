"""What does it cost to measure a run that lies in tables, on Spark: ours, and the obvious road beside it?

Usage: ``python benchmarks/spark.py`` (see ``--help``) with the test packages and Java installed. Spark, here on two
cores, makes the tables, always the same: queries of 1,000 results, 20 of them judged, rows in any order of scores.
Every measurement is a process of its own: CPU seconds of the driver, the JVM and its workers together and wall time, of
the first call with the start of Spark, and the median of the warm ones, from the third on, which still differ by a
quarter; the largest memory of them together; and the bytes that a call shuffles, from Spark's event log. The obvious
road groups by query and calls pytrec_eval; both must give the same means. It prints a table in Markdown.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

RESULTS = 1000
JUDGED = 20
MEASURES = ("nDCG@10", "AP", "RR")
NAMES = {"nDCG@10": "ndcg_cut_10", "AP": "map", "RR": "recip_rank"}
CORES = 2


def session(events: Path, memory: str) -> Any:
    """Start Spark on this machine, bound to loopback, its event log in a folder."""
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    from pyspark.sql import SparkSession  # noqa: PLC0415 - only the processes that measure load it

    from rankproof.spark.sessions import LOCAL  # noqa: PLC0415

    settings = {
        **LOCAL,
        "spark.driver.memory": memory,
        "spark.sql.shuffle.partitions": "8",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",
        "spark.eventLog.rolling.enabled": "false",
        "spark.eventLog.dir": events.as_uri(),
        "spark.driver.extraJavaOptions": "-XX:+UseSerialGC",
    }
    builder = SparkSession.builder.master(f"local[{CORES}]").appName("benchmark")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


QUERY_OF = {
    "grouped": "id DIV {results}",
    "ungrouped": "id % ({lines} DIV {results})",
    "skewed": "CASE WHEN id % 2 = 0 THEN 0 ELSE 1 + id DIV {results} END",
    "tied": "id DIV {results}",
    "tied-ungrouped": "id % ({lines} DIV {results})",
}
"""Which query a row belongs to: the rows of one stand together, in all partitions, or half of all are of one query."""

LEVELS = {"tied": 20, "tied-ungrouped": 20}
"""How many scores there are, where they are few: a row ties with some fifty others of its query."""


def make(folder: Path, lines: int, shape: str, spark: Any) -> None:
    """Write the tables: ids, scores and judgments follow from row numbers, so that they are the same everywhere."""
    if (folder / "qrels").is_dir():
        return
    query = QUERY_OF[shape].format(lines=lines, results=RESULTS)
    random = "pmod(xxhash64(id, 1), 1000000007)"
    score = f"CAST({random} % {LEVELS[shape]} AS DOUBLE)" if shape in LEVELS else f"{random} / 1000000007.0D * 30"
    rows = spark.range(0, lines, 1, max(8, lines // 2_000_000)).selectExpr(
        f"CAST({query} AS STRING) AS query_id",
        "CAST(id AS STRING) AS doc_id",
        f"{score} AS score",
        "id",
    )
    rows.drop("id").write.parquet(str(folder / "run"))
    size = f"CASE WHEN query_id = '0' THEN {lines // 2} ELSE {RESULTS} END" if shape == "skewed" else str(RESULTS)
    judged = rows.where(f"pmod(xxhash64(id, 2), {size}) < {JUDGED}")
    judged.selectExpr("query_id", "doc_id", "CAST(1 + id % 2 AS INT) AS grade").write.parquet(str(folder / "qrels"))


def ours(spark: Any, folder: Path, rule: str) -> dict[str, float]:
    """Return the means of rankproof."""
    from rankproof import spark as on_spark  # noqa: PLC0415

    run, qrels = (spark.read.parquet(str(folder / name)) for name in ("run", "qrels"))
    found = on_spark.aggregate(run, qrels, MEASURES, "trec_eval-9", duplicate_document=rule)
    return dict(found.means)


def obvious(spark: Any, folder: Path, _: str) -> dict[str, float]:
    """Return the means of pytrec_eval, called once a query."""
    from pyspark.sql import functions  # noqa: PLC0415

    run, qrels = (spark.read.parquet(str(folder / name)) for name in ("run", "qrels"))
    keys = ["query_id", "doc_id"]
    joined = run.join(functions.broadcast(qrels), keys, "left")

    def evaluated(rows: Any) -> Any:
        import pandas as pd  # noqa: PLC0415
        import pytrec_eval  # noqa: PLC0415

        query, judged = rows["query_id"].iloc[0], rows[rows["grade"].notna()]
        grades = {query: {doc: int(grade) for doc, grade in zip(judged["doc_id"], judged["grade"], strict=True)}}
        evaluator = pytrec_eval.RelevanceEvaluator(grades, {"ndcg_cut.10", "map", "recip_rank"})
        found = evaluator.evaluate({query: dict(zip(rows["doc_id"], rows["score"], strict=True))})[query]
        return pd.DataFrame([[query, *(found[name] for name in NAMES.values())]], columns=["query_id", *NAMES.values()])

    schema = "query_id string, " + ", ".join(f"{name} double" for name in NAMES.values())
    means = (
        joined.groupBy("query_id").applyInPandas(evaluated, schema).agg(*(functions.avg(one) for one in NAMES.values()))
    )
    return dict(zip(NAMES, means.collect()[0], strict=True))


ROADS: dict[str, tuple[Callable[[Any, Path, str], dict[str, float]], str]] = {
    "unchecked": (ours, "unchecked"),
    "error": (ours, "error"),
    "obvious": (obvious, ""),
}
"""The roads: what is called, and the rule for duplicates."""


def measured(road: str, folder: Path, lines: int, shape: str, memory: str, calls: int) -> dict[str, Any]:
    """Make the tables, or take one road so many times, and say what it cost."""
    import psutil  # noqa: PLC0415

    events = Path(tempfile.mkdtemp(dir=folder))  # goes with the tables
    peak, done = [0.0], threading.Event()

    def watch() -> None:
        while not done.wait(2):
            peak[0] = max(peak[0], _memory(psutil))

    spent = [(0.0, time.perf_counter())]
    spark = session(events, memory)
    if road == "make":
        make(folder, lines, shape, spark)
        spark.stop()
        return {}
    threading.Thread(target=watch, daemon=True).start()
    act, rule = ROADS[road]
    for _ in range(calls):
        means = act(spark, folder, rule)
        spent.append((_cpu(psutil), time.perf_counter()))
    done.set()
    partitions = spark.read.parquet(str(folder / "run")).rdd.getNumPartitions()
    spark.stop()
    costs = [(cpu - before, wall - begun) for (before, begun), (cpu, wall) in pairwise(spent)]
    shuffled = _shuffled(events) // calls
    return {"means": means, "costs": costs, "memory": peak[0], "shuffled": shuffled, "partitions": partitions}


def _processes(psutil: Any) -> list[Any]:
    own = psutil.Process()
    return [own, *own.children(recursive=True)]


def _cpu(psutil: Any) -> float:
    """Return the CPU seconds of this process, its JVM and its workers, ended ones too."""
    total = 0.0
    for one in _processes(psutil):
        try:
            times = one.cpu_times()
        except psutil.Error:
            continue
        total += times.user + times.system + times.children_user + times.children_system
    return total


def _memory(psutil: Any) -> float:
    """Return the megabytes that these processes hold; what several share is counted once."""
    total = 0.0
    for one in _processes(psutil):
        try:
            total += one.memory_full_info().pss / 1e6
        except psutil.Error:
            continue
    return total


def _shuffled(events: Path) -> int:
    (log,) = events.iterdir()
    lines = map(json.loads, log.read_text().splitlines())
    ended = (one["Task Metrics"] for one in lines if one["Event"] == "SparkListenerTaskEnd" and "Task Metrics" in one)
    return sum(one["Shuffle Write Metrics"]["Shuffle Bytes Written"] for one in ended)


def in_a_process(road: str, folder: Path, lines: int, given: argparse.Namespace) -> dict[str, Any]:
    """Measure a road in a fresh process."""
    command = [sys.executable, __file__, "--road", road, "--folder", str(folder), "--lines", str(lines)]
    command += ["--memory", given.memory, "--shape", given.shape, "--calls", str(given.calls)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603 - our own command
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def agree(found: dict[str, dict[str, Any]]) -> None:
    """End where two roads have different means."""
    means = [one["means"] for one in found.values()]
    for one in means:
        if any(abs(one[name] - means[0][name]) > 1e-9 for name in MEASURES):
            message = f"the means differ: {found}"
            raise SystemExit(message)


def main() -> None:
    """Measure, and print."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--lines", type=float, action="append", help="how many rows; repeat (10^5 to 10^7)")
    asked.add_argument("--roads", nargs="*", choices=ROADS, default=list(ROADS))
    asked.add_argument("--shape", choices=QUERY_OF, default="grouped")
    asked.add_argument("--calls", type=int, default=7, help="how many calls in one session: the third finds it warm")
    asked.add_argument("--memory", default="4g", help="the memory of the JVM")
    asked.add_argument("--road", help=argparse.SUPPRESS)
    asked.add_argument("--folder", type=Path, help="where the tables are made; else in a folder that is removed")
    given = asked.parse_args()
    if given.road:
        lines = int(given.lines[0])
        print(json.dumps(measured(given.road, given.folder, lines, given.shape, given.memory, given.calls)))
        return
    print("| rows | road | CPU s, first call | wall s | CPU s, warm | wall s | memory, MB | shuffled | partitions |")
    print("|---" * 9 + "|")
    base = given.folder or Path(tempfile.mkdtemp())
    try:
        for lines in map(int, given.lines or (1e5, 1e6, 1e7)):
            folder = base / f"{given.shape}-{lines}"
            folder.mkdir(parents=True, exist_ok=True)
            in_a_process("make", folder, lines, given)
            found = {road: told(road, lines, in_a_process(road, folder, lines, given)) for road in given.roads}
            agree(found)
            shutil.rmtree(folder)
    finally:
        if given.folder is None:
            shutil.rmtree(base, ignore_errors=True)


def told(road: str, lines: int, one: dict[str, Any]) -> dict[str, Any]:
    """Print a row, and return what it is of."""
    first, *others = one["costs"]
    warm = [map(median, zip(*others[1:], strict=True))] if others[1:] else []
    costs = [f"{number:.1f}" for cost in (first, *warm) for number in cost]
    cells = [f"{lines:,}", road, *costs, *[""] * (4 - len(costs)), f"{one['memory']:.0f}"]
    print("|", " | ".join([*cells, f"{one['shuffled']:,}", str(one["partitions"])]), "|", flush=True)
    return one


if __name__ == "__main__":
    main()
