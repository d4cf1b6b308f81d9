"""Which runs need not be read into memory to be placed?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO, cast

from rankproof.contract import Contract
from rankproof.formats.files import STDIN, Source
from rankproof.formats.start import Start
from rankproof.formats.trec import read_trec_run
from rankproof.model import Ranking, Run, Unread

SMALLEST = 4 << 20
"""A smaller file, in bytes, is read sooner than NumPy is loaded."""


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


def unread(source: Source, start: Start, contract: Contract) -> Run | None:
    """Return the run of a large file of TREC rows, unread; None for one that should be read at once."""
    path = Path(source.path)
    if source.path == STDIN or not path.is_file() or path.stat().st_size < SMALLEST or find_spec("numpy") is None:
        return None
    tag = start.row.split()[5].decode(errors="replace")
    return Run(tag, Rows(source, contract), source.name)
