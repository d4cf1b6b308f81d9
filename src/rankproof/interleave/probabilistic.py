"""What if every document could come from every ranking? Probabilistic interleaving (Hofmann, Whiteson, de Rijke 2011).

A ranking stands for a distribution over its documents, 1 / rank^3 (their softmax over ranks, τ = 3). A shown document
is taken out of all of them, and what is left is scaled up again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum

from rankproof.interleave.drawing import Choose, Document, Draw, Drawn, fair_length

TAU = 3


def probabilistic(rankings: Sequence[Sequence[Document]], k: int, *, rounds: bool = False) -> Draw[Document]:
    """Return what draws lists place by place: a ranking by chance, then a document from its distribution.

    The ranking is drawn anew for each place, or with `rounds` each of them once a round, in random order. The list ends
    at k, or before the first place that a ranking might be unable to fill (`fair_length`).
    """
    length = fair_length(rankings, k, in_rounds=rounds)

    def draw(choose: Choose) -> Drawn[Document]:
        left = [_weights(ranking) for ranking in rankings]
        documents, teams, waiting = list[Document](), list[int](), list[int]()
        while len(documents) < length:
            waiting = waiting if waiting and rounds else list(range(len(rankings)))
            team = waiting.pop(choose([1.0] * len(waiting)))
            document = list(left[team])[choose(list(left[team].values()))]
            documents.append(document)
            teams.append(team)
            for weights in left:
                weights.pop(document, None)
        return Drawn(documents, teams)

    return draw


def _weights(ranking: Sequence[Document]) -> dict[Document, float]:
    return {document: 1.0 / rank**TAU for rank, document in enumerate(ranking, 1)}


def _likelihoods(documents: Sequence[Document], rankings: Sequence[Sequence[Document]]) -> Iterator[list[float]]:
    """Yield for each place how likely each ranking would have given this document there."""
    left = [_weights(ranking) for ranking in rankings]
    for document in documents:
        yield [weights[document] / fsum(weights.values()) if document in weights else 0.0 for weights in left]
        for weights in left:
            weights.pop(document, None)


def shares(drawn: Drawn[Document], rankings: Sequence[Sequence[Document]]) -> list[list[float]]:
    """Return for each place of a list how likely each ranking contributed it, given the list: rows that add up to 1.

    For lists of `probabilistic` without rounds: then the places are independent.
    """
    return [[one / fsum(row) for one in row] for row in _likelihoods(drawn.documents, rankings)]


def shares_in_rounds(drawn: Drawn[Document], rankings: Sequence[Sequence[Document]]) -> list[list[float]]:
    """Return the same for lists of `probabilistic` with rounds, in which a ranking contributes once."""
    rows, size = list(_likelihoods(drawn.documents, rankings)), len(rankings)
    rounds = [rows[start : start + size] for start in range(0, len(rows), size)]
    return [row for one in rounds for row in _in_round(one, range(size))]


def _in_round(rows: Sequence[Sequence[float]], teams: Sequence[int]) -> list[list[float]]:
    """Sum over all orders of a round, by the set of rankings that have had their turn (a bit each)."""
    places = len(rows)
    before: list[dict[int, float]] = [{0: 1.0}]
    for row in rows:
        ahead: dict[int, float] = {}
        for had, weight in before[-1].items():
            for team in _waiting(had, teams):
                ahead[had | 1 << team] = ahead.get(had | 1 << team, 0.0) + weight * row[team]
        before.append(ahead)
    behind = dict.fromkeys(before[places], 1.0)
    found = []
    for row, had_before in zip(reversed(rows), reversed(before[:places]), strict=True):
        parts = {had: [row[team] * behind.get(had | 1 << team, 0.0) for team in teams] for had in had_before}
        of_team = [fsum(weight * parts[had][team] for had, weight in had_before.items()) for team in teams]
        found.append([part / fsum(of_team) for part in of_team])
        behind = {had: fsum(one) for had, one in parts.items()}
    return found[::-1]


def _waiting(had: int, teams: Sequence[int]) -> list[int]:
    return [team for team in teams if not had >> team & 1]
