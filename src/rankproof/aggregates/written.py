"""What does a table mean by what is written in it: which number, how exactly, and which measure?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from rankproof.errors import RankproofError
from rankproof.measures import Measure, parse

BLANK = frozenset({"", "-", "--", "–", "—", "…", "?", "/", "n/a", "na", "nan", "none", "null"})
"""What stands in a cell without a value, in lower case."""

_EMPHASIS = " \t*_`~"
_AROUND = _EMPHASIS + "↑↓"
_NUMBER = re.compile(
    r"(?P<sign>[-+−]?)(?P<whole>\d{0,60})(?:(?P<point>[.,])(?P<decimals>\d{0,60}))?(?:[eE](?P<exponent>[-+]?\d{1,3}))?"
    r"\s*(?P<percent>%?)[\s*_`~†‡§¶▲△▼▽↑↓ᵃ-ᶻ]*(?P<more>(?:±|\+/-|\\pm|\(|\[).*)?",
    re.DOTALL,
)
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")


class Written(NamedTuple):
    """A number as it stands in a cell: its text, its value, and the worth of one step of its last decimal."""

    text: str
    value: Fraction
    step: Fraction
    percent: bool  # a percent sign stands behind it
    more: bool  # so does something else, such as ± 0.01: it was not read


def number_in(text: str) -> Written | None:
    """Return the number in a cell; None where it holds none.

    Emphasis and marks of significance are passed over; a comma may be the decimal point.
    """
    shape = _NUMBER.fullmatch(text.strip(_EMPHASIS))
    if shape is None or not (shape["whole"] or shape["decimals"]):
        return None
    decimals = shape["decimals"] or ""
    step = Fraction(10) ** (int(shape["exponent"] or 0) - len(decimals))
    value = int(shape["whole"] + decimals) * step * (1 if shape["sign"] in ("", "+") else -1)
    shown = text.strip(_EMPHASIS)[: shape.start("more") if shape["more"] else None].strip()
    return Written(shown, value, step, bool(shape["percent"]), bool(shape["more"]))


def count_in(text: str) -> int | None:
    """Return the whole number from 1 on in a cell, thousands perhaps parted by commas; None where it holds none."""
    bare = text.strip(_EMPHASIS)
    number = number_in(bare.replace(",", "") if _THOUSANDS.fullmatch(bare) else bare)
    if number is None or number.percent or number.value.denominator != 1 or number.value < 1:
        return None
    return int(number.value)


_WORDS: Mapping[str, str] = {
    "recall": "R",
    "precision": "P",
    "prec": "P",
    "ndcg": "nDCG",
    "mrr": "RR",
    "map": "AP",
    "mean_average_precision": "AP",
    "f1": "F",
    "success": "Success",
    "success_rate": "Success",
    "hit": "Success",
    "hit_rate": "Success",
    "hr": "Success",
    "acc": "Success",
    "accuracy": "Success",
}
"""What tables call a measure with a cutoff behind it, where `measures.parse` reads it not, or not as they write it."""

_JOINED = frozenset({"recall", "precision", "ndcg", "mrr"})
"""Those whose cutoff may follow at once: NDCG10. (mAP50 measures something else.)"""

_CUT = re.compile(
    r"(?P<name>[a-z].*?)(?P<between>[\s_.-]*(?:@|(?<![a-z])at(?![a-z]))?[\s_.-]*)(?P<k>\d{1,6})(?P<kilo>k?)"
)
_PERCENT = re.compile(r"\s*(\(%\)|\[%\]|%|\(in %\))$")


class Named(NamedTuple):
    """A measure that a column or a row is named by, and whether the name says that it holds percentages."""

    measure: Measure
    percent: bool


@lru_cache(maxsize=4096)
def measure_in(text: str) -> Named | None:
    """Return the measure that a text names, by the package's names or those that tables use; None where none."""
    bare = text.strip(_AROUND)
    name = _PERCENT.sub("", bare).strip(_AROUND)
    for spelled in (name, _respelled(name)):
        try:
            if spelled:
                return Named(parse(spelled), _PERCENT.search(bare) is not None)
        except RankproofError:
            continue
    return None


def _respelled(name: str) -> str | None:
    shape = _CUT.fullmatch(name.lower())
    if shape is None:
        return None
    word = re.sub(r"[\s-]+", "_", shape["name"].strip())
    if word not in _WORDS or not (shape["between"] or word in _JOINED):
        return None
    return f"{_WORDS[word]}@{int(shape['k']) * (1000 if shape['kilo'] else 1)}"
