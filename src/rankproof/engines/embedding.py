"""Which vector stands for a text?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from math import isfinite
from threading import Lock
from typing import Any, TypeAlias

from rankproof.errors import Fault, InputError, seen

Embedded: TypeAlias = "Callable[[Sequence[str]], Any] | Mapping[str, Any]"
"""Returns as many vectors as it is given texts; or holds the vector of each text."""

_BATCH = 256


class Embedding:
    """Gives the vectors of texts, to one thread at a time: a model need not bear several."""

    def __init__(self, given: Embedded) -> None:
        """Take vectors from a callable, or from a mapping."""
        self._given = given
        self._lock = Lock()

    def of(self, text: str) -> list[float]:
        """Return the vector of one text. InputError where there is none."""
        return next(self.each([text]))

    def each(self, texts: Sequence[str]) -> Iterator[list[float]]:
        """Yield the vector of each text. InputError where there is none."""
        left = iter(texts)
        while batch := list(islice(left, _BATCH)):
            yield from map(vector_of, self._rows(batch))

    def _rows(self, texts: list[str]) -> Sequence[Any]:
        if not callable(self._given):
            if missing := [text for text in texts if text not in self._given]:
                raise InputError(Fault(f"there is no vector for {seen(missing[0])}", expected="{text: vector}"))
            return [self._given[text] for text in texts]
        with self._lock:
            rows: Sequence[Any] = self._given(texts)
        if len(rows) != len(texts):
            raise InputError(Fault(f"the embedding gives {len(rows)} vectors for {len(texts)} texts"))
        return rows


def vector_of(row: Any) -> list[float]:
    """Return a row of numbers as a list of floats. InputError for anything else."""
    try:
        numbers = [float(number) for number in row]
    except (TypeError, ValueError):
        numbers = []
    if not numbers or not all(map(isfinite, numbers)) or isinstance(row, (str, bytes)):
        raise InputError(Fault(f"{seen(row)} is no vector", expected="finite numbers"))
    return numbers
