"""In which languages does a report speak, and how are counts and lists said?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Words(NamedTuple):
    """The same words in English and in Korean. As text, in a table or a message, they are the English ones."""

    en: str
    ko: str

    def __str__(self) -> str:
        """Return the English words."""
        return self.en


def same(text: str) -> Words:
    """Return what reads alike in both languages: a name, an id, a number."""
    return Words(text, text)


def counted(count: int, one: str, several: str | None = None) -> str:
    """Return a count with its noun: `1 query`, `3 queries`."""
    return f"{count} {one if count == 1 else several or one + 's'}"


def query_count(count: int) -> str:
    """Return how many queries there are."""
    return counted(count, "query", "queries")


def first_of(names: Sequence[str], most: int = 3) -> str:
    """Return the first of some names, and that there are more."""
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")


TERMS: Mapping[str, str] = {
    # what is measured, and of what
    "measure": "지표",
    "run": "실행",
    "system": "시스템",
    "series": "계열",
    "query_id": "질의",
    "doc_id": "문서",
    "document": "문서",
    "rank": "순위",
    "grade": "등급",
    "score": "점수",
    "gain": "이득",
    "discount": "할인",
    "amount": "기여",
    "the ideal ranking": "이상적 순위",
    "value": "값",
    "mean": "평균",
    "means": "평균",
    "per query": "질의별",
    "queries": "질의 수",
    "documents": "문서 수",
    "count": "수",
    "k": "k",
    "from": "부터",
    "to": "까지",
    "judged": "판정된 문서",
    "relevant": "적합",
    "non-relevant": "비적합",
    "unjudged": "미판정",
    # before and after
    "before": "전",
    "after": "후",
    "change": "변화",
    "meaning": "뜻",
    "move": "이동",
    "rose": "오름",
    "fell": "내림",
    "stayed": "그대로",
    "undefined": "정의되지 않음",
    "ceiling": "도달 가능한 최댓값",
    "share": "달성 비율",
    "candidate_recall": "후보 재현율",
    "after_without_new": "후 (새 문서 제외)",
    "what": "내용",
    "ranks of the relevant documents": "적합 문서의 순위",
    "documents that broke the freeze": "후보 고정을 어긴 문서",
    "candidates": "후보",
    "reranked": "리랭킹 결과",
    "recall": "재현율",
    "baselineNdcg": "기준 nDCG",
    "challengerNdcg": "도전 nDCG",
    # one run against another
    "baseline": "기준",
    "candidate": "후보 실행",
    "delta": "차이",
    "low": "하한",
    "high": "상한",
    "adjusted p": "보정한 p",
    "effect size": "효과 크기",
    "wins/ties/losses": "승/무/패",
    "verdict": "결론",
    "queries needed for this delta": "이 차이에 필요한 질의 수",
    "unjudged, baseline": "미판정, 기준",
    "unjudged, run": "미판정, 실행",
    "first": "앞쪽 몇 개",
    "must be": "한계",
    "distance to the limit": "한계까지의 거리",
    "if the unjudged were relevant": "미판정이 적합이라면",
    "if they are taken out": "빼면",
    "how complete the labels are": "판정은 얼마나 채워졌나",
    "what the differences show": "차이가 보여 주는 것",
    "what these queries can show": "이 질의들로 밝힐 수 있는 것",
    "direction": "방향",
    "RBO minimum": "RBO 최솟값",
    "RBO residual": "RBO 잔여",
    "documents in common": "공통 문서 수",
    # many systems
    "place": "등수",
    "group": "그룹",
    "groups": "그룹",
    "letters": "글자",
    "and": "다른 지표",
    "row minus column": "행 - 열",
    "how alike the measures order the systems": "지표들이 시스템을 얼마나 비슷하게 줄 세우는지",
    # a gate
    "requirement": "요구 조건",
    "seen": "관측값",
    "limit": "한계",
    "status": "상태",
    # a contract
    "rule": "규칙",
    "answer": "답",
    "question": "물음",
    "in words": "풀이",
    "reason": "이유",
    "for single measures": "지표별 규칙",
    "where it comes from": "출처",
    "known deviations": "알려진 차이",
    "topic": "주제",
    "the tool": "그 도구",
    "here": "여기",
    # what went in
    "evaluated": "평가된 질의",
    "missing": "실행에 없는 질의",
    "without relevant": "적합 문서가 없는 질의",
    "without judgments": "판정이 없는 질의",
    "with ties": "동점이 있는 질의",
    "repeats": "되풀이된 문서",
    "role": "역할",
    "path": "경로",
}
"""What the heads of tables are called in Korean."""

PATTERNS: Mapping[re.Pattern[str], str] = {
    re.compile(pattern): korean
    for pattern, korean in (
        (r"(\S+ %) interval", "{} 구간"),
        (r"shown at (\S+ %) power", "검정력 {}에서 드러나는 차이"),
        (r"p of equivalence \((.+)\)", "동등성 p ({})"),
        (r"documents only in (.+)", "{}에만 있는 문서"),
        (r"unjudged in (.+)", "{}의 미판정"),
        (r"overlap@(\d+)", "겹침@{}"),
        (r"(\S+) and (\S+)", "{} 대 {}"),
        (r"(\S+) and (\S+), per query", "{} 대 {}, 질의별"),
        (r"(.+), per query", "{}, 질의별"),
        (r"(.+): all pairs, adjusted p", "{}: 모든 쌍, 보정한 p"),
        (r"(.+): systems that share a letter cannot be told apart", "{}: 글자가 같은 시스템은 구별되지 않음"),
        (r"queries that lost most, (.+)", "가장 많이 떨어진 질의, {}"),
        (r"(.+), left (.+), right (.+)", "{}, 왼쪽 {}, 오른쪽 {}"),
        *((f"query (.+): {way}", f"질의 {{}}: {TERMS[way]}") for way in ("rose", "fell", "stayed", "undefined")),
    )
}
"""Heads and titles around a number or a name, which stands at each {}."""


def term(text: str) -> Words:
    """Return the head or title of a table in both languages; one that is not known, such as a run's name, as it is."""
    if text in TERMS:
        return Words(text, TERMS[text])
    found = ((pattern.fullmatch(text), korean) for pattern, korean in PATTERNS.items())
    return Words(text, next((korean.format(*match.groups()) for match, korean in found if match), text))
