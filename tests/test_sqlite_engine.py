"""SQLite's FTS5 as an engine: its formula by hand, queries that cannot break it, indexes that stay what they are."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from math import fsum, log
from pathlib import Path

import pytest
from cranfield import cranfield, documented, published
from hypothesis import given, settings
from hypothesis import strategies as st

import rankproof as rp
from rankproof.engines.engine import EngineError
from rankproof.engines.sql_settings import numbers_in
from rankproof.engines.sqlite import SETTINGS, open_sqlite
from rankproof.retrieve.text import ANALYZERS

FIVE = {
    "d1": "red apple apple",
    "d2": "red pear",
    "d3": "green pear pear plum plum",
    "d4": "plum",
    "d5": "The APPLES, of Città",
}
LETTERS = re.compile(r"[^\W_]+")


def fts5_scores(query: Sequence[str], tokens: dict[str, Sequence[str]]) -> dict[str, float]:
    """FTS5's documented formula: k1 1.2, b 0.75, idf ln((N - n + 0.5) / (n + 0.5)), 1e-6 where not above 0."""
    counts = {doc: Counter(found) for doc, found in tokens.items()}
    mean = sum(map(len, tokens.values())) / len(tokens) or 1.0
    holding = {token: sum(token in count for count in counts.values()) for token in set(query)}
    idfs = {token: log((len(tokens) - n + 0.5) / (n + 0.5)) for token, n in holding.items()}
    idf = {token: value if value > 0 else 1e-6 for token, value in idfs.items()}
    return {
        doc: fsum(
            idf[token] * count[token] * 2.2 / (count[token] + 1.2 * (0.25 + 0.75 * len(tokens[doc]) / mean))
            for token in query
        )
        for doc, count in counts.items()
        if any(token in count for token in query)
    }


def asked(engine, text: str, k: int = 10) -> dict[str, float]:
    """The scores by document, in the order of the ranking."""
    ranking = engine.ask(text, k)
    return dict(zip(ranking.doc_ids, ranking.scores, strict=True))


@pytest.fixture
def opened():
    """Open engines, and close them in the end."""
    engines = []

    def open_one(*arguments, **options):
        engines.append(open_sqlite(*arguments, **options))
        return engines[-1]

    yield open_one
    for engine in engines:
        engine.close()


def test_the_formula_by_hand(opened) -> None:
    """One word held by two of five documents has idf ln(3.5 / 2.5); its counts and lengths do the rest."""
    engine = opened("sqlite:", FIVE)
    idf, mean = log(3.5 / 2.5), (3 + 2 + 5 + 1 + 4) / 5
    assert asked(engine, "pear") == pytest.approx(
        {
            "d2": idf * 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / mean)),
            "d3": idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 5 / mean)),
        },
        rel=1e-12,
    )
    assert list(asked(engine, "pear")) == ["d2", "d3"]
    assert asked(engine, "pear pear") == pytest.approx({doc: 2 * x for doc, x in asked(engine, "pear").items()})


def test_a_word_in_most_documents_counts_almost_nothing(opened) -> None:
    """Where half or more of the documents hold the word, FTS5's idf is a millionth instead of 0 or less."""
    engine = opened("sqlite:", {"a": "x", "b": "x", "c": "y"})
    assert asked(engine, "x") == pytest.approx({"a": 1e-6, "b": 1e-6}, rel=1e-9)


@pytest.mark.parametrize(
    ("tokenize", "query", "found"),
    [
        ("unicode61", "apple", {"d1"}),
        ("unicode61", "apples CITTA", {"d5"}),
        ("porter unicode61", "apple", {"d1", "d5"}),
        ("trigram", "ppl", {"d1", "d5"}),
        ("trigram", "pp", set()),
    ],
)
def test_tokenizers(opened, tokenize: str, query: str, found: set[str]) -> None:
    """unicode61 folds case and accents, porter stems, trigram finds parts of three characters and none of two."""
    assert set(asked(opened("sqlite:", FIVE, settings={"tokenize": tokenize}), query)) == found


def test_korean_particles(opened) -> None:
    """농도 inside 농도의 is missed by unicode61, and found where an analyzer makes the tokens."""
    documents = {"a": "산소 농도의 측정", "b": "감시인의 연락"}
    assert not asked(opened("sqlite:", documents), "농도")
    engine = opened("sqlite:", documents, analyzer="hangul-2-3gram")
    assert set(asked(engine, "농도")) == {"a"}
    grams = {doc: ANALYZERS["hangul-2-3gram"].analyzer(text) for doc, text in documents.items()}
    query = "농도의 연락"
    assert asked(engine, query) == pytest.approx(fts5_scores(ANALYZERS["hangul-2-3gram"].analyzer(query), grams))


WORDS = st.sampled_from(
    ["AND", "OR", "NOT", "NEAR", "NEAR(a b, 3)", "*", "a*", "^a", "text:a", "-", "+", '"', "'", "(", ")", "{", "}",
     "a", "b", "ab", "a b", "A", "é", "e\u0301", "\0", "\ud800", "_", "a_b", "가", "--", ";", "\\", "%", "?1"]
)  # fmt: skip
TEXTS = st.lists(WORDS, max_size=6).map(" ".join)
CORPUS = {"1": "a near not", "2": "b and or", "3": "ab e 가", "4": "a b ab text a", "5": "or", "6": ""}


@pytest.fixture(scope="module")
def by_letters():
    """An index of CORPUS by FTS5's own tokenizer."""
    engine = open_sqlite("sqlite:", CORPUS)
    yield engine
    engine.close()


@given(text=TEXTS)
def test_operators_are_words(by_letters, text: str) -> None:
    """Whatever operators a query spells, its words alone are looked for, and a score is their sum by the formula."""
    composed = text.replace("e\u0301", "e").replace("é", "e")
    query = LETTERS.findall(composed.lower())
    expected = fts5_scores(query, {doc: LETTERS.findall(body) for doc, body in CORPUS.items()})
    assert asked(by_letters, text) == pytest.approx(expected, rel=1e-9)


@given(documents=st.dictionaries(st.sampled_from("pqrst"), TEXTS, min_size=1, max_size=5), query=TEXTS)
@settings(max_examples=60)
def test_tokens_of_an_analyzer_stay_whole(documents: dict[str, str], query: str) -> None:
    """Of what an analyzer returns no token is parted, folded or stopped at: the scores are the formula's over them."""
    tokens = {doc: re.sub("[\0\ud800]", " ", text).split() for doc, text in {**documents, "query": query}.items()}
    asked_for = tokens.pop("query")
    with closing(open_sqlite("sqlite:", documents, analyzer="whitespace")) as engine:
        assert asked(engine, query) == pytest.approx(fts5_scores(asked_for, tokens), rel=1e-9)


def test_any_token_is_kept(opened) -> None:
    """An analyzer may return blanks, quotes, control characters, lone surrogates, even an empty token."""
    odd = ["a b", "a", "b", '"', "\0", "\ud800", "", "A", "_", "_41", "é", "e\u0301"]
    documents = {f"d{at:02}": str(at) for at in range(len(odd))}
    engine = opened("sqlite:", documents, analyzer=lambda text: [odd[int(text)]])
    for at in range(len(odd)):
        assert list(asked(engine, str(at))) == [f"d{at:02}"]


def test_without_a_word_nothing_is_found(opened) -> None:
    """A query without letters has an empty ranking, and no error."""
    engine = opened("sqlite:", FIVE)
    for text in ("", "  ", '"', "* ^ :", "\0"):
        assert engine.ask(text, 3) == rp.model.Ranking([], [])


def test_a_very_long_query(opened) -> None:
    """Ten thousand words are looked for like one."""
    engine = opened("sqlite:", FIVE)
    assert set(asked(engine, " ".join([*map(str, range(10_000)), "plum"]))) == {"d3", "d4"}


def test_ties_and_the_cut(opened) -> None:
    """Equal scores stand by document id, by code points, ascending, also where k cuts between them."""
    engine = opened("sqlite:", dict.fromkeys(["b", "10", "가", "a", "9", "B", "\U0001f34e", "\uffee"], "x y"))
    everything = ["10", "9", "B", "a", "b", "가", "\uffee", "\U0001f34e"]
    assert everything == sorted(everything)
    for k in (1, 4, 8, 1 << 70):
        assert list(engine.ask("x", k).doc_ids) == everything[:k]
    with pytest.raises(rp.MeasureError, match="k cannot be 0"):
        engine.ask("x", 0)


@pytest.mark.parametrize("place", ["memory", "file"])
def test_threads(opened, tmp_path: Path, place: str) -> None:
    """Eight threads at once get what one gets."""
    words = ["red", "pear", "plum", "apple"] * 25
    engine = opened("sqlite:" if place == "memory" else f"sqlite:{tmp_path / 'a.db'}", FIVE)
    alone = [engine.ask(word, 3) for word in words]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda word: engine.ask(word, 3), words)) == alone


def test_a_closed_engine_answers_no_more() -> None:
    """After `close`, which may be called twice, a query is an error of the engine, none of SQLite."""
    engine = open_sqlite("sqlite:", FIVE)
    engine.close()
    engine.close()
    with pytest.raises(EngineError, match="closed"):
        engine.ask("plum", 1)


# an index in a file


def test_an_index_is_built_once(opened, tmp_path: Path) -> None:
    """The same corpus finds its index, unchanged to the byte; another one is refused, or replaces it when asked to."""
    path = tmp_path / "100% a#b?.db"
    url = f"sqlite:{path}"
    first = asked(opened(url, FIVE), "plum")
    before = path.read_bytes()
    assert asked(opened(url, dict(reversed(FIVE.items()))), "plum") == first
    assert asked(opened(url), "plum") == first
    assert path.read_bytes() == before
    changed = {**FIVE, "d6": "plum"}
    for documents, options in [
        (changed, {}),
        (FIVE, {"analyzer": "words"}),
        (FIVE, {"settings": {"tokenize": "trigram"}}),
        (FIVE, {"settings": {"id": "name"}}),
    ]:
        with pytest.raises(rp.InputError, match=r"built from another corpus, or in another way\n\nhint: rebuild=true"):
            open_sqlite(url, documents, **options)
    assert path.read_bytes() == before
    assert "d6" in asked(opened(url, changed, settings={"rebuild": "true"}), "plum")
    assert set(asked(opened(url, FIVE, settings={"table": "beside"}), "plum")) == {"d3", "d4"}
    assert "d6" in asked(opened(url), "plum")


def test_an_index_remembers_its_analyzer(opened, tmp_path: Path) -> None:
    """Without a corpus, queries are parted as the documents were; another analyzer, or an unknown one, is refused."""
    url = f"sqlite:{tmp_path / 'a.db'}"
    opened(url, {"a": "농도의"}, analyzer="hangul-2-3gram")
    assert set(asked(opened(url), "농도")) == {"a"}
    with pytest.raises(rp.InputError, match="expected the analyzer hangul-2-3gram"):
        open_sqlite(url, analyzer="words")
    opened(url, {"a": "x"}, analyzer=str.split, settings={"table": "own"})
    with pytest.raises(rp.InputError, match="expected the analyzer a function"):
        open_sqlite(url, settings={"table": "own"})
    assert set(asked(opened(url, analyzer=str.split, settings={"table": "own"}), "x")) == {"a"}


def test_an_index_is_whole_or_not_there(tmp_path: Path, monkeypatch) -> None:
    """Where building fails, a new file is gone, and an old one keeps every table."""
    path = tmp_path / "a.db"
    unknown = {"a": "x", "b": "y"}
    with pytest.raises(rp.InputError, match="reserved"):
        open_sqlite(f"sqlite:{path}", unknown, settings={"id": "rank"})
    assert not list(tmp_path.iterdir())
    open_sqlite(f"sqlite:{path}", FIVE).close()
    before = path.read_bytes()
    with pytest.raises(rp.InputError, match="reserved"):
        open_sqlite(f"sqlite:{path}", unknown, settings={"id": "rank", "rebuild": "true"})
    assert [one.name for one in tmp_path.iterdir()] == ["a.db"]
    assert path.read_bytes() == before


# a table of the user's


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A database that is not ours: an FTS5 table with a title, one without content, and a plain table."""
    path = tmp_path / "own.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("""CREATE VIRTUAL TABLE "the ""articles" USING fts5(key UNINDEXED, title, body)""")
        rows = [("k1", "pear", "apple"), ("k2", "apple", "pear pear"), (None, "fig", "fig"), (4, "plum", "")]
        connection.executemany('INSERT INTO "the ""articles" VALUES (?, ?, ?)', rows)
        connection.execute("CREATE VIRTUAL TABLE bare USING fts5(body, content='')")
        connection.execute("INSERT INTO bare(rowid, body) VALUES (7, 'x'), (8, 'y'), (9, 'z')")
        connection.execute("CREATE TABLE plain (key, body)")
        connection.commit()
    return path


def test_a_table_of_the_users(opened, own: Path) -> None:
    """Any FTS5 table is searched, its columns weighed as asked, and the file stays as it is."""
    before = own.read_bytes()
    table = {"table": 'the "articles', "id": "key"}
    assert set(asked(opened(f"sqlite:{own}", settings=table), "apple")) == {"k1", "k2"}
    title_only = asked(opened(f"sqlite:{own}", settings={**table, "weights": "0,1,0"}), "apple")
    assert list(title_only) == ["k2", "k1"]
    assert title_only["k1"] == 0 < title_only["k2"]
    assert list(asked(opened(f"sqlite:{own}", settings=table), "plum")) == ["4"]
    assert list(asked(opened(f"sqlite:{own}", settings={"table": "bare", "id": "rowid"}), "y")) == ["8"]
    assert own.read_bytes() == before


def test_a_row_without_an_id(opened, own: Path) -> None:
    """Where a row found has no id, the query fails, and says what helps."""
    engine = opened(f"sqlite:{own}", settings={"table": 'the "articles', "id": "key"})
    with pytest.raises(EngineError, match="no id") as error:
        engine.ask("fig", 3)
    assert not error.value.transient
    assert error.value.fault.hint == "id=rowid takes the row's number"


def test_words_of_a_query_by_white_space(opened, tmp_path: Path) -> None:
    """split=white-space leaves it to the table's tokenizer what is one word, and what a phrase."""
    path = tmp_path / "own.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("""CREATE VIRTUAL TABLE t USING fts5(doc_id, body, tokenize="unicode61 tokenchars '+'")""")
        connection.execute(
            "INSERT INTO t VALUES ('a', 'c++ plus'), ('b', 'c plus'), ('c', 'high speed'), ('d', 'speed')"
        )
        connection.commit()
    for split, found in [("letters", {"b", "c", "d"}), ("white-space", {"a", "c"})]:
        engine = opened(f"sqlite:{path}", settings={"table": "t", "split": split})
        assert set(asked(engine, "c++ high-speed")) == found


def test_a_locked_file_is_worth_another_try(opened, tmp_path: Path, monkeypatch) -> None:
    """Where another program locks the file, the error is transient; where the table is gone, it is not."""
    monkeypatch.setattr("rankproof.engines.sqlite_index.PATIENCE", 0)
    path = tmp_path / "a.db"
    engine = opened(f"sqlite:{path}", FIVE)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(EngineError, match="locked") as error:
            engine.ask("plum", 1)
        assert error.value.transient
        other.execute("ROLLBACK")
        assert engine.ask("plum", 1).doc_ids == ["d4"]
        other.execute("DROP TABLE rankproof")
    with pytest.raises(EngineError, match="no such table") as error:
        engine.ask("plum", 1)
    assert not error.value.transient


def test_a_query_may_take_its_time_out(opened) -> None:
    """A slow query ends at the time-out, and trying again is no remedy."""
    engine = opened("sqlite:", {str(at): "x" for at in range(2000)}, timeout=1e-9)
    with pytest.raises(EngineError, match="takes longer than 1e-09 s") as error:
        engine.ask("x", 1)
    assert not error.value.transient


@pytest.mark.parametrize(
    ("place", "documents", "options", "said"),
    [
        ("sqlite:", None, {}, "an index in memory needs documents"),
        ("sqlite:", {}, {}, "there are no documents"),
        ("sqlite:", {"a": None}, {}, "document a: None is no text"),
        ("sqlite:", {"a\0": "x"}, {}, "cannot be stored"),
        ("sqlite:", {"\ud800": "x"}, {}, "cannot be stored"),
        ("sqlite:", {1: "x"}, {}, "the document id 1 cannot be stored"),
        ("sqlite:", FIVE, {"settings": {"tabel": "x"}}, "did you mean table?"),
        (
            "sqlite:",
            FIVE,
            {"settings": {"tokenize": "snowball"}},
            "expected one of unicode61, porter unicode61, trigram",
        ),
        ("sqlite:", FIVE, {"settings": {"weights": "1,x"}}, "expected numbers with commas"),
        ("sqlite:", FIVE, {"settings": {"weights": "1,inf"}}, "expected numbers with commas"),
        ("sqlite:", FIVE, {"settings": {"weights": "1"}}, "expected one for each of doc_id, text"),
        ("sqlite:", FIVE, {"settings": {"id": "rank"}}, "cannot be built: reserved"),
        ("sqlite:", FIVE, {"analyzer": "word"}, "unknown analyzer"),
        ("sqlite:", FIVE, {"analyzer": "words", "settings": {"tokenize": "trigram"}}, "an analyzer parts the texts"),
        ("mysql:x", FIVE, {}, "names no database of SQLite"),
        ("sqlite:a\0", FIVE, {}, "names no database of SQLite"),
        ("sqlite:{tmp}/none.db", None, {}, "none.db: there is no such file"),
        ("sqlite:{tmp}/none/a.db", FIVE, {}, "cannot be built: unable to open"),
        ("sqlite:{tmp}", FIVE, {}, "cannot be built: unable to open"),
        ("sqlite:{tmp}/text.db", None, {}, "file is not a database"),
        ("sqlite:{tmp}/text.db", FIVE, {}, "file is not a database"),
        ("sqlite:{tmp}/own.db", None, {}, 'FTS5 tables here: bare, the "articles'),
        ("sqlite:{tmp}/own.db", None, {"settings": {"table": "plain"}}, "there is no FTS5 table 'plain'"),
        ("sqlite:{tmp}/own.db", None, {"settings": {"table": "bare"}}, "expected one of body, rowid"),
        (
            "sqlite:{tmp}/own.db",
            None,
            {"settings": {"rebuild": "true"}},
            "is for an index that is built from documents",
        ),
        ("sqlite:{tmp}/own.db", FIVE, {"settings": {"table": "bare"}}, "rankproof did not make the table 'bare'"),
    ],
)
def test_what_is_refused(own: Path, place: str, documents, options, said: str) -> None:
    """What cannot be opened, built or chosen is an InputError that says so, and no file changes."""
    (own.parent / "text.db").write_text("no database " * 100)
    before = {path: path.read_bytes() for path in own.parent.iterdir()}
    with pytest.raises(rp.InputError, match=re.escape(said)):
        open_sqlite(place.replace("{tmp}", str(own.parent)), documents, **options)
    assert {path: path.read_bytes() for path in own.parent.iterdir()} == before


def test_places(opened, tmp_path: Path, monkeypatch) -> None:
    """A path may be relative or absolute, and spelled with three slashes before it."""
    monkeypatch.chdir(tmp_path)
    opened("sqlite:a.db", FIVE)
    assert (tmp_path / "a.db").is_file()
    for place in ("sqlite:a.db", "sqlite:///a.db", f"sqlite:{tmp_path}/a.db", f"sqlite:///{tmp_path}/a.db"):
        assert set(asked(opened(place), "plum")) == {"d3", "d4"}


def test_settings_are_read_whole() -> None:
    """Numbers in a list are read, blanks allowed; an empty list is none."""
    assert numbers_in("weights", " 1, 2.5,-3e2 ") == [1, 2.5, -300]
    assert numbers_in("weights", "") == []


def test_what_decides_the_answers_is_told(opened) -> None:
    """`settings` changes with the corpus, the analyzer and each setting but rebuild, which changes no answer."""
    told = [
        opened("sqlite:", documents, **options).settings
        for documents, options in [
            (FIVE, {}),
            ({**FIVE, "d6": ""}, {}),
            (FIVE, {"analyzer": "words"}),
            (FIVE, {"settings": {"tokenize": "trigram"}}),
        ]
    ]
    assert len({json.dumps(one) for one in told}) == 4
    assert opened("sqlite:", FIVE, settings={"rebuild": "true"}).settings == told[0]
    assert set(told[0]) == {*SETTINGS, "path", "analyzer", "sha256"} - {"rebuild"}


def tokens_by_fts5(texts: Mapping[str, str]) -> dict[str, list[str]]:
    """The tokens of texts as the tokenizer `porter unicode61` makes them, read back from a vocabulary table."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE VIRTUAL TABLE t USING fts5(text, tokenize='porter unicode61')")
        connection.executemany("INSERT INTO t(rowid, text) VALUES (?, ?)", enumerate(texts.values()))
        connection.execute("CREATE VIRTUAL TABLE terms USING fts5vocab(t, instance)")
        found: dict[str, list[str]] = {key: [] for key in texts}
        keys = list(texts)
        for row, term in connection.execute("SELECT doc, term FROM terms"):
            found[keys[row]].append(term)
    return found


def test_cranfield(opened, data: Path) -> None:
    """Over Cranfield, mean AP and each score are those of the formula, worked out from FTS5's own tokens."""
    collection = cranfield(data)
    engine = opened("sqlite:", collection.documents, settings={"tokenize": "porter unicode61"})
    measured = collection.mean_ap(lambda text: asked(engine, text, 1000))
    documents, queries = tokens_by_fts5(collection.documents), tokens_by_fts5(collection.queries)
    by_text = {collection.queries[query]: tokens for query, tokens in queries.items()}
    holding: dict[str, list[str]] = {}
    for doc, tokens in documents.items():
        for token in set(tokens):
            holding.setdefault(token, []).append(doc)
    counts = {doc: Counter(tokens) for doc, tokens in documents.items()}
    mean = sum(map(len, documents.values())) / len(documents)
    norms = {doc: 1.2 * (0.25 + 0.75 * len(tokens) / mean) for doc, tokens in documents.items()}

    def worked_out(text: str) -> dict[str, float]:
        scores: dict[str, float] = {}
        for token in by_text[text]:
            docs = holding.get(token, [])
            idf = log((len(documents) - len(docs) + 0.5) / (len(docs) + 0.5))
            for doc in docs:
                count = counts[doc][token]
                amount = (idf if idf > 0 else 1e-6) * count * 2.2 / (count + norms[doc])
                scores[doc] = scores.get(doc, 0.0) + amount
        return scores

    assert measured == pytest.approx(collection.mean_ap(worked_out), abs=1e-4)
    assert measured == pytest.approx(published("SQLite FTS5, `porter unicode61`"), abs=0.001)
    text = collection.queries["1"]
    best = asked(engine, text, 50)
    expected = worked_out(text)
    assert best == pytest.approx({doc: expected[doc] for doc in best}, rel=1e-9)


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_are_documented(name: str) -> None:
    """docs/search-engines-compared.md says of each setting what it decides, and its default."""
    documented("SQLite", name, SETTINGS[name])
