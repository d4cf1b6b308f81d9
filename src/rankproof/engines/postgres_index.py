"""How does a corpus become a table in PostgreSQL? Once, whole or not at all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from rankproof.engines.corpus import Documents, analyzer_name, documents_of, sha256_of, storable
from rankproof.engines.embedding import Embedding, vector_of
from rankproof.errors import Fault, Faults, InputError
from rankproof.retrieve.text import Analyzer, analyzer_of

if TYPE_CHECKING:
    from psycopg import Connection
    from psycopg.sql import Composed, Identifier

OPERATORS: Mapping[str, tuple[str, str]] = {
    "cosine": ("<=>", "vector_cosine_ops"),
    "inner-product": ("<#>", "vector_ip_ops"),
    "l2": ("<->", "vector_l2_ops"),
}
"""pgvector's operator for each distance, and the operators that an index for it has."""

LEXEMES = "lexemes"
"""The column of words in a table of ours."""

_LAYOUT = "1"
"""Enters the hash: a release that builds another table counts up."""

_LONGEST = 2046
"""Bytes of the longest word that a tsvector holds."""


class Plan(NamedTuple):
    """What was asked for."""

    source: str
    settings: Mapping[str, str]
    analyzer: str | Analyzer | None
    rows: Sequence[tuple[str, str]] | None = (
        None  # what is to be stored, spelled for its column; None: the table is there
    )
    sha256: str = ""  # of these rows; empty: none

    @property
    def about(self) -> Mapping[str, str]:
        """Return what decides the answers."""
        said = {"place": self.source, "analyzer": analyzer_name(self.analyzer), "sha256": self.sha256}
        return {**{name: value for name, value in self.settings.items() if name != "rebuild"}, **said}

    @property
    def is_temporary(self) -> bool:
        """Return whether the table is gone with its connection."""
        return self.rows is not None and not self.settings["table"]

    @property
    def table(self) -> Identifier:
        """Return the table's name as SQL spells it."""
        from psycopg.sql import Identifier  # noqa: PLC0415 - an extra, loaded only for this engine

        if self.is_temporary:
            return Identifier("pg_temp", "rankproof")
        schema = self.settings["schema"] or ("" if self.rows is None else "rankproof")
        return Identifier(*filter(None, (schema, self.settings["table"])))


def with_rows(plan: Plan, documents: Documents, embedding: Embedding | None) -> Plan:
    """Return the plan with what is to be stored. InputError for documents that cannot be."""
    if plan.settings["mode"] == "vector":
        given = documents_of(documents, object)
        rows = list(_vector_rows(given, embedding, plan.settings["distance"]))
    else:
        given = documents_of(documents)
        rows = [(doc, _words(storable(given[doc]), plan.analyzer)) for doc in sorted(given)]
    by_index = ("distance",) if plan.settings["index"] == "hnsw" else ()
    decides = [plan.settings[name] for name in ("mode", "id", "config", "vector", "index", *by_index)]
    return plan._replace(rows=rows, sha256=sha256_of(rows, _LAYOUT, analyzer_name(plan.analyzer), *decides))


def _words(text: str, analyzer: str | Analyzer | None) -> str:
    """Return a text as it is, or the tokens that an analyzer makes of it as a tsvector is spelled."""
    if analyzer is None:
        return text
    places = defaultdict(list)
    for place, token in enumerate(analyzer_of(analyzer)(text), 1):
        places[token].append(str(place))
    return " ".join(f"{lexeme(token)}:{','.join(found)}" for token, found in places.items())


def lexeme(token: str) -> str:
    """Return a token as a tsvector or tsquery spells it; where these cannot hold it, its hash, which is as distinct."""
    spelled = token.encode("utf-8", "surrogatepass")
    if not 0 < len(spelled) <= _LONGEST or storable(token) != token:
        token = sha256(spelled).hexdigest()
    return "'" + token.replace("\\", "\\\\").replace("'", "''") + "'"


def _vector_rows(documents: Mapping[str, Any], embedding: Embedding | None, distance: str) -> Iterator[tuple[str, str]]:
    docs = sorted(documents)
    vectors = _vectors(documents, docs, embedding)
    faults = Faults()
    for doc, vector in zip(docs, vectors, strict=True):
        if len(vector) != len(vectors[0]):
            expected = f"{len(vectors[0])}, as {docs[0]}"
            faults.add(Fault(f"the vector has {len(vector)} dimensions", doc_id=doc, expected=expected))
        elif distance == "cosine" and not any(vector):
            faults.add(Fault("the vector is all zeros: it has no direction", doc_id=doc))
        else:
            yield doc, vector_text(vector)
    faults.raise_any()


def _vectors(documents: Mapping[str, Any], docs: Sequence[str], embedding: Embedding | None) -> list[list[float]]:
    """Return the vectors that were given, or those of the texts that were."""
    if embedding is not None and all(isinstance(content, str) for content in documents.values()):
        return embedding.each({doc: documents[doc] for doc in docs})
    return [vector_of(documents[doc], Fault("", doc_id=doc)) for doc in docs]


def vector_text(vector: Sequence[float]) -> str:
    """Return a vector as pgvector spells it."""
    return f"[{','.join(map(repr, vector))}]"


def build(connection: Connection[Any], plan: Plan) -> None:
    """Make the table and fill it, unless it is there. InputError where another one is, psycopg.Error where it fails."""
    with connection.transaction():
        if plan.is_temporary or not _is_there(connection, plan):
            for statement in _statements(plan):
                connection.execute(statement)
            with connection.cursor() as cursor:
                cursor.executemany(_insert(plan), plan.rows or ())
            if (index := _index(plan)) is not None:
                connection.execute(index)


def _is_there(connection: Connection[Any], plan: Plan) -> bool:
    """Return whether this very table is there; drop another one of ours if that was asked for."""
    from psycopg.sql import SQL, Identifier  # noqa: PLC0415 - the same

    name, schema = plan.table.as_string(connection), plan.settings["schema"] or "rankproof"
    connection.execute("SELECT pg_advisory_xact_lock(hashtext($1))", (f"rankproof {name}",))
    if not connection.execute("SELECT 1 FROM pg_namespace WHERE nspname = $1", (schema,)).fetchone():
        connection.execute(SQL("CREATE SCHEMA {}").format(Identifier(schema)))
    look = "SELECT to_regclass($1) IS NOT NULL, obj_description(to_regclass($1), 'pg_class')"
    exists, comment = connection.execute(look, (name,)).fetchone() or (False, None)
    if not exists:
        return False
    if not (comment or "").startswith("rankproof "):
        hint = "search it without a corpus, or choose another name by the setting table"
        raise InputError(Fault(f"rankproof did not make the table {name}", plan.source, hint=hint))
    if comment == _comment(plan):
        return True
    if plan.settings["rebuild"] != "true":
        hint = "rebuild=true replaces it, table=NAME builds another one beside it"
        message = f"the table {name} was built from another corpus, or in another way"
        raise InputError(Fault(message, plan.source, hint=hint))
    connection.execute(SQL("DROP TABLE {}").format(plan.table))
    return False


def _comment(plan: Plan) -> str:
    return f"rankproof {plan.sha256}"


def _statements(plan: Plan) -> Iterator[Composed]:
    from psycopg.sql import SQL, Identifier, Literal  # noqa: PLC0415 - the same

    name = Identifier(plan.settings["id"])
    create = SQL("CREATE TEMPORARY TABLE {}" if plan.is_temporary else "CREATE TABLE {}").format(plan.table)
    if plan.settings["mode"] == "vector":
        dimensions = SQL("{} text NOT NULL, {} vector({}) NOT NULL").format(
            name, Identifier(plan.settings["vector"]), Literal((plan.rows or [("", "")])[0][1].count(",") + 1)
        )
        yield create + SQL(" (") + dimensions + SQL(")")
    else:
        yield create + SQL(" ({} text NOT NULL, {} tsvector NOT NULL)").format(name, Identifier(LEXEMES))
    yield SQL("COMMENT ON TABLE {} IS {}").format(plan.table, Literal(_comment(plan)))


def _insert(plan: Plan) -> Composed:
    from psycopg.sql import SQL, Literal  # noqa: PLC0415 - the same

    if plan.settings["mode"] == "vector":
        return SQL("INSERT INTO {} VALUES ($1, $2::vector)").format(plan.table)
    if plan.analyzer is not None:
        return SQL("INSERT INTO {} VALUES ($1, $2::tsvector)").format(plan.table)
    into = "INSERT INTO {} VALUES ($1, to_tsvector({}::regconfig, $2))"
    return SQL(into).format(plan.table, Literal(plan.settings["config"]))


def _index(plan: Plan) -> Composed | None:
    from psycopg.sql import SQL, Identifier  # noqa: PLC0415 - the same

    if plan.settings["mode"] != "vector":
        return SQL("CREATE INDEX ON {} USING gin ({})").format(plan.table, Identifier(LEXEMES))
    if plan.settings["index"] == "exact":
        return None
    operators = SQL(OPERATORS[plan.settings["distance"]][1])
    return SQL("CREATE INDEX ON {} USING hnsw ({} {})").format(
        plan.table, Identifier(plan.settings["vector"]), operators
    )
