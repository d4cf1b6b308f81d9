"""How is the similarity of runs told as tables?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rankproof.tables import Table

if TYPE_CHECKING:
    from rankproof.similarity.runs import Similarities, Similarity

SAYS: Mapping[str, str] = {
    "overlap": "overlap@{k}",
    "rbo": "RBO(p={p:g})",
    "rbo_minimum": "RBO minimum",
    "rbo_residual": "RBO residual",
    "tau_b": "tau-b",
    "tau_ap_b": "tau-AP-b",
    "common": "documents in common",
}
"""How each number is headed, in the order shown."""


def similarity_tables(found: Similarities, *, per_query: bool = False) -> list[Table]:
    """Return the means: of two runs a row a number, of more a matrix a number; then each query, if asked for."""
    if len(found.pairs) == 1:
        pair = found.pairs[0]
        rows = [[found.names[name], value] for name, value in pair.means.items()]
        tables = [Table(["", "mean"], rows, f"{pair.left} and {pair.right}")]
    else:
        tables = [_matrix(found, name) for name in SAYS]
    return [*tables, *(_query_table(pair) for pair in (found.pairs if per_query else ()))]


def _matrix(found: Similarities, name: str) -> Table:
    rows = [
        [run, *("" if run == other else value for other, value in zip(found.runs, row, strict=True))]
        for run, row in zip(found.runs, found.matrix(name), strict=True)
    ]
    return Table(["", *found.runs], rows, found.names[name])


def _query_table(pair: Similarity) -> Table:
    rows = [[query, *(getattr(alike, name) for name in SAYS)] for query, alike in pair.per_query.items()]
    return Table(["query_id", *pair.names.values()], rows, f"{pair.left} and {pair.right}, per query")


TIDY_SIMILARITY = ("left", "right", "query_id", *SAYS)
"""The header of the rows that a program reads."""


def similarity_rows(found: Similarities, *, per_query: bool) -> Iterator[Sequence[object]]:
    """Yield a row a pair, under the header `TIDY_SIMILARITY`: the means under the query `all`, queries before them."""
    for pair in found.pairs:
        for query, alike in pair.per_query.items() if per_query else ():
            yield (pair.left, pair.right, query, *(getattr(alike, name) for name in SAYS))
        yield (pair.left, pair.right, "all", *(pair.means[name] for name in SAYS))
