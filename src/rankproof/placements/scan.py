"""Placements straight from the text of a TREC run: no string a row, no ranking in memory.

Documents are looked up by hash in a table of the judged; what is found is compared byte by byte. What this road cannot
do, or finds to be irregular or wrong, is left to `plain`, which it is checked against.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeAlias, TypeVar

from rankproof.contract import Contract
from rankproof.model import Join, Qrels, Run, Unread, UnreadQrels
from rankproof.placements.decimals import Scores, are_numbers
from rankproof.placements.judgments import Listed, Table, judgments_of, repeats
from rankproof.placements.stack import Found, join_of
from rankproof.placements.standing import Order, Standing
from rankproof.placements.text import CHUNK, chunks, columns
from rankproof.placements.tokens import IrregularError, Tokens, joined, mixed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[Any]

_THREADS = 2
"""Pieces at work at once: NumPy leaves the other cores free to run while it computes."""

Piece = TypeVar("Piece")
Done = TypeVar("Done")


def place(qrels: Qrels, run: Run, contract: Contract) -> Join | None:
    """Return what `plain.place` would for a run that lies unread; None where the plain road has to read it."""
    rows, judgments = run.rankings, arrays_of(qrels)
    if judgments is None or not isinstance(rows, Unread):
        return None
    return scan(rows.opened, qrels, judgments, contract, run)


def arrays_of(qrels: Qrels) -> Listed | None:
    """Return judgments as arrays; None where only a dict holds them, or says what is wrong with them."""
    if isinstance(qrels, UnreadQrels):
        found: Listed | None = qrels.as_arrays()
        return found
    try:
        return judgments_of(qrels)
    except IrregularError:
        return None


def scan(
    opened: Callable[[], AbstractContextManager[BinaryIO]],
    qrels: Qrels,
    judgments: Listed,
    contract: Contract,
    run: Run,
    size: int = CHUNK,
) -> Join | None:
    """Return what `plain.place` would for the run whose text can be opened; None where that has to read it.

    `judgments`: those of `qrels`; `run`: its name and file. The text is opened again where a query's rows stand apart.
    """
    try:
        scanned = _Scan(judgments, contract)
        try:
            with opened() as reader:
                met, found = scanned.by_query(reader, size)
        except _ApartError:
            with opened() as reader:
                met, found = scanned.whole(reader, size)
    except IrregularError:
        return None
    return join_of(qrels, judgments, contract, run, {query.decode(): size for query, size in met.items()}, found)


class _ApartError(Exception):
    """The rows of a query do not stand together."""


class _Piece(NamedTuple):
    """What a piece of whole queries holds: each query's rows, and what is judged."""

    queries: list[bytes]
    sizes: list[int]
    found: Found


class _Scan:
    """The rows of a run beside the judged documents."""

    def __init__(self, judgments: Listed, contract: Contract) -> None:
        self._contract = contract
        self._table = Table(judgments)
        self._numbers = {query.encode(): number for number, query in enumerate(judgments.query_ids)}
        self._tag = b""

    def by_query(self, reader: BinaryIO, size: int) -> tuple[dict[bytes, int], Found]:
        """Return each query's number of rows, and what is judged. _ApartError where a query comes back."""
        met: dict[bytes, int] = {}
        parts = []
        for piece in _in_turn(self._piece, self._pieces(reader, size)):
            for query, count in zip(piece.queries, piece.sizes, strict=True):
                if query in met:
                    raise _ApartError
                met[query] = count
            parts.append(piece.found)
        return met, self._once(parts)

    def whole(self, reader: BinaryIO, size: int) -> tuple[dict[bytes, int], Found]:
        """Return the same for a text in which a query's rows may stand anywhere: all of it is taken in."""
        import numpy as np  # noqa: PLC0415 - an extra, loaded where files are scanned

        numbers = dict(self._numbers)
        parts: list[tuple[Numbers, Tokens, Tokens]] = []
        in_order: dict[int, None] = {}
        for queries, docs, scores in _in_turn(self._columns, self._pieces(reader, size)):
            names, firsts, of_rows = _distinct(queries)
            given = np.array([numbers.setdefault(name, len(numbers)) for name in names])
            in_order.update(dict.fromkeys(given[np.argsort(firsts)].tolist()))
            parts.append((given[of_rows], docs, scores))
        per_row = np.concatenate([numbers for numbers, _, _ in parts])
        rows = np.argsort(per_row, kind="stable")
        docs, scores = joined([docs for _, docs, _ in parts]), joined([scores for _, _, scores in parts])
        sizes, names = np.bincount(per_row).tolist(), list(numbers)
        met = {names[number]: sizes[number] for number in in_order}
        return met, self._once([self._found(per_row[rows], docs.at(rows), scores.at(rows))])

    def _once(self, parts: Sequence[Found]) -> Found:
        """Return what was found, together. IrregularError for a document that was found twice."""
        import numpy as np  # noqa: PLC0415

        if not parts:
            raise IrregularError
        judged = np.concatenate([part.judged for part in parts])
        if len(judged) and np.bincount(judged).max() > 1:
            raise IrregularError
        columns = zip(*(part.standing for part in parts), strict=True)
        return Found(judged, Standing(*(np.concatenate(column) for column in columns)))

    def _pieces(self, reader: BinaryIO, size: int) -> Iterator[bytearray]:
        for piece in chunks(reader, size):
            if not self._tag:
                self._tag = bytes(next(iter(piece[: piece.find(b"\n")].split()[5:6]), b""))
            yield piece

    def _columns(self, piece: bytearray) -> tuple[Tokens, Tokens, Tokens]:
        """Return queries, documents and scores. IrregularError for other tags, and for ranks that are no numbers."""
        _, (queries, _, docs, ranks, scores, tags) = columns(piece, 6, comments=self._contract.comments == "hash")
        if not tags.are(self._tag) or not are_numbers(ranks):
            raise IrregularError
        return queries, docs, scores

    def _piece(self, piece: bytearray) -> _Piece:
        import numpy as np  # noqa: PLC0415

        queries, docs, scores = self._columns(piece)
        firsts = np.concatenate(([0], queries.changes()))
        sizes = np.diff(firsts, append=len(queries))
        names = queries.at(firsts).spelled()
        if len(set(names)) < len(names):
            raise _ApartError
        unjudged = len(self._numbers)
        numbers = np.array([self._numbers.get(name, unjudged + at) for at, name in enumerate(names)])
        return _Piece(names, sizes.tolist(), self._found(np.repeat(numbers, sizes), docs, scores))

    def _found(self, queries: Numbers, docs: Tokens, scores: Tokens) -> Found:
        """Place rows of whole queries, given each one's number."""
        hashes = mixed(queries, docs.hashes())
        if self._contract.duplicate_document != "unchecked" and repeats(hashes):
            raise IrregularError  # a document twice, or two that have one hash
        order = Order(Scores(scores, single=self._contract.score_precision == "single"), queries)
        rows, judged = self._table.find(hashes, docs)
        return Found(judged, order.standing(rows, docs, self._contract.ties))


def _distinct(queries: Tokens) -> tuple[list[bytes], Numbers, Numbers]:
    """Return the tokens that there are, the first row of each, and for each row which it has."""
    import numpy as np  # noqa: PLC0415

    _, firsts, of_rows = np.unique(queries.hashes(), return_index=True, return_inverse=True)
    if not queries.equal(queries.at(firsts[of_rows])).all():
        raise IrregularError  # two that have one hash
    return queries.at(firsts).spelled(), firsts, of_rows


def _in_turn(work: Callable[[Piece], Done], pieces: Iterable[Piece]) -> Iterator[Done]:
    """Yield what becomes of each piece, in order; the next ones are at work meanwhile."""
    waiting: deque[Future[Done]] = deque()
    with ThreadPoolExecutor(_THREADS) as pool:
        for piece in pieces:
            waiting.append(pool.submit(work, piece))
            if len(waiting) > _THREADS:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
