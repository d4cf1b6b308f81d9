"""Which values of a table of results cannot be true together?"""

from rankproof.aggregates.impossible import KINDS, Finding, impossible
from rankproof.aggregates.stated import Aggregates, Row, read_aggregates

__all__ = ["KINDS", "Aggregates", "Finding", "Row", "impossible", "read_aggregates"]
