"""Where does a report go, and in which form? The file's ending decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from rankproof.compare import Comparison, Leaderboard
from rankproof.errors import Fault, InputError, seen
from rankproof.experiment import Experiment
from rankproof.formats.files import write_whole
from rankproof.gate import Gate
from rankproof.report.blocks import Page
from rankproof.report.comparison import Texts, comparison_page
from rankproof.report.experiment import experiment_page
from rankproof.report.gate import gate_page
from rankproof.report.lab import lab_page
from rankproof.report.leaderboard import leaderboard_page
from rankproof.report.leakage import leakage_page
from rankproof.report.markdown import page_markdown
from rankproof.report.page import as_html
from rankproof.report.reranking import reranking_page
from rankproof.rerank import LabResult, Reranking
from rankproof.splits import Leakage

ENDINGS: Mapping[str, Callable[[Page], str]] = {
    ".html": as_html,
    ".htm": as_html,
    ".md": page_markdown,
    ".markdown": page_markdown,
}
"""How a page is written, by the file's ending."""


MadeBy: TypeAlias = Mapping[str, Any] | Callable[[], Mapping[str, Any]] | None
"""What made the result, or how to learn it once the texts have been read."""


def check_ending(path: str | Path) -> None:
    """Refuse a file that is neither HTML nor Markdown, before anything is computed."""
    if not isinstance(path, (str, Path)):
        raise InputError(Fault(f"a report cannot be written to {seen(path)}", expected="a path"))
    if Path(path).suffix.lower() not in ENDINGS:
        raise InputError(Fault("is no report that can be written", str(path), expected=f"one of {', '.join(ENDINGS)}"))


def page_of(found: Any, made_by: MadeBy = None, texts: Texts | None = None) -> Page:
    """Return the page of a result. InputError for what has none."""
    if isinstance(found, Comparison):
        return comparison_page(found, made_by, texts)
    for kind, page in _PAGES.items():
        if isinstance(found, kind):
            return page(found, made_by() if callable(made_by) else made_by)
    names = ", ".join(kind.__name__ for kind in (Comparison, *_PAGES))
    raise InputError(Fault(f"{type(found).__name__} has no report", expected=f"one of {names}"))


def write_report(
    found: Any,
    path: str | Path,
    *,
    made_by: MadeBy = None,
    query_texts: Any = None,
    doc_texts: Any = None,
) -> None:
    """Write a result's report, whole or not at all: one HTML file that loads nothing, or Markdown, by the ending.

    `found` is what `compare`, `leaderboard`, `gate`, `rerank`, `rerank_lab` or `leakage` gave. `query_texts`,
    `doc_texts` (of a comparison), a file or a mapping of id to text, stand beside the ids. InputError for another
    ending or object.
    """
    check_ending(path)
    page = page_of(found, made_by, Texts(query_texts, doc_texts))
    write_whole(Path(path), ENDINGS[Path(path).suffix.lower()](page))


_PAGES: Mapping[type, Callable[[Any, Mapping[str, Any] | None], Page]] = {
    Experiment: experiment_page,
    Leaderboard: leaderboard_page,
    Gate: gate_page,
    Reranking: reranking_page,
    LabResult: lab_page,
    Leakage: leakage_page,
}
"""The page of each other result."""
