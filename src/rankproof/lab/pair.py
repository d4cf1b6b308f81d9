"""Which two rankings are interleaved: a person's own, or two runs of the example?"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from rankproof.errors import Fault, Faults, InputError, seen
from rankproof.formats import as_qrels, read_run
from rankproof.formats.files import Given
from rankproof.lab.given import choice_of, text_in, text_of
from rankproof.model import Grade, Qrels, Ranking, Run
from rankproof.presets import contract as contract_of

RUNS = ("bm25-words", "bm25-ngrams", "lsa")
"""The runs of the packaged example."""

OWN = "own"
"""The query of a person's own two lists."""

NAMES = ("A", "B")
MOST = 50
"""As many documents may stand in a list of one's own."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs, the query that is looked at, its judgments and all others, and titles of documents."""

    query: str
    runs: Sequence[Run]
    qrels: Qrels
    titles: Mapping[str, str]

    @property
    def of_query(self) -> list[Run]:
        """Return both runs with nothing but the query that is looked at."""
        return [Run(run.name, {self.query: run.rankings[self.query]}) for run in self.runs]

    @property
    def rankings(self) -> list[Sequence[str]]:
        """Return both rankings of that query."""
        return [run.rankings[self.query].doc_ids for run in self.runs]

    @property
    def judgments(self) -> Mapping[str, Grade]:
        """Return the judgments of that query."""
        return self.qrels.get(self.query, {})


def pair_in(arguments: Mapping[str, Any]) -> Pair:
    """Return the two rankings that a call is about.

    `a` and `b`, lists of one's own, a document a line, with `grades`, a document and its grade a line; or `query` and
    `runs`, two names, of the example. InputError with line and place.
    """
    return _of_example(arguments) if arguments.get("query") is not None else _own(arguments)


def _own(arguments: Mapping[str, Any]) -> Pair:
    faults = Faults()
    lists = [_ids(text_in(arguments, name.lower()), name, faults) for name in NAMES]
    grades = _grades(text_in(arguments, "grades"), faults)
    faults.raise_any()
    runs = [Run(name, {OWN: Ranking(ids)}) for name, ids in zip(NAMES, lists, strict=True)]
    return Pair(OWN, runs, {OWN: grades}, {})


def _ids(text: str, name: str, faults: Faults) -> list[str]:
    """Return the ids of a list, one a line; a fault for one that comes twice, for none, and for too many."""
    found: dict[str, int] = {}
    for line, given in enumerate(text.splitlines(), 1):
        doc = given.strip()
        if doc in found:
            faults.add(Fault("comes twice", name, line, doc_id=doc, expected=f"once: it stands in line {found[doc]}"))
        elif doc:
            found[doc] = line
    if not found:
        faults.add(Fault("is empty", name, expected="a document id a line, the best first"))
    if len(found) > MOST:
        faults.add(Fault(f"holds {len(found)} documents", name, expected=f"{MOST} at most"))
    return list(found)


def _grades(text: str, faults: Faults) -> dict[str, Grade]:
    """Return the grades of documents: an id a line, with its grade behind a space or tab; without one it is 1."""
    found: dict[str, Grade] = {}
    for line, given in enumerate(text.splitlines(), 1):
        parts = given.strip().rsplit(None, 1)
        if not parts:
            continue
        doc, grade = parts if len(parts) > 1 else (parts[0], "1")
        where = Fault("", "grades", line, doc_id=doc)
        if not grade.isascii() or not grade.isdigit() or len(grade) > 3:
            faults.add(Fault(f"has the grade {seen(grade)}", "grades", line, doc_id=doc, expected="a whole number"))
        elif doc in found:
            faults.add(Fault("comes twice", where.file, line, doc_id=doc, expected="one grade a document"))
        else:
            found[doc] = int(grade)
    return found


def _of_example(arguments: Mapping[str, Any]) -> Pair:
    query, names = text_of(arguments, "query"), arguments.get("runs", list(RUNS[:2]))
    if not isinstance(names, list) or len(names) != 2 or len(set(map(str, names))) < 2:
        raise InputError(Fault(f"runs are {seen(names)}", expected="two different names"))
    runs = [_run(choice_of({"runs": name}, "runs", RUNS)) for name in names]
    if query not in queries():
        raise InputError(Fault("the example does not have this query", query_id=query))
    for run in runs:
        if query not in run.rankings:
            raise InputError(Fault("found nothing for this query", run.name, query_id=query, expected="another query"))
    return Pair(query, runs, _qrels(), _titles())


@cache
def queries() -> Mapping[str, str]:
    """Return the example's queries: id and text."""
    return {one["_id"]: one["text"] for one in _lines("queries.jsonl")}


@cache
def _titles() -> Mapping[str, str]:
    return {one["_id"]: one["title"] for one in _lines("corpus.jsonl")}


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in _bytes(name).decode().splitlines()]


def _bytes(name: str) -> bytes:
    return (files("rankproof") / "example" / name).read_bytes()


@cache
def _run(name: str) -> Run:
    return read_run(Given(_bytes(f"{name}.run"), f"{name}.run"), contract_of("rankproof"))


@cache
def _qrels() -> Qrels:
    return as_qrels(Given(_bytes("qrels.txt"), "qrels.txt"), contract_of("rankproof"))
