"""The closed corpus end to end: the known case, by hand; the rules of the fixture; the command's comparison."""

from __future__ import annotations

import copy
import json
from math import fsum, log2

import pytest
from conftest import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st

from rankproof.errors import InputError, MeasureError
from rankproof.rerank.closed_corpus import closed_corpus, compared, read_expected

EXAMPLE = ROOT / "src" / "rankproof" / "example"
FIXTURE = EXAMPLE / "closed-corpus.json"
EXPECTED = EXAMPLE / "closed-corpus.expected.json"


def of(tmp_path, fixture: object):
    path = tmp_path / "fixture.json"
    path.write_text(fixture if isinstance(fixture, str) else json.dumps(fixture), "utf-8")
    return closed_corpus(path)


@pytest.fixture
def fixture() -> dict:
    return json.loads(FIXTURE.read_text("utf-8"))


def test_the_known_case() -> None:
    """Four documents and three queries, by hand: q1 gains, q2 cannot, q3 is left out."""
    ideal = 7 + 1 / log2(3)
    found = closed_corpus(FIXTURE).to_dict()
    assert {key: value for key, value in found.items() if key != "queries"} == {
        "evaluatedQueries": 2,
        "excludedNoPositiveQueries": 1,
        "candidateRecall": 0.25,
        "baselineNdcg": 0.289382,
        "challengerNdcg": 0.45866,
        "pairedNdcgDelta": 0.169278,
    }
    assert list(found)[:6] == [
        *("evaluatedQueries", "excludedNoPositiveQueries", "candidateRecall"),
        *("baselineNdcg", "challengerNdcg", "pairedNdcgDelta"),
    ]
    assert found["queries"] == {
        "q1": {
            "candidates": ["d1", "d2"],
            "reranked": ["d2", "d1"],
            "recall": 0.5,
            "baselineNdcg": round(7 / log2(3) / ideal, 6),
            "challengerNdcg": round(7 / ideal, 6),
            "delta": round((7 - 7 / log2(3)) / ideal, 6),
        },
        "q2": {
            "candidates": ["d3", "d2"],
            "reranked": ["d2", "d3"],
            "recall": 0,
            "baselineNdcg": 0,
            "challengerNdcg": 0,
            "delta": 0,
        },
        "q3": {
            "candidates": ["d3", "d4"],
            "reranked": ["d3", "d4"],
            "recall": None,
            "baselineNdcg": None,
            "challengerNdcg": None,
            "delta": None,
        },
    }


def test_the_expected_file() -> None:
    """The packaged outputs are those of the packaged fixture, and only these."""
    assert list(compared(read_expected(EXPECTED), closed_corpus(FIXTURE).to_dict())) == []


def test_the_general_form_gives_the_ceiling() -> None:
    """Recall is the same before and after; no order lifts q2 above 0: the candidates are the ceiling."""
    values = closed_corpus(FIXTURE).values
    assert values.ceiling.of_query("q2") == {"nDCG@2": 0}
    assert values.share == {"nDCG@2": 1}
    assert values.contract.name == "closed-corpus"


def test_what_the_output_says() -> None:
    """Two queries say nothing about significance, and the output says so; it says what unjudged means here."""
    notes = closed_corpus(FIXTURE).notes()
    assert notes[0] == "Two queries say nothing about significance."
    assert "unjudged does not mean irrelevant" in notes[1]
    assert "no-answer quality" in notes[2]


def test_equal_scores_keep_the_order_of_the_candidates(tmp_path, fixture) -> None:
    """Equal reranker scores leave the candidates as they were; equal cosines stand by document id, ascending."""
    fixture["queries"]["q1"]["scores"] = {"d2": 1, "d1": 1.0}
    fixture["documents"] = {"d4": [-1, 0], "d3": [0, 1], "d2": [1, 1], "d1": [2, 0]}
    found = of(tmp_path, fixture).to_dict()["queries"]
    assert found["q1"]["reranked"] == found["q1"]["candidates"] == ["d1", "d2"]
    assert found["q3"]["candidates"] == ["d3", "d4"]


def test_nothing_positive_at_all(tmp_path, fixture) -> None:
    """Without any positive judgment every measure is null, not 0."""
    for query in fixture["queries"].values():
        query["judgments"] = {}
    found = of(tmp_path, fixture)
    outputs = found.to_dict()
    assert (outputs["evaluatedQueries"], outputs["excludedNoPositiveQueries"]) == (0, 3)
    assert [outputs[key] for key in list(outputs)[2:6]] == [None] * 4
    assert found.notes()[0] == "0 queries of a fixture say nothing about significance."


def test_more_candidates_than_documents(tmp_path, fixture) -> None:
    """With k = 9 all four documents are candidates, and recall is whole."""
    fixture["k"] = 9
    for query in fixture["queries"].values():
        query["scores"] = {"d1": 4, "d2": 3, "d3": 2, "d4": 1}
    outputs = of(tmp_path, fixture).to_dict()
    assert outputs["candidateRecall"] == 1
    assert outputs["queries"]["q3"]["reranked"] == ["d1", "d2", "d3", "d4"]
    assert outputs["queries"]["q2"]["challengerNdcg"] == round(1 / log2(5), 6)


@settings(max_examples=60, deadline=None)
@given(
    grades=st.dictionaries(st.sampled_from(["d1", "d2", "d3", "d4"]), st.integers(0, 3)),
    scores=st.lists(st.sampled_from([0.0, 1.0, -1.0, 2.5]), min_size=4, max_size=4),
    k=st.integers(1, 4),
)
def test_against_a_plain_reckoning(tmp_path_factory, grades: dict, scores: list, k: int) -> None:
    """Recall@k, nDCG@k and their difference are what the formulas give, reckoned here from the lists."""
    documents = ["d1", "d2", "d3", "d4"]  # q looks along d1: the others stand at growing angles
    candidates = documents[:k]
    of_doc = dict(zip(candidates, scores, strict=False))
    fixture = {
        "k": k,
        "documents": {"d1": [3, 0], "d2": [2, 1], "d3": [1, 2], "d4": [-1, 5]},
        "queries": {"q": {"vector": [7, 0], "judgments": grades, "scores": of_doc}},
    }
    outputs = of(tmp_path_factory.mktemp("closed"), fixture).to_dict()
    reranked = sorted(candidates, key=lambda doc: (-of_doc[doc], documents.index(doc)))

    def dcg(docs: list[str]) -> float:
        return fsum((2 ** grades.get(doc, 0) - 1) / log2(at + 1) for at, doc in enumerate(docs, 1))

    ideal = dcg(sorted(grades, key=lambda doc: -grades[doc])[:k])
    positive = [doc for doc, grade in grades.items() if grade > 0]
    assert outputs["queries"]["q"]["candidates"] == candidates
    assert outputs["queries"]["q"]["reranked"] == reranked
    if not positive:
        assert [outputs[key] for key in list(outputs)[:6]] == [0, 1, None, None, None, None]
        return
    assert outputs["candidateRecall"] == pytest.approx(len(set(positive) & set(candidates)) / len(positive), abs=1e-6)
    assert outputs["baselineNdcg"] == pytest.approx(dcg(candidates) / ideal, abs=1e-6)
    assert outputs["challengerNdcg"] == pytest.approx(dcg(reranked) / ideal, abs=1e-6)
    assert outputs["pairedNdcgDelta"] == pytest.approx((dcg(reranked) - dcg(candidates)) / ideal, abs=1e-6)


def changed(path: str, value: object = None) -> dict:
    """The fixture with the part at a path set to a value; without one, taken out."""
    found = copy.deepcopy(json.loads(FIXTURE.read_text("utf-8")))
    *keys, last = path.split("/")
    part = found
    for key in keys:
        part = part[key]
    if value is None:
        del part[last]
    else:
        part[last] = value
    return found


BAD = {
    "a score outside the candidates": (
        changed("queries/q1/scores/d3", 5),
        "query q1, document d3: has a score, but is no candidate; expected scores of its candidates: d1, d2",
    ),
    "a candidate without a score": (
        changed("queries/q1/scores/d1"),
        "query q1, document d1: is a candidate, but has no score",
    ),
    "a query without scores": (changed("queries/q3/scores"), "query q3: the query: the field scores is missing"),
    "an unknown field": (changed("model", "x"), "the fixture: the field 'model' is not known; expected an object with"),
    "an unknown field of a query": (changed("queries/q1/text", "x"), "query q1: the query: the field 'text' is not k"),
    "no documents": (changed("documents"), "the fixture: the field documents is missing"),
    "documents of another kind": (changed("documents", [1]), "documents is [1]; expected an object by id"),
    "empty documents": (changed("documents", {}), "documents is empty; expected one or more, by id"),
    "queries of another kind": (changed("queries", 0), "queries is 0; expected an object by id"),
    "a query of another kind": (
        changed("queries/q1", [1]),
        "query q1: the query is [1]; expected an object with vector",
    ),
    "an empty id": (changed("documents/", [1, 0]), "documents: '' is no id"),
    "k of 0": (changed("k", 0), "k is 0; expected a whole number from 1 on"),
    "k of true": (changed("k", True), "k is True"),
    "about a number": (changed("about", 7), "about is 7; expected text"),
    "a vector of text": (
        changed("documents/d1", "1,0"),
        "document d1: the vector is '1,0'; expected a list of numbers",
    ),
    "a vector that is an object": (changed("documents/d1", {"x": 1}), "document d1: the vector is an object"),
    "a number as text": (changed("queries/q1/vector", ["5", 1]), "query q1: the vector holds '5'; expected a finite"),
    "a number too large": (changed("queries/q1/vector", [10**400, 1]), "query q1: the vector holds 1000"),
    "a vector of zeros": (changed("documents/d1", [0, 0]), "fixture.json: document d1: the vector is all zeros"),
    "another length": (changed("queries/q2/vector", [1, 2, 3]), "query q2: the vector has 3 dimensions; expected 2"),
    "a negative grade": (
        changed("queries/q1/judgments/d2", -1),
        "query q1, document d2: the grade is -1; expected a w",
    ),
    "a fraction of a grade": (
        changed("queries/q1/judgments/d2", 0.5),
        "document d2: the grade is 0.5; expected a whole",
    ),
    "a grade as text": (changed("queries/q1/judgments/d2", "3"), "query q1, document d2: the grade is '3'"),
    "a judgment outside the corpus": (
        changed("queries/q1/judgments/d9", 1),
        "query q1, document d9: is judged, but is not in the corpus",
    ),
    "a score as text": (changed("queries/q1/scores/d2", "high"), "query q1, document d2: the score is 'high'"),
    "a document twice": ('{"documents": {"a": [1], "a": [2]}, "queries": {}}', "documents: 'a' comes twice"),
    "a query twice": ('{"documents": {"a": [1]}, "queries": {"q": {}, "q": {}}}', "queries: 'q' comes twice"),
    "a field twice": ('{"k": 1, "k": 2, "documents": {"a": [1]}}', "the fixture: the field 'k' comes twice"),
    "a judgment twice": (
        '{"documents": {"a": [1]}, "queries": {"q": {"vector": [1], "judgments": {"a": 1, "a": 0}, "scores": {}}}}',
        "query q: judgments: 'a' comes twice",
    ),
    "a score that is NaN": (
        '{"documents": {"a": [1]}, "queries": {"q": {"vector": [1], "judgments": {"a": 1}, "scores": {"a": NaN}}}}',
        "query q, document a: the score is nan; expected a finite number",
    ),
    "a list": ("[]", "fixture.json: the fixture is []; expected an object with about, k, documents, queries"),
    "no JSON": ("{", "is not JSON"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_fixtures(case: str, tmp_path) -> None:
    """What is wrong with a fixture is told with file, query and document."""
    content, says = BAD[case]
    with pytest.raises(InputError) as error:
        of(tmp_path, content)
    assert says in str(error.value)
    assert str(tmp_path / "fixture.json") in str(error.value)


def test_a_grade_too_large(tmp_path) -> None:
    """A grade whose gain no double holds is refused with its file."""
    with pytest.raises(MeasureError, match=r"fixture\.json: query q1: 2 to the grade 2000 is too large"):
        of(tmp_path, changed("queries/q1/judgments/d2", 2000))


def test_all_faults_at_once(tmp_path) -> None:
    """Several faults of one fixture come in one message."""
    content = changed("k", 0)
    content["queries"]["q1"]["vector"] = "x"
    with pytest.raises(InputError) as error:
        of(tmp_path, content)
    assert len(error.value.faults) == 2


@pytest.mark.parametrize(
    ("expected", "got", "says"),
    [
        ({"a": 1}, {"a": 1.0}, []),
        ({"a": 1}, {"a": True}, ["a: expected 1, got true"]),
        ({"a": 1}, {}, ["a: expected 1, got nothing"]),
        ({}, {"a": None}, ["a: expected nothing, got null"]),
        ({"a": {"b": [1, "x"]}}, {"a": {"b": [1, "y"]}}, ['a.b[1]: expected "x", got "y"']),
        ({"a": [1]}, {"a": [1, 2]}, ["a: expected [1], got [1, 2]"]),
        ({"a": None}, {"a": 0}, ["a: expected null, got 0"]),
        ({"a": 0.1}, {"a": 0.1000001}, ["a: expected 0.1, got 0.1000001"]),
    ],
)
def test_compared(expected: dict, got: dict, says: list[str]) -> None:
    """A difference names its path, what was expected and what came; missing and additional keys too."""
    assert list(compared(expected, got)) == says


def test_command(in_process) -> None:
    """JSON on stdout with record, outputs and notes; with --expect it ends with 0 and says that all is as expected."""
    done = in_process("closed-corpus", FIXTURE, "--expect", EXPECTED)
    content = json.loads(done.out)
    assert (done.status, content["command"], content["pairedNdcgDelta"]) == (0, "closed-corpus", 0.169278)
    assert [one["role"] for one in content["inputs"]] == ["fixture", "expected"]
    assert content["contract"]["name"] == "closed-corpus"
    assert done.err.splitlines()[0] == "Two queries say nothing about significance."
    assert done.err.splitlines()[-1] == "as expected"
    assert '"challengerNdcg": 0.45866,' in done.out


def test_command_finds_differences(tmp_path, in_process) -> None:
    """Where the outputs differ it ends with 1, and stderr holds a line a difference."""
    expected = json.loads(EXPECTED.read_text("utf-8"))
    expected["candidateRecall"] = 0.5
    expected["queries"]["q1"]["reranked"] = ["d1", "d2"]
    del expected["queries"]["q3"]["delta"]
    expected["more"] = 1
    (tmp_path / "expected.json").write_text(json.dumps(expected))
    done = in_process("closed-corpus", FIXTURE, "--expect", tmp_path / "expected.json", "--format", "table")
    assert done.status == 1
    assert done.err.splitlines()[3:] == [
        "candidateRecall: expected 0.5, got 0.25",
        'queries.q1.reranked[0]: expected "d1", got "d2"',
        'queries.q1.reranked[1]: expected "d2", got "d1"',
        "queries.q3.delta: expected nothing, got null",
        "more: expected 1, got nothing",
    ]


def test_command_takes_its_own_output_as_expected(tmp_path, in_process) -> None:
    """A result file can be expected as it is: record, contract and notes are not compared."""
    first = in_process("closed-corpus", FIXTURE, "-o", tmp_path / "result.json")
    assert first.status == 0
    again = in_process("closed-corpus", FIXTURE, "--expect", tmp_path / "result.json")
    assert (again.status, again.err.splitlines()[-1]) == (0, "as expected")


def test_command_table(in_process) -> None:
    """The table shows the outputs with 6 decimals, and each query."""
    lines = [line.split() for line in in_process("closed-corpus", FIXTURE, "--format", "table").out.splitlines()]
    assert ["challengerNdcg", "0.458660"] in lines
    assert ["q3", "d3,", "d4", "d3,", "d4", "null", "null", "null", "null"] in lines


@pytest.mark.parametrize(
    ("expected", "part"),
    [("[]", "is no JSON object"), ('{"a": {"b": 1, "b": 2}}', "a key comes twice in one object"), ("{", "is not JSON")],
)
def test_command_with_bad_expectations(tmp_path, in_process, expected: str, part: str) -> None:
    """An expected file that cannot be read ends with 2, and nothing on stdout."""
    (tmp_path / "expected.json").write_text(expected)
    done = in_process("closed-corpus", FIXTURE, "--expect", tmp_path / "expected.json")
    assert (done.status, done.out) == (2, "")
    assert part in done.err
    assert in_process("closed-corpus", "-", "--expect", "-").status == 2
