"""How is a plan told: how many impressions it takes, and how sure that is?"""

from __future__ import annotations

from rankproof.interleave import MODELS, ImpressionsNeeded
from rankproof.interleave.binomial import MOST
from rankproof.lab.interleaving_telling import size_of
from rankproof.report.blocks import Block, Card, Cards
from rankproof.tables import Table
from rankproof.words import Words, query_count


def needed_blocks(found: ImpressionsNeeded) -> list[Block]:
    """Return how many impressions it takes, between which numbers, and what the simulated users did."""
    left, right = found.answers.runs
    count, low, high = map(_number, found.needed)
    simulated = f"{found.simulated:,}"
    size, interval = size_of(found)
    cards = [
        Card(Words("impressions needed", "필요한 노출 수"), count, _to_see(found)),
        Card(Words("at least", "적어도"), low, SURE),
        Card(Words("at most", "많아야"), high, SURE),
    ]
    header = ["left", "right", "left won", "ties", "right won"]
    header += [{"sign": "right's share", "t": "credit, right minus left"}[found.test], "95 % interval"]
    table = Table(header, [[left, right, *found.outcomes, size, interval]])
    users = MODELS[found.model].says
    said = Words(
        f"{simulated} impressions of {query_count(found.queries)} were simulated, seed {found.seed}: users "
        f"({found.model}) of whom each {users.en}. Planned for power {found.power:.0%} at level {found.alpha:g}.",
        f"질의 {found.queries}개에서 노출 {simulated}번을 모의했습니다(시드 {found.seed}). 사용자({found.model}): "
        f"{users.ko}. 검정력 {found.power:.0%}, 유의 수준 {found.alpha:g}로 계획했습니다.",
    )
    caution = Words(
        "So few simulated impressions leave the number open between the two ends; the command line simulates more "
        "(rankproof interleave --simulate). Real users click otherwise than models, and impressions of one user tell "
        "less.",
        "모의한 노출이 적어 필요한 수는 두 끝 사이에 열려 있습니다. 명령줄(rankproof interleave --simulate)은 더 많이 "
        "모의합니다. 실제 사용자는 모형과 다르게 클릭하고, 한 사람의 노출 여러 번은 알려 주는 것이 더 적습니다.",
    )
    return [Cards(cards), said, table, *_unjudged(found), caution]


SURE = Words("as far as the simulation can say", "모의로 말할 수 있는 한")


def _to_see(found: ImpressionsNeeded) -> Words:
    left, right = found.answers.runs
    if found.direction is None:
        return Words(
            f"the simulation shows no direction between {left} and {right}",
            f"모의에서 {left}, {right} 사이의 방향이 드러나지 않음",
        )
    name = right if found.direction == "right" else left
    if found.needed.impressions is None:
        return Words(f"more than {MOST:,}, to see that {name} gets the clicks", f"{MOST:,}번 넘음: 클릭은 {name} 쪽")
    return Words(f"to see that {name} gets the clicks", f"{name} 쪽이 클릭을 얻는 것을 보려면")


def _number(count: int | None) -> str:
    return "–" if count is None else f"{count:,}"


def _unjudged(found: ImpressionsNeeded) -> list[Words]:
    if any(found.gains) or found.outcomes.decided:
        return []
    return [
        Words(
            "No simulated click made a difference: give the documents grades that differ.",
            "모의한 클릭이 차이를 만들지 못했습니다. 문서에 서로 다른 등급을 주십시오.",
        )
    ]
