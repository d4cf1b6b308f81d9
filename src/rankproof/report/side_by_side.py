"""How does one query look before and after: places, grades, evidence, repeats, moves?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from rankproof.answers import spell
from rankproof.charts import rank_moves
from rankproof.contract import Contract
from rankproof.diff.difference import Move
from rankproof.model import Grade, Qrels, Ranking, Run
from rankproof.placements import place_query
from rankproof.placements.order import Order, entries
from rankproof.placements.plain import ranked
from rankproof.report.blocks import Block
from rankproof.tables import Table
from rankproof.words import Words, term


class Place(NamedTuple):
    """One place of a list: its rank (None for a repeat that uses up none), its document, and what is known of it."""

    rank: int | None
    doc_id: str
    grade: Grade | None  # None: unjudged
    evidence: bool | None  # None: nothing was marked
    first: int | None  # of a repeat: the rank at which the document counts


class SideBySide(NamedTuple):
    """One query's list, or its two lists, under a contract."""

    query_id: str
    names: Sequence[str]
    sides: Sequence[Sequence[Place]]
    judgments: Mapping[str, Grade]
    contract: Contract

    def to_dict(self) -> dict[str, Any]:
        """Return the lists as JSON holds them."""
        return {
            "query_id": self.query_id,
            "runs": [
                {"run": name, "places": [place._asdict() for place in places]}
                for name, places in zip(self.names, self.sides, strict=True)
            ],
            "judgments": dict(self.judgments),
            "contract": self.contract.to_dict(),
        }


def side_by_side(query: str, qrels: Qrels, runs: Sequence[Run], contract: Contract) -> SideBySide:
    """Return a judged query's lists as the contract orders them, repeats where they stand. ContractError as `place`."""
    sides = [_places(query, qrels[query], run, contract) for run in runs]
    return SideBySide(query, [run.name for run in runs], sides, qrels[query], contract)


def _places(query: str, judgments: Mapping[str, Grade], run: Run, contract: Contract) -> list[Place]:
    place_query(query, judgments, run, contract)  # refuses what the contract refuses
    if query not in run.rankings:
        return []
    ranking = run.rankings[query]
    counting = {doc: at for at, doc in enumerate(ranked(query, run, contract), 1)}
    return list(_listed(query, ranking, judgments, counting, contract))


def _listed(
    query: str, ranking: Ranking, judgments: Mapping[str, Grade], counting: Mapping[str, int], contract: Contract
) -> Iterator[Place]:
    """Yield the places from the top; a document's own entry is the one that the rule for duplicates counts."""
    given = entries(query, ranking, contract)
    order = list(Order(given, contract.ties).places())
    own = _own_entries(given.doc_ids, order, contract.duplicate_document)
    occupies, rank, ranks = contract.duplicate_slot == "occupies", 0, dict[str, int]()
    places = []
    for at in order:
        repeat = own[given.doc_ids[at]] != at
        rank += not repeat or occupies
        if not repeat:
            ranks[given.doc_ids[at]] = rank
        places.append((at, None if repeat and not occupies else rank, repeat))
    for at, place, repeat in places:
        doc = given.doc_ids[at]
        if doc not in counting or (contract.depth is not None and (place or 0) > contract.depth):
            continue
        mark = None if given.evidence is None else given.evidence[at]
        yield Place(place, doc, _grade(judgments.get(doc), contract), mark, ranks[doc] if repeat else None)


def _own_entries(docs: Sequence[str], order: Sequence[int], rule: str) -> Mapping[str, int]:
    """Return the index at which each document counts."""
    if rule == "keep-best":
        return {docs[at]: at for at in reversed(order)}
    indexes = range(len(docs)) if rule in ("keep-last", "unchecked") else reversed(range(len(docs)))
    return {docs[at]: at for at in indexes}


def _grade(grade: Grade | None, contract: Contract) -> Grade | None:
    if grade is None or grade >= 0:
        return grade
    return 0 if contract.negative_grade == "non-relevant" else None


def side_blocks(found: SideBySide, k: int) -> list[Block]:
    """Return the lists as tables, what moved as a chart, and the relevant documents that nobody retrieved."""
    of_sides = [{one.doc_id: one.rank for one in places if one.first is None} for places in found.sides]
    blocks: list[Block] = []
    if len(found.sides) == 2 and (rows := list(_moved(found, of_sides))):
        blocks.append(rank_moves(rows, before=found.names[0], after=found.names[1]))
    blocks.append(_lists_table(found, of_sides, k))
    if lost := [doc for doc, grade in _relevant(found) if not any(doc in side for side in of_sides)]:
        named = ", ".join(lost[:20]) + (", …" if len(lost) > 20 else "")
        blocks.append(Words(f"relevant, but not retrieved: {named}", f"적합하지만 검색되지 않음: {named}"))
    return blocks


def _relevant(found: SideBySide) -> Iterator[tuple[str, Grade]]:
    for doc, grade in sorted(found.judgments.items(), key=lambda one: -one[1]):
        if grade >= found.contract.relevant_from:
            yield doc, grade


def _moved(
    found: SideBySide, sides: Sequence[Mapping[str, int | None]]
) -> Iterator[tuple[str, str, Grade, int | None, int | None]]:
    for doc, grade in _relevant(found):
        if any(doc in side for side in sides):
            yield found.query_id, doc, grade, sides[0].get(doc), sides[1].get(doc)


def _lists_table(found: SideBySide, sides: Sequence[Mapping[str, int | None]], k: int) -> Table:
    """Return a row a place: of each list document, grade, evidence where it was marked, and the move."""
    marked = any(one.evidence is not None for places in found.sides for one in places)
    two = len(found.sides) == 2
    header = ["rank"]
    for name in found.names:
        header += [name, "grade", *(["evidence"] if marked else []), *(["move"] if two else ["note"])]
    width = 3 + marked
    rows = []
    for at, pair in enumerate(zip_longest(*found.sides), 1):
        cells: list[object] = [at]
        for one in pair:
            cells += ["" for _ in range(width)] if one is None else _cells(one, sides, marked=marked)
        rows.append(cells)
    return Table(header, rows, f"query {found.query_id}, of which the first {k} places count")


def _cells(one: Place, sides: Sequence[Mapping[str, int | None]], *, marked: bool) -> list[object]:
    grade = term("unjudged") if one.grade is None else spell(one.grade)
    evidence = [Words("yes", "있음") if one.evidence else ""] if marked else []
    return [one.doc_id, grade, *evidence, _move(one, sides)]


def _move(one: Place, sides: Sequence[Mapping[str, int | None]]) -> object:
    if one.first is not None:
        return Words(f"repeats no. {one.first}", f"{one.first}번째의 되풀이")
    if len(sides) < 2:
        return ""
    move = Move(one.doc_id, sides[0].get(one.doc_id), sides[1].get(one.doc_id), one.grade)
    if move.left == move.right:
        return Words("stays", "그대로")
    return move.words
