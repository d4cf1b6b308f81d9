"""`rankproof search`: a run of a method, a fusion of methods, or a search engine."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    pass

_Files = Annotated[
    list[str],
    typer.Argument(
        metavar="CORPUS QUERIES",
        help="Documents and queries: JSON lines (BEIR), CSV, TREC SGML or Parquet; gzip. QUERIES alone with --engine.",
    ),
]
_Output = Annotated[Path, typer.Option("--output", "-o", metavar="RUN", help="The run to write, as TREC; - is stdout.")]
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
    name: Annotated[str | None, typer.Option("--name", help="The run's tag; the method or engine by default.")] = None,
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
    from rankproof.cli.progress import counting_several
    from rankproof.cli.runs import place_of, tag_of, write
    from rankproof.engines import forget, journal_of, name_of
    from rankproof.systems import Surroundings, rank_all, read_collection, systems_of

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
    tag = tag_of(name, (method or "bm25") if engine is None else name_of(engine, mapping))
    systems = systems_of({key: value for key, value in given.items() if value is not None}, method, engine, of, tag)
    corpus, queries = corpus_and_queries(files, systems)
    one_stdin(*(path or "" for path in (corpus, queries, vectors, query_vectors, ids, query_ids)))
    place = place_of(output)
    journal = None if engine is None or place is None else journal_of(place)
    check_outputs([corpus, queries, *(str(path) for system in systems for path in system.files())], place, journal)
    read = corpus if any(system.reads_corpus for system in systems) else None
    _check_said(read, field, is_restart_without_journal=restart and journal is None)
    if read is None and corpus is not None:
        say(f"{corpus} is not read: nothing here needs the texts of the documents")
    collection = read_collection(read, queries, fields=field, query_fields=query_field)
    with counting_several() as tell:
        here = Surroundings(
            journal=journal,
            restart=restart,
            on_answer=None if tell is None else partial(tell, "searching"),
            on_index=None if tell is None else partial(tell, "embedding"),
            one_by_one=False,
        )
        found = rank_all(systems, collection, k, here)
    write(found.run, place, *found.notes)
    forget(journal)


def _check_said(corpus: str | None, fields: list[str] | None, *, is_restart_without_journal: bool) -> None:
    """Refuse options that would be ignored."""
    from rankproof.errors import Fault, InputError

    if is_restart_without_journal:
        expected = "it only with --engine, and a run that goes to a file"
        raise InputError(Fault("--restart is given, and no answers are kept", expected=expected))
    if fields and corpus is None:
        hint = "--query-field chooses what of the queries is asked"
        raise InputError(Fault("--field is given, and no corpus is read here", expected="no --field", hint=hint))
