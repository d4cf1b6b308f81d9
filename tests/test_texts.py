"""What files of texts hold, and what is wrong with them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from rankproof.errors import Faults, InputError
from rankproof.formats.files import Source
from rankproof.formats.texts import Text, as_texts, read_texts, texts_in

BEIR = [
    {"_id": "d1", "title": "A title", "text": "What it says.", "metadata": {}},
    {"_id": "d2", "title": "", "text": "한국어, more\ttext"},
    {"_id": "d3", "text": "No title"},
]


def jsonl(rows: list[object]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def test_json_lines(tmp_path) -> None:
    """An object a line: id, title where there is one, text; the other spellings, and numbers as ids, read the same."""
    path = tmp_path / "corpus.jsonl"
    path.write_text(jsonl(BEIR))
    expected = {
        "d1": Text("A title", "What it says."),
        "d2": Text("", "한국어, more\ttext"),
        "d3": Text("", "No title"),
    }
    assert read_texts(path, "documents") == expected
    assert str(expected["d1"]) == "A title What it says."
    path.write_text("\n" + jsonl([{"id": 7, "title": None, "contents": "x"}]) + "\n")
    assert read_texts(path, "documents") == {"7": Text("", "x")}


def test_tab_separated(tmp_path) -> None:
    """`id<TAB>text` a line, plain or in gzip, with either line end; ids may hold spaces."""
    path = tmp_path / "queries.tsv"
    path.write_bytes("1\twhat is it?\r\nmy id\t뭐?\n\n3\t\n".encode())
    expected = {"1": Text("", "what is it?"), "my id": Text("", "뭐?"), "3": Text("", "")}
    assert read_texts(path, "documents") == expected
    packed = tmp_path / "queries.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    source = Source(packed)
    assert read_texts(source, "documents") == expected
    assert source.sha256 is not None


def test_texts_come_one_by_one(tmp_path) -> None:
    """The stream gives line, id and text of what `read_texts` holds, and goes on behind what is wrong."""
    path = tmp_path / "corpus.jsonl"
    path.write_text(jsonl([*BEIR, BEIR[0], {"_id": "d4"}, {"text": "x"}, {"_id": "d5", "text": ["a", "b"]}]))
    faults = Faults()
    found = list(texts_in(Source(path), "documents", faults=faults))
    assert [(line, one) for line, one, _ in found] == [(1, "d1"), (2, "d2"), (3, "d3"), (7, "d5")]
    assert found[-1][2] == Text("", "a b")
    with pytest.raises(InputError) as told:
        faults.raise_any()
    assert [fault.line for fault in told.value.faults] == [4, 5, 6]
    with pytest.raises(InputError) as read:
        read_texts(path, "documents")
    assert read.value.faults == told.value.faults


def test_only_what_is_wanted_is_kept(tmp_path) -> None:
    """Of a corpus only the ids asked for are kept; one that is not there is absent."""
    path = tmp_path / "corpus.jsonl"
    path.write_text(jsonl([*BEIR, BEIR[2]]))
    assert set(read_texts(path, "documents", ["d2", "absent"])) == {"d2"}
    assert as_texts(path, "documents", ["d2"]) == read_texts(path, "documents", ["d2"])
    assert as_texts({"d1": "x", "d2": Text("t", "y"), "d3": "z"}, "documents", ["d1", "d2", "d9"]) == {
        "d1": Text("", "x"),
        "d2": Text("t", "y"),
    }
    with pytest.raises(InputError, match="7 holds no texts"):
        as_texts(7, "queries", [])


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", [": holds no records; expected an object a line"]),
        ("1\ta\n2 b\n", [":2: has 1 column: '2 b'; expected 2 columns: id<TAB>text"]),
        ("1\ta\tb\n", [":1: has 3 columns"]),
        ("\ta\n", [":1: has no id"]),
        ("1\ta\n2\tb\n1\tc\n", [":3: id '1' comes twice (first on line 1); expected each id once"]),
        ('{"_id": "1", "text": "a"}\n{"_id": \n', [":2: is not JSON: Expecting value; expected an object a line"]),
        ('{"_id": "1", "text": "a"}\n[1]\n', [":2: is [1]"]),
        ('{"text": "a"}\n{"_id": "1"}\n', [":1: column _id: id None", ":2: column text: text None"]),
        ('{"_id": true, "text": "a"}\n', ["column _id: id True"]),
        ('{"_id": "1", "text": "a", "title": 3}\n', ["column title: title 3"]),
        (b"1\t\xff\n", [":1: byte 0xff is not UTF-8"]),
        ("[" * 3 + "\n", [":1: has 1 column"]),
    ],
)
def test_faults(tmp_path, content: str | bytes, says: list[str]) -> None:
    """Each fault names file and line, and says what was expected."""
    path: Path = tmp_path / "texts"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as caught:
        read_texts(path, "documents")
    for part in says:
        assert part in str(caught.value)


def test_no_such_file(tmp_path) -> None:
    """A file that is not there is an input error."""
    with pytest.raises(InputError, match="there is no such file"):
        read_texts(tmp_path / "absent", "queries")
