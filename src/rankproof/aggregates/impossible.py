"""Which values of a table of results cannot be true together?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from rankproof.aggregates.laws import REASONS, RETURNED, Claim, Term, claims
from rankproof.aggregates.stated import Aggregates, Row, Stated, is_share
from rankproof.aggregates.whole import MOST_PLACES, MOST_QUERIES, Mean, mean_of_parts, means_of_ranks, nearest_fewer
from rankproof.measures import Measure
from rankproof.words import query_count

KINDS: Mapping[str, str] = {
    "outside-range": "a share is below 0 or above 1",
    "falls-as-k-grows": "R, Success, RR or AP falls as k grows",
    "hits-fall": "k times P@k falls as k grows",
    "too-many-hits": "k times P@k grows by more than the places",
    "precision-above-success": "P@k is above Success@k",
    "success-above-hits": "Success@k is above k times P@k",
    "recall-above-success": "R@k is above Success@k",
    "ap-above-success": "AP@k is above Success@k",
    "ap-above-recall": "AP@k is above R@k",
    "reciprocal-rank-too-high": "RR is higher than the first hits, by Success, allow",
    "reciprocal-rank-too-low": "RR is lower than the first hits, by Success, allow",
    "no-whole-number": "no whole number of queries, or of hits, gives this mean",
    "equal-rows": "two systems have the same values: suspicious, not impossible",
}
"""What can be found."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that cannot be true (or, for `equal-rows`, that is suspicious), and the rules that would excuse it.

    `unless`: answers to rules, such as `recall-denominator=capped`, under which it may be true yet (`overrides`: a
    contract that gives one of the measures other rules; `scale=percent`: the numbers are percentages, though one of
    the table is at most 1); none: it is true under no contract.
    """

    kind: str
    message: str
    system: str
    measures: Sequence[str]
    line: int | None = None
    unless: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the finding, ready for JSON."""
        return {
            "kind": self.kind,
            "message": self.message,
            "system": self.system,
            "measures": list(self.measures),
            "line": self.line,
            "unless": list(self.unless),
        }


def impossible(aggregates: Aggregates) -> list[Finding]:
    """Return what cannot be true in a table of results, row by row; then the rows that are equal.

    - A share is below 0 or above 1.
    - Values of one row break a law that holds for every run: see `laws`, which states and proves each.
    - A mean is none of whole queries: Success@k over n queries is h/n; P@k is h/(n·k); n times RR@k is a sum of 1/1 …
      1/k (tried for up to 100 queries and k up to 10).
    - Two rows with at least two values are equal in all.

    Rounding is allowed for, and in means of whole queries that decimals were cut off: only what no values within it
    could make true is found. What may be true under some contract is told with the rules that make it so, in `unless`.
    """
    found = [finding for row in aggregates.rows for finding in _in_row(row)]
    return [*found, *_equal_rows(aggregates.rows)]


def _in_row(row: Row) -> Iterator[Finding]:
    yield from _outside_range(row)
    for known in _alike(row):
        for claim in claims(known):
            if claim.is_broken and (finding := _told(row, claim)):
                yield finding
    yield from _no_whole_number(row)


def _outside_range(row: Row) -> Iterator[Finding]:
    for measure, stated in row.values.items():
        if not is_share(measure):
            continue
        name, most = str(measure), "100 %" if stated.scale == "percent" else "1"
        if stated.high < 0:
            message = f"{name} {stated.text}: no value is below 0"
            yield Finding("outside-range", message, row.system, [name], stated.line)
        elif stated.low > 1:
            excuses = {"rbp-gain=raw": measure.symbol == "RBP", "scale=percent": stated.scale == "unknown"}
            unless = tuple(excuse for excuse, holds in excuses.items() if holds)
            message = f"{name} {stated.text}: no value is above {most}"
            yield _finding("outside-range", message, row, {name: stated}, unless)


def _alike(row: Row) -> list[dict[str, dict[int | None, Term]]]:
    """Return the values of a known scale by symbol and cutoff, apart for each set of options."""
    found: dict[object, dict[str, dict[int | None, Term]]] = {}
    for measure, stated in row.values.items():
        if stated.scale in ("share", "percent") and measure.at_field == "cutoff":
            known = found.setdefault(measure.rules, {})
            known.setdefault(measure.symbol, {})[_cutoff(measure)] = Term(measure, stated)
    return list(found.values())


def _cutoff(measure: Measure) -> int | None:
    cutoff: int | None = getattr(measure, "cutoff", None)
    return cutoff


def _told(row: Row, claim: Claim) -> Finding | None:
    """Return a broken law as a finding; None where the measures' own options excuse it."""
    terms = sorted([*claim.lesser, *claim.greater], key=lambda term: _cutoff(term.measure) or 0)
    own = {f"{name.replace('_', '-')}={answer}" for term in terms for name, answer in term.measure.rules}
    if own & set(claim.unless):
        return None
    said = {str(term.measure): term.stated for term in terms}
    values = ", ".join(f"{name} {stated.text}" for name, stated in said.items())
    return _finding(claim.kind, f"{values}: {claim.why}", row, said, claim.unless)


def _finding(kind: str, message: str, row: Row, said: Mapping[str, Stated], unless: tuple[str, ...]) -> Finding:
    reasons = " or ".join(f"{REASONS[one]} ({one})" for one in unless)
    line = next(iter(said.values())).line
    return Finding(kind, f"{message}{f'; unless {reasons}' if unless else ''}", row.system, list(said), line, unless)


Fitting: TypeAlias = Callable[[Fraction, Fraction, int, int], Mean | None]


def _of_parts(low: Fraction, high: Fraction, queries: int, parts: int) -> Mean | None:
    return mean_of_parts(low, high, queries, parts) or nearest_fewer(low, high, queries, parts)


def _of_ranks(low: Fraction, high: Fraction, queries: int, cutoff: int) -> Mean | None:
    if queries > MOST_QUERIES or cutoff > MOST_PLACES:
        return Mean(low, queries)  # not tried: as if it fitted
    return means_of_ranks(low, high, queries, cutoff)


WHOLE: Mapping[str, tuple[Fitting, tuple[str, ...]]] = {
    "Success": (lambda low, high, queries, _: _of_parts(low, high, queries, 1), ()),
    "P": (_of_parts, (RETURNED,)),
    "RR": (_of_ranks, ()),
}
"""How the means that a measure can have are found, and the rules under which there are others."""


def _no_whole_number(row: Row) -> Iterator[Finding]:
    for measure, stated in row.values.items():
        cutoff = _cutoff(measure)
        queries = stated.queries
        if queries is None or measure.symbol not in WHOLE or cutoff is None or not _is_inside(stated):
            continue
        fitting, unless = WHOLE[measure.symbol]
        cut_off = stated.high + (stated.high - stated.low) / 2  # some cut decimals off, and do not round
        mean = fitting(stated.low, cut_off, queries, cutoff)
        own = dict(measure.rules)
        if (mean and mean.queries == queries) or own.keys() & {"ties", "precision_denominator"}:
            continue
        name = str(measure)
        message = f"{name} {stated.text}: no mean over {query_count(queries)}"
        if mean:
            message += f" (over {mean.queries} it could be {float(mean.total):g}/{mean.queries})"
            unless = (*unless, "no-relevant=skip", "missing-query=skip")
        yield _finding("no-whole-number", message, row, {name: stated}, (*unless, "ties=expected"))


def _is_inside(stated: Stated) -> bool:
    """Return whether a value has a known scale and is not outside its range, which is told apart."""
    return stated.scale in ("share", "percent") and stated.high >= 0 and stated.low <= 1


def _equal_rows(rows: Sequence[Row]) -> Iterator[Finding]:
    first: dict[frozenset[tuple[Measure, Fraction, Fraction]], Row] = {}
    for row in rows:
        key = frozenset((measure, stated.low, stated.high) for measure, stated in row.values.items())
        if len(key) < 2:
            continue
        other = first.setdefault(key, row)
        if other is not row:
            names = list(map(str, row.values))
            message = f"has the same values as {other.system}, in all {len(names)} measures"
            yield Finding("equal-rows", message, row.system, names, row.line)
