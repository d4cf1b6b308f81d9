"""What is a measure called in Korean, and how does its formula read?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rankproof.measures import Measure
from rankproof.words import Words


class MeasureWords(NamedTuple):
    """What a measure is, and its formula, in both languages."""

    what: Words
    formula: Words


_IN_K = "|앞쪽 k개의 적합 문서|"

KOREAN_MEASURES: Mapping[str, tuple[str, str]] = {
    "P": ("정밀도: 앞쪽 k개 자리 가운데 적합 문서의 비율. k가 없으면 검색된 결과 전부", f"{_IN_K} / k"),
    "R": ("재현율: 적합 문서 가운데 앞쪽 k개 자리에 온 비율. k가 없으면 검색된 결과 전부", f"{_IN_K} / |적합 문서|"),
    "F": (
        "정밀도와 재현율의 가중 조화 평균. 재현율의 무게는 beta배",
        f"(1 + beta²) · {_IN_K} / (beta² · |적합 문서| + P@k의 분모)",
    ),
    "Success": ("적중률: 앞쪽 k개 자리에 적합 문서가 있으면 1, 없으면 0", f"{_IN_K} > 0이면 1, 아니면 0"),
    "RR": (
        "역순위: 첫 적합 문서의 순위의 역수. k 안에 없으면 0. 그 평균이 MRR",
        "1 / 첫 적합 문서의 순위",
    ),
    "AP": (
        "평균 정밀도: 적합 문서가 있는 순위에서 잰 정밀도를 적합 문서에 대해 평균한 값. 그 평균이 MAP",
        "k 안의 적합 문서에 대한 P@(그 순위)의 합 / |적합 문서|",
    ),
    "GMAP": (
        "질의에 대한 AP의 기하 평균: 가장 나쁜 질의가 가장 크게 움직임. 0.00001보다 작은 값은 0.00001로 셈",
        "exp(log(max(AP, 0.00001))의 질의 평균)",
    ),
    "Rprec": ("R-정밀도: 적합 문서 수 R을 순위로 하여 잰 정밀도", "|앞쪽 R개의 적합 문서| / R, R = |적합 문서|"),
    "RprecMult": (
        "R의 배수에서 잰 R-정밀도: 순위 x·R에서 잰 정밀도. 정밀도 중심과 재현율 중심을 가려 봄",
        "|앞쪽 n개의 적합 문서| / n, n = x · |적합 문서| + 0.9의 정수 부분",
    ),
    "SetRelativeP": (
        "상대 정밀도: 검색된 결과 전부의 정밀도를, 그만큼의 결과가 낼 수 있는 가장 높은 정밀도로 나눈 값",
        "|검색된 적합 문서| / min(검색된 결과 수, |적합 문서|)",
    ),
    "SetAP": (
        "순서 없는 집합의 평균 정밀도: 검색된 결과 전부의 정밀도와 재현율의 곱",
        "|검색된 적합 문서|² / (검색된 결과 수 · |적합 문서|)",
    ),
    "CG": ("누적 이득: 앞쪽 k개 자리의 이득의 합", "앞쪽 k개에 대한 이득(등급)의 합"),
    "DCG": (
        "할인 누적 이득: 앞쪽 k개 자리의 이득을 저마다 할인하여 더한 값",
        "앞쪽 k개에 대한 이득(등급) / log2(순위 + 1)의 합",
    ),
    "nDCG": ("정규화 할인 누적 이득: DCG를 이상적 순위의 DCG로 나눈 값", "DCG@k / 이상적 순위의 DCG@k"),
    "nDCGRel": (
        "적합 문서에 대해 평균한 nDCG: 저마다의 순위에서 잼. 검색되지 않은 것은 결과의 끝에서 잼",
        "이득이 있는 문서에 대한 nDCG@(그 순위)의 평균. 검색되지 않은 문서는 결과 전부의 nDCG",
    ),
    "RnDCG": (
        "여러 순위에서 평균한 nDCG: 이상적 순위에서 이득의 각 단계가 끝나는 곳과 결과가 끝나는 곳",
        (
            "이상적 이득이 줄어드는 순위 n에 대한 DCG@n / 이상적 DCG@n의 평균."
            " 마지막 결과가 그보다 두 자리 이상 뒤면 그 순위도 셈"
        ),
    ),
    "G": (
        "이득마다, 그 순위까지의 이득이 이상적 순위에 뒤처진 만큼 깎은 값",
        (
            "이득 / log2(2 + 비용 - 그 순위까지의 이득)의 합 / 이상적 이득의 합."
            " 비용 = 그 순위까지의 이상적 이득의 합, 한 자리에 적어도 1"
        ),
    ),
    "BinG": (
        "적합 문서마다, 그 위에 있는 다른 문서의 수만큼 깎은 값",
        "1/R · 적합 문서에 대한 1 / log2(2 + 위의 다른 문서 수)의 합",
    ),
    "RBP": (
        "순위 편향 정밀도: 확률 p로 다음 자리를 보는 사람이 얻는 이득",
        "(1 - p) · 이득(등급) · p^(순위 - 1)의 합",
    ),
    "RBPResidual": (
        "판정되지 않았거나 검색되지 않은 문서가 모두 적합하다면 RBP가 더 얻을 수 있는 값",
        "1 - (1 - p) · 판정된 문서에 대한 p^(순위 - 1)의 합",
    ),
    "ERR": (
        "기대 역순위: 등급이 높을수록 그 자리에서 멈출 확률이 큰 사람의 역순위",
        "앞쪽 k개에 대한 멈춤(순위) / 순위 · 거기까지 올 확률의 합. 멈춤 = (2^등급 - 1) / 2^max",
    ),
    "Bpref": (
        "적합 문서마다, 그 위에 있는 비적합 판정 문서의 비율을 뺀 값: 판정이 완전하지 않을 때 씀",
        "1/R · 적합 문서에 대한 1 - min(위의 비적합 문서 수, R) / min(R, N)의 합",
    ),
    "GMBpref": (
        "질의에 대한 Bpref의 기하 평균: 가장 나쁜 질의가 가장 크게 움직임. 0.00001보다 작은 값은 0.00001로 셈",
        "exp(log(max(Bpref, 0.00001))의 질의 평균)",
    ),
    "infAP": (
        "추정 AP: 풀의 일부만 판정했을 때 AP의 기댓값 (음수 등급: 표본에 들지 않음)",
        "1/R · 적합 문서에 대한 1/순위 + (위의 풀 문서 / 순위) · (적합 + e) / (판정 + 2e)의 합",
    ),
    "IPrec": (
        "보간 정밀도: 재현율이 어떤 수준 이상인 순위 가운데 가장 높은 정밀도",
        "그 수준에 필요한 만큼 적합 문서가 있는 순위들의 P@순위의 최댓값 (규칙 recall-level)",
    ),
    "IPrec11": (
        "11점 평균: 재현율 0, 0.1, …, 1에서 잰 보간 정밀도의 평균",
        "1/11 · 수준 0, 0.1, …, 1에 대한 IPrec@수준의 합",
    ),
    "Judged": ("k 안의 결과 가운데 판정된 비율", "|앞쪽 k개의 판정된 문서| / k 안의 결과 수"),
    "Unjudged": (
        "k 안의 결과 가운데 판정이 없는 비율: 판정이 말해 줄 수 없는 부분",
        "|앞쪽 k개의 미판정 문서| / k 안의 결과 수",
    ),
    "DuplicateRate": (
        "중복률: k 안의 결과 가운데 다른 자리에서 이미 센 문서를 되풀이한 비율",
        "|앞쪽 k개의 되풀이| / k 안의 결과 수",
    ),
    "EvidenceRate": (
        "근거 비율: k 안의 결과 가운데 근거가 있다고 표시된 비율. 표시가 하나도 없으면 정의되지 않음",
        "|앞쪽 k개의 표시된 결과| / k 안의 결과 수",
    ),
    "NumQ": ("질의 수", "질의마다 1을 더함"),
    "NumRet": ("결과 수", "|검색된 결과|를 질의에 대해 더함"),
    "NumRel": ("qrels의 적합 문서 수", "|적합 문서|를 질의에 대해 더함"),
    "NumRelRet": (
        "앞쪽 k개 자리의 적합 문서 수. k가 없으면 검색된 결과 전부",
        f"{_IN_K}를 질의에 대해 더함",
    ),
    "NumNonrelRet": ("검색되었고 비적합으로 판정된 문서 수", "|검색된 비적합 판정 문서|를 질의에 대해 더함"),
}
"""Each measure by its symbol: what it is, and its formula. One of another package stays as its author wrote it."""


def measure_words(measure: type[Measure] | Measure) -> MeasureWords:
    """Return what a measure is, and its formula, in both languages."""
    what = " ".join((measure.__doc__ or "").partition("\n\n")[0].split())
    korean = KOREAN_MEASURES.get(measure.symbol, (what, measure.formula))
    return MeasureWords(Words(what, korean[0]), Words(measure.formula, korean[1]))
