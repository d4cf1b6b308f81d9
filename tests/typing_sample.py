"""What a type checker sees of the package: checked by mypy --strict, never run."""

from __future__ import annotations

from typing import assert_type

import rankproof as rp
from rankproof.contract import Contract
from rankproof.explain import Explanation
from rankproof.measures import Measure
from rankproof.presets import Preset
from rankproof.rerank.lab import LabResult
from rankproof.values import Values

QRELS = {"q": {"a": 1}}

assert_type(rp.evaluate("qrels.txt", "a.run", ["RR"]), Values)
assert_type(rp.evaluate(QRELS, rp.Run("r", {"q": rp.Ranking(["a"])}), "RR", ties="expected"), Values)
assert_type(rp.evaluate(QRELS, "a.run")["RR"], float | None)
assert_type(rp.explain(QRELS, {"q": ["a"]}, "RR", "q"), Explanation)
assert_type(rp.contract("textbook", ties="expected"), Contract)
assert_type(rp.contracts(), list[Preset])
assert_type(rp.measures(), list[type[Measure]])
assert_type(rp.measure("nDCG@10"), Measure)
assert_type(rp.rerank_lab("lab.json", 5), LabResult)
assert_type(rp.precision_at_k([1, 2], {1}, 2), float)
assert_type(rp.team_draft_interleave(["a"], ["b"], 2).documents, list[str])
assert_type(rp.click_preferences(rp.interleave(["a.run", "b.run"]), "clicks.csv"), rp.ClickPreferences)
assert_type(rp.impressions_needed(QRELS, "a.run", "b.run", model="perfect"), rp.ImpressionsNeeded)

compared = rp.compare(QRELS, "a.run", ["b.run"], ["RR"], tests=("t", "sign"), clusters={"q": "family"}, ties="expected")
assert_type(compared, rp.Comparison)
assert_type(compared.verdict, str)
assert_type(compared.of("RR").delta, float | None)
assert_type(rp.leaderboard(QRELS, ["a.run", "b.run"]), rp.Leaderboard)
assert_type(rp.gate(QRELS, "a.json", "b.run", ["RR drop<=0.01"]).passed, bool)
assert_type(rp.diff(QRELS, "a.run", "b.run", only=["q"]), rp.Diff)
assert_type(rp.rerank(QRELS, "a.run", "b.run", depth=10), rp.Reranking)
assert_type(rp.rbo(["a"], ["b"], 0.9).extrapolated, float | None)
assert_type(rp.picture(compared.chart(), "svg"), bytes)
assert_type(rp.split_queries({"q": "text"}, by="hash").parts["test"][0].query_id, str)
assert_type(rp.leakage({"train": {"q1": "a"}, "test": {"q2": "b"}}, ties="expected").fails("any"), bool)
assert_type(rp.pool(["a.run", "b.run"], depth=5, qrels=QRELS), rp.Pool)
assert_type(rp.merge_judges({"ann": QRELS, "bob": "bob.csv"}, resolve="max"), rp.MergedJudges)
rp.write_qrels(rp.merge_judges({"ann": QRELS}).qrels, "merged.qrels")
assert_type(rp.ask_all(rp.open_engine("sqlite:x.db"), {"q": "a"}, 10, journal="a.jsonl").run, rp.Run)
assert_type(rp.BM25({"d": "a b"}, analyzer="words").search({"q": "a"}, 10), rp.Run)
assert_type(rp.BM25s({"d": "a b"}, analyzer="english", method="bm25+", delta=1).search({"q": "a"}, 10), rp.Run)
assert_type(rp.LSA({"d": "a b"}, dimensions=2).search({"q": "a"}, 10), rp.Run)
assert_type(rp.Dense({"d": "a b"}, lambda texts: [[1.0] for _ in texts], cache="kept", model="one"), rp.Dense)
assert_type(rp.Vectors(rp.read_vectors("d.npy"), {"q": [1.0]}).search({"q": ""}, 10), rp.Run)
assert_type(rp.tune_fusion(QRELS, ["a.run", "b.run"], tune=["q"], test="test.tsv", seed=2).weights["a"], float)
assert_type(rp.run_experiment("experiment.toml", fresh=["bm25"]), rp.Experiment)
assert_type(rp.fuse([rp.Run("r", {})], "rrf"), rp.Run)
assert_type(rp.why(QRELS, "a.run", "AP", "trec_eval-9", "rankproof").parts[0].change, float | None)
assert_type(rp.under_presets(QRELS, "a.run", "AP").groups[0].presets[0], str)
