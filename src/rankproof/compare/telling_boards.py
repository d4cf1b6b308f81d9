"""How is a leaderboard told: as tables, and as sentences?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rankproof.compare.correct import CORRECTIONS
from rankproof.compare.significance import TESTS
from rankproof.compare.telling import DASH, interval_note, p_text, percent, signed
from rankproof.tables import Table
from rankproof.values import shown
from rankproof.words import Words

if TYPE_CHECKING:
    from rankproof.compare.leaderboard import Board, Leaderboard


ORDERED = 5
"""Fewer systems than this have so few orders that their likeness says little."""


def tables(found: Leaderboard) -> list[Table]:
    """Return each measure's order with its groups, the matrix of all pairs, and how alike the measures order."""
    parts = [table for board in found.boards.values() for table in (order_table(board, found), matrix_table(board))]
    return [*parts, orders_table(found)] if len(found.boards) > 1 and len(found.values) >= ORDERED else parts


def orders_table(found: Leaderboard) -> Table:
    """Return how alike each two measures order the systems."""
    rows = [[*names, alike.tau_b, alike.tau_ap, alike.tau_ap_b] for names, alike in found.orders.items()]
    title = "how alike the measures order the systems"
    return Table(["measure", "and", "tau-b", "tau-AP", "tau-AP-b"], rows, title)


def order_table(board: Board, found: Leaderboard) -> Table:
    """Return the systems, best first, with interval and groups."""
    rows = [
        [
            *(place, one.run, one.mean),
            DASH if one.interval is None else f"[{shown(one.interval.low)}, {shown(one.interval.high)}]",
            " ".join(one.groups),
        ]
        for place, one in enumerate(board.standings, 1)
    ]
    header = ["place", "run", "mean", f"{percent(found.settings.confidence)} interval", "groups"]
    return Table(header, rows, f"{board.measure}: systems that share a letter cannot be told apart")


def matrix_table(board: Board) -> Table:
    """Return the difference and adjusted p of all pairs."""
    names = [one.run for one in board.standings]
    rows = [
        [name, *("" if at == other else _pair(delta, p) for other, (delta, p) in enumerate(pairs))]
        for at, (name, pairs) in enumerate(
            (name, list(zip(deltas, p, strict=True)))
            for name, deltas, p in zip(names, board.deltas, board.p, strict=True)
        )
    ]
    return Table(["row minus column", *names], rows, f"{board.measure}: all pairs, adjusted p")


def _pair(delta: float | None, p: float | None) -> str:
    return signed(delta) if p is None else f"{signed(delta)} (p {p_text(p)})"


def rows(found: Leaderboard) -> tuple[list[str], list[list[object]]]:
    """Return a header and full-precision rows, one a measure and system, for CSV."""
    header = ["measure", "place", "run", "queries", "mean", "low", "high", "groups"]
    body: list[list[object]] = [
        [
            *(board.measure, place, one.run, len(board.query_ids), one.mean),
            *((None, None) if one.interval is None else one.interval),
            " ".join(one.groups),
        ]
        for board in found.boards.values()
        for place, one in enumerate(board.standings, 1)
    ]
    return header, body


def notes(found: Leaderboard) -> list[str]:
    """Return how it was made and what it does not show, as sentences."""
    return list(_notes(found))


def method(found: Leaderboard) -> list[Words]:
    """Return how pairs were corrected for, and how intervals were found."""
    settings, count = found.settings, len(found.values) * (len(found.values) - 1) // 2
    how, _ = CORRECTIONS[settings.correction]
    drawn = Words(f"{settings.permutations} shuffles", f"섞기 {settings.permutations}번")
    if settings.correction != "tukey":
        drawn = TESTS[settings.tests[0]].says
    return [
        Words(
            f"{count} pair{'s' if count > 1 else ''}: {how.en}; {drawn.en}, seed {settings.seed}",
            f"{count}쌍: {how.ko}, {drawn.ko}, 시드 {settings.seed}",
        ),
        interval_note(settings, clustered=found.clustered),
    ]


LIMITS = (
    Words(
        "that two systems share a letter does not show that they are equal",
        "두 시스템이 같은 글자를 가진다고 해서 같다는 뜻은 아닙니다",
    ),
    Words(
        "an unjudged document counts as the contract says: evaluate -m Judged@10 tells how many there are",
        "미판정 문서는 계약에 따라 셉니다. 얼마나 있는지는 evaluate -m Judged@10이 알려 줍니다",
    ),
)
"""What a leaderboard does not show."""


def _notes(found: Leaderboard) -> Iterator[str]:
    yield f"contract {found.contract.name} ({found.contract.fingerprint})"
    yield from (note.en for note in method(found))
    for run, values in found.values.items():
        yield from (f"{run}: {note}" for note in values.notes())
    for board in found.boards.values():
        if not any(one.groups for one in board.standings):
            yield f"{board.measure}: too many groups for letters; the matrix has each pair"
        if all(p is None for row in board.p for p in row):
            yield f"{board.measure}: not enough queries ({board.units}) to tell any two apart"
    yield from (note.en for note in LIMITS)
