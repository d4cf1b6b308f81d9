"""Which thread uses which connection? Each borrows one while it asks, and gives it back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Semaphore
from typing import Generic, Protocol, TypeVar

from rankproof.engines.engine import EngineError
from rankproof.errors import Fault


class Closable(Protocol):
    """A connection of any database."""

    def close(self) -> None:
        """Let go of it."""
        ...


C = TypeVar("C", bound=Closable)

MOST = 64
"""How many connections one engine opens at most; further threads wait for one."""


class Connections(Generic[C]):
    """Opens connections as threads need them, and closes all of them in the end."""

    def __init__(
        self, opened: Callable[[], C], *, most: int = MOST, usable: Callable[[C], bool] = lambda _: True
    ) -> None:
        """`usable` decides whether a connection that comes back may be lent again; else it is closed."""
        self._opened = opened
        self._usable = usable
        self._turns = Semaphore(most)
        self._lock = Lock()
        self._idle: list[C] = []
        self._closed = False

    @contextmanager
    def lent(self) -> Iterator[C]:
        """Lend a connection to this thread alone. EngineError after `close`."""
        with self._turns:
            with self._lock:
                if self._closed:
                    raise EngineError(Fault("the engine is closed"))
                connection = self._idle.pop() if self._idle else None
            connection = self._opened() if connection is None else connection
            try:
                yield connection
            finally:
                self._back(connection)

    def _back(self, connection: C) -> None:
        with self._lock:
            keep = not self._closed and self._usable(connection)
            if keep:
                self._idle.append(connection)
        if not keep:
            connection.close()

    def close(self) -> None:
        """Close those that are not lent; a lent one is closed when it comes back."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()
