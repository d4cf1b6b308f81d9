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
from rankproof.placements.arrays.tokens import SLOTS, IrregularError, Joining, Tokens, mixed, repeats, slots, tokens_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[Any]


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
    """Judgments with their documents, and a hash of each query and document, no two of which are alike."""

    docs: Tokens
    hashes: Numbers


def _listed(query_ids: Sequence[str], bounds: Numbers, grades: Numbers, docs: Tokens) -> Listed:
    """Return judgments. IrregularError where two have one hash: a document judged twice, most likely."""
    hashes = mixed(Judgments(query_ids, bounds, grades).queries, docs.hashes())
    if repeats(hashes):
        raise IrregularError
    return Listed(query_ids, bounds, grades, docs, hashes)


def judgments_of(qrels: Mapping[str, Mapping[str, Grade]]) -> Listed:
    """Return judgments as arrays. IrregularError for grades that are no whole numbers, and for a query without any."""
    import numpy as np  # noqa: PLC0415

    found = grades_of(qrels)
    if not np.diff(found.bounds).all():
        raise IrregularError
    docs = tokens_of([doc for judged in qrels.values() for doc in judged])
    return _listed(found.query_ids, found.bounds, found.grades, docs)


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
    return _listed([one.decode() for one in query_ids], bounds, np.concatenate(grades), *taken.columns())


class Table:
    """Finds judged documents by the hash of query and document; tokens, compared byte by byte, decide."""

    def __init__(self, judgments: Listed) -> None:
        """Lay the judgments out."""
        import numpy as np  # noqa: PLC0415

        self._docs = judgments.docs
        self._hashes = judgments.hashes
        bits = max(12, (SLOTS * len(self._hashes)).bit_length())
        left = np.arange(len(self._hashes), dtype=np.int32)
        self._levels: list[Numbers] = []
        while len(left):  # those that lost their slot to another go into a table of their own
            table = np.full(1 << bits, -1, np.int32)
            slot = slots(self._hashes[left], bits, len(self._levels))
            table[slot] = left
            self._levels.append(table)
            left = left[table[slot] != left]
            bits = max(8, (SLOTS * len(left)).bit_length())

    def find(self, hashes: Numbers, docs: Tokens) -> tuple[Numbers, Numbers]:
        """Return the rows that hold a judged document, ascending, and the number of each one's judgment."""
        import numpy as np  # noqa: PLC0415

        rows = np.arange(len(hashes))
        found = np.full(len(hashes), -1, np.int32)
        for level, table in enumerate(self._levels):
            asked = hashes[rows] if level else hashes
            known = table[slots(asked, table.size.bit_length() - 1, level)]
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
