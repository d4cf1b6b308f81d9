"""Files made to be misread: each is read right or refused by name, within bounded memory, and no row is lost."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import random
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from generated_files import JSONS, WITH_COMMENTS, Written, written
from hypothesis import given, settings
from hypothesis import strategies as st
from needed import installed, lacking
from test_wild_mutated import assert_sound, control_characters, read, rows_told
from wild_mutating import EXAMPLES

import rankproof as rp
from rankproof.contract import Contract
from rankproof.errors import Faults
from rankproof.formats.files import Source
from rankproof.formats.records import read_records
from rankproof.formats.sgml import elements_of
from rankproof.formats.texts import read_texts
from rankproof.model import Run

MB = 1 << 20
ROWS = b"1 0 a 1\n2 0 b 1\n"


@pytest.fixture
def write(tmp_path: Path):
    """Write a file whose name says nothing about it."""

    def write(content: str | bytes) -> Path:
        path = tmp_path / "given"
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    return write


def texts(path: Path) -> dict[str, object]:
    return read_texts(path, "documents")


# ---- memory: a child that may take so much, and no more

CHILD = """
import resource, sys, warnings
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]) << 20,) * 2)
warnings.simplefilter("ignore")
import rankproof as rp
from rankproof.formats.records import read_records
def records(path):
    for _ in read_records(path):
        pass
readers = {"qrels": rp.read_qrels, "run": rp.read_run, "lab": rp.read_lab, "records": records}
try:
    readers[sys.argv[2]](sys.argv[3])
except rp.RankproofError as error:
    print(error)
else:
    print("read")
"""


def child(memory: int, reader: str, path: str | Path, **more: object) -> subprocess.Popen[bytes]:
    """Start a process that reads a file within so many MiB and prints what is wrong with it."""
    arguments = [sys.executable, "-c", CHILD, str(memory), reader, str(path)]
    unmeasured = {
        name: value for name, value in os.environ.items() if not name.startswith("COV")
    }  # it takes memory too
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": unmeasured, **more}
    return subprocess.Popen(arguments, **pipes)


def said(process: subprocess.Popen[bytes]) -> str:
    out, err = process.communicate(timeout=120)
    assert err == b""
    assert process.returncode == 0
    return out.decode()


@pytest.mark.parametrize(
    ("reader", "start", "memory", "refusal"),
    [
        ("qrels", b"1 0 ", 300, "is longer than 1 MiB"),
        ("run", b"1 Q0 ", 300, "is longer than 1 MiB"),
        ("qrels", b"query_id,doc_id,grade,", 300, "is longer than 1 MiB"),
        ("qrels", b'query_id,doc_id,grade\nq,"', 300, "is longer than 1 MiB"),
        ("qrels", b'{"query_id": "', 2048, "is larger than 512 MiB"),
        ("run", b'[{"query_id": "', 2048, "is larger than 512 MiB"),
        ("qrels", b"PAR1", 2048, "is larger than 512 MiB"),
        ("records", b'{"_id": "', 1024, "is longer than 64 MiB"),
        ("records", b"_id,text\n1,", 1024, "is longer than 64 MiB"),
    ],
)
def test_a_gigabyte_in_one_line_is_refused(reader: str, start: bytes, memory: int, refusal: str) -> None:
    """One line of 1 GiB that comes through a pipe is refused within the memory that such a format may take."""
    process = child(memory, reader, "-", stdin=subprocess.PIPE)
    assert process.stdin is not None
    piece = b"a" * MB
    try:
        process.stdin.write(start)
        for _ in range(1024):
            process.stdin.write(piece)
    except BrokenPipeError:  # it has read enough
        pass
    assert refusal in said(process)


def repeated(pack: Callable[[bytes], bytes], unit: bytes, head: bytes = b"") -> bytes:
    """Pack 1 GiB of a unit that is repeated, in streams of 32 MiB."""
    return pack(head) * bool(head) + pack(unit * (32 * MB // len(unit))) * 32


def zstd(data: bytes) -> bytes:
    try:
        from compression import zstd
    except ImportError:
        from backports import zstd
    return zstd.compress(data)


PACKERS = {"gzip": gzip.compress, "bz2": bz2.compress, "xz": lambda data: lzma.compress(data, preset=0), "zstd": zstd}


@pytest.mark.parametrize(
    ("packing", "reader", "head", "unit", "memory"),
    [
        ("gzip", "qrels", b"1 0 ", b"a", 300),
        ("bz2", "run", b"", b"# said\n" * 1000, 300),
        ("xz", "qrels", b'query_id,doc_id,grade\nq,"', b"a" * 63 + b"\n", 300),
        ("zstd", "qrels", b'query_id,doc_id,grade\nq,"', b"a", 300),
        *((packing, "qrels", b'{"', b"a", 400) for packing in PACKERS),
        ("zstd", "lab", b"[", b"[],", 400),
        ("zstd", "records", b"", b'{"_id": "a", "text": "%s"}\n' % (b"b" * 4000), 400),
        ("zstd", "records", b"<DOC>", b"<DOCNO>a</DOCNO>", 400),
    ],
)
def test_a_bomb_is_refused(packing: str, reader: str, head: bytes, unit: bytes, memory: int, write) -> None:
    """A small file that unpacks to 1 GiB, of one line, rows or JSON, is refused within bounded memory."""
    path = write(repeated(PACKERS[packing], unit, head))
    assert path.stat().st_size < 2 * MB
    refusal = said(child(memory, reader, path))
    assert refusal.startswith(str(path))
    assert "memory" not in refusal


def parquet(columns: dict[str, object], **options: object) -> bytes:
    pa, pq = installed("pyarrow"), installed("pyarrow.parquet")
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out, **options)
    return out.getvalue()


def alike(text: str, count: int) -> object:
    """A column that holds one text so many times."""
    pa = installed("pyarrow")
    return pa.DictionaryArray.from_arrays(pa.array(bytes(count), pa.int8()) if count < 9 else _zeros(pa, count), [text])


def _zeros(pa: object, count: int) -> object:
    return pa.Array.from_buffers(pa.int8(), count, [None, pa.py_buffer(bytes(count))])


@pytest.mark.parametrize("reader", ["qrels", "records"])
@pytest.mark.parametrize("bomb", ["one long text", "a page of zeros"])
def test_a_parquet_bomb_is_refused(reader: str, bomb: str, write) -> None:
    """Columns that hold far more than lies on the disk are refused before they are in the memory."""
    if bomb == "one long text":
        ids = alike("x" * MB, 100_000)
        columns = {"query_id": ids, "doc_id": ids, "grade": _zeros(installed("pyarrow"), 100_000)}
        path = write(parquet({"_id": ids, **columns}))
    else:
        columns = {"query_id": ["x" * (128 * MB)], "doc_id": ["d"], "grade": [1], "_id": ["d"]}
        path = write(parquet(columns, compression="zstd", use_dictionary=False, write_statistics=False))
    assert path.stat().st_size < MB
    assert "holds more than 250 times its own size" in said(child(1500, reader, path))


def test_columns_that_repeat_are_read(write) -> None:
    """Many rows whose ids repeat are no bomb."""
    count = 200_000
    columns = {"query_id": alike("q", count), "doc_id": list(map(str, range(count)))}
    path = write(parquet({**columns, "grade": _zeros(installed("pyarrow"), count)}))
    assert len(rp.read_qrels(path)["q"]) == count


# ---- packing: what stands behind a stream


@pytest.mark.parametrize("packing", PACKERS)
@pytest.mark.parametrize("behind", [b"3 0 c 1\n", b"BZh9", b"\xfd7zXZ", b"\0\0\0\0x"])
def test_nothing_behind_a_stream_is_dropped(packing: str, behind: bytes, write) -> None:
    """Bytes behind a packed stream that are no stream are an error, never waste."""
    path = write(PACKERS[packing](ROWS) + behind)
    with pytest.raises(rp.InputError, match="is damaged"):
        rp.read_qrels(path)


@pytest.mark.parametrize("packing", PACKERS)
def test_streams_one_after_another_are_one_file(packing: str, write) -> None:
    """Packed streams one after another hold what their texts hold one after another."""
    pack = PACKERS[packing]
    assert rp.read_qrels(write(pack(ROWS) + pack(b"3 0 c 1\n"))) == {"1": {"a": 1}, "2": {"b": 1}, "3": {"c": 1}}


@pytest.mark.parametrize("packing", PACKERS)
def test_a_stream_that_is_cut_anywhere_is_refused(packing: str, write) -> None:
    """Of a packed file no beginning is taken for the whole."""
    whole = PACKERS[packing](ROWS) + PACKERS[packing](b"3 0 c 1\n")
    first = len(PACKERS[packing](ROWS))
    for end in {*range(1, len(whole))} - {first}:
        with pytest.raises(rp.InputError):
            rp.read_qrels(write(whole[:end]))


# ---- encodings


@pytest.mark.parametrize(
    ("content", "refusal"),
    [
        ("1 0 a 1\n\ufeff2 0 a 1\n", "given:2: begins with a byte order mark"),
        ("\ufeff\ufeff1 0 a 1\n", "given:1: begins with a byte order mark"),
        ("1 0 가나 1\n".encode("cp949") + "1 0 강남 1\n".encode(), "given:2: is UTF-8, in a file with lines of CP949"),
        ("1 0 강남 1\n".encode() + "1 0 가나 1\n".encode("cp949"), r"given:2: .*byte 0xb0 is not UTF-8"),
        ('{"q": {"가나": 1,\n'.encode("cp949") + '"강남": 1}}'.encode(), "given:2: is UTF-8, in a file with"),
        ("1 0 caf\xe9 1\n".encode("latin-1"), "given:1: .*byte 0xe9 is not UTF-8"),
        ("1 0 a 1\n".encode("utf-16-le"), "zero byte"),
        ("1 0 a 1\n".encode("utf-32"), "zero byte"),
        ("1 0 a 1\n".encode("utf-16") + b"x", "is damaged UTF-16"),
        (b"\xff\xfe1\x00 \x00\x00\xd8\n\x00", "is damaged UTF-16"),
        (b"1 0 a\0b 1\n", "zero byte"),
        (gzip.compress(gzip.compress(ROWS, mtime=0), mtime=0), "zero byte"),  # the time would be in the test's name
    ],
)
def test_mixed_encodings_are_refused(content: str | bytes, refusal: str, write) -> None:
    """A file in two encodings, or in none, is refused with the line."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rp.RankproofWarning)
        with pytest.raises(rp.InputError, match=refusal):
            rp.read_qrels(write(content))


def test_a_pipe_may_give_byte_by_byte(tmp_path: Path) -> None:
    """UTF-16 within gzip is read right though a pipe gives one byte at a time."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def feed() -> None:
        with pipe.open("wb", buffering=0) as file:
            for one in gzip.compress("1 0 가 1\n2 0 b 1\n".encode("utf-16"), mtime=0):
                file.write(bytes([one]))

    feeder = threading.Thread(target=feed)
    feeder.start()
    assert rp.read_qrels(pipe) == {"1": {"가": 1}, "2": {"b": 1}}
    feeder.join()


def test_a_pipe_that_does_not_wait_is_no_end(monkeypatch) -> None:
    """Standard input that has nothing yet, and does not wait, is refused, not taken for its end."""
    out, into = os.pipe()
    os.set_blocking(out, False)
    os.write(into, ROWS)
    with os.fdopen(out, "rb") as stream:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stream))
        with pytest.raises(rp.InputError, match="does not wait"):
            rp.read_qrels("-")
    os.close(into)


@pytest.mark.parametrize("change", [b"3 0 c 1\n", None])
def test_a_file_that_changes_while_it_is_read_is_refused(change: bytes | None, write) -> None:
    """What grows or shrinks under the reader is refused: it is half of one file, half of another."""
    path = write(b"".join(b"1 0 d%d 1\n" % number for number in range(400_000)))

    changes = iter([change])

    def once(_: int) -> None:
        for new in changes:
            with path.open("ab") as file:
                file.truncate(2_000_000) if new is None else file.write(new)

    source = Source(path, once)
    with pytest.raises(rp.InputError, match=r"changed while it was read|column"):
        rp.read_qrels(source)


@pytest.mark.parametrize("place", ["/dev/null", "/", "/dev/zero"])
def test_what_is_no_file_is_refused(place: str) -> None:
    """A device that holds nothing, a folder, and zeros without end are refused."""
    for reader in (rp.read_qrels, rp.read_run, rp.read_lab, texts):
        with pytest.raises(rp.InputError):
            reader(place if place != "/dev/zero" or reader is not rp.read_lab else "/dev/null")


# ---- detection and rows

T3 = "".join(f"{query} d{rank} {rank}\n" for query in "ab" for rank in range(1, 12))


@pytest.mark.parametrize(
    ("content", "refusal"),
    [
        ('query_id,doc_id,grade\nq1,"d1,1\nq2,d2,1\nq3,d3",1\n', "given:2: .*holds a line end.*"),
        ('query_id,doc_id,grade\nq,"d\r1",1\n', "given:2: .*holds a line end"),
        ("query_id,doc_id,grade\n", "holds no judgments"),
        ("query_id,doc_id,grade,grade\nq,d,1,2\n", "could both be the column grade"),
        ("query_id,doc_id,grade\nq,d\nq,e,1,2\nq,f,1\n", "(?s)given:2: has 2 columns.*given:3: has 4 columns"),
        ("query_id;doc_id;grade\nq;d;0,95\n", "grade '0,95'"),
        ('query_id,doc_id,grade\nq,d,"1,000"\n', "grade '1,000'"),
        ("1 0 184\n2 0 29\n", "judges the document 0 in each query"),
        (T3, "this looks like a run"),
        ('{"query_id": "q", "doc_id": "a", "grade": 1},\n{"query_id": "q", "doc_id": "b", "grade": 1}\n', "not JSON"),
        ('{"query_id": "q", "doc_id": "a", "grade": NaN}\n', "grade nan"),
        ('{"query_id": null, "doc_id": 1.5, "grade": 1}\n', "(?s)None is no id.*1.5 is no id"),
        ('{"query_id": "q", "doc_id": true, "grade": 1}\n', "True is no id"),
        ('{"query_id": "q", "doc_id": "", "grade": 1}\n', "doc_id: is empty"),
        ('{"query_id": "q", "doc_id": "\\ud800", "grade": 1}\n', "is no id"),
        ('{"query_id": "q", "doc_id": "a", "grade": 1, "grade": 2}\n', "the field grade comes twice"),
        ('{"q": {"": 1}}', "column doc_id: is empty"),
        ('{"": {"d": 1}}', "column query_id: is empty"),
        ('{"q": {"d": Infinity}}', "grade inf"),
        ('{"q": {"d": 1, "d": 2}}', "judged twice"),
        ('{"q": {"d": 1}, "q": {"e": 1}}', "comes twice"),
        ("{" * 100_000, "has 1 column"),
        ("[" * 100_000, "nested too deep|not JSON"),
        ('{"q": {"d": ' + "1" * 5000 + "}}", "JSON"),
        (
            '{"judgmentRatings": [{"query": "q", "ratings": []}], "requests": [{"id": "q", "ratings": []}]}',
            "under judg",
        ),
        ('{"judgmentRatings": [{"query": "q", "ratings": {}}]}', "ratings is"),
    ],
)
def test_awkward_judgments_are_refused(content: str, refusal: str, write) -> None:
    """What could be read as something else than was meant is refused, with the reason."""
    with pytest.raises(rp.InputError, match=refusal):
        rp.read_qrels(write(content))


def test_a_key_with_ratings_that_comes_twice_is_refused(write) -> None:
    """Of two lists of ratings under one key none is dropped."""
    one = '"judgmentRatings": [{"query": "q", "ratings": [{"docId": "a", "rating": "1"}]}]'
    with pytest.raises(rp.InputError, match="under judgmentRatings and judgmentRatings"):
        rp.read_qrels(write(f"{{{one}, {one}}}"))


def test_ratings_that_are_null_are_counted(write) -> None:
    """A rating that is null is no judgment, and it is said how many were left out."""
    judged = [{"rating": None}, {"rating": 2}]
    path = write(json.dumps({"query_doc_pairs": [{"query_text": "q", "doc_id": "a", "judgements": judged}]}))
    with pytest.warns(rp.RankproofWarning, match="1 rating left out"):
        assert rp.read_qrels(path) == {"q": {"a": 2}}


@pytest.mark.parametrize(
    "content",
    [
        "query_id, doc_id, grade\nq1, d1, 1\n",
        'query_id, doc_id, grade\n"q1", "d1", 1\n',
        'query_id\tdoc_id\tgrade\nq1\t"d1"\t1\n',
        "query_id,doc_id,grade\n# q1,d1,1\n",
    ],
)
def test_doubtful_ids_are_told(content: str, write) -> None:
    """An id of a table that took a blank, a quote or a comment's sign into itself is told, with its line."""
    with pytest.warns(rp.RankproofWarning, match=r"1 id with .* on line 2\)"):
        rp.read_qrels(write(content))


def test_rows_over_several_lines_are_told(write) -> None:
    """A row whose quotes hold line ends may have swallowed others: how many there are is told, with the first line."""
    path = write('query_id,doc_id,grade,text\nq,d,1,"a\nq,e,1,b"\nq,f,1,c\n')
    with pytest.warns(rp.RankproofWarning, match=r"1 row with line ends within quotes \(first: line 2\)"):
        assert rp.read_qrels(path) == {"q": {"d": 1, "f": 1}}


@pytest.mark.parametrize("content", ["query_id,doc_id,rank\nq,a,2\nq,b,nan\n", "query_id,doc_id,rank\nq,a,\n"])
def test_a_rank_that_is_no_number_is_refused(content: str, write) -> None:
    """A rank is a number: NaN would stand anywhere."""
    with pytest.raises(rp.InputError, match="column rank"):
        rp.read_run(write(content))


def test_ranks_of_nan_order_nothing(write) -> None:
    """A run that its ranks order has none that is NaN."""
    run = rp.read_run(write("q Q0 a nan 1 t\nq Q0 b 1 2 t\n"))
    assert rp.evaluate({"q": {"b": 1}}, run, ["RR"]).means == {"RR": 1.0}
    with pytest.raises(rp.RankproofError, match="has the rank NaN"):
        rp.evaluate({"q": {"b": 1}}, run, ["RR"], contract=Contract(order="rank"))


def test_blank_lines_within_a_cell_stay(write) -> None:
    """A blank line within quotes belongs to the text; one between rows is no row."""
    path = write('_id,text\n\na,"x\n\ny"\n \nb,z\n')
    assert {one: text.text for one, text in texts(path).items()} == {"a": "x\n\ny", "b": "z"}


@pytest.mark.parametrize(
    ("content", "refusal"),
    [
        ("<DOC><DOCNO>a</DOCNO></DOC><!-- <DOC><DOCNO>b</DOCNO></DOC>", "given:1: <!-- has no end"),
        (
            "<DOC><DOCNO>a</DOCNO><!-- </DOC>\n<DOC><DOCNO>b</DOCNO> --></DOC>",
            "given:1: <!-- has no end before another",
        ),
        ("<DOC><DOCNO>a</DOCNO></DOC>\n</DOC>", "given:2: </doc> ends what did not begin"),
        ("<DOC><DOCNO>a</DOCNO>\n<DOC>", "given:1: <doc> begins inside <doc>"),
        ('{"_id": "\\ud800", "text": "x"}', "id '.ud800'"),
        ('{"_id": "a", "text": "x\\ud800"}', "column text"),
        ('[{"_id": "a", "text": ' + "[" * 900 + "]" * 900 + "}]", "nested too deep|column text"),
        ('{"_id": "a", "text": ' + "[" * 980 + "]" * 980 + "}", "too deep|column text|not JSON"),
    ],
)
def test_awkward_records_are_refused(content: str, refusal: str, write) -> None:
    """Documents that a mark hides, or whose texts cannot be written, are refused with their line."""
    with pytest.raises(rp.InputError, match=refusal):
        texts(write(content))


@pytest.mark.parametrize("part", ["<!--", "<![CDATA[", "<a b='", "<a b=c ", "<!-- -->", "</a b"])
def test_marks_without_end_take_no_time(part: str) -> None:
    """Marks that begin a hundred thousand times are gone through once, not once for each."""
    assert list(elements_of("<DOC>" + part * 100_000, "given", Faults())) == []


def test_a_frame_with_a_column_twice_is_refused() -> None:
    """A dataframe that its library lets hold a column twice is refused by name."""
    pd = installed("pandas")
    frame = pd.DataFrame([["q", "a", 1, 2]], columns=["query_id", "doc_id", "grade", "grade"])
    with pytest.raises(rp.InputError, match="grade"):
        rp.evaluate(frame, {"q": {"a": 1.0}}, ["RR"])


# ---- rules of reading


def as_file(layout: str, judgments: list[tuple[str, str, object]], write) -> object:
    """The same judgments in one of the layouts."""
    if layout in ("dict", "frame"):
        queries: dict[str, dict[str, object]] = {}
        for query, doc, grade in judgments:
            queries.setdefault(query, {})[doc] = grade
        if layout == "dict":
            return queries
        pd = installed("pandas")
        return pd.DataFrame(judgments, columns=["query_id", "doc_id", "grade"])
    if layout == "json":
        return write(json.dumps([list(one) for one in judgments]))
    if layout == "jsonl":
        rows = [{"query_id": query, "doc_id": doc, "grade": grade} for query, doc, grade in judgments]
        return write("".join(f"{json.dumps(row)}\n" for row in rows))
    head, line = {
        "trec": ("", "{} 0 {} {}\n"),
        "three-columns": ("", "{} {} {}\n"),
        "csv": ("query_id,doc_id,grade\n", "{},{},{}\n"),
    }[layout]
    return write(head + "".join(line.format(*one) for one in judgments))


@pytest.mark.parametrize("layout", ["trec", "three-columns", "csv", "jsonl", "json", "dict", "frame"])
def test_grade_map(layout: str, write) -> None:
    """In every format a grade becomes what the map says, fractions and negative ones too; another is refused."""
    from rankproof.formats import as_qrels

    contract = Contract(grade_map={0.5: 2, -1: 0, 3: 0.25})
    judgments = [("q", "a", 0.5), ("q", "b", -1), ("q", "c", 3.0)]
    assert as_qrels(as_file(layout, judgments, write), contract) == {"q": {"a": 2, "b": 0, "c": 0.25}}
    with pytest.raises(rp.InputError, match="is not in the grade-map; expected one of"):
        as_qrels(as_file(layout, [*judgments, ("q", "d", 2.0)], write), contract)


SUBTOPICS = "q 1 a 2\nq 1 b 1\nq 2 a 1\nq 3 c 3\nq 3 a 0\n"


@pytest.mark.parametrize(
    ("rule", "grades"), [("any", {"a": 2, "b": 1, "c": 3}), ("all", {"a": 0, "b": 0, "c": 0}), ("ignored", None)]
)
def test_subtopics(rule: str, grades: dict[str, int] | None, write) -> None:
    """A document has its best grade over the subtopics, its worst (0 where one lacks it), or is judged twice."""
    path, contract = write(SUBTOPICS), Contract(subtopics=rule)
    if grades is None:
        with pytest.raises(rp.InputError, match="judged twice"):
            rp.read_qrels(path, contract)
    else:
        assert rp.read_qrels(path, contract) == {"q": grades}


def test_a_document_judged_twice_within_a_subtopic(write) -> None:
    """Within one subtopic a second judgment is one, whatever the other subtopics say."""
    path = write(SUBTOPICS + "q 2 a 5\n")
    with pytest.raises(rp.InputError, match=r"given:6: .*judged twice"):
        rp.read_qrels(path, Contract(subtopics="any"))
    with pytest.warns(rp.RankproofWarning, match="judged twice"):
        found = rp.read_qrels(path, Contract(subtopics="any", duplicate_judgment="keep-highest"))
    assert found == {"q": {"a": 5, "b": 1, "c": 3}}


@pytest.mark.parametrize("turned", [False, True])
def test_rows_without_a_subtopic_are_not_lost(turned: bool, write) -> None:
    """Rows that name no subtopic, beside rows that do, are refused in either order."""
    rows = [{"query_id": "q", "doc_id": doc, "grade": 1} for doc in "ab"]
    rows[1]["subtopic"] = "1"
    path = write("".join(f"{json.dumps(row)}\n" for row in (reversed(rows) if turned else rows)))
    with pytest.raises(rp.InputError, match=r"given:2: .*a subtopic, others none"):
        rp.read_qrels(path, Contract(subtopics="any"))


CHUNKS = st.lists(
    st.tuples(st.sampled_from(["a", "a#1", "a#2", "b#1", "b#1#2", "#x", "x#", "##", "b::1"]), st.integers(0, 2)),
    min_size=1,
    unique_by=lambda pair: pair[0],
)


@given(chunks=CHUNKS, rule=st.sampled_from(["max", "first"]), separator=st.sampled_from(["#", "::", "##"]))
def test_roll_up(chunks: list[tuple[str, int]], rule: str, separator: str, tmp_path_factory) -> None:
    """A document keeps the highest score of its chunks, or that of its first; a second time changes nothing."""
    path = tmp_path_factory.mktemp("chunks") / "run"
    path.write_text("".join(f"q Q0 {doc} 1 {score} t\n" for doc, score in chunks))
    contract = Contract(roll_up=rule, chunk_separator=separator)
    scores: dict[str, list[int]] = {}
    for chunk, score in chunks:
        at = chunk.rfind(separator)
        scores.setdefault(chunk[:at] if at > 0 else chunk, []).append(score)
    with pytest.warns(rp.RankproofWarning, match=f"{len(chunks)} chunks rolled up to {len(scores)} documents"):
        run = rp.read_run(path, contract)
    ranking = run.rankings["q"]
    expected = {doc: max(of_doc) if rule == "max" else of_doc[0] for doc, of_doc in scores.items()}
    assert len(ranking.doc_ids) == len(expected)
    assert dict(zip(ranking.doc_ids, ranking.scores, strict=True)) == expected
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rp.evaluate({"q": {"a": 1}}, run, ["P@1"], contract=contract)


def test_a_chunk_whose_score_is_nan_is_not_hidden(write) -> None:
    """NaN among a document's chunks stays, for the rule that says what becomes of it."""
    for rows in (("a#1 1 1", "a#2 2 nan", "a#3 3 5"), ("a#1 1 nan", "a#2 2 7")):
        path = write("".join(f"q Q0 {row} t\n" for row in rows))
        with pytest.warns(rp.RankproofWarning), pytest.raises(rp.RankproofError, match="has the score NaN"):
            rp.evaluate({"q": {"a": 1}}, path, ["RR"], contract=Contract(roll_up="max"))


# ---- writing

WRITER = """
import sys
from rankproof.formats.whole import write_whole
contents = ["A" * 400_000, "B" * 300_000]
while True:
    for content in contents:
        write_whole(sys.argv[1], content)
        print("once", flush=True)
"""


@pytest.mark.parametrize("ending", ["", ".gz", ".bz2", ".xz", ".zst"])
def test_a_kill_leaves_the_old_file_or_the_new(ending: str, tmp_path: Path) -> None:
    """Killed at any moment while it writes, a process leaves one content or the other, whole."""
    path, moments = tmp_path / f"out{ending}", random.Random(7)
    unpack = {".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress}.get(ending, bytes)
    for _ in range(4):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(moments.random() * 0.05)
            process.kill()
        if ending == ".zst":
            assert Source(path).start(1) in (b"A", b"B")
        else:
            assert unpack(path.read_bytes()) in (b"A" * 400_000, b"B" * 300_000)


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    """Where no more can be written the old file stays, no part of a new one is left, and the fault is told."""
    path = tmp_path / "out.run"
    path.write_text("old")
    code = (
        "import resource, sys, rankproof as rp\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))\n"
        "try: rp.write_qrels({'q': {f'd{n}': 1 for n in range(10_000)}}, sys.argv[1])\n"
        "except rp.InputError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
    assert "cannot be written" in done.stdout
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("out.run", "old")]


def test_a_full_device_is_told() -> None:
    """A device without room is an error like any other."""
    with pytest.raises(rp.InputError, match="cannot be written"):
        rp.write_qrels({"q": {"d": 1}}, "/dev/full")


def test_threads_write_beside_one_another(tmp_path: Path) -> None:
    """Files that threads write into one folder at once do not get in each other's way."""
    faults: list[Exception] = []

    def many(name: str) -> None:
        try:
            for _ in range(20):
                rp.write_qrels({name: {"d": 1}}, tmp_path / name)
        except rp.RankproofError as error:
            faults.append(error)

    threads = [threading.Thread(target=many, args=(f"q{number}",)) for number in range(6)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert faults == []
    assert sorted(one.name for one in tmp_path.iterdir()) == [f"q{number}" for number in range(6)]


def test_a_folder_in_memory_is_a_folder() -> None:
    """A file in /dev/shm is replaced like any other, not added to as a device is."""
    folder = Path("/dev", "shm")
    if not os.access(folder, os.W_OK):
        lacking("there is no /dev/shm to write to")
    path = folder / f"rankproof-{os.getpid()}.qrels"
    try:
        for _ in range(2):
            rp.write_qrels({"q": {"d": 1}}, path)
        assert path.read_text() == "q 0 d 1\n"
    finally:
        path.unlink(missing_ok=True)


# ---- nothing is lost


@settings(max_examples=EXAMPLES)
@given(file=written())
def test_rows_in_are_rows_out_and_rows_told(file: Written, tmp_path_factory) -> None:
    """Each good row comes out; each planted fault is one of those in the message; each comment is counted."""
    path = tmp_path_factory.getbasetemp() / "written"
    path.write_bytes(file.content)
    found = read(rp.read_run if file.role == "run" else rp.read_qrels, path)
    planted = file.count("short", "long", "number")
    if found.value is None:
        reported = len([text for text in found.refusal[::2] if text])
        assert min(planted, 20) == reported, found.refusal
        return
    assert planted == 0
    assert_sound(found.value)
    if isinstance(found.value, Run):
        out = [(query, doc) for query, ranking in found.value.rankings.items() for doc in ranking.doc_ids]
    else:
        out = [(query, doc) for query, docs in found.value.items() for doc in docs]
    assert sorted(out) == sorted((row.query_id, row.doc_id) for row in file.rows if row.kind == "good")
    assert rows_told(found.told) == (file.count("comment") if file.layout in WITH_COMMENTS else 0)


READERS = (rp.read_qrels, rp.read_run, rp.read_lab, texts, lambda path: list(read_records(path)))


@settings(max_examples=EXAMPLES)
@given(parts=st.lists(JSONS, min_size=1, max_size=3), lines=st.booleans())
def test_any_json_is_read_or_refused(parts: list[object], lines: bool, tmp_path_factory) -> None:
    """Whatever a JSON text holds, each reader gives a value or an InputError that can be printed."""
    path = tmp_path_factory.getbasetemp() / "json"
    path.write_text("\n".join(json.dumps(part) for part in parts) if lines else json.dumps(parts[0]))
    for reader in READERS:
        found = read(reader, path)
        assert [sign for text in (*found.refusal, *found.told) for sign in control_characters(text)] == []
        if found.value is not None and reader in (rp.read_qrels, rp.read_run):
            assert_sound(found.value)


@pytest.mark.parametrize("name", ["bz2", "quote", "deep"])
def test_the_command_line_refuses_what_readers_refuse(name: str, write, in_process) -> None:
    """A user sees the message and status 2, no traceback."""
    content = {
        "bz2": bz2.compress(ROWS) + b"rest",
        "quote": b'query_id,doc_id,grade\nq1,"d1,1\nq2,d2",1\n',
        "deep": b"[" * 100_000,
    }[name]
    path = write(content)
    done = in_process("evaluate", path, path)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"error: {path}")
    assert "Traceback" not in done.err
