"""How does a test suite ask the gate? The fixture `rankproof_gate`, which pytest finds by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from rankproof.gate import Gate


@pytest.fixture
def rankproof_gate() -> Callable[..., Gate]:
    """Return a function that takes what `rankproof.gate` takes, and fails the test where the gate does not open.

    `rankproof_gate("qrels.txt", "baseline.json", "candidate.run", ["nDCG@10 drop<=0.01"])` returns the `Gate`.
    """

    def check(*arguments: Any, **options: Any) -> Gate:
        from rankproof.errors import RankproofError  # noqa: PLC0415 - a test run that asks no gate loads nothing
        from rankproof.gate import gate  # noqa: PLC0415

        try:
            found = gate(*arguments, **options)
        except RankproofError as error:
            pytest.fail(str(error), pytrace=False)
        if not found.passed:
            pytest.fail(str(found), pytrace=False)
        return found

    return check
