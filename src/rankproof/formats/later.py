"""What is there before it is read: a mapping by query that reads itself when it is asked for something."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Generic, TypeVar

Read = TypeVar("Read")


class Later(Generic[Read]):
    """Judgments or rankings by query, which are read once, when they are asked for."""

    def __init__(self, read: Callable[[], Mapping[str, Read]]) -> None:
        """Say how they are read; InputError, then, lists the faults."""
        self._reader = read

    @cached_property
    def _read(self) -> Mapping[str, Read]:
        return self._reader()

    def __getitem__(self, query: str) -> Read:
        """Return a query's part."""
        return self._read[query]

    def __iter__(self) -> Iterator[str]:
        """Yield the queries."""
        return iter(self._read)

    def __len__(self) -> int:
        """Return how many queries there are."""
        return len(self._read)
