"""Is there a baseline to compare with? Searches that make Runs, and know no judgments."""

from rankproof.retrieve.cosine import cosine_search

__all__ = ["cosine_search"]
