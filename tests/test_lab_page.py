"""The lab in a real browser: the numbers on the screen, errors at their place, files taken away, what stays nowhere."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from browser import ROOT, needed
from lab_site import FRAMES, Host, lab, settled

import rankproof as rp

PAGE = ROOT / "src" / "rankproof" / "lab" / "page"
EXAMPLE = Path(str(rp.__file__)).parent / "example"
SAMPLE = (EXAMPLE / "lab.json").read_text("utf-8")
MODULES = sorted(PAGE.rglob("*.mjs"))

KNOWN = {
    1: [("P@1", "0.000000", "1.000000", "+1.000000"), ("R@1", "0.000000", "0.750000", "+0.750000")],
    3: [
        ("P@3", "0.333333", "0.500000", "+0.166667"),
        ("R@3", "0.750000", "1.000000", "+0.250000"),
        ("RR@3", "0.416667", "1.000000", "+0.583333"),
        ("nDCG@3", "0.498320", "1.000000", "+0.501680"),
        ("DuplicateRate@3", "0.166667", "0.000000", "-0.166667"),
        ("EvidenceRate@3", "0.666667", "0.583333", "-0.083333"),
    ],
    5: [
        ("P@5", "0.300000", "0.300000", "+0.000000"),
        ("R@5", "1.000000", "1.000000", "+0.000000"),
        ("RR@5", "0.416667", "1.000000", "+0.583333"),
        ("nDCG@5", "0.570964", "1.000000", "+0.429036"),
        ("DuplicateRate@5", "0.125000", "0.000000", "-0.125000"),
        ("EvidenceRate@5", "0.708333", "0.583333", "-0.125000"),
    ],
}
"""The sample's means by hand: measure, before, after, change."""

SELECTED = """(box) => {
    const { value, selectionStart, selectionEnd } = box;
    return [value.slice(0, selectionStart).split('\\n').length, value.slice(selectionStart, selectionEnd)];
}"""


def rows(shown, heading: str, language: str = "en") -> list[list[str]]:
    """The rows of the first table under a heading, as they are read."""
    section = shown.locator(".results section", has=shown.get_by_role("heading", name=heading, exact=True))
    table = section.locator("lab-table:not(lab-chart lab-table)").first.locator("tbody tr")
    assert shown.evaluate("document.documentElement.lang") == language
    return [[cell.strip() for cell in row.split("\t")] for row in table.all_inner_texts()]


def many(count: int, documents: int = 3) -> str:
    """A lab file of many queries."""
    draw = random.Random(7)
    names = [f"doc-{at:05d}" for at in range(documents)]
    content = []
    for at in range(count):
        before, after = draw.sample(names, documents), draw.sample(names, documents)
        marked = [[{"id": doc, "hasEvidence": draw.random() < 0.5} for doc in side] for side in (before, after)]
        relevant = [{"id": names[at % documents], "grade": 1 + at % 3}]
        content.append({"queryId": f"q-{at:04d}", "relevant": relevant, "before": marked[0], "after": marked[1]})
    return json.dumps(content)


def file_of(name: str, text: str) -> dict[str, object]:
    """A file as a person opens it."""
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def saved(shown, button: str) -> str:
    """What a download holds."""
    with shown.expect_download() as download:
        shown.get_by_role("button", name=button, exact=True).click()
    return Path(download.value.path()).read_text("utf-8")


@pytest.mark.parametrize("k", [1, 3, 5])
def test_known_case(tab, k: int) -> None:
    """The sample shows the means that were worked out by hand, for each K, in both languages."""
    shown = tab(f"#/lab?k={k}")
    assert [tuple(row[:4]) for row in rows(shown, "Before and after")][: len(KNOWN[k])] == KNOWN[k]
    shown.get_by_role("button", name="한국어").click()
    settled(shown)
    assert [tuple(row[:4]) for row in rows(shown, "전과 후", "ko")][: len(KNOWN[k])] == KNOWN[k]


def test_csv_is_the_same(tab) -> None:
    """The sample as CSV gives the numbers that it gives as JSON, and undo brings the JSON back."""
    shown = tab()
    box = shown.locator("#given-text")
    before = rows(shown, "Query by query")
    shown.get_by_role("button", name="Sample CSV").click()
    assert settled(shown).locator("#given-text").input_value().startswith("query_id,")
    assert rows(shown, "Query by query") == before
    shown.get_by_role("button", name="Undo").click()
    settled(shown)
    assert box.input_value() == SAMPLE
    box.press("Control+Shift+z")
    settled(shown)
    assert box.input_value().startswith("query_id,")
    shown.get_by_role("button", name="Clear").click()
    settled_empty = shown.locator(".results .note")
    assert settled_empty.inner_text().startswith("Paste or open judgments")
    box.press("Control+z")
    settled(shown)
    assert rows(shown, "Query by query") == before


def test_text_at_once(site: Host, lab_page) -> None:
    """Before the engine is there, what the page is for and how far it has come can be read, and settings set."""
    shown = lab_page("about:blank")
    shown.route("**/engine.zip", lambda _: None)  # it never comes
    shown.goto(f"{site.url}#/lab?k=3")
    assert shown.get_by_role("heading", level=1).inner_text() == "Did reranking help?"
    assert "no file, text or id leaves it" in shown.locator(".intro").inner_text()
    assert "Python is loaded into this page" in shown.locator(".engine").inner_text()
    shown.wait_for_function("() => document.querySelector('.loading')?.innerText.includes('MB of')")
    shown.locator("#given-text").fill("mine")
    shown.get_by_label("Cutoff K").fill("7")
    shown.evaluate(FRAMES)
    assert shown.evaluate("location.hash") == "#/lab?k=7"
    assert shown.locator("#given-text").input_value() == "mine"


def test_engine_that_cannot_start(site: Host, lab_page) -> None:
    """An engine that does not come is told with its reason; a button starts it again, and the numbers come."""
    shown = lab_page("about:blank")
    failing = True
    shown.route("**/engine.zip", lambda route: route.fulfill(status=503) if failing else route.continue_())
    shown.goto(f"{site.url}#/lab?k=3")
    shown.locator(".engine[data-engine=failed]").wait_for()
    assert "503" in shown.locator(".engine").inner_text()
    failing = False
    shown.get_by_role("button", name="Start it again").click()
    settled(shown)
    assert rows(shown, "Before and after")[0][:4] == list(KNOWN[3][0])


def test_error_selects_its_place(tab) -> None:
    """Ctrl+Enter on wrong JSON names line and column, and selects the place in the text."""
    shown = tab()
    box = shown.locator("#given-text")
    box.fill('[\n  {"queryId": 1,,}\n]')
    box.press("Control+Enter")
    settled(shown)
    assert "line 2, column 17" in shown.locator(".fault").inner_text()
    shown.evaluate(FRAMES)
    assert box.evaluate(SELECTED) == [2, ",}"]
    assert shown.evaluate("document.activeElement.id") == "given-text"
    assert box.get_attribute("aria-invalid") == "true"
    assert shown.locator(".results table").count() == 0


def test_error_while_typing_leaves_the_caret(tab) -> None:
    """While a person types, an error is told, and the caret stays; its place is selected by a click on it."""
    shown = tab()
    box = shown.locator("#given-text")
    box.fill("")
    box.press_sequentially("query_id,document_id,relevance,before_rank,after_rank,has_evidence\nq,d,2,1,x,true\n")
    settled(shown)
    shown.evaluate(FRAMES)
    assert box.evaluate(SELECTED)[1] == ""
    place = shown.locator(".fault button")
    assert place.first.inner_text().startswith("line 2")
    place.first.click()
    assert box.evaluate(SELECTED) == [2, "q,d,2,1,x,true"]


def test_grade_that_cannot_be(tab) -> None:
    """A grade of 0 in JSON is refused at its line, with query, document and what was expected."""
    shown = tab()
    shown.locator("#given-text").fill(
        SAMPLE.replace(
            '"grade": 2}],\n    "before": [\n      {"id": "doc-z"',
            '"grade": 0}],\n    "before": [\n      {"id": "doc-z"',
        )
    )
    shown.get_by_role("button", name="Calculate").click()
    settled(shown)
    told = shown.locator(".fault").inner_text()
    line = next(at for at, text in enumerate(SAMPLE.split("\n"), 1) if "doc-k" in text)
    assert f"line {line}" in told
    assert "query q-2" in told
    assert "document doc-k" in told
    assert "expected: a number from 1 on" in told


def test_downloads_are_the_command_lines(tab, command, tmp_path) -> None:
    """JSON, CSV and HTML report hold the numbers that the command line writes for the same file."""
    shown = tab(accept_downloads=True)
    lab = tmp_path / "lab.json"
    lab.write_text(SAMPLE, "utf-8")
    done = command("rerank", lab, "-k", "3", "--format", "json")
    written, own = json.loads(saved(shown, "JSON")), json.loads(done.out)
    same = ("formulas", "k", "contract", "queries", "verdict", "means", "before", "after", "statistics", "caveats")
    assert {name: written[name] for name in same} == {name: own[name] for name in same}
    table = list(csv.DictReader(io.StringIO(saved(shown, "CSV"))))
    for row in table:
        values = own[row["run"]]["per_query"]
        at = values["query_ids"].index(row["query_id"])
        assert [float(row[name]) for name in values["values"]] == [one[at] for one in values["values"].values()]
    report = tmp_path / "report.html"
    assert command("rerank", lab, "-k", "3", "--report", report).status == 0
    pages = [saved(shown, "HTML report"), report.read_text("utf-8")]
    data = [re.search(r'<script type="application/json" id="data">(.*?)</script>', page)[1] for page in pages]
    tables = [re.findall(r"<t[dh][^>]*>.*?</t[dh]>", page) for page in pages]
    assert data[0] == data[1]
    assert [cell for cell in tables[0] if "0." in cell] == [cell for cell in tables[1] if "0." in cell]


def rounded(found: object, inside: bool = False) -> object:  # noqa: FBT002
    """A result with its intervals, which go through functions that no two systems round alike, to 12 decimals."""
    if isinstance(found, dict):
        return {name: rounded(one, inside or name == "intervals") for name, one in found.items()}
    if isinstance(found, list):
        return [rounded(one, inside) for one in found]
    return round(found, 12) if inside and isinstance(found, float) else found


CASES = {
    "lab": ("#/lab?k=3", {"text": "lab.json"}),
    "compare": (
        "#/lab?k=5&input=runs&contract=trec_eval-10-complete",
        {"qrels": "qrels.txt", "before": "bm25-words.run", "after": "lsa.run"},
    ),
    "evaluate": ("#/lab?k=5&input=runs", {"qrels": "qrels.txt", "before": "lsa.run"}),
}


@pytest.mark.parametrize("case", CASES)
def test_downloads_say_how_to_get_the_same(tab, command, tmp_path, case: str) -> None:
    """The command that a downloaded JSON names gives the same on the command line, for each form of input."""
    address, files = CASES[case]
    shown = tab(address, accept_downloads=True)
    for place, name in files.items():
        where = "section.given" if place == "text" else f"[data-place={place}]"
        shown.locator(f"{where} input[type=file]").first.set_input_files(EXAMPLE / name)
        settled(shown)
    written = json.loads(saved(shown, "JSON"))
    done = command(*written["arguments"], "--format", "json", cwd=EXAMPLE)
    assert done.status == 0, done.err
    own = json.loads(done.out)
    made = ("arguments", "time", "machine", "versions")
    assert rounded({name: one for name, one in written.items() if name not in made}) == rounded(
        {name: one for name, one in own.items() if name not in made}
    )
    engine = lab().engine
    assert written["versions"]["engine"] == engine
    assert engine in shown.locator("footer").inner_html()
    if case == "evaluate":  # what the page saved is a baseline: against the same run nothing is lost
        baseline = tmp_path / "baseline.json"
        baseline.write_text(json.dumps(written), "utf-8")
        gate = command(
            "gate", "qrels.txt", baseline, "lsa.run", "--require", "nDCG@5 drop<=0.01", "--format", "json", cwd=EXAMPLE
        )
        assert gate.status == 0, gate.err


def test_report_of_the_page_draws(tab, tmp_path) -> None:
    """The report that the page saves opens by itself, with its pictures, and asks for nothing."""
    shown = tab(accept_downloads=True)
    path = tmp_path / "report.html"
    path.write_text(saved(shown, "HTML report"), "utf-8")
    report = shown.context.new_page()
    asked, said = [], []
    report.on("request", lambda request: asked.append(request.url))
    report.on("pageerror", lambda error: said.append(str(error)))
    report.goto(path.as_uri())
    report.wait_for_selector("html[data-drawn]")
    assert said == []
    assert asked == [path.as_uri()]
    assert report.locator("h1").inner_text() == "Before and after reranking"


def test_address(tab) -> None:
    """K stands in the address; back brings the earlier one and its numbers, forward the later, reload keeps it."""
    shown = tab()
    shown.get_by_label("Cutoff K").fill("1")
    settled(shown)
    assert shown.evaluate("location.hash") == "#/lab?k=1"
    assert rows(shown, "Before and after")[0][0] == "P@1"
    shown.go_back()
    assert rows(settled(shown), "Before and after")[0][0] == "P@3"
    assert shown.get_by_label("Cutoff K").input_value() == "3"
    shown.go_forward()
    assert rows(settled(shown), "Before and after")[0][0] == "P@1"
    shown.reload()
    assert rows(settled(shown), "Before and after")[0][0] == "P@1"
    shown.get_by_role("link", name="About").click()
    assert settled(shown).get_by_role("heading", level=1).inner_text() == "About this lab"
    assert shown.evaluate("document.activeElement.tagName") == "H1"
    assert shown.title() == "About this lab · rankproof lab"
    shown.go_back()
    assert rows(settled(shown), "Before and after")[0][0] == "P@1"


def test_wrong_addresses(tab) -> None:
    """An unknown tab opens the first one; a setting that cannot be is as if it were not given."""
    shown = tab("#/nothing?k=3")
    assert shown.get_by_role("heading", level=1).inner_text() == "Did reranking help?"
    shown = tab("#/lab?k=-1&input=x&lang=xx&theme=y")
    assert shown.get_by_label("Cutoff K").input_value() == "5"


def test_language_and_colours(tab) -> None:
    """Both follow the browser, are switched, stand in the address, and survive a reload and another tab."""
    shown = tab(language="ko-KR", color_scheme="dark")
    back = "getComputedStyle(document.body).backgroundColor"
    assert shown.evaluate("document.documentElement.lang") == "ko"
    dark = shown.evaluate(back)
    shown.get_by_role("button", name="English").click()
    shown.get_by_label("Colours").select_option("light")
    settled(shown)
    assert shown.evaluate("location.hash") == "#/lab?k=3&lang=en&theme=light"
    assert shown.evaluate(back) == "rgb(255, 255, 255)" != dark
    assert not re.search("[가-힣]", shown.locator("main").inner_text())
    shown.reload()
    settled(shown)
    shown.get_by_role("link", name="About").click()
    settled(shown)
    assert shown.evaluate("location.hash") == "#/about?lang=en&theme=light"
    assert shown.evaluate(back) == "rgb(255, 255, 255)"


def test_both_languages_have_the_same_words(tab) -> None:
    """Every module with texts has the same keys in both languages, each a text or a function that makes one."""
    shown = tab("#/about")
    names = [path.relative_to(PAGE).as_posix() for path in MODULES if "export const TEXTS" in path.read_text("utf-8")]
    assert len(names) > 2
    lacks = shown.evaluate(
        """async (names) => {
            const lacks = [];
            const { TABS } = await import('./tabs/tabs.mjs');
            const all = await Promise.all(names.map((name) => import(`./${name}`)));
            const ofTabs = TABS.flatMap((tab) => [tab.title, tab.heading, tab.intro]);
            const texts = [...all.map((one) => one.TEXTS), ...ofTabs];
            for (const { en, ko } of texts) {
                if (typeof en === 'string') {
                    if (!en || !/[가-힣]/.test(ko)) lacks.push([en, ko]);
                    continue;
                }
                const keys = new Set([...Object.keys(en), ...Object.keys(ko)]);
                for (const key of keys) {
                    const said = (text) => (typeof text === 'function' ? text('1', '2', '3') : text);
                    const made = [en, ko].map((of) => said(of[key]));
                    const isText = made.every((text) => typeof text === 'string' && text !== '');
                    if (!isText || typeof en[key] !== typeof ko[key]) lacks.push([key, ...made]);
                }
            }
            return lacks;
        }""",
        names,
    )
    assert lacks == []


def test_query_side_by_side(tab) -> None:
    """A query opens by the keyboard: both rankings, its values, an explanation of each; Escape gives the focus back."""
    shown = tab()
    opener = shown.get_by_role("button", name="q-1: open this query").first
    opener.focus()
    opener.press("Enter")
    window = shown.get_by_role("dialog", name="Query q-1")
    window.wait_for()
    settled(shown)
    assert shown.evaluate("document.activeElement.closest('dialog') !== null")
    text = window.inner_text()
    assert all(name in text for name in ("doc-x", "doc-a", "doc-c", "0.496639", "1.000000"))
    window.get_by_label("Run").select_option("before")
    settled(shown)
    # by hand: 7/log2(3) + 3/log2(5) = 5.708540, over 7 + 3/log2(3) = 8.892789; at K = 3 doc-c (rank 4) is cut off
    assert "4.416508" in window.locator(".explanation").inner_text()
    assert "8.892789" in window.locator(".explanation").inner_text()
    window.get_by_role("button", name="Next query").click()
    settled(shown)
    assert shown.get_by_role("dialog", name="Query q-2").is_visible()
    assert "doc-k" in shown.get_by_role("dialog").inner_text()
    assert shown.evaluate("[document.activeElement.textContent, document.activeElement.ariaDisabled]") == [
        "Next query",  # the last one: the focus stays where it was
        "true",
    ]
    shown.keyboard.press("Enter")
    assert settled(shown).get_by_role("dialog", name="Query q-2").is_visible()
    shown.keyboard.press("Escape")
    shown.evaluate(FRAMES)
    assert shown.locator("dialog").count() == 0
    assert shown.evaluate("document.activeElement.textContent") == "q-1"
    assert "q-1" not in shown.url


def test_value_is_explained(tab) -> None:
    """A value in the table of queries opens its explanation, which holds that value."""
    shown = tab()
    cell = shown.get_by_role("button", name="0.496639: explain this value")
    cell.click()
    settled(shown)
    explanation = shown.locator(".explanation")
    assert explanation.get_by_label("Run").input_value() == "before"
    assert explanation.get_by_label("Measure").input_value() == "nDCG@3"
    assert "0.496639" in explanation.inner_text()
    assert shown.evaluate("document.activeElement.textContent") == "How a value comes about"


def test_table_sorts_filters_and_turns(tab) -> None:
    """A long table shows 100 rows, sorts by its heads with undefined values last, finds a text, and turns its pages."""
    shown = tab()
    given = json.loads(many(120))
    given[5]["relevant"] = []
    shown.locator("#given-text").fill(json.dumps(given))
    settled(shown)
    box = shown.locator("lab-table", has=shown.locator("caption", has_text="per query"))
    body = box.locator("tbody tr")
    assert body.count() == 100
    assert "rows 1–100 of 240" in box.inner_text()
    box.get_by_role("button", name="Next 100").click()
    box.get_by_role("button", name="Next 100").click()
    assert body.count() == 40
    assert "rows 201–240 of 240" in box.inner_text()
    head = box.get_by_role("columnheader", name="RR@3")
    for order, best in (("ascending", min), ("descending", max)):
        head.get_by_role("button").click()
        shown.evaluate(FRAMES)
        assert head.get_attribute("aria-sort") == order
        column = [float(text) for text in body.locator("td:nth-child(5)").all_inner_texts()]
        assert column[0] == best(column)
        assert column == sorted(column, reverse=order == "descending")
    box.get_by_role("button", name="Next 100").click()
    box.get_by_role("button", name="Next 100").click()
    assert body.locator("td:nth-child(5)").all_inner_texts()[-2:] == ["–", "–"]
    box.get_by_label("Filter").fill("q-0007")
    assert body.count() == 2
    assert "2 of 240 rows" in box.inner_text()
    box.get_by_label("Filter").fill("nowhere")
    assert "No row holds this text." in box.inner_text()
    assert box.get_by_label("Filter").evaluate("(field) => field === document.activeElement")


def test_more_queries_on_demand(tab) -> None:
    """Of more than 200 queries the numbers come first, and intervals when they are asked for."""
    shown = tab()
    shown.locator("#given-text").fill(many(201))
    settled(shown)
    assert "95 % interval" not in shown.locator(".results").inner_text()
    shown.get_by_role("button", name="Calculate intervals and p").click()
    settled(shown)
    assert re.search(r"\[[+-]0\.\d+, [+-]0\.\d+\]", shown.locator(".results").inner_text())


def test_stop(tab) -> None:
    """What takes long can be stopped: the engine starts again, the numbers stay, and it can be asked once more."""
    shown = tab()
    shown.locator("#given-text").fill(many(201))
    settled(shown)
    shown.get_by_role("button", name="Calculate intervals and p").click()
    shown.get_by_role("button", name="Stop").click()
    settled(shown)
    assert rows(shown, "Before and after")[0][0] == "P@3"
    shown.get_by_role("button", name="Calculate intervals and p").click()
    settled(shown)
    assert "95 % interval" in shown.locator(".results").inner_text()


def test_judgments_and_runs(tab, command) -> None:
    """Judgments and two runs, opened together, are told apart by their names; the means are the command line's."""
    shown = tab("#/lab?k=5&input=runs")
    names = ["lsa.run", "qrels.txt", "bm25-words.run"]
    shown.locator("[data-place=qrels] input[type=file]").set_input_files([EXAMPLE / name for name in names])
    settled(shown)
    files = [EXAMPLE / name for name in ("qrels.txt", "bm25-words.run", "lsa.run")]
    done = command("evaluate", *files, "-m", "P@5", "-m", "nDCG@5", "--format", "json")
    means = [run["means"] for run in json.loads(done.out)["runs"]]
    for row in rows(shown, "Before and after"):
        if row[0] in means[0]:
            assert row[1:3] == [f"{run[row[0]]:.6f}" for run in means]
    assert "bm25-words.run" in shown.locator("[data-place=before]").inner_text()


NAMED = {
    ("bm25_before_rerank.run", "reranked.run", "q.txt"): ("q.txt", "bm25_before_rerank.run", "reranked.run"),
    ("after.run", "before.run", "gold.txt"): ("gold.txt", "before.run", "after.run"),
    ("후보.csv", "이후.csv", "판정.csv"): ("판정.csv", "후보.csv", "이후.csv"),
    ("a.run", "b.run", "labels.qrels"): ("labels.qrels", "a.run", "b.run"),
}


@pytest.mark.parametrize("names", NAMED, ids=lambda names: names[0])
def test_files_are_told_apart_by_their_names(tab, names: tuple[str, ...]) -> None:
    """Three files opened together go where their names say, whatever their order."""
    shown = tab("#/lab?k=5&input=runs")
    given = [file_of(name, f"q 0 d{at} 1\n") for at, name in enumerate(names)]
    shown.locator("[data-place=qrels] input[type=file]").set_input_files(given)
    for place, name in zip(("qrels", "before", "after"), NAMED[names], strict=True):
        shown.locator(f"[data-place={place}]").get_by_text(name).wait_for()


def test_too_many_files(tab) -> None:
    """A fourth file is not left out in silence: nothing is taken, and it is said."""
    shown = tab("#/lab?k=5&input=runs")
    given = [file_of(f"{name}.run", "q 0 d 1\n") for name in "abcd"]
    shown.locator("[data-place=qrels] input[type=file]").set_input_files(given)
    shown.get_by_text("are too many: judgments with one run or two").wait_for()
    assert shown.locator("#given-qrels").input_value() == ""


def test_value_of_a_named_run_is_explained(tab, command) -> None:
    """A value in the row `after` opens the explanation of the second run, whatever its tag."""
    shown = tab("#/lab?k=5&input=runs")
    for place, name in (("qrels", "qrels.txt"), ("before", "bm25-words.run"), ("after", "lsa.run")):
        shown.locator(f"[data-place={place}] input[type=file]").set_input_files(EXAMPLE / name)
    settled(shown)
    for row, name in ((1, "lsa"), (0, "bm25-words")):
        of_query = [EXAMPLE / "qrels.txt", EXAMPLE / f"{name}.run", "--query", "ko-01"]
        value = json.loads(command("explain", "nDCG@5", *of_query, "--format", "json").out)["value"]
        table = shown.locator("lab-table", has=shown.locator("caption", has_text="per query"))
        cells = table.locator("tbody tr", has_text="ko-01").nth(row).get_by_role("button", name=f"{value:.6f}: explain")
        cells.first.click()
        settled(shown)
        assert shown.locator(".explanation").get_by_label("Run").input_value() == name
        assert f"{value:.6f}" in shown.locator(".explanation").inner_text()
        shown.keyboard.press("Escape")


def test_one_run_alone(tab, command) -> None:
    """Judgments with one run give its means, those of the command line, and no report is offered."""
    shown = tab("#/lab?k=5&input=runs")
    for place, name in (("qrels", "qrels.txt"), ("before", "lsa.run")):
        shown.locator(f"[data-place={place}] input[type=file]").set_input_files(EXAMPLE / name)
    settled(shown)
    done = command("evaluate", EXAMPLE / "qrels.txt", EXAMPLE / "lsa.run", "-m", "nDCG@5", "--format", "json")
    mean = json.loads(done.out)["runs"][0]["means"]["nDCG@5"]
    assert dict(rows(shown, "Means"))["nDCG@5"] == f"{mean:.6f}"
    assert shown.get_by_role("button", name="HTML report").count() == 0
    shown.get_by_role("button", name="ko-01: open this query").click()
    settled(shown)
    assert shown.get_by_role("dialog").locator("table").count() > 1


DROP = """([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    const target = document.querySelector('#given-text');
    for (const type of ['dragover', 'drop']) {
        target.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }
}"""


def test_drop(tab) -> None:
    """A file that is dropped takes the place of the text, under its own name."""
    shown = tab()
    shown.evaluate(DROP, ["mine.json", SAMPLE.replace("q-1", "dropped-1").replace('"queryId": "q-2"', '"queryId": 2')])
    shown.locator(".fault").wait_for()
    assert "mine.json" in shown.locator(".fault").inner_text()
    shown.evaluate(DROP, ["mine.json", SAMPLE.replace("q-1", "dropped-1")])
    settled(shown)
    assert rows(shown, "Query by query")[0][0] == "dropped-1"


def test_large_files(tab) -> None:
    """A file of 6 MB is refused with its size before it is read; one of nearly 5 MB is measured and painted."""
    shown = tab()
    shown.locator("section.given input[type=file]").set_input_files(file_of("big.json", " " * (6 * 1024 * 1024)))
    shown.evaluate(FRAMES)
    told = shown.locator(".fault").inner_text()
    assert "big.json" in told
    assert "6.00 MB (6,291,456 bytes)" in told
    assert "5.00 MB at most" in told
    assert shown.locator("#given-text").input_value() == SAMPLE
    text = many(1000, 50)
    large = text + " " * (5 * 1024 * 1024 - len(text.encode()))
    shown.locator("section.given input[type=file]").set_input_files(file_of("large.json", large))
    settled(shown)
    assert "rows 1–100 of 2,000" in shown.locator(".results").inner_text()
    assert "5.00 MB of at most 5.00 MB" in shown.locator(".given").inner_text()
    shown.locator("#given-text").evaluate("(box) => { box.value += '가'; box.dispatchEvent(new Event('input')); }")
    shown.locator(".fault").wait_for()
    assert "5,242,883 bytes" in shown.locator(".fault").inner_text()


def test_nothing_is_kept(tab) -> None:
    """What was given is in no storage, cookie or address, and a reload forgets it."""
    shown = tab()
    shown.locator("#given-text").fill(SAMPLE.replace("q-1", "SECRET-1"))
    settled(shown)
    kept = """async () => JSON.stringify([
        { ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state,
        await indexedDB.databases(), await caches.keys(),
    ])"""
    assert "SECRET-1" in shown.locator(".results").inner_text()
    assert json.loads(shown.evaluate(kept))[:3] == [{}, {}, ""]
    assert "SECRET" not in shown.evaluate(kept)
    shown.reload()
    settled(shown)
    assert shown.locator("#given-text").input_value() == SAMPLE


def test_ids_are_shown_as_they_are(tab) -> None:
    """An id that looks like HTML, or holds control characters, is text on the screen and in the window of its query."""
    shown = tab()
    evil = "<img src=x onerror=alert(1)>\u202e\\n"
    shown.locator("#given-text").fill(SAMPLE.replace("q-1", evil))
    settled(shown)
    assert "<img src=x onerror=alert(1)>\\u{202e}\\n" in rows(shown, "Query by query")[0][0]
    shown.locator("td button").first.click()
    settled(shown)
    assert shown.get_by_role("dialog").get_by_role("heading", level=2).inner_text().startswith("Query <img")
    assert shown.locator("img").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en-US", "ko-KR"])
def test_axe_finds_no_fault(tab, language: str, scheme: str) -> None:
    """The checker axe finds no fault in the tabs, with a query open, everything unfolded, and with an error."""
    axe = needed("node_modules/axe-core/axe.min.js").read_text("utf-8")

    def check(shown) -> None:
        found = shown.evaluate("axe.run().then((result) => result.violations)")
        assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found] == []

    shown = tab(language=language, color_scheme=scheme)
    assert shown.evaluate("document.documentElement.lang") == language[:2]
    shown.evaluate(axe)
    check(shown)
    shown.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    check(settled(shown))
    shown.locator("td button").first.click()
    check(settled(shown))
    shown.keyboard.press("Escape")
    shown.locator("#given-text").fill(many(60))
    check(settled(shown))
    shown.locator("#given-text").fill("[{")
    shown.locator("#given-text").press("Control+Enter")
    check(settled(shown))
    shown.locator(".tabs a[href^='#/about']").click()
    check(settled(shown))


@pytest.mark.parametrize("language", ["en-US", "ko-KR"])
def test_narrow(tab, language: str) -> None:
    """At 360 pixels nothing makes the page scroll sideways; no button is under 20 pixels high."""
    shown = tab(language=language, viewport={"width": 360, "height": 780})
    wide = "document.documentElement.scrollWidth"
    assert shown.evaluate(wide) == 360
    small = "(all) => all.filter((one) => one.offsetHeight && one.offsetHeight < 20).map((one) => one.outerHTML)"
    assert shown.locator("button").evaluate_all(small) == []
    shown.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert settled(shown).evaluate(wide) == 360
    shown.locator("td button").first.click()
    settled(shown)
    assert shown.locator("dialog").evaluate("(one) => one.scrollWidth <= one.clientWidth")
    shown.keyboard.press("Escape")
    shown.locator(".segments input").last.check()
    shown.evaluate(FRAMES)
    assert shown.evaluate(wide) == 360
    shown.locator(".tabs a").last.click()
    assert settled(shown).evaluate(wide) == 360
    place = shown.locator(".tabs [aria-current]").bounding_box()
    assert 0 <= place["x"] <= 360 - place["width"]  # which tab is open can be seen


def test_print(tab) -> None:
    """On paper stand the results, and no controls; no table is cut off."""
    shown = tab(viewport={"width": 687, "height": 1000})
    shown.emulate_media(media="print")
    assert shown.locator("main button:visible:not(.in-cell, .sort), nav:visible, textarea:visible").count() == 0
    assert shown.locator(".verdict").is_visible()
    cut = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.innerText.slice(0, 60))"
    assert shown.locator(".table:visible").evaluate_all(cut) == []
    shown.emulate_media(media="screen")
    shown.locator("td button").first.click()
    settled(shown).emulate_media(media="print")
    assert shown.locator("dialog").is_visible()
    assert not shown.locator(".verdict").is_visible()


def test_print_says_what_is_left_out(tab) -> None:
    """A table of more rows than are shown says on paper which these are."""
    shown = tab()
    shown.locator("#given-text").fill(many(60))
    settled(shown).emulate_media(media="print")
    assert shown.get_by_text("rows 1–100 of 120").is_visible()
    assert not shown.get_by_role("button", name="Next 100").is_visible()


def test_what_broke_is_asked_again(tab) -> None:
    """Beside what the engine could not answer, in whatever tab, stands the way to ask once more."""
    shown = tab("#/about")
    shown.evaluate(
        """async () => {
            const { Answers } = await import('./answers.mjs');
            const { answered } = await import('./answered.mjs');
            const { render } = await import('./lit.mjs');
            const place = document.body.appendChild(Object.assign(document.createElement('div'), { id: 'place' }));
            let asked = 0;
            const ask = async () => {
                asked += 1;
                if (asked === 1) throw new Error('broken');
                return { warnings: [] };
            };
            const draw = () => render(answered(answers.ask('x', {}), 'en', () => `asked ${asked} times`), place);
            const answers = new Answers(ask, draw);
            draw();
        }"""
    )
    place = shown.locator("#place")
    place.get_by_text("broken").wait_for()
    place.get_by_role("button", name="Calculate again").click()
    place.get_by_text("asked 2 times").wait_for()


def test_headings_stand_in_order(tab) -> None:
    """One h1; below it no level is skipped."""
    shown = tab()
    levels = shown.locator("h1, h2, h3, h4").evaluate_all("(all) => all.map((one) => Number(one.tagName[1]))")
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_skip_link(tab) -> None:
    """The first Tab reaches a link that leads past the tabs to the heading."""
    shown = tab()
    shown.keyboard.press("Tab")
    assert shown.evaluate("document.activeElement.className") == "skip"
    shown.keyboard.press("Enter")
    assert shown.evaluate("document.activeElement.tagName") == "H1"
    assert shown.evaluate("location.hash") == "#/lab?k=3"


def test_types() -> None:
    """The modules keep to the types that their comments give."""
    done = subprocess.run(
        [needed("node_modules/.bin/tsc"), "-p", ROOT / "tools" / "page_types"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout + done.stderr == ""
    assert done.returncode == 0


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PAGE).as_posix())
def test_modules_are_plain(path: Path) -> None:
    """Each module is checked by types, says what it is for, and writes no HTML, style or script of its own."""
    text = path.read_text("utf-8")
    first, second = text.split("\n")[:2]
    assert first == "// @ts-check"
    assert second.startswith("// ")
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|unsafe|\beval\b|\bstyle=|localStorage", text
    )
    assert text.count("\n") <= 300
