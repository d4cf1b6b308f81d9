"""What did the judges say, in each of trec_eval's formats (-R)?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from rankproof.contract import Contract
from rankproof.errors import Fault, Faults
from rankproof.formats import Source, read_qrels
from rankproof.formats.grades import EXPECTED, grade_of
from rankproof.formats.trec import Rows
from rankproof.model import Grade, Placements, Run
from rankproof.placements import place_query, ranked
from rankproof.trec_eval.column import Query
from rankproof.trec_eval.preferences import Judgment, preferences


class Judged(NamedTuple):
    """The judged queries, the grades, and what stands in a run beside one query's judgments."""

    query_ids: Collection[str]
    grades: Collection[Grade]
    beside: Callable[[str, Run, Contract], Query]


def _qrels(source: Source, contract: Contract) -> Judged:
    qrels = read_qrels(source, contract)
    grades = {grade for judgments in qrels.values() for grade in judgments.values()}
    return Judged(qrels, grades, lambda query, run, contract: Query([_placed(query, qrels[query], run, contract)]))


def _placed(query: str, judgments: Mapping[str, Grade], run: Run, contract: Contract) -> Placements:
    at = place_query(query, judgments, run, contract)
    if at is None:  # the contract here counts it as an empty ranking
        raise ValueError(query)
    return at


def _by_group(source: Source, contract: Contract) -> Judged:
    judged = _read(source, contract, _JG)
    grouped = {query: _groups(own) for query, own in judged.items()}

    def beside(query: str, run: Run, contract: Contract) -> Query:
        return Query([_placed(query, judgments, run, contract) for judgments in grouped[query]])

    return Judged(judged, {one.level for own in judged.values() for one in own}, beside)


def _groups(judgments: Sequence[Judgment]) -> list[dict[str, Grade]]:
    """Return each group's grades by document, groups in byte order of their names."""
    found: dict[str, dict[str, Grade]] = {}
    for one in sorted(judgments, key=lambda one: one.group.encode()):
        found.setdefault(one.group, {})[one.doc_id] = one.level
    return list(found.values())


def _preferring(columns: str) -> Callable[[Source, Contract], Judged]:
    def read(source: Source, contract: Contract) -> Judged:
        judged = _read(source, contract, columns)

        def beside(query: str, run: Run, contract: Contract) -> Query:
            # trec_eval breaks ties the other way round here
            order = ranked(query, run, contract.with_rules(ties="document-id-ascending"))
            where = Fault("", source.name, query_id=query)
            return Query(preferences=preferences(judged[query], order, where))

        return Judged(judged, (), beside)

    return read


_JG = "query_id group doc_id grade"
_PREFS = "query_id group subgroup doc_id level"


def _read(source: Source, contract: Contract, columns: str) -> dict[str, list[Judgment]]:
    """Read judgments by groups. InputError lists the file's faults, each with its line."""
    faults, count = Faults(), len(columns.split())
    rows = Rows(source, contract, faults, number_at=count - 1)
    found: dict[str, dict[tuple[str, str, str], Judgment]] = {}
    for number, tokens in rows:
        if len(tokens) != count:
            faults.add(Fault(f"has {len(tokens)} columns", source.name, number, expected=f"{count} columns: {columns}"))
            continue
        query, group, *subgroup, doc = (rows.text(number, token, "id") for token in tokens[:-1])
        key = (group, subgroup[0] if subgroup else "0", doc)
        where = Fault("", source.name, number, query_id=query, doc_id=doc)
        grade, of_query = grade_of(tokens[-1]), found.setdefault(query, {})
        if grade is None:
            faults.add(replace(where, message=f"grade {tokens[-1].decode(errors='replace')!r}", expected=EXPECTED))
        elif key in of_query:
            faults.add(replace(where, message=f"judged twice by group {group}"))
        else:
            of_query[key] = Judgment(*key, grade)
    if not found and not faults:
        faults.add(Fault("holds no judgments", source.name, expected=f"{count} columns: {columns}"))
    faults.raise_any()
    return {query: list(own.values()) for query, own in found.items()}


FORMATS: Mapping[str, Callable[[Source, Contract], Judged]] = {
    "qrels": _qrels,
    "qrels_jg": _by_group,
    "prefs": _preferring(_PREFS),
    "qrels_prefs": _preferring(_JG),
}
"""trec_eval's formats of judgments, by name."""
