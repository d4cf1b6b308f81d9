"""How does a gate report: to read, to a CI's summary, as JUnit XML, as SARIF?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree as ET

from rankproof import __version__
from rankproof.gate import Check, Gate
from rankproof.tables import Table, as_markdown, as_text, escaped, printable

MARKS: Mapping[str, str] = {"pass": "✓ met", "fail": "✗ not met", "undecided": "? undecided"}
"""How a status stands in a table."""


def gate_tables(found: Gate) -> list[Table]:
    """Return a row a requirement, and the queries that lost most."""
    rows = [
        [
            *(check.requirement.text, check.seen, check.limit),
            "null" if check.interval is None else f"[{check.interval.low:.4f}, {check.interval.high:.4f}]",
            *(check.queries, MARKS[check.status]),
        ]
        for check in found.checks
    ]
    level = f"{100 * found.settings.confidence:g} % interval"
    tables = [Table(["requirement", "seen", "limit", level, "queries", "status"], rows)]
    if found.worst:
        fallen = [[one.query_id, one.baseline, one.value, f"{one.delta:+.4f}"] for one in found.worst]
        title = f"queries that lost most, {found.worst[0].measure}"
        tables.append(Table(["query_id", "baseline", "candidate", "delta"], fallen, title))
    return tables


def gate_notes(found: Gate) -> list[str]:
    """Return each decision in words, the contract, and what was counted how."""
    settings, contract = found.settings, found.candidate.contract
    drawn = "" if settings.interval == "t" else f", {settings.resamples} resamples, seed {settings.seed}"
    lines = [f"{check.requirement.text}: {check.says}" for check in found.checks]
    lines.append(f"contract {contract.name} ({contract.fingerprint}); interval {settings.interval}{drawn}")
    lines += [f"{found.candidate.run}: {note}" for note in found.candidate.notes()]
    if found.status == "undecided":
        lines.append(f"what is undecided counts as {found.undecided} (--undecided)")
    return lines


def gate_text(found: Gate, *, styled: bool) -> str:
    """Return the outcome and its tables, to read."""
    return f"{printable(found.says)}\n\n{as_text(gate_tables(found), styled=styled)}"


def gate_markdown(found: Gate) -> str:
    """Return the outcome, its tables and notes as Markdown, for a CI's summary."""
    mark = "✅" if found.passed else "❌"
    return f"## {mark} {escaped(found.says)}\n\n{as_markdown(gate_tables(found), gate_notes(found))}"


def gate_junit(found: Gate) -> str:
    """Return JUnit XML: a test case a requirement; what is undecided fails, or is skipped where it may pass."""
    failed = [check for check in found.checks if _fails(check, found)]
    skipped = [check for check in found.checks if check.status == "undecided" and not _fails(check, found)]
    counts = {"tests": str(len(found.checks)), "failures": str(len(failed)), "skipped": str(len(skipped))}
    suites = ET.Element("testsuites", {"name": "rankproof", **counts})
    suite = ET.SubElement(suites, "testsuite", {"name": "rankproof gate", "errors": "0", **counts})
    for check in found.checks:
        name = printable(check.requirement.text)
        case = ET.SubElement(suite, "testcase", {"classname": "rankproof.gate", "name": name})
        says = printable(check.says)
        if _fails(check, found):
            ET.SubElement(case, "failure", {"type": check.status, "message": says}).text = says
        elif check.status == "undecided":
            ET.SubElement(case, "skipped", {"message": says})
        else:
            ET.SubElement(case, "system-out").text = says
    ET.indent(suites)
    return ET.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def _fails(check: Check, found: Gate) -> bool:
    return check.status == "fail" or (check.status == "undecided" and found.undecided == "fail")


def gate_sarif(found: Gate, candidate: str) -> str:
    """Return SARIF 2.1.0: a rule a requirement, a result for each that is not met; `candidate` is the run's path."""
    rules = [
        {
            "id": f"requirement-{at}",
            "shortDescription": {"text": check.requirement.text},
            "helpUri": "https://pypi.org/project/rankproof/",
        }
        for at, check in enumerate(found.checks, 1)
    ]
    results = [
        {
            "ruleId": f"requirement-{at}",
            "ruleIndex": at - 1,
            "level": "error" if _fails(check, found) else "warning",
            "message": {"text": f"{check.requirement.text}: {check.says}"},
            "locations": [_location(candidate)],
        }
        for at, check in enumerate(found.checks, 1)
        if check.status != "pass"
    ]
    driver = {"name": "rankproof", "version": __version__, "rules": rules}
    content = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _location(path: str) -> dict[str, Any]:
    from urllib.parse import quote  # noqa: PLC0415 - beside its one use

    return {"physicalLocation": {"artifactLocation": {"uri": quote(path)}, "region": {"startLine": 1}}}
