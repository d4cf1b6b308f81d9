"""How are the files of a command to be read? Options of every command that reads judgments or runs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Annotated, Any, get_type_hints

import typer

_RULES: Mapping[str, tuple[str, str]] = {
    "grade_map": ("1=4,2=3,…", "Which grade each grade of the qrels stands for, for scales where 1 is best."),
    "subtopics": ("any|all|ignored", "What to make of qrels whose second column names subtopics."),
    "roll_up": ("max|first", "Turn the chunk ids of runs into document ids: which of a document's chunks counts."),
    "chunk_separator": ("TEXT", "What parts a document's id from its chunk's; # unless it is given."),
}
"""Options that are rules of the contract, under names of their own."""

_FORMATS: Mapping[str, tuple[str, str]] = {
    "qrels_format": (
        "NAME",
        "Read the judgments as this format, whatever they look like; docs/reference.md lists them.",
    ),
    "run_format": ("NAME", "Read the runs as this format, whatever they look like."),
}


def reads(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with these options too (rules, if it has a --rule); the formats are forced while it runs."""
    parameters = inspect.signature(command).parameters
    ruled = _RULES if "rule" in parameters else {}

    @wraps(command)
    def reading(**given: Any) -> None:
        from rankproof.formats import forced

        rules = {name: given.pop(name) for name in ruled}
        formats = {name: given.pop(name) for name in _FORMATS}
        if spelled := [f"{name.replace('_', '-')}={value}" for name, value in rules.items() if value is not None]:
            given["rule"] = [*(given["rule"] or ()), *spelled]
        with forced(qrels=formats["qrels_format"], run=formats["run_format"]):
            command(**given)

    hints = get_type_hints(command, include_extras=True)
    own = [one.replace(annotation=hints[name]) for name, one in parameters.items()]
    added = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[str | None, typer.Option(metavar=metavar, help=text)],
        )
        for name, (metavar, text) in {**_FORMATS, **ruled}.items()
    ]
    reading.__signature__ = inspect.Signature([*own, *added])  # type: ignore[attr-defined]  # read by inspect
    return reading
