"""LSA: both roads agree with each other and with scikit-learn, what rounding would decide is decided, and the laws."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.resources import files
from itertools import permutations
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankproof as rp
from rankproof.retrieve import lsa
from rankproof.retrieve.eigen import eigen

EXAMPLE = files("rankproof") / "example"
PLAIN, SCIKIT = lsa.PLAIN, 1  # scikit-learn's class wants two tokens or more
ROADS = pytest.mark.parametrize("plain", [PLAIN, SCIKIT], ids=["plain", "scikit-learn"])


def index(plain: int, documents: dict[str, str], **options: object) -> rp.LSA:
    """Return an index that plain Python makes up to so many documents or tokens, scikit-learn above."""
    with patch.object(lsa, "PLAIN", plain):
        return rp.LSA(documents, **options)


def found(of: rp.LSA, query: str, k: int = 9) -> dict[str, float]:
    ranking = of.search({"q": query}, k).rankings["q"]
    return dict(zip(ranking.doc_ids, ranking.scores, strict=True))


def example() -> tuple[dict[str, str], dict[str, str]]:
    """Return the packaged documents and queries."""
    corpus, queries = (
        [json.loads(line) for line in EXAMPLE.joinpath(name).read_text("utf-8").splitlines()]
        for name in ("corpus.jsonl", "queries.jsonl")
    )
    documents = {one["_id"]: f"{one['title']} {one['text']}" for one in corpus}
    return documents, {one["_id"]: one["text"] for one in queries}


def witness(documents: dict[str, str], queries: dict[str, str], dimensions: int) -> dict[str, list[str]]:
    """Return the first ten of each query as scikit-learn and NumPy see them, six decimals, ties by id, above 0."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    from rankproof.retrieve.text import ANALYZERS

    tfidf = TfidfVectorizer(analyzer=ANALYZERS["hangul-2-3gram-words"].analyzer)
    svd = TruncatedSVD(dimensions, n_iter=400, random_state=7)
    sides = svd.fit_transform(tfidf.fit_transform(documents.values())), svd.transform(tfidf.transform(queries.values()))
    seen, asked = (side / np.linalg.norm(side, axis=1, keepdims=True) for side in sides)
    lists = {}
    for query, row in zip(queries, (asked @ seen.T).round(6).tolist(), strict=True):
        hits = sorted((-score, doc) for doc, score in zip(documents, row, strict=True) if score > 0)
        lists[query] = [doc for _, doc in hits[:10]]
    return lists


@ROADS
def test_the_example_as_scikit_learn_sees_it(plain: int) -> None:
    """All 24 lists of the example, to rank 10, are those of scikit-learn's randomized search after 400 rounds.

    The packaged lsa.run is another run: 20 rounds, after which its scores are still up to 0.07 off.
    """
    documents, queries = example()
    run = index(plain, documents, analyzer="hangul-2-3gram-words", dimensions=20).search(queries, 10)
    lists = {query: list(ranking.doc_ids) for query, ranking in run.rankings.items()}
    assert len(lists) == 24
    assert lists == witness(documents, queries, 20)


texts = st.lists(st.sampled_from("aabcde"), max_size=6).map(" ".join)
corpora = st.lists(texts, min_size=1, max_size=9).map(lambda all_: {f"d{at}": text for at, text in enumerate(all_)})


@given(corpora, texts, st.integers(1, 6), st.integers(1, 9))
def test_both_roads_are_one(documents: dict[str, str], query: str, dimensions: int, k: int) -> None:
    """Plain Python and scikit-learn find the same documents in the same order, ties and equal axes included."""
    plain, scikit = (index(road, documents, dimensions=dimensions) for road in (PLAIN, SCIKIT))
    assert (plain.dimensions, plain.left_out) == (scikit.dimensions, scikit.left_out)
    one, other = found(plain, query, k), found(scikit, query, k)
    assert list(one) == list(other)
    assert one == pytest.approx(other, abs=2e-9)


@ROADS
def test_it_finds_other_words_for_the_same_thing(plain: int) -> None:
    """A document without the query's word is found through a third word, where one axis holds them together."""
    documents = {"d1": "car engine", "d2": "auto engine", "d3": "flower garden", "d4": "flower"}
    assert set(found(index(plain, documents, dimensions=2), "car")) == {"d1", "d2"}
    assert set(found(index(plain, documents, dimensions=9), "car")) == {"d1"}


@ROADS
def test_what_no_axis_shows(plain: int) -> None:
    """A document without tokens, or off every axis, is left out and told; a query off every axis finds nothing."""
    made = index(plain, {"d1": "a b", "empty": "", "d2": "a c", "apart": "z"}, dimensions=1)
    assert (made.dimensions, made.left_out) == (1, ("empty", "apart"))
    assert set(found(made, "a")) == {"d1", "d2"}
    assert [found(made, query) for query in ("z", "unknown", "")] == [{}, {}, {}]
    nothing = index(plain, {"d": "", "e": "."})
    assert (nothing.dimensions, nothing.left_out, found(nothing, "a")) == (0, ("d", "e"), {})


@ROADS
def test_axes_of_one_strength_stay_together(plain: int) -> None:
    """Three documents without a common token vary alike: no single axis is the first, so all three are kept."""
    made = index(plain, {"d1": "a", "d2": "b", "d3": "c"}, dimensions=1)
    assert made.dimensions == 3
    assert {query: found(made, query) for query in "abc"} == {
        "a": {"d1": pytest.approx(1)},
        "b": {"d2": pytest.approx(1)},
        "c": {"d3": pytest.approx(1)},
    }


@ROADS
def test_what_is_alike_is_tied(plain: int) -> None:
    """Documents that differ by interchangeable tokens score alike, and stand by id, whatever order they came in."""
    documents = {"d1": "a b b", "d2": "a c c", "d3": "w", "d4": "c a c"}
    for order in permutations(documents):
        hits = found(index(plain, {doc: documents[doc] for doc in order if doc != "d4"}), "a")
        assert list(hits) == ["d1", "d2"]
        assert hits["d1"] == hits["d2"]
        hits = found(index(plain, {doc: documents[doc] for doc in order}), "c")
        assert list(hits) == ["d2", "d4"]
        assert hits["d2"] == hits["d4"]
    twins = {f"d{at:02}": f"a t{at % 2}" for at in range(70, 0, -1)}
    assert list(found(index(plain, twins), "a", 3)) == ["d01", "d02", "d03"]
    assert len(set(found(index(plain, twins), "a", 70).values())) == 1


def test_the_seed_changes_nothing() -> None:
    """The axes are found to the last digits from any start."""
    documents, queries = example()
    first, second = (index(SCIKIT, documents, dimensions=12, seed=seed).search(queries, 10) for seed in (0, 5))
    for query in queries:
        assert list(first.rankings[query].doc_ids) == list(second.rankings[query].doc_ids)
        assert first.rankings[query].scores == pytest.approx(second.rankings[query].scores, abs=1e-9)


def test_the_road_goes_by_size(monkeypatch) -> None:
    """Small collections need no package; larger ones take scikit-learn, and without it end at a size that is told."""
    monkeypatch.setattr(lsa, "PLAIN", 2)
    monkeypatch.setattr(lsa, "PLAIN_ALONE", 3)
    three, four = ({f"d{at}": "abcd"[at] for at in range(size)} for size in (3, 4))
    assert isinstance(rp.LSA(dict.fromkeys(four, "a b"))._space, lsa.PlainSpace)
    assert type(rp.LSA(three)._space).__name__ == "ScikitSpace"
    monkeypatch.setitem(sys.modules, "sklearn", None)
    assert isinstance(rp.LSA(three)._space, lsa.PlainSpace)
    with pytest.raises(rp.MissingPackageError) as error:
        rp.LSA(four)
    assert str(error.value) == (
        "LSA over 4 documents or tokens needs the package scikit-learn; 3 go without"
        '\n\nhint: pip install "rankproof[search]"'
    )


def test_the_standard_library_suffices() -> None:
    """With every third-party package blocked, the example's lists are the same."""
    code = """
import sys
sys.meta_path.insert(0, type("Block", (), {"find_spec": staticmethod(
    lambda name, *_: (_ for _ in ()).throw(ModuleNotFoundError(name))
    if name.partition(".")[0] in {"numpy", "scipy", "sklearn", "bm25s"} else None)})())
import json, rankproof as rp
documents, queries = json.loads(sys.stdin.read())
run = rp.LSA(documents, analyzer="hangul-2-3gram-words", dimensions=20).search(queries, 10)
print(json.dumps({query: ranking.doc_ids for query, ranking in run.rankings.items()}))
"""
    asked = example()
    done = subprocess.run(
        [sys.executable, "-c", code], input=json.dumps(asked), capture_output=True, text=True, check=True, timeout=120
    )
    run = rp.LSA(asked[0], analyzer="hangul-2-3gram-words", dimensions=20).search(asked[1], 10)
    assert json.loads(done.stdout) == {query: list(ranking.doc_ids) for query, ranking in run.rankings.items()}


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"documents": {}}, rp.InputError, "there are no documents to search"),
        ({"analyzer": "word"}, rp.InputError, "unknown analyzer 'word'"),
        ({"dimensions": 0}, rp.InputError, "dimensions cannot be 0"),
    ],
)
def test_what_is_refused(wrong: dict, error: type[Exception], message: str) -> None:
    """No documents, unknown analyzers, and less than one dimension or document are refused by name."""
    with pytest.raises(error, match=message):
        rp.LSA(**{"documents": {"d": "a"}, **wrong})
    with pytest.raises(rp.InputError, match="k cannot be 0"):
        rp.LSA({"d": "a"}).search({"q": "a"}, 0)


cells = st.sampled_from([0, 0, 1, 1, 2, -1, 0.5, 1e-9])


@given(st.integers(0, 7).flatmap(lambda size: st.lists(st.lists(cells, min_size=size, max_size=size), max_size=7)))
def test_eigenvectors(rows: list[list[float]]) -> None:
    """The eigenvalues are LAPACK's, the vectors of length 1 at right angles, and the matrix only stretches them."""
    matrix = np.array(rows).reshape(len(rows), len(rows[0]) if rows else 1)
    matrix = matrix @ matrix.T
    values, vectors = eigen(matrix.tolist())
    assert values == pytest.approx(np.linalg.eigvalsh(matrix)[::-1].tolist(), abs=1e-12)
    made = np.array(vectors).reshape(len(rows), len(rows))
    assert made @ made.T == pytest.approx(np.eye(len(rows)), abs=1e-12)
    assert made @ matrix == pytest.approx(np.array(values)[:, None] * made, abs=1e-12)


def test_eigenvectors_of_a_larger_matrix() -> None:
    """The same holds for 60 rows, many of whose eigenvalues are equal, and for values of both signs."""
    blocks = np.kron(np.eye(20), np.array([[0, 2, 1], [2, -3, 0], [1, 0, 1]], dtype=float))
    values, vectors = eigen(blocks.tolist())
    assert values == pytest.approx(np.linalg.eigvalsh(blocks)[::-1].tolist(), abs=1e-12)
    assert np.array(vectors) @ blocks == pytest.approx(np.array(values)[:, None] * np.array(vectors), abs=1e-12)


def test_no_eigenvectors() -> None:
    """What holds no numbers is refused, after so many steps, and does not run for ever."""
    with pytest.raises(rp.InputError, match="was not found in 60 steps; expected finite numbers"):
        eigen([[1.0, float("nan")], [float("nan"), 1.0]])
