"""Rows of runs that are generated for the tests of counting by parts: few ids, few scores, near ties, repeats, NaN."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from needed import installed

from rankproof.contract import Contract
from rankproof.model import Join, Ranking, Run

pa = installed("pyarrow")

QUERIES = ("1", "10", "2", "한")
DOCS = ("d", "d1", "d10", "é", "1", "2", "\U0001f600", "\uffee")  # two are queries' ids too; two part UTF-8 from UTF-16
NAN, INF = float("nan"), float("inf")
SCORES = [0.0, -0.0, 1.0, 1.0 + 1e-9, 2.0, 16777216.0, 16777217.0, -1.0, INF, -INF, 1e300, 1e200, 5e-324]
QRELS = st.dictionaries(
    st.sampled_from(QUERIES),
    st.dictionaries(st.sampled_from(DOCS), st.sampled_from([0, 1, 2, -1]), max_size=6),
    min_size=1,
)
PLACE_RULES: dict[str, list[Any]] = {
    "order": ["score", "score", "score", "rank", "position"],
    "ties": ["document-id-descending", "document-id-ascending", "as-given", "expected", "unspecified"],
    "score_precision": ["single", "double"],
    "nan_score": ["error", "last", "last"],
    "non_positive_score": ["keep", "drop"],
    "own_document": ["keep", "remove"],
    "duplicate_document": ["error", "keep-first", "keep-best", "keep-best", "keep-last", "unchecked"],
    "duplicate_slot": ["occupies", "removed"],
    "depth": [None, 1, 2, 4],
    "unjudged": ["non-relevant", "condensed"],
    "negative_grade": ["unjudged", "unjudged", "non-relevant", "non-relevant", "error"],
    "missing_query": ["zero", "zero", "skip", "skip", "error"],
    "unjudged_query": ["skip", "skip", "skip", "error"],
}
CONTRACTS = st.fixed_dictionaries({rule: st.sampled_from(answers) for rule, answers in PLACE_RULES.items()}).map(
    lambda rules: Contract(**rules)
)


def run_of(rows: list[tuple], ranks: list[float]) -> Run:
    """The rows in the order given."""
    of_query: dict[str, list[int]] = {}
    for at, (query, _, _) in enumerate(rows):
        of_query.setdefault(query, []).append(at)
    return Run(
        "run",
        {
            query: Ranking([rows[at][1] for at in ats], [rows[at][2] for at in ats], [ranks[at] for at in ats])
            for query, ats in of_query.items()
        },
    )


def table_of(rows: list[tuple], ranks: list[float], run: str | None = None) -> Any:
    """The rows as an Arrow table."""
    columns = {
        "query_id": [query for query, _, _ in rows],
        "doc_id": [doc for _, doc, _ in rows],
        "score": pa.array([score for _, _, score in rows], pa.float64()),
        "rank": pa.array(ranks, pa.float64()),
        "position": pa.array(range(len(rows)), pa.int64()),
    }
    return pa.table({**columns, **({"run": [run] * len(rows)} if run else {})})


def placed(join: Join) -> tuple:
    """What of a join does not depend on the order of rows."""
    return dict(join.queries), set(join.missing), set(join.unjudged)


@st.composite
def parted(draw: st.DrawFn) -> tuple:
    """Rows with ranks, an order to shuffle them into, and where that is cut into partitions."""
    queries = draw(st.lists(st.sampled_from(QUERIES), min_size=1, max_size=3))
    scores = draw(st.lists(st.sampled_from(SCORES), min_size=1, max_size=3))
    row = st.tuples(st.sampled_from(queries), st.sampled_from(DOCS), st.sampled_from(scores))
    rows = draw(st.lists(row, min_size=1, max_size=24))
    if draw(st.booleans()):
        rows = list({(query, doc): (query, doc, score) for query, doc, score in rows}.values())
    if draw(st.booleans()):
        rows = [(query, doc, NAN if draw(st.integers(0, 9)) == 9 else score) for query, doc, score in rows]
    ranks = [float(draw(st.integers(1, 5))) for _ in rows]
    order = draw(st.permutations(range(len(rows)))) if draw(st.booleans()) else list(range(len(rows)))
    cuts = sorted(draw(st.lists(st.integers(0, len(rows)), max_size=4)))
    return rows, ranks, order, cuts
