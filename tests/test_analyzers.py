"""Analyzers: each one's tokens by hand, the same from any thread, and what a missing package says."""

from __future__ import annotations

import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from threading import local

import pytest
from browser import ROOT
from hypothesis import given
from hypothesis import strategies as st

import rankproof as rp
from rankproof.retrieve import text as analyzers
from rankproof.retrieve.text import ANALYZERS, analyzer_of

TEXT = "작업장 밝기 300럭스 LED-조명"


@pytest.mark.parametrize(
    ("name", "text", "tokens"),
    [
        ("words", TEXT, ["작업장", "밝기", "300럭스", "led", "조명"]),
        ("whitespace", TEXT, ["작업장", "밝기", "300럭스", "LED-조명"]),
        ("hangul-2-3gram", TEXT, ["작업", "업장", "작업장", "밝기", "럭스", "조명"]),
        ("hangul-2-3gram-words", TEXT, ["작업", "업장", "작업장", "밝기", "300", "럭스", "led", "조명"]),
        (
            "english",
            "The Runner was running; it ran in the ponies' 2 barns",
            ["runner", "run", "ran", "poni", "2", "barn"],
        ),
        ("kiwi", "산소 농도를 측정하였고, LED 조명은 300", ["산소", "농도", "측정", "led", "조명", "300"]),
        ("kiwi", "아름다운 난간이 높다", ["아름답", "난간", "높"]),
    ],
)
def test_tokens_by_hand(name: str, text: str, tokens: list[str]) -> None:
    """Each analyzer's tokens, by hand: words, n-grams, stems of words with a meaning, Korean without its particles."""
    assert list(ANALYZERS[name].analyzer(text)) == tokens
    assert list(ANALYZERS[name].analyzer("")) == []


def test_every_analyzer_has_a_case() -> None:
    """No analyzer is in the table without tokens by hand above, and each extra is one of this package's."""
    (mark,) = test_tokens_by_hand.pytestmark
    assert {name for name, _, _ in mark.args[1]} == set(ANALYZERS)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert {one.extra for one in ANALYZERS.values()} - {None} <= set(extras)


@given(st.text(st.sampled_from("abe inst'THY.-é"), max_size=40))
def test_english_is_that_of_bm25s(text: str) -> None:
    """Stems and stopwords are those that bm25s makes of the same words with the same stemmer."""
    import bm25s
    import Stemmer

    (made,) = bm25s.tokenize(
        [text],
        stopwords="en",
        stemmer=Stemmer.Stemmer("english"),
        token_pattern=r"\w+",  # noqa: S106 - no password
        return_ids=False,
        show_progress=False,
    )
    assert ANALYZERS["english"].analyzer(text) == made


@pytest.mark.parametrize("name", ["english", "kiwi"])
def test_threads_get_the_same_tokens(name: str) -> None:
    """Four threads at once get what one gets."""
    texts = ["running ponies easily 농도의 측정을", "generalizations 밀폐공간에서 위험하다", "작업자는 hopping"] * 40
    analyze = ANALYZERS[name].analyzer
    alone = [analyze(text) for text in texts]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(analyze, texts)) == alone


@pytest.mark.parametrize(
    ("name", "package", "says"),
    [
        ("english", "Stemmer", 'needs the package PyStemmer and bm25s\n\nhint: pip install "rankproof[search]"'),
        ("english", "bm25s.stopwords", "needs the package PyStemmer and bm25s"),
        ("kiwi", "kiwipiepy", 'needs the package kiwipiepy\n\nhint: pip install "rankproof[korean]"'),
    ],
)
def test_a_missing_package_is_named(monkeypatch, name: str, package: str, says: str) -> None:
    """An analyzer whose package is not installed says which one to install, and how."""
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr(analyzers, "_THREAD", local())
    monkeypatch.setattr(analyzers, "_KIWI", [])
    with pytest.raises(rp.MissingPackageError) as error:
        rp.BM25({"d": "a"}, analyzer=name)
    assert says in str(error.value)


def test_your_own() -> None:
    """Whatever returns tokens is an analyzer; an unknown name is refused with the table and the nearest."""
    assert rp.BM25({"d": "x"}, analyzer=list).search({"q": "x"}, 1).rankings["q"].doc_ids == ["d"]
    assert analyzer_of("words") is ANALYZERS["words"].analyzer
    with pytest.raises(rp.InputError, match="did you mean english"):
        analyzer_of("English")
