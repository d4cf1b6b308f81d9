"""TREC qrels (`query_id iteration doc_id grade`) and runs (`query_id Q0 doc_id rank score tag`).

Columns are parted by any ASCII white space and by nothing else: ids may hold commas, no-break spaces, anything.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace

from rankproof.answers import spell
from rankproof.arithmetic import number_of
from rankproof.contract import Contract
from rankproof.errors import Fault, Faults, InputError, RankproofWarning
from rankproof.formats.files import Source
from rankproof.formats.grades import EXPECTED, grade_of
from rankproof.formats.judged import Judgment, qrels_of_rows
from rankproof.formats.results import Result
from rankproof.model import Qrels, Ranking, Run

_QRELS = "4 columns: query_id iteration doc_id grade"
LOOKS_LIKE_QRELS = "this looks like qrels"
"""How a hint begins where a run is asked for and qrels are given."""

_RUN = "6 columns: query_id Q0 doc_id rank score tag"


class Rows:
    """The rows of a TREC file: blank lines left out, comments left out and counted."""

    def __init__(self, source: Source, contract: Contract, faults: Faults, number_at: int) -> None:
        self._source = source
        self._hash = contract.comments == "hash"
        self._faults = faults
        self._number_at = number_at  # the column that holds a number in each row
        self._comments = self._like_data = 0
        self._first_like_data = 0

    def __iter__(self) -> Iterator[tuple[int, list[bytes]]]:
        """Yield (line number, columns)."""
        for number, line in self._source.lines():
            tokens = line.split()
            if b"\r" in line and b"\r" in line.rstrip(b"\r\n"):
                message = "holds a carriage return within the line"
                self._faults.add(Fault(message, self._source.name, number, expected="\\n or \\r\\n after each row"))
            if self._hash and line[:1] == b"#":
                self._comments += 1
                if len(tokens) > self._number_at and number_of(tokens[self._number_at]) is not None:
                    self._like_data += 1
                    self._first_like_data = self._first_like_data or number
            elif tokens:
                yield number, tokens
        self._tell()

    def _tell(self) -> None:
        if self._comments:
            count = self._comments
            text = f"{self._source.name}: {count} comment {'line' if count == 1 else 'lines'} left out"
            if self._like_data:
                text += (
                    f", {self._like_data} with the columns of data (first: line {self._first_like_data});"
                    " --rule comments=none reads them as data"
                )
            warnings.warn(text, RankproofWarning, stacklevel=2)

    def text(self, number: int, token: bytes, column: str) -> str:
        """Return a token as text; a fault where it is not UTF-8."""
        try:
            return token.decode()
        except UnicodeDecodeError as error:
            message = f"byte 0x{token[error.start]:02x} is not UTF-8"
            self._faults.add(Fault(message, self._source.name, number, column=column))
            return token.decode(errors="replace")


def read_trec_qrels(source: Source, contract: Contract) -> Qrels:
    """Read TREC qrels: grades as written, fractions too. InputError lists the file's faults, each with its line."""
    faults = Faults()
    return qrels_of_rows(judgments(source, contract, faults), contract, faults, source.name, _QRELS)


def judgments(source: Source, contract: Contract, faults: Faults) -> Iterator[Judgment]:
    """Yield the rows of TREC qrels; a fault for each that is none. InputError where they say something else."""
    rows = Rows(source, contract, faults, number_at=3)
    first: list[bytes] = []
    last: list[bytes] = []
    alike, varies, count = True, False, 0  # whether all rows end alike; whether a query's second column varies
    for number, tokens in rows:
        if len(tokens) != 4:
            _refuse_columns(source, number, tokens, _QRELS, faults, first=not count)
            continue
        query, doc = rows.text(number, tokens[0], "query_id"), rows.text(number, tokens[2], "doc_id")
        grade = grade_of(tokens[3])
        if grade is None:
            message = f"grade {_shown(tokens[3])!r}"
            hint = "is it a header? remove it" if not count and number == 1 else None
            place = Fault(message, source.name, number, column="grade", query_id=query, doc_id=doc, expected=EXPECTED)
            faults.add(replace(place, hint=hint))
            continue
        if alike:
            first = first or tokens
            alike = tokens[2:] == first[2:]
            varies = varies or (tokens[:1] == last[:1] and tokens[1] != last[1])
            last = tokens
        count += 1
        yield Judgment(number, query, doc, grade, _shown(tokens[1]))
    if alike and varies and grade_of(first[3]) == 0:
        end = _shown(b" ".join(first[2:]))
        message = f"all {count} rows end in {end}: one document with one grade, while the second column varies"
        hint = "are the documents in the second column, and the last two empty? write them as `query_id 0 doc_id 1`"
        raise InputError(Fault(message, source.name, expected=_QRELS, hint=hint))


def read_trec_run(source: Source, contract: Contract) -> Run:
    """Read a TREC run; columns after the sixth are left alone. InputError lists the faults, each with its line."""
    faults = Faults()
    found: dict[str, tuple[list[str], list[float], list[float]]] = {}
    tags: dict[bytes, None] = {}
    longer = 0
    for _, tokens, query, doc, rank, score in _ranked(source, contract, faults):
        longer += len(tokens) > 6
        tags[tokens[5]] = None
        docs, scores, ranks = found.setdefault(query, ([], [], []))
        docs.append(doc)
        scores.append(score)
        ranks.append(rank)
    if not found and not faults:
        faults.add(Fault("holds no results", source.name, expected=_RUN))
    faults.raise_any()
    if longer:
        text = f"{source.name}: {longer} lines have more than 6 columns; what stands behind the tag is left alone"
        warnings.warn(text, RankproofWarning, stacklevel=2)
    return _run(source, found, list(map(_shown, tags)))


def results(source: Source, contract: Contract, faults: Faults) -> Iterator[Result]:
    """Yield the rows of a TREC run, each with its tag; a fault for each that is none."""
    for number, tokens, query, doc, rank, score in _ranked(source, contract, faults):
        yield Result(number, query, doc, score, rank, _shown(tokens[5]))


def _ranked(
    source: Source, contract: Contract, faults: Faults
) -> Iterator[tuple[int, list[bytes], str, str, float, float]]:
    """Yield (line number, columns, query, document, rank, score)."""
    rows = Rows(source, contract, faults, number_at=4)
    last, query, first = b"", "", True
    for number, tokens in rows:
        if len(tokens) < 6:
            _refuse_columns(source, number, tokens, _RUN, faults, first=first)
            continue
        if tokens[0] != last:
            last, query = tokens[0], rows.text(number, tokens[0], "query_id")
        doc, rank, score = rows.text(number, tokens[2], "doc_id"), number_of(tokens[3]), number_of(tokens[4])
        if rank is None or score is None:
            faults.add(_number_fault(source, number, tokens, query, doc))
        else:
            first = False
            yield number, tokens, query, doc, rank, score


def _run(source: Source, found: dict[str, tuple[list[str], list[float], list[float]]], tags: list[str]) -> Run:
    if len(tags) > 1:
        text = f"{source.name}: the tag column names {len(tags)} runs ({', '.join(tags[:3])}…); taken as one, {tags[0]}"
        warnings.warn(text, RankproofWarning, stacklevel=2)
    rankings = {query: Ranking(docs, scores, ranks) for query, (docs, scores, ranks) in found.items()}
    return Run(tags[0], rankings, source.name)


def _number_fault(source: Source, number: int, tokens: list[bytes], query: str, doc: str) -> Fault:
    column, token = ("rank", tokens[3]) if number_of(tokens[3]) is None else ("score", tokens[4])
    hint = "does an id hold white space? a TREC file cannot hold such an id" if len(tokens) > 6 else None
    hint = "is it a header? remove it" if number == 1 and len(tokens) == 6 else hint
    return Fault(
        f"{column} {_shown(token)!r}",
        source.name,
        number,
        column=column,
        query_id=query,
        doc_id=doc,
        expected="a number",
        hint=hint,
    )


def _shown(token: bytes) -> str:
    return token.decode(errors="replace")


def _refuse_columns(
    source: Source, number: int, tokens: list[bytes], expected: str, faults: Faults, *, first: bool
) -> None:
    """Note a row that has the wrong number of columns; if the first row is of another kind, that is the whole fault."""
    count = len(tokens)
    hint = next((text for fits, text in _HINTS if fits(expected, count, tokens)), None)
    shown = _shown(b" ".join(tokens))
    shown = f"{shown[:60]}…" if len(shown) > 60 else shown
    columns = "1 column" if count == 1 else f"{count} columns"
    fault = Fault(f"has {columns}: {shown!r}", source.name, number, expected=expected, hint=hint)
    if first and hint and not faults:
        raise InputError(fault)
    faults.add(fault)


_HINTS: tuple[tuple[Callable[[str, int, list[bytes]], bool], str], ...] = (
    (
        lambda _of, _, tokens: max(b" ".join(tokens).count(mark) for mark in (b",", b";")) >= 2,
        "is it CSV? columns are parted by white space here",
    ),
    (lambda of, count, _: of is _QRELS and count >= 6, "this looks like a run: the qrels come first, then the runs"),
    (lambda of, count, _: of is _RUN and count == 4, f"{LOOKS_LIKE_QRELS}: the qrels come first, then the runs"),
    (lambda of, count, _: of is _RUN and count == 5, "is the tag missing at the end?"),
    (lambda of, count, _: of is _QRELS and count == 3, "is the second column, the iteration (0, mostly), missing?"),
    (lambda of, count, _: of is _RUN and count == 3, "a run needs a rank, a score and a tag too"),
)
"""What a wrong number of columns looks like, given what was expected, their number, and the columns."""


def run_text(run: Run, path: str) -> str:
    """Return a run as a TREC file, whose path is for messages.

    A ranking without scores gets n, n - 1, …, 1; one without ranks gets its positions; white space in the run's name
    becomes a hyphen. InputError for an id that would not read back.
    """
    lines, tag, faults = [], "-".join(run.name.split()) or "run", Faults()
    for query, ranking in run.rankings.items():
        count = len(ranking.doc_ids)
        scores = ranking.scores if ranking.scores is not None else range(count, 0, -1)
        ranks = ranking.ranks if ranking.ranks is not None else range(1, count + 1)
        for doc, rank, score in zip(ranking.doc_ids, ranks, scores, strict=True):
            if why := unwritable(query, doc):
                faults.add(Fault(f"cannot stand in a TREC file: {why}", path, query_id=query, doc_id=doc, hint=OTHERS))
            lines.append(f"{query} Q0 {doc} {spell(float(rank))} {float(score)!r} {tag}\n")
    faults.raise_any()
    return "".join(lines)


def qrels_text(qrels: Qrels, path: str) -> str:
    """Return judgments as TREC qrels, iteration 0. InputError for what would not read back."""
    lines, faults = [], Faults()
    for query, grades in qrels.items():
        for doc, grade in grades.items():
            if why := unwritable(query, doc):
                faults.add(Fault(f"cannot stand in a TREC file: {why}", path, query_id=query, doc_id=doc, hint=OTHERS))
            lines.append(f"{query} 0 {doc} {spell(grade)}\n")
    faults.raise_any()
    return "".join(lines)


OTHERS = "a name that ends in .json is written as JSON"
"""What helps where a format cannot hold an id."""


def unwritable(query: str, doc: str) -> str | None:
    """Return why a row with these ids would not read back."""
    ids = [query.encode(errors="replace"), doc.encode(errors="replace")]
    if any(len(one.split()) != 1 or one.split()[0] != one or b"\0" in one for one in ids):
        return "an id is empty, or holds white space or a zero byte"
    if query.startswith(("#", "\ufeff", '{"', '["', "[[", "[{", "{}", "[]")):
        return "a query id that begins so is read as a comment, a byte order mark or JSON"
    spelled = query + doc
    return None if spelled.encode(errors="replace").decode() == spelled else "half of a surrogate pair"
