"""How are judgments and runs written, in each format?"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rankproof.answers import spell
from rankproof.errors import Fault, InputError, RankproofWarning
from rankproof.formats.packing import PACKINGS
from rankproof.formats.start import BEGINS_AS_JSON
from rankproof.formats.trec import qrels_text, run_text, unwritable
from rankproof.formats.whole import write_whole
from rankproof.formats.written_tables import (
    check_finite,
    check_ids,
    columnar_qrels,
    columnar_runs,
    csv_qrels,
    csv_runs,
    jsonl_qrels,
    jsonl_runs,
    pairs_of,
    results_of,
)
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


# ---- JSON


def _json_qrels(qrels: Qrels, _: str) -> str:
    return json.dumps(qrels, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _json_run(runs: Sequence[Run], path: str) -> str:
    content = {query: _json_ranking(query, one, path) for query, one in _single(runs, path).rankings.items()}
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _json_ranking(query: str, ranking: Ranking, path: str) -> Any:
    if ranking.scores is None:
        return list(ranking.doc_ids)
    check_finite(query, ranking, path)
    pairs = list(zip(ranking.doc_ids, ranking.scores, strict=True))
    return dict(pairs) if len(dict(pairs)) == len(pairs) else pairs


# ---- lines


def _why_not_three(query: str, doc: str) -> str | None:
    if BEGINS_AS_JSON.match(f"{query}\t{doc}".encode(errors="replace")):
        return "a row that begins so is read as JSON"
    return unwritable(query, doc)


def _three_qrels(qrels: Qrels, path: str) -> str:
    check_ids(pairs_of(qrels), _why_not_three, "three columns", path)
    return "".join(
        f"{query}\t{doc}\t{spell(grade)}\n" for query, grades in qrels.items() for doc, grade in grades.items()
    )


def _three_run(runs: Sequence[Run], path: str) -> str:
    run = _single(runs, path)
    check_ids(results_of([run]), _why_not_three, "three columns", path)
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
    "jsonl": Writer((".jsonl", ".ndjson"), jsonl_qrels, jsonl_runs),
    "csv": Writer((".csv",), csv_qrels(","), csv_runs(",")),
    "tsv": Writer((".tsv",), csv_qrels("\t"), csv_runs("\t")),
    "parquet": Writer((".parquet",), columnar_qrels("parquet"), columnar_runs("parquet")),
    "arrow": Writer((".arrow", ".feather"), columnar_qrels("arrow"), columnar_runs("arrow")),
}
"""The formats that can be written, by name."""


def writer_of(path: str | Path, format: str | None = None) -> Writer:  # noqa: A002 - the option's name
    """Return how a file is written: as the format says, else as the name's ending does, else as TREC."""
    return WRITERS[written_as(path, format)]


def written_as(path: str | Path, format: str | None = None) -> str:  # noqa: A002
    """Return the name of the format that a file is written in. InputError for one that there is not."""
    if format is not None:
        if format not in WRITERS:
            raise InputError(Fault(f"there is no format {format!r} to write", expected=f"one of {', '.join(WRITERS)}"))
        return format
    name = Path(path).name.lower()
    for packing in PACKINGS:
        name = name.removesuffix(packing.ending)
    found = (known for known, writer in WRITERS.items() if any(name.endswith(ending) for ending in writer.endings))
    return next(found, "trec")


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
