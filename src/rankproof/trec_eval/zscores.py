"""How far does a value lie from the mean of other runs, in their standard deviations (-Z)?"""

from __future__ import annotations

from collections.abc import Mapping

from rankproof.arithmetic import number_of
from rankproof.errors import Fault, Faults
from rankproof.formats import Source
from rankproof.formats.trec import Rows
from rankproof.presets import contract

UNKNOWN = -1000000.0
"""What trec_eval prints where the file says nothing of a query and measure, or nothing that could be divided by."""

_COLUMNS = "4 columns: query_id measure mean standard_deviation"


class ZScores:
    """Means and standard deviations by query and measure."""

    def __init__(self, known: Mapping[tuple[str, str], tuple[float, float]]) -> None:
        """Hold these."""
        self._known = known

    def of(self, query: str, label: str, value: float) -> float:
        """Return the z-score of a value."""
        if (query, label) not in self._known:
            return UNKNOWN
        mean, deviation = self._known[query, label]
        if deviation:
            return (value - mean) / deviation
        return 0.0 if value == mean else UNKNOWN


def read_zscores(source: Source) -> ZScores:
    """Read a file of means and deviations. InputError lists its faults, each with its line."""
    faults = Faults()
    rows = Rows(source, contract(comments="none"), faults, number_at=2)
    found: dict[tuple[str, str], tuple[float, float]] = {}
    for number, tokens in rows:
        numbers = [number_of(token) for token in tokens[2:]]
        if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
            faults.add(Fault("is no row of z-scores", source.name, number, expected=_COLUMNS))
            continue
        key = rows.text(number, tokens[0], "query_id"), rows.text(number, tokens[1], "measure")
        if key in found:
            faults.add(Fault(f"{key[1]} stands twice", source.name, number, query_id=key[0]))
        found[key] = numbers[0], numbers[1]
    if not found and not faults:
        faults.add(Fault("holds no rows", source.name, expected=_COLUMNS))
    faults.raise_any()
    return ZScores(found)
