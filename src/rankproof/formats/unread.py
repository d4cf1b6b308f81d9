"""Which judgments and runs need not be read into memory to be placed?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO, cast

from rankproof.contract import Contract
from rankproof.formats.files import STDIN, Source
from rankproof.formats.start import Start
from rankproof.formats.trec import read_trec_qrels, read_trec_run
from rankproof.model import Grade, Qrels, Ranking, Run, Unread, UnreadQrels

SMALLEST = {"run": 2 << 20, "qrels": 1 << 17}
"""Smaller files, in bytes, are read sooner than NumPy is loaded; where runs are large, judgments need not be."""


class JudgmentRows(UnreadQrels):
    """The judgments of TREC qrels."""

    def __init__(self, source: Source, contract: Contract) -> None:
        """Hold where they lie."""
        self._source: Source | None = source
        self._path = source.path
        self._contract = contract

    def _opened(self) -> Source:
        """Return the source that was given, the first time."""
        source, self._source = self._source or Source(self._path), None
        return source

    @cached_property
    def _arrays(self) -> Any:
        road = import_module("rankproof.placements.judgments")  # no part of the lab's page
        with self._opened().open() as reader, suppress(road.IrregularError):
            return road.scanned(reader, self._contract)
        return None

    @cached_property
    def _read(self) -> Qrels:
        return read_trec_qrels(self._opened(), self._contract)

    def as_arrays(self) -> Any:
        """Return them as arrays; None where their text has to be read. InputError for a file that cannot be."""
        return None if "_read" in vars(self) else self._arrays

    @cached_property
    def _best(self) -> Mapping[str, Grade]:
        if (arrays := vars(self).get("_arrays")) is not None:
            found: Mapping[str, Grade] = arrays.best_grades()
            return found
        return {query: max(judged.values()) for query, judged in self._read.items()}

    def best_grades(self) -> Mapping[str, Grade]:
        """Return each query's highest grade."""
        return self._best

    def __getitem__(self, query: str) -> Mapping[str, Grade]:
        """Return a query's judgments. InputError lists the file's faults, each with its line."""
        return self._read[query]

    def __iter__(self) -> Iterator[str]:
        """Yield the queries."""
        return iter(self._best)

    def __len__(self) -> int:
        """Return how many queries there are."""
        return len(self._best)


class Rows(Unread):
    """The rankings of a TREC run."""

    def __init__(self, source: Source, contract: Contract) -> None:
        """Hold where they lie."""
        self._source: Source | None = source
        self._path = source.path
        self._contract = contract

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """Open the text: of the source that was given, the first time."""
        source, self._source = self._source or Source(self._path), None
        with source.open() as reader:
            yield cast("BinaryIO", reader)

    @cached_property
    def _read(self) -> Mapping[str, Ranking]:
        source, self._source = self._source or Source(self._path), None
        return read_trec_run(source, self._contract).rankings

    def __getitem__(self, query: str) -> Ranking:
        """Return a query's ranking. InputError lists the file's faults, each with its line."""
        return self._read[query]

    def __iter__(self) -> Iterator[str]:
        """Yield the queries."""
        return iter(self._read)

    def __len__(self) -> int:
        """Return how many queries there are."""
        return len(self._read)


def unread_qrels(source: Source, contract: Contract) -> Qrels | None:
    """Return the judgments of a large file of TREC rows, unread; None for one that should be read at once."""
    return JudgmentRows(source, contract) if _is_large(source, "qrels") else None


def _is_large(source: Source, role: str) -> bool:
    path = Path(source.path)
    if source.path == STDIN or not path.is_file() or path.stat().st_size < SMALLEST[role]:
        return False
    return find_spec("numpy") is not None


def unread(source: Source, start: Start, contract: Contract) -> Run | None:
    """Return the run of a large file of TREC rows, unread; None for one that should be read at once."""
    if not _is_large(source, "run"):
        return None
    tag = start.row.split()[5].decode(errors="replace")
    return Run(tag, Rows(source, contract), source.name)
