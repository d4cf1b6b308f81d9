"""What do the Python packages calculate that people compare with?"""

from __future__ import annotations

from dataclasses import replace

from rankproof.presets.house import HOUSE
from rankproof.presets.preset import Deviation, Preset
from rankproof.presets.trec_eval import NAN, TREC_EVAL_9

_RUN_BESIDE = "run beside it on generated inputs, and on the cases of its conformance table"
_RECORDED = "values that it gave, recorded with its version: the cases of its conformance table"

_PYTREC_EVAL = replace(
    TREC_EVAL_9, duplicate_document="keep-last", duplicate_slot="removed", duplicate_judgment="keep-last"
)
"""pytrec_eval behind dicts, which hold a document once: of two lines the last one counts, a repeat has no place."""

_ROUNDED = Deviation("rounding", "means rounded to 5 decimals", "not rounded")
_UNJUDGED_QUERY = Deviation("query without judgments, in RR", "KeyError", "left out, and counted")
_INTEGERS = Deviation("fractional grade", "TypeError", "kept as written")

RANX = Preset(
    replace(
        HOUSE,
        name="ranx",
        comments="none",
        subtopics="ignored",
        ties="unspecified",
        nan_score="last",
        negative_grade="non-relevant",
        low_grade_gain="zero",
        no_relevant="zero",
        zero_denominator="zero",
        recall_level="add-0.9",
        rbp_gain="raw",
        duplicate_document="keep-last",
        duplicate_slot="removed",
        duplicate_judgment="keep-last",
    ),
    "0.3.21, with make_comparable=True",
    "https://github.com/AmenRa/ranx, metrics/*.py, data_structures/common.py and meta/evaluate.py",
    _RUN_BESIDE,
    (
        Deviation("missing query without make_comparable", "AssertionError", "0, as with make_comparable=True"),
        Deviation("fractional grade", "cut to its whole part, in silence", "kept as written"),
        Deviation("bpref, no judged non-relevant document", "NaN, and so is the mean", "1 for each one retrieved"),
        Deviation("hits", "the mean over queries", "NumRelRet is the sum over queries"),
        Deviation("rbp with -l2", "raw grades of the documents from 2 on", "RBP(rel=2) is binary"),
        Deviation("dicts instead of Qrels and Run", "queries paired by their order, not by their ids", "paired by id"),
        Deviation("the caller's run", "queries without judgments are deleted from it", "never changed"),
    ),
)

IR_MEASURES = Preset(
    replace(
        _PYTREC_EVAL,
        name="ir_measures",
        missing_query="zero",
        judged_denominator="returned",
        overrides=(
            ("RR@k", (("ties", "document-id-ascending"), ("score_precision", "double"))),
            (
                "Judged",
                (
                    ("ties", "document-id-ascending"),
                    ("score_precision", "double"),
                    ("negative_grade", "non-relevant"),
                ),
            ),
            ("NumQ", (("missing_query", "skip"),)),
            ("NumRel", (("missing_query", "skip"),)),
        ),
    ),
    "0.4.3, with pytrec_eval-terrier 0.5.11",
    "https://github.com/terrierteam/ir_measures, providers/pytrec_eval_provider.py, msmarco_provider.py (RR@k),"
    " judged_provider.py and base.py (missing queries)",
    _RUN_BESIDE,
    (
        _INTEGERS,
        NAN,
        Deviation("nDCG with gains, a grade that they lack", "its own grade is its gain", "its gain is 0"),
        Deviation("ERR, nDCG(dcg='exp-log2')", "a Perl script: numeric query ids, grades up to 4", "any id and grade"),
        Deviation("Judged of a query with an empty ranking", "ZeroDivisionError", "0"),
    ),
)

BEIR = Preset(
    replace(
        _PYTREC_EVAL,
        name="beir",
        own_document="remove",
        overrides=tuple(
            (symbol, (("ties", "as-given"), ("score_precision", "double"), ("missing_query", "zero")))
            for symbol in ("RR", "Success")
        ),
    ),
    "2.2.0",
    "https://github.com/beir-cellar/beir, retrieval/evaluation.py and retrieval/custom_metrics.py (RR, Success, R_cap)",
    _RECORDED,
    (
        _ROUNDED,
        _UNJUDGED_QUERY,
        _INTEGERS,
        Deviation(
            "R_cap@k",
            "ties as given, missing queries 0, ZeroDivisionError where nothing is relevant",
            "R(recall-denominator=capped)@k has the rules of R@k",
        ),
        Deviation("Hole@k", "counts documents that no query judges", "Unjudged@k: those this query does not judge"),
        Deviation(
            "document whose id is the query's, in RR before `evaluate`",
            "kept: `evaluate` alone takes it out",
            "taken out",
        ),
        Deviation("the caller's results", "`evaluate` deletes such documents from them", "never changed"),
    ),
)

MTEB = Preset(
    replace(_PYTREC_EVAL, name="mteb", overrides=(("RR", (("score_precision", "double"),)),)),
    "2.26.0",
    "https://github.com/embeddings-benchmark/mteb, _evaluators/retrieval_metrics.py",
    _RECORDED,
    (
        replace(_ROUNDED, topic="rounding (not of RR)"),
        _UNJUDGED_QUERY,
        _INTEGERS,
        Deviation(
            "document whose id is the query's",
            "kept, but taken out by the tasks that say so (ignore_identical_ids)",
            "kept: own-document=remove takes it out",
        ),
        Deviation("skip_first_result", "takes out each query's first document", "no such rule"),
    ),
)

_SUPPLIED = replace(
    HOUSE,
    ideal="retrieved",
    ap_denominator="retrieved",
    negative_grade="error",
    missing_query="skip",
    no_relevant="zero",
    zero_denominator="zero",
)
"""What is not handed over as an array is not seen: neither other documents nor other queries."""

SCIKIT_LEARN = Preset(
    replace(
        _SUPPLIED,
        name="scikit-learn",
        ties="unspecified",
        overrides=tuple((symbol, (("ties", "expected"),)) for symbol in ("DCG", "nDCG")),
    ),
    "1.9.1",
    "https://scikit-learn.org, metrics/_ranking.py: ndcg_score, dcg_score, average_precision_score",
    _RUN_BESIDE,
    (
        Deviation(
            "AP with ties",
            "the precision where the whole tie has been seen",
            "placed as given; AP(ties=expected) is the mean over all orders",
        ),
        Deviation("nDCG of a single document", "ValueError", "its value"),
        Deviation("AP of grades above 1", "ValueError, or each grade as a class", "relevant from relevant-from on"),
    ),
)

TORCHMETRICS = Preset(
    replace(
        _SUPPLIED,
        name="torchmetrics",
        ties="unspecified",
        score_precision="single",
        overrides=(
            ("nDCG", (("ties", "expected"),)),
            *((symbol, (("non_positive_score", "drop"),)) for symbol in ("P", "R", "AP", "RR")),
        ),
    ),
    "1.9.0",
    "https://github.com/Lightning-AI/torchmetrics, functional/retrieval/*.py and retrieval/base.py",
    _RECORDED,
    (
        Deviation("values", "made in 32-bit floats", "in 64-bit floats: they differ from the 7th digit on"),
        Deviation("P without k", "over all documents supplied", "over those with a score above 0"),
        Deviation("relevant document not supplied", "not seen", "counts in what R divides by"),
        Deviation("negative grade in nDCG", "a negative gain", "refused"),
        Deviation("grade above 1 in P, R, AP, RR", "ValueError", "relevant from relevant-from on"),
        Deviation("NaN score", "placed first", "refused"),
    ),
)

RAGAS = Preset(
    replace(
        HOUSE,
        name="ragas",
        order="position",
        ties="as-given",
        duplicate_document="keep-first",
        duplicate_slot="removed",
        missing_query="skip",
        no_relevant="zero",
        ap_denominator="retrieved",
        overrides=(("AP", (("zero_denominator", "zero"),)), ("R", (("no_relevant", "skip"),))),
    ),
    "0.4.3",
    "https://github.com/explodinggradients/ragas, metrics/_context_precision.py (AP; by id: P), _context_recall.py"
    " (by id: R)",
    _RECORDED,
    (
        Deviation("AP of a perfect ranking", "0.9999999999: what it divides by is 0.0000000001 too large", "1"),
        Deviation("a context that comes twice, in AP", "judged and counted twice", "counts once"),
    ),
)

LIBRARIES = (RANX, IR_MEASURES, BEIR, MTEB, SCIKIT_LEARN, TORCHMETRICS, RAGAS)
