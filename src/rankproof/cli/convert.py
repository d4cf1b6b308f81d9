"""`rankproof convert`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rankproof.cli.options import RuleOption


class HeldChoice(StrEnum):
    """What a file holds."""

    QRELS = "qrels"
    RUN = "run"
    TEXTS = "texts"


class PartChoice(StrEnum):
    """What of a run may go."""

    NAME = "name"
    RANK = "rank"
    SCORE = "score"


def convert(
    given: Annotated[
        str, typer.Argument(metavar="IN", help="Judgments, a run, queries or documents, in any format; - for stdin.")
    ],
    output: Annotated[Path, typer.Argument(metavar="OUT", help="Where they go; its ending names the format.")],
    role: Annotated[HeldChoice | None, typer.Option("--as", help="What IN holds, where it could be either.")] = None,
    to: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help="The format of OUT, whatever its ending.")
    ] = None,
    drop: Annotated[
        list[PartChoice] | None, typer.Option("--drop", help="What of a run may go, where OUT cannot hold it; repeat.")
    ] = None,
    rule: RuleOption = None,
) -> None:
    """Write judgments, runs, queries or documents in another format; refused where something would be lost.

    Formats: trec, three-columns, json, jsonl, csv, tsv, parquet, arrow; of queries and documents (texts) jsonl, json,
    csv, tsv, parquet. Endings .gz, .bz2, .xz and .zst pack OUT.
    """
    from rankproof.cli.inputs import check_outputs
    from rankproof.cli.output import say
    from rankproof.cli.progress import reading
    from rankproof.formats import Source
    from rankproof.formats.convert import convert as write_converted
    from rankproof.presets import contract, read_rules
    from rankproof.words import counted

    check_outputs([given], output)
    with reading([given]) as on_bytes:
        found = write_converted(
            Source(given, on_bytes),
            output,
            role.value if role else None,
            to,
            tuple(one.value for one in drop or ()),
            contract("rankproof", **read_rules(rule or ())),
        )
    queries, rows = counted(found.queries, "query", "queries"), counted(found.rows, "row")
    held = counted(found.rows, "text") if found.role == "texts" else f"{found.role} of {queries}, {rows}"
    say(f"{held}, read as {found.format}, written to {output}")
