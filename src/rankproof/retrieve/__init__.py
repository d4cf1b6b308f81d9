"""Is there a baseline to compare with? Searches that make Runs, and know no judgments."""

from rankproof.retrieve.bm25 import BM25
from rankproof.retrieve.cosine import cosine_search
from rankproof.retrieve.fuse import fuse
from rankproof.retrieve.text import ANALYZERS

__all__ = ["ANALYZERS", "BM25", "cosine_search", "fuse"]
