"""Counting by parts, without Spark: whatever the partitions, the placements are those of the plain road."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from needed import installed
from spark_rows import CONTRACTS, QRELS, parted, placed, run_of, table_of

from rankproof.contract import Contract
from rankproof.errors import ContractError, RankproofError
from rankproof.model import Join
from rankproof.placements.plain import place
from rankproof.spark.counting import NAMED, Counter
from rankproof.spark.placing import CountedRun, counted_runs
from rankproof.spark.repeats import check_repeats, repeated, with_repeats
from rankproof.spark.row_rules import LOWEST, ordered, row_rules
from rankproof.spark.wanted import wanted

pa = installed("pyarrow")


def only(table: Any, keep: list[bool]) -> Any:
    return table.filter(pa.array(keep, pa.bool_()))


def counted(table: Any, qrels: dict, contract: Contract, cuts: list[int], *, position: bool) -> list[Join]:
    """The joins of what the parts of a table give."""
    runs = counted_runs_of(table, qrels, contract, cuts, position=position)
    return [one.join(qrels, contract) for one in runs]


def counted_runs_of(
    table: Any, qrels: dict, contract: Contract, cuts: list[int], *, position: bool, named: int = NAMED
) -> list[CountedRun]:
    """What the parts of a table give, counted one by one and added up."""
    if not position:
        table = table.drop_columns("position")
    rules = row_rules(contract, table.column_names)
    ids = list(zip(table.column("query_id").to_pylist(), table.column("doc_id").to_pylist(), strict=True))
    hits = only(table, [doc in qrels.get(query, ()) for query, doc in ids])
    if contract.duplicate_document != "unchecked":
        scores = table.column("score").to_pylist()
        taken = [
            query in qrels  # what the passes ask Spark for
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
        pa.Table.from_batches(
            Counter(target, rules, named)(table.slice(start, end - start).to_batches(max_chunksize=3))
        )
        for start, end in zip([0, *cuts], [*cuts, len(table)], strict=True)
    ]
    counts = pa.concat_tables(parts).group_by(["kind", "at", "text"]).aggregate([("n", "sum")])
    counts = counts.rename_columns({"n_sum": "n"})
    return counted_runs(target, hits, counts, contract, named=named)


def attempt(make: Callable[[], Join]) -> tuple | None:
    """What is placed; None where the input or the contract is refused."""
    try:
        return placed(make())
    except RankproofError:
        return None


@settings(max_examples=800)
@given(QRELS, parted(), CONTRACTS, st.sampled_from([0, 32]))
def test_counted_placements_are_the_plain_ones(qrels: dict, parts: tuple, contract: Contract, stretch: int) -> None:
    """With a position every contract gives the placements of the plain road, or both refuse; however rows are found."""
    rows, ranks, order, cuts = parts
    table = table_of(rows, ranks).take(order)
    with mock.patch("rankproof.spark.wanted.STRETCH", stretch):
        found = attempt(lambda: counted(table, qrels, contract, cuts, position=True)[0])
    assert found == attempt(lambda: place(qrels, run_of(rows, ranks), contract))


def asks_for_order(contract: Contract) -> bool:
    """Whether a rule is about the order given."""
    by_order = contract.ties in ("as-given", "unspecified") or contract.duplicate_document in (
        "keep-first",
        "keep-last",
    )
    return contract.order == "position" or by_order


@settings(max_examples=400)
@given(QRELS, parted(), CONTRACTS)
def test_without_a_position(qrels: dict, parts: tuple, contract: Contract) -> None:
    """Without a position the same, but for rules about the order given, and repeats that nobody looked for: refused."""
    rows, ranks, order, cuts = parts
    table = table_of(rows, ranks).take(order)
    if asks_for_order(contract):
        with pytest.raises(ContractError, match="asks for the order of the rows"):
            counted(table, qrels, contract, cuts, position=False)
        return
    found = attempt(lambda: counted(table, qrels, contract, cuts, position=False)[0])
    plain = attempt(lambda: place(qrels, run_of(rows, ranks), contract))
    vouched_in_vain = contract.duplicate_document == "unchecked" and len({row[:2] for row in rows}) < len(rows)
    assert found == plain or (found is None and vouched_in_vain)


@settings(max_examples=200)
@given(QRELS, st.lists(parted(), min_size=2, max_size=4), CONTRACTS, st.randoms(use_true_random=False))
def test_systems_are_counted_together(qrels: dict, systems: list, contract: Contract, random: Any) -> None:
    """Several systems in one table, mixed: each is placed as by itself; what is refused in one refuses the table."""
    table = pa.concat_tables([table_of(rows, ranks, f"r{at}") for at, (rows, ranks, _, _) in enumerate(systems)])
    order = random.sample(range(len(table)), len(table))
    plain = [attempt(lambda one=one: place(qrels, run_of(one[0], one[1]), contract)) for one in systems]
    try:
        joins = counted_runs_of(table.take(order), qrels, contract, [len(table) // 2], position=True)
    except RankproofError:
        assert None in plain
        return
    assert [attempt(lambda one=one: one.join(qrels, contract)) for one in joins] == plain


FLOATS = st.floats() | st.sampled_from([0.0, -0.0, math.inf, -math.inf, 5e-324, -5e-324, 1.0, math.nextafter(1.0, 2.0)])


@given(st.lists(FLOATS, min_size=2, max_size=6))
def test_keys_are_in_the_order_of_the_floats(values: list[float]) -> None:
    """Whole numbers stand for doubles in their order, equal for 0.0 and -0.0; NaN is below all."""
    keys = ordered(np.array(values)).tolist()
    for (one, key), (other, other_key) in product(zip(values, keys, strict=True), repeat=2):
        if math.isnan(one):
            assert key == LOWEST <= other_key
        elif not math.isnan(other):
            assert (key < other_key, key == other_key) == (one < other, one == other)


@given(st.lists(st.sampled_from([f"x{at}" for at in range(9)]), min_size=1), st.integers(1, 9), st.integers(0, 30))
def test_unjudged_queries_are_named_up_to_a_number(queries: list[str], named: int, cut: int) -> None:
    """The first by their ids are named, whatever the partitions; there are more exactly where they are too many."""
    table = table_of([(query, "d", 1.0) for query in queries], [1.0] * len(queries))
    contract = Contract(duplicate_document="unchecked")
    (found,) = counted_runs_of(table, {"q": {"d": 1}}, contract, [min(cut, len(queries))], position=True, named=named)
    assert list(found.unjudged) == sorted(set(queries))[:named]
    assert found.has_more_unjudged == (len(set(queries)) > named)


def test_what_a_partition_gives_is_bounded_by_what_is_judged() -> None:
    """However many rows are counted, a partition gives at most a row a judged document and gap, and one a query."""
    qrels = {"q": {f"d{at * 100}": 1 for at in range(10)}}
    for size in (1_000, 20_000):
        table = table_of([("q", f"d{at}", float(at)) for at in range(size)], [1.0] * size)
        hits = table.filter(pa.compute.is_in(table.column("doc_id"), value_set=pa.array(list(qrels["q"]))))
        rules = row_rules(Contract(), table.column_names)
        target, _ = wanted(hits, [None], pa.array(["q"]), rules)
        (batch,) = Counter(target, rules)(table.to_batches(max_chunksize=777))
        assert batch.num_rows == 10 + 11
