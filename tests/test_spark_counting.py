"""Counting by parts, without Spark: whatever the partitions, the placements are those of the plain road."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from needed import installed
from spark_rows import CONTRACTS, QRELS, parted, placed, run_of, table_of

from rankproof.contract import Contract
from rankproof.errors import ContractError, InputError, RankproofError
from rankproof.model import Join, Ranking, Run
from rankproof.placements.order import Entries, Order
from rankproof.placements.plain import place
from rankproof.spark.counting import GAP, NAMED, RowCounter
from rankproof.spark.placing import CountedPlaces, CountedRun, runs_of_counts
from rankproof.spark.repeats import check_repeats, repeated, with_repeats
from rankproof.spark.row_rules import LOWEST, ordered, row_rules
from rankproof.spark.wanted import Wanted, wanted_rows

pa = installed("pyarrow")
COUNTS = pa.schema([("kind", pa.int32()), ("at", pa.int64()), ("text", pa.string()), ("n", pa.int64())])


def only(table: Any, keep: list[bool]) -> Any:
    return table.filter(pa.array(keep, pa.bool_()))


def counted(table: Any, qrels: dict, contract: Contract, cuts: list[int], *, position: bool) -> list[Join]:
    """The joins of what the parts of a table give."""
    runs = runs_of_parts(table, qrels, contract, cuts, position=position)
    return [one.join(qrels, contract) for one in runs]


def runs_of_parts(
    table: Any, qrels: dict, contract: Contract, cuts: list[int], *, position: bool, named: int = NAMED
) -> list[CountedRun]:
    """What the parts of a table give, counted one by one and added up."""
    if not position:
        table = table.drop_columns("position")
    rules = row_rules(contract, table.column_names)
    ids = list(zip(table.column("query_id").to_pylist(), table.column("doc_id").to_pylist(), strict=True))
    hits = only(table, [doc in qrels.get(query, ()) for query, doc in ids])
    if contract.duplicate_document != "unchecked":
        scores = table.column("score").to_pylist() if "score" in table.column_names else [1.0] * len(table)
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
    target, hits = wanted_rows(hits, runs, pa.array(sorted(qrels)), rules)
    batches = [
        batch
        for start, end in zip([0, *cuts], [*cuts, len(table)], strict=True)
        for batch in RowCounter(target, rules, named)(table.slice(start, end - start).to_batches(max_chunksize=3))
    ]
    counts = pa.Table.from_batches(batches, COUNTS).group_by(["kind", "at", "text"]).aggregate([("n", "sum")])
    counts = counts.rename_columns({"n_sum": "n"})
    return runs_of_counts(target, hits, counts, contract, named=named)


def attempt(make: Callable[[], Join]) -> tuple | None:
    """What is placed; None where the input or the contract is refused."""
    try:
        return placed(make())
    except RankproofError:
        return None


@settings(max_examples=800)
@given(QRELS, parted(), CONTRACTS)
def test_counted_placements_are_the_plain_ones(qrels: dict, parts: tuple, contract: Contract) -> None:
    """With a position every contract gives the placements of the plain road, or both refuse; however rows are found."""
    rows, ranks, order, cuts = parts
    table = table_of(rows, ranks).take(order)
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


@settings(max_examples=400)
@given(QRELS, parted(), CONTRACTS, st.booleans())
def test_ranks_alone(qrels: dict, parts: tuple, contract: Contract, apart: bool) -> None:
    """Ranks without scores give the placements of the plain road; refused is what they leave open: equal ranks."""
    rows, ranks, order, cuts = parts
    ranks = [float(at) for at in order] if apart else ranks
    assume(contract.order != "position" and contract.duplicate_document in ("error", "keep-best", "unchecked"))
    assume(contract.order == "score" or not asks_for_order(contract))
    of_query: dict[str, list[int]] = {}
    for at in sorted(range(len(rows)), key=ranks.__getitem__):
        of_query.setdefault(rows[at][0], []).append(at)
    run = Run(
        "run",
        {
            query: Ranking([rows[at][1] for at in ats], None, [ranks[at] for at in ats])
            for query, ats in of_query.items()
        },
    )
    table = table_of(rows, ranks).take(order).drop_columns("score")
    found = attempt(lambda: counted(table, qrels, contract, cuts, position=False)[0])
    equal = len({(row[0], rank) for row, rank in zip(rows, ranks, strict=True)}) < len(rows)
    vouched_in_vain = contract.duplicate_document == "unchecked" and len({row[:2] for row in rows}) < len(rows)
    assert found == attempt(lambda: place(qrels, run, contract)) or (found is None and (equal or vouched_in_vain))


@settings(max_examples=200)
@given(QRELS, st.lists(parted(), min_size=2, max_size=4), CONTRACTS, st.randoms(use_true_random=False))
def test_systems_are_counted_together(qrels: dict, systems: list, contract: Contract, random: Any) -> None:
    """Several systems in one table, mixed: each is placed as by itself; what is refused in one refuses the table."""
    table = pa.concat_tables([table_of(rows, ranks, f"r{at}") for at, (rows, ranks, _, _) in enumerate(systems)])
    order = random.sample(range(len(table)), len(table))
    plain = [attempt(lambda one=one: place(qrels, run_of(one[0], one[1]), contract)) for one in systems]
    try:
        joins = runs_of_parts(table.take(order), qrels, contract, [len(table) // 2], position=True)
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


NUMBERS = st.integers(-3, 9)


@given(st.lists(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=20), min_size=1, max_size=4), st.data())
def test_a_row_is_found_among_its_own(queries: list, data: Any) -> None:
    """Each row, in any order, finds its key among the keys of its query, and its mark among those with its key."""
    wanted_rows = sorted((group, key, mark) for group, rows in enumerate(queries) for key, mark in rows)
    cells = sorted({(group, key) for group, key, _ in wanted_rows})
    first = [bisect_left(wanted_rows, cell) for cell in cells]
    groups, keys, marks = (np.array([row[at] for row in wanted_rows], np.int64) for at in range(3))
    first_of_cell = np.array([*first, len(wanted_rows)], np.int64)
    target = Wanted([None], pa.array(map(str, range(len(queries)))), groups, keys, pa.array(marks), first_of_cell)
    rows = data.draw(st.lists(st.tuples(st.integers(0, len(queries) - 1), NUMBERS)))
    at, same = target.below(*(np.array([row[n] for row in rows], np.int64) for n in range(2)))
    assert at.tolist() == [bisect_left(cells, row) for row in rows]
    assert same.tolist() == [row in cells for row in rows]
    tied = data.draw(st.lists(st.tuples(st.sampled_from(range(len(cells))), NUMBERS))) if cells else []
    for behind_equal, bisect in ((False, bisect_left), (True, bisect_right)):
        of_cell = np.array([cell for cell, _ in tied], np.int64)
        found = target.within(of_cell, pa.array([mark for _, mark in tied], pa.int64()), behind_equal=behind_equal)
        assert found.tolist() == [bisect(wanted_rows, (*cells[cell], mark)) for cell, mark in tied]


@pytest.mark.parametrize("ties", ["document-id-descending", "as-given"])
@pytest.mark.parametrize("column", ["query_id", "doc_id", "score", "position"])
def test_a_cell_that_lacks_is_refused_where_rows_tie(ties: str, column: str) -> None:
    """A row with a null cell is counted as refused, also where it ties with a judged one; nothing else goes wrong."""
    table = table_of([("q", doc, 1.0) for doc in "abc"], [1.0] * 3)
    lacking = pa.array([table.column(column)[0].as_py(), None, table.column(column)[2].as_py()])
    table = table.set_column(table.column_names.index(column), column, lacking.cast(table.column(column).type))
    contract = Contract(ties=ties, duplicate_document="unchecked")
    if column == "position" and ties != "as-given":
        assert placed(counted(table, {"q": {"a": 1}}, contract, [], position=True)[0])
        return
    with pytest.raises(InputError, match=f"column {column}: 1 row has no "):
        counted(table, {"q": {"a": 1}}, contract, [1], position=True)


def test_no_rows() -> None:
    """A partition without rows gives nothing, whether it has no batches or empty ones; so does one of no judged row."""
    table = table_of([("q", "a", 1.0)], [1.0])
    rules = row_rules(Contract(), table.column_names)
    target, _ = wanted_rows(table.slice(0, 0), [None], pa.array(["q"]), rules)
    empty = pa.RecordBatch.from_pylist([], table.schema)
    assert [*RowCounter(target, rules)([])] == [*RowCounter(target, rules)([empty])] == []
    (found,) = RowCounter(target, rules)(table.to_batches())
    assert found.to_pylist() == [{"kind": GAP, "at": 0, "text": None, "n": 1}]


def test_many_counts_leave_in_pieces(monkeypatch) -> None:
    """However many counts there are, none is lost where they leave in batches of bounded size."""
    table = table_of([("q", f"d{at}", float(at)) for at in range(10)], [1.0] * 10)
    rules = row_rules(Contract(), table.column_names)
    target, _ = wanted_rows(table, [None], pa.array(["q"]), rules)
    (gaps, wins) = RowCounter(target, rules)(table.to_batches())
    monkeypatch.setattr("rankproof.spark.counting.SLICE", 3)
    pieces = [*RowCounter(target, rules)(table.to_batches())]
    assert max(one.num_rows for one in pieces) == 3
    assert pa.Table.from_batches(pieces).to_pylist() == [*gaps.to_pylist(), *wins.to_pylist()]


@given(st.lists(st.integers(1, 4), min_size=1, max_size=5), st.data())
def test_places_move_up_when_some_are_taken_out(sizes: list[int], data: Any) -> None:
    """What is left once entries of tied blocks are taken out stands where a ranking without them puts it."""
    keys = [float(-at) for at, size in enumerate(sizes) for _ in range(size)]
    docs = [f"d{at}" for at in range(len(keys))]
    order = Order(Entries(docs, keys, None), "as-given")
    places = CountedPlaces(docs, [*map(order.block, range(len(keys)))], [*map(order.rank, range(len(keys)))], len(keys))
    out = data.draw(st.sets(st.sampled_from(range(len(keys)))))
    ours, theirs = places.without(out), order.without(out)
    assert (ours.doc_ids, ours.returned) == (theirs.doc_ids, theirs.returned)
    left = range(theirs.returned)
    assert [(ours.block(at), ours.rank(at)) for at in left] == [(theirs.block(at), theirs.rank(at)) for at in left]


@given(st.lists(st.sampled_from([f"x{at}" for at in range(9)]), min_size=1), st.integers(1, 9), st.integers(0, 30))
def test_unjudged_queries_are_named_up_to_a_number(queries: list[str], named: int, cut: int) -> None:
    """The first by their ids are named, whatever the partitions; there are more exactly where they are too many."""
    table = table_of([(query, "d", 1.0) for query in queries], [1.0] * len(queries))
    contract = Contract(duplicate_document="unchecked")
    (found,) = runs_of_parts(table, {"q": {"d": 1}}, contract, [min(cut, len(queries))], position=True, named=named)
    assert list(found.unjudged) == sorted(set(queries))[:named]
    assert found.has_more_unjudged == (len(set(queries)) > named)


def test_what_a_partition_gives_is_bounded_by_what_is_judged() -> None:
    """However many rows are counted, a partition gives at most a row a judged document and gap, and one a query."""
    qrels = {"q": {f"d{at * 100}": 1 for at in range(10)}}
    for size in (1_000, 20_000):
        table = table_of([("q", f"d{at}", float(at)) for at in range(size)], [1.0] * size)
        hits = table.filter(pa.compute.is_in(table.column("doc_id"), value_set=pa.array(list(qrels["q"]))))
        rules = row_rules(Contract(), table.column_names)
        target, _ = wanted_rows(hits, [None], pa.array(["q"]), rules)
        assert sum(one.num_rows for one in RowCounter(target, rules)(table.to_batches(max_chunksize=777))) == 10 + 11
