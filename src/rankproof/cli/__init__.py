"""The command line: parses, calls, prints; data to stdout, talk to stderr; status 2 for a user's mistake."""

from rankproof.cli.app import main

__all__ = ["main"]
