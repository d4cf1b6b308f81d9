"""BM25 by bm25s: the plain road's results, the library's scores, ties at the cut, Cranfield."""

from __future__ import annotations

import json
import sys
from math import log
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rankproof as rp
from rankproof.retrieve.sparse import METHODS

texts = st.lists(st.sampled_from("aabc"), max_size=7).map(" ".join)
corpora = st.lists(texts, min_size=1, max_size=8).map(lambda all_: {f"d{at}": text for at, text in enumerate(all_)})
options = st.fixed_dictionaries({"k1": st.sampled_from([0, 0.7, 1.5]), "b": st.sampled_from([0, 0.3, 0.75, 1])})


@given(corpora, texts, st.integers(1, 9), options)
def test_the_plain_road_to_the_last_bit(documents: dict[str, str], query: str, k: int, given_: dict) -> None:
    """`lucene` gives the documents, the order and the scores of the plain BM25, ties and cut included."""
    plain = rp.BM25(documents, **given_).search({"q": query}, k)
    assert rp.BM25s(documents, **given_).search({"q": query}, k).rankings == plain.rankings


@pytest.mark.parametrize("method", METHODS)
@given(corpora, texts, options)
def test_the_scores_of_the_library(method: str, documents: dict[str, str], query: str, given_: dict) -> None:
    """Scores are those of bm25s under the same name, `lucene` times (k1 + 1); what gains nothing is left out."""
    import bm25s

    assume(given_["k1"] or not METHODS[method].lifted)
    tokens = [text.split() for text in documents.values()]
    asked = [token for token in query.split() if any(token in text for text in tokens)]
    found = rp.BM25s(documents, method=method, **given_).search({"q": query}, 9).rankings["q"]
    if not asked:
        assert not found.doc_ids
        return
    index = bm25s.BM25(method=method, **given_, dtype="float64")
    index.index([*tokens, []], show_progress=False)  # an empty document shows what nothing scores
    index_of_ours = rp.BM25s({**documents, "nothing": ""}, method=method, **given_).search({"q": query}, 9)
    *scores, nothing = index.get_scores(asked).tolist()
    factor = given_["k1"] + 1 if method == "lucene" else 1
    expected = {doc: factor * score for doc, score in zip(documents, scores, strict=True) if score > nothing + 1e-12}
    ours = index_of_ours.rankings["q"]
    assert dict(zip(ours.doc_ids, ours.scores, strict=True)) == pytest.approx(expected)
    assert list(zip(ours.scores, ours.doc_ids, strict=True)) == sorted(
        zip(ours.scores, ours.doc_ids, strict=True), key=lambda hit: (-hit[0], hit[1])
    )


@pytest.mark.parametrize(
    ("method", "first", "second"),
    [
        ("robertson", 2 / (2 + 1.5), 1 / (1 + 1.5)),
        ("atire", 2 * 2.5 / (2 + 1.5), 2.5 / (1 + 1.5)),
        ("bm25l", 2.5 * (2 + 0.5) / (1.5 + 2 + 0.5), 2.5 * 1.5 / (1.5 + 1.5)),
        ("bm25+", 2 * 2.5 / (2 + 1.5) + 0.5, 2.5 / (1 + 1.5) + 0.5),
    ],
)
def test_formulas_by_hand(method: str, first: float, second: float) -> None:
    """Two of five documents of equal length hold the token, twice and once: idf times saturation (Kamphuis 2020)."""
    idf = {"robertson": log(3.5 / 2.5), "atire": log(5 / 2), "bm25l": log(6 / 2.5), "bm25+": log(6 / 2)}[method]
    documents = {"d1": "a a", "d2": "a b", "d3": "b b", "d4": "b c", "d5": "c c"}
    found = rp.BM25s(documents, method=method).search({"q": "a"}, 5).rankings["q"]
    assert list(found.doc_ids) == ["d1", "d2"]
    assert found.scores == pytest.approx([idf * first, idf * second])


@pytest.mark.parametrize("method", METHODS)
def test_ties_at_the_cut(method: str, capfd) -> None:
    """Of equal scores the first ids stay, in whatever order the documents came; short lists are not padded."""
    documents = {f"d{at:02}": "same words" for at in (*range(39, 19, -1), *range(20))} | {"e": "", "f": "other"}
    found = rp.BM25s(documents, method=method).search({"q": "same", "empty": "", "unknown": "zzz", "one": "other"}, 3)
    # Robertson's idf is 0 for what more than half of the documents hold.
    assert list(found.rankings["q"].doc_ids) == ([] if method == "robertson" else ["d00", "d01", "d02"])
    assert [list(found.rankings[query].doc_ids) for query in ("empty", "unknown", "one")] == [[], [], ["f"]]
    assert capfd.readouterr() == ("", "")


def test_documents_without_words() -> None:
    """A collection that holds no word answers with empty lists."""
    assert rp.BM25s({"d": "", "e": "."}).search({"q": "a"}, 3).rankings["q"].doc_ids == []


def test_cranfield(data: Path) -> None:
    """Cranfield with k1 1.5, b 0.75, English stems, binary judgments: MAP 0.310, and the plain road's very run."""
    folder = data / "cranfield"

    def read(name: str) -> dict[str, dict[str, str]]:
        return {one["id"]: one for one in map(json.loads, (folder / name).read_text("utf-8").splitlines())}

    documents = {doc: f"{one['title']} {one['text']}" for doc, one in read("corpus.jsonl").items()}
    queries = {query: one["text"] for query, one in read("queries.jsonl").items()}
    run = rp.BM25s(documents, analyzer="english", k1=1.5, b=0.75).search(queries, 1000)
    values = rp.evaluate(str(folder / "qrels.binary.txt"), run, ["AP@1000"])
    assert values["AP@1000"] == pytest.approx(0.310, abs=0.01)
    assert run.rankings == rp.BM25(documents, analyzer="english").search(queries, 1000).rankings


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"method": "bm25"}, "unknown method 'bm25'; expected one of lucene, robertson, atire, bm25l, bm25+"),
        ({"delta": -1}, "delta cannot be -1; expected a number from 0 on"),
        ({"delta": float("inf")}, "delta cannot be inf"),
        ({"method": "bm25+", "k1": 0}, "k1 cannot be 0 in bm25+; expected a number above 0"),
    ],
)
def test_what_is_refused(wrong: dict, message: str) -> None:
    """Unknown methods and a delta out of range are refused by name."""
    with pytest.raises(rp.InputError) as error:
        rp.BM25s({"d": "a"}, **wrong)
    assert message in str(error.value)


def test_without_the_package(monkeypatch) -> None:
    """Without bm25s its name, the extra and the plain road are told."""
    monkeypatch.setitem(sys.modules, "bm25s", None)
    with pytest.raises(rp.MissingPackageError) as error:
        rp.BM25s({"d": "a"})
    assert str(error.value) == (
        'BM25s needs the package bm25s\n\nhint: pip install "rankproof[search]", or the plain BM25'
    )
