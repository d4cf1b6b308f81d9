"""Judges: their grades merged, how well they agree, where they differ."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap
from sklearn.metrics import cohen_kappa_score

import rankproof as rp
from rankproof.errors import ContractError, InputError, MissingPackageError, RankproofWarning
from rankproof.pool import RESOLVE, Agreement, resolved
from rankproof.words import term

HANGUL = re.compile("[가-힣]")
NO_INTERVALS = {"resamples": 0}


def qrels_of(columns: Sequence[int | None], a_query: int = 1) -> dict[str, dict[str, int]]:
    """Return one judge's qrels of a column of grades, `a_query` items a query; None is not judged."""
    found: dict[str, dict[str, int]] = {}
    for at, grade in enumerate(columns):
        if grade is not None:
            found.setdefault(f"q{at // a_query}", {})[f"d{at}"] = grade
    return found


def merged(*columns: Sequence[int | None], a_query: int = 1, **options: object) -> rp.MergedJudges:
    judges = {f"j{at}": qrels for at, column in enumerate(columns, 1) if (qrels := qrels_of(column, a_query))}
    return rp.merge_judges(judges, **{**NO_INTERVALS, **options})


def values(found: Agreement) -> dict[str, float | None]:
    return {name: one.value for name, one in found.coefficients.items()}


# ---- published examples

FLEISS = [
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
]
"""Ten subjects, fourteen raters, five categories: the worked example of Wikipedia's article on Fleiss' kappa."""
N = None
WIKIPEDIA = [
    (N, N, N, N, N, 3, 4, 1, 2, 1, 1, 3, 3, N, 3),
    (1, N, 2, 1, 3, 3, 4, 3, N, N, N, N, N, N, N),
    (N, N, 2, 1, 3, 4, 4, N, 2, 1, 1, 3, 3, N, 4),
]
"""Three coders, fifteen units: Wikipedia's article on Krippendorff's alpha."""
KRIPPENDORFF = [
    (1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3),
    (N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N),
]
"""Four observers, twelve units: Krippendorff 2011, Computing Krippendorff's Alpha-Reliability."""


def test_fleiss_kappa_as_published() -> None:
    """The worked example has Fleiss' kappa 0.20993."""
    rows = [[grade for grade, count in enumerate(row, 1) for _ in range(count)] for row in FLEISS]
    found = merged(*zip(*rows, strict=True))
    assert found.agreements[0].coefficients["fleiss"].value == pytest.approx(0.20993, abs=5e-6)
    assert (found.agreements[0].fleiss_judges, found.agreements[0].fleiss_left_out) == (14, 0)


def test_cohens_kappa_as_published() -> None:
    """Of 50 proposals two readers accept 20 both, 5 and 10 one alone, 15 neither: kappa 0.40, agreement 0.70."""
    pairs = [(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15
    found = merged(*zip(*pairs, strict=True)).pairs[0]
    assert values(found) == {
        "agreement": 0.7,
        **dict.fromkeys(("cohen", "cohen_linear", "cohen_quadratic"), pytest.approx(0.4, abs=1e-12)),
    }
    assert (found.items, found.queries) == (50, 50)


@pytest.mark.parametrize(
    ("coders", "nominal", "interval"), [(WIKIPEDIA, 0.691358, 0.810845), (KRIPPENDORFF, 0.743421, 0.849107)]
)
def test_krippendorffs_alpha_as_published(coders: list, nominal: float, interval: float) -> None:
    """Both published examples, with units that some or all coders left out, have their alphas."""
    found = values(merged(*coders).agreements[0])
    assert found["alpha_nominal"] == pytest.approx(nominal, abs=1e-6)
    assert found["alpha_interval"] == pytest.approx(interval, abs=1e-6)


def test_ordinal_alpha_as_published() -> None:
    """Krippendorff's own example has the ordinal alpha .815."""
    assert values(merged(*KRIPPENDORFF).agreements[0])["alpha_ordinal"] == pytest.approx(0.815, abs=5e-4)


# ---- agreement by another tool, by hand and by law

GRADES = st.lists(st.tuples(*[st.sampled_from([0, 1, 2, None])] * 3), min_size=1, max_size=12)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=15))
def test_cohens_kappa_is_scikit_learns(pairs: list[tuple[int, int]]) -> None:
    """The three kappas are those of scikit-learn; undefined where both judges gave one and the same grade only."""
    found = merged(*zip(*pairs, strict=True)).pairs[0].coefficients
    left, right = zip(*pairs, strict=True)
    for name, weights in (("cohen", None), ("cohen_linear", "linear"), ("cohen_quadratic", "quadratic")):
        if len({*left, *right}) == 1:
            assert (found[name].value, found[name].undefined) == (None, "only one grade was given")
        else:
            expected = cohen_kappa_score(left, right, labels=[0, 1, 2, 3], weights=weights)
            assert found[name].value == pytest.approx(expected, abs=1e-12)


def test_kappa_weighs_by_the_grades_themselves() -> None:
    """Where no grade 1 was given, 0 and 2 are as far apart as where it was: not one step, but two."""
    left, right = [0, 2, 3, 3, 0, 2], [0, 3, 3, 2, 2, 2]
    found = values(merged(left, right).pairs[0])
    assert found["cohen_linear"] == pytest.approx(
        cohen_kappa_score(left, right, labels=[0, 1, 2, 3], weights="linear"), abs=1e-12
    )
    assert found["cohen_linear"] != pytest.approx(cohen_kappa_score(left, right, weights="linear"), abs=1e-3)


@given(GRADES)
def test_raw_agreement_is_the_share_of_equal_pairs(rows: list[tuple]) -> None:
    """Of all pairs of grades of one item, the equal ones; undefined where no item has two judges."""
    assume(any(grade is not None for row in rows for grade in row))
    pairs = [
        (one, other) for row in rows for one, other in combinations([grade for grade in row if grade is not None], 2)
    ]
    found = merged(*zip(*rows, strict=True)).agreements
    share = sum(one == other for one, other in pairs) / len(pairs) if pairs else None
    if found:
        assert found[0].coefficients["agreement"].value == share


@given(GRADES, st.permutations([0, 1, 2]))
def test_agreement_of_a_group_takes_no_side(rows: list[tuple], order: list[int]) -> None:
    """Judges in another order agree as well; where all agree, each coefficient that is defined is 1."""
    columns = list(zip(*rows, strict=True))
    assume(all(any(grade is not None for grade in column) for column in columns))
    one, other = (merged(*chosen).agreements[0] for chosen in (columns, [columns[at] for at in order]))
    for name, value in values(one).items():
        assert values(other)[name] == (None if value is None else pytest.approx(value, abs=1e-12)), name
    alike = merged(columns[0], columns[0], columns[0]).agreements[0]
    assert all(value is None or value == pytest.approx(1, abs=1e-12) for value in values(alike).values())


def test_fleiss_takes_items_of_one_size() -> None:
    """Of two items with three judges and one with two, the two are taken, and the one is counted as left out."""
    found = merged([1, 0, 1], [1, 0, 0], [0, 0, None])
    group = found.agreements[0]
    assert (group.fleiss_judges, group.fleiss_left_out) == (3, 1)
    assert (group.coefficients["fleiss"].items, group.coefficients["alpha_nominal"].items) == (2, 3)
    # By hand: agreement (1/3 + 1)/2 = 2/3; shares 2/6 and 4/6, by chance 5/9; (2/3 - 5/9) / (4/9) = 1/4
    assert group.coefficients["fleiss"].value == pytest.approx(0.25, abs=1e-12)
    assert "leaves 1 document out" in "\n".join(found.notes())


def test_what_is_undefined_says_why() -> None:
    """One grade only, and no document in common, are None with the reason; raw agreement of one grade is 1."""
    one_grade = merged([1, 1], [1, 1])
    assert values(one_grade.pairs[0]) == {
        "agreement": 1,
        "cohen": None,
        "cohen_linear": None,
        "cohen_quadratic": None,
    }
    assert {one.undefined for name, one in one_grade.agreements[0].coefficients.items() if name != "agreement"} == {
        "only one grade was given"
    }
    apart = merged([1, None], [None, 1])
    assert {one.undefined for one in apart.pairs[0].coefficients.values()} == {"no document was judged by both"}
    assert {one.undefined for one in apart.agreements[0].coefficients.values()} == {"no document has two judges"}
    assert "undefined, because no document was judged by both: raw agreement of j1 and j2" in repr(apart)
    assert merged([1, 0]).agreements == []
    assert "one judge: there is no agreement to find" in merged([1, 0]).notes()


# ---- intervals

SIDES = [(at % 3 > 0, at % 7 > 1) for at in range(60)]


def test_intervals_are_scipys() -> None:
    """With one item a query, the interval of raw agreement is SciPy's percentile bootstrap's, but for its draws."""
    found = merged(*zip(*SIDES, strict=True), resamples=4000).pairs[0].coefficients["agreement"]
    equal = [one == other for one, other in SIDES]
    drawn = bootstrap((equal,), np.mean, n_resamples=4000, method="percentile", rng=np.random.default_rng(1))
    assert found.interval == pytest.approx(tuple(drawn.confidence_interval), abs=0.02)
    assert (found.draws, found.no_interval) == (4000, None)


def test_queries_are_drawn_whole() -> None:
    """Items that repeat within their query change no interval; as queries of their own they make it narrower."""
    alone = merged(*zip(*SIDES, strict=True), resamples=500)
    within = merged(*zip(*[pair for pair in SIDES for _ in range(3)], strict=True), a_query=3, resamples=500)
    beside = merged(*zip(*[pair for pair in SIDES for _ in range(3)], strict=True), resamples=500)
    for name, one in alone.pairs[0].coefficients.items():
        assert within.pairs[0].coefficients[name].interval == pytest.approx(one.interval, abs=1e-12)
        low, high = beside.pairs[0].coefficients[name].interval
        assert high - low < one.interval.high - one.interval.low


def test_the_seed_decides() -> None:
    """The same seed gives the same intervals, another one others; a higher level contains a lower one."""
    columns = list(zip(*SIDES, strict=True))
    one, again, other = (merged(*columns, resamples=200, seed=seed).to_dict() for seed in (1, 1, 2))
    assert one == again
    assert one["pairs"] != other["pairs"]
    wide, narrow = (
        merged(*columns, resamples=300, confidence=level).pairs[0].coefficients["cohen"].interval
        for level in (0.99, 0.8)
    )
    assert wide.low < narrow.low < narrow.high < wide.high


def test_where_there_is_no_interval() -> None:
    """One query cannot be drawn again; resamples in which a kappa is undefined are left out, and counted."""
    one_query = merged([0, 1, 1], [0, 1, 0], a_query=3, resamples=100)
    assert one_query.pairs[0].coefficients["cohen"].no_interval == "one query cannot be drawn again"
    assert one_query.pairs[0].coefficients["cohen"].interval is None
    rare = merged([0, 1, 1, 1], [0, 1, 1, 1], resamples=1000).pairs[0].coefficients
    assert rare["agreement"].draws == 1000
    assert 0.6 < rare["cohen"].draws / 1000 < 0.76  # without the 0 in (3/4)^4 of all draws, 0 alone in (1/4)^4: 0.68
    assert rare["cohen"].interval == (1, 1)


# ---- one grade of several


@pytest.mark.parametrize(
    ("how", "grades", "grade"),
    [
        ("majority", [2, 0, 2], 2),
        ("majority", [0, 0, 1, 2], 0),
        ("majority", [0, 2], None),
        ("majority", [3], 3),
        ("mean", [0, 1, 1], 2 / 3),
        ("mean", [1, 3], 2),
        ("max", [0, 3, 1], 3),
        ("min", [2, 1], 1),
        ("median", [0, 3, 1], 1),
        ("median", [0, 1], 0.5),
        ("unanimous", [2, 2], 2),
        ("unanimous", [2, 2, 1], None),
    ],
)
def test_resolved_by_hand(how: str, grades: list[int], grade: float | None) -> None:
    """Each way to one grade, on grades small enough to see."""
    found = resolved(grades, how)
    assert found == (None if grade is None else pytest.approx(grade, abs=1e-15))
    assert isinstance(found, int) == (grade is not None and float(grade).is_integer())


@pytest.mark.parametrize(
    ("given_", "says"),
    [
        (([1], "xx"), r"resolve cannot be 'xx'; expected one of majority, mean"),
        (([1], "majority", "xx"), r"ties cannot be 'xx'"),
        (([1], "mean", "max"), r"mean leaves nothing open"),
        (([], "mean"), r"there is no grade to resolve"),
    ],
)
def test_resolved_as_cannot_be(given_: tuple[object, ...], says: str) -> None:
    """A way that does not exist, a way for ties without a say, and no grade at all are refused."""
    with pytest.raises(InputError, match=says):
        resolved(*given_)


@given(st.lists(st.sampled_from([0, 1, 2, 0.5]), min_size=1, max_size=6), st.sampled_from(sorted(RESOLVE)), st.data())
def test_resolved_takes_no_side(grades: list[float], how: str, data: st.DataObject) -> None:
    """The order of the judges has no say; what all give is the grade; it lies between the lowest and the highest."""
    shuffled = data.draw(st.permutations(grades))
    assert resolved(shuffled, how) == resolved(grades, how)
    assert resolved([grades[0]] * len(grades), how) == pytest.approx(grades[0], abs=1e-15)
    for ties in (None, "max", "min", "mean", "median"):
        one = resolved(grades, how, ties if how in ("majority", "unanimous") else None)
        assert one is None or min(grades) <= one <= max(grades)
        assert one is not None or ties is None


def test_disputes_worst_first() -> None:
    """Items on which judges differ, the greatest distance first; what is undecided is listed, and in no qrels."""
    found = merged([0, 1, 2, 1], [1, 1, 0, 1], [0, None, None, None])
    assert [(one.doc_id, dict(one.grades), one.distance, one.grade) for one in found.disputes] == [
        ("d2", {"j1": 2, "j2": 0}, 2, None),
        ("d0", {"j1": 0, "j2": 1, "j3": 0}, 1, 0),
    ]
    assert found.qrels == {"q0": {"d0": 0}, "q1": {"d1": 1}, "q3": {"d3": 1}}
    assert found.undecided == [("q2", "d2")]
    assert found.judged_by == {2: 3, 3: 1}
    assert "1 document undecided, among the disputes and not in the qrels (q2 d2)" in "\n".join(found.notes())
    decided = merged([0, 1, 2, 1], [1, 1, 0, 1], ties="min")
    assert decided.qrels["q2"] == {"d2": 0}
    assert decided.undecided == []


@given(GRADES, st.sampled_from(sorted(RESOLVE)))
def test_nothing_is_dropped(rows: list[tuple], how: str) -> None:
    """Each judged item is in the qrels or undecided, never both; each undecided one is a dispute."""
    assume(any(grade is not None for row in rows for grade in row))
    found = merged(*zip(*rows, strict=True), resolve=how, agreement=False)
    decided = {(query, doc) for query, grades in found.qrels.items() for doc in grades}
    judged = {(f"q{at}", f"d{at}") for at, row in enumerate(rows) if any(grade is not None for grade in row)}
    assert decided | set(found.undecided) == judged
    assert not decided & set(found.undecided)
    assert set(found.undecided) <= {(one.query_id, one.doc_id) for one in found.disputes}


# ---- judges of two kinds, and where judgments come from


def test_models_stand_apart_from_people() -> None:
    """People and models are groups of their own; each model stands beside the people's grade, if decided."""
    people = ([0, 1, 1, 0], [0, 1, 1, 1])
    found = merged(
        *people, [0, 1, 0, 0], [0, 1, 1, 1], kinds={"j1": "human", "j2": "human", "j3": "model", "j4": "model"}
    )
    assert [(one.name, one.judges) for one in found.agreements] == [
        ("all", ["j1", "j2", "j3", "j4"]),
        ("people", ["j1", "j2"]),
        ("models", ["j3", "j4"]),
    ]
    assert [(one.judges, one.items) for one in found.against_people] == [(["people", "j3"], 3), (["people", "j4"], 3)]
    assert [one.coefficients["agreement"].value for one in found.against_people] == [2 / 3, 1]
    assert found.people_undecided == 1
    assert "beside the models 1 document on which people are undecided is left out: that flatters" in repr(found)
    assert [one.name for one in merged(*people, kinds={"j1": "human", "j2": "human"}).agreements] == ["all"]


def rows_of(judge: str, grades: dict[str, object], **columns: str) -> list[dict[str, object]]:
    return [
        {"query_id": "q", "doc_id": doc, "grade": grade, "judge": judge, **columns} for doc, grade in grades.items()
    ]


def test_a_model_called_people_is_not_the_people() -> None:
    """A judge's name has no say: a model called people agrees with the people's grade as under any other name."""
    people, model = qrels_of([1, 1, 0, 2]), qrels_of([0, 1, 1, 2])

    def beside(name: str) -> Agreement:
        found = rp.merge_judges({"ann": people, name: model}, kinds={"ann": "human", name: "model"}, **NO_INTERVALS)
        (one,) = found.against_people
        assert one.judges == ["people", name]
        return one

    assert values(beside("people")) == values(beside("llm"))
    assert values(beside("people"))["agreement"] == 0.5  # the second and the fourth of four


def test_columns_are_kept(tmp_path) -> None:
    """Judge, kind, model, prompt and date come from the columns; blank grades are counted; texts serve the disputes."""
    file = tmp_path / "batch.jsonl"
    rows = [
        *rows_of("ann", {"a": 1, "b": 0, "c": None}, kind="human", text="what it says", query="which?"),
        *rows_of("llm", {"a": 2, "b": ""}, kind="model", model="Qwen/Qwen3-8B", prompt="v1", date="2026-11-01"),
        *rows_of("llm", {"c": "1"}, kind="model", model="Qwen/Qwen3-8B", prompt="v2", date="2026-11-02"),
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = rp.merge_judges(str(file), reranker_models=["qwen3-reranker-4b", "BAAI/bge-m3"], **NO_INTERVALS)
    assert [(one.name, one.kind, one.graded, one.blank) for one in found.judges] == [
        ("ann", "human", 2, 1),
        ("llm", "model", 2, 1),
    ]
    assert found.judges[1].provenance == {
        "model": {"Qwen/Qwen3-8B": 2},
        "prompt": {"v1": 1, "v2": 1},
        "date": {"2026-11-01": 1, "2026-11-02": 1},
    }
    assert [one._asdict() for one in found.same_family] == [
        {"judge": "llm", "model": "Qwen/Qwen3-8B", "reranker": "qwen3-reranker-4b", "family": "qwen"}
    ]
    assert any(note.startswith("warning: judge llm (Qwen/Qwen3-8B) and reranker") for note in found.notes())
    (row,) = found.dispute_rows()
    assert row == {
        "query_id": "q",
        "doc_id": "a",
        "grade": None,
        "proposed": None,
        "distance": 1,
        "grades": {"ann": 1, "llm": 2},
        "query": "which?",
        "title": "",
        "text": "what it says",
    }
    file.write_text(json.dumps(rows_of("llm", {"a": 2}, model="m1")[0]))
    assert "llm names a model, but no kind: --judge llm=model" in repr(rp.merge_judges(str(file)))


FORMS = {
    "trec": "q 0 a 1\nq 0 b 0\np 0 a -1\n",
    "json": '{"q": {"a": 1, "b": 0}, "p": {"a": -1}}',
    "csv": "query_id,doc_id,grade\nq,a,1\nq,b,0\np,a,\n",
    "tsv": "query_id\tdoc_id\tgrade\tnote\nq\ta\t1\t\nq\tb\t0\tsure\np\ta\t\t\n",
    "semicolons": "\ufeffquery_id;doc_id;grade\nq;a;1\nq;b;0\np;a; \n",
    "another column first": "Prompt,query_id,doc_id,grade\n,q,a,1\nx,q,b,0\n,p,a,\n",
    "quoted": '"query_id","doc_id","grade"\r\n"q","a","1"\r\n"q","b","0"\r\n"p","a",""\r\n',
    "jsonl": '{"query_id": "q", "doc_id": "a", "grade": 1}\n{"query_id":"q","doc_id":"b","grade":"0"}\n'
    '{"query_id":"p","doc_id":"a","grade":null}\n',
    "list": '[{"query_id": "q", "doc_id": "a", "grade": 1}, {"query_id": "q", "doc_id": "b", "grade": 0},'
    ' {"query_id": "p", "doc_id": "a"  , "grade": null}]',
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_says_the_same(tmp_path, form: str) -> None:
    """TREC and JSON qrels, CSV, TSV and JSON lines of the same judgments are read alike; the file names the judge."""
    file = tmp_path / "ann.txt"
    file.write_text(FORMS[form], "utf-8")
    found = rp.merge_judges([file])
    assert [(one.name, one.graded, one.blank) for one in found.judges] == [("ann", 2, 1)]
    assert found.qrels == {"q": {"a": 1, "b": 0}}


def test_files_of_one_name(tmp_path) -> None:
    """Files that share a stem are judges by their paths; a mapping names them otherwise; one judge may fill several."""
    paths = []
    for at in (1, 2):
        (tmp_path / str(at)).mkdir()
        paths.append(tmp_path / str(at) / "done.csv")
        paths[-1].write_text(f"query_id,doc_id,grade\nq,d{at},1\n")
    assert [one.name for one in rp.merge_judges(paths, **NO_INTERVALS).judges] == list(map(str, paths))
    assert [one.name for one in rp.merge_judges({"ann": paths[0], "bob": paths[1]}, **NO_INTERVALS).judges] == [
        "ann",
        "bob",
    ]
    for at, path in enumerate(paths):
        path.write_text(f"query_id,doc_id,grade,judge\nq,d{at},1,ann\n")
    assert [(one.name, one.graded) for one in rp.merge_judges(paths).judges] == [("ann", 2)]


def test_repeated_judgments_follow_the_contract(tmp_path) -> None:
    """A judge who judges twice is refused by file and line, or the contract's rule counts one grade and says so."""
    file = tmp_path / "ann.csv"
    file.write_text("query_id,doc_id,grade\nq,a,1\nq,a,2\n")
    with pytest.raises(InputError, match=r"ann\.csv:3: query q, document a: judged twice: grade 2 here, 1 before"):
        rp.merge_judges([file])
    with pytest.warns(rp.RankproofWarning, match="judged twice, 1 and 2; 2 counts"):
        found = rp.merge_judges([file], duplicate_judgment="keep-highest")
    assert found.qrels == {"q": {"a": 2}}
    assert rp.merge_judges({"a": {"q": {"d": -1, "e": 1}}}, negative_grade="non-relevant").qrels == {
        "q": {"d": 0, "e": 1}
    }
    with pytest.raises(InputError, match="grade -1; expected a grade of 0 or more"):
        rp.merge_judges({"a": {"q": {"d": -1}}}, negative_grade="error")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("query_id,doc_id\nq,a\n", r"bad\.csv:2: has no column grade; expected query_id, doc_id, grade"),
        ("person,docno,label\nq,a,1\n", r"bad\.csv:2: has no column query_id"),
        ("a,b,c\nq,a,1\n", r"has no column for the id"),
        ("query_id,doc_id,grade\nq,a,good\n", r"bad\.csv:2: query q, document a, column grade: grade 'good'"),
        ("query_id,doc_id,grade\nq,a,nan\nq,b,1e99\n", r"bad\.csv:3: .*grade '1e99'"),
        ("query_id,doc_id,grade\nq,,1\n", r"bad\.csv:2: column doc_id: '' is no id"),
        ("query_id,doc_id,grade\nq,a,1,2\n", r"bad\.csv:2: has 4 columns"),
        ("query_id,doc_id,grade,kind\nq,a,1,robot\n", r"kind 'robot'; expected human or model"),
        ("query_id,doc_id,grade,kind\nq,a,1,human\nq,b,1,model\n", r":3: .*judge bad is model here, human before"),
        ("query_id,doc_id,grade\nq,a,\n", r"there is no grade(?s:.*)not filled in yet"),
        ("query_id,doc_id,grade\n", r"holds no records"),
        ("q 0 a\n", r"has 3 columns"),
        ("", r"holds no"),
        ('{"query_id": true, "doc_id": "a", "grade": 1}\n', r"column query_id: True is no id"),
    ],
)
def test_bad_files(tmp_path, text: str, says: str) -> None:
    """What is wrong with a file is said with its line."""
    (tmp_path / "bad.csv").write_text(text)
    with pytest.raises(InputError, match=says):
        rp.merge_judges([tmp_path / "bad.csv"])


def test_bad_settings() -> None:
    """Unknown ways, judges and kinds, and numbers that cannot be, are refused."""
    judges = {"ann": {"q": {"d": 1}}}
    for options, says in (
        ({"resolve": "mode"}, r"resolve cannot be 'mode'; expected one of majority, mean"),
        ({"ties": "majority"}, r"ties cannot be 'majority'"),
        ({"resolve": "mean", "ties": "max"}, r"mean leaves nothing open"),
        ({"kinds": {"an": "human"}}, r"no judge is called 'an'(?s:.*)nearest: ann"),
        ({"kinds": {"ann": "person"}}, r"kind 'person'"),
        ({"confidence": 1.0}, r"confidence cannot be 1.0; expected a number from 0.5 to 0.9999"),
        ({"confidence": 1}, r"confidence cannot be 1; expected a number from 0.5 to 0.9999"),
        ({"confidence": True}, r"confidence cannot be True"),
        ({"resamples": 5}, r"resamples cannot be 5"),
        ({"resamples": 200.0}, r"resamples cannot be 200.0"),
        ({"seed": "now"}, r"seed cannot be 'now'; expected a whole number"),
    ):
        with pytest.raises(InputError, match=says):
            rp.merge_judges(judges, **options)
    with pytest.raises(InputError, match="ann: holds no judgments"):
        rp.merge_judges({"ann": {}})
    for nothing in ([], 5, [{"q": {"d": 1}}]):
        with pytest.raises(InputError, match=r"holds no judgments|is no file"):
            rp.merge_judges(nothing)
    with pytest.raises(ContractError, match="there is no rule"):
        rp.merge_judges(judges, tiez="x")


@pytest.mark.parametrize("package", ["krippendorff", "statsmodels.stats"])
def test_without_a_package(monkeypatch, package: str) -> None:
    """A missing package is named with what to install; merging alone needs none."""
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingPackageError, match=r'(?s)need the package .*pip install "rankproof\[agreement\]"'):
        merged([1, 0], [1, 1])
    found = merged([1, 0], [1, 1], agreement=False)
    assert values(found.agreements[0]) == {"agreement": 0.5}
    assert "kappa and alpha were not asked for" in found.notes()


# ---- written and read


@given(
    st.dictionaries(
        st.text('ab#{é가"', min_size=1, max_size=3),
        st.dictionaries(st.text("ab,é\u2028", min_size=1, max_size=3), st.sampled_from([0, 1, 2, 1.5, -1]), min_size=1),
        min_size=1,
    )
)
def test_qrels_read_back(qrels: dict[str, dict[str, float]]) -> None:
    """What `write_qrels` writes reads back as it was, in both forms; it refuses what would not, and writes nothing."""
    with TemporaryDirectory() as folder:
        for name in ("x.json", "x.qrels"):
            path = Path(folder, name)
            try:
                rp.write_qrels(qrels, path)
            except InputError:
                assert name == "x.qrels"
                assert any(query.startswith(("#", '{"')) for query in qrels)
                assert not path.exists()
            else:
                assert rp.read_qrels(path) == qrels


def test_queries_without_judgments_cannot_stand_in_a_trec_file(tmp_path) -> None:
    """They are left out with a warning; JSON holds them."""
    qrels = {"q": {"a": 1}, "p": {}}
    with pytest.warns(RankproofWarning, match=r"1 query without judgments cannot be written \(first: p\)"):
        rp.write_qrels(qrels, tmp_path / "x.qrels")
    assert rp.read_qrels(tmp_path / "x.qrels") == {"q": {"a": 1}}
    rp.write_qrels(qrels, tmp_path / "x.json")
    assert rp.read_qrels(tmp_path / "x.json") == qrels


def test_written_qrels_read_back(tmp_path) -> None:
    """What is written reads back as it was, as TREC or JSON; ids that TREC cannot hold are refused, not for JSON."""
    found = merged([2, 0, 1], [1, 0, 1], resolve="mean")
    for name in ("merged.qrels", "merged.json"):
        found.write_qrels(tmp_path / name)
        assert rp.read_qrels(tmp_path / name) == {"q0": {"d0": 1.5}, "q1": {"d1": 0}, "q2": {"d2": 1}}
    assert (tmp_path / "merged.qrels").read_text() == "q0 0 d0 1.5\nq1 0 d1 0\nq2 0 d2 1\n"
    odd = rp.merge_judges({"ann": {"q 1": {"a b": 1}, "#q": {"c": 1}}})
    with pytest.raises(InputError, match=r"(?s)query q 1, document a b: cannot stand.*query #q.*ends in \.json"):
        odd.write_qrels(tmp_path / "odd.qrels")
    odd.write_qrels(tmp_path / "odd.json")
    assert rp.read_qrels(tmp_path / "odd.json") == odd.qrels
    with pytest.raises(InputError, match="there is no grade to write"):
        merged([1], [0]).write_qrels(tmp_path / "none.qrels")
    assert not (tmp_path / "none.qrels").exists()
    assert not (tmp_path / "odd.qrels").exists()


def test_disputes_are_judged_again(tmp_path) -> None:
    """A file of disputes, filled in, is another judge's file."""
    found = merged([2, 0], [0, 0])
    found.write_disputes(tmp_path / "again.csv")
    header, row = csv.reader(io.StringIO((tmp_path / "again.csv").read_text()))
    assert header == ["query_id", "doc_id", "grade", "proposed", "distance", "grades"]
    assert row == ["q0", "d0", "", "", "2", "j1=2; j2=0"]
    (tmp_path / "again.csv").write_text(",".join(header) + "\n" + ",".join(["q0", "d0", "2", *row[3:]]) + "\n")
    judges = {"j1": qrels_of([2, 0]), "j2": qrels_of([0, 0]), "third": tmp_path / "again.csv"}
    assert rp.merge_judges(judges, **NO_INTERVALS).qrels == {"q0": {"d0": 2}, "q1": {"d1": 0}}


def test_to_read() -> None:
    """Printed, it is tables and notes; every head and title has Korean, but for symbols."""
    found = merged([2, 0, 1], [1, 0, 1], kinds={"j1": "human", "j2": "model"}, resamples=100)
    assert [table.title for table in found.tables()] == [
        None,
        "agreement",
        "each two judges",
        "models beside the people's grade",
    ]
    assert found._repr_html_().count("<table>") == 4
    assert "a bootstrap interval of 3 queries is somewhat too narrow" in repr(found)
    heads = {head for table in found.tables() for head in (*table.header, table.title or "judge")}
    assert [head for head in heads if not HANGUL.search(term(head).ko)] == []


@pytest.fixture
def files(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ann.qrels").write_text("q1 0 a 2\nq1 0 b 0\nq2 0 c 1\nq3 0 d 0\n")
    (tmp_path / "bob.csv").write_text("query_id,doc_id,grade\nq1,a,2\nq1,b,2\nq2,c,1\nq3,d,\n")
    (tmp_path / "corpus.jsonl").write_text('{"_id": "b", "title": "B", "text": "what b says"}\n')


JUDGES = ("judges", "ann.qrels", "bob.csv", "--resamples", "100")


def test_command(files, in_process) -> None:
    """`rankproof judges` prints the agreement, and writes merged qrels and disputes with their texts."""
    done = in_process(*JUDGES, "-o", "all.qrels", "--disputes", "d.jsonl", "--corpus", "corpus.jsonl")
    assert done.status == 0, done.err
    assert "Cohen's kappa" in done.out
    for part in (
        "without a grade, left out: bob 1",
        "written to all.qrels",
        "written to d.jsonl",
        "1 dispute, the worst",
    ):
        assert part in done.err
    assert rp.read_qrels("all.qrels") == {"q1": {"a": 2}, "q2": {"c": 1}, "q3": {"d": 0}}
    with open("d.jsonl", encoding="utf-8") as file:  # noqa: PTH123 - as a reader would
        (row,) = map(json.loads, file)
    assert (row["doc_id"], row["text"], row["grades"]) == ("b", "what b says", {"ann": 0, "bob": 2})
    rows = list(csv.DictReader(io.StringIO(in_process(*JUDGES, "--format", "csv").out)))
    assert [row["value"] for row in rows if row["coefficient"] == "agreement"] == [repr(2 / 3)] * 2
    content = json.loads(in_process(*JUDGES, "--format", "json", "--ties", "max").out)
    assert [item["grade"] for item in content["items"]] == [2, 2, 1, 0]
    assert [one["role"] for one in content["inputs"]] == ["judge", "judge"]
    assert "| ann | bob | 3 |" in in_process(*JUDGES, "--format", "markdown").out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("-o", "ann.qrels"), "it would be overwritten"),
        (("-o", "x.csv", "--disputes", "x.csv"), "it would be overwritten"),
        (("--disputes", "d.xlsx"), "expected a name that ends in .jsonl or .csv or .tsv"),
        (("-o", "x.qrels", "--disputes", "nowhere/d.csv"), "nowhere/d.csv: cannot be written: its folder is not"),
        (("-o", "nowhere/x.qrels", "--disputes", "x.csv"), "nowhere/x.qrels: cannot be written: its folder is"),
        (("-o", ".", "--disputes", "x.csv"), "is a folder, not a file"),
        (("--judge", "ann"), "'ann' names no kind"),
        (("--judge", "amy=human"), "no judge is called 'amy'"),
        (("--resolve", "vote"), "resolve cannot be 'vote'"),
        (("nowhere.csv",), "there is no such file"),
    ],
)
def test_command_with_bad_arguments(files, in_process, arguments: tuple[str, ...], says: str) -> None:
    """A mistake ends with one message and status 2, and no file is written."""
    done = in_process(*JUDGES, *arguments)
    assert (done.status, done.out) == (2, "")
    assert says in done.err
    assert sorted(path.name for path in Path().iterdir()) == ["ann.qrels", "bob.csv", "corpus.jsonl"]


def test_both_are_written_or_neither(tmp_path) -> None:
    """Where the one cannot be written, for an id or for want of a grade, the other is not either."""
    odd = rp.merge_judges({"ann": {"q": {"a b": 1}}, "bob": {"q": {"a b": 0}}}, ties="max", agreement=False)
    with pytest.raises(InputError, match="cannot stand in a TREC file"):
        odd.write(qrels=tmp_path / "x.qrels", disputes=tmp_path / "d.csv")
    tab = rp.merge_judges({"ann": {"q": {"a\tb": 1}}, "bob": {"q": {"a\tb": 0}}}, ties="max", agreement=False)
    with pytest.raises(InputError, match="cannot stand between tabs"):
        tab.write(qrels=tmp_path / "x.json", disputes=tmp_path / "d.tsv")
    assert list(tmp_path.iterdir()) == []
    odd.write(qrels=tmp_path / "x.json", disputes=tmp_path / "d.csv")
    assert {path.name for path in tmp_path.iterdir()} == {"x.json", "d.csv"}


def test_a_result_in_json_is_not_rows(tmp_path, in_process, monkeypatch) -> None:
    """A pool or merged judges saved as JSON are told from rows, in one message that names what to write instead."""
    monkeypatch.chdir(tmp_path)
    Path("a.json").write_text('{"q1": ["d1", "d2"]}')
    Path("ann.json").write_text('{"q1": {"d1": 1}}')
    assert in_process("pool", "a.json", "-o", "pool.json").status == 0
    Path("one-line.json").write_text(json.dumps(json.loads(Path("pool.json").read_text())))
    merged_ = in_process("judges", "ann.json", "--no-agreement", "--format", "json")
    Path("judges.json").write_text(merged_.out)
    for name in ("pool.json", "one-line.json", "judges.json"):
        done = in_process("judges", name)
        assert done.status == 2
        assert f"{name}: is one JSON object, such as a command's result" in done.err
        assert done.err.count("pool --format jsonl") == 1
    Path("odd.json").write_text('{\n"a": 1}')
    assert "is one JSON object" in in_process("judges", "odd.json").err


def test_what_is_done_is_told(capsys) -> None:
    """`on_done` hears of each group and pair, of how many; the result is the same, and nothing is printed."""
    told: list[tuple[int, int]] = []
    found = merged([1, 0], [1, 1], [0, 0], on_done=lambda *done: told.append(done))
    assert told == [(at, 4) for at in (1, 2, 3, 4)]  # all three judges, and three pairs
    assert found.to_dict() == merged([1, 0], [1, 1], [0, 0]).to_dict()
    assert capsys.readouterr() == ("", "")


@settings(max_examples=5)
@given(st.integers(0, 3))
def test_input_is_never_changed(grade: int) -> None:
    """What the caller passed stays as it was."""
    judges = {"ann": {"q": {"a": grade, "b": -1}}, "bob": {"q": {"a": 0}}}
    before = json.dumps(judges)
    rp.merge_judges(judges, **NO_INTERVALS)
    assert json.dumps(judges) == before


def test_tables_of_judges_by_other_names(tmp_path: Path) -> None:
    """Columns may have the names that tools use, and grades may be mapped, as in every reader of judgments."""
    (tmp_path / "ann.tsv").write_text("query-id\tcorpus-id\tscore\nq\ta\t1\nq\tb\t4\n", "utf-8")
    (tmp_path / "bob.csv").write_text("qid,docno,rating\nq,a,4\nq,b,4\n", "utf-8")
    files = [str(tmp_path / "ann.tsv"), str(tmp_path / "bob.csv")]
    found = rp.merge_judges(files, resolve="max", grade_map={1: 4, 4: 1})
    assert found.qrels == {"q": {"a": 4, "b": 1}}
    with pytest.raises(rp.InputError, match=r"ann\.tsv:3: query q, document b.*grade 4 is not in the grade-map"):
        rp.merge_judges(files, resolve="max", grade_map={1: 4})
