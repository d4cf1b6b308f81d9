"""How does a leaderboard look as a report?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankproof.charts import leaderboard_plot
from rankproof.compare import Board, Leaderboard
from rankproof.compare.telling_boards import LIMITS, ORDERED, matrix_table, method, order_table, orders_table
from rankproof.report.blocks import Block, Page, Section, Verdict
from rankproof.report.sections import contract_section, foot, limits_section, provenance_section, runs_table
from rankproof.values import shown
from rankproof.words import Words


def leaderboard_page(found: Leaderboard, made_by: Mapping[str, Any] | None = None) -> Page:
    """Return the report of a leaderboard: each measure's order with its groups, all pairs, how the measures agree."""
    boards = list(found.boards.values())
    sections = [Section(Words(board.measure, board.measure), _board(board, found)) for board in boards]
    if len(boards) > 1 and len(found.values) >= ORDERED:
        sections.append(Section(Words("Do the measures agree?", "지표끼리 일치하는가?"), [orders_table(found)]))
    how: list[Block] = [method(found), runs_table(list(found.values.values()))]
    sections += [
        Section(Words("How it was compared", "비교 방법"), how),
        limits_section(LIMITS),
        contract_section(found.contract),
        provenance_section(made_by, found.settings.seed),
    ]
    title = Words(f"{len(found.values)} systems", f"시스템 {len(found.values)}개")
    return Page(title, sections, lead=[_first(boards[0])], foot=foot(made_by))


def _board(board: Board, found: Leaderboard) -> list[Block]:
    rows = [(one.run, one.mean, *(one.interval or (None, None)), " ".join(one.groups)) for one in board.standings]
    return [leaderboard_plot(rows, measure=board.measure), order_table(board, found), matrix_table(board)]


def _first(board: Board) -> Verdict:
    """Return who stands first, and with whom it shares the place."""
    first, *others = board.standings
    beside = [one.run for one in others if set(one.groups) & set(first.groups)]
    mean = f"{board.measure} {shown(first.mean)}"
    if not beside:
        said = Words(f"{mean}: better than each of the others.", f"{mean}: 다른 시스템 모두보다 낫습니다.")
        return Verdict(Words(f"{first.run} stands first", f"{first.run}이(가) 첫째"), said, "good")
    names = ", ".join(beside)
    said = Words(f"{mean}; not told apart from {names}.", f"{mean}. {names}와(과) 구별되지 않습니다.")
    return Verdict(Words(f"{first.run} has the highest mean", f"{first.run}의 평균이 가장 높음"), said, "open")
