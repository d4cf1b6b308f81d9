"""Which documents are judged for which query? As arrays, with a table of hashes that finds them among many rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import methodcaller
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from rankproof.contract import Contract
from rankproof.model import Grade
from rankproof.placements.arrays.scores import whole_numbers
from rankproof.placements.arrays.text import CHUNK, chunks, columns
from rankproof.placements.arrays.tokens import IrregularError, Joining, Tokens, mixed, tokens_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[Any]

_SLOTS = 4
"""So many slots has the table for each judgment, at least: then few of them share one."""


@dataclass(frozen=True, slots=True)
class Judgments:
    """All judgments, query by query: `bounds[q]` to `bounds[q + 1]` - 1 are those of the query no. q."""

    query_ids: Sequence[str]
    bounds: Numbers
    grades: Numbers  # whole numbers

    @property
    def queries(self) -> Numbers:
        """Return the number of each judgment's query."""
        import numpy as np  # noqa: PLC0415 - an extra, loaded where files are scanned

        return np.repeat(np.arange(len(self.query_ids), dtype=np.int32), np.diff(self.bounds))

    def best_grades(self) -> dict[str, Grade]:
        """Return each query's highest grade."""
        import numpy as np  # noqa: PLC0415

        return dict(zip(self.query_ids, np.maximum.reduceat(self.grades, self.bounds[:-1]).tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class Listed(Judgments):
    """Judgments with their documents."""

    docs: Tokens


def judgments_of(qrels: Mapping[str, Mapping[str, Grade]]) -> Listed:
    """Return judgments as arrays. IrregularError for grades that are no whole numbers, and for a query without any."""
    import numpy as np  # noqa: PLC0415

    found = grades_of(qrels)
    if not np.diff(found.bounds).all():
        raise IrregularError
    docs = tokens_of([doc for judged in qrels.values() for doc in judged])
    return Listed(found.query_ids, found.bounds, found.grades, docs)


def grades_of(qrels: Mapping[str, Mapping[str, Grade]]) -> Judgments:
    """Return judgments as arrays, without documents. IrregularError for grades that are no whole numbers."""
    import numpy as np  # noqa: PLC0415

    bounds = np.cumsum([0, *map(len, qrels.values())])
    grades = list(chain.from_iterable(map(methodcaller("values"), qrels.values())))
    if not set(map(type, grades)) <= {int}:
        raise IrregularError
    return Judgments(list(qrels), bounds, np.array(grades, np.int64))


def scanned(reader: BinaryIO, contract: Contract, size: int = CHUNK) -> Listed:
    """Return the judgments of a text of TREC rows. IrregularError for what the plain road has to read, or refuse."""
    import numpy as np  # noqa: PLC0415

    taken, grades = Joining(), []
    query_ids: list[bytes] = []
    counts: list[Numbers] = []
    iteration: bytes | None = None
    for piece in chunks(reader, size):
        queries, iterations, docs, spelled = columns(piece, 4, comments=contract.comments == "hash")
        iteration = iteration or iterations.at(slice(1)).spelled()[0]
        if not iterations.are(iteration):
            raise IrregularError
        firsts = np.concatenate(([0], queries.changes()))
        query_ids += queries.at(firsts).spelled()
        counts.append(np.diff(firsts, append=len(queries)))
        grades.append(whole_numbers(spelled))
        taken.add(docs)
    if not grades or len(set(query_ids)) < len(query_ids):  # rows of a query that stand apart
        raise IrregularError
    bounds = np.concatenate(([0], *counts)).cumsum()
    return Listed([one.decode() for one in query_ids], bounds, np.concatenate(grades), *taken.columns())


class Table:
    """Finds judged documents by the hash of query and document; tokens, compared byte by byte, decide."""

    def __init__(self, judgments: Listed) -> None:
        """Lay the judgments out. IrregularError where two have one hash: a document judged twice, most likely."""
        import numpy as np  # noqa: PLC0415

        self._docs = judgments.docs
        self._hashes = mixed(judgments.queries, judgments.docs.hashes())
        if repeats(self._hashes):
            raise IrregularError
        bits = max(12, (_SLOTS * len(self._hashes)).bit_length())
        left = np.arange(len(self._hashes), dtype=np.int32)
        self._levels: list[Numbers] = []
        while len(left):  # those that lost their slot to another go into a table of their own
            table = np.full(1 << bits, -1, np.int32)
            slots = _slots(self._hashes[left], bits, len(self._levels))
            table[slots] = left
            self._levels.append(table)
            left = left[table[slots] != left]
            bits = max(8, (_SLOTS * len(left)).bit_length())

    def find(self, hashes: Numbers, docs: Tokens) -> tuple[Numbers, Numbers]:
        """Return the rows that hold a judged document, ascending, and the number of each one's judgment."""
        import numpy as np  # noqa: PLC0415

        rows = np.arange(len(hashes))
        found = np.full(len(hashes), -1, np.int32)
        for level, table in enumerate(self._levels):
            asked = hashes[rows] if level else hashes
            known = table[_slots(asked, table.size.bit_length() - 1, level)]
            some = np.flatnonzero(known >= 0)  # an empty slot: no level holds it
            rows, known, asked = rows[some], known[some], asked[some]
            hit = self._hashes[known] == asked
            found[rows[hit]] = known[hit]
            rows = rows[~hit]
            if not len(rows):
                break
        rows = np.flatnonzero(found >= 0)
        known = found[rows]
        same = docs.at(rows).equal(self._docs.at(known))
        return rows[same], known[same]


def _slots(hashes: Numbers, bits: int, level: int = 0) -> Numbers:
    """Return which of 2^bits slots each hash has; on each level another."""
    import numpy as np  # noqa: PLC0415

    turned = hashes * np.uint64(pow(0xC2B2AE3D27D4EB4F, level, 1 << 64))
    found: Numbers = (turned >> np.uint64(64 - bits)).astype(np.int64)
    return found


def repeats(hashes: Numbers) -> bool:
    """Return whether a hash comes twice."""
    import numpy as np  # noqa: PLC0415

    bits = max(8, (4 * len(hashes)).bit_length())
    slots = _slots(hashes, bits)
    rows = np.arange(len(hashes), dtype=np.int32)
    table = np.empty(1 << bits, np.int32)
    table[slots] = rows
    held = table[slots]
    lost = np.flatnonzero(held != rows)  # their slot went to another row
    if not len(lost):
        return False
    if (hashes[held[lost]] == hashes[lost]).any():
        return True
    ordered = np.sort(hashes[lost])  # two that are alike may both have lost it to a third
    return bool((ordered[1:] == ordered[:-1]).any())
