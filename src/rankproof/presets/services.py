"""What do search services calculate, and the leaderboard that has its own script?"""

from __future__ import annotations

from dataclasses import replace

from rankproof.presets.house import HOUSE
from rankproof.presets.preset import Deviation, Preset

_BY_HAND = "cases worked out by hand from its source: its conformance table"

_SERVICE = replace(
    HOUSE,
    order="position",
    ties="as-given",
    gain="exponential",
    precision_denominator="returned",
    no_relevant="zero",
    zero_denominator="zero",
)
_NEGATIVE_GAIN = Deviation("negative grade in DCG and nDCG", "its gain is 2^grade - 1, below 0", "its gain is 0")

ELASTICSEARCH = Preset(
    replace(_SERVICE, name="elasticsearch", ideal_depth="returned", negative_grade="non-relevant"),
    "_rank_eval, as of version 8",
    "https://github.com/elastic/elasticsearch, modules/rank-eval: DiscountedCumulativeGain.java, PrecisionAtK.java,"
    " RecallAtK.java, MeanReciprocalRank.java, ExpectedReciprocalRank.java, EvaluationMetric.java (the mean)",
    _BY_HAND,
    (
        _NEGATIVE_GAIN,
        Deviation(
            "ignore_unlabeled in P",
            "unrated hits are left out of the first k",
            "P(unjudged=condensed)@k: later hits move up",
        ),
        Deviation("unknown_doc_rating", "unrated hits get this grade in DCG and ERR", "no such rule"),
        Deviation("request that fails", "left out of the mean, and listed", "a missing query is 0"),
    ),
)

OPENSEARCH = Preset(
    replace(_SERVICE, name="opensearch", negative_grade="non-relevant"),
    "Search Relevance Workbench, as of 2026",
    "https://github.com/opensearch-project/search-relevance, metrics/calculator/Evaluation.java and"
    " JudgmentThresholdCalculator.java",
    _BY_HAND,
    (
        Deviation("rounding", "each query's value rounded to 2 decimals, before the mean", "not rounded"),
        Deviation(
            "relevant grade in P, R, AP, RR",
            "from half the query's highest grade, or its 90th percentile if that is more",
            "from relevant-from on, for all queries",
        ),
        _NEGATIVE_GAIN,
    ),
)

QUEPID = Preset(
    replace(_SERVICE, name="quepid", ideal_depth="whole", negative_grade="non-relevant"),
    "8, its own scorers",
    "https://github.com/o19s/quepid, db/scorers: p@10.js, ap@10.js, rr@10.js, dcg@10.js, ndcg@10.js, err@10.js",
    _BY_HAND,
    (
        Deviation("AP of a query without a relevant document", "NaN", "0"),
        Deviation("CG, DCG with an unrated document in the first k", "NaN", "its gain is 0"),
        Deviation("nDCG@10 CUT", "the ideal list ends at 10", "nDCG(ideal-depth=cutoff)@10"),
        _NEGATIVE_GAIN,
    ),
)

MS_MARCO = Preset(
    replace(
        HOUSE,
        name="ms-marco",
        subtopics="ignored",
        order="rank",
        ties="as-given",
        no_relevant="zero",
        zero_denominator="zero",
    ),
    "ms_marco_eval.py of April 2019: RR@10",
    "https://github.com/microsoft/MSMARCO-Passage-Ranking, ms_marco_eval.py",
    _BY_HAND,
    (
        Deviation("grade", "not read: every passage listed for a query is relevant", "relevant from grade 1 on"),
        Deviation("a rank that no passage has", "stays empty", "closed: what comes after it moves up"),
        Deviation("two passages at one rank", "the last one takes the place of the first", "the first one comes first"),
        Deviation("passage ranked twice", "a message, and the first place counts", "refused"),
        Deviation("passage beyond rank 1000", "the file is refused", "placed"),
    ),
)

SERVICES = (ELASTICSEARCH, OPENSEARCH, QUEPID, MS_MARCO)
