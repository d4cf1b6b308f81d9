"""`rankproof check`: what files hold, and everything suspicious in them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import typer

from rankproof.cli.options import FormatOption, OutputFormat, OutputOption


class RoleChoice(StrEnum):
    """What a file holds."""

    QRELS = "qrels"
    RUN = "run"


_Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...", help="Judgments and runs, in any order: each run is compared with the judgments."
    ),
]
_As = Annotated[
    RoleChoice | None, typer.Option("--as", help="What a file holds whose columns do not tell: judgments, or a run.")
]
_Fix = Annotated[
    bool,
    typer.Option(
        "--fix",
        help="Write the one FILE to -o as UTF-8 without byte order mark, with plain line ends, without needless blanks;"
        " no id, no grade and no order is changed.",
    ),
]
_Queries = Annotated[
    int | None, typer.Option("--queries", min=1, help="Over how many queries the means of a table of measures go.")
]
_Strict = Annotated[bool, typer.Option("--strict", help="End with status 1 if anything is wrong or suspicious.")]


def check(
    files: _Files,
    as_: _As = None,
    fix: _Fix = False,
    strict: _Strict = False,
    queries: _Queries = None,
    format: FormatOption = OutputFormat.TABLE,  # noqa: A002 - the option's name
    output: OutputOption = None,
) -> None:
    """Say what files hold, and everything suspicious in them, with counts and first places.

    A table of measures, CSV, Markdown or JSON, is searched for values that cannot be true together.
    """
    from rankproof.check import check as checked_of
    from rankproof.check import mend
    from rankproof.check.telling import TIDY_FINDINGS, finding_rows
    from rankproof.cli.inputs import check_outputs, one_stdin
    from rankproof.cli.output import say, show
    from rankproof.cli.progress import reading
    from rankproof.formats import Source, write_whole
    from rankproof.record import record

    one_stdin(*files)
    check_outputs(files, output)
    role: Literal["qrels", "run"] | None = None if as_ is None else as_.value
    _check_fix(files, output, fix=fix)
    with reading(files) as on_bytes:
        sources = [Source(file, on_bytes) for file in files]
        found = checked_of(*sources, as_=role, queries=queries)
    read = [(one.role, source) for one, source in zip(found.files, sources, strict=True) if one.role and source.sha256]
    made_by = record("check", read)
    mended = mend(files[0], role) if fix else None
    show(
        format,
        None if fix else output,
        content=lambda: {**made_by, **found.to_dict()},
        rows=lambda: (TIDY_FINDINGS, finding_rows(found)),
        tables=found.tables,
        notes=found.notes(),
    )
    if mended is not None and output is not None:
        write_whole(output, mended.content)
        say(*mended.notes(), f"written to {output}")
    if strict and not found.is_clean:
        raise typer.Exit(1)


def _check_fix(files: list[str], output: Path | None, *, fix: bool) -> None:
    """Refuse --fix without a place to write to, of several files, and of what can be read once only."""
    from rankproof.errors import Fault, InputError

    if fix and (output is None or len(files) != 1 or files[0] == "-"):
        raise InputError(Fault("--fix takes one file and writes another", expected="check FILE --fix -o OTHER"))
