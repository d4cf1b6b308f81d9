"""Are these judgments or results?"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

from rankproof.contract import Contract
from rankproof.errors import Fault, Faults, InputError, RankproofError
from rankproof.formats.columns import NAMES, normal
from rankproof.formats.delimited import first_row
from rankproof.formats.files import Given, Source
from rankproof.formats.ratings import SHAPES
from rankproof.formats.rows import judgment_rows, result_rows
from rankproof.formats.start import Start, start_of
from rankproof.formats.table import FORMATS, Role

_ROWS = 1000
"""So many first rows are looked at where the names of columns leave it open."""

_GRADES = frozenset(name for name in NAMES["grade"][0])
_SCORES = frozenset(name for name in NAMES["score"][0])


class _Guess(NamedTuple):
    role: Role | None
    sure: bool = True


_OPEN = _Guess(None, sure=False)


def sure_role_of(source: Source) -> Role | None:
    """Return what a file holds where its columns say it; None where they leave it open, or it is neither."""
    start = start_of(source, comments=True)
    found = next((guess(source, start) for fits, guess in _GUESSES if fits(start)), _OPEN)
    return found.role if found.sure else None


def role_of(source: Source, given: Role | None = None) -> Role:
    """Return what a file holds, by its columns; `given` counts where they leave it open.

    InputError where it is not given, and for what is neither.
    """
    start = start_of(source, comments=True)
    for fits, guess in _GUESSES:
        if fits(start):
            found = guess(source, start)
            role = found.role if found.sure else given or found.role
            if role is None:
                hint = "--as qrels or --as run says which"
                raise InputError(Fault("may be judgments (qrels) or results (a run)", source.name, hint=hint))
            return role
    if given is None:
        expected = f"one of {', '.join(known.name for known in FORMATS)}"
        raise InputError(Fault("is neither judgments (qrels) nor results (a run)", source.name, expected=expected))
    return given


def _of_names(names: Sequence[str], sample: Source) -> _Guess:
    spelled = {normal(name) for name in names}
    is_graded, is_ranked = bool(spelled & _GRADES), "rank" in spelled
    if is_graded != is_ranked:
        return _Guess("qrels" if is_graded else "run")
    if is_graded:
        return _OPEN
    if not spelled & _SCORES:
        return _Guess("qrels", sure=False)  # who reads it as that says which columns it has, and lacks
    scores = _first(row.score for row in result_rows(sample, Contract(), Faults()))
    if any(not score.is_integer() for score in scores):
        return _Guess("run", sure=False)
    return _Guess("qrels" if "corpus_id" in spelled else None, sure=False)  # BEIR's name for a judged document


def _first(numbers: Iterator[float | None]) -> list[float]:
    found: list[float] = []
    with suppress(RankproofError):  # who reads the file will say what is wrong
        found.extend(number for number in islice(numbers, _ROWS) if number is not None)
    return found


def _sample(source: Source) -> Source:
    """Return the first whole lines of a file."""
    lines = source.start().split(b"\n")
    return Given(b"\n".join(lines[:-1] if len(lines) > 1 else lines), source.name)


def _columns(source: Source, start: Start) -> _Guess:
    names, _ = first_row(start.row.decode(errors="replace"))
    return _of_names(names, _sample(source))


def _json_lines(source: Source, start: Start) -> _Guess:
    return _of_names(list(json.loads(start.content.split(b"\n", 1)[0])), _sample(source))


_KEY = re.compile(r'"([^"\\]*)"\s*:')
_NESTED = re.compile(rf'"({"|".join(SHAPES)})"\s*:\s*\[\s*\{{')


def _json(source: Source, start: Start) -> _Guess:
    """Tell by the first bytes: nested ratings, the names of fields, fractions."""
    text = source.start().decode(errors="replace")
    if _NESTED.search(text):
        return _Guess("qrels")
    fractions = re.search(r"[:,]\s*-?\d+(\.\d*[1-9]|[eE]-)", text) is not None
    names = {normal(name) for name in _KEY.findall(text[:4096])} if start.content.startswith(b"[") else set()
    if names and bool(names & _GRADES) != ("rank" in names):
        return _Guess("qrels" if names & _GRADES else "run")
    if fractions or (not names and re.search(r'":\s*\[\s*"', text)):  # scores, or lists of ids by query
        return _Guess("run", sure=False)
    return _Guess("qrels" if "corpus_id" in names else None, sure=False)


def _three_columns(source: Source, _: Start) -> _Guess:
    """Ranks are different numbers from 1 on in every query; grades repeat, or are 0."""
    of_query: dict[str, list[float]] = {}
    with suppress(RankproofError):
        for row in islice(judgment_rows(_sample(source), Contract(), Faults()), _ROWS):
            of_query.setdefault(row.query_id, []).append(row.grade)
    if any(len(set(numbers)) < len(numbers) or min(numbers) < 1 for numbers in of_query.values()):
        return _Guess("qrels", sure=False)
    several = [numbers for numbers in of_query.values() if len(numbers) > 2]
    return _Guess("run", sure=False) if several and all(1 in numbers for numbers in several) else _OPEN


def _table(source: Source, _: Start) -> _Guess:
    """Tell by the columns of Parquet or Arrow, which lie at its end."""
    return _of_names(_names(source), source)


def _names(source: Source) -> list[str]:
    from rankproof.formats.columnar import read_arrow, read_parquet  # noqa: PLC0415 - only where such a file is read

    read = read_parquet if source.start(4) == b"PAR1" else read_arrow
    return list(read(source).column_names)


def _has_header(start: Start) -> bool:
    try:
        return start.has_header
    except csv.Error:
        return False


_GUESSES: tuple[tuple[Callable[[Start], bool], Callable[[Source, Start], _Guess]], ...] = (
    (lambda start: start.is_parquet or start.is_arrow, _table),
    (lambda start: start.is_json_lines, _json_lines),
    (lambda start: start.is_json, _json),
    (_has_header, _columns),
    (lambda start: start.columns == 3 and start.is_number(2), _three_columns),
    (lambda start: start.columns == 4 and start.is_number(3), lambda *_: _Guess("qrels")),
    (lambda start: start.columns > 4 and (start.is_number(3) or start.is_number(4)), lambda *_: _Guess("run")),
)
"""What a file looks like, asked in this order, and what it holds then."""
