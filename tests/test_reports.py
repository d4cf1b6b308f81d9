"""Reports of results: everything a reader asks for, in both languages, in one file that loads nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import needed

import rankproof as rp
from rankproof.charts import Chart
from rankproof.demo import lay_out
from rankproof.report.blocks import Block, Cards, Details, Page, Verdict
from rankproof.report.write import page_of
from rankproof.tables import Table
from rankproof.words import Words

QUICK = {"permutations": 1000, "resamples": 300}
HOSTILE = "</script><img src=x onerror=document.title='broken'> | `x` \x07"


@pytest.fixture
def example(tmp_path: Path, monkeypatch) -> Path:
    lay_out(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def results() -> dict[str, object]:
    """Return one result of each kind that has a report."""
    runs = ["bm25-ngrams.run", "lsa.run"]
    return {
        "compare": rp.compare("qrels.txt", "bm25-words.run", runs, ["nDCG@10", "RR@10"], **QUICK),
        "leaderboard": rp.leaderboard("qrels.txt", ["bm25-words.run", *runs], ["nDCG@10", "AP"], **QUICK),
        "gate": rp.gate("qrels.txt", "bm25-words.run", "lsa.run", ["nDCG@10 drop<=0.01", "R@10>=0.9"], resamples=300),
        "rerank": rp.rerank("qrels.txt", "lsa.run", "lsa.run", ["nDCG@10", "AP"]),
        "lab": rp.rerank_lab("lab.json", 3),
    }


def tables(blocks: list[Block]) -> list[Table]:
    """Return the tables of blocks, those that are folded away too."""
    found = []
    for block in blocks:
        if isinstance(block, Table):
            found.append(block)
        elif isinstance(block, Details):
            found += tables(list(block.blocks))
    return found


def texts(page: Page) -> Iterator[Words]:
    """Yield every text of a page that is no table: banners, paragraphs, lists, cards, captions, summaries, the foot."""
    blocks = [*page.lead, *(block for one in page.sections for block in one.blocks)]
    for block in blocks:
        if isinstance(block, Words):
            yield block
        elif isinstance(block, list):
            yield from block
        elif isinstance(block, Verdict):
            yield from (block.word, block.sentence)
        elif isinstance(block, Cards):
            yield from (text for card in block.cards for text in (card.label, card.note) if text is not None)
        elif isinstance(block, Chart):
            yield block.alt
    yield from page.foot


def section(page: Page, heading: str) -> list[Block]:
    (found,) = [list(one.blocks) for one in page.sections if one.heading.en == heading]
    return found


def test_a_comparison_says_everything(example) -> None:
    """Verdict, measures, queries, documents, cutoffs, scores, contract and provenance each have their section."""
    found = results()["compare"]
    page = page_of(found)
    assert [one.heading.en for one in page.sections] == [
        *("Measures", "Query by query", "Hardest queries", "What changed most", "Relevant documents", "Over cutoffs"),
        *("Scores", "How it was compared", "What these numbers do not show", "The contract", "Where it comes from"),
    ]
    banners = [block.word.en for block in page.lead if isinstance(block, Verdict)]
    assert banners == ["bm25-ngrams: better", "lsa: no difference shown"]
    measures = tables(section(page, "Measures"))[0]
    assert [row[3] for row in measures.rows] == [one.baseline_value for one in found.differences]
    assert len(tables(section(page, "The contract"))[0].rows) == 35


def test_the_hardest_queries_stand_first(example) -> None:
    """The hardest queries are those with the lowest values of the first run, the lowest first."""
    found = results()["compare"]
    values = found.runs["bm25-ngrams"]
    order = sorted(values.query_ids, key=lambda query: values.of_query(query)["nDCG@10"])
    summary, first, *_ = tables(section(page_of(found), "Hardest queries"))
    assert [row[0] for row in summary.rows] == order[:10]
    assert order[0] in first.title


@pytest.mark.parametrize("kind", ["compare", "leaderboard", "gate", "rerank", "lab"])
def test_every_text_speaks_both_languages(example, kind: str) -> None:
    """Each text outside tables has its Korean, but for measures, runs and numbers."""
    page = page_of(results()[kind])
    hangul = re.compile("[가-힣]")
    for words in (page.title, *(one.heading for one in page.sections), *texts(page)):
        plain = re.sub(r"[\w.@-]*[@.=\d][\w.@-]*|AP|bm25-\w+|lsa", "", words.ko)
        assert hangul.search(words.ko) or not re.search("[a-z]{3}", plain), words


@pytest.mark.parametrize("kind", ["compare", "leaderboard", "gate", "rerank", "lab"])
def test_html_and_markdown(example, kind: str) -> None:
    """Each report is written as one HTML file and as Markdown; the Markdown has every table of the page."""
    found = results()[kind]
    rp.write_report(found, "report.html")
    rp.write_report(found, "report.md")
    html, markdown = Path("report.html").read_text("utf-8"), Path("report.md").read_text("utf-8")
    assert html.startswith("<!doctype html>")
    assert not re.search(r'(src|href)="(?!#)', html)
    page = page_of(found)
    assert markdown.startswith(f"# {page.title.en}\n")
    assert [one.heading.en for one in page.sections] == re.findall(r"^## (.*)$", markdown, re.MULTILINE)
    headers = sum(line.startswith("| ---") for line in markdown.splitlines())
    assert headers >= sum(len(tables(list(one.blocks))) for one in page.sections)


def test_hostile_names_stay_names(tmp_path: Path) -> None:
    """Ids of queries, documents and runs cannot break out of HTML, or out of a table of Markdown."""
    qrels = {f"{HOSTILE}{at}": {HOSTILE: 1} for at in range(7)}
    runs = [{query: [HOSTILE, "x"] for query in qrels}, {query: ["x", HOSTILE] for query in qrels}]
    found = rp.compare(qrels, {HOSTILE: runs[0]}, {"b": runs[1]}, ["RR"], **QUICK)
    for name in ("report.html", "report.md"):
        rp.write_report(found, tmp_path / name, query_texts=dict.fromkeys(qrels, HOSTILE), doc_texts={HOSTILE: HOSTILE})
        text = (tmp_path / name).read_text("utf-8")
        assert "<img src=x" not in text
        assert "\x07" not in text


def test_values_alone_have_a_report(example) -> None:
    """Where only values were compared, what needs the rankings is left out."""
    values = rp.evaluate("qrels.txt", ["bm25-words.run", "lsa.run"], ["AP"])
    page = page_of(rp.compare_values(*[[one] if at else one for at, one in enumerate(values.values())]))
    assert "Over cutoffs" not in [one.heading.en for one in page.sections]


def test_what_has_no_report_is_refused(example) -> None:
    """Another ending, and another object, are refused before anything is written."""
    with pytest.raises(rp.InputError, match=r"report.pdf: is no report that can be written; expected one of .html"):
        rp.write_report(results()["gate"], "report.pdf")
    known = "Comparison, Experiment, Leaderboard, Gate, Reranking, LabResult, Leakage"
    with pytest.raises(rp.InputError, match=f"has no report; expected one of {known}"):
        rp.write_report(3, "report.html")
    assert not Path("report.html").exists()


def test_commands_write_reports(example, in_process) -> None:
    """--report writes the file, says so, and names inputs with their hashes, command, time and machine in it."""
    asked = ("qrels.txt", "bm25-words.run", "lsa.run")
    for command, more in (
        ("compare", ["-m", "AP", "--queries", "queries.jsonl", "--corpus", "corpus.jsonl"]),
        ("leaderboard", ["-m", "AP"]),
        ("gate", ["--require", "AP rise>=-0.5"]),
    ):
        done = in_process(command, *asked, *more, "--report", f"{command}.md")
        assert done.status == 0, done.err
        assert f"report written to {command}.md" in done.err
        text = Path(f"{command}.md").read_text("utf-8")
        assert re.search(r"\| qrels \| qrels.txt \| [0-9a-f]{64} \|", text)
        assert re.search(r"\| time \| \d{4}-\d\d-\d\dT", text)
        assert f"rankproof {command} qrels.txt" in text
    assert "산소 농도" in Path("compare.md").read_text("utf-8")
    done = in_process("rerank", "qrels.txt", "lsa.run", "lsa.run", "--report", "rerank.md")
    assert done.status == 0, done.err
    assert in_process("compare", *asked, "--report", "x.txt").status == 2


def test_a_fixed_time(example, in_process, monkeypatch) -> None:
    """With SOURCE_DATE_EPOCH set, a result is the same, to the byte, whenever it is made."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    outs = {in_process("evaluate", "qrels.txt", "lsa.run", "--format", "json").out for _ in range(2)}
    assert len(outs) == 1
    assert '"time": "1970-01-01T00:00:00+00:00"' in outs.pop()


@pytest.mark.parametrize(("scheme", "language"), [("light", "en-US"), ("dark", "ko-KR")])
@pytest.mark.parametrize("kind", ["compare", "leaderboard", "gate", "rerank"])
def test_in_a_real_browser(example, opened, kind: str, scheme: str, language: str) -> None:
    """Every chart is drawn, nothing is asked for, the console is silent, and axe finds no fault."""
    needed("src/rankproof/report/vendor/vega.js")
    rp.write_report(results()[kind], "report.html")
    shown = opened(Path("report.html").resolve(), language=language, color_scheme=scheme)
    shown.wait_for_function(
        "[...document.querySelectorAll('.picture')].filter((one) => one.offsetParent)"
        ".every((one) => one.querySelector('svg'))"
    )
    assert shown.locator(".picture svg").count() >= 1
    shown.evaluate(needed("node_modules/axe-core/axe.min.js").read_text("utf-8"))
    found = shown.evaluate("axe.run().then((result) => result.violations)")
    assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found] == []
    assert len(shown.requests) == 1
    assert shown.said == []
