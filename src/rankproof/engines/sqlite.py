"""What does SQLite's full-text search, FTS5, find?"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TypeAlias

from rankproof.arithmetic import check_count
from rankproof.engines.connections import Connections
from rankproof.engines.corpus import A_FUNCTION, Documents, analyzer_name, documents_of, storable
from rankproof.engines.engine import EngineError
from rankproof.engines.hiding import without_user
from rankproof.engines.sql_settings import BOOLEAN, Setting, chosen, numbers_in, refuse_unused
from rankproof.engines.sqlite_index import (
    TOKENIZERS,
    Plan,
    build,
    build_in_file,
    connect,
    kept,
    made,
    quoted,
    rows_of,
    sha256_of_rows,
)
from rankproof.errors import Fault, InputError
from rankproof.model import Ranking
from rankproof.retrieve.text import Analyzer, analyzer_of

SPLITS: Mapping[str, str] = {
    "letters": r"(?:[^\W_]|[\u0300-\u036f])+",  # as unicode61 parts words: an underscore ends one, an accent does not
    "white-space": r"\S+",
}
"""What is one word of a query, as a regular expression."""

SETTINGS: Mapping[str, Setting] = {
    "table": Setting("rankproof", "the table's name"),
    "id": Setting("doc_id", "the column of document ids; `rowid` is one, too, in a table of yours"),
    "tokenize": Setting("unicode61", "FTS5's tokenizer of an index to build", tuple(TOKENIZERS)),
    "split": Setting(
        "letters", "what is one word of a query; FTS5 reads a word that it parts as a phrase", tuple(SPLITS)
    ),
    "weights": Setting("", "a weight for each of the table's columns, with commas; 1 each without"),
    "rebuild": Setting("false", "whether an index of another corpus in the file is replaced", BOOLEAN),
}
"""The settings by name."""

TIMEOUT = 30.0
"""Seconds that a query may take, where nothing else is said."""

_STEPS = 1000
"""SQLite looks at the clock after so many steps of its machine."""

_PASSING = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
"""Errors that another try may not meet: another program has locked the file."""

_MOST = 1 << 62
"""More documents than SQLite can be asked for."""

_Match: TypeAlias = Callable[[str], str]
"""Returns the FTS5 expression for a query's text; empty where the text holds no word."""


class SQLite:
    """Ranks the rows of an FTS5 table by bm25(), negated so that higher is better; equal scores by document id.

    FTS5 fixes k1 = 1.2 and b = 0.75; its idf is ln((N - n + 0.5) / (n + 0.5)), but 0.000001 where that is not above 0.
    Rows that hold any word of the query are found. Words are only words, whatever operator they spell; one that comes
    twice counts twice.
    """

    name = "sqlite"

    def __init__(
        self, plan: Plan, connections: Connections[sqlite3.Connection], select: str, match: _Match, timeout: float
    ) -> None:
        """Ask by the statement `select`, its parameters the expression and k, for at most `timeout` seconds."""
        self.settings = plan.about
        self._timeout = timeout
        self._source = plan.source
        self._connections = connections
        self._select = select
        self._match = match

    def ask(self, text: str, k: int) -> Ranking:
        """Return the k best documents, none for a text without words. EngineError where SQLite fails."""
        check_count("k", k)
        expression = self._match(storable(text))
        if not expression:
            return Ranking([], [])
        try:
            with self._connections.lent() as connection:
                end = monotonic() + self._timeout
                connection.set_progress_handler(lambda: monotonic() > end, _STEPS)
                rows = connection.execute(self._select, (expression, min(k, _MOST))).fetchall()
        except sqlite3.Error as error:
            is_late = _code(error) == sqlite3.SQLITE_INTERRUPT
            message = f"SQLite takes longer than {self._timeout:g} s" if is_late else f"SQLite failed: {error}"
            raise EngineError(Fault(message, self._source), transient=_code(error) in _PASSING) from error
        if any(doc is None for doc, _ in rows):
            raise EngineError(Fault("a row found has no id", self._source, hint="id=rowid takes the row's number"))
        return Ranking([doc for doc, _ in rows], [score for _, score in rows])

    def close(self) -> None:
        """Close the connections."""
        self._connections.close()


def _code(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code; 0 for an error of the Python module."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def open_sqlite(
    url: str,
    documents: Documents | None = None,
    *,
    analyzer: str | Analyzer | None = None,
    settings: Mapping[str, str] | None = None,
    timeout: float | None = None,
) -> SQLite:
    """Return the engine of `sqlite:` (in memory) or `sqlite:PATH`, over an index of ours or an FTS5 table of yours.

    With documents, texts by id, an index is built, in a file once: there, an index of another corpus is refused, or
    replaced with `rebuild=true`. Without, the file's table is searched, and the file only read. FTS5's tokenizer parts
    the texts, or an analyzer, whose tokens are kept whole. A query may take `timeout` seconds. InputError for what
    cannot be opened, built or chosen.
    """
    given = settings or {}
    plan = Plan(path_of(url), chosen(given, SETTINGS, "SQLite"), analyzer)
    if documents is None:
        refuse_unused(given, ("tokenize", "rebuild"), "is for an index that is built from documents")
        return _engine(plan, _opened(plan), timeout)
    if analyzer is not None:
        refuse_unused(given, ("tokenize",), "decides nothing where an analyzer parts the texts")
    rows = rows_of(documents_of(documents), analyzer)
    plan = plan._replace(sha256=sha256_of_rows(plan, rows))
    if plan.path is not None:
        build_in_file(plan, rows)
        return _engine(plan, _opened(plan), timeout)
    connection = connect(":memory:")
    try:
        build(plan, connection, rows)
    except sqlite3.Error as error:
        connection.close()
        raise InputError(Fault(f"cannot be built: {error}", plan.source)) from error
    return _engine(plan, connection, timeout)


def path_of(url: str) -> Path | None:
    """Return the file that a URL names, None for memory; `sqlite:///PATH`, as others spell it, is read too."""
    scheme, colon, rest = url.partition(":")
    if scheme != "sqlite" or not colon or storable(rest) != rest:
        raise InputError(Fault(f"{without_user(url)!r} names no database of SQLite", expected="sqlite: or sqlite:PATH"))
    path = rest.removeprefix("///")
    return None if path in ("", "//", ":memory:") else Path(path)


def _read_only(path: Path) -> sqlite3.Connection:
    return connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _opened(plan: Plan) -> sqlite3.Connection:
    if plan.path is None:
        raise InputError(Fault("an index in memory needs documents", hint="sqlite:PATH opens a file"))
    if not plan.path.is_file():
        raise InputError(Fault("there is no such file", plan.source))
    try:
        return _read_only(plan.path)
    except sqlite3.Error as error:
        raise InputError(Fault(f"cannot be opened: {error}", plan.source)) from error


def _engine(plan: Plan, connection: sqlite3.Connection, timeout: float | None) -> SQLite:
    """Return the engine over a table that is there."""
    try:
        select, match = _select(plan, connection), _match(plan, connection)
    except sqlite3.Error as error:
        connection.close()
        raise InputError(Fault(f"cannot be searched: {error}", plan.source)) from error
    except InputError:
        connection.close()
        raise
    patience = TIMEOUT if timeout is None else timeout
    if plan.path is None:  # the index lives in this one connection: threads take turns
        return SQLite(plan, Connections(lambda: connection, most=1), select, match, patience)
    connection.close()
    return SQLite(plan, Connections(partial(_read_only, plan.path)), select, match, patience)


def _select(plan: Plan, connection: sqlite3.Connection) -> str:
    """Return the statement, after a look whether table, column and weights fit."""
    columns = _columns(plan, connection)
    column = plan.settings["id"]
    if column.lower() not in {"rowid", *map(str.lower, columns)}:
        message, hint = f"the table {plan.table!r} has no column {column!r}", "id=COLUMN says where document ids stand"
        expected = f"one of {', '.join(columns)}, rowid"
        raise InputError(Fault(message, plan.source, expected=expected, hint=hint))
    weights = numbers_in("weights", plan.settings["weights"])
    if weights and len(weights) != len(columns):
        message = f"the setting weights has {len(weights)} numbers"
        raise InputError(Fault(message, plan.source, expected=f"one for each of {', '.join(columns)}"))
    table = quoted(plan.table)
    rank = f"bm25({', '.join([table, *map(repr, weights)])})"
    # The names are quoted, the weights numbers: nothing that was given is read as SQL.
    found = f"SELECT CAST({quoted(column)} AS TEXT), -{rank} FROM {table} WHERE {table} MATCH ?"  # noqa: S608
    return f"{found} ORDER BY 2 DESC, 1 LIMIT ?"


def _columns(plan: Plan, connection: sqlite3.Connection) -> list[str]:
    row = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (plan.table,)).fetchone()
    if row is None or not re.search(r"\busing\s+[\"'`\[]?fts5\b", row[0] or "", re.IGNORECASE):
        tables = connection.execute("SELECT name FROM sqlite_master WHERE sql LIKE '%USING fts5%' ORDER BY name")
        hint = f"FTS5 tables here: {', '.join(name for (name,) in tables) or 'none'}; table=NAME chooses one"
        raise InputError(Fault(f"there is no FTS5 table {plan.table!r}", plan.source, hint=hint))
    return [found[1] for found in connection.execute(f"PRAGMA table_info({quoted(plan.table)})")]


def _match(plan: Plan, connection: sqlite3.Connection) -> _Match:
    """Return what makes expressions of queries, by the analyzer that the index was built with."""
    known, analyzer = made(connection, plan.table), plan.analyzer
    if known is not None and analyzer_name(analyzer) != known.analyzer:
        if analyzer is not None or known.analyzer == A_FUNCTION:
            expected = f"the analyzer {known.analyzer}" if known.analyzer else "no analyzer"
            message = f"the table {plan.table!r} was built in another way"
            raise InputError(Fault(message, plan.source, expected=expected))
        analyzer = known.analyzer
    if analyzer is None:
        return partial(_expression, re.compile(SPLITS[plan.settings["split"]]).findall, str)
    return partial(_expression, analyzer_of(analyzer), kept if known is not None else str)


def _expression(tokens_of: Analyzer, spelled: Callable[[str], str], text: str) -> str:
    """Return the tokens, each quoted so that FTS5 sees no operator in it, joined by OR."""
    tokens: Sequence[str] = tokens_of(text)
    return " OR ".join(quoted(spelled(token)) for token in tokens)
