"""How are the clicks on interleaved lists told, in both languages?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import fsum

from rankproof.charts import Chart
from rankproof.charts.palette import BLUE, GREY, Tone
from rankproof.charts.spec import Say, Spec, chart, number, tips
from rankproof.compare.intervals import Drawn as Resampled
from rankproof.compare.intervals import Interval, student
from rankproof.compare.significance import sign_floor
from rankproof.compare.telling import p_text, percent, signed
from rankproof.interleave import ClickPreferences, ImpressionsNeeded, Preference
from rankproof.interleave.binomial import clopper_pearson
from rankproof.interleave.credit import CREDITS
from rankproof.interleave.methods import METHODS, credit_of
from rankproof.interleave.preferences import winner
from rankproof.report.blocks import Block, Card, Cards, Verdict
from rankproof.tables import Table
from rankproof.words import Words, counted

TALLY = Words("The tally", "집계")
NO_CLICKS = Words(
    "Nobody has clicked yet. Click a document as this user would, then show the list of the next one.",
    "아직 클릭이 없습니다. 이 사용자라면 누를 문서를 누른 다음, 다음 사용자의 목록으로 넘어가십시오.",
)

METHOD_WORDS: Mapping[str, Words] = {
    "team-draft": Words(
        "In each round a coin decides which ranking picks first; each picks its best document that is not yet shown, "
        "and gets the clicks on what it picked.",
        "라운드마다 동전으로 어느 순위가 먼저 고를지 정합니다. 각 순위는 아직 나오지 않은 문서 가운데 자신의 "
        "가장 높은 문서를 고르고, 고른 문서의 클릭을 얻습니다.",
    ),
    "balanced": Words(
        "One coin decides which ranking goes first; then they take turns down the list, passing over what is shown "
        "already. A click counts for each ranking that has the document as high as the lowest click needs.",
        "동전 한 번으로 어느 순위가 먼저인지 정하고, 번갈아 위에서부터 내려오며 이미 나온 문서는 건너뜁니다. 클릭은 "
        "가장 낮은 클릭의 깊이 안에 그 문서가 있는 순위마다 셉니다.",
    ),
    "probabilistic": Words(
        "At each place a coin decides which ranking draws; it draws any of its documents, one at rank r with a weight "
        "of 1 / r³. A click counts for each ranking as likely as it contributed the document.",
        "자리마다 동전으로 어느 순위가 뽑을지 정합니다. 그 순위는 자신의 문서 가운데 하나를 뽑으며, r위의 "
        "가중치는 1 / r³입니다. 클릭은 각 순위가 그 문서를 제공했을 확률만큼 점수가 됩니다.",
    ),
}
"""How each method makes a list, and whose the clicks are."""

KNOWN_WORDS: Mapping[str, Words] = {
    "team-draft": Words(
        "Clicks at random favour nobody. But it can be blind: of abcd and bcda, either ranking picks c equally often, "
        "so that users who want c, which the second one ranks higher, seem to prefer neither.",
        "무작위 클릭은 어느 쪽에도 유리하지 않습니다. 그러나 보지 못하는 차이가 있습니다. abcd와 bcda에서는 두 순위가 "
        "c를 같은 빈도로 고르므로, 둘째가 더 높이 둔 c를 원하는 사용자도 어느 쪽도 더 좋아하지 않는 것처럼 보입니다.",
    ),
    "balanced": Words(
        "It can favour a ranking by itself: of abcd and bcda, clicks at random let the second win 3 of 4 times.",
        "방법 자체가 한쪽에 유리할 수 있습니다. abcd와 bcda에서는 무작위 클릭에도 둘째가 네 번 가운데 세 번 이깁니다.",
    ),
    "probabilistic": Words(
        "Clicks at random favour nobody, and a document that the rankings place differently tells them apart. The "
        "price: users may see, at the top, what both rankings have far down.",
        "무작위 클릭은 어느 쪽에도 유리하지 않고, 두 순위가 다르게 둔 문서는 둘을 구별해 줍니다. 그 대신 두 순위가 "
        "모두 아래에 둔 문서를 사용자가 맨 위에서 볼 수도 있습니다.",
    ),
}
"""What each method is known to be blind to, or biased for."""

_VERDICTS: Mapping[str, Words] = {
    "left": Words("{left} gets the clicks", "클릭은 {left} 쪽"),
    "right": Words("{right} gets the clicks", "클릭은 {right} 쪽"),
    "none-shown": Words("No preference shown", "선호가 드러나지 않음"),
    "too-few": Words("Too few to tell", "구별하기에 너무 적음"),
}

_TESTED: Mapping[str, Words] = {
    "sign": Words(
        "Winners of impressions are counted, by the exact sign test; ties are left out of test and share. The interval "
        "is Clopper and Pearson's.",
        "노출마다 이긴 쪽을 세어 정확한 부호 검정으로 검정합니다. 무승부는 검정과 몫에서 뺍니다. 구간은 "
        "클로퍼-피어슨 구간입니다.",
    ),
    "t": Words(
        "Clicks at random leave the mean credit alike, not who wins: the mean is tested, by the t test. The interval "
        "is Student's.",
        "무작위 클릭에서 같아지는 것은 승자가 아니라 평균 점수입니다. 그래서 평균을 t 검정으로 검정하며, 구간은 "
        "스튜던트 구간입니다.",
    ),
}
"""What is tested where, and why."""

PEEKING = Words(
    "Whoever looks after each user and stops at the first p below 0.05 finds a preference more often than 1 time in 20 "
    "where there is none: decide beforehand how many users it takes.",
    "사용자마다 들여다보다가 p가 처음 0.05 아래로 내려갈 때 멈추면, 차이가 없어도 스무 번에 한 번보다 자주 선호를 "
    "찾게 됩니다. 사용자가 몇 명 필요한지 먼저 정하십시오.",
)


def ends(interval: Sequence[float] | None, say: Callable[[float], str]) -> str:
    """Return the ends of an interval as text, a dash where there is none."""
    return "–" if interval is None else f"[{', '.join(map(say, interval))}]"


def size_of(one: Preference | ImpressionsNeeded) -> tuple[str, str]:
    """Return how large a preference is, and its interval, as its test sees it."""
    if one.test == "sign":
        share = "–" if one.share is None else percent(one.share)
        return share, ends(one.share_interval, percent)
    return signed(one.gain), ends(one.gain_interval, signed)


def tally_blocks(found: ClickPreferences) -> list[Block]:
    """Return the verdict, who won how often with its interval, how it went, and how it was counted."""
    one = found.pairs[0]
    tied, unclicked = one.votes.ties, found.clicked.unclicked
    size, interval = size_of(one)
    more = counted(unclicked, "user clicked", "users clicked")
    note = Words(f"{more} nothing", f"아무것도 누르지 않은 사용자 {unclicked}명") if unclicked else None
    label = {
        "sign": Words(f"share of {one.right}", f"{one.right}의 몫"),
        "t": Words(f"credit, {one.right} minus {one.left}", f"점수, {one.right} - {one.left}"),
    }
    cards = [
        Card(Words(f"{one.left} won", f"{one.left} 승"), str(one.votes.left)),
        Card(Words("ties", "무승부"), str(tied), note),
        Card(Words(f"{one.right} won", f"{one.right} 승"), str(one.votes.right)),
        Card(label[one.test], size, Words(f"95 % interval {interval}", f"95 % 구간 {interval}")),
        Card(Words("p", "p"), "–" if one.p is None else p_text(one.p), _NAMES[one.test]),
    ]
    credit = CREDITS[found.credit].says
    counted_how = Words(f"Credit {found.credit}: {credit.en}.", f"점수 {found.credit}: {credit.ko}.")
    return [_verdict(one), Cards(cards), *_course(found), [counted_how, _TESTED[one.test], PEEKING]]


_NAMES = {"sign": Words("sign test", "부호 검정"), "t": Words("t test", "t 검정")}


def _verdict(one: Preference) -> Verdict:
    words = _VERDICTS[one.verdict]
    word = Words(*(text.format(left=one.left, right=one.right) for text in words))
    tone: Tone = "good" if one.verdict in ("left", "right") else "open"
    decided = one.votes.decided
    if one.test == "t":
        size, interval = size_of(one)
        said = Words(
            f"Credit per impression, {one.right} minus {one.left}: {size}, 95 % interval {interval}.",
            f"노출당 점수, {one.right} - {one.left}: {size}, 95 % 구간 {interval}.",
        )
        return Verdict(word, said, tone)
    sentence = Words(
        f"{one.right} won {one.votes.right} of the {counted(decided, 'impression')} with a winner.",
        f"승자가 있는 노출 {decided}번 가운데 {one.right}의 승리는 {one.votes.right}번입니다.",
    )
    if one.verdict == "too-few" and one.test == "sign" and decided:
        least = p_text(min(1.0, sign_floor(decided)))
        sentence = Words(
            f"{sentence.en} Had all gone one way, p would still be {least}.",
            f"{sentence.ko} 모두 한쪽이 이겼더라도 p는 {least}입니다.",
        )
    return Verdict(word, sentence, tone)


COURSE = 80
"""As many points show how a tally went; of more impressions every so many is drawn."""


def _course(found: ClickPreferences) -> list[Chart]:
    """Return how the preference and its interval went, impression by impression; nothing below two."""
    rows = list(_points(found))
    if len(rows) < 2:
        return []
    one = found.pairs[0]
    what = {
        "sign": (Words(f"share of {one.right}", f"{one.right}의 몫"), 0.5),
        "t": (Words(f"mean credit, {one.right} minus {one.left}", f"평균 점수, {one.right} - {one.left}"), 0.0),
    }
    axis, neither = what[one.test]
    alt = Words(
        f"{axis.en[:1].upper()}{axis.en[1:]} after each impression with clicks, with its 95 % interval; the "
        "line is where neither is preferred.",
        f"클릭이 있는 노출이 늘어남에 따른 {axis.ko}, 95 % 구간. 가로선은 어느 쪽도 선호되지 않는 곳.",
    )
    table = Table(["impression", "value", "low", "high"], [[row[name] for name in _POINT] for row in rows])
    return [chart(partial(_course_layout, axis, neither), rows, table, alt)]


_POINT = ("n", "value", "low", "high")


def _points(found: ClickPreferences) -> Iterator[dict[str, object]]:
    rule = credit_of(METHODS[found.method], found.credit)
    gains, left, right = list[float](), 0, 0
    impressions = found.clicked.impressions
    every = -(-len(impressions) // COURSE)
    for n, one in enumerate(impressions, 1):
        rankings = found.interleaving.answers.rankings[one.shown.query_id]
        given = rule.of(found.interleaving.drawn(one.shown), rankings, one.clicked)
        gains.append(given[1] - given[0])
        won = winner(given, 0, 1)
        left, right = left + (won < 0), right + (won > 0)
        if n % every and n < len(impressions):
            continue
        value, interval = _share(left, right, found) if rule.test == "sign" else _mean(gains, found)
        if value is not None and interval is not None:
            yield {"n": n, "value": value, "low": interval.low, "high": interval.high}


def _share(left: int, right: int, found: ClickPreferences) -> tuple[float | None, Interval]:
    share = right / (left + right) if left + right else None
    return share, clopper_pearson(right, left + right, found.confidence)


def _mean(gains: Sequence[float], found: ClickPreferences) -> tuple[float, Interval | None]:
    mean = fsum(gains) / len(gains)
    drawn = Resampled(mean, gains, [1] * len(gains), ())
    return mean, student(drawn, found.confidence) if len(gains) > 1 else None


def _course_layout(axis: Words, neither: float, say: Say) -> Spec:
    x = number("n", say(Words("impressions with clicks", "클릭이 있는 노출 수")), scale={"zero": False, "nice": False})
    x = {**x, "axis": {"format": "d", "grid": False, "tickMinStep": 1, "tickCount": 6}}
    y = number("value", say(axis), scale={"zero": False})
    band = {"mark": {"type": "area", "color": BLUE, "opacity": 0.16}}
    told = tips(
        say,
        ("n", Words("impressions", "노출 수")),
        ("value", axis),
        ("low", Words("low", "하한")),
        ("high", Words("high", "상한")),
    )
    return {
        "height": 200,
        "layer": [
            {**band, "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}}},
            {
                "data": {"values": [{}]},
                "mark": {"type": "rule", "strokeWidth": 1.5, "color": GREY},
                "encoding": {"y": {"datum": neither}},
            },
            {
                "mark": {
                    "type": "line",
                    "color": BLUE,
                    "strokeWidth": 2.2,
                    "point": {"size": 40, "filled": True, "color": BLUE},
                },
                "encoding": {"x": x, "y": y, "tooltip": told},
            },
        ],
    }
