"""What does it cost to measure a run, from its files to five means, beside the tools that people use?

Usage: ``make bench``, or ``python benchmarks/files.py`` (see ``--help``) with the test packages installed;
``TREC_EVAL=path`` adds trec_eval. Every contender is a process of its own that prints five means. They run in turns
on the same files; the median of the rounds counts: CPU time, wall time and peak memory. The means are compared, so
that all measure the same. Two floors stand beside: counting the line ends of the bytes, and one pass of NumPy over
them. It writes ``benchmarks/files.json`` and prints a table in Markdown. Instead of that, ``--growth`` measures the
growth with the queries, ``--start`` what it takes to start, ``--profile`` where the time of the sparse files goes.
Files are made with a seed, in a folder that is removed.
"""

from __future__ import annotations

import argparse
import cProfile
import gzip
import json
import os
import platform
import pstats
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import numpy as np

SEED = 7
HERE = Path(__file__).resolve().parent
MEASURES = ("nDCG@10", "AP", "RR", "P@10", "R@1000")


@dataclass(frozen=True, slots=True)
class Shape:
    """What files look like: queries, results of each, judgments of each among its results, and of others."""

    queries: int
    results: int
    judged: int
    elsewhere: int = 0
    wide: bool = False  # ids of 36 bytes
    order: str = "score"  # or "shuffled": rows of a query in any order; "ungrouped": all rows in any order
    packed: bool = False


SHAPES: dict[str, Shape] = {
    "sparse": Shape(6_980, 1_000, 1),
    "deep": Shape(50, 1_000, 500),
    "all judged": Shape(2_000, 500, 500),
    "short": Shape(60_000, 5, 2),
    "long ids": Shape(1_000, 1_000, 20, wide=True),
    "unsorted": Shape(1_000, 1_000, 20, order="shuffled"),
    "ungrouped": Shape(1_000, 1_000, 20, order="ungrouped"),
    "gzip": Shape(1_000, 1_000, 20, packed=True),
}

OURS = """
import sys
from rankproof.cli import main
sys.argv = ["rankproof", "evaluate", *sys.argv[1:], "--contract", "trec_eval-9", "--format", "csv"]
for measure in {measures!r}:
    sys.argv += ["-m", measure]
main()
"""
PYTREC_EVAL = """
import gzip, sys, pytrec_eval
opened = gzip.open if sys.argv[2].endswith(".gz") else open
with open(sys.argv[1]) as file: qrels = pytrec_eval.parse_qrel(file)
with opened(sys.argv[2], "rt") as file: run = pytrec_eval.parse_run(file)
names = ["ndcg_cut_10", "map", "recip_rank", "P_10", "recall_1000"]
found = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10", "map", "recip_rank", "P.10", "recall.1000"}).evaluate(run)
for name in names: print(name, sum(values[name] for values in found.values()) / len(found))
"""
IR_MEASURES = """
import sys, ir_measures
qrels, run = ir_measures.read_trec_qrels(sys.argv[1]), ir_measures.read_trec_run(sys.argv[2])
measures = [ir_measures.parse_measure(name) for name in ("nDCG@10", "AP", "RR", "P@10", "R@1000")]
found = ir_measures.calc_aggregate(measures, qrels, run)
for measure in measures: print(measure, found[measure])
"""
TREC_EVAL = ("-m", "ndcg_cut.10", "-m", "map", "-m", "recip_rank", "-m", "P.10", "-m", "recall.1000")
NAMES = {
    "ndcg_cut_10": "nDCG@10",
    "map": "AP",
    "recip_rank": "RR",
    "P_10": "P@10",
    "recall_1000": "R@1000",
}
FLOORS = {
    "bytes.count": "import sys; print(open(sys.argv[2], 'rb').read().count(b'\\n'))",
    "NumPy mask": "import sys, numpy; print(int((numpy.fromfile(sys.argv[2], numpy.uint8) <= 32).sum()))",
}


@dataclass(frozen=True, slots=True)
class Cost:
    """What one contender took: seconds of CPU and of waiting, megabytes at its peak, the means that it printed."""

    cpu: float
    wall: float
    memory: float
    means: Sequence[float]


def contenders(*, packed: bool) -> Iterator[tuple[str, Callable[[str, str], list[str]]]]:
    """Yield the contenders, each with the command for two files; those that can read a packed one."""

    def script(text: str) -> Callable[[str, str], list[str]]:
        return lambda qrels, run: [sys.executable, "-c", text, qrels, run]

    yield "rankproof", script(OURS.format(measures=MEASURES))
    yield "pytrec_eval", script(PYTREC_EVAL)
    yield "ir_measures", script(IR_MEASURES)
    if packed:
        return
    if binary := os.environ.get("TREC_EVAL"):
        yield "trec_eval", lambda qrels, run: [binary, *TREC_EVAL, qrels, run]
    for name, text in FLOORS.items():
        yield name, script(text)


def cost_of(command: list[str]) -> Cost:
    """Run a process and take its cost."""
    begun = time.perf_counter()
    process = subprocess.Popen(  # noqa: S603
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=_ENVIRONMENT
    )
    out = process.stdout.read() if process.stdout is not None else ""
    _, status, used = os.wait4(process.pid, 0)
    if status:
        message = f"status {status}: {command[:3]}"
        raise SystemExit(message)
    return Cost(used.ru_utime + used.ru_stime, time.perf_counter() - begun, used.ru_maxrss / 1000, _numbers(out))


_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Modules are compiled once, as those of an installed package are."""


def _numbers(out: str) -> list[float]:
    """Return the means in the order of MEASURES, whatever order they are printed in; floors print one number."""
    lines = [line.replace(",", " ").split() for line in out.splitlines() if line.strip()]
    named = {NAMES.get(word, word): line[-1] for line in lines for word in line[:-1]}
    return [float(named[measure]) for measure in MEASURES if measure in named]


def make(shape: Shape, folder: Path, scale: float = 1.0) -> tuple[str, str]:
    """Write judgments and a run, and return their paths."""
    random = np.random.default_rng(SEED)
    queries = max(1, round(shape.queries * scale))
    name = "{:08d}-0000-4000-8000-{:012d}".format if shape.wide else (lambda _, doc: str(doc))
    qrels, rows = folder / "qrels", folder / f"run{'.gz' if shape.packed else ''}"
    lines: list[str] = []
    with qrels.open("w") as judged, gzip.open(rows, "wt") if shape.packed else rows.open("w") as run:
        for query in range(1, queries + 1):
            docs = random.choice(8_841_823, shape.results, replace=False).tolist()
            scores = np.sort(random.gamma(9, 1.2, shape.results))[::-1].tolist()
            own = [
                f"{query} Q0 {name(query, doc)} {rank} {score:.6f} run\n"
                for rank, (doc, score) in enumerate(zip(docs, scores, strict=True), 1)
            ]
            chosen = random.choice(shape.results, shape.judged, replace=False).tolist()
            judged.writelines(f"{query} 0 {name(query, docs[at])} {1 + at % 2}\n" for at in chosen)
            if shape.order == "shuffled":
                random.shuffle(own)
            (run.writelines(own) if shape.order != "ungrouped" else lines.extend(own))
        random.shuffle(lines)
        run.writelines(lines)
    return str(qrels), str(rows)


def compare(shape: Shape, rounds: int, scale: float) -> dict[str, dict[str, float]]:
    """Return the medians of each contender over the rounds, taken in turns. SystemExit where means differ."""
    folder = Path(tempfile.mkdtemp())
    try:
        files = make(shape, folder, scale)
        found: dict[str, list[Cost]] = {}
        for _ in range(rounds):
            for name, command in contenders(packed=shape.packed):
                found.setdefault(name, []).append(cost_of(command(*files)))
        for name, costs in found.items():
            if name not in FLOORS and not _are_alike(costs[0].means, found["rankproof"][0].means):
                message = f"{name} prints {costs[0].means}, rankproof {found['rankproof'][0].means}"
                raise SystemExit(message)
        return {
            name: {part: median(getattr(one, part) for one in costs) for part in ("cpu", "wall", "memory")}
            for name, costs in found.items()
        }
    finally:
        shutil.rmtree(folder)


def _are_alike(means: Sequence[float], others: Sequence[float]) -> bool:
    """Return whether these are five means each, the same to the four digits that some tools print."""
    return len(means) == len(others) == len(MEASURES) and np.allclose(means, others, atol=6e-5)


def table(results: dict[str, dict[str, dict[str, float]]]) -> str:
    """Return the results as Markdown: CPU seconds, and how many times ours in brackets."""
    names = list(dict.fromkeys(name for costs in results.values() for name in costs))
    lines = ["| files | " + " | ".join(names) + " | memory, MB | wall / CPU |", "|---" * (len(names) + 3) + "|"]
    for shape, costs in results.items():
        ours = costs["rankproof"]
        cells = [_cell(costs.get(name), ours) for name in names]
        lines.append(
            f"| {shape} | " + " | ".join(cells) + f" | {ours['memory']:.0f} | {ours['wall'] / ours['cpu']:.2f} |"
        )
    return "\n".join(lines)


def _cell(cost: dict[str, float] | None, ours: dict[str, float]) -> str:
    return "" if cost is None else f"{cost['cpu']:.2f} (× {cost['cpu'] / ours['cpu']:.2f})"


def start(rounds: int) -> None:
    """Print what it takes to start Python, this package and its command, and how often that of Python alone."""
    programs = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "import rankproof": [sys.executable, "-c", "import rankproof"],
        "rankproof --help": [sys.executable, "-c", "import sys; from rankproof.cli import main; main()", "--help"],
        "import numpy": [sys.executable, "-c", "import numpy"],
    }
    costs = {name: median(cost_of(command).cpu for _ in range(rounds + 1)) for name, command in programs.items()}
    print("| | CPU seconds | times Python alone |", "|---|---|---|", sep="\n")
    for name, cost in costs.items():
        print(f"| `{name}` | {cost:.3f} | {cost / costs['python -c pass']:.1f} |")


STAGES = {
    "chunks": "the text: read, and cut between queries",
    "columns": "where tokens begin and end: a mask of white space, its edges, their shape",
    "changes": "queries: where they change",
    "are": "tags: the same in every row",
    "are_numbers": "ranks: that they are numbers",
    "hashes": "documents: a hash of each",
    "mixed": "documents: the hash with the query's",
    "repeats": "documents: that none comes twice",
    "find": "documents: which are judged",
    "_plain": "scores: as numbers",
    "standing": "ranks and ties of judged documents",
}


def profile(scale: float) -> None:
    """Print where the time of placing the sparse files goes, in one thread."""
    from rankproof.contract import Contract  # noqa: PLC0415 - what is measured
    from rankproof.formats import as_qrels, as_runs  # noqa: PLC0415
    from rankproof.placements import place  # noqa: PLC0415
    from rankproof.placements.arrays import rows  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        qrels, run = make(SHAPES["sparse"], Path(folder), scale)
        rows._in_turn = map  # noqa: SLF001 - one thread, so that the profiler sees all of it
        watched = cProfile.Profile()
        contract = Contract(score_precision="single")
        judged, (unread,) = as_qrels(qrels, contract), as_runs(run, contract, lazily=True)[0]
        watched.runcall(place, judged, unread, contract)
    found = {name: cumulative for (_, _, name), (_, _, _, cumulative, _) in pstats.Stats(watched).stats.items()}
    print(f"| stage | seconds of {found['place']:.2f} |", "|---|---|", sep="\n")
    for name, says in STAGES.items():
        print(f"| {says} | {found[name]:.3f} |")


def main() -> None:
    """Compare, print, and write the JSON."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--only", choices=SHAPES, action="append", help="one kind of files; repeat")
    asked.add_argument("--rounds", type=int, default=5)
    asked.add_argument("--scale", type=float, default=1.0, help="that many times the queries")
    asked.add_argument("--growth", action="store_true", help="files of 1, 2, 4 and 8 times the queries")
    asked.add_argument("--start", action="store_true", help="what it takes to start")
    asked.add_argument("--profile", action="store_true", help="where the time of the sparse files goes")
    given = asked.parse_args()
    if given.profile:
        profile(given.scale)
        return
    if given.start:
        start(given.rounds)
        return
    results = {}
    if given.growth:
        for name in given.only or ("sparse", "all judged", "short"):
            for times in (1, 2, 4, 8):
                results[f"{name} × {times}"] = compare(SHAPES[name], given.rounds, times * given.scale / 8)
    else:
        for name in given.only or SHAPES:
            results[name] = compare(SHAPES[name], given.rounds, given.scale)
            print(f"{name}: done", file=sys.stderr)
    print(table(results))
    told = {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "cores": os.cpu_count(),
        "rounds": given.rounds,
        "shapes": {name: asdict(shape) for name, shape in SHAPES.items()},
        "results": results,
    }
    (HERE / "files.json").write_text(json.dumps(told, indent=2) + "\n")


if __name__ == "__main__":
    main()
