"""BM25 over texts, plain and by bm25s: published lists, the packaged runs, the formula by hand, what is refused."""

from __future__ import annotations

import json
from importlib.resources import files
from math import log
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankproof as rp
from rankproof.formats import read_run

BOTH = pytest.mark.parametrize("index", [rp.BM25, rp.BM25s])
EXAMPLE = files("rankproof") / "example"


def texts(name: str) -> dict[str, dict[str, str]]:
    lines = EXAMPLE.joinpath(name).read_text("utf-8").splitlines()
    return {entry["_id"]: entry for entry in map(json.loads, lines)}


@BOTH
@pytest.mark.parametrize(
    ("query", "published"),
    [
        ("산소 농도 적정공기", ["제619조의2", "제629조", "제618조", "제636조", "제626조"]),
        ("밀폐공간 감시인 연락", ["제623조", "제619조", "제641조", "제622조", "제626조"]),
    ],
)
def test_published_lists(data: Path, index: type, query: str, published: list[str]) -> None:
    """Over the Korean regulation, path + title + text, both published lists come out exactly."""
    lines = (data / "ko-osh-rules" / "corpus.jsonl").read_text("utf-8").splitlines()
    corpus = {one["id"]: " ".join((one["path"], one["title"], one["text"])) for one in map(json.loads, lines)}
    assert len(corpus) == 669
    run = index(corpus, analyzer="hangul-2-3gram", k1=1.5, b=0.75).search({"q": query}, 5)
    assert list(run.rankings["q"].doc_ids) == published


@BOTH
@pytest.mark.parametrize(("name", "analyzer"), [("bm25-words", "words"), ("bm25-ngrams", "hangul-2-3gram-words")])
def test_the_packaged_runs(index: type, name: str, analyzer: str) -> None:
    """The example's BM25 runs, made by another program, come out: documents, order and six decimals."""
    corpus = {doc: f"{entry['title']} {entry['text']}" for doc, entry in texts("corpus.jsonl").items()}
    queries = {query: entry["text"] for query, entry in texts("queries.jsonl").items()}
    made = index(corpus, analyzer=analyzer).search(queries, 10)
    packaged = read_run(str(EXAMPLE / f"{name}.run"))
    assert {query for query, ranking in made.rankings.items() if ranking.doc_ids} == set(packaged.rankings)
    for query, ranking in packaged.rankings.items():
        assert list(made.rankings[query].doc_ids) == list(ranking.doc_ids)
        assert made.rankings[query].scores == pytest.approx(ranking.scores, abs=6e-7)


@BOTH
def test_the_formula(index: type) -> None:
    """By hand: idf ln(1 + (N - n + .5) / (n + .5)), saturation and length; repeats of the query count again."""
    documents = {"d1": "a a b", "d2": "a c c c c", "d3": "d"}
    run = index(documents, k1=1.2, b=0.5).search({"q": "a a x"}, 5)
    idf = log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    first = 2 * idf * 2 * 2.2 / (2 + 1.2 * (0.5 + 0.5 * 3 / 3))
    second = 2 * idf * 1 * 2.2 / (1 + 1.2 * (0.5 + 0.5 * 5 / 3))
    assert list(run.rankings["q"].doc_ids) == ["d1", "d2"]
    assert run.rankings["q"].scores == pytest.approx([first, second])


words = st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join)


@BOTH
@given(st.dictionaries(st.sampled_from(["d1", "d2", "d3", "d4"]), words, min_size=1), words, st.integers(1, 5))
def test_laws_of_search(index: type, documents: dict[str, str], query: str, k: int) -> None:
    """Only documents that share a token are found, best first, ties by id, and k cuts the same list."""
    search = index(documents).search
    everything = search({"q": query}, 9).rankings["q"]
    assert set(everything.doc_ids) == {doc for doc, text in documents.items() if set(text.split()) & set(query.split())}
    rows = list(zip(everything.scores, everything.doc_ids, strict=True))
    assert rows == sorted(rows, key=lambda row: (-row[0], row[1]))
    assert all(score > 0 for score, _ in rows)
    assert list(search({"q": query}, k).rankings["q"].doc_ids) == list(everything.doc_ids)[:k]


@BOTH
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"documents": {}}, "there are no documents to search"),
        ({"analyzer": "word"}, "unknown analyzer 'word'; expected one of words, whitespace"),
        ({"k1": -1}, "k1 cannot be -1"),
        ({"k1": float("nan")}, "k1 cannot be nan"),
        ({"b": 1.5}, "b cannot be 1.5; expected a number from 0 to 1"),
    ],
)
def test_what_is_refused(index: type, wrong: dict, message: str) -> None:
    """No documents, unknown analyzers and parameters out of range are refused by name."""
    with pytest.raises(rp.InputError) as error:
        index(**{"documents": {"d": "a"}, **wrong})
    assert message in str(error.value)
    with pytest.raises(rp.InputError, match="k cannot be 0"):
        index({"d": "a"}).search({"q": "a"}, 0)
