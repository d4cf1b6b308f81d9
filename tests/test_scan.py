"""The scan road: whatever it places it places as the plain road does; what it cannot do it leaves to that."""

from __future__ import annotations

import gzip
import hashlib
import io
import warnings
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankproof as rp
from rankproof.contract import Contract
from rankproof.errors import RankproofError
from rankproof.formats import read_run
from rankproof.formats.files import Given, Source
from rankproof.formats.unread import RunRows
from rankproof.model import Join, Run
from rankproof.placements.arrays.scan import scan
from rankproof.placements.plain import place
from rankproof.placements.roads import allows_arrays
from rankproof.presets import PRESETS

QUERIES = ("1", "10", "q", "query-eight", "한")
DOCS = ("d", "d1", "d10", "doc-of-9b", "doc-of-9bytes", "clueweb12-0000tw-05-12114", "한글", "e#1")
PLAIN_SCORES = (
    "9.5",
    "9.50",
    "10.0",
    "2",
    "2.0",
    "0.1",
    "16777217.0",
    "16777216.0",
    "16777216.5",
    "1000000.03",
    "1000000.01",
)
ODD_SCORES = (
    "-1.5",
    "-0.0",
    "1e2",
    "+3",
    ".5",
    "5.",
    "99999999999999999999.0",
    "0.30000000000000004",
    "1_0",
    "nan",
    "inf",
    "x",
    ".",
)


def text_of(rows: list[tuple], end: str = "\n") -> str:
    """The rows as a TREC run, ranks by position."""
    return "".join(f"{query} Q0 {doc} {at} {score} t{end}" for at, (query, doc, score) in enumerate(rows, 1))


def rows(scores: tuple[str, ...], *, grouped: bool) -> st.SearchStrategy[list[tuple]]:
    """Rows of a run, each document once a query: by query, or in any order; often by falling score."""
    row = st.tuples(st.sampled_from(QUERIES), st.sampled_from(DOCS), st.sampled_from(scores))
    found = st.lists(row, min_size=1, max_size=14, unique_by=lambda one: one[:2])
    if not grouped:
        return found

    def ordered(given_rows: list[tuple], falling: bool) -> list[tuple]:
        by_score = sorted(given_rows, key=lambda one: -float(one[2])) if falling else given_rows
        return sorted(by_score, key=lambda one: QUERIES.index(one[0]))

    return st.builds(ordered, found, st.booleans())


QRELS = st.dictionaries(
    st.sampled_from(QUERIES),
    st.dictionaries(st.sampled_from(DOCS), st.sampled_from([0, 1, 2, -1]), min_size=1),
    min_size=1,
)
CONTRACTS = [one.contract for one in PRESETS.values() if allows_arrays(one.contract)] + [
    Contract(ties="expected"),
    Contract(unjudged="condensed"),
    Contract(depth=2),
    Contract(depth=2, unjudged="condensed"),
    Contract(score_precision="single", ties="as-given"),
    Contract(missing_query="error"),
    Contract(unjudged_query="error"),
]
SIZES = st.sampled_from([64, 100, 333, 1 << 20])


def both(qrels: dict, text: str | bytes, contract: Contract, size: int) -> tuple:
    """What the plain road says (its join, or that it refuses the input), and what the scan says."""
    content = text.encode() if isinstance(text, str) else text
    try:
        plain = replace(place(qrels, read_run(Given(content, "run"), contract), contract), run="t")  # whatever its tag
    except RankproofError:
        plain = None
    return plain, scanned_of(qrels, content, contract, size)


def scanned_of(qrels: dict, content: bytes, contract: Contract, size: int = 1 << 20) -> Join | None:
    """What the scan says, its placements as a dict."""
    run = Run("t", {}, "run")
    found = scan(lambda: nullcontext(io.BytesIO(content)), qrels, contract, run, size)
    return None if found is None else replace(found, queries=dict(found.queries))


@settings(max_examples=400)
@given(QRELS, rows(PLAIN_SCORES, grouped=True), st.sampled_from(CONTRACTS), SIZES, st.sampled_from(["\n", "\r\n"]))
def test_a_regular_run_is_placed_as_the_plain_road_places_it(
    qrels: dict, given_rows: list, contract: Contract, size: int, end: str
) -> None:
    """Grouped rows with plain decimals, whatever the order and the chunks: the same join, and it is scanned."""
    plain, scanned = both(qrels, text_of(given_rows, end), contract, size)
    assert (scanned is None) == (plain is None)
    assert scanned == plain


@settings(max_examples=400)
@given(QRELS, rows(PLAIN_SCORES + ODD_SCORES, grouped=False), st.sampled_from(CONTRACTS), SIZES)
def test_any_other_run_too_or_it_is_left(qrels: dict, given_rows: list, contract: Contract, size: int) -> None:
    """Scores of any spelling, queries in any order: the scan says what the plain road says, or nothing."""
    plain, scanned = both(qrels, text_of(given_rows), contract, size)
    assert scanned is None or scanned == plain


BREAKS = (b" ", b"\t", b"\n", b"\r", b"\0", b"\x1c", b"\xa0", b"\xff", b"#", b"", b"  ", b" x", b"\xc2\xa0", b"\x0b")


@settings(max_examples=400)
@given(QRELS, rows(PLAIN_SCORES, grouped=True), st.integers(0, 400), st.sampled_from(BREAKS), SIZES)
def test_a_broken_run_is_left_or_read_the_same(
    qrels: dict, given_rows: list, at: int, broken: bytes, size: int
) -> None:
    """A byte put anywhere: where the plain road refuses the text the scan leaves it; else both say the same."""
    text = text_of(given_rows).encode()
    at %= len(text)
    for content in (text[:at] + broken + text[at:], text[:at] + broken + text[at + 1 :]):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            plain, scanned = both(qrels, content, Contract(), size)
        assert scanned is None or scanned == plain


def test_the_last_row_needs_no_end() -> None:
    """A text without a line end at its end has its last row."""
    text = text_of([("1", "d", "2.0"), ("1", "d1", "1.0")])[:-1]
    plain, scanned = both({"1": {"d1": 1}}, text, Contract(), 1 << 20)
    assert scanned == plain
    assert scanned is not None
    assert list(scanned.queries["1"].ranks) == [2]


def test_an_id_that_begins_as_another_is_another() -> None:
    """d, d1 and d10 are three documents, also where eight bytes are the same."""
    docs = ["document", "document1", "document12", "document123456789", "document123456780"]
    text = text_of([("1", doc, f"{9 - at}.0") for at, doc in enumerate(docs)])
    plain, scanned = both({"1": {docs[2]: 1, docs[4]: 2}}, text, Contract(), 1 << 20)
    assert scanned == plain
    assert scanned is not None
    assert list(scanned.queries["1"].ranks) == [3, 5]


@pytest.mark.parametrize("size", [64, 200, 1000])
def test_a_tie_across_chunks(size: int) -> None:
    """Equal scores at the end of a chunk and the beginning of the next are one tie."""
    text = text_of([("1", f"d{at:02}", "1.0") for at in range(40)])
    plain, scanned = both({"1": {"d20": 1}}, text, Contract(), size)
    assert scanned == plain
    assert scanned is not None
    assert list(scanned.queries["1"].ranks) == [20]
    assert scanned.queries["1"].ties[0][:2] == (1, 40)


def test_single_precision_makes_ties() -> None:
    """16777217 and 16777216 are one score in 32 bits, two in 64, though their spelling tells them apart."""
    text = text_of([("1", "d", "16777217.0"), ("1", "e", "16777216.0")])
    for precision, rank in (("single", 1), ("double", 2)):
        plain, scanned = both({"1": {"e": 1}}, text, Contract(score_precision=precision), 1 << 20)  # type: ignore[arg-type]
        assert scanned == plain
        assert scanned is not None
        assert list(scanned.queries["1"].ranks) == [rank]


def test_what_is_wrong_is_left_to_the_plain_road() -> None:
    """Duplicates, NaN, comments, other tags and columns: nothing is said by the scan."""
    row = "1 Q0 d 1 2.0 t\n"
    for text in (
        row + row,
        row + "1 Q0 e 2 nan t\n",
        "# a comment\n" + row,
        row + "1 Q0 e 2 1.0 other\n",
        row + "1 Q0 e 2 1.0\n",
        row + "1 Q0 e second 1.0 t\n",
        row.replace(" Q0", "  Q0"),
        row + "\n" + row.replace("d", "e"),
    ):
        assert scanned_of({"1": {"d": 1}}, text.encode(), Contract()) is None, text
    assert scanned_of({"2": {"d": 1}}, row.encode(), Contract()) is None  # no query in common


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(PLAIN_SCORES), min_size=40, max_size=60),
    st.sampled_from(CONTRACTS),
    st.integers(1, 60),
    SIZES,
)
def test_long_rankings(scores: list[str], contract: Contract, judged: int, size: int) -> None:
    """Of a long ranking few or many are judged, in any order of the scores: the same join."""
    ordered = sorted(scores, key=float, reverse=judged % 2 == 0)
    text = text_of([("1", f"d{at}", score) for at, score in enumerate(ordered)])
    plain, scanned = both({"1": {f"d{at}": 1 + at % 3 for at in range(judged)}}, text, contract, size)
    assert scanned == plain


REGULAR = text_of([("1", "d", "2.0"), ("1", "e", "2.0"), ("1", "f", "1.0"), ("2", "d", "1.0"), ("x", "d", "1.0")])


@pytest.mark.parametrize("end", ["", ".gz"])
def test_evaluate_scans_a_large_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    """A file above the limit gives the values of the run that was read, with all counts; and no road but the scan's."""
    qrels, path = {"1": {"e": 1, "f": 2}, "2": {"d": 1}, "3": {"d": 1}}, tmp_path / f"r{end}"
    path.write_bytes(gzip.compress(REGULAR.encode()) if end else REGULAR.encode())
    expected = rp.evaluate(qrels, rp.read_run(path), ["nDCG@2", "AP", "NumRet"])
    monkeypatch.setattr("rankproof.formats.unread.SMALLEST", {"run": 0, "qrels": 0})
    monkeypatch.setattr("rankproof.placements.plain.place", None)
    found = rp.evaluate(qrels, path, ["nDCG@2", "AP", "NumRet"])
    assert found.to_dict() == expected.to_dict()
    assert [found.run, *found.notes()] == [expected.run, *expected.notes()]


def test_what_a_scan_leaves_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_process) -> None:
    """A large file with comments has its values and its note; one with a fault its line; the hash is of its bytes."""
    monkeypatch.setattr("rankproof.formats.unread.SMALLEST", {"run": 0, "qrels": 0})
    (tmp_path / "q").write_text("1 0 e 1\n", "utf-8")
    (tmp_path / "r").write_text("# from here\n" + REGULAR, "utf-8")
    done = in_process("evaluate", str(tmp_path / "q"), str(tmp_path / "r"), "-m", "RR", "--format", "json")
    assert '"RR": 1.0' in done.out  # e goes before d, by id
    assert "1 comment line left out" in done.err
    assert hashlib.sha256((tmp_path / "r").read_bytes()).hexdigest() in done.out
    (tmp_path / "r").write_text(REGULAR + "1 Q0 e 9 0.5 t\n", "utf-8")
    done = in_process("evaluate", str(tmp_path / "q"), str(tmp_path / "r"))
    assert done.status == 2
    assert "r:6: query 1, document e: stands twice" in done.err


def test_rankings_that_lie_unread_are_a_mapping(tmp_path: Path) -> None:
    """Whoever asks an unread run for its rankings gets what reading gives."""
    (tmp_path / "r").write_text(REGULAR, "utf-8")
    unread = RunRows(Source(tmp_path / "r"), Contract())
    assert dict(unread) == dict(rp.read_run(tmp_path / "r").rankings)
    assert (len(unread), list(unread)) == (3, ["1", "2", "x"])
