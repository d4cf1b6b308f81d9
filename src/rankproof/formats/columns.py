"""Which column of a table, or field of a record, is the query, the document, the grade, the score?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rankproof.errors import Fault, InputError

NAMES: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "query_id": (("query_id", "qid", "q_id", "topic_id", "topic"), ("query", "query_text")),
    "doc_id": (("doc_id", "docno", "corpus_id", "document_id"), ("docid",), ("document", "doc")),
    "grade": (("grade", "rating", "label", "relevance", "rel"), ("score",)),
    "score": (("score", "sim", "similarity"),),
    "rank": (("rank",),),
    "run": (("run", "run_name", "run_id", "system", "tag"),),
    "subtopic": (("subtopic", "subtopic_id"),),
}
"""What a column may be called: names of a group go before those of the next. Case, - and blanks do not matter."""


_ANY = {name for groups in NAMES.values() for group in groups for name in group}


def normal(name: str) -> str:
    """Return a column's name as the table above spells it."""
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def position(header: Sequence[str], column: str, name: str) -> int | None:
    """Return where a column stands in a header; None where it does not. InputError for two that could be it."""
    spelled = [normal(one) for one in header]
    for group in NAMES[column]:
        found = [at for at, one in enumerate(spelled) if one in group]
        if len(found) > 1:
            both = " and ".join(header[at] for at in found)
            hint = "rename those that are something else"
            raise InputError(Fault(f"{both} could both be the column {column}", name, 1, expected="one", hint=hint))
        if found:
            return found[0]
    return None


def wanted(header: Sequence[str], column: str, name: str) -> int:
    """Return where a column stands that must be there. InputError where it does not."""
    found = position(header, column, name)
    if found is None:
        raise InputError(missing(header, column, name))
    return found


def columns_of(header: Sequence[str], number: str, name: str) -> tuple[int | None, ...]:
    """Return where query, document, number (`grade` or `score`), rank, run and subtopic stand in a header.

    InputError without a query, a document, and a grade; or a score or a rank.
    """
    query, doc = wanted(header, "query_id", name), wanted(header, "doc_id", name)
    if number == "grade":
        return query, doc, wanted(header, "grade", name), None, None, position(header, "subtopic", name)
    score, rank = position(header, "score", name), position(header, "rank", name)
    if score is None and rank is None:
        raise InputError(missing(header, "score", name))
    return query, doc, score, rank, position(header, "run", name), None


def missing(header: Sequence[str], column: str, name: str) -> Fault:
    """Return the fault of a table without a column that it needs."""
    groups = (*NAMES[column], *(NAMES["rank"] if column == "score" else ()))
    names = ", ".join(one for group in groups for one in group)
    near = [one for one in header if any(part in normal(one) for group in NAMES[column] for part in group)]
    hint = f"rename the right one: {', '.join(near[:6])}" if near else None
    if not {normal(one) for one in header} & _ANY:
        hint = "the first row must name the columns: query_id, doc_id and grade, or score or rank"
    held = ", ".join(one.strip() or "(empty)" for one in header)
    held = held if len(held) <= 200 else f"{held[:200]}…"
    return Fault(f"has no column for the {column}; it has {held}", name, 1, expected=f"one of {names}", hint=hint)


def names_rows(header: Sequence[str]) -> bool:
    """Return whether names in a header are those of rows of judgments or results: a query's and a document's."""
    spelled = {normal(one) for one in header}
    return all(any(spelled & set(group) for group in NAMES[column]) for column in ("query_id", "doc_id"))
