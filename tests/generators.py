"""Aimed inputs: few ids, few scores, near ties, empty lists; loose ones miss what matters."""

from __future__ import annotations

from hypothesis import strategies as st

from rankproof.model import Ranking, Run

DOCS = [f"d{i}" for i in range(7)] + ["é", "d10"]
IDS = st.sampled_from(DOCS)
SCORES = st.sampled_from([0.0, 1.0, 1.0 + 1e-9, 2.0, 16777216.0, 16777217.0, -1.0])
GRADES = st.integers(-2, 3)
JUDGMENTS = st.dictionaries(IDS, GRADES, max_size=8)
QRELS = st.dictionaries(st.sampled_from(["1", "2", "10"]), JUDGMENTS, min_size=1)
SCORED = st.dictionaries(IDS, SCORES, max_size=9)
RUNS = st.dictionaries(st.sampled_from(["1", "2", "3"]), SCORED, min_size=1)


def run_of(given: dict) -> Run:
    """A run of scored documents."""
    return Run("r", {query: Ranking(list(docs), list(docs.values())) for query, docs in given.items()})


def in_common(qrels: dict, run: dict) -> bool:
    return any(query in run for query in qrels)
