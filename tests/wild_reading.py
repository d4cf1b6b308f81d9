"""What do the awkward files hold, read a second time and by plain means?

Nothing here is rankproof's: lines and patterns, `json`, `csv`, and pandas for Parquet.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

from needed import installed

Judged: TypeAlias = dict[str, dict[str, float]]
"""query_id to doc_id to grade."""
Ranked: TypeAlias = dict[str, list[tuple[str, float, float | None]]]
"""query_id to (doc_id, score, rank or None) in the order of the file."""


def number(text: str) -> float:
    """A number exactly as written: whole ones are int, others float."""
    return int(text) if re.fullmatch(r"[+-]?[0-9]+", text) else float(text)


def judged(rows: Iterable[tuple[str, str, float]]) -> Judged:
    """Rows as a dict of dicts; a row that says something else than an earlier one stops the test."""
    found: Judged = {}
    for query_id, doc_id, grade in rows:
        docs = found.setdefault(query_id, {})
        assert docs.setdefault(doc_id, grade) == grade, (query_id, doc_id)
    return found


def ranked(rows: Iterable[tuple[str, str, float, float | None]]) -> Ranked:
    found: Ranked = {}
    for query_id, *result in rows:
        found.setdefault(query_id, []).append(tuple(result))
    return found


def fields(data: bytes, separator: str = r"[ \t]+") -> list[list[str]]:
    """The fields of all lines that are neither blank nor a comment."""
    lines = (line.strip(" \t\r") for line in data.decode("utf-8").split("\n"))
    return [re.split(separator, line) for line in lines if line and not line.startswith("#")]


def three_columns(path: Path) -> Judged:
    return judged((query_id, doc_id, number(grade)) for query_id, doc_id, grade in fields(path.read_bytes()))


def four_columns(path: Path) -> Judged:
    return judged((query_id, doc_id, number(grade)) for query_id, _, doc_id, grade in fields(path.read_bytes()))


def four_tabbed(path: Path) -> Judged:
    rows = fields(path.read_bytes(), "\t")
    return judged((query_id, doc_id, number(grade)) for query_id, _, doc_id, grade in rows)


def with_header(query: str, doc: str, grade: str, delimiter: str) -> Callable[[Path], Judged]:
    """A reading of a table by the names in its header."""

    def reading(path: Path) -> Judged:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter=delimiter))
        return judged((row[query], row[doc], number(row[grade])) for row in rows)

    return reading


def rre(path: Path) -> Judged:
    """Each query of a group has the group's documents."""
    groups = [group for topic in json.loads(path.read_bytes())["topics"] for group in topic["query_groups"]]
    return judged(
        (query["placeholders"]["$query"], doc_id, said["gain"])
        for group in groups
        for query in group["queries"]
        for doc_id, said in group["relevant_documents"].items()
    )


def opensearch(path: Path) -> Judged:
    queries = json.loads(path.read_bytes())["judgmentRatings"]
    return judged((one["query"], said["docId"], number(said["rating"])) for one in queries for said in one["ratings"])


def blocks(path: Path) -> Judged:
    """A query's number on a line of its own, its documents, a slash."""
    numbers = (block.split() for block in path.read_text("ascii").split("/"))
    return {block[0]: dict.fromkeys(block[1:], 1) for block in numbers if block}


def six_columns(path: Path) -> Ranked:
    data = path.read_bytes()
    rows = fields(gzip.decompress(data) if path.suffix == ".gz" else data)
    return ranked((query_id, doc_id, float(score), float(rank)) for query_id, _, doc_id, rank, score, _ in rows)


def dict_of_scores(path: Path) -> Ranked:
    queries = json.loads(path.read_bytes())
    return ranked(
        (query_id, doc_id, score, None) for query_id, docs in queries.items() for doc_id, score in docs.items()
    )


def parquet(path: Path) -> Ranked:
    rows = installed("pandas").read_parquet(path).itertuples(index=False)
    return ranked((str(row.q_id), str(row.doc_id), float(row.score), None) for row in rows)


QRELS: dict[str, Callable[[Path], Judged]] = {
    "01_cranqrel_crlf_3col": three_columns,
    "05_nfcorpus_qrels_crlf_tab.tsv": four_tabbed,
    "06_beir_scifact_qrels_header.tsv": with_header("query-id", "corpus-id", "score", "\t"),
    "08_web2013_negative_grades.txt": four_columns,
    "09_touche_docid_colons.txt": four_columns,
    "10_dbpedia_docid_unicode.txt": four_columns,
    "12_miracl_ko_qrels_hash.tsv": four_tabbed,
    "17_rre_ratings_nested.json": rre,
    "18_opensearch_judgments.json": opensearch,
    "22_trec_eval_comment_qrels": four_columns,
}
"""Judgments that have to be read right."""

RUNS: dict[str, Callable[[Path], Ranked]] = {
    "19_ranx_run.json": dict_of_scores,
    "20_ranx_run.trec.gz": six_columns,
    "21_ranx_run.parquet": parquet,
    "25_anserini_run_same_scores.txt": six_columns,
    "34_trec03_ties_unsorted_ranks.run": six_columns,
}
"""Runs that have to be read right."""

ROWS = dict(
    zip(
        (*QRELS, *RUNS),
        (1837, 234, 339, 553, 200, 250, 600, 9, 40, 3681, 5, 5, 5, 5, 1000),
        strict=True,
    )
)
"""How many judgments or results there are, counted with grep: the second reading is held to them."""

WARNED: dict[str, str] = {
    "18_opensearch_judgments.json": r"\b40\b",  # each query comes twice, word for word: 40 judgments are repeated
    "22_trec_eval_comment_qrels": r"\b3 comment lines\b",
}
"""What a warning must say where not every row is a judgment; no other file may warn."""

RATINGS = ("agent_1_rating", "agent_2_rating", "agent_3_rating", "final_rating")
"""The columns of 15 that could be the grade."""

SAME_EVERYWHERE = (r"(?i)\b(every|all|each|same)\b", r"(?i)document", r"\b0\b", r"(?i)second column")
NO_QUERY = (r"(?i)\bcolumn", r"(?i)\b(no|lacks|without|missing)\b.*\bquery\b")
REFUSED: dict[str, Sequence[str]] = {
    "02_CISI.REL_mixed_ws": SAME_EVERYWHERE,
    "03_cacm_qrels_zero_grade": SAME_EVERYWHERE,
    "24_quepid_static_queryset.csv": (r"(?i)\bcolumn", r"(?i)\b(no|lacks|without|missing)\b.*\bgrade\b", "Query Text"),
    "29_cp949_population_thousands.csv": (*NO_QUERY, "행정구역"),
    "31_utf8bom_seoul_subway.csv": (*NO_QUERY, "사용월"),
}
"""Files that are no judgments, and what the message has to say: the cause, and what was seen."""
