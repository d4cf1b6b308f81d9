"""Which documents mean what the query means? Exact cosine over an embedding of yours, or over given vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rankproof.arithmetic import check_count
from rankproof.errors import Fault, Faults, InputError
from rankproof.model import Ranking, Run
from rankproof.retrieve import vectors
from rankproof.retrieve.bm25 import check_documents
from rankproof.retrieve.cosine import search_checked
from rankproof.retrieve.embedding import Embed, Model, What, cached, embed_of, embedded
from rankproof.retrieve.vectors import ArraySide, checked, numpy


class Dense:
    """An index over the vectors of texts by document id; `search` embeds queries, and ranks documents by cosine.

    `left_out`: with `skip_empty`, the documents whose vector has no direction (all zeros), in the order given.
    """

    def __init__(  # noqa: PLR0913 - each has a default that serves
        self,
        documents: Mapping[str, str],
        embed: str | Embed,
        *,
        query_embed: Embed | None = None,
        prompt: str | None = None,
        query_prompt: str | None = None,
        model: str | None = None,
        cache: str | Path | None = None,
        batch: int = 64,
        skip_empty: bool = False,
        on_done: Callable[[int], None] | None = None,
        name: str = "dense",
    ) -> None:
        """Embed the documents, `batch` texts at a time; `on_done` is told how many more are done.

        `embed` returns one vector a text: a function of a list of texts, or the name of a model of
        sentence-transformers (extra `embeddings`), which embeds queries with its own prompt for them, if it has one.
        `query_embed` embeds queries instead. `prompt` is put before each document, `query_prompt` before each query.

        `cache`: a folder that keeps the documents' vectors as .npy, found again by a hash of `model` (by default the
        name given), `prompt` and the texts; a function needs a `model` to be kept under. What is found there is not
        told to `on_done`.

        InputError for no documents, and, naming the document, for vectors that are not one a text, of one length,
        finite and with a direction; `skip_empty` leaves out those without one. MissingPackageError for a model without
        sentence-transformers.
        """
        check_documents(documents)
        check_count("batch", batch)
        known = Model(embed) if isinstance(embed, str) else embed
        document_embed = embed_of(known, "document", prompt)
        self._embed_query = embed_of(known if query_embed is None else query_embed, "query", query_prompt)
        self._batch, self._skip_empty, self.name = batch, skip_empty, name
        texts = {doc: str(text) for doc, text in documents.items()}

        def make() -> Any:
            return embedded(texts, document_embed, "document", batch, on_done)

        rows = make() if cache is None else cached(cache, _named(model, embed), prompt, [*texts.values()], make)
        ids, rows, self.left_out = self._with_direction(list(texts), rows, "document")
        self._documents = checked((ids, rows), "document")

    def search(self, queries: Mapping[str, str], k: int) -> Run:
        """Return each query's k nearest documents, equal scores by id; none, with `skip_empty`, for one of zeros.

        InputError, naming the query, as for documents.
        """
        check_count("k", k, InputError)
        texts = {query: str(text) for query, text in queries.items()}
        if not texts:
            return Run(self.name, {})
        rows = embedded(texts, self._embed_query, "query", self._batch)
        ids, rows, empty = self._with_direction(list(texts), rows, "query")
        nothing = dict.fromkeys(empty, Ranking((), ()))
        if not ids:
            return Run(self.name, nothing)
        asked = checked((ids, rows), "query", self._documents.dimension)
        found = {**search_checked(self._documents, asked, k, self.name).rankings, **nothing}
        return Run(self.name, {query: found[query] for query in texts})

    def _with_direction(self, ids: list[str], rows: Any, what: What) -> tuple[list[str], Any, Sequence[str]]:
        """Return ids and rows without those of zeros, and the ids of these; where none is to be skipped, refuse."""
        zeros = ~rows.any(axis=1)
        empty = [one for one, is_empty in zip(ids, zeros.tolist(), strict=True) if is_empty]
        if not empty:
            return ids, rows, ()
        if not self._skip_empty or (what == "document" and len(empty) == len(ids)):
            hint = "drop it, or leave such texts out with skip_empty=True"
            message = "the vector of the text is all zeros: it has no direction"
            faults = Faults()
            for one in empty:
                faults.add(replace(vectors.about(what, one, message), hint=hint))
            faults.raise_any()
        left = set(empty)
        return [one for one in ids if one not in left], rows[~zeros], tuple(empty)


def _named(model: str | None, embed: str | Embed) -> str:
    found = model or (embed if isinstance(embed, str) else None)
    if found is None:
        hint = "say model=…, a name that changes when the function does"
        raise InputError(Fault("a function's vectors cannot be kept without a name", expected="model", hint=hint))
    return found


class Vectors:
    """Vectors of documents and of queries; `search` looks up the queries by id, and ranks documents by cosine.

    Both are {id: [number, …]} or (ids, array), as `read_vectors` returns them.
    """

    def __init__(self, documents: vectors.Vectors, queries: vectors.Vectors, *, name: str = "cosine") -> None:
        """Check the vectors. InputError, with the ids, as `cosine_search`."""
        self._documents = checked(documents, "document")
        self._queries = checked(queries, "query", self._documents.dimension)
        self._places = {query: at for at, query in enumerate(self._queries.ids)}
        self.name = name

    def search(self, queries: Mapping[str, str], k: int) -> Run:
        """Return each query's k nearest documents, equal scores by id; the texts are not looked at.

        InputError for each query that has no vector.
        """
        check_count("k", k, InputError)
        faults = Faults()
        for query in queries:
            if query not in self._places:
                faults.add(Fault("has no vector", query_id=query, expected="a vector for each query"))
        faults.raise_any()
        if not queries:
            return Run(self.name, {})
        at = [self._places[query] for query in queries]
        rows = self._queries.rows
        own = rows[numpy().array(at)] if isinstance(self._queries, ArraySide) else [rows[place] for place in at]
        return search_checked(self._documents, checked((list(queries), own), "query"), k, self.name)
