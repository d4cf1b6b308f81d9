"""How is a system that searches here built from its options?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rankproof.errors import Fault, InputError
from rankproof.retrieve.bm25 import BM25
from rankproof.retrieve.lsa import LSA
from rankproof.retrieve.searcher import Searcher
from rankproof.retrieve.sparse import BM25s
from rankproof.systems.collection import Collection
from rankproof.systems.functions import function_of
from rankproof.systems.kinds import DELTA

Options = Mapping[str, Any]
OnIndex = Callable[[int], None]
"""Told how many documents more are embedded."""


def _bm25(options: Options, collection: Collection, _: Path, __: OnIndex) -> Searcher:
    if options["variant"] == "lucene" and find_spec("bm25s") is None:  # the same scores, to the last bit
        return BM25(collection.documents, **{key: options[key] for key in ("analyzer", "k1", "b")})
    given = {key: options[key] for key in ("analyzer", "k1", "b")}
    delta = DELTA if options["delta"] is None else options["delta"]
    return BM25s(collection.documents, method=options["variant"], delta=delta, **given)


def _lsa(options: Options, collection: Collection, _: Path, __: OnIndex) -> Searcher:
    return LSA(collection.documents, **options)


def _cosine(options: Options, collection: Collection, folder: Path, on_index: OnIndex) -> Searcher:
    from rankproof.formats.vectors import read_vectors  # noqa: PLC0415 - with its own packages
    from rankproof.retrieve.dense import Dense, Vectors  # noqa: PLC0415

    files, embed = [options["vectors"], options["query-vectors"]], options["embed"]
    if (embed is None) == (None in files) or (embed is not None and any(files)):
        given = ", ".join(key for key in ("vectors", "query-vectors", "embed") if options[key] is not None)
        raise InputError(Fault(f"cosine has {given or 'no vectors'}", expected="vectors and query-vectors, or embed"))
    if embed is not None:
        return Dense(collection.documents, function_of(embed, folder), on_done=on_index)
    sides = []
    for vectors, ids in ((files[0], options["ids"]), (files[1], options["query-ids"])):
        sides.append(read_vectors(folder / vectors, None if ids is None else folder / ids))
    return Vectors(*sides)


SEARCHERS: Mapping[str, Callable[[Options, Collection, Path, OnIndex], Searcher]] = {
    "bm25": _bm25,
    "lsa": _lsa,
    "cosine": _cosine,
}
"""How each kind that searches here is built."""
