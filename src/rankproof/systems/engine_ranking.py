"""What does a search engine find, with all that a system of that kind may be given?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rankproof.engines import ask_all, files_of, has_own_index, open_engine
from rankproof.formats.files import read_through
from rankproof.formats.trec import unwritable
from rankproof.retrieve.embedding import Model, embed_of
from rankproof.systems.collection import Collection
from rankproof.systems.functions import function_of, source_of
from rankproof.systems.ranked import Ranked, Surroundings, cut
from rankproof.systems.system import System
from rankproof.words import query_count


def of_engine(
    system: System, collection: Collection, k: int, here: Surroundings, tell: Callable[[str], None]
) -> Ranked:
    """Return what a search engine answers to the queries, under the system's name. InputError where it does not."""
    options = system.options
    deep = k if has_own_index(options["engine"]) else k + 1  # one more shows whether the cut parts equal scores
    query_embed, document_embed = _embeds(options["embed"], here.folder)
    engine = open_engine(
        address(options["engine"], here.folder),
        documents=collection.documents or None,
        mapping=_mapping(options["mapping"], here.folder),
        settings={key: _spelled(value) for key, value in options["set"].items()},
        timeout=options["timeout"],
        analyzer=options["analyzer"],
        embed=query_embed,
        document_embed=document_embed,
    )
    try:
        asked = ask_all(
            engine,
            collection.queries,
            deep,
            concurrency=options["concurrency"],
            retries=options["retries"],
            journal=here.journal,
            settings=_embedded_by(options["embed"], here.folder),
            on_answer=tell,
            name=system.name,
            restart=here.restart,
            unwritable=unwritable,
        )
    finally:
        engine.close()
    run, notes = cut(asked.run, k)
    if asked.resumed:
        notes.append(f"{system.name}: {query_count(asked.resumed)} had been answered before an interruption")
    return Ranked(run, asked.seconds, [*asked.notes, *notes])


def address(url: str, folder: Path) -> str:
    """Return an engine's address; the file of a database is found from the folder."""
    files = files_of(url)
    return f"sqlite:{folder / files[0]}" if files else url


Embeds = Callable[[Sequence[str]], Any]


def _embeds(given: str | None, folder: Path) -> tuple[Embeds | None, Embeds | None]:
    """Return what makes vectors of queries, and of documents: a function, or both encoders of a model by its name."""
    if given is None:
        return None, None
    found = function_of(given, folder)
    model = Model(found) if isinstance(found, str) else found
    of_queries, of_documents = embed_of(model, "query", None), embed_of(model, "document", None)
    return (lambda texts: of_queries(list(texts))), (lambda texts: of_documents(list(texts)))


def _embedded_by(embed: str | None, folder: Path) -> dict[str, Any]:
    """Return what makes an engine's vectors, for its journal: another function, or another text of it, is another."""
    if embed is None:
        return {}
    sha256 = source_of(embed, folder, lambda path: str(read_through(path).sha256))
    return {"embed": {"function": embed, "sha256": sha256}}


def _spelled(value: object) -> str:
    """Return a setting as the command line spells it."""
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _mapping(given: str | None, folder: Path) -> Any:
    """Return a mapping's file beside the experiment, or its name as it is."""
    if given is None or not given.endswith(".toml"):
        return given
    return folder / given
