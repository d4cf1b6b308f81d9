"""What several tests need: the conformance data, the command line, small inputs."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from browser import browser, opened  # noqa: F401 - fixtures for every test module, started once
from faulty_server import address, service  # noqa: F401 - a search service, started once
from hypothesis import settings
from lab_site import engine_page, lab_page, site, static_site, tab  # noqa: F401 - the same for the lab
from needed import lacking

settings.register_profile("default", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("default")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def data() -> Path:
    """The conformance data: without RANKPROOF_DATA skipped, but in CI failed; failed where it is set but wrong."""
    folder = os.environ.get("RANKPROOF_DATA")
    if not folder:
        lacking("RANKPROOF_DATA is not set: the conformance data is not here")
    path = Path(folder)
    for part in ("trec_eval/qrels.test", "reported/cases.json"):
        if not (path / part).is_file():
            pytest.fail(f"RANKPROOF_DATA={folder} holds no {part}")
    return path


@dataclass(frozen=True)
class Done:
    """What a command printed, and how it ended."""

    status: int
    out: str
    err: str


@pytest.fixture(scope="session")
def command():
    """Run `python -m rankproof` as a person would, in a process of its own."""

    def run(*arguments: str | Path, stdin: bytes | None = None, cwd: Path | None = None, **env: str) -> Done:
        done = subprocess.run(
            [sys.executable, "-m", "rankproof", *map(str, arguments)],
            input=stdin if stdin is not None else b"",
            capture_output=True,
            cwd=cwd,
            env={**os.environ, "COLUMNS": "200", **env},
            timeout=120,
            check=False,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def in_process(capsys, monkeypatch):
    """Run the command line inside this process: faster, and seen by coverage."""
    from rankproof.cli import main

    def run(*arguments: str | Path) -> Done:
        monkeypatch.setattr(sys, "argv", ["rankproof", *map(str, arguments)])
        status: object = 0
        try:
            main()
        except SystemExit as end:
            status = end.code or 0
        printed = capsys.readouterr()
        return Done(int(str(status)), printed.out, printed.err)

    return run
