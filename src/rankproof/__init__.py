"""rankproof: did search get better, and can you prove it?

    import rankproof as rp

    rp.evaluate({"q1": {"d1": 1}}, {"q1": {"d1": 2.0, "d2": 1.0}}, ["nDCG@10", "RR"])

Names are exported lazily: `import rankproof` loads none of them.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from rankproof.charts.pictures import picture as picture
    from rankproof.check import Checked as Checked
    from rankproof.check import check as check
    from rankproof.compare import Comparison as Comparison
    from rankproof.compare import Leaderboard as Leaderboard
    from rankproof.compare import compare as compare
    from rankproof.compare import compare_values as compare_values
    from rankproof.compare import leaderboard as leaderboard
    from rankproof.contract import Contract as Contract
    from rankproof.contract import differences as differences
    from rankproof.diff import Diff as Diff
    from rankproof.diff import diff as diff
    from rankproof.engines import ask_all as ask_all
    from rankproof.engines import open_engine as open_engine
    from rankproof.errors import ContractError as ContractError
    from rankproof.errors import InputError as InputError
    from rankproof.errors import MeasureError as MeasureError
    from rankproof.errors import MissingPackageError as MissingPackageError
    from rankproof.errors import RankproofError as RankproofError
    from rankproof.errors import RankproofWarning as RankproofWarning
    from rankproof.evaluate import evaluate as evaluate
    from rankproof.experiment import Experiment as Experiment
    from rankproof.experiment import run_experiment as run_experiment
    from rankproof.explain import Explanation as Explanation
    from rankproof.explain import explain as explain
    from rankproof.formats import read_lab as read_lab
    from rankproof.formats import read_qrels as read_qrels
    from rankproof.formats import read_run as read_run
    from rankproof.formats import run_from_arrays as run_from_arrays
    from rankproof.formats import write_qrels as write_qrels
    from rankproof.formats import write_run as write_run
    from rankproof.formats.vectors import read_vectors as read_vectors
    from rankproof.gate import Gate as Gate
    from rankproof.gate import gate as gate
    from rankproof.interleave import ClickPreferences as ClickPreferences
    from rankproof.interleave import ImpressionsNeeded as ImpressionsNeeded
    from rankproof.interleave import Interleaving as Interleaving
    from rankproof.interleave import click_preferences as click_preferences
    from rankproof.interleave import impressions_needed as impressions_needed
    from rankproof.interleave import interleave as interleave
    from rankproof.interleave import team_draft_interleave as team_draft_interleave
    from rankproof.measures import Measure as Measure
    from rankproof.measures import measures as measures
    from rankproof.measures import parse as _parse
    from rankproof.model import Ranking as Ranking
    from rankproof.model import Run as Run
    from rankproof.pool import MergedJudges as MergedJudges
    from rankproof.pool import Pool as Pool
    from rankproof.pool import merge_judges as merge_judges
    from rankproof.pool import pool as pool
    from rankproof.presets import Preset as Preset
    from rankproof.presets import contract as contract
    from rankproof.presets import contracts as contracts
    from rankproof.report.write import write_report as write_report
    from rankproof.rerank import ClosedCorpus as ClosedCorpus
    from rankproof.rerank import Reranking as Reranking
    from rankproof.rerank import closed_corpus as closed_corpus
    from rankproof.rerank import rerank as rerank
    from rankproof.rerank import rerank_lab as rerank_lab
    from rankproof.retrieve import BM25 as BM25
    from rankproof.retrieve import LSA as LSA
    from rankproof.retrieve import BM25s as BM25s
    from rankproof.retrieve import Dense as Dense
    from rankproof.retrieve import Vectors as Vectors
    from rankproof.retrieve import cosine_search as cosine_search
    from rankproof.retrieve import fuse as fuse
    from rankproof.retrieve.searcher import Searcher as Searcher
    from rankproof.similarity import kendall_tau_b as kendall_tau_b
    from rankproof.similarity import order_similarity as order_similarity
    from rankproof.similarity import overlap as overlap
    from rankproof.similarity import rbo as rbo
    from rankproof.similarity import similarities as similarities
    from rankproof.similarity import similarity as similarity
    from rankproof.similarity import tau_ap as tau_ap
    from rankproof.similarity import tau_ap_b as tau_ap_b
    from rankproof.splits import Leakage as Leakage
    from rankproof.splits import Split as Split
    from rankproof.splits import leakage as leakage
    from rankproof.splits import row_against_group as row_against_group
    from rankproof.splits import split_queries as split_queries
    from rankproof.splits import variants as variants
    from rankproof.systems import Collection as Collection
    from rankproof.systems import read_collection as read_collection
    from rankproof.textbook import Judgment as Judgment
    from rankproof.textbook import SearchEvaluation as SearchEvaluation
    from rankproof.textbook import average_precision as average_precision
    from rankproof.textbook import dcg_at_k as dcg_at_k
    from rankproof.textbook import evaluate_search as evaluate_search
    from rankproof.textbook import evaluate_search_system as evaluate_search_system
    from rankproof.textbook import mean_average_precision as mean_average_precision
    from rankproof.textbook import mean_reciprocal_rank as mean_reciprocal_rank
    from rankproof.textbook import ndcg_at_k as ndcg_at_k
    from rankproof.textbook import precision_at_k as precision_at_k
    from rankproof.textbook import recall_at_k as recall_at_k
    from rankproof.textbook import reciprocal_rank as reciprocal_rank
    from rankproof.tune import Fusion as Fusion
    from rankproof.tune import Tuning as Tuning
    from rankproof.tune import tune_fusion as tune_fusion
    from rankproof.values import Values as Values
    from rankproof.values import ValuesOfRuns as ValuesOfRuns
    from rankproof.why import UnderPresets as UnderPresets
    from rankproof.why import Why as Why
    from rankproof.why import under_presets as under_presets
    from rankproof.why import why as why

    measure = _parse

_EXPORTS = {
    "charts.pictures": ("picture",),
    "check": ("Checked", "check"),
    "compare": ("Comparison", "Leaderboard", "compare", "compare_values", "leaderboard"),
    "contract": ("Contract", "differences"),
    "engines": ("ask_all", "open_engine"),
    "errors": (
        "ContractError",
        "InputError",
        "MeasureError",
        "MissingPackageError",
        "RankproofError",
        "RankproofWarning",
    ),
    "evaluate": ("evaluate",),
    "diff": ("Diff", "diff"),
    "experiment": ("Experiment", "run_experiment"),
    "explain": ("Explanation", "explain"),
    "formats": ("read_lab", "read_qrels", "read_run", "run_from_arrays", "write_qrels", "write_run"),
    "formats.vectors": ("read_vectors",),
    "gate": ("Gate", "gate"),
    "interleave": (
        "ClickPreferences",
        "ImpressionsNeeded",
        "Interleaving",
        "click_preferences",
        "impressions_needed",
        "interleave",
        "team_draft_interleave",
    ),
    "measures": ("Measure", "measures", "parse"),
    "model": ("Ranking", "Run"),
    "pool": ("MergedJudges", "Pool", "merge_judges", "pool"),
    "presets": ("Preset", "contract", "contracts"),
    "report.write": ("write_report",),
    "rerank": ("ClosedCorpus", "Reranking", "closed_corpus", "rerank", "rerank_lab"),
    "retrieve": ("BM25", "LSA", "BM25s", "Dense", "Vectors", "cosine_search", "fuse"),
    "retrieve.searcher": ("Searcher",),
    "similarity": (
        "kendall_tau_b",
        "order_similarity",
        "overlap",
        "rbo",
        "similarities",
        "similarity",
        "tau_ap",
        "tau_ap_b",
    ),
    "splits": ("Leakage", "Split", "leakage", "row_against_group", "split_queries", "variants"),
    "systems": ("Collection", "read_collection"),
    "textbook": (
        "Judgment",
        "SearchEvaluation",
        "average_precision",
        "dcg_at_k",
        "evaluate_search",
        "evaluate_search_system",
        "mean_average_precision",
        "mean_reciprocal_rank",
        "ndcg_at_k",
        "precision_at_k",
        "recall_at_k",
        "reciprocal_rank",
    ),
    "tune": ("Fusion", "Tuning", "tune_fusion"),
    "values": ("Values", "ValuesOfRuns"),
    "why": ("UnderPresets", "Why", "under_presets", "why"),
}
_RENAMED = {"parse": "measure"}
_PARTS = ("spark",)
"""Parts of the package with functions of their own."""

_HOME = {_RENAMED.get(name, name): (module, name) for module, names in _EXPORTS.items() for name in names}

__all__ = ["__version__", *_HOME]  # noqa: PLE0604 - the keys are names


class _Package(ModuleType):
    """A package whose functions are not hidden by modules of the same name (`rp.evaluate`, rankproof/evaluate.py)."""

    def __setattr__(self, name: str, value: object) -> None:
        """Let the import system set submodules, but for those whose name is exported."""
        if not (isinstance(value, ModuleType) and name in _HOME):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    """Load an exported name when it is first asked for."""
    if name in _PARTS:
        return import_module(f"rankproof.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'rankproof' has no attribute {name!r}")
    module, original = _HOME[name]
    found = getattr(import_module(f"rankproof.{module}"), original)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return the exported names too."""
    return sorted({*globals(), *_HOME})
