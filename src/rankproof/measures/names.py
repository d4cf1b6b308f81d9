"""What is a measure called? The house spelling, and those of ir_measures, trec_eval and ranx, which are read too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, fields, replace
from difflib import get_close_matches
from math import sqrt
from typing import Any

from rankproof.arithmetic import number_of
from rankproof.errors import Fault, MeasureError, RankproofError, nearest
from rankproof.measures.base import SHORT, Measure
from rankproof.measures.table import find, known_measures
from rankproof.rules import known_rule

ALIASES = {
    # ir_measures
    "setp": "P",
    "setr": "R",
    "setf": "F",
    "map": "AP",
    "mrr": "RR",
    # ranx
    "precision": "P",
    "recall": "R",
    "f1": "F",
    "hit_rate": "Success",
    "hits": "NumRelRet",
    "r_precision": "Rprec",
    "r-precision": "Rprec",
    "dcg_burges": "DCG(gain=exponential)",
    "ndcg_burges": "nDCG(gain=exponential)",
    # as people write them
    "hitrate": "Success",
    "hit": "Success",
    "mean_reciprocal_rank": "RR",
    "average_precision": "AP",
}
"""Other names for a measure, in lower case; a cutoff and options may follow."""

TREC_NAMES: tuple[tuple[str, str, str], ...] = (
    # trec_eval's name, the house spelling, what trec_eval's parameter is here ("": it takes none)
    ("num_q", "NumQ", ""),
    ("num_ret", "NumRet", ""),
    ("num_rel", "NumRel", ""),
    ("num_rel_ret", "NumRelRet", ""),
    ("num_nonrel_judged_ret", "NumNonrelRet", ""),
    ("map", "AP", ""),
    ("map_cut", "AP", "cutoff"),
    ("gm_map", "GMAP", ""),
    ("Rprec", "Rprec", ""),
    ("Rprec_mult", "RprecMult", "multiple"),
    ("bpref", "Bpref", ""),
    ("gm_bpref", "GMBpref", ""),
    ("recip_rank", "RR", ""),
    ("iprec_at_recall", "IPrec", "recall"),
    ("11pt_avg", "IPrec11", ""),
    ("P", "P", "cutoff"),
    ("recall", "R", "cutoff"),
    ("success", "Success", "cutoff"),
    ("set_P", "P", ""),
    ("set_recall", "R", ""),
    ("set_F", "F", ""),
    ("set_map", "SetAP", ""),
    ("relative_P", "R(recall-denominator=capped)", "cutoff"),
    ("set_relative_P", "SetRelativeP", ""),
    ("infAP", "infAP", ""),
    ("ndcg", "nDCG", ""),
    ("ndcg_cut", "nDCG", "cutoff"),
    ("ndcg_rel", "nDCGRel", ""),
    ("Rndcg", "RnDCG", ""),
    ("G", "G", ""),
    ("binG", "BinG", ""),
    ("rbp", "RBP(p=0.9)", ""),
    ("rbp_resid", "RBPResidual(p=0.9)", ""),
    ("unj", "Unjudged", "cutoff"),
)

_WITH_OPTION = {
    **{
        f"{name}.": f"{house}(gain=table,gain-table={{{{{{}}}}}})"
        for name, house in (("ndcg", "nDCG"), ("ndcg_rel", "nDCGRel"), ("Rndcg", "RnDCG"), ("G", "G"))
    },
    "set_F.": "SetF(beta={})",
    "set_F_": "SetF(beta={})",
}
"""trec_eval's names whose parameter is an option here."""

_CUTOFFS = ("5", "10", "15", "20", "30", "100", "200", "500", "1000")
_LEVELS = ("0.00", "0.10", "0.20", "0.30", "0.40", "0.50", "0.60", "0.70", "0.80", "0.90", "1.00")
TREC_FAMILIES: dict[str, tuple[str, ...]] = {
    "ndcg_cut": tuple(f"ndcg_cut_{k}" for k in _CUTOFFS),
    "map_cut": tuple(f"map_cut_{k}" for k in _CUTOFFS),
    "iprec_at_recall": tuple(f"iprec_at_recall_{level}" for level in _LEVELS),
    "success": tuple(f"success_{k}" for k in (1, 5, 10)),
    "unj": tuple(f"unj_{k}" for k in (5, 10, 20)),
}
TREC_FAMILIES["official"] = (
    *("num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank"),
    *TREC_FAMILIES["iprec_at_recall"],
    *(f"P_{k}" for k in _CUTOFFS),
)
"""trec_eval's names for several measures at once (`P` and `recall` alone read as the house's and ranx's)."""

_HOUSE = re.compile(r"(?P<symbol>[^\s()@]+)\s*(\((?P<options>.*)\))?\s*(@\s*(?P<at>[^\s()@]+))?")
_NUMBERED = re.compile(r"(?P<name>.+?)[_.:-]?(?P<number>\d+)")
_BETWEEN = re.compile(r"[,;\s]+(?![^()]*\))")
"""What parts measures that were named at once; commas in parentheses part options."""

_RANX_LEVEL = re.compile(r"(?P<name>[^@()]+)(?P<at>@\w+)?-l(?P<level>\d{1,9})")
_RANX_RBP = re.compile(r"rbp\.(?P<digits>\d+)")


def parse(text: str) -> Measure:
    """Return the measure of a name such as `P(rel=2)@5`, `ndcg_cut_10` or `mrr@10`; MeasureError if there is none."""
    found = parse_all([text])
    if len(found) > 1:
        raise MeasureError(Fault(f"{text!r} names {len(found)} measures", expected="one"))
    return found[0]


def parse_all(texts: Iterable[str | Measure] | str | Measure) -> list[Measure]:
    """Return the measures of a name, or of names, each once; families such as `P.5,10` and `official` name several."""
    found: dict[Measure, None] = {}
    for text in [texts] if isinstance(texts, (str, Measure)) else texts:
        if isinstance(text, Measure):
            found[text] = None
        elif isinstance(text, str):
            found.update(dict.fromkeys(_named_by(text.strip())))
        else:
            raise MeasureError(Fault(f"{text!r} is no measure", expected="a name such as nDCG@10"))
    return list(found)


def _named_by(text: str) -> list[Measure]:
    try:
        return list(map(_parse, _spelled_out(text)))
    except MeasureError as error:
        parts = [part for part in _BETWEEN.split(text) if part]
        if len(parts) < 2 or not all(map(_reads, parts)):
            raise
        hint = f"name one measure with each -m: {' '.join(f'-m {part}' for part in parts)} (in Python a list)"
        raise MeasureError(*(replace(fault, hint=hint) for fault in error.faults)) from error


def _reads(text: str) -> bool:
    try:
        parse_all(text)
    except RankproofError:
        return False
    return True


def other_names(measure: type[Measure]) -> list[str]:
    """Return what other tools call a measure, a parameter as `_k` or `_x`."""
    names = [alias for alias, house in ALIASES.items() if house.partition("(")[0] == measure.symbol]
    for name, house, parameter in TREC_NAMES:
        if house.partition("(")[0] == measure.symbol:
            names.append(name + {"": "", "cutoff": "_k", "recall": "_x", "multiple": "_x"}[parameter])
    return list(dict.fromkeys(names))


def trec_name(measure: Measure) -> str | None:
    """Return trec_eval's name of a measure, None where it has none."""
    for name, house, parameter in TREC_NAMES:
        spelled = str(measure)
        if not parameter and spelled == house:
            return name
        if parameter and spelled.startswith(f"{house}@"):
            value = spelled.rpartition("@")[2]
            if parameter == "cutoff":
                return f"{name}_{value}"
            two_decimals = f"{float(value):.2f}"  # all that trec_eval prints of a level
            return f"{name}_{two_decimals}" if float(two_decimals) == float(value) else None
    return None


def _spelled_out(text: str) -> Iterator[str]:
    """Yield the house spellings that a trec_eval name stands for; the text itself where it is none."""
    if text in TREC_FAMILIES:
        for member in TREC_FAMILIES[text]:
            yield from _spelled_out(member)
        return
    plain = {name: house for name, house, parameter in TREC_NAMES if not parameter}
    if text in plain:
        yield plain[text]
        return
    with_parameter = {name: house for name, house, parameter in TREC_NAMES if parameter}
    for name in sorted(with_parameter, key=len, reverse=True):
        if text[: len(name) + 1] in (f"{name}_", f"{name}."):
            yield from (f"{with_parameter[name]}@{value}" for value in text[len(name) + 1 :].split(","))
            return
    for start, house in _WITH_OPTION.items():
        if text.startswith(start):
            text = house.format(text.removeprefix(start).replace("=", ":"))
    yield text


def _parse(text: str) -> Measure:
    if ranx := _RANX_LEVEL.fullmatch(text):
        text = f"{ranx['name']}(rel={ranx['level']}){ranx['at'] or ''}"
    elif ranx := _RANX_RBP.fullmatch(text):
        text = f"RBP(p=0.{ranx['digits']})"
    shape = _HOUSE.fullmatch(text)
    if shape is None:
        raise MeasureError(Fault(f"{text!r} is no measure", expected="a name such as nDCG@10 or P(rel=2)@5"))
    alias = shape["symbol"].lower()
    symbol, _, implied = ALIASES.get(alias, shape["symbol"]).partition("(")
    measure = find(symbol)
    if measure is None:
        hint = f"nearest: {', '.join(_meant(shape))}; `rankproof measures` lists all"
        raise MeasureError(Fault(f"unknown measure {text!r}", hint=hint))
    options = list(_pairs(f"{implied.rstrip(')')},{shape['options'] or ''}", text))
    return _made(
        measure, text, [_CONVERTED.get((alias, name), _same)(name, value) for name, value in options], shape["at"]
    )


def _meant(shape: re.Match[str]) -> list[str]:
    """Return the names most like an unknown one, with its options and its cutoff, which may lack the @."""
    symbol, rest = shape["symbol"], shape.string[shape.end("symbol") :]
    tries = [(symbol, rest)]
    if shape["at"] is None and (numbered := _NUMBERED.fullmatch(symbol)):
        tries.insert(0, (numbered["name"], f"{rest}@{numbered['number']}"))
    spelled: dict[str, str] = {}
    for name in (*known_measures(), *ALIASES, *(name for name, _, _ in TREC_NAMES)):
        spelled.setdefault(name.lower(), name)
    for name, behind in tries:
        near = [name.lower()] if name.lower() in spelled else get_close_matches(name.lower(), spelled, 3, 0.6)
        found = [spelled[one] + behind for one in near if not behind or _takes(spelled[one], behind)]
        if found:
            return found
    return [nearest(symbol, spelled.values())]


def _takes(name: str, behind: str) -> bool:
    """Return whether these options and this cutoff may stand behind a name."""
    return find(ALIASES.get(name.lower(), name).partition("(")[0]) is not None and _reads(f"{name}{behind}")


def _made(measure: type[Measure], text: str, options: Iterable[tuple[str, str]], at: str | None) -> Measure:
    own = {f.name: f for f in fields(measure) if f.name not in ("rules", measure.at_field)}
    chosen: dict[str, Any] = {}
    answers: list[tuple[str, Any]] = []
    for name, value in options:
        if name in chosen:
            raise MeasureError(Fault(f"{text!r}: {name} is given twice", expected="each option once"))
        if name in own:
            chosen[name] = _number(value)
        else:
            rule, answer = _IR_MEASURES.get((name, value.strip("'\"").lower()), (name, value))
            answers.append((_LONG.get(rule, rule), answer))
    if at is not None:
        if measure.at_field is None:
            raise MeasureError(Fault(f"{text!r}: {measure.symbol} takes nothing after an @"))
        chosen[measure.at_field] = _number(at)
    if lacking := [name for name, f in own.items() if f.default is MISSING and name not in chosen]:
        raise MeasureError(Fault(f"{text!r} needs {lacking[0]}", hint=f"such as {measure.examples[0]}"))
    try:
        return measure(**chosen, rules=_with_implied(measure, answers))
    except RankproofError as error:
        hint = "name one measure with each -m" if at is not None and "," in at else None
        faults = (replace(one, message=f"{text!r}: {one.message}", hint=hint or one.hint) for one in error.faults)
        raise MeasureError(*faults) from error


def _with_implied(measure: type[Measure], answers: list[tuple[str, Any]]) -> tuple[tuple[str, Any], ...]:
    """Return the answers with what `rel` implies for this measure, so that it has an effect."""
    given = {known_rule(name) for name, _ in answers}
    implied = measure.rel_implies if "relevant_from" in given else ()
    return (*answers, *(one for one in implied if one[0] not in given))


def _same(name: str, value: str) -> tuple[str, str]:
    return name, value


def _root(name: str, value: str) -> tuple[str, str]:
    number = _number(value)
    return name, repr(sqrt(number)) if isinstance(number, (int, float)) and number > 0 else value


_CONVERTED = {("setf", "beta"): _root}
"""Options that another tool counts otherwise: its SetF(beta=x) passes x to trec_eval, which means beta squared."""


_LONG = {short: rule for rule, short in SHORT.items()}
_IR_MEASURES = {
    ("judged_only", "true"): ("unjudged", "condensed"),
    ("judged_only", "false"): ("unjudged", "non-relevant"),
    ("dcg", "log2"): ("gain", "linear"),
    ("dcg", "exp-log2"): ("gain", "exponential"),
}
"""ir_measures' options that are rules here under another name."""


def _pairs(options: str, text: str) -> Iterator[tuple[str, str]]:
    for option in re.split(r",(?![^{]*\})", options):
        if option.strip():
            name, equals, value = option.partition("=")
            if not equals:
                raise MeasureError(Fault(f"{text!r}: {option.strip()!r} is no option", expected="option=value"))
            yield name.strip(), value.strip().strip("{}")


def _number(text: str) -> int | float | str:
    """Return the number, whole where it is written so; the text itself where it is none, for the measure to refuse."""
    if re.fullmatch(r"\d{1,18}", text):
        return int(text)
    number = number_of(text)
    return text if number is None else number
