"""Into which split does a group fall: by its hash, by its rank among the hashes, or by its time?"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from hashlib import blake2b
from itertools import accumulate, combinations
from math import ceil, fsum

from rankproof.errors import Fault, InputError, seen
from rankproof.splits.groups import Moment

BITS = 53
"""A position has as many bits as a double holds."""
LONGEST_KEY = 64
"""BLAKE2b takes a key of so many bytes (RFC 7693)."""
MOST_NAMES = 12
"""Up to so many splits the chance of an empty one is worked out."""

DEFAULT_NAMES: Mapping[int, Sequence[str]] = {2: ("train", "test"), 3: ("train", "dev", "test")}
"""What the splits are called, by their number, if nothing else is said."""


def shares_of(ratios: str | Sequence[float]) -> list[Fraction]:
    """Return the share of each split, exact, from `60/20/20` or numbers. InputError for what is no ratio."""
    parts = ratios.split("/") if isinstance(ratios, str) else [str(one) for one in ratios]
    try:
        numbers = [Fraction(part.strip()) for part in parts]
    except (ValueError, ZeroDivisionError):
        numbers = []
    if len(numbers) < 2 or min(numbers) <= 0:
        raise InputError(Fault(f"ratios cannot be {seen(ratios)}", expected="two or more numbers above 0: 60/20/20"))
    total = sum(numbers, start=Fraction())
    return [number / total for number in numbers]


def names_of(names: str | Sequence[str] | None, count: int) -> list[str]:
    """Return a name a split, fit to be a file's. InputError for another number of them, and for what is no name."""
    given = names.split(",") if isinstance(names, str) else DEFAULT_NAMES.get(count) if names is None else names
    if given is None or len(given) != count:
        got = "no" if given is None else len(given)
        raise InputError(Fault(f"there are {count} ratios and {got} names", expected=f"{count} names: --names a,b,…"))
    found = [name.strip() for name in given]
    for name in found:
        if not name or name.startswith(".") or not name.isprintable() or set(name) & set('/\\:*?"<>|'):
            raise InputError(Fault(f"a split cannot be called {seen(name)}", expected="a name that a file can have"))
    if len({name.casefold() for name in found}) < count:
        raise InputError(Fault(f"two splits have one name: {', '.join(found)}", expected="a name for each"))
    return found


def position(group: str, seed: int) -> int:
    """Return where a group stands among 2^53 places: BLAKE2b of its name, keyed by the seed (RFC 7693).

    It depends on nothing else, so that a group stays where it is, whatever is added.
    """
    key = str(seed).encode()
    if len(key) > LONGEST_KEY:
        raise InputError(Fault(f"the seed {seen(seed)} is too long", expected=f"at most {LONGEST_KEY} digits"))
    digest = blake2b(group.encode("utf-8", "surrogatepass"), digest_size=8, key=key, person=b"rankproof.split")
    return int.from_bytes(digest.digest(), "big") >> (64 - BITS)


def by_hash(groups: Collection[str], shares: Sequence[Fraction], seed: int) -> dict[str, int]:
    """Return the number of each group's split: the share of the line from 0 to 1 on which its hash falls."""
    ends = [ceil(end * (1 << BITS)) for end in accumulate(shares)][:-1]
    return {group: bisect_right(ends, position(group, seed)) for group in groups}


def by_quota(groups: Collection[str], shares: Sequence[Fraction], seed: int) -> dict[str, int]:
    """Return the number of each group's split: groups in the order of their hashes, cut by the shares.

    What the shares leave over goes where the remainder is largest (Hamilton's method), the first split first.
    """
    exact = [share * len(groups) for share in shares]
    sizes = [int(one) for one in exact]
    by_remainder = sorted(range(len(exact)), key=lambda at: (sizes[at] - exact[at], at))
    for at in by_remainder[: len(groups) - sum(sizes)]:
        sizes[at] += 1
    ends = list(accumulate(sizes))
    ordered = sorted(groups, key=lambda group: (position(group, seed), group))
    return {group: bisect_right(ends, rank) for rank, group in enumerate(ordered)}


def by_time(
    group_of: Mapping[str, str], moments: Mapping[str, Moment], shares: Sequence[Fraction]
) -> tuple[dict[str, int], dict[int, str]]:
    """Return the number of each group's split, older ones first, and the moment at which each later split begins.

    A group is as old as its latest query, so that nothing later than a boundary stands before it. Groups of one moment
    stay together: a boundary lies where the number of queries before it comes nearest to the shares.
    """
    latest: dict[str, Moment] = {}
    for query, group in group_of.items():
        if group not in latest or moments[query].at > latest[group].at:
            latest[group] = moments[query]
    sizes = Counter(latest[group].at for group in group_of.values())
    ordered = sorted(sizes)
    before = [0, *accumulate(sizes[at] for at in ordered)]
    cuts = [0]
    for end in list(accumulate(shares))[:-1]:
        target = end * len(group_of)
        cuts.append(min(range(cuts[-1], len(before)), key=lambda at: (abs(before[at] - target), at)))
    split_at = {at: bisect_right(cuts, rank) - 1 for rank, at in enumerate(ordered)}
    spelled = {moment.at: moment.spelled for moment in latest.values()}
    starts: dict[int, str] = {}
    for at in ordered:
        starts.setdefault(split_at[at], spelled[at])
    return {group: split_at[moment.at] for group, moment in latest.items()}, starts


def chance_of_empty(groups: int, shares: Sequence[Fraction]) -> float | None:
    """Return how likely hashing leaves a split without a group, over seeds; None for more splits than are worked out.

    By inclusion and exclusion over the sets of splits that nothing falls into.
    """
    if len(shares) > MOST_NAMES:
        return None
    left_out = (
        (-1) ** (count + 1) * float(1 - sum(chosen, start=Fraction())) ** groups
        for count in range(1, len(shares) + 1)
        for chosen in combinations(shares, count)
    )
    return min(1.0, max(0.0, fsum(left_out)))
