"""Exact cosine search: both roads against exact fractions, and against each other; bad vectors named."""

from __future__ import annotations

import math
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankproof.errors import InputError
from rankproof.retrieve import cosine, nearest, products
from rankproof.retrieve.cosine import cosine_search
from rankproof.retrieve.vectors import checked

FEW = st.sampled_from([0.0, 1.0, -1.0, 0.1, 0.3, 3.0, 1e-200, 1e200, -0.0])
"""Few values: many ties, and greatest and least sizes."""


def vectors(dimension: int, ids: str, most: int):
    row = st.lists(FEW, min_size=dimension, max_size=dimension).filter(any)
    return st.dictionaries(
        st.sampled_from([f"{ids}{at}" for at in (*range(9), 10, 20)]), row, min_size=1, max_size=most
    )


@st.composite
def searches(draw):
    dimension = draw(st.integers(1, 3))
    return draw(vectors(dimension, "d", 11)), draw(vectors(dimension, "q", 3)), draw(st.integers(1, 12))


def held(run) -> dict:
    return {query: (list(one.doc_ids), list(one.scores)) for query, one in run.rankings.items()}


def by_roads(documents, queries, k: int, *, blocks: bool = True) -> list[list]:
    """The results of the plain road, of NumPy in one block, and, if asked, of NumPy in blocks of a document or two."""
    sides = checked(documents, "document"), checked(queries, "query")
    arrays = [side.as_array() for side in sides]
    found = [list(cosine._plain(*sides, k)), list(nearest.nearest(*arrays, k))]
    with pytest.MonkeyPatch.context() as patch:
        if blocks:
            patch.setattr(nearest, "CELLS", 4)
            patch.setattr(products, "CELLS", 4)
        found.append(list(nearest.nearest(*arrays, k)))
    return [[(list(one.doc_ids), list(one.scores)) for one in road] for road in found]


@settings(max_examples=300)
@given(searches())
def test_both_roads_give_the_same_bits(search) -> None:
    """The plain road, NumPy, and NumPy in small blocks give the same documents with the same scores."""
    plain, fast, blocks = by_roads(*search)
    assert plain == fast == blocks


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([np.float32, np.float64, np.int64]))
def test_both_roads_agree_on_long_vectors(seed: int, kind) -> None:
    """Vectors of 70 dimensions, each document twice and in three sizes: ties stay ties on every road."""
    random = np.random.default_rng(seed)
    rows = (random.normal(size=(20, 70)) * 9 + 0.5).astype(kind)
    rows[:, 0] = 1
    documents = [f"d{at:02}" for at in range(80)], np.concatenate([rows, rows, rows * 2, rows * 4])
    queries = {"q": [float(one) for one in rows[0]], "r": [1.0] * 70}
    plain, fast, blocks = by_roads(documents, queries, 7)
    assert plain == fast == blocks
    docs, scores = plain[0]
    assert docs[:4] == ["d00", "d20", "d40", "d60"]
    assert set(scores[:4]) == {1.0}


@settings(max_examples=100)
@given(
    st.dictionaries(st.sampled_from("abcdefg"), st.lists(st.integers(-3, 3), min_size=2, max_size=2).filter(any)),
    st.lists(st.integers(-3, 3), min_size=2, max_size=2).filter(any),
)
def test_against_exact_fractions(documents: dict, query: list[int]) -> None:
    """Documents stand in the order of the exact cosine, up to rounding; each score is within 2 ulp of it."""
    if not documents:
        return

    def exact(doc: str) -> Fraction:  # the cosine's square with its sign: the same order
        dot = sum(x * y for x, y in zip(documents[doc], query, strict=True))
        return Fraction(dot * abs(dot), sum(x * x for x in documents[doc]) * sum(y * y for y in query))

    found = cosine_search(documents, {"q": query}, 9).rankings["q"]
    assert sorted(found.doc_ids) == sorted(documents)
    for doc, score in zip(found.doc_ids, found.scores, strict=True):
        root = math.copysign(math.sqrt(abs(exact(doc))), exact(doc))
        assert math.isclose(score, root, rel_tol=5e-16, abs_tol=0)
    for one, other in zip(found.doc_ids, found.doc_ids[1:], strict=False):
        assert exact(one) >= exact(other) or math.isclose(exact(one), exact(other), rel_tol=1e-14)


def test_ties_by_id() -> None:
    """Equal scores stand by document id, ascending; k cuts there too."""
    documents = {"b": [1, 0], "a": [2, 0], "c": [0, 1], "B": [1, 0]}
    found = cosine_search(documents, {"q": [1, 0], "r": [-1, -1]}, 3)
    assert held(found)["q"] == (["B", "a", "b"], [1.0, 1.0, 1.0])
    assert list(found.rankings["r"].doc_ids) == ["B", "a", "b"]
    assert found.rankings["r"].scores[0] == pytest.approx(-math.sqrt(0.5))
    assert found.name == "cosine"
    assert cosine_search(documents, {"q": [1, 0]}, 9, name="mine").name == "mine"
    assert list(cosine_search(documents, {"q": [0, 1]}, 99).rankings["q"].doc_ids) == ["c", "B", "a", "b"]


def test_arrays_are_taken() -> None:
    """(ids, array) gives what a dict of the same vectors gives, and is left as it was."""
    rows = np.array([[1, 2], [2, 1], [3, 1]], dtype=np.float32)
    kept = rows.copy()
    given_rows = cosine_search((["a", "b", "c"], rows), (["q"], [[1, 1]]), 2)
    as_dict = cosine_search({"a": [1, 2], "b": [2, 1], "c": [3, 1]}, {"q": [1, 1]}, 2)
    assert held(given_rows) == held(as_dict) == {"q": (["a", "b"], [3 / math.sqrt(10)] * 2)}
    assert (rows == kept).all()
    large = {f"d{at}": [at + 1, 1.0] for at in range(300)}
    queries = {f"q{at}": [1.0, at] for at in range(500)}
    assert held(cosine_search(large, queries, 3)) == {
        query: held(cosine_search(large, {query: row}, 3))[query] for query, row in queries.items()
    }


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.sampled_from([1.0, 1e-30, 1e15]))
def test_planted_duplicates(seed: int, k: int, size: float) -> None:
    """Among copies and neighbours in the last digit the result is that of a loop in doubles, to the last tie."""
    random = np.random.default_rng(seed)
    rows = np.repeat(random.normal(size=(12, 9)).astype(np.float32), 5, axis=0) * np.float32(size)
    rows[::5, 3] = np.nextafter(rows[::5, 3], np.float32(np.inf))
    ids = [f"d{at}" for at in random.permutation(len(rows))]
    queries = {"q": rows[0], "r": random.normal(size=9).astype(np.float32)}

    def score(one, other) -> float:
        return product(one, other) / math.sqrt(product(one, one) * product(other, other))

    def product(one, other) -> float:
        total = 0.0
        for x, y in zip(one.tolist(), other.tolist(), strict=True):
            total += x * y
        return total

    found = held(cosine_search((ids, rows), queries, k))
    for query, vector in queries.items():
        loop = sorted((-score(row, vector), doc) for doc, row in zip(ids, rows, strict=True))[:k]
        assert found[query] == ([doc for _, doc in loop], [-one for one, _ in loop])


@pytest.mark.parametrize("in_order", [None, False])
def test_many_pairs_in_threads(in_order: bool | None, monkeypatch) -> None:
    """Pairs by the thousand, in blocks and in threads, come to the plain road's bits, whatever NumPy's sum does."""
    monkeypatch.setattr(products, "_threads", lambda: 3)
    if in_order is not None:
        monkeypatch.setattr(products, "_adds_in_order", lambda _: in_order)
    random = np.random.default_rng(4)
    documents = [f"d{at}" for at in range(7000)], random.normal(size=(7000, 11)).astype(np.float32)
    queries = ["q", "r"], random.normal(size=(2, 11))
    plain, fast, _ = by_roads(documents, queries, 6500, blocks=False)
    assert plain == fast


@pytest.mark.parametrize("order", ["ever farther", "ever nearer", "mixed"])
def test_the_order_of_documents_does_not_matter(order: str, monkeypatch) -> None:
    """Whether the nearest documents come first, last or anywhere, the plain road's are found, block by block."""
    angles = np.linspace(0, 3, 900)
    angles = {"ever farther": angles, "ever nearer": angles[::-1]}.get(
        order, np.random.default_rng(1).permutation(angles)
    )
    documents = [f"d{at}" for at in range(900)], np.stack([np.cos(angles), np.sin(angles)], axis=1)
    monkeypatch.setattr(nearest, "CELLS", 384)  # blocks of 64 documents
    plain, fast, _ = by_roads(documents, {"q": [1, 0], "r": [1, 1], "s": [-1, 2]}, 5, blocks=False)
    assert plain == fast
    assert plain[0][0][0] == f"d{angles.argmin()}"


def test_threads(monkeypatch) -> None:
    """As many threads score as BLAS is told to use; where it is told nothing sensible, one or more."""
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert products._threads() == 3
    for told in ("", "0", "all"):
        monkeypatch.setenv("OMP_NUM_THREADS", told)
        assert products._threads() >= 1


def test_all_alike(monkeypatch) -> None:
    """Of documents that are all the same the first k ids are found, whatever memory there is."""
    monkeypatch.setattr(nearest, "CELLS", 64)
    ids = [f"d{at}" for at in range(500)]
    documents = ids, np.tile(np.array([0.1, 0.7, 0.3], dtype=np.float32), (500, 1))
    found = cosine_search(documents, (["q", "r"], [[0.1, 0.2, 0.3], [3.0, 2.0, 1.0]]), 40)
    assert [list(one.doc_ids) for one in found.rankings.values()] == [sorted(ids)[:40]] * 2


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 300), st.sampled_from(["alike", "wild", "unit"]))
def test_the_bound_holds(seed: int, dimension: int, kind: str) -> None:
    """A product in single precision is as near to the cosine as the bound says, whatever the order of adding."""
    random = np.random.default_rng(seed)
    rows = random.normal(size=(6, dimension)) + 1
    if kind == "wild":
        rows *= 10.0 ** random.integers(-12, 12, rows.shape)
    if kind == "unit":
        rows /= np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    side = checked(([f"d{at}" for at in range(6)], rows.astype(np.float32)), "document")
    units = nearest._units(side, slice(0, 6), np.empty(rows.shape, dtype=np.float32))
    asked = products.asked_of(side, slice(0, 6))
    plain = [dict(zip(one.doc_ids, one.scores, strict=True)) for one in cosine._plain(side, side, 6)]
    exact = [[own[doc] for doc in side.ids] for own in plain]
    for near in (units @ asked.unit, np.cumsum(units[:, None, :] * asked.unit.T[None], axis=2)[:, :, -1]):
        assert np.abs(near.T - np.array(exact)).max() <= nearest._bound(dimension)


@pytest.mark.parametrize("kind", ["float16", "int8", "uint64", "int64", ">f4", "longdouble", "fortran", "every second"])
def test_kinds_of_arrays(kind: str, tmp_path) -> None:
    """Numbers of any type, in any layout, are found as the same numbers in a dict of lists."""
    rows = np.array([[1, 2, 0], [2, 1, 4], [3, 1, 1], [120, 2, 7]])
    shapes = {"fortran": lambda: np.asfortranarray(rows * 0.5), "every second": lambda: np.repeat(rows, 2, 0)[::2]}
    given_rows = shapes.get(kind, lambda: rows.astype(kind))()
    queries = {"q": [1, 2, 3], "r": [-1, 0, 2]}
    found = cosine_search((["a", "b", "c", "d"], given_rows), queries, 3)
    assert held(found) == held(cosine_search(dict(zip("abcd", given_rows.tolist(), strict=True)), queries, 3))


def test_mapped_and_separate_arrays(tmp_path) -> None:
    """An array mapped from a file, and a dict of arrays, are found as the array in memory."""
    rows = np.random.default_rng(2).normal(size=(50, 4)).astype(np.float32)
    np.save(tmp_path / "d.npy", rows)
    ids, queries = [f"d{at}" for at in range(50)], {"q": [1, 2, 3, 4]}
    in_memory = held(cosine_search((ids, rows), queries, 7))
    assert held(cosine_search((ids, np.load(tmp_path / "d.npy", mmap_mode="r")), queries, 7)) == in_memory
    assert held(cosine_search(dict(zip(ids, rows, strict=True)), queries, 7)) == in_memory


def test_a_number_that_only_a_long_double_holds() -> None:
    """A finite long double past the greatest double is refused as what it becomes."""
    if np.finfo(np.longdouble).max == np.finfo(np.float64).max:
        pytest.skip("here a long double is a double")
    with pytest.raises(InputError, match="document a: the vector holds inf"):
        cosine_search((["a"], np.array([["1e4000", "1"]], dtype=np.longdouble)), {"q": [1, 0]}, 1)


GOOD = {"d1": [1, 0], "d2": [0, 1]}
BAD = {
    "zeros": ({"d1": [1, 0], "d2": [0, 0]}, {"q": [1, 0]}, "document d2: the vector is all zeros"),
    "zeros in a query": (GOOD, {"q": [0.0, -0.0]}, "query q: the vector is all zeros: it has no direction"),
    "NaN": ({"d1": [1, math.nan]}, {"q": [1, 0]}, "document d1: the vector holds nan; expected finite numbers"),
    "infinity": (GOOD, {"q": [1, math.inf]}, "query q: the vector holds inf"),
    "too large": (GOOD, {"q": [1, 10**400]}, "query q: the vector holds 1000"),
    "text": (GOOD, {"q": ["1", 0]}, "query q: the vector holds '1'"),
    "true": (GOOD, {"q": [True, 0]}, "query q: the vector holds True"),
    "another length": (
        {"d1": [1, 0], "d2": [1]},
        {"q": [1, 0]},
        "document d2: the vector has 1 dimensions; expected 2",
    ),
    "another length of a query": (GOOD, {"q": [1, 0, 0]}, "query q: the vector has 3 dimensions; expected 2, as the"),
    "no dimension": ({"d1": []}, {"q": []}, "document d1: the vector has 0 dimensions; expected one or more"),
    "no vector": ({"d1": 3}, {"q": [1]}, "document d1: 3 is no vector"),
    "too small": ({"d1": [Fraction(1, 10**400)]}, {"q": [1]}, "document d1: the vector is all zeros"),
    "nothing": ({}, {"q": [1]}, "there is no document"),
    "no queries": (GOOD, {}, "there is no query"),
    "an id that is no text": ({1: [1, 0]}, {"q": [1, 0]}, "the document id 1 is no text"),
    "an id twice": ((["a", "a"], [[1, 0], [1, 0]]), {"q": [1, 0]}, "document a: comes twice"),
    "more ids than rows": ((["a", "b"], [[1, 0]]), {"q": [1, 0]}, "2 document ids and 1 vectors"),
    "no documents at all": (7, {"q": [1, 0]}, "7 holds no document vectors"),
    "an array of zeros": (
        (["a", "b"], np.array([[1, 0], [0, 0]])),
        {"q": [1, 0]},
        "document b: the vector is all zero",
    ),
    "an array with NaN": ((["a"], np.array([[math.nan, 1]])), {"q": [1, 0]}, "document a: the vector holds nan"),
    "an array of text": ((["a"], np.array([["x"]])), {"q": [1, 0]}, "expected a matrix of numbers"),
    "an array of another length": (GOOD, (["q"], np.array([[1, 0, 0]])), "query q: the vector has 3 dimensions"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_vectors_are_named(case: str) -> None:
    """What has no cosine is an InputError that names the document or the query."""
    documents, queries, says = BAD[case]
    with pytest.raises(InputError) as error:
        cosine_search(documents, queries, 1)
    assert says in str(error.value)


@pytest.mark.parametrize("k", [0, -1, True, 1.5])
def test_k(k) -> None:
    """K is a whole number from 1 on."""
    with pytest.raises(InputError, match="k cannot be"):
        cosine_search(GOOD, GOOD, k)


def test_without_numpy() -> None:
    """With NumPy blocked a large search takes the plain road; a small one never loads it."""
    code = """
import sys
from rankproof.retrieve.cosine import cosine_search
cosine_search({"a": [1, 0]}, {"q": [1, 0]}, 1)
assert "numpy" not in sys.modules
sys.modules["numpy"] = None
large = {f"d{at:03}": [at + 1, 1.0] for at in range(300)}
print(list(cosine_search(large, {f"q{at}": [1.0, 0.0] for at in range(500)}, 1).rankings["q7"].doc_ids))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.stderr) == ("['d299']\n", "")
