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
    "title": "제목",
    "page": "쪽",
    "hits so far": "지금까지 적중",
    "order": "순서",
    "rank": "순위",
    "grade": "등급",
    "score": "점수",
    "gain": "이득",
    "discount": "할인",
    "amount": "기여",
    "the ideal ranking": "이상적 순위",
    "the terms": "항",
    "stop": "멈출 확률",
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
    "evidence": "근거",
    "note": "비고",
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
    "precision": "정밀도",
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
    "families": "질의 묶음 수",
    "group": "그룹",
    "groups": "그룹",
    "letters": "글자",
    "and": "다른 지표",
    "row minus column": "행 - 열",
    "how alike the measures order the systems": "지표들이 시스템을 얼마나 비슷하게 줄 세우는지",
    # systems on one corpus, and weights of a fusion
    "systems": "시스템",
    "kind": "종류",
    "options": "설정",
    "index s": "색인 초",
    "median ms": "중앙값 ms",
    "p95 ms": "95백분위 ms",
    "chosen": "고른 가중치",
    "alone": "단독",
    # what to judge, and what judges said
    "pooled": "풀에 든 문서",
    "to judge": "판정할 문서",
    "left out": "제외",
    "judge": "판정자",
    "judges": "판정자",
    "other judge": "다른 판정자",
    "grades": "등급 수",
    "without a grade": "등급 없음",
    "agreement": "일치도",
    "coefficient": "계수",
    "raw agreement": "단순 일치율",
    "Cohen's kappa": "코헨의 카파",
    "linear kappa": "선형 가중 카파",
    "quadratic kappa": "이차 가중 카파",
    "each two judges": "판정자 두 명씩",
    "models beside the people's grade": "사람의 등급과 모델",
    # interleaved lists, and their clicks
    "impression": "노출",
    "team": "제공한 실행",
    "left": "왼쪽",
    "right": "오른쪽",
    "left won": "왼쪽 승",
    "ties": "무승부",
    "right won": "오른쪽 승",
    "right's share": "오른쪽의 몫",
    "credit": "점수",
    "credit, right minus left": "점수, 오른쪽 - 왼쪽",
    "credit per impression": "노출당 점수",
    "credit of the clicks": "클릭의 점수",
    "impressions won": "이긴 노출",
    "votes of users": "사용자별 표",
    "votes of sessions": "세션별 표",
    "votes of queries": "질의별 표",
    "impressions needed": "필요한 노출 수",
    "at least": "적어도",
    "at most": "많아야",
    "one click on": "클릭 한 번",
    "chance to be shown": "나올 확률",
    "neither wins": "무승부",
    "what one click does": "클릭 한 번이 하는 일",
    # splits, and what they know of the test
    "split": "분할",
    "share of the queries": "질의 비율",
    "asked for": "요청한 비율",
    "leaks": "누출 수",
    "test queries": "테스트 질의 수",
    "share of the test split": "테스트 분할 중 비율",
    "what to do": "할 일",
    "text": "문장",
    "also in": "다른 곳",
    "there": "그곳의 ID",
    "its text": "그곳의 문장",
    "in common": "공통점",
    "clean queries": "깨끗한 질의 수",
    "clean mean": "깨끗한 질의의 평균",
    "leaked queries": "누출된 질의 수",
    "leaked mean": "누출된 질의의 평균",
    "leaked minus clean": "누출 - 깨끗함",
    "the measure on clean and on leaked test queries": "깨끗한 테스트 질의와 누출된 테스트 질의의 지표",
    "query": "질의",
    "split by row": "행별 분할",
    "split by group": "묶음별 분할",
    # a gate
    "requirement": "요구 조건",
    "seen": "관측값",
    "limit": "한계",
    "status": "상태",
    # vectors in a plane
    "vector": "벡터",
    "cosine": "코사인",
    "reranked rank": "리랭킹 순위",
    "x": "x",
    "y": "y",
    "output": "출력",
    "fixture": "예제",
    "now": "지금",
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
    "rules that make it differ": "값을 다르게 만드는 규칙",
    # what there is
    "contract": "계약",
    "fingerprint": "지문",
    "whose rules": "누구의 규칙",
    "version": "버전",
    "what it is": "무엇인가",
    "formula": "계산식",
    "source": "출처",
    "format": "형식",
    "analyzer": "분석기",
    "available": "쓸 수 있는 곳",
    # what went in
    "evaluated": "평가된 질의",
    "missing": "실행에 없는 질의",
    "without relevant": "적합 문서가 없는 질의",
    "without judgments": "판정이 없는 질의",
    "with ties": "동점이 있는 질의",
    "repeats": "되풀이된 문서",
    "role": "역할",
    "path": "경로",
    # what a file holds
    "file": "파일",
    "packing": "압축",
    "encoding": "인코딩",
    "line ends": "줄 끝",
    "rows": "행 수",
    "depth": "깊이",
    "weight": "중요도",
}
"""What the heads of tables are called in Korean."""

PATTERNS: Mapping[re.Pattern[str], str] = {
    re.compile(pattern): korean
    for pattern, korean in (
        (r"(\S+ %) interval", "{} 구간"),
        (r"shown at (\S+ %) power", "검정력 {}에서 드러나는 차이"),
        (r"p of equivalence \((.+)\)", "동등성 p ({})"),
        (r"query (.+), of which the first (\d+) places count", "질의 {}, 앞쪽 {}자리까지 셈"),
        (r"documents only in (.+)", "{}에만 있는 문서"),
        (r"unjudged in (.+)", "{}의 미판정"),
        (r"([a-z-]+): (\d+) of (\d+)", "{}: {} / 전체 {}"),
        (r"overlap@(\d+)", "겹침@{}"),
        (r"(\S+) and (\S+)", "{} 대 {}"),
        (r"(\S+) and (\S+), per query", "{} 대 {}, 질의별"),
        (r"(.+), per query", "{}, 질의별"),
        (r"(.+): all pairs, adjusted p", "{}: 모든 쌍, 보정한 p"),
        (r"(.+): systems that share a letter cannot be told apart", "{}: 글자가 같은 시스템은 구별되지 않음"),
        (r"queries that lost most, (.+)", "가장 많이 떨어진 질의, {}"),
        (r"(.+), left (.+), right (.+)", "{}, 왼쪽 {}, 오른쪽 {}"),
        (r"rank in (.+)", "{}의 순위"),
        (r"(\S+) wins", "{} 승"),
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
