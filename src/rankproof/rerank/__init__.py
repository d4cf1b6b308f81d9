"""What could a reranker reach with these candidates, and what did it reach?"""

from rankproof.rerank.ceiling import rerank
from rankproof.rerank.closed_corpus import ClosedCorpus, closed_corpus
from rankproof.rerank.lab import CAVEATS, FORMULAS, LabResult, rerank_lab
from rankproof.rerank.reranking import Reranking

__all__ = ["CAVEATS", "FORMULAS", "ClosedCorpus", "LabResult", "Reranking", "closed_corpus", "rerank", "rerank_lab"]
