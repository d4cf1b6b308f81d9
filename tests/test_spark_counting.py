"""Counting by parts, without Spark: whatever the partitions, the placements are those of the plain road."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from needed import installed
from spark_rows import CONTRACTS, QRELS, parted, placed, run_of, table_of

from rankproof.contract import Contract
from rankproof.errors import RankproofError
from rankproof.model import Join
from rankproof.placements.plain import place
from rankproof.spark.counting import Counter
from rankproof.spark.placing import counted_runs
from rankproof.spark.repeats import check_repeats, repeated, with_repeats
from rankproof.spark.row_rules import row_rules
from rankproof.spark.wanted import wanted

pa = installed("pyarrow")


def only(table: Any, keep: list[bool]) -> Any:
    return table.filter(pa.array(keep, pa.bool_()))


def counted(table: Any, qrels: dict, contract: Contract, cuts: list[int], *, position: bool) -> list[Join]:
    """What the parts of the table give, counted one by one and added up: the joins of its runs."""
    if not position:
        table = table.drop_columns("position")
    rules = row_rules(contract, table.column_names)
    ids = list(zip(table.column("query_id").to_pylist(), table.column("doc_id").to_pylist(), strict=True))
    hits = only(table, [doc in qrels.get(query, ()) for query, doc in ids])
    if contract.duplicate_document != "unchecked":
        scores = table.column("score").to_pylist()
        taken = [
            query in qrels
            and not (contract.own_document == "remove" and query == doc)
            and not (contract.non_positive_score == "drop" and score <= 0)
            for (query, doc), score in zip(ids, scores, strict=True)
        ]
        twice = repeated(only(table, taken))
        if contract.duplicate_document == "error":
            check_repeats(twice, None)
        hits = with_repeats(hits, twice, qrels, contract, None)
    runs = sorted(set(table.column("run").to_pylist())) if "run" in table.column_names else [None]
    target, hits = wanted(hits, runs, pa.array(sorted(qrels)), rules)
    parts = [
        pa.Table.from_batches(Counter(target, rules)(table.slice(start, end - start).to_batches(max_chunksize=3)))
        for start, end in zip([0, *cuts], [*cuts, len(table)], strict=True)
    ]
    counts = pa.concat_tables(parts).group_by(["kind", "at", "text"]).aggregate([("n", "sum")])
    counts = counts.rename_columns({"n_sum": "n"})
    return [one.join(qrels, contract) for one in counted_runs(target, hits, counts, contract)]


@settings(max_examples=1500)
@given(QRELS, parted(), CONTRACTS)
def test_counted_placements_are_the_plain_ones(qrels: dict, parts: tuple, contract: Contract) -> None:
    """With a position every contract gives the placements of the plain road, or both refuse."""
    rows, ranks, order, cuts = parts
    try:
        plain: Any = placed(place(qrels, run_of(rows, ranks), contract))
    except RankproofError:
        plain = None
    table = table_of(rows, ranks).take(order)
    try:
        found: Any = placed(counted(table, qrels, contract, cuts, position=True)[0])
    except RankproofError:
        found = None
    assert found == plain
