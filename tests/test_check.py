"""What `rankproof check` finds: each kind planted alone, clean files, real files, and what `--fix` mends."""

from __future__ import annotations

import hashlib
import json
import random
import re
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wild_mutating import NAMES, Mutant, mutants

import rankproof as rp
from rankproof.check import FILE_KINDS, CheckedFile, Place, mend
from rankproof.contract import Contract
from rankproof.formats.files import Source
from rankproof.formats.rows import JUDGMENTS, RESULTS
from rankproof.formats.table import FORMATS

QRELS = [
    *("q10 0 d101 2", "q10 0 d102 1", "q10 0 d103 0"),
    *("q11 0 d104 1", "q11 0 d105 0"),
    *("q12 0 d106 2", "q12 0 d107 0", "q12 0 d108 1", "q12 0 d109 0"),
    *("q13 0 d110 1", "q13 0 d111 0"),
]
RUN = [
    *("q10 Q0 d101 1 9.5 t", "q10 Q0 d102 2 8.25 t", "q10 Q0 d103 3 3 t"),
    *("q11 Q0 d104 1 7.5 t", "q11 Q0 d105 2 7 t"),
    *("q12 Q0 d106 1 12 t", "q12 Q0 d107 2 11 t", "q12 Q0 d108 3 6 t", "q12 Q0 d109 4 2 t"),
    *("q13 Q0 d110 1 5.5 t", "q13 Q0 d111 2 4 t"),
]
"""A pair in which nothing is to be found: all that is judged comes back, and nothing else."""

Edit = Mapping[int, str | None]
"""By line, what stands there instead; None takes it away, and 12 is the line behind the last."""

Found = tuple[Literal["qrels", "run"], str, int, Place | None]
"""A finding: its file, kind, count and first place."""


def edited(lines: Sequence[str], edit: Edit) -> str:
    """Return lines as a text, some of them changed."""
    new = {**dict(enumerate(lines, 1)), **edit}
    return "".join(f"{line}\n" for _, line in sorted(new.items()) if line is not None)


def every(lines: Sequence[str], column: int, change: Callable[[str], str]) -> Edit:
    """Return an edit of one column of all lines."""
    split = [line.split() for line in lines]
    return {
        at: " ".join(change(cell) if number == column else cell for number, cell in enumerate(row))
        for at, row in enumerate(split, 1)
    }


RISING: Edit = dict(
    enumerate(
        [
            *("q10 Q0 d101 1 3 t", "q10 Q0 d102 2 8.25 t", "q10 Q0 d103 3 9.5 t"),
            *("q11 Q0 d104 1 6.5 t", "q11 Q0 d105 2 7 t"),
            *("q12 Q0 d106 1 2 t", "q12 Q0 d107 2 6 t", "q12 Q0 d108 3 11 t", "q12 Q0 d109 4 12 t"),
            *("q13 Q0 d110 1 4 t", "q13 Q0 d111 2 5.5 t"),
        ],
        1,
    )
)
"""Scores that rise from rank to rank."""

NOTHING: Edit = {}
PLANTED: list[tuple[Edit, Edit, list[Found]]] = [
    ({12: "q13 0 d111 0"}, NOTHING, [("qrels", "judged-twice", 1, Place(12, "q13", "d111"))]),
    ({12: "q13 0 d111 1"}, NOTHING, [("qrels", "judged-twice-differently", 1, Place(12, "q13", "d111"))]),
    ({12: "q13 0 d112 nan"}, NOTHING, [("qrels", "nan", 1, Place(12, "q13", "d112"))]),
    ({12: "q13 0 d112 inf"}, NOTHING, [("qrels", "infinity", 1, Place(12, "q13", "d112"))]),
    ({12: "q13 0 d112 x"}, NOTHING, [("qrels", "unreadable-row", 1, Place(12, "q13", "d112"))]),
    ({12: "q13 0 d112"}, NOTHING, [("qrels", "unreadable-row", 1, Place(12))]),
    ({11: "q13 1 d111 0"}, NOTHING, [("qrels", "second-column", 1, Place(11, "q13"))]),
    ({3: "q10 0 d103 -2"}, NOTHING, [("qrels", "negative-grades", 1, Place(3, "q10", "d103"))]),
    ({3: "q10 0 d103 0.5"}, NOTHING, [("qrels", "fractional-grades", 1, Place(3, "q10", "d103"))]),
    ({10: "q13 0 d110 0"}, NOTHING, [("qrels", "queries-without-relevant", 1, Place(10, "q13"))]),
    (
        every(QRELS, 3, lambda _: "0"),
        NOTHING,
        [("qrels", "nothing-relevant", 11, None), ("qrels", "all-grades-equal", 11, None)],
    ),
    (every(QRELS, 3, lambda _: "2"), NOTHING, [("qrels", "all-grades-equal", 11, None)]),
    (every(QRELS, 3, lambda _: "1"), NOTHING, [("qrels", "only-relevant", 11, None)]),
    (every(QRELS, 3, lambda grade: str(3 - int(grade))), NOTHING, [("qrels", "is-1-the-best", 11, None)]),
    ({0: "# judged by hand"}, NOTHING, [("qrels", "comments", 1, Place(1))]),
    ({12: "#q13 0 d112 1"}, NOTHING, [("qrels", "comments-like-data", 1, Place(12))]),
    ({4: "q11 0 d104 1 "}, NOTHING, [("qrels", "white-space", 1, Place(4))]),
    ({4: "q11 0  d104\t1"}, NOTHING, [("qrels", "white-space", 1, Place(4))]),
    ({4: "q11 0 d104 1\r"}, NOTHING, [("qrels", "line-ends", 1, Place(4))]),
    (NOTHING, {12: "q13 Q0 d110 3 1 t"}, [("run", "retrieved-twice", 1, Place(12, "q13", "d110"))]),
    (NOTHING, {11: "q13 Q0 d111 2 nan t"}, [("run", "nan", 1, Place(11, "q13", "d111"))]),
    (NOTHING, {10: "q13 Q0 d110 1 inf t"}, [("run", "infinity", 1, Place(10, "q13", "d110"))]),
    (NOTHING, {12: "q13 Q0 d112 3 x t"}, [("run", "unreadable-row", 1, Place(12, "q13", "d112"))]),
    (
        NOTHING,
        {6: "q12 Q0 d106 1 11 t", 7: "q12 Q0 d107 2 12 t"},
        [("run", "rank-against-score", 1, Place(7, "q12", "d107"))],
    ),
    (NOTHING, RISING, [("run", "upside-down", 4, Place(2, "q10", "d102"))]),
    (NOTHING, {6: RUN[6], 7: RUN[5]}, [("run", "rows-not-by-rank", 1, Place(7, "q12", "d106"))]),
    (NOTHING, {5: "q11 Q0 d105 2 7.5 t"}, [("run", "all-scores-equal", 1, Place(4, "q11", "d104"))]),
    (NOTHING, {8: "q12 Q0 d108 3 11 t"}, [("run", "ties", 2, Place(7, "q12", "d107"))]),
    (NOTHING, {5: "q11 Q0 d105 2 7.499999999 t"}, [("run", "single-precision-ties", 1, Place(5, "q11", "d105"))]),
    (NOTHING, {11: "q13 Q0 d111 2 4 u"}, [("run", "several-tags", 2, Place(11))]),
    (NOTHING, {11: "q13 Q0 d111 2 4 t more"}, [("run", "extra-columns", 1, Place(11))]),
    ({3: None, 8: None, 9: None}, {3: None, 8: None, 9: None}, [("run", "cut-depth", 4, None)]),
    (
        {8: None, 9: None},
        {8: None, 9: None, 5: None, 3: None},
        [("qrels", "never-returned", 2, Place(None, "q10", "d103")), ("run", "cut-depth", 3, None)],
    ),
    (NOTHING, every(RUN, 0, lambda query: f"t-{query}"), [("run", "no-query-in-common", 4, Place(1, "t-q10"))]),
    (
        NOTHING,
        every(RUN, 2, lambda doc: f"x{doc}"),
        [
            ("qrels", "never-returned", 11, Place(None, "q10", "d101")),
            ("run", "no-document-in-common", 11, Place(1, "q10", "xd101")),
        ],
    ),
    (
        NOTHING,
        {10: RUN[9].replace("q13", "Q13"), 11: RUN[10].replace("q13", "Q13")},
        [
            ("run", "other-case", 1, Place(10, "Q13")),
            ("run", "queries-missing", 1, Place(None, "q13")),
            ("run", "queries-unjudged", 1, Place(10, "Q13")),
        ],
    ),
    (
        NOTHING,
        {11: "q13 Q0 d0111 2 4 t"},
        [
            ("qrels", "never-returned", 1, Place(None, "q13", "d111")),
            ("run", "other-padding", 1, Place(11, None, "d0111")),
            ("run", "unjudged-on-top", 1, Place(11, "q13", "d0111")),
        ],
    ),
    (NOTHING, {10: None, 11: None}, [("run", "queries-missing", 1, Place(None, "q13"))]),
    (NOTHING, {12: "q14 Q0 d101 1 3 t"}, [("run", "queries-unjudged", 1, Place(12, "q14"))]),
    (NOTHING, {12: "q13 Q0 d112 3 1 t"}, [("run", "unjudged-on-top", 1, Place(12, "q13", "d112"))]),
    (NOTHING, {11: None}, [("qrels", "never-returned", 1, Place(None, "q13", "d111"))]),
    *(
        (
            {12: f"q13 0 {doc} 0"},
            {12: f"q13 Q0 {doc} 3 1 t"},
            [("qrels", kind, 1, Place(12, None, doc)), ("run", kind, 1, Place(12, None, doc))],
        )
        for kind, doc in {
            "mark-in-id": "\ufeffd112",
            "blanks-around-id": "d112\u00a0",
            "same-but-for-case": "D111",
            "same-but-for-padding": "d0111",
        }.items()
    ),
]

ELSEWHERE = {"unreadable", "guessed-encoding", "utf-16", "byte-order-mark", "told", "grades-against-names"} | {
    "impossible",
    "impossible-unless",
    "equal-rows",
}
"""The kinds that are no matter of single lines: planted in tests of their own below."""


@pytest.fixture
def pair(tmp_path: Path) -> Callable[..., list[tuple[str, str, int, Place | None]]]:
    """Write a pair, check it, and return what was found as (file, kind, count, first place)."""

    def found(qrels: bytes | str, run: bytes | str) -> list[tuple[str, str, int, Place | None]]:
        paths = [tmp_path / "qrels", tmp_path / "run"]
        for path, content in zip(paths, (qrels, run), strict=True):
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        checked = rp.check(*paths)
        assert [file.role for file in checked.files] == ["qrels", "run"]
        return [
            (Path(one.file).name, one.kind, one.count, one.places[0] if one.places else None)
            for file in checked.files
            for one in file.findings
        ]

    return found


# ---- planted


@pytest.mark.parametrize(("qrels", "run", "expected"), PLANTED, ids=[found[-1][1] for _, _, found in PLANTED])
def test_what_is_planted_is_found(pair, qrels: Edit, run: Edit, expected: list[Found]) -> None:
    """A fault planted in a clean pair is found where it is, as often as it is, and nothing else is found."""
    found = pair(edited(QRELS, qrels), edited(RUN, run))
    assert sorted(found, key=str) == sorted(expected, key=str)


def test_every_kind_is_planted() -> None:
    """Each kind of finding has a planted case."""
    assert {kind for _, _, found in PLANTED for _, kind, _, _ in found} | ELSEWHERE == set(FILE_KINDS)


def test_a_clean_pair_has_no_findings(pair) -> None:
    """Nothing is found in the pair that all faults are planted in."""
    assert pair(edited(QRELS, {}), edited(RUN, {})) == []


@pytest.mark.parametrize(
    ("encode", "kind", "place"),
    [
        (lambda text: b"\xef\xbb\xbf" + text.encode(), "byte-order-mark", Place(1)),
        (lambda text: text.encode("utf-16"), "utf-16", None),
        (lambda text: text.encode("cp949"), "guessed-encoding", None),
    ],
)
def test_encodings(pair, encode: Callable[[str], bytes], kind: str, place: Place | None) -> None:
    """Another encoding than UTF-8 without a mark is found, and the ids are the same as in the run beside it."""
    found = pair(encode(edited(QRELS, {12: "q13 0 문서 0"})), edited(RUN, {12: "q13 Q0 문서 3 1 t"}))
    assert found == [("qrels", kind, 1, place)]


def test_a_last_line_without_an_end(pair) -> None:
    """A last line that does not end is found: what is joined to it would be one row with it."""
    assert pair(edited(QRELS, {}).rstrip("\n"), edited(RUN, {})) == [("qrels", "line-ends", 1, Place(11))]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["perfect", "good", "bad"], [1]),
        (["bad", "good", "perfect"], []),
        (["Highly-Relevant", "relevant", "not_relevant"], [1]),
        (["부적합", "부분 적합", "적합"], []),
        (["적합", "부분 적합", "부적합"], [1]),
        (["perfect", "good", "blue"], []),
        (["good", "perfect", "bad"], []),
    ],
)
def test_grades_against_their_names(tmp_path, names: list[str], expected: list[int]) -> None:
    """Names whose order is known, each better one with a lower grade, are found; mixed and unknown ones are not."""
    path = tmp_path / "q.csv"
    rows = [f"q1,d{grade},{grade},{name}\n" for grade, name in enumerate(names)]
    path.write_text("query_id,doc_id,grade,meaning\n" + "".join(rows))
    found = rp.check(path).findings
    assert [one.count for one in found if one.kind == "grades-against-names"] == expected


def test_ratings_that_a_tool_repeats(tmp_path) -> None:
    """What the reader of nested ratings tells is a note."""
    path = tmp_path / "q.json"
    ratings = [{"docId": "d1", "rating": "1"}, {"docId": "d2", "rating": "0"}]
    path.write_text(json.dumps({"judgmentRatings": [{"query": "a", "ratings": [*ratings, ratings[0]]}]}))
    assert [(one.kind, one.message) for one in rp.check(path).findings] == [
        ("told", "1 rating repeated with the same grade; each counts once")
    ]


def test_the_hints_name_rules_that_there_are() -> None:
    """Each rule that a finding tells to set is one of the contract's."""
    said = {rule for kind in FILE_KINDS.values() for rule in re.findall(r"--rule ([a-z-]+)", kind.to_do)}
    assert said
    assert {rule.replace("-", "_") for rule in said} <= set(dict(Contract().items()))


def test_results_with_and_without_scores(tmp_path) -> None:
    """A query's result without a score among others with one is a row that no reader takes, whichever comes first."""
    path = tmp_path / "run.jsonl"
    rows = [{"query_id": "q", "doc_id": "d1", "score": 0.5}, {"query_id": "q", "doc_id": "d2", "rank": 2}]
    for given_rows in (rows, rows[::-1]):
        path.write_text("".join(json.dumps(row) + "\n" for row in given_rows))
        assert [(one.kind, one.places) for one in rp.check(path, as_="run").findings] == [
            ("unreadable-row", (Place(2, "q", given_rows[1]["doc_id"]),))
        ]
        with pytest.raises(rp.InputError, match="score"):
            rp.read_run(path)


# ---- clean


def generated(seed: int) -> tuple[str, str]:
    """Return a clean pair: different scores in the order of the ranks, all results judged, grades 0 to 2."""
    draw = random.Random(seed)
    judgments, results = [], []
    for query in range(20, 20 + draw.randint(3, 9)):
        docs = draw.sample(range(1000, 2000), draw.randint(2, 30))
        grades = [2, *(draw.choice([0, 0, 1, 2]) for _ in docs[1:-1]), 0]
        judgments += [f"q{query} 0 d{doc} {grade}\n" for doc, grade in zip(docs, grades, strict=True)]
        scores = sorted(draw.sample(range(1, 5000), len(docs)), reverse=True)
        ranked = draw.sample(docs, len(docs))
        results += [
            f"q{query} Q0 d{doc} {rank} {score / 16} t\n"
            for rank, (doc, score) in enumerate(zip(ranked, scores, strict=True), 1)
        ]
    return "".join(judgments), "".join(results)


@pytest.mark.parametrize("seed", range(8))
def test_clean_files_stay_clean(pair, seed: int) -> None:
    """In generated clean pairs nothing is wrong or suspicious."""
    assert [kind for _, kind, _, _ in pair(*generated(seed)) if FILE_KINDS[kind].weight != "note"] == []


def test_the_packaged_example() -> None:
    """Of the example only what is true of it is suspicious: one run leaves a query without an answer."""
    example = Path(rp.__file__).parent / "example"
    runs = ["bm25-words.run", "bm25-ngrams.run", "lsa.run"]
    checked = rp.check(example / "qrels.txt", *(example / name for name in runs))
    queries = {line.split()[0] for line in (example / "qrels.txt").read_text().splitlines()}
    missing = {
        name: sorted(queries - {line.split()[0] for line in (example / name).read_text().splitlines()}) for name in runs
    }
    found = [
        (Path(one.file).name, one.kind, one.places[0].query_id) for one in checked.findings if one.weight != "note"
    ]
    assert found == [(name, "queries-missing", lacking[0]) for name, lacking in missing.items() if lacking]
    assert found


# ---- what a file holds


def in_format(name: str, folder: Path, lines_of: tuple[list[str], list[str]] = (QRELS, RUN)) -> tuple[Path, Path]:
    """Write a pair, the clean one, as a format does; a run of three columns has ranks alone."""
    judged, ranked = ([line.split() for line in lines] for lines in lines_of)
    qrels = [{"query_id": q, "doc_id": d, "grade": int(g)} for q, _, d, g in judged]
    run = [{"query_id": q, "doc_id": d, "rank": int(r), "score": float(s)} for q, _, d, r, s, _ in ranked]
    paths = folder / "qrels", folder / "run"
    for path, rows in zip(paths, (qrels, run), strict=True):
        if name in ("parquet", "arrow"):
            import pyarrow as pa
            import pyarrow.feather
            import pyarrow.parquet

            table = pa.Table.from_pylist(rows)
            if name == "parquet":
                pyarrow.parquet.write_table(table, path)
            else:
                pyarrow.feather.write_feather(table, path)
            continue
        lines: Mapping[str, Callable[[], str]] = {
            "csv": lambda rows=rows: "\n".join(
                [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows), ""]
            ),
            "jsonl": lambda rows=rows: "".join(json.dumps(row) + "\n" for row in rows),
            "json": lambda rows=rows: json.dumps(rows),
            "trec": lambda path=path: edited(lines_of[path.name == "run"], {}),
            "three-columns": lambda rows=rows: "".join(
                f"{' '.join(map(str, list(row.values())[:3]))}\n" for row in rows
            ),
        }
        path.write_text(lines[name]())
    return paths


def test_every_format_gives_its_rows() -> None:
    """Each format of the table says how its rows are read one by one."""
    assert set(JUDGMENTS) == set(RESULTS) == {known.name for known in FORMATS}


@pytest.mark.parametrize("name", [known.name for known in FORMATS])
def test_the_same_in_every_format(tmp_path, name: str) -> None:
    """The role is told by the content, and what the files hold is the same in each format; nothing is found."""
    checked = rp.check(*in_format(name, tmp_path))
    qrels, run = checked.files
    assert [(file.role, file.format) for file in checked.files] == [("qrels", name), ("run", name)]
    assert [(file.queries, file.documents, file.rows) for file in checked.files] == [(4, 11, 11)] * 2
    assert [file.depth for file in checked.files] == [(2, 2.5, 4)] * 2
    assert dict(qrels.grades) == {0: 5, 1: 4, 2: 2}
    assert checked.findings == []
    assert run.tied_places == 0


@pytest.mark.parametrize("name", [known.name for known in FORMATS])
def test_what_comes_twice_in_every_format(tmp_path, name: str) -> None:
    """A judgment and a result that come twice are found in each format, though its reader would stop at them."""
    twice = [*QRELS, QRELS[-1]], [*RUN, RUN[-2].replace(" 1 5.5", " 3 1")]
    checked = rp.check(*in_format(name, tmp_path, twice))
    assert [(one.kind, one.count, one.places[0].doc_id) for one in checked.findings] == [
        ("judged-twice", 1, "d111"),
        ("retrieved-twice", 1, "d110"),
    ]


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("query_id,doc_id,grade\nq,d,1\n", "qrels"),
        ("query_id,doc_id,score\nq,d,1.5\n", "run"),
        ("query_id,doc_id,score\nq,d,1\n", None),
        ("query-id\tcorpus-id\tscore\nq\td\t1\n", "qrels"),
        ("query_id,doc_id,rank\nq,d,1\n", "run"),
        ("query_id,doc_id,grade,rank\nq,d,1,1\n", None),
        ('{"query_id": "q", "doc_id": "d", "rating": 1}\n', "qrels"),
        ('{"query_id": "q", "doc_id": "d", "score": 0.25}\n', "run"),
        ('{"q": {"d": 0.25, "e": 0.5}}', "run"),
        ('{"q": ["d", "e"]}', "run"),
        ('{"q": {"d": 1, "e": 0}}', None),
        ('{"queries": [{"query": "a", "ratings": {"d": 1}}]}', "qrels"),
        ("q d 0\nq e 1\n", "qrels"),
        ("q d 1\nq e 2\nq f 3\n", "run"),
        ("q d 1\nr d 1\n", None),
        ("q 0 d 1\n", "qrels"),
        ("q Q0 d 1 0.5 t\n", "run"),
    ],
)
def test_the_role_is_told_by_the_content(tmp_path, text: str, role: str | None) -> None:
    """Columns that only one reader accepts tell the role; what both accept is asked for, and `as_` answers it."""
    path = tmp_path / "file"
    path.write_text(text)
    (file,) = rp.check(path).files
    assert file.role == role
    if role is None:
        assert [one.kind for one in file.findings] == ["unreadable"]
        assert "--as qrels or --as run says which" in file.findings[0].message
        for as_ in ("qrels", "run"):
            assert rp.check(path, as_=as_).files[0].role == as_


def test_several_runs_in_one_table(tmp_path) -> None:
    """A column that names runs parts them: what two of them return is not returned twice, nor tied."""
    path = tmp_path / "runs.csv"
    path.write_text("query_id,doc_id,score,run\nq,d,2.5,a\nq,e,1.5,a\nq,d,2.5,b\n")
    checked = rp.check(path)
    assert (list(checked.files[0].runs), checked.files[0].depth, checked.findings) == (["a", "b"], (1, 1.5, 2), [])


def test_what_is_sure_stays(tmp_path) -> None:
    """`as_` does not turn a run into judgments."""
    path = tmp_path / "run"
    path.write_text(edited(RUN, {}))
    assert rp.check(path, as_="qrels").files[0].role == "run"


def test_what_cannot_be_read_ends_nothing(tmp_path) -> None:
    """A file that is not there, a folder, a table of colours and damaged files are findings, and the next is read."""
    (tmp_path / "qrels").write_text(edited(QRELS, {}))
    (tmp_path / "table.csv").write_text("system,colour\na,red\n")
    (tmp_path / "x.gz").write_bytes(b"\x1f\x8b\x08 no more")
    (tmp_path / "empty").write_text("")
    (tmp_path / "x.parquet").write_bytes(b"PAR1 no more")
    (tmp_path / "bad.json").write_text('{"q": {"d": 0.5, }}')
    names = ["none", ".", "table.csv", "x.gz", "empty", "x.parquet", "bad.json", "qrels"]
    checked = rp.check(*(tmp_path / name for name in names))
    *refused, read = checked.files
    assert [[one.kind for one in file.findings] for file in refused] == [["unreadable"]] * 7
    assert "there is no such file" in refused[0].findings[0].message
    assert (read.role, read.rows, read.findings) == ("qrels", 11, [])
    assert not checked.is_clean


LOOSE = st.text(st.sampled_from('q1 0.\t\r\n,;#"{}[]:-nainf\ufeffㄱ\x00'), max_size=60)


@given(st.one_of(LOOSE.map(str.encode), st.binary(max_size=60)), st.sampled_from([None, "qrels", "run"]))
def test_any_bytes_are_checked(tmp_path_factory, content: bytes, as_: Literal["qrels", "run"] | None) -> None:
    """Whatever a file holds, it is read or said to be unreadable; and mended, or refused with a reason."""
    path = tmp_path_factory.mktemp("any") / "file"
    path.write_bytes(content)
    checked = rp.check(path, path, as_=as_)
    kinds = {one.kind for one in checked.findings}
    assert all(file.rows for file in checked.files) or kinds & {"unreadable", "unreadable-row", "nan", "infinity"}
    json.dumps(checked.to_dict(), allow_nan=False)
    with suppress(rp.InputError):
        mend(path, as_)


@given(st.lists(st.lists(st.sampled_from([0.0, 1.0, 1.0 + 2**-30, 2.0, -1.0]), min_size=1, max_size=6), min_size=1))
def test_ties_are_equal_scores(tmp_path_factory, queries: list[list[float]]) -> None:
    """A result is tied if another of its query has its score; what is tied in 32 bits only is counted apart."""
    path = tmp_path_factory.mktemp("ties") / "run"
    rows = [
        f"q{query} Q0 d{doc} {doc + 1} {score!r} t\n"
        for query, scores in enumerate(queries)
        for doc, score in enumerate(scores)
    ]
    path.write_text("".join(rows))
    (file,) = rp.check(path).files
    tied = [{at for a, b in combinations(range(len(q)), 2) if q[a] == q[b] for at in (a, b)} for q in queries]
    assert file.tied_places == sum(map(len, tied))
    assert file.tied_queries == sum(map(bool, tied))
    near = sum(1.0 in q and 1.0 + 2**-30 in q and q.count(1.0) for q in queries)
    assert sum(one.count for one in file.findings if one.kind == "single-precision-ties") == near


@pytest.mark.parametrize("seed", range(4))
def test_unjudged_on_top_is_what_is_measured(tmp_path, seed: int) -> None:
    """The unjudged among the first 10 are as many as the measure Unjudged@10 counts, ties and all."""
    draw = random.Random(seed)
    queries = [f"q{number}" for number in range(20, 26)]
    docs = [f"d{number}" for number in range(100, 140)]
    qrels = {query: {doc: draw.randint(0, 2) for doc in draw.sample(docs, 12)} for query in queries}
    run = {query: {doc: draw.randint(0, 9) / 4 for doc in draw.sample(docs, 25)} for query in queries}
    rp.write_qrels(qrels, tmp_path / "qrels")
    rp.write_run(rp.Run("t", {q: rp.Ranking(list(r), list(r.values())) for q, r in run.items()}), tmp_path / "run")
    found = {one.kind: one for one in rp.check(tmp_path / "qrels", tmp_path / "run").findings}
    values = rp.evaluate(qrels, run, ["Unjudged@10"]).per_query["Unjudged@10"]
    assert found["unjudged-on-top"].count == round(sum(round(10 * value) for value in values))
    assert found["never-returned"].count == sum(doc not in run[query] for query in queries for doc in qrels[query])


# ---- real files


WILD: Mapping[str, Mapping[str, Callable[[list[str]], int]]] = {
    "01_cranqrel_crlf_3col": {
        "white-space": lambda lines: sum(line.rstrip("\r\n").endswith(" ") for line in lines),
        "line-ends": len,
        "negative-grades": lambda lines: sum(line.split()[2] == "-1" for line in lines),
        "is-1-the-best": len,
    },
    "05_nfcorpus_qrels_crlf_tab.tsv": {"line-ends": len},
    "08_web2013_negative_grades.txt": {"negative-grades": lambda lines: sum(line.split()[3] == "-2" for line in lines)},
    "22_trec_eval_comment_qrels": {"comments": lambda lines: sum(line.startswith("#") for line in lines)},
    "25_anserini_run_same_scores.txt": {"all-scores-equal": lambda lines: len({line.split()[0] for line in lines})},
    "34_trec03_ties_unsorted_ranks.run": {
        "ties": lambda lines: sum(
            count for count in Counter(float(line.split()[4]) for line in lines).values() if count > 1
        ),
        "rows-not-by-rank": lambda lines: len({line.split()[0] for line in lines}),
    },
}
"""Of real files, what their list says is special about them, and how often a plain reading of the lines finds it."""


@pytest.mark.parametrize("name", WILD)
def test_real_files(data: Path, name: str) -> None:
    """What is special about a real file is found as often as a plain reading finds it, and nothing else is."""
    path = data / "wild" / name
    with path.open(encoding="utf-8", newline="") as file:
        lines = [line for line in file if line.strip()]
    found = {one.kind: one.count for one in rp.check(path).findings}
    assert found == {kind: count(lines) for kind, count in WILD[name].items()}


def test_real_files_end_nothing(data: Path) -> None:
    """All awkward files together are checked, each read or with the reason why not."""
    paths = sorted(path for path in (data / "wild").iterdir() if path.name != "SOURCE.txt")
    checked = rp.check(*paths)
    assert [file.name for file in checked.files] == list(map(str, paths))
    for file in checked.files:
        assert file.rows or [one.kind for one in file.findings if one.kind == "unreadable"]


REFUSED = {
    "qrels": {"unreadable", "unreadable-row", "nan", "infinity", "second-column", "judged-twice"}
    | {"judged-twice-differently"},
    "run": {"unreadable", "unreadable-row"},
}
"""The kinds for which a reader refuses the file."""


@given(mutant=mutants([name for name in NAMES if not name.startswith("15")], binary=True))
def test_readers_refuse_what_is_wrong(mutant: Mutant, data: Path, tmp_path_factory) -> None:
    """A damaged real file has findings of these kinds exactly if its reader refuses it; else both hold as much."""
    path = tmp_path_factory.mktemp("mutant") / "given"
    path.write_bytes(mutant.made((data / "wild" / mutant.name).read_bytes()))
    for as_ in ("qrels", "run"):
        (file,) = rp.check(path, as_=as_).files
        if file.role != as_:
            continue
        read = outcome(path, as_)
        found = {one.kind for one in file.findings} & REFUSED[as_]
        assert isinstance(read, str) == bool(found), read
        if not isinstance(read, str):
            assert file.queries == len(read)


# ---- mended


BLANK = st.sampled_from([" ", "\t", "  ", " \t"])
END = st.sampled_from(["\n", "\r\n"])
AROUND = st.sampled_from(["", " ", "\t"])
IDS = st.sampled_from(["q1", "q2", "#3", "ㄱ", "é", "d,4", '"', "\u00a0x"])


@st.composite
def untidy(draw: st.DrawFn, role: str) -> bytes:
    """Return a file with line ends, blanks and encodings of all kinds."""
    rows = []
    for _ in range(draw(st.integers(1, 6))):
        ids, number = (draw(IDS), draw(IDS)), str(draw(st.integers(-1, 3)))
        cells = [ids[0], "0", ids[1], number] if role == "qrels" else [ids[0], "Q0", ids[1], "1", number, "t"]
        row = draw(AROUND) + cells[0] + "".join(draw(BLANK) + cell for cell in cells[1:]) + draw(AROUND)
        rows.append(draw(st.sampled_from([row, row, row, "", "# a  comment "])) + draw(END))
    text = "".join(rows)
    text = text.rstrip("\r\n") if draw(st.booleans()) else text
    encoding = draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp949"]))
    return text.encode(encoding, errors="ignore")


def outcome(path: Path, role: str) -> object:
    """Return what a reader makes of a file, or why it refuses it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rp.RankproofWarning)
        try:
            if role == "qrels":
                return {query: list(grades.items()) for query, grades in rp.read_qrels(path).items()}
            return {query: (r.doc_ids, r.scores, r.ranks) for query, r in rp.read_run(path).rankings.items()}
        except rp.InputError as error:
            return str(error)


MENDABLE = {"byte-order-mark", "utf-16", "guessed-encoding", "line-ends", "white-space"}


@pytest.mark.parametrize("role", ["qrels", "run"])
@given(st.data())
def test_what_is_mended_reads_the_same(tmp_path_factory, role: Literal["qrels", "run"], data: st.DataObject) -> None:
    """A mended file reads as before, or is refused as before; nothing mendable is left in it."""
    path = tmp_path_factory.mktemp("mend") / role
    path.write_bytes(data.draw(untidy(role)))
    before = outcome(path, role)
    found = {one.kind for one in rp.check(path, as_=role).findings}
    mended = mend(path, role)
    assert bool(mended.changes) == bool(found & MENDABLE) or "unreadable" in found  # whose later lines nobody read
    path.write_bytes(mended.content)
    assert outcome(path, role) == before
    left = {one.kind for one in rp.check(path, as_=role).findings}
    assert left & MENDABLE <= ({"white-space"} if b"#" in mended.content else set())
    assert mend(path, role).content == mended.content


@pytest.mark.parametrize(
    ("name", "content", "mended", "changes"),
    [
        ("q.csv", b"query_id,doc_id,grade\r\nq,d,1\r\n", b"query_id,doc_id,grade\nq,d,1\n", {"line-ends": 2}),
        (
            "q.csv",
            b'\xef\xbb\xbfquery_id,doc_id,grade\r\n"a\r\nb", d ,1',
            b'query_id,doc_id,grade\n"a\r\nb", d ,1\n',
            {"byte-order-mark": 1, "line-ends": 2},
        ),
        (
            "q.jsonl",
            b' {"query_id": "q ", "doc_id": "d", "grade": 1} \r\n',
            b'{"query_id": "q ", "doc_id": "d", "grade": 1}\n',
            {"line-ends": 1, "white-space": 1},
        ),
        ("q.json", b'\xef\xbb\xbf{"q": {"d": 1}}\r\n', b'{"q": {"d": 1}}\r\n', {"byte-order-mark": 1}),
        ("q", b"q 0 d 1\n", b"q 0 d 1\n", {}),
    ],
)
def test_mended_by_hand(tmp_path, name: str, content: bytes, mended: bytes, changes: dict[str, int]) -> None:
    """Line ends within quotes, blanks within ids and white space of JSON stay; the rest is mended and counted."""
    path = tmp_path / name
    path.write_bytes(content)
    assert mend(path, "qrels") == (mended, changes)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"PAR1", "is no text"),
        (b"\xef\xbb\xbf\xef\xbb\xbfq 0 d 1\n", "begins with two byte order marks"),
        (b"system nothing\n", "is neither judgments"),
    ],
)
def test_what_is_not_mended(tmp_path, content: bytes, says: str) -> None:
    """What cannot be mended without judgment is refused, with the reason."""
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(rp.InputError, match=says):
        mend(path)


# ---- asked in Python


def test_bad_arguments() -> None:
    """No file at all, and a role that there is not, are refused."""
    with pytest.raises(rp.InputError, match="no file is given"):
        rp.check()
    with pytest.raises(rp.InputError, match="as_ cannot be 'judgments'"):
        rp.check("x", as_="judgments")  # type: ignore[arg-type]


def test_a_result_tells_itself(tmp_path) -> None:
    """A check prints its tables and notes, and names what was not looked at."""
    path = tmp_path / "qrels"
    path.write_text(edited(QRELS, {12: "q13 0 d111 0"}))
    checked = rp.check(Source(path))
    assert checked.counts == {"wrong": 1, "suspicious": 0, "note": 0}
    assert "judged-twice" in repr(checked)
    assert "1 file: 1 finding is wrong" in checked.notes()
    assert any("no results are given" in note for note in checked.notes())
    assert isinstance(checked.files[0], CheckedFile)


# ---- the command


@pytest.fixture
def files(tmp_path: Path, monkeypatch) -> Path:
    """Stand in a folder with the clean pair, and judgments with a fault."""
    (tmp_path / "qrels").write_text(edited(QRELS, {}))
    (tmp_path / "run").write_text(edited(RUN, {}))
    (tmp_path / "bad").write_text("\ufeff" + edited(QRELS, {4: "q11 0 d104 1 \r", 12: "q13 0 d111 1"}))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_status(files, in_process) -> None:
    """The status is 0 whatever is found; with --strict it is 1 if that is wrong or suspicious, and notes are not."""
    assert in_process("check", "qrels", "run").status == 0
    assert in_process("check", "bad", "none").status == 0
    assert in_process("check", "qrels", "run", "--strict").status == 0
    assert in_process("check", "qrels", "bad", "--strict").status == 1
    assert in_process("check", "none", "--strict").status == 1
    (files / "run").write_text(edited(RUN, {12: "q13 Q0 d112 3 1 t"}))
    done = in_process("check", "qrels", "run", "--strict")
    assert (done.status, "unjudged-on-top" in done.out) == (0, True)


def test_the_forms(files, in_process) -> None:
    """Each form names the finding with its place; rows for a program have one line a finding."""
    for form in ("table", "markdown", "csv", "tsv", "json"):
        done = in_process("check", "qrels", "bad", "--format", form)
        assert done.status == 0
        assert "judged-twice-differently" in done.out
    rows = in_process("check", "bad", "--format", "tsv").out.splitlines()
    assert rows[0].split("\t")[:7] == ["weight", "file", "kind", "count", "line", "query_id", "doc_id"]
    assert rows[1].split("\t")[:7] == ["wrong", "bad", "judged-twice-differently", "1", "12", "q13", "d111"]
    assert [row.split("\t")[2] for row in rows[2:]] == ["byte-order-mark", "line-ends", "white-space"]


def test_fix(files, in_process) -> None:
    """--fix writes the file without what needs no judgment and says how often; faults of the data stay."""
    done = in_process("check", "bad", "--fix", "-o", "good")
    assert done.status == 0
    assert (files / "good").read_text() == edited(QRELS, {12: "q13 0 d111 1"})
    for says in (
        "1 byte order mark removed",
        "1 line end turned into \\n",
        "1 line freed of white space",
        "written to",
    ):
        assert says in done.err
    assert [one.kind for one in rp.check("good").findings] == ["judged-twice-differently"]
    done = in_process("check", "none", "--fix", "-o", "x")
    assert (done.status, done.out, done.err) == (2, "", "error: none: there is no such file\n")


@pytest.mark.parametrize(
    "arguments",
    [("bad", "--fix"), ("bad", "qrels", "--fix", "-o", "x"), ("-", "--fix", "-o", "x"), ("bad", "--as", "lab"), ()],
)
def test_bad_options(files, in_process, arguments: tuple[str, ...]) -> None:
    """--fix without a place or with several files, a role that there is not and no file end with status 2."""
    done = in_process("check", *arguments)
    assert (done.status, done.out) == (2, "")
    assert "Traceback" not in done.err
    assert not (files / "x").exists()


def test_standard_input(files, command) -> None:
    """Judgments may come from standard input."""
    done = command("check", "-", "run", "--format", "json", stdin=(files / "bad").read_bytes(), cwd=files)
    found = json.loads(done.out)
    assert [file["file"] for file in found["files"]] == ["<stdin>", "run"]
    assert found["counts"]["wrong"] == 1


TABLES = {
    "csv": "system,RR@5,RR@10,P@1\nbm25,0.9,0.3,0.2\nlsa,0.5,0.75,0.5\n",
    "markdown": "| system | RR@5 | RR@10 |\n|-|-|-|\n| bm25 | 0.9 | 0.3 |\n| lsa | 0.5 | 0.75 |\n",
    "json": '[{"system": "bm25", "RR@5": 0.9, "RR@10": 0.3}]',
}


@pytest.mark.parametrize("form", TABLES)
def test_a_table_of_measures(tmp_path: Path, in_process, form: str) -> None:
    """RR that falls as k grows is wrong under every contract; it is found in each form, and said with its system."""
    (tmp_path / "table").write_text(TABLES[form], "utf-8")
    done = in_process("check", str(tmp_path / "table"), "--strict", "--format", "json")
    found = json.loads(done.out)
    assert done.status == 1
    assert [(one["role"], one["rows"]) for one in found["files"]] == [("aggregates", 1 if form == "json" else 2)]
    wrong = [one for one in found["findings"] if one["weight"] == "wrong"]
    assert any("bm25: RR@5 0.9, RR@10 0.3" in one["message"] for one in wrong)
    assert [one["role"] for one in found["inputs"]] == ["aggregates"]
    assert found["inputs"][0]["sha256"] == hashlib.sha256((tmp_path / "table").read_bytes()).hexdigest()


def test_means_of_so_many_queries(tmp_path: Path) -> None:
    """0.33 of 50 queries is no whole number of them, of 100 it is; without the number nothing is said."""
    (tmp_path / "table.csv").write_text("system,Success@1\na,0.333\nb,0.5\n", "utf-8")
    kinds = {n: [one.kind for one in rp.check(tmp_path / "table.csv", queries=n).findings] for n in (None, 50, 1000)}
    assert kinds == {None: [], 50: ["impossible-unless"], 1000: []}


def test_two_rows_that_are_equal(tmp_path: Path) -> None:
    """Two systems with the same values in all columns are suspicious."""
    (tmp_path / "table.csv").write_text("system,R@5,R@10\na,0.3,0.4\nb,0.3,0.4\n", "utf-8")
    assert [one.kind for one in rp.check(tmp_path / "table.csv").findings] == ["equal-rows"]


def test_what_is_neither_stays_unreadable(tmp_path: Path) -> None:
    """A text, and a table without a measure, is no table of measures."""
    for text in ("just words\n", "name,colour\na,red\n"):
        (tmp_path / "x").write_text(text, "utf-8")
        assert [one.kind for one in rp.check(tmp_path / "x").findings] == ["unreadable"]


def test_an_encoding_that_was_not_seen_is_not_named(tmp_path: Path) -> None:
    """Of a file that is not there, or is none of these, no encoding is claimed."""
    (tmp_path / "x.csv").write_bytes("이름,값\n가,1\n".encode("cp949"))
    assert [file.encoding for file in rp.check(tmp_path / "none", tmp_path / "x.csv").files] == [None, None]
