"""What did a saved file of lists show? It is read back, and held against the runs it was made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from rankproof.errors import Fault, Faults, InputError, seen
from rankproof.formats import Source
from rankproof.formats.jsons import as_dicts, parse_json
from rankproof.interleave.lists import ContractLike, Interleaving, ShownList, answers_of
from rankproof.interleave.methods import METHODS, whole_number
from rankproof.interleave.rows import rows_of

EXPECTED = "a file that `rankproof interleave … --format json` or `--format csv` wrote"
SETTINGS = ("method", "k", "seed")


class Row(NamedTuple):
    """A document of a list, on its line if the file has lines."""

    line: int | None
    query_id: str
    impression: int
    rank: int
    doc_id: str
    team: str | None
    settings: tuple[str, int, int]


def read_shown(
    path: str | Path | Source, runs: Any, *, contract: ContractLike = "rankproof", **rules: object
) -> Interleaving:
    """Return the lists of a file that `interleave` wrote for these runs, under this contract, as JSON or CSV.

    InputError lists, each with its line, documents that none of the runs has, teams that are none of them, ranks with
    gaps, and rows made by several methods or seeds.
    """
    answers = answers_of(runs, contract, **rules)
    source = path if isinstance(path, Source) else Source(path)
    faults = Faults()
    in_json = source.start().lstrip()[:1] == b"{"
    rows = list((_of_json if in_json else _of_table)(source, faults))
    faults.raise_any()
    if not rows:
        raise InputError(Fault("holds no lists", source.name, expected=EXPECTED))
    settings = rows[0].settings
    documents = {query: {*chain(*answers.rankings.get(query, ()))} for query in {row.query_id for row in rows}}
    lists: dict[tuple[str, int], list[Row]] = {}
    for row in rows:
        lists.setdefault((row.query_id, row.impression), []).append(row)
        for fault in _wrong(
            row, answers.runs, documents[row.query_id], (settings, len(lists[row.query_id, row.impression]))
        ):
            faults.add(replace(fault, file=source.name, line=row.line, query_id=row.query_id))
    faults.raise_any()
    most = max(row.impression for row in rows)
    return Interleaving(*settings, most, [_list_of(key, found) for key, found in lists.items()], answers)


def _list_of(key: tuple[str, int], rows: Sequence[Row]) -> ShownList:
    teams = [row.team for row in rows if row.team is not None]
    return ShownList(*key, [row.doc_id for row in rows], teams or None)


def _wrong(
    row: Row, runs: Sequence[str], documents: AbstractSet[str], expected: tuple[tuple[str, int, int], int]
) -> Iterator[Fault]:
    """Yield what keeps a row from being a place of a list of these runs: `expected` are its settings and its rank."""
    settings, rank = expected
    hint = f"was the list made of {', '.join(runs)}?"
    if not documents:
        yield Fault("no list of this query can be made of these runs", hint=hint)
    elif row.doc_id not in documents:
        yield Fault("is in none of the runs", doc_id=row.doc_id, hint=hint)
    if row.rank != rank:
        yield Fault(f"stands at rank {row.rank}", doc_id=row.doc_id, expected=f"rank {rank}, in order")
    if row.settings != settings:
        yield Fault(f"was made with {_said(row.settings)}", expected=f"{_said(settings)}, as the first row")
    in_teams = "binary" in METHODS[row.settings[0]].credits
    if in_teams != (row.team is not None) or (in_teams and row.team not in runs):
        teams = f"one of {', '.join(runs)}" if in_teams else "no team"
        yield Fault(f"team {seen(row.team)}", doc_id=row.doc_id, column="team", expected=teams)


def _said(settings: tuple[str, int, int]) -> str:
    return ", ".join(f"{name} {value}" for name, value in zip(SETTINGS, settings, strict=True))


def _of_table(source: Source, faults: Faults) -> Iterator[Row]:
    for record in rows_of(source, faults, Fault("holds no lists", source.name, expected=EXPECTED)):
        yield from _row(record.fields, source.name, record.line, faults)


def _of_json(source: Source, faults: Faults) -> Iterator[Row]:
    content = as_dicts(parse_json(source.text(), source.name), source.name)
    lists = content.get("lists")
    if content.get("command") != "interleave" or not isinstance(lists, list):
        raise InputError(Fault("holds no lists", source.name, expected=EXPECTED))
    for one in lists:
        doc_ids, teams = (one.get("doc_ids"), one.get("teams")) if isinstance(one, dict) else (None, None)
        if isinstance(doc_ids, list) and teams is None:
            teams = [None] * len(doc_ids)
        if not isinstance(doc_ids, list) or not isinstance(teams, list) or len(teams) != len(doc_ids):
            raise InputError(Fault(f"holds {seen(one)} as a list", source.name, expected=EXPECTED))
        for rank, (doc_id, team) in enumerate(zip(doc_ids, teams, strict=True), 1):
            yield from _row({**content, **one, "rank": rank, "doc_id": doc_id, "team": team}, source.name, None, faults)


def _row(fields: Mapping[str, Any], name: str, line: int | None, faults: Faults) -> Iterator[Row]:
    """Yield a row if its fields can be read; else note what is wrong with them."""
    numbers = {column: whole_number(fields.get(column)) for column in ("impression", "rank", "k", "seed")}
    wrong = [column for column, number in numbers.items() if number is None]
    wrong += [column for column in ("query_id", "doc_id") if not isinstance(fields.get(column), str)]
    wrong += ["method"] if fields.get("method") not in METHODS else []
    for column in wrong[:1]:
        message = f"{column} {seen(fields[column])}" if column in fields else f"has no {column}"
        faults.add(Fault(message, name, line, column=column, expected=EXPECTED))
        return
    impression, rank, k, seed = (number or 0 for number in numbers.values())
    team = fields.get("team") or None
    yield Row(line, fields["query_id"], impression, rank, fields["doc_id"], team, (fields["method"], k, seed))
