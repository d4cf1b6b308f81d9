"""What does a gate require? `nDCG@10 drop<=0.01`, `R@100>=0.8`: read, and decided on an interval."""

from __future__ import annotations

import re
from dataclasses import dataclass
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
        raise MeasureError(Fault(f"the requirement {text!r} cannot be read", expected=EXPECTED))
    quantity, limit = (found["quantity"] or "").lower(), number_of(found["limit"])
    if quantity not in QUANTITIES:
        named = ", ".join(name for name in QUANTITIES if name)
        raise MeasureError(Fault(f"the requirement {text!r} bounds {quantity!r}", expected=f"{named}, or nothing"))
    if limit is None or limit != limit or abs(limit) == float("inf"):  # noqa: PLR0124 - NaN is not itself
        raise MeasureError(Fault(f"the requirement {text!r} has the limit {found['limit']!r}", expected="a number"))
    if found["percent"] and not quantity:
        raise MeasureError(
            Fault(f"the requirement {text!r} bounds a mean by a share", expected="drop or rise before it")
        )
    measure = parse(found["measure"])
    if not measure.higher_is_better and quantity == ("rise" if found["sign"] == ">=" else "drop"):
        other = "drop>=" if quantity == "rise" else "rise<="
        message = f"the requirement {text!r} forbids {measure} to get better: less of it is better"
        raise MeasureError(Fault(message, hint=f"{measure} {other}… forbids it to get worse"))
    return Requirement(
        text=" ".join(text.split()),
        measure=measure,
        quantity=quantity,
        at_least=found["sign"] == ">=",
        limit=limit / 100 if found["percent"] else limit,
        relative=bool(found["percent"]),
    )
