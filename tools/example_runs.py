"""Make the three example runs of the package from its example corpus and queries.

Usage: ``python tools/example_runs.py`` (needs numpy and scikit-learn).

Each run is a TREC file with six columns: query id, ``Q0``, document id, rank,
score and tag. The searched field is ``title + " " + text``. Scores are rounded to
six decimals before sorting; equal scores are ordered by document id. Documents
that do not score above zero are left out, so a list can be short or even empty.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer

EXAMPLE = Path(__file__).resolve().parents[1] / "src" / "rankproof" / "example"
DEPTH = 10
K1 = 1.5
B = 0.75
LSA_DIMENSIONS = 20
LSA_SEED = 0

Tokenizer = Callable[[str], list[str]]


def read_jsonl(path: Path) -> list[dict[str, str]]:
    """Read one JSON object a line."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def words(text: str) -> list[str]:
    """Lowercase the text and split it at white space and punctuation."""
    return re.findall(r"\w+", text.lower())


def ngrams(text: str) -> list[str]:
    """Hangul runs as character 2-grams and 3-grams, Latin and digit runs as words.

    A Hangul run of a single syllable has no 2-gram and gives no token.
    """
    tokens: list[str] = []
    for run in re.findall(r"[가-힣]+|[a-z0-9]+", text.lower()):
        if "가" <= run[0] <= "힣":
            for size in (2, 3):
                tokens += [run[i : i + size] for i in range(len(run) - size + 1)]
        else:
            tokens.append(run)
    return tokens


def bm25_scores(docs: Sequence[str], queries: Sequence[str], tokenize: Tokenizer) -> np.ndarray:
    """BM25 score of every document (column) for every query (row).

    idf = ln(1 + (N - n + 0.5) / (n + 0.5)), with n of the N documents holding the token.
    """
    counts = [Counter(tokenize(doc)) for doc in docs]
    lengths = [sum(count.values()) for count in counts]
    mean_length = sum(lengths) / len(lengths)
    doc_freq = Counter(token for count in counts for token in count)
    scores = np.zeros((len(queries), len(docs)))
    for row, query in enumerate(queries):
        for token in tokenize(query):
            n = doc_freq[token]
            idf = math.log(1 + (len(docs) - n + 0.5) / (n + 0.5))
            for col, count in enumerate(counts):
                tf = count[token]
                norm = K1 * (1 - B + B * lengths[col] / mean_length)
                scores[row, col] += idf * tf * (K1 + 1) / (tf + norm)
    return scores


def lsa_scores(docs: Sequence[str], queries: Sequence[str], tokenize: Tokenizer) -> np.ndarray:
    """Cosine of queries (rows) and documents (columns) after TF-IDF and truncated SVD."""
    tfidf = TfidfVectorizer(analyzer=tokenize)
    svd = TruncatedSVD(n_components=LSA_DIMENSIONS, n_iter=20, random_state=LSA_SEED)
    doc_vectors = unit_rows(svd.fit_transform(tfidf.fit_transform(docs)))
    query_vectors = unit_rows(svd.transform(tfidf.transform(queries)))
    return np.asarray(query_vectors @ doc_vectors.T)


def unit_rows(matrix: np.ndarray) -> np.ndarray:
    """Scale each row to length one; rows of zeros stay zero."""
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(matrix / np.where(norms > 0, norms, 1.0))


def write_run(tag: str, query_ids: Sequence[str], doc_ids: Sequence[str], scores: np.ndarray) -> None:
    """Write the best documents of every query to ``<tag>.run``."""
    lines: list[str] = []
    for query_id, row in zip(query_ids, scores, strict=True):
        scored = [(doc_id, round(float(score), 6)) for doc_id, score in zip(doc_ids, row, strict=True)]
        ranked = sorted((item for item in scored if item[1] > 0), key=lambda x: (-x[1], x[0]))
        for rank, (doc_id, score) in enumerate(ranked[:DEPTH], start=1):
            lines.append(f"{query_id} Q0 {doc_id} {rank} {score:.6f} {tag}\n")
    (EXAMPLE / f"{tag}.run").write_text("".join(lines), encoding="utf-8", newline="\n")


def main() -> None:
    """Make the three runs."""
    corpus = read_jsonl(EXAMPLE / "corpus.jsonl")
    queries = read_jsonl(EXAMPLE / "queries.jsonl")
    doc_ids = [doc["_id"] for doc in corpus]
    docs = [doc["title"] + " " + doc["text"] for doc in corpus]
    query_ids = [query["_id"] for query in queries]
    texts = [query["text"] for query in queries]
    write_run("bm25-words", query_ids, doc_ids, bm25_scores(docs, texts, words))
    write_run("bm25-ngrams", query_ids, doc_ids, bm25_scores(docs, texts, ngrams))
    write_run("lsa", query_ids, doc_ids, lsa_scores(docs, texts, ngrams))


if __name__ == "__main__":
    main()
