"""Which queries were answered before an interruption? JSON lines beside the output."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from rankproof.errors import Fault, InputError, seen
from rankproof.formats.files import Source
from rankproof.model import Ranking

SCHEMA = 1
"""The version of the lines."""

_RESTART = "--restart forgets these answers and asks all queries again"
_PARTS = ("scores", "ranks", "evidence")


class Answer(NamedTuple):
    """What an engine answered to one query."""

    ranking: Ranking
    seconds: float  # of the request that was answered
    returned: int  # documents that came, before a cut at k


def journal_of(output: str | Path) -> Path:
    """Return where the answers are kept until OUTPUT is written: OUTPUT.answers.jsonl."""
    return Path(f"{output}.answers.jsonl")


def forget(journal: str | Path) -> None:
    """Remove a journal, once the run is written whole, or to start again; nothing happens where there is none."""
    try:
        Path(journal).unlink(missing_ok=True)
    except OSError as error:
        raise InputError(Fault(f"cannot be removed: {error.strerror}", str(journal))) from error


class Journal:
    """Appends an answer a line, each flushed, so that a kill loses no answer that came before.

    The first line says under which settings the answers were made. A last line that was cut is dropped.
    """

    def __init__(self, path: Path, queries: Mapping[str, str], k: int, engine: Mapping[str, Any]) -> None:
        """Read what is there and open it to append; `answers` holds those of these queries.

        InputError for a journal that belongs to other settings, another k or another text of a query, or to none.
        """
        self.path = path
        self.answers: dict[str, Answer] = {}
        self._lock = Lock()
        head = {"answers": SCHEMA, "rankproof": _version(), "k": k, "engine": dict(engine)}
        head = json.loads(json.dumps(head))  # as it reads back: tuples are lists then
        whole = self._lines()
        if whole:
            self._check_head(whole[0], head)
        for number, line in enumerate(whole[1:], 2):
            self._keep(number, line, queries)
        try:
            self._file = path.open("ab")
            self._file.truncate(sum(map(len, whole)))
        except OSError as error:
            raise InputError(Fault(f"cannot be written: {error.strerror}", str(path))) from error
        if not whole:
            self._append(head)

    def add(self, query_id: str, text: str, answer: Answer) -> None:
        """Append an answer; may be called from several threads."""
        parts = {name: getattr(answer.ranking, name) for name in _PARTS}
        given = {name: list(part) for name, part in parts.items() if part is not None}
        found = {"doc_ids": list(answer.ranking.doc_ids), **given}
        self._append({"query_id": query_id, "text": text, "seconds": answer.seconds, "of": answer.returned, **found})

    def close(self) -> None:
        """Close the file, which stays."""
        with self._lock:
            self._file.close()

    def _append(self, row: Mapping[str, Any]) -> None:
        line = json.dumps(row).encode() + b"\n"
        with self._lock:
            try:
                self._file.write(line)
                self._file.flush()
            except OSError as error:
                raise InputError(Fault(f"cannot be written: {error.strerror}", str(self.path))) from error

    def _lines(self) -> list[bytes]:
        """Return the whole lines; a kill may have cut the last one, and a full disk too."""
        if not self.path.exists():
            return []
        with Source(self.path).open() as file:
            lines: list[bytes] = file.read().splitlines(keepends=True)
        return lines if not lines or lines[-1].endswith(b"\n") else lines[:-1]

    def _check_head(self, line: bytes, wanted: Mapping[str, Any]) -> None:
        head = self._row(1, line)
        if "answers" not in head:
            hint = "is it a file of yours? name another output"
            raise InputError(Fault("holds no answers of an engine", str(self.path), 1, hint=hint))
        differing = _differences("", head, wanted)
        if differing:
            message = f"holds answers that were made otherwise: {'; '.join(differing)}"
            raise InputError(Fault(message, str(self.path), 1, hint=_RESTART))

    def _keep(self, number: int, line: bytes, queries: Mapping[str, str]) -> None:
        row = self._row(number, line)
        try:
            query, text = row["query_id"], row["text"]
            ranking = Ranking(row["doc_ids"], *(row.get(name) for name in _PARTS))
            answer = Answer(ranking, row["seconds"], row["of"])
        except (KeyError, TypeError) as error:
            raise InputError(Fault(f"is no answer: {error}", str(self.path), number, hint=_RESTART)) from error
        if query not in queries:
            return  # fewer queries are asked now
        if queries[query] != text:
            message = f"holds the answer to another text, {seen(text)}"
            expected = seen(queries[query])
            raise InputError(Fault(message, str(self.path), number, query_id=query, expected=expected, hint=_RESTART))
        self.answers.setdefault(query, answer)

    def _row(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            row = json.loads(line)
        except ValueError as error:
            raise InputError(Fault(f"is damaged: {error}", str(self.path), number, hint=_RESTART)) from error
        if not isinstance(row, dict):
            raise InputError(Fault("is damaged: no JSON object", str(self.path), number, hint=_RESTART))
        return row


def _version() -> str:
    try:
        return version("rankproof")
    except PackageNotFoundError:  # run from its sources
        return "unknown"


def _differences(place: str, had: Any, wanted: Any) -> list[str]:
    """Return where two settings differ, and how."""
    if isinstance(had, dict) and isinstance(wanted, dict):
        keys = dict.fromkeys([*had, *wanted])
        pairs = ((f"{place}.{key}" if place else key, had.get(key), wanted.get(key)) for key in keys)
        return [one for key, one_had, one_wanted in pairs for one in _differences(key, one_had, one_wanted)]
    return [] if had == wanted else [f"{place} was {seen(had)}, is {seen(wanted)}"]
