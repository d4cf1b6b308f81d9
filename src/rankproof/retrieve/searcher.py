"""What can be asked for a ranking? Whatever has `search(queries, k) -> Run`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from rankproof.model import Run


class Searcher(Protocol):
    """Ranks documents for queries: an index of ours, or a class of yours."""

    def search(self, queries: Mapping[str, str], k: int) -> Run:
        """Return each query's first k documents (fewer where fewer are found), query texts given by id."""
        ...
