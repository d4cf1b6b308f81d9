"""What can clicks on these very lists not show? All lists that a method can draw are gone through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, prod

from rankproof.arithmetic import SAME
from rankproof.interleave import METHODS, Interleaving, chances
from rankproof.interleave.credit import CREDITS
from rankproof.interleave.drawing import Chance, Drawn
from rankproof.interleave.preferences import winner
from rankproof.lab.interleaving_telling import KNOWN_WORDS, METHOD_WORDS
from rankproof.report.blocks import Block
from rankproof.tables import Table
from rankproof.words import Words, first_of

MOST_WAYS = 30_000
"""So many ways to draw a list are gone through in a moment, in a page too."""


@dataclass(frozen=True, slots=True)
class Clicked:
    """What one click is worth where it can happen: how likely the left one wins, neither does, the right one wins."""

    left: float
    neither: float
    right: float
    gain: float  # the mean credit, right minus left
    shown: float  # how likely a list holds the document at all


def bias_blocks(lists: Interleaving) -> list[Block]:
    """Return how the method works, what it is known for, and what one click on these lists does."""
    known: list[Block] = [METHOD_WORDS[lists.method], KNOWN_WORDS[lists.method]]
    rankings = lists.answers.rankings[lists.lists[0].query_id]
    if ways(lists.method, rankings, lists.k) > MOST_WAYS:
        return [*known, TOO_MANY]
    found = one_click(lists.method, rankings, lists.k)
    at_random = random_click(lists.method, rankings, lists.k)
    return [*known, _said(lists, rankings, found, at_random), _table(lists, rankings, found, at_random)]


TOO_MANY = Words(
    "There are too many ways to draw these lists to go through all of them here: with up to 4 documents a list, or a "
    "smaller k, a table says what one click on each document does.",
    "이 목록을 뽑는 방법이 너무 많아 여기서 모두 살펴볼 수 없습니다. 목록마다 문서가 4개 이하이거나 k가 더 작으면, "
    "문서마다 클릭 한 번이 무엇을 하는지 표로 보여 줍니다.",
)


def ways(method: str, rankings: Sequence[Sequence[str]], k: int) -> int:
    """Return a bound for how many ways there are to draw a list."""
    length = min(k, *map(len, rankings))
    documents = len({doc for ranking in rankings for doc in ranking})
    if method == "probabilistic":
        return prod(2 * (documents - place) for place in range(length))
    return 1 << length


def one_click(method: str, rankings: Sequence[Sequence[str]], k: int) -> Mapping[str, Clicked]:
    """Return for each document that can be shown what a click on it, and on nothing else, does; exact."""
    drawn = chances(method, rankings, k)
    documents = dict.fromkeys(doc for ranking in rankings for doc in ranking)
    found = {doc: _of(method, rankings, [(one, [doc]) for one in drawn if doc in one.documents]) for doc in documents}
    return {doc: one for doc, one in found.items() if one.shown}


def random_click(method: str, rankings: Sequence[Sequence[str]], k: int) -> Clicked:
    """Return what one click at random, each shown document as likely, does; exact."""
    return _of(method, rankings, [(one, one.documents) for one in chances(method, rankings, k)])


def _of(method: str, rankings: Sequence[Sequence[str]], cases: Sequence[tuple[Chance[str], Sequence[str]]]) -> Clicked:
    """Return what one click does: on one of some documents of a list, each as likely."""
    rule = CREDITS[METHODS[method].credits[0]]
    weights, gains = list[tuple[float, int]](), list[float]()
    for one, clicked in cases:
        for doc in clicked:
            given = rule.of(Drawn(one.documents, one.teams), rankings, [one.documents.index(doc)])
            chance = one.chance / len(clicked)
            weights.append((chance, winner(given, 0, 1)))
            gains.append(chance * (given[1] - given[0]))
    shown = fsum(one.chance for one, clicked in cases if clicked)
    left, neither, right = (
        fsum(weight for weight, won in weights if won == side) / (shown or 1) for side in (-1, 0, 1)
    )
    gain = fsum(gains) / (shown or 1)
    gain = 0.0 if abs(gain) <= SAME else gain  # parts that cancel leave their rounding
    return Clicked(left, neither, right, gain, shown)


def _edge(one: Clicked, test: str) -> float:
    """Return whom a click favours, as its test sees it: below 0 the left one, above 0 the right one."""
    return one.right - one.left if test == "sign" else one.gain


def _said(
    lists: Interleaving, rankings: Sequence[Sequence[str]], found: Mapping[str, Clicked], at_random: Clicked
) -> list[Words]:
    """Return, of these lists, whom a click at random favours, and which documents' clicks say nothing, or lie."""
    test, (left, right) = CREDITS[METHODS[lists.method].credits[0]].test, lists.runs
    bias, within = _edge(at_random, test), SAME
    for_whom = right if bias > 0 else left
    fair = Words(
        "On these lists, one click at random favours neither.",
        "이 목록에서 무작위 클릭 한 번은 어느 쪽에도 유리하지 않습니다.",
    )
    unfair = Words(
        f"On these lists, one click at random favours {for_whom}: the method prefers it by itself.",
        f"이 목록에서는 무작위 클릭 한 번도 {for_whom} 쪽에 유리합니다. 방법 자체의 치우침입니다.",
    )
    ranks = [{doc: rank for rank, doc in enumerate(ranking, 1)} for ranking in rankings]
    blind, wrong = list[str](), list[str]()
    for doc, one in found.items():
        higher = ranks[0].get(doc, 1 << 30) - ranks[1].get(doc, 1 << 30)  # above 0: the right one ranks it higher
        edge = _edge(one, test)
        if higher and abs(edge) <= within:
            blind.append(doc)
        elif higher * edge < 0:
            wrong.append(doc)
    words = [unfair if abs(bias) > within else fair]
    words += [_blind(blind)] if blind else []
    words += [_wrong(wrong)] if wrong else []
    return words if blind or wrong else [*words, SEES]


SEES = Words(
    "Every document that one ranking has higher brings that one more by a click.",
    "한쪽이 더 높이 둔 문서의 클릭은 모두 그쪽에 더 많은 점수를 줍니다.",
)


def _blind(docs: Sequence[str]) -> Words:
    names = first_of(docs, 5)
    return Words(
        f"Blind: the rankings differ on {names}, but a click there favours neither.",
        f"보지 못함: 두 순위가 {names}의 자리를 다르게 두지만, 그 클릭은 어느 쪽에도 유리하지 않습니다.",
    )


def _wrong(docs: Sequence[str]) -> Words:
    names = first_of(docs, 5)
    return Words(
        f"The wrong way: a click on {names} favours the ranking that has it lower.",
        f"거꾸로: {names}의 클릭은 그 문서를 더 낮게 둔 쪽에 유리합니다.",
    )


def _table(
    lists: Interleaving, rankings: Sequence[Sequence[str]], found: Mapping[str, Clicked], at_random: Clicked
) -> Table:
    left, right = lists.runs
    ranks = [{doc: rank for rank, doc in enumerate(ranking, 1)} for ranking in rankings]
    rows: list[list[object]] = [
        [doc, *(of.get(doc) for of in ranks), one.shown, one.left, one.neither, one.right, one.gain]
        for doc, one in found.items()
    ]
    anywhere = Words("any, at random", "아무 문서나 무작위로")
    one = at_random
    rows.append([anywhere, None, None, one.shown, one.left, one.neither, one.right, one.gain])
    header = ["one click on", f"rank in {left}", f"rank in {right}", "chance to be shown"]
    header += [f"{left} wins", "neither wins", f"{right} wins", "credit, right minus left"]
    return Table(header, rows, "what one click does", decimals=4)
