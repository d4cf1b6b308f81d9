"""`rankproof similarity`: how alike runs are."""

from __future__ import annotations

from typing import Annotated

import typer

from rankproof.cli.options import ContractOption, FormatOption, OutputFormat, OutputOption, RuleOption

_Runs = Annotated[
    list[str], typer.Argument(metavar="RUN RUN...", help="Two or more rankings: TREC runs or JSON; gzip; - for stdin.")
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
    from rankproof.cli.output import emit, goes_to_terminal, say
    from rankproof.formats import Source
    from rankproof.presets import read_rules
    from rankproof.record import record
    from rankproof.similarity.runs import similarities
    from rankproof.similarity.telling import TIDY_SIMILARITY, similarity_rows
    from rankproof.tables import as_csv, as_json, as_markdown, as_text

    one_stdin(*runs)
    check_outputs(runs, output)
    sources = [Source(run) for run in runs]
    found = similarities(sources, k=k, p=rbo_p, contract=contract, **read_rules(rule or ()))
    if format is OutputFormat.JSON:
        made_by = record("similarity", [("run", source) for source in sources])
        text = as_json({**made_by, **found.to_dict()})
    elif format in (OutputFormat.CSV, OutputFormat.TSV):
        rows = list(similarity_rows(found, per_query=per_query))
        text = as_csv(TIDY_SIMILARITY, rows, tabs=format is OutputFormat.TSV)
    elif format is OutputFormat.MARKDOWN:
        text = as_markdown(found.tables(per_query=per_query), found.notes())
    else:
        text = as_text(found.tables(per_query=per_query), styled=goes_to_terminal(output))
    if format is not OutputFormat.MARKDOWN:  # there they stand under the tables
        say(*found.notes())
    emit(text, output)
