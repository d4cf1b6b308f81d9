"""What are the values of what is no measure of this package, or is added up in another order there?

Each takes the placements of one query, the setting, and the numbers behind the measure's name. Sums go in trec_eval's
order, so that the last bit agrees.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from rankproof.arithmetic import add
from rankproof.errors import Fault, MeasureError
from rankproof.measures.counted import AP, P, R
from rankproof.measures.pooled import IPrec
from rankproof.model import Placements
from rankproof.outcome import outcome
from rankproof.trec_eval.column import Setting


def utility(at: Placements, setting: Setting, weights: Sequence[float]) -> float:
    """Return the weighted sum of the relevant retrieved, the others retrieved, the relevant missed and all others."""
    if len(weights) != 4:
        expected = "four weights: of relevant retrieved, others retrieved, relevant missed, all others"
        raise MeasureError(Fault(f"utility: {len(weights)} parameters", expected=expected))
    relevant = at.at_least(setting.contract.relevant_from)
    hits = sum(grade >= setting.contract.relevant_from for grade in at.grades)
    cells = (hits, at.returned - hits, relevant - hits, setting.documents + hits - at.returned - relevant)
    return add((weight * cell for weight, cell in zip(weights, cells, strict=True)), "sequential")


def interpolated_mean(at: Placements, setting: Setting, levels: Sequence[float]) -> float:
    """Return the mean of the interpolated precision at recall levels, added up from the highest level down."""
    values = [outcome(IPrec(level), at, setting.contract).value or 0.0 for level in sorted(levels, reverse=True)]
    return add(values, "sequential") / len(levels)


def set_f(at: Placements, setting: Setting, weights: Sequence[float]) -> float:
    """Return the harmonic mean of set precision and recall; recall weighs as often as the first number says."""
    precision, recall = (outcome(measure, at, setting.contract).value or 0.0 for measure in (P(), R()))
    return (weights[0] + 1.0) * precision * recall / (weights[0] * precision + recall) if precision else 0.0


def yaap(at: Placements, setting: Setting, _: Sequence[float]) -> float:
    """Return the log of the odds of a smoothed average precision (Robertson, On Smoothing Average Precision, 2012)."""
    precisions = add((amount for _, _, amount in AP().terms(at, setting.contract)), "sequential")
    return log((1.0 + precisions) / (1.0 + at.at_least(setting.contract.relevant_from) - precisions))


def relevance_string(at: Placements, _: Setting, length: Sequence[float]) -> str:
    """Return a character a place, in quotes: 0 to 9, > above, - outside the pool, . pooled but not judged."""
    shown = ["-"] * min(max(int(length[0]), 0), at.returned)
    for rank, grade in at.within(len(shown) or -1):
        shown[rank - 1] = "." if grade < 0 else ">" if grade >= 10 else str(int(grade))
    return f"'{''.join(shown)}'"
