"""Which runs have been made already, from just these inputs and settings?"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from rankproof.errors import Fault, Faults, InputError, RankproofError
from rankproof.formats import write_run
from rankproof.formats.files import read_through
from rankproof.formats.table import read_run
from rankproof.formats.trec import unwritable
from rankproof.formats.whole import write_whole
from rankproof.model import Ranking, Run
from rankproof.systems import Collection, Ranked
from rankproof.tables import as_json


class Kept(NamedTuple):
    """A run from the store, the hash of its file, and when it was made (UTC)."""

    ranked: Ranked
    sha256: str
    time: str


class Store:
    """A folder of runs. Each has a name of its own, made of all that decides it: another input, another name.

    The run is a TREC file, beside a JSON file of what made it, its times, and its own hash: a run that was changed
    since is not taken.
    """

    def __init__(self, folder: Path) -> None:
        """Name the folder; it is made when a run is kept."""
        self.folder = folder

    def path(self, name: str, key: str) -> Path:
        """Return where a system's run lies, or would."""
        plain = re.sub(r"[^\w.-]", "_", name)[:60]
        return self.folder / f"{plain}-{key[:16]}.run"

    def get(self, name: str, key: str) -> Kept | None:
        """Return what is kept under a key; None where nothing whole and unchanged is."""
        path = self.path(name, key)
        try:
            about = json.loads(path.with_suffix(".json").read_text("utf-8"))
            check = about.pop("check")
            if about["key"] != key or check != key_of(about) or sha256_of(path) != about["sha256"]:
                return None
            run = read_run(path) if path.stat().st_size else Run("", {})
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RankproofError):
            return None
        rankings = {query: run.rankings.get(query, Ranking([], [])) for query in about["queries"]}
        found = Ranked(Run(name, rankings), about["seconds"], about["notes"], about["index_seconds"])
        return Kept(found, about["sha256"], about["time"])

    def forget(self, name: str, key: str) -> None:
        """Take a run out of the store; its file stays until another takes its place."""
        with self._writing():
            self.path(name, key).with_suffix(".json").unlink(missing_ok=True)

    def make_folder(self) -> None:
        """Make the folder where there is none. InputError where that fails."""
        with self._writing():
            self.folder.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise InputError(Fault(f"the store cannot be written: {error.strerror}", str(self.folder))) from error

    def put(self, name: str, key: str, made_of: Mapping[str, Any], ranked: Ranked) -> Kept:
        """Keep a run, in the place of what stands there, and return it as it reads back."""
        self.make_folder()
        path = self.path(name, key)
        held = {query: one for query, one in ranked.run.rankings.items() if len(one.doc_ids)}
        write_run(Run(ranked.run.name, held), path)
        about = {
            "key": key,
            "made_of": made_of,
            "sha256": sha256_of(path),
            "queries": list(ranked.run.rankings),
            "seconds": dict(ranked.seconds),
            "index_seconds": ranked.index_seconds,
            "notes": list(ranked.notes),
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        about = json.loads(json.dumps(about))  # as it reads back
        write_whole(path.with_suffix(".json"), as_json({**about, "check": key_of(about)}))
        kept = self.get(name, key)
        if kept is None:
            raise InputError(Fault("was changed while it was written", str(path), hint="run the experiment again"))
        return kept


def check_ids(collection: Collection) -> None:
    """Refuse ids that a TREC file, and so the store, cannot hold. InputError names each."""
    faults = Faults()
    query, doc = next(iter(collection.queries)), next(iter(collection.documents), "d")
    for one in collection.queries:
        if why := unwritable(one, doc):
            faults.add(Fault(f"cannot be kept in a run: {why}", query_id=one))
    for one in collection.documents:
        if why := unwritable(query, one):
            faults.add(Fault(f"cannot be kept in a run: {why}", doc_id=one))
    faults.raise_any()


def sha256_of(path: str | Path) -> str:
    """Return the hash of a file's bytes. InputError where it cannot be read."""
    return str(read_through(path).sha256)


def key_of(made_of: Mapping[str, Any]) -> str:
    """Return the hash of what decides something, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(made_of, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
