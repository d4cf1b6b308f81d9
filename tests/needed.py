"""What does a test need beside this package? What is missing is skipped aloud; in CI, which has it all, it fails."""

from __future__ import annotations

import os
import warnings
from importlib import import_module
from typing import Any, NoReturn

import pytest


def lacking(what: str) -> NoReturn:
    """Skip a test that cannot run here; in CI, where everything is installed, fail it."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(what)
    raise AssertionError  # never reached: both raise


def installed(name: str) -> Any:
    """Return a module that only tests need. What it warns of while it is loaded is its own matter."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return import_module(name)
    except ImportError:
        lacking(f"{name} is not installed")
