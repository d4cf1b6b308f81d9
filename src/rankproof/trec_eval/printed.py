"""What does trec_eval print for these judgments, this run and these flags?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import exp, log
from pathlib import Path
from typing import NamedTuple

from rankproof.arithmetic import GEOMETRIC_FLOOR, add
from rankproof.errors import ContractError, Fault, InputError, RankproofError, printable
from rankproof.formats import Source, read_run
from rankproof.formats.places import with_lines
from rankproof.model import Run
from rankproof.trec_eval.asked import Asked
from rankproof.trec_eval.column import Column, Setting
from rankproof.trec_eval.judged import FORMATS, Judged
from rankproof.trec_eval.zscores import ZScores, read_zscores


class Printed(NamedTuple):
    """What goes to standard output, and what a reader should know beside it."""

    text: str
    notes: Sequence[str]


class _Row(NamedTuple):
    """One query's values, in the order of the columns."""

    query_id: str
    values: Sequence[float | str]
    in_list: bool = True  # whether -q prints it


def printed(
    judgments: str | Path,
    run: str | Path,
    asked: Asked,
    zscores: str | Path | None = None,
    on_bytes: Callable[[int], None] | None = None,
) -> Printed:
    """Return trec_eval's output, whole; each query is looked at once, for all measures.

    `judgments`, `run`, `zscores`: paths, `-` for standard input; `on_bytes` is told how many bytes were read. Raises
    InputError, ContractError or MeasureError for what cannot be read or evaluated, with its place.
    """
    if zscores is not None and asked.complete and asked.version == "9.0.8":
        message = "-Z together with -c: trec_eval 9.0.8 has no z-score of a missing query"
        raise InputError(Fault(message, expected="one of them, or --as 10.0"))
    asked.parameters()  # a wrong name is told before large files are read
    contract, tagged = asked.contract(), _Tagged(run, on_bytes)
    judged = FORMATS[asked.judgments](Source(judgments, on_bytes), contract)
    ranked = read_run(tagged, contract)
    columns = asked.columns(Setting(contract, judged.grades, asked.documents))
    compared = None if zscores is None else read_zscores(Source(zscores))
    try:
        rows = list(_rows(judged, ranked, asked, columns, compared))
    except RankproofError as error:
        raise with_lines(error, str(judgments)) from error
    mark = "Z" if compared else ""
    lines = [line for row in rows if asked.per_query and row.in_list for line in _of_query(row, columns, mark)]
    if asked.summary:
        lines += _over_all(rows, columns, mark, tagged.tag or ranked.name)
    return Printed("".join(lines), list(asked.notes()))


class _Tagged(Source):
    """A run that remembers its last row, whose tag trec_eval prints."""

    _last = b""

    def lines(self, *longest: int) -> Iterator[tuple[int, bytes]]:
        """Yield (number, line)."""
        for number, line in super().lines(*longest):
            if line[:1] != b"#" and not line.isspace():
                self._last = line
            yield number, line

    @property
    def tag(self) -> str | None:
        """Return the last row's tag; None for what is no TREC file."""
        tokens = self._last.split()
        return tokens[5].decode(errors="replace") if len(tokens) > 5 else None


def _rows(
    judged: Judged, run: Run, asked: Asked, columns: Sequence[Column], compared: ZScores | None
) -> Iterator[_Row]:
    """Yield the queries that count, in byte order of their ids."""
    present = [query for query in judged.query_ids if query in run.rankings]
    if not present:
        message = "no query in common with the judgments"
        raise ContractError(Fault(message, run.source or run.name, hint="compare the query ids"))
    contract = asked.contract()
    for query in sorted(judged.query_ids if asked.complete else present, key=str.encode):
        beside = judged.beside(query, run, contract)
        values = [column.value(beside) for column in columns]
        missing = query not in run.rankings
        if missing:
            values = [_of_missing(column, value, asked) for column, value in zip(columns, values, strict=True)]
        if compared is not None:
            values = [_compared(column, value, query, compared) for column, value in zip(columns, values, strict=True)]
        yield _Row(query, values, in_list=not missing or asked.version != "9.0.8")


def _of_missing(column: Column, value: float | str, asked: Asked) -> float | str:
    """Return what a missing query adds under -c: 9 looks at it for num_rel alone, 10 sets the residual of RBP to 0."""
    if asked.version == "9.0.8" and column.label != "num_rel":
        return log(GEOMETRIC_FLOOR) if column.over == "logs" else 0.0
    return 0.0 if column.label == "rbp_resid" else value


def _compared(column: Column, value: float | str, query: str, compared: ZScores) -> float | str:
    return value if column.over in _OF_THE_RUN or isinstance(value, str) else compared.of(query, column.label, value)


def _of_query(row: _Row, columns: Sequence[Column], mark: str) -> Iterator[str]:
    for column, value in zip(columns, row.values, strict=True):
        if column.over not in ("logs", *_OF_THE_RUN):
            whole = column.over == "sum" and not mark
            yield _line("" if isinstance(value, str) else mark, column.label, row.query_id, value, whole=whole)


def _over_all(rows: Sequence[_Row], columns: Sequence[Column], mark: str, run: str) -> Iterator[str]:
    for at, column in enumerate(columns):
        values = [value for row in rows if not isinstance(value := row.values[at], str)]
        if column.over == "run":
            yield _line("", column.label, "all", printable(run))
        elif column.over != "nothing":
            whole = column.over in ("sum", "queries") and not mark
            yield _line(mark, column.label, "all", _OVER[column.over](values), whole=whole)


def _mean(values: Sequence[float]) -> float:
    return add(values, "sequential") / len(values)


_OF_THE_RUN = ("run", "queries")
_OVER: dict[str, Callable[[Sequence[float]], float]] = {
    "mean": _mean,
    "sum": lambda values: add(values, "sequential"),
    "logs": lambda values: exp(_mean(values)),
    "queries": len,
}


def _line(mark: str, label: str, query: str, value: float | str, *, whole: bool = False) -> str:
    shown = value if isinstance(value, str) else str(int(value)) if whole else f"{value:6.4f}"
    return f"{mark}{label:<22}\t{printable(query)}\t{shown}\n"
