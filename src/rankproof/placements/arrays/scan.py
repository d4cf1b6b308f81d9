"""Placements straight from the text of a TREC run: no string a row, no ranking in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import BinaryIO

from rankproof.contract import Contract
from rankproof.model import Join, Qrels, Run, Unread
from rankproof.placements.arrays.rows import Pieces, Rows, placed
from rankproof.placements.arrays.scores import are_numbers
from rankproof.placements.arrays.text import CHUNK, chunks, columns
from rankproof.placements.arrays.tokens import IrregularError


def place(qrels: Qrels, run: Run, contract: Contract) -> Join | None:
    """Return what `plain.place` would for a run that lies unread; None where the plain road has to read it."""
    rows = run.rankings
    return scan(rows.opened, qrels, contract, run) if isinstance(rows, Unread) else None


def scan(
    opened: Callable[[], AbstractContextManager[BinaryIO]],
    qrels: Qrels,
    contract: Contract,
    run: Run,
    size: int = CHUNK,
) -> Join | None:
    """Return what `plain.place` would for the run whose text can be opened; None where that has to read it.

    `run`: its name and file; `size`: as many bytes of it are taken apart at once, more where one query has more.
    """

    @contextmanager
    def pieces() -> Iterator[Pieces]:
        with opened() as reader:
            yield _pieces(reader, size, comments=contract.comments == "hash")

    return placed(pieces, qrels, contract, run)


def _pieces(reader: BinaryIO, size: int, *, comments: bool) -> Iterator[Callable[[], Rows]]:
    tag = b""
    for text in chunks(reader, size):
        tag = tag or bytes(next(iter(text[: text.find(b"\n")].split()[5:6]), b""))
        yield partial(_rows, text, tag, comments=comments)


def _rows(text: bytearray, tag: bytes, *, comments: bool) -> Rows:
    """Return the rows of a text. IrregularError for another tag, and for a rank that is no number."""
    queries, _, docs, ranks, scores, tags = columns(text, 6, comments=comments)
    if not tags.are(tag) or not are_numbers(ranks):
        raise IrregularError
    return Rows(queries, docs, scores)
