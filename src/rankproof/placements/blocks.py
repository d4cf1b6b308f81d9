"""Which places do the rows of equal scores share with a row, and which of them does the tie rule give it?"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rankproof.placements.scores import Scores

_ONE_IN = 8
"""Where more than one row in so many is asked for, all scores of the query are parsed at once."""


class Block(NamedTuple):
    """The first and the last place of rows with equal scores, and these rows, in the order given."""

    first: int
    last: int
    rows: Sequence[int]


class Blocks:
    """The blocks of one query, rows `first` to `end` - 1 of a chunk; each is found when it is asked for."""

    def __init__(self, scores: Scores, first: int, end: int, *, single: bool, asked: int) -> None:
        """Take the scores of the chunk; `single`: they are compared as 32-bit floats; `asked`: of so many rows."""
        self._scores = scores
        self._first = first
        self._end = end
        self._single = single
        self._falling = scores.never_rises(first, end)
        self._known: dict[int, Block] = {}  # by row
        self._values: Sequence[float] = ()
        self._ascending: Sequence[float] = ()
        if not scores.never_rises(first, end) or (single and asked * _ONE_IN > end - first):
            values: list[float] = scores.of(first, end).tolist()
            self._values = array("f", values) if single else values
            self._ascending = sorted(self._values)
        self._ranks: dict[int, dict[int, int]] = {}  # by the first place of a block: each row's place

    def of(self, row: int) -> Block:
        """Return the block of a row."""
        if row not in self._known:
            block = self._counted(row) if self._ascending else self._found_beside(row)
            self._known.update(dict.fromkeys(block.rows, block))
        return self._known[row]

    def _counted(self, row: int) -> Block:
        """Return the block of a row by counting the higher scores."""
        value, count = self._values[row - self._first], len(self._ascending)
        first = count - bisect_right(self._ascending, value) + 1
        last = count - bisect_left(self._ascending, value)
        if first == last:
            return Block(first, last, (row,))
        return Block(first, last, [self._first + at for at, one in enumerate(self._values) if one == value])

    def _found_beside(self, row: int) -> Block:
        """Return the block of a row among rows whose scores never rise: its equal neighbours."""
        begin, end = row, row + 1
        is_equal = self._is_equal_to(row)
        while begin > self._first and is_equal(begin - 1, begin):
            begin -= 1
        while end < self._end and is_equal(end - 1, end):
            end += 1
        return Block(begin - self._first + 1, end - self._first, range(begin, end))

    def _is_equal_to(self, row: int) -> Callable[[int, int], bool]:
        """Return whether two neighbours, of which one is equal to this row, are equal."""
        if not self._single:
            return lambda upper, _: bool(self._scores.equal[upper])
        value = array("f", [self._scores.value(row)])[0]

        def rounded(upper: int, lower: int) -> bool:
            other = upper if upper < row else lower
            return bool(array("f", [self._scores.value(other)])[0] == value)

        return rounded

    def rank(self, row: int, block: Block, ties: str, doc_of: Callable[[int], bytes]) -> int:
        """Return the place of a row within its block, by the tie rule."""
        if block.first == block.last:
            return block.first
        if block.first not in self._ranks:
            rows = list(block.rows)
            if ties not in ("as-given", "unspecified"):  # under `expected` any order will do
                rows.sort(key=doc_of, reverse=ties != "document-id-ascending")
            self._ranks[block.first] = {one: block.first + at for at, one in enumerate(rows)}
        return self._ranks[block.first][row]
