"""`rankproof diff`: what changed between two runs."""

from __future__ import annotations

from typing import Annotated

import typer

from rankproof.cli.options import ContractOption, FormatOption, OutputFormat, OutputOption, QrelsArgument, RuleOption

_Left = Annotated[str, typer.Argument(metavar="A", help="The run on the left, before.")]
_Right = Annotated[str, typer.Argument(metavar="B", help="The run on the right, after.")]
_Measure = Annotated[
    list[str] | None, typer.Option("--measure", "-m", help="One measure, such as nDCG@10.", show_default="nDCG@10")
]
_Count = Annotated[int, typer.Option("-n", min=1, help="How many of the queries that changed most are shown.")]
_Depth = Annotated[int, typer.Option("--depth", min=1, help="How many places of each ranking are shown.")]
_Query = Annotated[
    list[str] | None, typer.Option("--query", metavar="QUERY_ID", help="Show this query; may be repeated.")
]
_Queries = Annotated[
    str | None, typer.Option("--queries", metavar="FILE", help="What the queries say: JSON a line, or id<TAB>text.")
]
_Corpus = Annotated[
    str | None, typer.Option("--corpus", metavar="FILE", help="What the documents say: JSON a line, or id<TAB>text.")
]


def diff(
    qrels: QrelsArgument,
    a: _Left,
    b: _Right,
    measure: _Measure = None,
    n: _Count = 10,
    depth: _Depth = 10,
    query: _Query = None,
    queries: _Queries = None,
    corpus: _Corpus = None,
    contract: ContractOption = "rankproof",
    rule: RuleOption = None,
    format: FormatOption = OutputFormat.TABLE,  # noqa: A002 - the option's name
    output: OutputOption = None,
) -> None:
    """Show the queries whose value changed most from A to B: both rankings side by side, grades, and what moved."""
    from shutil import get_terminal_size

    from rankproof.cli.inputs import check_outputs, one_measure, one_stdin
    from rankproof.cli.output import goes_to_terminal, show
    from rankproof.diff import diff as diff_runs
    from rankproof.diff.telling import CHANGED, difference_rows
    from rankproof.formats import Source
    from rankproof.presets import read_rules
    from rankproof.record import record

    given = {"qrels": qrels, "left": a, "right": b, "queries": queries, "corpus": corpus}
    sources = {role: Source(path) for role, path in given.items() if path is not None}
    one_stdin(*(source.path for source in sources.values()))
    check_outputs([source.path for source in sources.values()], output)
    found = diff_runs(
        sources["qrels"],
        sources["left"],
        sources["right"],
        one_measure(measure, "nDCG@10"),
        contract,
        queries=n,
        depth=depth,
        only=query,
        query_texts=sources.get("queries"),
        doc_texts=sources.get("corpus"),
        **read_rules(rule or ()),
    )
    width = get_terminal_size().columns if goes_to_terminal(output) else None
    show(
        format,
        output,
        content=lambda: {**record("diff", list(sources.items())), **found.to_dict()},
        rows=lambda: (CHANGED, difference_rows(found)),
        tables=lambda: found.tables(width if format is OutputFormat.TABLE else None),
        notes=found.notes(),
    )
