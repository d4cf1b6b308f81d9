"""`rankproof rerank`: before and after reranking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rankproof.cli.options import FormatOption, OutputFormat, OutputOption

if TYPE_CHECKING:
    from rankproof.report import Table
    from rankproof.rerank import LabResult

_Lab = Annotated[
    str, typer.Argument(metavar="LAB", help="A lab file, JSON or CSV: judgments, ranking before and after.")
]
_Cutoff = Annotated[int, typer.Option("-k", min=1, help="The cutoff.")]


def rerank(
    lab: _Lab,
    k: _Cutoff = 5,
    format: FormatOption = OutputFormat.TABLE,  # noqa: A002 - the option's name
    output: OutputOption = None,
) -> None:
    """Show what reranking changed: the verdict, each measure before and after, and each query."""
    from rankproof.cli.output import emit, goes_to_terminal, say
    from rankproof.cli.record import record
    from rankproof.formats import Source
    from rankproof.report import as_csv, as_json, as_markdown, as_text
    from rankproof.rerank import rerank_lab

    source = Source(lab)
    found = rerank_lab(source, k)
    tables = [_means(found), _per_query(found)]
    if format is OutputFormat.JSON:
        text = as_json({**record("rerank", [("lab", source)]), **found.to_dict()})
    elif format in (OutputFormat.CSV, OutputFormat.TSV):
        text = as_csv(tables[1].header, tables[1].rows, tabs=format is OutputFormat.TSV)
    elif format is OutputFormat.MARKDOWN:
        text = f"**{found.verdict_says}**\n\n" + as_markdown(tables, _notes(found))
    else:
        text = f"{found.verdict_says}\n\n" + as_text(tables, styled=goes_to_terminal(output))
        say(*_notes(found))
    emit(text, output)


def _means(found: LabResult) -> Table:
    from rankproof.report import Table

    rows = [
        [row.measure, row.before, row.after, None if row.change is None else f"{row.change:+.6f}", row.meaning]
        for row in found.changes
    ]
    return Table(["measure", "before", "after", "change", "meaning"], rows, decimals=6)


def _per_query(found: LabResult) -> Table:
    from rankproof.report import Table

    rows = [
        [query, side, *values.of_query(query).values()]
        for query in found.before.query_ids
        for side, values in (("before", found.before), ("after", found.after))
    ]
    return Table(["query_id", "run", *found.before.means], rows, "per query", decimals=6)


def _notes(found: LabResult) -> list[str]:
    from rankproof.rerank import CAVEATS, FORMULAS, FORMULAS_DATE

    counts = found.before.counts
    without = f", {counts['without-relevant']} of them without a relevant document (left out of P, R, RR and nDCG)"
    return [
        f"formulas {FORMULAS} of {FORMULAS_DATE}, contract fingerprint {found.contract.fingerprint}",
        f"{len(found.before.query_ids)} queries{without if counts['without-relevant'] else ''}, K = {found.k}",
        *CAVEATS,
    ]
