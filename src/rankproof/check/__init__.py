"""What does a file hold, and what in it is suspicious?"""

from rankproof.check.aggregates import Aggregates, Row, read_aggregates
from rankproof.check.impossible import KINDS, Finding, impossible

__all__ = ["KINDS", "Aggregates", "Finding", "Row", "impossible", "read_aggregates"]
