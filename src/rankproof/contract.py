"""Which rules make the number?"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rankproof.answers import Stage, jsonable, kebab, spell
from rankproof.errors import ContractError, Fault
from rankproof.rules import Rules, named_answers, rules

SCHEMA = 1
"""The version of the rule table; a change that gives old contracts another meaning raises it."""

_TABLE = "gain = table and gain-table go together"
_TABLE_HINT = "gain-table=1:0.5,2:1 gives grade 1 the gain 0.5, grade 2 the gain 1"

Overrides = tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
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
            raise ContractError(Fault(_TABLE, hint=_TABLE_HINT))
        object.__setattr__(self, "overrides", _one_form(self, dict(self.overrides)))

    def __repr__(self) -> str:
        """Return name, fingerprint, and what differs from the house preset."""
        own = [f"{kebab(name)}={spell(mine)}" for name, (mine, _) in differences(self, Contract()).items()]
        return f"<Contract {self.name} ({self.fingerprint}){''.join(f' {one}' for one in own)}>"

    def items(self, stage: Stage | None = None) -> Iterator[tuple[str, Any]]:
        """Yield (rule, value) of all rules, or of one stage's: read, place, queries, value."""
        for name, rule in rules().items():
            if stage is None or rule.stage == stage:
                yield name, getattr(self, name)

    def with_rules(self, **changes: object) -> Contract:
        """Return the contract with some rules changed (typed values or their spellings); its name says so.

        What is changed here holds for every measure: it goes before the contract's own overrides.
        """
        asked = named_answers(changes.items())
        kept = tuple((on, tuple(one for one in own if one[0] not in asked)) for on, own in self.overrides)
        found = replace(self, **asked, overrides=kept)
        if found == self:
            return self
        overridden = {name for own in dict(self.overrides).values() for name, _ in own}
        said = [name for name, value in asked.items() if getattr(self, name) != value or name in overridden]
        spelled = ", ".join(f"{kebab(name)}={spell(asked[name])}" for name in said)
        return replace(found, name=f"{self.name} with {spelled}")

    def for_measure(self, symbol: str, *, cut: bool, own: Mapping[str, Any]) -> Contract:
        """Return the contract in effect for one measure: its overrides here, then the measure's `own` rules."""
        found = {**self._overriding(symbol, cut=cut), **named_answers(own.items())}
        return replace(self, **found, overrides=()) if found or self.overrides else self

    def _overriding(self, symbol: str, *, cut: bool) -> dict[str, Any]:
        overrides = dict(self.overrides)
        return {**dict(overrides.get(symbol, ())), **(dict(overrides.get(f"{symbol}@k", ())) if cut else {})}

    @property
    def fingerprint(self) -> str:
        """Return a short stable hash of the schema version, the rules and the overrides.

        A rule that was not there from the beginning counts where its answer changes something.
        """
        marked = {kebab(name) for name, value in self.items() if value not in rules()[name].unmarked}
        written = self._written()
        written["rules"] = {name: value for name, value in written["rules"].items() if name in marked}
        text = json.dumps({"schema": SCHEMA, **written}, sort_keys=True, separators=(",", ":"))
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
    for on in dict.fromkeys([*dict(a.overrides), *dict(b.overrides)]):
        symbol, cut = on.removesuffix("@k"), on.endswith("@k")
        left, right = (one.for_measure(symbol, cut=cut, own={}) for one in (a, b))
        for name in {**dict(dict(a.overrides).get(on, ())), **dict(dict(b.overrides).get(on, ()))}:
            if getattr(left, name) != getattr(right, name):
                found[f"{on}: {name}"] = (getattr(left, name), getattr(right, name))
    return found


def _one_form(contract: Contract, overrides: Mapping[str, Any]) -> Overrides:
    """Return overrides checked, sorted, and without answers that hold anyway."""
    found: dict[str, dict[str, Any]] = {}
    for on in sorted(overrides):  # `RR` before `RR@k`, which starts from it
        try:
            own = named_answers(dict(overrides[on]).items())
        except (TypeError, ValueError):
            raise ContractError(
                Fault(f"the override for {on} is {overrides[on]!r}", expected="rules, answered")
            ) from None
        if read := [kebab(name) for name in own if rules()[name].stage == "read"]:
            raise ContractError(Fault(f"{read[0]} acts when files are read: no measure can override it"))
        general = {**dict(contract.items()), **found.get(on.removesuffix("@k"), {})}
        if (gain := {**general, **own})["gain"] == "table" and gain["gain_table"] is None:
            raise ContractError(Fault(f"the override for {on}: {_TABLE}", hint=_TABLE_HINT))
        if changed := {name: value for name, value in sorted(own.items()) if general[name] != value}:
            found[on] = changed
    return tuple((on, tuple(own.items())) for on, own in found.items())
