"""Which weights should a fusion have, and what are they worth on queries that did not choose them?"""

from rankproof.retrieve.fuse import Fusion
from rankproof.tune.grid import weight_grid
from rankproof.tune.tune import tune_fusion
from rankproof.tune.tuning import Tried, Tuning

__all__ = ["Fusion", "Tried", "Tuning", "tune_fusion", "weight_grid"]
