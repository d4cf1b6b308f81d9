"""What is searched, and with which queries?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rankproof.errors import Fault, InputError
from rankproof.formats.files import Source
from rankproof.formats.texts import read_texts


@dataclass(frozen=True, slots=True)
class Collection:
    """The texts of documents and queries by id; the documents are empty where no system needs them."""

    documents: Mapping[str, str]
    queries: Mapping[str, str]


def read_collection(
    corpus: str | Path | Source | None,
    queries: str | Path | Source,
    *,
    fields: Sequence[str] | None = None,
    query_fields: Sequence[str] | None = None,
) -> Collection:
    """Return the texts of a corpus and its queries; title and text, or the fields named, are joined by blanks.

    InputError lists a file's faults.
    """
    found = {} if corpus is None else read_texts(corpus, "documents", fields=fields)
    asked = read_texts(queries, "queries", fields=query_fields)
    if not asked:
        raise InputError(Fault("holds no queries", str(queries), expected="one or more"))
    return Collection({one: str(text) for one, text in found.items()}, {one: str(text) for one, text in asked.items()})
