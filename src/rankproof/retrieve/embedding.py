"""How do texts become vectors? By a function, or by a model of sentence-transformers; only once, where a cache is."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from rankproof.errors import Fault, InputError, MissingPackageError, seen
from rankproof.retrieve.vectors import about, numpy

Embed: TypeAlias = Callable[[list[str]], Any]
"""Returns one vector a text: an array of shape (texts, dimensions), or what becomes one."""

What: TypeAlias = Literal["document", "query"]


class Model:
    """A model of sentence-transformers, which knows queries from documents if it was trained to."""

    def __init__(self, name: str) -> None:
        """Load a model by its name or its folder. MissingPackageError without sentence-transformers."""
        try:
            from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - an extra that takes seconds to load
        except ImportError as error:
            hint = 'pip install "rankproof[embeddings]"'
            message = f"embedding with {name} needs the package sentence-transformers"
            raise MissingPackageError(Fault(message, hint=hint)) from error
        self.name = name
        self._model = SentenceTransformer(name)

    def embed_of(self, what: What, prompt: str | None) -> Embed:
        """Return its encoder for documents or for queries, or the one for all texts with the prompt that is given."""
        own = getattr(self._model, f"encode_{what}", None) if prompt is None else None
        encode = self._model.encode if own is None else own
        options: dict[str, Any] = {} if prompt is None else {"prompt": prompt}
        return lambda texts: encode(texts, batch_size=len(texts), show_progress_bar=False, **options)


def embed_of(given: Embed | Model, what: What, prompt: str | None) -> Embed:
    """Return how texts of one kind become vectors. InputError for what is no function."""
    if isinstance(given, Model):
        return given.embed_of(what, prompt)
    if not callable(given):
        expected = "a function of a list of texts, or the name of a sentence-transformers model"
        raise InputError(Fault(f"{seen(given)} embeds nothing", expected=expected))
    return (lambda texts: given([f"{prompt}{text}" for text in texts])) if prompt else given


def embedded(
    texts: dict[str, str], embed: Embed, what: What, batch: int, on_done: Callable[[int], None] | None = None
) -> Any:
    """Return an array, a row for each of the texts, which stand by their ids.

    `on_done` is told, time and again, how many texts more are done. InputError, with the id of the first text of the
    batch, where `embed` does not return as many vectors as it was given texts, all of one length.
    """
    ids, found = list(texts), list[Any]()
    for start in range(0, len(ids), batch):
        part = ids[start : start + batch]
        rows = _rows(embed([texts[one] for one in part]), part, what)
        if found and rows.shape[1] != found[0].shape[1]:
            message = f"embed returned vectors of {rows.shape[1]} dimensions from this {what} on"
            raise InputError(replace(about(what, part[0], message), expected=f"{found[0].shape[1]}, as before"))
        found.append(rows)
        if on_done is not None:
            on_done(len(part))
    return numpy().concatenate(found)


def _rows(given: Any, ids: Sequence[str], what: What) -> Any:
    """Return what `embed` returned as an array of as many rows as ids."""
    np = numpy()
    expected = f"{len(ids)} vectors of numbers, an array of shape ({len(ids)}, dimensions)"
    try:
        rows = np.asarray(given)
    except (TypeError, ValueError) as error:  # rows of different lengths, say
        message = f"embed returned no array for the texts from this {what} on: {error}"
        raise InputError(replace(about(what, ids[0], message), expected=expected)) from error
    if rows.ndim != 2 or len(rows) != len(ids) or rows.dtype.kind not in "fiu":
        message = f"embed returned {rows.dtype} of shape {rows.shape} for the texts from this {what} on"
        raise InputError(replace(about(what, ids[0], message), expected=expected))
    return rows


def cached(folder: str | Path, model: str, prompt: str | None, texts: Sequence[str], make: Callable[[], Any]) -> Any:
    """Return the vectors that a folder keeps for a model, a prompt and these texts in this order; make and keep them.

    The file's name is a hash of all of these, so that a change of any makes new vectors. InputError for a file that is
    no such array, and for a folder that cannot be written to.
    """
    np = numpy()
    path = Path(folder) / f"{_key(model, prompt, texts)}.npy"
    if path.is_file():
        try:
            rows = np.load(path, mmap_mode="r", allow_pickle=False)
        except (ValueError, EOFError, OSError) as error:
            raise InputError(Fault(f"is damaged: {error}", str(path), hint="delete it")) from error
        if rows.ndim != 2 or len(rows) != len(texts):
            message = f"holds an array of shape {rows.shape}"
            raise InputError(Fault(message, str(path), expected=f"({len(texts)}, dimensions)", hint="delete it"))
        return rows
    rows = make()
    _keep(path, rows)
    return rows


def _key(model: str, prompt: str | None, texts: Sequence[str]) -> str:
    key = hashlib.sha256()
    for part in (model, "" if prompt is None else f"prompt {prompt}", *texts):
        content = part.encode("utf-8", "surrogatepass")
        key.update(len(content).to_bytes(8, "big") + content)
    return key.hexdigest()[:32]


def _keep(path: Path, rows: Any) -> None:
    """Write an array beside its place, then rename it: a file that is there is whole."""
    part = path.with_suffix(f".{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("xb") as file:
            numpy().save(file, rows, allow_pickle=False)
        part.replace(path)
    except OSError as error:
        raise InputError(Fault(f"cannot be written: {error.strerror or error}", str(path))) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
