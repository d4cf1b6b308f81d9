"""What does the main job look like on the packaged example?"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

from rankproof.compare import Comparison, compare
from rankproof.errors import Fault, InputError
from rankproof.evaluate import evaluate
from rankproof.explain import Explanation, explain
from rankproof.formats import Source, write_whole
from rankproof.record import record
from rankproof.report.values import means_table
from rankproof.report.write import write_report
from rankproof.tables import Table, as_markdown
from rankproof.values import Values, ValuesOfRuns

RUNS = ("bm25-words.run", "bm25-ngrams.run", "lsa.run")
SHOWN = "nDCG@10"
MEASURES = (SHOWN, "AP", "RR@10", "P@10", "R@10", "Judged@10")
COMPARED = (SHOWN, "AP", "RR@10", "R@10")
EXPLAINED = "ko-01"
REPORT = "report.md"
COMPARISON = "comparison.html"
EXPERIMENT = "experiment.toml"
MADE = (REPORT, COMPARISON)

_INTRODUCTION = """\
Korean and English questions on workplace safety, asked of short articles in three ways: BM25 over words, BM25 over
Hangul 2- and 3-grams, and LSA. `README.md` beside this file says how the runs and the labels were made.
"""
_CAVEAT = """\
A higher mean is not yet a better search: `comparison.html` beside this file says which differences are more than
chance.
"""


@dataclass(frozen=True, slots=True)
class Demo:
    """What the demo made: the folder with the example, values, the comparison with the first run, the reports."""

    folder: Path
    values: ValuesOfRuns
    comparison: Comparison
    reports: Sequence[Path]
    commands: Sequence[str]


def run_demo(folder: Path, program: str = "rankproof") -> Demo:
    """Lay the example out in a folder, evaluate and compare its runs, write reports there. InputError if that fails.

    `program` is how the commands to try next call this package.
    """
    lay_out(folder)
    values = evaluate(folder / "qrels.txt", [folder / run for run in RUNS], MEASURES)
    explained = explain(folder / "qrels.txt", folder / RUNS[0], SHOWN, EXPLAINED)
    baseline, *others = (folder / run for run in RUNS)
    sources = [Source(path) for path in (folder / "qrels.txt", baseline, *others)]
    compared = compare(sources[0], sources[1], sources[2:], COMPARED)
    made_by = record("demo", list(zip(("qrels", "run", "run", "run"), sources, strict=True)))
    page, report = folder / COMPARISON, folder / REPORT
    write_report(
        compared,
        page,
        made_by=made_by,
        query_texts=str(folder / "queries.jsonl"),
        doc_texts=str(folder / "corpus.jsonl"),
    )
    write_whole(report, _report(folder, values, explained))
    qrels, run, lab, other = (shlex.quote(str(folder / name)) for name in ("qrels.txt", RUNS[0], "lab.json", RUNS[1]))
    commands = (
        f"{program} explain {SHOWN} {qrels} {run} --query {EXPLAINED}",
        f"{program} evaluate {qrels} {run} -m {SHOWN} --contract trec_eval-10-complete --per-query",
        f"{program} compare {qrels} {run} {other} -m {SHOWN} --test randomization --test t",
        f"{program} diff {qrels} {run} {other} -n 3",
        f'{program} gate {qrels} {run} {other} --require "{SHOWN} drop<=0.01"',
        f"{program} rerank {lab} -k 3",
        f"{program} experiment {shlex.quote(str(folder / EXPERIMENT))}",
        f"{program} contracts trec_eval-9 rankproof {qrels} {run} -m AP",
    )
    return Demo(folder, values, compared, (page, report), commands)


def lay_out(folder: Path) -> None:
    """Copy the packaged example into a folder, which is made if need be; a file with other content is left alone."""
    example = files("rankproof").joinpath("example")
    texts = {file.name: file.read_text("utf-8") for file in example.iterdir() if file.is_file()}
    laid_out = {name for name, text in texts.items() if _content(folder / name) == text}
    in_the_way = [name for name in (*texts, *MADE) if name not in laid_out and (folder / name).exists()]
    if in_the_way and not (set(in_the_way) <= set(MADE) and len(laid_out) == len(texts)):
        hint = "choose another folder: rankproof demo DIR"
        raise InputError(Fault("is there already, with other content", str(folder / in_the_way[0]), hint=hint))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(Fault(f"cannot be made: {error.strerror}", str(folder))) from error
    for name in sorted(set(texts) - laid_out):
        write_whole(folder / name, texts[name])


def _content(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _texts(path: Path, field: str) -> dict[str, str]:
    with path.open(encoding="utf-8") as lines:
        return {entry["_id"]: entry[field] for entry in map(json.loads, lines)}


def _report(folder: Path, values: ValuesOfRuns, explained: Explanation) -> str:
    queries = _texts(folder / "queries.jsonl", "text")
    titles = _texts(folder / "corpus.jsonl", "title")
    sources = _texts(folder / "corpus.jsonl", "source")
    runs = list(values)
    rows = sorted(_by_query(values.values(), queries), key=lambda row: min(map(_low, row[2:])))
    header, *places = explained.rows()
    told = [[*row, titles.get(row[1], ""), sources.get(row[1], "")] for row in places]
    parts = (
        "# Three runs on the example\n",
        _INTRODUCTION,
        as_markdown([replace(means_table(values), title="Means")], values.notes()),
        _CAVEAT,
        as_markdown([Table(["query", "text", *runs], rows, f"{SHOWN} of each query, lowest first")]),
        f"Why does {explained.run} get this value for query {explained.query_id}, “{queries[explained.query_id]}”?\n",
        as_markdown(
            [Table([*header, "title", "source"], told, f"{explained.measure}, term by term")], explained.notes()
        ),
    )
    return "\n".join(parts)


def _low(value: object) -> float:
    return value if isinstance(value, float) else -1.0


def _by_query(values: Iterable[Values], queries: dict[str, str]) -> list[list[object]]:
    rows = list(values)
    return [[query, queries[query], *(one.of_query(query)[SHOWN] for one in rows)] for query in rows[0].query_ids]
