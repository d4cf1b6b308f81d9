"""Which weights are tried? All that sum to 1 in equal steps."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from rankproof.errors import Fault, InputError

MOST = 10_000
"""More weights than this are refused: the search would take longer than it can be worth."""

Weights = tuple[float, ...]


def weight_grid(runs: int, steps: int) -> list[Weights]:
    """Return all weights of so many runs that are whole numbers of 1/steps and sum to 1, in ascending order.

    InputError for fewer than two runs, no step, or more weights than can be tried.
    """
    if runs < 2:
        raise InputError(Fault(f"there is {runs} run to fuse" if runs else "there are no runs", expected="two or more"))
    if steps < 1:
        raise InputError(Fault(f"{steps} steps cannot be tried", expected="a whole number from 1 on, such as 20"))
    if (count := comb(steps + runs - 1, runs - 1)) > MOST:
        hint = "fewer steps, or fewer runs"
        raise InputError(
            Fault(f"{steps} steps of {runs} runs make {count:,} weights", expected=f"at most {MOST:,}", hint=hint)
        )
    return [tuple(part / steps for part in parts) for parts in _parts(runs, steps)]


def _parts(runs: int, steps: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to give `steps` units to so many runs."""
    if runs == 1:
        yield (steps,)
        return
    for first in range(steps + 1):
        yield from ((first, *rest) for rest in _parts(runs - 1, steps - first))


def evenness(weights: Weights) -> float:
    """Return how far weights are from equal ones: the greatest minus the least."""
    return max(weights) - min(weights)
