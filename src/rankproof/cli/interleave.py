"""`rankproof interleave`: one list of several runs, and whose results get the clicks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rankproof.cli.options import ContractOption, OutputFormat, OutputOption, RuleOption

if TYPE_CHECKING:
    from pathlib import Path

    from rankproof.formats import Source
    from rankproof.interleave import ClickPreferences, ImpressionsNeeded, Interleaving

_Runs = Annotated[
    list[str],
    typer.Argument(metavar="RUN RUN...", help="Two or more rankings, in any format (TREC, CSV, JSON, …); - for stdin."),
]
_Cutoff = Annotated[int | None, typer.Option("-k", min=1, help="How many documents a list shows.", show_default="10")]
_Method = Annotated[
    str | None,
    typer.Option(
        "--method",
        help="team-draft, balanced, probabilistic, probabilistic-rounds or optimised.",
        show_default="team-draft",
    ),
]
_Seed = Annotated[int | None, typer.Option("--seed", help="It alone decides every list.", show_default="0")]
_Impressions = Annotated[
    int | None, typer.Option("--impressions", min=1, help="How many lists of each query are drawn.", show_default="1")
]
_Clicks = Annotated[
    str | None,
    typer.Option(
        "--clicks",
        metavar="FILE",
        help="Clicks, as CSV or JSON lines: query_id, doc_id, and impression, session, user if known.",
    ),
]
_Shown = Annotated[
    str | None,
    typer.Option("--shown", metavar="FILE", help="The lists that were shown, as this command wrote them: CSV or JSON."),
]
_Credit = Annotated[
    str | None,
    typer.Option("--credit", help="What a click is worth: binary, inverse-rank, …", show_default="the method's own"),
]
_Cluster = Annotated[
    str | None, typer.Option("--cluster", help="One vote for each: user, session or query_id.", show_default="none")
]
_Confidence = Annotated[
    float | None,
    typer.Option("--confidence", help="Of the intervals, and of the verdict of --clicks.", show_default="0.95"),
]
_Simulate = Annotated[
    str | None,
    typer.Option(
        "--simulate",
        metavar="MODEL",
        help="Say how many impressions are needed, by simulated users: perfect, navigational or informational.",
    ),
]
_Qrels = Annotated[str | None, typer.Option("--qrels", metavar="FILE", help="Judgments, for --simulate.")]
_Simulated = Annotated[
    int | None,
    typer.Option("--simulated", min=1, help="How many impressions --simulate looks at.", show_default="10000"),
]
_Power = Annotated[
    float | None, typer.Option("--power", help="The power that --simulate plans for.", show_default="0.8")
]
_Alpha = Annotated[
    float | None, typer.Option("--alpha", help="The level of the test that --simulate plans for.", show_default="0.05")
]
_Format = Annotated[
    OutputFormat | None,
    typer.Option("--format", help="How the result is written.", show_default="as FILE ends, else table"),
]


def interleave(
    runs: _Runs,
    k: _Cutoff = None,
    method: _Method = None,
    seed: _Seed = None,
    impressions: _Impressions = None,
    clicks: _Clicks = None,
    shown: _Shown = None,
    credit: _Credit = None,
    cluster: _Cluster = None,
    confidence: _Confidence = None,
    simulate: _Simulate = None,
    qrels: _Qrels = None,
    simulated: _Simulated = None,
    power: _Power = None,
    alpha: _Alpha = None,
    contract: ContractOption = "rankproof",
    rule: RuleOption = None,
    format: _Format = None,  # noqa: A002 - the option's name
    output: OutputOption = None,
) -> None:
    """Interleave runs: one list a query, drawn so that clicks on it say whose results are preferred.

    With --clicks it says whose results got them; with --simulate, how many impressions it would take to see it.
    """
    from rankproof.cli.inputs import check_outputs, one_stdin
    from rankproof.cli.output import show
    from rankproof.formats import Source
    from rankproof.presets import read_rules
    from rankproof.record import record

    given = {"clicks": clicks, "shown": shown, "qrels": qrels}
    drawing = {"k": k, "method": method, "seed": seed, "impressions": impressions}
    testing = {"credit": credit, "cluster": cluster, "confidence": confidence}
    planning = {"credit": credit, "simulated": simulated, "power": power, "alpha": alpha}
    _check_together({**given, **drawing, **testing, **planning, "simulate": simulate})
    files = {role: Source(path) for role, path in given.items() if path is not None}
    sources = [Source(run) for run in runs]
    inputs = [*(("run", source) for source in sources), *files.items()]
    one_stdin(*(source.path for _, source in inputs))
    check_outputs([source.path for _, source in inputs], output)
    settings = _given(drawing)
    rules = {"contract": contract, **read_rules(rule or ())}
    found: Interleaving | ClickPreferences | ImpressionsNeeded
    if simulate is not None:
        found = _plan(files["qrels"], sources, {**settings, **_given(planning), "model": simulate, **rules})
    else:
        found = _lists(sources, files.get("shown"), settings, rules)
        if clicks is not None:
            found = _preferences(found, files["clicks"], **_given(testing))
    show(
        format or _by_ending(output),
        output,
        content=lambda: {**record("interleave", inputs), **found.to_dict()},
        rows=found.rows,
        tables=found.tables,
        notes=found.notes(),
    )


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _by_ending(output: Path | None) -> OutputFormat:
    endings = {".md": OutputFormat.MARKDOWN, **{f".{one}": one for one in OutputFormat}}
    return OutputFormat.TABLE if output is None else endings.get(output.suffix.lower(), OutputFormat.TABLE)


_NEEDS = {
    **dict.fromkeys(("shown", "cluster", "confidence"), ("clicks",)),
    **dict.fromkeys(("qrels", "simulated", "power", "alpha"), ("simulate",)),
    "credit": ("clicks", "simulate"),
}
"""What an option says nothing without."""
_BESIDE = {
    **dict.fromkeys(("k", "method", "seed", "impressions"), ("shown",)),
    "clicks": ("simulate",),
    "impressions": ("shown", "simulate"),
}
"""What an option says nothing beside."""


def _check_together(given: Mapping[str, object]) -> None:
    """Refuse options that say nothing without another, or beside it."""
    from rankproof.errors import Fault, InputError

    for option, others in _NEEDS.items():
        if given[option] is not None and all(given[other] is None for other in others):
            needed = " or ".join(f"--{other}" for other in others)
            raise InputError(Fault(f"--{option} says nothing without {needed}"))
    for option, others in _BESIDE.items():
        for other in others:
            if given[option] is not None and given[other] is not None:
                spelled = "-k" if option == "k" else f"--{option}"
                raise InputError(Fault(f"{spelled} says nothing beside --{other}", expected="one of them"))
    if given["simulate"] is not None and given["qrels"] is None:
        raise InputError(Fault("--simulate needs judgments", hint="--qrels FILE"))


def _lists(
    sources: Sequence[Source], shown: Source | None, settings: Mapping[str, Any], rules: Mapping[str, Any]
) -> Interleaving:
    """Return the lists: drawn, or as they were saved."""
    from rankproof.cli.progress import counting
    from rankproof.interleave import interleave as drawn_lists
    from rankproof.interleave import read_shown

    if shown is not None:
        return read_shown(shown, sources, **rules)
    with counting("interleaving") as on_done:
        return drawn_lists(sources, on_done=on_done, **settings, **rules)


def _preferences(lists: Interleaving, clicks: Source, **settings: Any) -> ClickPreferences:
    """Return whose results got the clicks."""
    from rankproof.interleave import click_preferences

    return click_preferences(lists, clicks, **settings)


def _plan(qrels: Source, sources: Sequence[Source], settings: Mapping[str, Any]) -> ImpressionsNeeded:
    """Return how many impressions are needed."""
    from rankproof.cli.progress import counting
    from rankproof.errors import Fault, InputError
    from rankproof.interleave import impressions_needed

    if len(sources) != 2:
        raise InputError(Fault(f"{len(sources)} runs are given", expected="two to plan for"))
    with counting("simulating") as on_done:
        return impressions_needed(qrels, sources[0], sources[1], on_done=on_done, **settings)
