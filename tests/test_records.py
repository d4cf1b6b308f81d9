"""Which records a file of queries or documents holds, in every layout."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rankproof.errors import Faults, InputError
from rankproof.formats.files import Source
from rankproof.formats.records import LAYOUTS, Record, header_of, id_of, read_records
from rankproof.formats.texts import Text, read_texts

ROWS = [{"_id": "q1", "text": "산소, 농도", "family": "0"}, {"_id": "q2", "text": 'a "b"', "family": "1"}]


def written(path, name: str) -> None:
    """Write ROWS as the layout does."""
    as_csv = '_id,text,family\r\nq1,"산소, 농도",0\r\nq2,"a ""b""",1\r\n'
    texts = {
        "jsonl": "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS),
        "json": json.dumps(ROWS, indent=1),
        "csv": as_csv,
        "trec-sgml": "".join(
            f"<DOC>\n<DOCNO> {row['_id']} </DOCNO><TEXT>{row['text']}</TEXT><family>{row['family']}</family></DOC>\n"
            for row in ROWS
        ),
    }
    if name == "parquet":
        pq.write_table(pa.table({key: [row[key] for row in ROWS] for key in ROWS[0]}), path)
    else:
        path.write_text(texts[name], newline="")


@pytest.mark.parametrize("layout", [layout.name for layout in LAYOUTS])
def test_the_same_records_in_every_layout(tmp_path, layout: str) -> None:
    """Ids, texts and other fields read the same, whichever layout holds them."""
    path = tmp_path / "queries"
    written(path, layout)
    records = list(read_records(path))
    assert [(id_of(one, "queries", "documents"), one.fields["text"], one.fields["family"]) for one in records] == [
        (row["_id"], row["text"], row["family"]) for row in ROWS
    ]
    assert read_texts(path, "documents") == {row["_id"]: Text("", row["text"]) for row in ROWS}
    assert read_texts(path, "documents", fields=["family", "text"])["q1"] == Text("", "0 산소, 농도")


def test_tables_with_other_marks(tmp_path) -> None:
    """Semicolons and tabs part columns too; a quoted cell may hold line ends, and rows are numbered by their first."""
    path = tmp_path / "queries"
    path.write_text("id;text\n1;a, b\n")
    assert list(read_records(path)) == [Record(2, {"id": "1", "text": "a, b"})]
    path.write_text('query_id,query\n1,"two\nlines"\n2,c\n')
    assert [(one.line, one.fields["query"]) for one in read_records(path)] == [(2, "two\nlines"), (4, "c")]
    path.write_text('Query_ID\tText\n1\t"to be" or not\n2\t"cat\n3\tdog"\n')
    assert [one.fields["text"] for one in read_records(path)] == ['"to be" or not', '"cat', 'dog"']
    path.write_text("1\ta\n2\tb, c\n")
    assert [one.fields for one in read_records(path)] == [{"_id": "1", "text": "a"}, {"_id": "2", "text": "b, c"}]


def test_trec_topics(tmp_path) -> None:
    """Topics need no end tags; labels such as `Number:` go; a topic asks by its title unless other fields are named."""
    path = tmp_path / "topics"
    path.write_text(
        "<top>\n<num> Number: 301\n<title> International\nCrime &amp; law\n\n<desc> Description:\nIdentify it.\n"
        "<narr> Narrative:\nAny.\n</top>\n\n<top>\n<num>302</num><title>Polio</title>\n</top>\n"
    )
    assert list(read_records(path)) == [
        Record(1, {"num": "301", "title": "International Crime & law", "desc": "Identify it.", "narr": "Any."}),
        Record(12, {"num": "302", "title": "Polio"}),
    ]
    assert read_texts(path, "queries") == {"301": Text("", "International Crime & law"), "302": Text("", "Polio")}
    assert (
        read_texts(path, "queries", ["301"], ["title", "desc"])["301"].text == "International Crime & law Identify it."
    )


def test_trec_documents(tmp_path) -> None:
    """Inside a field other tags go and their text stays; a field that comes again is joined; headline is a title."""
    path = tmp_path / "docs"
    path.write_text(
        "<DOC>\n<DOCNO> FT-1 </DOCNO>\n<HEADLINE>\nA &lt; B\n</HEADLINE>\n<TEXT>\n<P>One.</P>\n<P>Two.</P>\n</TEXT>\n"
        "<TEXT>Three.</TEXT>\n</DOC>\n<DOC><DOCNO>FT-2</DOCNO><TEXT></TEXT></DOC>"
    )
    assert read_texts(path, "documents") == {"FT-1": Text("A < B", "One. Two. Three."), "FT-2": Text("", "")}


def test_what_only_looks_like_a_tag(tmp_path) -> None:
    """Less-than signs and addresses are text; equal tags nest; comments are no text, and marked text is."""
    path = tmp_path / "docs"
    texts = {
        "if x<y holds cat then z>w": "if x<y holds cat then z>w",
        "mail <doc@x.org> cat": "mail <doc@x.org> cat",
        "dog<TEXT>bird</TEXT>cat": "dog bird cat",
        "Number: 5 <b class='x'>is</b> alive": "Number: 5 is alive",
        "a<!-- <DOC><DOCNO>9</DOCNO></DOC>\n -->b": "a b",
        "<![CDATA[a <b> & c]]>": "a <b> & c",
        "a <top> b": "a b",
    }
    path.write_text(
        "".join(f"<doc>\n<DOCNO>{number}</DOCNO><TEXT>{text}</TEXT>\n</doc>\n" for number, text in enumerate(texts))
    )
    assert [str(text) for text in read_texts(path, "documents").values()] == list(texts.values())
    path.write_text("<top>\n<num> Number: 7\n<title>the <i>best</i> cat\n<desc>Number: theory\n</top>\n")
    assert dict(next(read_records(path)).fields) == {"num": "7", "title": "the best cat", "desc": "Number: theory"}


def test_which_field_is_the_id(tmp_path) -> None:
    """Of a query the query's id counts, of a document the document's, whatever else stands beside it."""
    path = tmp_path / "queries"
    path.write_text("doc_id,text,query_id\nd9,hello,q1\n")
    assert list(read_texts(path, "queries")) == ["q1"]
    assert list(read_texts(path, "documents")) == ["d9"]
    path.write_text("<DOC><DOCID> 1 </DOCID><DOCNO> LA-1 </DOCNO><TEXT>cat</TEXT></DOC>")
    assert list(read_texts(path, "documents")) == ["LA-1"]


def test_long_documents(tmp_path) -> None:
    """A text of a few million characters is one row, in every layout with rows."""
    path = tmp_path / "docs"
    long = "word " * 600_000
    for content in (f"1\t{long}\n", f'_id,text\n1,"{long}"\n', json.dumps({"_id": "1", "text": long}) + "\n"):
        path.write_text(content)
        assert read_texts(path, "documents") == {"1": Text("", long)}


@pytest.mark.parametrize("bad", ["head", "texts", "columns"])
def test_parquet_that_cannot_be_read(tmp_path, bad: str) -> None:
    """Damage, bytes that are not UTF-8, and two columns of one name are told."""
    path = tmp_path / "docs"
    pq.write_table(pa.table({"_id": ["1", "2"], "text": ["a", "b"]}), path)
    content = path.read_bytes()
    if bad == "head":
        path.write_bytes(content[:20] + b"\xff" * 40 + content[60:])
    elif bad == "texts":
        starts = pa.array([0, 1, 2], pa.int32()).buffers()[1]
        column = pa.StringArray.from_buffers(2, starts, pa.py_buffer(b"\xffa"))
        pq.write_table(pa.table({"_id": pa.array(["1", "2"]), "text": column}), path)
    else:
        pq.write_table(pa.Table.from_arrays([pa.array(["1"]), pa.array(["2"])], ["_id", "_id"]), path)
    with pytest.raises(InputError, match=r"is damaged Parquet|comes twice"):
        read_texts(path, "documents")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "holds no records"),
        ("a,b\n1,2\n", ":1: has no column for the id among a, b"),
        ("_id,text\n1,2,3\n\n4\n", ":2: has 3 columns; expected 2 columns: _id, text"),
        ("_id,text\n1,2,3\n\n4\n", ":4: has 1 column"),
        ("_id,text,text\n1,2,3\n", ":1: the column text comes twice"),
        ('_id,text\n1,a\n2,"b\n3,c\n', ":3: is not CSV: unexpected end of data"),
        ("_id,text\n,a\n", ":2: column _id: id ''"),
        ("ID,id,text\n1,2,a\n", ":1: the column id comes twice"),
        ("_id,text\r1,cat\r", ":1: is not CSV"),
        ('{"_id": 1, "_id": 2, "text": "a"}\n', ":1: is not JSON: a key comes twice in one object"),
        ("<DOC>\n<DOCNO>1</DOCNO>\n", ":1: <doc> has no end"),
        ("<DOC>\n<DOCNO>1</DOCNO>\n<DOC>\n</DOC>\n", ":1: <doc> begins inside <doc>"),
        ("[{}, 3]", "record no. 2 is 3"),
        ('[{"_id": 1}', ":1: column 12: is not JSON"),
        ("PAR1 broken", "is damaged Parquet"),
        ("no tab here\n", ":1: has 1 column: 'no tab here'"),
    ],
)
def test_faults(tmp_path, content: str, says: str) -> None:
    """Each fault names the file and, where it has lines, the line."""
    path = tmp_path / "queries"
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        read_texts(path, "documents")
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("content", "header"),
    [
        (b"_id,text\n1,a\n", ["_id", "text"]),
        (b"\xef\xbb\xbf\n\nQuery_ID;Doc_id;My note\n", ["query_id", "doc_id", "My note"]),
        (b'"query_id" , "a, b"\r\n', None),
        (b'"query_id","a, b"\r\n', ["query_id", "a, b"]),
        (b"query-id\tcorpus-id\tscore\n", ["query-id", "corpus-id", "score"]),
        (b"a,b\n1,2\n", None),
        (b"1\twhat is an id?\n", None),
        (b"q1 0 d1 1\n", None),
        (b'"id\n', None),
        (b'{"_id": 1}\n', None),
        (b'[{"_id": 1}]\n', None),
        (b"<DOC>\n<DOCNO>id</DOCNO>\n", None),
        (b"PAR1,id\n", None),
        (b"", None),
        (b" \n", None),
    ],
)
def test_headers(tmp_path, content: bytes, header: list[str] | None) -> None:
    """A header is the first line of a table that names an id; what comes behind it is still to be read."""
    path = tmp_path / "table"
    path.write_bytes(content)
    source = Source(path)
    assert header_of(source) == header
    with source.open() as reader:
        assert reader.read() == content.removeprefix(b"\xef\xbb\xbf")


def test_faults_come_together_or_at_the_end(tmp_path) -> None:
    """With a collection of faults a reader goes on and raises nothing; without one it raises after the last record."""
    path = tmp_path / "queries"
    path.write_text('{"_id": "1"}\nnot JSON\n{"_id": "2"}\n')
    faults = Faults()
    assert [one.line for one in read_records(path, faults)] == [1, 3]
    assert faults
    with pytest.raises(InputError, match=":2: is not JSON"):
        list(read_records(path))


def test_a_field_that_no_record_has(tmp_path) -> None:
    """A field asked for that is nowhere is an error which lists those that are there."""
    path = tmp_path / "queries"
    path.write_text('{"_id": "1", "text": "a", "path": null}\n')
    assert read_texts(path, "documents", fields=["path", "text"]) == {"1": Text("", "a")}
    with pytest.raises(
        InputError, match=r"has no field pth; expected one of _id, text, path\n\nhint: did you mean path"
    ):
        read_texts(path, "documents", fields=["pth", "text"])


def test_parquet_without_pyarrow(tmp_path, monkeypatch) -> None:
    """Without pyarrow the package to install is named."""
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    path = tmp_path / "queries"
    path.write_bytes(b"PAR1")
    with pytest.raises(Exception, match=r"needs the package pyarrow\n\nhint: pip install"):
        read_texts(path, "documents")
