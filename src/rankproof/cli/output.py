"""Where does a result go: to stdout, or whole into a file? Talk goes to stderr."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from rankproof.formats.files import write_whole


def goes_to_terminal(output: Path | None) -> bool:
    """Return whether the result is read in a terminal."""
    return output is None and sys.stdout.isatty()


def emit(text: str, output: Path | None) -> None:
    """Write a result to stdout, or whole to a file and say so on stderr."""
    if output is None:
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except BrokenPipeError:  # whoever read our output, `head` say, has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    else:
        write_whole(output, text)
        say(f"written to {output}")


def say(*lines: str) -> None:
    """Print talk to stderr."""
    for line in lines:
        print(line, file=sys.stderr)
