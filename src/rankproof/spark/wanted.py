"""Which rows must be counted for? The judged ones (and repeats), in an order that makes counting one look-up a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rankproof.spark.row_rules import RowRules, positions, rows_of


@dataclass(frozen=True)
class Wanted:
    """The rows whose places are wanted, ordered by group, key and mark; a group is one query of one run.

    A cell holds the rows of a group with one key: `first_of_cell` says with which row each begins (and, at its end, how
    many rows there are). It goes to every worker, and holds arrays only.
    """

    runs: Sequence[str | None]  # None: the table names no runs
    queries: Any  # Arrow: the judged queries
    groups: Any  # int64, a row each: (place of the run) * (number of queries) + place of the query
    keys: Any  # int64, a row each
    marks: Any  # Arrow: document ids or positions, a row each
    first_of_cell: Any  # int64

    @cached_property
    def run_names(self) -> Any:
        """Return the runs as an Arrow array."""
        import pyarrow as pa  # noqa: PLC0415 - loaded where it counts

        return pa.array(self.runs, pa.string())

    @property
    def cells(self) -> int:
        """Return how many cells there are."""
        return len(self.first_of_cell) - 1

    @cached_property
    def cell_keys(self) -> Any:
        """Return the key of each cell."""
        return self.keys[self.first_of_cell[:-1]]

    @cached_property
    def cell_at(self) -> Any:
        """Return each group's first cell, and at the end how many cells there are."""
        import numpy as np  # noqa: PLC0415 - loaded where it counts

        of_cell = self.groups[self.first_of_cell[:-1]]
        return np.searchsorted(of_cell, np.arange(len(self.runs) * len(self.queries) + 1))

    def below(self, groups: Any, keys: Any) -> tuple[Any, Any]:
        """Return for each row the first cell of its group with no lesser key, or their end; and whether it is its own.

        Each row is looked up among the few keys of its own group: rows of a query need not stand together.
        """
        end = self.cell_at.take(groups + 1)
        at = _first_not(lambda cells: self.cell_keys.take(cells) < keys, self.cell_at.take(groups), end)
        same = at < end
        if self.cells:
            same &= self.cell_keys.take(at, mode="clip") == keys
        return at, same

    def within(self, cells: Any, marks: Any, *, behind_equal: bool) -> Any:
        """Return for each row of a cell the first wanted row there with no lesser mark, or their end.

        `behind_equal`: the first with a greater mark. `marks` are the rows', an Arrow array without nulls.
        """
        import pyarrow as pa  # noqa: PLC0415 - loaded where it counts
        import pyarrow.compute as pc  # noqa: PLC0415

        precedes = pc.less_equal if behind_equal else pc.less
        first = self.first_of_cell
        return _first_not(
            lambda rows: _numpy(precedes(self.marks.take(pa.array(rows)), marks)),
            first.take(cells),
            first.take(cells + 1),
        )


def _first_not(holds: Callable[[Any], Any], start: Any, end: Any) -> Any:
    """Return for each row the first place from `start` to `end` where something does not hold, or `end`.

    `holds` answers for one place of each row; it holds up to some place, and behind that nowhere. All rows are searched
    at once, each by halving its own places.
    """
    import numpy as np  # noqa: PLC0415 - loaded where it counts

    at = start
    most = int((end - start).max(initial=0))
    step = 1 << most.bit_length() >> 1
    while step:
        further = at + step
        asked = np.minimum(further, end) - 1
        passed = holds(np.maximum(asked, 0, out=asked))
        passed &= further <= end
        at = np.where(passed, further, at)
        step >>= 1
    return at


def _numpy(flags: Any) -> Any:
    return flags.to_numpy(zero_copy_only=False)


def wanted_rows(hits: Any, runs: Sequence[str | None], queries: Any, rules: RowRules) -> tuple[Wanted, Any]:
    """Return what is counted for, and the rows of the Arrow table `hits` in its order, those taken out left out.

    `hits` has the columns query_id, doc_id, run (unless `runs` is [None]) and those that the rules read.
    """
    import numpy as np  # noqa: PLC0415
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.compute as pc  # noqa: PLC0415

    rows = rows_of(hits, rules)
    keys = rows.keys
    if rows.kept is not None:
        hits, keys = hits.filter(pa.array(rows.kept)), keys[rows.kept]
    groups = places(hits.column("query_id"), queries)
    if runs != [None]:
        groups = groups + places(hits.column("run"), pa.array(runs, pa.string())) * len(queries)
    marks = hits.column("doc_id") if rules.mark == "doc_id" else pa.chunked_array([pa.array(positions(hits))])
    by = {"group": groups, "key": keys, "mark": marks}
    if "position" in hits.column_names:
        by["position"] = positions(hits)  # of a document that comes twice with one key, the one given first
    order = pc.sort_indices(pa.table(by), sort_keys=[(name, "ascending") for name in by])
    groups, keys = groups[np.asarray(order)], keys[np.asarray(order)]
    new = np.ones(len(keys), bool)
    new[1:] = (groups[1:] != groups[:-1]) | (keys[1:] != keys[:-1])
    first = np.append(np.flatnonzero(new), len(keys))
    return Wanted(runs, queries, groups, keys, _one(marks.take(order)), first), hits.take(order)


def places(column: Any, known: Any) -> Any:
    """Return where each text of an Arrow column stands among those that are known; -1 for another, and for none."""
    import numpy as np  # noqa: PLC0415 - loaded where it counts
    import pyarrow.compute as pc  # noqa: PLC0415

    return np.asarray(pc.index_in(column, value_set=known).fill_null(-1)).astype(np.int64)


def _one(column: Any) -> Any:
    """Return a chunked array in one piece, without what slices leave behind."""
    import pyarrow as pa  # noqa: PLC0415

    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
