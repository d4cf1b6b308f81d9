"""Three columns without a header: judgments (query, document, grade), or results as MS MARCO ranks them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from rankproof.arithmetic import number_of
from rankproof.contract import Contract
from rankproof.errors import Fault, Faults, InputError
from rankproof.formats.cells import Cells, judgments_of
from rankproof.formats.files import Source
from rankproof.formats.judged import Judgment, qrels_of_rows
from rankproof.formats.results import Result, runs_of_rows
from rankproof.formats.trec import Rows
from rankproof.model import Qrels, Run

QRELS = "3 columns: query_id doc_id grade"
RUN = "3 columns: query_id doc_id rank"

_SURELY_RANKS = 10
"""So many documents of a query with the grades 1, 2, 3, … in their order are ranked, not judged."""

_ITERATIONS = {"0", "Q0", "q0"}
"""What stands second in TREC qrels, which name the document third."""


def _rows(source: Source, contract: Contract, faults: Faults, expected: str) -> Iterator[tuple[int, str, str, bytes]]:
    rows = Rows(source, contract, faults, number_at=2)
    for number, tokens in rows:
        if len(tokens) == 3:
            yield number, rows.text(number, tokens[0], "query_id"), rows.text(number, tokens[1], "doc_id"), tokens[2]
        else:
            faults.add(Fault(f"has {len(tokens)} columns", source.name, number, expected=expected))


def read_three_column_qrels(source: Source, contract: Contract) -> Qrels:
    """Read `query_id doc_id grade`. InputError lists the file's faults, each with its line."""
    faults = Faults()
    found = qrels_of_rows(judgments(source, contract, faults), contract, faults, source.name, QRELS)
    _check_grades(found, source.name)
    return found


def judgments(source: Source, contract: Contract, faults: Faults) -> Iterator[Judgment]:
    """Yield the rows of three-column qrels; a fault for each that is none."""
    cells = (
        Cells(line, query, doc, token.decode(errors="replace"))
        for line, query, doc, token in _rows(source, contract, faults, QRELS)
    )
    return judgments_of(cells, faults, source.name)


def _check_grades(qrels: Qrels, name: str) -> None:
    """Refuse what is a run, ranked 1, 2, 3, …, and judgments whose documents stand in the third column."""
    grades = [list(judged.values()) for judged in qrels.values()]
    if max(map(len, grades)) >= _SURELY_RANKS and all(one == [*range(1, len(one) + 1)] for one in grades):
        hint = "this looks like a run: the qrels come first, then the runs"
        raise InputError(Fault("has the grades 1, 2, 3, … in each query", name, expected=QRELS, hint=hint))
    docs = {doc for judged in qrels.values() for doc in judged}
    if docs <= _ITERATIONS and len(qrels) > 1:
        message = f"judges the document {docs.pop()} in each query, and no other"
        hint = "is the third column the document, and the grade missing? write `query_id 0 doc_id 1`"
        raise InputError(Fault(message, name, expected=QRELS, hint=hint))


def read_three_column_runs(source: Source, contract: Contract) -> list[Run]:
    """Read `query_id doc_id rank`, best rank first. InputError where the third column could be a score."""
    faults = Faults()
    return runs_of_rows(results(source, contract, faults), faults, source.name, source.stem, RUN)


def results(source: Source, contract: Contract, faults: Faults) -> Iterator[Result]:
    """Yield the rows of a three-column run; a fault for each that is none. InputError where ranks could be scores."""
    of_query: dict[str, list[float]] = {}
    for line, query, doc, token in _rows(source, contract, faults, RUN):
        rank = number_of(token)
        if rank is None or not float(rank).is_integer() or rank < 1:
            place = Fault(f"rank {token.decode(errors='replace')!r}", source.name, line, column="rank", query_id=query)
            hint = "if the third column is a score: CSV with the header query_id,doc_id,score says so"
            faults.add(replace(place, doc_id=doc, expected="a whole number from 1 on", hint=hint))
        else:
            of_query.setdefault(query, []).append(float(rank))
            yield Result(line, query, doc, None, float(rank))
    if not faults:
        _check_ranks(of_query, source.name)


def _check_ranks(of_query: Mapping[str, Sequence[float]], name: str) -> None:
    """Refuse numbers that could be scores: no query has a rank 1, or all fall from row to row."""
    if not of_query or not _may_be_scores(of_query):
        return
    query = next((one for one, ranks in of_query.items() if len(ranks) > 1), next(iter(of_query)))
    message = f"the third column goes {', '.join(f'{rank:.0f}' for rank in of_query[query][:4])}: a rank, or a score?"
    hint = "CSV says it by a header: query_id,doc_id,rank or query_id,doc_id,score"
    raise InputError(Fault(message, name, query_id=query, expected="ranks: 1, 2, 3, …", hint=hint))


def _may_be_scores(of_query: Mapping[str, Sequence[float]]) -> bool:
    if all(1 not in ranks for ranks in of_query.values()):
        return True
    several = [ranks for ranks in of_query.values() if len(ranks) > 1]
    falling = [all(a >= b for a, b in pairwise(ranks)) for ranks in several]
    return bool(falling) and all(falling)
