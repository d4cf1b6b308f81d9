"""Which ids hold what nobody sees, or differ from others in what nobody means?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from rankproof.check.finding import Place, Tallies

Column = Literal["query_id", "doc_id"]
Lines = dict[str, int | None]
"""The first line of each id; None where the format has no lines."""

_PADDED = re.compile(r"(\D*)0+(\d+)")


def _unpadded(one: str) -> str:
    """Return an id that is a number, or ends in its only one, without leading zeros."""
    found = _PADDED.fullmatch(one)
    return one if found is None else found[1] + found[2]


WAYS: Mapping[str, Callable[[str], str]] = {"case": str.casefold, "padding": _unpadded}
"""In what ids may differ that are meant to be one."""


def place_of(column: Column, one: str, line: int | None) -> Place:
    """Return where an id is."""
    return Place(line, one, None) if column == "query_id" else Place(line, None, one)


def look_at_ids(column: Column, lines: Lines, found: Tallies) -> None:
    """Note the ids of one file that hold what nobody sees, or differ among themselves only so."""
    for one, line in lines.items():
        if "\ufeff" in one:
            found.add("mark-in-id", place_of(column, one, line), repr(one))
        if one[:1].isspace() or one[-1:].isspace():
            found.add("blanks-around-id", place_of(column, one, line), repr(one))
    for way, normal in WAYS.items():
        met: dict[str, str] = {}
        for one, line in lines.items():
            first = met.setdefault(normal(one), one)
            if first != one:
                found.add(f"same-but-for-{way}", place_of(column, one, line), f"{first} and {one}")


def look_at_both(column: Column, here: Lines, there: Iterable[str], file: str, found: Tallies) -> None:
    """Note the ids that stand here alone, and differ from one that stands there alone only so."""
    others = [one for one in there if one not in here]
    alone = set(here).difference(there)
    for way, normal in WAYS.items():
        known = {normal(one): one for one in others}
        for one, line in here.items():
            if one in alone and (other := known.get(normal(one))) is not None:
                found.add(f"other-{way}", place_of(column, one, line), f"{file} ({other}, here {one})")
