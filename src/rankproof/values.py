"""What are the values of a run, and how are they handed on: as a dict, JSON, a dataframe, a table to read?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from typing import Any, NamedTuple

from rankproof.contract import Contract
from rankproof.errors import MeasureError
from rankproof.measures import Measure, parse
from rankproof.model import Value
from rankproof.words import first_of, query_count


class TieRange(NamedTuple):
    """For how many queries ties touch a measure, and its lowest and highest mean over all ways to break them."""

    queries: int
    lowest: Value
    highest: Value


@dataclass(frozen=True, eq=False)
class Values(Mapping[str, Value]):
    """One run's values by the house name of the measure; a mapping of the means, by any spelling.

    `per_query` rows are parallel to `query_ids`; None is undefined, and `undefined` holds, by measure and reason, the
    queries it is undefined for. `groups` holds query ids: evaluated, without-relevant, missing, unjudged, tied.
    """

    run: str
    contract: Contract
    measures: Mapping[str, Measure]
    query_ids: Sequence[str]
    per_query: Mapping[str, Sequence[Value]]
    means: Mapping[str, Value]
    undefined: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    ties: Mapping[str, TieRange] = field(default_factory=dict)
    repeats: int = 0  # results that repeat a document of their query

    @property
    def counts(self) -> Mapping[str, int]:
        """Return how many queries each group holds."""
        return {group: len(queries) for group, queries in self.groups.items()}

    def __getitem__(self, measure: str) -> Value:
        """Return the mean of a measure, by any spelling; KeyError for one that was not asked for."""
        if measure in self.means:
            return self.means[measure]
        try:
            return self.means[str(parse(measure))]
        except MeasureError:
            raise KeyError(measure) from None

    def __eq__(self, other: object) -> bool:
        """Return whether these are the same values of the same run under the same contract."""
        if not isinstance(other, Values):
            return NotImplemented
        mine, others = ((one.run, one.contract, one.query_ids, one.per_query, one.means) for one in (self, other))
        return mine == others

    __hash__ = None  # type: ignore[assignment]  # it holds mappings

    def __iter__(self) -> Iterator[str]:
        """Return the names of the measures."""
        return iter(self.means)

    def __len__(self) -> int:
        """Return how many measures there are."""
        return len(self.means)

    @cached_property
    def _at(self) -> Mapping[str, int]:
        return {query: at for at, query in enumerate(self.query_ids)}

    def of_query(self, query_id: str) -> dict[str, Value]:
        """Return one query's values by measure; KeyError for a query that was not evaluated."""
        at = self._at[query_id]
        return {measure: row[at] for measure, row in self.per_query.items()}

    def only(self, measures: Sequence[str]) -> Values:
        """Return the values of some of the measures, by their house names."""
        parts: dict[str, Any] = {
            name: {one: row for one, row in getattr(self, name).items() if one in measures}
            for name in ("measures", "per_query", "means", "undefined", "ties")
        }
        return replace(self, **parts)

    def to_dict(self, *, per_query: bool = True) -> dict[str, Any]:
        """Return what `rankproof evaluate --format json` writes for a run."""
        found: dict[str, Any] = {
            "run": self.run,
            "counts": dict(self.counts),
            "queries": {
                group: list(self.groups.get(group, ())) for group in ("without-relevant", "missing", "unjudged")
            },
            "means": dict(self.means),
            "undefined": {
                measure: {reason: list(queries) for reason, queries in reasons.items()}
                for measure, reasons in self.undefined.items()
            },
            "ties": {measure: tie._asdict() for measure, tie in self.ties.items()},
            "repeats": self.repeats,
        }
        if per_query:
            rows = {measure: list(row) for measure, row in self.per_query.items()}
            found["per_query"] = {"query_ids": list(self.query_ids), "values": rows}
        return found

    def to_json(self, *, per_query: bool = True) -> str:
        """Return `to_dict` with the contract, as JSON."""
        return json.dumps(
            {"contract": self.contract.to_dict(), **self.to_dict(per_query=per_query)}, ensure_ascii=False
        )

    def to_frame(self, backend: str | None = None) -> Any:
        """Return a dataframe with a row a query: query_id, then a column a measure.

        `backend` is "pandas", "polars" or "pyarrow"; by default the first of them that is installed.
        """
        from rankproof.formats.frames import to_frame  # noqa: PLC0415 - dataframe libraries load only when asked for

        return to_frame(
            {"query_id": list(self.query_ids), **{m: list(row) for m, row in self.per_query.items()}}, backend
        )

    def notes(self) -> list[str]:
        """Return the counts, what is undefined and what ties touch, as sentences."""
        lines = ["; ".join(_count_notes(self))]
        if self.repeats:
            rule = self.contract.duplicate_document
            lines.append(f"{self.repeats} results repeat a document of their query (duplicate-document = {rule})")
        for measure, reasons in self.undefined.items():
            for reason, queries in reasons.items():
                if list(queries) != list(self.groups["without-relevant"]):  # that is said already
                    lines.append(f"{measure} is undefined for {query_count(len(queries))}: {reason}")
        for measure, tie in self.ties.items():
            if tie.queries:
                lines.append(f"ties touch {measure} in {query_count(tie.queries)}; {_range(tie)}")
        return lines

    def __repr__(self) -> str:
        """Return the means and counts, to read."""
        return repr(ValuesOfRuns((self,)))

    def _repr_html_(self) -> str:
        """Return the same as a notebook shows it."""
        return ValuesOfRuns((self,))._repr_html_()


class ValuesOfRuns(Mapping[str, Values]):
    """The values of several runs by run name, under one contract, in the order given."""

    def __init__(self, values: Sequence[Values]) -> None:
        """Hold these; their run names differ."""
        self._values = {one.run: one for one in values}

    def __getitem__(self, run: str) -> Values:
        """Return the values of a run."""
        return self._values[run]

    def __iter__(self) -> Iterator[str]:
        """Return the run names."""
        return iter(self._values)

    def __len__(self) -> int:
        """Return how many runs there are."""
        return len(self._values)

    def to_dict(self, *, per_query: bool = True) -> dict[str, Any]:
        """Return the contract, and a dict a run."""
        return {
            "contract": next(iter(self.values())).contract.to_dict(),
            "runs": [values.to_dict(per_query=per_query) for values in self.values()],
        }

    def to_json(self, *, per_query: bool = True) -> str:
        """Return `to_dict` as JSON."""
        return json.dumps(self.to_dict(per_query=per_query), ensure_ascii=False)

    def to_frame(self, backend: str | None = None, *, per_query: bool = False) -> Any:
        """Return a dataframe of means, a row a run; with `per_query` of values, a row a run and query."""
        from rankproof.formats.frames import to_frame  # noqa: PLC0415 - dataframe libraries load only when asked for

        header, *rows = self.rows()
        if per_query:
            names = header[1:]
            header = ["run", "query_id", *names]
            rows = [
                [run, query, *map(values.of_query(query).get, names)]
                for run, values in self.items()
                for query in values.query_ids
            ]
        return to_frame({name: [row[at] for row in rows] for at, name in enumerate(header)}, backend)

    def rows(self) -> list[list[Any]]:
        """Return a header (run, measures) and a row of means a run."""
        measures = list(dict.fromkeys(measure for values in self.values() for measure in values.means))
        return [["run", *measures], *([name, *(v.means.get(m) for m in measures)] for name, v in self.items())]

    def __repr__(self) -> str:
        """Return a table to read, with the contract and the counts."""
        header, *rows = [[shown(cell) for cell in row] for row in self.rows()]
        widths = [max(len(row[at]) for row in (header, *rows)) for at in range(len(header))]
        table = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in (header, *rows)
        ]
        return "\n".join([*table, "", *self.notes()])

    def _repr_html_(self) -> str:
        header, *rows = self.rows()
        head = "".join(f'<th scope="col">{escape(name)}</th>' for name in header)
        cells = [(row[0], "".join(f"<td>{shown(cell)}</td>" for cell in row[1:])) for row in rows]
        body = "".join(f'<tr><th scope="row">{escape(run)}</th>{row}</tr>' for run, row in cells)
        notes = "<br>".join(map(escape, self.notes()))
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{notes}</p>"

    def notes(self) -> list[str]:
        """Return the contract, then what is to be said of each run, as sentences."""
        contract = next(iter(self.values())).contract
        lines = [f"contract {contract.name} ({contract.fingerprint})"]
        for name, values in self.items():
            lines += [f"{name}: {note}" for note in values.notes()]
        return lines


_SAYS = {
    ("missing", "zero"): "missing from the run, counted as an empty ranking",
    ("missing", "skip"): "missing from the run, left out",
    ("without-relevant", "zero"): "without a relevant document, 0 where a measure needs one",
    ("without-relevant", "skip"): "without a relevant document, undefined and left out where a measure needs one",
    ("unjudged", "skip"): "in the run but without judgments, left out",
}
"""How a count reads, by group and by the contract's rule for it."""


def _count_notes(values: Values) -> Iterator[str]:
    contract, groups = values.contract, values.groups
    yield f"{query_count(len(groups['evaluated']))} evaluated"
    rules = {"missing": contract.missing_query, "without-relevant": contract.no_relevant, "unjudged": "skip"}
    for group, rule in rules.items():
        if groups[group] and (group, rule) in _SAYS:
            yield f"{len(groups[group])} {_SAYS[group, rule]} ({first_of(groups[group])})"
    if groups["tied"]:
        touched = any(tie.queries for tie in values.ties.values())
        effect = "" if touched else ", which no value here depends on"
        yield f"{len(groups['tied'])} with ties of judged documents ({first_of(groups['tied'])}){effect}"


def _range(tie: TieRange) -> str:
    if tie.lowest is None:
        return "the range of its mean is not known"
    decimals = next((one for one in (4, 6, 9) if shown(tie.lowest, one) != shown(tie.highest, one)), 12)
    low, high = shown(tie.lowest, decimals), shown(tie.highest, decimals)
    return f"its mean lies from {low} to {high}, depending on how they are broken"


def shown(value: object, decimals: int = 4) -> str:
    """Return a value to read: a number with its decimals, a whole count without, null for undefined."""
    if value is None:
        return "null"
    return f"{value:.{decimals}f}" if isinstance(value, float) else str(value)
