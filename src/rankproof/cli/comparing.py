"""Which options do the commands share that compare runs?"""

from __future__ import annotations

from typing import Annotated

import typer

TestOption = Annotated[
    list[str] | None,
    typer.Option(
        "--test", help="randomization (default), t, wilcoxon or sign: the first decides, others stand beside it."
    ),
]
CorrectionOption = Annotated[
    str, typer.Option("--correct", help="Over the runs of a measure: holm, bh, max-t, tukey or none.")
]
IntervalOption = Annotated[
    str, typer.Option("--interval", help="How the bounds are found: bca, percentile, t, or wider (of bca and t).")
]
ConfidenceOption = Annotated[float, typer.Option("--confidence", help="The level of intervals and tests.")]
MarginOption = Annotated[
    float | None, typer.Option("--margin", help="Differences below it do not matter: is the run equivalent?")
]
ClusterOption = Annotated[
    str | None,
    typer.Option("--cluster", metavar="FILE", help="Families of queries, `query_id family` a line: resampled whole."),
]
SeedOption = Annotated[int, typer.Option("--seed", help="Where the random numbers start.")]
PermutationsOption = Annotated[int, typer.Option("--permutations", help="How often signs are flipped.")]
ResamplesOption = Annotated[int, typer.Option("--resamples", help="How often queries are drawn again.")]
QueriesOption = Annotated[
    str | None,
    typer.Option("--queries", metavar="FILE", help="Texts of queries for the report: JSON lines or `id<TAB>text`."),
]
CorpusOption = Annotated[
    str | None,
    typer.Option("--corpus", metavar="FILE", help="Texts of documents for the report: JSON lines or `id<TAB>text`."),
]
