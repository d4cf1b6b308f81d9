"""Generated tables through Spark, or an engine that speaks its protocol, against the plain road.

Run as a script it does so on Sail through Spark Connect, in a process of its own: a process that has spoken to a
server can no longer run Spark itself.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from needed import installed
from spark_rows import CONTRACTS, QRELS, parted, placed, run_of, table_of

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


def main(examples: int) -> None:
    """Compare on Sail, and print how many systems were placed alike."""
    from pysail.spark import SparkConnectServer
    from pyspark.sql import SparkSession

    server = SparkConnectServer("127.0.0.1", 0)
    server.start(background=True)
    session = SparkSession.builder.remote(f"sc://127.0.0.1:{server.listening_address[1]}").getOrCreate()
    alike = 0

    @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(QRELS, SYSTEMS, CONTRACTS, st.sampled_from([1000, 0]))
    def test(qrels: dict, systems: list, contract: Contract, broadcast: int) -> None:
        nonlocal alike
        alike += agree(session, qrels, systems, contract, broadcast=broadcast)

    test()
    print(alike)
    session.stop()
    server.stop()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(int(sys.argv[1]))
