"""How many of the judges' preferences does a ranking fulfil?

Within each of its subgroups a group of judgments prefers every document of a higher level to every one of a lower
level; between subgroups it prefers what follows from that. A preference is fulfilled if the better document comes
before the worse one, or alone; it is not if the worse one comes before, or alone, or if neither comes.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from rankproof.errors import Fault, InputError


class Judgment(NamedTuple):
    """What one judge, a group, said of one document beside others, a subgroup."""

    group: str
    subgroup: str
    doc_id: str
    level: float


class Ratio(NamedTuple):
    """How many preferences are fulfilled, of how many."""

    fulfilled: int
    possible: int

    @property
    def share(self) -> float:
        """Return the share of those fulfilled, 0 where there are none."""
        return self.fulfilled / self.possible if self.possible else 0.0

    def plus(self, *others: Ratio) -> Ratio:
        """Return these and the others together."""
        ratios = (self, *others)
        return Ratio(sum(one.fulfilled for one in ratios), sum(one.possible for one in ratios))


@dataclass(frozen=True)
class Group:
    """One group's preferences between places: 0, 1, … for the judged documents that came, by rank, then for the rest.

    `came`: how many judged documents came. `worse`: the places that a place is preferred to, ascending. `levels`: the
    level of each place that this group judged. `classes`: places by level, highest first, ascending; none where
    there are several subgroups.
    """

    came: int
    worse: Mapping[int, Sequence[int]]
    levels: Mapping[int, float]
    classes: Sequence[Sequence[int]] = ()

    @cached_property
    def of_both(self) -> Ratio:
        """Return the preferences between documents that came."""
        fulfilled = possible = 0
        for place, below in self.worse.items():
            if place < self.came:
                end = bisect_left(below, self.came)
                possible += end
                fulfilled += end - bisect_right(below, place)
        return Ratio(fulfilled, possible)

    @cached_property
    def of_one(self) -> Ratio:
        """Return the preferences of which one document came."""
        fulfilled = failed = 0
        for place, below in self.worse.items():
            end = bisect_left(below, self.came)
            if place < self.came:
                fulfilled += len(below) - end
            else:
                failed += end
        return Ratio(fulfilled, fulfilled + failed)

    @cached_property
    def of_none(self) -> Ratio:
        """Return the preferences of which no document came: none of them is fulfilled."""
        rest = ((place, below) for place, below in self.worse.items() if place >= self.came)
        return Ratio(0, sum(len(below) - bisect_left(below, self.came) for _, below in rest))

    def relevant(self, *, came: bool) -> int:
        """Return how many documents this group judged above level 0; of those that came, if `came`."""
        return sum(level > 0 for place, level in self.levels.items() if not came or place < self.came)

    def others(self, *, came: bool) -> int:
        """Return how many documents this group judged at level 0; of those that came, if `came`."""
        return sum(level <= 0 for place, level in self.levels.items() if not came or place < self.came)


class Pairs(NamedTuple):
    """Pairs of documents that a group prefers one of: how many, and the shares of groups that see theirs fulfilled."""

    number: int  # of all pairs
    of_both: Sequence[float]  # where both came, by place
    of_one: Sequence[float]  # where one came


@dataclass(frozen=True)
class Preferences:
    """One query's groups, in byte order of their names; none for other formats."""

    groups: Sequence[Group] = ()

    @cached_property
    def pairs(self) -> Pairs:
        """Return the pairs of documents, whatever groups prefer one of them."""
        votes: dict[tuple[int, int], list[int]] = {}
        for group in self.groups:
            for place, below in group.worse.items():
                for other in below:
                    # the first place came before the second, so a preference for it is fulfilled
                    pair, vote = ((place, other), 0) if place < other else ((other, place), 1)
                    votes.setdefault(pair, [0, 0])[vote] += 1
        came = self.groups[0].came if self.groups else 0
        seen = sorted(pair for pair in votes if pair[0] < came)
        shares = {pair: votes[pair][0] / (votes[pair][0] + votes[pair][1]) for pair in seen}
        both = [share for (_, second), share in shares.items() if second < came]
        return Pairs(len(votes), both, [share for (_, second), share in shares.items() if second >= came])


def preferences(judgments: Sequence[Judgment], ranked: Sequence[str], where: Fault) -> Preferences:
    """Return the preferences of one query. `ranked`: the documents that came, by rank; `where`: file and query.

    InputError for a group whose preferences contradict each other.
    """
    judged = {one.doc_id for one in judgments}
    came = [doc for doc in ranked if doc in judged]
    rest = sorted(judged.difference(came), key=str.encode)
    places = {doc: place for place, doc in enumerate([*came, *rest])}
    ordered = sorted(judgments, key=lambda one: one.group.encode())
    groups = [_group(list(own), places, len(came), where) for _, own in groupby(ordered, lambda one: one.group)]
    return Preferences(groups)


def _group(judgments: Sequence[Judgment], places: Mapping[str, int], came: int, where: Fault) -> Group:
    subgroups: dict[str, dict[float, list[int]]] = {}
    levels: dict[int, float] = {}
    for one in sorted(judgments, key=lambda one: one.subgroup.encode()):
        place = places[one.doc_id]
        subgroups.setdefault(one.subgroup, {}).setdefault(one.level, []).append(place)
        if (levels.get(place, one.level) > 0) != (one.level > 0):
            raise _contradiction(where, one.group, "judged non-relevant and relevant", one.doc_id)
        levels[place] = one.level
    classes = [
        [sorted(members) for _, members in sorted(by_level.items(), reverse=True)] for by_level in subgroups.values()
    ]
    if len(classes) == 1:
        return Group(came, _worse_in(classes[0]), levels, classes[0])
    worse = _closed([_worse_in(one) for one in classes])
    if circle := [doc for doc, place in places.items() if place in worse.get(place, ())]:
        raise _contradiction(where, judgments[0].group, "preferred to itself, in a circle", circle[0])
    return Group(came, {place: sorted(below) for place, below in worse.items()}, levels)


def _worse_in(classes: Sequence[Sequence[int]]) -> dict[int, Sequence[int]]:
    """Return the places of lower classes, for each place of a higher one."""
    found: dict[int, Sequence[int]] = {}
    below: list[int] = []
    for members in reversed(classes):
        if below:
            found.update(dict.fromkeys(members, below))
        below = sorted([*below, *members])
    return found


def _closed(parts: Sequence[Mapping[int, Sequence[int]]]) -> dict[int, set[int]]:
    """Return what each place is preferred to, straight or through others."""
    straight: dict[int, set[int]] = {}
    for part in parts:
        for place, below in part.items():
            straight.setdefault(place, set()).update(below)
    return {place: set(_reached(place, straight)) for place in straight}


def _reached(start: int, straight: Mapping[int, set[int]]) -> Iterator[int]:
    seen: set[int] = set()
    waiting = list(straight[start])
    while waiting:
        place = waiting.pop()
        if place not in seen:
            seen.add(place)
            waiting += straight.get(place, ())
            yield place


def _contradiction(where: Fault, group: str, what: str, doc: str) -> InputError:
    message = f"group {group}: {what}"
    hint = "one group is one judge at one time: give each judge a group"
    return InputError(Fault(message, where.file, query_id=where.query_id, doc_id=doc, hint=hint))
