"""What does an audit look at: splits, families, judgments, documents, files that were tuned on?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from rankproof.contract import Contract
from rankproof.errors import Fault, Faults, InputError, nearest, seen
from rankproof.formats import Source, as_qrels, read_families
from rankproof.formats.texts import as_texts, texts_in
from rankproof.model import Grade, Qrels
from rankproof.splits.groups import declared_families
from rankproof.splits.near import OnDone, Wording, wording_of
from rankproof.splits.queries import ASKED, Queries, Query, read_queries
from rankproof.splits.split import Split
from rankproof.splits.tuned import ids_in


class Likeness(NamedTuple):
    """From which similarity on texts are near, and how they are found."""

    near: float  # of the words of two queries
    near_grams: float  # of their pairs of characters
    verbatim: float  # of a query and a document
    near_by: str


class Node(NamedTuple):
    """A query in its split, and how it is compared."""

    split: str
    query: Query
    wording: Wording


class Document(NamedTuple):
    """One part of a document: its title, its text, or both."""

    doc_id: str
    part: str
    text: str


@dataclass(frozen=True)
class Material:
    """All that is looked at; None where it was not given."""

    splits: Mapping[str, Queries]
    test: str
    family_of: Mapping[tuple[str, str], str]  # by split and query_id: an id may stand in two splits
    judgments: Qrels | None
    corpus: Any
    tuned_on: Mapping[str, AbstractSet[str]] | None  # by file, query ids
    contract: Contract
    likeness: Likeness
    on_done: OnDone | None

    @cached_property
    def nodes(self) -> Sequence[Node]:
        """Return the queries of all splits, the test split's first."""
        ordered = sorted(self.splits, key=lambda name: name != self.test)
        return [Node(name, query, wording_of(str(query.text))) for name in ordered for query in self.splits[name].items]

    @property
    def alone(self) -> bool:
        """Return whether the test split has no other to be compared with."""
        return sum(len(queries) > 0 for queries in self.splits.values()) < 2

    @property
    def test_ids(self) -> Sequence[str]:
        """Return the query ids of the test split."""
        return [query.query_id for query in self.splits[self.test].items]

    def documents(self) -> Iterator[Document]:
        """Yield title, text, and both joined, of each document, one by one: the texts of the corpus are not held."""
        if isinstance(self.corpus, (str, Path, Source)):
            source = self.corpus if isinstance(self.corpus, Source) else Source(self.corpus)
            parts = ((one, text) for _, one, text in texts_in(source, "documents"))
        else:
            parts = ((one, text) for one, text in as_texts(self.corpus, "documents").items())
        for doc_id, (title, text) in parts:
            both = [("title and text", f"{title} {text}")] if title and text else []
            yield from (
                Document(doc_id, part, said) for part, said in (("title", title), ("text", text), *both) if said
            )


def splits_of(given: Any) -> dict[str, Queries]:
    """Return the queries of each split by name: of a `Split`, a mapping name to queries, or files named by their stem.

    InputError for splits of one name, and for queries without text.
    """
    if isinstance(given, Split):
        found = {name: Queries(part, given.queries.source) for name, part in given.parts.items()}
    elif isinstance(given, Mapping):
        found = {str(name): read_queries(queries) for name, queries in given.items()}
    elif isinstance(given, (list, tuple)) and all(isinstance(one, (str, Path, Source)) for one in given):
        sources = [one if isinstance(one, Source) else Source(one) for one in given]
        stems = [source.stem for source in sources]
        if twice := [stem for stem in stems if stems.count(stem) > 1]:
            hint = "in Python a mapping of name to file, at the command line NAME=FILE"
            raise InputError(Fault(f"two splits are called {twice[0]}", expected="a name for each", hint=hint))
        found = {source.stem: read_queries(source) for source in sources}
    else:
        expected = "a mapping of name to queries, a list of files, or what split_queries gave"
        raise InputError(Fault(f"splits cannot be {seen(given)}", expected=expected))
    faults = Faults()
    for queries in found.values():
        for query in queries.items:
            if query.text is None:
                faults.add(queries.fault(query, "has no text", expected=f"one of {', '.join(ASKED)}"))
    faults.raise_any()
    return found


def test_split_of(splits: Mapping[str, Queries], given: str | None) -> str:
    """Return which split is the test: the one that is named, else the one called test, else the last.

    InputError for a name that no split has, and for a test split without queries.
    """
    if given is not None and given not in splits:
        hint = f"did you mean {nearest(given, splits, 1)}?"
        raise InputError(Fault(f"no split is called {given}", expected=f"one of {', '.join(splits)}", hint=hint))
    found = given if given is not None else "test" if "test" in splits else next(iter([*splits][-1:]), None)
    if found is None or not splits[found].items:
        raise InputError(Fault("the test split holds no queries", expected="one query or more"))
    return found


def families_of(splits: Mapping[str, Queries], families: Any) -> dict[tuple[str, str], str]:
    """Return the family of each query that has one, by split and query_id: a file's, else the records' own."""
    given = None if families is None else read_families(families)
    found: dict[tuple[str, str], str] = {}
    for name, queries in splits.items():
        known = declared_families(queries.items) if given is None else given
        found |= {(name, one.query_id): known[one.query_id] for one in queries.items if one.query_id in known}
    return found


def tuned_of(given: Any) -> dict[str, set[str]]:
    """Return the query ids of each file, or mapping, that was tuned on. InputError for what holds none."""
    found: dict[str, set[str]] = {}
    for one in given if isinstance(given, (list, tuple)) else [given]:
        name, ids = ids_in(one)
        found.setdefault(name, set()).update(ids)
    return found


def judgments_of(given: Any, contract: Contract) -> Qrels:
    """Return the judgments of one object, or of several files and mappings together.

    InputError where two of them judge one document of a query otherwise.
    """
    several = isinstance(given, (list, tuple)) and all(isinstance(one, (str, Path, Source, Mapping)) for one in given)
    found: dict[str, dict[str, Grade]] = {}
    faults = Faults()
    for one in given if several else [given]:
        file = one.name if isinstance(one, Source) else str(one) if isinstance(one, (str, Path)) else None
        for query, grades in as_qrels(one, contract).items():
            held = found.setdefault(query, {})
            for doc, grade in grades.items():
                if held.setdefault(doc, grade) != grade:
                    message = f"is graded {grade} here, {held[doc]} in judgments given before"
                    faults.add(Fault(message, file, query_id=query, doc_id=doc, expected="one grade"))
    faults.raise_any()
    return found
