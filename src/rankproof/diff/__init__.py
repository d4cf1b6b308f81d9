"""Which queries changed most between two runs, and what moved in them?"""

from rankproof.diff.diff import diff
from rankproof.diff.difference import Change, Diff, Found, Move, QueryDiff, Row

__all__ = ["Change", "Diff", "Found", "Move", "QueryDiff", "Row", "diff"]
