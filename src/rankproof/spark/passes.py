"""What is asked of the rows of a run, and what moves? Two readings; nothing but judged rows and counts is shuffled."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rankproof.contract import Contract
from rankproof.errors import ContractError, Fault, InputError, RankproofWarning
from rankproof.model import Join, Qrels
from rankproof.placements import rules_that_place
from rankproof.spark.chunks import rolled_up_table
from rankproof.spark.counting import NAMED, SCHEMA, RowCounter
from rankproof.spark.placing import CountedRun, runs_of_counts
from rankproof.spark.repeats import check_repeats, ids_in, judged_rows, repeated, with_repeats
from rankproof.spark.row_rules import RowRules, row_rules
from rankproof.spark.sessions import large_batches
from rankproof.spark.wanted import wanted_rows
from rankproof.words import counted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

BROADCAST = 5_000_000
"""Up to so many judgments go to every worker, as hashes; more of them are joined with the run, once."""

AT_ONCE = 5_000_000
"""So many rows and queries are counted for in one reading; of a table of more runs, as many runs as that allows."""

REPEATS = 2_000_000
"""More documents that stand twice are refused: that is a damaged table, not a rule's business."""


class CountedTable:
    """The runs of a table of results, joined with judgments as often as contracts ask for it.

    `table` is what `run_table` returned, `qrels` the judgments. Two contracts that order rows alike share a reading.
    """

    def __init__(
        self, table: DataFrame, qrels: Qrels, *, name: str = "run", broadcast: int = BROADCAST, named: int = NAMED
    ) -> None:
        """Read nothing yet."""
        self._given = table
        self._qrels = qrels
        self._name = name
        self._broadcast = broadcast
        self._named = named
        self._runs: dict[tuple[object, ...], list[CountedRun]] = {}
        self._joins: dict[tuple[object, ...], Join] = {}
        self._hits: dict[tuple[object, ...], Any] = {}
        self._repeats: dict[tuple[object, ...], Any] = {}

    @cached_property
    def runs(self) -> list[str | None]:
        """Return the names of the runs, ascending; [None] where the table names none. InputError without rows."""
        if "run" not in self._given.columns:
            return [None]
        names = self._given.select("run").distinct().toArrow().column("run").to_pylist()
        if not names:
            raise InputError(Fault("holds no results", self._name))
        return sorted(names)

    @property
    def names(self) -> list[str]:
        """Return what the runs are called."""
        return [self._name if run is None else run for run in self.runs]

    def join(self, run: int, contract: Contract) -> Join:
        """Return the placements of a run, by its place in `runs`, under a contract. Raises as `place` does."""
        key = (run, *rules_that_place(contract), contract.roll_up, contract.chunk_separator)
        if key not in self._joins:
            self._joins[key] = self._runs_under(contract)[run].join(self._qrels, contract)
        return replace(self._joins[key], contract=contract)

    def _runs_under(self, contract: Contract) -> list[CountedRun]:
        try:
            rules = row_rules(contract, self._given.columns)
        except ContractError as error:
            raise ContractError(*(replace(fault, file=self._name) for fault in error.faults)) from error
        repeats = contract.duplicate_document
        key = (rules, repeats, contract.roll_up, contract.chunk_separator)
        if key not in self._runs:
            self._runs[key] = list(self._count(rules, contract))
            for run in self._runs[key]:
                if run.has_more_unjudged:
                    text = (
                        f"{run.name}: more than {self._named} queries are not judged; the first are named and counted"
                    )
                    warnings.warn(text, RankproofWarning, stacklevel=2)
        return self._runs[key]

    def _count(self, rules: RowRules, contract: Contract) -> Iterator[CountedRun]:
        table = self._table(contract)
        hits = self._judged_rows(table, contract)
        if contract.duplicate_document != "unchecked" and contract.roll_up == "none":  # rolled up, none stands twice
            hits = self._with_repeats(table, hits, rules, contract)
        read = [*ids_in(table.columns), *rules.columns]
        for runs in self._parts(hits):
            rows, part = table, hits
            if len(runs) < len(self.runs):
                import pyarrow as pa  # noqa: PLC0415 - loaded where it counts
                import pyarrow.compute as pc  # noqa: PLC0415

                rows = table.where(table["run"].isin(list(runs)))
                part = hits.filter(pc.is_in(hits.column("run"), value_set=pa.array(runs, pa.string())))
            yield from self._count_once(rows.select(*read), part, runs, rules, contract)

    def _count_once(
        self, rows: DataFrame, hits: Any, runs: Sequence[str | None], rules: RowRules, contract: Contract
    ) -> list[CountedRun]:
        """Read the rows once, and count those above each of the hits."""
        target, hits = wanted_rows(hits, runs, self._queries, rules)
        counter = RowCounter(target, rules, self._named)

        def count(batches: Iterator[Any]) -> Iterator[Any]:  # Spark wants a plain function
            yield from counter(batches)

        counts = rows.mapInArrow(count, SCHEMA).groupBy("kind", "at", "text").agg({"n": "sum"})
        with large_batches(rows.sparkSession):
            summed = counts.toArrow().rename_columns(["kind", "at", "text", "n"])
        return runs_of_counts(target, hits, summed, contract, name=self._name, named=self._named)

    def _table(self, contract: Contract) -> DataFrame:
        """Return the rows, of documents where they were of chunks."""
        if contract.roll_up == "none":
            return self._given
        text = f"{self._name}: chunks rolled up to documents (roll-up = {contract.roll_up}), one shuffle of all rows"
        warnings.warn(text, RankproofWarning, stacklevel=2)
        return rolled_up_table(self._given, contract.roll_up, contract.chunk_separator)

    @cached_property
    def _queries(self) -> Any:
        import pyarrow as pa  # noqa: PLC0415

        return pa.array(sorted(self._qrels, key=str.encode), pa.string())

    @cached_property
    def _pairs(self) -> DataFrame:
        """Return the judged documents as a table."""
        import pyarrow as pa  # noqa: PLC0415

        ids = [(query, doc) for query, judgments in self._qrels.items() for doc in judgments]
        columns = {"query_id": [query for query, _ in ids], "doc_id": [doc for _, doc in ids]}
        return self._frame(pa.table(columns), "query_id string, doc_id string")

    def _frame(self, table: Any, schema: str) -> DataFrame:
        return self._given.sparkSession.createDataFrame(table, schema)

    def _judged_rows(self, table: DataFrame, contract: Contract) -> Any:
        """Return the rows of judged documents: the first reading, by a hash of both ids, which are compared here."""
        key = (contract.roll_up, contract.chunk_separator)
        if key not in self._hits:
            hashes = self._pairs.selectExpr(f"{_HASH} AS hash")
            few = sum(map(len, self._qrels.values())) <= self._broadcast
            known = hashes.hint("broadcast") if few else hashes
            found = table.selectExpr("*", f"{_HASH} AS hash").join(known, "hash", "left_semi")
            self._hits[key] = judged_rows(found.select(*table.columns).toArrow(), self._qrels)
        return self._hits[key]

    def _with_repeats(self, table: DataFrame, hits: Any, rules: RowRules, contract: Contract) -> Any:
        """Return the judged rows and those of documents that stand twice. ContractError where these are refused."""
        refused = contract.duplicate_document == "error"
        key = (rules.drops_own, rules.drops_non_positive, refused)
        if key not in self._repeats:
            self._repeats[key] = self._repeated(table, rules, refused=refused)
        found = self._repeats[key]
        if found is None:
            return hits
        if refused:
            check_repeats(found, self._name)
        return with_repeats(hits, found, self._qrels, contract, self._name)

    def _repeated(self, table: DataFrame, rules: RowRules, *, refused: bool) -> Any:
        """Return the rows of documents that stand twice, looked for by one shuffle of hashes; None where none does."""
        rows = _taken(table.join(self._judged_queries.hint("broadcast"), "query_id", "left_semi"), rules)
        run = "run, " if "run" in table.columns else ""
        hashed = rows.selectExpr("*", f"xxhash64({run}query_id, doc_id) AS hash")
        twice = hashed.groupBy("hash").count().where("count > 1").select("hash").limit(REPEATS + 1).toArrow()
        if twice.num_rows > REPEATS and not refused:
            message = f"more than {counted(REPEATS, 'document')} stand twice in a ranking"
            raise InputError(Fault(message, self._name, hint="mend the table first, with dropDuplicates say"))
        if not twice.num_rows:
            return None
        some = twice.slice(0, _LOOKED_INTO) if twice.num_rows > REPEATS else twice
        known = self._frame(some, "hash bigint").hint("broadcast")
        return repeated(hashed.join(known, "hash", "left_semi").select(*table.columns).toArrow())

    @cached_property
    def _judged_queries(self) -> DataFrame:
        import pyarrow as pa  # noqa: PLC0415

        return self._frame(pa.table({"query_id": self._queries}), "query_id string")

    def _parts(self, hits: Any) -> Iterator[Sequence[str | None]]:
        """Yield the runs, as many at once as AT_ONCE allows."""
        if self.runs == [None]:
            yield self.runs
            return
        sizes = {one["values"]: one["counts"] for one in hits.column("run").value_counts().to_pylist()}
        part: list[str | None] = []
        size = 0
        for run in self.runs:
            cost = sizes.get(run, 0) + len(self._queries)
            if part and size + cost > AT_ONCE:
                yield part
                part, size = [], 0
            part.append(run)
            size += cost
        yield part


_HASH = "xxhash64(query_id, doc_id)"
_LOOKED_INTO = 1000
"""So many hashes are looked into where there are too many, and one true repeat is enough."""


def _taken(rows: DataFrame, rules: RowRules) -> DataFrame:
    """Return the rows that have an id, without those that the contract takes out beforehand."""
    rows = rows.where("doc_id <> ''")  # what has none is refused as such
    if rules.drops_own:
        rows = rows.where("doc_id <> query_id")
    if rules.drops_non_positive:
        rows = rows.where("score IS NULL OR isnan(score) OR score > 0")
    return rows
