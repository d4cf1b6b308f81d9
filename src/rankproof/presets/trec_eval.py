"""What do trec_eval's two versions calculate, and pytrec_eval, which has one of them inside?"""

from __future__ import annotations

from dataclasses import replace

from rankproof.presets.house import HOUSE
from rankproof.presets.preset import Deviation, Preset

_ANY = replace(
    HOUSE,
    subtopics="ignored",
    missing_query="skip",
    no_relevant="zero",
    zero_denominator="zero",
    judged_denominator="cutoff",
    summation="sequential",
)
TREC_EVAL_9 = replace(_ANY, name="trec_eval-9", comments="none", score_precision="single", recall_level="add-0.9")
TREC_EVAL_10 = replace(_ANY, name="trec_eval-10", missing_query="error")

FRACTIONS = Deviation("fractional grade", "cut to its whole part, in silence", "kept as written")
NAN = Deviation("NaN score", "places depend on the order of comparison", "refused")
_FAULTS = (
    FRACTIONS,
    Deviation("custom gains in nDCG", "prints 0 (both versions)", "the gains of the gain-table"),
    Deviation("duplicate beyond the depth", "not looked for", "refused, like every duplicate"),
    NAN,
)
_FAULTS_OF_10 = (
    *_FAULTS,
    Deviation("RBP gain", "read from uninitialised memory", "what was meant: the grade over the query's highest grade"),
    Deviation("RBP residual", "0 for a missing query and where all retrieved are judged", "by definition 1, and p^n"),
)
_LEFT_OUT = Deviation(
    "missing query with -c -q", "left out of the per-query list, and in the mean", "in both, with its 0"
)
_SOURCE = "https://github.com/usnistgov/trec_eval, m_*.c and form_res_rels.c"
_TEST = "the test outputs that trec_eval ships, every row of a measure that stands here"

FAMILY = (
    Preset(TREC_EVAL_9, "9.0.8", _SOURCE, _TEST, _FAULTS),
    Preset(
        replace(TREC_EVAL_9, name="trec_eval-9-complete", missing_query="zero"),
        "9.0.8 with -c",
        _SOURCE,
        _TEST,
        (*_FAULTS, _LEFT_OUT),
    ),
    Preset(TREC_EVAL_10, "10.0", _SOURCE, _TEST, _FAULTS_OF_10),
    Preset(
        replace(TREC_EVAL_10, name="trec_eval-10-complete", missing_query="zero"),
        "10.0 with -c",
        _SOURCE,
        _TEST,
        _FAULTS_OF_10,
    ),
    Preset(
        replace(TREC_EVAL_9, name="pytrec_eval"),
        "pytrec_eval-terrier 0.5.11 (trec_eval 9.0.8 inside)",
        "https://github.com/terrierteam/pytrec_eval",
        "run beside it on generated inputs, every measure of one query that both have",
        (
            Deviation("fractional grade, NumPy integer", "TypeError", "kept as written"),
            Deviation(
                "query with only negative judgments",
                "ends the interpreter where all measures are asked for",
                "a query without relevant",
            ),
            Deviation("query without any judgment", "left out of the result", "a query without relevant"),
            Deviation("cutoff of 0", "ends the interpreter", "an error with what is expected"),
            Deviation("RR with a cutoff (recip_rank.10)", "the cutoff is dropped, in silence", "RR@10 has it"),
            NAN,
        ),
    ),
)
