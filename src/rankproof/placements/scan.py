"""Placements straight from the text of a TREC run: no string a line, no ranking in memory.

Documents are looked up by hash in a small table; only what may be judged becomes a string and is compared exactly. The
order within a query is read off the spelling of neighbouring scores where that proves it, and parsed where it does not.
What this road cannot do, or finds to be irregular or wrong, is left to `plain`, which it is checked against.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeAlias

from rankproof.arithmetic import number_of
from rankproof.contract import Contract
from rankproof.errors import ContractError
from rankproof.model import Grade, Join, Placements, Qrels, Run, Tie
from rankproof.placements.blocks import Blocks
from rankproof.placements.hashes import Judged, hashed, paired, repeats
from rankproof.placements.plain import Placed, finished, place_query, read_grades
from rankproof.placements.scores import Scores, are_digits
from rankproof.placements.tokens import Chunk, Chunks, IrregularError, begins_with_hash

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[Any]

CHUNK = 1 << 20
"""Bytes at a time: more than the processor's cache holds is slower."""

_QUERY, _DOC, _RANK, _SCORE, _TAG = 0, 2, 3, 4, 5


def can_scan(contract: Contract) -> bool:
    """Return whether placements under this contract can be read off a text."""
    return (
        contract.order == "score"
        and contract.own_document == "keep"
        and contract.non_positive_score == "keep"
        and contract.roll_up == "none"
        and contract.negative_grade != "error"
    )


def scan(reader: BinaryIO, qrels: Qrels, contract: Contract, name: str, source: str, size: int = CHUNK) -> Join | None:
    """Return what `place` would for the run whose text this is; None where the plain road has to read it.

    `name`: the run's tag, that of its first row; `source`: the file, for messages.
    """
    try:
        found = _Scan(qrels, contract)
        for chunk in (chunks := Chunks(reader, size)):
            chunks.keep_from(chunk, found.take(chunk)) if not chunk.last else found.take(chunk)
    except IrregularError:
        return None
    return found.join(Run(name, {}, source))


class _Group(NamedTuple):
    """One query's rows in a chunk."""

    chunk: Chunk
    scores: Scores
    first: int
    end: int  # the row behind its last


class _Scan:
    """What was found until now."""

    def __init__(self, qrels: Qrels, contract: Contract) -> None:
        self._qrels = qrels
        self._contract = contract
        self._judged = Judged(qrels)
        self._tag: bytes | None = None
        self._met: dict[str, None] = {}  # the run's queries
        self._placed: dict[str, Placements] = {}

    def take(self, chunk: Chunk) -> int:
        """Place the queries that end in this chunk; return the row from which on it is wanted again."""
        import numpy as np  # noqa: PLC0415 - an extra, loaded where files are scanned

        self._check(chunk)
        bounds = [0, *(np.flatnonzero(~_as_before(chunk)) + 1).tolist(), chunk.starts.shape[1]]
        if not chunk.last:
            bounds.pop()
        if len(bounds) > 1:
            self._place(chunk, bounds)
        return int(bounds[-1])

    def _check(self, chunk: Chunk) -> None:
        """Leave to the plain road what it has something to say of: comments, other tags, ranks that are no numbers."""
        import numpy as np  # noqa: PLC0415

        if self._contract.comments == "hash" and begins_with_hash(chunk):
            raise IrregularError
        if self._tag is None:
            self._tag = chunk.token(_TAG, 0)
        if (chunk.widths(_TAG) != len(self._tag)).any():
            raise IrregularError
        for offset in range(0, len(self._tag), 8):
            if (chunk.words(_TAG, offset) != int.from_bytes(self._tag[offset : offset + 8], "little")).any():
                raise IrregularError
        for row in np.flatnonzero(~are_digits(chunk, _RANK)).tolist():
            if number_of(chunk.token(_RANK, row)) is None:
                raise IrregularError

    def _place(self, chunk: Chunk, bounds: list[int]) -> None:
        import numpy as np  # noqa: PLC0415

        end, firsts = bounds[-1], np.array(bounds[:-1])
        of_groups = hashed(chunk.buffer, chunk.starts[_QUERY, firsts], chunk.ends[_QUERY, firsts])
        docs = hashed(chunk.buffer, chunk.starts[_DOC, :end], chunk.ends[_DOC, :end])
        pairs = paired(np.repeat(of_groups, np.diff(bounds)), docs)
        if self._contract.duplicate_document != "unchecked" and repeats(pairs):
            raise IrregularError  # a document twice, or two that have one hash
        rows = self._judged.candidates(pairs)
        parts = np.searchsorted(rows, bounds)
        scores, rows_of = Scores(chunk, _SCORE, end), rows.tolist()
        for at, first in enumerate(bounds[:-1]):
            group = _Group(chunk, scores, first, bounds[at + 1])
            self._take_group(group, rows_of[parts[at] : parts[at + 1]])

    def _take_group(self, group: _Group, rows: list[int]) -> None:
        query = group.chunk.token(_QUERY, group.first).decode()
        if query in self._met:  # its rows do not stand together
            raise IrregularError
        self._met[query] = None
        if query in self._qrels:
            judgments = read_grades(query, self._qrels[query], self._contract)
            placed = _placed(group, rows, judgments, self._contract)
            self._placed[query] = finished(placed, judgments, self._contract)

    def join(self, run: Run) -> Join | None:
        """Return the placements of all queries; None where the plain road has to say what is wrong."""
        missing = tuple(query for query in self._qrels if query not in self._met)
        unjudged = tuple(query for query in self._met if query not in self._qrels)
        if not self._placed or (unjudged and self._contract.unjudged_query == "error"):
            return None
        queries: dict[str, Placements] = {}
        for query, judgments in self._qrels.items():
            try:
                at = self._placed.get(query) or place_query(query, judgments, run, self._contract)
            except ContractError:  # a missing query that the contract refuses
                return None
            if at is not None:
                queries[query] = at
        return Join(run.name, self._contract, queries, missing, unjudged)


def _as_before(chunk: Chunk) -> Numbers:
    """Return for each row but the first whether its query is that of the row before, byte by byte."""
    widths = chunk.widths(_QUERY)
    same: Numbers = widths[1:] == widths[:-1]
    for offset in range(0, int(widths.max()), 8):
        part = chunk.words(_QUERY, offset)
        same &= part[1:] == part[:-1]
    return same


def _placed(group: _Group, rows: list[int], judgments: Mapping[str, Grade], contract: Contract) -> Placed:
    """Return where the judged among these rows stand."""
    documents: list[tuple[int, Grade, str]] = []
    tied: dict[tuple[int, int], list[Grade]] = {}
    single = contract.score_precision == "single"
    blocks = Blocks(group.scores, group.first, group.end, single=single, asked=len(rows))
    for row, token in zip(rows, group.chunk.tokens(_DOC, rows), strict=True):
        doc = token.decode()
        if doc not in judgments:
            continue
        block = blocks.of(row)
        rank = blocks.rank(row, block, contract.ties, lambda other: group.chunk.token(_DOC, other))
        documents.append((rank, judgments[doc], doc))
        if block.first < block.last:
            tied.setdefault((block.first, block.last), []).append(judgments[doc])
    ties = [Tie(*places, tuple(sorted(grades, reverse=True))) for places, grades in sorted(tied.items())]
    return Placed(sorted(documents), ties, [], None, group.end - group.first, 0)
