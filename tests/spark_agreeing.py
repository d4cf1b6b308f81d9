"""Generated tables through Spark, or an engine that speaks its protocol, against the plain road."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from needed import installed
from spark_rows import parted, placed, run_of, table_of

from rankproof.contract import Contract
from rankproof.errors import RankproofError
from rankproof.placements.plain import place
from rankproof.spark.passes import CountedTable
from rankproof.spark.tables import run_table

pa = installed("pyarrow")
SYSTEMS = st.lists(parted(), min_size=2, max_size=6)


def attempt(make: Any) -> Any:
    """What is made; None where the input or the contract is refused."""
    try:
        return placed(make())
    except RankproofError:
        return None


def agree(session: Any, qrels: dict, systems: list, contract: Contract, *, broadcast: int = 1000) -> int:
    """Assert that each system is placed as the plain road does, all in one shuffled table; return how many were."""
    rows = [table_of(given, ranks, run=f"r{at}") for at, (given, ranks, _, _) in enumerate(systems)]
    whole = pa.concat_tables(rows)
    order = sorted(range(len(whole)), key=lambda at: at * 7919 % 31)  # systems and queries stand mixed
    frame = session.createDataFrame(whole.take(order)).repartition(3)
    table = CountedTable(run_table(frame, {"position": "position"}), qrels, broadcast=broadcast)
    plain = [
        attempt(lambda given=given, ranks=ranks: place(qrels, run_of(given, ranks), contract))
        for given, ranks, _, _ in systems
    ]
    found = [attempt(lambda at=at: table.join(at, contract)) for at in range(len(systems))]
    for ours, theirs in zip(found, plain, strict=True):
        assert ours == theirs or (ours is None and None in plain)  # what is wrong in one refuses the table
    return sum(one is not None for one in found)
