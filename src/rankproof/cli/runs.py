"""Where does a run go, and how is it called?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankproof.errors import Fault, InputError

if TYPE_CHECKING:
    from pathlib import Path

    from rankproof.model import Run


def place_of(output: Path) -> Path | None:
    """Return the file to write; None for `-`, standard output."""
    return None if str(output) == "-" else output


def tag_of(given: str | None, default: str) -> str:
    """Return a run's tag: as given, or the default, with a hyphen for white space, as a TREC file needs it."""
    tag = "-".join((default if given is None else given).split())
    if not tag:
        raise InputError(Fault("the name of the run is empty", expected="--name TEXT, or no --name"))
    return tag


def write(run: Run, output: Path | None, *notes: str) -> None:
    """Write a run to its file, or to standard output, and say its notes, what it holds, and where it went."""
    from rankproof.cli.output import emit, say
    from rankproof.formats import write_run
    from rankproof.formats.trec import run_text
    from rankproof.formats.written import WRITERS, tell_unwritten
    from rankproof.systems import found_in, ties_of

    say(*notes)
    if output is None:
        tell_unwritten([run], "standard output", WRITERS["trec"])
        emit(run_text(run, "standard output"), None)
    else:
        write_run(run, output)
    say(*ties_of(run), f"{found_in(run)}, written to {output or 'standard output'}")
