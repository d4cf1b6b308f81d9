"""Which one grade do several judges' grades become?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import fsum
from statistics import median
from typing import NamedTuple

from rankproof.errors import Fault, InputError, nearest
from rankproof.model import Grade


class Resolution(NamedTuple):
    """A way to make one grade of several: what it says, and the grade; None where it leaves that undecided."""

    says: str
    of: Callable[[Sequence[Grade]], Grade | None]


def _majority(grades: Sequence[Grade]) -> Grade | None:
    (grade, count), *others = Counter(grades).most_common(2)
    return None if others and others[0][1] == count else grade


RESOLVE: Mapping[str, Resolution] = {
    "majority": Resolution("the grade given most often; undecided where two are given as often", _majority),
    "mean": Resolution("the mean", lambda grades: fsum(grades) / len(grades)),
    "max": Resolution("the highest", max),
    "min": Resolution("the lowest", min),
    "median": Resolution("the middle one, of an even number the mean of the middle two", median),
    "unanimous": Resolution(
        "the grade that all give; undecided where they differ",
        lambda grades: grades[0] if len(set(grades)) == 1 else None,
    ),
}
"""The ways by name."""
DECIDES = ("max", "min", "mean", "median")
"""Those that always find a grade: they may decide what another leaves open."""
LEAVES_OPEN = tuple(name for name in RESOLVE if name not in DECIDES)


def resolved(grades: Sequence[Grade], how: str = "majority", ties: str | None = None) -> Grade | None:
    """Return the one grade of several judges' (at least one), whole where it is; None where it is undecided.

    `how` is a name of `RESOLVE`; `ties`, one of `DECIDES`, decides what `how` leaves open. InputError for others, and
    for no grade.
    """
    check_resolution(how, ties)
    if not grades:
        raise InputError(Fault("there is no grade to resolve", expected="a grade or more"))
    grade = RESOLVE[how].of(grades)
    if grade is None and ties is not None:
        grade = RESOLVE[ties].of(grades)
    return int(grade) if isinstance(grade, float) and grade.is_integer() else grade


def check_resolution(how: str, ties: str | None) -> None:
    """Refuse a way that does not exist, or one for ties that has no say."""
    for name, given, known in (("resolve", how, RESOLVE), ("ties", ties, DECIDES)):
        if given is not None and given not in known:
            hint = f"did you mean {nearest(given, known, 1)}?"
            raise InputError(Fault(f"{name} cannot be {given!r}", expected=f"one of {', '.join(known)}", hint=hint))
    if ties is not None and how not in LEAVES_OPEN:
        raise InputError(Fault(f"{how} leaves nothing open for ties={ties} to decide", hint="leave ties out"))
