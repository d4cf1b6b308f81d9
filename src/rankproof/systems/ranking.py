"""What does a system find for the queries, and how long does each take?"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from rankproof.errors import Fault, InputError
from rankproof.formats.table import read_run
from rankproof.model import Ranking, Run
from rankproof.retrieve.fuse import Fusion
from rankproof.systems.collection import Collection
from rankproof.systems.engine_ranking import of_engine
from rankproof.systems.kinds import FUSIONS
from rankproof.systems.ranked import Ranked, Surroundings, cut
from rankproof.systems.searchers import SEARCHERS
from rankproof.systems.system import System
from rankproof.words import counted, first_of, query_count

DEEP = 1000
"""So many documents of each part a fusion sees at least: what stands below k in one list may be first in the fusion."""


_BATCH = 256
"""So many queries are searched at a time where they are not timed one by one."""


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
    return _RANKERS[system.kind](_Work(system, collection, k, of or {}, here, tell))


class _Work(NamedTuple):
    """All that a kind of system may need; each takes its part."""

    system: System
    collection: Collection
    k: int
    of: Mapping[str, Run]
    here: Surroundings
    tell: Callable[[str], None]


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
    """Return what the last of one or more systems finds; those before it are the parts of a fusion."""
    runs: dict[str, Run] = {}
    notes: list[str] = []
    for system in systems:
        deep = k if system is systems[-1] else max(k, DEEP)
        found = rank(system, collection, deep, runs, surroundings)
        runs[system.name] = found.run
        notes += found.notes
    return replace(found, notes=notes)


def _searched(work: _Work) -> Ranked:
    """Index the texts, or read vectors, and search; timed one by one, or in batches that show how far it is."""
    system, queries, here = work.system, work.collection.queries, work.here
    begun = time.perf_counter()
    searcher = SEARCHERS[system.kind](system.options, work.collection, here.folder, _indexing(here, work.collection))
    index_seconds = time.perf_counter() - begun
    rankings: dict[str, Ranking] = {}
    seconds: dict[str, float] = {}
    size = 1 if here.one_by_one else _BATCH
    for start in range(0, len(queries), size):
        batch = dict(list(queries.items())[start : start + size])
        begun = time.perf_counter()
        rankings |= searcher.search(batch, work.k + 1).rankings  # one more shows whether the cut parts equal scores
        seconds |= dict.fromkeys(batch, (time.perf_counter() - begun) / len(batch))
        for query in batch:
            work.tell(query)
    run, notes = cut(Run(system.name, rankings), work.k)
    if left_out := getattr(searcher, "left_out", ()):
        notes = [f"{system.name}: {counted(len(left_out), 'document')} without a vector ({first_of(left_out)})", *notes]
    return Ranked(run, seconds, notes, index_seconds)


def _fused(work: _Work) -> Ranked:
    system, options = work.system, work.system.options
    fusion = Fusion.asked(system.kind, options.get("normalize"), options.get("rrf-k"))
    begun = time.perf_counter()
    amounts = fusion.amounts([work.of[name] for name in system.parts], work.here.contract)
    run = amounts.fused(options["weights"], system.name)
    each = (time.perf_counter() - begun) / (len(run.rankings) or 1)
    found, notes = cut(run, work.k)
    return Ranked(found, dict.fromkeys(run.rankings, each), notes)


def _of_file(work: _Work) -> Ranked:
    """Return a file's rankings of these queries as they are: a cut would have to know the contract's ranks."""
    system, collection, k, here = work.system, work.collection, work.k, work.here
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


_RANKERS: Mapping[str, Callable[[_Work], Ranked]] = {
    **dict.fromkeys(SEARCHERS, _searched),
    **dict.fromkeys(FUSIONS, _fused),
    "run": _of_file,
    "engine": lambda work: of_engine(work.system, work.collection, work.k, work.here, work.tell),
}
"""How each kind of system is run."""
