"""ranx, ir_measures and scikit-learn run beside their presets on aimed inputs, away from their listed deviations."""

from __future__ import annotations

import math
import warnings
from contextlib import contextmanager
from types import ModuleType

import pytest
from generators import IDS, RUNS, in_common, run_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from needed import installed

from rankproof.evaluate import values_of
from rankproof.measures import parse, parse_all
from rankproof.presets import contract
from rankproof.values import Values

pytestmark = pytest.mark.untraced

QUERIES = ("1", "2", "10")
FILLED = RUNS.filter(lambda run: all(run.values()))


@contextmanager
def quiet():
    """Let a tool warn: pytest makes errors of warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def value_of(found: Values, measure: str, query: str) -> float:
    """Return one value of ours."""
    value = found.per_query[str(parse(measure))][list(found.query_ids).index(query)]
    assert value is not None
    return value


# ---- ir_measures

# It has pytrec_eval inside, which ends the interpreter on a query with only negative judgments.
JUDGED = st.dictionaries(IDS, st.integers(-2, 3), min_size=1).filter(lambda judged: max(judged.values()) >= 0)
IR_QRELS = st.dictionaries(st.sampled_from(QUERIES), JUDGED, min_size=1)
IR_MEASURES = (
    *("P@3", "P(rel=2)@3", "P(judged_only=True)@2", "R@3", "R(rel=2)@3", "Success@2", "RR", "RR@3", "RR(rel=2)@3"),
    *("AP", "AP@3", "Rprec", "nDCG", "nDCG@3", "Bpref", "infAP", "IPrec@0.4", "IPrec@0.5", "Judged@3"),
    *("SetP", "SetR", "SetF", "SetF(beta=4.0)", "NumRet", "NumRel", "NumQ"),
)
COUNTED = ("NumRet", "NumRel", "NumQ")


@settings(max_examples=2000)
@given(IR_QRELS, FILLED)
def test_ir_measures(qrels: dict, run: dict) -> None:
    """For each query and measure, and for each mean: the value of ir_measures to 1e-9."""
    ir = installed("ir_measures")
    assume(in_common(qrels, run))
    asked = {name: ir.parse_measure(name) for name in IR_MEASURES}
    theirs = ir.calc(asked.values(), qrels, run)
    found = values_of(qrels, run_of(run), parse_all(IR_MEASURES), contract("ir_measures"))
    for name, measure in asked.items():
        mean = found.means[str(parse(name))]
        assert mean is not None
        assert math.isclose(mean, theirs.aggregated[measure], abs_tol=1e-9), name
    for one in theirs.per_query:
        if (name := next(name for name, measure in asked.items() if measure == one.measure)) not in COUNTED:
            assert math.isclose(value_of(found, name, one.query_id), one.value, abs_tol=1e-9), (name, one)


# ---- scikit-learn

SCORES = st.sampled_from([0.0, 1.0, 1.0 + 1e-9, 2.0, -1.0])
GRADED = st.dictionaries(st.sampled_from("abcdef"), st.tuples(st.integers(0, 3), SCORES), min_size=2)


@settings(max_examples=2000)
@given(GRADED, st.sampled_from([None, 1, 2, 3, 9]))
def test_scikit_learn(docs: dict, k: int | None) -> None:
    """Ties and near ties included, nDCG and DCG are those of ndcg_score and dcg_score to 1e-9; AP without ties."""
    installed("sklearn")
    from sklearn.metrics import average_precision_score, dcg_score, ndcg_score

    grades, scores = zip(*docs.values(), strict=True)
    judged = {doc: grade for doc, (grade, _) in docs.items() if grade or doc > "c"}  # others are unjudged: grade 0
    at = "" if k is None else f"@{k}"
    names = [f"nDCG{at}", f"DCG{at}", "AP"]
    qrels, run = {"q": judged or {"z": 0}}, {"q": {doc: score for doc, (_, score) in docs.items()}}
    found = values_of(qrels, run_of(run), parse_all(names), contract("scikit-learn"))
    with quiet():
        assert math.isclose(value_of(found, names[0], "q"), ndcg_score([grades], [scores], k=k), abs_tol=1e-9)
        assert math.isclose(value_of(found, names[1], "q"), dcg_score([grades], [scores], k=k), abs_tol=1e-9)
        if len(set(scores)) == len(scores):
            relevant = [int(grade >= 1) for grade in grades]
            assert math.isclose(value_of(found, "AP", "q"), average_precision_score(relevant, scores), abs_tol=1e-9)


# ---- ranx

CUT = (("P", "precision"), ("R", "recall"), ("F", "f1"), ("AP", "map"), ("RR", "mrr"), ("nDCG", "ndcg"))
RANX = {
    # ours: theirs
    **dict(CUT),
    **{
        f"{ours}@{k}": f"{theirs}@{k}"
        for ours, theirs in (*CUT, ("DCG", "dcg"), ("Success", "hit_rate"))
        for k in (1, 3)
    },
    **{f"{ours}(rel=2)@3": f"{theirs}@3-l2" for ours, theirs in CUT},
    "nDCG(gain=exponential)@3": "ndcg_burges@3",
    "Rprec": "r-precision",
    "RBP(p=0.75)": "rbp.75",
}

# Ids of one letter: ranx is compiled anew for each length of an id. No ties: it does not say how it breaks them.
APART = st.lists(st.sampled_from([0.0, 1.0, 1.0 + 1e-9, 2.0, 16777216.0, 16777217.0, -1.0]), unique=True, min_size=1)
RANX_DOCS = st.permutations("abcdefg")
RANX_RUN = st.builds(lambda docs, scores: dict(zip(docs, scores, strict=False)), RANX_DOCS, APART)
RANX_RUNS = st.dictionaries(st.sampled_from(["1", "2", "3"]), RANX_RUN, min_size=1)
RANX_JUDGED = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(-1, 3), min_size=1)
RANX_QRELS = st.dictionaries(st.sampled_from(QUERIES), RANX_JUDGED, min_size=1)


def both_kinds(judged: dict) -> bool:
    """Return whether there are relevant and other judged documents: else ranx's bpref deviates."""
    return len({grade >= 1 for grade in judged.values()}) == 2


@pytest.fixture(scope="module")
def ranx() -> ModuleType:
    """Imported here only, as Numba compiles it, a minute in a fresh installation."""
    return installed("ranx")


def test_ranx(ranx: ModuleType) -> None:
    """For each query and measure the value of ranx to 1e-9; missing queries 0, queries without judgments left out."""

    @settings(max_examples=2000)
    @given(RANX_QRELS, RANX_RUNS)
    def holds(qrels: dict, run: dict) -> None:
        assume(in_common(qrels, run))
        pairs = {**RANX, **({"Bpref": "bpref"} if all(map(both_kinds, qrels.values())) else {})}
        with quiet():
            judged, placed = ranx.Qrels(qrels), ranx.Run(run)
            theirs = ranx.evaluate(judged, placed, list(pairs.values()), return_mean=False, make_comparable=True)
        found = values_of(qrels, run_of(run), parse_all(pairs), contract("ranx"))
        for name, theirs_name in pairs.items():
            for query, value in zip(sorted(qrels), theirs[theirs_name], strict=True):
                assert math.isclose(value_of(found, name, query), value, abs_tol=1e-9), (name, query)

    holds()
