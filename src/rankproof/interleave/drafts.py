"""How do rankings take turns? Team draft and balanced interleaving."""

from __future__ import annotations

from collections.abc import Sequence

from rankproof.interleave.drawing import Choose, Document, Drawn


def team_draft(rankings: Sequence[Sequence[Document]], k: int, choose: Choose) -> Drawn[Document]:
    """Return a list that the rankings pick in turn (Radlinski, Kurup, Joachims 2008; of more than two: Schuth 2014).

    In each round they pick in random order, each its best document that is not yet shown. The list ends at k, or when
    a ranking whose turn it is has nothing left.
    """
    documents, teams, shown = list[Document](), list[int](), set[Document]()
    best = [0] * len(rankings)
    waiting = list[int]()
    while len(documents) < k:
        waiting = waiting or list(range(len(rankings)))
        team = waiting.pop(choose([1.0] * len(waiting)))
        ranking = rankings[team]
        while best[team] < len(ranking) and ranking[best[team]] in shown:
            best[team] += 1
        if best[team] == len(ranking):
            break
        documents.append(ranking[best[team]])
        teams.append(team)
        shown.add(ranking[best[team]])
    return Drawn(documents, teams, len(documents) < k)


def balanced(rankings: Sequence[Sequence[Document]], k: int, choose: Choose) -> Drawn[Document]:
    """Return a list whose every beginning holds as many top documents of both, to one (Joachims 2002, 2003).

    A coin decides which of the two goes first for the whole list; a document that is shown already is passed over, and
    the turn with it. The list ends at k, or when a ranking whose turn it is has run out.
    """
    first = choose([1.0, 1.0])
    documents, reached = list[Document](), [0, 0]
    while len(documents) < k:
        turn = first if reached[0] == reached[1] else reached.index(min(reached))
        if reached[turn] == len(rankings[turn]):
            break
        document = rankings[turn][reached[turn]]
        reached[turn] += 1
        if document not in documents:
            documents.append(document)
    return Drawn(documents, None, len(documents) < k)
