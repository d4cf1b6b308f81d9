"""Whose results get the clicks? Two rankings shown as one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random
from typing import Generic, NamedTuple, TypeVar

from rankproof.errors import Fault, InputError

Document = TypeVar("Document", bound=Hashable)


class Interleaved(NamedTuple, Generic[Document]):
    """One list to show, and which ranking picked each of its documents: "A" or "B"."""

    documents: list[Document]
    teams: list[str]


def team_draft_interleave(
    a: Sequence[Document], b: Sequence[Document], k: int = 10, *, seed: int = 0
) -> Interleaved[Document]:
    """Return at most k documents that two rankings picked in turn (Radlinski, Kurup, Joachims 2008).

    In each round a coin decides which ranking picks first; each picks its best document that is not yet shown. The list
    ends at k, or when a ranking whose turn it is has nothing left. The same seed gives the same list.
    """
    if k < 1:
        raise InputError(Fault(f"k cannot be {k}", expected="a whole number from 1 on"))
    coin = Random(seed)  # noqa: S311 - a coin, not a secret
    documents: list[Document] = []
    teams: list[str] = []
    rankings = {"A": a, "B": b}
    while True:
        for team in ("A", "B") if coin.random() < 0.5 else ("B", "A"):
            shown = set(documents)
            best = next((document for document in rankings[team] if document not in shown), None)
            if best is None or len(documents) == k:
                return Interleaved(documents, teams)
            documents.append(best)
            teams.append(team)
