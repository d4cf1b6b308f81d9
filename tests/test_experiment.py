"""One corpus, the same queries, labels and k for every system: runs are kept, and compared."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import rankproof as rp
from rankproof.errors import InputError, RankproofError
from rankproof.experiment import experiment as module
from rankproof.experiment import read_plan, run_experiment
from rankproof.experiment.made_of import made_of
from rankproof.experiment.store import sha256_of
from rankproof.words import term

EXAMPLE = Path(rp.__file__).parent / "example"
SYSTEMS = """
[systems.bm25]
method = "bm25"
analyzer = "hangul-2-3gram-words"

[systems.words]
method = "bm25"

[systems.rrf]
method = "rrf"
of = ["bm25", "words"]
"""


def written(folder: Path, systems: str = SYSTEMS, **keys: object) -> Path:
    """Write an experiment on the packaged example, beside a copy of it."""
    for name in ("corpus.jsonl", "queries.jsonl", "qrels.txt"):
        if not (folder / name).exists():
            shutil.copy(EXAMPLE / name, folder / name)
    given = {"corpus": "corpus.jsonl", "queries": "queries.jsonl", "qrels": "qrels.txt", "k": 5, **keys}
    lines = [f"{key} = {json.dumps(value)}" for key, value in given.items() if value is not None]
    (folder / "experiment.toml").write_text("\n".join(lines) + "\n" + systems)
    return folder / "experiment.toml"


@pytest.fixture
def searches(monkeypatch) -> list[str]:
    """The systems that really ran."""
    ran: list[str] = []
    rank = module.rank
    monkeypatch.setattr(module, "rank", lambda system, *rest: ran.append(system.name) or rank(system, *rest))
    return ran


def test_systems_are_compared_as_their_runs_are(tmp_path) -> None:
    """The runs that are kept, compared by `compare`, give the same differences, intervals and p."""
    found = run_experiment(written(tmp_path))
    runs = [rp.read_run(one.file) for one in found.tested]
    expected = rp.compare(tmp_path / "qrels.txt", runs[0], runs[1:], ["nDCG@5", "P@5", "R@5", "RR@5"])
    ours = [(one.run, one.measure, one.delta, one.p, one.intervals) for one in found.compared.differences]
    assert ours == [(one.run, one.measure, one.delta, one.p, one.intervals) for one in expected.differences]
    assert [one.system.name for one in found.tested] == ["bm25", "words", "rrf"]
    values = rp.evaluate(tmp_path / "qrels.txt", runs, ["nDCG@5"])
    assert [one["nDCG@5"] for one in found.means.values()] == [one.means["nDCG@5"] for one in values.values()]


def test_a_second_run_is_answered_from_the_store(tmp_path, searches) -> None:
    """Nothing is searched again, and the numbers and the hash are the same."""
    path = written(tmp_path)
    first, second = run_experiment(path), run_experiment(path)
    assert searches == ["bm25", "words", "rrf"]
    assert first.hash == second.hash
    assert first.compared.to_dict() == second.compared.to_dict()
    assert [one.kept_since is None for one in (*first.tested, *second.tested)] == [True] * 3 + [False] * 3
    assert first.tested[0].ranked.seconds == second.tested[0].ranked.seconds
    assert "0 systems run now, 3 from the store" in second.notes()[0]


CIRCLE = """queries='q'
qrels='r'
[systems.c]
run='x'
[systems.a]
method='rrf'
of=['b','c']
[systems.b]
method='rrf'
of=['a','c']"""

CHANGES = {
    "corpus": ("corpus.jsonl", ["bm25", "words"]),  # they find the same, so that the fusion is kept
    "queries": ("queries.jsonl", ["bm25", "words", "rrf"]),
    "qrels": ("qrels.txt", []),
}


@pytest.mark.parametrize("changed", CHANGES)
def test_a_changed_input_changes_the_hash(tmp_path, searches, changed: str) -> None:
    """A changed byte of an input changes the experiment's hash, and just what depends on it is searched again."""
    path = written(tmp_path)
    first = run_experiment(path)
    searches.clear()
    file, again = CHANGES[changed]
    with (tmp_path / file).open("a") as end:
        end.write("\n")
    second = run_experiment(path)
    assert first.hash != second.hash
    assert searches == again


@pytest.mark.parametrize(
    ("systems", "keys", "again"),
    [
        (SYSTEMS.replace('"bm25"\n\n', '"bm25"\nk1 = 2.0\n\n'), {}, ["words", "rrf"]),
        (SYSTEMS + "rrf-k = 10\n", {}, ["rrf"]),
        (SYSTEMS, {"depth": 7}, ["bm25", "words", "rrf"]),
        (SYSTEMS, {"store": "rankproof-store", "query-fields": ["text"]}, ["bm25", "words", "rrf"]),
        (SYSTEMS, {"fields": ["text"]}, ["bm25", "words", "rrf"]),
        (SYSTEMS, {"k": 4}, []),
        (SYSTEMS, {"contract": "teaching"}, ["rrf"]),
        (SYSTEMS, {"baseline": "words"}, []),
        (SYSTEMS, {"cluster": "queries.jsonl"}, []),
        (SYSTEMS + "\n[compare]\nseed = 2\n", {}, []),
    ],
)
def test_a_changed_setting_changes_the_hash(tmp_path, searches, systems: str, keys, again: list[str]) -> None:
    """Each setting is part of the hash, and just the systems it decides run again."""
    first = run_experiment(written(tmp_path))
    searches.clear()
    second = run_experiment(written(tmp_path, systems, **keys))
    assert searches == again
    assert first.hash != second.hash


def test_a_run_that_was_changed_is_not_taken(tmp_path, searches) -> None:
    """A kept run whose bytes are not those that were written is made again; so is one whose record is broken."""
    path = written(tmp_path)
    first = run_experiment(path)
    searches.clear()
    kept = first.tested[0].file
    whole = kept.read_text()
    kept.write_text(whole[: len(whole) // 2])
    about = first.tested[1].file.with_suffix(".json")
    about.write_text(about.read_text().replace('"ko-01",', "", 1))
    second = run_experiment(path)
    assert searches == ["bm25", "words"], "the fusion of runs that came out the same is kept"
    assert kept.read_text() == whole
    assert first.compared.to_dict() == second.compared.to_dict()


def test_what_was_made_before_a_failure_is_kept(tmp_path, searches) -> None:
    """A system that cannot run ends the experiment; those before it are answered from the store afterwards."""
    path = written(tmp_path, SYSTEMS + '\n[systems.file]\nrun = "absent.run"\n')
    with pytest.raises(InputError, match=r"absent\.run: there is no such file"):
        run_experiment(path)
    shutil.copy(EXAMPLE / "lsa.run", tmp_path / "absent.run")
    assert searches == ["bm25", "words", "rrf"]
    searches.clear()
    found = run_experiment(path)
    assert searches == ["file"], "a file is read each time, and the others are kept"
    assert found.tested[-1].milliseconds == {"mean": None, "median": None, "p95": None}


def test_fresh_runs_again(tmp_path, searches) -> None:
    """A system named fresh is run again, the others are taken from the store; `all` names every one."""
    path = written(tmp_path)
    run_experiment(path)
    searches.clear()
    run_experiment(path, fresh=["words"])
    assert searches == ["words"]
    run_experiment(path, fresh=["all"])
    assert searches == ["words", "bm25", "words", "rrf"]
    with pytest.raises(InputError, match="wrods is no system; expected one of all, bm25, words, rrf"):
        run_experiment(path, fresh=["wrods"])


def test_engines_and_files_are_systems_too(tmp_path) -> None:
    """An embedded engine and a run file stand beside the methods; queries that are not asked are left out, and told."""
    shutil.copy(EXAMPLE / "lsa.run", tmp_path / "lsa.run")
    with (tmp_path / "lsa.run").open("a") as end:
        end.write("other Q0 ko-oxygen-01 1 1.0 lsa\n")
    path = written(tmp_path, '[systems.file]\nrun = "lsa.run"\n\n[systems.fts]\nengine = "sqlite:"\n')
    found = run_experiment(path)
    assert any("1 query not asked here are left out (other)" in note for note in found.notes())
    lsa = rp.evaluate(tmp_path / "qrels.txt", EXAMPLE / "lsa.run", ["nDCG@5"]).means["nDCG@5"]
    assert found.means["file"]["nDCG@5"] == lsa
    assert set(found.tested[1].ranked.seconds) == set(rp.read_qrels(tmp_path / "qrels.txt"))
    assert [row[2].partition(",")[0] for row in found.systems_table().rows] == ["run lsa.run", "engine sqlite:"]
    again = run_experiment(path)
    assert any("its index may have changed since (--fresh fts asks again)" in note for note in again.notes())


def test_a_system_that_answers_otherwise_makes_its_fusions_anew(tmp_path, monkeypatch, searches) -> None:
    """When a system that runs again finds something else, what is made of it runs again, and the hash changes."""
    path = written(tmp_path, SYSTEMS.replace('method = "bm25"\n\n[systems.rrf]', 'engine = "sqlite:"\n\n[systems.rrf]'))
    first = run_experiment(path)
    searches.clear()
    ask = module.rank

    def turned(system, *rest):
        found = ask(system, *rest)
        if system.name != "words":
            return found
        rankings = {query: rp.Ranking(one.doc_ids[::-1], one.scores) for query, one in found.run.rankings.items()}
        return replace(found, run=rp.Run(system.name, rankings))

    monkeypatch.setattr(module, "rank", turned)
    second = run_experiment(path, fresh=["words"])
    assert searches == ["words", "rrf"]
    assert first.hash != second.hash


def test_the_first_call_and_the_next_see_the_same(tmp_path) -> None:
    """Whether a run was just made or comes from the store, the numbers are the same, whatever the contract ranks by."""
    (tmp_path / "l.json").write_text(json.dumps({"ko-01": ["ko-oxygen-02", "ko-oxygen-01"]}))
    systems = SYSTEMS + '\n[systems.l]\nrun = "l.json"\n'
    path = written(tmp_path, systems + "\n[rules]\norder = 'rank'\n")
    first, second = run_experiment(path), run_experiment(path)
    assert first.compared.to_dict() == second.compared.to_dict()
    fused = systems + '\n[systems.f]\nmethod = "comb-sum"\nof = ["l", "bm25"]\n'
    for _ in range(2):
        with pytest.raises(InputError, match="has no scores to add"):
            run_experiment(written(tmp_path, fused))


def test_a_file_is_not_cut(tmp_path) -> None:
    """A run deeper than the depth stays whole, and that is told with the rule that cuts all systems."""
    shutil.copy(EXAMPLE / "lsa.run", tmp_path / "lsa.run")
    path = written(tmp_path, SYSTEMS + '\n[systems.lsa]\nrun = "lsa.run"\n', depth=5)
    found = run_experiment(path)
    assert found.tested[-1].ranked.run.rankings == rp.read_run(EXAMPLE / "lsa.run").rankings
    notes = "\n".join(found.notes())
    assert "lsa.run: goes deeper than 5 in 24 queries, and is not cut" in notes
    assert "a fusion sees the first 5 of each of its parts" in notes


def test_a_cut_through_equal_scores_is_told(tmp_path) -> None:
    """Where the depth parts documents of one score, the queries are counted and named."""
    (tmp_path / "corpus.jsonl").write_text(
        "".join(json.dumps({"_id": f"d{n}", "text": "cat"}) + "\n" for n in range(3))
    )
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "cat"}\n')
    (tmp_path / "qrels.txt").write_text("q1 0 d2 1\n")
    systems = '[systems.a]\nmethod = "bm25"\n[systems.b]\nmethod = "bm25"\nk1 = 1.0\n'
    found = run_experiment(written(tmp_path, systems, depth=1, measures=["P@1"]))
    assert "a: the cut at 1 parts equal scores in 1 query, by id (q1)" in found.notes()


def test_a_mapping_is_an_input(tmp_path) -> None:
    """The TOML file of a mapping, and files of vectors, are inputs by name and hash."""
    (tmp_path / "map.toml").write_text("url = '{engine}'\nhits = '$'\nid = '$'\n")
    systems = SYSTEMS + '\n[systems.e]\nengine = "http://127.0.0.1:9"\nmapping = "map.toml"\n'
    plan = read_plan(written(tmp_path, systems))
    assert ("mapping", tmp_path / "map.toml") in plan.inputs()
    keys = []
    for text in ("a", "b"):
        (tmp_path / "map.toml").write_text(text)
        keys.append(made_of(plan.systems[-1], plan, {}, sha256_of)["files"])
    assert keys[0] != keys[1]


def test_ids_that_no_run_can_hold(tmp_path) -> None:
    """Ids with white space are refused before anything is searched, each by name."""
    path = written(tmp_path)
    with (tmp_path / "corpus.jsonl").open("a") as end:
        end.write('{"_id": "my doc", "text": "x"}\n')
    with pytest.raises(InputError, match="document my doc: cannot be kept in a run: an id is empty, or holds white sp"):
        run_experiment(path)


def test_outputs_stay_out_of_the_inputs(in_process, tmp_path) -> None:
    """Neither an input nor a file of the store may be overwritten."""
    path = written(tmp_path)
    for output in ("corpus.jsonl", "rankproof-store/x.json"):
        done = in_process("experiment", path, "-o", tmp_path / output)
        assert done.status == 2
    assert "lies in the store of runs" in done.err


def test_times() -> None:
    """Mean, median and 95th percentile are those of the queries, by hand."""
    from rankproof.experiment.result import Tested
    from rankproof.model import Run
    from rankproof.systems import Ranked, read_system

    seconds = {str(number): number / 1000 for number in range(1, 21)}
    system = read_system("s", {"method": "bm25"})
    tested = Tested(system, "key", Path("x"), "sha", Ranked(Run("s", {}), {}), None, seconds)
    assert tested.milliseconds == {"mean": 10.5, "median": 10.5, "p95": 19.0}


def test_a_fusion_takes_as_long_as_its_parts_and_itself(tmp_path) -> None:
    """Each part counts once, also where it is part of a part; with a file among them the time is not known."""
    shutil.copy(EXAMPLE / "lsa.run", tmp_path / "lsa.run")
    more = """
[systems.again]
method = "rrf"
of = ["rrf", "bm25"]
[systems.file]
run = "lsa.run"
[systems.mixed]
method = "rrf"
of = ["bm25", "file"]
"""
    found = {one.system.name: one for one in run_experiment(written(tmp_path, SYSTEMS + more)).tested}
    own = {name: one.ranked.seconds for name, one in found.items()}
    for query, took in found["again"].seconds.items():
        parts = [own[name][query] for name in ("again", "rrf", "bm25", "words")]
        assert took == pytest.approx(sum(parts))
    assert found["mixed"].seconds == {}


def test_paths_start_from_the_file(tmp_path, monkeypatch, in_process) -> None:
    """The index of an engine lies beside the experiment's file, whatever the working folder, and is no output."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    systems = '[systems.fts]\nengine = "sqlite:idx.db"\n[systems.b]\nmethod = "bm25"\n'
    path = written(tmp_path / "here", systems)
    run_experiment(path)
    assert (tmp_path / "here" / "idx.db").is_file()
    assert list((tmp_path / "elsewhere").iterdir()) == []
    done = in_process("experiment", path, "-o", tmp_path / "here" / "idx.db")
    assert (done.status, "it would be overwritten" in done.err) == (2, True)


def test_a_corpus_that_no_system_reads_decides_nothing(tmp_path, searches) -> None:
    """Where all systems bring their own rankings or vectors, the corpus is neither read nor part of a key."""
    for name, ids in (("d", ["d1", "d2"]), ("q", sorted(rp.read_qrels(EXAMPLE / "qrels.txt")))):
        (tmp_path / f"{name}.json").write_text(json.dumps({one: [1, at + 1] for at, one in enumerate(ids)}))
    options = 'method = "cosine"\nvectors = "d.json"\nquery-vectors = "q.json"\n'
    path = written(tmp_path, f"[systems.a]\n{options}[systems.b]\n{options}")
    run_experiment(path)
    searches.clear()
    (tmp_path / "corpus.jsonl").write_text("broken")
    run_experiment(path)
    assert searches == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("corpus = 3", "corpus is 3; expected a path"),
        ("corpse = 'x'", "unknown key corpse"),
        ("corpse = 'x'", "did you mean corpus?"),
        ("queries = 'q'", "has no qrels; expected a path: the judgments"),
        ("= 3", "is not TOML"),
        ("queries='q'\nqrels='r'\nsystems=3", "systems is 3"),
        ("queries='q'\nqrels='r'\n[systems]\na=3", r"system a is 3; expected a table [systems.a]"),
        ("queries='q'\nqrels='r'\n[systems.a]\nmethod='bm25'", "names 1 system; expected two or more"),
        (
            "queries='q'\nqrels='r'\n[systems.a]\nmethod='bm25'\n[systems.b]\nmethod='lsa'",
            "has no corpus, which a sear",
        ),
        (
            CIRCLE,
            "a, b are made of each other",
        ),
        (
            "queries='q'\nqrels='r'\n[systems.a]\nrun='x'\n[systems.b]\nmethod='rrf'\nof=['a','d']",
            "system b is made of d, which is not there",
        ),
        ("queries='q'\nqrels='r'\nk=0\n[systems.a]\nrun='x'\n[systems.b]\nrun='y'", "k is 0"),
        (
            "queries='q'\nqrels='r'\nbaseline='c'\n[systems.a]\nrun='x'\n[systems.b]\nrun='y'",
            "the baseline c is no sys",
        ),
        ("queries='q'\nqrels='r'\nmeasures=['nDGC']\n[systems.a]\nrun='x'\n[systems.b]\nrun='y'", "unknown measure"),
        ("queries='q'\nqrels='r'\nmeasures=[]\n[systems.a]\nrun='x'\n[systems.b]\nrun='y'", "measures is []"),
        ("queries='q'\nqrels='r'\n[compare]\nsed=1\n[systems.a]\nrun='x'\n[systems.b]\nrun='y'", "sed"),
        ("queries='q'\nqrels='r'\nquery_fields=['a']\nquery-fields=['b']", "query-fields is given twice"),
        ("queries='-'\nqrels='r'\n[systems.a]\nrun='x'\n[systems.b]\nrun='y'", "queries is '-'"),
        ('queries="q\\u0000"\nqrels=' + "'r'\n[systems.a]\nrun='x'\n[systems.b]\nrun='y'", "queries is 'q"),
        (
            "queries='q'\nqrels='r'\ndepth=5\nmeasures=['P@9']\n[systems.a]\nrun='x'\n[systems.b]\nrun='y'",
            "depth is 5,",
        ),
        ("queries='q'\nqrels='r'\nmeasures=['NumRet']\n[systems.a]\nrun='x'\n[systems.b]\nrun='y'", "NumRet is a sum"),
        ("queries='q'\nqrels='r'\n[compare]\ncorrection=5\n[systems.a]\nrun='x'\n[systems.b]\nrun='y'", "correction 5"),
        (
            "queries='q'\nqrels='r'\n[systems.a]\nrun='x'\n[systems.b]\nmethod='rrf'\nof=['a','a']",
            "system b is made of a, a; expected two or more systems, each once",
        ),
        (
            "queries='q'\nqrels='r'\n[systems.a]\nrun='x'\n[systems.b]\nmethod='bm25'\nvariant='bm26'",
            "system b: variant is 'bm26'; expected a text: lucene, robertson",
        ),
        ("queries='q'\nqrels='r'\n[rules]\nties='x'\n[systems.a]\nrun='x'\n[systems.b]\nrun='y'", "ties cannot be 'x'"),
    ],
)
def test_what_is_refused(tmp_path, text: str, says: str) -> None:
    """A file that asks for what cannot be is refused, with its name and what was expected."""
    path = tmp_path / "experiment.toml"
    path.write_text(text)
    with pytest.raises(RankproofError) as caught:
        read_plan(path)
    assert says in str(caught.value)
    assert str(path) in str(caught.value)


def test_no_such_file(tmp_path) -> None:
    """A file that is not there is an input error."""
    with pytest.raises(InputError, match=r"absent\.toml: there is no such file"):
        read_plan(tmp_path / "absent.toml")


def test_the_shipped_experiment(in_process, tmp_path) -> None:
    """The packaged example runs as it stands: systems, means, verdict, a report; a second time from the store."""
    for file in EXAMPLE.iterdir():
        shutil.copy(file, tmp_path / file.name)
    report = tmp_path / "report.html"
    done = in_process("experiment", tmp_path / "experiment.toml", "--report", report)
    assert done.status == 0, done.err
    assert "3 systems run now, 0 from the store" in done.err
    page = report.read_text("utf-8")
    assert all(name in page for name in ("hangul-2-3gram-words", "Systems", "시스템"))
    texts = [json.loads(line)["text"] for line in (EXAMPLE / "queries.jsonl").read_text("utf-8").splitlines()]
    assert sum(text in page for text in texts) >= 10, "the hardest queries stand there with their texts"
    done = in_process("experiment", tmp_path / "experiment.toml", "--format", "json")
    content = json.loads(done.out)
    assert (tmp_path / "rankproof-store" / "experiment.html").is_file(), "without --report it lies with the runs"
    assert [one["name"] for one in content["experiment"]["systems"]] == ["bm25", "lsa", "rrf"]
    assert all(one["kept_since"] for one in content["experiment"]["systems"])
    assert [one["role"] for one in content["inputs"]] == ["experiment", "corpus", "queries", "qrels", "clusters"]
    shipped = rp.evaluate(tmp_path / "qrels.txt", EXAMPLE / "bm25-ngrams.run", ["nDCG@5"], "teaching")
    means = next(one["means"] for one in content["values"] if one["run"] == "bm25")
    assert means["nDCG@5"] == shipped.means["nDCG@5"]
    for form in ("csv", "markdown", "table"):
        assert "nDCG@5" in in_process("experiment", tmp_path / "experiment.toml", "--format", form).out
    found = run_experiment(tmp_path / "experiment.toml")
    assert [head for head in found.systems_table().header if term(head).ko == term(head).en] == []
    assert "hangul-2-3gram-words" in repr(found)
    assert "<table" in found._repr_html_()
