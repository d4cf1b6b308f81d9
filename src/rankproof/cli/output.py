"""Where does a result go: to stdout, or whole into a file? Talk goes to stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from rankproof.cli.options import OutputFormat
from rankproof.errors import Fault, InputError, printable

if TYPE_CHECKING:
    from rankproof.tables import Table

Rows: TypeAlias = tuple[Sequence[str], Iterable[Sequence[object]]]
"""The header of CSV, and its rows."""


def show(
    form: OutputFormat,
    output: Path | None,
    *,
    content: Callable[[], Mapping[str, Any]],
    rows: Callable[[], Rows],
    tables: Callable[[], Sequence[Table]],
    notes: Sequence[str],
) -> None:
    """Write a result in the form asked for; its notes stand under the tables in Markdown, else on stderr."""
    from rankproof.tables import as_csv, as_json, as_markdown, as_text

    if form is OutputFormat.JSON:
        text = as_json(content())
    elif form in (OutputFormat.CSV, OutputFormat.TSV):
        header, found = rows()
        text = as_csv(header, list(found), tabs=form is OutputFormat.TSV)
    elif form is OutputFormat.MARKDOWN:
        text = as_markdown(tables(), notes)
    else:
        text = as_text(tables(), styled=goes_to_terminal(output))
    if form is not OutputFormat.MARKDOWN:
        say(*notes)
    emit(text, output)


def goes_to_terminal(output: Path | None) -> bool:
    """Return whether the result is read in a terminal."""
    return output is None and sys.stdout is not None and sys.stdout.isatty()


def emit(text: str, output: Path | None) -> None:
    """Write a result to stdout, or whole to a file and say so on stderr."""
    if output is None:
        _print(text)
    else:
        from rankproof.formats.whole import write_whole

        write_whole(output, text)
        say(f"written to {output}")


def _print(text: str) -> None:
    if sys.stdout is None:
        raise InputError(Fault("standard output is closed", hint="-o FILE writes to a file"))
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output, `head` say, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise InputError(Fault(f"standard output cannot be written: {error.strerror}")) from error


def say(*lines: str) -> None:
    """Print talk to stderr; where that is closed, nowhere: stdout is for data."""
    for line in lines if sys.stderr is not None else ():
        print("\n".join(map(printable, line.split("\n"))), file=sys.stderr)  # ids may hold what moves a terminal
