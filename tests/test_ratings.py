"""Nested ratings of search teams' tools: each shape by hand, and what is wrong in one named by its place."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path

import pytest

import rankproof as rp

WANTED = {"shoe": {"a": 3, "b": 0}, "red shoe": {"a": 0.5}}
SHAPES = {
    "OpenSearch": {
        "name": "n",
        "judgmentRatings": [
            {"query": "shoe", "ratings": [{"docId": "a", "rating": "3"}, {"docId": "b", "rating": "0"}]},
            {"query": "red shoe", "ratings": [{"docId": "a", "rating": "0.5"}]},
        ],
    },
    "Elasticsearch": {
        "requests": [
            {
                "id": "shoe",
                "request": {},
                "ratings": [{"_index": "i", "_id": "a", "rating": 3}, {"_id": "b", "rating": 0}],
            },
            {"id": "red shoe", "ratings": [{"_id": "a", "rating": 0.5}]},
        ]
    },
    "RRE, by gain": {
        "topics": [
            {
                "query_groups": [
                    {
                        "queries": [{"placeholders": {"$query": "shoe"}}],
                        "relevant_documents": {"a": {"gain": 3}, "b": {"gain": 0}},
                    },
                    {"queries": [{"placeholders": {"$query": "red shoe"}}], "relevant_documents": {"0.5": ["a"]}},
                ]
            }
        ]
    },
    "RRE, groups alone": {
        "query_groups": [
            {"queries": [{"placeholders": {"$query": "shoe"}}], "relevant_documents": {"3": ["a"], "0": ["b"]}},
            {"queries": [{"placeholders": {"$query": "red shoe"}}], "relevant_documents": {"a": {"gain": 0.5}}},
        ]
    },
    "Quepid as RRE": {
        "queries": [
            {"placeholders": {"$query": "shoe"}, "relevant_documents": {"0": ["b"], "3": ["a"]}},
            {"placeholders": {"$query": "red shoe"}, "relevant_documents": {"0.5": ["a"]}},
        ]
    },
    "Quepid ratings": {
        "queries": [{"query": "shoe", "ratings": {"a": 3, "b": 0}}, {"query": "red shoe", "ratings": {"a": 0.5}}]
    },
    "Quepid case": {
        "case_name": "c",
        "queries": [
            {"query_text": "shoe", "ratings": {"a": 3, "b": 0}},
            {"query_text": "red shoe", "ratings": {"a": 0.5}},
        ],
    },
    "Quepid book": {
        "query_doc_pairs": [
            {
                "query_text": "shoe",
                "doc_id": "a",
                "judgements": [{"rating": 3.0}, {"rating": None, "unrateable": True}],
            },
            {"query_text": "shoe", "doc_id": "b", "judgements": [{"rating": 0}]},
            {"query_text": "red shoe", "doc_id": "a", "judgements": [{"rating": 0.5}]},
        ]
    },
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_is_read(tmp_path: Path, name: str) -> None:
    """Each tool's shape gives these judgments, queries by their text; as a run the file is refused."""
    (tmp_path / "r.json").write_text(json.dumps(SHAPES[name]), "utf-8")
    told = pytest.warns(rp.RankproofWarning, match="1 rating left out: null is no grade")
    with told if name == "Quepid book" else nullcontext():
        assert rp.read_qrels(tmp_path / "r.json") == WANTED
    with pytest.raises(rp.InputError):
        rp.read_run(tmp_path / "r.json")


WRONG = {
    '{"judgmentRatings": [{"query": "q"}]}': "judgmentRatings.no. 1 is {'query': 'q'}; expected an object with ratings",
    '{"judgmentRatings": [{"query": "q", "ratings": [{"docId": "a"}]}]}': "no. 1 is {'docId': 'a'}; expected an",
    '{"judgmentRatings": [{"query": "q", "ratings": {"a": 1}}]}': "no. 1.ratings is [('a', 1)]; expected a list",
    '{"judgmentRatings": [{"query": "q", "ratings": [{"docId": "a", "rating": "high"}]}]}': "grade 'high'",
    '{"judgmentRatings": [{"query": 5.5, "ratings": [{"docId": "a", "rating": 1}]}]}': "5.5 is no id",
    '{"judgmentRatings": [{"query": "q", "query": "r", "ratings": []}]}': "a key that comes twice",
    '{"topics": [{"description": "d"}]}': "topics.no. 1 is {'description': 'd'}; expected an object with",
    '{"query_groups": [{"queries": [{"template": "t"}], "relevant_documents": {}}]}': "with placeholders",
    '{"query_groups": [{"queries": [{"placeholders": {"$q": "x"}}], "relevant_documents": {}}]}': "with $query",
    '{"queries": [{"placeholders": {"$query": "x"}, "relevant_documents": {"good": ["a"]}}]}': "a grade with",
    '{"queries": [{"query": "x"}]}': "expected an object with query and ratings, or placeholders",
    '{"queries": [{"query": "x", "ratings": ["a"]}]}': "ratings is ['a']; expected an object",
    '{"query_doc_pairs": [{"query_text": "q", "doc_id": "a", "judgements": [{"rating": 1}, {"rating": 2}]}]}': "twice",
    '{"query_doc_pairs": [{"query_text": "q", "doc_id": "a", "judgements": [{"rating": null}]}]}': "holds no judgments",
}


@pytest.mark.filterwarnings("ignore:.*null is no grade")
@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_named_by_its_place(tmp_path: Path, text: str) -> None:
    """A part that is not what such files hold is an error with the keys that lead to it."""
    (tmp_path / "r.json").write_text(text, "utf-8")
    with pytest.raises(rp.InputError) as refused:
        rp.read_qrels(tmp_path / "r.json")
    assert WRONG[text] in str(refused.value)


def test_a_plain_file_may_have_a_query_of_that_name(tmp_path: Path) -> None:
    """Qrels and runs with a query `queries` or `topics` are what they look like."""
    (tmp_path / "q.json").write_text('{"queries": {"a": 1}, "topics": {"b": 2}}', "utf-8")
    assert rp.read_qrels(tmp_path / "q.json") == {"queries": {"a": 1}, "topics": {"b": 2}}
    (tmp_path / "r.json").write_text('{"queries": ["a"], "topics": ["b", "c"]}', "utf-8")
    assert rp.read_run(tmp_path / "r.json").rankings["topics"].doc_ids == ["b", "c"]


def test_ratings_that_are_repeated_count_once(tmp_path: Path) -> None:
    """A query that is listed twice with the same grades loses nothing, which is said; with another it is refused."""
    one = {"query": "q", "ratings": [{"docId": "a", "rating": "1"}]}
    other = {"query": "q", "ratings": [{"docId": "a", "rating": "2"}]}
    (tmp_path / "r.json").write_text(json.dumps({"judgmentRatings": [one, one]}), "utf-8")
    with pytest.warns(rp.RankproofWarning, match="1 rating repeated with the same grade; each counts once"):
        assert rp.read_qrels(tmp_path / "r.json") == {"q": {"a": 1}}
    (tmp_path / "r.json").write_text(json.dumps({"judgmentRatings": [one, other]}), "utf-8")
    with pytest.raises(rp.InputError, match="judged twice: grade 2 here, 1 before"):
        rp.read_qrels(tmp_path / "r.json")
