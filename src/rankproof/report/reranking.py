"""How does a reranking with its ceiling look as a report, and the closed-corpus experiment as tables?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankproof.charts import Chart, rank_moves
from rankproof.charts.reach import reach_plot
from rankproof.compare import VERDICTS, Comparison
from rankproof.compare.limits import limits
from rankproof.compare.telling import enough, method, signed, star_of, verdict_rests_on
from rankproof.model import Value
from rankproof.report.blocks import Block, Card, Cards, Page, Section, Verdict
from rankproof.report.sections import STAR, contract_section, foot, limits_section, provenance_section, runs_table
from rankproof.rerank import ClosedCorpus, Reranking
from rankproof.rerank.telling import (
    broken_table,
    moved_words,
    moves_table,
    reach_words,
    recall_words,
    reranking_query_tables,
    reranking_table,
    reranking_tables,
    shown_tables,
)
from rankproof.tables import Table
from rankproof.values import shown
from rankproof.words import Words, same

__all__ = ["closed_corpus_tables", "reranking_page", "reranking_tables"]


def reranking_page(found: Reranking, made_by: Mapping[str, Any] | None = None) -> Page:
    """Return the report of a reranking: verdict, before, after, ceiling, share; what the differences show; moves."""
    compared = found.comparison
    broken = [broken_table(found)] if found.without_new is not None else []
    reached = [*_reach(found), reranking_table(found), [recall_words(found), *reach_words(found)], *broken]
    moves: list[Block] = [moved_words(found), *_moves(found), moves_table(found)]
    counted: list[Block] = [runs_table([found.before, found.after])]
    sections = [
        Section(Words("Before, after, at best", "전, 후, 최선"), reached),
        *([] if compared is None else [Section(Words("More than chance?", "우연 이상인가?"), _shown(found, compared))]),
        *([Section(Words("Relevant documents", "적합 문서"), moves)] if found.moves else []),
        Section(Words("Query by query", "질의별"), list(reranking_query_tables(found))),
        *([] if compared is None else [Section(Words("How it was compared", "비교 방법"), [method(compared)])]),
        Section(Words("What was counted", "무엇을 세었나"), counted),
        *([] if compared is None else [limits_section(limits(compared))]),
        contract_section(found.contract),
        provenance_section(made_by, None if compared is None else compared.settings.seed),
    ]
    title = Words(f"{found.before.run} reranked", f"{found.before.run} 리랭킹")
    return Page(title, sections, lead=_lead(found), foot=foot(made_by))


def _lead(found: Reranking) -> list[Block]:
    """Return the verdict of the first measure that is a mean, with its numbers; without one, no verdict."""
    if found.comparison is None:
        return [_cards(found, next(iter(found.before.measures)))]
    first = found.comparison.differences[0]
    sign = VERDICTS[first.verdict]
    word = Words(sign.words.en.capitalize(), sign.words.ko)
    return [
        Verdict(word, verdict_rests_on(first, found.comparison.settings), sign.tone),
        _cards(found, first.measure),
    ]


def _cards(found: Reranking, measure: str) -> Cards:
    before, after, ceiling = (side.means[measure] for side in (found.before, found.after, found.ceiling))
    change = None if before is None or after is None else same(signed(after - before))
    return Cards(
        [
            Card(Words(f"{measure} before", f"{measure}, 리랭킹 전"), _number(before), same(found.before.run)),
            Card(Words("after", "리랭킹 후"), _number(after), change),
            Card(Words("ceiling of the candidates", "후보로 도달할 수 있는 최댓값"), _number(ceiling)),
            Card(
                Words("share of the reachable gain", "도달할 수 있는 이득 가운데 얻은 비율"),
                _number(found.share[measure]),
            ),
        ]
    )


def _number(value: Value) -> str:
    return "–" if value is None else shown(value)


def _reach(found: Reranking) -> list[Block]:
    """Return a picture of the measures that have a ceiling and are means over queries: others may be counts."""
    rows = [
        (name, found.before.means[name], found.after.means[name], found.ceiling.means[name])
        for name, measure in found.before.measures.items()
        if measure.over_queries == "mean" and found.ceiling.means[name] is not None
    ]
    return [reach_plot(rows)] if rows else []


def _shown(found: Reranking, compared: Comparison) -> list[Block]:
    differences, *labels = shown_tables(found)
    stars = [STAR] if any(map(star_of, compared.differences)) else []
    drawn = [compared.chart()] if any(map(enough, compared.differences)) else []
    return [*drawn, differences, *stars, *labels]


def _moves(found: Reranking) -> list[Chart]:
    """Return where the documents went of which that can be said: those that `moved` counts as more than missing."""
    rows = [move for move in found.moves if found.direction(move) != "missing"]
    names = (found.before.run, found.after.run)
    before, after = names if names[0] != names[1] else (None, None)
    return [rank_moves(rows, before=before, after=after, depth=found.depth)] if rows else []


def closed_corpus_tables(found: ClosedCorpus) -> list[Table]:
    """Return the outputs, and a row a query."""
    outputs = found.to_dict()
    queries: dict[str, dict[str, Value | list[str]]] = outputs.pop("queries")
    header = ["query_id", *next(iter(queries.values()))]
    rows = [
        [query, *(", ".join(one) if isinstance(one, list) else one for one in outcome.values())]
        for query, outcome in queries.items()
    ]
    return [Table(["", ""], list(outputs.items()), decimals=6), Table(header, rows, "per query", decimals=6)]
