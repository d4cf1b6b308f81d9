"""Which rows does a file hold, one by one? For those who look at what a reader would refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from rankproof.contract import Contract
from rankproof.errors import Faults
from rankproof.formats import jsons, three_columns, trec
from rankproof.formats.cells import judgments_of, results_of
from rankproof.formats.columnar import read_arrow, read_parquet
from rankproof.formats.files import Source
from rankproof.formats.frames import cells_of_frame
from rankproof.formats.judged import Judgment
from rankproof.formats.results import Result
from rankproof.formats.table import format_of
from rankproof.formats.tables import delimited, record_lines

_Judgments: TypeAlias = Callable[[Source, Contract, Faults], Iterator[Judgment]]
_Results: TypeAlias = Callable[[Source, Contract, Faults], Iterator[Result]]

JUDGMENTS: Mapping[str, _Judgments] = {
    "parquet": lambda source, _, faults: judgments_of(
        cells_of_frame(read_parquet(source), source.name, "grade"), faults, source.name
    ),
    "arrow": lambda source, _, faults: judgments_of(
        cells_of_frame(read_arrow(source), source.name, "grade"), faults, source.name
    ),
    "jsonl": lambda source, _, faults: judgments_of(record_lines(source, "grade", faults), faults, source.name),
    "json": lambda source, _, faults: jsons.judgments(source, faults),
    "csv": lambda source, _, faults: judgments_of(delimited(source, "grade", faults), faults, source.name),
    "three-columns": three_columns.judgments,
    "trec": trec.judgments,
}
"""How the rows of judgments are read, by the format's name."""

RESULTS: Mapping[str, _Results] = {
    "parquet": lambda source, _, faults: results_of(
        cells_of_frame(read_parquet(source), source.name, "score"), faults, source.name
    ),
    "arrow": lambda source, _, faults: results_of(
        cells_of_frame(read_arrow(source), source.name, "score"), faults, source.name
    ),
    "jsonl": lambda source, _, faults: results_of(record_lines(source, "score", faults), faults, source.name),
    "json": lambda source, _, faults: jsons.results(source, faults),
    "csv": lambda source, _, faults: results_of(delimited(source, "score", faults), faults, source.name),
    "three-columns": three_columns.results,
    "trec": trec.results,
}
"""How the rows of results are read, by the format's name."""


def judgment_rows(source: Source, contract: Contract, faults: Faults) -> Iterator[Judgment]:
    """Yield the rows of a file of judgments, repeated ones too, whatever its format; no rule is applied to them.

    What is no judgment is added to `faults`, and nothing is raised for it. InputError for what ends the reading: a file
    that cannot be opened, is of no format, or holds something else.
    """
    return JUDGMENTS[format_of(source, "qrels", contract).name](source, contract, faults)


def result_rows(source: Source, contract: Contract, faults: Faults) -> Iterator[Result]:
    """Yield the rows of a file of results, repeated ones and NaN too, whatever its format; see `judgment_rows`."""
    return RESULTS[format_of(source, "run", contract).name](source, contract, faults)
