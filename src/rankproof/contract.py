"""Which rules make the number?"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rankproof.answers import Stage, jsonable, kebab, spell
from rankproof.errors import ContractError, Fault
from rankproof.rules import Rules, known_rule, rules

SCHEMA = 1
"""The version of the rule table; a change that gives old contracts another meaning raises it."""

Overrides = tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract(Rules):
    """Every rule that can change a number: immutable, keyword-only, checked when made.

    The fields are those of `Rules`, and their defaults the house preset. `overrides` hold other answers for single
    measures: a measure's symbol (`RR`: every RR; `RR@k`: only with a cutoff) with the rules that differ for it. `name`
    is a label: it is neither compared nor part of the fingerprint.
    """

    overrides: Overrides = ()
    name: str = field(default="rankproof", compare=False)

    def __post_init__(self) -> None:
        """Refuse a value that its rule does not have; bring numbers and tables to one form."""
        for rule, value in self.items():
            object.__setattr__(self, rule, rules()[rule].checked(rule, value))
        if (self.gain == "table") != (self.gain_table is not None):
            raise ContractError(
                Fault("gain = table and gain-table go together", hint="--rule gain=table --rule gain-table=1:0.5,2:1")
            )
        object.__setattr__(self, "overrides", _checked_overrides(dict(self.overrides)))

    def items(self, stage: Stage | None = None) -> Iterator[tuple[str, Any]]:
        """Yield (rule, value) of all rules, or of one stage's: read, place, queries, value."""
        for name, rule in rules().items():
            if stage is None or rule.stage == stage:
                yield name, getattr(self, name)

    def with_rules(self, **changes: object) -> Contract:
        """Return the contract with some rules changed (typed values or their spellings); its name says so."""
        named = {known_rule(name): value for name, value in changes.items()}
        checked = {name: rules()[name].checked(name, value) for name, value in named.items()}
        changed = {name: value for name, value in checked.items() if getattr(self, name) != value}
        if not changed:
            return self
        spelled = ", ".join(f"{kebab(name)}={spell(value)}" for name, value in changed.items())
        return replace(self, **changed, name=f"{self.name} with {spelled}")

    def for_measure(self, symbol: str, *, cut: bool, own: Mapping[str, Any]) -> Contract:
        """Return the contract in effect for one measure: its overrides here, then the measure's `own` rules."""
        found: dict[str, Any] = {}
        for pattern in (symbol, f"{symbol}@k") if cut else (symbol,):
            found.update(dict(self.overrides).get(pattern, ()))
        found.update(own)
        return replace(self, **found, overrides=()) if found or self.overrides else self

    @property
    def fingerprint(self) -> str:
        """Return a short stable hash of the schema version, the rules and the overrides."""
        text = json.dumps({"schema": SCHEMA, **self._written()}, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def to_dict(self) -> dict[str, Any]:
        """Return name, schema, fingerprint, rules and overrides in kebab-case, ready for JSON."""
        return {"name": self.name, "schema": SCHEMA, "fingerprint": self.fingerprint, **self._written()}

    def _written(self) -> dict[str, Any]:
        return {
            "rules": {kebab(name): jsonable(value) for name, value in self.items()},
            "overrides": {on: {kebab(name): jsonable(value) for name, value in own} for on, own in self.overrides},
        }


def differences(a: Contract, b: Contract) -> dict[str, tuple[object, object]]:
    """Return the rules in which two contracts differ, with both values; those of overrides as `RR@k: ties`."""
    found = {name: (left, getattr(b, name)) for name, left in a.items() if left != getattr(b, name)}
    left_overrides, right_overrides = dict(a.overrides), dict(b.overrides)
    for on in dict.fromkeys([*left_overrides, *right_overrides]):
        left, right = dict(left_overrides.get(on, ())), dict(right_overrides.get(on, ()))
        for name in dict.fromkeys([*left, *right]):
            values = (left.get(name, getattr(a, name)), right.get(name, getattr(b, name)))
            if values[0] != values[1]:
                found[f"{on}: {name}"] = values
    return found


def _checked_overrides(overrides: Mapping[str, Any]) -> Overrides:
    checked = []
    for on, own in overrides.items():
        names = {known_rule(name): value for name, value in dict(own).items()}
        if read := [kebab(name) for name in names if rules()[name].stage == "read"]:
            raise ContractError(Fault(f"{read[0]} acts when files are read: no measure can override it"))
        checked.append((on, tuple((name, rules()[name].checked(name, value)) for name, value in sorted(names.items()))))
    return tuple(sorted(checked))
