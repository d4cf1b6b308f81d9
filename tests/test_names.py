"""Measure names: the house spelling, and those of ir_measures, trec_eval and ranx."""

from __future__ import annotations

import pytest

import rankproof as rp
from rankproof.measures import MEASURES, parse_all, trec_name
from rankproof.measures.names import TREC_NAMES

READ = {
    # ir_measures
    "nDCG@10": "nDCG@10",
    "nDCG(dcg='exp-log2')@10": "nDCG(gain=exponential)@10",
    'nDCG(dcg="log2")@10': "nDCG(gain=linear)@10",
    "P(rel=2)@5": "P(rel=2)@5",
    "P(judged_only=True)@5": "P(unjudged=condensed)@5",
    "AP(rel=2)": "AP(rel=2)",
    "MAP@100": "AP@100",
    "MRR@10": "RR@10",
    "SetP": "P",
    "SetR(rel=2)": "R(rel=2)",
    "SetF(beta=0.25)": "F(beta=0.5)",
    "set_F.0.25": "F(beta=0.5)",
    "RBP(p=0.9,rel=2)": "RBP(p=0.9,rbp-gain=binary,rel=2)",
    "nDCG(rel=2)@10": "nDCG(low-grade-gain=zero,rel=2)@10",
    "RBP(p=0.95)": "RBP(p=0.95)",
    "RBP(p=0.8)": "RBP",
    "IPrec@0.10": "IPrec@0.1",
    "Bpref": "Bpref",
    "infAP": "infAP",
    "Judged@10": "Judged@10",
    "NumQ": "NumQ",
    "Rprec": "Rprec",
    "Success@5": "Success@5",
    # trec_eval
    "ndcg_cut_10": "nDCG@10",
    "ndcg_cut.10": "nDCG@10",
    "map": "AP",
    "map_cut_5": "AP@5",
    "recip_rank": "RR",
    "P_5": "P@5",
    "recall_1000": "R@1000",
    "iprec_at_recall_0.50": "IPrec@0.5",
    "11pt_avg": "IPrec11",
    "set_F": "F",
    "set_P": "P",
    "gm_map": "GMAP",
    "rbp": "RBP(p=0.9)",
    "unj_10": "Unjudged@10",
    "Rprec_mult.0.2": "RprecMult@0.2",
    "relative_P_5": "R(recall-denominator=capped)@5",
    "set_relative_P": "SetRelativeP",
    "Rndcg.1=3,2=9": "RnDCG(gain=table,gain-table={1:3,2:9})",
    "ndcg.1=3,2=9,4=4.5": "nDCG(gain=table,gain-table={1:3,2:9,4:4.5})",
    # ranx
    "ndcg@10": "nDCG@10",
    "ndcg_burges@10": "nDCG(gain=exponential)@10",
    "dcg@5": "DCG@5",
    "mrr": "RR",
    "map@100": "AP@100",
    "precision@5": "P@5",
    "precision@5-l2": "P(rel=2)@5",
    "ndcg@5-l2": "nDCG(low-grade-gain=zero,rel=2)@5",
    "recall@10": "R@10",
    "f1@5": "F@5",
    "hits@5": "NumRelRet@5",
    "hit_rate@5": "Success@5",
    "r_precision": "Rprec",
    "rbp.95": "RBP(p=0.95)",
    # the house's own, any case and white space
    " ndcg @ 10 ": "nDCG@10",
    "ERR(max=3)@10": "ERR(max=3)@10",
    "RR( ties = expected )@10": "RR(ties=expected)@10",
    "RBP(p=0.8,rel=2)@20": "RBP(rbp-gain=binary,rel=2)@20",
}


@pytest.mark.parametrize(("spelling", "house"), READ.items())
def test_spellings_are_read_and_the_house_spelling_is_printed(spelling: str, house: str) -> None:
    """Each tool's spelling reads as the measure, which prints as the house spells it."""
    assert str(rp.measure(spelling)) == house
    assert rp.measure(house) == rp.measure(spelling)


def test_families_name_several() -> None:
    """trec_eval's lists and bare families give all their members, each once."""
    assert [str(m) for m in parse_all(["P.5,10", "P@5"])] == ["P@5", "P@10"]
    assert len(parse_all(["official"])) == 29
    assert [str(m) for m in parse_all(["ndcg_cut"])][:2] == ["nDCG@5", "nDCG@10"]
    with pytest.raises(rp.MeasureError, match="names 2 measures; expected one"):
        rp.measure("P.5,10")


@pytest.mark.parametrize(("name", "house", "parameter"), TREC_NAMES)
def test_trec_names_go_both_ways(name: str, house: str, parameter: str) -> None:
    """What trec_eval's name reads as is written back under that name."""
    spelled = {"": name, "cutoff": f"{name}_20", "recall": f"{name}_0.30", "multiple": f"{name}_0.40"}[parameter]
    measure = rp.measure(spelled)
    assert trec_name(measure) == spelled
    assert str(measure).startswith(house)


def test_a_measure_without_trec_name() -> None:
    """A measure that trec_eval does not have, or has under another rule, has no name there."""
    assert trec_name(rp.measure("EvidenceRate@5")) is None
    assert trec_name(rp.measure("P(rel=2)@5")) is None
    assert trec_name(rp.measure("IPrec@0.125")) is None  # trec_eval would print the row of 0.12


WRONG = {
    "nDGC@10": r"unknown measure 'nDGC@10'\n\nhint: nearest: nDCG@10;",
    "P@0": r"'P@0': P: cutoff cannot be 0; expected 1 or more",
    "P@-1": "cutoff cannot be -1",
    "P@1.5": "cutoff cannot be 1.5",
    "P@x": "cutoff cannot be 'x'",
    "P@1_0": "cutoff cannot be '1_0'",
    "IPrec@2": "recall cannot be 2; expected a recall level from 0 to 1",
    "RBP(p=1)": "p cannot be 1; expected a number above 0 and below 1",
    "RBP(p=high)": "p cannot be 'high'",
    "F(beta=0)@5": "beta cannot be 0",
    "F(beta=1e200)@5": "beta cannot be 1e.200",
    "F(beta=1,beta=2)@5": "beta is given twice",
    "ERR(max=abc)": "max cannot be 'abc'",
    "ERR(max=1.5)": "max cannot be 1.5",
    f"P-l{'9' * 400}": "unknown measure",
    "P(rel=2,relevant-from=3)@5": "relevant-from is given twice",
    "P@5,AP": "cutoff cannot be",
    "ERR@10": "'ERR@10' needs max",
    "ERR(max=0)": "max cannot be 0; expected the highest grade of the scale",
    "ERR(max=2000)": "max cannot be 2000",
    "Rprec@5": "'Rprec@5': Rprec takes nothing after an @",
    "P(gain=linear)@5": "P has no option gain; expected one of rel, precision-denominator",
    "P(comments=none)@5": "P has no option comments",
    "P(foo=1)@5": "there is no rule 'foo'",
    "P(rel=x)@5": "relevant-from cannot be 'x'",
    "P(rel)@5": "'rel' is no option; expected option=value",
    "nDCG(gain=table)@5": r"nDCG\(gain=table\)@5: gain = table and gain-table go together",
    "P@5@6": "'P@5@6' is no measure",
    "": "'' is no measure",
}


@pytest.mark.parametrize(("name", "message"), WRONG.items())
def test_wrong_names_answer_with_what_is_wrong(name: str, message: str) -> None:
    """A wrong name names the measure, what was expected, and the nearest three where it is unknown."""
    with pytest.raises(rp.RankproofError, match=message):
        rp.evaluate({"q": {"a": 1}}, {"q": ["a"]}, [name])


MEANT = {
    "ndcg10": "nearest: nDCG@10;",
    "nDCG_10": "nearest: nDCG@10;",
    "ndgc10": "nearest: nDCG@10;",
    "recall100": "nearest: recall@100;",
    "mmr@10": "nearest: mrr@10;",
    "nDGC(gain=exponential)@10": "nearest: nDCG(gain=exponential)@10;",
    "IPrec12": "nearest: IPrec11, ",
    "recip_rnk": "nearest: recip_rank, ",
    "xyzzy": "`rankproof measures` lists all",
    "nDCG@10,R@100": "name one measure with each -m: -m nDCG@10 -m R@100 (in Python a list)",
    "map, ndcg_cut_10": "-m map -m ndcg_cut_10 ",
    "nDCG@10 P(rel=2,ties=expected)@5": "-m nDCG@10 -m P(rel=2,ties=expected)@5 ",
    "P@5,AP": "-m P@5 -m AP ",
}


@pytest.mark.parametrize(("name", "hint"), MEANT.items())
def test_hints_keep_what_was_right(name: str, hint: str) -> None:
    """A hint keeps the cutoff and the options of a wrong name, and parts measures that were named at once."""
    with pytest.raises(rp.MeasureError) as error:
        rp.measure(name)
    assert hint in str(error.value)


def test_hints_read_back() -> None:
    """Whatever is hinted for a measure with a cutoff is a measure with that cutoff."""
    for measure in MEASURES.values():
        if measure.at_field == "cutoff":
            wrong = f"{measure.examples[0].partition('(')[0].partition('@')[0]}x@7"
            with pytest.raises(rp.MeasureError) as error:
                rp.measure(wrong)
            hint = str(error.value).partition("nearest: ")[2].partition(";")[0]
            assert all(rp.measure(one).cutoff == 7 for one in hint.split(", ") if "@" in one)


def test_measures_lists_the_table() -> None:
    """rp.measures() gives every measure of the table."""
    assert rp.measures() == list(MEASURES.values())
