"""What would one type to get the same, and what made this result? For downloads, which are read without the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rankproof.answers import kebab, spell
from rankproof.compare.settings import Settings
from rankproof.formats.files import Given
from rankproof.lab.asked import Asked
from rankproof.lab.given import PASTED
from rankproof.record import record
from rankproof.rerank import FORMULAS
from rankproof.rerank.lab import lab_measures
from rankproof.rules import known_rule, rules


def made_by(of: Asked, arguments: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """Return the record of a result: as the command line writes it, with the command that gives the same.

    `engine` in the arguments, the sha256 of the engine that the page runs, stands among the versions.
    """
    typed = command(of, arguments, settings)
    sources = []
    for role, content, name in of.files:
        source = Given(content, name)
        with source.open():  # read through, for its hash
            pass
        sources.append((role if role in ("lab", "qrels") else "run", source))
    made = record(typed[0], sources)
    engine = arguments.get("engine")
    versions = {**made["versions"], **({"engine": engine} if isinstance(engine, str) else {})}
    return {**made, "arguments": typed, "versions": versions}


def command(of: Asked, arguments: Mapping[str, Any], settings: Settings) -> list[str]:
    """Return the arguments of `rankproof` that give the same numbers; `lab` alone where no command does."""
    names = [name for _, _, name in of.files]
    if PASTED in names:  # it is in no file that a command could read
        return ["lab"]
    if of.is_lab:
        plain = of.contract.name == FORMULAS and settings == Settings()
        return ["rerank", *names, "-k", str(of.k)] if plain else ["lab"]
    if isinstance(arguments.get("contract"), Mapping):
        return ["lab"]
    measures = [part for measure in lab_measures(of.k) for part in ("-m", str(measure))]
    under = ["--contract", str(arguments.get("contract") or "rankproof"), *_rules(arguments.get("rules"))]
    if len(of.runs) == 1:
        return ["evaluate", *names, *measures, *under]
    return ["compare", *names, *measures, *under, *_options(settings)]


def _rules(given: object) -> Iterator[str]:
    if isinstance(given, Mapping):
        for name, answer in given.items():
            rule = known_rule(str(name))
            yield from ("--rule", f"{kebab(rule)}={spell(rules()[rule].checked(rule, answer))}")
    elif isinstance(given, list):
        for one in given:
            yield from ("--rule", str(one))


def _options(settings: Settings) -> Iterator[str]:
    """Yield the options whose settings are not the defaults."""
    named = {"tests": "--test", "correction": "--correct"}
    plain = Settings().to_dict()
    for name, value in settings.to_dict().items():
        if value != plain[name]:
            for one in value if isinstance(value, list) else [value]:
                yield from (named.get(name, f"--{name}"), str(one))
