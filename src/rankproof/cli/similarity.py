"""`rankproof similarity`: how alike runs are."""

from __future__ import annotations

from typing import Annotated

import typer

from rankproof.cli.options import ContractOption, FormatOption, OutputFormat, OutputOption, RuleOption

_Runs = Annotated[
    list[str],
    typer.Argument(metavar="RUN RUN...", help="Two or more rankings, in any format (TREC, CSV, JSON, …); - for stdin."),
]
_Cutoff = Annotated[int, typer.Option("-k", min=1, help="The cutoff of the overlap.")]
_Persistence = Annotated[
    float, typer.Option("--rbo-p", help="RBO's chance to look one place further, between 0 and 1.")
]
_PerQuery = Annotated[bool, typer.Option("--per-query", "-q", help="Print each query's numbers too.")]


def similarity(
    runs: _Runs,
    k: _Cutoff = 10,
    rbo_p: _Persistence = 0.9,
    per_query: _PerQuery = False,
    contract: ContractOption = "rankproof",
    rule: RuleOption = None,
    format: FormatOption = OutputFormat.TABLE,  # noqa: A002 - the option's name
    output: OutputOption = None,
) -> None:
    """Show how alike runs are, two by two: overlap@k, RBO, tau-b, tau-AP. Nobody's judgments are needed."""
    from rankproof.cli.inputs import check_outputs, one_stdin
    from rankproof.cli.output import show
    from rankproof.formats import Source
    from rankproof.presets import read_rules
    from rankproof.record import record
    from rankproof.similarity.runs import similarities
    from rankproof.similarity.telling import TIDY_SIMILARITY, similarity_rows

    one_stdin(*runs)
    check_outputs(runs, output)
    sources = [Source(run) for run in runs]
    found = similarities(sources, k=k, p=rbo_p, contract=contract, **read_rules(rule or ()))
    made_by = record("similarity", [("run", source) for source in sources])
    show(
        format,
        output,
        content=lambda: {**made_by, **found.to_dict()},
        rows=lambda: (TIDY_SIMILARITY, similarity_rows(found, per_query=per_query)),
        tables=lambda: found.tables(per_query=per_query),
        notes=found.notes(),
    )
