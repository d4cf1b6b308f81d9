"""How alike are two rankings, two runs, two orders of systems?"""

from rankproof.similarity.correlation import OrderSimilarity, kendall_tau_b, order_similarity, tau_ap, tau_ap_b
from rankproof.similarity.overlap import RBO, overlap, rbo
from rankproof.similarity.runs import Alike, Similarities, Similarity, similarities, similarity, two_runs

__all__ = [
    "RBO",
    "Alike",
    "OrderSimilarity",
    "Similarities",
    "Similarity",
    "kendall_tau_b",
    "order_similarity",
    "overlap",
    "rbo",
    "similarities",
    "similarity",
    "tau_ap",
    "tau_ap_b",
    "two_runs",
]
