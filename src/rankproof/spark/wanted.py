"""Which rows must be counted for? The judged ones (and repeats), in an order that makes counting one look-up a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    def query_at(self) -> Mapping[str, int]:
        """Return the place of each judged query."""
        return {query: at for at, query in enumerate(self.queries.to_pylist())}

    @cached_property
    def run_at(self) -> Mapping[str | None, int]:
        """Return the place of each run."""
        return {run: at for at, run in enumerate(self.runs)}

    @cached_property
    def cell_keys(self) -> Any:
        """Return the keys of all cells, each once, ascending."""
        import numpy as np  # noqa: PLC0415 - loaded where it counts

        return np.unique(self.keys)

    @cached_property
    def cells(self) -> Any:
        """Return the cells as numbers that ascend by group and key, which `places` gives rows too."""
        first = self.first_of_cell[:-1]
        return self.places(self.groups[first], self.keys[first])

    def places(self, groups: Any, keys: Any) -> Any:
        """Return numbers that order rows by group and key: equal to that of a cell for its rows alone."""
        import numpy as np  # noqa: PLC0415

        known = self.cell_keys
        if not len(known):
            return groups * 2
        below = np.searchsorted(known, keys)
        same = known[np.minimum(below, len(known) - 1)] == keys
        return groups * (2 * len(known) + 2) + 2 * below + same


def wanted(hits: Any, runs: Sequence[str | None], queries: Any, rules: RowRules) -> tuple[Wanted, Any]:
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
    groups = _codes(hits.column("query_id"), queries)
    if runs != [None]:
        groups = groups + _codes(hits.column("run"), pa.array(runs, pa.string())) * len(queries)
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


def _codes(column: Any, known: Any) -> Any:
    import numpy as np  # noqa: PLC0415
    import pyarrow.compute as pc  # noqa: PLC0415

    return np.asarray(pc.index_in(column, value_set=known), dtype=np.int64)


def _one(column: Any) -> Any:
    """Return a chunked array in one piece, without what slices leave behind."""
    import pyarrow as pa  # noqa: PLC0415

    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
