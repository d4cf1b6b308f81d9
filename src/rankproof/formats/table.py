"""Which formats are there, and which one is this? One table; the content decides, not the file's name."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rankproof.contract import Contract
from rankproof.errors import Fault, InputError, seen
from rankproof.formats.files import Source
from rankproof.formats.frames import is_frame, qrels_of_frame, runs_of_frame
from rankproof.formats.grades import numeric
from rankproof.formats.jsons import read_json_qrels, read_json_run
from rankproof.formats.objects import is_text, qrels_of, run_of
from rankproof.formats.trec import LOOKS_LIKE_QRELS, read_trec_qrels, read_trec_run
from rankproof.model import Qrels, Ranking, Run

_HOUSE = Contract()


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write qrels and runs: what it looks like, and how it is read."""

    name: str
    says: str  # what a line or an object holds
    looks_like: Callable[[bytes], bool]  # given the first bytes, white space removed
    read_qrels: Callable[[Source, Contract], Qrels]
    read_run: Callable[[Source, Contract], Run]


FORMATS: tuple[Format, ...] = (
    Format(
        "json",
        "an object: qrels {query_id: {doc_id: grade}}, run {query_id: {doc_id: score}} or {query_id: [doc_id, …]}",
        lambda start: re.match(rb"\{\s*[\"}]|\[\s*[\[\]{\"]", start) is not None,
        read_json_qrels,
        read_json_run,
    ),
    Format(
        "trec",
        "lines: qrels `query_id iteration doc_id grade`, run `query_id Q0 doc_id rank score tag`",
        lambda _: True,
        read_trec_qrels,
        read_trec_run,
    ),
)
"""The formats, asked in this order."""


def _format_of(source: Source) -> Format:
    start = source.start().lstrip()
    return next(known for known in FORMATS if known.looks_like(start))


def read_qrels(path: str | Path | Source, contract: Contract = _HOUSE) -> Qrels:
    """Read a file of judgments, whatever its format. InputError lists its faults."""
    source = path if isinstance(path, Source) else Source(path)
    return _format_of(source).read_qrels(source, contract)


def read_run(path: str | Path | Source, contract: Contract = _HOUSE) -> Run:
    """Read a file of rankings, whatever its format. InputError lists its faults."""
    source = path if isinstance(path, Source) else Source(path)
    return _format_of(source).read_run(source, contract)


def as_qrels(given: Any, contract: Contract) -> Qrels:
    """Return qrels from a path, a dict, rows of tuples or a dataframe."""
    if isinstance(given, (str, Path, Source)):
        return read_qrels(given, contract)
    return qrels_of_frame(given, contract) if is_frame(given) else qrels_of(given, contract)


def as_runs(given: Any, contract: Contract) -> tuple[list[Run], bool]:
    """Return the runs, each under a name of its own, and whether several were given (a list, or a dict by name)."""
    if isinstance(given, Mapping) and _holds_runs(given):
        named = [(str(name), _one_run(one, str(name), contract)) for name, one in given.items()]
        if len(dict(named)) < len(named):
            raise InputError(Fault("two runs have one name", expected="a name for each"))
        return [replace(run, name=name) for name, run in named], True
    if isinstance(given, (list, tuple)) and given and not _is_row(given[0]):
        runs = [run for number, one in enumerate(given, 1) for run in _as_runs(one, f"run-{number}", contract)]
        return _named_apart(runs), True
    runs = _as_runs(given, "run", contract)
    return runs, len(runs) > 1


@contextmanager
def runs_only(hint: str) -> Iterator[None]:
    """Say where qrels among runs belong: other commands take them first."""
    try:
        yield
    except InputError as error:
        faults = (
            replace(one, hint=f"{LOOKS_LIKE_QRELS}: {hint}") if LOOKS_LIKE_QRELS in (one.hint or "") else one
            for one in error.faults
        )
        raise InputError(*faults, more=error.more) from error


def _as_runs(given: Any, name: str, contract: Contract) -> list[Run]:
    """Return the run of one object; a dataframe with a column that names runs holds as many as it names."""
    if isinstance(given, Run):
        return [_checked(given)]
    if isinstance(given, (str, Path, Source)):
        return [read_run(given, contract)]
    return runs_of_frame(given, name) if is_frame(given) else [run_of(given, name)]


def _one_run(given: Any, name: str, contract: Contract) -> Run:
    runs = _as_runs(given, name, contract)
    if len(runs) > 1:
        raise InputError(Fault(f"holds {len(runs)} runs", name, expected="one", hint="pass it by itself"))
    return runs[0]


def _checked(run: Run) -> Run:
    """Return a run that a caller made, if it holds rankings, its ids are text and its scores are numbers."""
    for query, ranking in run.rankings.items():
        where = Fault("", run.name, query_id=str(query))
        if not isinstance(ranking, Ranking):
            raise InputError(replace(where, message=f"holds {seen(ranking)}", expected="a Ranking"))
        if not all(map(is_text, (query, *ranking.doc_ids))):
            raise InputError(replace(where, message="holds an id that is no text", expected="text"))
        if wrong := [score for score in (() if ranking.scores is None else ranking.scores) if numeric(score) is None]:
            raise InputError(replace(where, message=f"score {seen(wrong[0])}", column="score", expected="a number"))
    return run


def _is_row(given: object) -> bool:
    return isinstance(given, Sequence) and not isinstance(given, str)


def _holds_runs(given: Mapping[Any, Any]) -> bool:
    """Return whether a dict is one of runs by name, not one of rankings by query: it is a level deeper."""
    for part in given.values():
        if isinstance(part, (Run, str, Path, Source)) or is_frame(part):
            return True
        if isinstance(part, Mapping):
            for inner in part.values():
                return isinstance(inner, Collection) and not isinstance(inner, (str, bytes))
        elif isinstance(part, Sequence):
            return any(_is_row(row) and len(row) == 3 for row in part[:1])
    return False


def _named_apart(runs: Sequence[Run]) -> list[Run]:
    """Return the runs; those that share a name take their file's name, or a number."""
    names = [run.name for run in runs]
    named = [
        replace(run, name=Source(run.source).stem) if names.count(run.name) > 1 and run.source else run for run in runs
    ]
    again = [run.name for run in named]
    numbered = []
    for at, run in enumerate(named):
        count = again[:at].count(run.name)
        numbered.append(replace(run, name=f"{run.name}#{count + 1}") if count else run)
    if len({run.name for run in numbered}) < len(numbered):
        raise InputError(
            Fault(
                "the runs cannot be told apart by name",
                expected="a name for each: another tag, another file name, or in Python a dict of runs by name",
            )
        )
    return numbered
