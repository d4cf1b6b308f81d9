"""The tabs that teach: their numbers are the library's, in both languages, and in the page as without it."""

from __future__ import annotations

import json
from itertools import pairwise
from math import log2
from pathlib import Path

import pytest
from browser import needed
from lab_site import BLANK, FRAMES, Host, settled
from test_lab_api import ask, fault, language_gaps, rows_of, tables

import rankproof as rp
from rankproof.errors import Fault, MissingPackageError
from rankproof.formats.texts import read_texts
from rankproof.lab import searched as searching
from rankproof.lab.api import call
from rankproof.retrieve import BM25, LSA, fuse
from rankproof.splits import leakage, row_against_group
from rankproof.systems.ranking import DEEP

EXAMPLE = Path(str(rp.__file__)).parent / "example"
FILES = {role: (EXAMPLE / name).read_text("utf-8") for role, name in searching.ROLES.items()}
QRELS = EXAMPLE / "qrels.txt"
CONTRACT = "teaching"
METHODS = ("bm25", "lsa", "rrf")
FEW = {"resamples": 200, "permutations": 200}
"""So few are drawn where only the shape of a comparison is looked at."""

OWN = {
    "corpus": "_id,text\na,red apples\nb,green pears\nc,red pears\n",
    "queries": "_id,text\nq1,red apples\nq2,pears\n",
    "qrels": "q1 0 a 3\nq1 0 c 1\nq2 0 b 2\n",
}


@pytest.fixture(scope="module")
def runs() -> dict:
    """What the three methods find in the packaged example, searched here."""
    documents = {one: str(text) for one, text in read_texts(EXAMPLE / "corpus.jsonl", "documents").items()}
    queries = {one: str(text) for one, text in read_texts(EXAMPLE / "queries.jsonl", "queries").items()}
    analyzer = "hangul-2-3gram-words"
    bm25 = BM25(documents, analyzer=analyzer).search(queries, DEEP)
    lsa = LSA(documents, analyzer=analyzer, dimensions=20).search(queries, DEEP)
    return {"bm25": bm25, "lsa": lsa, "rrf": fuse([bm25, lsa], name="rrf", contract=rp.contract(CONTRACT))}


def grades_of(query: str) -> dict[str, int]:
    """The grades of a query, read here."""
    lines = (line.split() for line in FILES["qrels"].splitlines())
    return {doc: int(grade) for one, _, doc, grade in lines if one == query}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("query", "k"), [("ko-01", 5), ("ko-05", 20), ("en-03", 1), ("en-05", 50)])
def test_precision_and_recall(runs, query: str, method: str, k: int) -> None:
    """Each place shows hits so far, hits over its rank and hits over all relevant documents, as counted by hand."""
    found = ask("precision_recall", query=query, method=method, k=k)
    grades, docs = grades_of(query), runs[method].rankings[query].doc_ids
    relevant = sum(grade >= 1 for grade in grades.values())
    table = rows_of(found, "hits so far")
    assert len(table) == k
    for at, row in enumerate(table):
        hits = sum(grades.get(doc, 0) >= 1 for doc in docs[: at + 1])
        assert (row["rank"], row["hits so far"]) == (at + 1, hits)
        assert row["precision"] == pytest.approx(hits / (at + 1), abs=1e-15)
        assert row["recall"] == pytest.approx(hits / relevant, abs=1e-15)
        if at < len(docs):
            graded = str(grades[docs[at]]) if docs[at] in grades else {"en": "unjudged", "ko": "미판정"}
            assert (row["document"], row["grade"]) == (docs[at], graded)
        else:
            assert row["document"] == {"en": "nothing came back", "ko": "결과 없음"}
    explained = found["data"]["explanations"]
    for symbol in ("P", "R"):
        assert explained[symbol] == json.loads(
            json.dumps(rp.explain(QRELS, runs[method], f"{symbol}@{k}", query, CONTRACT).to_dict() | {"run": method})
        )


def test_source_and_page_stand_beside_each_document() -> None:
    """Title, source and page of a document are those of its record in the corpus."""
    records = {one["_id"]: one for one in map(json.loads, FILES["corpus"].splitlines())}
    table = rows_of(ask("precision_recall", query="en-01", method="rrf", k=10), "source", "page")
    assert len(table) == 10
    for row in table:
        record = records[row["document"]]
        assert [row[name] for name in ("title", "source", "page")] == [
            record[name] for name in ("title", "source", "page")
        ]


def test_recall_is_undefined_where_nothing_is_relevant() -> None:
    """Where no grade is high enough to be relevant, recall is undefined, and said to be; no 0 stands in its place."""
    found = ask("precision_recall", query="ko-01", k=5, **{"from": 4})
    assert found["data"]["explanations"]["R"]["value"] is None
    assert [row["recall"] for row in rows_of(found, "hits so far")] == [None] * 5
    assert [card["value"] for card in found["page"]["lead"][0]["cards"]] == ["–", "–"]
    strict = ask("precision_recall", query="ko-01", k=5, **{"from": 3})
    relevant = sum(grade >= 3 for grade in grades_of("ko-01").values())
    assert strict["data"]["explanations"]["R"]["normaliser"] == relevant


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("query", "k"), [("ko-01", 5), ("ko-06", 3), ("en-05", 10)])
def test_rr_and_ndcg(runs, query: str, method: str, k: int) -> None:
    """RR, DCG, the ideal DCG and nDCG are those worked out by hand from grades and ranks."""
    found = ask("mrr_ndcg", query=query, method=method, k=k)
    grades, docs = grades_of(query), runs[method].rankings[query].doc_ids[:k]
    ranked = [grades.get(doc, 0) for doc in docs]
    first = next((1 / at for at, grade in enumerate(ranked, 1) if grade >= 1), 0)
    gain, ideal = (
        sum((2**grade - 1) / log2(at + 1) for at, grade in enumerate(row, 1))
        for row in (ranked, sorted(grades.values(), reverse=True)[:k])
    )
    explained = found["data"]["explanations"]
    assert explained["RR"]["value"] == first
    assert explained["DCG"]["value"] == pytest.approx(gain, abs=1e-12)
    assert explained["nDCG"]["normaliser"] == pytest.approx(ideal, abs=1e-12)
    assert explained["nDCG"]["value"] == pytest.approx(gain / ideal, abs=1e-12)
    terms = rows_of(found, "gain", "discount", "amount")
    assert sum(row["amount"] for row in terms) == pytest.approx(gain, abs=1e-12)


def test_order_matters_to_some_measures(runs) -> None:
    """The same documents in another order have the same P, and the best order has the highest nDCG of them."""
    for query in runs["bm25"].rankings:
        orders = ask("mrr_ndcg", query=query, k=5)["data"]["orders"]
        assert len({values["P@5"] for values in orders.values()}) == 1
        assert orders["best"]["nDCG@5"] == max(values["nDCG@5"] for values in orders.values())
        of_query = rp.evaluate(QRELS, runs["bm25"], ["nDCG@5", "RR@5"], CONTRACT).of_query(query)
        assert {name: orders["found"][name] for name in of_query} == of_query


def test_means_over_all_queries(runs) -> None:
    """MRR and mean nDCG are those that `evaluate` gives for each method's run."""
    means = ask("mrr_ndcg", k=3)["data"]["means"]
    for method in METHODS:
        assert means[method] == rp.evaluate(QRELS, runs[method], ["RR@3", "nDCG@3"], CONTRACT).means


def test_comparison_is_the_experiment_of_the_command_line(command, tmp_path) -> None:
    """Drawn as often, the tab's values and differences are those of `rankproof experiment` on the packaged file."""
    for path in EXAMPLE.iterdir():
        if path.is_file():
            (tmp_path / path.name).write_bytes(path.read_bytes())
    done = command("experiment", tmp_path / "experiment.toml", "--format", "json")
    own = json.loads(done.out)
    found = ask("comparison", k=5, resamples=10_000, permutations=100_000)["data"]
    assert found["verdict"] == own["verdict"]
    assert found["settings"] == own["settings"]
    assert found["differences"] == own["differences"]
    for one, other in zip(found["values"], own["values"], strict=True):
        assert (one["means"], one["per_query"]) == (other["means"], other["per_query"])


def test_comparison_shows_what_it_holds() -> None:
    """The tables of means and of queries hold the values of the JSON, a column a method."""
    found = ask("comparison", k=3, **FEW)
    values = {one["run"]: one for one in found["data"]["values"]}
    assert list(values) == list(METHODS)
    for row in rows_of(found, "measure", *METHODS):
        assert [row[run] for run in METHODS] == [values[run]["means"][row["measure"]] for run in METHODS]
    for row in rows_of(found, "query_id", "text"):
        at = values["bm25"]["per_query"]["query_ids"].index(row["query_id"])
        assert [row[run] for run in METHODS] == [values[run]["per_query"]["values"]["nDCG@3"][at] for run in METHODS]
    quick = ask("comparison", k=3, statistics=False)
    assert not quick["tested"]
    assert rows_of(quick, "measure", *METHODS) == rows_of(found, "measure", *METHODS)


def test_own_files_take_the_place_of_the_example() -> None:
    """The example's own texts, pasted, give the example's numbers; a label that is changed changes them."""
    pasted = ask("example_texts")
    assert {role: one["text"] for role, one in pasted.items()} == FILES
    assert ask("comparison", k=5, **pasted, **FEW)["data"] == ask("comparison", k=5, **FEW)["data"]
    before = ask("comparison", k=5, statistics=False, **FILES)["data"]
    changed = {**FILES, "qrels": FILES["qrels"].replace("ko-oxygen-01 3", "ko-oxygen-01 0")}
    assert ask("comparison", k=5, statistics=False, **changed)["data"] != before


def test_own_files_by_hand() -> None:
    """Three documents and two queries of one's own: both words find a first; the values are those counted by hand."""
    found = ask("comparison", k=1, statistics=False, **OWN)
    means = {row["measure"]: row["bm25"] for row in rows_of(found, "measure", "bm25")}
    # q1 finds a (grade 3); q2 finds b or c with one score, b first by id: each first place is the best one
    assert means == {"nDCG@1": 1.0, "P@1": 1.0, "R@1": 0.75, "RR@1": 1.0}
    assert found["own"]
    tab = ask("comparison_query", k=1, query="q1", **OWN)
    assert rows_of(tab, "rank", "bm25")[0]["bm25"] == "a"
    assert tab["text"] == "red apples"


@pytest.mark.parametrize("query", ["ko-05", "en-05"])
def test_a_query_opens_its_rankings(runs, query: str) -> None:
    """The lists of an open query are the first ten of each run, with the grades of the labels."""
    found = ask("comparison_query", k=5, query=query)
    grades = grades_of(query)
    for one in found["data"]["runs"]:
        expected = [(doc, grades.get(doc)) for doc in runs[one["run"]].rankings[query].doc_ids[:10]]
        assert [(place["doc_id"], place["grade"]) for place in one["places"]] == expected
    of_runs = {name: rp.evaluate(QRELS, run, ["nDCG@5", "P@5", "R@5", "RR@5"], CONTRACT) for name, run in runs.items()}
    assert found["data"]["values"] == {name: values.of_query(query) for name, values in of_runs.items()}


def test_a_corpus_too_large_for_lsa_keeps_bm25(monkeypatch) -> None:
    """Where the plain LSA gives up, BM25 stands alone, and why is said in both languages."""

    def refuse(*_: object, **__: object) -> None:
        raise MissingPackageError(Fault("LSA needs the package scikit-learn"))

    monkeypatch.setattr(searching, "LSA", refuse)
    searching.searched.cache_clear()
    try:
        found = ask("comparison", k=1, lsa=True, **{**OWN, "corpus": OWN["corpus"].replace("green", "yellow")})
    finally:
        searching.searched.cache_clear()
    assert found["runs"] == ["bm25"]
    assert not found["tested"]
    assert "BM25 stands alone" in json.dumps(found["page"])


def test_lsa_of_many_documents_waits_until_it_is_asked_for() -> None:
    """Of 121 documents BM25 alone is shown, and all three where they are asked for; of 120 all three at once."""
    corpora = {count: "_id,text\n" + "".join(f"d{at},red apples {at}\n" for at in range(count)) for count in (120, 121)}
    given = {
        "queries": "_id,text\nq1,apples 5\nq2,apples 7\n",
        "qrels": "q1 0 d5 1\nq2 0 d7 1\n",
        "k": 1,
        "statistics": False,
    }
    waiting = ask("comparison", corpus=corpora[121], **given)
    assert (waiting["runs"], waiting["left_out"]) == (["bm25"], "slow")
    for found in (
        ask("comparison", corpus=corpora[121], lsa=True, **given),
        ask("comparison", corpus=corpora[120], **given),
    ):
        assert (found["runs"], found["left_out"]) == (list(METHODS), None)


def test_what_is_wrong_is_told_with_its_place() -> None:
    """A missing file, broken JSON, queries that nobody judged, unknown queries and a k that cannot be are faults."""
    assert fault("comparison", corpus=OWN["corpus"], queries=OWN["queries"])["message"] == "qrels is missing"
    broken = fault("comparison", **{**OWN, "corpus": OWN["corpus"] + "d\n"})
    assert (broken["file"], broken["line"]) == ("corpus", 5)
    strange = fault("comparison", **{**OWN, "qrels": "other 0 a 1\n"})
    assert "judges none of the queries" in strange["message"]
    assert "ko-12" in fault("precision_recall", query="ko-1")["hint"]
    assert fault("comparison_query", query="nobody")["query_id"] == "nobody"
    for name in ("precision_recall", "mrr_ndcg", "comparison"):
        assert fault(name, k=0)["message"]
        assert fault(name, k=1001)["message"]
    assert fault("precision_recall", method="bm26")["expected"] == "one of bm25, lsa, rrf"
    assert fault("leakage", variants=9)["expected"] == "1 to 8"


def test_what_does_not_fit_together_is_said() -> None:
    """Queries without judgments, judged queries that nobody asks and judged documents that are missing are counted."""
    given = {**OWN, "queries": OWN["queries"] + "q3,green\n", "qrels": OWN["qrels"] + "q4 0 z 1\n"}
    said = json.dumps(ask("comparison", k=1, statistics=False, **given)["page"])
    assert "1 query without judgments: left out" in said
    assert "judgments for 1 query that the queries do not hold" in said
    assert "1 judged documents are not in the corpus" in said


@pytest.mark.parametrize(("variants", "seed"), [(1, 1), (3, 1), (3, 2), (8, 77)])
def test_leakage(variants: int, seed: int) -> None:
    """Families are torn by row and never by group; splits and audits are those of the library."""
    found = ask("leakage", variants=variants, seed=seed)
    own = row_against_group(EXAMPLE / "queries.jsonl", variants, seed)
    assert found["torn"] == own.torn
    assert own.torn["group"] == 0 < own.torn["row"]
    data = found["data"]
    for way, split in (("row", own.row), ("group", own.group)):
        assert data["splits"][way] == split.to_dict()
        assert data["audits"][way] == json.loads(json.dumps(leakage(split).to_dict()))
    shown = [
        one for one in tables(found["page"]) if [name["en"] for name in one["header"]] == ["group", "split", "query"]
    ]
    assert [one["rows"] for one in shown] == [[list(map(str, row)) for row in one.rows] for one in own.tables()]
    families = rows_of(found, "split by row", "group")
    assert sum("," in row["split by row"] for row in families) == own.torn["row"]
    assert not any("," in row["split by group"] for row in families)


PAGES = {
    "precision_recall": {"query": "en-05", "method": "rrf", "k": 50},
    "undefined": {"from": 4},
    "mrr_ndcg": {"query": "ko-06", "method": "lsa"},
    "comparison": FEW,
    "quick": {"statistics": False, **OWN},
    "comparison_query": {"query": "en-05"},
    "leakage": {},
}
CALLS = {"undefined": "precision_recall", "quick": "comparison"}


@pytest.mark.parametrize("case", PAGES)
def test_every_text_has_both_languages(case: str) -> None:
    """Every text of a page has English and Korean; fixed heads of tables, and headings, are Korean in Korean."""
    found = ask(CALLS.get(case, case), **PAGES[case])
    assert list(language_gaps(found["page"])) == []
    plain = {one["en"] for table in tables(found) for one in table["header"] if one["en"] == one["ko"] and one["en"]}
    assert {one for one in plain if "@" not in one} <= {"p", "d_z", "k", *METHODS}
    for section in found["page"]["sections"]:
        assert section["heading"]["en"] != section["heading"]["ko"]


# In the browser

ADDRESSES = ("#/precision-recall", "#/mrr-ndcg", "#/comparison", "#/leakage")
ASK = "([name, given]) => engine.call(name, given).then(JSON.stringify)"


def cards(shown) -> list[str]:
    """The numbers of the cards."""
    return shown.locator(".cards dd:not(.note-of)").all_inner_texts()


def test_page_and_library_agree(site: Host, engine_page) -> None:
    """What the page's Python answers is what this one answers: all but the intervals to the last bit."""
    shown = engine_page(site)
    asked = [
        ("precision_recall", {"query": "en-05", "method": "rrf", "k": 10}),
        ("mrr_ndcg", {"query": "ko-06", "method": "lsa"}),
        ("comparison_query", {"query": "en-03"}),
        ("comparison", {"statistics": False}),
        ("leakage", {"variants": 5, "seed": 3}),
    ]
    for name, given in asked:
        assert json.loads(shown.evaluate(ASK, [name, given])) == json.loads(call(name, json.dumps(given))), name
    whole = json.loads(shown.evaluate(ASK, ["comparison", FEW]))["result"]["data"]["differences"]
    for one, own in zip(whole, ask("comparison", **FEW)["data"]["differences"], strict=True):
        assert (one["p"], one["deltas"], one["verdict"]) == (own["p"], own["deltas"], own["verdict"])
        for name in ("delta", "effect_size", "smallest_shown"):
            assert one[name] == pytest.approx(own[name], abs=1e-12)
        assert one["intervals"]["bca"] == pytest.approx(own["intervals"]["bca"], abs=1e-12)
    assert BLANK in shown.url


def test_precision_recall_tab(tab) -> None:
    """Query, method and k change the numbers and the address; the back key brings the earlier ones."""
    shown = tab("#/precision-recall")
    assert cards(shown) == ["0.8000", "0.6667"]
    shown.get_by_label("k", exact=True).fill("3")
    settled(shown)
    first = cards(shown)
    assert first == ["0.6667", "0.3333"]
    shown.get_by_label("Method").select_option("lsa")
    settled(shown)
    shown.get_by_label("Query").select_option("en-05")
    settled(shown)
    assert shown.evaluate("location.hash") == "#/precision-recall?query=en-05&method=lsa&k=3"
    own = ask("precision_recall", query="en-05", method="lsa", k=3)
    values = [own["data"]["explanations"][symbol]["value"] for symbol in ("P", "R")]
    assert cards(shown) == [f"{value:.4f}" for value in values]
    shown.go_back()
    shown.go_back()
    assert cards(settled(shown)) == first
    shown.get_by_label("Relevant from grade").fill("4")
    settled(shown)
    assert cards(shown) == ["–", "–"]
    assert "Neither is defined" in shown.locator("main").inner_text()
    shown.reload()
    assert cards(settled(shown)) == ["–", "–"]


def test_mrr_ndcg_tab(tab) -> None:
    """The cards are those of the call, and the terms stand in tables, in Korean too."""
    shown = tab("#/mrr-ndcg?query=ko-06&k=3", language="ko-KR")
    explained = ask("mrr_ndcg", query="ko-06", k=3)["data"]["explanations"]
    expected = [
        explained["RR"]["value"],
        explained["DCG"]["value"],
        explained["nDCG"]["normaliser"],
        explained["nDCG"]["value"],
    ]
    assert cards(shown) == [f"{value:.4f}" for value in expected]
    assert "이상적 순위" in shown.locator("main").inner_text()
    assert f"{explained['nDCG']['places'][0]['amount']:.6f}" in shown.locator("main").inner_text()
    assert shown.locator("math").count() == 3


def test_wrong_settings_are_told(tab) -> None:
    """A query that the example lacks is told with the nearest one; a method that cannot be is as if not given."""
    shown = tab("#/mrr-ndcg?query=ko-99&method=x&k=900")
    assert "the example has no query" in shown.locator(".fault").inner_text()
    assert shown.get_by_label("Method").input_value() == "bm25"
    assert shown.get_by_label("k", exact=True).input_value() == "5"


def test_comparison_tab(tab) -> None:
    """The means are the call's; the keyboard opens a query's rankings, and the next one's; k is in the address."""
    shown = tab("#/comparison?k=3")
    means = ask("comparison", k=3, statistics=False)["data"]["runs"]
    row = shown.locator(".results lab-table tbody tr").first.locator("td").all_inner_texts()
    assert row == ["nDCG@3", *(f"{run['means']['nDCG@3']:.4f}" for run in means)]
    assert shown.locator(".verdict").count() == 2
    opener = shown.get_by_role("button", name="en-05: open this query")
    opener.focus()
    opener.press("Enter")
    window = shown.get_by_role("dialog", name="Query en-05")
    window.wait_for()
    settled(shown)
    assert "how bright should a construction site be" in window.inner_text()
    assert "29 CFR" in window.inner_text()
    window.get_by_role("button", name="Next query").click()
    settled(shown)
    assert shown.get_by_role("dialog", name="Query en-06").is_visible()
    shown.keyboard.press("Escape")
    assert shown.locator("dialog").count() == 0
    shown.get_by_label("k", exact=True).fill("1")
    settled(shown)
    assert shown.evaluate("location.hash") == "#/comparison?k=1"
    assert shown.locator(".results lab-table tbody td").first.inner_text() == "nDCG@1"
    shown.go_back()
    assert settled(shown).locator(".results lab-table tbody td").first.inner_text() == "nDCG@3"


def test_comparison_of_own_files(tab) -> None:
    """The example laid out, a label changed: other numbers; a fault selects its place; no text is in the address."""
    shown = tab("#/comparison")
    first = shown.locator(".results lab-table tbody tr").first
    before = first.inner_text()
    shown.get_by_label("Your own").check()
    shown.locator(".results").get_by_text("Give documents, queries and judgments").wait_for()
    shown.get_by_role("button", name="Begin with the example").click()
    shown.wait_for_function("() => document.querySelector('#given-qrels')?.value")
    settled(shown)
    assert first.inner_text() == before
    qrels = shown.locator("#given-qrels")
    qrels.fill(FILES["qrels"].replace("ko-oxygen-01 3", "ko-oxygen-01 0"))
    settled(shown)
    assert first.inner_text() != before
    qrels.fill("q1 0 a\n")
    settled(shown)
    shown.locator(".fault button").first.click()
    assert shown.evaluate("document.activeElement.id") == "given-qrels"
    shown.get_by_role("button", name="Undo").click()
    settled(shown)
    for role, text in OWN.items():
        file = {"name": f"mine-{role}", "mimeType": "text/plain", "buffer": text.encode()}
        shown.locator(".slot", has=shown.locator(f"#given-{role}")).locator("input[type=file]").set_input_files(file)
        shown.wait_for_function(f"() => document.querySelector('#given-{role}').value.length === {len(text)}")
    settled(shown)
    shown.get_by_role("button", name="q1: open this query").wait_for()
    assert shown.evaluate("location.hash") == "#/comparison?data=own"
    big = {"name": "big.jsonl", "mimeType": "text/plain", "buffer": b" " * (6 << 20)}
    shown.locator(".slot input[type=file]").first.set_input_files(big)
    shown.locator(".fault").wait_for()
    assert "6.00 MB" in shown.locator(".fault").inner_text()


def test_what_takes_long_waits_and_can_be_stopped(tab) -> None:
    """Of many documents BM25 stands alone; the rest is calculated on demand, and when stopped, BM25 is there again."""
    shown = tab("#/comparison")
    shown.get_by_label("Your own").check()
    words = [f"w{at * 7919 % 997} w{at * 104_729 % 613} w{at}" for at in range(390)]
    given = {
        "corpus": "_id,text\n" + "".join(f"d{at},{text}\n" for at, text in enumerate(words)),
        "queries": "_id,text\n" + "".join(f"q{at},w{at}\n" for at in range(8)),
        "qrels": "".join(f"q{at} 0 d{at} 1\n" for at in range(8)),
    }
    for role, text in given.items():
        shown.locator(f"#given-{role}").fill(text)
    shown.get_by_role("button", name="Calculate the rest").wait_for()
    table = shown.locator(".results lab-table").first
    before = table.inner_text()
    assert "lsa" not in before
    shown.get_by_role("button", name="Calculate the rest").click()
    shown.get_by_role("button", name="Stop").click()
    shown.get_by_role("button", name="Calculate the rest").wait_for()
    assert table.inner_text() == before


def test_leakage_tab(tab) -> None:
    """Torn families are counted under both splits; another seed and other variants split anew, and back again."""
    shown = tab("#/leakage")
    torn = ask("leakage", variants=3, seed=1)["torn"]
    assert cards(shown) == [f"{torn['row']} / 14", "0 / 14"]
    shown.get_by_role("button", name="Draw again").click()
    settled(shown)
    shown.get_by_label("Variants of each query").fill("1")
    settled(shown)
    assert shown.evaluate("location.hash") == "#/leakage?variants=1&seed=2"
    assert cards(shown)[0] == f"{ask('leakage', variants=1, seed=2)['torn']['row']} / 14"
    shown.go_back()
    shown.go_back()
    assert cards(settled(shown))[0] == f"{torn['row']} / 14"
    assert "--by family" in shown.locator("main").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en-US", "ko-KR"])
def test_axe_finds_no_fault(tab, language: str, scheme: str) -> None:
    """The checker axe finds no fault in the tabs, with everything unfolded and with a query open."""
    axe = needed("node_modules/axe-core/axe.min.js").read_text("utf-8")

    def check(shown) -> None:
        found = shown.evaluate("axe.run().then((result) => result.violations)")
        assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found] == []

    shown = tab(ADDRESSES[0], language=language, color_scheme=scheme)
    shown.evaluate(axe)
    for address in ADDRESSES:
        shown.evaluate("(address) => { location.hash = address; }", address)
        settled(shown)
        shown.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        check(settled(shown))
        if address == "#/comparison":
            shown.locator("td button").first.click()
            check(settled(shown))
            shown.keyboard.press("Escape")
            shown.locator(".segments input").last.check()
            shown.evaluate(FRAMES)
            check(shown)


@pytest.mark.parametrize("language", ["en-US", "ko-KR"])
def test_narrow(tab, language: str) -> None:
    """At 360 pixels no tab makes the page scroll sideways, whatever is unfolded; no level of headings is skipped."""
    shown = tab(ADDRESSES[0], language=language, viewport={"width": 360, "height": 780})
    for address in (*ADDRESSES, "#/comparison?data=own"):
        shown.evaluate("(address) => { location.hash = address; }", address)
        shown.evaluate(FRAMES)
        if "own" not in address:
            settled(shown)
        shown.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        shown.evaluate(FRAMES)
        assert shown.evaluate("document.documentElement.scrollWidth") == 360, address
        levels = shown.locator("h1, h2, h3, h4").evaluate_all("(all) => all.map((one) => Number(one.tagName[1]))")
        assert levels.count(1) == 1
        assert all(after <= before + 1 for before, after in pairwise(levels))


def test_text_is_there_before_the_engine(site: Host, lab_page) -> None:
    """What a tab teaches can be read before the engine is there."""
    shown = lab_page("about:blank")
    shown.route("**/engine.zip", lambda _: None)  # it never comes
    for address in ADDRESSES:
        shown.goto(f"{site.url}{address}")
        shown.get_by_role("heading", name="What it is").wait_for()
        assert len(shown.locator("main").inner_text()) > 600
