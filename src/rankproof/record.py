"""What made this result? The record that every JSON result carries."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from rankproof import __version__

SCHEMA = 1
"""The version of the JSON that commands write; docs/json.md describes it."""


class Input(Protocol):
    """What was read: its path and, of a file (`formats.Source`), its hash; a table elsewhere has none."""

    path: str
    sha256: str | None


def record(command: str, inputs: Sequence[tuple[str, Input]]) -> dict[str, Any]:
    """Return schema, command, arguments, inputs with their sha256, versions, time and machine.

    The inputs have been read. The time is UTC; SOURCE_DATE_EPOCH, where set, stands for it, as in other tools.
    """
    return {
        "schema": SCHEMA,
        "command": command,
        "arguments": sys.argv[1:],
        "inputs": [{"role": role, "path": source.path, "sha256": source.sha256} for role, source in inputs],
        "versions": {"rankproof": __version__, "python": platform.python_version()},
        "time": _now().isoformat(timespec="seconds"),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
    }


def _now() -> datetime:
    """Return this moment, or the one that SOURCE_DATE_EPOCH names."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(epoch), UTC) if epoch.isascii() and epoch.isdigit() else datetime.now(UTC)
