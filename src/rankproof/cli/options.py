"""Which options do several commands share?"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class OutputFormat(StrEnum):
    """How a result is written."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    TSV = "tsv"
    MARKDOWN = "markdown"


class EvaluateFormat(StrEnum):
    """How values are written: as any result, or as trec_eval prints them."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    TSV = "tsv"
    MARKDOWN = "markdown"
    TREC = "trec"


QrelsArgument = Annotated[
    str, typer.Argument(metavar="QRELS", help="Judgments, in any format (TREC, CSV, JSON, …); - for stdin.")
]
RunArgument = Annotated[
    str, typer.Argument(metavar="RUN", help="A ranking, in any format (TREC, CSV, JSON, …); - for stdin.")
]
ContractOption = Annotated[
    str,
    typer.Option("--contract", help="The rules: a preset (see `rankproof contracts`), or a TOML or JSON file."),
]
RuleOption = Annotated[
    list[str] | None, typer.Option("--rule", metavar="RULE=VALUE", help="Change one rule, such as ties=expected.")
]
MeasureOption = Annotated[
    list[str] | None,
    typer.Option("--measure", "-m", help="A measure, such as nDCG@10 (see `rankproof measures`); may be repeated."),
]
FormatOption = Annotated[OutputFormat, typer.Option("--format", help="How the result is written.")]
OutputOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write there, whole or not at all; else to stdout."),
]
ReportOption = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE", help="Write a report too: one HTML file with charts, or Markdown (.md)."),
]
