"""Where does a report go, and in which form? The file's ending decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from rankproof.compare import Comparison
from rankproof.errors import Fault, InputError, seen
from rankproof.formats.whole import write_whole
from rankproof.report.blocks import Page
from rankproof.report.comparison import Texts, comparison_page
from rankproof.report.markdown import page_markdown
from rankproof.report.page import as_html

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
    for kind in type(found).__mro__:
        if kind.__module__.startswith("rankproof.") and (named := _PAGES.get(kind.__name__)) is not None:
            module, page = named
            made: Page = getattr(import_module(f"rankproof.report.{module}"), page)(
                found, made_by() if callable(made_by) else made_by
            )
            return made
    names = ", ".join((Comparison.__name__, *_PAGES))
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

    `found` is what `compare`, `run_experiment`, `leaderboard`, `gate`, `rerank`, `rerank_lab` or `leakage` gave.
    `query_texts`, `doc_texts` (of a comparison), a file or a mapping of id to text, stand beside the ids. InputError
    for another ending or object.
    """
    check_ending(path)
    page = page_of(found, made_by, Texts(query_texts, doc_texts))
    write_whole(Path(path), ENDINGS[Path(path).suffix.lower()](page))


_PAGES: Mapping[str, tuple[str, str]] = {
    "Experiment": ("experiment", "experiment_page"),
    "Leaderboard": ("leaderboard", "leaderboard_page"),
    "Gate": ("gate", "gate_page"),
    "Reranking": ("reranking", "reranking_page"),
    "LabResult": ("lab", "lab_page"),
    "Leakage": ("leakage", "leakage_page"),
}
"""The page of each other result: module and function here, loaded only for a result of that kind."""
