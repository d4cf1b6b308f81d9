"""How does a result look as a picture? Vega-Lite specs from plain rows; each chart has the table of its numbers."""

from rankproof.charts.documents import Move, rank_moves, score_distribution
from rankproof.charts.plots import Interval, Standing, cutoff_plot, delta_plot, interval_plot, leaderboard_plot
from rankproof.charts.reach import reach_plot
from rankproof.charts.spec import Chart
from rankproof.words import TERMS, Words, same, term

__all__ = [
    "TERMS",
    "Chart",
    "Interval",
    "Move",
    "Standing",
    "Words",
    "cutoff_plot",
    "delta_plot",
    "interval_plot",
    "leaderboard_plot",
    "rank_moves",
    "reach_plot",
    "same",
    "score_distribution",
    "term",
]
