"""How is a system that searches here built from its options?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rankproof.errors import Fault, InputError
from rankproof.retrieve.bm25 import BM25
from rankproof.retrieve.lsa import LSA
from rankproof.retrieve.searcher import Searcher
from rankproof.retrieve.sparse import BM25s
from rankproof.systems.collection import Collection

Options = Mapping[str, Any]


def _bm25(options: Options, collection: Collection, _: Path) -> Searcher:
    if options["variant"] == "lucene" and find_spec("bm25s") is None:  # the same scores, to the last bit
        return BM25(collection.documents, **{key: options[key] for key in ("analyzer", "k1", "b")})
    given = {key: options[key] for key in ("analyzer", "k1", "b", "delta")}
    return BM25s(collection.documents, method=options["variant"], **given)


def _lsa(options: Options, collection: Collection, _: Path) -> Searcher:
    return LSA(collection.documents, **options)


def _cosine(options: Options, collection: Collection, folder: Path) -> Searcher:
    from rankproof.formats.vectors import read_vectors  # noqa: PLC0415 - with its own packages
    from rankproof.retrieve.dense import Dense, Vectors  # noqa: PLC0415

    files, embed = [options["vectors"], options["query-vectors"]], options["embed"]
    if (embed is None) == (None in files) or (embed is not None and any(files)):
        given = ", ".join(key for key in ("vectors", "query-vectors", "embed") if options[key] is not None)
        raise InputError(Fault(f"cosine has {given or 'no vectors'}", expected="vectors and query-vectors, or embed"))
    if embed is not None:
        return Dense(collection.documents, callable_of(embed, folder))
    sides = []
    for vectors, ids in ((files[0], options["ids"]), (files[1], options["query-ids"])):
        sides.append(read_vectors(folder / vectors, None if ids is None else folder / ids))
    return Vectors(*sides)


SEARCHERS: Mapping[str, Callable[[Options, Collection, Path], Searcher]] = {
    "bm25": _bm25,
    "lsa": _lsa,
    "cosine": _cosine,
}
"""How each kind that searches here is built."""


def callable_of(given: str, folder: Path = Path()) -> Any:
    """Return the function that `module:function` names, the module found beside too; a name of a model as it is.

    InputError where there is no such module or function.
    """
    module, mark, name = given.partition(":")
    if not mark:
        return given
    try:
        with beside(folder):
            found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise InputError(Fault(f"{given} cannot be loaded: {error}", expected="module:function")) from error
    return found


@contextmanager
def beside(folder: Path) -> Iterator[None]:
    """Let modules that lie in a folder be found."""
    place = str(folder.resolve())
    sys.path.insert(0, place)
    try:
        yield
    finally:
        sys.path.remove(place)
