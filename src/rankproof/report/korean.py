"""What is a rule called in Korean?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rankproof.answers import kebab, spell
from rankproof.contract import Contract
from rankproof.rules import known_rule, rules
from rankproof.tables import Table
from rankproof.words import Words


class Korean(NamedTuple):
    """A rule in Korean: its question, a sentence for each answer that has a name, and one for numbers and tables."""

    question: str
    means: Mapping[str, str]
    other: str = ""  # holds {answer}


_REFUSED = {"error": "입력을 거부합니다"}
_COUNTED_OUT = "값이 정의되지 않습니다: 평균에서 빼고 그 수를 셉니다"
_K, _RETURNED = "k입니다", "검색된 문서 수이며, 많아야 k입니다"
_RELEVANT, _CAPPED = "적합 문서 수입니다", "적합 문서 수이며, 많아야 k입니다"

KOREAN: Mapping[str, Korean] = {
    "comments": Korean(
        "# 문자로 시작하는 줄은 주석입니까?",
        {"hash": "예: 읽지 않고 그 수를 셉니다", "none": "아니요: 데이터로 읽습니다"},
    ),
    "duplicate_judgment": Korean(
        "qrels가 한 질의에서 같은 문서를 두 번 판정하면 어떻게 합니까?",
        {**_REFUSED, "keep-last": "마지막 판정을 씁니다", "keep-highest": "가장 높은 등급을 씁니다"},
    ),
    "grade_map": Korean(
        "qrels의 등급은 저마다 어떤 등급을 뜻합니까? (none: 그대로)",
        {"none": "그대로입니다"},
        "등급:뜻하는 등급으로 적으면 {answer}입니다",
    ),
    "subtopics": Korean(
        "TREC qrels의 둘째 열이 하위 주제를 나타내면 어떻게 합니까?",
        {
            **_REFUSED,
            "any": "문서의 등급 가운데 가장 높은 것을 씁니다",
            "all": "문서의 등급 가운데 가장 낮은 것을 쓰며, 그 문서가 없는 하위 주제는 0입니다",
            "ignored": "그 열을 읽지 않습니다",
        },
    ),
    "roll_up": Korean(
        "실행의 결과가 문서의 조각(청크)을 나타냅니까?",
        {
            "none": "아니요: 문서를 나타냅니다",
            "max": "예: 문서의 조각 가운데 점수가 가장 높은 것을 셉니다",
            "first": "예: 문서의 조각 가운데 먼저 주어진 것을 셉니다",
        },
    ),
    "chunk_separator": Korean(
        "문서의 id와 조각의 id를 무엇으로 나눕니까? (마지막에 나온 것)",
        {},
        "{answer}(으)로 나눕니다",
    ),
    "order": Korean(
        "순위는 무엇으로 정합니까?",
        {
            "score": "점수가 높은 순서로 정하고, 점수가 없으면 주어진 순서를 따릅니다",
            "rank": "순위 열의 값이 작은 순서로 정합니다",
            "position": "주어진 순서를 따릅니다",
        },
    ),
    "ties": Korean(
        "점수가 같은 두 문서 가운데 어느 것이 먼저입니까?",
        {
            "document-id-descending": "문서 id가 바이트 순서로 더 큰 문서가 먼저입니다",
            "document-id-ascending": "문서 id가 바이트 순서로 더 작은 문서가 먼저입니다",
            "as-given": "먼저 주어진 문서가 먼저입니다",
            "expected": "정하지 않습니다: 값은 동점 문서의 모든 순서에 대한 평균입니다",
            "unspecified": "도구가 밝히지 않습니다: 주어진 순서로 놓으므로, 값이 아니라 동점 범위를 믿어야 합니다",
        },
    ),
    "score_precision": Korean(
        "점수를 어떤 정밀도로 비교합니까?",
        {
            "single": "32비트 부동소수점으로 비교합니다: 가까운 점수는 동점이 됩니다",
            "double": "64비트 부동소수점으로 비교합니다",
        },
    ),
    "nan_score": Korean(
        "점수가 NaN이면 어떻게 합니까?",
        {**_REFUSED, "last": "다른 모든 문서 뒤에 놓고, NaN끼리는 동점으로 봅니다"},
    ),
    "non_positive_score": Korean(
        "점수가 0 이하인 문서도 검색된 것으로 봅니까?",
        {"keep": "예", "drop": "아니요: 순위에서 뺍니다"},
    ),
    "own_document": Korean(
        "id가 질의의 id와 같은 문서도 셉니까?",
        {"keep": "예", "remove": "아니요: 다른 무엇보다 먼저 순위에서 뺍니다"},
    ),
    "duplicate_document": Korean(
        "한 순위에 같은 문서가 두 번 있으면 어떻게 합니까?",
        {
            **_REFUSED,
            "keep-first": "먼저 주어진 것을 셉니다",
            "keep-best": "순위가 가장 높은 것을 셉니다",
            "keep-last": "마지막에 주어진 것을 셉니다",
            "unchecked": "확인하지 않습니다: 중복이 없다는 것은 부르는 쪽이 보장합니다",
        },
    ),
    "duplicate_slot": Korean(
        "되풀이된 문서도 순위를 하나 차지합니까?",
        {
            "occupies": "예: 그 뒤의 문서는 한 자리 아래에 머무릅니다",
            "removed": "아니요: 그 뒤의 문서가 위로 올라옵니다",
        },
    ),
    "depth": Korean(
        "각 순위를 몇 자리까지 봅니까? (none: 전부)",
        {"none": "전부 봅니다"},
        "위에서 {answer}자리까지 봅니다",
    ),
    "unjudged": Korean(
        "판정이 없는 문서를 무엇으로 봅니까?",
        {
            "non-relevant": "제자리에 있는 비적합 문서로 봅니다",
            "condensed": "없는 것으로 봅니다: 깊이(depth)를 적용한 뒤, 컷오프 전에 순위에서 뺍니다",
        },
    ),
    "negative_grade": Korean(
        "0보다 작은 등급은 무엇을 뜻합니까? (어느 답이든 이득은 0)",
        {
            "unjudged": "풀에 들었지만 판정되지 않았다는 뜻입니다",
            "non-relevant": "등급 0처럼 비적합으로 판정되었다는 뜻입니다",
            **_REFUSED,
        },
    ),
    "missing_query": Korean(
        "판정된 질의가 실행에 없으면 어떻게 합니까?",
        {"zero": "빈 순위로 셉니다", "skip": "평균에서 뺍니다", **_REFUSED},
    ),
    "unjudged_query": Korean(
        "실행에 있는 질의에 판정이 없으면 어떻게 합니까?",
        {"skip": "빼고 그 수를 셉니다", **_REFUSED},
    ),
    "no_relevant": Korean(
        "질의에 적합 문서가 없으면 어떻게 합니까? (개수, Judged, 비율 지표에는 해당하지 않음)",
        {"zero": "값은 0이며 평균에 들어갑니다", "skip": _COUNTED_OUT, **_REFUSED},
    ),
    "relevant_from": Korean("어느 등급부터 적합 문서입니까?", {}, "등급이 {answer} 이상이면 적합 문서입니다"),
    "gain": Korean(
        "CG, DCG, nDCG에서 등급의 이득은 얼마입니까?",
        {
            "linear": "등급 그대로입니다",
            "exponential": "2를 등급만큼 거듭제곱하고 1을 뺀 값입니다",
            "binary": "0보다 큰 등급이면 모두 1입니다",
            "table": "gain-table에 적힌 값이며, 거기에 없는 등급은 0입니다",
        },
    ),
    "gain_table": Korean(
        "등급마다 이득은 얼마입니까? (gain = table일 때)",
        {"none": "표가 없습니다"},
        "등급:이득으로 적으면 {answer}입니다",
    ),
    "low_grade_gain": Korean(
        "relevant-from보다 낮은 등급에도 이득이 있습니까?",
        {"keep": "예: 그 등급의 이득을 그대로 씁니다", "zero": "아니요: 이득은 0입니다"},
    ),
    "discount": Korean("이득을 무엇으로 나눕니까?", {"log2": "log2(순위 + 1)로 나눕니다"}),
    "ideal": Korean(
        "nDCG의 이상적 순위를 어떤 문서로 만듭니까?",
        {
            "all-judged": "그 질의에서 판정된 모든 문서로 만듭니다",
            "retrieved": "실행이 검색한 문서로만 만듭니다: 놓친 문서는 드러나지 않습니다",
        },
    ),
    "ideal_depth": Korean(
        "이상적 순위는 얼마나 깁니까?",
        {
            "cutoff": "컷오프만큼입니다",
            "whole": "컷오프와 관계없이 대상 문서를 모두 담습니다",
            "returned": "컷오프 안에서 검색된 문서 수만큼입니다",
        },
    ),
    "precision_denominator": Korean("P@k의 분모는 무엇입니까?", {"cutoff": _K, "returned": _RETURNED}),
    "recall_denominator": Korean("R@k의 분모는 무엇입니까?", {"relevant": _RELEVANT, "capped": _CAPPED}),
    "ap_denominator": Korean(
        "AP의 분모는 무엇입니까?",
        {"relevant": _RELEVANT, "capped": _CAPPED, "retrieved": "k 안에서 검색된 적합 문서 수입니다"},
    ),
    "judged_denominator": Korean("Judged@k와 Unjudged@k의 분모는 무엇입니까?", {"cutoff": _K, "returned": _RETURNED}),
    "recall_level": Korean(
        "보간 정밀도에서, 적합 문서가 R개일 때 재현율 수준 x는 적합 문서 몇 개입니까?",
        {"add-0.9": "x·R + 0.9의 정수 부분입니다", "round": "x·R을 반올림한 값입니다 (0.5는 올림)"},
    ),
    "rbp_gain": Korean(
        "RBP에서 등급의 이득은 얼마입니까?",
        {
            "binary": "적합하면 1입니다",
            "scaled": "등급을 그 질의의 최고 등급으로 나눈 값입니다 (최고 등급이 1보다 작으면 1로 나눔)",
            "raw": "등급 그대로입니다: 값이 1을 넘을 수 있습니다",
        },
    ),
    "zero_denominator": Korean(
        "0을 0으로 나누면 얼마입니까? (예: 검색된 문서가 없을 때)",
        {"undefined": _COUNTED_OUT, "zero": "0입니다"},
    ),
    "summation": Korean(
        "수를 어떻게 더합니까?",
        {
            "exact": "정확히 더하고 끝에서 한 번만 반올림합니다",
            "sequential": "C 프로그램처럼 왼쪽에서 오른쪽으로, 질의는 id의 바이트 순서로 더합니다",
        },
    ),
}
"""Each rule, by snake-case name."""


def question_of(rule: str) -> Words:
    """Return a rule's question, in either spelling of its name. ContractError for an unknown rule."""
    name = known_rule(rule)
    return Words(rules()[name].question, KOREAN[name].question)


def says_of(rule: str, answer: object) -> Words:
    """Return what an answer means, typed or as an option spells it. ContractError for one that the rule lacks."""
    name = known_rule(rule)
    value = rules()[name].checked(name, answer)
    korean, spelled = KOREAN[name], spell(value)
    return Words(rules()[name].says(value), korean.means.get(spelled) or korean.other.format(answer=spelled))


def contract_words(contract: Contract) -> Table:
    """Return a row a rule: its name, the answer, the question, and what the answer means."""
    rows = [[kebab(name), spell(answer), question_of(name), says_of(name, answer)] for name, answer in contract.items()]
    return Table(["rule", "answer", "question", "in words"], rows, f"{contract.name} ({contract.fingerprint})")


def override_words(contract: Contract) -> Table | None:
    """Return a row for each answer that a single measure has of its own; None where there is none."""
    rows = [
        [on, kebab(name), spell(answer), says_of(name, answer)]
        for on, answers in contract.overrides
        for name, answer in answers
    ]
    return Table(["measure", "rule", "answer", "in words"], rows, "for single measures") if rows else None
