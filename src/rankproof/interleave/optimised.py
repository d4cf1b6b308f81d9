"""Which mix of lists favours nobody, and tells most? Optimised interleaving (Radlinski & Craswell 2013)."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, log2

from rankproof.arithmetic import SAME
from rankproof.errors import Fault, InputError, MissingPackageError
from rankproof.interleave.drawing import Choose, Document, Draw, Drawn

MOST_LISTS = 1 << 12
"""Two rankings without a common document make 2^k lists: up to k = 12."""


def optimised(rankings: Sequence[Sequence[Document]], k: int) -> Draw[Document]:
    """Return what draws from the lists whose every beginning is made of the tops of both rankings.

    Their probabilities come from a linear program: for every length, a user who looks that far and clicks at random
    gives both rankings the same credit (1 / rank in each); of all such mixes the one is taken that is most sensitive.
    A list ends at k, or where the shorter ranking ends: longer ones cannot be fair. InputError for too many lists.
    """
    length = min(k, *map(len, rankings))
    tops = [ranking[:length] for ranking in rankings]
    lists = _lists(tops, length)
    ranked = [rank_credits(top) for top in tops]
    edges = [[credit(ranked, document) for document in documents] for documents in lists]
    chances = _solved(edges)
    likely = [at for at, chance in enumerate(chances) if chance > SAME]

    def draw(choose: Choose) -> Drawn[Document]:
        return Drawn(lists[likely[choose([chances[at] for at in likely])]], None)

    return draw


def rank_credits(ranking: Sequence[Document]) -> tuple[dict[Document, float], float]:
    """Return 1 / rank of each document, and that of one that the ranking lacks: as if it stood behind the last."""
    return {document: 1 / rank for rank, document in enumerate(ranking, 1)}, 1 / (len(ranking) + 1)


def credit(ranked: Sequence[tuple[dict[Document, float], float]], document: Document) -> float:
    """Return what a click on a document is worth to the first ranking, less what it is to the second."""
    first, second = (known.get(document, other) for known, other in ranked)
    return first - second


def _lists(tops: Sequence[Sequence[Document]], length: int) -> list[tuple[Document, ...]]:
    """Return every list in which the next document is always the best new one of either ranking."""
    open_lists: list[tuple[Document, ...]] = [()]
    for _ in range(length):
        longer: dict[tuple[Document, ...], None] = {}
        for documents in open_lists:
            heads = (next((one for one in top if one not in documents), None) for top in tops)
            longer.update(dict.fromkeys((*documents, head) for head in heads if head is not None))
        if len(longer) > MOST_LISTS:
            hint = "a smaller k, or --method team-draft"
            raise InputError(Fault(f"optimised interleaving of {length} places has too many lists", hint=hint))
        open_lists = list(longer)
    return open_lists


def _sensitivity(edges: Sequence[float]) -> float:
    """Return how open it is who wins by one click, at rank r as likely as 1 / r: its entropy, less for ties."""
    weights = [1 / rank for rank in range(1, len(edges) + 1)]
    wins = [
        fsum(weight for weight, edge in zip(weights, edges, strict=True) if way * edge > SAME) / fsum(weights)
        for way in (1, -1)
    ]
    decided = fsum(wins)
    return -fsum(win * log2(win / decided) for win in wins if win)


def _solved(edges: Sequence[Sequence[float]]) -> list[float]:
    """Return the probability of each list. All are equally long."""
    try:
        from scipy.optimize import linprog  # type: ignore[import-untyped]  # noqa: PLC0415 - only here
    except ImportError as error:
        hint = 'pip install "scipy>=1.12", or --method team-draft'
        raise MissingPackageError(Fault("optimised interleaving needs the package scipy", hint=hint)) from error
    lengths = range(1, len(edges[0]) + 1)
    balances = [[fsum(row[:length]) for row in edges] for length in lengths]
    if not balances:
        return [1.0]
    solved = linprog(
        [-_sensitivity(row) for row in edges],
        A_eq=[[1.0] * len(edges), *balances],
        b_eq=[1.0, *(0.0 for _ in lengths)],
        bounds=(0, 1),
        method="highs",
    )
    if not solved.success:
        hint = "a smaller k, or --method team-draft"
        raise InputError(Fault("no mix of lists gives both rankings the same chance of a random click", hint=hint))
    return [float(chance) for chance in solved.x]
