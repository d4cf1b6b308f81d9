"""How does a run that fits no machine get the same numbers? On Apache Spark, where it lies.

    from rankproof import spark

    spark.evaluate(run_df, qrels_df, ["nDCG@10", "RR"]).show()

Names are loaded when they are asked for: what counts inside the workers of a cluster loads no more than it needs.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankproof.spark.checking import check as check
    from rankproof.spark.comparing import compare as compare
    from rankproof.spark.runs import aggregate as aggregate
    from rankproof.spark.runs import evaluate as evaluate
    from rankproof.spark.runs import per_query as per_query
    from rankproof.spark.runs import read_runs as read_runs
    from rankproof.spark.sessions import session as session

_HOME = {
    "aggregate": "runs",
    "check": "checking",
    "compare": "comparing",
    "evaluate": "runs",
    "per_query": "runs",
    "read_runs": "runs",
    "session": "sessions",
}

__all__ = [*_HOME]  # noqa: PLE0604 - the keys are names


def __getattr__(name: str) -> Any:
    """Load a name when it is first asked for."""
    if name not in _HOME:
        raise AttributeError(f"module 'rankproof.spark' has no attribute {name!r}")
    found = getattr(import_module(f"rankproof.spark.{_HOME[name]}"), name)
    globals()[name] = found
    return found
