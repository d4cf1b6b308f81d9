"""What do tables on Spark hold, and what in them is suspicious? Counted where they lie; told as any check is."""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import TYPE_CHECKING, Any

from rankproof.check.check import FaultsHeard
from rankproof.check.checked import Checked, CheckedFile
from rankproof.check.finding import Place, Tallies
from rankproof.check.ids import look_at_both, look_at_ids
from rankproof.check.judgments import HeldJudgments, JudgmentsHeard
from rankproof.formats.cells import judgments_of
from rankproof.spark.qrels import cells_of_table
from rankproof.spark.tables import Columns, qrels_table, run_table
from rankproof.words import counted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

NOT_LOOKED_AT = (
    "of results on Spark these were looked at: ids and numbers that lack, NaN, infinity, repeats, ties, depths, and"
    " queries and documents beside the judgments"
)

_OF_SCORES = {
    "nan": "CASE WHEN isnan(score) THEN rows ELSE 0 END",
    "infinity": "CASE WHEN score IN (CAST('inf' AS DOUBLE), CAST('-inf' AS DOUBLE)) THEN rows ELSE 0 END",
    "tied": "CASE WHEN rows > 1 AND score IS NOT NULL AND NOT isnan(score) THEN rows ELSE 0 END",
    "scores": "1",
    "rows": "rows",
}
"""What is summed over the different scores of a query."""


def check(
    run: DataFrame | None = None,
    qrels: DataFrame | None = None,
    *,
    columns: Columns | None = None,
    qrels_columns: Columns | None = None,
) -> Checked:
    """Return what tables of results and of judgments hold, and what in them is wrong or suspicious.

    The rows of the results are shuffled up to three times (by query and score, by document, by query and document): a
    check is made once. InputError where columns are missing.
    """
    files = []
    judged = None
    if qrels is not None:
        judged = _Judged(qrels_table(qrels, qrels_columns))
        files.append(judged.checked())
    if run is not None:
        files.append(_Results(run_table(run, columns), judged).checked())
    return Checked(files)


class _Judged:
    """The judgments, looked at on the driver, as those of a file are."""

    def __init__(self, table: DataFrame) -> None:
        self.table = table
        self.found = Tallies("qrels")
        self.held = HeldJudgments()
        heard = JudgmentsHeard(self.held, self.found)
        heard.hear(judgments_of(cells_of_table(table.toArrow()), FaultsHeard(self.found), "qrels"))
        heard.end()

    def checked(self) -> CheckedFile:
        held, depths = self.held, self.held.depths()
        return CheckedFile(
            name="qrels",
            role="qrels",
            format="spark",
            rows=held.rows,
            queries=len(held.query_lines),
            documents=len(held.doc_lines),
            depth=(min(depths), median(depths), max(depths)) if depths else None,
            grades=dict(sorted(held.grades.items())),
            findings=self.found.findings(),
        )


class _Results:
    """The results, of which a row a query comes to the driver."""

    def __init__(self, table: DataFrame, judged: _Judged | None) -> None:
        self.found = Tallies("run")
        self._table = table
        self._judged = judged
        self._has_runs = "run" in table.columns
        self._ids = ["run", "query_id"] if self._has_runs else ["query_id"]
        self._queries = self._by_query()
        self._lines: dict[str, int | None] = {one["query_id"]: None for one in self._queries if one["query_id"]}
        self._look()

    def _by_query(self) -> list[dict[str, Any]]:
        """Return a row a query (and run): rows, different scores, those tied, NaN, infinite."""
        scored = "score" in self._table.columns
        score = "score" if scored else "CAST(0 AS DOUBLE) AS score"
        by_score = self._table.selectExpr(*self._ids, score, "1 AS one").groupBy(*self._ids, "score").count()
        rows = by_score.withColumnRenamed("count", "rows")
        parts = {name: text if scored or name == "rows" else "0" for name, text in _OF_SCORES.items()}
        summed = rows.selectExpr(*self._ids, *(f"{text} AS of_{name}" for name, text in parts.items()))
        found = summed.groupBy(*self._ids).agg({f"of_{name}": "sum" for name in parts})
        named = found.selectExpr(*self._ids, *(f"`sum(of_{name})` AS {name}" for name in parts))
        return sorted(named.toArrow().to_pylist(), key=lambda one: [str(one[name]) for name in self._ids])

    def _look(self) -> None:
        self._look_at_cells()
        look_at_ids("query_id", self._lines, self.found)
        self._look_at_repeats()
        for one in self._queries:
            place = Place(None, one["query_id"])
            for kind in ("nan", "infinity"):
                if one[kind]:
                    self.found.add(kind, place, count=one[kind])
            if one["scores"] == 1 and one["rows"] > 1 and one["tied"]:
                self.found.add("all-scores-equal", place)
            elif one["tied"]:
                self.found.add("ties", place, count=one["tied"])
        self._look_at_depths()
        if self._judged is not None:
            self._look_beside(self._judged)

    def _look_at_cells(self) -> None:
        lacking = {
            name: f"{name} IS NULL" + (f" OR {name} = ''" if name.endswith("_id") else "")
            for name in ("query_id", "doc_id", "score", "rank")
            if name in self._table.columns
        }
        flags = self._table.selectExpr(
            *(f"CASE WHEN {bad} THEN 1 ELSE 0 END AS {name}" for name, bad in lacking.items())
        )
        (counts,) = flags.agg(dict.fromkeys(lacking, "sum")).toArrow().to_pylist()
        for name in lacking:
            if count := counts[f"sum({name})"]:
                self.found.add("unreadable-row", None, f"has no {name}", count)

    def _look_at_repeats(self) -> None:
        ids = [*self._ids, "doc_id"]
        twice = self._table.groupBy(*ids).count().where("count > 1")
        example = "named_struct('query_id', query_id, 'doc_id', doc_id) AS example"
        summed = twice.selectExpr("count - 1 AS more", example).agg({"more": "sum", "example": "min"})
        one = summed.selectExpr("`sum(more)` AS more", "`min(example)` AS example").toArrow().to_pylist()[0]
        if one["more"]:
            place = Place(None, one["example"]["query_id"], one["example"]["doc_id"])
            self.found.add("retrieved-twice", place, count=one["more"])

    def _look_at_depths(self) -> None:
        for run in sorted({one.get("run") or "" for one in self._queries}):
            depths = Counter(one["rows"] for one in self._queries if (one.get("run") or "") == run)
            deepest, queries = max(depths), depths.total()
            if queries > 1 and depths[deepest] * 2 > queries:
                named = f"{run}: " if run else ""
                share = f"{depths[deepest]} of {counted(queries, 'query', 'queries')}"
                why = f"{named}{share} have exactly {counted(deepest, 'result')}, none more: cut there?"
                self.found.add("cut-depth", None, why, depths[deepest])

    def _look_beside(self, judged: _Judged) -> None:
        there = judged.held.queries
        look_at_both("query_id", self._lines, there, "qrels", self.found)
        common = [query for query in self._lines if query in there]
        if not common:
            self.found.add("no-query-in-common", None, "qrels", max(1, len(self._lines)))
            return
        for kind, queries, others in (
            ("queries-missing", there, self._lines),
            ("queries-unjudged", self._lines, there),
        ):
            for query in sorted(set(queries).difference(others), key=str.encode):
                self.found.add(kind, Place(None, query), "qrels")
        pairs = judged.table.select("query_id", "doc_id").distinct()
        if not self._table.join(pairs.hint("broadcast"), ["query_id", "doc_id"], "left_semi").count():
            rows = sum(one["rows"] for one in self._queries if one["query_id"] in there)
            self.found.add("no-document-in-common", None, "qrels", rows)

    def checked(self) -> CheckedFile:
        depths = [one["rows"] for one in self._queries]
        names = sorted({one["run"] for one in self._queries if one["run"]}) if self._has_runs else []
        return CheckedFile(
            name="run",
            role="run",
            format="spark",
            rows=sum(depths),
            queries=len(self._lines),
            documents=self._table.where("doc_id <> ''").select("doc_id").distinct().count(),
            runs=names,
            depth=(min(depths), median(depths), max(depths)) if depths else None,
            tied_queries=sum(one["tied"] > 0 for one in self._queries),
            tied_places=sum(one["tied"] for one in self._queries),
            told=[NOT_LOOKED_AT],
            findings=self.found.findings(),
        )
