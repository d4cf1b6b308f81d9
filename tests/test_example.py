"""The packaged example: whole, judged where it is looked at, with sources that a person can look up."""

from __future__ import annotations

import json

import pytest
from conftest import ROOT

import rankproof as rp

EXAMPLE = ROOT / "src" / "rankproof" / "example"
RUNS = ("bm25-words", "bm25-ngrams", "lsa")
KOREAN = [
    *("산소 농도 적정공기", "안전난간 상부 난간대 높이", "사다리식 통로 기울기", "강렬한 소음 데시벨"),
    *("작업면 조도 정밀작업", "작업발판 폭 틈", "정비 청소 운전정지", "밀폐공간 감시인 연락"),
    *("계단참 높이 길이", "강관비계 적재하중", "유해요인 조사 근골격계", "비상구 설치 출입구"),
]


def lines(name: str) -> list[dict]:
    return [json.loads(line) for line in (EXAMPLE / name).read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def corpus() -> dict:
    return {one["_id"]: one for one in lines("corpus.jsonl")}


def test_articles_can_be_looked_up(corpus) -> None:
    """About forty short articles in two languages, each with its source."""
    assert len(corpus) == len(lines("corpus.jsonl")) >= 40
    assert {one["language"] for one in corpus.values()} == {"ko", "en"}
    for one in corpus.values():
        assert set(one) == {"_id", "title", "text", "language", "source", "page"}
        assert all(one.values())
        assert one["page"] in one["source"] or one["language"] == "en"
        assert len(one["text"]) < 600


def test_queries() -> None:
    """The twelve Korean queries, in their order, and English ones; families join the two languages."""
    queries = lines("queries.jsonl")
    assert [one["text"] for one in queries if one["language"] == "ko"] == KOREAN
    assert sum(one["language"] == "en" for one in queries) >= 12
    families = {one["family"] for one in queries if one["language"] == "ko"}
    assert len({one["family"] for one in queries if one["language"] == "en"} & families) >= 8


def test_labels_cover_what_is_looked_at(corpus) -> None:
    """Every judged document exists, every query has an answer, and the first five of each run are judged."""
    qrels = rp.read_qrels(EXAMPLE / "qrels.txt")
    assert {one["_id"] for one in lines("queries.jsonl")} == set(qrels)
    assert {doc for judged in qrels.values() for doc in judged} <= set(corpus)
    assert all(max(judged.values()) >= 2 for judged in qrels.values())
    assert {grade for judged in qrels.values() for grade in judged.values()} == {0, 1, 2, 3}
    for name in RUNS:
        run = rp.read_run(EXAMPLE / f"{name}.run")
        assert run.name == name
        for query, ranking in run.rankings.items():
            assert set(ranking.doc_ids[:5]) <= set(qrels[query])
            assert set(ranking.doc_ids) <= set(corpus)


def test_it_teaches() -> None:
    """The runs differ, one lacks a query, and unjudged documents stand further down: there is something to see."""
    found = rp.evaluate(
        EXAMPLE / "qrels.txt", [EXAMPLE / f"{name}.run" for name in RUNS], ["nDCG@10", "Judged@5", "Judged@10"]
    )
    assert list(found["bm25-words"].groups["missing"]) == ["ko-05"]
    means = [values.means["nDCG@10"] or 0 for values in found.values()]
    assert max(means) - min(means) > 0.1
    assert all(values.means["Judged@5"] == 1 for values in found.values())
    assert all((values.means["Judged@10"] or 0) < 1 for values in found.values())
