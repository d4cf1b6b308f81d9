"""What does an experiment's file ask for?"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rankproof.answers import kebab
from rankproof.compare.pairs import check_means
from rankproof.compare.settings import Settings, settings_of
from rankproof.contract import Contract
from rankproof.errors import Fault, InputError, RankproofError, nearest, seen
from rankproof.measures import Measure, parse_all
from rankproof.presets import contract as contract_of
from rankproof.rules import named_answers
from rankproof.systems import System, read_system

KEYS: Mapping[str, tuple[type | tuple[type, ...], str]] = {
    "corpus": (str, "a path: the documents"),
    "queries": (str, "a path: the queries"),
    "qrels": (str, "a path: the judgments"),
    "systems": (dict, "a table of systems by name, such as [systems.bm25]"),
    "baseline": (str, "the name of the system that the others are compared with"),
    "k": (int, "a whole number: the cutoff of the measures that are not named"),
    "depth": (int, "a whole number: as many documents a query from each system"),
    "measures": (list, 'a list such as ["nDCG@10"]'),
    "contract": (str, "a preset, or a path"),
    "rules": (dict, "a table of rules"),
    "compare": (dict, "a table of settings, such as test, seed, margin"),
    "cluster": (str, "a path: families of queries"),
    "fields": (list, "a list of fields of the corpus"),
    "query-fields": (list, "a list of fields of the queries"),
    "store": (str, "a folder for runs that were made"),
}
"""What the file may hold, of which type, and what is expected."""

NEEDED = ("queries", "qrels", "systems")
K = 10
DEPTH = 1000


@dataclass(frozen=True, slots=True)
class Plan:
    """What is compared, on what, by which measures and rules. Paths are relative to `folder`, where the file lies."""

    file: str
    folder: Path
    corpus: Path | None
    queries: Path
    qrels: Path
    systems: Sequence[System]  # the baseline first, then as the file has them
    measures: Sequence[Measure]
    contract: Contract
    settings: Settings
    depth: int = DEPTH
    cluster: Path | None = None
    fields: Sequence[str] | None = None
    query_fields: Sequence[str] | None = None
    store: Path = Path("rankproof-store")

    @property
    def report(self) -> Path:
        """Return where the report is written if nothing else is said: among the runs that are kept."""
        return self.store / f"{Path(self.file).stem}.html"

    def inputs(self) -> list[tuple[str, Path]]:
        """Return the files that decide the numbers, each with its role."""
        files = {"corpus": self.corpus, "queries": self.queries, "qrels": self.qrels, "clusters": self.cluster}
        found = [(role, path) for role, path in files.items() if path is not None]
        named = [(role, self.folder / path) for system in self.systems for role, path in system.paths.items()]
        return [*found, *dict.fromkeys(named)]

    def in_order(self) -> list[System]:
        """Return the systems, each behind those whose rankings it is made of."""
        known = {system.name: system for system in self.systems}
        ordered: dict[str, System] = {}

        def add(system: System) -> None:
            for part in system.parts:
                add(known[part])
            ordered[system.name] = system

        for system in self.systems:
            add(system)
        return list(ordered.values())


def read_plan(path: str | Path) -> Plan:
    """Return what a TOML file asks for. InputError names the file and the key for whatever is unknown or missing."""
    file = str(path)
    content = _content(Path(path), file)
    folder = Path(path).parent
    systems = _systems(content, file)
    paths = {key: folder / content[key] for key in ("corpus", "queries", "qrels", "cluster") if key in content}
    needy = [system.name for system in systems if system.needs_corpus]
    if needy and "corpus" not in paths:
        raise InputError(Fault(f"has no corpus, which {needy[0]} searches", file, expected=KEYS["corpus"][1]))
    k = content.get("k", K)
    for key in ("k", "depth"):
        if content.get(key, 1) < 1:
            raise InputError(Fault(f"{key} is {content[key]}", file, expected="a whole number from 1 on"))
    try:
        measures = parse_all(content.get("measures", [f"nDCG@{k}", f"P@{k}", f"R@{k}", f"RR@{k}"]))
        contract = _contract(content, folder)
        check_means(measures)
        settings = settings_of(content.get("compare", {}))
    except RankproofError as error:
        raise type(error)(*(replace(fault, file=fault.file or file) for fault in error.faults)) from error
    return Plan(
        file,
        folder,
        paths.get("corpus"),
        paths["queries"],
        paths["qrels"],
        systems,
        measures,
        contract,
        settings,
        _depth(content, measures, file),
        paths.get("cluster"),
        content.get("fields"),
        content.get("query-fields"),
        folder / content.get("store", "rankproof-store"),
    )


def _depth(content: Mapping[str, Any], measures: Sequence[Measure], file: str) -> int:
    """Return how deep the systems rank. InputError where a measure looks deeper."""
    cutoffs = {str(measure): cutoff for measure in measures if (cutoff := getattr(measure, "cutoff", None)) is not None}
    deepest = max(cutoffs, key=lambda name: cutoffs[name], default=None)
    depth = content.get("depth", max([DEPTH, *cutoffs.values()]))
    if deepest is not None and depth < cutoffs[deepest]:
        raise InputError(Fault(f"depth is {depth}, and {deepest} looks deeper", file, expected="no less"))
    return int(depth)


def _content(path: Path, file: str) -> dict[str, Any]:
    """Return the file's keys, checked."""
    try:
        found = tomllib.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        message = (
            "there is no such file" if isinstance(error, FileNotFoundError) else f"cannot be read: {error.strerror}"
        )
        raise InputError(Fault(message, file)) from error
    except ValueError as error:
        raise InputError(Fault(f"is not TOML: {error}", file)) from error
    content = {kebab(key): value for key, value in found.items()}
    if len(content) < len(found):
        twice = next(key for key in content if sum(kebab(other) == key for other in found) > 1)
        raise InputError(Fault(f"{twice} is given twice", file, expected="one spelling of it"))
    for key, value in content.items():
        if key not in KEYS:
            hint = f"did you mean {nearest(key, KEYS, 1)}?"
            raise InputError(Fault(f"unknown key {key}", file, expected=", ".join(KEYS), hint=hint))
        kind, expected = KEYS[key]
        if value == "-" or (isinstance(value, str) and "\0" in value):
            raise InputError(Fault(f"{key} is {seen(value)}", file, expected=expected, hint="a file of its own"))
        texts = kind is not list or (value and all(isinstance(one, str) for one in value))
        if not isinstance(value, kind) or isinstance(value, bool) or not texts:
            raise InputError(Fault(f"{key} is {seen(value)}", file, expected=expected))
    if missing := [key for key in NEEDED if key not in content]:
        raise InputError(Fault(f"has no {missing[0]}", file, expected=KEYS[missing[0]][1]))
    return content


def _contract(content: Mapping[str, Any], folder: Path) -> Contract:
    given = content.get("contract", "rankproof")
    rules = named_answers(content.get("rules", {}).items())
    return contract_of(folder / given if given.endswith((".toml", ".json")) else given, **rules)


def _systems(content: Mapping[str, Any], file: str) -> list[System]:
    tables = content["systems"]
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise InputError(Fault(f"system {name} is {seen(table)}", file, expected=f"a table [systems.{name}]"))
    systems = {name: read_system(name, table, file) for name, table in tables.items()}
    if len(systems) < 2:
        raise InputError(Fault(f"names {len(systems)} system{'' if systems else 's'}", file, expected="two or more"))
    for system in systems.values():
        for part in system.parts:
            if part not in systems:
                hint = f"did you mean {nearest(part, systems, 1)}?"
                fault = Fault(f"system {system.name} is made of {part}, which is not there", file, hint=hint)
                raise InputError(replace(fault, expected=", ".join(systems)))
    _no_circle(systems, file)
    first = content.get("baseline", next(iter(systems)))
    if first not in systems:
        raise InputError(Fault(f"the baseline {first} is no system", file, expected=f"one of {', '.join(systems)}"))
    return [systems[first], *(system for name, system in systems.items() if name != first)]


def _no_circle(systems: Mapping[str, System], file: str) -> None:
    """Refuse systems that are made of themselves."""
    left = dict(systems)
    while left:
        ready = [name for name, system in left.items() if not any(part in left for part in system.parts)]
        if not ready:
            raise InputError(Fault(f"{', '.join(left)} are made of each other", file, expected="no circle"))
        for name in ready:
            del left[name]
