"""`rankproof search` and `rankproof fuse`: they make runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_Files = Annotated[
    list[str],
    typer.Argument(
        metavar="CORPUS QUERIES",
        help="Documents and queries: JSON lines (BEIR), CSV, TREC SGML or Parquet; gzip. QUERIES alone with --engine.",
    ),
]
_Output = Annotated[Path, typer.Option("--output", "-o", metavar="RUN", help="The run to write, as TREC.")]
_Of = Annotated[
    list[str] | None,
    typer.Option("--of", help="What a fusion is made of: bm25, lsa or cosine; bm25 and lsa by default."),
]
_Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A value of the engine's mapping, such as index."),
]


def search(
    files: _Files,
    output: _Output,
    method: Annotated[
        str | None, typer.Option("--method", help="bm25 (default), lsa, cosine, rrf, comb-sum or comb-mnz.")
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="As many documents a query.")] = 1000,
    name: Annotated[str | None, typer.Option("--name", help="The run's tag; the method by default.")] = None,
    field: Annotated[
        list[str] | None,
        typer.Option("--field", help="A field of the corpus to search; title and text by default; may be repeated."),
    ] = None,
    query_field: Annotated[
        list[str] | None, typer.Option("--query-field", help="A field of the queries to ask; may be repeated.")
    ] = None,
    analyzer: Annotated[str | None, typer.Option(help="bm25, lsa: words, english, kiwi, hangul-2-3gram, …")] = None,
    variant: Annotated[str | None, typer.Option(help="bm25: lucene, robertson, atire, bm25l or bm25+.")] = None,
    k1: Annotated[float | None, typer.Option(help="bm25: how soon repeats of a word stop counting (1.5).")] = None,
    b: Annotated[float | None, typer.Option(help="bm25: how much long documents are held back (0.75).")] = None,
    delta: Annotated[float | None, typer.Option(help="bm25l, bm25+: the lower bound (0.5).")] = None,
    dimensions: Annotated[int | None, typer.Option(help="lsa: how many are kept (100).")] = None,
    seed: Annotated[int | None, typer.Option(help="lsa: where the random numbers start (0).")] = None,
    vectors: Annotated[str | None, typer.Option(metavar="FILE", help="cosine: vectors of the documents.")] = None,
    query_vectors: Annotated[str | None, typer.Option(metavar="FILE", help="cosine: vectors of the queries.")] = None,
    ids: Annotated[str | None, typer.Option(metavar="FILE", help="cosine: document ids of a .npy, one a line.")] = None,
    query_ids: Annotated[str | None, typer.Option(metavar="FILE", help="cosine: query ids of a .npy.")] = None,
    embed: Annotated[
        str | None, typer.Option(help="cosine: `module:function`, or a model's name for sentence-transformers.")
    ] = None,
    of: _Of = None,
    weight: Annotated[list[float] | None, typer.Option("--weight", help="Fusion: a weight for each --of.")] = None,
    rrf_k: Annotated[float | None, typer.Option("--rrf-k", help="rrf: what is added to each rank (60).")] = None,
    normalize: Annotated[str | None, typer.Option(help="comb-sum, comb-mnz: min-max or z-score.")] = None,
    engine: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Ask an engine: sqlite:, postgresql://… or http(s)://… (then --mapping)."),
    ] = None,
    mapping: Annotated[str | None, typer.Option(help="engine over HTTP: a preset's name, or a TOML file.")] = None,
    setting: _Set = None,
    concurrency: Annotated[int | None, typer.Option(min=1, help="engine: queries asked at a time (4).")] = None,
    retries: Annotated[int | None, typer.Option(min=0, help="engine: how often a query is asked again (4).")] = None,
    timeout: Annotated[float | None, typer.Option(help="engine: seconds to wait for an answer (30).")] = None,
    restart: Annotated[
        bool, typer.Option("--restart", help="engine: forget the answers of an interrupted search.")
    ] = False,
) -> None:
    """Search a corpus and write the run: BM25, LSA, exact cosine, a fusion of these, or a search engine.

    An interrupted search of an engine goes on where it stopped: answers are kept beside the run until it is whole.
    """
    from rankproof.cli.inputs import check_outputs, corpus_and_queries, one_stdin, settings_in
    from rankproof.cli.output import say
    from rankproof.cli.progress import counting
    from rankproof.engines import forget, journal_of
    from rankproof.formats import write_run
    from rankproof.systems import Surroundings, found_in, rank_all, read_collection, systems_of

    given = {
        "analyzer": analyzer,
        "variant": variant,
        "k1": k1,
        "b": b,
        "delta": delta,
        "dimensions": dimensions,
        "seed": seed,
        "vectors": vectors,
        "query-vectors": query_vectors,
        "ids": ids,
        "query-ids": query_ids,
        "embed": embed,
        "weights": weight,
        "rrf-k": rrf_k,
        "normalize": normalize,
        "mapping": mapping,
        "set": settings_in(setting),
        "concurrency": concurrency,
        "retries": retries,
        "timeout": timeout,
    }
    systems = systems_of({key: value for key, value in given.items() if value is not None}, method, engine, of, name)
    corpus, queries = corpus_and_queries(files, systems)
    inputs = [corpus, queries, vectors, query_vectors, ids, query_ids]
    one_stdin(*(path or "" for path in inputs))
    check_outputs(inputs, output)
    journal = journal_of(output)
    if restart:
        forget(journal)
    collection = read_collection(corpus, queries, fields=field, query_fields=query_field)
    with counting("searching") as on_answer:
        found = rank_all(systems, collection, k, Surroundings(journal=journal, on_answer=on_answer, one_by_one=False))
    say(*found.notes)
    write_run(found.run, output)
    forget(journal)
    say(f"{found_in(found.run)}, written to {output}")


def fuse(
    runs: Annotated[list[str], typer.Argument(metavar="RUN RUN...", help="Two or more rankings of the same queries.")],
    output: _Output,
    method: Annotated[str, typer.Option("--method", help="rrf, comb-sum or comb-mnz.")] = "rrf",
    k: Annotated[int, typer.Option("-k", min=1, help="As many documents a query.")] = 1000,
    name: Annotated[str | None, typer.Option("--name", help="The run's tag; the method by default.")] = None,
    weight: Annotated[
        list[float] | None, typer.Option("--weight", help="A weight for each run; may be repeated.")
    ] = None,
    rrf_k: Annotated[float, typer.Option("--rrf-k", help="rrf: what is added to each rank.")] = 60,
    normalize: Annotated[str, typer.Option("--normalize", help="comb-sum, comb-mnz: min-max or z-score.")] = "min-max",
) -> None:
    """Make one run of several: by ranks (RRF), or by scores brought to one scale (CombSUM, CombMNZ)."""
    from rankproof.cli.inputs import check_outputs, one_stdin
    from rankproof.cli.output import say
    from rankproof.formats import as_runs, write_run
    from rankproof.presets import contract
    from rankproof.retrieve import fuse as fused
    from rankproof.systems import cut, found_in

    one_stdin(*runs)
    check_outputs(runs, output)
    ranked, _ = as_runs(runs, contract())
    how = {"k": rrf_k} if method == "rrf" else {"normalize": normalize}
    found = cut(fused(ranked, method, weights=weight, name=name or method, **how), k)
    write_run(found, output)
    say(f"{found_in(found)}, written to {output}")
