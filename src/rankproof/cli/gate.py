"""`rankproof gate`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rankproof.cli.options import OutputOption, QrelsArgument, ReportOption, RuleOption

if TYPE_CHECKING:
    from rankproof.gate import Gate


class GateFormat(StrEnum):
    """How a gate reports."""

    TABLE = "table"
    MARKDOWN = "markdown"
    JUNIT = "junit"
    SARIF = "sarif"
    JSON = "json"


_Baseline = Annotated[
    str, typer.Argument(metavar="BASELINE", help="A run, or a saved JSON result of `evaluate` or `gate`.")
]
_Candidate = Annotated[str, typer.Argument(metavar="CANDIDATE", help="The run that would replace it.")]
_Require = Annotated[
    list[str] | None,
    typer.Option("--require", help='Such as "nDCG@10 drop<=0.01", "AP drop<=2%", "R@100>=0.8"; may be repeated.'),
]
_Contract = Annotated[str | None, typer.Option("--contract", help="The rules: a preset, or a TOML or JSON file.")]
_Confidence = Annotated[float | None, typer.Option("--confidence", help="The level of the intervals (0.95).")]
_Interval = Annotated[
    str | None, typer.Option("--interval", help="wider (of bca and t; default), bca, percentile or t.")
]
_Undecided = Annotated[
    str | None, typer.Option("--undecided", help="Whether too few queries to decide fail (default) or pass.")
]
_Worst = Annotated[
    int | None, typer.Option("--per-query-worst", help="How many queries that lost most are listed (20).")
]
_Cluster = Annotated[
    str | None, typer.Option("--cluster", metavar="FILE", help="Families of queries, resampled whole.")
]
_Seed = Annotated[int | None, typer.Option("--seed", help="Where the random numbers start (1).")]
_Resamples = Annotated[int | None, typer.Option("--resamples", help="How often queries are drawn again (10000).")]
_Config = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="Where requirements stand, if not in the folder's files."),
]
_Format = Annotated[GateFormat, typer.Option("--format", help="How the outcome is written.")]


def gate(
    qrels: QrelsArgument,
    baseline: _Baseline,
    candidate: _Candidate,
    require: _Require = None,
    contract: _Contract = None,
    rule: RuleOption = None,
    confidence: _Confidence = None,
    interval: _Interval = None,
    undecided: _Undecided = None,
    per_query_worst: _Worst = None,
    cluster: _Cluster = None,
    seed: _Seed = None,
    resamples: _Resamples = None,
    config: _Config = None,
    report: ReportOption = None,
    format: _Format = GateFormat.TABLE,  # noqa: A002 - the option's name
    output: OutputOption = None,
) -> None:
    """Decide whether a candidate meets requirements: exit status 0 if so, 1 if not, 2 for an error.

    A requirement is decided on the interval of its mean, not on the point; where the interval holds the limit there are
    not enough queries. Requirements and options may stand in rankproof.toml or pyproject.toml.
    """
    from rankproof.cli.inputs import check_outputs, one_stdin
    from rankproof.cli.output import emit, goes_to_terminal, say
    from rankproof.formats import Source
    from rankproof.gate import gate as decide
    from rankproof.gate.config import read_config
    from rankproof.gate.telling import notes
    from rankproof.presets import read_rules
    from rankproof.record import record
    from rankproof.report.gate import gate_markdown
    from rankproof.report.write import check_ending, write_report

    if report is not None:
        check_ending(report)
    options = {"confidence": confidence, "interval": interval, "undecided": undecided, "seed": seed}
    options |= {"per-query-worst": per_query_worst, "cluster": cluster, "resamples": resamples, "contract": contract}
    given = {**read_config(config, Path()), **{name: value for name, value in options.items() if value is not None}}
    sources = {"qrels": Source(qrels), "baseline": Source(baseline), "candidate": Source(candidate)}
    families = given.pop("cluster", None)
    one_stdin(qrels, baseline, candidate, families or "")
    check_outputs([qrels, baseline, candidate, families], output, report)
    if families is not None:
        sources["clusters"] = Source(families)
    required = require or given.pop("require", [])
    given.pop("require", None)
    rules = {**given.pop("rules", {}), **read_rules(rule or ())}
    found = decide(
        sources["qrels"],
        sources["baseline"],
        sources["candidate"],
        required,
        clusters=sources.get("clusters"),
        **_renamed(given),
        **rules,
    )
    seen = format is GateFormat.TABLE and goes_to_terminal(output)  # the table begins with the outcome
    say(*notes(found), *([] if seen else [found.says]))
    made_by = record("gate", list(sources.items()))
    if report is not None:
        write_report(found, report, made_by=made_by)
        say(f"report written to {report}")
    text = _WRITTEN[format](found, made_by, candidate, goes_to_terminal(output))
    emit(text, output)
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        try:
            with Path(summary).open("a", encoding="utf-8") as file:
                file.write(gate_markdown(found))
        except OSError as error:  # the decision stands, whatever becomes of its summary
            say(f"note: the summary {summary} cannot be written: {error.strerror}")
    if not found.passed:
        raise typer.Exit(1)


def _renamed(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options under their names in Python."""
    return {{"per-query-worst": "worst"}.get(name, name): value for name, value in given.items()}


def _table(found: Gate, _: Mapping[str, Any], __: str, styled: bool) -> str:
    from rankproof.gate.telling import as_read

    return as_read(found, styled=styled)


def _markdown(found: Gate, *_: object) -> str:
    from rankproof.report.gate import gate_markdown

    return gate_markdown(found)


def _junit(found: Gate, *_: object) -> str:
    from rankproof.report.gate import gate_junit

    return gate_junit(found)


def _sarif(found: Gate, _: Mapping[str, Any], candidate: str, __: bool) -> str:
    from rankproof.report.gate import gate_sarif

    return gate_sarif(found, candidate)


def _json(found: Gate, made_by: Mapping[str, Any], *_: object) -> str:
    from rankproof.tables import as_json

    return as_json({**made_by, **found.to_dict()})


_WRITTEN: Mapping[GateFormat, Callable[[Gate, Mapping[str, Any], str, bool], str]] = {
    GateFormat.TABLE: _table,
    GateFormat.MARKDOWN: _markdown,
    GateFormat.JUNIT: _junit,
    GateFormat.SARIF: _sarif,
    GateFormat.JSON: _json,
}
