"""How is an edited fixture told: what lies where, what a reranker reached, and what only vectors can change?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from rankproof.formats.fixture import Fixture
from rankproof.lab.plane import plane
from rankproof.model import Run, Value
from rankproof.report.blocks import Block, Card, Cards, Page, Section
from rankproof.report.sections import limits_section
from rankproof.rerank import ClosedCorpus
from rankproof.tables import Table
from rankproof.words import Words, same

Packaged: TypeAlias = tuple[Fixture, Fixture, ClosedCorpus]
"""The fixture at hand, the packaged one, and the packaged one's outcome."""
Left: TypeAlias = tuple[Mapping[str, list[str]], Mapping[str, list[str]]]
"""By query: scored documents that are no candidates, and candidates that have no score."""

CLOSED = Words(
    "Unjudged is grade 0 here because the corpus is closed; in pooled evaluation unjudged does not mean irrelevant.",
    "말뭉치가 닫혀 있으므로 여기서 미판정은 등급 0입니다. 풀링 평가에서 미판정은 비적합을 뜻하지 않습니다.",
)
LEFT_OUT = Words(
    "Queries without a positive judgment are left out of the means; that says nothing about no-answer quality.",
    "적합 판정이 없는 질의는 평균에서 뺍니다. 답이 없는 질의를 잘 다루는지는 말해 주지 않습니다.",
)
FEW = Words("So few queries say nothing about significance.", "이렇게 적은 질의로는 유의성을 말할 수 없습니다.")


def page_of(query: str, found: ClosedCorpus, everyone: Run, given: Packaged, left: Left) -> Page:
    """Return the page of one query of a fixture, with the outputs of all."""
    fixture = given[0]
    drawn = plane(query, fixture.vectors[query], fixture.documents, found.candidates[query])
    sections = [
        Section(
            Words(f"Query {query} in the plane", f"평면 위의 질의 {query}"),
            [drawn, _documents(query, found, everyone, fixture)],
        ),
        Section(
            Words("What can change, and what cannot", "바뀔 수 있는 것과 없는 것"),
            _can_and_cannot(query, found, given, left),
        ),
        Section(Words("All queries", "모든 질의"), [_queries(found), _outputs(found, given[2])]),
        limits_section([FEW, CLOSED, LEFT_OUT]),
    ]
    return Page(Words("A closed corpus", "닫힌 말뭉치"), sections, lead=[_cards(found)])


def _ndcg(found: ClosedCorpus) -> str:
    return f"nDCG@{found.k}"


def _cards(found: ClosedCorpus) -> Cards:
    """Return the means: recall of the candidates, nDCG before, after and at best, the share that was taken."""
    values, name = found.values, _ndcg(found)
    before, after, best = (side.means[name] for side in (values.before, values.after, values.ceiling))
    delta = found.paired_delta
    change = None if delta is None else same(f"{delta:+.6f}")
    return Cards(
        [
            Card(Words("recall of the candidates", "후보의 재현율"), _text(values.candidate_recall.means["R"])),
            Card(Words(f"{name} by cosine", f"{name}, 코사인 순서"), _text(before)),
            Card(Words("reranked", "리랭킹 결과"), _text(after), change),
            Card(Words("ceiling of the candidates", "후보로 도달할 수 있는 최댓값"), _text(best)),
            Card(
                Words("share of the reachable gain", "도달할 수 있는 이득 가운데 얻은 비율"), _text(values.share[name])
            ),
        ]
    )


def _text(value: Value) -> str:
    return "–" if value is None else f"{value:.6f}"


def _documents(query: str, found: ClosedCorpus, everyone: Run, given: Fixture) -> Table:
    """Return a row a document: its rank by cosine, grade, score, and rank after reranking."""
    after = {doc: rank for rank, doc in enumerate(found.reranked[query], 1)}
    ranking = everyone.rankings[query]
    rows = [
        [
            rank,
            doc,
            cosine,
            given.judgments[query].get(doc, 0),
            Words("candidate", "후보") if doc in after else Words("no candidate", "후보 아님"),
            given.scores[query].get(doc),
            after.get(doc),
        ]
        for rank, (doc, cosine) in enumerate(zip(ranking.doc_ids, ranking.scores or (), strict=True), 1)
    ]
    return Table(["rank", "doc_id", "cosine", "grade", "what", "score", "reranked rank"], rows, decimals=6)


def _queries(found: ClosedCorpus) -> Table:
    values, name = found.values, _ndcg(found)
    rows = []
    for query, candidates in found.candidates.items():
        recall = values.candidate_recall.of_query(query)["R"]
        before, after, best = (side.of_query(query)[name] for side in (values.before, values.after, values.ceiling))
        delta = None if before is None or after is None else after - before
        rows.append(
            [query, ", ".join(candidates), ", ".join(found.reranked[query]), recall, before, after, best, delta]
        )
    header = ["query_id", "candidates", "reranked", "recall", "baselineNdcg", "challengerNdcg", "ceiling", "delta"]
    return Table(header, rows, decimals=6)


def _outputs(found: ClosedCorpus, packaged: ClosedCorpus) -> Table:
    """Return the outputs of the fixture as it came, and as it is now."""
    now, then = found.to_dict(), packaged.to_dict()
    rows = [[words, _output(then[name]), _output(now[name])] for name, words in _OUTPUTS.items()]
    return Table(["output", "fixture", "now"], rows)


_OUTPUTS: Mapping[str, Words] = {
    "evaluatedQueries": Words("queries evaluated", "평가한 질의 수"),
    "excludedNoPositiveQueries": Words("left out: no positive judgment", "제외: 적합 판정 없음"),
    "candidateRecall": Words("recall of the candidates", "후보의 재현율"),
    "baselineNdcg": Words("nDCG by cosine", "nDCG, 코사인 순서"),
    "challengerNdcg": Words("nDCG reranked", "nDCG, 리랭킹 결과"),
    "pairedNdcgDelta": Words("paired difference of nDCG", "nDCG의 질의별 차이 평균"),
}


def _output(value: Value) -> str | None:
    """Return a count as it is, another number with its decimals."""
    return None if value is None else str(value) if isinstance(value, int) else _text(value)


# ---- what can change


def _can_and_cannot(query: str, found: ClosedCorpus, given: Packaged, left: Left) -> list[Block]:
    return [
        [*_edited(found, given), _ceiling(query, found, given[0]), *_left(query, left)],
        [FROZEN, DIRECTION],
    ]


FROZEN = Words(
    "A score can only reorder the candidates: their recall, and the ceiling, stay. A vector can change who the "
    "candidates are, and with them both.",
    "점수는 후보의 순서만 바꿉니다. 재현율과 도달 가능한 최댓값은 그대로입니다. 벡터는 후보 자체를 바꿀 수 있고, "
    "그러면 둘 다 바뀝니다.",
)
DIRECTION = Words(
    "Cosine looks at directions alone: a vector twice as long is the same to it. Of two that are exactly as near, the "
    "lower id comes first, unless rounding parts them.",
    "코사인은 방향만 봅니다. 길이를 두 배로 늘려도 같은 벡터입니다. 정확히 같은 거리의 두 문서는, "
    "반올림 오차가 가르지 않는 한 id가 앞선 것이 먼저입니다.",
)


def _edited(found: ClosedCorpus, given: Packaged) -> list[Words]:
    """Return which parts differ from the packaged fixture, and what that did to candidates and ceiling."""
    now, then, outcome = given
    parts = [words for words, part in _PARTS.items() if part(now) != part(then)]
    parts += [SCORES] if _scores_differ(now, then) else []
    if not parts:
        return [Words("This is the fixture as it came.", "예제 그대로입니다.")]
    what = Words(", ".join(one.en for one in parts), ", ".join(one.ko for one in parts))
    said = [Words(f"Edited: {what.en}.", f"고친 것: {what.ko}.")]
    moved = [query for query, docs in found.candidates.items() if list(docs) != list(outcome.candidates.get(query, ()))]
    if moved:
        names = "; ".join(f"{query}: {', '.join(found.candidates[query])}" for query in moved)
        return [
            *said,
            Words(
                f"The candidates are others, or in another order: {names}.", f"후보나 그 순서가 바뀌었습니다. {names}."
            ),
        ]
    if parts == [SCORES]:
        return [*said, ONLY_SCORES]
    return [*said, Words("The candidates are still the same.", "후보는 그대로입니다.")]


SCORES = Words("scores", "점수")
ONLY_SCORES = Words(
    "The candidates, their recall and the ceiling are those of the fixture: no score can move them.",
    "후보, 재현율, 도달 가능한 최댓값은 예제와 같습니다. 점수로는 움직일 수 없습니다.",
)
_PARTS: Mapping[Words, Callable[[Fixture], object]] = {
    Words("vectors of documents", "문서 벡터"): lambda one: _plain(one.documents),
    Words("vectors of queries", "질의 벡터"): lambda one: _plain(one.vectors),
    Words("grades", "등급"): lambda one: {
        query: {doc: grade for doc, grade in grades.items() if grade} for query, grades in one.judgments.items()
    },
    Words("number of candidates", "후보 수"): lambda one: one.k,
}


def _scores_differ(now: Fixture, then: Fixture) -> bool:
    """Return whether a document that has a score in both has another one: other candidates bring other scores."""
    return any(
        score != then.scores[query].get(doc, score)
        for query, scores in now.scores.items()
        if query in then.scores
        for doc, score in scores.items()
    )


def _plain(vectors: Mapping[str, Sequence[float]]) -> dict[str, list[float]]:
    return {name: list(map(float, vector)) for name, vector in vectors.items()}


def _ceiling(query: str, found: ClosedCorpus, given: Fixture) -> Words:
    """Return what the best order of these candidates reaches, and what is out of reach."""
    values, name = found.values, _ndcg(found)
    after, best = (side.of_query(query)[name] for side in (values.after, values.ceiling))
    candidates = found.candidates[query]
    missed = [
        f"{doc} ({grade})" for doc, grade in given.judgments[query].items() if grade > 0 and doc not in candidates
    ]
    if best is None or after is None:
        return Words(
            f"{query} has no positive judgment: its values are undefined, and it is left out of the means.",
            f"{query}에는 적합 판정이 없습니다. 값이 정의되지 않아 평균에서 뺍니다.",
        )
    if not best:
        return Words(
            f"Nothing relevant is among {', '.join(candidates)}: no order of them lifts {name} of {query} above 0. Out "
            f"of reach, whatever the scores: {', '.join(missed)}.",
            f"{', '.join(candidates)} 가운데 적합 문서가 없습니다. 어떤 순서도 {query}의 {name} 값을 0보다 높이지 "
            f"못합니다. 점수로는 닿을 수 없는 적합 문서: {', '.join(missed)}.",
        )
    reached = (
        Words("this order reaches it", "지금 순서가 여기에 이르렀습니다")
        if after >= best
        else Words(f"this order reaches {_text(after)}", f"지금 순서는 {_text(after)}입니다")
    )
    said = Words(
        f"No order of {', '.join(candidates)} lifts {name} of {query} above {_text(best)}; {reached.en}.",
        f"{', '.join(candidates)}의 어떤 순서도 {query}의 {name} 값을 {_text(best)}보다 높이지 못합니다. {reached.ko}.",
    )
    if not missed:
        return said
    return Words(
        f"{said.en} Out of reach, whatever the scores: {', '.join(missed)}.",
        f"{said.ko} 점수로는 닿을 수 없는 적합 문서: {', '.join(missed)}.",
    )


def _left(query: str, left: Left) -> list[Words]:
    """Return which scores count for nothing, and which are taken as 0."""
    unused, assumed = (", ".join(one[query]) for one in left)
    said = []
    if unused:
        said.append(
            Words(
                f"Scores of {unused} change nothing: the reranker is not shown what is no candidate.",
                f"{unused}의 점수는 아무것도 바꾸지 않습니다. 후보가 아닌 문서는 리랭커에 보이지 않습니다.",
            )
        )
    if assumed:
        said.append(
            Words(
                f"{assumed} became a candidate and has no score yet: 0 is taken. The command line refuses such a "
                "fixture.",
                f"{assumed}: 후보가 되었지만 아직 점수가 없어 0으로 봅니다. 명령줄은 이런 예제를 거부합니다.",
            )
        )
    return said
