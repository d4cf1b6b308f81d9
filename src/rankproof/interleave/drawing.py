"""How is a list drawn, and how likely was each list that could have been?

A method is written once, as choices by weight. Random numbers make them for a list that is shown; all of them in turn
give the exact distribution.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import chain
from math import fsum, prod
from random import Random
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from rankproof.errors import Fault, InputError

Document = TypeVar("Document", bound=Hashable)
Choose: TypeAlias = Callable[[Sequence[float]], int]
"""Returns an index, drawn by the weights given."""

MOST_PATHS = 200_000
"""So many ways to draw a list can be gone through; more are not few."""


class Drawn(NamedTuple, Generic[Document]):
    """One list to show, and the index of the ranking that contributed each document; None where nobody did alone."""

    documents: Sequence[Document]
    teams: Sequence[int] | None


class Chance(NamedTuple, Generic[Document]):
    """A list that could be shown, with its teams, and its probability."""

    documents: tuple[Document, ...]
    teams: tuple[int, ...] | None
    chance: float


Draw: TypeAlias = Callable[[Choose], Drawn[Document]]


def fair_length(rankings: Sequence[Sequence[Document]], k: int, *, in_rounds: bool) -> int:
    """Return how many places each ranking could fill if it were its turn, however the coins fall: at most k.

    A list that goes on until somebody has nothing left is longer for some coins than for others, and those favour a
    ranking for its length. In rounds a ranking has filled place // m of m rankings' places itself, and the others took
    at most what they have in common with it; without rounds it may have filled all of them.
    """
    if all(len(ranking) >= k for ranking in rankings):
        return k
    if not in_rounds:
        return min(map(len, rankings))
    others = [chain(*rankings[:at], *rankings[at + 1 :]) for at in range(len(rankings))]
    common = [len({*ranking}.intersection(known)) for ranking, known in zip(rankings, others, strict=True)]
    place = 0
    while place < k:
        own = place // len(rankings)
        taken = [own + min(place - own, shared) for shared in common]
        if any(len(ranking) <= gone for ranking, gone in zip(rankings, taken, strict=True)):
            break
        place += 1
    return place


def by_random(random: Random) -> Choose:
    """Return what chooses by random numbers. Where there is one thing to choose, none is used up."""

    def choose(weights: Sequence[float]) -> int:
        if len(weights) == 1:
            return 0
        point = random.random() * fsum(weights)
        for at, weight in enumerate(weights[:-1]):
            point -= weight
            if point < 0:
                return at
        return len(weights) - 1

    return choose


class _Replay:
    """Chooses as told, then the first each time, and notes what else could have been chosen."""

    def __init__(self, told: Sequence[int]) -> None:
        self._told = told
        self.taken: list[int] = []
        self.counts: list[int] = []
        self.shares: list[float] = []

    def __call__(self, weights: Sequence[float]) -> int:
        step = len(self.taken)
        at = self._told[step] if step < len(self._told) else 0
        self.taken.append(at)
        self.counts.append(len(weights))
        self.shares.append(weights[at] / fsum(weights))
        return at

    def following(self) -> list[int] | None:
        """Return the choices of the next path; None behind the last."""
        steps = len(self.taken)
        while steps and self.taken[steps - 1] + 1 == self.counts[steps - 1]:
            steps -= 1
        return [*self.taken[: steps - 1], self.taken[steps - 1] + 1] if steps else None


def _paths(draw: Draw[Document]) -> Iterator[tuple[Drawn[Document], float]]:
    told: list[int] | None = []
    while told is not None:
        replay = _Replay(told)
        drawn = draw(replay)
        yield drawn, prod(replay.shares)
        told = replay.following()


def distribution(draw: Draw[Document]) -> list[Chance[Document]]:
    """Return every list that can be drawn, with its probability. InputError where there are too many ways to it."""
    found: dict[tuple[tuple[Document, ...], tuple[int, ...] | None], list[float]] = {}
    for number, (drawn, chance) in enumerate(_paths(draw), 1):
        if number > MOST_PATHS:
            hint = "shorter rankings, or a smaller k"
            raise InputError(Fault(f"there are more than {MOST_PATHS} ways to draw a list", hint=hint))
        teams = None if drawn.teams is None else tuple(drawn.teams)
        found.setdefault((tuple(drawn.documents), teams), []).append(chance)
    return [Chance(documents, teams, fsum(parts)) for (documents, teams), parts in found.items()]
