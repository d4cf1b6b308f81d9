"""What is one row of trec_eval's output made of?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Literal, NamedTuple, TypeAlias

from rankproof.contract import Contract
from rankproof.model import Grade, Placements
from rankproof.trec_eval.preferences import Preferences

Over: TypeAlias = Literal["mean", "sum", "logs", "queries", "run", "nothing"]
"""What the row over all holds: a mean, a sum, a geometric mean (of logs), the number of queries, the run's name."""


class Query(NamedTuple):
    """One query's results beside its judgments."""

    groups: Sequence[Placements] = ()  # by group of judgments: one but under -R qrels_jg, none for preferences
    preferences: Preferences = Preferences()


class Setting(NamedTuple):
    """What a measure may ask for beside a query."""

    contract: Contract
    grades: Collection[Grade] = ()  # those that the judgments hold
    documents: int = 0  # how many the collection holds (-N)


class Column(NamedTuple):
    """A name, a query's value (text stands in its row as it is), and what the row over all holds."""

    label: str
    value: Callable[[Query], float | str]
    over: Over
