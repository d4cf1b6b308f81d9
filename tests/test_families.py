"""Families of queries: lines, an object, an object a line, a mapping; and what is said of anything else."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest

from rankproof.errors import InputError
from rankproof.formats import read_families

EXAMPLE = Path(str(files("rankproof").joinpath("example")))
FAMILIES = {"q1": "f1", "q2": "f1", "q3": "f2"}
SPELLED = {
    "lines": "q1 f1\nq2\tf1\r\n\nq3  f2\n",
    "an object": json.dumps(FAMILIES),
    "an object over several lines": json.dumps(FAMILIES, indent=1),
    "an object a line": "".join(f'{{"_id": "{query}", "family": "{one}"}}\n' for query, one in FAMILIES.items()),
    "other names": '{"id": "q1", "family": "f1", "text": "x"}\n\n{"query_id": "q2", "family": "f1"}\n'
    '{"_id": "q3", "family": "f2"}',
}


@pytest.mark.parametrize("text", SPELLED.values(), ids=SPELLED)
def test_each_spelling_says_the_same(tmp_path: Path, text: str) -> None:
    """Every spelling of the same families reads as them, and says which file it was."""
    path = tmp_path / "families"
    path.write_text(text)
    found = read_families(path)
    assert found == FAMILIES
    assert found.source == str(path)


def test_one_line_that_is_a_query() -> None:
    """One line with an id and a family is one query; families from memory have no source, and keep one they had."""
    assert read_families(FAMILIES).source is None
    found = read_families(EXAMPLE / "queries.jsonl")
    again = read_families(found)
    assert (again, again.source) == (found, str(EXAMPLE / "queries.jsonl"))


@pytest.mark.parametrize(
    ("text", "families"),
    [
        ('{"_id": "q1", "family": "f"}', {"q1": "f"}),
        ('{"_id": 7, "family": "f"}\n', {"7": "f"}),
        ('{"q1": "f"}\n', {"q1": "f"}),
        ('{"family": "f", "q1": "g"}', {"family": "f", "q1": "g"}),  # no id: an object of all queries
    ],
)
def test_a_single_line(tmp_path: Path, text: str, families: dict) -> None:
    """A single line is a query where it has an id and a family, and else holds all queries."""
    (tmp_path / "families").write_text(text)
    assert read_families(tmp_path / "families") == families


def test_the_queries_of_the_example() -> None:
    """Each query of the example stands with the family that its line names."""
    lines = (EXAMPLE / "queries.jsonl").read_text("utf-8").splitlines()
    assert read_families(EXAMPLE / "queries.jsonl") == {
        one["_id"]: one["family"] for one in (json.loads(line) for line in lines)
    }


WRONG = {
    "q1,f1\nq2,f1\nq3,f2\n": ":1: has 1 column, and 2 more lines not two; expected a line `query_id family`",
    "q1 f1\nq2\n": ":2: has 1 column; expected a line `query_id family`",
    "q1 f1\nq1 f2\n": ":2: query q1: is in f2 here, in f1 before; expected one family a query",
    "\n": ": holds no families; expected",
    '{"q1": 1}': ": query q1: the family is 1; expected a text",
    '{"q1": "f", "q1": "f"}': ": query q1: stands twice",
    '{"_id": "q1", "family": "f"}\n{"_id": "q2"}\n': ":2: has no family; expected a text",
    '{"text": "x"}\n{"_id": "q2", "family": "f"}\n': ":1: has no _id; expected a text",
    '{"_id": true, "family": "f"}\n{"_id": "q2", "family": "f"}\n': ":1: _id True; expected a text",
    '{"_id": "q1", "family": 3}\n{"_id": "q2", "family": "f"}\n': ":1: family 3; expected a text",
    '{"_id": "q1", "family": "f"}\n{"_id": "q2"': ":2: is not JSON",
    '{"_id": "q1", "family": "f"}\n["q2"]\n': ":2: is ['q2']; expected",
    '{"_id": "q1", "family": "f"}\n{"_id": "q1", "family": "g"}\n': ":2: query q1: is in g here, in f before",
    '{"q1": ': ":1: column 8: is not JSON",
}


@pytest.mark.parametrize(("text", "message"), WRONG.items())
def test_what_holds_no_families(tmp_path: Path, text: str, message: str) -> None:
    """A fault names file and line and what was expected; lines with one cause are one fault."""
    path = tmp_path / "families"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        read_families(path)
    assert str(error.value).startswith(f"{path}{message}")
    assert len(error.value.faults) == 1


def test_csv_is_named(tmp_path: Path) -> None:
    """CSV is one message with a hint, however many lines it has."""
    path = tmp_path / "families.csv"
    path.write_text("".join(f"q{at},f{at % 3}\n" for at in range(100)))
    with pytest.raises(InputError, match=r"hint: is it CSV\? columns are parted by white space here") as error:
        read_families(path)
    assert len(error.value.faults) == 1


def test_what_is_no_file_and_no_mapping() -> None:
    """Anything else is refused as no families."""
    with pytest.raises(InputError, match=r"families cannot be 3; expected a file, or {query_id: family}"):
        read_families(3)


def test_command(in_process, monkeypatch) -> None:
    """--cluster takes the example's queries as they are, and groups them as a file of lines does."""
    monkeypatch.chdir(EXAMPLE)
    given = ("compare", "qrels.txt", "bm25-words.run", "lsa.run", "-m", "RR", "--resamples", "200", "--format", "json")
    done = in_process(*given, "--cluster", "queries.jsonl")
    found = json.loads(done.out)
    assert found["settings"]["clustered"]
    assert found["differences"][0]["units"] == len(set(read_families("queries.jsonl").values()))
