"""What was trec_eval asked for, and which measures are these?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rankproof.contract import Contract
from rankproof.errors import Fault, InputError, MeasureError, nearest
from rankproof.presets import PRESETS
from rankproof.trec_eval.column import Column, Setting
from rankproof.trec_eval.judged import FORMATS
from rankproof.trec_eval.known import KNOWN, NICKNAMES

VERSIONS: Mapping[str, str] = {"9.0.8": "trec_eval-9", "10.0": "trec_eval-10"}
"""The versions whose output can be had, and the contract of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """trec_eval's flags by what they mean; `measures` as -m takes them (`P.5,10`, `all_trec`)."""

    measures: Sequence[str] = ("official",)
    per_query: bool = False  # -q
    summary: bool = True  # False: -n
    complete: bool = False  # -c
    relevant_from: int = 1  # -l
    depth: int | None = None  # -M
    judged_only: bool = False  # -J
    documents: int = 0  # -N
    judgments: str = "qrels"  # -R
    version: str = "10.0"

    def __post_init__(self) -> None:
        """Refuse a version or a format that there is not."""
        for given, known, what in ((self.version, VERSIONS, "version"), (self.judgments, FORMATS, "format (-R)")):
            if given not in known:
                raise InputError(Fault(f"there is no {what} {given!r}", expected=f"one of {', '.join(known)}"))

    def contract(self) -> Contract:
        """Return the version's contract with what the flags change; missing queries are empty, if -c counts them."""
        unjudged = "condensed" if self.judged_only else "non-relevant"
        return PRESETS[VERSIONS[self.version]].contract.with_rules(
            missing_query="zero", relevant_from=self.relevant_from, depth=self.depth, unjudged=unjudged
        )

    def parameters(self) -> dict[str, str | None]:
        """Return the parameters of each measure asked for, as given (None: none), in trec_eval's order.

        Of a measure that is named with parameters more than once the first ones count. MeasureError for a name that
        trec_eval does not know, or not for this format of judgments.
        """
        given: dict[str, str] = {}
        named: set[str] = set()
        for one in self.measures:
            name, dot, parameters = one.partition(".")
            if dot and not parameters:
                raise MeasureError(Fault(f"{one!r} has no parameters behind its dot", expected="such as P.5,10"))
            if dot:
                given.setdefault(name, parameters)
            named.update(self._measures_of(name))
        return {name: given.get(name) if known.takes else None for name, known in KNOWN.items() if name in named}

    def notes(self) -> Iterator[str]:
        """Yield what of the measures asked for has no effect, as in trec_eval."""
        seen: set[str] = set()
        for one in self.measures:
            name, dot, _ = one.partition(".")
            if dot and (name in NICKNAMES or not KNOWN[name].takes):
                yield f"-m {one}: {name} takes no parameters; they are left alone"
            elif dot and name in seen:
                yield f"-m {one}: {name} has parameters already; the first ones count"
            seen.update((name,) if dot else ())

    def _measures_of(self, name: str) -> Sequence[str]:
        members = [one for one in NICKNAMES.get(name, ()) if self._has(one)]
        if not members and not (name in KNOWN and self._has(name)):
            known = [one for one in (*KNOWN, *NICKNAMES) if one in NICKNAMES or self._has(one)]
            raise MeasureError(Fault(f"trec_eval {self.version} has no measure {name!r}", hint=self._hint(name, known)))
        for one in members or (name,):
            if self.judgments not in KNOWN[one].formats:
                expected = f"-R {' or '.join(KNOWN[one].formats)}"
                raise MeasureError(Fault(f"{one} cannot be had with -R {self.judgments}", expected=expected))
        return members or (name,)

    def _hint(self, name: str, known: Sequence[str]) -> str:
        start, _, end = name.rpartition("_")
        return f"{start}.{end}: parameters stand behind a dot" if start in known else f"nearest: {nearest(name, known)}"

    def _has(self, name: str) -> bool:
        return self.version == "10.0" or KNOWN[name].since == self.version

    def columns(self, setting: Setting) -> list[Column]:
        """Return the rows of the measures asked for."""
        return [
            column for name, given in self.parameters().items() for column in KNOWN[name].columns(name, given, setting)
        ]
