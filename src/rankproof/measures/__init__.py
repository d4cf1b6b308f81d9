"""What is the value of a ranking? One class a measure, one table."""

from rankproof.measures.base import CutMeasure, Measure, Term
from rankproof.measures.names import other_names, parse, parse_all, trec_name
from rankproof.measures.table import MEASURES, check_overrides, find, known_measures, measures

__all__ = [
    "MEASURES",
    "CutMeasure",
    "Measure",
    "Term",
    "check_overrides",
    "find",
    "known_measures",
    "measures",
    "other_names",
    "parse",
    "parse_all",
    "trec_name",
]
