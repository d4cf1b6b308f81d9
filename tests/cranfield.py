"""The Cranfield collection of the conformance data, and mean AP over its binary judgments."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import rankproof as rp
from rankproof.engines.sql_settings import Setting

ROOT = Path(__file__).resolve().parent.parent
DEPTH = 1000


class Cranfield(NamedTuple):
    """1,400 texts and 225 queries by id."""

    documents: Mapping[str, str]
    queries: Mapping[str, str]
    qrels: Path

    def mean_ap(self, ask: Callable[[str], Mapping[str, float]]) -> float:
        """Return the mean AP of what is scored for each query's text; the best 1,000, equal scores by id, count."""
        run = {}
        for query, text in self.queries.items():
            best = sorted(ask(text).items(), key=lambda pair: (-pair[1], pair[0]))[:DEPTH]
            run[query] = dict(best)
        return rp.evaluate(str(self.qrels), run, measures=["AP"]).means["AP"]


def cranfield(data: Path) -> Cranfield:
    """Return the collection, each text with its title before it."""
    folder = data / "cranfield"
    corpus, queries = (
        [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]
        for name in ("corpus.jsonl", "queries.jsonl")
    )
    return Cranfield(
        {entry["id"]: f"{entry['title']} {entry['text']}" for entry in corpus},
        {entry["id"]: entry["text"] for entry in queries},
        folder / "qrels.binary.txt",
    )


def page() -> str:
    """Return docs/search-engines-compared.md."""
    return (ROOT / "docs" / "search-engines-compared.md").read_text("utf-8")


def published(row: str) -> float:
    """Return the mean AP that the page states in the row that begins so."""
    (found,) = re.findall(rf"^\| {re.escape(row)} \|.*\| (0\.\d+) \|", page(), re.MULTILINE)
    return float(found)


def documented(engine: str, name: str, setting: Setting) -> None:
    """Fail unless the engine's table on the page has the setting's row: its name, default, sentence and values."""
    values = f": {', '.join(f'`{value}`' for value in setting.allowed)}" if setting.allowed else ""
    row = f"| `{name}` | {f'`{setting.default}`' if setting.default else ''} | {setting.says}{values} |"
    chapter = page().partition(f"## Settings of {engine}")[2].partition("## ")[0]
    assert row in chapter.splitlines(), row
