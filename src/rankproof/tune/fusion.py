"""How are runs fused while their weights are tried?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from rankproof.model import Qrels, Run
from rankproof.retrieve import fuse
from rankproof.tune.grid import Weights


@dataclass(frozen=True, slots=True)
class Fusion:
    """How runs are fused: method, normalisation of scores, what RRF adds to a rank."""

    method: str = "comb-sum"
    normalize: str = "min-max"
    rrf_k: float = 60

    def of(self, runs: Sequence[Run], judged: Qrels, name: str, weights: Weights | None = None) -> Run:
        """Return the runs fused, over the judged queries alone."""
        parts = [only(run, judged) for run in runs]
        how: dict[str, Any] = {"k": self.rrf_k} if self.method == "rrf" else {"normalize": self.normalize}
        return fuse(parts, self.method, weights=weights, name=name, **how)

    def to_dict(self) -> dict[str, Any]:
        """Return what has an effect, ready for JSON."""
        without = "normalize" if self.method == "rrf" else "rrf_k"
        return {name: value for name, value in asdict(self).items() if name != without}


def only(run: Run, judged: Qrels) -> Run:
    """Return a run with the rankings of the judged queries alone."""
    kept = {query: ranking for query, ranking in run.rankings.items() if query in judged}
    return replace(run, rankings=kept)
