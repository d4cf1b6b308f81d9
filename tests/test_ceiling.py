"""Frozen candidates and their ceiling: against all orders, by hand, and every way to break the freeze."""

from __future__ import annotations

import json
from itertools import permutations
from math import log2

import pytest
from generators import DOCS
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rankproof.charts import Chart
from rankproof.errors import ContractError, InputError
from rankproof.evaluate import evaluate, values_of
from rankproof.measures import known_measures, parse
from rankproof.model import Ranking, Run
from rankproof.presets import PRESETS
from rankproof.presets import contract as contract_of
from rankproof.report.reranking import reranking_page
from rankproof.rerank.ceiling import rerank
from rankproof.rerank.telling import moves_rows, moves_table

EXAMPLES = list(
    dict.fromkeys(
        [
            *(name for measure in known_measures().values() for name in measure.examples),
            *("P@2", "R@1", "RR@2", "AP@2", "nDCG@2", "DCG@1", "CG@2", "RBP@2", "ERR(max=3)@2", "F@2", "Success@1"),
            *("P(rel=2)@1", "nDCG(rel=2)@3", "RBP(rbp-gain=raw)@1", "DCG(gain-table={1:5,2:1,3:2})@2", "AP(depth=2)"),
        ]
    )
)
MEASURES = [parse(name) for name in EXAMPLES]
RULES = {
    "a gain that is highest for the least grade": {"gain_table": "1:9,2:0,3:1"},
    "low gains zeroed": {"low_grade_gain": "zero", "relevant_from": 2},
    "cut": {"depth": 2},
    "condensed": {"unjudged": "condensed"},
    "other denominators": {
        "precision_denominator": "returned",
        "ap_denominator": "retrieved",
        "ideal": "retrieved",
        "ideal_depth": "returned",
        "negative_grade": "non-relevant",
    },
    "retrieved and cut": {"ideal": "retrieved", "ap_denominator": "retrieved", "depth": 2, "zero_denominator": "zero"},
}
CONTRACTS = {
    **{name: contract_of(name, negative_grade="unjudged", non_positive_score="keep") for name in PRESETS},
    **{name: contract_of("rankproof", **rules) for name, rules in RULES.items()},
}
UNKNOWN = {"Judged", "Unjudged", "DuplicateRate", "EvidenceRate", "RBPResidual", "NumQ", "NumRet", "NumRel"}
"""Measures that do not ask which documents are relevant."""


def with_orders(judged: dict, candidates: list[str], rest: list[str], given) -> dict[str, list]:
    """Return, by measure, the values of all orders of the candidates: each order as a query of its own."""
    orders = [[*order, *rest] for order in permutations(candidates)]
    run = Run("all", {str(at): Ranking(order) for at, order in enumerate(orders)})
    found = values_of(dict.fromkeys(run.rankings, judged), run, MEASURES, given)
    return {str(measure): list(found.per_query[str(measure)]) for measure in MEASURES}


@pytest.mark.parametrize("name", CONTRACTS)
@settings(max_examples=40, deadline=None)
@given(
    judged=st.dictionaries(st.sampled_from(DOCS[:6]), st.integers(-1, 3), min_size=1),
    candidates=st.lists(st.sampled_from(DOCS[:6]), unique=True, min_size=1, max_size=4),
    below=st.lists(st.sampled_from(DOCS[6:]), unique=True, max_size=2),
)
@example(judged={"d0": 1, "d1": 2, "d2": 3, "d10": 2}, candidates=["d3", "d0", "d1", "d2"], below=["d10"])
@example(judged={"d0": -1, "d1": 0, "d2": 1, "d3": 1}, candidates=["d0", "d1", "d2", "d3"], below=[])
def test_the_ceiling_is_the_best_of_all_orders(name: str, judged: dict, candidates: list, below: list) -> None:
    """For every measure the ceiling is its highest value over all orders of the candidates, the rest left below."""
    given = CONTRACTS[name]
    before = {"q": [*candidates, *below]}
    found = rerank({"q": judged}, before, before, MEASURES, given, depth=len(candidates))
    best = with_orders(judged, candidates, below, given)
    for measure in MEASURES:
        ceiling, values = found.ceiling.per_query[str(measure)][0], best[str(measure)]
        defined = [value for value in values if value is not None]
        if measure.symbol in UNKNOWN or (name == "condensed" and dict(measure.rules).get("depth")):
            assert ceiling is None
        elif not defined:
            assert ceiling is None, measure
        else:
            assert ceiling == pytest.approx(max(defined), abs=1e-12), measure
            assert ceiling == found.ceiling.means[str(measure)] or measure.over_queries == "geometric-mean"


def test_no_best_order_is_claimed_where_none_is_known() -> None:
    """A list condensed after its depth, scores that take documents out, and measures without relevance: no ceiling."""
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"b": 2.0, "a": 1.0}}
    for rules, says in (
        ({"unjudged": "condensed", "depth": 1}, "condensed after its depth"),
        ({"non_positive_score": "drop"}, "scores of 0 or less"),
    ):
        found = rerank(qrels, run, run, ["P@1"], contract_of("rankproof", **rules))
        assert (found.ceiling["P@1"], found.share["P@1"]) == (None, None)
        assert any(note.startswith("P@1 has no ceiling: ") and says in note for note in found.notes())
    found = rerank(qrels, run, run, ["Judged@1", "RR"])
    assert dict(found.ceiling) == {"Judged@1": None, "RR": 1.0}
    assert "Judged@1 has no ceiling: it does not ask which documents are relevant" in found.notes()
    assert found.before["Judged@1"] == 1.0


QRELS = {"q1": {"d2": 3, "d3": 1}, "q2": {"d4": 2}, "q3": {"d1": 0}}
BEFORE = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d3": 2.0, "d2": 1.0}, "q3": {"d3": 2.0, "d4": 1.0}}
AFTER = {"q1": ["d2", "d1"], "q2": ["d2", "d3"], "q3": ["d3", "d4"]}


def test_by_hand() -> None:
    """The closed case: nDCG@2 of q1 rises from 7/log2 3 to 7, over 7 + 1/log2 3; q2 cannot rise; q3 is left out."""
    ideal = 7 + 1 / log2(3)
    found = rerank(QRELS, BEFORE, AFTER, "nDCG@2", "closed-corpus")
    assert found.candidate_recall["R"] == 0.25
    assert found.candidate_recall.of_query("q1") == {"R": 0.5}
    assert found.before["nDCG@2"] == pytest.approx(7 / log2(3) / ideal / 2)
    assert found.after["nDCG@2"] == found.ceiling["nDCG@2"] == pytest.approx(7 / ideal / 2)
    assert found.share == {"nDCG@2": 1.0}
    assert found.share_per_query == {"nDCG@2": (1.0, None, None)}
    assert found.ceiling.per_query["nDCG@2"][1] == 0
    assert found.ceiling.per_query["nDCG@2"][2] is None
    assert found.ceiling.undefined["nDCG@2"] == {"no relevant document": ["q3"]}
    assert [tuple(move) for move in found.moves] == [
        ("q1", "d2", 3, 2, 1),
        ("q1", "d3", 1, None, None),
        ("q2", "d4", 2, None, None),
    ]
    assert found.moved() == {"rose": 1, "fell": 0, "stayed": 0, "missing": 2}
    assert found.recall_says.startswith("candidate recall 0.2500: the candidates are the ceiling, no order")
    assert (found.new, found.dropped, found.without_new) == ({}, {}, None)
    assert json.loads(json.dumps(found.to_dict()))["share_per_query"]["values"] == {"nDCG@2": [1.0, None, None]}


def test_share() -> None:
    """Half of the reachable gain is 0.5, harm is below 0, nothing to gain is None; of the means, and query by query."""
    qrels = {query: {"a": 1} for query in ("half", "harm", "top")}
    before = {"half": ["x", "y", "z", "a"], "harm": ["x", "a"], "top": ["a", "x"]}
    after = {"half": ["x", "a", "y", "z"], "harm": ["x", "a"], "top": ["x", "a"]}
    found = rerank(qrels, before, after, "RR")
    # half: 1/4 to 1/2 of 1, a third of 3/4; harm stays; top falls from where nothing is to gain
    assert found.share_per_query["RR"] == (pytest.approx(1 / 3), 0.0, None)
    means = (1 / 4 + 1 / 2 + 1) / 3, (1 / 2 + 1 / 2 + 1 / 2) / 3
    assert found.share["RR"] == pytest.approx((means[1] - means[0]) / (1 - means[0]))
    assert found.share["RR"] < 0
    assert (found.before.run, found.after.run, found.ceiling.run) == ("before", "after", "ceiling")


@settings(max_examples=100, deadline=None)
@given(
    judged=st.dictionaries(st.sampled_from(DOCS), st.integers(-1, 3), min_size=1),
    docs=st.lists(st.sampled_from(DOCS), unique=True, min_size=1, max_size=6),
    scores=st.lists(st.sampled_from([0.0, 1.0, 2.0]), min_size=6, max_size=6),
    order=st.randoms(use_true_random=False),
    ties=st.sampled_from(["expected", "document-id-ascending"]),
)
def test_before_and_after_are_what_evaluate_gives(judged, docs, scores, order, ties: str) -> None:
    """The values are those of `evaluate`; after lies at or below the ceiling; a share is never above 1."""
    before = {"q": dict(zip(docs, scores, strict=False))}
    after = {"q": dict(zip(order.sample(docs, len(docs)), scores, strict=False))}
    measures = ["nDCG@3", "AP", "RR", "Judged@2"]
    found = rerank({"q": judged}, before, after, measures, ties=ties)
    for side, given_run in ((found.before, before), (found.after, after)):
        expected = evaluate({"q": judged}, given_run, measures, ties=ties)
        assert (side.per_query, side.means, side.ties) == (expected.per_query, expected.means, expected.ties)
    for measure in measures[:3]:
        value, ceiling, share = found.after[measure], found.ceiling[measure], found.share[measure]
        assert value is None or value <= ceiling + 1e-12
        assert share is None or share <= 1 + 1e-9


def says(error: pytest.ExceptionInfo) -> list[str]:
    return str(error.value).splitlines()


def test_a_document_from_outside_breaks_the_freeze() -> None:
    """Every new document and every missing candidate is named with its query, over all queries."""
    after = {"q1": ["d2", "d1", "d3"], "q2": ["d2"], "q3": ["d4", "d3"]}
    with pytest.raises(InputError) as error:
        rerank(QRELS, BEFORE, after)
    assert says(error)[:2] == [
        "after: query q1, document d3: stands at rank 3, but is no candidate",
        "after: query q2, document d3: is a candidate, but the reranked run lacks it",
    ]
    assert "--allow-new" in str(error.value)
    assert "--rule depth=K" in str(error.value)


FIFTY = {query: [f"d{at}" for at in range(50)] for query in ("1", "2")}
FIFTY_QRELS = {"1": {"d3": 1}, "2": {"d30": 1}}


def test_a_short_list_is_one_line_a_query() -> None:
    """Where each list is a permutation of the first 20 of 50, each query has one line, and both ways out are named."""
    short = {query: docs[19::-1] for query, docs in FIFTY.items()}
    with pytest.raises(InputError) as error:
        rerank(FIFTY_QRELS, FIFTY, short)
    assert says(error) == [
        "after: query 1: 30 of 50 candidates are missing, such as d20",
        "after: query 2: 30 of 50 candidates are missing, such as d20",
        "",
        "hint: only the first 20 were reranked: --depth 20; all 50 were reranked and the rest cut off: --rule depth=20",
    ]
    rerank(FIFTY_QRELS, FIFTY, short, depth=20)
    rerank(FIFTY_QRELS, FIFTY, short, contract=contract_of("rankproof", depth=20))


def test_a_list_that_was_cut_is_told_its_rule() -> None:
    """Where the lists are no permutation of the first candidates, all were reranked: only the rule depth is named."""
    cut = {"1": FIFTY["1"][30:], "2": FIFTY["2"][:25]}
    with pytest.raises(InputError) as error:
        rerank(FIFTY_QRELS, FIFTY, cut)
    assert says(error)[-1] == (
        "hint: if the rest was cut off after reranking, --rule depth=20 compares the first 20 places"
    )
    rerank(FIFTY_QRELS, FIFTY, cut, contract=contract_of("rankproof", depth=20))


def test_documents_from_outside_are_one_line_a_query() -> None:
    """Several new documents of a query are one fault that counts them, at the first of them."""
    with pytest.raises(InputError) as error:
        rerank(QRELS, {**BEFORE, "q2": ["d9"]}, {**AFTER, "q2": ["d7", "d8", "d9"], "q1": ["d2", "d5"]})
    assert says(error)[:3] == [
        "after: query q1, document d5: stands at rank 2, but is no candidate",
        "after: query q1, document d1: is a candidate, but the reranked run lacks it",
        "after: query q2, document d7: stands at rank 1, but is no candidate; nor is 1 other",
    ]
    assert "swapped" not in str(error.value)


def test_swapped_runs_are_suspected() -> None:
    """Where for each query the first run holds what the second holds, or less, it is asked whether they are swapped."""
    short = {query: docs[19::-1] for query, docs in FIFTY.items()}
    with pytest.raises(InputError, match="hint: are the two runs swapped"):
        rerank(FIFTY_QRELS, short, FIFTY)
    with pytest.raises(InputError) as error:
        rerank(FIFTY_QRELS, short, {**FIFTY, "2": FIFTY["2"][1:]})
    assert "swapped" not in str(error.value)


def test_a_query_that_one_run_lacks() -> None:
    """A judged query that only one of the runs answers is an error that names it; an unjudged one is not looked at."""
    with pytest.raises(InputError) as error:
        rerank(QRELS, BEFORE, {"q1": ["d2", "d1"], "q3": ["d3", "d4"]})
    first, _, hint = says(error)
    assert first == "after: query q2: absent, but before answers it"
    assert "rerank each, or leave it out of both runs" in hint
    with pytest.raises(InputError, match="before: query q2: absent, but after answers it"):
        rerank(QRELS, {"q1": ["d2", "d1"], "q3": ["d3", "d4"]}, AFTER)
    found = rerank(QRELS, {**BEFORE, "extra": ["d9"]}, {**AFTER, "other": ["d8"]}, "RR")
    assert found.before.groups["unjudged"] == ["extra"]
    found = rerank({**QRELS, "q9": {"d1": 1}}, BEFORE, AFTER, "RR")
    assert found.ceiling.of_query("q9") == {"RR": 0}
    with pytest.raises(ContractError, match="no query in common"):
        rerank({"elsewhere": {"d1": 1}}, BEFORE, AFTER)


def test_allow_new_reports_apart() -> None:
    """New documents and dropped candidates are listed; their queries and the means have no share."""
    after = {"q1": ["d3", "d2", "d1"], "q2": ["d4", "d2"], "q3": ["d4", "d3"]}
    found = rerank(QRELS, BEFORE, after, "RR", allow_new=True)
    assert found.new == {"q1": ["d3"], "q2": ["d4"]}
    assert found.dropped == {"q2": ["d3"]}
    assert (found.share, found.share_per_query) == ({"RR": None}, {"RR": (None, None, None)})
    assert found.after.per_query["RR"] == (1.0, 1.0, None)
    assert found.without_new is not None
    assert found.without_new.per_query["RR"] == (1.0, 0.0, None)
    assert found.ceiling.per_query["RR"] == (1.0, 0.0, None)
    notes = "\n".join(found.notes())
    assert "freeze broken: 2 documents (new, no candidates), in 2 queries (q1, q2)" in notes
    assert "freeze broken: 1 document (missing candidates), in 1 query (q2)" in notes
    assert "the ceiling does not bound these queries" in notes
    whole = rerank(
        {"a": {"x": 1}, "b": {"x": 0}},
        {"a": ["y", "x"], "b": ["y"]},
        {"a": ["x", "y"], "b": ["z"]},
        "RR",
        allow_new=True,
    )
    assert whole.share == {"RR": 1.0}, "a query that has no value does not touch the share of the means"


LONG = {"q": ["a", "b", "c", "d", "e"]}
JUDGED = {"q": {"c": 2, "e": 1}}


@pytest.mark.parametrize(
    ("after", "shortened"),
    [(["c", "a", "b", "d", "e"], []), (["c", "a", "b", "d"], ["q"]), (["c", "a", "b"], ["q"])],
)
def test_depth(after: list[str], shortened: list[str]) -> None:
    """Only the first N were reranked: the rest stays as it was, or ends, and then before ends there too."""
    found = rerank(JUDGED, LONG, {"q": after}, ["R", "RR"], depth=3)
    recall = 1.0 if len(after) == 5 else 0.5
    assert dict(found.before) == {"R": recall, "RR": 1 / 3}
    assert dict(found.after) == {"R": recall, "RR": 1}
    assert dict(found.ceiling) == {"R": recall, "RR": 1}
    assert found.candidate_recall["R"] == 0.5
    assert (found.share, list(found.shortened)) == ({"R": None, "RR": 1.0}, shortened)
    assert any("looked at only as far" in note for note in found.notes()) == bool(shortened)


@pytest.mark.parametrize(
    ("after", "names"),
    [
        (["c", "a", "d", "b", "e"], "document d: stands at rank 3"),
        (["c", "a", "b", "e", "d"], "document e: stands at rank 4"),
        (["c", "a", "b", "e"], "document e: stands at rank 4"),
        (["c", "a"], "document b: is a candidate"),
    ],
)
def test_depth_is_strict(after: list[str], names: str) -> None:
    """What crosses the depth, or moves below it, is no candidate; a candidate may not be missing."""
    with pytest.raises(InputError) as error:
        rerank(JUDGED, LONG, {"q": after}, depth=3)
    assert names in str(error.value)


def test_a_run_that_was_cut_is_compared_under_the_rule_depth() -> None:
    """Where no measure looks below depth K, a reranked run may end there; the ceiling counts all candidates."""
    cut = contract_of("rankproof", depth=2)
    found = rerank(JUDGED, LONG, {"q": ["a", "e"]}, ["RR", "R"], cut)
    assert dict(found.before) == {"RR": 0, "R": 0}
    assert dict(found.after) == {"RR": 0.5, "R": 0.5}
    assert dict(found.ceiling) == {"RR": 1, "R": 1}
    assert found.candidate_recall["R"] == 1.0
    assert found.recall_says.endswith("they hold every relevant document")
    assert [tuple(move)[3:] for move in found.moves] == [(3, None), (5, 2)]
    for after, measures in ((["a"], ["RR"]), (["a", "x"], ["RR"]), (["a", "e"], ["RR", "R(depth=3)"])):
        with pytest.raises(InputError):
            rerank(JUDGED, LONG, {"q": after}, measures, cut)


def test_pool_of_the_ceiling() -> None:
    """The notes name the candidates that the ceiling rests on: all of them, or the first; and how far values look."""
    runs = (JUDGED, LONG, LONG)
    for found, says_so in (
        (rerank(*runs, "RR"), "the ceiling is the best order of all 5 documents that before gives for a query"),
        (rerank(*runs, "RR", depth=3), "of the first 3 documents that before gives for a query"),
        (rerank(*runs, "RR", contract_of("rankproof", depth=2)), "query; values look at the first 2 places"),
        (rerank({**JUDGED, "r": {"x": 1}}, {**LONG, "r": ["x"]}, {**LONG, "r": ["x"]}, "RR"), "all 1-5 documents"),
    ):
        assert any(says_so in note for note in found.notes()), found.notes()


def test_where_documents_went() -> None:
    """What stood within the cut and is gone fell; what stood below the candidates, or in neither list, says nothing."""
    judged = {"q": dict.fromkeys("abcdex", 1)}
    cut = rerank(judged, LONG, {"q": ["d", "a"]}, "RR", contract_of("rankproof", depth=2))
    # a: 1 to 2, b: 2 to gone, d: 4 to 1; c and e: below the cut in both; x: nowhere
    assert cut.moved() == {"rose": 1, "fell": 2, "stayed": 0, "missing": 3}
    first = rerank(judged, LONG, {"q": ["b", "a"]}, "RR", depth=2)
    assert first.moved() == {"rose": 1, "fell": 1, "stayed": 0, "missing": 4}
    broken = rerank(judged, LONG, {"q": ["b", "x"]}, "RR", contract_of("rankproof", depth=2), allow_new=True)
    assert broken.moved() == {"rose": 1, "fell": 0, "stayed": 0, "missing": 5}


@pytest.mark.parametrize("rules", [{"depth": 2}, {}])
def test_the_report_counts_as_the_command_does(rules: dict) -> None:
    """The chart counts as risen, fallen and stayed what the notes count, and draws no more than these."""
    judged = {"q": dict.fromkeys("abcdex", 1), "r": {"a": 1}}
    before, after = {**LONG, "r": ["b", "a"]}, {"q": ["b", "a"], "r": ["a", "b"]}
    if rules:
        found = rerank(judged, before, after, "RR", contract_of("rankproof", **rules))
    else:
        found = rerank(judged, before, after, "RR", depth=2)
    (moved,) = [
        block
        for section in reranking_page(found).sections
        if section.heading.en == "Relevant documents"
        for block in section.blocks
        if isinstance(block, Chart)
    ]
    counts = found.moved()
    assert f"{counts['rose']} up, {counts['fell']} down, {counts['stayed']} stay;" in moved.alt.en
    assert len(moved.table.rows) == counts["rose"] + counts["fell"] + counts["stayed"] == 3


def test_the_labels_are_looked_at() -> None:
    """The comparison tells the share of unjudged documents: after reranking, one of the first ten of d1 to d12."""
    docs = [f"d{at}" for at in range(1, 13)]
    qrels = {f"q{at}": {**dict.fromkeys(docs[:10], 0), "d11": 1} for at in range(8)}
    best = ["d11", "d12", *docs[:10]]
    before, after = dict.fromkeys(qrels, tuple(docs)), dict.fromkeys(qrels, tuple(best))
    found = rerank(qrels, before, after, "P@10")
    assert found.comparison is not None
    labels = found.comparison.differences[0].labels
    assert (labels.baseline_unjudged, labels.run_unjudged) == (0.0, 0.1)
    assert [str(table.title) for table in found.tables()[1:]] == [
        "what the differences show",
        "how complete the labels are",
    ]
    notes = found.notes()
    assert any("seed 1" in note for note in notes)
    assert any("labels are incomplete" in note for note in notes)


def test_shown() -> None:
    """Printed, and in a notebook, a reranking is its sentence, tables and notes; in Korean too where a report asks."""
    found = rerank(QRELS, BEFORE, AFTER, "nDCG@2", "closed-corpus")
    for text in (repr(found), found._repr_html_()):
        for part in (found.recall_says, "share", "not enough queries", "1 rose, 0 fell"):
            assert part in text
    page = reranking_page(found)
    assert [type(block).__name__ for block in page.lead] == ["Verdict", "Cards"]
    assert page.lead[0].word.en == "Not enough queries"
    assert [card.value for card in page.lead[1].cards] == ["0.2894", "0.4587", "0.4587", "1.0000"]
    assert [row[3:] for row in moves_table(found).rows] == [[2, 1, 1], ["–", "–", "–"], ["–", "–", "–"]]
    assert [row[3:] for row in moves_rows(found)] == [[2, 1, 1], [None, None, None], [None, None, None]]
    counts = rerank(QRELS, BEFORE, AFTER, "NumRet")
    assert counts.comparison is None
    assert [type(block).__name__ for block in reranking_page(counts).lead] == ["Cards"]


def test_inputs() -> None:
    """Each side is one run; the depth is a whole number; what is wrong with a side is told of that side."""
    with pytest.raises(InputError, match="before: holds 2 runs; expected one"):
        rerank(QRELS, {"x": BEFORE, "y": BEFORE}, AFTER)
    with pytest.raises(InputError, match="after: query q1, document d1, column score"):
        rerank(QRELS, BEFORE, {**AFTER, "q1": {"d1": "high"}})
    for depth in (0, True, 1.5):
        with pytest.raises(InputError, match="depth cannot be"):
            rerank(QRELS, BEFORE, AFTER, depth=depth)
    named = rerank(QRELS, Run("bm25", {q: Ranking(list(docs)) for q, docs in BEFORE.items()}), {"mine": AFTER}, "RR")
    assert (named.before.run, named.after.run) == ("bm25", "mine")
    kept = json.dumps([QRELS, BEFORE, AFTER])
    rerank(QRELS, BEFORE, AFTER)
    assert json.dumps([QRELS, BEFORE, AFTER]) == kept


def test_ideal_of_the_retrieved_stands_beside() -> None:
    """Where the contract's ideal is what was retrieved, the honest one stands beside, with a ceiling of its own."""
    found = rerank(QRELS, BEFORE, AFTER, "nDCG@2", ideal="retrieved")
    assert found.ceiling.of_query("q1")["nDCG@2"] == 1
    assert found.ceiling.of_query("q1")["nDCG(ideal=all-judged)@2"] == pytest.approx(3 / (3 + 1 / log2(3)))
    # q2: what was retrieved has no gain, nothing to divide by
    assert found.ceiling.of_query("q2")["nDCG@2"] is None
    assert found.share["nDCG@2"] == 1


def test_a_mean_over_other_queries_has_no_share() -> None:
    """AP@1 over the relevant ones retrieved is undefined where none is: the means are then over other queries."""
    found = rerank({"q": {"a": 1}}, {"q": ["x", "a"]}, {"q": ["a", "x"]}, "AP@1", ap_denominator="retrieved")
    assert (found.before["AP@1"], found.after["AP@1"], found.ceiling["AP@1"]) == (None, 1, 1)
    assert found.share == {"AP@1": None}


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("q1 0 d2 3\nq1 0 d3 1\nq2 0 d4 2\n")
    (tmp_path / "before").write_text("q1 Q0 d1 1 2 b\nq1 Q0 d2 2 1 b\nq2 Q0 d3 1 2 b\nq2 Q0 d2 2 1 b\n")
    (tmp_path / "after").write_text("q1 Q0 d2 1 2 a\nq1 Q0 d1 2 1 a\nq2 Q0 d3 1 2 a\nq2 Q0 d2 2 1 a\n")
    (tmp_path / "wrong").write_text("q1 Q0 d2 1 2 a\nq1 Q0 d3 2 1 a\nq2 Q0 d3 1 2 a\nq2 Q0 d2 2 1 a\n")
    (tmp_path / "lab.json").write_text('[{"queryId": "q", "relevant": [], "before": [], "after": []}]')
    return tmp_path


def test_command_table(files, in_process) -> None:
    """Candidate recall first, then a row a measure; per query and moves when asked for; talk on stderr."""
    done = in_process("rerank", "qrels", "before", "after", "-m", "RR", "-m", "Judged@1", "-q", "--moves")
    lines = [line.split() for line in done.out.splitlines()]
    assert lines[0][:3] == ["candidate", "recall", "0.2500:"]
    assert lines[2] == ["measure", "before", "after", "ceiling", "share"]
    assert lines[3] == ["RR", "0.2500", "0.5000", "0.5000", "1.0000"]
    assert lines[4] == ["Judged@1", "0.0000", "0.5000", "null", "null"]
    assert ["q1", "0.5000", "0.5000", "1.0000", "1.0000", "1.0000"] in lines
    assert ["q1", "d2", "3", "2", "1", "1"] in lines
    assert "relevant documents: 1 rose, 0 fell, 0 stayed, 2 are missing from one list or both" in done.err
    assert "Judged@1 has no ceiling" in done.err
    assert done.status == 0


def test_command_formats(files, in_process) -> None:
    """CSV, TSV, Markdown and JSON hold the same numbers."""
    asked = ("rerank", "qrels", "before", "after", "-m", "RR", "--format")
    assert in_process(*asked, "csv", "-q").out.splitlines() == [
        "query_id,candidate_recall,measure,before,after,ceiling,share",
        "q1,0.5,RR,0.5,1.0,1.0,1.0",
        "q2,0.0,RR,0.0,0.0,0.0,",
        "all,0.25,RR,0.25,0.5,0.5,1.0",
    ]
    assert in_process(*asked, "tsv", "--moves").out.splitlines()[:2] == [
        "query_id\tdoc_id\tgrade\tbefore\tafter\trose",
        "q1\td2\t3\t2\t1\t1",
    ]
    markdown = in_process(*asked, "markdown").out
    assert markdown.startswith("**candidate recall 0.2500")
    assert "| RR | 0.2500 | 0.5000 | 0.5000 | 1.0000 |" in markdown
    assert "- contract rankproof" in markdown
    content = json.loads(in_process(*asked, "json", "--depth", "2", "--rule", "depth=9").out)
    assert content["command"] == "rerank"
    assert [one["role"] for one in content["inputs"]] == ["qrels", "run", "run"]
    assert (content["share"], content["depth"], content["contract"]["rules"]["depth"]) == ({"RR": 1.0}, 2, 9)
    assert content["ceiling"]["means"] == {"RR": 0.5}
    assert content["moves"][0] == {"query_id": "q1", "doc_id": "d2", "grade": 3, "before": 2, "after": 1}


def test_command_report(files, in_process) -> None:
    """The report of two runs, and that of a lab file, speaks both languages and has what the command prints."""
    for inputs, says_so in (
        (("qrels", "before", "after"), ("candidate recall 0.2500", "후보 재현율 0.2500", "1 up, 0 down, 0 stay")),
        (("lab.json",), ("no query has a relevant document", "적합 문서가 있는 질의가 없어", "rag-ranking-metrics-v2")),
    ):
        done = in_process("rerank", *inputs, "--report", "report.html")
        assert done.status == 0, done.err
        assert "report written to report.html" in done.err
        text = (files / "report.html").read_text("utf-8")
        for part in says_so:
            assert part in text
        assert f"rankproof rerank {' '.join(inputs)}" in text


def test_command_breaks(files, in_process) -> None:
    """A broken freeze names file, line, query and document, and ends with 2; --allow-new reports it apart."""
    done = in_process("rerank", "qrels", "before", "wrong")
    assert done.status == 2
    assert done.err.splitlines()[:2] == [
        "error: wrong:2: query q1, document d3: stands at rank 2, but is no candidate",
        "wrong: query q1, document d1: is a candidate, but the reranked run lacks it",
    ]
    done = in_process("rerank", "qrels", "before", "wrong", "-m", "R", "--allow-new", "-q")
    lines = [line.split() for line in done.out.splitlines()]
    assert lines[2:4] == [
        ["measure", "before", "after", "ceiling", "share", "after_without_new"],
        ["R", "0.2500", "0.5000", "0.2500", "null", "0.2500"],
    ]
    assert ["q1", "d3", "new"] in lines
    assert ["q1", "d1", "dropped"] in lines
    content = json.loads(in_process("rerank", "qrels", "before", "wrong", "--allow-new", "--format", "json").out)
    assert (content["new"], content["dropped"]) == ({"q1": ["d3"]}, {"q1": ["d1"]})


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["lab.json", "--moves"], "--moves does not belong to a lab file"),
        (["lab.json", "--report", "x.pdf"], "x.pdf: is no report that can be written"),
        (["lab.json", "--allow-new"], "--allow-new does not belong to a lab file"),
        (["lab.json", "-m", "RR"], "--measure does not belong to a lab file"),
        (["lab.json", "--contract", "rankproof"], "--contract does not belong to a lab file; expected QRELS BEFORE"),
        (["qrels", "before", "after", "-k", "5"], "-k does not belong to QRELS BEFORE AFTER; expected a measure"),
        (["qrels", "before"], "2 files are given; expected LAB, or QRELS BEFORE AFTER"),
        (["qrels", "before", "after", "-m", "RR", "AP"], "hint: several measures: -m before each"),
        (["-", "-", "after"], "standard input can be read once only"),
        (["qrels", "before", "after", "--rule", "depth=x"], "depth cannot be 'x'"),
    ],
)
def test_command_options_of_the_other_form(files, in_process, arguments: list[str], part: str) -> None:
    """An option that does not belong to the form used is refused by name."""
    done = in_process("rerank", *arguments)
    assert (done.status, done.out) == (2, "")
    assert part in done.err


def test_two_runs_of_one_name() -> None:
    """Runs from before and after that bear one name are still compared: the reranked one is called so."""
    runs = [Run("bm25", {query: Ranking(list(docs)) for query, docs in side.items()}) for side in (BEFORE, AFTER)]
    found = rerank(QRELS, *runs, "RR")
    assert (found.before.run, found.after.run) == ("bm25", "bm25")
    assert found.comparison is not None
    assert list(found.comparison.runs) == ["bm25, reranked"]
