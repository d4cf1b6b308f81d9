"""`rankproof trec-eval`: what trec_eval prints."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from rankproof.cli.options import RunArgument


class Version(StrEnum):
    """Whose rules and rows."""

    NINE = "9.0.8"
    TEN = "10.0"


class JudgmentFormat(StrEnum):
    """What the judgments are read as."""

    QRELS = "qrels"
    QRELS_JG = "qrels_jg"
    PREFS = "prefs"
    QRELS_PREFS = "qrels_prefs"


_Judgments = Annotated[str, typer.Argument(metavar="QRELS", help="Judgments, in the format of -R; gzip; - for stdin.")]
_Measure = Annotated[
    list[str] | None,
    typer.Option(
        "-m", "--measure", metavar="MEASURE[.PARAMS]", help="A measure or nickname (official), such as P.5,10; repeat."
    ),
]
_PerQuery = Annotated[bool, typer.Option("-q", "--query_eval_wanted", help="Print each query's rows too.")]
_NoSummary = Annotated[bool, typer.Option("-n", "--nosummary", help="Leave out the rows over all queries.")]
_Complete = Annotated[
    bool, typer.Option("-c", "--complete_rel_info_wanted", help="Count judged queries that the run lacks too, as 0.")
]
_Level = Annotated[int, typer.Option("-l", "--level_for_rel", min=1, help="From which grade on is relevant.")]
_Depth = Annotated[
    int | None,
    typer.Option("-M", "--Max_retrieved_per_topic", min=1, help="How many results of a query are looked at."),
]
_JudgedOnly = Annotated[bool, typer.Option("-J", "--Judged_docs_only", help="Take unjudged documents out of the run.")]
_Documents = Annotated[
    int, typer.Option("-N", "--Number_docs_in_coll", min=0, help="How many documents there are, for utility.")
]
_Format = Annotated[JudgmentFormat, typer.Option("-R", "--Rel_info_format", help="What the judgments are read as.")]
_ZScores = Annotated[
    str | None, typer.Option("-Z", "--Zscore", metavar="FILE", help="Print z-scores, by this file's means.")
]
_As = Annotated[Version, typer.Option("--as", help="Whose rules and rows.")]


def trec_eval(
    qrels: _Judgments,
    run: RunArgument,
    measure: _Measure = None,
    per_query: _PerQuery = False,
    no_summary: _NoSummary = False,
    complete: _Complete = False,
    level: _Level = 1,
    depth: _Depth = None,
    judged_only: _JudgedOnly = False,
    documents: _Documents = 0,
    judgment_format: _Format = JudgmentFormat.QRELS,
    zscores: _ZScores = None,
    version: _As = Version.TEN,
) -> None:
    """Print what trec_eval prints, byte for byte: its flags, measures and rows. Differences: docs/trec-eval.md."""
    from rankproof.cli.inputs import one_stdin
    from rankproof.cli.output import emit, say
    from rankproof.cli.progress import reading
    from rankproof.trec_eval import Asked, printed

    one_stdin(qrels, run, *([zscores] if zscores else []))
    asked = Asked(
        measures=tuple(measure or ("official",)),
        per_query=per_query,
        summary=not no_summary,
        complete=complete,
        relevant_from=level,
        depth=depth,
        judged_only=judged_only,
        documents=documents,
        judgments=judgment_format.value,
        version=version.value,
    )
    with reading([qrels, run]) as on_bytes:
        found = printed(qrels, run, asked, zscores, on_bytes)
    say(*found.notes)
    emit(found.text, None)
