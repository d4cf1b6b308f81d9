"""Which queries were answered before an interruption? JSON lines beside the output."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from rankproof.errors import Fault, InputError, seen
from rankproof.model import Ranking

SCHEMA = 1
"""The version of the lines."""

_RESTART = "--restart forgets these answers and asks all queries again"
_NOT_OURS = "is it a file of yours? move it, or name another output"
_PARTS = ("scores", "ranks", "evidence")
_START = b'{"answers": '
"""How a journal begins."""


class Answer(NamedTuple):
    """What an engine answered to one query."""

    ranking: Ranking
    seconds: float  # of the request that was answered
    returned: int  # documents that came, before a cut at k


def journal_of(output: str | Path) -> Path | None:
    """Return where the answers are kept until OUTPUT is written: OUTPUT.answers.jsonl.

    None for standard output, `-`, and for what is no regular file, such as a device: nothing is kept beside it.
    """
    path = Path(output)
    return None if str(output) == "-" or (path.exists() and not path.is_file()) else Path(f"{output}.answers.jsonl")


def forget(journal: str | Path | None) -> None:
    """Remove a journal, once the run is written whole, or to start again; nothing happens where there is none.

    InputError for a file that is no journal, which stays.
    """
    if journal is None:
        return
    path = Path(journal)
    try:
        with path.open("rb") as file:
            _check_start(path, file.read(len(_START)))
        path.unlink()
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(Fault(f"cannot be removed: {error.strerror}", str(journal))) from error


def _check_start(path: Path, start: bytes) -> None:
    """Refuse what is no journal; one that was cut in its first line is one."""
    if not (start.startswith(_START) or _START.startswith(start)):
        raise InputError(Fault("holds no answers of an engine", str(path), 1, hint=_NOT_OURS))


class Journal:
    """Appends an answer a line, each flushed, so that a kill loses no answer that came before.

    The first line says under which settings the answers were made. A last line that was cut is dropped. Nothing is
    written, or given up, before the first answer comes; a journal without an answer is removed in the end.
    """

    def __init__(
        self, path: Path, queries: Mapping[str, str], k: int, engine: Mapping[str, Any], *, restart: bool = False
    ) -> None:
        """Read what is there and open it to append; `answers` holds those of these queries.

        With `restart` the answers there are given up for the first new one. InputError for a journal that belongs to
        other settings, another k or another text of a query, or to none, and for a file that is no journal.
        """
        self.path = path
        self.answers: dict[str, Answer] = {}
        self._lock = Lock()
        head = {"answers": SCHEMA, "rankproof": _version(), "k": k, "engine": dict(engine)}
        self._head = json.loads(json.dumps(head))  # as it reads back: tuples are lists then
        whole = self._lines()
        self._holds_answers = len(whole) > 1
        self._kept = 0  # bytes; with none a head is still to be written
        if self._holds_answers and not restart:
            self._check_head(whole[0])
            for number, line in enumerate(whole[1:], 2):
                self._keep(number, line, queries)
            self._kept = sum(map(len, whole))
        try:
            self._file = open(path, "ab", opener=_for_the_owner)  # noqa: SIM115 - Path's has no opener; see close
        except OSError as error:
            raise InputError(Fault(f"cannot be written: {error.strerror}", str(path))) from error
        self._is_begun = False

    def add(self, query_id: str, text: str, answer: Answer) -> None:
        """Append an answer; may be called from several threads."""
        parts = {name: getattr(answer.ranking, name) for name in _PARTS}
        given = {name: list(part) for name, part in parts.items() if part is not None}
        found = {"doc_ids": list(answer.ranking.doc_ids), **given}
        self._append({"query_id": query_id, "text": text, "seconds": answer.seconds, "of": answer.returned, **found})

    def close(self) -> None:
        """Close the file, which stays if it holds an answer."""
        with self._lock:
            self._file.close()
            if not self._holds_answers and self.path.is_file():
                forget(self.path)

    def _append(self, row: Mapping[str, Any]) -> None:
        with self._lock:
            try:
                if not self._is_begun:
                    self._begin()
                self._file.write(_line(row))
                self._file.flush()
            except OSError as error:
                raise InputError(Fault(f"cannot be written: {error.strerror}", str(self.path))) from error
            self._holds_answers = True

    def _begin(self) -> None:
        """Cut off what is not kept, and write the head where nothing is."""
        self._file.truncate(self._kept)
        if not self._kept:
            self._file.write(_line(self._head))
        self._is_begun = True

    def _lines(self) -> list[bytes]:
        """Return the whole lines; a kill may have cut the last one, and a full disk too."""
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise InputError(Fault(f"cannot be read: {error.strerror}", str(self.path))) from error
        _check_start(self.path, content[: len(_START)])
        lines = content.splitlines(keepends=True)
        return lines if not lines or lines[-1].endswith(b"\n") else lines[:-1]

    def _check_head(self, line: bytes) -> None:
        differing = _differences("", self._row(1, line), self._head)
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


def _for_the_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _line(row: Mapping[str, Any]) -> bytes:
    return json.dumps(row).encode() + b"\n"


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
