"""What does PostgreSQL find, by its full-text search or by pgvector?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

from rankproof.arithmetic import check_count
from rankproof.engines.connections import MOST, Connections
from rankproof.engines.corpus import Documents, storable
from rankproof.engines.embedding import Embedded, Embedding
from rankproof.engines.engine import EngineError
from rankproof.engines.postgres_index import LEXEMES, OPERATORS, Plan, build, lexeme, vector_text, with_rows
from rankproof.engines.postgres_server import Server, server_of
from rankproof.engines.sql_settings import BOOLEAN, Setting, chosen, names_in, refuse_unused, whole_in
from rankproof.errors import Fault, InputError
from rankproof.model import Ranking
from rankproof.retrieve.text import Analyzer, analyzer_of

if TYPE_CHECKING:
    from psycopg import Connection
    from psycopg.sql import Composable, Composed

QUERIES: Mapping[str, tuple[str, str]] = {
    "any": (
        r"""(SELECT string_agg('''' || replace(replace(lexeme, E'\\', E'\\\\'), '''', '''''') || '''', ' | ')::tsquery
        FROM unnest(to_tsvector({config}::regconfig, $1)))""",
        " | ",
    ),
    "all": ("plainto_tsquery({config}::regconfig, $1)", " & "),
    "websearch": ("websearch_to_tsquery({config}::regconfig, $1)", ""),
}
"""How a text becomes a tsquery, on the server; what joins the tokens of an analyzer."""

SETTINGS: Mapping[str, Setting] = {
    "mode": Setting("text", "search by words, or by pgvector's vectors", ("text", "vector")),
    "table": Setting("", "the table; without it, a corpus goes into a temporary one"),
    "schema": Setting("", "the table's schema; `rankproof` for one that is built"),
    "id": Setting("doc_id", "the column of document ids"),
    "text": Setting("text", "the columns of texts, with commas, in a table of yours"),
    "tsvector": Setting("", "a column of type tsvector to search instead, in a table of yours"),
    "config": Setting("english", "PostgreSQL's text search configuration: stemmer and stopwords"),
    "query": Setting("any", "documents hold any word of a query, all words, or what websearch asks", tuple(QUERIES)),
    "rank": Setting("ts_rank", "PostgreSQL's function for scores", ("ts_rank", "ts_rank_cd")),
    "normalization": Setting("0", "that function's flags for document length, added up"),
    "vector": Setting("embedding", "the column of type vector"),
    "distance": Setting("cosine", "what is near", tuple(OPERATORS)),
    "index": Setting("exact", "every vector is compared, or pgvector's approximate index is used", ("exact", "hnsw")),
    "rebuild": Setting("false", "whether a table of ours from another corpus is replaced", BOOLEAN),
}
"""The settings by name."""

_OF_TEXT = ("text", "tsvector", "config", "query", "rank", "normalization")
_OF_VECTORS = ("vector", "distance", "index")
_SCORES: Mapping[str, Callable[[float], float]] = {
    "cosine": lambda distance: 1 - distance,
    "inner-product": lambda distance: 0.0 - distance,
    "l2": lambda distance: 0.0 - distance,
}
"""The score for each distance: the cosine, the inner product (pgvector gives its negative), the distance negated."""

_LOCAL = "SELECT set_config(name, value, true) FROM unnest($1::text[], $2::text[]) AS given(name, value)"
_MOST = 1 << 62
"""More documents than PostgreSQL can be asked for."""

_FEWEST_BY_INDEX, _MOST_BY_INDEX = 40, 1000
"""So many candidates pgvector's index looks for: its default, and the most it allows (`hnsw.ef_search`)."""

TIMEOUT = 30.0
"""Seconds that a query may take, where nothing else is said."""

_LONGEST = 2_000_000
"""Seconds of the longest time-out that PostgreSQL knows, nearly: it counts milliseconds in 31 bits."""


class Search(NamedTuple):
    """How a query's text is asked for, and what its rows mean."""

    statement: Composed  # with the parameters $1, what is asked, and $2, k; rows of id and number
    asked: Callable[[str], str]
    score: Callable[[float], float] = float
    by_index: bool | None = None  # None: no vectors


class Postgres:
    """Ranks the rows of a table by ts_rank, ts_rank_cd, or nearness of vectors; equal scores by document id.

    Neither function knows how rare a word is, nor how long documents are, unless `normalization` says so.
    """

    name = "postgresql"

    def __init__(
        self,
        plan: Plan,
        server: Server,
        connections: Connections[Connection[Any]],
        search: Search,
        timeout: float = TIMEOUT,
    ) -> None:
        """Ask in a read-only transaction for each query, which ends after `timeout` seconds."""
        self.settings = plan.about
        self._server = server
        self._connections = connections
        self._search = search
        self._timeout = timeout

    def ask(self, text: str, k: int) -> Ranking:
        """Return the k best documents. EngineError where the server fails, or an id or a direction is missing."""
        from psycopg import Error  # noqa: PLC0415 - an extra, loaded only for this engine

        check_count("k", k)
        if self._search.by_index and k > _MOST_BY_INDEX:
            expected = f"{_MOST_BY_INDEX} at most: its index gives no more"
            raise InputError(Fault(f"k is {k} with index=hnsw", self._server.shown, expected=expected))
        asked = self._search.asked(storable(text))
        try:
            rows = self.rows(asked, k)
        except Error as error:
            raise self._server.failed(error) from error
        for doc, number in rows:
            if doc is None:
                raise EngineError(Fault("a row found has no id", self._server.shown))
            if isnan(number):
                message = "its vector, or the query's, is all zeros: it has no direction"
                raise EngineError(Fault(message, self._server.shown, doc_id=doc))
        return Ranking([doc for doc, _ in rows], [self._search.score(number) for _, number in rows])

    def rows(self, asked: str, k: int) -> Sequence[tuple[Any, ...]]:
        """Return ids and numbers as the server gives them. psycopg.Error where it fails."""
        local = {"statement_timeout": str(max(1, round(self._timeout * 1000)))}
        if self._search.by_index is not None:
            enough = str(min(max(_FEWEST_BY_INDEX, k + 1), _MOST_BY_INDEX))  # one more shows where a tie at k ends
            local |= {"hnsw.ef_search": enough} if self._search.by_index else {"enable_indexscan": "off"}
        with self._connections.lent() as connection, connection.transaction():
            connection.execute(_LOCAL, (list(local), list(local.values())))
            return connection.execute(self._search.statement, (asked, min(k, _MOST))).fetchall()

    def close(self) -> None:
        """Close the connections; a temporary table goes with its own."""
        self._connections.close()


def open_postgres(  # noqa: PLR0913 - each has a default that serves
    url: str,
    documents: Documents | None = None,
    *,
    analyzer: str | Analyzer | None = None,
    settings: Mapping[str, str] | None = None,
    embed: Embedded | None = None,
    document_embed: Embedded | None = None,
    timeout: float | None = None,
) -> Postgres:
    """Return the engine of a PostgreSQL database, over a table of yours or one that is built from documents.

    Documents are texts by id, for `mode=vector` also vectors; `embed` makes the vectors of queries, or holds them, and
    `document_embed` those of documents (if not given, `embed` does). They go into a temporary table, which threads
    share in turn, or once into the one that `table` names: one of another corpus is refused there, or replaced with
    `rebuild=true`. An analyzer's tokens are kept whole. A query may take `timeout` seconds. InputError for what cannot
    be opened, built or chosen, MissingPackageError without psycopg.
    """
    server = server_of(url)
    given = settings or {}
    if timeout is not None and not 0 < timeout <= _LONGEST:
        raise InputError(Fault(f"the time-out is {timeout!r}", expected=f"seconds, more than 0 and at most {_LONGEST}"))
    plan = Plan(server.shown, chosen(given, SETTINGS, "PostgreSQL"), analyzer)
    _check(plan, given, has_documents=documents is not None)
    _check_embedding(plan, embed, document_embed)
    embedding = None if embed is None else Embedding(embed)
    if documents is not None:
        of_documents = embed if document_embed is None else document_embed
        plan = with_rows(plan, documents, None if of_documents is None else Embedding(of_documents, "document"))
    connections = Connections(lambda: _connected(server, plan), most=1 if plan.is_temporary else MOST, usable=_is_open)
    search = _by_vectors(plan, embedding) if embedding is not None else _by_words(plan)
    engine = Postgres(plan, server, connections, search, TIMEOUT if timeout is None else timeout)
    _try(engine, plan, server)
    return engine


def _check(plan: Plan, given: Mapping[str, str], *, has_documents: bool) -> None:
    """Refuse settings that contradict one another, or decide nothing."""
    is_text = plan.settings["mode"] == "text"
    refuse_unused(given, _OF_VECTORS if is_text else _OF_TEXT, f"decides nothing where mode={plan.settings['mode']}")
    whole_in("normalization", plan.settings["normalization"], 0, 63)
    if has_documents:
        refuse_unused(given, ("text", "tsvector"), "is for a table of yours, and documents are given")
    else:
        refuse_unused(given, ("rebuild",), "is for a table that is built from documents")
        if not plan.settings["table"]:
            hint = "table=NAME names it"
            raise InputError(Fault("neither documents nor a table to search is given", plan.source, hint=hint))
    if plan.analyzer is None:
        return
    if not is_text:
        raise InputError(Fault("an analyzer is given, and vectors are searched", expected="no analyzer"))
    refuse_unused(given, ("config",), "decides nothing where an analyzer parts the texts")
    if not QUERIES[plan.settings["query"]][1]:
        raise InputError(Fault("an analyzer is given with query=websearch", expected="query=any or query=all"))
    if not has_documents and not plan.settings["tsvector"]:
        hint = "tsvector=COLUMN names a column that holds its tokens"
        raise InputError(Fault("an analyzer cannot part texts that are on the server", plan.source, hint=hint))


def _check_embedding(plan: Plan, embed: Embedded | None, document_embed: Embedded | None) -> None:
    """Refuse a search by vectors without an embedding of the queries, and an embedding for one by words."""
    is_needed = plan.settings["mode"] == "vector"
    if is_needed is (embed is None) or (not is_needed and document_embed is not None):
        message = "needs an embedding for the queries" if is_needed else "has no use for an embedding"
        hint = None if is_needed else "mode=vector searches vectors"
        raise InputError(Fault(f"mode={plan.settings['mode']} {message}", plan.source, hint=hint))


def _connected(server: Server, plan: Plan) -> Connection[Any]:
    """Return a new connection that only reads; one that is to have a temporary table makes it first."""
    connection = server.connect()
    try:
        if plan.is_temporary:
            build(connection, plan)
        connection.read_only = True
    except BaseException:
        connection.close()
        raise
    return connection


def _is_open(connection: Connection[Any]) -> bool:
    return not connection.closed


def _try(engine: Postgres, plan: Plan, server: Server) -> None:
    """Build what is to be built, and see whether table, columns and configuration are there."""
    from psycopg import Error  # noqa: PLC0415 - the same

    try:
        if plan.rows is not None and not plan.is_temporary:
            with server.connect() as connection:
                build(connection, plan)
        engine.rows("[0]" if plan.settings["mode"] == "vector" else "", 0)
    except Error as error:
        engine.close()
        hint = None
        if plan.settings["mode"] == "vector" and error.sqlstate == "42704":
            hint = "CREATE EXTENSION vector, by one who may, gives the database pgvector"
        raise InputError(server.fault(error, "cannot be searched", hint)) from error
    except InputError:
        engine.close()
        raise


def _by_words(plan: Plan) -> Search:
    from psycopg.sql import SQL, Identifier, Literal  # noqa: PLC0415 - the same

    settings, analyzer = plan.settings, plan.analyzer
    config = Literal(settings["config"])
    on_server, joined = QUERIES[settings["query"]]
    words: Composable
    if plan.rows is not None or settings["tsvector"]:
        words = Identifier("found", settings["tsvector"] or LEXEMES)
    else:
        columns = SQL(", ").join(Identifier("found", name) for name in names_in(settings["text"]))
        words = SQL("to_tsvector({}::regconfig, concat_ws(' ', {}))").format(config, columns)
    query = SQL("$1::tsquery") if analyzer is not None else SQL(on_server).format(config=config)
    statement = SQL(
        "WITH asked AS MATERIALIZED (SELECT {query} AS query) SELECT {id}::text, "
        "{rank}({words}, asked.query, {flags})::float8 FROM {table} AS found, asked WHERE {words} @@ asked.query "
        'ORDER BY 2 DESC, {id}::text COLLATE "C" LIMIT $2'
    ).format(
        query=query,
        id=Identifier("found", settings["id"]),
        rank=Identifier(settings["rank"]),
        words=words,
        flags=Literal(int(settings["normalization"])),
        table=plan.table,
    )
    if analyzer is None:
        return Search(statement, str)
    tokens_of = analyzer_of(analyzer)
    return Search(statement, lambda text: joined.join(map(lexeme, tokens_of(text))))


def _by_vectors(plan: Plan, embedding: Embedding) -> Search:
    from psycopg.sql import SQL, Identifier  # noqa: PLC0415 - the same

    settings = plan.settings
    statement = SQL(
        "SELECT {id}::text, {vector} {near} $1::vector FROM {table} AS found WHERE {vector} IS NOT NULL "
        'ORDER BY 2, {id}::text COLLATE "C" LIMIT $2'
    ).format(
        id=Identifier("found", settings["id"]),
        vector=Identifier("found", settings["vector"]),
        near=SQL(OPERATORS[settings["distance"]][0]),
        table=plan.table,
    )
    by_index = settings["index"] == "hnsw"
    return Search(statement, lambda text: vector_text(embedding.of(text)), _SCORES[settings["distance"]], by_index)
