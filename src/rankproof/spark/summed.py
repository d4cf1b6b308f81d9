"""Which places do the sums of counts give, and what do they refuse?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from rankproof.contract import Contract
from rankproof.errors import ContractError, Fault, Faults, InputError, RankproofError
from rankproof.spark.counting import (
    DROPPED,
    EXAMPLE,
    FAULTS,
    GAP,
    MORE_UNJUDGED,
    REFUSED,
    SAME,
    UNJUDGED,
    WINS,
)
from rankproof.spark.row_rules import UNDECIDED
from rankproof.spark.wanted import Wanted
from rankproof.words import counted


class _Refused(NamedTuple):
    """What is said of rows that are refused for one reason."""

    one: str
    many: str
    column: str | None = None
    kind: type[RankproofError] = InputError
    hint: str | None = None


_SAYS: Mapping[str, _Refused] = {
    "query_id": _Refused("has no id of a query", "have no id of a query", "query_id"),
    "doc_id": _Refused("has no id of a document", "have no id of a document", "doc_id"),
    "score": _Refused("has no score", "have no score", "score"),
    "rank": _Refused("has no rank", "have no rank", "rank"),
    "position": _Refused("has no position", "have no position", "position"),
    "rank-nan": _Refused("has the rank NaN", "have the rank NaN", "rank"),
    "nan": _Refused("with NaN", "with NaN", None, ContractError, "--rule nan-score=last puts it after all others"),
    UNDECIDED: _Refused(
        "has several chunks at its lowest position: which comes first is open",
        "have several chunks at their lowest position: which comes first is open",
        "position",
        ContractError,
        "another position for each row of a query",
    ),
}
"""What is wrong with rows that are refused."""


class Tally:
    """The counts of all partitions, added up."""

    def __init__(self, counts: Any) -> None:
        """Take in the Arrow table of sums: kind, at, text, n."""
        import numpy as np  # noqa: PLC0415 - loaded where it counts

        kinds, ats, ns = (np.asarray(counts.column(name)) for name in ("kind", "at", "n"))
        self._numbers = {kind: (ats[kinds == kind], ns[kinds == kind]) for kind in (GAP, WINS, SAME, DROPPED)}
        rest = np.flatnonzero(kinds > DROPPED)
        texts = counts.column("text").take(rest).to_pylist()
        self._texts = sorted(zip(kinds[rest].tolist(), ats[rest].tolist(), texts, ns[rest].tolist(), strict=True))
        self._unjudged: dict[int, list[str]] = {}
        for kind, at, text, _ in self._texts:
            if kind == UNJUDGED:
                self._unjudged.setdefault(at, []).append(text)
        self._more_unjudged = {at for kind, at, _, _ in self._texts if kind == MORE_UNJUDGED}

    def dense(self, kind: int, size: int) -> Any:
        """Return the counts of a kind by their places."""
        import numpy as np  # noqa: PLC0415

        found = np.zeros(size, np.int64)
        at, n = self._numbers[kind]
        np.add.at(found, at, n)
        return found

    def unjudged(self, run: int, most: int) -> tuple[list[str], bool]:
        """Return the first queries of a run that are not judged, by their ids, and whether there are more."""
        named = self._unjudged.get(run, [])
        return named[:most], run in self._more_unjudged or len(named) > most

    def check_rows(self, source: str | None) -> None:
        """Refuse rows that cannot be read (InputError), or that the contract refuses (ContractError)."""
        examples: dict[int, tuple[str, str]] = {}
        for kind, at, text, _ in self._texts:
            if kind == EXAMPLE:
                query, doc = json.loads(text)
                examples.setdefault(at, (query, doc))
        faults = {InputError: Faults(InputError), ContractError: Faults(ContractError)}
        for at, n in [(at, n) for kind, at, _, n in self._texts if kind == REFUSED]:
            says, (query, doc) = _SAYS[FAULTS[at]], examples.get(at, ("", ""))
            message = f"{counted(n, 'row')} {says.many if n > 1 else says.one}, such as this"
            place = Fault(message, source, query_id=query or None, doc_id=doc or None, column=says.column)
            faults[says.kind].add(replace(place, hint=says.hint))
        for of_kind in faults.values():
            of_kind.raise_any()


class Summed:
    """Places of the wanted rows, parallel to them, and sizes of the groups."""

    def __init__(self, wanted: Wanted, tally: Tally, *, greater_wins: bool) -> None:
        """Add the counts up. InputError where the table is not the same whenever it is read."""
        import numpy as np  # noqa: PLC0415

        start = wanted.first_of_cell
        cells, groups, cell_at = wanted.cells, len(wanted.runs) * len(wanted.queries), wanted.cell_at
        group_of = wanted.groups[start[:-1]]  # of each cell
        gaps = _running(tally.dense(GAP, cells + groups))
        end = cell_at[1:] + np.arange(groups) + 1
        self.bounds = np.searchsorted(wanted.groups, np.arange(groups + 1))  # each group's first row
        self.kept = gaps[end] - gaps[cell_at[:-1] + np.arange(groups)]
        self.answered = (self.kept + tally.dense(DROPPED, groups)) > 0
        above = gaps[end[group_of]] - gaps[np.arange(cells) + group_of + 1]
        wins = _running(tally.dense(WINS, len(wanted.keys) + cells))
        at = np.arange(cells)
        equal = wins[start[1:] + at + 1] - wins[start[:-1] + at]
        if (equal < np.diff(start)).any():
            message = "gives other rows when it is read again"
            hint = "write it to a table first, or cache it: nothing random or passing may stand in it"
            raise InputError(Fault(message, about="run", hint=hint))
        of = np.repeat(at, np.diff(start))  # each row's cell
        behind = np.arange(len(of)) + of + 1
        won = wins[start[of + 1] + of + 1] - wins[behind] if greater_wins else wins[behind] - wins[start[of] + of]
        self.first = above[of] + 1
        self.last = above[of] + equal[of]
        self.ranks = self.first + won + _twins(wanted, of)


def _running(counts: Any) -> Any:
    """Return running sums, with 0 before them."""
    import numpy as np  # noqa: PLC0415

    return np.concatenate(([0], np.cumsum(counts)))


def _twins(wanted: Wanted, cell_of: Any) -> Any:
    """Return how many rows of the same cell and mark stand before each."""
    import numpy as np  # noqa: PLC0415
    import pyarrow.compute as pc  # noqa: PLC0415

    rows = np.arange(len(cell_of))
    new = np.ones(len(rows), bool)
    marks = wanted.marks
    other = np.asarray(pc.not_equal(marks.slice(1), marks.slice(0, max(0, len(marks) - 1))))
    new[1:] = other | (cell_of[1:] != cell_of[:-1])
    return rows - np.maximum.accumulate(np.where(new, rows, 0)) if len(rows) else rows


def check_positions(wanted: Wanted, tally: Tally, hits: Any, source: str | None) -> None:
    """Refuse a position that two rows with the same key have. ContractError."""
    import numpy as np  # noqa: PLC0415

    same = tally.dense(SAME, len(wanted.keys))
    faults = Faults(ContractError)
    for at in np.flatnonzero(same > 1).tolist():
        query, doc = (hits.column(name)[at].as_py() for name in ("query_id", "doc_id"))
        expected = "another one for each row of a query"
        place = Fault("has the position of another row", source, column="position", expected=expected)
        faults.add(replace(place, query_id=query, doc_id=doc))
    faults.raise_any()


def check_apart(summed: Summed, hits: Any, source: str | None) -> None:
    """Refuse a rank that two rows of a query have where nothing says which comes first. ContractError."""
    import numpy as np  # noqa: PLC0415

    faults = Faults(ContractError)
    for at in np.flatnonzero(summed.last > summed.first).tolist():
        query, doc = (hits.column(name)[at].as_py() for name in ("query_id", "doc_id"))
        expected = "another one for each row of a query, as there are no scores"
        place = Fault("has the rank of another row", source, column="rank", expected=expected)
        hint = "--rule order=rank takes equal ranks as ties"
        faults.add(replace(place, query_id=query, doc_id=doc, hint=hint))
    faults.raise_any()


def check_vouched(wanted: Wanted, hits: Any, contract: Contract, source: str | None) -> None:
    """Refuse a judged document that comes twice although the contract says that none does. ContractError.

    With a position the one given last counts, as everywhere; without it that is open.
    """
    if contract.duplicate_document != "unchecked" or "position" in hits.column_names:
        return
    import numpy as np  # noqa: PLC0415
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.compute as pc  # noqa: PLC0415

    pairs = pa.table({"group": wanted.groups, "doc_id": hits.column("doc_id")})
    count = pairs.group_by(["group", "doc_id"]).aggregate([([], "count_all")])
    faults = Faults(ContractError)
    queries = wanted.queries
    for one in count.filter(pc.greater(count.column("count_all"), 1)).sort_by([("group", "ascending")]).to_pylist():
        query = queries[int(np.int64(one["group"]) % len(queries))].as_py()
        message = "stands twice, although duplicate-document = unchecked vouches that none does"
        hint = "--rule duplicate-document=error looks at all rows; keep-best says which one counts"
        faults.add(Fault(message, source, query_id=query, doc_id=one["doc_id"], hint=hint))
    faults.raise_any()
