"""How does a corpus become an FTS5 table? Once, whole or not at all."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from rankproof.engines.corpus import analyzer_name, sha256_of, storable
from rankproof.errors import Fault, InputError
from rankproof.retrieve.text import Analyzer, analyzer_of

TOKENIZERS: Mapping[str, str] = {
    "unicode61": "words in lower case, without diacritics",
    "porter unicode61": "these, stemmed by Porter's rules for English",
    "trigram": "every three characters in a row: finds any part of a word from three characters on",
}
"""FTS5's tokenizers that an index of ours may have."""

_KEPT_WHOLE = "ascii tokenchars '_'"
"""The tokenizer for tokens that an analyzer made: it parts what `kept` returns at blanks alone."""

PATIENCE = 30.0
"""How many seconds a file that another program has locked is waited for."""

_ESCAPED = re.compile("[^a-z0-9\x80-\ud7ff\ue000-\U0010ffff]")

_LAYOUT = "1"
"""Enters the hash: a release that builds another table counts up."""


class Plan(NamedTuple):
    """What was asked for."""

    path: Path | None  # None: in memory
    settings: Mapping[str, str]
    analyzer: str | Analyzer | None
    sha256: str = ""  # of what is to be indexed; empty: nothing

    @property
    def about(self) -> Mapping[str, str]:
        """Return what decides the answers."""
        said = {"path": self.source, "analyzer": analyzer_name(self.analyzer), "sha256": self.sha256}
        return {**{name: value for name, value in self.settings.items() if name != "rebuild"}, **said}

    @property
    def source(self) -> str:
        """Return what messages call the place."""
        return "sqlite:" if self.path is None else str(self.path)

    @property
    def table(self) -> str:
        """Return the table's name."""
        return self.settings["table"]

    @property
    def tokenize(self) -> str:
        """Return the tokenizer of an index that we build."""
        return self.settings["tokenize"] if self.analyzer is None else _KEPT_WHOLE


class Made(NamedTuple):
    """What the file says of a table that rankproof built."""

    sha256: str
    analyzer: str  # its name; empty: FTS5's own tokenizer


def connect(database: str, *, uri: bool = False) -> sqlite3.Connection:
    """Return a connection that threads may use in turn, and that leaves transactions to us."""
    return sqlite3.connect(database, uri=uri, timeout=PATIENCE, isolation_level=None, check_same_thread=False)


def quoted(name: str) -> str:
    """Return a name, or a string of FTS5, in double quotes."""
    return '"' + name.replace('"', '""') + '"'


def kept(token: str) -> str:
    """Return a token spelled so that the index keeps it whole, and no other token becomes the same."""
    return _ESCAPED.sub(lambda found: f"_{ord(found[0]):02x}", token) or "_"


def rows_of(documents: Mapping[str, str], analyzer: str | Analyzer | None) -> list[tuple[str, str]]:
    """Return what is indexed: ids, ascending, and texts, or the tokens made of them."""
    if analyzer is None:
        return [(doc, storable(documents[doc])) for doc in sorted(documents)]
    tokens_of = analyzer_of(analyzer)
    return [(doc, " ".join(map(kept, tokens_of(storable(documents[doc]))))) for doc in sorted(documents)]


def sha256_of_rows(plan: Plan, rows: Sequence[tuple[str, str]]) -> str:
    """Return the hash of what is indexed, and how."""
    return sha256_of(rows, _LAYOUT, plan.tokenize, analyzer_name(plan.analyzer), plan.settings["id"])


def made(connection: sqlite3.Connection, table: str) -> Made | None:
    """Return what is known of a table of ours; None for any other."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'rankproof_made'").fetchone():
        return None
    row = connection.execute("SELECT sha256, analyzer FROM rankproof_made WHERE name = ?", (table,)).fetchone()
    return None if row is None else Made(*row)


def build_in_file(plan: Plan, rows: Sequence[tuple[str, str]]) -> None:
    """Build the index unless the file holds it already. InputError where it holds another one, or cannot."""
    path = Path(plan.source)
    is_new = not path.exists()
    try:
        with closing(connect(str(path))) as connection:
            connection.execute("BEGIN IMMEDIATE")
            if not _is_there(plan, connection):
                build(plan, connection, rows)
            connection.execute("COMMIT")
    except BaseException as error:
        if is_new:
            with suppress(OSError):
                path.unlink()
        if isinstance(error, sqlite3.Error):
            raise InputError(Fault(f"cannot be built: {error}", plan.source)) from error
        raise


def _is_there(plan: Plan, connection: sqlite3.Connection) -> bool:
    """Return whether the file holds this very index; drop another one if that was asked for."""
    known = made(connection, plan.table)
    if known is None:
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (plan.table,)).fetchone():
            hint = "search it without a corpus, or choose another name by the setting table"
            raise InputError(Fault(f"rankproof did not make the table {plan.table!r}", plan.source, hint=hint))
        return False
    if known.sha256 == plan.sha256:
        return True
    if plan.settings["rebuild"] != "true":
        message = f"the table {plan.table!r} was built from another corpus, or in another way"
        hint = "rebuild=true replaces it, table=NAME builds another one beside it"
        raise InputError(Fault(message, plan.source, hint=hint))
    connection.execute(f"DROP TABLE {quoted(plan.table)}")
    return False


def build(plan: Plan, connection: sqlite3.Connection, rows: Sequence[tuple[str, str]]) -> None:
    """Make and fill the table, and note from what. sqlite3.Error where SQLite cannot."""
    table, column, tokenize = quoted(plan.table), quoted(plan.settings["id"]), plan.tokenize.replace("'", "''")
    connection.execute(f"CREATE VIRTUAL TABLE {table} USING fts5({column} UNINDEXED, text, tokenize='{tokenize}')")
    connection.executemany(f"INSERT INTO {table} VALUES (?, ?)", rows)  # noqa: S608 - the name is quoted
    connection.execute("CREATE TABLE IF NOT EXISTS rankproof_made (name TEXT PRIMARY KEY, sha256 TEXT, analyzer TEXT)")
    about = (plan.table, plan.sha256, analyzer_name(plan.analyzer))
    connection.execute("INSERT OR REPLACE INTO rankproof_made VALUES (?, ?, ?)", about)
