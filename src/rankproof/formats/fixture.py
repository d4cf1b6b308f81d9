"""What is in a fixture of the closed-corpus experiment? One JSON object:

{"about": "…",                                          for people; may be left out
 "k": 2,                                                how many candidates; 2 where it is left out
 "documents": {doc_id: [number, …]},                    the whole corpus, a vector each
 "queries": {query_id: {"vector": [number, …],
                        "judgments": {doc_id: grade},   whole, from 0 on; a document that is not listed has grade 0
                        "scores": {doc_id: number}}}}   the reranker's: one for each candidate, and no other
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any

from rankproof.errors import Fault, Faults, seen
from rankproof.formats.cells import is_text
from rankproof.formats.files import Source
from rankproof.formats.grades import numeric
from rankproof.formats.jsons import parse_json
from rankproof.formats.objects import Pairs

_FIELDS = {"about": False, "k": False, "documents": True, "queries": True}
_QUERY_FIELDS = {"vector": True, "judgments": True, "scores": True}
"""Field to whether it must be there."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """A closed corpus with its queries, judgments and reranker scores, by document and query id."""

    documents: Mapping[str, Sequence[float]]
    vectors: Mapping[str, Sequence[float]]
    judgments: Mapping[str, Mapping[str, int]]
    scores: Mapping[str, Mapping[str, float]]
    k: int
    name: str


def read_fixture(path: str | Path | Source) -> Fixture:
    """Read a fixture. InputError lists its faults, each with its query and document.

    The lengths and sizes of vectors are looked at where they are compared, by the search.
    """
    source = path if isinstance(path, Source) else Source(path)
    return _Reader(source.name).fixture(parse_json(source.text(), source.name))


class _Reader:
    """Reads the parts of a fixture, and collects what is wrong with them."""

    def __init__(self, name: str) -> None:
        self._where = Fault("", name)
        self._faults = Faults()

    def fixture(self, content: object) -> Fixture:
        """Return the fixture."""
        parts = self._fields(content, _FIELDS, replace(self._where, message="the fixture"))
        documents = self._by_id(parts, "documents", self._where)
        queries = {
            query: self._query(part, documents, replace(self._where, query_id=query, message="the query"))
            for query, part in self._by_id(parts, "queries", self._where).items()
        }
        self._check_head(parts, {"documents": documents, "queries": queries})
        vectors = {doc: self._vector(row, replace(self._where, doc_id=doc)) for doc, row in documents.items()}
        self._faults.raise_any()
        return Fixture(
            documents=vectors,
            vectors={query: part["vector"] for query, part in queries.items()},
            judgments={query: part["judgments"] for query, part in queries.items()},
            scores={query: part["scores"] for query, part in queries.items()},
            k=parts.get("k", 2),
            name=str(self._where.file),
        )

    def _add(self, where: Fault, message: str, expected: str | None = None) -> None:
        self._faults.add(replace(where, message=message, expected=expected))

    def _check_head(self, parts: Mapping[str, Any], held: Mapping[str, Mapping[str, object]]) -> None:
        k = parts.get("k", 2)
        if isinstance(k, bool) or not isinstance(k, int) or k < 1:
            self._add(self._where, f"k is {seen(k)}", "a whole number from 1 on")
        if not is_text(parts.get("about", "")):
            self._add(self._where, f"about is {seen(parts['about'])}", "text")
        for key, found in held.items():
            if not found and isinstance(parts.get(key), Pairs):
                self._add(self._where, f"{key} is empty", "one or more, by id")

    def _fields(self, given: object, known: Mapping[str, bool], where: Fault) -> dict[str, Any]:
        """Return an object's fields; a fault for each that is not known, comes twice or is missing."""
        found: dict[str, Any] = {}
        expected = f"an object with {', '.join(known)}"
        if not isinstance(given, Pairs):
            self._add(where, f"{where.message} is {_shown(given)}", expected)
            return found
        for key, value in given:
            if key not in known or key in found:
                what = "comes twice" if key in found else "is not known"
                self._add(where, f"{where.message}: the field {seen(key)} {what}", expected)
            else:
                found[key] = value
        for key in (key for key, needed in known.items() if needed and key not in found):
            self._add(where, f"{where.message}: the field {key} is missing", expected)
        return found

    def _by_id(self, parts: Mapping[str, Any], key: str, where: Fault) -> dict[str, Any]:
        """Return a field's values by id; a fault for an id that is empty or comes twice."""
        found: dict[str, Any] = {}
        given = parts.get(key, Pairs())  # that it is missing is said already
        if not isinstance(given, Pairs):
            self._add(where, f"{key} is {_shown(given)}", "an object by id")
            return found
        for name, value in given:
            if name in found or not name or not is_text(name):
                self._add(where, f"{key}: {seen(name)} {'comes twice' if name in found else 'is no id'}")
            else:
                found[name] = value
        return found

    def _query(self, given: object, documents: Mapping[str, object], where: Fault) -> dict[str, Any]:
        """Return a query's vector, judgments and scores."""
        parts = self._fields(given, _QUERY_FIELDS, where)
        judgments, scores = (self._by_id(parts, key, where) for key in ("judgments", "scores"))
        for doc, grade in judgments.items():
            at = replace(where, doc_id=doc)
            if doc not in documents:
                self._add(at, "is judged, but is not in the corpus")
            if isinstance(grade, bool) or not isinstance(grade, int) or grade < 0:
                self._add(at, f"the grade is {_shown(grade)}", "a whole number from 0 on")
        return {
            "vector": self._vector(parts["vector"], where) if "vector" in parts else [],
            "judgments": judgments,
            "scores": {
                doc: self._number(score, "the score is", replace(where, doc_id=doc)) for doc, score in scores.items()
            },
        }

    def _vector(self, given: object, where: Fault) -> list[float]:
        if not isinstance(given, list) or isinstance(given, Pairs):
            self._add(where, f"the vector is {_shown(given)}", "a list of numbers")
            return []
        return [self._number(number, "the vector holds", where) for number in given]

    def _number(self, given: object, what: str, where: Fault) -> float:
        number = None if isinstance(given, bool) else numeric(given)
        if number is None or not isfinite(number):
            self._add(where, f"{what} {_shown(given)}", "a finite number")
            return 0.0
        return float(number)


def _shown(given: object) -> str:
    """Return a JSON value as a message shows it."""
    return "an object" if isinstance(given, Pairs) else seen(given)
