"""Which sections do several reports share: what they rest on, the contract in words, where they come from?"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from rankproof.contract import Contract
from rankproof.report.blocks import Block, Code, Section
from rankproof.report.korean import contract_words, override_words
from rankproof.tables import Table
from rankproof.values import Values
from rankproof.words import Words

_GROUPS = ("evaluated", "missing", "without-relevant", "unjudged", "tied")


STAR = Words(
    "* With other labels for the unjudged documents the verdict would be another one: see the last table here.",
    "* 미판정 문서의 판정이 다르다면 결론이 달라집니다. 이 절의 마지막 표를 보십시오.",
)
"""What a star at a verdict says."""


def runs_table(values: Sequence[Values]) -> Table:
    """Return a row a run: how many queries were evaluated, are missing, lack a relevant document, and so on."""
    header = ["run", "evaluated", "missing", "without relevant", "without judgments", "with ties", "repeats"]
    rows = [[one.run, *(one.counts.get(group, 0) for group in _GROUPS), one.repeats] for one in values]
    return Table(header, rows)


def contract_section(contract: Contract) -> Section:
    """Return every rule with its answer, in words."""
    says = Words(
        f"These values were made under the contract {contract.name}, fingerprint {contract.fingerprint}. Values made "
        "under other rules are other values: only those of one contract are compared.",
        f"이 값은 계약 {contract.name}(지문 {contract.fingerprint})에 따라 계산했습니다. 규칙이 다르면 값도 다르므로 "
        "같은 계약의 값만 비교합니다.",
    )
    own = override_words(contract)
    return Section(Words("The contract", "계약"), [says, contract_words(contract), *([own] if own else [])])


def provenance_section(made_by: Mapping[str, Any] | None, seed: int | None = None) -> Section:
    """Return inputs with their hashes, versions, seed, command, time and machine."""
    heading = Words("Where it comes from", "출처")
    if made_by is None:
        said = Words(
            "Made in Python: inputs and command are not recorded here.",
            "Python에서 만들었습니다. 입력과 명령은 여기 기록되지 않습니다.",
        )
        return Section(heading, [said, *([Table(["", ""], [["seed", str(seed)]])] if seed is not None else [])])
    inputs = [[one["role"], one["path"], one["sha256"]] for one in made_by["inputs"]]
    facts: list[list[object]] = [[name, version] for name, version in made_by["versions"].items()]
    facts += [["seed", str(seed)]] if seed is not None else []
    facts += [[name, made_by[name]] for name in ("time", "machine")]
    command = shlex.join(["rankproof", *made_by["arguments"]])
    blocks: list[Block] = [Table(["role", "path", "sha256"], inputs), Table(["", ""], facts), Code(command)]
    return Section(heading, blocks)


def limits_section(limits: Sequence[Words]) -> Section:
    """Return what the numbers do not show."""
    return Section(Words("What these numbers do not show", "이 숫자가 말하지 않는 것"), [list(limits)])


def foot(made_by: Mapping[str, Any] | None) -> list[Words]:
    """Return the last line."""
    version = "" if made_by is None else f" {made_by['versions']['rankproof']}"
    return [
        Words(
            f"Made by rankproof{version}. This file loads nothing and sends nothing.",
            f"rankproof{version}으로 만들었습니다. 이 파일은 아무것도 불러오거나 보내지 않습니다.",
        )
    ]
