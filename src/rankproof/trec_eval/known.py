"""Which measures has trec_eval, in which order, and what are their rows?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import log
from typing import Any, NamedTuple

from rankproof.arithmetic import GEOMETRIC_FLOOR, add
from rankproof.contract import Contract
from rankproof.errors import Fault, MeasureError
from rankproof.measures import Measure, parse
from rankproof.measures.graded import RBP
from rankproof.measures.names import TREC_NAMES
from rankproof.model import Placements
from rankproof.outcome import outcome
from rankproof.trec_eval import formulas, parameters
from rankproof.trec_eval.column import Column, Over, Query, Setting
from rankproof.trec_eval.preference_values import COUNTS, SHARES
from rankproof.trec_eval.preferences import Preferences

_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_LEVELS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_MULTIPLES = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)
_DEFAULTS: Mapping[str, Sequence[float]] = {
    "success": (1, 5, 10),
    "unj": (5, 10, 20),
    "iprec_at_recall": _LEVELS,
    "Rprec_mult": _MULTIPLES,
}

_Columns = Callable[[str, str | None, Setting], list[Column]]
"""From a measure's name, its parameters as given (None: none) and the setting."""


class Known(NamedTuple):
    """A measure of trec_eval: how its rows are made, for which judgments it is, since which version it is there."""

    columns: _Columns
    formats: tuple[str, ...] = ("qrels",)
    takes: bool = True  # whether parameters have an effect
    since: str = "9.0.8"


def _of_measure(label: str, measure: Measure, setting: Setting) -> Column:
    """Return the column of a measure; several groups of judgments are averaged."""
    contract = measure.contract_in_effect(setting.contract)
    if measure.over_queries == "geometric-mean":
        return Column(label, lambda query: log(max(_mean(measure, query, contract), GEOMETRIC_FLOOR)), "logs")
    return Column(label, lambda query: _mean(measure, query, contract), measure.over_queries)


def _mean(measure: Measure, query: Query, contract: Contract) -> float:
    values = [outcome(measure, at, contract).value or 0.0 for at in query.groups]
    return add(values, "sequential") / len(values) if len(values) > 1 else values[0]


def _plain(house: str, name: str, _: str | None, setting: Setting) -> list[Column]:
    return [_of_measure(name, parse(house), setting)]


def _at(house: str, name: str, given: str | None, setting: Setting) -> list[Column]:
    default = _DEFAULTS.get(name.removesuffix("_avgjg"), _CUTOFFS)
    found = default if given is None else parameters.cutoffs(name, given)
    return [_of_measure(f"{name}_{k}", parse(f"{house}@{k}"), setting) for k in found]


def _at_level(house: str, name: str, given: str | None, setting: Setting) -> list[Column]:
    found = _DEFAULTS[name.removesuffix("_avgjg")] if given is None else parameters.levels(name, given)
    return [_of_measure(f"{name}_{level:.2f}", parse(f"{house}@{level!r}"), setting) for level in found]


def _with_gains(house: str, name: str, given: str | None, setting: Setting) -> list[Column]:
    return [_of_measure(_named(name, given), _weighing(house, name, given, setting), setting)]


def _weighing(house: str, name: str, given: str | None, setting: Setting) -> Measure:
    """Return the measure with the gains given; a grade that they do not name keeps its own."""
    if given is None:
        return parse(house)
    own = {float(grade): float(grade) for grade in setting.grades if grade > 0}
    return parse(house).with_rules(gain_table={**own, **parameters.gains(name, given)})


def _ideal_dcg(name: str, given: str | None, setting: Setting) -> list[Column]:
    measure = _weighing("nDCG", name, given, setting)
    contract = measure.contract_in_effect(setting.contract)
    return [Column(_named(name, given), lambda query: measure.normaliser(query.groups[0], contract), "mean")]


def _rbp(name: str, given: str | None, setting: Setting) -> list[Column]:
    found = {"p": 0.9} if given is None else parameters.pairs(name, given)
    if set(found) != {"p"}:
        raise MeasureError(Fault(f"{name}: gains are not supported: {given}", expected="p=number alone, such as p=0.8"))
    return [_of_measure(_named(name, given), RBP(p=found["p"]), setting)]


def _named(name: str, given: str | None) -> str:
    return name if given is None else f"{name}_{given}"


_Formula = Callable[[Placements, Setting, Sequence[float]], Any]


def _formula(
    formula: _Formula, default: Sequence[float], name: str, given: str | None, setting: Setting
) -> list[Column]:
    found = default if given is None else parameters.numbers(name, given)
    over: Over = "nothing" if name == "relstring" else "mean"
    return [Column(_named(name, given), lambda query: formula(query.groups[0], setting, found), over)]


def _of_preferences(
    value: Callable[[Preferences], float], over: Over, name: str, _: str | None, __: Setting
) -> list[Column]:
    return [Column(name, lambda query: value(query.preferences), over)]


def _run_or_queries(name: str, _: str | None, __: Setting) -> list[Column]:
    return [Column(name, lambda _: 1.0, "run" if name == "runid" else "queries")]


_OF_PARAMETER = {"": _plain, "cutoff": _at, "recall": _at_level, "multiple": _at_level}
_MEASURES = {
    name: Known(partial(_OF_PARAMETER[parameter], house), takes=bool(parameter))
    for name, house, parameter in TREC_NAMES
}
_GROUPS = ("qrels_jg",)
_PREFERENCES = ("prefs", "qrels_prefs")
_EVERY = ("qrels", *_GROUPS, *_PREFERENCES)

_OWN: dict[str, Known] = {
    "runid": Known(_run_or_queries, _EVERY, takes=False),
    "num_q": Known(_run_or_queries, _EVERY, takes=False),
    "relstring": Known(partial(_formula, formulas.relevance_string, (10,))),
    "utility": Known(partial(_formula, formulas.utility, (1.0, -1.0, 0.0, 0.0))),
    "11pt_avg": Known(partial(_formula, formulas.interpolated_mean, _LEVELS)),
    "set_F": Known(partial(_formula, formulas.set_f, (1.0,))),
    "yaap": Known(partial(_formula, formulas.yaap, ()), takes=False),
    "dcg": Known(partial(_with_gains, "DCG"), since="10.0"),
    "ideal_dcg": Known(_ideal_dcg, since="10.0"),
    **{
        name: Known(partial(_with_gains, house))
        for name, house in (("ndcg", "nDCG"), ("ndcg_rel", "nDCGRel"), ("Rndcg", "RnDCG"), ("G", "G"))
    },
    "rbp": Known(_rbp, since="10.0"),
    "rbp_resid": Known(partial(_plain, "RBPResidual(p=0.9)"), takes=False, since="10.0"),
    "unj": Known(partial(_at, "Unjudged"), since="10.0"),
    **{
        name: Known(partial(_of_preferences, value, "sum"), _PREFERENCES, takes=False) for name, value in COUNTS.items()
    },
    **{
        name: Known(partial(_of_preferences, value, "mean"), _PREFERENCES, takes=False)
        for name, value in SHARES.items()
    },
    "map_avgjg": Known(partial(_plain, "AP"), _GROUPS, takes=False),
    "P_avgjg": Known(partial(_at, "P"), _GROUPS),
    "Rprec_mult_avgjg": Known(partial(_at_level, "RprecMult"), _GROUPS),
}

_ORDER = (
    *("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank"),
    *("iprec_at_recall", "P", "relstring", "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg"),
    *("binG", "G", "dcg", "ideal_dcg", "ndcg", "ndcg_rel", "Rndcg", "ndcg_cut", "map_cut", "relative_P", "success"),
    *("set_P", "set_relative_P", "set_recall", "set_map", "set_F", "num_nonrel_judged_ret"),
    *COUNTS,
    *SHARES,
    *("map_avgjg", "P_avgjg", "Rprec_mult_avgjg", "yaap", "rbp", "rbp_resid", "unj"),
)

KNOWN: Mapping[str, Known] = {name: {**_MEASURES, **_OWN}[name] for name in _ORDER}
"""trec_eval's measures by name, in the order in which it prints them."""

_SET = ("set_P", "set_recall", "set_relative_P", "set_map", "set_F")
NICKNAMES: Mapping[str, Sequence[str]] = {
    "official": _ORDER[: _ORDER.index("relstring")],
    "set": ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", *_SET),
    "all_trec": tuple(
        name for name, known in KNOWN.items() if "qrels" in known.formats and name not in ("dcg", "ideal_dcg", "yaap")
    ),
    "all_prefs": ("runid", "num_q", *COUNTS, *SHARES),
    "prefs": ("runid", "num_q", *COUNTS, "prefs_simp", "prefs_pair", "prefs_avgjg"),
    "qrels_jg": ("runid", "num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
}
"""trec_eval's names for several measures; those that a version does not have are left out."""
