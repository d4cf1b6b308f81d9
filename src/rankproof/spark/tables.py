"""Which columns of a Spark table are the query, the document, the score, the grade? By their names, or as one says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from rankproof.errors import Fault, Faults, InputError, nearest
from rankproof.formats.columns import NAMES, missing, normal
from rankproof.formats.columns import position as place_in

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

IDS = frozenset({"string", "tinyint", "smallint", "int", "bigint"})
WHOLE = frozenset({"tinyint", "smallint", "int", "bigint"})
NUMBERS = WHOLE | {"float", "double", "decimal"}

Columns: TypeAlias = Mapping[str, str]
"""What a table calls its columns, by our names for them."""


class _Column(NamedTuple):
    """A column of ours: the types that it may have, the type that it is read as."""

    types: frozenset[str]
    read_as: str


RUN_COLUMNS: Mapping[str, _Column] = {
    "run": _Column(IDS | NUMBERS, "string"),
    "query_id": _Column(IDS, "string"),
    "doc_id": _Column(IDS, "string"),
    "score": _Column(NUMBERS, "double"),
    "rank": _Column(NUMBERS, "double"),
    "position": _Column(WHOLE, "bigint"),
}
"""The columns of a table of results; `position` numbers the rows of a query in the order given."""

QRELS_COLUMNS: Mapping[str, _Column] = {
    "query_id": _Column(IDS, "string"),
    "doc_id": _Column(IDS, "string"),
    "grade": _Column(NUMBERS | {"string"}, ""),
    "subtopic": _Column(IDS, "string"),
}
"""The columns of a table of judgments."""


def names_an_id(called: str, columns: Columns | None = None) -> bool:
    """Return whether a column could be one of ids or of names of runs, by what it is called."""
    ours = ("run", "query_id", "doc_id", "subtopic")
    known = {name for column in ours for group in NAMES[column] for name in group}
    return normal(called) in known or called in {(columns or {}).get(column) for column in ours}


def is_spark(given: object) -> bool:
    """Return whether an object is a DataFrame of Spark, classic or Connect, without importing anything."""
    return type(given).__module__.startswith("pyspark.sql") and hasattr(given, "mapInArrow")


def run_table(frame: DataFrame, columns: Columns | None = None, name: str = "run") -> DataFrame:
    """Return a table of results with the columns of RUN_COLUMNS that it has, ids as text, scores as doubles.

    `columns` says what it calls them; else the names that tools use are known, but for `position`, which is never
    guessed. A row that names no run is of the run `name`. InputError where a column is missing, or cannot be what it is
    to be.
    """
    table = _selected(frame, RUN_COLUMNS, columns or {}, name)
    if "score" not in table.columns and "rank" not in table.columns and "position" not in table.columns:
        raise InputError(missing(frame.columns, "score", name))
    others = [f"coalesce(nullif(run, ''), {literal(name)}) AS run" if one == "run" else one for one in table.columns]
    return table.selectExpr(*others)


def qrels_table(frame: DataFrame, columns: Columns | None = None, name: str = "qrels") -> DataFrame:
    """Return a table of judgments with the columns query_id, doc_id, grade and, where there is one, subtopic."""
    table = _selected(frame, QRELS_COLUMNS, columns or {}, name)
    if "grade" not in table.columns:
        raise InputError(missing(frame.columns, "grade", name))
    return table


def _selected(frame: DataFrame, known: Mapping[str, _Column], columns: Columns, name: str) -> DataFrame:
    types = {field.name: field.dataType.simpleString() for field in frame.schema.fields}
    faults, parts = Faults(), []
    _check_names(columns, known, name, types, faults)
    for column, (allowed, read_as) in known.items():
        called = columns.get(column) or _guessed(frame.columns, column, name)
        if called is None:
            continue
        if column == "rank" and column not in columns and _plain(types[called]) not in allowed:
            # A guess that no rule may need: text that is no number lacks where a rule reads it.
            parts += [(column, called, "text")] if _plain(types[called]) == "string" else []
            continue
        if called in types and _plain(types[called]) not in allowed:
            message, expected = f"the column {called} is of the type {types[called]}", _types(allowed)
            faults.add(Fault(message, name, column=column, expected=expected, hint="cast it, or name another column"))
        exact = "double" if _plain(types.get(called, "")) == "decimal" else ""  # a grade stays what it is
        parts.append((column, called, read_as or exact))
    have = {column for column, _, _ in parts}
    for column in ("query_id", "doc_id"):
        if column not in have:
            faults.add(missing(frame.columns, column, name))
    faults.raise_any()
    return _read(frame, [_expression(*part) for part in parts], name)


def _read(frame: DataFrame, expressions: Sequence[str], name: str) -> DataFrame:
    from pyspark.errors import PySparkException  # noqa: PLC0415 - an extra

    from rankproof.spark.sessions import first_line  # noqa: PLC0415

    try:
        table = frame.selectExpr(*expressions)
        _ = table.columns  # Spark Connect looks at names when it is asked for them
    except PySparkException as error:
        says = first_line(error)
        hint = "names that differ in case alone are one to Spark: rename one" if "AMBIGUOUS" in says else None
        raise InputError(Fault(f"cannot be read by Spark: {says}", name, hint=hint)) from error
    return table


def _guessed(header: Sequence[str], column: str, name: str) -> str | None:
    if column == "position":
        return None
    at = place_in(header, column, name)
    return None if at is None else header[at]


def _check_names(
    columns: Columns, known: Mapping[str, Any], name: str, types: Mapping[str, str], faults: Faults
) -> None:
    for column, called in columns.items():
        if column not in known:
            expected = f"one of {', '.join(known)}"
            faults.add(Fault(f"{column!r} is no column of ours", name, expected=expected))
        elif called not in types:
            hint = f"nearest: {nearest(called, types)}"
            faults.add(Fault(f"has no column {called}", name, column=column, hint=hint))


def _plain(kind: str) -> str:
    """Return a type without its length, precision or collation."""
    bare = kind.partition("(")[0].partition(" ")[0]
    return "string" if bare in ("varchar", "char") else bare


def _types(allowed: frozenset[str]) -> str:
    return "text or a whole number" if "string" in allowed else "a whole number" if allowed == WHOLE else "a number"


def _expression(column: str, called: str, read_as: str) -> str:
    quoted = "`" + called.replace("`", "``") + "`"
    if read_as == "text":
        return f"TRY_CAST({quoted} AS DOUBLE) AS {column}"
    return f"CAST({quoted} AS {read_as}) AS {column}" if read_as else f"{quoted} AS {column}"


def literal(given: str) -> str:
    """Return SQL for a text, whatever is in it."""
    return f"CAST(X'{given.encode().hex()}' AS STRING)"
