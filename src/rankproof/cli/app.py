"""Which commands are there, and how does a run of one end?"""

from __future__ import annotations

import sys
import warnings
from typing import Annotated

import typer

from rankproof import __version__
from rankproof.cli import (
    check,
    closed_corpus,
    compare,
    contracts,
    convert,
    demo,
    diff,
    evaluate,
    experiment,
    fuse,
    gate,
    interleave,
    lab,
    leaderboard,
    pool,
    reference,
    rerank,
    search,
    similarity,
    splits,
    trec_eval,
    tune,
)
from rankproof.cli.output import say
from rankproof.cli.reading import reads
from rankproof.errors import RankproofError, RankproofWarning

app = typer.Typer(
    name="rankproof",
    help="Did search get better, and can you prove it? Retrieval evaluation with every hidden rule in the open.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("evaluate", short_help="Measure one or more runs under one contract.")(reads(evaluate.evaluate))
app.command("compare", short_help="Compare runs with a baseline: is one better, and is it more than chance?")(
    reads(compare.compare)
)
app.command("leaderboard", short_help="Order systems, and say which the data cannot tell apart.")(
    reads(leaderboard.leaderboard)
)
app.command("gate", short_help="Decide in CI whether a candidate may replace the baseline.")(reads(gate.gate))
app.command("explain", short_help="Show every term of one query's value.")(reads(evaluate.explain))
app.command("trec-eval", short_help="Print what trec_eval prints, byte for byte.")(trec_eval.trec_eval)
app.command("measures", short_help="List the measures, or show one.")(reference.measures)
app.command("check", short_help="Say what files hold, and everything suspicious in them.")(reads(check.check))
app.command("contracts", short_help="List the contracts, show one, or tell why two give different numbers.")(
    reads(contracts.contracts)
)
app.command("rerank", short_help="Show what reranking changed.")(reads(rerank.rerank))
app.command("closed-corpus", short_help="Check a corpus that is small enough to check by hand, end to end.")(
    closed_corpus.closed_corpus
)
app.command("diff", short_help="Show the queries that changed most between two runs.")(reads(diff.diff))
app.command("similarity", short_help="Show how alike runs are.")(reads(similarity.similarity))
app.command("search", short_help="Search a corpus, and write the run.")(search.search)
app.command("fuse", short_help="Make one run of several.")(reads(fuse.fuse))
app.command("experiment", short_help="Run systems on one corpus, and compare them.")(experiment.experiment)
app.command("tune", short_help="Choose a fusion's weights on one split, and report them on another.")(reads(tune.tune))
app.command("split", short_help="Split queries into train, dev and test, families whole.")(splits.split)
app.command("leakage", short_help="Audit splits: do they know the test queries?")(reads(splits.leakage))
app.command("variants", short_help="Print queries with variants of them, to try splits on.")(splits.variants)
app.command("pool", short_help="List the documents that should be judged next.")(reads(pool.pool))
app.command("judges", short_help="Merge several judges' grades, and show how well they agree.")(reads(pool.judges))
app.command("interleave", short_help="Make one list of several runs, and say whose results get the clicks.")(
    reads(interleave.interleave)
)
app.command("convert", short_help="Write files in another format; nothing is lost in silence.")(reads(convert.convert))
app.command("lab", short_help="Open the page that measures and compares inside the browser.")(lab.lab)
app.command("demo", short_help="Try it on the packaged example.")(demo.demo)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"rankproof {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def _note(message: Warning | str, category: type[Warning], *_: object, **__: object) -> None:
    """Print a warning as one line, without the place in the code."""
    kind = "note" if issubclass(category, RankproofWarning) else "warning"
    say(f"{kind}: {message}")


def main() -> None:
    """Run the command line; a user's mistake ends with one message and status 2, Ctrl-C (by Typer) with 130."""
    warnings.showwarning = _note
    warnings.simplefilter("always", RankproofWarning)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # ids and texts are in any script, whatever the locale
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        app()
    except RankproofError as error:
        say(f"error: {error}")
        sys.exit(2)
