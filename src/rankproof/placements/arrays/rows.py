"""Which rows of a run are judged, and where do they stand? Of pieces of rows, wherever they come from.

Documents are looked up by hash in a table of the judged; what is found is compared byte by byte. What is irregular, or
wrong, is left to the plain road, which this one is checked against.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from rankproof.contract import Contract
from rankproof.model import Join, Qrels, Run, UnreadQrels
from rankproof.placements.arrays.judgments import Listed, Table, judgments_of, scanned
from rankproof.placements.arrays.scores import Scores
from rankproof.placements.arrays.stack import Found, join_of
from rankproof.placements.arrays.standing import Order, joined
from rankproof.placements.arrays.tokens import IrregularError, Joining, Tokens, mixed, repeats

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[Any]

_THREADS = 2
"""Pieces at work at once: NumPy leaves the other cores free to run while it computes."""


class Rows(NamedTuple):
    """The columns of some rows; scores as numbers, or as tokens that spell them, in the documents' buffer."""

    queries: Tokens
    docs: Tokens
    scores: Tokens | Numbers

    def at(self, rows: Any) -> Rows:
        """Return some of the rows."""
        scores = self.scores.at(rows) if isinstance(self.scores, Tokens) else self.scores[rows]
        return Rows(self.queries.at(rows), self.docs.at(rows), scores)


Pieces: TypeAlias = Iterable[Callable[[], Rows]]
"""Pieces of a run, each taken apart when it is called; a query's rows are in one piece if they stand together."""


def placed(
    opened: Callable[[], AbstractContextManager[Pieces]], qrels: Qrels, contract: Contract, run: Run
) -> Join | None:
    """Return what `plain.place` would for a run whose pieces can be opened; None where that has to place it.

    They are opened again where a query's rows stand apart.
    """
    judgments = _listed(qrels, contract)
    if judgments is None:
        return None
    try:
        search = _Search(judgments, contract)
        try:
            with opened() as pieces:
                met, found = search.by_query(pieces)
        except _ApartError:
            with opened() as pieces:
                met, found = search.whole(pieces)
    except IrregularError:
        return None
    return join_of(qrels, judgments, contract, run, {query.decode(): size for query, size in met.items()}, found)


def _listed(qrels: Qrels, contract: Contract) -> Listed | None:
    """Return judgments as arrays; None where only a dict holds them, or says what is wrong with them."""
    if isinstance(qrels, UnreadQrels):
        found: Listed | None = qrels.as_arrays(lambda reader: _or_none(lambda: scanned(reader, contract)))
        return found
    return _or_none(lambda: judgments_of(qrels))


def _or_none(listed: Callable[[], Listed]) -> Listed | None:
    try:
        return listed()
    except IrregularError:
        return None


Done = TypeVar("Done")


class _ApartError(Exception):
    """The rows of a query do not stand together."""


class _Piece(NamedTuple):
    """What a piece of whole queries holds: each query's rows, and what is judged."""

    queries: list[bytes]
    sizes: list[int]
    found: Found


class _Search:
    """The rows of a run beside the judged documents."""

    def __init__(self, judgments: Listed, contract: Contract) -> None:
        self._contract = contract
        self._table = Table(judgments)
        self._numbers = {query.encode(): number for number, query in enumerate(judgments.query_ids)}

    def by_query(self, pieces: Pieces) -> tuple[dict[bytes, int], Found]:
        """Return each query's number of rows, and what is judged. _ApartError where a query comes back."""
        met: dict[bytes, int] = {}
        parts = []
        for piece in _in_turn(self._piece, pieces):
            for query, count in zip(piece.queries, piece.sizes, strict=True):
                if query in met:
                    raise _ApartError
                met[query] = count
            parts.append(piece.found)
        return met, _once(parts)

    def _piece(self, rows_of: Callable[[], Rows]) -> _Piece:
        import numpy as np  # noqa: PLC0415 - an extra, loaded where files are scanned

        rows = rows_of()
        firsts = np.concatenate(([0], rows.queries.changes()))
        sizes = np.diff(firsts, append=len(rows.queries))
        names = rows.queries.at(firsts).spelled()
        if len(set(names)) < len(names):
            raise _ApartError
        unjudged = len(self._numbers)
        numbers = np.array([self._numbers.get(name, unjudged + at) for at, name in enumerate(names)])
        return _Piece(names, sizes.tolist(), self._found(np.repeat(numbers, sizes), rows))

    def whole(self, pieces: Pieces) -> tuple[dict[bytes, int], Found]:
        """Return the same for rows of a query that may stand anywhere: all of them are taken in, then ordered."""
        import numpy as np  # noqa: PLC0415

        numbers = dict(self._numbers)
        taken, of_rows, scores = Joining(), [], []
        in_order: dict[int, None] = {}
        for rows in _in_turn(lambda rows_of: rows_of(), pieces):
            names, firsts, which = _distinct(rows.queries)
            given = np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int32)
            in_order.update(dict.fromkeys(given[np.argsort(firsts)].tolist()))
            of_rows.append(given[which])
            if isinstance(rows.scores, Tokens):
                taken.add(rows.docs, rows.scores)
            else:
                taken.add(rows.docs)
                scores.append(rows.scores)
        if not of_rows:
            raise IrregularError
        per_row, columns, names = np.concatenate(of_rows), taken.columns(), list(numbers)
        whole = Rows(columns[0], columns[0], np.concatenate(scores) if scores else columns[1])
        order, sizes = np.argsort(per_row, kind="stable"), np.bincount(per_row)
        parts = [self._found(per_row[order[part]], whole.at(order[part])) for part in _in_parts(sizes)]
        return {names[number]: int(sizes[number]) for number in in_order}, _once(parts)

    def _found(self, queries: Numbers, rows: Rows) -> Found:
        """Place rows of whole queries, given each one's number."""
        hashes = mixed(queries, rows.docs.hashes())
        if self._contract.duplicate_document != "unchecked" and repeats(hashes):
            raise IrregularError  # a document twice, or two that have one hash
        order = Order(Scores(rows.scores, single=self._contract.score_precision == "single"), queries)
        judged_rows, judged = self._table.find(hashes, rows.docs)
        return Found(judged, order.standing(judged_rows, rows.docs, self._contract.ties))


def _once(parts: Sequence[Found]) -> Found:
    """Return what was found, together. IrregularError for a document that was found twice, and for no rows at all."""
    import numpy as np  # noqa: PLC0415

    if not parts:
        raise IrregularError
    judged = np.concatenate([part.judged for part in parts])
    if len(judged) and np.bincount(judged).max() > 1:
        raise IrregularError
    return Found(judged, joined([part.standing for part in parts]))


_PART = 1 << 18
"""As many rows are placed at once where all are in memory; more where one query has more."""


def _in_parts(sizes: Numbers) -> Iterator[slice]:
    """Yield which rows each part has: those of whole queries, of these sizes."""
    import numpy as np  # noqa: PLC0415

    ends, first = np.cumsum(sizes), 0
    while first < ends[-1]:
        last = int(np.searchsorted(ends, first + _PART, "right")) - 1
        end = int(ends[last]) if last >= 0 and ends[last] > first else int(ends[ends > first][0])
        yield slice(first, end)
        first = end


def _distinct(queries: Tokens) -> tuple[list[bytes], Numbers, Numbers]:
    """Return the tokens that there are, the first row of each, and for each row which it has."""
    import numpy as np  # noqa: PLC0415

    _, firsts, of_rows = np.unique(queries.hashes(), return_index=True, return_inverse=True)
    if not queries.equal(queries.at(firsts[of_rows])).all():
        raise IrregularError  # two that have one hash
    return queries.at(firsts).spelled(), firsts, of_rows


def _in_turn(work: Callable[[Callable[[], Rows]], Done], pieces: Pieces) -> Iterator[Done]:
    """Yield what becomes of each piece, in order; the next ones are at work meanwhile."""
    waiting: deque[Future[Done]] = deque()
    with ThreadPoolExecutor(_THREADS) as pool:
        for piece in pieces:
            waiting.append(pool.submit(work, piece))
            if len(waiting) > _THREADS:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
