"""Awkward files, damaged: each is read or refused with a clear message, and no row is lost in silence."""

from __future__ import annotations

import re
import signal
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import NamedTuple
from unicodedata import category

import pytest
from hypothesis import event, given, settings
from test_wild import assert_same_judgments, assert_same_rankings
from wild_mutating import COUNTED, ENCODINGS, EXAMPLES, NAMES, PACKINGS, Mutant, mutants, text_of
from wild_reading import QRELS, RUNS, Judged

import rankproof as rp
from rankproof.model import Qrels, Run

PATIENCE = 120
"""Seconds: far more than any of these small files needs, even on a busy machine."""
NAMED = r"(query|qid|doc|corpus|grade|score|label)[a-z_-]*"
"""How the names of columns begin that a mutant's header may have."""
NEUTRAL = {"as it is": str, "CRLF": lambda text: re.sub("\r?\n", "\r\n", text), "open end": str.rstrip}
"""Changes of a text that change nothing in what it says."""
WAYS = [
    *((neutral, "utf-8", "plain") for neutral in NEUTRAL),
    *(("as it is", encoding, "plain") for encoding in ("utf-8 with a BOM", "utf-16 le", "utf-16 be")),
    *(("as it is", "utf-8", packing) for packing in PACKINGS if packing != "plain"),
    ("CRLF", "utf-16 le", "gzip"),
    ("open end", "utf-8 with a BOM", "xz"),
]
"""Neutral change, encoding, packing: each alone, and some together."""


class HangError(BaseException):
    """A reader that does not come back; no reader can catch it by mistake."""


@contextmanager
def patience(path: Path) -> Iterator[None]:
    """Break off what takes for ever, so that a hang fails like anything else."""

    def ring(*_: object) -> None:
        raise HangError(path)

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


class Read(NamedTuple):
    """What a reader gave: a value or faults, and what it told beside it."""

    value: Qrels | Run | None
    refusal: Sequence[str]
    told: Sequence[str]


def read(reader, path: Path) -> Read:
    """Read a file; anything raised but InputError, or warned but RankproofWarning, stops the test."""
    value, refusal = None, []
    with warnings.catch_warnings(record=True) as caught, patience(path):
        warnings.simplefilter("always")
        try:
            value = reader(path)
        except rp.InputError as error:
            refusal = [text for fault in error.faults for text in (str(fault), fault.hint or "")]
            assert any(refusal), "a refusal without a word"
    assert [one for one in caught if not issubclass(one.category, rp.RankproofWarning)] == []
    return Read(value, refusal, [str(one.message) for one in caught])


def control_characters(text: str) -> list[str]:
    """What would break a line, ring a bell or fail to be written when the text is printed."""
    return [sign for sign in text if category(sign) in ("Cc", "Cs", "Zl", "Zp")]


def assert_sound(found: Qrels | Run) -> None:
    """Ids are texts that can be written, grades and scores are numbers, sequences are parallel."""
    if isinstance(found, Run):
        ids = [*found.rankings, *(doc_id for ranking in found.rankings.values() for doc_id in ranking.doc_ids)]
        numbers = [score for ranking in found.rankings.values() for score in ranking.scores or ()]
    else:
        ids = [*found, *(doc_id for docs in found.values() for doc_id in docs)]
        numbers = [grade for docs in found.values() for grade in docs.values()]
        assert all(isfinite(grade) for grade in numbers)
    assert ids
    assert all(isinstance(one, str) and one.encode() for one in ids)
    assert all(type(one) in (int, float) for one in numbers)


@pytest.fixture(scope="session")
def place(tmp_path_factory) -> Path:
    """Where the mutants lie: a name that says nothing about what is in them."""
    return tmp_path_factory.mktemp("mutants") / "given"


@settings(max_examples=EXAMPLES)
@given(mutant=mutants(NAMES, binary=True))
def test_a_damaged_file_is_read_or_refused(mutant: Mutant, data: Path, place: Path) -> None:
    """Whatever bytes are given, each reader gives a sound value or an InputError that can be printed."""
    place.write_bytes(mutant.made((data / "wild" / mutant.name).read_bytes()))
    for reader in (rp.read_qrels, rp.read_run):
        found = read(reader, place)
        assert [sign for text in (*found.refusal, *found.told) for sign in control_characters(text)] == []
        event(f"{reader.__name__}: {'refused' if found.value is None else 'read'}")
        if found.value is not None:
            assert_sound(found.value)


def rows_told(messages: Sequence[str]) -> int:
    """How many rows the warnings say are no results: comments, repeats."""
    told = r"\b(\d+) [^.;:,]*?\b(?:comment|repeat|duplicate|twice|again|left out)"
    return sum(int(count) for message in messages for count in re.findall(told, message))


def rows_in(text: str) -> int:
    """How many lines are neither blank nor a header: a first line, but for comments, with two names and no number.

    A lone carriage return ends a line here: a reader does the same, or refuses it.
    """
    lines = [line for line in re.split("\r\n|\r|\n", text.removeprefix("\ufeff")) if line.strip()]
    first = next((line for line in lines if not line.lstrip().startswith("#")), "").lower()
    fields = [field.strip("\"'") for field in re.split(r"[\s,;]+", first)]
    names = [field for field in fields if re.fullmatch(NAMED, field)]
    numbers = [field for field in fields if re.fullmatch(r"[-+]?\d+\.?\d*", field)]
    return len(lines) - int(len(names) > 1 and not numbers)


@settings(max_examples=EXAMPLES)
@given(mutant=mutants(COUNTED, binary=False))
def test_no_row_is_lost_in_silence(mutant: Mutant, data: Path, place: Path) -> None:
    """Of a file of lines that is read, the rows are as many as those that came out and those that were told."""
    original = text_of(data / "wild" / mutant.name).encode()
    text = mutant.mutated(original).decode("utf-8", "surrogateescape")
    place.write_bytes(mutant.made(original))
    found = read(rp.read_run if mutant.name in RUNS else rp.read_qrels, place)
    event("refused" if found.value is None else "read")
    if found.value is None or (mutant.name.startswith("06") and '"' in text):  # in a table, quotes may hold a line end
        return
    if isinstance(found.value, Run):
        out = sum(len(ranking.doc_ids) for ranking in found.value.rankings.values())
    else:
        out = sum(len(docs) for docs in found.value.values())
    assert out + rows_told(found.told) == rows_in(text)


# ---- what changes nothing


@pytest.mark.parametrize("way", WAYS, ids=" ".join)
@pytest.mark.parametrize("name", [name for name in {**QRELS, **RUNS} if not name.startswith("21")])
def test_what_holds_a_text_changes_nothing(name: str, way: tuple[str, str, str], data: Path, place: Path) -> None:
    """Compression, encoding, a BOM, line ends and the end of the last line do not change what is read."""
    path, (neutral, encoding, packing) = data / "wild" / name, way
    text = NEUTRAL[neutral](text_of(path))
    place.write_bytes(PACKINGS[packing](ENCODINGS[encoding](text)))
    found = read(rp.read_run if name in RUNS else rp.read_qrels, place)
    assert found.value is not None, found.refusal[0]
    (assert_same_rankings if name in RUNS else assert_same_judgments)(found.value, {**QRELS, **RUNS}[name](path))


@pytest.mark.parametrize("packing", PACKINGS)
def test_packed_parquet_is_parquet(packing: str, data: Path, place: Path) -> None:
    """Compression around a Parquet file does not change what is read."""
    path = data / "wild" / "21_ranx_run.parquet"
    place.write_bytes(PACKINGS[packing](path.read_bytes()))
    assert_same_rankings(rp.read_run(place), RUNS[path.name](path))


def written_in_cp949(path: Path, place: Path) -> Judged:
    """Write the judgments whose ids CP949 can spell, some beyond ASCII; return them."""
    lines = path.read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in lines if line.encode("cp949", "ignore").decode("cp949") == line]
    assert not "".join(kept).isascii()
    place.write_text("".join(kept), "utf-8")
    expected = QRELS[path.name](place)
    place.write_bytes("".join(kept).encode("cp949"))
    return expected


def test_cp949_is_read_and_told(data: Path, place: Path) -> None:
    """Judgments in CP949 are those of the same text in UTF-8, and it is said that they were read so."""
    expected = written_in_cp949(data / "wild" / "10_dbpedia_docid_unicode.txt", place)
    with pytest.warns(rp.RankproofWarning, match="(?i)cp949"):
        found = rp.read_qrels(place)
    assert_same_judgments(found, expected)


def test_neither_utf_8_nor_cp949_is_refused(data: Path, place: Path) -> None:
    """A byte that no encoding explains is refused, and the message names the byte and its line."""
    lines = (data / "wild" / "09_touche_docid_colons.txt").read_bytes().splitlines(keepends=True)
    lines[6] = lines[6].replace(b"-", b"\xff", 1)
    place.write_bytes(b"".join(lines))
    found = read(rp.read_qrels, place)
    assert found.value is None
    assert re.search(r"given:7:.*\b0xff\b", found.refusal[0])
