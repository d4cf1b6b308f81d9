"""Which documents should be judged next, and how well do the judges agree?"""

from rankproof.pool.agreement import Agreement, Coefficient
from rankproof.pool.judges import Dispute, MergedJudges, merge_judges
from rankproof.pool.judgments import Item, Judge, Judgments, read_judgments
from rankproof.pool.pooling import Pool, Pooled, PooledQuery, RunInPool, pool
from rankproof.pool.resolve import RESOLVE, resolved

__all__ = [
    "RESOLVE",
    "Agreement",
    "Coefficient",
    "Dispute",
    "Item",
    "Judge",
    "Judgments",
    "MergedJudges",
    "Pool",
    "Pooled",
    "PooledQuery",
    "RunInPool",
    "merge_judges",
    "pool",
    "read_judgments",
    "resolved",
]
