"""`rankproof closed-corpus`: a corpus small enough to check by hand, end to end."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from rankproof.cli.options import OutputOption

_Fixture = Annotated[
    str, typer.Argument(metavar="FIXTURE", help="Documents and queries as vectors, judgments, reranker scores; JSON.")
]
_Expect = Annotated[
    str | None,
    typer.Option("--expect", metavar="EXPECTED", help="Compare with these outputs: status 1 where they differ."),
]


class ClosedCorpusFormat(StrEnum):
    """How the outputs are written."""

    JSON = "json"
    TABLE = "table"


_Format = Annotated[ClosedCorpusFormat, typer.Option("--format", help="How the outputs are written.")]


def closed_corpus(
    fixture: _Fixture,
    expect: _Expect = None,
    format: _Format = ClosedCorpusFormat.JSON,  # noqa: A002 - the option's name
    output: OutputOption = None,
) -> None:
    """Run exact search, frozen reranking and paired evaluation on a fixture, and print every query's output."""
    from rankproof.cli.inputs import check_outputs, one_stdin
    from rankproof.cli.output import emit, goes_to_terminal, say
    from rankproof.formats import Source
    from rankproof.record import record
    from rankproof.report.reranking import closed_corpus_tables
    from rankproof.rerank.closed_corpus import closed_corpus as run
    from rankproof.rerank.closed_corpus import compared, read_expected
    from rankproof.tables import as_json, as_text

    one_stdin(fixture, *([expect] if expect is not None else ()))
    check_outputs([fixture, expect], output)
    source, wanted = Source(fixture), None if expect is None else Source(expect)
    found = run(source)
    expected = None if wanted is None else read_expected(wanted)
    if format is ClosedCorpusFormat.JSON:
        inputs = [("fixture", source), *([("expected", wanted)] if wanted is not None else ())]
        beside = {"contract": found.values.contract.to_dict(), "notes": found.notes()}
        text = as_json({**record("closed-corpus", inputs), **found.to_dict(), **beside})
    else:
        text = as_text(closed_corpus_tables(found), styled=goes_to_terminal(output))
    say(*found.notes())
    emit(text, output)
    if expected is not None:
        differences = list(compared(expected, found.to_dict()))
        say(*(differences or ["as expected"]))
        if differences:
            raise typer.Exit(1)
