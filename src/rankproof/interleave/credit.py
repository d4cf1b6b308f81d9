"""Whose are the clicks? One rule a function, one table of rules."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, inf
from typing import Any, Literal, TypeAlias

from rankproof.interleave.drawing import Drawn
from rankproof.interleave.optimised import rank_credits
from rankproof.interleave.probabilistic import shares, shares_in_rounds
from rankproof.words import Words

Rankings: TypeAlias = Sequence[Sequence[Hashable]]
Places: TypeAlias = Sequence[int]
"""The places that were clicked, from 0 on, ascending, each once."""


def binary(drawn: Drawn[Any], rankings: Rankings, clicked: Places) -> list[float]:
    """Return how many clicks went to what each ranking contributed."""
    return _to_teams(drawn, rankings, clicked, [1.0] * len(clicked))


def inverse_rank(drawn: Drawn[Any], rankings: Rankings, clicked: Places) -> list[float]:
    """Return the same, a click at rank r of the list counting 1 / r."""
    return _to_teams(drawn, rankings, clicked, [1 / (place + 1) for place in clicked])


def _to_teams(drawn: Drawn[Any], rankings: Rankings, clicked: Places, worth: Sequence[float]) -> list[float]:
    teams = drawn.teams or ()
    return [
        fsum(one for place, one in zip(clicked, worth, strict=True) if teams[place] == team)
        for team in range(len(rankings))
    ]


def marginalised(drawn: Drawn[Any], rankings: Rankings, clicked: Places) -> list[float]:
    """Return the expected number of clicks on what each ranking contributed, over all ways to draw this list.

    Hofmann, Whiteson, de Rijke 2011: it varies less than counting by the ranking that was drawn.
    """
    return _expected(shares(drawn, rankings), rankings, clicked)


def marginalised_in_rounds(drawn: Drawn[Any], rankings: Rankings, clicked: Places) -> list[float]:
    """Return the same where each ranking contributed once a round."""
    return _expected(shares_in_rounds(drawn, rankings), rankings, clicked)


def _expected(of_place: Sequence[Sequence[float]], rankings: Rankings, clicked: Places) -> list[float]:
    return [fsum(of_place[place][team] for place in clicked) for team in range(len(rankings))]


def top_k(drawn: Drawn[Any], rankings: Rankings, clicked: Places) -> list[float]:
    """Return how many clicks are on the first k of each ranking (Joachims 2002, 2003).

    k is the least depth at which one of the two rankings shows the lowest document that was clicked.
    """
    if not clicked:
        return [0.0] * len(rankings)
    rank_in = [{document: rank for rank, document in enumerate(ranking, 1)} for ranking in rankings]
    lowest = drawn.documents[clicked[-1]]
    k = min(ranks.get(lowest, inf) for ranks in rank_in)
    return [float(sum(ranks.get(drawn.documents[place], inf) <= k for place in clicked)) for ranks in rank_in]


def list_ranks(drawn: Drawn[Any], rankings: Rankings, clicked: Places) -> list[float]:
    """Return the sum over clicked documents of 1 / rank in each ranking (Radlinski & Craswell 2013).

    Only the places count that a ranking could have contributed, as many as the list has; a document that it lacks there
    counts as if it stood behind the last of them.
    """
    ranked = [rank_credits(ranking[: len(drawn.documents)]) for ranking in rankings]
    return [fsum(known.get(drawn.documents[place], other) for place in clicked) for known, other in ranked]


@dataclass(frozen=True, slots=True)
class Credit:
    """A rule that says what clicks are worth to each ranking, and by which test a preference is shown.

    Where clicks at random let both win alike, winners are counted (sign). Where they only make the mean credit alike,
    many small wins against few large ones are no preference, and the mean is tested (t). Of `top-k` neither is true:
    balanced lists favour one of abcd and bcda under any test (`Method.caution`), and winners are counted as ever.
    """

    name: str
    says: Words
    of: Callable[[Drawn[Any], Rankings, Places], list[float]]
    test: Literal["sign", "t"] = "sign"


CREDITS: Mapping[str, Credit] = {
    credit.name: credit
    for credit in (
        Credit(
            "binary",
            Words("a click counts 1 for the ranking that contributed the document", "클릭은 문서를 제공한 순위에 1점"),
            binary,
        ),
        Credit(
            "inverse-rank",
            Words(
                "a click at rank r counts 1 / r for the ranking that contributed the document",
                "r위의 클릭은 문서를 제공한 순위에 1 / r점",
            ),
            inverse_rank,
        ),
        Credit(
            "marginalised",
            Words(
                "a click counts for each ranking as likely as it contributed the document",
                "클릭은 각 순위가 그 문서를 제공했을 확률만큼 점수",
            ),
            marginalised,
            "t",
        ),
        Credit(
            "marginalised-in-rounds",
            Words(
                "a click counts for each ranking as likely as it contributed the document, once a round",
                "클릭은 각 순위가 라운드마다 한 번 그 문서를 제공했을 확률만큼 점수",
            ),
            marginalised_in_rounds,
            "t",
        ),
        Credit(
            "top-k",
            Words(
                "a click counts for each ranking that has the document as high as the lowest click needs",
                "클릭은 가장 낮은 클릭의 깊이 안에 그 문서가 있는 순위마다 1점",
            ),
            top_k,
        ),
        Credit(
            "list-ranks",
            Words("a click counts 1 / the document's rank in each ranking", "클릭은 각 순위에서 그 문서의 1 / 순위점"),
            list_ranks,
            "t",
        ),
    )
}
