"""Which place has an entry of a ranking? Ranks by counting: one plus the greater keys, plus the ties that win."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from typing import Protocol, TypeVar

from rankproof.contract import Contract
from rankproof.errors import ContractError, Fault
from rankproof.model import Ranking


@dataclass(frozen=True)
class Entries:
    """What a ranking holds, in the order given: parallel sequences; greater keys rank higher (None: as given)."""

    doc_ids: Sequence[str]
    keys: Sequence[float] | None
    evidence: Sequence[bool] | None

    def only(self, wanted: Sequence[int]) -> Entries:
        """Return the entries at these indexes."""
        return Entries(
            [self.doc_ids[at] for at in wanted],
            None if self.keys is None else [self.keys[at] for at in wanted],
            None if self.evidence is None else [self.evidence[at] for at in wanted],
        )


def entries(query: str, ranking: Ranking, contract: Contract) -> Entries:
    """Return a ranking's entries with their keys, without those that the contract takes out beforehand."""
    found = Entries(ranking.doc_ids, _keys(query, ranking, contract), ranking.evidence)
    out: set[int] = set()
    if contract.own_document == "remove":
        out.update(at for at, doc in enumerate(ranking.doc_ids) if doc == query)
    if contract.non_positive_score == "drop" and ranking.scores is not None:
        out.update(at for at, score in enumerate(ranking.scores) if score <= 0)
    return found.only([at for at in range(len(ranking.doc_ids)) if at not in out]) if out else found


def _keys(query: str, ranking: Ranking, contract: Contract) -> Sequence[float] | None:
    if contract.order == "position" or len(ranking.doc_ids) == 0:
        return None
    if contract.order == "rank" and (ranking.ranks is not None or ranking.scores is not None):
        if ranking.ranks is None:
            hint = "--rule order=score, or order=position for the order given"
            raise ContractError(Fault("has no rank column to order by", about="run", query_id=query, hint=hint))
        if any(map(isnan, ranking.ranks)):
            doc = next(doc for doc, rank in zip(ranking.doc_ids, ranking.ranks, strict=True) if isnan(rank))
            raise ContractError(Fault("has the rank NaN", about="run", query_id=query, doc_id=doc, expected="a number"))
        return [-rank for rank in ranking.ranks]
    scores = ranking.scores
    if scores is None:
        return None
    if contract.score_precision == "single":
        scores = array("f", scores)
    if any(map(isnan, scores)):
        return _with_nan(query, ranking.doc_ids, scores, contract)
    return scores


def _with_nan(query: str, doc_ids: Sequence[str], scores: Sequence[float], contract: Contract) -> Sequence[float]:
    """Return keys in the order of the scores, NaN below all."""
    if contract.nan_score == "error":
        doc = next(doc for doc, score in zip(doc_ids, scores, strict=True) if isnan(score))
        hint = "--rule nan-score=last puts it after all others"
        fault = Fault("has the score NaN", about="run", query_id=query, doc_id=doc, expected="a number", hint=hint)
        raise ContractError(fault)
    key_of = {score: key for key, score in enumerate(sorted({score for score in scores if not isnan(score)}), 1)}
    return [0 if isnan(score) else key_of[score] for score in scores]


class Places(Protocol):
    """The places of those entries of a ranking that matter: all (`Order`), or some that were counted elsewhere."""

    @property
    def doc_ids(self) -> Sequence[str]:
        """Return the ids of the entries, in the order given where there is one."""

    @property
    def evidence(self) -> Sequence[bool] | None:
        """Return which entries are marked as evidence; None where nothing was marked."""

    @property
    def returned(self) -> int:
        """Return how many entries the ranking holds."""

    def block(self, at: int) -> tuple[int, int]:
        """Return the first and the last place that the entry at this index can take."""

    def rank(self, at: int) -> int:
        """Return the place of the entry at this index."""

    def without(self, indexes: Collection[int]) -> Places:
        """Return the places of the other entries once those at these indexes are taken out of the ranking."""


class Order:
    """The places of entries, found by counting: nothing is sorted but the keys, and the members of a tie."""

    def __init__(self, entries: Entries, ties: str) -> None:
        """Order these entries; equal keys by the rule `ties`."""
        self._entries = entries
        self._ties = ties
        self._ascending = sorted(entries.keys) if entries.keys is not None else []
        self._ranks_in_tie: dict[float, dict[int, int]] = {}

    @property
    def doc_ids(self) -> Sequence[str]:
        """Return the ids in the order given."""
        return self._entries.doc_ids

    @property
    def evidence(self) -> Sequence[bool] | None:
        """Return which entries are marked as evidence; None where nothing was marked."""
        return self._entries.evidence

    @property
    def returned(self) -> int:
        """Return how many entries there are."""
        return len(self._entries.doc_ids)

    def without(self, indexes: Collection[int]) -> Order:
        """Return the order of the other entries."""
        return Order(self._entries.only([at for at in range(self.returned) if at not in indexes]), self._ties)

    def places(self) -> Iterator[int]:
        """Yield the indexes of all entries, by rank."""
        if self._entries.keys is None:
            yield from range(len(self._entries.doc_ids))
            return
        for key in sorted(self._members, reverse=True):
            members = self._members[key]
            yield from members if len(members) == 1 else self._by_tie_rule(key)

    def block(self, at: int) -> tuple[int, int]:
        """Return the first and the last place that the entry at this index can take."""
        keys = self._entries.keys
        if keys is None:
            return at + 1, at + 1
        count = len(self._ascending)
        return count - bisect_right(self._ascending, keys[at]) + 1, count - bisect_left(self._ascending, keys[at])

    def rank(self, at: int) -> int:
        """Return the place of the entry at this index."""
        first, last = self.block(at)
        if first == last or self._entries.keys is None:
            return first
        key = self._entries.keys[at]
        if key not in self._ranks_in_tie:
            self._ranks_in_tie[key] = {member: first + n for n, member in enumerate(self._by_tie_rule(key))}
        return self._ranks_in_tie[key][at]

    def _by_tie_rule(self, key: float) -> Sequence[int]:
        return by_tie_rule(self._ties, self._members[key], lambda at: self._entries.doc_ids[at].encode())

    @cached_property
    def _members(self) -> dict[float, list[int]]:
        members: dict[float, list[int]] = {}
        for at, key in enumerate(self._entries.keys or ()):
            members.setdefault(key, []).append(at)
        return members


AS_GIVEN = ("as-given", "unspecified")
"""The tie rules under which equals stand as the run gives them."""

Member = TypeVar("Member")


def by_tie_rule(ties: str, members: Sequence[Member], doc_id: Callable[[Member], str | bytes]) -> Sequence[Member]:
    """Return the members of a tie, given in their order in the run, as a tie rule has them, from the top.

    Ids are compared as bytes in UTF-8, which is by code points.
    """
    if ties in AS_GIVEN:
        return members
    # Under `expected` any order will do: the value comes from the ties, not from these places.
    return sorted(members, key=doc_id, reverse=ties != "document-id-ascending")
