"""How are judgments and runs written, in each format?"""

from __future__ import annotations

import io
import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from rankproof.answers import spell
from rankproof.errors import Fault, Faults, InputError, MissingPackageError, RankproofWarning
from rankproof.formats.packing import PACKINGS
from rankproof.formats.start import BEGINS_AS_JSON
from rankproof.formats.trec import OTHERS, qrels_text, run_text, unwritable
from rankproof.formats.whole import write_whole
from rankproof.model import Qrels, Ranking, Run
from rankproof.words import query_count


class Writer(NamedTuple):
    """How a format is written: the endings of such files; judgments and runs as the content of a file.

    What it cannot hold is refused with InputError, which names the file.
    """

    endings: tuple[str, ...]
    qrels: Callable[[Qrels, str], str | bytes]
    runs: Callable[[Sequence[Run], str], str | bytes]
    holds_empty: bool = False  # queries without judgments or results


def _single(runs: Sequence[Run], path: str) -> Run:
    if len(runs) > 1:
        message = f"{len(runs)} runs for a format that holds one: {', '.join(run.name for run in runs[:3])}"
        raise InputError(Fault(message, path, hint="CSV, JSON lines, Parquet and Arrow hold several"))
    return runs[0]


def _check_ids(pairs: Iterable[tuple[str, str]], why: Callable[[str, str], str | None], what: str, path: str) -> None:
    faults = Faults()
    for query, doc in pairs:
        if reason := why(query, doc):
            faults.add(Fault(f"cannot stand in {what}: {reason}", path, query_id=query, doc_id=doc, hint=OTHERS))
    faults.raise_any()


def _pairs(qrels: Qrels) -> Iterator[tuple[str, str]]:
    return ((query, doc) for query, grades in qrels.items() for doc in grades)


def _results(runs: Sequence[Run]) -> Iterator[tuple[str, str]]:
    return ((query, doc) for run in runs for query, ranking in run.rankings.items() for doc in ranking.doc_ids)


# ---- JSON


def _json_qrels(qrels: Qrels, _: str) -> str:
    return json.dumps(qrels, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _json_run(runs: Sequence[Run], path: str) -> str:
    content = {query: _json_ranking(query, one, path) for query, one in _single(runs, path).rankings.items()}
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _json_ranking(query: str, ranking: Ranking, path: str) -> Any:
    if ranking.scores is None:
        return list(ranking.doc_ids)
    _check_finite(query, ranking, path)
    pairs = list(zip(ranking.doc_ids, ranking.scores, strict=True))
    return dict(pairs) if len(dict(pairs)) == len(pairs) else pairs


def _check_finite(query: str, ranking: Ranking, path: str) -> None:
    for doc, score in zip(ranking.doc_ids, ranking.scores or (), strict=False):
        if not isfinite(score):
            message = f"the score {score} cannot stand in JSON"
            raise InputError(Fault(message, path, query_id=query, doc_id=doc, hint="TREC and CSV hold it"))


# ---- rows with named columns


class _Table(NamedTuple):
    header: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def _judgments(qrels: Qrels) -> _Table:
    rows = [(query, doc, grade) for query, grades in qrels.items() for doc, grade in grades.items()]
    return _Table(("query_id", "doc_id", "grade"), rows)


def _runs(runs: Sequence[Run], path: str) -> _Table:
    """Return a row a result; ranks where a ranking has them, or where nothing else orders it."""
    rankings = [one for run in runs for one in run.rankings.values() if len(one.doc_ids)]
    scored = {one.scores is not None for one in rankings}
    if len(scored) > 1:
        message = "some queries have scores, others have none"
        raise InputError(Fault(message, path, hint=OTHERS))
    ranked = {one.ranks is not None for one in rankings} if scored == {True} else {True}
    if len(ranked) > 1:
        raise InputError(Fault("some queries have ranks, others have none", path))
    columns = (
        "run",
        "query_id",
        "doc_id",
        *(["rank"] if ranked != {False} else []),
        *(["score"] if True in scored else []),
    )
    rows = []
    for run in runs:
        for query, one in run.rankings.items():
            places = one.ranks if one.ranks is not None else range(1, len(one.doc_ids) + 1)
            for at, (doc, place) in enumerate(zip(one.doc_ids, places, strict=True)):
                score = [] if one.scores is None else [float(one.scores[at])]
                rows.append((run.name, query, doc, *([place] if "rank" in columns else []), *score))
    return _Table(columns, rows)


def _check_table(pairs: Iterable[tuple[str, str]], path: str, *, tabs: bool = False) -> None:
    """Refuse ids that would not read back: empty ones, and between tabs those that hold a tab or the end of a line."""

    def why(query: str, doc: str) -> str | None:
        spelled = query + doc
        if not query or not doc:
            return "an id is empty"
        if "\0" in spelled or spelled.encode(errors="replace").decode() != spelled:
            return "an id holds a zero byte or half of a surrogate pair"
        return "an id holds a tab or the end of a line" if tabs and set("\t\r\n") & set(spelled) else None

    _check_ids(pairs, why, "a table", path)


def _delimited(table: _Table, delimiter: str) -> str:
    quoted = str if delimiter == "\t" else _quoted
    lines = [table.header, *([quoted(_spelled(cell)) for cell in row] for row in table.rows)]
    return "".join(delimiter.join(line) + "\n" for line in lines)


def _quoted(cell: str) -> str:
    """Return a cell in quotes where it needs them; the csv module leaves a lone carriage return without."""
    return '"' + cell.replace('"', '""') + '"' if set('",\r\n') & set(cell) else cell


def _spelled(cell: Any) -> str:
    return cell if isinstance(cell, str) else spell(cell) if isinstance(cell, int) else repr(cell)


def _csv_qrels(delimiter: str) -> Callable[[Qrels, str], str]:
    def write(qrels: Qrels, path: str) -> str:
        _check_table(_pairs(qrels), path, tabs=delimiter == "\t")
        return _delimited(_judgments(qrels), delimiter)

    return write


def _csv_runs(delimiter: str) -> Callable[[Sequence[Run], str], str]:
    def write(runs: Sequence[Run], path: str) -> str:
        _check_table(_results(runs), path, tabs=delimiter == "\t")
        _check_table(((run.name, run.name) for run in runs), path, tabs=delimiter == "\t")
        return _delimited(_runs(runs, path), delimiter)

    return write


def _lines(table: _Table) -> str:
    rows = (dict(zip(table.header, row, strict=True)) for row in table.rows)
    return "".join(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows)


def _jsonl_qrels(qrels: Qrels, path: str) -> str:
    _check_table(_pairs(qrels), path)
    return _lines(_judgments(qrels))


def _jsonl_runs(runs: Sequence[Run], path: str) -> str:
    _check_table(_results(runs), path)
    for run in runs:
        for query, ranking in run.rankings.items():
            _check_finite(query, ranking, path)
    return _lines(_runs(runs, path))


# ---- columns


def _columns(table: _Table, path: str, ending: str) -> bytes:
    """Return a table as Parquet or Arrow. MissingPackageError without pyarrow."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - only where such a file is written
    except ModuleNotFoundError as error:
        hint = 'pip install "rankproof[parquet]"'
        raise MissingPackageError(Fault(f"{ending} needs the package pyarrow", path, hint=hint)) from error
    columns = [list(column) for column in zip(*table.rows, strict=True)]
    typed = [pa.array(_of_one_type(column)) for column in columns]
    held, into = pa.table(dict(zip(table.header, typed, strict=True))), io.BytesIO()
    if ending == "parquet":
        import pyarrow.parquet  # noqa: PLC0415

        pyarrow.parquet.write_table(held, into)
    else:
        import pyarrow.ipc  # noqa: PLC0415

        with pyarrow.ipc.new_file(into, held.schema) as file:
            file.write_table(held)
    return into.getvalue()


def _of_one_type(column: list[Any]) -> list[Any]:
    return [float(cell) for cell in column] if any(isinstance(cell, float) for cell in column) else column


def _columnar_qrels(ending: str) -> Callable[[Qrels, str], bytes]:
    def write(qrels: Qrels, path: str) -> bytes:
        _check_table(_pairs(qrels), path)
        return _columns(_judgments(qrels), path, ending)

    return write


def _columnar_runs(ending: str) -> Callable[[Sequence[Run], str], bytes]:
    def write(runs: Sequence[Run], path: str) -> bytes:
        _check_table(_results(runs), path)
        return _columns(_runs(runs, path), path, ending)

    return write


# ---- lines


def _why_not_three(query: str, doc: str) -> str | None:
    if BEGINS_AS_JSON.match(f"{query}\t{doc}".encode(errors="replace")):
        return "a row that begins so is read as JSON"
    return unwritable(query, doc)


def _three_qrels(qrels: Qrels, path: str) -> str:
    _check_ids(_pairs(qrels), _why_not_three, "three columns", path)
    return "".join(
        f"{query}\t{doc}\t{spell(grade)}\n" for query, grades in qrels.items() for doc, grade in grades.items()
    )


def _three_run(runs: Sequence[Run], path: str) -> str:
    run = _single(runs, path)
    _check_ids(_results([run]), _why_not_three, "three columns", path)
    lines = []
    for query, ranking in run.rankings.items():
        if ranking.scores is not None:
            message, hint = "has scores, which three columns cannot hold", "--drop score leaves the ranks"
            raise InputError(Fault(message, path, query_id=query, hint=hint))
        lines += [f"{query}\t{doc}\t{rank}\n" for rank, doc in enumerate(ranking.doc_ids, 1)]
    return "".join(lines)


WRITERS: Mapping[str, Writer] = {
    "trec": Writer(
        (".trec", ".txt", ".qrels", ".run"), qrels_text, lambda runs, path: run_text(_single(runs, path), path)
    ),
    "three-columns": Writer((), _three_qrels, _three_run),
    "json": Writer((".json",), _json_qrels, _json_run, holds_empty=True),
    "jsonl": Writer((".jsonl", ".ndjson"), _jsonl_qrels, _jsonl_runs),
    "csv": Writer((".csv",), _csv_qrels(","), _csv_runs(",")),
    "tsv": Writer((".tsv",), _csv_qrels("\t"), _csv_runs("\t")),
    "parquet": Writer((".parquet",), _columnar_qrels("parquet"), _columnar_runs("parquet")),
    "arrow": Writer((".arrow", ".feather"), _columnar_qrels("arrow"), _columnar_runs("arrow")),
}
"""The formats that can be written, by name."""


def writer_of(path: str | Path, format: str | None = None) -> Writer:  # noqa: A002 - the option's name
    """Return how a file is written: as the format says, else as the name's ending does, else as TREC."""
    if format is not None:
        if format not in WRITERS:
            raise InputError(Fault(f"there is no format {format!r} to write", expected=f"one of {', '.join(WRITERS)}"))
        return WRITERS[format]
    name = Path(path).name.lower()
    for packing in PACKINGS:
        name = name.removesuffix(packing.ending)
    found = (writer for writer in WRITERS.values() if any(name.endswith(ending) for ending in writer.endings))
    return next(found, WRITERS["trec"])


def write_qrels(qrels: Qrels, path: str | Path, format: str | None = None) -> None:  # noqa: A002
    """Write judgments, whole or not at all: as `format`, else as the ending says (.json, .csv, …), else as TREC.

    They read back as they were, but for queries without judgments, which rows cannot hold: a warning says so. Packed
    where the name ends in .gz, .bz2, .xz or .zst. InputError where there is no grade, and for ids that cannot stand.
    """
    if not any(qrels.values()):
        raise InputError(Fault("there is no grade to write", str(path)))
    writer = writer_of(path, format)
    content = writer.qrels(qrels, str(path))
    if not writer.holds_empty and (hollow := [query for query, grades in qrels.items() if not grades]):
        text = f"{path}: {query_count(len(hollow))} without judgments cannot be written (first: {hollow[0]})"
        warnings.warn(text, RankproofWarning, stacklevel=2)
    write_whole(path, content)


def write_run(run: Run, path: str | Path, format: str | None = None) -> None:  # noqa: A002
    """Write a run, whole or not at all: as `format`, else as the name's ending says (.json, .csv, …), else as TREC.

    Its rankings read back as they were. In TREC a ranking without scores gets n, n - 1, …, 1, one without ranks its
    positions, and white space in the run's name becomes a hyphen. What a format cannot hold is refused with InputError,
    or said in a warning: marks of evidence, and queries without results, which will read as missing.
    """
    writer = writer_of(path, format)
    content = writer.runs([run], str(path))
    tell_unwritten([run], path, writer)
    write_whole(path, content)


def tell_unwritten(runs: Sequence[Run], path: str | Path, writer: Writer) -> None:
    """Say what of these runs a file will not hold."""
    rankings = [(query, ranking) for run in runs for query, ranking in run.rankings.items()]
    if not writer.holds_empty and (hollow := [query for query, ranking in rankings if len(ranking.doc_ids) == 0]):
        text = f"{path}: {query_count(len(hollow))} without results cannot be written (first: {hollow[0]})"
        warnings.warn(text, RankproofWarning, stacklevel=3)
    if any(ranking.evidence is not None for _, ranking in rankings):
        warnings.warn(f"{path}: marks of evidence cannot be written", RankproofWarning, stacklevel=3)
