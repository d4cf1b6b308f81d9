"""What does a gate require? `nDCG@10 drop<=0.01`, `R@100>=0.8`: read, and decided on an interval."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from rankproof.arithmetic import SAME, number_of
from rankproof.compare.intervals import Interval
from rankproof.errors import Fault, MeasureError
from rankproof.measures import Measure, parse

Status = Literal["pass", "fail", "undecided"]

QUANTITIES = {
    "": "the candidate's mean",
    "drop": "how far the mean fell: baseline minus candidate",
    "rise": "how far the mean rose: candidate minus baseline",
}
"""What may be bounded, by the word behind the measure."""

EXPECTED = "a measure, perhaps drop or rise, then <= or >= and a number: nDCG@10 drop<=0.01, R@100>=0.8"
_FORM = re.compile(
    r"(?P<measure>\S.*?)\s*(?:(?<=\s)(?P<quantity>[A-Za-z]+))?\s*(?P<sign><=|>=)\s*(?P<limit>[^\s%]+)\s*(?P<percent>%?)"
)


@dataclass(frozen=True, slots=True)
class Requirement:
    """A bound on a measure's mean, or on how far it moved; `relative`: the limit is a share of the baseline's mean."""

    text: str
    measure: Measure
    quantity: str
    at_least: bool
    limit: float
    relative: bool = False

    def decided(self, interval: Interval, limit: float) -> Status:
        """Return pass or fail where the whole interval lies on one side of the limit, else undecided."""
        near = SAME * max(1.0, abs(limit))  # a mean of equal values differs from them in its last digit
        if self.at_least:
            return "pass" if interval.low >= limit - near else "fail" if interval.high < limit - near else "undecided"
        return "pass" if interval.high <= limit + near else "fail" if interval.low > limit + near else "undecided"


def requirement(text: str) -> Requirement:
    """Return the requirement that a text spells. MeasureError says what was expected."""
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise MeasureError(Fault(f"the requirement {text!r} cannot be read", expected=EXPECTED, hint=_sign_hint(text)))
    quantity, limit = (found["quantity"] or "").lower(), number_of(found["limit"])
    if quantity not in QUANTITIES:
        named = ", ".join(name for name in QUANTITIES if name)
        close = get_close_matches(quantity, QUANTITIES, 1)
        hint = f"did you mean {close[0]}?" if close else None
        message = f"the requirement {text!r} bounds {quantity!r}"
        raise MeasureError(Fault(message, expected=f"{named}, or nothing", hint=hint))
    if limit is None or limit != limit or abs(limit) == float("inf"):  # noqa: PLR0124 - NaN is not itself
        raise MeasureError(Fault(f"the requirement {text!r} has the limit {found['limit']!r}", expected="a number"))
    if found["percent"] and not quantity:
        raise MeasureError(
            Fault(f"the requirement {text!r} bounds a mean by a share", expected="drop or rise before it")
        )
    measure = parse(found["measure"])
    _check_direction(text, measure, quantity, found["sign"])
    if measure.most is not None and not found["percent"] and abs(limit) > measure.most:
        raise MeasureError(
            Fault(f"the requirement {text!r} is out of reach", expected=f"{measure} lies from 0 to {measure.most:g}")
        )
    return Requirement(
        text=" ".join(text.split()),
        measure=measure,
        quantity=quantity,
        at_least=found["sign"] == ">=",
        limit=limit / 100 if found["percent"] else limit,
        relative=bool(found["percent"]),
    )


def _check_direction(text: str, measure: Measure, quantity: str, sign: str) -> None:
    """Refuse a bound that forbids a gain, or asks for a loss; the error says which bounds there are instead."""
    gain, loss = ("rise", "drop") if measure.higher_is_better else ("drop", "rise")
    wrong = {(gain, "<="): f"forbids {measure} to get better", (loss, ">="): f"asks {measure} to get worse"}
    if (quantity, sign) in wrong:
        less = "" if measure.higher_is_better else ": less of it is better"
        hint = f"{measure} {loss}<=… forbids it to get worse, {measure} {gain}>=… asks it to get better"
        raise MeasureError(Fault(f"the requirement {text!r} {wrong[quantity, sign]}{less}", hint=hint))


_SIGNS = {"<": "<=", "=<": "<=", "≤": "<=", ">": ">=", "=>": ">=", "≥": ">="}
"""How a bound is written elsewhere, and how here."""


def _sign_hint(text: str) -> str | None:
    sign = re.search(r"[<>=≤≥]+", re.sub(r"\([^()]*\)", "", text))  # options hold an = of their own
    if sign is None or sign[0] in _SIGNS.values():
        return None
    return f"write {_SIGNS.get(sign[0], '<= or >=')} for {sign[0]}"
