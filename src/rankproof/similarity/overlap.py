"""How much do two rankings of different things have in common, the top counting most?

A ranking is a sequence of items, best first; a list, tuple or set in it holds items that are tied. `overlap` and `rbo`
read both rankings downwards together; at each depth an item is unseen, open (its tie reaches deeper) or whole.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from math import fsum, log1p, sqrt
from typing import Literal, NamedTuple, TypeAlias

from rankproof.arithmetic import check_count
from rankproof.errors import Fault, InputError, MeasureError, seen

Tied: TypeAlias = list[Hashable] | tuple[Hashable, ...] | set[Hashable] | frozenset[Hashable]
TiesInRBO: TypeAlias = Literal["a", "b", "w"]

_UNSEEN, _OPEN, _WHOLE = range(3)


class RBO(NamedTuple):
    """Rank-biased overlap of two rankings that may go on: what is certain, what is open, and the best guess."""

    minimum: float  # if nothing more is shared below
    residual: float  # minimum + residual: if as much as can be is shared below
    extrapolated: float | None  # if the agreement goes on as it is; None where a ranking is empty


def overlap(a: Sequence[Hashable | Tied], b: Sequence[Hashable | Tied], k: int) -> float | None:
    """Return the share of the first k places that both rankings fill with the same items, from 0 to 1.

    Divided by k, or by the length of the longer ranking where both are shorter; None where both are empty. With ties it
    is the mean over all their orders. MeasureError for a k below 1, InputError for an item that comes twice.
    """
    check_count("k", k)
    descent = _Descent(_grouped(a), _grouped(b))
    places = min(k, max(descent.lengths))
    for _ in range(places):
        descent.step()
    return descent.shared(descent.shares()) / places if places else None


def rbo(a: Sequence[Hashable | Tied], b: Sequence[Hashable | Tied], p: float = 0.9, *, ties: TiesInRBO = "a") -> RBO:
    """Return the rank-biased overlap (1 - p) · Σ p^(d - 1) · A(d), A(d) the agreement of the first d places.

    `p` is the chance to look one place further. Rankings may differ in length; each is taken as the start of a longer
    one whose rest is not tied (Webber, Moffat, Zobel 2010). `ties`, as in Corsi and Urbano 2024: "a", the agreement is
    the mean over all orders of the ties; "b", the same corrected for what ties hide, so that a ranking agrees with
    itself; "w" (Webber's), tied items share the first rank of their tie. MeasureError for a p outside 0 to 1 or another
    answer for ties, InputError for an item that comes twice.
    """
    check_persistence(p)
    if ties not in _EXPECTED_SIZE:
        raise MeasureError(Fault(f"ties cannot be {seen(ties)}", expected=" or ".join(_EXPECTED_SIZE)))
    shorter, longer = sorted((_grouped(a), _grouped(b)), key=lambda groups: sum(map(len, groups)))
    descent = _Descent(shorter, longer)
    agreements = _agreements(descent, ties)
    short, long = descent.lengths
    shared = descent.counts[_WHOLE][_WHOLE]  # at the end of the longer ranking no tie is open
    weights = _powers(p, short + long)
    scale = (1 - p) / p
    known = fsum(weight * at.least for weight, at in zip(weights, agreements, strict=False))
    opened = fsum(weight * (at.most - at.least) for weight, at in zip(weights, agreements, strict=False))
    below = _open_below(p, weights, short, long, shared)
    return RBO(
        minimum=scale * (known + shared * _tail(p, weights[:long])),
        residual=scale * (opened + below),
        extrapolated=_extrapolated(scale, weights, agreements, short, shared),
    )


def check_persistence(p: object) -> None:
    """Refuse a p that does not lie between 0 and 1."""
    if not isinstance(p, (int, float)) or not 0 < p < 1:
        raise MeasureError(Fault(f"p cannot be {seen(p)}", expected="a number between 0 and 1"))


class _Agreement(NamedTuple):
    """The agreement at one depth: if nothing unseen is shared, if all that can be is, if as much as before."""

    least: float
    most: float
    likely: float


def _agreements(descent: _Descent, ties: TiesInRBO) -> list[_Agreement]:
    """Return the agreement at each depth of the longer ranking, which is the right one."""
    short, long = descent.lengths
    found: list[_Agreement] = []
    so_far = 0.0
    for depth in range(1, long + 1):
        descent.step()
        shares = descent.shares(whole_at_once=ties == "w")
        beyond = max(depth - short, 0)  # places of the shorter ranking that are not known
        size = _EXPECTED_SIZE[ties](depth, descent.size(0, shares[0]) + beyond, descent.size(1, shares[1]))
        shared = descent.shared(shares)
        _, open_here, whole_here = descent.counts[_UNSEEN]  # items of the longer ranking alone
        share = shares[1][_OPEN]
        best = min(beyond, whole_here) + share * min(max(beyond - whole_here, 0), open_here)
        mean = (whole_here + share * open_here) / (whole_here + open_here) if beyond else 0.0
        likely = beyond * so_far * mean
        found.append(_Agreement(shared / size, (shared + best) / size, (shared + likely) / size))
        so_far = so_far if beyond else found[-1].least
    return found


_EXPECTED_SIZE: Mapping[TiesInRBO, Callable[[int, float, float], float]] = {
    "a": lambda depth, _, __: depth,
    "b": lambda _, left, right: sqrt(left * right),
    "w": lambda _, left, right: (left + right) / 2,
}
"""What the shared part is divided by: given the depth, and the size of both sides there."""


def _extrapolated(
    scale: float, weights: Sequence[float], agreements: Sequence[_Agreement], short: int, shared: int
) -> float | None:
    """Return the sum in which the agreement stays as it is below; weights sum up to one, so only what differs is added.

    A ranking and itself have exactly 1 so, rankings that share nothing exactly 0.
    """
    if not short:
        return None
    long = len(agreements)
    at_end = (shared + (long - short) * agreements[short - 1].least) / long
    return at_end + scale * fsum(weight * (at.likely - at_end) for weight, at in zip(weights, agreements, strict=False))


def _open_below(p: float, weights: Sequence[float], short: int, long: int, shared: int) -> float:
    """Return Σ p^d · (most - least) below the longer ranking, where ties are over: most reaches 1 at a depth `full`."""
    full = short + long - shared
    rising = [weights[d - 1] * (2 * d - short - long) / d for d in range(long + 1, full + 1)]
    last = weights[full - 1] if full else 1.0
    return fsum(rising) + last * p / (1 - p) - shared * _tail(p, weights[:full])


def _powers(p: float, count: int) -> list[float]:
    powers, power = [], 1.0
    for _ in range(count):
        power *= p
        powers.append(power)
    return powers


def _tail(p: float, weights: Sequence[float]) -> float:
    """Return Σ p^d / d over all depths below those of the weights p^1, p^2, …"""
    last = weights[-1] if weights else 1.0
    if last > 0.01:
        return -log1p(-p) - fsum(weight / d for d, weight in enumerate(weights, 1))
    amounts, power, depth = [], last, len(weights)  # the difference above would lose what is left in rounding
    while power > last * 1e-20:
        power, depth = power * p, depth + 1
        amounts.append(power / depth)
    return fsum(amounts)


_Groups: TypeAlias = Sequence[Collection[Hashable]]


def _grouped(ranking: Sequence[Hashable | Tied]) -> _Groups:
    """Return groups of tied items, none empty. InputError for an item that comes twice."""
    if isinstance(ranking, (str, bytes, set, frozenset)):
        message = f"{seen(ranking)} is no ranking"
        raise InputError(Fault(message, expected="a sequence of items, or of groups of tied items"))
    groups = [one if isinstance(one, (list, tuple, set, frozenset)) else (one,) for one in ranking]
    met: set[Hashable] = set()
    for group in groups:
        for item in group:
            if item in met:
                raise InputError(Fault(f"{seen(item)} comes twice", expected="each item once in a ranking"))
            met.add(item)
    return [group for group in groups if group]


class _Descent:
    """Two rankings read down to one depth. `counts[left][right]`: how many items stand at these levels there.

    A level is unseen, open or whole; the number of those unseen on both sides means nothing.
    """

    def __init__(self, left: _Groups, right: _Groups) -> None:
        self._coming = [iter(left), iter(right)]
        self._group: list[Collection[Hashable]] = [(), ()]
        self._last = [0, 0]  # the last rank of the group at hand
        self._level: tuple[dict[Hashable, int], dict[Hashable, int]] = ({}, {})
        self.lengths = (sum(map(len, left)), sum(map(len, right)))
        self.counts = [[0] * 3 for _ in range(3)]
        self.depth = 0

    def step(self) -> None:
        """Go one place deeper in both."""
        self.depth += 1
        for side in (0, 1):
            if self.depth > self._last[side]:
                self._group[side] = next(self._coming[side], ())
                self._last[side] += len(self._group[side])
                if self.depth < self._last[side]:
                    self._raise(side, _OPEN)
            if self.depth == self._last[side]:
                self._raise(side, _WHOLE)

    def _raise(self, side: int, level: int) -> None:
        for item in self._group[side]:
            before = [self._level[0].get(item, _UNSEEN), self._level[1].get(item, _UNSEEN)]
            self.counts[before[0]][before[1]] -= 1
            before[side] = self._level[side][item] = level
            self.counts[before[0]][before[1]] += 1

    def shares(self, *, whole_at_once: bool = False) -> tuple[Sequence[float], Sequence[float]]:
        """Return by side and level how much of an item stands within the depth: in the mean over all orders of a tie.

        With `whole_at_once` a tied item stands there as soon as its tie begins.
        """
        left, right = (1.0 if whole_at_once else self._within(side) for side in (0, 1))
        return (0.0, left, 1.0), (0.0, right, 1.0)

    def _within(self, side: int) -> float:
        """Return the share of the group at hand that stands within the depth."""
        size = len(self._group[side])
        return (size - self._last[side] + self.depth) / size if size else 1.0

    def shared(self, shares: tuple[Sequence[float], Sequence[float]]) -> float:
        """Return the sum over items of left share times right share."""
        return fsum(
            shares[0][left] * shares[1][right] * self.counts[left][right]
            for left in (_OPEN, _WHOLE)
            for right in (_OPEN, _WHOLE)
        )

    def size(self, side: int, share: Sequence[float]) -> float:
        """Return the sum over one side's items of the squared shares."""
        at = [self.counts[level] if side == 0 else [row[level] for row in self.counts] for level in range(3)]
        return sum(at[_OPEN]) * share[_OPEN] * share[_OPEN] + sum(at[_WHOLE])
