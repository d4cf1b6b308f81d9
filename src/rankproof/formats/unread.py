"""Which judgments and runs need not be read into memory to be placed?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO, cast

from rankproof.contract import Contract
from rankproof.formats.columnar import batches, schema
from rankproof.formats.columns import columns_of
from rankproof.formats.files import STDIN, Source
from rankproof.formats.later import Later
from rankproof.formats.start import Start
from rankproof.formats.trec import read_trec_qrels, read_trec_run
from rankproof.model import Grade, Qrels, Ranking, Run, Unread, UnreadQrels, UnreadTable

SMALLEST = {"run": 1 << 20, "qrels": 1 << 17}
"""Smaller files, in bytes, are read sooner than NumPy is loaded; where runs are large, judgments need not be."""


class JudgmentRows(Later[Mapping[str, Grade]], UnreadQrels):
    """The judgments of TREC qrels."""

    def __init__(self, source: Source, contract: Contract) -> None:
        """Hold where they lie."""
        super().__init__(lambda: read_trec_qrels(source, contract))
        self._source = source  # of a file, which can be opened again

    def as_arrays(self, scan: Callable[[BinaryIO], Any]) -> Any:
        """Return what `scan` makes of the text; it is asked once."""
        if not hasattr(self, "_arrays"):
            with self._source.open() as reader:
                self._arrays = scan(cast("BinaryIO", reader))
        return self._arrays

    @cached_property
    def _best(self) -> Mapping[str, Grade]:
        if (arrays := getattr(self, "_arrays", None)) is not None:
            found: Mapping[str, Grade] = arrays.best_grades()
            return found
        return {query: max(judged.values()) for query, judged in self._read.items()}

    def best_grades(self) -> Mapping[str, Grade]:
        """Return each query's highest grade."""
        return self._best

    def __iter__(self) -> Iterator[str]:
        """Yield the queries."""
        return iter(self._best)

    def __len__(self) -> int:
        """Return how many queries there are."""
        return len(self._best)


class RunRows(Later[Ranking], Unread):
    """The rankings of a TREC run."""

    def __init__(self, source: Source, contract: Contract) -> None:
        """Hold where they lie."""
        super().__init__(lambda: read_trec_run(source, contract).rankings)
        self._source = source

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """Open the text."""
        with self._source.open() as reader:
            yield cast("BinaryIO", reader)


class RunTable(Later[Ranking], UnreadTable):
    """The rankings of a table that holds one run."""

    def __init__(self, source: Source, read: Callable[[Source], Mapping[str, Ranking]], columns: Sequence[int]) -> None:
        """Hold where they lie; `columns`: where query, document, score, and others that must be filled, stand."""
        super().__init__(lambda: read(source))
        self._source = source
        self._columns = columns

    @contextmanager
    def opened(self) -> Iterator[Iterator[tuple[Any, ...]]]:
        """Open the batches."""
        yield (tuple(map(batch.column, self._columns)) for batch in batches(self._source))


def unread_qrels(source: Source, start: Start, contract: Contract) -> Qrels | None:
    """Return the judgments of a large file of TREC rows, unread; None for one that should be read at once."""
    if not _is_large(source, "qrels") or start.columns != _QRELS_COLUMNS:
        return None
    source.close()  # until it is read
    return JudgmentRows(source, contract)


def unread_rows(source: Source, start: Start, contract: Contract) -> Run | None:
    """Return the run of a large file of TREC rows, unread; None for one that should be read at once."""
    if not _is_large(source, "run") or start.columns != _RUN_COLUMNS:
        return None
    try:
        tag = start.row.split()[-1].decode()
    except UnicodeDecodeError:
        return None
    source.close()
    return Run(tag, RunRows(source, contract), source.name)


_QRELS_COLUMNS, _RUN_COLUMNS = 4, 6


def unread_table(source: Source, read: Callable[[Source], list[Run]]) -> Run | None:
    """Return the run of a large Parquet or Arrow file, unread; None for one that should be read at once, by `read`."""
    if not _is_large(source, "run") or (known := schema(source.path)) is None or len(set(known.names)) < len(known):
        return None
    query, doc, score, rank, run, _ = columns_of(known.names, "score", source.name)
    if score is None or run is not None or not _are_plain(known, query, doc, score, rank):
        return None
    source.close()
    at = [one for one in (query, doc, score, rank) if one is not None]
    return Run(source.stem, RunTable(source, lambda opened: read(opened)[0].rankings, at), source.name)


def _are_plain(schema: Any, query: int | None, doc: int | None, score: int | None, rank: int | None) -> bool:
    """Return whether ids are text or whole numbers, scores numbers, and ranks whole ones."""
    import pyarrow.types as kinds  # noqa: PLC0415 - an extra, loaded where such a file is read

    texts = (kinds.is_string, kinds.is_large_string, kinds.is_integer)
    ids = all(any(fits(schema.types[at]) for fits in texts) for at in (query, doc) if at is not None)
    scores = score is not None and (kinds.is_floating(schema.types[score]) or kinds.is_integer(schema.types[score]))
    return ids and scores and (rank is None or kinds.is_integer(schema.types[rank]))


def _is_large(source: Source, role: str) -> bool:
    path = Path(source.path)
    if source.path == STDIN or not path.is_file() or path.stat().st_size < SMALLEST[role]:
        return False
    return find_spec("numpy") is not None
