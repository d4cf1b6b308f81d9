"""What is this engine: version, formulas, contracts, measures, analyzers, formats, limits? And what can be tried?"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from rankproof import __version__
from rankproof.contract import SCHEMA
from rankproof.lab.blocks_json import blocks_json, page_json, words_json
from rankproof.lab.given import MOST_BYTES
from rankproof.measures import measures
from rankproof.presets import FORMULAS_DATE, PRESETS, Preset
from rankproof.record import SCHEMA as RECORD_SCHEMA
from rankproof.report.blocks import Block, Page, Section
from rankproof.report.korean import contract_words, override_words
from rankproof.report.korean_measures import measure_words
from rankproof.rerank import FORMULAS
from rankproof.retrieve.text import ANALYZERS
from rankproof.tables import Table
from rankproof.words import Words

WHOSE: Mapping[str, Words] = {
    "rankproof": Words(
        "the house: trec_eval 10's formulas, its faults mended", "기본값: trec_eval 10의 계산식에서 결함을 고친 것"
    ),
    "textbook": Words(
        "the measures as courses teach them, over lists and sets", "강의에서 가르치는 대로, 목록과 집합 위의 지표"
    ),
    "closed-corpus": Words(
        "a closed corpus with exact search: an unjudged document has grade 0",
        "닫힌 말뭉치와 정확 검색: 미판정 문서의 등급은 0",
    ),
    "rag-ranking-metrics-v2": Words("before and after reranking: this lab", "리랭킹 전과 후: 이 실험실"),
    "teaching": Words("for teaching, over graded labels", "수업용, 등급 판정"),
    "trec_eval-9": Words("trec_eval 9.0.8", "trec_eval 9.0.8"),
    "trec_eval-9-complete": Words("trec_eval 9.0.8 with -c", "trec_eval 9.0.8, -c 사용"),
    "trec_eval-10": Words("trec_eval 10.0", "trec_eval 10.0"),
    "trec_eval-10-complete": Words("trec_eval 10.0 with -c", "trec_eval 10.0, -c 사용"),
    "pytrec_eval": Words("pytrec_eval (trec_eval 9.0.8 inside)", "pytrec_eval (안에 trec_eval 9.0.8)"),
    "ranx": Words("ranx, missing queries 0", "ranx, 없는 질의는 0"),
    "ir_measures": Words(
        "ir_measures: pytrec_eval, but RR@k and Judged by its own code",
        "ir_measures: pytrec_eval, 단 RR@k와 Judged는 자체 코드",
    ),
    "beir": Words("BEIR: pytrec_eval, but RR by its own code", "BEIR: pytrec_eval, 단 RR은 자체 코드"),
    "mteb": Words("MTEB: pytrec_eval, but RR by its own code", "MTEB: pytrec_eval, 단 RR은 자체 코드"),
    "scikit-learn": Words(
        "scikit-learn: ndcg_score, dcg_score, average_precision_score",
        "scikit-learn의 ndcg_score, dcg_score, average_precision_score",
    ),
    "torchmetrics": Words("torchmetrics.retrieval", "torchmetrics.retrieval의 지표"),
    "ragas": Words("RAGAS: context precision and recall", "RAGAS의 문맥 정밀도와 재현율"),
    "elasticsearch": Words("Elasticsearch _rank_eval", "Elasticsearch의 _rank_eval"),
    "opensearch": Words("OpenSearch Search Relevance Workbench", "OpenSearch의 검색 적합성 워크벤치"),
    "quepid": Words("Quepid's own scorers", "Quepid의 기본 채점기"),
    "ms-marco": Words("MS MARCO's script: RR@10 by the rank column", "MS MARCO의 스크립트: 순위 열로 재는 RR@10"),
}
"""Whose rules a preset holds."""

ANALYZERS_IN_KOREAN: Mapping[str, str] = {
    "words": "모든 문자의 단어, 소문자",
    "whitespace": "공백으로 나눈 것",
    "hangul-2-3gram": "한글 연속 안의 2-gram과 3-gram만",
    "hangul-2-3gram-words": "한글의 2-gram과 3-gram, 라틴 문자와 숫자의 단어",
    "english": "영어 단어의 어간, 불용어 제외",
    "kiwi": "한국어 형태소: 명사, 동사, 형용사, 어근, 외국어와 숫자",
}

LAYOUTS: tuple[tuple[str, Words], ...] = (
    (
        "lab, JSON",
        Words(
            "a list with an object a query: queryId; relevant, a list of {id, grade}; before and after, lists of {id,"
            " hasEvidence}",
            "질의마다 객체 하나인 목록: queryId, relevant({id, grade}의 목록), before와 after({id,"
            " hasEvidence}의 목록)",
        ),
    ),
    (
        "lab, CSV",
        Words(
            "columns query_id, document_id, relevance, before_rank, after_rank, has_evidence",
            "열 query_id, document_id, relevance, before_rank, after_rank, has_evidence",
        ),
    ),
    (
        "TREC",
        Words(
            "lines: qrels `query_id iteration doc_id grade`, run `query_id Q0 doc_id rank score tag`",
            "행: qrels `query_id iteration doc_id grade`, 실행 `query_id Q0 doc_id rank score tag`",
        ),
    ),
    (
        "JSON",
        Words(
            "an object: qrels {query_id: {doc_id: grade}}, run {query_id: {doc_id: score}} or {query_id: [doc_id, …]}",
            "객체: qrels {query_id: {doc_id: 등급}}, 실행 {query_id: {doc_id: 점수}} 또는 {query_id: [doc_id, …]}",
        ),
    ),
)
"""How the files may be written that the lab reads."""


def about(_: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the engine is, as data and as a page. It takes no arguments."""
    return {
        "versions": {"rankproof": __version__, "contract": SCHEMA, "result": RECORD_SCHEMA},
        "formulas": {"version": FORMULAS, "date": FORMULAS_DATE},
        "limits": {"bytes": MOST_BYTES},
        "contracts": [_contract(preset) for preset in PRESETS.values()],
        "measures": [
            {
                "symbol": one.symbol,
                "examples": list(one.examples),
                "what": words_json(measure_words(one).what),
                "formula": words_json(measure_words(one).formula),
                "source": one.source,
                "higher_is_better": one.higher_is_better,
            }
            for one in measures()
        ],
        "analyzers": [
            {"name": name, "says": words_json(_analyzer(name)), "here": one.extra is None}
            for name, one in ANALYZERS.items()
        ],
        "layouts": [{"name": name, "says": words_json(says)} for name, says in LAYOUTS],
        "page": page_json(_page()),
    }


def _contract(preset: Preset) -> dict[str, Any]:
    """Return a preset with its rules in words."""
    contract = preset.contract
    own = override_words(contract)
    tables: list[Block] = [contract_words(contract), *([own] if own else [])]
    return {
        "name": preset.name,
        "fingerprint": contract.fingerprint,
        "version": preset.version,
        "whose": words_json(WHOSE.get(preset.name, Words(preset.source, preset.source))),
        "blocks": blocks_json(tables),
    }


def _analyzer(name: str) -> Words:
    says = ANALYZERS[name].says
    return Words(says, ANALYZERS_IN_KOREAN.get(name, says))


def _page() -> Page:
    contracts = [
        [one.name, one.contract.fingerprint, WHOSE.get(one.name, Words(one.source, one.source)), one.version]
        for one in PRESETS.values()
    ]
    known = [[one.symbol, *measure_words(one), one.source] for one in measures()]
    here = {True: Words("in this page", "이 페이지에서"), False: Words("command line", "명령줄")}
    analyzers = [[name, _analyzer(name), here[one.extra is None]] for name, one in ANALYZERS.items()]
    sections = [
        Section(Words("Contracts", "계약"), [Table(["contract", "fingerprint", "whose rules", "version"], contracts)]),
        Section(Words("Measures", "지표"), [Table(["measure", "what it is", "formula", "source"], known)]),
        Section(Words("Files", "파일"), [Table(["format", "what"], [list(one) for one in LAYOUTS])]),
        Section(Words("Analyzers", "분석기"), [Table(["analyzer", "what it is", "available"], analyzers)]),
    ]
    limit = Words(
        f"A file may hold up to {MOST_BYTES >> 20} MB; the command line has no limit.",
        f"파일은 {MOST_BYTES >> 20} MB까지입니다. 명령줄에는 한도가 없습니다.",
    )
    return Page(Words("About", "정보"), sections, lead=[limit])


def sample(_: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sample of the lab as texts: {"json", "csv"}. It takes no arguments."""
    folder = files("rankproof") / "example"
    return {kind: (folder / f"lab.{kind}").read_text("utf-8") for kind in ("json", "csv")}
