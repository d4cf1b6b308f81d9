"""Placements straight from the columns of an Arrow table, a batch at a time: no object a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from rankproof.contract import Contract
from rankproof.model import Join, Qrels, Run, UnreadTable
from rankproof.placements.arrays.rows import Pieces, Rows, placed
from rankproof.placements.arrays.tokens import PADDING, IrregularError, Joining, Tokens, tokens_of_bytes


def place(qrels: Qrels, run: Run, contract: Contract) -> Join | None:
    """Return what `plain.place` would for a run whose table lies unread; None where the plain road has to read it."""
    table = run.rankings
    if not isinstance(table, UnreadTable):
        return None

    @contextmanager
    def pieces() -> Iterator[Pieces]:
        with table.opened() as batches:
            yield _pieces(batches)

    return placed(pieces, qrels, contract, run)


def _pieces(batches: Iterator[tuple[Any, ...]]) -> Iterator[Callable[[], Rows]]:
    """Yield the rows of whole queries: those of a batch's last one may go on in the next."""
    rest: list[Rows] = []  # of one query, whose end was not seen
    for batch in batches:
        rows = _rows(*batch)
        if not len(rows.queries):
            continue
        changes = rows.queries.changes()
        end, last, begin = (*changes[[0, -1]].tolist(), 0) if len(changes) else (len(rows.queries), 0, 0)
        if rest and _go_on(rest[0], rows):
            rest.append(_by_itself(rows.at(slice(end))))
            begin = end
            if not len(changes):
                continue
        if rest:
            yield partial(_joined, rest)
        if begin < last:
            yield partial(rows.at, slice(begin, last))
        rest = [_by_itself(rows.at(slice(last, None)))]
    if rest:
        yield partial(_joined, rest)


def _go_on(first: Rows, second: Rows) -> bool:
    """Return whether rows begin with the query that others end with."""
    return bool(first.queries.at(slice(-1, None)).equal(second.queries.at(slice(1))).all())


def _joined(parts: list[Rows]) -> Rows:
    """Return the parts, one behind another."""
    import numpy as np  # noqa: PLC0415 - an extra, loaded where files are scanned

    if len(parts) == 1:
        return parts[0]
    joining = Joining()
    for rows in parts:
        joining.add(rows.queries, rows.docs)
    queries, docs = joining.columns()
    return Rows(queries, docs, np.concatenate([np.asarray(rows.scores) for rows in parts]))


def _by_itself(rows: Rows) -> Rows:
    """Return rows in buffers that hold nothing else."""
    return Rows(tokens_of_bytes(rows.queries.spelled()), tokens_of_bytes(rows.docs.spelled()), rows.scores)


def _rows(queries: Any, docs: Any, scores: Any, *others: Any) -> Rows:
    """Return the rows of Arrow arrays. IrregularError for a row that lacks something."""
    import numpy as np  # noqa: PLC0415

    if any(one.null_count for one in (queries, docs, scores, *others)):
        raise IrregularError
    return Rows(_tokens(queries), _tokens(docs), np.asarray(scores.to_numpy(zero_copy_only=False), np.float64))


def _tokens(array: Any) -> Tokens:
    """Return the texts of an Arrow array, which may be a dictionary's. IrregularError for an empty one."""
    import numpy as np  # noqa: PLC0415
    import pyarrow as pa  # noqa: PLC0415 - an extra, loaded where such a file is read

    if pa.types.is_dictionary(array.type):
        known, which = _tokens(array.dictionary), array.indices.to_numpy(zero_copy_only=False)
        return known.at(which)
    if pa.types.is_integer(array.type):
        array = array.cast(pa.string())
    try:
        array.validate(full=True)
    except pa.lib.ArrowInvalid:  # texts that are no UTF-8
        raise IrregularError from None
    kind = np.int64 if pa.types.is_large_string(array.type) else np.int32
    _, offsets, text = array.buffers()
    edges = np.frombuffer(offsets, kind)[array.offset : array.offset + len(array) + 1].astype(np.int64)
    widths = np.diff(edges)
    if (widths < 1).any():
        raise IrregularError
    content = b"" if text is None else text.slice(int(edges[0]), int(edges[-1] - edges[0])).to_pybytes()
    return Tokens(content + bytes(PADDING), edges[:-1] - edges[0], widths)
