"""The report as one HTML file: what stands in it, what it does in a browser, and what it never does."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
import report_sample as sample
from browser import ROOT, needed
from hypothesis import given
from hypothesis import strategies as st

from rankproof.charts.spec import Chart
from rankproof.errors import printable
from rankproof.report import page as module
from rankproof.report.blocks import Code, Details, Page, Section
from rankproof.report.page import as_html
from rankproof.tables import Table
from rankproof.words import Words

VENDOR = "src/rankproof/report/vendor"


class Parsed(HTMLParser):
    """The elements of a page and the texts in them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.texts: dict[str, list[str]] = {}
        self.inside: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag != "meta":
            self.inside.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        for tag in set(self.inside):
            self.texts[tag][-1] += data


def data_of(text: str) -> dict:
    """Return the data that a page carries."""
    return json.loads(Parsed(text).texts["script"][1])


TEXTS = st.text(
    st.sampled_from("<>&'\"/!-=`\\{}\n\t\x00\x1f\x85\u2028\u2029\u202e\ud800\U0001f600a한"), max_size=12
) | (st.sampled_from(["</script>", "<!--<script>", "-->", "]]>", "{title}", "</td>", "&lt;", "\\u003c", "javascript:"]))


@given(TEXTS, TEXTS, TEXTS)
def test_no_text_breaks_out(one: str, two: str, three: str) -> None:
    """Whatever an id or a text holds, the page has the same elements, and the cell says the id."""

    def made(one: str, two: str, three: str) -> Parsed:
        table = Table([two, "n"], [[one, 1]] * 101, three)
        blocks = [table, Words(one, f"{two}ko"), [Words(two, three)], Code(three), Details(Words(one, one), [table])]
        text = as_html(Page(Words(one, two), [Section(Words(three, one), blocks)] * 2, foot=[Words(two, one)]))
        text.encode()
        return Parsed(text)

    found, plain = made(f"1{one}", f"2{two}", f"3{three}"), made("1", "2", "3")
    assert found.attributes == plain.attributes
    assert set(found.tags) == set(plain.tags)
    assert found.tags.count("script") == plain.tags.count("script") == 3
    assert found.texts["td"][0] == printable(f"1{one}")
    assert json.loads(found.texts["script"][1])["tables"][0]["rows"] == [[printable(f"1{one}"), "1"]]


def test_rows_stand_in_the_file_once() -> None:
    """Of a long table the first 100 rows are HTML and the others data, none both."""
    text = as_html(Page(Words("t", "t"), [Section(Words("s", "s"), [sample.LONG])]))
    rows = data_of(text)["tables"][0]["rows"]
    assert len(rows) == 150
    assert len(Parsed(text).texts["tr"]) == 101
    for at in (0, 99, 100, 249):
        assert len(re.findall(rf"\bquery {at}\b", text)) == 1
    assert rows[0] == ["query 100", f"{100 / 7:.4f}"]
    assert "100" in text.partition('class="shown">')[2][:4]


def test_a_page_without_charts_is_small() -> None:
    """The chart library goes only where there is a chart."""
    assert len(as_html(Page(Words("t", "t"), [Section(Words("s", "s"), [Words("p", "p")])]))) < 40_000


def test_nothing_is_named_that_could_be_loaded() -> None:
    """No element of a page takes an address, and its policy allows nothing from anywhere."""
    parsed = Parsed(as_html(sample.page()))
    assert not {"src", "srcset", "action", "background"} & parsed.attributes
    assert not {"link", "img", "iframe", "object", "base", "form"} & set(parsed.tags)
    assert module.POLICY.startswith("default-src 'none'; ")
    assert "connect-src" not in module.POLICY


def test_lock_names_no_host() -> None:
    """The lock pins each package by its hash, and names no place to fetch it from."""
    locked = json.loads((ROOT / "package-lock.json").read_text("utf-8"))["packages"]
    assert all("resolved" not in entry for entry in locked.values())
    assert all(entry["integrity"].startswith("sha512-") for name, entry in locked.items() if name)
    wanted = json.loads((ROOT / "package.json").read_text("utf-8"))
    for name, version in (wanted["dependencies"] | wanted["devDependencies"]).items():
        assert locked[f"node_modules/{name}"]["version"] == version


def test_bundle_is_made_from_what_is_here() -> None:
    """The bundle is of this lock and this entry file, evaluates no text as code, and comes with its licences."""
    stamp = needed(f"{VENDOR}/made-from.sha256").read_text("ascii").strip()
    parts = [(ROOT / name).read_bytes() for name in ("package.json", "package-lock.json", "tools/charts_bundle.mjs")]
    assert stamp == hashlib.sha256(b"".join(parts)).hexdigest()
    licenses = needed(f"{VENDOR}/LICENSES.txt").read_text("utf-8")
    for name in ("vega", "vega-lite", "vega-interpreter", "d3-array", "delaunator"):
        assert re.search(rf"^{name} \d+\.\d+\.\d+ \(\S+\)$", licenses, re.MULTILINE), name


# In a browser.


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> Path:
    """The sample page, with its charts."""
    needed(f"{VENDOR}/vega.js")
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(as_html(sample.page()), encoding="utf-8")
    return path


def drawn(shown):
    """Wait until all charts are drawn."""
    shown.wait_for_selector("html[data-drawn]", state="attached")
    return shown


def charts_in(blocks) -> Iterator[Chart]:
    """Yield the charts among blocks."""
    for block in blocks:
        if isinstance(block, Chart):
            yield block
        elif isinstance(block, Details):
            yield from charts_in(block.blocks)


def test_charts_are_drawn_and_nothing_leaves(opened, report) -> None:
    """Every chart is drawn, the only request is for the file itself, and nothing is complained about."""
    shown = drawn(opened(report))
    count = len([chart for section in sample.page().sections for chart in charts_in(section.blocks)])
    assert shown.locator(".picture svg").count() == count
    shown.get_by_text("One query").click()
    shown.locator(".language").click()
    shown.mouse.move(600, 700)
    assert shown.requests == [report.as_uri()]
    assert shown.said == []
    assert shown.title() == "도움이 되었나?"


def test_policy_holds(opened, report) -> None:
    """What would load or send something, or run a text as code, is refused by the page's own policy."""
    shown = drawn(opened(report))
    refused = shown.evaluate("""async () => {
        const found = [];
        document.addEventListener('securitypolicyviolation', (event) => found.push(event.effectiveDirective));
        await fetch('http://127.0.0.1:9/').catch(() => 0);
        document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.1:9/x.png' }));
        document.body.append(Object.assign(document.createElement('script'), { src: 'http://127.0.0.1:9/x.js' }));
        const inside = document.createElement('script');
        inside.textContent = "setTimeout(() => { try { eval('1'); } catch { /* refused */ } })";
        document.body.append(inside);
        await new Promise((done) => setTimeout(done, 500));
        return found;
    }""")
    assert set(refused) == {"connect-src", "img-src", "script-src-elem", "script-src"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en-US", "ko-KR"])
def test_axe_finds_no_fault(opened, report, scheme: str, language: str) -> None:
    """The checker axe finds no fault in either language and colour scheme, everything folded and everything open."""
    axe = needed("node_modules/axe-core/axe.min.js").read_text("utf-8")
    shown = drawn(opened(report, language=language, color_scheme=scheme))
    assert shown.evaluate("document.documentElement.lang") == language[:2]
    shown.evaluate(axe)
    for _ in range(2):
        found = shown.evaluate("axe.run().then((result) => result.violations)")
        assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found] == []
        shown.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")


def test_languages(opened, report) -> None:
    """The page starts in the reader's language; the button changes every word, the title and the charts."""
    shown = drawn(opened(report, language="ko-KR"))
    assert shown.locator("h1").inner_text() == "도움이 되었나?"
    assert "나아짐" in shown.locator(".picture svg").first.text_content()
    assert shown.locator(".picture").first.get_attribute("aria-label").startswith("변화 5개")
    shown.locator(".language").click()
    shown.wait_for_function("document.querySelector('.picture').getAttribute('aria-label').startsWith('5 changes')")
    assert shown.evaluate("document.documentElement.lang") == "en"
    assert (shown.title(), shown.locator("h1").inner_text()) == ("Did it help?", "Did it help?")
    assert "나아짐" not in shown.locator("main").inner_text()


def test_more_rows(opened, report) -> None:
    """The button brings the next 100 rows, then the rest, and goes; each row reads as in the table."""
    shown = drawn(opened(report))
    box = shown.locator(".table", has=shown.get_by_text("per query", exact=True))
    rows, rest = box.locator("tbody tr"), box.locator("xpath=following-sibling::p[1]")
    assert rest.inner_text().startswith("100 of 250 rows")
    for count in (200, 250):
        rest.locator("button").click()
        assert rows.count() == count
        assert rest.inner_text().startswith(f"{count} of 250 rows")
    assert rest.locator("button").is_hidden()
    read = [[cell.strip() for cell in row.split("\t")] for row in rows.all_inner_texts()]
    assert read == [[query, f"{value:.4f}"] for query, value in sample.LONG.rows]
    aligned = "(cells) => new Set([...cells].map((cell) => getComputedStyle(cell).textAlign)).size"
    assert box.locator("tbody td:last-child").evaluate_all(aligned) == 1


def test_print(opened, report) -> None:
    """On paper no buttons, contents or numbers of drawn charts are; three details of a section open, and fold again."""
    shown = drawn(opened(report))
    shown.emulate_media(media="print")
    assert shown.locator("button:visible, nav:visible").count() == 0
    assert shown.locator("details[open]").count() == 0
    shown.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert shown.locator("details[open] > summary").all_inner_texts() == ["One query", "Query 2", "Query 3"]
    assert shown.locator("summary:visible").all_inner_texts() == ["One query", *(f"Query {at}" for at in range(2, 6))]
    assert shown.get_by_text("It moved.").is_visible()
    shown.evaluate("dispatchEvent(new Event('afterprint'))")
    assert shown.locator("details[open]").count() == 0


def test_what_the_reader_opened_is_printed(opened, report) -> None:
    """Details that the reader opened stay open on paper, and after it."""
    shown = drawn(opened(report))
    shown.get_by_text("Query 5", exact=True).click()
    shown.emulate_media(media="print")
    shown.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert shown.get_by_text("Of 5.").is_visible()
    assert not shown.get_by_text("Of 4.").is_visible()
    shown.evaluate("dispatchEvent(new Event('afterprint'))")
    assert shown.locator("details[open] > summary").all_inner_texts() == ["Query 5"]


WIDER = "(boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.innerText.slice(0, 80))"
"""The boxes that are narrower than what stands in them."""


@pytest.mark.parametrize("language", ["en-US", "ko-KR"])
def test_paper_cuts_nothing(opened, report, language: str) -> None:
    """On A4 between its margins, 182 mm or 687 pixels, no table or code is wider than the page."""
    shown = drawn(opened(report, language=language, viewport={"width": 687, "height": 1000}))
    shown.emulate_media(media="print")
    shown.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert shown.locator(".table, pre, .picture").evaluate_all(WIDER) == []
    assert shown.evaluate("document.documentElement.scrollWidth") == 687


@pytest.mark.parametrize("width", [1180, 1280, 1440])
def test_wide_tables_fit(opened, report, width: int) -> None:
    """In a window of usual width the columns of a comparison are all in sight, and an interval stands in one line."""
    shown = drawn(opened(report, viewport={"width": width, "height": 900}))
    assert shown.locator(".table", has=shown.get_by_text("adjusted p")).evaluate_all(WIDER) == []
    assert shown.locator("pre").evaluate_all(WIDER) == []
    value = shown.get_by_text("[+0.0736, +0.2521]", exact=True)
    lines = """(element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getClientRects().length;
    }"""
    assert value.evaluate(lines) == 1


def test_undefined_is_a_dash(opened, tmp_path) -> None:
    """An undefined value is seen as a dash and read out as a word of the language, in each row of a table."""
    path = tmp_path / "undefined.html"
    rows = [["q", None]] * 150
    path.write_text(as_html(Page(Words("t", "t"), [Section(Words("s", "s"), [Table(["a", "b"], rows)])])), "utf-8")
    shown = drawn(opened(path))
    shown.locator("button.more").click()
    assert shown.locator("td.null").all_inner_texts() == ["–"] * 150
    for word in ("undefined", "정의되지 않음"):
        assert shown.get_by_role("img", name=word, exact=True).count() == 150
        assert shown.get_by_title(word, exact=True).locator("visible=true").count() == 150
        shown.locator(".language").click()


def test_narrow(opened, report) -> None:
    """On a telephone the page does not scroll sideways; wide tables do, inside their box."""
    shown = drawn(opened(report, viewport={"width": 390, "height": 844}))
    shown.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert shown.evaluate("document.documentElement.scrollWidth") == 390
    wide = "(boxes) => boxes.some((box) => box.scrollWidth > box.clientWidth)"
    assert shown.locator(".table").evaluate_all(wide)


def test_without_javascript(opened, report) -> None:
    """Without JavaScript the page is English, and every table is open."""
    shown = opened(report, language="ko-KR", java_script_enabled=False)
    assert shown.locator("h1").inner_text() == "Did it help?"
    assert shown.locator("table:visible").count() == shown.locator("table").count() > 8
    assert shown.locator("button:visible").count() == 0


def test_without_the_chart_library(opened, tmp_path, monkeypatch) -> None:
    """A package built without npm says so in the report, which keeps its tables, open, and complains of nothing."""
    monkeypatch.setattr(module, "_bundle", lambda: None)
    path = tmp_path / "plain.html"
    path.write_text(as_html(sample.page()), encoding="utf-8")
    assert path.stat().st_size < 600_000
    shown = drawn(opened(path))
    assert "install Node.js with npm" in shown.locator(".note").inner_text()
    assert shown.locator("svg").count() == 0
    assert shown.locator(".chart details[open] table").count() == len(sample.charts())
    assert shown.said == []
