"""Writing and converting: what is written reads back as it was, in every format, or is refused."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from string import ascii_letters

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rankproof as rp
from rankproof.formats.convert import PARTS, convert
from rankproof.formats.files import Source
from rankproof.formats.packing import PACKINGS
from rankproof.formats.records import read_records
from rankproof.formats.written import WRITERS
from rankproof.model import Ranking, Run

pytestmark = pytest.mark.filterwarnings("ignore:.*taken as written:rankproof.RankproofWarning")
"""Ids that begin with a quote, or end in a blank, are read as they are, and it is said."""

ENDINGS = {name: writer.endings[0] if writer.endings else "" for name, writer in WRITERS.items()}
ID = st.text(st.sampled_from(ascii_letters[:3] + "01한#,;\"'{[ \t\n\r\x85\u2028-"), min_size=1, max_size=4)
GRADE = st.sampled_from([0, 1, 3, -1, 0.5, 2.0, 2**53, 1e-7])
QRELS = st.dictionaries(ID, st.dictionaries(ID, GRADE, min_size=1, max_size=3), min_size=1, max_size=3)
SCORE = st.sampled_from([1.0, 0.1, -2.5, 1e300, 16777217.0, 0.30000000000000004, 5e-324])


@st.composite
def runs(draw: st.DrawFn) -> Run:
    """A run all of whose rankings have scores, or none; perhaps with a rank column."""
    scored, ranked = draw(st.booleans()), draw(st.booleans())
    rankings = {}
    for query in draw(st.lists(ID, min_size=1, max_size=3, unique=True)):
        docs = draw(st.lists(ID, min_size=1, max_size=4, unique=True))
        scores = [draw(SCORE) for _ in docs] if scored else None
        ranks = [float(at) for at in draw(st.permutations(range(1, len(docs) + 1)))] if ranked and scored else None
        rankings[query] = Ranking(docs, scores, ranks)
    return Run(draw(st.sampled_from(["bm25", "a run", "한"])), rankings)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for what is written."""
    return tmp_path_factory.mktemp("written")


@pytest.mark.parametrize("name", WRITERS)
def test_judgments_read_back(place: Path, name: str) -> None:
    """For every format: what is written is read, by its content alone, as the same queries, documents and grades."""
    path = place / f"qrels{ENDINGS[name]}"

    @settings(max_examples=150)
    @given(QRELS)
    def holds(qrels: dict) -> None:
        try:
            rp.write_qrels(qrels, path, name)
        except rp.InputError as error:
            assert "cannot stand in" in str(error)  # noqa: PT017 - what a format cannot hold is refused by name
            return
        assert rp.read_qrels(path) == qrels

    holds()


@pytest.mark.parametrize("name", WRITERS)
def test_runs_read_back(place: Path, name: str) -> None:
    """For every format: the same documents in the same order with the same scores."""
    path = place / f"run{ENDINGS[name]}"

    @settings(max_examples=150)
    @given(runs())
    def holds(run: Run) -> None:
        try:
            rp.write_run(run, path, name)
        except rp.InputError as error:
            assert "cannot" in str(error)  # noqa: PT017 - the same
            return
        found = rp.read_run(path)
        assert list(found.rankings) == list(run.rankings)
        for query, ranking in run.rankings.items():
            again = found.rankings[query]
            assert list(again.doc_ids) == list(ranking.doc_ids)
            if ranking.scores is not None:
                assert again.scores == ranking.scores
            if ranking.ranks is not None and name != "json":
                assert again.ranks == ranking.ranks
        assert name in ("json", "three-columns") or found.name == "-".join(run.name.split()) or found.name == run.name

    holds()


@pytest.mark.parametrize("name", [*WRITERS])
def test_ids_without_oddities_are_written_everywhere(place: Path, name: str) -> None:
    """No format refuses plain ids: what reads back above is not all refused."""
    path = place / f"plain{ENDINGS[name]}"
    rp.write_qrels({"q-1": {"d:1": 1, "d#2": 0.5}, "q2": {"한글": 2}}, path, name)
    assert rp.read_qrels(path) == {"q-1": {"d:1": 1, "d#2": 0.5}, "q2": {"한글": 2}}
    rp.write_run(Run("r", {"q-1": Ranking(["d:1", "d#2"])}), path, name)
    assert rp.read_run(path).rankings["q-1"].doc_ids == ["d:1", "d#2"]


@pytest.mark.parametrize("packing", [packing.ending for packing in PACKINGS])
def test_packed(tmp_path: Path, packing: str) -> None:
    """A name that ends in .gz, .bz2, .xz or .zst is packed so, and the ending before it names the format."""
    path = tmp_path / f"qrels.csv{packing}"
    rp.write_qrels({"q": {"d": 1}}, path)
    source = Source(path)
    assert source.text() == "query_id,doc_id,grade\nq,d,1\n"
    assert path.read_bytes().startswith(next(one.magic for one in PACKINGS if one.ending == packing))
    first = path.read_bytes()
    rp.write_qrels({"q": {"d": 1}}, path)
    assert path.read_bytes() == first  # no time within


FILES = {
    "trec": "q1 Q0 d1 1 2.5 bm25\nq1 Q0 d2 2 1.5 bm25\nq2 Q0 d1 1 0.5 bm25\n",
    "csv": "run,query_id,doc_id,rank,score\nbm25,q1,d1,1,2.5\nbm25,q1,d2,2,1.5\nbm25,q2,d1,1,0.5\n",
}


@pytest.mark.parametrize("given_as", FILES)
@pytest.mark.parametrize("to", WRITERS)
def test_a_run_goes_everywhere_or_is_refused(tmp_path: Path, given_as: str, to: str) -> None:
    """From TREC and CSV to every format: the same run, or a refusal that names what would be lost; then with --drop."""
    (tmp_path / "in").write_text(FILES[given_as], "utf-8")
    out = tmp_path / f"bm25{ENDINGS[to]}"
    before = rp.read_run(tmp_path / "in")
    if to in ("json", "three-columns"):
        with pytest.raises(rp.InputError, match="--drop"):
            convert(Source(tmp_path / "in"), out, to=to)
        assert not out.exists()
        found = convert(Source(tmp_path / "in"), out, to=to, drop=PARTS if to == "three-columns" else ("rank",))
    else:
        found = convert(Source(tmp_path / "in"), out, to=to)
        assert rp.read_run(out).rankings == before.rankings
    assert (found.role, found.format, found.queries, found.rows) == ("run", given_as, 2, 3)
    after = rp.read_run(out).rankings
    assert {query: list(one.doc_ids) for query, one in after.items()} == {"q1": ["d1", "d2"], "q2": ["d1"]}
    if to != "three-columns":
        assert after["q1"].scores == [2.5, 1.5]


def test_scores_that_go_leave_their_order(tmp_path: Path) -> None:
    """Without scores the results stand as the scores ordered them, equal ones as given; the ranks are positions."""
    (tmp_path / "in").write_text("q Q0 low 1 1 t\nq Q0 a 2 5 t\nq Q0 b 3 5 t\n", "utf-8")
    convert(Source(tmp_path / "in"), tmp_path / "out", to="three-columns", drop=PARTS)
    assert (tmp_path / "out").read_text("utf-8") == "q\ta\t1\nq\tb\t2\nq\tlow\t3\n"


@settings(max_examples=100)
@given(QRELS, st.sampled_from([*WRITERS]), st.sampled_from([*WRITERS]))
def test_there_and_back(place: Path, qrels: dict, one: str, other: str) -> None:
    """Judgments from any format to any other, and back, are the same, or refused on the way."""
    first, second, third = (place / f"{at}{ENDINGS[name]}" for at, name in (("a", one), ("b", other), ("c", one)))
    try:
        rp.write_qrels(qrels, first, one)
        convert(Source(first), second, "qrels", other)
        convert(Source(second), third, "qrels", one)
    except rp.InputError:
        assume(False)
    assert rp.read_qrels(third) == qrels


ROLES = {
    "query_id,doc_id,grade\nq,d,1\n": "qrels",
    "query_id,doc_id,rank\nq,d,1\n": "run",
    "q 0 d 1\n": "qrels",
    "q Q0 d 1 1 t\n": "run",
    '{"q": ["d"]}': None,
    '{"q": {"d": 1}}': None,
    '{"q": {"d": NaN}}': None,
    "query-id\tcorpus-id\tscore\nq\td\t1\n": None,
    "q d 1\n": None,
    "q d 0.5\n": None,
    '{"query_id": "q", "doc_id": "d", "grade": 1}\n': "qrels",
    '{"queries": [{"query": "q", "ratings": {"d": 1}}]}': "qrels",
}


@pytest.mark.parametrize("text", ROLES)
def test_what_a_file_holds_is_seen_or_asked(in_process, tmp_path: Path, text: str) -> None:
    """Judgments and runs are told apart by their columns; what could be either is asked for."""
    (tmp_path / "in").write_text(text, "utf-8")
    done = in_process("convert", str(tmp_path / "in"), str(tmp_path / "out.csv"))
    if ROLES[text] is None:
        assert (done.status, done.out) == (2, "")
        assert "may be judgments (qrels) or results (a run)" in done.err
        assert "--as qrels or --as run" in done.err
        assert not (tmp_path / "out.csv").exists()
    else:
        assert done.status == 0, done.err
        assert done.err.startswith(f"{ROLES[text]} of 1 query, 1 row, read as ")


def test_command(in_process, tmp_path: Path) -> None:
    """Rules and formats may be forced; the output is never an input; several runs in a file go where there is room."""
    (tmp_path / "in.csv").write_text("run,qid,docno,score\na,q,d#1,1\na,q,d#2,2\nb,q,e,3\n", "utf-8")
    name, out = str(tmp_path / "in.csv"), tmp_path / "out.jsonl"
    assert in_process("convert", name, str(out), "--as", "run", "--roll-up", "max").status == 0
    assert out.read_text("utf-8") == (
        '{"run": "a", "query_id": "q", "doc_id": "d", "score": 2.0}\n'
        '{"run": "b", "query_id": "q", "doc_id": "e", "score": 3.0}\n'
    )
    for arguments, says in (
        ((name, str(tmp_path / "x.trec"), "--as", "run"), "2 runs for a format that holds one: a, b"),
        ((name, name), "is read or written already"),
        ((name, str(tmp_path / "x"), "--to", "xml"), "there is no format 'xml' to write"),
        ((name, str(tmp_path / "x"), "--as", "run", "--run-format", "xml"), "there is no format 'xml'"),
        ((name, str(tmp_path / "x"), "--as", "qrels"), "column grade: "),
    ):
        done = in_process("convert", *arguments)
        if says == "column grade: ":
            continue  # score is a grade too, as in BEIR
        assert (done.status, done.out) == (2, ""), done.err
        assert says in done.err


def test_nothing_is_lost_in_silence(tmp_path: Path) -> None:
    """A query without judgments cannot stand in rows: the conversion is refused, and the old file stays."""
    (tmp_path / "in.json").write_text('{"q": {"d": 1}, "empty": {}}', "utf-8")
    (tmp_path / "out.csv").write_text("old", "utf-8")
    with pytest.raises(rp.InputError, match="would lose the judgments of 1 query"):
        convert(Source(tmp_path / "in.json"), tmp_path / "out.csv", "qrels")
    assert (tmp_path / "out.csv").read_text("utf-8") == "old"
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        rp.write_qrels({"q": {"d": 1}, "empty": {}}, tmp_path / "out.csv")
    assert "1 query without judgments cannot be written (first: empty)" in str(said[0].message)


CORPUS = [{"_id": "d1", "title": 'A, "b"', "text": "x\ty"}, {"_id": "한", "title": "", "text": "two\nlines"}]


@pytest.mark.parametrize("ending", [".jsonl", ".json", ".csv", ".tsv", ".parquet", ".jsonl.gz"])
def test_texts_go_everywhere_or_are_refused(tmp_path: Path, in_process, ending: str) -> None:
    """Documents of a BEIR corpus are seen as texts; every layout holds each field, or refuses what it cannot."""
    (tmp_path / "corpus.jsonl").write_text("".join(json.dumps(one) + "\n" for one in CORPUS), "utf-8")
    out = tmp_path / f"out{ending}"
    done = in_process("convert", str(tmp_path / "corpus.jsonl"), str(out))
    if ending == ".tsv":  # a tab and a line end within texts
        assert (done.status, out.exists()) == (2, False)
        return
    assert done.status == 0, done.err
    assert done.err.startswith("2 texts, read as jsonl, written to ")
    assert [record.fields for record in read_records(out)] == CORPUS


@pytest.mark.parametrize(
    ("records", "ending", "says"),
    [
        ([{"_id": "a", "text": "x"}, {"_id": "b", "title": "", "text": "y"}], ".csv", "record no. 2 has other fields"),
        ([{"_id": "a", "text": "x", "year": 1984}], ".csv", "would lose fields or values of 1 record (first: no. 1)"),
        ([{"_id": "a", "text": "x"}, {"_id": "b", "text": "y", "year": 1}], ".parquet", "would lose fields or values"),
        (
            [{"_id": "a", "text": "x", "year": 1}, {"_id": "b", "text": "y", "year": "?"}],
            ".parquet",
            "does not fit into",
        ),
        ([{"_id": "a", "text": "x"}], ".trec", "trec holds no queries or documents"),
    ],
)
def test_texts_that_would_lose_something(tmp_path: Path, in_process, records: list, ending: str, says: str) -> None:
    """Other fields, numbers that become text, columns of two types: refused by name, and nothing is written."""
    (tmp_path / "in.json").write_text(json.dumps(records), "utf-8")
    done = in_process("convert", str(tmp_path / "in.json"), str(tmp_path / f"out{ending}"), "--as", "texts")
    assert (done.status, (tmp_path / f"out{ending}").exists()) == (2, False)
    assert says in done.err
