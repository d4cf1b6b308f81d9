"""Does a file hold judgments or results?"""

from __future__ import annotations

import warnings

from rankproof.contract import Contract
from rankproof.errors import RankproofError
from rankproof.formats.columns import NAMES, normal
from rankproof.formats.files import Given
from rankproof.formats.start import start_of
from rankproof.formats.table import Role, read_qrels, read_runs

_GRADES = {*NAMES["grade"][0]}
_RESULTS = {name for column in ("score", "rank") for group in NAMES[column] for name in group} - {"score"}


def role_of(held: Given, contract: Contract) -> Role | None:
    """Return what a file holds, by its columns, or by what it can be read as; None where it could be either."""
    start = start_of(held, comments=contract.comments == "hash")
    held.close()
    named = {normal(one) for one in start.header}
    if named & _GRADES or start.columns == 4:
        return None if named & _RESULTS else "qrels"
    if named & _RESULTS or start.columns > 5:
        return "run"
    possible: list[Role] = [role for role in ("qrels", "run") if _can_be(role, held, contract)]
    return possible[0] if len(possible) == 1 else None


def _can_be(role: Role, held: Given, contract: Contract) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they are said when it is read
        try:
            (read_qrels if role == "qrels" else read_runs)(held, contract)
        except RankproofError:
            return False
    return True
