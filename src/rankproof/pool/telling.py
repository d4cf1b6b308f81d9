"""How does a pool read: as rows for a judge, as tables, as notes?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankproof.tables import Table
from rankproof.words import counted, first_of, query_count

if TYPE_CHECKING:
    from rankproof.formats.texts import Text
    from rankproof.pool.pooling import Pool, Pooled


def pool_columns(found: Pool, *, show_runs: bool) -> list[str]:
    """Return the header of the rows for a judge: texts only where they were given."""
    texts = ["query"] if found.query_texts is not None else []
    texts += ["title", "text"] if found.doc_texts is not None else []
    return ["query_id", "doc_id", "grade", *texts, *(["held_by", "best_rank", "runs"] if show_runs else [])]


def row_of(found: Pool, one: Pooled, *, show_runs: bool) -> dict[str, Any]:
    """Return a document's row, its grade still open; a text that is not there is None."""
    query = None if found.query_texts is None else found.query_texts.get(one.query_id)
    text = None if found.doc_texts is None else found.doc_texts.get(one.doc_id)
    known: dict[str, Any] = {
        "query_id": one.query_id,
        "doc_id": one.doc_id,
        "grade": None,
        "query": None if query is None else str(query),
        "title": None if text is None else text.title,
        "text": None if text is None else text.text,
        "held_by": one.held_by,
        "best_rank": one.best_rank,
        "runs": dict(one.ranks),
    }
    return {name: known[name] for name in pool_columns(found, show_runs=show_runs)}


def pool_tables(found: Pool, *, per_query: bool) -> list[Table]:
    """Return a row a run: what it adds, how much of that is judged; then, if asked for, a row a query."""
    header = ["run", "queries", "documents", "judged", "unjudged", f"Judged@{found.depth}"]
    rows = [
        [one.run, len(one.per_query), one.documents, one.judged, one.documents - one.judged, one.judged_share]
        for one in found.runs
    ]
    tables = [Table(header, rows)]
    if per_query:
        lines = [[query, *counts] for query, counts in found.queries.items()]
        tables.append(Table(["query_id", "pooled", "judged", "to judge", "left out"], lines, "per query"))
    return tables


def pool_notes(found: Pool) -> Iterator[str]:
    """Yield what is to judge, how it was chosen, and what is missing, as sentences."""
    yield f"contract {found.contract.name} ({found.contract.fingerprint})"
    per_query = [counts.to_judge for counts in found.queries.values()]
    least, most = min(per_query), max(per_query)
    spread = f"{least} to {most}" if least < most else str(most)
    yield (
        f"{counted(len(found.documents), 'judgment')} to make for {query_count(len(per_query))}, {spread} a query: from"
        f" the first {found.depth} of {counted(len(found.runs), 'run')}, in an order that tells neither rank nor run"
        f" (seed {found.seed})"
    )
    if found.take is not None:
        yield (
            f"at most {found.take} a query are taken: those that most runs hold, among these the best rank first;"
            f" {counted(found.left_out, 'unjudged document')} left out"
        )
    yield from _rate_notes(found)
    for one in found.runs:
        if one.short:
            few = f"{one.run} returns fewer than {found.depth} documents for"
            yield f"{few} {query_count(len(one.short))} ({first_of(one.short)})"
        if absent := [query for query in found.queries if query not in one.per_query]:
            yield f"{one.run} does not answer {query_count(len(absent))} ({first_of(absent)})"
    yield from _text_notes(found)


def _rate_notes(found: Pool) -> Iterator[str]:
    if not found.against_qrels:
        yield "no judgments were given: every document is to be judged"
        return
    shares = {one.run: one.judged_share for one in found.runs if one.judged_share is not None}
    if len(set(shares.values())) > 1:
        least, most = (pick(shares, key=lambda run: shares[run]) for pick in (min, max))
        costs = f": unjudged counts as not relevant, which may make {least} look worse than it is"
        yield (
            f"least judged is {least} (Judged@{found.depth} {shares[least]:.4f}), most {most} ({shares[most]:.4f})"
            f"{costs if found.contract.unjudged == 'non-relevant' else ''}"
        )


def _text_notes(found: Pool) -> Iterator[str]:
    documents = list(dict.fromkeys(one.doc_id for one in found.documents))
    given: Sequence[tuple[str, Sequence[str], Mapping[str, Text] | None]] = (
        ("query", [query for query, counts in found.queries.items() if counts.to_judge], found.query_texts),
        ("document", documents, found.doc_texts),
    )
    for what, ids, texts in given:
        missing = [] if texts is None else [one for one in ids if one not in texts]
        if missing:
            count = query_count(len(missing)) if what == "query" else counted(len(missing), what)
            yield f"{count} to judge without a text ({first_of(missing)})"
    if unanswered := [query for query in found.query_texts or () if query not in found.queries]:
        yield f"no run answers {query_count(len(unanswered))} of the file of queries ({first_of(unanswered)})"
