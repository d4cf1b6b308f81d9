"""How does a reranking with its ceiling look, and the closed-corpus experiment?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rankproof.compare.telling import shown_table
from rankproof.model import Value
from rankproof.rerank.closed_corpus import ClosedCorpus
from rankproof.rerank.reranking import RECALL, Reranking
from rankproof.tables import Table

ALL = "all"

RERANKING = ("query_id", "candidate_recall", "measure", "before", "after", "ceiling", "share")
"""The columns of `reranking_rows`."""


def reranking_tables(found: Reranking, *, per_query: bool = False, moves: bool = False) -> list[Table]:
    """Return the means; where wanted each query's values, what broke the freeze, and relevant documents' ranks."""
    broken = [broken_table(found)] if found.without_new is not None else []
    return [
        reranking_table(found),
        *([shown_table(found.comparison)] if found.comparison else ()),
        *([*reranking_query_tables(found), *broken] if per_query else ()),
        *([moves_table(found)] if moves else ()),
    ]


def reranking_table(found: Reranking) -> Table:
    """Return a row a measure: before, after, at best, share of the reachable gain; after without new documents."""
    rows = [list(row[2:]) for row in reranking_rows(found, per_query=False)]
    if found.without_new is None:
        return Table(RERANKING[2:], rows)
    means = found.without_new.means.values()
    return Table([*RERANKING[2:], "after_without_new"], [[*row, mean] for row, mean in zip(rows, means, strict=True)])


def reranking_query_tables(found: Reranking) -> list[Table]:
    """Return a table a measure, a row a query."""
    header = [name for name in RERANKING if name != "measure"]
    measures = list(found.before.measures)
    rows = list(reranking_rows(found, per_query=True))[: -len(measures)]
    return [
        Table(header, [[*row[:2], *row[3:]] for row in rows[at :: len(measures)]], f"{measure}, per query")
        for at, measure in enumerate(measures)
    ]


def reranking_rows(found: Reranking, *, per_query: bool) -> Iterator[Sequence[object]]:
    """Yield RERANKING: each query's row for each measure, then the means' under the query `all`."""
    sides = (found.before, found.after, found.ceiling)
    for at, query in enumerate(found.before.query_ids) if per_query else ():
        recall = found.candidate_recall.of_query(query)[RECALL]
        for measure in found.before.measures:
            values = (side.per_query[measure][at] for side in sides)
            yield query, recall, measure, *values, found.share_per_query[measure][at]
    recall = found.candidate_recall.means[RECALL]
    for measure in found.before.measures:
        yield ALL, recall, measure, *(side.means[measure] for side in sides), found.share[measure]


def moves_table(found: Reranking) -> Table:
    """Return a row a relevant document: its rank before and after, and how many places it rose."""
    rows = [
        [*move, None if move.before is None or move.after is None else move.before - move.after] for move in found.moves
    ]
    return Table(["query_id", "doc_id", "grade", "before", "after", "rose"], rows, "ranks of the relevant documents")


def broken_table(found: Reranking) -> Table:
    """Return a row a document that broke the freeze."""
    rows = [
        [query, doc, what]
        for what, of_query in (("new", found.new), ("dropped", found.dropped))
        for query, docs in of_query.items()
        for doc in docs
    ]
    return Table(["query_id", "doc_id", "what"], rows, "documents that broke the freeze")


def closed_corpus_tables(found: ClosedCorpus) -> list[Table]:
    """Return the outputs, and a row a query."""
    outputs = found.to_dict()
    queries: dict[str, dict[str, Value | list[str]]] = outputs.pop("queries")
    header = ["query_id", *next(iter(queries.values()))]
    rows = [
        [query, *(", ".join(one) if isinstance(one, list) else one for one in outcome.values())]
        for query, outcome in queries.items()
    ]
    return [Table(["", ""], list(outputs.items()), decimals=6), Table(header, rows, "per query", decimals=6)]
