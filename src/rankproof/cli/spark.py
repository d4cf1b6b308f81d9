"""`rankproof evaluate --engine spark`: which tables are read, and where does Spark run?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rankproof.record import Input
    from rankproof.values import ValuesOfRuns


class Engine(StrEnum):
    """What does the work."""

    PLAIN = "plain"
    SPARK = "spark"


EngineOption = Annotated[
    Engine,
    typer.Option("--engine", help="spark: the runs are Parquet tables (a folder each), counted where they lie."),
]
SparkOption = Annotated[
    str | None,
    typer.Option(
        "--spark",
        metavar="URL",
        help="Where Spark runs: sc://host:15002, spark://…, local[2]; else what spark-submit says, or here.",
    ),
]
PositionOption = Annotated[
    str | None,
    typer.Option(
        "--position", metavar="COLUMN", help="With --engine spark: the column that numbers the rows of each query."
    ),
]
ColumnOption = Annotated[
    list[str] | None,
    typer.Option(
        "--column", metavar="OURS=THEIRS", help="With --engine spark: what a run's table calls a column, score=sim say."
    ),
]


def check_engine(engine: Engine, paths: Sequence[str], given: Mapping[str, object]) -> None:
    """Refuse options of Spark without it, and standard input with it."""
    from rankproof.errors import Fault, InputError

    if engine is Engine.SPARK:
        if "-" in paths:
            raise InputError(Fault("Spark reads tables, not standard input", expected="paths of Parquet"))
        return
    for option, answer in given.items():
        if answer:
            raise InputError(Fault(f"{option} belongs to Spark", hint="--engine spark"))


def on_spark(
    qrels: str,
    runs: Sequence[str],
    url: str | None,
    arguments: dict[str, Any],
) -> tuple[ValuesOfRuns, list[tuple[str, Input]]]:
    """Return the values of the runs of these tables, and the inputs for the record. `arguments`: as of `aggregate`."""
    from rankproof.formats import Source
    from rankproof.spark import read_runs, session
    from rankproof.spark.runs import values_of_tables
    from rankproof.spark.sessions import refusals

    read = Path(qrels).is_file() and Path(qrels).suffix != ".parquet"  # small, and in any format
    source = Source(qrels) if read else None
    _check_parquet(runs if read else [qrels, *runs])
    with refusals():
        spark = session(url)
        judgments: Any = read_runs(spark, qrels) if source is None else source
        tables = [(path, read_runs(spark, path, columns=arguments.get("columns"))) for path in runs]
        found = values_of_tables(tables, judgments, **arguments)
    inputs: list[tuple[str, Input]] = [("qrels", source or Table(qrels)), *(("run", Table(path)) for path in runs)]
    return found, inputs


def _check_parquet(paths: Sequence[str]) -> None:
    """Refuse a file here that is no Parquet, of which Spark would say so behind a page of stacks."""
    from rankproof.errors import Fault, Faults

    faults = Faults()
    for path in paths:
        if Path(path).is_file():
            with Path(path).open("rb") as file:
                if file.read(4) not in (b"PAR1", b"PARE"):  # PARE: encrypted
                    hint = f"rankproof convert {path} OUT.parquet"
                    faults.add(Fault("is no Parquet", path, expected="a table, for Spark", hint=hint))
    faults.raise_any()


class Table:
    """A table that Spark reads: nobody reads through its bytes."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.sha256: str | None = None
