"""What do the results of a file hold, and what in them is suspicious?"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from itertools import pairwise
from math import isinf, isnan, nan

from rankproof.check.finding import Place, Tallies
from rankproof.check.ids import Lines, look_at_ids
from rankproof.formats.results import Result
from rankproof.words import counted, first_of


class HeldRanking:
    """One query's results, column by column, in the order of the rows; NaN stands for what a row lacks."""

    __slots__ = ("docs", "lines", "ranks", "scores")

    def __init__(self) -> None:
        self.docs: list[str] = []
        self.scores: array[float] | None = None
        self.ranks: array[float] | None = None
        self.lines = array("q")

    def add(self, row: Result) -> None:
        """Take one row in."""
        if not self.docs:
            self.scores = None if row.score is None else array("d")
            self.ranks = None if row.rank is None else array("d")
        self.docs.append(row.doc_id)
        self.lines.append(row.line or 0)
        if self.scores is not None:
            self.scores.append(nan if row.score is None else row.score)
        if self.ranks is not None:
            self.ranks.append(nan if row.rank is None else row.rank)

    def place(self, query: str, at: int) -> Place:
        """Return where the row at this index is."""
        return Place(self.lines[at] or None, query, self.docs[at])

    def top(self, count: int) -> list[int]:
        """Return the indexes of the first results: by score, equal ones by document id; without scores by rank."""
        keys = self.scores if self.scores is not None else None if self.ranks is None else [-one for one in self.ranks]
        if keys is None:
            return list(range(min(count, len(self.docs))))
        known = (at for at, key in enumerate(keys) if not isnan(key))
        return nlargest(count, known, key=lambda at: (keys[at], self.docs[at].encode()))


@dataclass(slots=True)
class HeldResults:
    """The results of a file by run and query, and the first line of each id."""

    rows: int = 0
    runs: dict[str, dict[str, HeldRanking]] = field(default_factory=dict)
    tags: dict[str, int | None] = field(default_factory=dict)  # the first line of each name of a run
    query_lines: Lines = field(default_factory=dict)
    doc_lines: Lines = field(default_factory=dict)
    tied_queries: int = 0
    tied_places: int = 0

    def rankings(self) -> Iterator[tuple[str, HeldRanking]]:
        """Yield all rankings with their queries."""
        for of_query in self.runs.values():
            yield from of_query.items()

    def depths(self) -> list[int]:
        """Return how many results came back, a ranking each."""
        return [len(ranking.docs) for _, ranking in self.rankings()]


def hear_results(rows: Iterable[Result], held: HeldResults, found: Tallies, *, tags_part: bool) -> None:
    """Take rows in, until they end or are refused. `tags_part`: each name of a run is a run of its own."""
    last: tuple[str | None, str] | None = None
    ranking = HeldRanking()
    for row in rows:
        held.rows += 1
        held.doc_lines.setdefault(row.doc_id, row.line)
        if last != (row.run, row.query_id):  # rows of a query mostly stand together
            last = row.run, row.query_id
            ranking = _ranking_of(row, held, tags_part=tags_part)
        if ranking.docs and (ranking.scores is None) != (row.score is None):
            why = "has no score, but results before it do" if row.score is None else "has a score, others have none"
            found.add("unreadable-row", Place(row.line, row.query_id, row.doc_id), why)
        else:
            ranking.add(row)


def _ranking_of(row: Result, held: HeldResults, *, tags_part: bool) -> HeldRanking:
    name = row.run or ""
    held.tags.setdefault(name, row.line)
    held.query_lines.setdefault(row.query_id, row.line)
    of_query = held.runs.setdefault(name if tags_part else "", {})
    if row.query_id not in of_query:
        of_query[row.query_id] = HeldRanking()
    return of_query[row.query_id]


def look_at_results(held: HeldResults, found: Tallies, *, tags_part: bool) -> None:
    """Note what is suspicious in results that have all been heard, and count ties."""
    look_at_ids("query_id", held.query_lines, found)
    look_at_ids("doc_id", held.doc_lines, found)
    if len(held.tags) > 1 and not tags_part:
        why = f"{counted(len(held.tags), 'run')} ({first_of(list(held.tags))})"
        found.add("several-tags", Place(list(held.tags.values())[1]), why, len(held.tags))
    for query, ranking in held.rankings():
        _look_at_repeats(query, ranking, found)
        _look_at_scores(query, ranking, held, found)
    for of_query in held.runs.values():
        _look_at_ranks(of_query, found)
        _look_at_depth(of_query, found)


def _look_at_repeats(query: str, ranking: HeldRanking, found: Tallies) -> None:
    if len(set(ranking.docs)) == len(ranking.docs):
        return
    met: set[str] = set()
    for at, doc in enumerate(ranking.docs):
        if doc in met:
            found.add("retrieved-twice", ranking.place(query, at))
        met.add(doc)


def _look_at_scores(query: str, ranking: HeldRanking, held: HeldResults, found: Tallies) -> None:
    scores = ranking.scores
    if scores is None:
        return
    for at, score in enumerate(scores):
        if isnan(score) or isinf(score):
            found.add("nan" if isnan(score) else "infinity", ranking.place(query, at))
    times = Counter(score for score in scores if not isnan(score))
    tied = sum(count for count in times.values() if count > 1)
    held.tied_queries += tied > 0
    held.tied_places += tied
    if len(times) == 1 and tied == len(scores):
        found.add("all-scores-equal", ranking.place(query, 0))
    elif tied:
        _look_at_ties(query, ranking, scores, times, found)
    near = {low for high, low in pairwise(sorted(times, reverse=True)) if array("f", [high]) == array("f", [low])}
    for at, score in enumerate(scores) if near else ():
        if score in near:
            found.add("single-precision-ties", ranking.place(query, at))


def _look_at_ties(
    query: str, ranking: HeldRanking, scores: Sequence[float], times: Mapping[float, int], found: Tallies
) -> None:
    for at, score in enumerate(scores):
        if times.get(score, 0) > 1:
            found.add("ties", ranking.place(query, at))


def _look_at_ranks(of_query: Mapping[str, HeldRanking], found: Tallies) -> None:
    """Note the queries whose ranks say another order than scores, or than the rows do."""
    against: list[Place] = []
    can_tell = 0  # queries in which ranks and scores both vary
    upside_down = True
    for query, ranking in of_query.items():
        if ranking.ranks is None or any(map(isnan, ranking.ranks)):
            continue
        ranks = ranking.ranks
        if any(first > second for first, second in pairwise(ranks)):
            at = next(at for at, (first, second) in enumerate(pairwise(ranks), 1) if first > second)
            found.add("rows-not-by-rank", ranking.place(query, at))
        scores = ranking.scores
        if scores is None or any(map(isnan, scores)) or len(set(ranks)) < 2 or len(set(scores)) < 2:
            continue
        can_tell += 1
        upside_down = upside_down and _first_against([-score for score in scores], ranks) is None
        if (wrong := _first_against(scores, ranks)) is not None:
            against.append(ranking.place(query, wrong))
    is_all = upside_down and can_tell == len(against)
    for place in against:
        found.add("upside-down" if is_all else "rank-against-score", place)


def _first_against(scores: Sequence[float], ranks: Sequence[float]) -> int | None:
    """Return the first result, by rank, that has a greater score than one of a better rank; None without any."""
    order = sorted(range(len(ranks)), key=lambda at: (ranks[at], -scores[at]))
    lowest = scores[order[0]]
    for before, at in pairwise(order):
        if ranks[at] > ranks[before] and scores[at] > lowest:
            return at
        lowest = min(lowest, scores[at])
    return None


def _look_at_depth(of_query: Mapping[str, HeldRanking], found: Tallies) -> None:
    """Note a depth that most lists end at, and none goes beyond: there they were cut."""
    depths = Counter(len(ranking.docs) for ranking in of_query.values())
    deepest, queries = max(depths), len(of_query)
    if queries < 2 or depths[deepest] * 2 <= queries:
        return
    if depths[deepest] == queries:
        why = f"each of {queries} queries has exactly {counted(deepest, 'result')}: cut there?"
    else:
        why = f"{depths[deepest]} of {queries} queries have exactly {counted(deepest, 'result')}, none more: cut there?"
    found.add("cut-depth", None, why, depths[deepest])
