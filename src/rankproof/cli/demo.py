"""`rankproof demo`: the main job on the packaged example."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer


def demo(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where the example is laid out.")] = Path(
        "rankproof-demo"
    ),
) -> None:
    """Lay out the packaged example, evaluate its runs, explain one value, compare them, and write reports."""
    from rankproof.cli.output import emit, goes_to_terminal, say
    from rankproof.demo import run_demo
    from rankproof.report.values import means_table
    from rankproof.tables import as_text

    shown = run_demo(folder, _program())
    say(f"the example lies in {shown.folder}")
    emit(as_text([means_table(shown.values)], styled=goes_to_terminal(None)), None)
    say(*shown.values.notes(), "", "look closer:", *(f"  {command}" for command in shown.commands))
    say("", shown.comparison.verdict_says, *(f"report: {report}" for report in shown.reports))


def _program() -> str:
    """Return how this command line is called again from here."""
    called = Path(sys.argv[0])
    if shutil.which("rankproof"):
        return "rankproof"
    return shlex.quote(str(called)) if called.name == "rankproof" else "python -m rankproof"
