"""Arrays as a vector index returns them: a row a query, ids and scores side by side (FAISS, hnswlib, USearch)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from rankproof.errors import Fault, InputError, RankproofWarning
from rankproof.formats.held import held_run
from rankproof.formats.objects import run_of
from rankproof.model import Run

NOTHING = -1
"""The id that an index returns where it found too few."""


def run_from_arrays(
    query_ids: Sequence[object],
    ids: Any,
    scores: Any = None,
    *,
    doc_ids: Sequence[object] | None = None,
    lower_is_better: bool = False,
    name: str = "run",
) -> Run:
    """Return a run from two arrays of shape (queries, k).

    `ids[i, j]` is the j-th result of `query_ids[i]`: a document id, or, with `doc_ids`, an index into these; -1 is an
    empty place. `scores` has the same shape; without it the columns rank. `lower_is_better` is for distances.
    Raises InputError for shapes that do not fit and indexes outside `doc_ids`.
    """
    import numpy as np  # noqa: PLC0415 - loaded for arrays only

    try:
        found, values = np.asarray(ids), None if scores is None else np.asarray(scores, dtype=float)
    except (TypeError, ValueError) as error:  # rows of different lengths, or scores that are no numbers
        raise InputError(
            Fault(f"is no array: {error}", name, expected="rows of one length, scores as numbers")
        ) from error
    if found.ndim != 2 or len(found) != len(query_ids):
        expected = f"({len(query_ids)}, k): a row for each query id"
        raise InputError(Fault(f"ids have the shape {found.shape}", name, expected=expected))
    if values is not None and values.shape != found.shape:
        raise InputError(
            Fault(f"scores have the shape {values.shape}", name, expected=f"that of the ids, {found.shape}")
        )
    if values is not None and not lower_is_better and _all_rise(values):
        text = f"{name}: the scores rise in every row; if they are distances, say lower_is_better=True"
        warnings.warn(text, RankproofWarning, stacklevel=2)
    if values is not None and lower_is_better:
        values = -values
    run: dict[object, Any] = {}
    for row, query_id in enumerate(query_ids):
        places, docs = _documents(found[row], doc_ids, name, str(query_id))
        if values is None:
            run[query_id] = docs
        else:
            pairs = list(zip(docs, values[row][places].tolist(), strict=True))
            run[query_id] = by_doc if len(by_doc := dict(pairs)) == len(pairs) else pairs
    if len(set(map(str, query_ids))) < len(query_ids):
        raise InputError(Fault("a query id comes twice", name, expected="each query once"))
    return held_run(run, name, checked=True) or run_of(run, name)


def _all_rise(values: Any) -> bool:
    """Return whether each row of scores only rises: an index gives the best result first, so they are distances."""
    rises = values[:, 1:] > values[:, :-1]
    return bool(rises.size) and bool(rises.all())


def _documents(row: Any, doc_ids: Sequence[object] | None, name: str, query_id: str) -> tuple[list[int], list[object]]:
    """Return the places of a row that are not empty, and the documents there."""
    found = row.tolist()
    places = [place for place, one in enumerate(found) if one != NOTHING]
    docs = found if len(places) == len(found) else [found[place] for place in places]
    if doc_ids is not None:
        return places, [_doc_id(one, doc_ids, name, query_id) for one in docs]
    return places, list(map(str, docs)) if row.dtype.kind in "iu" else docs


def _doc_id(one: object, doc_ids: Sequence[object], name: str, query_id: str) -> object:
    if not isinstance(one, int) or not 0 <= one < len(doc_ids):
        expected = f"an index from 0 to {len(doc_ids) - 1}"
        raise InputError(Fault(f"result {one!r} is no index into doc_ids", name, query_id=query_id, expected=expected))
    return doc_ids[one]
