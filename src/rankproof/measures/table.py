"""Which measures are there? Those of this package, and those that other packages add by an entry point."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from rankproof.answers import kebab
from rankproof.contract import Contract
from rankproof.errors import ContractError, Fault, MeasureError, nearest
from rankproof.measures.base import Measure
from rankproof.measures.counted import AP, GMAP, RR, F, NumRelRet, P, R, Rprec, RprecMult, SetAP, SetRelativeP, Success
from rankproof.measures.experimental import BinG, G, NDCGRel, RnDCG
from rankproof.measures.graded import CG, DCG, ERR, NDCG, RBP, RBPResidual
from rankproof.measures.pooled import Bpref, GMBpref, InfAP, IPrec, IPrec11
from rankproof.measures.shown import (
    DuplicateRate,
    EvidenceRate,
    Judged,
    NumNonrelRet,
    NumQ,
    NumRel,
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
        RprecMult,
        SetAP,
        SetRelativeP,
        CG,
        DCG,
        NDCG,
        NDCGRel,
        RnDCG,
        G,
        BinG,
        RBP,
        RBPResidual,
        ERR,
        Bpref,
        GMBpref,
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
        NumNonrelRet,
    )
}


def find(symbol: str) -> type[Measure] | None:
    """Return the measure of a symbol, in any case; other packages are asked only for what is not this package's."""
    return _by_symbol(MEASURES, symbol) or _by_symbol(known_measures(), symbol)


def _by_symbol(table: Mapping[str, type[Measure]], symbol: str) -> type[Measure] | None:
    return next((measure for known, measure in table.items() if known.lower() == symbol.lower()), None)


def check_overrides(contract: Contract) -> None:
    """Raise ContractError for an override that no measure would ever read."""
    for on, own in contract.overrides:
        symbol = on.removesuffix("@k")
        measure = MEASURES.get(symbol) or known_measures().get(symbol)
        if measure is None or (on.endswith("@k") and measure.at_field != "cutoff"):
            hint = f"nearest: {nearest(symbol, known_measures())}"
            expected = "a measure's symbol, or with @k behind it where it has a cutoff"
            raise ContractError(Fault(f"an override for {on!r}, which is none", expected=expected, hint=hint))
        if unread := [name for name, _ in own if name not in measure.rules_taken()]:
            raise ContractError(Fault(f"the override for {on}: {symbol} never asks for {kebab(unread[0])}"))


@cache
def known_measures() -> Mapping[str, type[Measure]]:
    """Return all measures by symbol: this package's, then those of entry points. MeasureError for a broken one."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - a fifth of the time that starting takes

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
