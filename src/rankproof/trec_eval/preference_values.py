"""What are the values of trec_eval's preference measures?"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from rankproof.arithmetic import add
from rankproof.trec_eval.preferences import Group, Preferences, Ratio

_Counted = Callable[[Group], Ratio]

COUNTED: Mapping[str, _Counted] = {
    "": lambda group: group.of_both.plus(group.of_one, group.of_none),
    "_ret": lambda group: group.of_both,
    "_imp": lambda group: group.of_both.plus(group.of_one),
}
"""By the end of a measure's name: which preferences count."""


def simple(preferences: Preferences, counted: _Counted) -> float:
    """Return the share of the preferences that are fulfilled, those of all groups together."""
    return _of_groups(preferences, counted).share


def _of_groups(preferences: Preferences, counted: _Counted) -> Ratio:
    return Ratio(0, 0).plus(*map(counted, preferences.groups))


def by_group(preferences: Preferences, counted: _Counted) -> float:
    """Return the mean over groups of the share of their preferences that are fulfilled."""
    return _mean([counted(group).share for group in preferences.groups])


def _mean(values: Sequence[float]) -> float:
    return add(values, "sequential") / len(values) if values else 0.0


def by_pair(preferences: Preferences, end: str) -> float:
    """Return the mean over pairs of documents of the share of groups whose preference is fulfilled."""
    if len(preferences.groups) == 1:  # then every pair has one vote
        return simple(preferences, COUNTED[end])
    pairs = preferences.pairs
    counting = [*pairs.of_both, *(() if end == "_ret" else pairs.of_one)]
    number = len(counting) if end else pairs.number
    return add(counting, "sequential") / number if number else 0.0


def with_as_many_others(preferences: Preferences, end: str) -> float:
    """Return the mean over groups where each has as many non-relevant documents as relevant ones.

    Of more non-relevant ones the first count, by rank; missing ones count as coming last. As in trec_eval, 0 where a
    group is left without a preference, and two more of its ways: a group with one subgroup counts each pair among the
    non-relevant that count as failed or fulfilled too, and `_ret` divides by all relevant documents of the group.
    """
    ratios = [(_of_all if not end else _of_came)(group) for group in preferences.groups]
    return _mean([one.share for one in ratios]) if all(one.possible for one in ratios) else 0.0


def _of_all(group: Group) -> Ratio:
    relevant, others = group.relevant(came=False), group.others(came=False)
    if relevant >= others:
        more = relevant - others
        return COUNTED[""](group).plus(Ratio(group.relevant(came=True) * more, relevant * more))
    if group.classes:
        return _in_classes(group, relevant, came=False)
    return _without(group, relevant, came=False)


def _of_came(group: Group) -> Ratio:
    relevant, others = group.relevant(came=True), group.others(came=True)
    if relevant >= others:
        more = relevant - others
        return group.of_both.plus(Ratio(relevant * more, group.relevant(came=False) * more))
    if group.classes:
        return _in_classes(group, relevant, came=True)
    return _without(group, group.relevant(came=False), came=True)


def _in_classes(group: Group, kept: int, *, came: bool) -> Ratio:
    """Return the preferences when only the first `kept` of the lowest class count."""
    classes = [[place for place in one if not came or place < group.came] for one in group.classes]
    *higher, lowest = classes
    ratios = [_ratio(place, lowest[:kept], group.came) for one in classes for place in one]
    under: list[int] = []
    for members in reversed(higher):
        ratios += [_ratio(place, under, group.came) for place in members]
        under = sorted([*under, *members])
    return Ratio(0, 0).plus(*ratios)


def _ratio(place: int, below: Sequence[int], came: int) -> Ratio:
    return Ratio(len(below) - bisect_right(below, place) if place < came else 0, len(below))


def _without(group: Group, kept: int, *, came: bool) -> Ratio:
    """Return the preferences when of the non-relevant documents the first `kept` count."""
    others = sorted(place for place, level in group.levels.items() if level == 0)
    dropped = set(others[kept:])
    ratios = []
    for place, below in group.worse.items():
        if place not in dropped and not (came and place >= group.came):
            counting = [other for other in below if other not in dropped and not (came and other >= group.came)]
            ratios.append(_ratio(place, counting, group.came))
    return Ratio(0, 0).plus(*ratios)


COUNTS: Mapping[str, Callable[[Preferences], float]] = {
    "prefs_num_prefs_poss": lambda preferences: _of_groups(preferences, COUNTED[""]).possible,
    "prefs_num_prefs_ful": lambda preferences: _of_groups(preferences, COUNTED[""]).fulfilled,
    "prefs_num_prefs_ful_ret": lambda preferences: _of_groups(preferences, COUNTED["_ret"]).fulfilled,
}
"""What trec_eval counts, by name."""


def _shares() -> Iterator[tuple[str, Callable[[Preferences], float]]]:
    for end, counted in COUNTED.items():
        yield f"prefs_simp{end}", partial(simple, counted=counted)
        yield f"prefs_pair{end}", partial(by_pair, end=end)
        yield f"prefs_avgjg{end}", partial(by_group, counted=counted)
        if end != "_imp":
            yield f"prefs_avgjg_Rnonrel{end}", partial(with_as_many_others, end=end)


SHARES: Mapping[str, Callable[[Preferences], float]] = dict(_shares())
"""What trec_eval averages over queries, by name, in its order."""
