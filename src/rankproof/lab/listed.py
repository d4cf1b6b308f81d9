"""Which documents stand in a list, and where can a person look them up?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rankproof.answers import spell
from rankproof.lab.searched import Searched
from rankproof.model import Grade, Ranking, Run
from rankproof.report.blocks import Details
from rankproof.tables import Table
from rankproof.words import Words, term

NOTHING = Words("nothing came back", "결과 없음")


def first_of_run(run: Run, query: str, most: int) -> Run:
    """Return a run with the first places of one query alone."""
    ranking = run.rankings.get(query, Ranking([], []))
    scores = None if ranking.scores is None else ranking.scores[:most]
    return Run(run.name, {query: Ranking(ranking.doc_ids[:most], scores)})


def grade_words(grade: Grade | None) -> object:
    """Return a grade as text; a document without a judgment is called so."""
    return term("unjudged") if grade is None or grade < 0 else spell(grade)


def place_table(
    searched: Searched, query: str, doc_ids: Sequence[str], k: int, more: Mapping[str, Sequence[object]]
) -> Table:
    """Return a row a place down to k, though nothing came back there: document, grade, more columns, where it is from.

    `more`: columns by name, a value a place.
    """
    grades, from_where = searched.qrels[query], searched.places(doc_ids)
    known = [name for name in ("source", "page") if any(name in one for one in from_where.values())]
    rows: list[list[object]] = []
    for at in range(k):
        beside = [column[at] for column in more.values()]
        if at >= len(doc_ids):
            rows.append([at + 1, NOTHING, "", "", *beside, *("" for _ in known)])
            continue
        doc = doc_ids[at]
        place = from_where.get(doc, {})
        title = searched.documents[doc].title
        rows.append([at + 1, doc, title, grade_words(grades.get(doc)), *beside, *(place.get(one, "") for one in known)])
    return Table(["rank", "document", "title", "grade", *more, *known], rows)


def documents_table(searched: Searched, query: str, doc_ids: Sequence[str]) -> Table:
    """Return a row a document: id, title, grade for the query, where it is from."""
    grades, from_where = searched.qrels[query], searched.places(doc_ids)
    known = [name for name in ("source", "page") if any(name in one for one in from_where.values())]
    rows = [
        [
            doc,
            searched.documents[doc].title,
            grade_words(grades.get(doc)),
            *(from_where.get(doc, {}).get(name, "") for name in known),
        ]
        for doc in doc_ids
    ]
    return Table(["document", "title", "grade", *known], rows)


def texts_of(searched: Searched, doc_ids: Sequence[str]) -> Details:
    """Return what documents say, folded away."""
    rows = [[doc, searched.documents[doc].text] for doc in doc_ids]
    return Details(Words("What these documents say", "이 문서들의 본문"), [Table(["document", "text"], rows)])
