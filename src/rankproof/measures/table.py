"""Which measures are there? Those of this package, and those that other packages add by an entry point."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points

from rankproof.errors import Fault, MeasureError
from rankproof.measures.base import Measure
from rankproof.measures.counted import AP, GMAP, RR, F, P, R, Rprec, Success
from rankproof.measures.graded import CG, DCG, ERR, NDCG, RBP, RBPResidual
from rankproof.measures.pooled import Bpref, InfAP, IPrec, IPrec11
from rankproof.measures.shown import (
    DuplicateRate,
    EvidenceRate,
    Judged,
    NumQ,
    NumRel,
    NumRelRet,
    NumRet,
    Unjudged,
)

ENTRY_POINTS = "rankproof.measures"
"""The entry point group: name (any) = "package.module:MeasureClass"."""

MEASURES: dict[str, type[Measure]] = {
    measure.symbol: measure
    for measure in (
        P,
        R,
        F,
        Success,
        RR,
        AP,
        GMAP,
        Rprec,
        CG,
        DCG,
        NDCG,
        RBP,
        RBPResidual,
        ERR,
        Bpref,
        InfAP,
        IPrec,
        IPrec11,
        Judged,
        Unjudged,
        DuplicateRate,
        EvidenceRate,
        NumQ,
        NumRet,
        NumRel,
        NumRelRet,
    )
}


@cache
def known_measures() -> Mapping[str, type[Measure]]:
    """Return all measures by symbol: this package's, then those of entry points. MeasureError for a broken one."""
    found = dict(MEASURES)
    for entry in entry_points(group=ENTRY_POINTS):
        where = f"entry point {entry.name} = {entry.value}"
        try:
            measure = entry.load()
        except Exception as error:  # whatever another package raises on import is its fault, and must name it
            raise MeasureError(Fault(f"{where}: cannot be loaded: {error}")) from error
        if not (isinstance(measure, type) and issubclass(measure, Measure)):
            raise MeasureError(Fault(f"{where}: is no measure", expected="a subclass of rankproof.measures.Measure"))
        if missing := [name for name in ("symbol", "formula", "source", "examples") if not hasattr(measure, name)]:
            raise MeasureError(Fault(f"{where}: the measure has no {missing[0]}"))
        if measure.symbol.lower() in {symbol.lower() for symbol in found}:
            raise MeasureError(Fault(f"{where}: there is a measure {measure.symbol} already"))
        found[measure.symbol] = measure
    return found


def measures() -> list[type[Measure]]:
    """Return all measures: classes, described by their docstring, symbol, formula, source and examples."""
    return list(known_measures().values())
