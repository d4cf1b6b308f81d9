"""The parts of the scan: tokens, numbers, judgments from text, tables of hashes."""

from __future__ import annotations

import io
from array import array

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankproof.contract import Contract
from rankproof.errors import RankproofError
from rankproof.formats import read_qrels
from rankproof.formats.files import Given
from rankproof.placements.arrays.judgments import Table, judgments_of, repeats, scanned
from rankproof.placements.arrays.scores import Scores, are_numbers, whole_numbers
from rankproof.placements.arrays.text import chunks, columns
from rankproof.placements.arrays.tokens import PADDING, IrregularError, tokens_of

DIGITS = st.text("0123456789", max_size=9)
SPELLED = st.one_of(
    st.builds(lambda sign, whole, part: f"{sign}{whole}.{part}", st.sampled_from(["", "-"]), DIGITS, DIGITS),
    st.builds(lambda sign, whole: f"{sign}{whole}", st.sampled_from(["", "-", "+"]), DIGITS),
    st.floats(allow_nan=False).map(repr),
    st.floats(0, 100, width=32).map(lambda number: repr(float(number))),
    st.sampled_from(["1_0", "nan", "inf", ".", "-", "1.2.3", "x", "0x10", "1e5", "--1", "1-2", "-.5", "١"]),
)


def numbers_of(spelled: list[str]) -> list[float] | None:
    """What Python reads; None where a text is no number, or NaN."""
    try:
        found = [float(b"x" if "_" in one else one.encode()) for one in spelled]
    except ValueError:
        return None
    return None if any(number != number for number in found) else found  # noqa: PLR0124 - NaN


@settings(max_examples=1000)
@given(st.lists(SPELLED.filter(bool), min_size=1, max_size=12), st.booleans())
def test_scores_compare_as_python_reads_them(spelled: list[str], single: bool) -> None:
    """Neighbours are equal, lower or higher as the numbers are that Python reads, rounded where that is asked for."""
    expected = numbers_of(spelled)
    try:
        found = Scores(tokens_of(spelled), single=single).ordered(None).tolist()
    except IrregularError:
        assert expected is None
        return
    assert expected is not None
    values = list(array("f", expected)) if single else expected
    for at in range(len(values) - 1):
        assert (found[at] < found[at + 1], found[at] == found[at + 1]) == (
            values[at] < values[at + 1],
            values[at] == values[at + 1],
        )


@settings(max_examples=300)
@given(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 9999)), min_size=1), st.integers(1, 4))
def test_numbers_of_one_shape_are_exact(parts: list[tuple[int, int]], digits: int) -> None:
    """Decimals of the same number of digits behind the point are Python's, to the last bit."""
    spelled = [f"{whole}.{part:04}"[: len(str(whole)) + 1 + digits] for whole, part in parts]
    assert Scores(tokens_of(spelled), single=False).ordered(None).tolist() == [float(one) for one in spelled]


@given(st.lists(SPELLED.filter(bool), min_size=1))
def test_ranks_are_numbers_where_python_says_so(spelled: list[str]) -> None:
    """Every token spells a number, NaN included, or one does not."""
    expected = all("_" not in one and _is_float(one) for one in spelled)
    assert are_numbers(tokens_of(spelled)) == expected


def _is_float(text: str) -> bool:
    try:
        float(text.encode())
    except ValueError:
        return False
    return True


@given(st.lists(st.one_of(st.integers(-9_999_999, 9_999_999).map(str), SPELLED.filter(bool)), min_size=1))
def test_whole_numbers_are_read_or_refused(spelled: list[str]) -> None:
    """Up to seven digits, with a minus or not, are the number; whatever else there is, is irregular."""
    plain = all(one.removeprefix("-").isascii() and one.removeprefix("-").isdigit() for one in spelled)
    if plain and max(len(one.removeprefix("-")) for one in spelled) <= 7:
        assert whole_numbers(tokens_of(spelled)).tolist() == list(map(int, spelled))
    else:
        with pytest.raises(IrregularError):
            whole_numbers(tokens_of(spelled))


IDS = st.text(st.sampled_from("ab한1"), min_size=1, max_size=20)


@given(st.lists(IDS, min_size=1, max_size=20), st.lists(IDS, min_size=1, max_size=20))
def test_tokens_are_equal_as_their_ids_are(one: list[str], other: list[str]) -> None:
    """Equal ids have equal hashes and are equal, in whatever buffer; others are not; changes are where ids change."""
    size = min(len(one), len(other))
    left, right = tokens_of(one[:size]), tokens_of(other[:size])
    same = [a == b for a, b in zip(one, other, strict=False)]
    assert left.equal(right).tolist() == same
    assert all(a == b for a, b, alike in zip(left.hashes(), right.hashes(), same, strict=True) if alike)
    assert left.changes().tolist() == [at for at in range(1, size) if one[at] != one[at - 1]]
    assert left.are(one[0].encode()) == (len(set(one[:size])) == 1)
    assert left.spelled() == [text.encode() for text in one[:size]]


@given(st.lists(st.integers(0, 60), max_size=40))
def test_repeats_are_found(numbers: list[int]) -> None:
    """A hash that comes twice is found, however its slots are shared."""
    for factor in (1, 1 << 58, (1 << 57) + 1):
        assert repeats(np.array([one * factor for one in numbers], np.uint64)) == (len(set(numbers)) < len(numbers))


QRELS = st.dictionaries(IDS, st.dictionaries(IDS, st.integers(-2, 3), min_size=1), min_size=1, max_size=5)


@given(QRELS, st.sampled_from([64, 1 << 20]), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_judgments_are_scanned_as_they_are_read(qrels: dict, size: int, end: str, ended: bool) -> None:
    """The text of judgments, whatever the chunks, the line ends and the last line, gives the arrays of the dict."""
    text = "".join(f"{query} 0 {doc} {grade}{end}" for query, grades in qrels.items() for doc, grade in grades.items())
    content = (text if ended else text.removesuffix(end)).encode()
    found, expected = scanned(io.BytesIO(content), Contract(), size), judgments_of(qrels)
    assert list(found.query_ids) == list(expected.query_ids)
    assert found.bounds.tolist() == expected.bounds.tolist()
    assert found.docs.spelled() == expected.docs.spelled()
    assert found.grades.tolist() == expected.grades.tolist()
    assert found.best_grades() == {query: max(grades.values()) for query, grades in qrels.items()}


BREAKS = (b" ", b"\t", b"\n", b"\r", b"\0", b"\x1c", b"\xa0", b"\xff", b"#", b"", b"  ", b" x", b"+", b".5", b"-")


@settings(max_examples=400)
@given(QRELS, st.integers(0, 300), st.sampled_from(BREAKS))
def test_broken_judgments_are_left_or_read_the_same(qrels: dict, at: int, broken: bytes) -> None:
    """A byte put anywhere: the scan leaves the text to the reader, or both say the same."""
    text = "".join(f"{query} 0 {doc} {grade}\n" for query, grades in qrels.items() for doc, grade in grades.items())
    content = text.encode()
    at %= len(content)
    content = content[:at] + broken + content[at:]
    try:
        found = scanned(io.BytesIO(content), Contract())
        Table(found)  # refuses a document that is judged twice
    except IrregularError:
        return
    try:
        expected = judgments_of(read_qrels(Given(content, "qrels"), format="trec"))
    except RankproofError:
        pytest.fail(f"read {content!r}, which is refused")
    assert list(found.query_ids) == list(expected.query_ids)
    assert found.docs.spelled() == expected.docs.spelled()
    assert found.grades.tolist() == expected.grades.tolist()


def test_pieces_hold_whole_queries() -> None:
    """Whatever the size: the pieces are the text, and no query stands in two."""
    text = "".join(f"{query} 0 d{at} 1\n" for query in range(40) for at in range(1 + query % 9)).encode()
    for size in (16, 64, 200, 1000, 1 << 20):
        pieces = [bytes(piece[:-PADDING]) for piece in chunks(io.BytesIO(text), size)]
        assert b"".join(pieces) == text
        queries = [{row.split()[0] for row in piece.splitlines()} for piece in pieces]
        assert sum(map(len, queries)) == 40


def test_a_row_without_end_is_left() -> None:
    """A line of two megabytes is no row."""
    with pytest.raises(IrregularError):
        list(chunks(io.BytesIO(b"x" * (2 << 20)), 1 << 16))
    long = b"1 0 " + b"d" * (1 << 20) + b" 1\n"
    with pytest.raises(IrregularError):
        scanned(io.BytesIO(long), Contract())


def test_tabs_part_columns_too() -> None:
    """One tab between two columns is as good as one space; a form feed is not."""
    found = columns(bytearray(b"1\t0 d\t2\n" + b"\n" * PADDING), 4, comments=True)
    assert [one.spelled() for one in found] == [[b"1"], [b"0"], [b"d"], [b"2"]]
    with pytest.raises(IrregularError):
        columns(bytearray(b"1\f0 d 2\n" + b"\n" * PADDING), 4, comments=True)
