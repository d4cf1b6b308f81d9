"""pytrec_eval-terrier, run beside its preset on aimed inputs."""

from __future__ import annotations

import math

import pytest
import pytrec_eval
from generators import IDS, RUNS, in_common, run_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rankproof.evaluate import values_of
from rankproof.measures import parse_all
from rankproof.placements import place_query
from rankproof.presets import contract
from rankproof.trec_eval import Asked
from rankproof.trec_eval.column import Query, Setting

pytestmark = pytest.mark.untraced

# ours: theirs in the result, theirs in the question
PAIRS = {
    "P@3": ("P_3", "P.3"),
    "P": ("set_P", "set_P"),
    "R@3": ("recall_3", "recall.3"),
    "R": ("set_recall", "set_recall"),
    "F": ("set_F", "set_F"),
    "Success@2": ("success_2", "success.2"),
    "RR": ("recip_rank", "recip_rank"),
    "AP": ("map", "map"),
    "AP@3": ("map_cut_3", "map_cut.3"),
    "Rprec": ("Rprec", "Rprec"),
    "RprecMult@0.5": ("Rprec_mult_0.50", "Rprec_mult.0.5"),
    "RprecMult@2": ("Rprec_mult_2.00", "Rprec_mult.2.0"),
    "R(recall-denominator=capped)@3": ("relative_P_3", "relative_P.3"),
    "SetRelativeP": ("set_relative_P", "set_relative_P"),
    "SetAP": ("set_map", "set_map"),
    "nDCGRel": ("ndcg_rel", "ndcg_rel"),
    "RnDCG": ("Rndcg", "Rndcg"),
    "G": ("G", "G"),
    "BinG": ("binG", "binG"),
    "NumNonrelRet": ("num_nonrel_judged_ret", "num_nonrel_judged_ret"),
    "nDCG": ("ndcg", "ndcg"),
    "nDCG@3": ("ndcg_cut_3", "ndcg_cut.3"),
    "Bpref": ("bpref", "bpref"),
    "infAP": ("infAP", "infAP"),
    "IPrec@0.5": ("iprec_at_recall_0.50", "iprec_at_recall.0.5"),
    "IPrec@0.3": ("iprec_at_recall_0.30", "iprec_at_recall.0.3"),
    "IPrec@0": ("iprec_at_recall_0.00", "iprec_at_recall.0.0"),
    "IPrec11": ("11pt_avg", "11pt_avg"),
    "NumRet": ("num_ret", "num_ret"),
    "NumRel": ("num_rel", "num_rel"),
    "NumRelRet": ("num_rel_ret", "num_rel_ret"),
}

# It ends the interpreter on a query with only negative judgments: the generator keeps away from it.
JUDGED = st.dictionaries(IDS, st.integers(-2, 3), min_size=1).filter(lambda judged: max(judged.values()) >= 0)
QRELS = st.dictionaries(st.sampled_from(["1", "2", "10"]), JUDGED, min_size=1)
FILLED = RUNS.filter(lambda run: all(run.values()))


@settings(max_examples=2000)
@given(QRELS, FILLED, st.integers(1, 2))
def test_values_equal_those_of_pytrec_eval(qrels: dict, run: dict, level: int) -> None:
    """For each query, measure and relevance level: the same value to 1e-9, and the same queries."""
    assume(in_common(qrels, run))
    questions = {question for _, question in PAIRS.values()}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, questions, relevance_level=level).evaluate(run)
    ours = values_of(qrels, run_of(run), parse_all(PAIRS), contract("pytrec_eval", relevant_from=level))
    assert set(ours.query_ids) == set(theirs)
    for name, (their_name, _) in PAIRS.items():
        for query, value in zip(ours.query_ids, ours.per_query[name], strict=True):
            assert value is not None
            assert math.isclose(value, theirs[query][their_name], abs_tol=1e-9), (name, query)


@settings(max_examples=200)
@given(QRELS, FILLED)
def test_a_weighted_f_equals_that_of_pytrec_eval(qrels: dict, run: dict) -> None:
    """trec_eval's set_F.x weighs recall by x, which is beta squared. (Its result is named set_F, whatever x is.)"""
    assume(in_common(qrels, run))
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"set_F.0.25"}).evaluate(run)
    ours = values_of(qrels, run_of(run), parse_all(["set_F.0.25"]), contract("pytrec_eval"))
    for query, value in zip(ours.query_ids, ours.per_query["F(beta=0.5)"], strict=True):
        assert value is not None
        assert math.isclose(value, theirs[query]["set_F"], abs_tol=1e-9)


COUNTED_AS_ONE = {"runid", "num_q", "relstring"}


@settings(max_examples=300)
@given(QRELS, FILLED, st.integers(1, 2))
def test_the_drop_in_has_the_last_bit(qrels: dict, run: dict, level: int) -> None:
    """Each value behind a row of `rankproof trec-eval -m all_trec --as 9.0.8` is that of pytrec_eval, not rounded."""
    assume(in_common(qrels, run))
    asked = Asked(measures=("all_trec",), relevant_from=level, version="9.0.8")
    theirs = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures, relevance_level=level).evaluate(run)
    in_effect = asked.contract()
    columns = [one for one in asked.columns(Setting(in_effect)) if one.label not in COUNTED_AS_ONE]
    for query, values in theirs.items():
        at = place_query(query, qrels[query], run_of(run), in_effect)
        assert at is not None
        assert {one.label: one.value(Query([at])) for one in columns} == {
            one.label: values[one.label] for one in columns
        }
