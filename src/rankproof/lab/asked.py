"""Which judgments and rankings did the page give: a lab file, or judgments with one run or two?"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from rankproof.compare import Inputs
from rankproof.contract import Contract
from rankproof.errors import Fault, InputError, RankproofWarning
from rankproof.formats import Lab, as_runs, read_lab, read_qrels, read_run
from rankproof.formats.files import Given
from rankproof.lab.given import PASTED, choice_of, content_of, contract_in, count_of
from rankproof.lab.places import placing
from rankproof.model import Qrels, Run
from rankproof.rerank import FORMULAS

File: TypeAlias = tuple[str, bytes, str]
"""What a file is for, its bytes and its name."""

ROLES = ("qrels", "before", "after")
LAYOUTS = ("auto", "json", "csv")
"""How a lab file may be written; `auto` goes by its content."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a call is about: judgments, one run or two, the contract and the cutoff."""

    qrels: Qrels
    runs: Sequence[Run]
    contract: Contract
    k: int
    files: Sequence[File]

    @property
    def is_lab(self) -> bool:
        """Return whether all came from one lab file."""
        return self.files[0][0] == "lab"

    @property
    def lab(self) -> Lab:
        """Return judgments and both runs as a lab file holds them."""
        return Lab(self.qrels, self.runs[0], self.runs[1])

    @property
    def inputs(self) -> Inputs:
        """Return judgments, runs and contract as a comparison takes them."""
        return Inputs(self.qrels, list(self.runs), self.contract)

    def run(self, name: object) -> Run:
        """Return the run called before or after, or by its own name. InputError for another name."""
        named = {**dict(zip(("before", "after"), self.runs, strict=False)), **{run.name: run for run in self.runs}}
        if not isinstance(name, str) or name not in named:
            raise InputError(Fault(f"there is no run {name!r}", expected=f"one of {', '.join(named)}"))
        return named[name]


def asked(arguments: Mapping[str, Any]) -> Asked:
    """Return what a call is about.

    `text` (with `format`: auto, json or csv) is a lab file; `qrels`, `before` and, if there are two, `after` are files
    in any format of this package; `contract` and `rules` as `contract_in` reads them, the published formulas for a lab
    file and the house contract for runs where none is named; `k` is 5 if not given. What was read last is kept in
    memory, as the next call asks of the same texts. InputError and ContractError, with line and column.
    """
    files = _files(arguments)
    contract = contract_in(arguments, FORMULAS if files[0][0] == "lab" else "rankproof")
    k, layout = count_of(arguments, "k", 5), choice_of(arguments, "format", LAYOUTS)
    with placing(*(file[1:] for file in files)):
        qrels, runs, said = _read_lab(files[0], layout) if files[0][0] == "lab" else _read_runs(files, contract)
    for text in said:
        warnings.warn(text, RankproofWarning, stacklevel=2)
    return Asked(qrels, runs, contract, k, files)


def _files(arguments: Mapping[str, Any]) -> tuple[File, ...]:
    if (lab := content_of(arguments, "text", PASTED)) is not None:
        return (("lab", *lab),)
    found = {role: content_of(arguments, role, role) for role in ROLES}
    for role in ROLES[:2]:
        if found[role] is None:
            hint = "a lab file, or judgments (qrels) with one run (before) or two (before, after)"
            raise InputError(Fault(f"{role} is missing", hint=hint))
    return tuple((role, *file) for role, file in found.items() if file is not None)


_Read: TypeAlias = tuple[Qrels, Sequence[Run], Sequence[str]]
"""Judgments, runs, and what was said while they were read."""


@lru_cache(maxsize=1)
def _read_lab(file: File, layout: str) -> _Read:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        source = Given(*file[1:])
        lab = read_lab(source) if layout == "auto" else read_lab(source, "json" if layout == "json" else "csv")
    return lab.qrels, (lab.before, lab.after), _said(caught)


@lru_cache(maxsize=1)
def _read_runs(files: tuple[File, ...], contract: Contract) -> _Read:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        judgments, *rankings = (Given(*file[1:]) for file in files)
        qrels = read_qrels(judgments, contract)
        runs, _ = as_runs([read_run(one, contract) for one in rankings], contract)
    return qrels, runs, _said(caught)


def _said(caught: Sequence[warnings.WarningMessage]) -> Sequence[str]:
    return [str(one.message) for one in caught if issubclass(one.category, RankproofWarning)]
