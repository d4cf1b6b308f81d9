"""Is B better than A?"""

from rankproof.compare.compare import (
    baseline_and_runs,
    check_answered,
    compare,
    compare_runs,
    compare_values,
    values_of_answered,
)
from rankproof.compare.comparison import Changed, Comparison, Difference, Inputs, Labels, Policy, statistics_of
from rankproof.compare.leaderboard import Board, Leaderboard, Standing, leaderboard, leaderboard_of
from rankproof.compare.settings import Settings, settings_and_rules, settings_of
from rankproof.compare.verdicts import VERDICTS

__all__ = [
    "VERDICTS",
    "Board",
    "Changed",
    "Comparison",
    "Difference",
    "Inputs",
    "Labels",
    "Leaderboard",
    "Policy",
    "Settings",
    "Standing",
    "baseline_and_runs",
    "check_answered",
    "compare",
    "compare_runs",
    "compare_values",
    "leaderboard",
    "leaderboard_of",
    "settings_and_rules",
    "settings_of",
    "statistics_of",
    "values_of_answered",
]
