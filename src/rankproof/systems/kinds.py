"""Which kinds of search are there, and which options has each? One table, for the command line and for experiments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from rankproof.retrieve.fuse import METHODS as FUSION_METHODS
from rankproof.retrieve.fuse import NORMALIZERS, RRF_K
from rankproof.retrieve.sparse import METHODS as VARIANTS

LIFTED = tuple(name for name, variant in VARIANTS.items() if variant.lifted)
"""The variants of BM25 that know a delta."""

DELTA = 0.5

PLACES = ("run", "engine")
"""The kinds that are named by where they are, not by a method."""

FUSIONS = tuple(FUSION_METHODS)
"""The methods that make one ranking of several systems' rankings."""


def _is_number(value: object) -> bool:
    try:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)
    except OverflowError:  # a whole number beyond the doubles
        return False


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value) and "\0" not in value


def _all(fits: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, (list, tuple)) and bool(value) and all(map(fits, value))


def _is_table(value: object) -> bool:
    if not isinstance(value, Mapping):
        return False
    return all(isinstance(one, (str, int, float)) or _all(_is_text)(one) for one in value.values())


TYPES: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "text": (_is_text, "a text"),
    "file": (_is_text, "a path"),
    "number": (_is_number, "a number"),
    "whole": (_is_whole, "a whole number"),
    "texts": (_all(_is_text), "a list of texts"),
    "numbers": (_all(_is_number), "a list of numbers"),
    "table": (_is_table, "a table of texts"),
}
"""How an option's value is checked, and what is expected."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option: what it holds, what it is without being given, what it says."""

    type: str
    default: Any
    says: str
    needed: bool = False
    choices: tuple[str, ...] = ()

    @property
    def expected(self) -> str:
        """Return what it may hold, in words."""
        return f"{TYPES[self.type][1]}: {self.says}"

    def fits(self, value: object) -> bool:
        """Return whether a value is of its type, and one of its choices where it has any."""
        return TYPES[self.type][0](value) and (not self.choices or value in self.choices)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of search, what it says, its options, and whether it searches the corpus itself."""

    name: str
    says: str
    options: Mapping[str, Option]
    needs_corpus: bool = False


_ANALYZER = Option("text", "words", "how texts become tokens")
_OF = Option("texts", None, "the systems whose rankings are fused", needed=True)
_WEIGHTS = Option("numbers", None, "a weight for each of them")
_NORMALIZE = Option("text", "min-max", "min-max or z-score", choices=tuple(NORMALIZERS))
_SAYS = {
    "comb-sum": "the sum of normalised scores (CombSUM)",
    "comb-mnz": "the sum of normalised scores times how many lists hold the document (CombMNZ)",
}

KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            "bm25",
            "BM25 over the corpus, by the package bm25s; without it `lucene` in plain Python, with the same scores",
            {
                "analyzer": _ANALYZER,
                "variant": Option(
                    "text", "lucene", "lucene, robertson, atire, bm25l or bm25+", choices=tuple(VARIANTS)
                ),
                "k1": Option("number", 1.5, "how soon repeats of a word stop counting"),
                "b": Option("number", 0.75, "how much long documents are held back"),
                "delta": Option("number", None, f"the lower bound of {' and '.join(LIFTED)} ({DELTA})"),
            },
            needs_corpus=True,
        ),
        Kind(
            "lsa",
            "TF-IDF, truncated SVD and cosine: small collections in plain Python, others by scikit-learn",
            {
                "analyzer": _ANALYZER,
                "dimensions": Option("whole", 100, "how many are kept"),
                "seed": Option("whole", 0, "where the random numbers start"),
            },
            needs_corpus=True,
        ),
        Kind(
            "cosine",
            "exact cosine over vectors from files, or of an embedding of yours",
            {
                "vectors": Option("file", None, "vectors of the documents: .npy, .npz, .parquet or JSON"),
                "query-vectors": Option("file", None, "vectors of the queries"),
                "ids": Option("file", None, "document ids of a .npy, one a line"),
                "query-ids": Option("file", None, "query ids of a .npy, one a line"),
                "embed": Option("text", None, "`module:function`, or a name of sentence-transformers"),
            },
        ),
        Kind(
            "rrf",
            "reciprocal rank fusion of other systems",
            {"of": _OF, "weights": _WEIGHTS, "rrf-k": Option("number", RRF_K, "what is added to each rank")},
        ),
        *(Kind(name, says, {"of": _OF, "weights": _WEIGHTS, "normalize": _NORMALIZE}) for name, says in _SAYS.items()),
        Kind("run", "a file of rankings", {"run": Option("file", None, "the file", needed=True)}),
        Kind(
            "engine",
            "a search engine: sqlite:, postgresql:// or http(s)://",
            {
                "engine": Option("text", None, "its address", needed=True),
                "mapping": Option("text", None, "for HTTP: a preset's name, or a TOML file"),
                "set": Option("table", {}, "values of the mapping, such as index"),
                "analyzer": Option("text", None, "tokens made here before the engine's own analysis"),
                "embed": Option("text", None, "makes the vector that the engine is asked with"),
                "concurrency": Option("whole", 4, "queries asked at a time"),
                "retries": Option("whole", 4, "how often a query is asked again"),
                "timeout": Option("number", None, "seconds to wait for an answer"),
            },
        ),
    )
}
"""The kinds by name."""
