"""Awkward files of other people: read as a second, plain reading reads them, or refused by their cause."""

from __future__ import annotations

import json
import re
import warnings
from pathlib import Path
from unicodedata import category

import pytest
from wild_reading import (
    QRELS,
    RATINGS,
    REFUSED,
    ROWS,
    RUNS,
    WARNED,
    Judged,
    Ranked,
    blocks,
    three_columns,
    with_header,
)

import rankproof as rp
from rankproof.model import Qrels, Run

CRANFIELD = "01_cranqrel_crlf_3col"
BLOCKS = "04_npl_rlv-ass_block"
RATERS = "15_chorus_individual_ratings.csv"
OPENSEARCH = "18_opensearch_judgments.json"
QUEPID = "24_quepid_static_queryset.csv"
CP949 = "29_cp949_population_thousands.csv"
SUBWAY = "31_utf8bom_seoul_subway.csv"
CODES = {1: 4, 2: 3, 3: 2, 4: 1}
"""Cranfield's codes, of which 1 is best, as grades, of which 4 is best."""


@pytest.fixture(scope="session")
def wild(data: Path) -> Path:
    return data / "wild"


def judgments(path: Path, contract: object = None) -> Qrels:
    """Read judgments; the one warning that a file must give is checked, any other is an error."""
    arguments = () if contract is None else (contract,)
    if path.name not in WARNED:
        return rp.read_qrels(path, *arguments)
    with pytest.warns(rp.RankproofWarning, match=WARNED[path.name]):
        return rp.read_qrels(path, *arguments)


def assert_same_judgments(found: Qrels, expected: Judged) -> None:
    """The same queries, documents and grades in the same order; what was written as a whole number is one."""
    plain = {query_id: dict(docs) for query_id, docs in found.items()}
    assert plain == expected
    assert {query_id: list(docs) for query_id, docs in plain.items()} == {
        query_id: list(docs) for query_id, docs in expected.items()
    }
    whole = [(query_id, doc_id) for query_id in expected for doc_id, g in expected[query_id].items() if type(g) is int]
    assert [one for one in whole if type(plain[one[0]][one[1]]) is not int] == []


def assert_same_rankings(found: Run, expected: Ranked) -> None:
    """The same documents in the order of the file, with its scores and, where it has them, its ranks."""
    assert list(found.rankings) == list(expected)
    for query_id, results in expected.items():
        ranking = found.rankings[query_id]
        assert list(ranking.doc_ids) == [doc_id for doc_id, _, _ in results]
        assert list(ranking.scores or ()) == [score for _, score, _ in results]
        if results[0][2] is None:
            assert ranking.ranks is None
        else:
            assert list(ranking.ranks or ()) == [rank for _, _, rank in results]


# ---- read right


@pytest.mark.parametrize("name", {**QRELS, **RUNS})
def test_the_second_reading_holds_every_row(name: str, wild: Path) -> None:
    """The plain reading itself finds as many rows as were counted by hand."""
    found = {**QRELS, **RUNS}[name](wild / name)
    assert sum(len(rows) for rows in found.values()) == ROWS[name]


@pytest.mark.parametrize("name", QRELS)
def test_judgments_are_those_of_a_second_reading(name: str, wild: Path) -> None:
    """Every query, document and grade is the one that a plain reading of the same bytes finds."""
    assert_same_judgments(judgments(wild / name), QRELS[name](wild / name))


@pytest.mark.parametrize("name", RUNS)
def test_rankings_are_those_of_a_second_reading(name: str, wild: Path) -> None:
    """Every document, score and rank is the one that a plain reading of the same bytes finds, ties in file order."""
    assert_same_rankings(rp.read_run(wild / name), RUNS[name](wild / name))


@pytest.mark.parametrize("rule", ["keep-last", "keep-highest"])
def test_repeated_judgments_under_a_rule(rule: str, wild: Path) -> None:
    """Judgments that are repeated word for word are the same under each rule that keeps one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rp.RankproofWarning)  # the rule was asked for: it may be told or not
        found = rp.read_qrels(wild / OPENSEARCH, rp.contract("rankproof", duplicate_judgment=rule))
    assert_same_judgments(found, QRELS[OPENSEARCH](wild / OPENSEARCH))


# ---- a scale where 1 is best


def test_a_grade_map_with_all_codes(wild: Path) -> None:
    """Under a grade map each grade is what the map makes of the code in the file."""
    codes = {**CODES, -1: 0}
    expected = {
        query_id: {doc_id: codes[int(grade)] for doc_id, grade in docs.items()}
        for query_id, docs in three_columns(wild / CRANFIELD).items()
    }
    assert_same_judgments(judgments(wild / CRANFIELD, rp.contract("rankproof", grade_map=codes)), expected)


def test_a_grade_map_that_lacks_a_code(wild: Path) -> None:
    """A grade that the map lacks is refused, and the message names it and the first line that holds it."""
    contract = rp.contract("rankproof", grade_map=CODES)
    lines = (wild / CRANFIELD).read_text("ascii").splitlines()
    first = next(at for at, line in enumerate(lines, 1) if line.split()[2] == "-1")
    with pytest.raises((rp.InputError, rp.ContractError)) as refused:
        rp.read_qrels(wild / CRANFIELD, contract)
    assert f"{CRANFIELD}:{first}:" in str(refused.value)
    assert re.search(r"grade '?-1\b", str(refused.value))


# ---- refused, with the cause


def assert_tells(error: BaseException, path: Path, causes: object) -> None:
    """The message names the file and each cause, and holds nothing that a terminal cannot show."""
    message = str(error)
    assert path.name in message
    assert [cause for cause in causes if not re.search(cause, message)] == []
    assert [sign for sign in message if sign != "\n" and category(sign) in ("Cc", "Cs", "Zl", "Zp")] == []
    assert "\ufeff" not in message
    assert "\ufffd" not in message


@pytest.mark.parametrize("name", [name for name in REFUSED if name != CP949])
def test_what_holds_no_judgments_is_refused_by_its_cause(name: str, wild: Path) -> None:
    """A file that holds no judgments is refused, and the message names the cause, not what follows from it."""
    with pytest.raises(rp.InputError) as refused:
        rp.read_qrels(wild / name)
    assert_tells(refused.value, wild / name, REFUSED[name])
    assert "judged twice" not in str(refused.value)


@pytest.mark.parametrize("read", [rp.read_qrels, rp.read_run])
def test_cp949_without_a_query_is_told_and_refused(read, wild: Path) -> None:
    """A table in CP949 is said to be read so, and refused in words that show its Korean header."""
    header = (wild / CP949).read_bytes().decode("cp949").splitlines()[0].split(",")[0].strip('"')
    with pytest.warns(rp.RankproofWarning, match="(?i)cp949"), pytest.raises(rp.InputError) as refused:
        read(wild / CP949)
    assert_tells(refused.value, wild / CP949, [*REFUSED[CP949], re.escape(header)])


@pytest.mark.parametrize(
    ("name", "causes"),
    [("02_CISI.REL_mixed_ws", ()), ("03_cacm_qrels_zero_grade", ()), (BLOCKS, ()), (SUBWAY, REFUSED[SUBWAY])],
)
def test_what_holds_no_rankings_is_refused(name: str, causes: object, wild: Path) -> None:
    """A file that holds no rankings is refused, and the message names the file."""
    with pytest.raises(rp.InputError) as refused:
        rp.read_run(wild / name)
    assert_tells(refused.value, wild / name, causes)


# ---- refused or read, but never misread


def outcome(read, path: Path) -> object:
    """What was read, or the error that refused it; what a reader may want to tell beside it is free."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rp.RankproofWarning)
        try:
            return read(path)
        except rp.InputError as error:
            return error


def test_blocks_are_refused_or_read_right(wild: Path) -> None:
    """Documents wrapped over lines are read as what they mean, or refused for their numbers of columns."""
    found = outcome(rp.read_qrels, wild / BLOCKS)
    if isinstance(found, rp.InputError):
        assert_tells(found, wild / BLOCKS, ())
        counted = set(re.findall(r"\bhas (\d+) columns?\b", str(found)))
        said = re.search(r"(?i)different numbers? of columns|fits no\b|\bno (known )?format\b", str(found))
        assert said or len(counted) > 1, str(found)
    else:
        assert_same_judgments(found, blocks(wild / BLOCKS))


def test_several_ratings_are_refused_or_the_final_one_is_read(wild: Path) -> None:
    """Of several columns of grades the final one counts, or the message names them all."""
    found = outcome(rp.read_qrels, wild / RATERS)
    if isinstance(found, rp.InputError):
        assert_tells(found, wild / RATERS, RATINGS)
    else:
        assert_same_judgments(found, with_header("query", "docid", "final_rating", ",")(wild / RATERS))


def test_a_query_set_as_a_run_is_refused_or_read_right(wild: Path) -> None:
    """A table of queries, documents and positions is refused as a run, or ranks the documents by their position."""
    found = outcome(rp.read_run, wild / QUEPID)
    if isinstance(found, rp.InputError):
        assert_tells(found, wild / QUEPID, [r"(?i)\bcolumn"])
    else:
        assert {one: list(ranking.doc_ids) for one, ranking in found.rankings.items()} == {
            "star wars?": ["527641", "9426", "1921"]
        }


# ---- through the command line


def written(path: Path, queries: object) -> Path:
    path.write_text(json.dumps(queries), "utf-8")
    return path


def ideal(expected: Judged) -> dict[str, dict[str, int]]:
    """A run that shows each query's judged documents, best first."""
    best_first = {query_id: sorted(docs, key=docs.__getitem__, reverse=True) for query_id, docs in expected.items()}
    return {one: {doc_id: len(docs) - at for at, doc_id in enumerate(docs)} for one, docs in best_first.items()}


def evaluated(done, measure: str) -> tuple[float, int]:
    """The mean that was printed, and over how many queries."""
    assert done.status == 0, done.err
    run = json.loads(done.out)["runs"][0]
    return run["means"][measure], run["counts"]["evaluated"]


@pytest.mark.parametrize("name", QRELS)
def test_judgments_through_the_command_line(name: str, wild: Path, tmp_path: Path, in_process) -> None:
    """A run that shows the judged documents best first has nDCG@10 1 for each query with a relevant document."""
    expected = QRELS[name](wild / name)
    run = written(tmp_path / "ideal.json", ideal(expected))
    done = in_process("evaluate", wild / name, run, "--measure", "nDCG@10", "--format", "json")
    with_relevant = [query_id for query_id, docs in expected.items() if max(docs.values()) >= 1]
    assert evaluated(done, "nDCG@10") == (pytest.approx(1), len(with_relevant))
    if name in WARNED:
        assert re.search(WARNED[name], done.err)


@pytest.mark.parametrize("name", RUNS)
def test_runs_through_the_command_line(name: str, wild: Path, tmp_path: Path, in_process) -> None:
    """Judgments that call exactly the documents of a run relevant give it an average precision of 1."""
    expected = RUNS[name](wild / name)
    judged = {query_id: {doc_id: 1 for doc_id, _, _ in results} for query_id, results in expected.items()}
    qrels = written(tmp_path / "qrels.json", judged)
    done = in_process("evaluate", qrels, wild / name, "--measure", "AP", "--format", "json")
    assert evaluated(done, "AP") == (pytest.approx(1), len(expected))


def test_a_grade_map_through_the_command_line(wild: Path, tmp_path: Path, in_process) -> None:
    """With the codes turned round, a run in the order of the codes, 1 first, has nDCG@10 1."""
    codes = {**CODES, -1: 0}
    docs_by_query = three_columns(wild / CRANFIELD).items()
    turned = {one: {doc_id: codes[int(grade)] for doc_id, grade in docs.items()} for one, docs in docs_by_query}
    run = written(tmp_path / "ideal.json", ideal(turned))
    asked = ("--grade-map", "1=4,2=3,3=2,4=1,-1=0", "--measure", "nDCG@10", "--format", "json")
    done = in_process("evaluate", wild / CRANFIELD, run, *asked)
    assert evaluated(done, "nDCG@10") == (pytest.approx(1), len(turned))


@pytest.mark.parametrize("name", REFUSED)
def test_refused_by_the_command_line(name: str, wild: Path, tmp_path: Path, in_process) -> None:
    """What cannot be read ends with status 2, nothing on stdout, and file and cause on stderr."""
    run = written(tmp_path / "run.json", {"1": {"28": 1}})
    done = in_process("evaluate", wild / name, run)
    assert (done.status, done.out) == (2, "")
    assert name in done.err
    assert [cause for cause in REFUSED[name] if not re.search(cause, done.err)] == []


def test_refused_in_a_process_of_its_own(wild: Path, tmp_path: Path, command) -> None:
    """No traceback reaches a person who asks for a table in CP949; it is said which encoding was read."""
    done = command("evaluate", wild / CP949, written(tmp_path / "run.json", {"1": {"28": 1}}))
    assert (done.status, done.out) == (2, "")
    assert "Traceback" not in done.err
    assert re.search("(?i)cp949", done.err)
    assert "행정구역" in done.err


def test_judgments_from_stdin(wild: Path, tmp_path: Path, command) -> None:
    """Judgments that come through a pipe are those of the file."""
    path = wild / "06_beir_scifact_qrels_header.tsv"
    expected = QRELS[path.name](path)
    run = written(tmp_path / "ideal.json", ideal(expected))
    done = command("evaluate", "-", run, "--measure", "nDCG@10", "--format", "json", stdin=path.read_bytes())
    assert evaluated(done, "nDCG@10") == (pytest.approx(1), len(expected))
