"""Which judgments does a nested JSON of a search team's tool hold: OpenSearch, Elasticsearch, RRE, Quepid?

Queries that such a tool knows by their text alone have that text as their id.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from rankproof.arithmetic import number_of
from rankproof.errors import Fault, Faults, RankproofWarning, seen
from rankproof.formats.cells import Cells
from rankproof.formats.objects import Pairs
from rankproof.words import counted


class _Place(NamedTuple):
    """Where in the file something is looked for: the faults, the file's name, the path of keys."""

    faults: Faults
    name: str
    path: str

    def at(self, *more: object) -> _Place:
        return self._replace(path=".".join([self.path, *map(str, more)]).lstrip("."))

    def refuse(self, given: object, expected: str) -> None:
        self.faults.add(Fault(f"{self.path} is {seen(given, 60)}", self.name, expected=expected))


def _fields(given: Any, place: _Place, *wanted: str) -> dict[str, Any]:
    """Return an object's fields; none, and a fault, where it is no object or lacks one that is wanted."""
    if not isinstance(given, Pairs):
        place.refuse(given, "an object")
        return {}
    fields = dict(given)
    if len(fields) < len(given):
        place.refuse("an object with a key that comes twice", "each key once")
        return {}
    if lacking := [one for one in wanted if one not in fields]:
        place.refuse(dict(list(fields.items())[:3]), f"an object with {' and '.join(lacking)}")
        return {}
    return fields


def _items(given: Any, place: _Place) -> Iterator[tuple[Any, _Place]]:
    if not isinstance(given, list) or isinstance(given, Pairs):
        place.refuse(given, "a list")
        return
    for number, one in enumerate(given, 1):
        yield one, place.at(f"no. {number}")


def _pairs(given: Any, place: _Place) -> Iterator[tuple[str, Any]]:
    if isinstance(given, Pairs):
        yield from given
    else:
        place.refuse(given, "an object")


def _rated(given: Any, place: _Place, query: str, doc: str) -> Iterator[Cells]:
    """Yield the judgments of a list of queries, each under a field, with a list of ratings that name documents."""
    for one, here in _items(given, place):
        fields = _fields(one, here, query, "ratings")
        for rating, there in _items(fields["ratings"], here.at("ratings")) if fields else ():
            if rated := _fields(rating, there, doc, "rating"):
                yield Cells(None, fields[query], rated[doc], rated["rating"])


def _topics(given: Any, place: _Place) -> Iterator[Cells]:
    for one, here in _items(given, place):
        if topic := _fields(one, here, "query_groups"):
            yield from _groups(topic["query_groups"], here.at("query_groups"))


def _groups(given: Any, place: _Place) -> Iterator[Cells]:
    for one, here in _items(given, place):
        if group := _fields(one, here, "queries", "relevant_documents"):
            for query, there in _items(group["queries"], here.at("queries")):
                if fields := _fields(query, there, "placeholders"):
                    yield from _rre(fields, group["relevant_documents"], there)


def _queries(given: Any, place: _Place) -> Iterator[Cells]:
    """Yield the judgments of a list of queries, of RRE or of Quepid."""
    for one, here in _items(given, place):
        fields = _fields(one, here)
        if "placeholders" in fields and "relevant_documents" in fields:
            yield from _rre(fields, fields["relevant_documents"], here)
        elif "ratings" in fields and (name := next((key for key in ("query", "query_text") if key in fields), None)):
            for doc, grade in _pairs(fields["ratings"], here.at("ratings")):
                yield Cells(None, fields[name], doc, grade)
        elif fields:
            expected = "an object with query and ratings, or placeholders and relevant_documents"
            here.refuse(dict(list(fields.items())[:3]), expected)


def _rre(query: Mapping[str, Any], documents: Any, place: _Place) -> Iterator[Cells]:
    """Yield the judgments of one query: its documents by grade, or each with its gain."""
    texts = _fields(query["placeholders"], place.at("placeholders"), "$query")
    if not texts:
        return
    for key, held in _pairs(documents, place.at("relevant_documents")):
        if isinstance(held, Pairs):
            if fields := _fields(held, place.at("relevant_documents", key), "gain"):
                yield Cells(None, texts["$query"], key, fields["gain"])
        elif number_of(key) is None:
            place.at("relevant_documents").refuse(key, "a grade with its documents, or a document with its gain")
        else:
            for doc, _ in _items(held, place.at("relevant_documents", key)):
                yield Cells(None, texts["$query"], doc, key)


def _book(given: Any, place: _Place) -> Iterator[Cells]:
    left_out = 0
    for one, here in _items(given, place):
        pair = _fields(one, here, "query_text", "doc_id", "judgements")
        for judgement, there in _items(pair["judgements"], here.at("judgements")) if pair else ():
            fields = _fields(judgement, there, "rating")
            if fields and fields["rating"] is None:  # could not be rated, or is left for later
                left_out += 1
            elif fields:
                yield Cells(None, pair["query_text"], pair["doc_id"], fields["rating"])
    if left_out:
        text = f"{place.name}: {counted(left_out, 'rating')} left out: null is no grade"
        warnings.warn(text, RankproofWarning, stacklevel=2)


SHAPES: Mapping[str, tuple[str, Callable[[Any, _Place], Iterator[Cells]]]] = {
    "judgmentRatings": ("OpenSearch", partial(_rated, query="query", doc="docId")),
    "requests": ("Elasticsearch", partial(_rated, query="id", doc="_id")),
    "topics": ("RRE", _topics),
    "query_groups": ("RRE", _groups),
    "queries": ("RRE or Quepid", _queries),
    "query_doc_pairs": ("Quepid", _book),
}
"""What nested ratings stand under: whose they are, and how they are read."""


def key_of(content: object) -> str | None:
    """Return the key that ratings stand under; None for what is no such file."""
    if not isinstance(content, Pairs):
        return None
    return next(
        (key for key, value in content if key in SHAPES and isinstance(value, list) and not _plain(value)), None
    )


def _plain(value: object) -> bool:
    """Return whether a value is what a query of a plain JSON run or qrels holds."""
    return isinstance(value, Pairs) or (isinstance(value, list) and not any(isinstance(one, Pairs) for one in value))


def ratings_of(content: Pairs, key: str, faults: Faults, name: str) -> Iterator[Cells]:
    """Yield the judgments under a key; a fault for each part that is not what such files hold."""
    several = [other for other, value in content if other in SHAPES and not _plain(value)]
    if len(several) > 1:
        faults.add(Fault(f"holds ratings under {' and '.join(several)}", name, expected="one of them"))
    yield from SHAPES[key][1](dict(content)[key], _Place(faults, name, key))
