"""Which word says what a comparison shows? One table, and one function that chooses from it."""

from __future__ import annotations

from collections.abc import Mapping

from rankproof.charts.palette import SIGNS, Sign

VERDICTS: Mapping[str, Sign] = {
    name: SIGNS[name] for name in ("better", "worse", "no-difference-shown", "equivalent", "not-enough-queries")
}
"""The verdicts of a comparison, by their name in JSON."""


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
