"""The tabs on interleaving, closed corpora and contracts: the library's numbers, laws of edits, the pages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from math import fsum, hypot
from pathlib import Path

import pytest
from browser import needed
from hypothesis import example, settings
from hypothesis import given as drawn
from hypothesis import strategies as st
from lab_site import settled

import rankproof as rp
from rankproof.contract import differences
from rankproof.interleave import METHODS, click_preferences, impressions_needed, interleave
from rankproof.lab.api import call
from rankproof.lab.calls import interleaving as interleaving_calls
from rankproof.lab.interleaving_bias import one_click, random_click
from rankproof.lab.pair import RUNS
from rankproof.measures import parse
from rankproof.model import Ranking, Run
from rankproof.presets import PRESETS
from rankproof.rerank import closed_corpus

close = pytest.approx
EXAMPLE = Path(str(rp.__file__)).parent / "example"
FIXTURE = EXAMPLE / "closed-corpus.json"
OWN = {"a": "a\nb\nc\nd", "b": "b\nc\nd\na", "grades": "c 1", "k": 4}
A, B = list("abcd"), list("bcda")
HERE = interleaving_calls.METHODS
HANGUL = re.compile(r"[가-힣]")
RANKINGS = st.permutations("abcde").map(lambda ranking: ranking[:4])


def ask(name: str, **arguments: object) -> dict:
    """Return the result of a call that succeeds."""
    answer = json.loads(call(name, json.dumps(arguments)))
    assert answer["ok"], answer
    return answer["result"]


def faults(name: str, **arguments: object) -> list[dict]:
    """Return the faults of a call that is refused."""
    answer = json.loads(call(name, json.dumps(arguments)))
    assert not answer["ok"]
    assert "unexpected" not in answer["error"], answer
    return answer["error"]["faults"]


def words(part: object) -> Iterator[dict]:
    """Yield every text in both languages that a result holds."""
    if isinstance(part, dict):
        if {*part} == {"en", "ko"}:
            yield part
        else:
            for inner in part.values():
                yield from words(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from words(inner)


def plain(found: dict) -> dict:
    """Return a result as JSON gives it back."""
    return json.loads(json.dumps(found))


def own_lists(method: str, impressions: int, seed: int = 0):
    runs = [Run("A", {"own": Ranking(A)}), Run("B", {"own": Ranking(B)})]
    return interleave(runs, 4, method=method, seed=seed, impressions=impressions)


# ---- interleaving


@pytest.mark.parametrize("method", HERE)
def test_lists_are_those_of_the_library(method: str) -> None:
    """The list of user n, and who picked what, are those that the library draws from the same seed."""
    lists = own_lists(method, 7, seed=3)
    for number in (1, 7):
        shown = ask("interleaving", **OWN, method=method, seed=3, impression=number)["shown"]
        one = lists.lists[number - 1]
        assert [doc["doc_id"] for doc in shown] == list(one.doc_ids)
        assert [doc["team"] for doc in shown] == list(one.teams or [None] * 4)
    assert ask("interleaving", **OWN, method=method, seed=3, impression=7)["lists"] == plain(lists.to_dict())


@pytest.mark.parametrize("method", HERE)
def test_tally_is_that_of_the_library(method: str) -> None:
    """What clicks prefer is, to the last bit, what `click_preferences` says of the same lists and clicks."""
    clicks = [{"impression": n, "doc_id": "abcdc"[n % 5]} for n in range(1, 31) if n % 7]
    found = ask("interleaving", **OWN, method=method, impression=30, clicks=clicks)
    expected = click_preferences(own_lists(method, 30), [{**one, "query_id": "own"} for one in clicks])
    assert found["data"] == plain(expected.to_dict())


def test_last_list_counts_once_it_is_clicked() -> None:
    """The list that is looked at is no tie: it joins the tally with its first click."""
    before = ask("interleaving", **OWN, impression=2, clicks=[{"impression": 1, "doc_id": "a"}])
    assert before["data"]["counts"]["lists_without_clicks"] == 0
    assert before["data"]["pairs"][0]["votes"] == {"left": 1, "ties": 0, "right": 0}
    assert ask("interleaving", **OWN, impression=2)["data"] is None
    skipped = ask("interleaving", **OWN, impression=2, clicks=[{"impression": 2, "doc_id": "b"}])
    assert skipped["data"]["counts"]["lists_without_clicks"] == 1


@pytest.mark.parametrize("method", HERE)
def test_plan_is_that_of_the_library(method: str) -> None:
    """The plan on the example is that of `impressions_needed` with as few simulated impressions, which it says."""
    found = ask("interleaving_plan", query="ko-01", runs=["bm25-words", "lsa"], k=5, method=method, seed=2)
    files = [EXAMPLE / name for name in ("qrels.txt", "bm25-words.run", "lsa.run")]
    expected = impressions_needed(*files, 5, method=method, seed=2, simulated=interleaving_calls.SIMULATED)
    assert found["data"] == plain(expected.to_dict())
    cards = found["page"]["sections"][0]["blocks"][0]["cards"]
    assert [card["value"] for card in cards] == ["–" if one is None else f"{one:,}" for one in expected.needed]


def test_balanced_is_known_to_be_biased() -> None:
    """Of abcd and bcda, one click at random lets the second win 3 of 4 times under balanced interleaving."""
    found = random_click("balanced", [A, B], 4)
    assert (found.left, found.right) == (close(1 / 4), close(3 / 4))
    said = ask("interleaving", **OWN, method="balanced")["page"]["sections"][1]["blocks"][2]["items"]
    assert "favours B" in said[0]["en"]


def test_team_draft_is_known_to_be_blind() -> None:
    """Of abcd and bcda, either ranking picks c equally often under team draft, though the second has it higher."""
    found = one_click("team-draft", [A, B], 4)
    assert (found["c"].left, found["c"].neither, found["c"].right) == (close(0.5), 0, close(0.5))
    said = ask("interleaving", **OWN)["page"]["sections"][1]["blocks"][2]["items"]
    assert any(text["en"].startswith("Blind: the rankings differ on c") for text in said)


@settings(max_examples=25)
@drawn(RANKINGS, RANKINGS, st.integers(1, 4), st.sampled_from(HERE))
def test_one_click_is_a_distribution(a: list[str], b: list[str], k: int, method: str) -> None:
    """Who wins by one click adds up to 1; where the method is fair, a click at random gives neither more credit."""
    for one in one_click(method, [a, b], k).values():
        assert fsum([one.left, one.neither, one.right]) == close(1)
        assert 0 < one.shown <= 1 + 1e-12
    at_random = random_click(method, [a, b], k)
    if METHODS[method].caution is None:
        assert at_random.gain == close(0, abs=1e-12)


def test_simulated_users_click_what_they_want() -> None:
    """Perfect users click each relevant document that is shown and no other; the same seed gives the same clicks."""
    asked = {**OWN, "model": "perfect", "first": 4, "count": 9}
    found = ask("interleaving_users", **asked)
    assert found["clicks"] == [{"impression": n, "doc_id": "c"} for n in range(4, 13)]
    tired = {**OWN, "model": "informational", "first": 4, "count": 9}
    assert ask("interleaving_users", **tired) == ask("interleaving_users", **tired)
    later = ask("interleaving_users", **{**tired, "first": 8, "count": 5})["clicks"]
    assert later == [one for one in ask("interleaving_users", **tired)["clicks"] if one["impression"] >= 8]


def test_example_is_offered_whole() -> None:
    """All queries of the example, its runs, and the methods that need no other package can be chosen."""
    found = ask("interleaving_choices")
    assert [one["query_id"] for one in found["queries"]][:2] == ["ko-01", "ko-02"]
    assert len(found["queries"]) == 24
    assert found["runs"] == list(RUNS)
    shown = ask("interleaving", query="ko-01", runs=["bm25-ngrams", "lsa"])["shown"]
    assert all(HANGUL.search(one["title"]) for one in shown)


@pytest.mark.parametrize(
    ("asked", "file", "line", "message"),
    [
        ({"a": "x\ny\nx", "b": "z"}, "A", 3, "comes twice"),
        ({"a": "x", "b": " \n"}, "B", None, "is empty"),
        ({"a": "x", "b": "y", "grades": "x 1\n\ny two"}, "grades", 3, "has the grade 'two'"),
        ({"a": "x", "b": "y", "grades": "x\nx 2"}, "grades", 2, "comes twice"),
        ({"a": "\n".join(map(str, range(51))), "b": "y"}, "A", None, "holds 51 documents"),
        ({"query": "ko-05", "runs": ["bm25-words", "lsa"]}, "bm25-words", None, "found nothing for this query"),
        ({"query": "ko-01", "runs": ["lsa", "lsa"]}, None, None, "runs are ['lsa', 'lsa']"),
        ({"query": "none"}, None, None, "the example does not have this query"),
        ({**OWN, "method": "optimised"}, None, None, "method is 'optimised'"),
        ({**OWN, "k": 51}, None, None, "k is 51"),
        ({**OWN, "impression": 2001}, None, None, "impression is 2001"),
        ({**OWN, "seed": "one"}, None, None, "seed is 'one'"),
        ({**OWN, "clicks": "a"}, None, None, "clicks are 'a'"),
        ({**OWN, "clicks": [{"impression": 1, "doc_id": "z"}]}, "clicks", 1, "was not shown"),
        ({"a": 3, "b": "y"}, None, None, "a is 3"),
    ],
)
def test_bad_lists_are_refused(asked: dict, file: str | None, line: int | None, message: str) -> None:
    """What cannot be interleaved is refused with its list and line."""
    found = faults("interleaving", **asked)[0]
    assert (found["file"], found["line"], found["message"]) == (file, line, message)


def test_grades_may_stand_behind_a_tab() -> None:
    """What comes from a spreadsheet has a tab before the grade: the same as a blank."""
    assert ask("interleaving_plan", **{**OWN, "grades": "c\t1"}) == ask("interleaving_plan", **OWN)


def test_too_many_ways_are_said() -> None:
    """Where the lists can be drawn in too many ways to go through, the page says so and answers at once."""
    long = "\n".join(f"d{at}" for at in range(12))
    found = ask("interleaving", a=long, b=long, method="probabilistic", k=12)
    assert "too many ways" in found["page"]["sections"][1]["blocks"][-1]["text"]["en"]


# ---- closed corpus


def edited(**documents: list[float]) -> dict:
    fixture = json.loads(FIXTURE.read_text("utf-8"))
    fixture.pop("about")
    fixture["documents"].update(documents)
    return fixture


def test_closed_corpus_is_that_of_the_library() -> None:
    """The fixture's outputs are those of the library, which are checked by hand."""
    found = ask("closed_corpus")
    assert found["data"] == plain(closed_corpus(FIXTURE).to_dict())
    assert found["data"] == {
        **found["data"],
        "candidateRecall": 0.25,
        "baselineNdcg": 0.289382,
        "challengerNdcg": 0.45866,
        "pairedNdcgDelta": 0.169278,
    }


def test_an_edit_is_that_of_the_library(tmp_path: Path) -> None:
    """An edited fixture gives what the command line gives for the fixture that the page hands back."""
    found = ask("closed_corpus", fixture=edited(d3=[3, 1]), query="q1")
    path = tmp_path / "edited.json"
    path.write_text(json.dumps(found["fixture"]), "utf-8")
    assert found["data"] == plain(closed_corpus(path).to_dict())
    assert found["data"]["queries"]["q1"]["candidates"] == ["d3", "d1"]
    assert (found["unused"]["q1"], found["assumed"]["q1"]) == (["d2"], ["d3"])


@drawn(st.lists(st.floats(-5, 5), min_size=4, max_size=4))
def test_scores_move_neither_recall_nor_ceiling(scores: list[float]) -> None:
    """Whatever the scores, candidates, their recall and the ceiling stay, and no value rises above the ceiling."""
    fixture = edited()
    fixture["queries"]["q1"]["scores"] = dict(zip(fixture["documents"], scores, strict=True))
    now, then = ask("closed_corpus", fixture=fixture), ask("closed_corpus")
    assert now["unused"]["q1"] == ["d3", "d4"]
    for query, one in now["data"]["queries"].items():
        other = then["data"]["queries"][query]
        assert (one["candidates"], one["recall"]) == (other["candidates"], other["recall"])
    ceilings = [page["page"]["lead"][0]["cards"][3]["value"] for page in (now, then)]
    assert ceilings[0] == ceilings[1]
    assert now["data"]["challengerNdcg"] <= float(ceilings[0])


@drawn(st.sampled_from([0.25, 2.0, 3.0, 40.0]), st.sampled_from(["d1", "d2", "d3", "d4"]))
def test_length_of_a_vector_changes_nothing(factor: float, doc: str) -> None:
    """A longer or shorter vector is the same, to the last bit by powers of 2; others may part ties (d3, d4 of q3)."""
    vector = [factor * one for one in edited()["documents"][doc]]
    now, then = ask("closed_corpus", fixture=edited(**{doc: vector}))["data"], ask("closed_corpus")["data"]
    if factor not in (0.25, 2.0):
        for found in (now, then):
            found["queries"]["q3"] |= {"candidates": {*found["queries"]["q3"]["candidates"]}, "reranked": None}
    assert now == then


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda fixture: fixture.update(k=2), "This is the fixture as it came."),
        (lambda fixture: fixture["queries"]["q1"]["scores"].update(d1=2), "no score can move them"),
        (lambda fixture: fixture["documents"].update(d3=[3, 1]), "The candidates are others"),
        (lambda fixture: fixture["documents"].update(d1=[2, 0]), "The candidates are still the same."),
        (lambda fixture: fixture.update(k=1), "number of candidates"),
    ],
)
def test_what_an_edit_did_is_said(edit, said: str) -> None:
    """The page says which parts were edited, and whether the candidates moved."""
    fixture = edited()
    edit(fixture)
    blocks = ask("closed_corpus", fixture=fixture)["page"]["sections"][1]["blocks"]
    assert any(said in text["en"] for text in words(blocks))


def test_candidates_lie_within_the_dashed_angle() -> None:
    """In the chart exactly the candidates are as near the query's direction as the dashed lines, or nearer."""
    found = ask("closed_corpus", query="q2")
    spec = found["page"]["sections"][0]["blocks"][0]["spec"]
    rows = spec["datasets"]["rows"]
    rays = spec["layer"][0]["data"]["values"]

    def cosine(one: dict, other: dict) -> float:
        return (
            (one["x"] * other["x"] + one["y"] * other["y"]) / hypot(one["x"], one["y"]) / hypot(other["x"], other["y"])
        )

    query = next(row for row in rows if row["kind"] == "query")
    edge = min(cosine(query, ray) for ray in rays)
    assert cosine(query, rays[0]) == close(cosine(query, rays[1]))
    inside = {row["id"] for row in rows if row["kind"] != "query" and cosine(query, row) >= edge - 1e-12}
    assert inside == {"d2", "d3"}


@pytest.mark.parametrize(
    ("fixture", "message"),
    [
        ("{", "is not JSON: Expecting property name enclosed in double quotes"),
        (edited(d1=[1, 0, 0]), "has 3 numbers"),
        (edited(d1=[0, 0]), "the vector is all zeros: it has no direction"),
        ({**edited(), "k": 0}, "k is 0"),
    ],
)
def test_bad_fixtures_are_refused(fixture: object, message: str) -> None:
    """What is no fixture in a plane is refused as the command line refuses it."""
    assert message in {one["message"] for one in faults("closed_corpus", fixture=fixture)}


def test_unknown_query_is_refused() -> None:
    """A query that the fixture does not have is named."""
    assert faults("closed_corpus", query="q9")[0]["query_id"] == "q9"


# ---- contracts

RANKED = [
    {"grades": "0 3 ? 2 0 1", "missed": "3 1"},
    {"grades": "3 0 =1 2", "missed": "1"},
    {"grades": "0 3 2", "scores": "1 1 1"},
    {"grades": "0 3 2", "scores": "0.30000001 0.3 0.2"},
    {"grades": "3 -1 2"},
    {"grades": "0 ? 0"},
]


def evaluated(asked: dict, measure: str, contract: object) -> tuple:
    """Return the library's value of a ranking, or that it is refused: from a dict of grades and rows of scores."""
    qrels, docs = {}, []
    for at, part in enumerate(asked.get("grades", "").split(), 1):
        docs.append(docs[int(part[1:]) - 1] if part[0] == "=" else f"d{at}")
        if part[0] not in "=?":
            qrels[f"d{at}"] = int(part)
    qrels |= {f"m{at}": int(grade) for at, grade in enumerate(asked.get("missed", "").split(), 1)}
    scores = [float(one) for one in asked.get("scores", "").split()] or [
        float(len(docs) - at) for at in range(len(docs))
    ]
    try:
        ranking = Ranking(docs, scores, range(1, len(docs) + 1))
        found = rp.evaluate({"q": qrels}, Run("ranking", {"q": ranking}), [measure], contract)
    except rp.RankproofError:
        return None, True
    return found.of_query("q")[next(iter(found.measures))], False


@pytest.mark.parametrize("asked", RANKED, ids=lambda one: one["grades"])
@pytest.mark.parametrize("measure", ["nDCG@5", "P@5", "AP", "RR"])
def test_values_are_those_of_the_library(asked: dict, measure: str) -> None:
    """Each preset's value is what `evaluate` gives under it, bit by bit; what it refuses is refused."""
    found = ask("contracts", **asked, measure=measure)["data"]["contracts"]
    assert list(found) == list(PRESETS)
    for name, one in found.items():
        assert (one["value"], one["refused"] is not None) == evaluated(asked, measure, name)


@settings(max_examples=30)
@example(["0", "1", "0", "0", "0"], [], ["0.1", "0.2", "0.1", "0.20000001", "0.20000001"], "nDCG@3", "textbook")
@drawn(
    st.lists(st.sampled_from(["0", "1", "3", "?", "-1"]), min_size=1, max_size=5),
    st.lists(st.sampled_from("12"), max_size=2),
    st.lists(st.sampled_from(["0.1", "0.2", "0.20000001"]), min_size=5, max_size=5),
    st.sampled_from(["nDCG@3", "AP@3", "P@3", "RR@3", "Judged@5"]),
    st.sampled_from(["rankproof", "textbook", "trec_eval-9", "ir_measures"]),
)
def test_rules_are_enough_and_needed(
    grades: list[str], missed: list[str], scores: list[str], measure: str, reference: str
) -> None:
    """The reference with the rules that are named gives the other contract's value; without any one of them, not."""
    asked = {"grades": " ".join(grades), "missed": " ".join(missed), "scores": " ".join(scores[: len(grades)])}
    found = ask("contracts", **asked, measure=measure, reference=reference)["data"]["contracts"]
    base = parse(measure).contract_in_effect(PRESETS[reference].contract)
    for name, one in found.items():
        other = parse(measure).contract_in_effect(PRESETS[name].contract)
        answers = {rule: both[1] for rule, both in differences(base, other).items()}
        wanted = (one["value"], one["refused"] is not None)
        assert evaluated(asked, measure, base.with_rules(**{rule: answers[rule] for rule in one["rules"]})) == wanted
        for spared in one["rules"]:
            fewer = {rule: answers[rule] for rule in one["rules"] if rule != spared}
            without = evaluated(asked, measure, base.with_rules(**fewer))
            assert without != wanted or one["value"] is None


def test_a_query_without_an_answer_is_judged_by_its_rule() -> None:
    """A run that does not answer the query is 0 to the house, left out by trec_eval 9, refused by trec_eval 10."""
    found = ask("contracts", grades="", missed="3", measure="nDCG@5")["data"]["contracts"]
    assert found["rankproof"]["value"] == 0
    assert (found["trec_eval-9"]["value"], found["trec_eval-9"]["reason"]) == (None, "absent from the run")
    assert found["trec_eval-10"]["refused"]
    assert found["trec_eval-10"]["rules"] == ["missing_query"]


@pytest.mark.parametrize(
    ("asked", "file", "column", "message"),
    [
        ({"grades": "0 x"}, "grades", 3, "'x' is no grade"),
        ({"grades": "0 =2 1"}, "grades", 3, "'=2' repeats no place above"),
        ({"grades": "0 1", "missed": "1, ?"}, "missed", 4, "'?' is no grade"),
        ({"grades": "0 1", "scores": "1"}, "scores", None, "holds 1 scores"),
        ({"grades": "0 1", "scores": "1 high"}, "scores", 3, "'high' is no score"),
        ({"grades": "0 1", "scores": "1 1e999"}, "scores", 3, "'1e999' is no score"),
        ({"grades": "0 " * 101}, "grades", None, "holds 101 documents"),
        ({"grades": 7}, None, None, "grades is 7"),
        ({"grades": "1", "measure": "nothing@5"}, None, None, "unknown measure 'nothing@5'"),
        ({"grades": "1", "reference": "nobody"}, None, None, "reference is 'nobody'"),
    ],
)
def test_bad_rankings_are_refused(asked: dict, file: str | None, column: int | None, message: str) -> None:
    """What is no ranking is refused with the place of what is wrong."""
    found = faults("contracts", **{"measure": "nDCG@5", **asked})[0]
    assert (found["file"], found["column"], found["message"]) == (file, column, message)


def test_the_line_of_a_bad_grade_is_told() -> None:
    """A grade that stands in a later line is found there, in that line's column."""
    found = faults("contracts", measure="nDCG@5", grades="0 1\n\n 2 x")[0]
    assert (found["line"], found["column"]) == (3, 4)


# ---- whatever is asked

ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.sampled_from(["", "a", "a b\nc 1", "ko-01", "q1", "lsa"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["impression", "doc_id"]), inner),
    max_leaves=5,
)
NAMES = ("a", "b", "grades", "query", "runs", "method", "k", "seed", "impression", "clicks", "model", "first", "count")
OTHERS = ("fixture", "missed", "scores", "measure", "reference")
CALLED = ("interleaving", "interleaving_users", "interleaving_plan", "closed_corpus", "contracts")


@settings(max_examples=150)
@drawn(
    st.sampled_from(CALLED),
    st.sampled_from([OWN, {"query": "ko-01"}, {"measure": "P@2", "grades": "1 0"}, {"fixture": edited()}]),
    st.dictionaries(st.sampled_from([*NAMES, *OTHERS]), ANY, max_size=3),
)
def test_no_argument_is_a_fault_of_the_engine(name: str, sound: dict, more: dict) -> None:
    """Whatever is asked, the answer is a result, or says what is wrong with what was given."""
    answer = json.loads(call(name, json.dumps({**sound, **more})))
    assert answer["ok"] or ("unexpected" not in answer["error"] and answer["error"]["faults"]), answer


# ---- both languages

ANSWERS = {
    "choices": ("interleaving_choices", {}),
    **{f"list {method}": ("interleaving", {**OWN, "method": method}) for method in HERE},
    **{
        f"tally {method}": (
            "interleaving",
            {
                **OWN,
                "method": method,
                "impression": 12,
                "clicks": [{"impression": n, "doc_id": "a"} for n in range(1, 12)],
            },
        )
        for method in HERE
    },
    **{f"plan {method}": ("interleaving_plan", {**OWN, "method": method}) for method in HERE},
    "fixture": ("closed_corpus", {"query": "q3"}),
    "moved": ("closed_corpus", {"fixture": edited(d3=[3, 1])}),
    "contracts": ("contracts", {**RANKED[0], "measure": "nDCG@5"}),
    "repeated": ("contracts", {**RANKED[1], "measure": "AP"}),
    "nothing": ("contracts", {**RANKED[5], "measure": "AP"}),
}
SAME = re.compile(
    r"[^a-zA-Z]*|[ABxyp]|[a-z]+_eval-?\w*.*|rankproof|textbook|teaching|closed-corpus|pytrec_eval|k"
    r"|ranx|ir_measures|beir|mteb|scikit-learn|torchmetrics|ragas|elasticsearch|opensearch|quepid|ms-marco"
    r"|rag-ranking-metrics-v2|[+-][\d.e-]+|(nDCG|DCG|P|R|RR|AP|Bpref|RBP|Judged)(@5)?"
)
"""What reads alike in both languages: names, numbers, measures."""


@pytest.mark.parametrize("name", ANSWERS)
def test_every_text_is_there_in_both_languages(name: str) -> None:
    """Every text has Korean words in its Korean, or is a name, a number or a measure; no English is left in it."""
    call_, arguments = ANSWERS[name]
    for text in words(ask(call_, **arguments)):
        assert HANGUL.search(text["ko"]) or SAME.fullmatch(text["en"]), text
        assert not HANGUL.search(text["en"]), text


# ---- in a browser


def cards(shown) -> dict[str, str]:
    """Return what the cards say, by their labels."""
    return dict(
        zip(
            shown.locator(".cards dt").all_inner_texts(),
            shown.locator(".cards dd:not(.note-of)").all_inner_texts(),
            strict=True,
        )
    )


def test_clicks_are_tallied(tab) -> None:
    """A person clicks for one user after the other; the tally on the screen is the library's."""
    shown = tab("#/interleaving?seed=5")
    clicks = []
    for number, doc in enumerate("abac", 1):
        assert shown.get_by_role("heading", name=f"What user {number} sees").is_visible()
        button = shown.get_by_role("button", name=doc, exact=True)
        button.click()
        settled(shown)
        assert button.get_attribute("aria-pressed") == "true"
        clicks.append({"query_id": "own", "impression": number, "doc_id": doc})
        shown.get_by_role("button", name="Next user").click()
        settled(shown)
    expected = click_preferences(own_lists("team-draft", 4, seed=5), clicks).pairs[0].votes
    found = cards(shown)
    assert (found["A won"], found["ties"], found["B won"]) == tuple(map(str, expected))
    listed = own_lists("team-draft", 5, seed=5).lists[-1]
    assert shown.locator(".shown button").all_inner_texts() == list(listed.doc_ids)


def test_coins_are_flipped_and_come_back(tab) -> None:
    """The coin is the seed in the address: other coins start anew, and back brings the old tally with its clicks."""
    shown = tab("#/interleaving")
    shown.get_by_role("button", name="Let 20 simulated users click").click()
    shown.get_by_role("heading", name="What user 21 sees").wait_for()
    before = cards(settled(shown))
    shown.get_by_role("button", name="Flip the coins again").click()
    settled(shown)
    assert shown.evaluate("location.hash") == "#/interleaving?seed=1"
    assert shown.get_by_role("heading", name="What user 1 sees").is_visible()
    assert shown.get_by_text("Nobody has clicked yet.").is_visible()
    shown.go_back()
    shown.get_by_role("heading", name="What user 21 sees").wait_for()
    assert cards(settled(shown)) == before


def test_other_methods_and_the_example_are_shown(tab) -> None:
    """Method and lists follow the address; the example shows titles, and a list that is edited is drawn anew."""
    shown = tab("#/interleaving?source=example&query=ko-01&method=balanced&k=3", language="ko-KR")
    titles = shown.locator(".shown button").all_inner_texts()
    assert len(titles) == 3
    assert all(HANGUL.search(title) for title in titles)
    assert shown.locator(".team").count() == 0
    own = tab("#/interleaving?method=balanced")
    own.get_by_label("List A").fill("z\ny")
    own.get_by_role("button", name="z", exact=True).wait_for()
    own.get_by_label("List B").fill("")
    fault = own.get_by_role("alert")
    fault.wait_for()
    assert "B" in fault.inner_text()


def test_edits_of_the_fixture_show(tab) -> None:
    """A score changes nothing but the order; a vector changes candidates and ceiling; undo and reset bring all back."""
    shown = tab("#/closed-corpus")
    first = cards(shown)
    assert (first["recall of the candidates"], first["reranked"]) == ("0.250000", "0.458660")
    shown.get_by_label("d1: score").fill("2")
    shown.keyboard.press("Tab")
    settled(shown)
    second = cards(shown)
    assert (second["recall of the candidates"], second["reranked"]) == ("0.250000", "0.289382")
    assert second["ceiling of the candidates"] == first["ceiling of the candidates"]
    assert shown.get_by_text("no score can move them").is_visible()
    shown.get_by_role("button", name="Try a vector").click()
    settled(shown)
    third = cards(shown)
    assert third["ceiling of the candidates"] != first["ceiling of the candidates"]
    assert shown.get_by_text("d3 became a candidate").is_visible()
    shown.get_by_role("button", name="Undo").click()
    assert cards(settled(shown)) == second
    shown.get_by_role("button", name="Back to the fixture").click()
    assert cards(settled(shown)) == first


def test_query_of_the_fixture_is_in_the_address(tab) -> None:
    """Another query is another address, and back leads to the one before."""
    shown = tab("#/closed-corpus")
    shown.get_by_role("radio", name="q2").check(force=True)
    settled(shown)
    assert shown.evaluate("location.hash") == "#/closed-corpus?query=q2"
    assert shown.get_by_role("heading", name="Query q2 in the plane").is_visible()
    assert shown.get_by_text("Nothing relevant is among d3, d2").is_visible()
    shown.go_back()
    shown.get_by_role("heading", name="Query q1 in the plane").wait_for()


def test_contracts_follow_the_ranking(tab) -> None:
    """The values on the screen are the library's for what is written, and a mistake is selected at its place."""
    shown = tab("#/contracts?measure=P%403")
    shown.get_by_label("Grades in ranked order").fill("1 ? 0")
    settled(shown)
    expected = ask("contracts", grades="1 ? 0", missed="3 1", measure="P@3")["data"]["contracts"]
    table = shown.locator(".results section").first.locator("lab-table:not(lab-chart lab-table)").first
    seen = {row.split("\t")[0]: row.split("\t")[1].strip() for row in table.locator("tbody tr").all_inner_texts()}
    assert seen == {name: f"{one['value']:.6f}" for name, one in expected.items()}
    shown.get_by_label("Grades in ranked order").fill("1 ? bad")
    shown.get_by_role("alert").get_by_role("button").click()
    chosen = "(box) => [box.selectionStart, box.value.slice(box.selectionStart, box.selectionEnd)]"
    assert shown.get_by_label("Grades in ranked order").evaluate(chosen) == [4, "bad"]
    shown.get_by_role("button", name="A repeated document").click()
    settled(shown)
    refusing = sum(preset.contract.duplicate_document == "error" for preset in PRESETS.values())
    assert shown.get_by_text(f"{refusing} of them refuse the input").is_visible()


@pytest.mark.parametrize("address", ["#/interleaving", "#/closed-corpus", "#/contracts"])
@pytest.mark.parametrize(("language", "scheme"), [("en-US", "light"), ("ko-KR", "dark")])
def test_axe_finds_nothing(tab, address: str, language: str, scheme: str) -> None:
    """The checker axe finds no fault, wide and at 360 pixels, where nothing stands beyond the edge."""
    shown = tab(address, language=language, color_scheme=scheme)
    if address == "#/interleaving":
        shown.locator(".impression .buttons button").nth(1).click()
        shown.locator(".verdict").wait_for()
        settled(shown)
    shown.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    settled(shown)
    shown.evaluate(needed("node_modules/axe-core/axe.min.js").read_text("utf-8"))
    for width in (1280, 360):
        shown.set_viewport_size({"width": width, "height": 800})
        settled(shown)
        found = shown.evaluate("axe.run().then((result) => result.violations)")
        assert [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in found] == []
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
    for table in shown.locator("main table").all():
        if language == "ko-KR" and table.is_visible():
            assert HANGUL.search(table.inner_text())
