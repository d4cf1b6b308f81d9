"""Which vector stands for a text?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import isfinite
from threading import Lock
from typing import Any, TypeAlias

from rankproof.errors import Fault, InputError, seen
from rankproof.retrieve.embedding import What, embedded
from rankproof.retrieve.vectors import about

Embedded: TypeAlias = "Callable[[Sequence[str]], Any] | Mapping[str, Any]"
"""Returns as many vectors as it is given texts; or holds the vector of each text."""

_BATCH = 256


class Embedding:
    """Gives the vectors of texts, to one thread at a time: a model need not bear several."""

    def __init__(self, given: Embedded, what: What = "query") -> None:
        """Take vectors of queries, or of documents, from a callable or from a mapping."""
        self._given = given
        self._what = what
        self._lock = Lock()

    def of(self, text: str) -> list[float]:
        """Return the vector of one text, which is named where there is none. InputError then."""
        return self.each({seen(text): text})[0]

    def each(self, texts: Mapping[str, str]) -> list[list[float]]:
        """Return the vector of each text, which stand by their ids. InputError where there is none, by the id."""
        given = self._given
        if callable(given):
            rows = embedded(dict(texts), partial(self._alone, given), self._what, _BATCH).tolist()
        else:
            rows = [self._held(given, one, text) for one, text in texts.items()]
        return [vector_of(row, about(self._what, one, "")) for one, row in zip(texts, rows, strict=True)]

    def _alone(self, embed: Callable[[Sequence[str]], Any], texts: Sequence[str]) -> Any:
        with self._lock:
            return embed(texts)

    def _held(self, vectors: Mapping[str, Any], one: str, text: str) -> Any:
        if text not in vectors:
            missing = about(self._what, one, "there is no vector for this text")
            raise InputError(replace(missing, expected="{text: vector}"))
        return vectors[text]


def vector_of(row: Any, where: Fault) -> list[float]:
    """Return a row of numbers as a list of floats. InputError for anything else, of the query or document `where`."""
    try:
        numbers = [float(number) for number in row]
    except (TypeError, ValueError):
        numbers = []
    if not numbers or not all(map(isfinite, numbers)) or isinstance(row, (str, bytes)):
        raise InputError(replace(where, message=f"{seen(row)} is no vector", expected="finite numbers"))
    return numbers
