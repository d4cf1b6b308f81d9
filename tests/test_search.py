"""`rankproof search` and `fuse`: runs from a corpus, and from runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from faulty_server import Service

import rankproof as rp
from rankproof.engines import name_of
from rankproof.errors import InputError
from rankproof.systems import KINDS, read_collection, read_system, systems_of
from rankproof.systems.functions import function_of, source_of

EXAMPLE = Path(rp.__file__).parent / "example"
CORPUS, QUERIES = EXAMPLE / "corpus.jsonl", EXAMPLE / "queries.jsonl"


@pytest.fixture
def small(tmp_path) -> Path:
    """A folder with three documents and two queries."""
    docs = {"d1": "oxygen in tanks", "d2": "ladders and tanks", "d3": "noise"}
    (tmp_path / "corpus.jsonl").write_text(
        "".join(json.dumps({"_id": doc, "text": text}) + "\n" for doc, text in docs.items())
    )
    (tmp_path / "queries.tsv").write_text("q1\toxygen tanks\nq2\tnothing here\n")
    return tmp_path


def test_the_published_lists(in_process, data, tmp_path) -> None:
    """Both published lists come out exactly: BM25 over 2- and 3-grams of path, title and text."""
    where, run = data / "ko-osh-rules", tmp_path / "ko.run"
    fields = ("--field", "path", "--field", "title", "--field", "text")
    asked = ("search", where / "corpus.jsonl", where / "queries.jsonl", "--method", "bm25")
    done = in_process(*asked, "--analyzer", "hangul-2-3gram", *fields, "-k", "5", "-o", run)
    assert done.status == 0, done.err
    found = rp.read_run(run).rankings
    assert list(found["0"].doc_ids) == ["제619조의2", "제629조", "제618조", "제636조", "제626조"]
    assert list(found["7"].doc_ids) == ["제623조", "제619조", "제641조", "제622조", "제626조"]


def test_cranfield(in_process, data, tmp_path) -> None:
    """BM25 over Cranfield's stemmed words has a MAP of 0.310 ± 0.01."""
    where, run = data / "cranfield", tmp_path / "run"
    done = in_process("search", where / "corpus.jsonl", where / "queries.jsonl", "--analyzer", "english", "-o", run)
    assert done.status == 0, done.err
    assert rp.evaluate(where / "qrels.binary.txt", run, "AP").means["AP"] == pytest.approx(0.310, abs=0.01)


@pytest.mark.parametrize("run", ["bm25-words", "bm25-ngrams"])
def test_the_example_runs(in_process, tmp_path, run: str) -> None:
    """The packaged BM25 runs come out again: the same documents in the same order to rank 10."""
    analyzer = "words" if run == "bm25-words" else "hangul-2-3gram-words"
    path = tmp_path / "run"
    done = in_process("search", CORPUS, QUERIES, "--analyzer", analyzer, "-k", "10", "-o", path)
    assert done.status == 0, done.err
    shipped = rp.read_run(EXAMPLE / f"{run}.run").rankings
    assert {query: list(one.doc_ids) for query, one in rp.read_run(path).rankings.items()} == {
        query: list(one.doc_ids) for query, one in shipped.items()
    }


def test_every_query_is_told(in_process, small) -> None:
    """A query without a result is named, as it cannot stand in the file; a run is named by its method, or as asked."""
    run = small / "out.run"
    done = in_process("search", small / "corpus.jsonl", small / "queries.tsv", "-o", run)
    assert done.status == 0
    assert "bm25: 2 queries, 1 without a result (q2), 2 results" in done.err
    assert rp.read_run(run).name == "bm25"
    assert list(rp.read_run(run).rankings["q1"].doc_ids) == ["d1", "d2"]
    in_process("search", small / "corpus.jsonl", small / "queries.tsv", "--name", "ours", "-o", run)
    assert rp.read_run(run).name == "ours"


def test_a_fusion_is_made_of_deep_lists(in_process, tmp_path) -> None:
    """RRF of two methods fuses their runs to rank 1000, whatever k is; `fuse` makes the same of the files."""
    words = ("--analyzer", "hangul-2-3gram-words")
    for method in ("bm25", "lsa"):
        in_process("search", CORPUS, QUERIES, "--method", method, *words, "-o", tmp_path / f"{method}.run")
    fused = ("--method", "rrf", *words, "--weight", "2", "--weight", "1", "-k", "3", "--name", "rrf")
    in_process("search", CORPUS, QUERIES, *fused, "-o", tmp_path / "rrf.run")
    parts = [rp.read_run(tmp_path / f"{method}.run") for method in ("bm25", "lsa")]
    expected = rp.fuse(parts, "rrf", weights=[2, 1])
    for name in ("rrf.run", "fuse.run"):
        found = rp.read_run(tmp_path / name) if (tmp_path / name).exists() else None
        if found is None:
            runs = (tmp_path / "bm25.run", tmp_path / "lsa.run")
            in_process("fuse", *runs, "--weight", "2", "--weight", "1", "-k", "3", "-o", tmp_path / name)
            found = rp.read_run(tmp_path / name)
        assert {query: list(one.doc_ids) for query, one in found.rankings.items()} == {
            query: list(one.doc_ids[:3]) for query, one in expected.rankings.items()
        }


def test_cosine_from_files(in_process, small) -> None:
    """With vectors of both sides QUERIES alone are needed; the nearest by cosine come first."""
    (small / "d.json").write_text(json.dumps({"d1": [1, 0], "d2": [1, 1], "d3": [0, 1]}))
    (small / "q.json").write_text(json.dumps({"q1": [3, 1], "q2": [0, 2]}))
    vectors = ("--vectors", small / "d.json", "--query-vectors", small / "q.json")
    done = in_process("search", small / "queries.tsv", "--method", "cosine", *vectors, "-o", small / "run")
    assert done.status == 0, done.err
    found = rp.read_run(small / "run").rankings
    assert list(found["q1"].doc_ids) == ["d1", "d2", "d3"]
    assert list(found["q2"].doc_ids) == ["d3", "d2", "d1"]


def test_an_embedding_of_ones_own(command, small) -> None:
    """`module:function` is found in the working folder and embeds documents and queries."""
    (small / "ours.py").write_text(
        "def embed(texts):\n    return [[text.count('tank') + 0.1, text.count('noise') + 0.2] for text in texts]\n"
    )
    arguments = ("search", "corpus.jsonl", "queries.tsv", "--method", "cosine", "--embed", "ours:embed", "-o", "run")
    done = command(*arguments, cwd=small)
    assert done.status == 0, done.err
    assert list(rp.read_run(small / "run").rankings["q1"].doc_ids) == ["d1", "d2", "d3"]


def test_an_embedded_engine(in_process, small) -> None:
    """SQLite is built from the corpus and asked; no journal stays behind."""
    arguments = ("search", small / "corpus.jsonl", small / "queries.tsv", "--engine", "sqlite:", "-o", small / "run")
    done = in_process(*arguments)
    assert done.status == 0, done.err
    assert list(rp.read_run(small / "run").rankings["q1"].doc_ids) == ["d1", "d2"]
    assert [path.name for path in small.iterdir() if "answers" in path.name] == []


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--method", "bm26"], "unknown method 'bm26'; expected bm25, lsa, cosine"),
        (["--k1", "2", "--method", "lsa"], "k1 is no option of lsa; expected analyzer, dimensions, seed"),
        (["--k1", "2", "--method", "lsa"], "hint: k1 is for bm25"),
        (["--k1", "-1"], "k1 cannot be -1"),
        (["--method", "rrf", "--weight", "1"], "system rrf has 1 weight; expected 2, one each"),
        (["--method", "rrf", "--of", "bm25"], "the fusion is made of bm25; expected two or more"),
        (["--method", "rrf", "--of", "bm25", "--of", "dense"], "a fusion cannot be made of 'dense'"),
        (["--of", "bm25"], "bm25 is no fusion"),
        (["--delta", "1"], "the variant lucene has no delta; expected one of bm25l, bm25+, or no delta"),
        (["--analyzer", "wrods"], "unknown analyzer 'wrods'"),
        (["--variant", "bm26"], "bm26"),
        (["--method", "cosine"], "cosine has no vectors; expected vectors and query-vectors, or embed"),
        (["--method", "cosine", "--embed", "no_such:thing"], "no_such:thing cannot be loaded"),
        (["--engine", "gopher://x"], "gopher: names no engine"),
        (["--engine", "sqlite:", "--method", "bm25"], "a method and an engine are given"),
        (["--engine", "sqlite:", "--set", "index"], "'index' sets nothing; expected name=value"),
        (["--field", "txet"], "has no field txet; expected one of _id, text"),
    ],
)
def test_what_is_refused(in_process, small, options: list[str], says: str) -> None:
    """What cannot be is refused with a message that says what could; status 2, and no run is written."""
    run = small / "run"
    done = in_process("search", small / "corpus.jsonl", small / "queries.tsv", *options, "-o", run)
    assert (done.status, run.exists()) == (2, False)
    assert says in done.err


def test_what_nothing_reads(in_process, small) -> None:
    """A corpus that no part of the search needs is not read, and that is told; a function's file is no output."""
    (small / "v.json").write_text('{"d1": [1, 0], "q1": [1, 1], "q2": [0, 1]}')
    (small / "corpus.jsonl").write_text("broken")
    vectors = ("--method", "cosine", "--vectors", small / "v.json", "--query-vectors", small / "v.json")
    done = in_process("search", small / "corpus.jsonl", small / "queries.tsv", *vectors, "-o", small / "run")
    assert done.status == 0, done.err
    assert "corpus.jsonl is not read" in done.err


def test_equal_scores_are_told(in_process, small) -> None:
    """A run with equal scores is written with a note of how it will be read."""
    (small / "queries.tsv").write_text("q1\ttanks\n")
    (small / "corpus.jsonl").write_text('{"_id": "a", "text": "tanks"}\n{"_id": "b", "text": "tanks"}\n')
    done = in_process("search", small / "corpus.jsonl", small / "queries.tsv", "-o", small / "run")
    assert "bm25: equal scores in 1 query (q1)" in done.err
    assert list(rp.read_run(small / "run").rankings["q1"].doc_ids) == ["a", "b"]


def test_a_function_is_no_output(command, small) -> None:
    """The file of an embedding function is an input: it is not overwritten."""
    (small / "ours.py").write_text("def embed(texts):\n    return [[1.0, 2.0] for text in texts]\n")
    asked = ("search", "corpus.jsonl", "queries.tsv", "--method", "cosine", "--embed", "ours:embed")
    done = command(*asked, "-o", "ours.py", cwd=small)
    assert (done.status, "it would be overwritten" in done.err) == (2, True)


def test_queries_alone(in_process, small) -> None:
    """A method that searches the corpus needs both files, and no output may stand where an input does."""
    done = in_process("search", small / "queries.tsv", "-o", small / "run")
    assert done.status == 2
    assert "1 files are given; expected CORPUS QUERIES" in done.err
    done = in_process("search", small / "corpus.jsonl", small / "queries.tsv", "-o", small / "queries.tsv")
    assert done.status == 2
    assert "it would be overwritten" in done.err


def test_options_and_their_types() -> None:
    """Each option of each kind refuses another type, and keys may be spelled with underscores."""
    wrong = {"text": 3, "file": 3, "number": "x", "whole": 1.5, "texts": "x", "numbers": ["x"], "table": 3}
    for kind in KINDS.values():
        table = {kind.name: "x"} if kind.name in ("run", "engine") else {"method": kind.name}
        for key, option in kind.options.items():
            with pytest.raises(InputError, match=f"system s: {key} is "):
                read_system("s", {**table, key: wrong[option.type]})
    assert read_system("s", {"method": "rrf", "of": ["a", "b"], "rrf_k": 1}).options["rrf-k"] == 1
    with pytest.raises(InputError, match="system s has no of"):
        read_system("s", {"method": "rrf"})
    with pytest.raises(InputError, match="system s has method and run; expected one of method, run, engine"):
        read_system("s", {"method": "bm25", "run": "x"})


def test_parts_take_their_own_options() -> None:
    """Each part of a fusion takes the options of its method; what belongs to none is refused."""
    bm25, lsa, rrf = systems_of({"k1": 2.0, "dimensions": 3, "analyzer": "words", "rrf-k": 1.0}, "rrf")
    assert (bm25.options["k1"], lsa.options["dimensions"], rrf.options["rrf-k"]) == (2.0, 3, 1.0)
    assert bm25.options["analyzer"] == lsa.options["analyzer"] == "words"
    with pytest.raises(InputError, match="normalize is no option of rrf"):
        systems_of({"normalize": "z-score"}, "rrf")


def test_an_empty_collection(tmp_path) -> None:
    """Files without texts are errors."""
    (tmp_path / "corpus").write_text("1\ta\n")
    (tmp_path / "empty").write_text("")
    with pytest.raises(InputError, match="holds no records"):
        read_collection(tmp_path / "corpus", tmp_path / "empty")


def test_functions_are_those_of_their_folder(tmp_path) -> None:
    """Two folders with a module of one name have a function each, an edited one counts, and so does what fails."""
    for number in (1, 2):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "emb.py").write_text(f"def f():\n    return {number}\n")
    assert [function_of("emb:f", tmp_path / str(number))() for number in (1, 2)] == [1, 2]
    assert source_of("emb:f", tmp_path / "2", str) == str(tmp_path / "2" / "emb.py")
    (tmp_path / "1" / "emb.py").write_text("def f():\n    return 3\n")
    assert function_of("emb:f", tmp_path / "1")() == 3
    assert function_of("json:dumps", tmp_path)([1]) == "[1]"
    assert function_of("a-model", tmp_path) == "a-model"
    assert source_of("a-model", tmp_path, str) is None
    (tmp_path / "data.py").write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n@dataclass\nclass A:\n    x: int\n"
        "def f():\n    return A(4).x\n"
    )
    assert function_of("data:f", tmp_path)() == 4
    (tmp_path / "bad.py").write_text("1 +\n")
    for given, says in {
        "bad:f": "SyntaxError",
        "..emb:f": "cannot be loaded",
        ":f": "cannot be loaded",
        "json:nothing": "AttributeError",
        "json:__name__": "is no function",
    }.items():
        with pytest.raises(InputError, match=says):
            function_of(given, tmp_path)
        source_of(given, tmp_path, str)


MAPPING = 'hits = "$.hits"\nid = "$.id"\n[body]\nq = "{query}"\n'


@pytest.fixture
def asking(in_process, small, service: Service):
    """Ask the server the two queries, by a mapping of the test's own."""

    def ask(*options, mapping: str = MAPPING, output: str | Path = small / "run"):
        (small / "our shop.toml").write_text(mapping)
        engine = ("--engine", service.url, "--mapping", small / "our shop.toml", "--concurrency", "1")
        return in_process("search", small / "queries.tsv", *engine, *options, "-o", output)

    return ask


def test_another_embedding_does_not_take_the_answers(asking, service: Service, small, monkeypatch) -> None:
    """Answers to another function's vectors, or to those of another text of its file, are not taken."""
    monkeypatch.chdir(small)
    (small / "rp_ours_1.py").write_text("def embed(texts):\n    return [[1.0] for _ in texts]\n")
    (small / "rp_ours_2.py").write_text("def embed(texts):\n    return [[2.0] for _ in texts]\n")
    mapping = MAPPING + 'v = "{vector}"\n'
    service.plan({"nothing here": [{"status": 400}]})
    assert asking("--embed", "rp_ours_1:embed", mapping=mapping).status == 2
    done = asking("--embed", "rp_ours_2:embed", mapping=mapping)
    assert done.status == 2
    assert "embed.function was 'rp_ours_1:embed', is 'rp_ours_2:embed'" in done.err
    before = (small / "run.answers.jsonl").read_text()
    (small / "rp_ours_1.py").write_text("def embed(texts):\n    return [[3.0] for _ in texts]\n")
    done = asking("--embed", "rp_ours_1:embed", mapping=mapping)
    assert done.status == 2
    assert "embed.sha256 was" in done.err
    assert (small / "run.answers.jsonl").read_text() == before
    service.plan()
    assert asking("--embed", "rp_ours_1:embed", "--restart", mapping=mapping).status == 0


def test_a_file_beside_the_run_is_the_users(in_process, asking, small) -> None:
    """Without an engine nothing beside the run is removed; with one, only a journal that is no input is."""
    mine, output = small / "run.answers.jsonl", ("-o", small / "run")
    mine.write_text('{"_id": "q1", "text": "oxygen tanks"}\n')
    done = in_process("search", small / "corpus.jsonl", mine, *output)
    assert (done.status, mine.exists()) == (0, True), done.err
    for restart in ((), ("--restart",)):
        done = in_process("search", mine, "--engine", "sqlite:none.db", *restart, *output)
        assert (done.status, mine.exists()) == (2, True)
        assert "it would be overwritten" in done.err
        done = asking(*restart)
        assert (done.status, mine.exists()) == (2, True)
        assert "run.answers.jsonl:1: holds no answers of an engine" in done.err


def test_a_restart_waits_until_all_else_is_read(asking, service: Service, small) -> None:
    """A restart whose command is wrong, or whose engine does not answer, leaves the answers that are there."""
    service.plan({"nothing here": [{"status": 400}]})
    assert asking().status == 2
    before = (small / "run.answers.jsonl").read_bytes()
    for wrong in ({"mapping": "hits = 1"}, {"mapping": "max-k = 5\n" + MAPPING}):
        assert asking("--restart", **wrong).status == 2
    assert asking("--restart", "--query-field", "none").status == 2
    service.plan(default={"status": 400})
    assert asking("--restart").status == 2
    assert (small / "run.answers.jsonl").read_bytes() == before
    service.plan()
    done = asking("--restart")
    assert done.status == 0
    assert "answered before" not in done.err
    assert not (small / "run.answers.jsonl").exists()


@pytest.mark.parametrize("suffix", ["", "-wal", "-journal"])
def test_what_is_searched_is_not_overwritten(in_process, small, suffix: str) -> None:
    """A run does not take the place of the database that is searched, nor of SQLite's files beside it."""
    built = ("search", small / "corpus.jsonl", small / "queries.tsv", "--engine", f"sqlite:{small / 'mine.db'}")
    assert in_process(*built, "-o", small / "run").status == 0
    before = (small / "mine.db").read_bytes()
    for arguments in (built, ("search", small / "queries.tsv", "--engine", f"sqlite:///{small / 'mine.db'}")):
        done = in_process(*arguments, "-o", small / f"mine.db{suffix}")
        assert done.status == 2
        assert "it would be overwritten" in done.err
    assert (small / "mine.db").read_bytes() == before


def test_a_mapping_is_not_overwritten(asking, small) -> None:
    """A run does not take the place of the mapping that it is asked by."""
    done = asking(output=small / "our shop.toml")
    assert (done.status, (small / "our shop.toml").read_text()) == (2, MAPPING)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["corpus.jsonl", "queries.tsv", "--restart"], "--restart is given, and no answers are kept"),
        (["queries.tsv", "--engine", "sqlite:mine.db", "--restart", "-o", "-"], "--restart is given"),
        (["queries.tsv", "--engine", "sqlite:mine.db", "--field", "text"], "--field is given, and no corpus is read"),
        (["queries.tsv", "--method", "cosine", "--vectors", "v", "--query-vectors", "v", "--field", "a"], "--field is"),
        (["corpus.jsonl", "queries.tsv", "--name", ""], "the name of the run is empty"),
        (["corpus.jsonl", "queries.tsv", "--name", " \t"], "the name of the run is empty"),
        (["corpus.jsonl", "queries.tsv", "-o", "folder"], "folder: is a folder, not a file"),
        (["corpus.jsonl", "queries.tsv", "-o", "none/run"], "none/run: cannot be written: its folder is not there"),
    ],
)
def test_what_would_be_ignored_is_refused(in_process, small, monkeypatch, options: list[str], says: str) -> None:
    """An option that says nothing where it stands, an empty name, and a place that cannot be written are refused."""
    monkeypatch.chdir(small)
    (small / "folder").mkdir()
    done = in_process("search", "-o", "run", *options)
    assert (done.status, (small / "run").exists()) == (2, False)
    assert says in done.err


def test_a_run_that_cannot_be_written_is_not_asked_for(asking, service: Service, small) -> None:
    """A place that is a folder costs no query, and an id with a blank one alone; the message says what helps."""
    (small / "folder").mkdir()
    assert "is a folder" in asking(output=small / "folder").err
    assert service.requests == []
    service.plan(default={"json": {"hits": [{"id": "doc 7"}]}})
    done = asking()
    assert done.status == 2
    assert "query q1, document doc 7: cannot stand in a TREC file" in done.err
    assert "id-pattern" in done.err
    assert len(service.requests) == 1
    assert asking(mapping='id-pattern = "doc (.+)"\n' + MAPPING).status == 0
    assert list(rp.read_run(small / "run").rankings["q1"].doc_ids) == ["7"]


def test_a_run_may_go_to_stdout(command, in_process, small) -> None:
    """With `-o -` the run, and nothing else, goes to standard output, by `fuse` too; no file is called `-`."""
    for method in (("--method", "bm25"), ("--engine", "sqlite:")):
        to_file = in_process("search", small / "corpus.jsonl", small / "queries.tsv", *method, "-o", small / "run")
        assert to_file.status == 0
        done = command("search", "corpus.jsonl", "queries.tsv", *method, "-o", "-", cwd=small)
        assert (done.status, done.out) == (0, (small / "run").read_text())
        assert "2 results, written to standard output" in done.err
    done = command("fuse", "run", "-", "-o", "-", cwd=small, stdin=(small / "run").read_bytes())
    assert done.status == 0
    assert [line.split()[:3] for line in done.out.splitlines()] == [["q1", "Q0", "d1"], ["q1", "Q0", "d2"]]
    assert sorted(path.name for path in small.iterdir()) == ["corpus.jsonl", "queries.tsv", "run"]


def test_an_engine_gives_its_run_its_name(in_process, asking, small) -> None:
    """A run is tagged by scheme, preset or mapping, or as asked; the summary says the tag as it is written."""
    done = in_process(
        "search", small / "corpus.jsonl", small / "queries.tsv", "--engine", "sqlite:", "-o", small / "run"
    )
    assert "sqlite: 2 queries" in done.err
    assert rp.read_run(small / "run").name == "sqlite"
    assert "our-shop: 2 queries" in asking().err
    assert rp.read_run(small / "run").name == "our-shop"
    assert "mine-2: 2 queries" in asking("--name", " mine 2").err
    assert rp.read_run(small / "run").name == "mine-2"
    assert name_of("http://h", "opensearch") == "opensearch"
    assert name_of("http://h", "http://me:S3cret@h") == "http"
    assert name_of("postgres://h/d") == name_of("postgresql://h/d") == "postgresql"
