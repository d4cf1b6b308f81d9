"""Write docs/presets.md: what each preset holds, where its tool deviates, and what both say to the same cases.

`make docs` runs it; a test fails while the page says something else than the package and the records in tests/recorded.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))  # the records, and how they are read, belong to the tests

from conformance import RECORDS, ours  # noqa: E402 - found by the line above
from peers import record_of, said  # noqa: E402 - the same

from rankproof.answers import kebab, spell  # noqa: E402
from rankproof.contract import differences  # noqa: E402
from rankproof.presets import Preset, contract, contracts  # noqa: E402
from rankproof.rules import rules  # noqa: E402

TARGET = ROOT / "docs" / "presets.md"

HEAD = """# Presets

Written by `make docs` from the package and from `tests/recorded`: change it there.

A preset holds the rules of a tool, as a contract. What a tool does against its own rule, or what no rule can say, is a
*known deviation*: it is not copied, and the right value stands beside it. Each preset ends with cases: the value of the
tool, which it gave or which follows from its rule by the arithmetic shown, and ours under the preset. The tests check
every line, and ask the tools again that are installed for them. Values are means over the queries; runs are shown with
their scores, or in their order.

In Python: `rp.contract("ranx")`; on the command line: `--contract ranx`. `rankproof contracts ranx` lists all its
rules."""


def presets_page() -> str:
    """Return the whole page."""
    parts = [HEAD, "\n".join(_overview())]
    parts += ["\n".join(_preset(one)) for one in contracts()]
    parts += ["\n".join(_without_preset(name)) for name in RECORDS if record_of(name)["preset"] is None]
    return "\n\n".join(parts) + "\n"


def _row(*cells: object) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _table(*header: str) -> list[str]:
    return ["", _row(*header), _row(*["---"] * len(header))]


def _overview() -> Iterator[str]:
    yield from _table("preset", "version", "fingerprint", "cases", "known deviations")[1:]
    for one in contracts():
        cases = len(record_of(one.name)["cases"])
        yield _row(
            f"[{one.name}](#{one.name})", one.version, f"`{one.contract.fingerprint}`", cases, len(one.deviations)
        )


def _preset(preset: Preset) -> Iterator[str]:
    yield f"## {preset.name}\n"
    yield f"- version: {preset.version}"
    yield f"- source: {preset.source}"
    yield f"- verified: {preset.verified}"
    yield f"- fingerprint: `{preset.contract.fingerprint}`"
    yield from _rules(preset)
    if preset.deviations:
        yield f"\n### Known deviations of {preset.name}"
        yield from _table("topic", "the tool", "here")
        for one in preset.deviations:
            yield _row(one.topic, one.tool, one.here)
    yield from _conformance(preset.name)


def _rules(preset: Preset) -> Iterator[str]:
    """Yield the rules that differ from the house, and those that single measures have of their own."""
    own = replace(preset.contract, overrides=())
    if gaps := differences(own, contract("rankproof")):
        yield f"\n### Rules of {preset.name} that differ from the house"
        yield from _table("rule", "here", "in words", "`rankproof`")
        for name, (answer, house) in gaps.items():
            yield _row(f"`{kebab(name)}`", f"`{spell(answer)}`", rules()[name].says(answer), f"`{spell(house)}`")
    if preset.contract.overrides:
        yield f"\n### Rules of {preset.name} for single measures"
        yield from _table("measure", "rule", "here", "in words", "other measures")
        for on, answers in preset.contract.overrides:
            for name, answer in answers:
                others = f"`{spell(getattr(own, name))}`"
                yield _row(on, f"`{kebab(name)}`", f"`{spell(answer)}`", rules()[name].says(answer), others)


def _without_preset(name: str) -> Iterator[str]:
    yield f"## {name}, without a preset\n"
    yield "Its rules are said in the parentheses of the measures, under `rankproof`."
    yield from _conformance(name)


def _conformance(name: str) -> Iterator[str]:
    record = record_of(name)
    asked = any(case["asked"] for case in record["cases"])
    yield f"\n### Conformance of {name}\n"
    yield f"{record['version']}, {record['date']}; {record['how']}."
    witness = ("asked", "measure", "the tool") if asked else ("measure", "by hand")
    yield from _table("case", "judgments", "run", *witness, "here", "")
    for case in record["cases"]:
        arithmetic = f"{case['by']} = " if "by" in case and not _is_number(case["by"]) else ""
        yield _row(
            case["case"],
            f"`{_inline(case['qrels'])}`",
            f"`{_run(case)}`",
            *([f"`{case['asked']}`"] if asked else []),
            f"`{case['measure']}`",
            arithmetic + _shown(said(case)),
            _shown(ours(case, record["preset"] or "rankproof")),
            f"deviation: {case['deviation']}" if "deviation" in case else "",
        )


def _shown(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.10g}"


def _is_number(arithmetic: str) -> bool:
    return arithmetic.replace(".", "", 1).isdigit()


def _inline(given: dict[str, dict[str, Any]]) -> str:
    """Return judgments or scores as `q: a 3, b 1; m: a 1`."""
    return "; ".join(f"{query}: {_pairs(list(docs.items()))}" for query, docs in given.items())


def _pairs(pairs: list[Any]) -> str:
    return ", ".join(f"{doc} {json.dumps(number)}" for doc, number in pairs) or "nothing"


def _run(case: dict[str, Any]) -> str:
    """Return a run as `q: a 2.0, b 1.0`, with scores or ranks, or as `q: a, b`, in its order."""
    parts = []
    for query, given in case["run"].items():
        if isinstance(given, dict):
            shown = _pairs(list(given.items()))
        elif all(isinstance(one, str) for one in given):
            shown = ", ".join(given) or "nothing"
        else:
            shown = _pairs(given)
        parts.append(f"{query}: {shown}")
    return "; ".join(parts) + (" (ranks)" if case.get("column") == "rank" else "")


if __name__ == "__main__":
    TARGET.write_text(presets_page(), "utf-8")
    print(f"written: {TARGET.name}")
