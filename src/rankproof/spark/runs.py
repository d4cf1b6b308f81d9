"""What are the values of the runs of a Spark table, for each query and over all of them?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from rankproof.contract import Contract
from rankproof.errors import Fault, InputError
from rankproof.evaluate import DEFAULT_MEASURES, values_of_joins
from rankproof.formats import as_qrels
from rankproof.measures import Measure, parse_all
from rankproof.model import Qrels
from rankproof.presets import contract as contract_of
from rankproof.spark.counting import NAMED
from rankproof.spark.passes import BROADCAST, CountedTable
from rankproof.spark.qrels import collected_qrels
from rankproof.spark.tables import Columns, is_spark, names_an_id, qrels_table, run_table
from rankproof.values import Values, ValuesOfRuns

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True, slots=True)
class TableOptions:
    """How the tables are to be read."""

    position: str | None = None  # the column that numbers the rows of each query, in the order given
    columns: Columns | None = None  # what the run's table calls its columns, by our names for them
    qrels_columns: Columns | None = None  # the same of the judgments
    name: str = "run"  # of a run whose table names none
    broadcast: int = BROADCAST  # up to so many judgments go to every worker
    named: int = NAMED  # so many queries without judgments are named


def table_options(given: Mapping[str, Any]) -> tuple[TableOptions, dict[str, Any]]:
    """Return the options of tables, and the others."""
    known = {field.name for field in fields(TableOptions)}
    chosen = {name: answer for name, answer in given.items() if name in known}
    return TableOptions(**chosen), {name: answer for name, answer in given.items() if name not in known}


def evaluate(
    run: DataFrame,
    qrels: Any,
    measures: Iterable[str | Measure] | str = DEFAULT_MEASURES,
    contract: str | Path | Mapping[str, Any] | Contract = "rankproof",
    **options: Any,
) -> DataFrame:
    """Return a DataFrame with a row a query: run (of several), query_id, then a column a measure.

    Arguments and errors as of `aggregate`; null is undefined.
    """
    frame = _spark(run)
    return per_query(aggregate(frame, qrels, measures, contract, **options), frame.sparkSession)


def aggregate(
    run: DataFrame,
    qrels: Any,
    measures: Iterable[str | Measure] | str = DEFAULT_MEASURES,
    contract: str | Path | Mapping[str, Any] | Contract = "rankproof",
    **options: Any,
) -> Any:
    """Return what `rankproof.evaluate` returns, Values or, for a table of several runs, ValuesOfRuns.

    `run`: a DataFrame of Spark, classic or Connect, with the columns query_id, doc_id and score, or rank, and perhaps
    run (or names that tools use for them). `qrels`: a DataFrame with query_id, doc_id and grade, or judgments as
    `rankproof.evaluate` takes them. Measures, contract and rules as there. Further options: `position`, the column
    that numbers the rows of each query in the order given (rules about that order need it); `columns` and
    `qrels_columns`, what the tables call their columns; `name` of a run whose table names none; `broadcast`, up to how
    many judgments go to every worker; `named`, how many queries without judgments are named.

    Raises InputError, ContractError or MeasureError; a rule that a table cannot answer is a ContractError.
    """
    chosen, rules = table_options(options)
    given = contract_of(contract, **rules)
    asked = parse_all(measures)
    judgments = qrels_of(qrels, given, chosen.qrels_columns)
    found = values_of_table(table_to_count(run, judgments, chosen), judgments, asked, given)
    return found[0] if len(found) == 1 else ValuesOfRuns(found)


def values_of_tables(
    tables: Iterable[tuple[str, DataFrame]],
    qrels: Any,
    measures: Iterable[str | Measure] | str,
    contract: str | Path | Mapping[str, Any] | Contract,
    **options: Any,
) -> ValuesOfRuns:
    """Return the values of the runs of several tables, given with their paths, each as `aggregate` does.

    A table that names no run holds the run of its path's name. InputError for two runs of one name.
    """
    chosen, rules = table_options(options)
    given, asked = contract_of(contract, **rules), parse_all(measures)
    judgments = qrels_of(qrels, given, chosen.qrels_columns)
    found: dict[str, Values] = {}
    for path, table in tables:
        named = replace(chosen, name=_name_of(path))
        for values in values_of_table(table_to_count(table, judgments, named), judgments, asked, given):
            if values.run in found:
                message = f"holds the run {values.run}, as another table does"
                raise InputError(Fault(message, path, expected="a name of its own for each"))
            found[values.run] = values
    return ValuesOfRuns(list(found.values()))


def _name_of(path: str) -> str:
    """Return what the run of a table is called: v1.2 of runs/v1.2, bm25 of run=bm25 and of bm25.parquet."""
    last = PurePosixPath(path).name.removesuffix(".parquet").removeprefix("run=")
    return last or path


def qrels_of(qrels: Any, contract: Contract, columns: Columns | None = None) -> Qrels:
    """Return judgments of a DataFrame of Spark, or of whatever else `rankproof.evaluate` takes."""
    return collected_qrels(qrels_table(qrels, columns), contract) if is_spark(qrels) else as_qrels(qrels, contract)


def table_to_count(run: DataFrame, qrels: Qrels, options: TableOptions) -> CountedTable:
    """Return the table of results with the judgments, ready to be counted."""
    if options.named < 1:
        raise InputError(Fault(f"named is {options.named}", expected="how many queries are named, 1 or more"))
    columns = dict(options.columns or {})
    if options.position is not None:
        columns["position"] = options.position
    table = run_table(_spark(run), columns, options.name)
    return CountedTable(table, qrels, name=options.name, broadcast=options.broadcast, named=options.named)


def values_of_table(table: CountedTable, qrels: Qrels, measures: list[Measure], contract: Contract) -> list[Values]:
    """Return the values of the runs of a table, in the order of their names."""
    return [
        values_of_joins(qrels, name, measures, contract, partial(table.join, at)) for at, name in enumerate(table.names)
    ]


def per_query(found: Values | ValuesOfRuns, session: SparkSession) -> DataFrame:
    """Return values as a DataFrame of Spark with a row a query (and run, of several)."""
    import pyarrow as pa  # noqa: PLC0415 - loaded where a table is made

    several = [found] if isinstance(found, Values) else list(found.values())
    columns: dict[str, Any] = {}
    if not isinstance(found, Values):
        columns["run"] = pa.array([one.run for one in several for _ in one.query_ids], pa.string())
    columns["query_id"] = pa.array([query for one in several for query in one.query_ids], pa.string())
    for measure in several[0].measures:
        values = [value for one in several for value in one.per_query[measure]]
        columns[measure] = pa.array([None if value is None else float(value) for value in values], pa.float64())
    return session.createDataFrame(pa.table(columns))


def read_runs(session: SparkSession, *paths: str, columns: Columns | None = None) -> DataFrame:
    """Return a table of results of Parquet files or folders, a run a folder `run=NAME` if they are parted so.

    Ids and names of runs that stand in the names of folders are text, whatever they look like: `run=007` stays 007.
    """
    from py4j.protocol import Py4JError  # noqa: PLC0415 - comes with pyspark
    from pyspark.errors import PySparkException  # noqa: PLC0415 - an extra
    from pyspark.sql.types import StringType, StructField, StructType  # noqa: PLC0415

    from rankproof.spark.sessions import first_line  # noqa: PLC0415

    try:
        seen = session.read.parquet(*paths)
        guessed = {one for one, kind in seen.dtypes if kind != "string" and names_an_id(one, columns)}
        if guessed:  # in files, or by the look of folders?
            guessed -= set(session.read.option("recursiveFileLookup", "true").parquet(*paths).columns)
        if not guessed:
            return seen
        kept = [StructField(one.name, StringType()) if one.name in guessed else one for one in seen.schema.fields]
        return session.read.schema(StructType(kept)).parquet(*paths)
    except (PySparkException, Py4JError) as error:
        raise InputError(Fault(f"cannot be read by Spark: {first_line(error)}", ", ".join(paths))) from error


def _spark(given: Any) -> DataFrame:
    if not is_spark(given):
        expected = "a DataFrame of Spark; rankproof.evaluate takes everything else"
        raise InputError(Fault(f"the run is a {type(given).__name__}", expected=expected))
    frame: DataFrame = given
    return frame
