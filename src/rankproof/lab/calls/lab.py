"""What did reranking change? The calls of the first tab: a comparison, one query of it, one value of it, downloads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from rankproof.errors import ContractError, Fault, InputError, nearest
from rankproof.explain import explain as explain_query
from rankproof.lab.asked import Asked, asked
from rankproof.lab.before_after import one_run_page, two_runs_page
from rankproof.lab.blocks_json import page_json
from rankproof.lab.command import made_by
from rankproof.lab.compared import data_of, one_run, two_runs, values_of_query
from rankproof.lab.given import counts_in, flag_of, settings_in, text_of
from rankproof.lab.places import placing
from rankproof.model import Value
from rankproof.presets import FORMULAS_DATE
from rankproof.presets import contract as contract_of
from rankproof.report.blocks import Page, Section
from rankproof.report.comparison import comparison_page
from rankproof.report.explanation import explanation_blocks
from rankproof.report.lab import lab_page
from rankproof.report.page import as_html
from rankproof.report.side_by_side import side_blocks, side_by_side
from rankproof.report.values import TIDY, tidy_rows
from rankproof.rerank import FORMULAS
from rankproof.rerank.lab_telling import lab_query_table
from rankproof.tables import Table, as_csv, as_json
from rankproof.words import Words

Arguments: TypeAlias = Mapping[str, Any]

FEW = 200
"""Of more queries, intervals and p are drawn only where they are asked for: without NumPy they take a minute."""


def lab(arguments: Arguments) -> dict[str, Any]:
    """Return a comparison of what was given as a page, and as the command line's JSON.

    Arguments: those of `asked`; `statistics`: whether intervals, p and curves are drawn, which takes longer (if not
    given, they are where there are few queries; `tested` in the result says it); the settings of `compare` (seed,
    interval, …); `cutoffs`: those of the curves.
    """
    of, settings, cutoffs = asked(arguments), settings_in(arguments), counts_in(arguments, "cutoffs")
    tested = len(of.runs) > 1 and flag_of(arguments, "statistics", default=len(of.qrels) <= FEW)
    page: Page
    data: Mapping[str, Any] | None
    with _placing(of):
        if len(of.runs) == 1:
            values = one_run(of)
            first = values[of.runs[0].name]
            page, data = one_run_page(first, of, cutoffs), values.to_dict()
        else:
            found = two_runs(of, settings, tested=tested)
            first = found.before
            page, data = two_runs_page(found, of, cutoffs, tested=tested), data_of(found, of, tested=tested)
    return {
        **_about(of),
        "tested": tested,
        "measures": list(first.measures),
        "query_ids": list(first.query_ids),
        "page": page_json(page),
        "data": data,
    }


def query(arguments: Arguments) -> dict[str, Any]:
    """Return one query's lists side by side, with its values. Arguments: those of `asked`, and `query`, its id."""
    of = asked(arguments)
    asked_for = _query_in(of, arguments)
    with _placing(of):
        values = {run.name: values_of_query(asked_for, of, run) for run in of.runs}
        lists = side_by_side(asked_for, of.qrels, of.runs, of.contract)
    sections = [
        Section(Words("Values", "값"), [_values_table(values)]),
        Section(Words("Side by side", "나란히 보기"), side_blocks(lists, of.k)),
    ]
    page = Page(Words(f"Query {asked_for}", f"질의 {asked_for}"), sections)
    return {**_about(of), "query": asked_for, "page": page_json(page), "data": {**lists.to_dict(), "values": values}}


def explain(arguments: Arguments) -> dict[str, Any]:
    """Return one value term by term. Arguments: those of `asked`, `query`, `measure`, and `run`: before or after."""
    of, measure = asked(arguments), text_of(arguments, "measure")
    asked_for, run = _query_in(of, arguments), of.run(arguments.get("run", "before"))
    with _placing(of):
        found = explain_query(of.qrels, run, measure, asked_for, of.contract)
    title = Words(
        f"{found.measure} of query {asked_for}, {run.name}",
        f"질의 {asked_for}의 {found.measure}, {_SIDES.get(run.name, run.name)}",
    )
    page = Page(title, [], lead=explanation_blocks(found))
    return {**_about(of), "query": asked_for, "page": page_json(page), "data": found.to_dict()}


_SIDES = {"before": "전", "after": "후"}


def lab_report(arguments: Arguments) -> dict[str, Any]:
    """Return the HTML report that the command line writes, as {"name", "text"}.

    Arguments: those of `lab`; `charts`: the text of the chart library, which lies beside the page and not in here.
    """
    of, settings, charts = asked(arguments), settings_in(arguments), arguments.get("charts")
    if len(of.runs) == 1:
        raise InputError(Fault("a run alone has no report", expected="two runs, before and after"))
    with _placing(of):
        found = two_runs(of, settings, tested=True)
        record = made_by(of, arguments, settings)
        page = lab_page(found, record) if of.is_lab else comparison_page(found.comparison, record)
    return {"name": "rankproof-report.html", "text": as_html(page, charts if isinstance(charts, str) else None)}


def lab_json(arguments: Arguments) -> dict[str, Any]:
    """Return the JSON that the command line writes, its record included, as {"name", "text"}."""
    of, settings = asked(arguments), settings_in(arguments)
    with _placing(of):
        record = made_by(of, arguments, settings)
        if len(of.runs) == 1:
            data: Mapping[str, Any] | None = one_run(of).to_dict()
        else:
            data = data_of(two_runs(of, settings, tested=True), of, tested=True)
    return {"name": f"rankproof-{record['command']}.json", "text": as_json({**record, **(data or {})})}


def lab_csv(arguments: Arguments) -> dict[str, Any]:
    """Return each query's values as CSV, whole, as {"name", "text"}; of a run alone, a value a row."""
    of, settings = asked(arguments), settings_in(arguments)
    with _placing(of):
        if len(of.runs) == 1:
            header, rows = list(TIDY), list(tidy_rows(one_run(of), per_query=True))
        else:
            table = lab_query_table(two_runs(of, settings, tested=False))
            header, rows = list(table.header), list(table.rows)
    return {"name": "rankproof-queries.csv", "text": as_csv(header, rows, tabs=False)}


def _placing(of: Asked) -> Any:
    return placing(*((content, name) for _, content, name in of.files))


def _about(of: Asked) -> dict[str, Any]:
    """Return what every answer says of its question."""
    form = "lab" if of.is_lab else "runs" if len(of.runs) > 1 else "run"
    published = of.contract == contract_of(FORMULAS)
    return {
        "form": form,
        "runs": [run.name for run in of.runs],
        "k": of.k,
        "contract": {"name": of.contract.name, "fingerprint": of.contract.fingerprint},
        "formulas": {"version": FORMULAS, "date": FORMULAS_DATE} if published else None,
    }


def _query_in(of: Asked, arguments: Arguments) -> str:
    found = text_of(arguments, "query")
    if found not in of.qrels:
        hint = f"nearest: {nearest(found, of.qrels)}"
        raise ContractError(Fault("the qrels do not hold this query", query_id=found, hint=hint))
    return found


def _values_table(values: Mapping[str, Mapping[str, Value]]) -> Table:
    """Return a row a measure, a column a run; of two runs the change too."""
    rows: list[list[object]] = []
    for measure in next(iter(values.values())):
        cells: list[Value] = [of_run[measure] for of_run in values.values()]
        change = [] if len(cells) < 2 else [_change(cells[0], cells[1])]
        rows.append([measure, *cells, *change])
    header = ["measure", *values, *(["change"] if len(values) > 1 else [])]
    return Table(header, rows, decimals=6)


def _change(before: Value, after: Value) -> str | None:
    return None if before is None or after is None else f"{after - before:+.6f}"
