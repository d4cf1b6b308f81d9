"""What do the systems of an experiment find, and which of them is better?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Collection as Names
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
from rankproof.experiment.store import Store, check_ids, key_of, sha256_of
from rankproof.formats import read_families, read_qrels
from rankproof.formats.places import with_lines
from rankproof.systems import Collection, Ranked, Surroundings, System, rank, read_collection

OnAnswer = Callable[[str, int, int], None]
"""Told a system's name, how many queries it has answered, and of how many."""

ALL = "all"
"""The name that stands for every system where systems are named that are to run again."""


def run_experiment(plan: Plan | str | Path, *, fresh: Names[str] = (), on_answer: OnAnswer | None = None) -> Experiment:
    """Return how the systems of an experiment, or of its TOML file, compare.

    Runs are kept in the plan's store; one that was made from the same inputs and settings is taken from there, but for
    the systems named `fresh` (or "all"), and what is made of them. `on_answer` is told how far each system is.
    InputError for what cannot be read, a system that cannot run, and an engine that does not answer; what was made
    until then is kept.
    """
    wanted = plan if isinstance(plan, Plan) else read_plan(plan)
    _check_fresh(fresh, wanted)
    qrels = read_qrels(wanted.qrels, wanted.contract)
    families = None if wanted.cluster is None else read_families(wanted.cluster)
    hash_of = cache(sha256_of)
    made = _Making(wanted, fresh, hash_of, on_answer)
    for system in wanted.in_order():
        made.make(system)
    tested = [made.tested[system.name] for system in wanted.systems]
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

    def __init__(self, plan: Plan, fresh: Names[str], hash_of: HashOf, on_answer: OnAnswer | None) -> None:
        self.plan, self.store, self.fresh = plan, Store(plan.store), fresh
        self.hash_of, self.on_answer = hash_of, on_answer
        self.tested: dict[str, Tested] = {}
        self._collection: Collection | None = None

    def make(self, system: System) -> None:
        """Take a system's run from the store, or make and keep it; a file of rankings is read as it is."""
        parts = made_of(system, self.plan, {name: one.sha256 for name, one in self.tested.items()}, self.hash_of)
        key = key_of(parts)
        if system.kind == "run":
            file = self.plan.folder / system.options["run"]
            self.tested[system.name] = Tested(system, key, file, self.hash_of(file), self._ranked(system), None)
            return
        journal = journal_of(self.store.path(system.name, key))
        if {system.name, ALL} & set(self.fresh):
            self.store.forget(system.name, key)
            forget(journal)
        kept = self.store.get(system.name, key)
        known = kept is not None
        if kept is None:
            self.store.make_folder()
            kept = self.store.put(system.name, key, parts, self._ranked(system, journal))
            forget(journal)
        seconds = self._with_parts(system, kept.ranked.seconds)
        since = kept.time if known else None
        file = self.store.path(system.name, key)
        self.tested[system.name] = Tested(system, key, file, kept.sha256, kept.ranked, since, seconds)

    def _ranked(self, system: System, journal: Path | None = None) -> Ranked:
        tell = self.on_answer
        return rank(
            system,
            self.collection,
            self.plan.depth,
            {part: self.tested[part].ranked.run for part in system.parts},
            Surroundings(
                self.plan.folder,
                journal,
                on_index=None if tell is None else lambda done, total: tell(f"{system.name}, documents", done, total),
                on_answer=None if tell is None else lambda done, total: tell(system.name, done, total),
                contract=self.plan.contract,
            ),
        )

    @property
    def collection(self) -> Collection:
        """Return the texts, read once."""
        if self._collection is None:
            plan = self.plan
            corpus = plan.corpus if any(system.reads_corpus for system in plan.systems) else None
            self._collection = read_collection(corpus, plan.queries, fields=plan.fields, query_fields=plan.query_fields)
            check_ids(self._collection)
        return self._collection

    def _with_parts(self, system: System, own: Mapping[str, float]) -> Mapping[str, float]:
        """Return the seconds of a system with those of its parts, each once; without queries that a part was not asked.

        A part that is a file took no time here: then the whole is not known.
        """
        parts: dict[str, Mapping[str, float]] = {}
        left = list(system.parts)
        while left:
            part = self.tested[left.pop()]
            parts[part.system.name] = part.ranked.seconds
            left += part.system.parts
        return {
            query: fsum([took, *(part[query] for part in parts.values())])
            for query, took in own.items()
            if all(query in part for part in parts.values())
        }


def _hash(plan: Plan, tested: Sequence[Tested], hash_of: HashOf) -> str:
    """Return the hash of all that decides the experiment's numbers: another input, answer or setting, another hash."""
    return key_of(
        {
            "systems": [[one.system.name, one.key, one.sha256] for one in tested],  # the baseline first
            "qrels": hash_of(plan.qrels),
            "cluster": None if plan.cluster is None else hash_of(plan.cluster),
            "measures": [str(measure) for measure in plan.measures],
            "contract": plan.contract.fingerprint,
            "settings": plan.settings.to_dict(),
        }
    )
