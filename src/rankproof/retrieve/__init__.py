"""Is there a baseline to compare with? Searches that make Runs, and know no judgments."""

from rankproof.retrieve.bm25 import BM25
from rankproof.retrieve.cosine import cosine_search
from rankproof.retrieve.dense import Dense, Vectors
from rankproof.retrieve.fuse import fuse
from rankproof.retrieve.lsa import LSA
from rankproof.retrieve.sparse import BM25s
from rankproof.retrieve.text import ANALYZERS

__all__ = ["ANALYZERS", "BM25", "LSA", "BM25s", "Dense", "Vectors", "cosine_search", "fuse"]
