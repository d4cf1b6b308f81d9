"""Dataframes of several libraries, and arrays as a vector index returns them."""

from __future__ import annotations

import builtins

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankproof as rp

QRELS = {"query_id": ["q1", "q1", "q2"], "doc_id": ["a", "b", "a"], "relevance": [2, 0, 1]}
RUN = {"qid": ["q1", "q1", "q2"], "docno": ["a", "b", "b"], "score": [1.0, 2.0, 3.0]}


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_dataframes(library) -> None:
    """Columns are found by the names that tools use: here RR is 1/2 for q1, 0 for q2."""
    found = rp.evaluate(library(QRELS), library(RUN), ["RR"])
    assert found.per_query["RR"] == (0.5, 0.0)


def test_a_list_of_dataframes() -> None:
    """Several dataframes are several runs."""
    found = rp.evaluate(pd.DataFrame(QRELS), {"x": pd.DataFrame(RUN), "y": pl.DataFrame(RUN)}, ["RR"])
    assert list(found) == ["x", "y"]


def test_a_dataframe_with_a_column_of_runs() -> None:
    """A column `run` parts the rows: one run for each name in it."""
    frame = pd.DataFrame(
        {"run": ["x", "y", "x"], "qid": ["q1", "q1", "q2"], "docid": list("aba"), "score": [1.0, 2.0, 3.0]}
    )
    found = rp.evaluate(pd.DataFrame(QRELS), frame, ["RR"])
    assert {name: values.per_query["RR"] for name, values in found.items()} == {"x": (1.0, 1.0), "y": (0.0, 0.0)}
    with pytest.raises(rp.InputError, match="both: holds 2 runs; expected one"):
        rp.evaluate(pd.DataFrame(QRELS), {"both": frame}, ["RR"])


def test_a_column_that_is_not_there() -> None:
    """A missing column is named, with what is there and what it may be called."""
    with pytest.raises(rp.InputError, match=r"qrels:1: has no column for the grade; it has") as refused:
        rp.evaluate(pd.DataFrame(QRELS).drop(columns="relevance"), RUN, ["RR"])
    assert "expected one of grade, rating, label, relevance, rel, score" in str(refused.value)


def test_gaps_in_columns() -> None:
    """A missing id or grade names its row."""
    gaps = pd.DataFrame({**QRELS, "query_id": ["q1", None, "q2"], "relevance": [1, 1, None]})
    with pytest.raises(rp.InputError) as refused:
        rp.evaluate(gaps, RUN, ["RR"])
    assert "qrels:2: column query_id: nan is no id" in str(refused.value)
    assert "qrels:3: query q2, document a, column grade: grade nan; expected a finite number" in str(refused.value)


@pytest.mark.parametrize(("backend", "library"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)])
def test_to_frame(backend: str, library) -> None:
    """A row a query, or a row a run, in the dataframe library asked for."""
    values = rp.evaluate({"q": {"a": 1}, "r": {"a": 0}}, {"q": ["b", "a"]}, ["RR", "P@1"])
    frame = values.to_frame(backend)
    assert isinstance(frame, library)
    assert list(frame.columns) == ["query_id", "RR", "P@1"]
    assert frame["RR"].to_list()[0] == 0.5
    runs = rp.evaluate({"q": {"a": 1}}, {"x": {"q": ["a"]}, "y": {"q": ["b", "a"]}}, ["RR"]).to_frame(backend)
    each = rp.evaluate({"q": {"a": 1}}, {"x": {"q": ["a"]}, "y": {"q": ["b", "a"]}}, ["RR"]).to_frame(
        backend, per_query=True
    )
    assert (list(each.columns), each["RR"].to_list()) == (["run", "query_id", "RR"], [1.0, 0.5])
    assert runs["run"].to_list() == ["x", "y"]
    assert runs["RR"].to_list() == [1.0, 0.5]


def test_counts_with_fractions_make_one_column() -> None:
    """Under expected ties a count may have a fraction: the column holds floats then, in every library."""
    run = {"q": {"a": 1.0, "b": 1.0}, "r": {"a": 1.0}}
    found = rp.evaluate({"q": {"a": 1}, "r": {"a": 1}}, run, ["NumRelRet@1"], ties="expected")
    assert found.to_frame("polars")["NumRelRet@1"].to_list() == [0.5, 1.0]


def test_to_frame_chooses_what_is_installed() -> None:
    """Without a backend the first installed library is taken; an unknown one is refused."""
    values = rp.evaluate({"q": {"a": 1}}, {"q": ["a"]}, ["RR"])
    assert isinstance(values.to_frame(), pd.DataFrame)
    with pytest.raises(rp.InputError, match="there is no dataframe backend 'excel'; expected one of pandas, polars"):
        values.to_frame("excel")


def test_missing_packages_say_what_to_install(monkeypatch) -> None:
    """Without the extra, or without any dataframe library, the message says what to install."""
    values = rp.evaluate({"q": {"a": 1}}, {"q": ["a"]}, ["RR"])
    monkeypatch.setattr("rankproof.formats.frames.find_spec", lambda _: None)
    with pytest.raises(rp.MissingPackageError, match="pandas, polars or pyarrow is not installed\n\nhint: pip install"):
        values.to_frame()
    real = builtins.__import__

    def without(name: str, *rest: object, **more: object) -> object:
        if name.startswith("narwhals"):
            raise ImportError(name)
        return real(name, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(rp.MissingPackageError, match=r'pip install "rankproof\[frames\]"'):
        rp.evaluate(pd.DataFrame(QRELS), RUN, ["RR"])


def test_arrays_of_an_index() -> None:
    """Ids are indexes into doc_ids, -1 is an empty place; distances rank from the lowest."""
    ids = np.array([[1, 0, -1], [0, 2, 1]])
    distances = np.array([[0.1, 0.2, 9.9], [0.5, 0.5, 0.7]], dtype=np.float32)
    run = rp.run_from_arrays(["q1", 2], ids, distances, doc_ids=["a", "b", "c"], lower_is_better=True, name="faiss")
    assert run.name == "faiss"
    assert [list(ranking.doc_ids) for ranking in run.rankings.values()] == [["b", "a"], ["a", "c", "b"]]
    found = rp.evaluate({"q1": {"a": 1}, "2": {"b": 1}}, run, ["RR"])
    assert found.per_query["RR"] == (0.5, pytest.approx(1 / 3))


def test_distances_taken_for_scores_are_noticed() -> None:
    """Scores that rise in every row are distances, most likely: it is said."""
    with pytest.warns(rp.RankproofWarning, match="the scores rise in every row; if they are distances"):
        rp.run_from_arrays(["q"], [["a", "b"]], [[0.1, 0.2]])


def test_arrays_without_scores() -> None:
    """Without scores the columns rank; ids may be document ids themselves."""
    run = rp.run_from_arrays(["q"], [["x", "a"]])
    assert rp.evaluate({"q": {"a": 1}}, run, ["RR"]).means["RR"] == 0.5
    assert rp.run_from_arrays(["q"], [[7, -1]]).rankings["q"].doc_ids == ["7"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["q"], [1, 2]), r"ids have the shape \(2,\); expected \(1, k\)"),
        ((["q", "r"], [[1, 2]]), r"ids have the shape \(1, 2\); expected \(2, k\)"),
        ((["q"], [[1, 2]], [[1.0]]), r"scores have the shape \(1, 1\); expected that of the ids"),
        ((["q", "q"], [[1], [2]]), "a query id comes twice"),
        ((["q", "r"], [[1], [2, 3]]), "is no array"),
        ((["q"], [[1]], [["high"]]), "is no array"),
    ],
)
def test_arrays_that_do_not_fit(arguments: tuple, message: str) -> None:
    """Shapes that do not fit are refused with both."""
    with pytest.raises(rp.InputError, match=message):
        rp.run_from_arrays(*arguments)


def test_an_index_outside_doc_ids() -> None:
    """A result that is no index into doc_ids names its query."""
    with pytest.raises(
        rp.InputError, match="query q: result 5 is no index into doc_ids; expected an index from 0 to 0"
    ):
        rp.run_from_arrays(["q"], [[5]], doc_ids=["a"])
