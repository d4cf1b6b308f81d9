"""What can a reranker change on a closed corpus, and what can it not? The fixture, its edits, candidates, ceiling."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from rankproof.errors import Fault, Faults, InputError, seen
from rankproof.formats.files import Given
from rankproof.formats.fixture import Fixture, read_fixture
from rankproof.lab.blocks_json import page_json
from rankproof.lab.closed_corpus_telling import page_of
from rankproof.lab.given import content_of, text_of
from rankproof.model import Run
from rankproof.rerank import ClosedCorpus
from rankproof.rerank import closed_corpus as closed_corpus_of
from rankproof.retrieve import cosine_search

Arguments: TypeAlias = Mapping[str, Any]

NAME = "closed-corpus.json"
MOST = 50
"""As many documents, and as many queries, may stand in the plane."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A fixture whose scores are exactly those that the reranker is asked for, and what was done to get there."""

    fixture: Fixture
    everyone: Run  # all documents by cosine
    unused: Mapping[str, list[str]]  # scored documents that are no candidates, by query
    assumed: Mapping[str, list[str]]  # candidates without a score, taken as 0, by query


def closed_corpus(arguments: Arguments) -> dict[str, Any]:
    """Return the outputs of a fixture, and a page about one of its queries.

    Arguments: `fixture`, its JSON as text or as an object, the packaged one if not given; `query`, the one that is
    looked at, the first if not given. Vectors have two numbers. Unlike the command line, scores of documents that are
    no candidates are left aside and a candidate without a score has 0, as an edited vector makes and unmakes
    candidates; the answer says which.
    """
    first, name = _content(arguments)
    scored = _scored(first, name)
    given = scored.fixture
    query = next(iter(given.vectors)) if arguments.get("query") is None else text_of(arguments, "query")
    if query not in given.vectors:
        raise InputError(Fault("the fixture does not have this query", name, query_id=query))
    found = _outcome(given)
    page = page_of(query, found, scored.everyone, (given, *_packaged()), (scored.unused, scored.assumed))
    return {
        "query": query,
        "fixture": _as_dict(given),
        "unused": scored.unused,
        "assumed": scored.assumed,
        "page": page_json(page),
        "data": found.to_dict(),
    }


def _content(arguments: Arguments) -> tuple[bytes, str]:
    given = arguments.get("fixture")
    if given is None:
        return _packaged_bytes(), NAME
    if isinstance(given, Mapping) and "documents" in given:
        return json.dumps(given).encode(), "fixture"
    found = content_of(arguments, "fixture", "fixture")
    if found is None:
        raise InputError(Fault(f"fixture is {seen(given)}"))
    return found


def _packaged_bytes() -> bytes:
    return (files("rankproof") / "example" / NAME).read_bytes()


@cache
def _packaged() -> tuple[Fixture, ClosedCorpus]:
    given = read_fixture(Given(_packaged_bytes(), NAME))
    return given, closed_corpus_of(Given(_packaged_bytes(), NAME))


def _scored(content: bytes, name: str) -> Scored:
    """Return a fixture with a score for each candidate, and no other."""
    given = read_fixture(Given(content, name))
    _check(given)
    everyone = cosine_search(given.documents, given.vectors, len(given.documents))
    scores, unused, assumed = {}, {}, {}
    for query, ranking in everyone.rankings.items():
        of_query, candidates = given.scores[query], list(ranking.doc_ids[: given.k])
        scores[query] = {doc: of_query.get(doc, 0.0) for doc in candidates}
        unused[query] = [doc for doc in of_query if doc not in candidates]
        assumed[query] = [doc for doc in candidates if doc not in of_query]
    found = Fixture(given.documents, given.vectors, given.judgments, scores, given.k, given.name)
    return Scored(found, everyone, unused, assumed)


def _check(given: Fixture) -> None:
    """Refuse what does not lie in a plane, and more than fits there."""
    faults = Faults()
    where = Fault("", given.name, expected="two, to lie in a plane")
    for kind, vectors in (("doc_id", given.documents), ("query_id", given.vectors)):
        if len(vectors) > MOST:
            faults.add(Fault(f"has {len(vectors)} vectors of one kind", given.name, expected=f"{MOST} at most"))
        for name, vector in vectors.items():
            fault = replace(where, message=f"has {len(vector)} numbers")
            if len(vector) != 2:
                faults.add(replace(fault, doc_id=name) if kind == "doc_id" else replace(fault, query_id=name))
    faults.raise_any()


def _outcome(given: Fixture) -> ClosedCorpus:
    """Return what the library gives, for the same JSON that the command line would read."""
    return closed_corpus_of(Given(json.dumps(_as_dict(given)).encode(), given.name))


def _as_dict(given: Fixture) -> dict[str, Any]:
    return {
        "k": given.k,
        "documents": {doc: list(vector) for doc, vector in given.documents.items()},
        "queries": {
            query: {
                "vector": list(vector),
                "judgments": dict(given.judgments[query]),
                "scores": dict(given.scores[query]),
            }
            for query, vector in given.vectors.items()
        },
    }
