"""What does a system find for the queries, and how long does each take?"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rankproof.contract import Contract
from rankproof.errors import Fault, InputError
from rankproof.formats.files import read_through
from rankproof.formats.table import read_run
from rankproof.formats.trec import unwritable
from rankproof.model import Ranking, Run
from rankproof.retrieve import fuse
from rankproof.retrieve.embedding import Model, embed_of
from rankproof.retrieve.searcher import Searcher
from rankproof.systems.collection import Collection
from rankproof.systems.functions import function_of, source_of
from rankproof.systems.kinds import FUSIONS
from rankproof.systems.searchers import SEARCHERS
from rankproof.systems.system import System
from rankproof.words import counted, first_of, query_count

_HOUSE = Contract()

DEEP = 1000
"""So many documents of each part a fusion sees at least: what stands below k in one list may be first in the fusion."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a system found; the seconds each query took, empty where nothing was searched; what to know about it."""

    run: Run
    seconds: Mapping[str, float]
    notes: Sequence[str] = ()
    index_seconds: float = 0.0  # to read vectors, or to index the texts
    resumed: int = 0  # queries that an engine had answered before an interruption


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where a system runs: the folder that its relative paths start from, and the journal of an engine's answers."""

    folder: Path = Path()
    journal: Path | None = None
    restart: bool = False  # give up what the journal holds
    on_answer: Callable[[int, int], None] | None = None  # told how many queries are answered, of how many
    on_index: Callable[[int, int], None] | None = None  # told how many documents are embedded, of how many
    contract: Contract = _HOUSE  # ranks the parts of a fusion
    one_by_one: bool = True  # ask queries one at a time, so that each has its own time


def rank(
    system: System,
    collection: Collection,
    k: int,
    of: Mapping[str, Run] | None = None,
    surroundings: Surroundings | None = None,
) -> Ranked:
    """Return each query's first k documents by a system, under its name; `of`: the runs that a fusion is made of.

    InputError for what the system cannot read or was not given, and for an engine that does not answer.
    """
    here = surroundings or Surroundings()
    tell = _teller(here, len(collection.queries))
    if system.kind in FUSIONS:
        return _fused(system, k, of or {}, here.contract)
    if system.kind == "run":
        return _of_file(system, collection, k, here)
    if system.kind == "engine":
        return _of_engine(system, collection, k, here, tell)
    begun = time.perf_counter()
    searcher = SEARCHERS[system.kind](system.options, collection, here.folder, _indexing(here, collection))
    took = time.perf_counter() - begun
    return replace(_searched(system, searcher, collection.queries, k, here.one_by_one, tell), index_seconds=took)


def _indexing(here: Surroundings, collection: Collection) -> Callable[[int], None]:
    """Return what counts the documents that are embedded."""
    total, done = len(collection.documents), 0

    def tell(count: int) -> None:
        nonlocal done
        done += count
        if here.on_index is not None:
            here.on_index(done, total)

    return tell


def _teller(here: Surroundings, total: int) -> Callable[[str], None]:
    """Return what counts the queries that are answered."""
    answered: list[str] = []

    def tell(query: str) -> None:
        answered.append(query)
        if here.on_answer is not None:
            here.on_answer(len(answered), total)

    return tell


def rank_all(
    systems: Sequence[System], collection: Collection, k: int, surroundings: Surroundings | None = None
) -> Ranked:
    """Return what the last of the systems finds; those before it are the parts of a fusion."""
    runs: dict[str, Run] = {}
    notes: list[str] = []
    for system in systems:
        deep = k if system is systems[-1] else max(k, DEEP)
        found = rank(system, collection, deep, runs, surroundings)
        runs[system.name] = found.run
        notes += found.notes
        if found.resumed:
            notes.append(f"{system.name}: {query_count(found.resumed)} had been answered before")
    return replace(found, notes=notes)


def _searched(
    system: System,
    searcher: Searcher,
    queries: Mapping[str, str],
    k: int,
    one_by_one: bool,
    tell: Callable[[str], None],
) -> Ranked:
    rankings: dict[str, Ranking] = {}
    seconds: dict[str, float] = {}
    batches = [{query: text} for query, text in queries.items()] if one_by_one else [dict(queries)]
    for batch in batches:
        begun = time.perf_counter()
        rankings |= searcher.search(batch, k + 1).rankings  # one more shows whether the cut parts equal scores
        took = time.perf_counter() - begun
        seconds |= dict.fromkeys(batch, took / len(batch))
        for query in batch:
            tell(query)
    run, notes = cut(Run(system.name, rankings), k)
    if left_out := getattr(searcher, "left_out", ()):
        notes = [f"{system.name}: {counted(len(left_out), 'document')} without a vector ({first_of(left_out)})", *notes]
    return Ranked(run, seconds, notes)


def _fused(system: System, k: int, of: Mapping[str, Run], contract: Contract) -> Ranked:
    options = system.options
    given = {"k": options["rrf-k"]} if system.kind == "rrf" else {"normalize": options["normalize"]}
    begun = time.perf_counter()
    run = fuse(
        [of[name] for name in system.parts],
        system.kind,
        weights=options["weights"],
        name=system.name,
        contract=contract,
        **given,
    )
    each = (time.perf_counter() - begun) / (len(run.rankings) or 1)
    found, notes = cut(run, k)
    return Ranked(found, dict.fromkeys(run.rankings, each), notes)


def cut(run: Run, k: int) -> tuple[Run, list[str]]:
    """Return a run with the first k of each ranking, and a note where that parted documents of one score."""
    parted = [
        query
        for query, ranking in run.rankings.items()
        if ranking.scores is not None and len(ranking.doc_ids) > k and ranking.scores[k - 1] == ranking.scores[k]
    ]
    rankings = {
        query: Ranking(ranking.doc_ids[:k], None if ranking.scores is None else ranking.scores[:k])
        for query, ranking in run.rankings.items()
    }
    told = f"{run.name}: the cut at {k} parts equal scores in {query_count(len(parted))}, by id ({first_of(parted)})"
    return replace(run, rankings=rankings), [told] if parted else []


def found_in(run: Run) -> str:
    """Return how much a run holds, as a sentence."""
    count = sum(len(ranking.doc_ids) for ranking in run.rankings.values())
    hollow = [query for query, ranking in run.rankings.items() if not len(ranking.doc_ids)]
    without = f", {len(hollow)} without a result ({first_of(hollow)})" if hollow else ""
    return f"{run.name}: {query_count(len(run.rankings))}{without}, {counted(count, 'result')}"


def _of_file(system: System, collection: Collection, k: int, here: Surroundings) -> Ranked:
    """Return a file's rankings of these queries as they are: a cut would have to know the contract's ranks."""
    run = read_run(here.folder / system.options["run"], here.contract)
    others = [query for query in run.rankings if query not in collection.queries]
    if len(others) == len(run.rankings):
        expected = f"ids such as {next(iter(collection.queries))!r}"
        raise InputError(Fault("answers none of the queries", run.source, query_id=others[0], expected=expected))
    kept = {query: run.rankings[query] for query in collection.queries if query in run.rankings}
    deeper = [query for query, ranking in kept.items() if len(ranking.doc_ids) > k]
    notes = []
    if others:
        notes.append(f"{run.source}: {query_count(len(others))} not asked here are left out ({first_of(others)})")
    if deeper:
        what = f"goes deeper than {k} in {query_count(len(deeper))}, and is not cut ({first_of(deeper)})"
        notes.append(f"{run.source}: {what}; the rule depth={k} cuts all systems")
    return Ranked(Run(system.name, kept, run.source), {}, notes)


def _of_engine(
    system: System, collection: Collection, k: int, here: Surroundings, tell: Callable[[str], None]
) -> Ranked:
    from rankproof.engines import ask_all, open_engine  # noqa: PLC0415 - with its own packages

    options = system.options
    engine = open_engine(
        options["engine"],
        documents=collection.documents or None,
        mapping=_mapping(options["mapping"], here.folder),
        settings={key: _spelled(value) for key, value in options["set"].items()},
        timeout=options["timeout"],
        analyzer=options["analyzer"],
        embed=_embed(options["embed"], here.folder),
    )
    try:
        asked = ask_all(
            engine,
            collection.queries,
            k,
            concurrency=options["concurrency"],
            retries=options["retries"],
            journal=here.journal,
            settings=_embedded_by(options["embed"], here.folder),
            on_answer=tell,
            name=system.name,
            restart=here.restart,
            unwritable=unwritable,
        )
    finally:
        engine.close()
    return Ranked(asked.run, asked.seconds, asked.notes, resumed=asked.resumed)


def _embed(given: str | None, folder: Path) -> Callable[[Sequence[str]], Any] | None:
    """Return what makes the vectors that an engine is asked with: a function, or a model's by its name."""
    if given is None:
        return None
    found = function_of(given, folder)
    embed = embed_of(Model(found) if isinstance(found, str) else found, "query", None)
    return lambda texts: embed(list(texts))


def _embedded_by(embed: str | None, folder: Path) -> dict[str, Any]:
    """Return what makes an engine's vectors, for its journal: another function, or another text of it, is another."""
    if embed is None:
        return {}
    sha256 = source_of(embed, folder, lambda path: str(read_through(path).sha256))
    return {"embed": {"function": embed, "sha256": sha256}}


def _spelled(value: object) -> str:
    """Return a setting as the command line spells it."""
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _mapping(given: str | None, folder: Path) -> Any:
    """Return a mapping's file beside the experiment, or its name as it is."""
    if given is None or not given.endswith(".toml"):
        return given
    return folder / given
