"""`rankproof pool` and `rankproof judges`: what to judge next, and what the judges said."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rankproof.cli.comparing import ConfidenceOption, SeedOption
from rankproof.cli.options import ContractOption, FormatOption, OutputFormat, OutputOption, RuleOption


class PoolFormat(StrEnum):
    """How a pool is written: the rows to judge (jsonl, csv, tsv), or what it holds."""

    TABLE = "table"
    JSONL = "jsonl"
    CSV = "csv"
    TSV = "tsv"
    JSON = "json"
    MARKDOWN = "markdown"


_Runs = Annotated[
    list[str], typer.Argument(metavar="RUN...", help="Rankings, in any format (TREC, CSV, JSON, …); - for stdin.")
]
_Depth = Annotated[int, typer.Option("--depth", min=1, help="How many documents of each run are pooled for a query.")]
_Qrels = Annotated[str | None, typer.Option("--qrels", metavar="QRELS", help="What is judged already, in any format.")]
_Take = Annotated[
    int | None,
    typer.Option("--take", min=1, help="At most so many a query: those that most runs hold, then the best rank first."),
]
_Queries = Annotated[str | None, typer.Option("--queries", metavar="FILE", help="What the queries say.")]
_Corpus = Annotated[str | None, typer.Option("--corpus", metavar="FILE", help="What the documents say.")]
_ShowRuns = Annotated[
    bool,
    typer.Option("--show-runs", help="Tell which runs hold a document, and at which rank: not for a judge's eyes."),
]
_PerQuery = Annotated[bool, typer.Option("--per-query", "-q", help="Print the counts of each query too.")]
_PoolFormat = Annotated[
    PoolFormat | None,
    typer.Option(
        "--format",
        help="jsonl, csv and tsv hold a row a document with an empty grade; the others the counts.",
        show_default="as FILE ends; without FILE table",
    ),
]


def pool(
    runs: _Runs,
    depth: _Depth = 10,
    qrels: _Qrels = None,
    take: _Take = None,
    queries: _Queries = None,
    corpus: _Corpus = None,
    show_runs: _ShowRuns = False,
    per_query: _PerQuery = False,
    seed: SeedOption = 1,
    contract: ContractOption = "rankproof",
    rule: RuleOption = None,
    format: _PoolFormat = None,  # noqa: A002 - the option's name
    output: OutputOption = None,
) -> None:
    """List the documents to judge: the first of each run, less those judged, in an order that tells no rank."""
    from rankproof.cli.inputs import check_outputs, one_stdin
    from rankproof.cli.output import emit, goes_to_terminal, say
    from rankproof.cli.progress import reading
    from rankproof.formats import Source
    from rankproof.pool import pool as pool_runs
    from rankproof.presets import read_rules
    from rankproof.record import record
    from rankproof.tables import as_json, as_markdown, as_text

    others = {"qrels": qrels, "queries": queries, "corpus": corpus}
    paths = [*runs, *(path for path in others.values() if path is not None)]
    one_stdin(*paths)
    check_outputs(paths, output)
    written = format or (PoolFormat.TABLE if output is None else _by_ending(output))
    with reading(paths) as on_bytes:
        rankings = [Source(run, on_bytes) for run in runs]
        sources = {role: Source(path, on_bytes) for role, path in others.items() if path is not None}
        found = pool_runs(
            rankings,
            depth=depth,
            qrels=sources.get("qrels"),
            take=take,
            queries=sources.get("queries"),
            corpus=sources.get("corpus"),
            seed=seed,
            contract=contract,
            **read_rules(rule or ()),
        )
    if written is PoolFormat.JSON:
        made_by = record("pool", [*(("run", source) for source in rankings), *sources.items()])
        text = as_json({**made_by, **found.to_dict(show_runs=show_runs)})
    elif written is PoolFormat.MARKDOWN:
        text = as_markdown(found.tables(per_query=per_query), found.notes())
    elif written is PoolFormat.TABLE:
        text = as_text(found.tables(per_query=per_query), styled=goes_to_terminal(output))
    else:
        text = found.as_rows(written, show_runs=show_runs)
    if written is not PoolFormat.MARKDOWN:  # there they stand under the tables
        say(*found.notes())
    emit(text, output)


_ENDINGS = {"md": PoolFormat.MARKDOWN, **{one.value: one for one in PoolFormat if one is not PoolFormat.TABLE}}


def _by_ending(output: Path) -> PoolFormat:
    from rankproof.errors import Fault, InputError
    from rankproof.pool.writing import ending

    if (found := _ENDINGS.get(ending(output))) is None:
        expected = f"a name that ends in {' or '.join(f'.{one}' for one in _ENDINGS)}"
        message, hint = "does not say how it is to be written", "or --format, such as --format csv"
        raise InputError(Fault(message, str(output), expected=expected, hint=hint))
    return found


_Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help="Judgments: qrels (TREC, JSON), or rows as `pool` writes them, filled in."),
]
_Merged = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="QRELS", help="Write the merged grades there: TREC qrels, or JSON (.json)."),
]
_Resolve = Annotated[
    str, typer.Option("--resolve", help="How grades become one: majority, mean, max, min, median, unanimous.")
]
_Ties = Annotated[
    str | None,
    typer.Option("--ties", help="What decides where majority or unanimous does not: max, min, mean, median."),
]
_Disputes = Annotated[
    Path | None,
    typer.Option("--disputes", metavar="FILE", help="Write what judges differ on, worst first: .jsonl, .csv, .tsv."),
]
_Judge = Annotated[
    list[str] | None,
    typer.Option("--judge", metavar="NAME=KIND", help="What a judge is, human or model; may be repeated."),
]
_Reranker = Annotated[
    list[str] | None,
    typer.Option("--reranker-model", metavar="MODEL", help="Warn where a judge is of this model's family."),
]
_Agreement = Annotated[
    bool, typer.Option("--agreement/--no-agreement", help="Find kappa and alpha (extra: agreement).")
]
_Resamples = Annotated[int, typer.Option("--resamples", help="How often queries are drawn again; 0 for no intervals.")]


def judges(
    files: _Files,
    resolve: _Resolve = "majority",
    ties: _Ties = None,
    disputes: _Disputes = None,
    judge: _Judge = None,
    reranker_model: _Reranker = None,
    agreement: _Agreement = True,
    queries: _Queries = None,
    corpus: _Corpus = None,
    confidence: ConfidenceOption = 0.95,
    resamples: _Resamples = 1000,
    seed: SeedOption = 1,
    contract: ContractOption = "rankproof",
    rule: RuleOption = None,
    format: FormatOption = OutputFormat.TABLE,  # noqa: A002 - the option's name
    output: _Merged = None,
) -> None:
    """Merge the judgments of several judges, show how well they agree, and list where they differ."""
    from rankproof.cli.inputs import check_outputs, one_stdin
    from rankproof.cli.output import say, show
    from rankproof.cli.progress import counting
    from rankproof.formats import Source
    from rankproof.pool import merge_judges
    from rankproof.pool.judgments import read_kinds
    from rankproof.pool.telling_judges import TIDY_AGREEMENT, agreement_rows
    from rankproof.pool.writing import check_rows_file
    from rankproof.presets import contract as contract_of
    from rankproof.presets import read_rules
    from rankproof.record import record

    paths = [*files, *(path for path in (queries, corpus) if path is not None)]
    one_stdin(*paths)
    check_outputs(paths, output, disputes)
    if disputes is not None:
        check_rows_file(disputes)
    sources = [Source(file) for file in files]
    texts = {role: Source(path) for role, path in (("queries", queries), ("corpus", corpus)) if path is not None}
    with counting("drawing queries again") as on_done:
        found = merge_judges(
            sources,
            resolve=resolve,
            ties=ties,
            kinds=read_kinds(judge or ()),
            reranker_models=reranker_model or (),
            agreement=agreement,
            queries=texts.get("queries"),
            corpus=texts.get("corpus"),
            confidence=confidence,
            resamples=resamples,
            seed=seed,
            on_done=on_done,
            contract=contract_of(contract, **read_rules(rule or ())),
        )
    inputs = [*(("judge", source) for source in sources), *texts.items()]
    found.write(qrels=output, disputes=disputes)
    say(*(f"written to {path}" for path in (output, disputes) if path is not None))
    show(
        format,
        None,
        content=lambda: {**record("judges", inputs), **found.to_dict()},
        rows=lambda: (TIDY_AGREEMENT, agreement_rows(found)),
        tables=found.tables,
        notes=found.notes(),
    )
