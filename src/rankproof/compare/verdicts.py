"""Which word says what a comparison shows? One table, and one function that chooses from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rankproof.charts.palette import sign


class Verdict(NamedTuple):
    """A verdict: its name in JSON, how it reads in English and Korean, and the mark that stands for it in a table."""

    name: str
    english: str
    korean: str
    mark: str


MARKS = {"better": "▲", "worse": "▼", "no-difference-shown": "–", "equivalent": "=", "not-enough-queries": "?"}

VERDICTS: Mapping[str, Verdict] = {name: Verdict(name, *sign(name).words, mark) for name, mark in MARKS.items()}
"""The verdicts by name; their words are those of the charts."""


def verdict_of(*, p: float | None, least_p: float, gain: float, equivalence_p: float | None, alpha: float) -> str:
    """Return the name of the verdict.

    `p` is the adjusted one of the test that decides, `least_p` the smallest that so many queries can give (adjusted as
    `p` is), `gain` the difference, positive where the run is better. A difference that lies within the declared margin
    is equivalent, even where a test can tell it from 0.
    """
    if p is None or least_p > alpha:
        return "not-enough-queries"
    if equivalence_p is not None and equivalence_p <= alpha:
        return "equivalent"
    if p <= alpha and gain:
        return "better" if gain > 0 else "worse"
    return "no-difference-shown"
