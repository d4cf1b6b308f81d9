"""Which formats are there, and which one is this? One table; the content decides, not the file's name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

from rankproof.contract import Contract
from rankproof.errors import Fault, InputError, seen
from rankproof.formats.cells import is_text
from rankproof.formats.chunks import rolled_up
from rankproof.formats.files import Source
from rankproof.formats.frames import is_frame, qrels_of_frame, runs_of_frame
from rankproof.formats.grades import numeric
from rankproof.formats.held import held_qrels, held_run
from rankproof.formats.jsons import read_json_qrels, read_json_runs
from rankproof.formats.objects import qrels_of, run_of
from rankproof.formats.results import named_apart, one_run
from rankproof.formats.start import Start, start_of
from rankproof.formats.tables import (
    read_arrow_qrels,
    read_arrow_runs,
    read_delimited_qrels,
    read_delimited_runs,
    read_jsonl_qrels,
    read_jsonl_runs,
    read_parquet_qrels,
    read_parquet_runs,
)
from rankproof.formats.three_columns import read_three_column_qrels, read_three_column_runs
from rankproof.formats.trec import LOOKS_LIKE_QRELS, read_trec_qrels, read_trec_run
from rankproof.formats.unread import unread_qrels, unread_rows, unread_table
from rankproof.model import Held, Qrels, Ranking, Run

_HOUSE = Contract()

Role: TypeAlias = Literal["qrels", "run"]


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write qrels and runs: what it looks like, and how it is read and written."""

    name: str
    says: str  # what a line or an object holds
    fits: Callable[[Start, Role], bool]  # whether a file that begins so is one
    read_qrels: Callable[[Source, Contract], Qrels]
    read_runs: Callable[[Source, Contract], list[Run]]


FORMATS: tuple[Format, ...] = (
    Format("parquet", "columns by name", lambda start, _: start.is_parquet, read_parquet_qrels, read_parquet_runs),
    Format("arrow", "columns by name (Feather)", lambda start, _: start.is_arrow, read_arrow_qrels, read_arrow_runs),
    Format(
        "jsonl",
        'an object a line, with fields as in csv: {"query_id": …, "doc_id": …, "grade": …}',
        lambda start, _: start.is_json_lines,
        read_jsonl_qrels,
        read_jsonl_runs,
    ),
    Format(
        "json",
        "an object: qrels {query_id: {doc_id: grade}}, run {query_id: {doc_id: score}} or {query_id: [doc_id, …]};"
        " a list of objects as in jsonl; nested ratings of OpenSearch, Elasticsearch, RRE and Quepid",
        lambda start, _: start.is_json,
        read_json_qrels,
        read_json_runs,
    ),
    Format(
        "csv",
        "a header with query_id, doc_id and grade, or score or rank, and rows; parted by commas, semicolons or tabs",
        lambda start, _: start.has_header,
        read_delimited_qrels,
        read_delimited_runs,
    ),
    Format(
        "three-columns",
        "lines: qrels `query_id doc_id grade`, run `query_id doc_id rank` (MS MARCO)",
        lambda start, _: start.columns == 3 and start.is_number(2),
        read_three_column_qrels,
        read_three_column_runs,
    ),
    Format(
        "trec",
        "lines: qrels `query_id iteration doc_id grade`, run `query_id Q0 doc_id rank score tag`",
        lambda start, role: start.columns == 4 if role == "qrels" else start.columns > 5,
        read_trec_qrels,
        lambda source, contract: [read_trec_run(source, contract)],
    ),
)
"""The formats."""


@contextmanager
def forced(qrels: str | None = None, run: str | None = None) -> Iterator[None]:
    """Read all files within as these formats, whatever they look like. InputError for a format that there is not."""
    token = _FORCED.set({"qrels": _named(qrels), "run": _named(run)})
    try:
        yield
    finally:
        _FORCED.reset(token)


_FORCED: ContextVar[Mapping[Role, Format | None]] = ContextVar("_FORCED", default={})  # noqa: B039 - never changed


def _named(name: str | None) -> Format | None:
    if name is None:
        return None
    for known in FORMATS:
        if known.name == name:
            return known
    expected = f"one of {', '.join(known.name for known in FORMATS)}"
    raise InputError(Fault(f"there is no format {name!r}", expected=expected))


def format_of(source: Source, role: Role, contract: Contract = _HOUSE) -> Format:
    """Return the format of a file of judgments or results: the one that is forced, or that its first bytes show.

    What fits none is given to the one that it is nearest to, whose message says what it lacks. InputError for what is
    known to be something else.
    """
    if named := _FORCED.get().get(role):
        return named
    start = start_of(source, comments=contract.comments == "hash")
    fitting = [known for known in FORMATS if known.fits(start, role)]
    if len(fitting) > 1:
        message = f"could be {' or '.join(known.name for known in fitting)}"
        raise InputError(Fault(message, source.name, hint=f"--{role}-format NAME says which"))
    if not fitting and (other := start.is_another):
        what, hint = other
        expected = f"one of {', '.join(known.name for known in FORMATS)}"
        raise InputError(Fault(f"is {what}", source.name, expected=expected, hint=hint))
    if fitting:
        return fitting[0]
    nearest = _by_name["csv" if start.delimiters > 1 else "trec"]
    return _unfit(nearest, role) if start.content else nearest


def _unfit(nearest: Format, role: Role) -> Format:
    """Return a format whose reader says, of a text that fits none and where nothing else helps, how to force one."""

    def telling(read: Callable[[Source, Contract], Read]) -> Callable[[Source, Contract], Read]:
        def reading(source: Source, contract: Contract) -> Read:
            try:
                return read(source, contract)
            except InputError as error:
                first, *rest = error.faults
                how = f"it fits no format; --{role}-format NAME forces one: {', '.join(_by_name)}"
                raise InputError(replace(first, hint=first.hint or how), *rest, more=error.more) from error

        return reading

    return replace(nearest, read_qrels=telling(nearest.read_qrels), read_runs=telling(nearest.read_runs))


Read = TypeVar("Read")

_by_name = {known.name: known for known in FORMATS}


def read_qrels(path: str | Path | Source, contract: Contract = _HOUSE, format: str | None = None) -> Qrels:  # noqa: A002
    """Read a file of judgments, as `format` or whatever its content shows. InputError lists its faults."""
    source = path if isinstance(path, Source) else Source(path)
    with closing(source):
        return (_named(format) or format_of(source, "qrels", contract)).read_qrels(source, contract)


def read_run(path: str | Path | Source, contract: Contract = _HOUSE, format: str | None = None) -> Run:  # noqa: A002
    """Read a file of rankings, as `format` or whatever its content shows.

    InputError lists its faults, and refuses a file of several runs.
    """
    source = path if isinstance(path, Source) else Source(path)
    return one_run(read_runs(source, contract, format), source.name)


def read_runs(path: str | Path | Source, contract: Contract = _HOUSE, format: str | None = None) -> list[Run]:  # noqa: A002
    """Read the runs of a file of rankings: several where a column names them. InputError lists its faults."""
    source = path if isinstance(path, Source) else Source(path)
    with closing(source):
        found = (_named(format) or format_of(source, "run", contract)).read_runs(source, contract)
    return [rolled_up(run, contract) for run in found]


def as_qrels(given: Any, contract: Contract, *, lazily: bool = False) -> Qrels:
    """Return qrels from a path, a dict, rows of tuples or a dataframe.

    `lazily`: a large file of TREC rows, or a dict of many judgments, is read when it has to be.
    """
    if isinstance(given, (str, Path, Source)):
        source = given if isinstance(given, Source) else Source(given, hashed=False)
        scannable = lazily and contract.grade_map is None and contract.subtopics in ("error", "ignored")
        if scannable and format_of(source, "qrels", contract) is _by_name["trec"]:
            unread = unread_qrels(source, start_of(source, comments=contract.comments == "hash"), contract)
            if unread is not None:
                return unread
        return read_qrels(source, contract)
    if is_frame(given):
        return qrels_of_frame(given, contract)
    found = held_qrels(given, contract) if lazily and contract.grade_map is None else None
    return qrels_of(given, contract) if found is None else found


def as_runs(given: Any, contract: Contract, *, lazily: bool = False) -> tuple[list[Run], bool]:
    """Return the runs, each under a name of its own, and whether several were given (a list, or a dict by name).

    `lazily`: a large file of TREC rows or columns, or dicts of many results, are read when they have to be.
    """
    if isinstance(given, Mapping) and _holds_runs(given):
        named = [(str(name), _one_run(one, str(name), contract, lazily=lazily)) for name, one in given.items()]
        if len(dict(named)) < len(named):
            raise InputError(Fault("two runs have one name", expected="a name for each"))
        return [replace(run, name=name) for name, run in named], True
    if isinstance(given, (list, tuple)) and given and not _is_row(given[0]):
        runs = [
            run
            for number, one in enumerate(given, 1)
            for run in _as_runs(one, f"run-{number}", contract, lazily=lazily)
        ]
        return named_apart(runs), True
    runs = _as_runs(given, "run", contract, lazily=lazily)
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


def _as_runs(given: Any, name: str, contract: Contract, *, lazily: bool) -> list[Run]:
    """Return the run of one object; a dataframe with a column that names runs holds as many as it names."""
    if isinstance(given, (str, Path, Source)):
        source = given if isinstance(given, Source) else Source(given, hashed=False)
        run = _unread(source, contract) if lazily else None
        return [run] if run is not None else read_runs(source, contract)
    if isinstance(given, Run):
        found = [_checked(given)]
    elif lazily and (held := held_run(given, name)) is not None:
        found = [held]
    else:
        found = runs_of_frame(given, name) if is_frame(given) else [run_of(given, name)]
    return [rolled_up(run, contract) for run in found]


def _unread(source: Source, contract: Contract) -> Run | None:
    if contract.roll_up != "none":
        return None
    known = format_of(source, "run", contract)
    if known is _by_name["trec"]:  # not what is nearest to it
        return unread_rows(source, start_of(source, comments=contract.comments == "hash"), contract)
    if known.name in ("parquet", "arrow"):
        return unread_table(source, lambda opened: known.read_runs(opened, contract))
    return None


def _one_run(given: Any, name: str, contract: Contract, *, lazily: bool) -> Run:
    runs = _as_runs(given, name, contract, lazily=lazily)
    if len(runs) > 1:
        raise InputError(Fault(f"holds {len(runs)} runs", name, expected="one", hint="pass it by itself"))
    return runs[0]


def _checked(run: Run) -> Run:
    """Return a run that a caller made, if it holds rankings, its ids are text and its scores are numbers."""
    if isinstance(run.rankings, Held):  # what is wrong with these is said where they are placed, or read
        return run
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
