"""What made this result? The record that every JSON result carries."""

from __future__ import annotations

import platform
import sys
from collections.abc import Sequence
from typing import Any

from rankproof import __version__
from rankproof.formats.files import Source

SCHEMA = 1
"""The version of the JSON that commands write; docs/json.md describes it."""


def record(command: str, inputs: Sequence[tuple[str, Source]]) -> dict[str, Any]:
    """Return schema, command, arguments, inputs with their sha256, and versions. The inputs have been read."""
    return {
        "schema": SCHEMA,
        "command": command,
        "arguments": sys.argv[1:],
        "inputs": [{"role": role, "path": source.path, "sha256": source.sha256} for role, source in inputs],
        "versions": {"rankproof": __version__, "python": platform.python_version()},
    }
