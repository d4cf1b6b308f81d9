"""What do other tools say to a case? Asked where they are installed; `python tests/peers.py NAME` records it.

A record is tests/recorded/PRESET.json. Of a case, `asked` names what the tool calculates, `tool` holds its answer, the
mean over the queries: a number, or what it did instead; where the tool cannot be asked, `by` is the arithmetic of its
rule. `measure` is ours. Where the two differ, `deviation` is the topic in the preset's list, and `here` the arithmetic
of our value, or "refused". This module does not import rankproof: a tool may be asked in an environment of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from copy import deepcopy
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

RECORDED = Path(__file__).resolve().parent / "recorded"
Dicts = dict[str, dict[str, Any]]
ENDS = "ends the interpreter"


def split(asked: str) -> tuple[str, dict[str, Any]]:
    """Return the name and the arguments of `ndcg_score, k=3`."""
    name, *arguments = asked.split(", ")
    given = dict(one.split("=") for one in arguments)
    return name, {key: json.loads(value) for key, value in given.items()}


def ranx(qrels: Dicts, run: Dicts, asked: str) -> float:
    """`evaluate` with Qrels and Run, make_comparable=True unless it says otherwise; or with plain dicts."""
    import ranx as tool

    name, arguments = split(asked)
    if arguments.pop("dicts", False):
        return tool.evaluate(qrels, run, name)
    return tool.evaluate(tool.Qrels(qrels), tool.Run(run), name, **{"make_comparable": True, **arguments})


def ir_measures(qrels: Dicts, run: Dicts, asked: str) -> float:
    """`calc_aggregate`."""
    import ir_measures as tool

    measure = tool.parse_measure(asked)
    return tool.calc_aggregate([measure], qrels, run)[measure]


def pytrec_eval(qrels: Dicts, run: Dicts, asked: str) -> float:
    """`RelevanceEvaluator`, averaged over the queries that it returns."""
    import pytrec_eval as tool

    name, arguments = split(asked)
    names = tool.supported_measures if name == "all measures" else {name}
    found = tool.RelevanceEvaluator(qrels, names, **arguments).evaluate(run)
    return fmean(value for values in found.values() for value in values.values())


def beir(qrels: Dicts, run: Dicts, asked: str) -> float:
    """`EvaluateRetrieval.evaluate` or `evaluate_custom`, on a copy: it edits what it is given."""
    from beir.retrieval.evaluation import EvaluateRetrieval

    name, _, k = asked.partition("@")
    if name in ("MRR", "R_cap", "Hole", "Accuracy"):
        return EvaluateRetrieval.evaluate_custom(qrels, deepcopy(run), [int(k)], name)[asked]
    found = EvaluateRetrieval.evaluate(qrels, deepcopy(run), [int(k)])
    return {key: value for part in found for key, value in part.items()}[asked]


def mteb(qrels: Dicts, run: Dicts, asked: str) -> float:
    """`calculate_retrieval_scores`."""
    from mteb._evaluators.retrieval_metrics import calculate_retrieval_scores

    found = calculate_retrieval_scores(deepcopy(run), qrels, [int(asked.partition("@")[2])])
    parts = (found.ndcg, found.map, found.recall, found.precision, found.mrr, found.hit_rate)
    return {key: value for part in parts for key, value in part.items()}[asked]


def arrays(qrels: Dicts, run: Dicts) -> Iterator[tuple[list[float], list[float]]]:
    """Yield grades and scores of what each query retrieved; an unjudged document has grade 0."""
    for query, docs in run.items():
        yield [qrels[query].get(doc, 0) for doc in docs], list(docs.values())


def scikit_learn(qrels: Dicts, run: Dicts, asked: str) -> float:
    """A function of sklearn.metrics, query by query, averaged."""
    import sklearn.metrics

    name, arguments = split(asked)
    ask, nested = getattr(sklearn.metrics, name), name in ("ndcg_score", "dcg_score")
    return fmean(
        ask([grades], [scores], **arguments) if nested else ask(grades, scores, **arguments)
        for grades, scores in arrays(qrels, run)
    )


def torchmetrics(qrels: Dicts, run: Dicts, asked: str) -> float:
    """A class of torchmetrics.retrieval."""
    import torch
    import torchmetrics.retrieval

    name, arguments = split(asked)
    rows = [(at, *row) for at, both in enumerate(arrays(qrels, run)) for row in zip(*both, strict=True)]
    indexes, target, preds = (torch.tensor(column) for column in zip(*rows, strict=True))
    return float(getattr(torchmetrics.retrieval, name)(**arguments)(preds, target, indexes=indexes))


def ragas(qrels: Dicts, run: dict[str, list[str]], asked: str) -> float:
    """A metric by id; context precision as it is computed from verdicts, here whether a context is relevant."""
    from ragas import SingleTurnSample
    from ragas import metrics as tool
    from ragas.metrics._context_precision import Verification

    metric, found = getattr(tool, asked)(), []
    for query, docs in run.items():
        wanted = [doc for doc, grade in qrels[query].items() if grade >= 1]
        if asked == "LLMContextPrecisionWithReference":
            verdicts = [Verification(reason="", verdict=int(doc in wanted)) for doc in docs]
            found.append(metric._calculate_average_precision(verdicts))
        else:
            sample = SingleTurnSample(retrieved_context_ids=docs, reference_context_ids=wanted)
            found.append(asyncio.run(metric.single_turn_ascore(sample)))
    return fmean(value for value in found if not math.isnan(value))


def recommenders(qrels: Dicts, run: Dicts, asked: str) -> float:
    """A function of python_evaluation; only what is relevant stands in its table of true ratings."""
    import pandas as pd
    from recommenders.evaluation import python_evaluation as tool

    name, arguments = split(asked)
    true = [(query, doc, grade) for query, docs in qrels.items() for doc, grade in docs.items() if grade >= 1]
    found = [(query, doc, score) for query, docs in run.items() for doc, score in docs.items()]
    given = pd.DataFrame(true, columns=["userID", "itemID", "rating"])
    predicted = pd.DataFrame(found, columns=["userID", "itemID", "prediction"])
    return float(getattr(tool, name)(given, predicted, **arguments))


class Peer(NamedTuple):
    """A tool: how it is asked, and its packages."""

    ask: Callable[[Any, Any, str], float]
    packages: tuple[str, ...]


PEERS = {
    "ranx": Peer(ranx, ("ranx",)),
    "ir_measures": Peer(ir_measures, ("ir_measures", "pytrec-eval-terrier")),
    "pytrec_eval": Peer(pytrec_eval, ("pytrec-eval-terrier",)),
    "trec_eval-9": Peer(pytrec_eval, ("pytrec-eval-terrier",)),
    "beir": Peer(beir, ("beir", "pytrec-eval-terrier")),
    "mteb": Peer(mteb, ("mteb", "pytrec-eval-terrier")),
    "scikit-learn": Peer(scikit_learn, ("scikit-learn",)),
    "torchmetrics": Peer(torchmetrics, ("torchmetrics", "torch")),
    "ragas": Peer(ragas, ("ragas",)),
    "recommenders": Peer(recommenders, ("recommenders",)),
}


def answer(name: str, case: dict[str, Any]) -> float | str:
    """Return what a tool says to a case: a number, or what it does instead."""
    if case.get("tool") == ENDS:  # kept apart from ours
        code = f"import peers; peers.PEERS[{name!r}].ask({case['qrels']!r}, {case['run']!r}, {case['asked']!r})"
        done = subprocess.run([sys.executable, "-c", code], cwd=RECORDED.parent, capture_output=True, check=False)
        return ENDS if done.returncode < 0 else f"status {done.returncode}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # tools warn of what the cases aim at
        try:
            found = float(PEERS[name].ask(case["qrels"], case["run"], case["asked"]))
        except Exception as error:  # noqa: BLE001 - whatever a tool raises is its answer
            return type(error).__name__
    return "NaN" if math.isnan(found) else found


def worked_out(arithmetic: str) -> float:
    """Return the value of `7/log2(3)`."""
    return float(eval(arithmetic, {"__builtins__": {}, "log2": math.log2, "round": round}))  # noqa: S307 - our own files


def said(case: dict[str, Any]) -> float | str:
    """Return the tool's answer: as recorded, or worked out by hand."""
    return worked_out(case["by"]) if "by" in case else case["tool"]


def record_of(name: str) -> dict[str, Any]:
    """Return a record: `preset`, `version`, `date`, `how`, perhaps `within`, and `cases`."""
    return json.loads((RECORDED / f"{name}.json").read_text("utf-8"))


def write(record: dict[str, Any], path: Path) -> None:
    """Write a record, a line a case."""
    head = {key: value for key, value in record.items() if key != "cases"}
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}," for key, value in head.items()]
    cases = ",\n".join(f"    {json.dumps(case, ensure_ascii=False)}" for case in record["cases"])
    path.write_text("{\n" + "\n".join(lines) + '\n  "cases": [\n' + cases + "\n  ]\n}\n", "utf-8")


def main(name: str) -> None:
    """Ask a tool every case of its record, and write down what it says, its version and the date."""
    record = record_of(name)
    record["version"] = ", ".join(f"{package} {version(package)}" for package in PEERS[name].packages)
    record["date"] = f"{datetime.now(UTC):%Y-%m-%d}"
    for case in record["cases"]:
        if "by" in case:
            continue
        with contextlib.redirect_stdout(sys.stderr):
            case["tool"] = answer(name, case)
        print(f"{case['case']}: {case['asked']} = {case['tool']}")
    write(record, RECORDED / f"{name}.json")


if __name__ == "__main__":
    main(sys.argv[1])
