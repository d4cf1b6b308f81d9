"""Each measure, and each answer of a rule that it reads, on one ranking whose values are worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from math import log2

import pytest

import rankproof as rp
from rankproof.measures import known_measures

# Ranked: x (not listed), a 3, b 0, c 1, d -1, e 2. Listed too, but not retrieved: f 1, g 0. So R = 4 (a, c, e, f).
JUDGED = {"a": 3, "b": 0, "c": 1, "d": -1, "e": 2, "f": 1, "g": 0}
RANKED = ["x", "a", "b", "c", "d", "e"]

DCG = 3 / log2(3) + 1 / log2(5) + 2 / log2(7)
IDEAL = 3 + 2 / log2(3) + 1 / 2 + 1 / log2(5)
EXPONENTIAL = 7 / log2(3) + 1 / log2(5) + 3 / log2(7)

BY_HAND: dict[str, float | Fraction] = {
    "P@4": Fraction(2, 4),
    "P": Fraction(3, 6),
    "P@10": Fraction(3, 10),
    "P(precision-denominator=returned)@10": Fraction(3, 6),
    "P(rel=2)@4": Fraction(1, 4),
    "R@4": Fraction(2, 4),
    "R": Fraction(3, 4),
    "R(recall-denominator=capped)@2": Fraction(1, 2),
    "R(recall-denominator=capped)@10": Fraction(3, 4),
    "F@4": Fraction(2 * 2, 4 + 4),  # 2 hits, R = 4, k = 4
    "F(beta=2)@4": Fraction(5 * 2, 4 * 4 + 4),
    "F(beta=0.5)@4": Fraction(5, 4) * 2 / (Fraction(1, 4) * 4 + 4),
    "F(precision-denominator=returned)@10": Fraction(2 * 3, 4 + 6),
    "Success@1": 0,
    "Success@2": 1,
    "RR": Fraction(1, 2),
    "RR@1": 0,
    "RR(rel=2)": Fraction(1, 2),
    "AP": (Fraction(1, 2) + Fraction(2, 4) + Fraction(3, 6)) / 4,
    "AP@4": (Fraction(1, 2) + Fraction(2, 4)) / 4,
    "AP(ap-denominator=capped)@2": Fraction(1, 2) / 2,
    "AP(ap-denominator=retrieved)@4": (Fraction(1, 2) + Fraction(2, 4)) / 2,
    "GMAP": (Fraction(1, 2) + Fraction(2, 4) + Fraction(3, 6)) / 4,
    "Rprec": Fraction(2, 4),
    "RprecMult": Fraction(2, 4),
    "RprecMult@0.5": Fraction(1, 2),  # 0.5 * 4 + 0.9 = 2.9: 2
    "RprecMult@2": Fraction(3, 8),
    "SetRelativeP": Fraction(3, 4),
    "SetAP": Fraction(3, 6) * Fraction(3, 4),
    "CG@4": 3 + 1,
    "CG(gain=exponential)@4": 7 + 1,
    "CG(gain=binary)": 3,
    "CG(rel=2)": 3 + 2,
    "CG(gain-table={0:0.5,1:4})": 0.5 + 4,
    "DCG": DCG,
    "DCG@4": 3 / log2(3) + 1 / log2(5),
    "nDCG": DCG / IDEAL,
    "nDCG@2": (3 / log2(3)) / (3 + 2 / log2(3)),
    "nDCG(gain=exponential)": EXPONENTIAL / (7 + 3 / log2(3) + 1 / 2 + 1 / log2(5)),
    "nDCG(gain=binary)@2": (1 / log2(3)) / (1 + 1 / log2(3)),
    "nDCG(low-grade-gain=zero,rel=2)": (3 / log2(3) + 2 / log2(7)) / (3 + 2 / log2(3)),
    "nDCG(ideal=retrieved)": DCG / (3 + 2 / log2(3) + 1 / 2),
    "nDCG(ideal-depth=whole)@2": (3 / log2(3)) / IDEAL,
    # nDCG at 2, 4 and 6, and for f, which did not come, that at 6
    "nDCGRel": ((3 / log2(3)) / (3 + 2 / log2(3)) + (3 / log2(3) + 1 / log2(5)) / IDEAL + DCG / IDEAL + DCG / IDEAL)
    / 4,
    # the ideal gains fall after 1 (3), 2 (2) and 4 (1, 1); six came back, more than one beyond 4
    "RnDCG": (0 + (3 / log2(3)) / (3 + 2 / log2(3)) + (3 / log2(3) + 1 / log2(5)) / IDEAL + DCG / IDEAL) / 4,
    "RnDCG(gain=binary)": (
        (1 / log2(3) + 1 / log2(5)) / (1 + 1 / log2(3) + 1 / 2 + 1 / log2(5))
        + (1 / log2(3) + 1 / log2(5) + 1 / log2(7)) / (1 + 1 / log2(3) + 1 / 2 + 1 / log2(5))
    )
    / 2,
    # costs down to 2, 4, 6: 3 + 2, + 1 + 1, + 1 + 1; gains down to there: 3, 4, 6
    "G": (3 / log2(2 + 5 - 3) + 1 / log2(2 + 7 - 4) + 2 / log2(2 + 9 - 6)) / (3 + 2 + 1 + 1),
    "BinG": (1 / log2(2 + 1) + 1 / log2(2 + 2) + 1 / log2(2 + 3)) / 4,  # x; x b; x b d above
    "RBP(p=0.5)": 0.5 * (1 * 0.5 + 0.5**3 / 3 + 0.5**5 * 2 / 3),  # gains over the highest grade, 3
    "RBP(p=0.5,rbp-gain=binary,rel=2)": 0.5 * (0.5 + 0.5**5),
    "RBP(p=0.5,rbp-gain=raw)@4": 0.5 * (3 * 0.5 + 0.5**3),
    "RBPResidual(p=0.5)": 1 - 0.5 * (0.5 + 0.5**2 + 0.5**3 + 0.5**5),  # d is pooled, not judged
    "RBPResidual(p=0.5)@2": 1 - 0.5 * 0.5,
    "ERR(max=3)": (7 / 8) / 2 + (1 / 8) * (1 / 8) / 4 + (1 / 8) * (7 / 8) * (3 / 8) / 6,
    "ERR(max=4)@2": (7 / 16) / 2,
    "Bpref": ((1 - 0) + (1 - Fraction(1, 2)) + (1 - Fraction(1, 2)))
    / 4,  # N = 2 judged non-relevant, of which b above c and e
    "Bpref(rel=2)": ((1 - 0) + (1 - Fraction(2, 2))) / 2,
    "GMBpref": (1 + Fraction(1, 2) + Fraction(1, 2)) / 4,
    "infAP": (
        (Fraction(1, 2) + 0)  # a: nothing pooled above
        + (Fraction(1, 4) + Fraction(2, 4) * Fraction(100001, 200002))  # c: a and b above
        + (Fraction(1, 6) + Fraction(4, 6) * Fraction(200001, 300002))  # e: a, b, c judged and d pooled above
    )
    / 4,
    "IPrec@0": Fraction(1, 2),
    "IPrec@0.75": Fraction(3, 6),
    "IPrec@1": 0,
    "IPrec@0.65": Fraction(3, 6),  # 0.65 * 4 = 2.6, rounded 3
    "IPrec(recall-level=add-0.9)@0.3": Fraction(2, 4),  # 1.2 + 0.9 = 2.1: 2
    "IPrec11": Fraction(9, 22),  # 1/2 at 0 to 0.8 (0.8 * 4 = 3.2: 3), 0 at 0.9 and 1
    "Judged@3": Fraction(2, 3),
    "Judged": Fraction(4, 6),
    "Judged@10": Fraction(4, 6),
    "Judged(judged-denominator=cutoff)@10": Fraction(4, 10),
    "Unjudged@3": Fraction(1, 3),
    "Unjudged": Fraction(2, 6),
    "Unjudged(judged-denominator=cutoff)@10": Fraction(2, 10),
    "DuplicateRate": 0,
    "NumQ": 1,
    "NumRet": 6,
    "NumRel": 4,
    "NumRel(rel=2)": 2,
    "NumRelRet": 3,
    "NumRelRet@4": 2,
    "NumNonrelRet": 1,
    "NumNonrelRet(rel=2)": 2,
}


@pytest.mark.parametrize(("name", "value"), BY_HAND.items())
def test_by_hand(name: str, value: float | Fraction) -> None:
    """The value of one ranking is what the formula gives by hand."""
    found = rp.evaluate({"q": JUDGED}, {"q": RANKED}, [name])
    assert list(found.means.values()) == pytest.approx([float(value)], abs=1e-12)
    assert list(found.means) == [str(rp.measure(name))]


def test_every_measure_has_a_value_by_hand() -> None:
    """No measure goes without one; the evidence rate, which needs marks, has its own below."""
    assert {rp.measure(name).symbol for name in BY_HAND} == set(known_measures()) - {"EvidenceRate"}


def test_low_grades_of_the_contract() -> None:
    """Under low-grade-gain = zero a grade below relevant-from has no gain: grades 1, 2 ranked, 2 alone counts."""
    qrels, run = {"q": {"a": 1, "b": 2}}, {"q": ["a", "b"]}
    kept = rp.evaluate(qrels, run, ["nDCG"], relevant_from=2).means["nDCG"]
    dropped = rp.evaluate(qrels, run, ["nDCG"], relevant_from=2, low_grade_gain="zero").means["nDCG"]
    assert kept == pytest.approx((1 + 2 / log2(3)) / (2 + 1 / log2(3)))  # 0.8597
    assert dropped == pytest.approx(1 / log2(3))  # 0.6309
    assert (round(kept, 4), round(dropped, 4)) == (0.8597, 0.6309)


def test_gains_of_two_schools() -> None:
    """Grades 3, 1, 0 ranked 1, 3, 0: 0.7967 linear, 0.7098 exponential."""
    found = rp.evaluate({"q": {"a": 3, "b": 1, "c": 0}}, {"q": ["b", "a", "c"]}, ["nDCG", "nDCG(gain=exponential)"])
    assert [round(value, 4) for value in found.means.values() if value is not None] == [0.7967, 0.7098]


def test_repeats_and_marks() -> None:
    """A a x b under keep-first: a repeat at 2; marks at 1 and 3."""
    run = rp.Run("r", {"q": rp.Ranking(["a", "a", "x", "b"], evidence=[True, False, True, False])})
    measures = [
        "DuplicateRate@2",
        "DuplicateRate",
        "EvidenceRate@3",
        "EvidenceRate@1",
        "Judged",
        "Unjudged",
        "Unjudged@3",
    ]
    found = rp.evaluate({"q": {"a": 1, "b": 0}}, run, measures, duplicate_document="keep-first")
    expected = [1 / 2, 1 / 4, 2 / 3, 1, 2 / 4, 1 / 4, 1 / 3]
    assert list(found.means.values()) == pytest.approx(expected)
