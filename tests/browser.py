"""A real browser for tests: Chromium as the system installs it. What is missing is skipped aloud, and fails in CI."""

from __future__ import annotations

from pathlib import Path

import pytest
from needed import lacking

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]
PATIENCE = 90_000
"""Milliseconds: a busy machine starts a browser slowly."""


def needed(name: str) -> Path:
    """Return a file below the root that a build or npm lays there."""
    path = ROOT / name
    if not path.is_file():
        lacking(f"{name} is not here: `npm ci --ignore-scripts` and an editable install make it")
    return path


@pytest.fixture(scope="session")
def browser():
    """Chromium, started once; each test opens contexts of its own."""
    if not CHROMIUM.exists():
        lacking(f"{CHROMIUM} is not installed")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        lacking("playwright is not installed")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS, timeout=PATIENCE)
        yield started
        started.close()


@pytest.fixture
def opened(browser):
    """Open a file in a fresh context, and note every request, every word on the console and every error."""
    contexts = []

    def open_file(path: Path, *, language: str = "en-US", **options: object):
        context = browser.new_context(locale=language, **options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        shown = context.new_page()
        shown.requests, shown.said = [], []
        shown.on("request", lambda request: shown.requests.append(request.url))
        shown.on("console", lambda message: shown.said.append(message.text))
        shown.on("pageerror", lambda error: shown.said.append(str(error)))
        shown.goto(path.as_uri())
        return shown

    yield open_file
    for context in contexts:
        context.close()
