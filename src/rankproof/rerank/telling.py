"""How is a reranking told: as tables, and as sentences that say what was in reach, and what that rests on?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rankproof.compare.limits import labels_table, limits
from rankproof.compare.telling import method, shown_table
from rankproof.tables import Table
from rankproof.values import shown
from rankproof.words import Words, counted, first_of, query_count

if TYPE_CHECKING:
    from rankproof.rerank.reranking import Reranking

ALL = "all"
RECALL = "R"
"""Candidate recall: over all candidates, so that no order changes it."""

RERANKING = ("query_id", "candidate_recall", "measure", "before", "after", "ceiling", "share")
"""The columns of `reranking_rows`."""

MOVES = ("query_id", "doc_id", "grade", "before", "after", "rose")
"""The columns of `moves_rows`."""

NOT_ASKED = Words("it does not ask which documents are relevant", "어느 문서가 적합한지 묻지 않는 지표입니다")
CONDENSED = Words(
    "a list that is condensed after its depth holds other documents in another order",
    "깊이에서 자른 뒤 미판정 문서를 빼면 순서에 따라 목록의 문서가 달라집니다",
)
TAKEN_OUT = Words(
    "scores of 0 or less take documents out, so the order alone does not decide",
    "점수가 0 이하인 문서는 빠지므로 순서만으로 값이 정해지지 않습니다",
)
WITHOUT_CEILING: Mapping[str, Words] = {one.en: one for one in (NOT_ASKED, CONDENSED, TAKEN_OUT)}
"""Why no order of the candidates is known to be the best for a measure, by the words of `Values.undefined`."""

_BROKEN = {"new": Words("new", "후보가 아닌 새 문서"), "dropped": Words("dropped", "빠진 후보")}


def reranking_tables(found: Reranking, *, per_query: bool = False, moves: bool = False) -> list[Table]:
    """Return the means and what they show; where wanted each query's values, what broke the freeze, and the moves."""
    broken = [broken_table(found)] if found.without_new is not None else []
    return [
        reranking_table(found),
        *shown_tables(found),
        *([*reranking_query_tables(found), *broken] if per_query else ()),
        *([moves_table(found)] if moves else ()),
    ]


def shown_tables(found: Reranking) -> list[Table]:
    """Return what the differences show, and how complete the labels are."""
    if found.comparison is None:
        return []
    labels = labels_table(found.comparison)
    return [shown_table(found.comparison), *([labels] if labels else [])]


def reranking_table(found: Reranking) -> Table:
    """Return a row a measure: before, after, at best, share of the reachable gain; after without new documents."""
    rows = [list(row[2:]) for row in reranking_rows(found, per_query=False)]
    if found.without_new is None:
        return Table(RERANKING[2:], rows)
    means = found.without_new.means.values()
    return Table([*RERANKING[2:], "after_without_new"], [[*row, mean] for row, mean in zip(rows, means, strict=True)])


def reranking_query_tables(found: Reranking) -> list[Table]:
    """Return a table a measure, a row a query."""
    header = [name for name in RERANKING if name != "measure"]
    measures = list(found.before.measures)
    rows = list(reranking_rows(found, per_query=True))[: -len(measures)]
    return [
        Table(header, [[*row[:2], *row[3:]] for row in rows[at :: len(measures)]], f"{measure}, per query")
        for at, measure in enumerate(measures)
    ]


def reranking_rows(found: Reranking, *, per_query: bool) -> Iterator[Sequence[object]]:
    """Yield RERANKING: each query's row for each measure, then the means' under the query `all`."""
    sides = (found.before, found.after, found.ceiling)
    for at, query in enumerate(found.before.query_ids) if per_query else ():
        recall = found.candidate_recall.of_query(query)[RECALL]
        for measure in found.before.measures:
            values = (side.per_query[measure][at] for side in sides)
            yield query, recall, measure, *values, found.share_per_query[measure][at]
    recall = found.candidate_recall.means[RECALL]
    for measure in found.before.measures:
        yield ALL, recall, measure, *(side.means[measure] for side in sides), found.share[measure]


def moves_rows(found: Reranking) -> list[Sequence[object]]:
    """Return MOVES, a row a relevant document: its rank before and after, and how many places it rose."""
    return [
        [*move, None if move.before is None or move.after is None else move.before - move.after] for move in found.moves
    ]


def moves_table(found: Reranking) -> Table:
    """Return `moves_rows` to read: a dash where a list does not hold the document."""
    rows = [["–" if cell is None else cell for cell in row] for row in moves_rows(found)]
    return Table(MOVES, rows, "ranks of the relevant documents")


def broken_table(found: Reranking) -> Table:
    """Return a row a document that broke the freeze."""
    rows = [
        [query, doc, _BROKEN[what]]
        for what, of_query in (("new", found.new), ("dropped", found.dropped))
        for query, docs in of_query.items()
        for doc in docs
    ]
    return Table(["query_id", "doc_id", "what"], rows, "documents that broke the freeze")


def recall_words(found: Reranking) -> Words:
    """Return candidate recall as a sentence."""
    recall = found.candidate_recall.means[RECALL]
    if recall is None:
        return Words(
            "candidate recall is undefined: no query has a relevant document",
            "후보 재현율은 정의되지 않습니다: 적합 문서가 있는 질의가 없습니다",
        )
    why = Words("they hold every relevant document", "적합 문서가 모두 후보에 있습니다")
    if recall < 1:
        why = Words("no order of them finds the others", "후보에 없는 문서는 어떻게 줄 세워도 찾을 수 없습니다")
    return Words(
        f"candidate recall {shown(recall)}: the candidates are the ceiling, {why.en}",
        f"후보 재현율 {shown(recall)}: 후보가 한계를 정합니다. {why.ko}",
    )


def moved_words(found: Reranking) -> Words:
    """Return where the relevant documents went, in numbers."""
    rose, fell, stayed, missing = found.moved().values()
    return Words(
        f"relevant documents: {rose} rose, {fell} fell, {stayed} stayed, {missing} are missing from one list or both",
        f"적합 문서: 오름 {rose}, 내림 {fell}, 그대로 {stayed}, 한쪽 또는 양쪽 목록에 없음 {missing}",
    )


def reach_words(found: Reranking) -> list[Words]:
    """Return what the ceiling rests on, where there is none, and what broke the freeze."""
    return [*_pool(found), *_without_ceiling(found), *_shortened(found), *_freeze(found)]


def _pool(found: Reranking) -> Iterator[Words]:
    sizes = sorted(found.candidates.values())
    if not sizes:
        return
    size = f"{sizes[-1]}" if sizes[0] == sizes[-1] else f"{sizes[0]}-{sizes[-1]}"
    which, korean = f"all {size} documents", f"문서 전체({size}개)"
    if found.depth is not None:
        which, korean = f"the first {size} documents", f"앞쪽 {size}개 문서"
    cut = Words("", "")
    if found.looked_at is not None:
        cut = Words(f"; values look at the first {found.looked_at} places", f". 값은 앞쪽 {found.looked_at}개만 봅니다")
    yield Words(
        f"the ceiling is the best order of {which} that {found.before.run} gives for a query{cut.en}",
        f"도달 가능한 최댓값은 {found.before.run}의 질의별 {korean}를 가장 좋은 순서로 놓은 값입니다{cut.ko}",
    )


def _without_ceiling(found: Reranking) -> Iterator[Words]:
    for measure, reasons in found.ceiling.undefined.items():
        if found.ceiling.means[measure] is None and found.before.means[measure] is not None:
            for reason in reasons:
                why = WITHOUT_CEILING.get(reason, Words(reason, reason))
                yield Words(f"{measure} has no ceiling: {why.en}", f"{measure}의 최댓값은 알 수 없습니다: {why.ko}")


def _shortened(found: Reranking) -> Iterator[Words]:
    if found.shortened:
        said = _in_queries(found.shortened)
        yield Words(
            f"before is looked at only as far as after goes in {said.en}",
            f"{said.ko}에서는 리랭킹 전의 목록도 후의 목록이 끝나는 데까지만 봅니다",
        )


def _freeze(found: Reranking) -> Iterator[Words]:
    for what, docs_of in (
        (Words("new, no candidates", "후보가 아닌 새 문서"), found.new),
        (Words("missing candidates", "빠진 후보"), found.dropped),
    ):
        if docs_of:
            count, said = sum(map(len, docs_of.values())), _in_queries(list(docs_of))
            yield Words(
                f"freeze broken: {counted(count, 'document')} ({what.en}), in {said.en}",
                f"후보 고정을 어겼습니다: {what.ko} {count}개, {said.ko}",
            )
    if found.new or found.dropped:
        yield Words(
            "the ceiling does not bound these queries: their share, and that of the means, is null",
            "이 질의들에서는 최댓값이 한계가 아니므로 달성 비율과 평균의 달성 비율은 정의되지 않습니다",
        )


def _in_queries(query_ids: Sequence[str]) -> Words:
    first = first_of(query_ids)
    return Words(f"{query_count(len(query_ids))} ({first})", f"질의 {len(query_ids)}개({first})")


def notes(found: Reranking) -> list[str]:
    """Return, as sentences: the contract, both runs, the ceiling, how they were compared, what is not shown."""
    lines = [f"contract {found.contract.name} ({found.contract.fingerprint})"]
    for side, values in (("before", found.before), ("after", found.after)):
        lines += [f"{side} ({values.run}): {note}" for note in values.notes()]
    words = [moved_words(found), *reach_words(found)]
    if found.comparison is not None:
        words += [*method(found.comparison), *limits(found.comparison)]
    return [*lines, *(one.en for one in words)]
