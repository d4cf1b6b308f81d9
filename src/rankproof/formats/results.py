"""How do rows of results become runs?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from rankproof.errors import Fault, Faults, InputError
from rankproof.formats.files import Source
from rankproof.model import Ranking, Run


class Result(NamedTuple):
    """One row: the line it stands on (None where the format has none), ids, score, rank, and the run it belongs to."""

    line: int | None
    query_id: str
    doc_id: str
    score: float | None = None
    rank: float | None = None
    run: str | None = None


class _Columns:
    """One query's results, column by column."""

    __slots__ = ("docs", "ranks", "scores")

    def __init__(self) -> None:
        self.docs: list[str] = []
        self.scores: list[float | None] = []
        self.ranks: list[float | None] = []

    def ranking(self) -> Ranking:
        """Return the ranking, in the order given; without scores by rank."""
        scores = [score for score in self.scores if score is not None]
        ranks = [rank for rank in self.ranks if rank is not None]
        if scores or not ranks:
            return Ranking(self.docs, scores or None, ranks if len(ranks) == len(self.docs) else None)
        order = sorted(range(len(ranks)), key=ranks.__getitem__)
        return Ranking([self.docs[at] for at in order], None, [ranks[at] for at in order])


def runs_of_rows(rows: Iterable[Result], faults: Faults, source: str, name: str, expected: str) -> list[Run]:
    """Return the runs that the rows name: one, `name`, where they name none. InputError lists `faults`.

    Within a run all results of a query have a score, or none has.
    """
    found: dict[str, dict[str, _Columns]] = {}
    for row in rows:
        columns = found.setdefault(row.run or name, {}).setdefault(row.query_id, _Columns())
        if columns.docs and (columns.scores[0] is None) != (row.score is None):
            message = "has no score, but results before it do" if row.score is None else "has a score, others have none"
            faults.add(Fault(message, source, row.line, query_id=row.query_id, doc_id=row.doc_id))
            continue
        columns.docs.append(row.doc_id)
        columns.scores.append(row.score)
        columns.ranks.append(row.rank)
    if not found and not faults:
        faults.add(Fault("holds no results", source, expected=expected))
    faults.raise_any()
    return [
        Run(run, {query: columns.ranking() for query, columns in of_query.items()}, source)
        for run, of_query in found.items()
    ]


def one_run(runs: list[Run], source: str) -> Run:
    """Return the only run. InputError where there are several."""
    if len(runs) > 1:
        names = ", ".join(run.name for run in runs[:3])
        message, hint = f"holds {len(runs)} runs: {names}", "keep one of them, or give each a file of its own"
        raise InputError(Fault(message, source, column="run", expected="one", hint=hint))
    return runs[0]


def named_apart(runs: Sequence[Run]) -> list[Run]:
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
