"""How do rankings take turns? Team draft and balanced interleaving."""

from __future__ import annotations

from collections.abc import Sequence

from rankproof.interleave.drawing import Choose, Document, Draw, Drawn, fair_length


def team_draft(rankings: Sequence[Sequence[Document]], k: int) -> Draw[Document]:
    """Return what draws lists that the rankings pick in turn.

    In each round they pick in random order, each its best document that is not yet shown (Radlinski, Kurup, Joachims
    2008; of more than two: Schuth et al. 2014). The list ends at k, or before the first place that a ranking might be
    unable to fill (`fair_length`): not, as in the paper, once one of two has nothing new, which favours the shorter.
    """
    length = fair_length(rankings, k, in_rounds=True)

    def draw(choose: Choose) -> Drawn[Document]:
        documents, teams, waiting = dict[Document, None](), list[int](), list[int]()
        left = [iter(ranking) for ranking in rankings]
        while len(documents) < length:
            waiting = waiting or list(range(len(rankings)))
            team = waiting.pop(choose([1.0] * len(waiting)))
            documents[next(document for document in left[team] if document not in documents)] = None
            teams.append(team)
        return Drawn(list(documents), teams)

    return draw


def balanced(rankings: Sequence[Sequence[Document]], k: int) -> Draw[Document]:
    """Return what draws lists whose every beginning holds as many top documents of both, to one.

    A coin decides which of the two goes first for the whole list; a document that is shown already is passed over, and
    the turn with it (Joachims 2002, 2003). The list ends at k, or as deep in both as the shorter one goes.
    """
    depth = min(k, *map(len, rankings))

    def draw(choose: Choose) -> Drawn[Document]:
        first = choose([1.0, 1.0])
        pairs = zip(rankings[first][:depth], rankings[1 - first][:depth], strict=True)
        documents = dict.fromkeys(document for pair in pairs for document in pair)
        return Drawn(list(documents)[:k], None)

    return draw
