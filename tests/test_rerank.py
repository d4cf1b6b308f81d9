"""The verdict and the words of a comparison before and after reranking."""

from __future__ import annotations

import json
import re

import pytest

import rankproof as rp
from rankproof.report.write import page_of
from rankproof.rerank.lab import CAVEATS, MEANINGS, VERDICTS


def lab(tmp_path, before: list[str], after: list[str], relevant: list[str] = ["a"]):  # noqa: B006 - it is only read
    """Return the result at K = 2 of one query."""
    entry = {
        "queryId": "q",
        "relevant": [{"id": doc} for doc in relevant],
        "before": [{"id": doc} for doc in before],
        "after": [{"id": doc} for doc in after],
    }
    (tmp_path / "lab.json").write_text(json.dumps([entry]))
    return rp.rerank_lab(tmp_path / "lab.json", 2)


@pytest.mark.parametrize(
    ("before", "after", "relevant", "verdict", "says"),
    [
        (["x", "a"], ["a", "x"], ["a"], "better", "up: RR@2, nDCG@2 rose"),
        (["a", "x"], ["x", "a"], ["a"], "worse", "down: RR@2, nDCG@2 fell"),
        (["a", "x"], ["a", "y"], ["a"], "same", "changed none"),
        (["a", "x", "b"], ["x", "b"], ["a", "c"], "worse", "down: P@2, R@2, RR@2, nDCG@2 fell"),
        (["a", "x"], ["x", "a"], [], "undefined", "no query has a relevant document"),
        (["a", "x", "b", "c"], ["x", "b"], ["a"], "worse", "fell"),
    ],
)
def test_verdicts(tmp_path, before: list[str], after: list[str], relevant: list[str], verdict: str, says: str) -> None:
    """The verdict follows P, R, RR and nDCG: all that moved rose, or fell, or some did each."""
    found = lab(tmp_path, before, after, relevant)
    assert found.verdict == verdict
    assert says in found.verdict_says
    assert found.verdict in VERDICTS


def test_mixed(tmp_path) -> None:
    """More found, but the first one later: helped in part."""
    found = lab(tmp_path, ["a", "x", "b"], ["x", "b", "a"], ["b", "c"])
    assert found.verdict == "better"
    entries = [
        {"queryId": "up", "relevant": [{"id": "a"}], "before": [{"id": "x"}], "after": [{"id": "x"}, {"id": "a"}]},
        {"queryId": "down", "relevant": [{"id": "a"}], "before": [{"id": "a"}], "after": [{"id": "x"}, {"id": "a"}]},
    ]
    (tmp_path / "lab.json").write_text(json.dumps(entries))
    found = rp.rerank_lab(tmp_path / "lab.json", 2)
    # P and R: 0, 1/2 and 0, 1 before; 1/2, 1/2 and 1, 1 after. RR: 0, 1 before, 1/2, 1/2 after. nDCG: 1/2 to 0.63.
    assert {row.measure: row.change for row in found.changes if row.change} == {
        "P@2": pytest.approx(0.25),
        "R@2": pytest.approx(0.5),
        "nDCG@2": pytest.approx(0.13093, abs=1e-5),
    }
    assert found.verdict == "better"
    deeper = [{"id": "x"}, {"id": "y"}, {"id": "a"}]
    entries[1]["after"] = deeper
    (tmp_path / "lab.json").write_text(json.dumps(entries))
    assert rp.rerank_lab(tmp_path / "lab.json", 2).verdict == "worse"
    both = rp.rerank_lab(tmp_path / "lab.json", 3)
    # at 3: R rises by 1/2, RR falls from 1/2 to (1/2 + 1/3) / 2
    assert both.verdict == "mixed"
    assert both.verdict_says.startswith("on average reranking helped in part: P@3, R@3")


def test_words(tmp_path) -> None:
    """Each measure says in words whether it rose, fell or stayed; without marks the evidence rate cannot be said."""
    rose, fell = lab(tmp_path, ["x", "y", "a"], ["a", "a", "x"]), lab(tmp_path, ["a", "a", "x"], ["x", "y", "a"])
    for up, down, symbol in zip(rose.changes, fell.changes, MEANINGS, strict=True):
        if symbol == "EvidenceRate":
            assert (up.change, up.meaning) == (None, "cannot be said")
        else:
            assert up.meaning == MEANINGS[symbol].rises.en.format(k=2)
            assert down.meaning == MEANINGS[symbol].falls.en.format(k=2)
    same = lab(tmp_path, ["a"], ["a"])
    assert same.changes[0].meaning == MEANINGS["P"].stays.en.format(k=2)
    with pytest.raises(rp.MeasureError, match="k cannot be 0"):
        rp.rerank_lab(tmp_path / "lab.json", 0)


def test_shown(tmp_path) -> None:
    """Printed, and in a notebook, a result is its verdict, tables and notes; one query says that it is not enough."""
    found = lab(tmp_path, ["x", "a"], ["a", "x"])
    for text in (repr(found), found._repr_html_()):
        for part in (
            found.verdict_says,
            "nDCG@2",
            "the first relevant document comes earlier",
            "seed 1",
            CAVEATS[0].en,
        ):
            assert part in text
        assert "Not enough queries to test this. 1 query: an interval needs two" in text
    assert len(found.tables()) == 3


def test_every_sentence_is_korean_too(tmp_path) -> None:
    """Verdicts, meanings and caveats are Korean in Korean, with every place filled in."""
    hangul = re.compile("[가-힣]")
    found = lab(tmp_path, ["x", "a"], ["a", "x"])
    said = [found.verdict_words, *CAVEATS, *(found.meaning(row.measure, row.change) for row in found.changes)]
    said += [*VERDICTS.values(), *(words for one in MEANINGS.values() for words in one[:3])]
    for words in said:
        assert hangul.search(words.ko), words
    assert not set("{}") & set(found.verdict_words.ko)
    assert "오른 질의 1개, 내린 질의 0개, 그대로인 질의 0개" in found.verdict_words.ko


def test_report(tmp_path) -> None:
    """A lab file has a report: the verdict and the changes it goes by first, then tables, caveats, contract."""
    page = page_of(lab(tmp_path, ["x", "a"], ["a", "x"]))
    verdict, cards, too_few = page.lead
    assert too_few.en.startswith("Not enough queries")
    assert (verdict.word.en, verdict.tone) == ("Better", "good")
    assert [(card.label.en, card.value) for card in cards.cards][:3] == [
        ("P@2", "+0.0000"),
        ("R@2", "+0.0000"),
        ("RR@2", "+0.5000"),
    ]
    assert [one.heading.en for one in page.sections][-3:] == [
        "What these numbers do not show",
        "The contract",
        "Where it comes from",
    ]
