"""What does it cost to measure rankings that are in memory already, beside the tools that people use?

Usage: ``python benchmarks/dicts.py`` (part of ``make bench``) with the test packages installed. Judgments and runs are
dicts; all contenders take turns in one process, which is warm; the median CPU time of the rounds counts. pytrec_eval
takes the judgments in when its evaluator is made: this is shown with and without that. ranx gets its own objects, made
beforehand. The means are compared, so that all measure the same. It writes ``benchmarks/dicts.json`` and prints a table
in Markdown.
"""

from __future__ import annotations

import argparse
import json
import random
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import fmean, median

SEED = 7
HERE = Path(__file__).resolve().parent
SHAPES = {
    "deep: 1,000 × 1,000 results, 20 judged": (1_000, 1_000, 20),
    "all judged: 1,000 × 500": (1_000, 500, 500),
    "short: 20,000 × 5 results, 2 judged": (20_000, 5, 2),
}
OURS = ("nDCG@10", "AP", "RR", "P@10", "R@1000")
PYTREC_EVAL = {"ndcg_cut.10": "ndcg_cut_10", "map": "map", "recip_rank": "recip_rank", "P.10": "P_10"}
PYTREC_EVAL["recall.1000"] = "recall_1000"
RANX = ("ndcg@10", "map", "mrr", "precision@10", "recall@1000")

Means = list[float]
Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]


def make(queries: int, results: int, judged: int) -> tuple[Qrels, Run]:
    """Return judgments and a run, the results in no order of their scores."""
    draw = random.Random(SEED)  # noqa: S311 - made with a seed, so that all get the same
    qrels: Qrels = {}
    run: Run = {}
    for query in map(str, range(queries)):
        docs = [str(doc) for doc in draw.sample(range(8_841_823), results)]
        run[query] = {doc: draw.gammavariate(9, 1.2) for doc in docs}
        qrels[query] = {doc: draw.choice((0, 1, 2)) for doc in draw.sample(docs, judged)} | {"elsewhere": 1}
    return qrels, run


def contenders(qrels: Qrels, run: Run) -> Iterator[tuple[str, Callable[[], Means]]]:
    """Yield the contenders, each ready to be called again and again."""
    import ir_measures  # noqa: PLC0415 - loaded before anything is measured
    import pytrec_eval  # noqa: PLC0415
    import ranx  # noqa: PLC0415

    import rankproof  # noqa: PLC0415

    def ours() -> Means:
        found = rankproof.evaluate(qrels, run, OURS, "trec_eval-9")
        return [found[name] for name in OURS]

    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(PYTREC_EVAL))

    def averaged(found: dict[str, dict[str, float]]) -> Means:
        return [fmean(values[name] for values in found.values()) for name in PYTREC_EVAL.values()]

    measures = [ir_measures.parse_measure(name) for name in OURS]

    def of_ir_measures() -> Means:
        found = ir_measures.calc_aggregate(measures, qrels, run)
        return [found[measure] for measure in measures]

    its_qrels, its_run = ranx.Qrels(qrels), ranx.Run(run)

    def of_ranx() -> Means:
        found = ranx.evaluate(its_qrels, its_run, list(RANX))
        return [float(found[name]) for name in RANX]

    yield "rankproof", ours
    yield "pytrec_eval, evaluate alone", lambda: averaged(evaluator.evaluate(run))
    yield (
        "pytrec_eval",
        lambda: averaged(pytrec_eval.RelevanceEvaluator(qrels, set(PYTREC_EVAL)).evaluate(run)),
    )
    yield "ir_measures", of_ir_measures
    yield "ranx, warm", of_ranx


def compare(shape: tuple[int, int, int], rounds: int) -> dict[str, float]:
    """Return the median CPU seconds of each contender. SystemExit where means differ."""
    ready = list(contenders(*make(*shape)))
    found: dict[str, list[float]] = {}
    means: dict[str, Means] = {}
    for turn in range(rounds + 1):  # the first one warms up
        for name, call in ready:
            begun = time.process_time()
            means[name] = call()
            if turn:
                found.setdefault(name, []).append(time.process_time() - begun)
    for name, values in means.items():
        if any(abs(one - other) > 1e-6 for one, other in zip(values, means["rankproof"], strict=True)):
            message = f"{name} gives {values}, rankproof {means['rankproof']}"
            raise SystemExit(message)
    return {name: median(times) for name, times in found.items()}


def main() -> None:
    """Compare, print, and write the JSON."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--rounds", type=int, default=5)
    given = asked.parse_args()
    warnings.simplefilter("ignore")  # what other packages have to say
    results = {name: compare(shape, given.rounds) for name, shape in SHAPES.items()}
    names = list(next(iter(results.values())))
    print("| dicts | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|", sep="\n")
    for shape, costs in results.items():
        cells = [f"{costs[name]:.3f} (× {costs[name] / costs['rankproof']:.2f})" for name in names[1:]]
        print(f"| {shape} | {costs['rankproof']:.3f} | " + " | ".join(cells) + " |")
    (HERE / "dicts.json").write_text(json.dumps({"rounds": given.rounds, "results": results}, indent=2) + "\n")


if __name__ == "__main__":
    main()
