"""What does a file hold, written in another format? Nothing is lost, or it is said and asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from rankproof.contract import Contract
from rankproof.errors import Fault, InputError
from rankproof.formats.files import Given, Source
from rankproof.formats.records import layout_of, read_records
from rankproof.formats.roles import sure_role_of
from rankproof.formats.table import Role, forced, format_of, read_qrels, read_runs
from rankproof.formats.whole import write_whole
from rankproof.formats.written import writer_of, written_as
from rankproof.formats.written_records import holds_texts, written_records
from rankproof.model import Ranking, Run
from rankproof.words import counted

Part: TypeAlias = Literal["name", "rank", "score"]
PARTS: tuple[Part, ...] = ("name", "rank", "score")
"""What of a run may be dropped where a format cannot hold it."""

_HOUSE = Contract()


Held: TypeAlias = Role | Literal["texts"]
"""What can be converted: judgments, results, or the texts of queries or documents."""


class Converted(NamedTuple):
    """What was written: what it holds, the format it was read in, how many queries (of texts: records) and rows."""

    role: Held
    format: str
    queries: int
    rows: int


def convert(
    source: Source,
    path: str | Path,
    role: Held | None = None,
    to: str | None = None,
    drop: Sequence[Part] = (),
    contract: Contract = _HOUSE,
) -> Converted:
    """Read judgments, runs or texts and write them to `path`, in the format `to` or that of its ending.

    What is written is read again before it is kept, and refused with InputError if something is missing: queries
    without rows, a field of a text, or a run's name, ranks or scores, unless `drop` names them.
    """
    writer_of(path, to)  # a format that there is not is told before anything is read
    with source.open() as reader:
        held = Given(reader.read(), source.name)
    role = role or sure_role_of(held) or ("texts" if holds_texts(held) else None)
    if role is None:
        message = "may be judgments (qrels) or results (a run)"
        raise InputError(Fault(message, source.name, hint="--as qrels or --as run says which"))
    if role == "texts":
        layout, count = _texts(held, Path(path), to)
        return Converted(role, layout, count, count)
    read = format_of(held, role, contract).name
    written, queries, rows = (_judgments if role == "qrels" else _results)(held, Path(path), to, drop, contract)
    write_whole(path, written)
    return Converted(role, read, queries, rows)


def _texts(held: Given, path: Path, to: str | None) -> tuple[str, int]:
    """Write texts; return the layout that they were read in, and how many records there are."""
    layout = layout_of(held.start()).name
    records = [record.fields for record in read_records(held)]
    content = written_records(records, written_as(path, to), str(path))
    again = [record.fields for record in read_records(Given(content, path.name))]
    lost = [number for number, pair in enumerate(zip_longest(records, again), 1) if pair[0] != pair[1]]
    _refuse([f"fields or values of {counted(len(lost), 'record')} (first: no. {lost[0]})"] if lost else [], path)
    write_whole(path, content)
    return layout, len(records)


_Written: TypeAlias = tuple[str | bytes, int, int]  # the content, how many queries, how many rows


def _judgments(held: Given, path: Path, to: str | None, _: Sequence[Part], contract: Contract) -> _Written:
    qrels = read_qrels(held, contract)
    content = writer_of(path, to).qrels(qrels, str(path))
    with forced():
        again = read_qrels(Given(content, path.name), contract.with_rules(grade_map=None))
    lost = sum(1 for query, grades in qrels.items() if again.get(query) != grades)
    _refuse([f"the judgments of {counted(lost, 'query', 'queries')}"] if lost else [], path)
    return content, len(qrels), sum(map(len, qrels.values()))


def _results(held: Given, path: Path, to: str | None, drop: Sequence[Part], contract: Contract) -> _Written:
    runs = [_without(run, drop) for run in read_runs(held, contract)]
    content = writer_of(path, to).runs(runs, str(path))
    with forced():
        again = read_runs(Given(content, path.name), contract.with_rules(roll_up="none"))
    _refuse(list(dict.fromkeys(_lost(runs, [_without(run, drop) for run in again], drop))), path)
    rankings = [(query, ranking) for run in runs for query, ranking in run.rankings.items()]
    return content, len({query for query, _ in rankings}), sum(len(ranking.doc_ids) for _, ranking in rankings)


def _without(run: Run, drop: Sequence[Part]) -> Run:
    """Return the run without these parts; without scores its rankings stand in the order that they gave."""
    if not drop:
        return run
    name = "run" if "name" in drop else run.name
    return replace(run, name=name, rankings={query: _stripped(one, drop) for query, one in run.rankings.items()})


def _stripped(ranking: Ranking, drop: Sequence[Part]) -> Ranking:
    docs, scores, ranks = ranking.doc_ids, ranking.scores, ranking.ranks
    ranks = None if "rank" in drop else ranks
    if "score" not in drop or scores is None:
        return Ranking(docs, scores, ranks)
    order = sorted(range(len(docs)), key=lambda at: -scores[at])
    return Ranking([docs[at] for at in order], None, None if ranks is None else [ranks[at] for at in order])


def _lost(before: Sequence[Run], after: Sequence[Run], drop: Sequence[Part]) -> Iterator[str]:
    """Yield what of the runs is not there again."""
    if len(before) != len(after):
        yield f"{len(before)} runs of their own"
        return
    for one, other in zip(before, after, strict=True):
        if one.name != other.name and "name" not in drop:
            yield f"the run's name {one.name} (--drop name)"
        yield from _missing(one.rankings, other.rankings)


def _missing(before: Mapping[str, Ranking], after: Mapping[str, Ranking]) -> Iterator[str]:
    for query, one in before.items():
        other = after.get(query)
        if other is None:
            yield f"query {query}, which has no results"
        elif list(one.doc_ids) != list(other.doc_ids):
            yield f"the order of the results of query {query}"
        elif not _same(one.scores, other.scores):
            yield "the scores (--drop score)"
        elif one.scores is None and _are_positions(one.ranks) and _are_positions(other.ranks):
            continue  # without scores, ranks 1, 2, 3, … say what the order says
        elif not _same(one.ranks, other.ranks):
            yield "the ranks (--drop rank)"


def _same(one: Iterable[float] | None, other: Iterable[float] | None) -> bool:
    if one is None or other is None:
        return one is other
    return all(a == b or (a != a and b != b) for a, b in zip(one, other, strict=True))  # noqa: PLR0124 - NaN


def _are_positions(ranks: Sequence[float] | None) -> bool:
    return ranks is None or all(rank == at for at, rank in enumerate(ranks, 1))


def _refuse(lost: Sequence[str], path: Path) -> None:
    if lost:
        shown = "; ".join(lost[:5]) + (f"; and {len(lost) - 5} more" if len(lost) > 5 else "")
        hint = "another format (.csv, .jsonl, .parquet), or --drop for what may go"
        raise InputError(Fault(f"would lose {shown}", str(path), expected="a format that holds it all", hint=hint))
