"""Does one intent stand in two splits?"""

from rankproof.splits.audit import leakage
from rankproof.splits.leaks import KINDS, Found, Kind, Leak, Side
from rankproof.splits.queries import Queries, Query, read_queries
from rankproof.splits.result import Leakage
from rankproof.splits.split import Split, split_queries, write_split
from rankproof.splits.teaching import RowAgainstGroup, row_against_group, variants

__all__ = [
    "KINDS",
    "Found",
    "Kind",
    "Leak",
    "Leakage",
    "Queries",
    "Query",
    "RowAgainstGroup",
    "Side",
    "Split",
    "leakage",
    "read_queries",
    "row_against_group",
    "split_queries",
    "variants",
    "write_split",
]
