"""Do a file of judgments and a file of results speak of the same queries and documents?"""

from __future__ import annotations

from collections.abc import Iterable

from rankproof.check.finding import Place, Tallies
from rankproof.check.ids import look_at_both
from rankproof.check.judgments import HeldJudgments
from rankproof.check.results import HeldRanking, HeldResults
from rankproof.model import Grade

TOP = 10
"""So many first results of a query are looked up among the judgments."""


def look_at_pair(judged: HeldJudgments, file: str, results: HeldResults, found: Tallies) -> None:
    """Note in the findings of the results what the judgments, of the file of this name, say otherwise."""
    look_at_both("query_id", results.query_lines, judged.queries, file, found)
    look_at_both("doc_id", results.doc_lines, judged.doc_lines, file, found)
    common = [query for query in results.query_lines if query in judged.queries]
    if not common:
        found.add("no-query-in-common", _first_of(results), file, len(results.query_lines))
        return
    for query in judged.queries:
        if query not in results.query_lines:
            found.add("queries-missing", Place(None, query), file)  # its line would be one of the other file
    for query, line in results.query_lines.items():
        if query not in judged.queries:
            found.add("queries-unjudged", Place(line, query), file)
    _look_at_documents(judged, file, results, found)


def _first_of(results: HeldResults) -> Place:
    query, line = next(iter(results.query_lines.items()))
    return Place(line, query)


def _look_at_documents(judged: HeldJudgments, file: str, results: HeldResults, found: Tallies) -> None:
    rankings = [(query, ranking) for query, ranking in results.rankings() if query in judged.queries]
    if all(doc not in judged.queries[query] for query, ranking in rankings for doc in ranking.docs):
        query, ranking = rankings[0]
        found.add("no-document-in-common", ranking.place(query, 0), file, sum(len(one.docs) for _, one in rankings))
        return
    places = [(query, ranking, at) for query, ranking in rankings for at in ranking.top(TOP)]
    why = f"{file}, of {len(places)} among the first {TOP}"
    for query, ranking, at in places:
        if ranking.docs[at] not in judged.queries[query]:
            found.add("unjudged-on-top", ranking.place(query, at), why)


def look_at_never_returned(judged: HeldJudgments, runs: Iterable[HeldResults], found: Tallies) -> None:
    """Note the judged documents that no run returned, of the queries that a run answers at all."""
    returned: dict[str, list[HeldRanking]] = {}
    for results in runs:
        for query, ranking in results.rankings():
            returned.setdefault(query, []).append(ranking)
    missed: list[tuple[Place, Grade]] = []
    for query, grades in judged.queries.items():
        if query in returned:
            docs = {doc for ranking in returned[query] for doc in ranking.docs}
            missed += [(Place(None, query, doc), grade) for doc, grade in grades.items() if doc not in docs]
    why = f"{sum(grade >= 1 for _, grade in missed)} of them with a grade from 1 on"
    for place, _ in missed:
        found.add("never-returned", place, why)
