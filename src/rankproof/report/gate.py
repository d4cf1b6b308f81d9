"""How does a gate report: to read, to a CI's summary, as JUnit XML, as SARIF?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as ET

from rankproof import __version__
from rankproof.charts import Chart, interval_plot
from rankproof.errors import printable
from rankproof.gate import Check, Gate
from rankproof.gate.requirements import Status
from rankproof.gate.telling import OUTCOMES, STATUSES, notes, tables
from rankproof.report.blocks import Block, Page, Section, Verdict
from rankproof.report.sections import contract_section, foot, limits_section, provenance_section, runs_table
from rankproof.tables import as_markdown, escaped
from rankproof.words import Words


def gate_markdown(found: Gate) -> str:
    """Return the outcome, its tables and notes as Markdown, for a CI's summary."""
    mark = "✅" if found.passed else "❌"
    return f"## {mark} {escaped(found.says)}\n\n{as_markdown(tables(found), notes(found))}"


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
    return {"physicalLocation": {"artifactLocation": {"uri": quote(path)}, "region": {"startLine": 1}}}


_LIMIT = Words(
    "A requirement is decided on the interval of the mean: where that holds the limit, these queries do not decide it.",
    "요구 조건은 평균의 구간으로 판단합니다. 구간 안에 한계가 있으면 이 질의들로는 판단할 수 없습니다.",
)


def gate_page(found: Gate, made_by: Mapping[str, Any] | None = None) -> Page:
    """Return the report of a gate: each requirement against its limit; the queries that lost most."""
    checks, *worst = tables(found)
    decided: list[Block] = [[_said(check) for check in found.checks]]
    sections = [
        Section(Words("Requirements", "요구 조건"), [checks, _plot(found), *decided]),
        *([Section(Words("Queries that lost most", "가장 나빠진 질의"), list(worst))] if worst else []),
        Section(Words("What was counted", "무엇을 세었나"), [runs_table([found.baseline, found.candidate])]),
        limits_section([_LIMIT]),
        contract_section(found.candidate.contract),
        provenance_section(made_by, found.settings.seed),
    ]
    baseline, candidate = found.names
    title = Words(f"Gate: {candidate} against {baseline}", f"게이트: {baseline} 대비 {candidate}")
    outcome = OUTCOMES[found.passed]
    word = Words(outcome.en.capitalize(), outcome.ko)
    tone = STATUSES[found.status].tone
    return Page(title, sections, lead=[Verdict(word, found.said, tone)], foot=foot(made_by))


def _said(check: Check) -> Words:
    return Words(*(f"{check.requirement.text}: {said}" for said in check.said))


SIGN_NAMES: Mapping[Status, str] = {"pass": "met", "fail": "not-met", "undecided": "undecided"}


def _plot(found: Gate) -> Chart:
    """Return how far each requirement lies from its limit; to the right of the line it is met."""
    rows = []
    for check in found.checks:
        way = 1 if check.requirement.at_least else -1
        bounds = sorted(way * (bound - check.limit) for bound in check.interval or ())
        low, high = bounds or (None, None)
        rows.append((check.requirement.text, way * (check.seen - check.limit), low, high, SIGN_NAMES[check.status]))
    axis = Words("distance to the limit: to the right of the line it is met", "한계까지의 거리: 선의 오른쪽이면 충족")
    count = len(rows)
    alt = Words(
        f"{count} requirement{'s' if count > 1 else ''}, each with its interval, beside a line at the limit.",
        f"요구 조건 {count}개와 그 구간, 한계의 선.",
    )
    return interval_plot(rows, axis=axis, alt=alt, head=("requirement", "distance to the limit"))
