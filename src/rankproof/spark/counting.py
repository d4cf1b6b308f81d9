"""How many rows of a partition stand above each wanted row? Plain counts, which add up over partitions."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Iterator
from typing import Any

from rankproof.spark.row_rules import UNDECIDED, RowRules, rows_of
from rankproof.spark.wanted import Wanted, places

SCHEMA = "kind int, at long, text string, n long"
"""What a partition gives; rows of one kind, place and text add up."""

GAP, WINS, SAME, DROPPED, UNJUDGED, MORE_UNJUDGED, REFUSED, EXAMPLE = range(8)
"""The kinds of counts.

Rows between two cells, rows within a cell by their marks, rows at a wanted position, rows taken out; queries without
judgments, and whether there are more than are named; rows that are refused, and examples of them.
"""

FAULTS = ("query_id", "doc_id", "score", "rank", "position", "nan", "rank-nan", UNDECIDED)
"""What a row can be refused for, by its place: a cell that lacks, NaN, chunks of which none is first."""

NAMED = 10_000
"""So many queries without judgments, the first by their ids, are named for each run."""

SLICE = 100_000
"""So many counts, at most, leave a partition in one batch."""

EXAMPLES = 3
"""So many of the rows that a partition refuses for one reason are named."""


class RowCounter:
    """Counts the rows of a partition: what `mapInArrow` calls, with its batches in any order."""

    def __init__(self, wanted: Wanted, rules: RowRules, named: int = NAMED) -> None:
        """Count for these rows; `named`: how many queries without judgments are named."""
        self._wanted = wanted
        self._rules = rules
        self._named = named

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield Arrow batches of counts, none where there are no rows."""
        counts = _Counts(self._wanted, self._rules, self._named)
        for batch in batches:
            counts.add(batch)
        yield from counts.batches()


class _Counts:
    def __init__(self, wanted: Wanted, rules: RowRules, named: int) -> None:
        import numpy as np  # noqa: PLC0415 - loaded where it counts

        self._wanted = wanted
        self._rules = rules
        self._named = named
        cells, groups = wanted.cells, len(wanted.runs) * len(wanted.queries)
        self._gaps = np.zeros(cells + groups, np.int64)
        self._wins = np.zeros(len(wanted.keys) + cells, np.int64)
        self._same = np.zeros(len(wanted.keys) if rules.mark == "position" else 0, np.int64)
        self._dropped = np.zeros(groups if rules.drops_own or rules.drops_non_positive else 0, np.int64)
        self._unjudged: dict[int, set[str]] = {}
        self._more: set[int] = set()
        self._refused: dict[int, int] = {}
        self._examples: dict[int, list[str]] = {}

    def add(self, batch: Any) -> None:
        """Count the rows of a batch."""
        import numpy as np  # noqa: PLC0415

        if not batch.num_rows:
            return
        groups = self._groups(batch)
        rows = rows_of(batch, self._rules)
        keep = groups >= 0
        self._look_at_cells(batch, rows.nan, keep)
        if rows.kept is not None:
            np.add.at(self._dropped, groups[keep & ~rows.kept], 1)
            keep &= rows.kept
        row_at = np.flatnonzero(keep)
        groups, keys = groups[row_at], rows.keys[row_at]
        at, same = self._wanted.below(groups, keys)
        np.add.at(self._gaps, at + groups, 1)
        self._add_tied(batch, row_at[same], at[same])

    def _add_tied(self, batch: Any, row_at: Any, cells: Any) -> None:
        """Count the rows of cells: among the marks of the cell, how many stand before each row's."""
        import numpy as np  # noqa: PLC0415
        import pyarrow as pa  # noqa: PLC0415
        import pyarrow.compute as pc  # noqa: PLC0415

        marks = batch.column(self._rules.mark).take(pa.array(row_at))
        if marks.null_count:  # refused already
            cells, marks = cells[np.asarray(marks.is_valid())], marks.drop_null()
        at = self._wanted.within(cells, marks, behind_equal=not self._rules.greater_wins)
        np.add.at(self._wins, at + cells, 1)
        if self._rules.mark == "position":  # then the last of those that are not greater may be the row's own
            last = np.maximum(at - 1, self._wanted.first_of_cell.take(cells))
            np.add.at(self._same, last[np.asarray(pc.equal(self._wanted.marks.take(pa.array(last)), marks))], 1)

    def _groups(self, batch: Any) -> Any:
        """Return the group of each row; -1 where its query is not judged."""
        import numpy as np  # noqa: PLC0415

        found = places(batch.column("query_id"), self._wanted.queries)
        of_run = None
        if self._wanted.runs != [None]:
            of_run = places(batch.column("run"), self._wanted.run_names)
        unjudged = found < 0
        if unjudged.any():
            self._add_unjudged(batch.column("query_id"), unjudged, of_run)
        if of_run is None:
            return found
        return np.where(unjudged | (of_run < 0), -1, found + of_run * len(self._wanted.queries))

    def _add_unjudged(self, queries: Any, where: Any, of_run: Any) -> None:
        import numpy as np  # noqa: PLC0415
        import pyarrow as pa  # noqa: PLC0415

        named = queries.filter(pa.array(where)).dictionary_encode(null_encoding="encode")
        names, pairs = named.dictionary.to_pylist(), np.asarray(named.indices, np.int64)
        if of_run is not None:
            pairs = pairs + of_run[where] * len(names)
        for pair in np.unique(pairs).tolist():
            run, query = divmod(pair, len(names))
            if (name := names[query]) and run >= 0:  # what is no id is refused anyway
                self._unjudged.setdefault(run, set()).add(name)
        for run, named in self._unjudged.items():
            if len(named) > 2 * self._named:
                self._cut(run)

    def _cut(self, run: int) -> None:
        """Keep the first of the names, the same ones however the rows are parted."""
        self._more.add(run)
        self._unjudged[run] = set(heapq.nsmallest(self._named, self._unjudged[run]))

    def _look_at_cells(self, batch: Any, nan: Any, judged: Any) -> None:
        """Count the rows with an empty id, without a number that is read, or with one that is refused."""
        import numpy as np  # noqa: PLC0415
        import pyarrow.compute as pc  # noqa: PLC0415

        for name in ("query_id", "doc_id", *self._rules.columns):
            column = batch.column(name)
            is_id = name in ("query_id", "doc_id")
            if column.null_count or (is_id and pc.any(pc.equal(column, "")).as_py()):
                bad = np.asarray(column.is_null())
                self._refuse(name, batch, bad | np.asarray(pc.equal(column, "").fill_null(True)) if is_id else bad)
        if nan.any():
            nan &= np.asarray(batch.column(self._rules.order).is_valid())  # a null is refused already
            if self._rules.order == "rank":
                self._refuse("rank-nan", batch, nan)
            elif self._rules.nan_is_refused:
                self._refuse("nan", batch, nan & judged)
        if self._rules.first_chunk:
            self._refuse(UNDECIDED, batch, np.asarray(batch.column(UNDECIDED).fill_null(False)) & judged)

    def _refuse(self, what: str, batch: Any, rows: Any) -> None:
        if not rows.any():
            return
        at = FAULTS.index(what)
        self._refused[at] = self._refused.get(at, 0) + int(rows.sum())
        examples = self._examples.setdefault(at, [])
        for row in rows.nonzero()[0][: EXAMPLES - len(examples)].tolist():
            query, doc = (batch.column(name)[row].as_py() or "" for name in ("query_id", "doc_id"))
            examples.append(json.dumps([query, doc]))

    def batches(self) -> Iterator[Any]:
        """Yield the counts that are not 0, in Arrow batches."""
        import numpy as np  # noqa: PLC0415

        dense = {GAP: self._gaps, WINS: self._wins, SAME: self._same, DROPPED: self._dropped}
        for kind, counts in dense.items():
            some_at = np.flatnonzero(counts)
            for start in range(0, len(some_at), SLICE):
                some = some_at[start : start + SLICE]
                yield _batch(np.full(len(some), kind, np.int32), some, None, counts[some])
        if texts := self._texts():
            kinds, ats, names, ns = zip(*texts, strict=True)
            yield _batch(kinds, ats, names, ns)

    def _texts(self) -> list[tuple[int, int, str, int]]:
        """Return the counts that come with a text: queries without judgments, rows that are refused."""
        for run, named in self._unjudged.items():
            if len(named) > self._named:
                self._cut(run)
        found = [(UNJUDGED, run, query, 1) for run, named in self._unjudged.items() for query in sorted(named)]
        found += [(MORE_UNJUDGED, run, "", 1) for run in sorted(self._more)]
        found += [(REFUSED, at, "", n) for at, n in self._refused.items()]
        return found + [(EXAMPLE, at, text, 1) for at, texts in self._examples.items() for text in texts]


def _batch(kinds: Any, ats: Any, texts: Any, ns: Any) -> Any:
    """Return counts as SCHEMA has them."""
    import pyarrow as pa  # noqa: PLC0415

    text = pa.nulls(len(ats), pa.string()) if texts is None else pa.array(texts, pa.string())
    columns = [pa.array(kinds, pa.int32()), pa.array(ats, pa.int64()), text, pa.array(ns, pa.int64())]
    return pa.RecordBatch.from_arrays(columns, names=["kind", "at", "text", "n"])
