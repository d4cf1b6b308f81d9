"""A report with one of everything, with small numbers that can be checked by eye."""

from __future__ import annotations

from random import Random

from rankproof.charts import (
    cutoff_plot,
    delta_plot,
    interval_plot,
    leaderboard_plot,
    rank_moves,
    score_distribution,
)
from rankproof.charts.spec import Chart
from rankproof.report.blocks import Card, Cards, Code, Details, Page, Section, Verdict
from rankproof.tables import Table
from rankproof.words import Words

HOSTILE = "</script><img src=x onerror=document.title='broken'><!-- \u202e\x07 ' \" & 한글"
"""An id that tries to break out of wherever it stands."""

INTERVALS = [
    ("nDCG@10", 0.041, 0.019, 0.063, "better"),
    ("RR@10", 0.029, -0.005, 0.063, "no-difference-shown"),
    ("P@5", -0.021, -0.039, -0.004, "worse"),
    (HOSTILE, 0.1, None, None, HOSTILE),
    ("ERR@20", None, None, None, "undefined"),
]
DELTAS = [("q1", 0.25), ("q2", -0.5), ("q3", 0.0), ("q4", 0.75), (HOSTILE, -0.25)]
MOVES = [
    ("q1", "a", 1, 10, 2),
    ("q1", "b", 2, 3, 5),
    ("q1", "c", 1, None, 4),
    ("q2", "a", 1, 7, None),
    ("q2", "b", 1, 6, 6),
    ("q2", HOSTILE, 3, None, None),
]
CUTOFFS = [
    ("bm25 · R", 1, 0.1),
    ("bm25 · R", 10, 0.4),
    ("bm25 · R", 100, 0.9),
    (HOSTILE, 1, 0.2),
    (HOSTILE, 10, None),
    (HOSTILE, 100, 0.8),
]
STANDINGS = [("monoT5", 0.74, 0.71, 0.77, "a"), (HOSTILE, 0.73, 0.70, 0.76, "a b"), ("bm25", 0.5, None, None, "")]
SCORES = {"relevant": [5.0, 6.0, 9.0], "non-relevant": [1.0, 2.0, 5.0, 5.5], "unjudged": [0.0]}


def many_deltas(count: int) -> list[tuple[str, float]]:
    """Return a delta for each of many queries."""
    random = Random(1)
    return [(f"query-{at}", round(random.gauss(0.02, 0.2), 4)) for at in range(count)]


def many_moves(count: int) -> list[tuple[str, str, float, int | None, int | None]]:
    """Return the ranks of many documents."""
    random = Random(2)
    ranks = [None, *range(1, 50)]
    return [(f"q{at // 3}", f"d{at}", 1, random.choice(ranks), random.choice(ranks)) for at in range(count)]


def charts() -> dict[str, Chart]:
    """Return one chart of each kind."""
    return {
        "intervals": interval_plot(INTERVALS, margin=0.01, axis=Words("change (95 % interval)", "변화 (95 % 구간)")),
        "deltas": delta_plot(DELTAS, measure="nDCG@10"),
        "many deltas": delta_plot(many_deltas(2500), measure="nDCG@10"),
        "moves": rank_moves(MOVES),
        "many moves": rank_moves(many_moves(90)),
        "cutoffs": cutoff_plot(CUTOFFS),
        "scores": score_distribution(HOSTILE, SCORES, bins=3),
        "standings": leaderboard_plot(STANDINGS, measure="nDCG@10"),
    }


WIDE = Table(
    [
        *("measure", "run", "verdict", "baseline", "value", "delta", "95 % interval"),
        *("p", "adjusted p", "effect size", "wins/ties/losses"),
    ],
    [
        [
            *("nDCG@10", "bm25-ngrams", Words("no difference shown*", "차이가 드러나지 않음*"), 0.5, 0.6, "+0.1000"),
            *("[-0.0030, +0.2521]", "0.0039", "0.0078", None, "11/6/7"),
        ],
        ["R@100", "bm25-ngrams", Words("undefined", "정의되지 않음"), *[None] * 7, "0/0/0"],
    ],
)
"""As many columns as a comparison has."""

PAIRS = Table(
    ["row minus column", *(f"system-{at}" for at in range(24))],
    [[f"system-{row}", *(-(row + column) / 100 for column in range(24))] for row in range(24)],
)
"""More columns than fit on any page at a size that is good to read."""

LONG = Table(["query_id", "value"], [[f"query {at}", at / 7] for at in range(250)], "per query")


def page() -> Page:
    """Return a page with every kind of block."""
    drawn = charts()
    folded = Details(Words("One query", "질의 하나"), [drawn["moves"], Words("It moved.", "움직였습니다.")])
    more = [Details(Words(f"Query {at}", f"질의 {at}"), [Words(f"Of {at}.", f"{at}의 것.")]) for at in range(2, 6)]
    return Page(
        Words("Did it help?", "도움이 되었나?"),
        [
            Section(Words("What changed", "무엇이 달라졌나"), [WIDE, drawn["intervals"], Table(["", ""], [["k", 10]])]),
            Section(Words("Queries", "질의"), [drawn["deltas"], drawn["many deltas"], LONG, folded, *more]),
            Section(Words("Documents", "문서"), [drawn["many moves"], drawn["scores"]]),
            Section(Words("Systems", "시스템"), [drawn["standings"], drawn["cutoffs"], PAIRS]),
            Section(
                Words(HOSTILE, HOSTILE),
                [
                    [Words("one", "하나"), Words(HOSTILE, "둘")],
                    Table(["doc_id", "verdict"], [[HOSTILE, Words("better", "나아짐")], [None, HOSTILE]], HOSTILE),
                    Code(f"rankproof compare\n    {HOSTILE}"),
                ],
            ),
        ],
        lead=[
            Verdict(Words("Better", "나아짐"), Words("nDCG@10 rose.", "nDCG@10이 올랐습니다."), "good"),
            Cards(
                [
                    Card(Words("queries", "질의"), "1,337", Words("all", "모두")),
                    Card(Words("P@5", "P@5"), "-0.02"),
                    Card(Words("95 % interval", "95 % 구간"), "[+0.0736, +0.2521]"),
                    Card(Words("nothing", "없음"), ""),
                ]
            ),
        ],
        foot=[Words("made by hand", "손으로 만듦")],
    )
