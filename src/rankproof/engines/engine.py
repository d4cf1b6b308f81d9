"""What is an engine, and how does it fail?"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rankproof.errors import Fault, MissingPackageError
from rankproof.model import Ranking


class Engine(Protocol):
    """Answers one query at a time: SQLite, PostgreSQL, a search service over HTTP.

    An engine may also have `settings`, a mapping of what decides its answers, without secrets: a journal of answers
    that were made under others is not resumed.
    """

    name: str

    def ask(self, text: str, k: int) -> Ranking:
        """Return the first k documents, the best first; may be called from several threads. EngineError if it fails.

        More than k are cut by `ask_all`, which says so. Another error, such as InputError, ends the asking at once.
        """
        ...

    def close(self) -> None:
        """Let go of connections; may be called more than once."""
        ...


class EngineError(Exception):
    """One query that an engine did not answer."""

    def __init__(self, fault: Fault, *, transient: bool = False, wait: float | None = None) -> None:
        """Keep what happened; `transient`: asking again may help, after `wait` seconds where the engine said so."""
        super().__init__(str(fault))
        self.fault = fault
        self.transient = transient
        self.wait = wait


@contextmanager
def needed(package: str, what: str) -> Iterator[None]:
    """Turn a failing import of an optional package into MissingPackageError: `what` needs it."""
    try:
        yield
    except ImportError:
        message = f"{what} needs the package {package}"
        raise MissingPackageError(Fault(message, hint='pip install "rankproof[engines]"')) from None
