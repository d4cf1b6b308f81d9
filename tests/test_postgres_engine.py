"""PostgreSQL as an engine, on a real server: ts_rank by hand, vectors beside exact search, failures that are said."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from math import fsum, hypot
from random import Random

import pytest
from cranfield import cranfield, documented, published
from hypothesis import given, settings
from hypothesis import strategies as st
from postgres import running, shared_server  # noqa: F401 - the fixture `postgres`, a server for all tests

import rankproof as rp
from rankproof.engines.engine import EngineError
from rankproof.engines.postgres import SETTINGS, open_postgres
from rankproof.engines.postgres_index import lexeme

FIVE = {
    "d1": "red apple apple",
    "d2": "red pear",
    "d3": "green pear pear plum plum",
    "d4": "plum",
    "d5": "The APPLES, of Rome",
}
SECRET = "s3cret-Passw0rd"  # noqa: S105 - no password of anything


def asked(engine, text: str, k: int = 10) -> dict[str, float]:
    """The scores by document, in the order of the ranking."""
    ranking = engine.ask(text, k)
    return dict(zip(ranking.doc_ids, ranking.scores, strict=True))


@pytest.fixture
def opened(postgres):
    """Open engines on the server, and close them in the end."""
    engines = []

    def open_one(documents=None, *, known_as: str = "rankproof", **options):
        engines.append(open_postgres(f"{postgres.url}&application_name={known_as}", documents, **options))
        return engines[-1]

    yield open_one
    for engine in engines:
        engine.close()


@pytest.fixture
def own(postgres):
    """A schema that is not ours, with names that need quoting; gone after the test."""
    with postgres.connect() as connection:
        connection.execute('CREATE SCHEMA "my ""schema"')
        connection.execute(
            'CREATE TABLE "my ""schema"."the %s ""docs" (key int, title text, "the body" text, words tsvector)'
        )
        rows = [(10, "Pear", "an apple"), (9, "apple", "pears"), (7, "fig", None), (None, "kiwi", "kiwi")]
        connection.cursor().executemany('INSERT INTO "my ""schema"."the %%s ""docs" VALUES (%s, %s, %s)', rows)
        connection.execute('UPDATE "my ""schema"."the %s ""docs" SET words = to_tsvector(\'simple\', title)')
        yield connection
        connection.execute('DROP SCHEMA "my ""schema" CASCADE')
        connection.execute("DROP SCHEMA IF EXISTS rankproof CASCADE")


def wait_until_gone(connection, known_as: str) -> None:
    """Return when the server has ended the connections of that name: their tables are dropped, their scans counted."""
    for _ in range(300):
        if not connection.execute("SELECT 1 FROM pg_stat_activity WHERE application_name = %s", (known_as,)).fetchone():
            return
        time.sleep(0.1)
    pytest.fail(f"the server still holds connections of {known_as}")


MINE = {"schema": 'my "schema', "table": 'the %s "docs', "id": "key"}


# words


def ts_rank(count: int) -> float:
    """What one word that comes `count` times adds, all of weight 0.1: a word's n-th place counts 1 / n²."""
    return 0.1 * fsum(1 / (n * n) for n in range(1, count + 1)) / 1.64493406685


def test_ts_rank_by_hand(opened) -> None:
    """The mean over the query's words of their places, 0.1 / n² each, over π²/6: no idf, no length."""
    engine = opened(FIVE)
    assert asked(engine, "pears or a plum") == pytest.approx(
        {"d3": (ts_rank(2) + ts_rank(2)) / 2, "d2": ts_rank(1) / 2, "d4": ts_rank(1) / 2}, rel=1e-6
    )
    assert list(asked(engine, "pears or a plum")) == ["d3", "d2", "d4"]
    assert asked(engine, "apple apple") == pytest.approx({"d1": ts_rank(2), "d5": ts_rank(1)}, rel=1e-6)


def test_ts_rank_cd_by_hand(opened) -> None:
    """With words joined by OR each place is a cover of its own, 0.1 each: the score counts them."""
    engine = opened(FIVE, settings={"rank": "ts_rank_cd"})
    assert asked(engine, "pear plum") == pytest.approx({"d3": 0.4, "d2": 0.1, "d4": 0.1}, rel=1e-6)


def test_normalization(opened) -> None:
    """Flag 2 divides by the document's length: its places, d3's five."""
    engine = opened(FIVE, settings={"rank": "ts_rank_cd", "normalization": "2"})
    assert asked(engine, "pear plum") == pytest.approx({"d4": 0.1, "d3": 0.4 / 5, "d2": 0.1 / 2}, rel=1e-6)


@pytest.mark.parametrize(
    ("query", "text", "found"),
    [
        ("any", "red plum", {"d1", "d2", "d3", "d4"}),
        ("all", "red pear", {"d2"}),
        ("websearch", "red -pear", {"d1"}),
        ("websearch", '"apple apple" or plum', {"d1", "d3", "d4"}),
        ("any", "the of", set()),
        ("any", "", set()),
        ("all", "", set()),
        ("websearch", "", set()),
    ],
)
def test_queries(opened, query: str, text: str, found: set[str]) -> None:
    """Any word, all words, or websearch's operators; stopwords alone find nothing."""
    assert set(asked(opened(FIVE, settings={"query": query}), text)) == found


WORDS = st.sampled_from(
    ["&", "|", "!", "<->", "<2>", ":*", ":A", "a:*", "(", ")", "'", '"', "\\", "\\'", "%s", "%(asked)s", "--", ";",
     "$1", "a", "b", "ab", "or", "-a", "\0", "\ud800", "가", "a'b", "A"]
)  # fmt: skip
TEXTS = st.lists(WORDS, max_size=6).map(" ".join)


@pytest.fixture(scope="module")
def kept(postgres):
    """Named tables over CORPUS for generated queries: a list of engines that is closed in the end."""
    engines = []
    yield engines
    for engine in engines:
        engine.close()


CORPUS = {"1": "a or", "2": "b b", "3": "ab 가", "4": "a b ab s", "5": "asked", "6": ""}


@given(text=TEXTS)
@settings(max_examples=80)
def test_operators_are_words(postgres, kept, text: str) -> None:
    """Whatever operators a query spells, documents with any of its words are found, and no error comes."""
    if not kept:
        kept.append(open_postgres(postgres.url, CORPUS, settings={"config": "simple"}))
    words = set(re.findall(r"[^\W_]+", text.lower()))
    expected = {doc for doc, body in CORPUS.items() if words & set(body.split())}
    assert set(asked(kept[0], text)) == expected


@given(documents=st.dictionaries(st.sampled_from("pqrst"), TEXTS, min_size=1, max_size=5), query=TEXTS)
@settings(max_examples=25)
def test_tokens_of_an_analyzer_stay_whole(postgres, documents: dict[str, str], query: str) -> None:
    """Of what an analyzer returns no token is parted, folded or read as an operator: ts_rank counts them."""
    tokens = {doc: re.sub("[\0\ud800]", " ", text).split() for doc, text in {**documents, "query": query}.items()}
    asked_for = set(tokens.pop("query"))
    engine = open_postgres(postgres.url, documents, analyzer="whitespace")
    try:
        found = asked(engine, query)
    finally:
        engine.close()
    counts = {doc: Counter(of_doc) for doc, of_doc in tokens.items() if asked_for & set(of_doc)}
    expected = {
        doc: fsum(ts_rank(count[token]) for token in asked_for) / len(asked_for) for doc, count in counts.items()
    }
    assert found == pytest.approx(expected, rel=1e-5)


def test_any_token_is_kept(opened) -> None:
    """An analyzer may return blanks, quotes, an empty token, or one longer than a tsvector holds."""
    odd = ["a b", "a", "'", "\\", "\\'", "", "\0", "\ud800", "A", "x" * 3000, "x" * 3001, "e\u0301", "é"]
    documents = {f"d{at:02}": str(at) for at in range(len(odd))}
    engine = opened(documents, analyzer=lambda text: [odd[int(text)]])
    for at in range(len(odd)):
        assert list(asked(engine, str(at))) == [f"d{at:02}"]
    assert lexeme("it's \\") == r"'it''s \\'"


def test_korean_particles(opened) -> None:
    """농도 inside 농도의 is missed by `simple`, and found where an analyzer makes the tokens."""
    documents = {"a": "산소 농도의 측정", "b": "감시인의 연락"}
    assert not asked(opened(documents, settings={"config": "simple"}), "농도")
    assert set(asked(opened(documents, analyzer="hangul-2-3gram"), "농도")) == {"a"}


def test_ties_and_the_cut(opened) -> None:
    """Equal scores stand by document id, by code points, ascending, also where k cuts between them."""
    engine = opened(dict.fromkeys(["b", "10", "가", "a", "9", "B", "\U0001f34e", "\uffee"], "x"))
    everything = ["10", "9", "B", "a", "b", "가", "\uffee", "\U0001f34e"]
    for k in (1, 4, 8, 1 << 70):
        assert list(engine.ask("x", k).doc_ids) == everything[:k]
    with pytest.raises(rp.MeasureError, match="k cannot be 0"):
        engine.ask("x", 0)


# tables


def test_a_table_of_the_users(opened, own) -> None:
    """Any table is searched by its columns or its tsvector, names quoted, and stays as it is."""
    before = own.execute('SELECT * FROM "my ""schema"."the %s ""docs"').fetchall()
    both = opened(settings={**MINE, "text": "title, the body"})
    assert set(asked(both, "apple")) == {"9", "10"}
    assert set(asked(both, "fig")) == {"7"}
    assert set(asked(opened(settings={**MINE, "text": "title"}), "apples")) == {"9"}
    assert not asked(opened(settings={**MINE, "tsvector": "words"}), "apples")
    by_analyzer = opened(settings={**MINE, "tsvector": "words"}, analyzer="words")
    assert asked(by_analyzer, "APPLE pear") == pytest.approx({"10": ts_rank(1) / 2, "9": ts_rank(1) / 2}, rel=1e-6)
    assert list(asked(by_analyzer, "APPLE pear")) == ["10", "9"]  # as texts: 1 before 9
    assert own.execute('SELECT * FROM "my ""schema"."the %s ""docs"').fetchall() == before


def test_the_users_table_is_only_read(opened, own) -> None:
    """A query runs in a read-only transaction: a function that writes is refused."""
    own.execute('CREATE TABLE "my ""schema".log (x int)')
    own.execute(
        'CREATE FUNCTION "my ""schema".noted(x int) RETURNS int LANGUAGE sql AS '
        '$$ INSERT INTO "my ""schema".log VALUES (x) RETURNING x $$'
    )
    own.execute(
        'CREATE VIEW "my ""schema".seen AS '
        'SELECT "my ""schema".noted(key) AS key, title FROM "my ""schema"."the %s ""docs"'
    )
    engine = opened(settings={**MINE, "table": "seen", "text": "title"})
    with pytest.raises(EngineError, match="read-only transaction") as error:
        engine.ask("apple", 3)
    assert not error.value.transient


def test_a_row_without_an_id(opened, own) -> None:
    """Where a row found has no id, the query fails."""
    with pytest.raises(EngineError, match="no id"):
        opened(settings={**MINE, "text": "title"}).ask("kiwi", 3)


def test_a_named_table_is_built_once(opened, own) -> None:
    """The same corpus finds its table; another is refused, or replaces it when asked to; ours alone are replaced."""
    named = {"table": "the corpus"}
    oid = "SELECT 'rankproof.\"the corpus\"'::regclass::oid"
    first = asked(opened(FIVE, settings=named), "plum")
    before = own.execute(oid).fetchone()
    assert asked(opened(dict(reversed(FIVE.items())), settings=named), "plum") == first
    assert own.execute(oid).fetchone() == before
    changed = {**FIVE, "d6": "plum"}
    for documents, options in [
        (changed, {"settings": named}),
        (FIVE, {"settings": {**named, "config": "simple"}}),
        (FIVE, {"settings": named, "analyzer": "words"}),
    ]:
        with pytest.raises(rp.InputError, match=r"built from another corpus, or in another way\n\nhint: rebuild=true"):
            opened(documents, **options)
    assert own.execute(oid).fetchone() == before
    assert "d6" in asked(opened(changed, settings={**named, "rebuild": "true"}), "plum")
    searched = opened(settings={**named, "schema": "rankproof", "tsvector": "lexemes"})
    assert "d6" in asked(searched, "plum")
    with pytest.raises(rp.InputError, match="rankproof did not make the table"):
        opened(FIVE, settings={**MINE, "id": "doc_id", "rebuild": "true"})


def test_a_table_is_whole_or_not_there(opened, own) -> None:
    """Where building fails, no table is left behind, and an old one stays."""
    opened(FIVE, settings={"table": "corpus"})
    for table in ("corpus", "new"):
        with pytest.raises(rp.InputError, match="too long for tsvector"):
            opened({"a": "x", "b": " ".join(map(str, range(300_000)))}, settings={"table": table, "rebuild": "true"})
    assert own.execute("SELECT to_regclass('rankproof.new')").fetchone() == (None,)
    assert "d4" in asked(opened(FIVE, settings={"table": "corpus"}), "plum")


def test_a_temporary_table_leaves_nothing(opened, own) -> None:
    """Without a name the corpus is gone when the engine is closed, and no schema was made."""
    tables = "SELECT relname FROM pg_class WHERE relkind = 'r' ORDER BY 1"
    before = own.execute(tables).fetchall()
    engine = opened(FIVE, known_as="temporary")
    assert own.execute(tables).fetchall() != before
    assert "d4" in asked(engine, "plum")
    engine.close()
    engine.close()
    with pytest.raises(EngineError, match="closed"):
        engine.ask("plum", 1)
    wait_until_gone(own, "temporary")
    assert own.execute(tables).fetchall() == before
    assert own.execute("SELECT to_regnamespace('rankproof')").fetchone() == (None,)


@pytest.mark.parametrize("named", [{}, {"table": "corpus"}])
def test_threads(opened, own, named: dict[str, str]) -> None:
    """Eight threads at once get what one gets."""
    words = ["red", "pear", "plum", "apple"] * 10
    engine = opened(FIVE, settings=named)
    alone = [engine.ask(word, 3) for word in words]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda word: engine.ask(word, 3), words)) == alone


# vectors


def searched(opened, documents, queries, k: int, **chosen: str) -> dict[str, dict[str, float]]:
    """Each query's scores by document, by an engine whose documents and queries are vectors."""
    engine = opened(documents, settings={"mode": "vector", **chosen}, embed=queries)
    return {query: asked(engine, query, k) for query in queries}


def test_cosine_beside_exact_search(opened) -> None:
    """Over 300 vectors, some planted twice, ids and order are those of rp.cosine_search, and scores to 1e-6."""
    random = Random(5)
    documents = {f"d{at}": [random.randint(-9, 9) for _ in range(16)] for at in range(280)}
    documents |= {f"copy{at}": documents[f"d{at}"] for at in range(20)}
    queries = {f"q{at}": [random.gauss(0, 1) for _ in range(16)] for at in range(8)}
    exact = rp.cosine_search(documents, queries, 50)
    for query, found in searched(opened, documents, queries, 50).items():
        ranking = exact.rankings[query]
        assert list(found) == list(ranking.doc_ids)
        assert list(found.values()) == pytest.approx(list(ranking.scores), abs=1e-6)


def test_inner_product_and_l2_by_hand(opened) -> None:
    """The score is the inner product, or the distance negated; equal ones by id."""
    documents = {"b": [1, 2], "a": [2, 1], "c": [3, 3], "d": [0, 0]}
    queries = {"q": [1, 1]}
    products = searched(opened, documents, queries, 9, distance="inner-product")["q"]
    assert list(products.items()) == [("c", 6), ("a", 3), ("b", 3), ("d", 0)]
    distances = searched(opened, documents, queries, 9, distance="l2")["q"]
    assert list(distances) == ["a", "b", "d", "c"]
    assert distances == pytest.approx({"a": -1, "b": -1, "d": -hypot(1, 1), "c": -hypot(2, 2)})


@pytest.mark.parametrize("index", ["exact", "hnsw"])
def test_an_index_of_vectors(opened, own, index: str) -> None:
    """With index=hnsw the server uses pgvector's index, with index=exact never, though it is there."""
    random = Random(7)
    documents = {str(at): [random.gauss(0, 1) for _ in range(8)] for at in range(3000)}
    chosen = {"mode": "vector", "table": "vectors"}
    opened(documents, settings={**chosen, "index": "hnsw"}, embed={})
    own.execute("ANALYZE rankproof.vectors")
    query = documents["42"]
    engine = opened(settings={**chosen, "schema": "rankproof", "index": index}, embed={"q": query}, known_as=index)
    found = engine.ask("q", 20)
    exact = rp.cosine_search(documents, {"q": query}, 20).rankings["q"]
    assert found.doc_ids[0] == "42"
    if index == "exact":
        assert list(found.doc_ids) == list(exact.doc_ids)
    else:
        assert len(set(found.doc_ids) & set(exact.doc_ids)) >= 15
        with pytest.raises(rp.InputError, match="1000 at most"):
            engine.ask("q", 1001)
    engine.close()
    wait_until_gone(own, index)
    scans = own.execute("SELECT idx_scan FROM pg_stat_user_indexes WHERE relname = 'vectors'").fetchone()[0]
    assert (scans > 0) == (index == "hnsw")


def test_an_embedding_makes_vectors_of_texts(opened) -> None:
    """A callable is given the texts, in batches, and its vectors are searched."""
    batches = []

    def embed(texts):
        batches.append(len(texts))
        return [[len(text), 1.0] for text in texts]

    engine = opened({str(at): "x" * at for at in range(1, 301)}, settings={"mode": "vector"}, embed=embed)
    assert engine.ask("x" * 300, 1).doc_ids == ["300"]
    assert engine.ask("", 1).doc_ids == ["1"]
    assert batches == [256, 44, 1, 1]


def test_documents_have_an_embedding_of_their_own(opened) -> None:
    """Where queries and documents are embedded unlike, each table row is of the documents' embedding."""
    documents = {"a": "left", "b": "right"}
    axes = {"left": [1.0, 0.0], "right": [0.0, 1.0]}

    def of_queries(texts):
        return [axes[text][::-1] for text in texts]  # turned round: left asks for what a document calls right

    def of_documents(texts):
        return [axes[text] for text in texts]

    chosen = {"settings": {"mode": "vector"}, "embed": of_queries}
    for engine in (
        opened(documents, **chosen, document_embed=of_documents),
        opened(documents, **chosen, document_embed=axes),
    ):
        assert asked(engine, "left") == {"b": 1, "a": 0}
    assert asked(opened(documents, **chosen), "left") == {"a": 1, "b": 0}


def test_vectors_of_the_users_table(opened, own) -> None:
    """Rows without a vector are not found; one without a direction fails a query by cosine, by its id."""
    own.execute('CREATE TABLE "my ""schema".v (doc_id text, embedding vector(2))')
    own.execute("""INSERT INTO "my ""schema".v VALUES ('a', '[1,0]'), ('b', NULL), ('c', '[0,0]')""")
    mine = {"mode": "vector", "schema": 'my "schema', "table": "v"}
    engine = opened(settings=mine, embed={"q": [1, 1], "wrong": [1, 1, 1]})
    assert list(asked(engine, "q", 1)) == ["a"]
    with pytest.raises(EngineError, match="document c: its vector, or the query's, is all zeros"):
        engine.ask("q", 2)
    with pytest.raises(EngineError, match="different vector dimensions 2 and 3"):
        engine.ask("wrong", 1)
    with pytest.raises(rp.InputError, match="query 'other': there is no vector for this text"):
        engine.ask("other", 1)
    l2 = opened(settings={**mine, "distance": "l2"}, embed={"q": [1, 1]})
    assert list(asked(l2, "q")) == ["a", "c"]


# failures

END = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = %s"
"""Ends the connections of that name, and waits until they are."""


def test_a_lost_connection_is_worth_another_try(opened, postgres) -> None:
    """Where the server ends a connection the error is transient, and the next query has a new one, its table too."""
    engine = opened(FIVE, known_as="lost")
    with postgres.connect() as connection:
        connection.execute(END, ("lost",))
    with pytest.raises(EngineError, match="PostgreSQL failed") as error:
        engine.ask("plum", 1)
    assert error.value.transient
    assert engine.ask("plum", 1).doc_ids == ["d3"]


def test_a_connection_lost_in_the_middle(opened, own, caplog) -> None:
    """Where the connection ends while a query runs, too, the error is transient, and nothing else tells of it."""
    own.execute("""CREATE VIEW "my ""schema".slow AS SELECT '1' AS doc_id, pg_sleep(60)::text || 'x' AS text""")
    engine = opened(settings={"schema": 'my "schema', "table": "slow"}, known_as="middle")
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(engine.ask, "x", 1)
        sleeping = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
        while not (own.execute(sleeping).fetchone() or answer.done()):
            time.sleep(0.05)
        own.execute(END, ("middle",))
        with pytest.raises(EngineError, match="terminating connection") as error:
            answer.result()
    assert error.value.transient
    assert not caplog.records


def test_a_server_that_is_gone(caplog) -> None:
    """Where the server stops, the error is transient, and nothing but the error tells of it."""
    with running() as server:
        engine = open_postgres(server.url, FIVE)
        assert engine.ask("plum", 1).doc_ids == ["d3"]
    for _ in range(2):
        with pytest.raises(EngineError) as error:
            engine.ask("plum", 1)
        assert error.value.transient
    engine.close()
    assert not caplog.records


def test_a_query_may_take_its_time_out(opened, own) -> None:
    """A slow query ends at the time-out, and trying again is no remedy."""
    own.execute("""CREATE VIEW "my ""schema".slow AS SELECT '1' AS doc_id, pg_sleep(60)::text || 'x' AS text""")
    engine = opened(settings={"schema": 'my "schema', "table": "slow"}, timeout=0.05)
    with pytest.raises(EngineError, match="statement timeout") as error:
        engine.ask("x", 1)
    assert not error.value.transient


VECTORS = {"mode": "vector"}


@pytest.mark.parametrize(
    ("documents", "options", "said"),
    [
        (None, {}, "neither documents nor a table to search is given"),
        ({}, {}, "there are no documents"),
        ({"a": 1}, {}, "document a: 1 is no text"),
        ({"a\0": "x"}, {}, "cannot be stored"),
        (FIVE, {"settings": {"confg": "x"}}, "did you mean config?"),
        (FIVE, {"settings": {"config": "klingon"}}, 'text search configuration "klingon" does not exist'),
        (FIVE, {"settings": {"rank": "bm25"}}, "expected one of ts_rank, ts_rank_cd"),
        (FIVE, {"settings": {"normalization": "64"}}, "expected a whole number from 0 to 63"),
        (FIVE, {"settings": {"normalization": "²"}}, "expected a whole number from 0 to 63"),
        (FIVE, {"settings": {"text": "title"}}, "is for a table of yours"),
        (FIVE, {"settings": {"distance": "l2"}}, "decides nothing where mode=text"),
        (FIVE, {"settings": {**VECTORS, "rank": "ts_rank"}, "embed": {}}, "decides nothing where mode=vector"),
        (FIVE, {"analyzer": "words", "settings": {"config": "simple"}}, "an analyzer parts the texts"),
        (FIVE, {"analyzer": "words", "settings": {"query": "websearch"}}, "expected query=any or query=all"),
        (FIVE, {"timeout": 0}, "the time-out is 0"),
        (None, {"settings": {"table": "none"}}, 'relation "none" does not exist'),
        (None, {"settings": {"table": "t", "rebuild": "true"}}, "is for a table that is built"),
        (None, {"settings": {**MINE, "id": "doc_id"}}, "column found.doc_id does not exist"),
        (None, {"settings": {**MINE, "tsvector": "title"}}, "does not exist"),
        (None, {"settings": MINE, "analyzer": "words"}, "tsvector=COLUMN"),
        (FIVE, {"settings": VECTORS}, "mode=vector needs an embedding for the queries"),
        (FIVE, {"embed": {}}, "mode=text has no use for an embedding\n\nhint: mode=vector"),
        (FIVE, {"document_embed": {}}, "mode=text has no use for an embedding"),
        (FIVE, {"settings": VECTORS, "document_embed": {}}, "mode=vector needs an embedding for the queries"),
        (FIVE, {"settings": VECTORS, "embed": {}}, "document d1: there is no vector for this text; expected {text: v"),
        (
            FIVE,
            {"settings": VECTORS, "embed": lambda texts: [[1.0]] * (len(texts) - 1)},
            "document d1: embed returned float64 of shape (4, 1) for the texts from this document on; expected 5 vec",
        ),
        (FIVE, {"settings": VECTORS, "embed": lambda texts: texts}, "document d1: embed returned <U"),
        (
            FIVE,
            {"settings": VECTORS, "embed": lambda texts: [[float("inf")] for _ in texts]},
            "document d1: [inf] is no vector; expected finite numbers",
        ),
        (
            {"a": [1, 2], "b": [1]},
            {"settings": VECTORS, "embed": {}},
            "document b: the vector has 1 dimensions; expected 2",
        ),
        ({"a": [1, 2], "b": [0, 0]}, {"settings": VECTORS, "embed": {}}, "document b: the vector is all zeros"),
        ({"a": [float("nan")]}, {"settings": VECTORS, "embed": {}}, "document a: [nan] is no vector"),
        ({"a": [1]}, {"settings": VECTORS, "embed": {}, "analyzer": "words"}, "vectors are searched"),
    ],
)
def test_what_is_refused(opened, own, documents, options, said: str) -> None:
    """What cannot be opened, built or chosen is an InputError that says so."""
    with pytest.raises(rp.InputError, match=re.escape(said)):
        opened(documents, **options)


def test_pgvector_has_to_be_there(postgres) -> None:
    """In a database without the extension a search by vectors says what is missing, and makes nothing itself."""
    with postgres.connect() as connection:
        connection.execute("CREATE DATABASE bare")
    url = postgres.url.replace("/postgres?", "/bare?")
    with pytest.raises(rp.InputError, match=r'type "vector" does not exist\n\nhint: CREATE EXTENSION vector'):
        open_postgres(url, {"a": [1]}, settings=VECTORS, embed={})


@contextmanager
def refused(url: str, said: str):
    """A URL is refused by a message that holds no secret, nor does what the error came from."""
    with pytest.raises(rp.InputError, match=re.escape(said)) as error:
        open_postgres(url, FIVE)
    told = [error.value, error.value.__cause__, error.value.__context__ if error.value.__cause__ else None]
    assert SECRET not in " ".join(map(repr, told))
    yield error.value


@pytest.mark.parametrize(
    ("url", "said"),
    [
        (f"postgresql://me:{SECRET}@localhost/db", "the URL of PostgreSQL holds a password"),
        (f"postgresql://me@localhost/db?password={SECRET}", "the URL of PostgreSQL holds a password"),
        (f"postgresql://me@localhost/db?sslpassword={SECRET}", "the URL of PostgreSQL holds a sslpassword"),
        (f"postgresql://me:{SECRET}%zz@localhost/db", "the URL of PostgreSQL cannot be read"),
        ("postgresql://me:${RANKPROOF_NONE}@localhost/db", "environment variable RANKPROOF_NONE is not set"),
        ("postgresql://me@localhost/db?colour=red", "the URL of PostgreSQL cannot be read"),
        (f"postgresql://me:s3c/{SECRET}@127.0.0.1:1/db", "the URL of PostgreSQL holds an @ behind a /"),
        (f"postgresql://me:{SECRET}", "the URL of PostgreSQL cannot be read"),
        (f"postgresql:/me:{SECRET}@localhost/db", "the URL of PostgreSQL cannot be read"),
    ],
)
def test_a_password_stands_in_the_environment(url: str, said: str) -> None:
    """A password in the URL is refused, and shown by no message."""
    with refused(url, said):
        pass


def test_a_password_from_the_environment(monkeypatch) -> None:
    """The server gets the password that ${NAME} or PGPASSWORD names; neither messages nor settings show it."""
    monkeypatch.setenv("RANKPROOF_PASSWORD", SECRET)
    monkeypatch.setenv("PGPASSWORD", "another")
    with running(password=SECRET) as server:
        place = f"@/postgres?host={server.folder}"
        engine = open_postgres(f"postgresql://postgres:${{RANKPROOF_PASSWORD}}{place}", FIVE)
        assert engine.ask("plum", 1).doc_ids == ["d3"]
        assert SECRET not in json.dumps(engine.settings) + repr(engine._server)
        engine.close()
        monkeypatch.setenv("PGPASSWORD", SECRET)
        open_postgres(f"postgresql://postgres{place}", FIVE).close()
        monkeypatch.setenv("RANKPROOF_PASSWORD", f"not {SECRET}")
        with refused(f"postgresql://postgres:${{RANKPROOF_PASSWORD}}{place}", "password authentication failed"):
            pass


def test_a_server_that_is_not_there(tmp_path) -> None:
    """A server that does not answer is an error at the start, in one line, naming the place."""
    with pytest.raises(rp.InputError) as error:
        open_postgres(f"postgresql://me@/db?host={tmp_path}", FIVE)
    assert str(error.value).startswith(f"postgresql://me@{tmp_path}/db: cannot be searched: connection")
    assert "\n" not in str(error.value)


def test_without_psycopg() -> None:
    """Without the package the error names the extra that holds it."""
    program = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from rankproof.engines.postgres import open_postgres\n"
        "from rankproof import MissingPackageError\n"
        "try: open_postgres('postgresql://localhost/db', {'a': 'x'})\n"
        "except MissingPackageError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert done.stdout == 'PostgreSQL needs the package psycopg\n\nhint: pip install "rankproof[engines]"\n'


def test_what_decides_the_answers_is_told(opened) -> None:
    """`settings` changes with the corpus, the analyzer and each setting but rebuild, which changes no answer."""
    told = [
        opened(documents, **options).settings
        for documents, options in [
            (FIVE, {}),
            ({**FIVE, "d6": ""}, {}),
            (FIVE, {"analyzer": "words"}),
            (FIVE, {"settings": {"rank": "ts_rank_cd"}}),
        ]
    ]
    assert len({json.dumps(one) for one in told}) == 4
    assert opened(FIVE, settings={"rebuild": "true"}).settings == told[0]
    assert set(told[0]) == {*SETTINGS, "place", "analyzer", "sha256"} - {"rebuild"}


def test_cranfield(opened, postgres, data) -> None:
    """Over Cranfield, mean AP by ts_rank and ts_rank_cd is that of their formulas, worked out from its lexemes."""
    collection = cranfield(data)
    found: dict[str, dict[str, dict[str, int]]] = {"documents": {}, "queries": {}}
    with postgres.connect() as connection:
        for kind, texts in (("documents", collection.documents), ("queries", collection.queries)):
            for key, text in texts.items():
                rows = connection.execute(
                    "SELECT lexeme, cardinality(positions) FROM unnest(to_tsvector('english', %s))", (text,)
                )
                found[kind][text if kind == "queries" else key] = dict(rows.fetchall())
    holding: dict[str, list[str]] = {}
    for doc, counts in found["documents"].items():
        for token in counts:
            holding.setdefault(token, []).append(doc)

    def worked_out(amount, text: str) -> dict[str, float]:
        scores: dict[str, float] = {}
        for token in found["queries"][text]:
            for doc in holding.get(token, []):
                scores[doc] = scores.get(doc, 0.0) + amount(found["documents"][doc][token])
        return scores

    for rank, amount in (("ts_rank", ts_rank), ("ts_rank_cd", lambda count: 0.1 * count)):
        engine = opened(collection.documents, settings={"rank": rank})
        measured = collection.mean_ap(partial(asked, engine, k=1000))
        assert measured == pytest.approx(collection.mean_ap(partial(worked_out, amount)), abs=0.001)
        assert measured == pytest.approx(published(f"PostgreSQL, `{rank}`"), abs=0.001)


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_are_documented(name: str) -> None:
    """docs/search-engines-compared.md says of each setting what it decides, and its default."""
    documented("PostgreSQL", name, SETTINGS[name])
