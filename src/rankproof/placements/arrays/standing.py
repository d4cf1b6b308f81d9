"""At which rank do some of many rows stand, and which rows tie with them?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from rankproof.placements.arrays.scores import Scores
from rankproof.placements.arrays.tokens import Tokens
from rankproof.placements.order import AS_GIVEN, by_tie_rule

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[Any]


class Standing(NamedTuple):
    """Where the rows that were asked for stand: each one's rank, and the first and last place of its equals."""

    ranks: Numbers
    firsts: Numbers
    lasts: Numbers

    @property
    def is_untied(self) -> bool:
        """Return whether no row ties, as far as is known: then all three are one array."""
        return self.ranks is self.firsts is self.lasts

    def at(self, rows: Numbers) -> Standing:
        """Return where some of the rows stand, given their numbers."""
        ranks = self.ranks[rows]
        return Standing(ranks, ranks, ranks) if self.is_untied else Standing(ranks, self.firsts[rows], self.lasts[rows])


def joined(parts: Sequence[Standing]) -> Standing:
    """Return where the rows of all parts stand, one part's behind another's."""
    import numpy as np  # noqa: PLC0415 - an extra, loaded for many results

    ranks = np.concatenate([part.ranks for part in parts])
    if all(part.is_untied for part in parts):
        return Standing(ranks, ranks, ranks)
    return Standing(
        ranks, np.concatenate([part.firsts for part in parts]), np.concatenate([part.lasts for part in parts])
    )


class Order:
    """The rows of many queries, each query's by falling score; equal ones in the order given."""

    def __init__(self, scores: Scores, queries: Numbers) -> None:
        """Order rows of these scores; `queries`: for each row the number of its query, of which none stands apart."""
        import numpy as np  # noqa: PLC0415 - an extra, loaded where files are scanned

        self._order: Numbers | None = None
        begins = np.flatnonzero(np.diff(queries, prepend=-1))
        values = scores.ordered(None)
        rises = values[1:] > values[:-1]
        rises[begins[1:] - 1] = False
        if rises.any():
            group = np.repeat(np.arange(len(begins)), np.diff(begins, append=len(queries)))
            risen = np.zeros(len(begins), bool)
            risen[group[1:][rises]] = True
            rows = np.flatnonzero(risen[group])
            scores.read(rows)
            self._order = np.arange(len(queries))
            self._order[rows] = rows[np.lexsort((-scores.ordered(None)[rows], group[rows]))]
            values = scores.ordered(self._order)
        self._equal = np.zeros(len(values) + 1, bool)  # whether a row's score is that of the row before, in the order
        self._equal[1:-1] = values[1:] == values[:-1]
        self._equal[begins] = False
        self._begins = begins

    def standing(self, rows: Numbers, docs: Tokens, ties: str) -> Standing:
        """Return where some rows stand, under a tie rule."""
        import numpy as np  # noqa: PLC0415

        at = rows if self._order is None else _inverse(self._order)[rows]
        begins = self._begins[np.searchsorted(self._begins, at, "right") - 1] - 1
        places, firsts, lasts = at - begins, at - begins, at - begins
        tied = np.flatnonzero(self._equal[at] | self._equal[at + 1])
        if len(tied):
            edges = np.flatnonzero(~self._equal)
            block = np.searchsorted(edges, at[tied], "right")
            first, behind = edges[block - 1], edges[block]
            firsts[tied], lasts[tied] = first - begins[tied], behind - 1 - begins[tied]
            if ties not in AS_GIVEN:
                places[tied] = self._moved(at[tied], first, behind, docs, ties) - begins[tied]
        return Standing(places, firsts, lasts)

    def _moved(self, at: Numbers, first: Numbers, behind: Numbers, docs: Tokens, ties: str) -> Numbers:
        """Return where these rows come to stand when each block of equals is ordered by a tie rule."""
        import numpy as np  # noqa: PLC0415

        moved = at.copy()
        inside = np.argsort(first, kind="stable")
        cuts = np.flatnonzero(np.diff(first[inside], prepend=-1))
        for cut, until in zip(cuts.tolist(), [*cuts[1:].tolist(), len(inside)], strict=True):
            begin, end = int(first[inside[cut]]), int(behind[inside[cut]])
            rows = np.arange(begin, end) if self._order is None else self._order[begin:end]
            spelled = docs.at(rows).spelled()
            place = np.empty(end - begin, np.int64)
            place[by_tie_rule(ties, range(end - begin), spelled.__getitem__)] = np.arange(begin, end)
            moved[inside[cut:until]] = place[at[inside[cut:until]] - begin]
        return moved


def _inverse(order: Numbers) -> Numbers:
    import numpy as np  # noqa: PLC0415

    found = np.empty(len(order), np.int64)
    found[order] = np.arange(len(order))
    return found
