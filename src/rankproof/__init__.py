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
    from rankproof.compare import Comparison as Comparison
    from rankproof.compare import Leaderboard as Leaderboard
    from rankproof.compare import compare as compare
    from rankproof.compare import compare_values as compare_values
    from rankproof.compare import leaderboard as leaderboard
    from rankproof.contract import Contract as Contract
    from rankproof.contract import differences as differences
    from rankproof.diff import Diff as Diff
    from rankproof.diff import diff as diff
    from rankproof.errors import ContractError as ContractError
    from rankproof.errors import InputError as InputError
    from rankproof.errors import MeasureError as MeasureError
    from rankproof.errors import MissingPackageError as MissingPackageError
    from rankproof.errors import RankproofError as RankproofError
    from rankproof.errors import RankproofWarning as RankproofWarning
    from rankproof.evaluate import evaluate as evaluate
    from rankproof.explain import Explanation as Explanation
    from rankproof.explain import explain as explain
    from rankproof.formats import read_lab as read_lab
    from rankproof.formats import read_qrels as read_qrels
    from rankproof.formats import read_run as read_run
    from rankproof.formats import run_from_arrays as run_from_arrays
    from rankproof.formats import write_run as write_run
    from rankproof.gate import Gate as Gate
    from rankproof.gate import gate as gate
    from rankproof.interleave import team_draft_interleave as team_draft_interleave
    from rankproof.measures import Measure as Measure
    from rankproof.measures import measures as measures
    from rankproof.measures import parse as _parse
    from rankproof.model import Ranking as Ranking
    from rankproof.model import Run as Run
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
    from rankproof.retrieve import cosine_search as cosine_search
    from rankproof.retrieve import fuse as fuse
    from rankproof.similarity import kendall_tau_b as kendall_tau_b
    from rankproof.similarity import order_similarity as order_similarity
    from rankproof.similarity import overlap as overlap
    from rankproof.similarity import rbo as rbo
    from rankproof.similarity import similarities as similarities
    from rankproof.similarity import similarity as similarity
    from rankproof.similarity import tau_ap as tau_ap
    from rankproof.similarity import tau_ap_b as tau_ap_b
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
    from rankproof.values import Values as Values
    from rankproof.values import ValuesOfRuns as ValuesOfRuns

    measure = _parse

_EXPORTS = {
    "charts.pictures": ("picture",),
    "compare": ("Comparison", "Leaderboard", "compare", "compare_values", "leaderboard"),
    "contract": ("Contract", "differences"),
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
    "explain": ("Explanation", "explain"),
    "formats": ("read_lab", "read_qrels", "read_run", "run_from_arrays", "write_run"),
    "gate": ("Gate", "gate"),
    "interleave": ("team_draft_interleave",),
    "measures": ("Measure", "measures", "parse"),
    "model": ("Ranking", "Run"),
    "presets": ("Preset", "contract", "contracts"),
    "report.write": ("write_report",),
    "rerank": ("ClosedCorpus", "Reranking", "closed_corpus", "rerank", "rerank_lab"),
    "retrieve": ("BM25", "cosine_search", "fuse"),
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
    "values": ("Values", "ValuesOfRuns"),
}
_RENAMED = {"parse": "measure"}
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
    if name not in _HOME:
        raise AttributeError(f"module 'rankproof' has no attribute {name!r}")
    module, original = _HOME[name]
    found = getattr(import_module(f"rankproof.{module}"), original)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return the exported names too."""
    return sorted({*globals(), *_HOME})
