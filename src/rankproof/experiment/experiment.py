"""What do the systems of an experiment find, and which of them is better?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Collection as Names
from dataclasses import replace
from functools import cache
from math import fsum
from pathlib import Path

from rankproof.compare.compare import compare_runs
from rankproof.compare.comparison import Inputs
from rankproof.engines.journal import forget, journal_of
from rankproof.errors import Fault, InputError, RankproofError, nearest
from rankproof.evaluate import file_of
from rankproof.experiment.made_of import HashOf, made_of
from rankproof.experiment.plan import Plan, read_plan
from rankproof.experiment.result import Experiment, Tested
from rankproof.experiment.store import Store, key_of, sha256_of
from rankproof.formats import read_families, read_qrels
from rankproof.formats.places import with_lines
from rankproof.systems import Collection, Surroundings, System, rank, read_collection

OnAnswer = Callable[[str, int, int], None]
"""Told a system's name, how many queries it has answered, and of how many."""

ALL = "all"
"""The name that stands for every system where systems are named that are to run again."""


def run_experiment(plan: Plan | str | Path, *, fresh: Names[str] = (), on_answer: OnAnswer | None = None) -> Experiment:
    """Return how the systems of an experiment, or of its TOML file, compare.

    Runs are kept in the plan's store; one that was made from the same inputs and settings is taken from there, but for
    the systems named `fresh` (or "all"). `on_answer` is told how far each system is. InputError for what cannot be
    read, a system that cannot run, and an engine that does not answer; what was made until then is kept.
    """
    wanted = plan if isinstance(plan, Plan) else read_plan(plan)
    hash_of = cache(sha256_of)
    _check_fresh(fresh, wanted)
    made = _Making(wanted, Store(wanted.store), fresh, hash_of, on_answer)
    for system in wanted.in_order():
        made.make(system)
    tested = [made.tested[system.name] for system in wanted.systems]
    qrels = read_qrels(wanted.qrels, wanted.contract)
    families = None if wanted.cluster is None else read_families(wanted.cluster)
    try:
        inputs = Inputs(qrels, [one.ranked.run for one in tested], wanted.contract)
        compared = compare_runs(inputs, wanted.measures, wanted.settings, families)
    except RankproofError as error:
        raise with_lines(error, file_of(wanted.qrels)) from error
    return Experiment(wanted, tested, compared, _hash(wanted, tested, hash_of))


def _check_fresh(fresh: Names[str], plan: Plan) -> None:
    known = [ALL, *(system.name for system in plan.systems)]
    for name in fresh:
        if name not in known:
            hint = f"did you mean {nearest(name, known, 1)}?"
            raise InputError(Fault(f"{name} is no system", plan.file, expected=f"one of {', '.join(known)}", hint=hint))


class _Making:
    """Makes the runs of a plan, one system after the other; the texts are read when the first one needs them."""

    def __init__(
        self, plan: Plan, store: Store, fresh: Names[str], hash_of: HashOf, on_answer: OnAnswer | None
    ) -> None:
        self.plan, self.store, self.fresh = plan, store, fresh
        self.hash_of, self.on_answer = hash_of, on_answer
        self.tested: dict[str, Tested] = {}
        self._collection: Collection | None = None

    def make(self, system: System) -> None:
        """Take a system's run from the store, or make and keep it."""
        parts = made_of(system, self.plan, {name: one.key for name, one in self.tested.items()}, self.hash_of)
        key = key_of(parts)
        file = self.store.path(system.name, key)
        journal = journal_of(file)
        if {system.name, ALL} & set(self.fresh):
            self.store.forget(system.name, key)
            forget(journal)
        if (kept := self.store.get(system.name, key)) is not None:
            self.tested[system.name] = Tested(system, key, file, kept.ranked, kept.time)
            return
        self.store.make_folder()
        found = rank(
            system,
            self.collection,
            self.plan.depth,
            {part: self.tested[part].ranked.run for part in system.parts},
            Surroundings(self.plan.folder, journal, self._teller(system.name)),
        )
        if system.parts:
            found = replace(found, seconds=self._with_parts(system, found.seconds))
        self.store.put(system.name, key, parts, found)
        forget(journal)
        self.tested[system.name] = Tested(system, key, file, found, None)

    @property
    def collection(self) -> Collection:
        """Return the texts, read once."""
        if self._collection is None:
            plan = self.plan
            self._collection = read_collection(
                plan.corpus, plan.queries, fields=plan.fields, query_fields=plan.query_fields
            )
        return self._collection

    def _teller(self, name: str) -> Callable[[int, int], None] | None:
        tell = self.on_answer
        return None if tell is None else lambda done, total: tell(name, done, total)

    def _with_parts(self, system: System, seconds: Mapping[str, float]) -> Mapping[str, float]:
        """Return the seconds of a fusion with those of its parts; without a query where a part was not searched."""
        parts = [self.tested[part].ranked.seconds for part in system.parts]
        return {
            query: fsum([own, *(part[query] for part in parts)])
            for query, own in seconds.items()
            if all(query in part for part in parts)
        }


def _hash(plan: Plan, tested: Sequence[Tested], hash_of: HashOf) -> str:
    """Return the hash of all that decides the experiment's numbers: another input or setting, another hash."""
    return key_of(
        {
            "systems": {one.system.name: one.key for one in tested},
            "qrels": hash_of(plan.qrels),
            "cluster": None if plan.cluster is None else hash_of(plan.cluster),
            "measures": [str(measure) for measure in plan.measures],
            "contract": plan.contract.fingerprint,
            "settings": plan.settings.to_dict(),
        }
    )
