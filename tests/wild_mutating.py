"""How may a file be damaged on its way? Bytes and lines lost, doubled, swapped; encoded and packed anew."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import os
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st
from wild_reading import QRELS, REFUSED, RUNS

EXAMPLES = int(os.environ.get("RANKPROOF_EXAMPLES", "250"))
"""How many mutants each law of test_wild_mutated.py is tried on. 10^5:

RANKPROOF_DATA=DATA RANKPROOF_EXAMPLES=100000 pytest tests/test_wild_mutated.py -k "damaged or lost" -n 2
"""

NAMES = (*QRELS, *RUNS, *REFUSED, "04_npl_rlv-ass_block", "15_chorus_individual_ratings.csv")
COUNTED = tuple(
    name
    for name in (*QRELS, *RUNS, "02_CISI.REL_mixed_ws", "03_cacm_qrels_zero_grade")
    if not name.startswith(("17", "18", "19", "21"))
)
"""Files with a row on each line: 3 columns, 4 or 6, one of them with a header."""


class Step(NamedTuple):
    """One change: which, where (a part in ten thousand of the file), how much, and with what."""

    change: str
    at: int
    size: int
    put: bytes


def text_of(path: Path) -> str:
    """The text of a file, unpacked."""
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")


def _cut(data: bytes, at: int, size: int, put: bytes) -> bytes:
    return data[:at]


def _delete(data: bytes, at: int, size: int, put: bytes) -> bytes:
    return data[:at] + data[at + size :]


def _double(data: bytes, at: int, size: int, put: bytes) -> bytes:
    return data[: at + size] + data[at:]


def _insert(data: bytes, at: int, size: int, put: bytes) -> bytes:
    return data[:at] + put + data[at:]


def _swap(data: bytes, at: int, size: int, put: bytes) -> bytes:
    middle, end = at + size, at + 2 * size
    return data[:at] + data[middle:end] + data[at:middle] + data[end:]


def _starts(data: bytes) -> list[int]:
    """Where the lines begin, and where the last one ends."""
    return [0, *accumulate(len(line) for line in data.splitlines(keepends=True))]


def _by_lines(change: Callable[..., bytes]) -> Callable[..., bytes]:
    """The same change of lines: a place is moved to the start of its line, a size counts lines."""

    def changed(data: bytes, at: int, size: int, put: bytes) -> bytes:
        starts = _starts(data)
        first = bisect_right(starts, at) - 1
        stop = starts[min(first + 1 + size % 3, len(starts) - 1)]
        return change(data, starts[first], stop - starts[first], put + b"\n")

    return changed


def _other_line_ends(data: bytes, at: int, size: int, put: bytes) -> bytes:
    """Give every few lines another end."""
    end = (b"\r\n", b"\r", b"\n", b"\r\r\n", b"\n\n")[at % 5]
    lines = data.split(b"\n")
    ends = (end if number % (1 + size % 3) == 0 else b"\n" for number in range(len(lines) - 1))
    return b"".join(part for pair in zip(lines, (*ends, b""), strict=True) for part in pair)


def _quote(data: bytes, at: int, size: int, put: bytes) -> bytes:
    """Put a quote before the third field of two lines: read as CSV, they and what is between become one."""
    starts = _starts(data)
    first = bisect_right(starts, at) - 1
    for line in sorted({first + size % 3 + 1, first}, reverse=True):
        begin = starts[min(line, len(starts) - 1)]
        data = data[:begin] + re.sub(rb"^([^ \t]+[ \t]+[^ \t]+[ \t]+)", rb'\1"', data[begin:], count=1)
    return data


def _bom(data: bytes, at: int, size: int, put: bytes) -> bytes:
    return codecs.BOM_UTF8 + data


CHANGES: dict[str, Callable[..., bytes]] = {
    "delete": _delete,
    "double": _double,
    "insert": _insert,
    "swap": _swap,
    "delete lines": _by_lines(_delete),
    "double lines": _by_lines(_double),
    "insert a line": _by_lines(_insert),
    "swap lines": _by_lines(_swap),
    "cut": _cut,
    "line ends": _other_line_ends,
    "quote": _quote,
    "BOM": _bom,
}
ENCODINGS: dict[str, Callable[[str], bytes]] = {
    "utf-8": str.encode,
    "utf-8 with a BOM": lambda text: text.encode("utf-8-sig"),
    "utf-16 le": lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le"),
    "utf-16 be": lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
    "cp949": lambda text: text.encode("cp949"),
}
PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": lambda data: gzip.compress(data, 1, mtime=0),
    "bz2": lambda data: bz2.compress(data, 1),
    "xz": lambda data: lzma.compress(data, preset=0),
}


class Mutant(NamedTuple):
    """A file, how many of its lines are kept (None: all), its steps, encoding, packing, and damage to the pack."""

    name: str
    kept: int | None
    steps: Sequence[Step]
    encoding: str
    packing: str
    damage: Sequence[Step]

    def mutated(self, data: bytes) -> bytes:
        """Return the bytes after the steps, before encoding and packing."""
        head = data if self.kept is None else b"".join(data.splitlines(keepends=True)[: self.kept])
        return _after(head, self.steps)

    def made(self, data: bytes) -> bytes:
        """Return the bytes of the mutant; what cannot be encoded anew stays as it is."""
        changed = self.mutated(data)
        with suppress(UnicodeError):
            changed = ENCODINGS[self.encoding](changed.decode("utf-8"))
        return _after(PACKINGS[self.packing](changed), self.damage)


def _after(data: bytes, steps: Sequence[Step]) -> bytes:
    for step in steps:
        data = CHANGES[step.change](data, step.at * len(data) // 10_000, step.size, step.put)
    return data


SIGNS = (*" \t\n\r#\"',;{[]-.01", "# ", "nan", "-inf", "1e999")
ROWS = ("1 0 d 1", "1\t0\td\t1", "1 Q0 d 1 2.5 t", "1 d 1", "# said", " # said", "query doc grade", "qid\tdocid\tlabel")
BYTES = (b"\0", b"\x1b[31m", b"\xff", b"\xed\xa0\x80", b"\xc2\x85", b"\xb0\xa1", codecs.BOM_UTF8, codecs.BOM_UTF16_LE)
BEYOND = ("\u2028", "\xa0", "가", "½", "٣", "9" * 30, "\\ud800", "\\n")


def mutants(names: Sequence[str], *, binary: bool) -> st.SearchStrategy[Mutant]:
    """Return mutants of these files; without `binary` a text stays one: no stray bytes, no damage to the pack."""
    texts = st.sampled_from([*SIGNS, *ROWS, *(BEYOND if binary else ())]).map(str.encode)
    put = texts | st.sampled_from(BYTES) | st.binary(max_size=4) if binary else texts
    step = st.builds(Step, st.sampled_from(list(CHANGES)), st.integers(0, 10_000), st.integers(1, 24), put)
    return st.builds(
        Mutant,
        st.sampled_from(names),
        st.none() | st.integers(1, 30),
        st.lists(step, max_size=4),
        st.sampled_from(list(ENCODINGS)),
        st.sampled_from(["plain", "plain", *PACKINGS]),  # most are seen as they are, and few packs are damaged
        st.just([]) | st.lists(step, max_size=1) if binary else st.just([]),
    )
