"""How do values look: as tables, as tidy rows, and as trec_eval prints them?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rankproof.errors import printable
from rankproof.measures import Measure, trec_name
from rankproof.model import Value
from rankproof.tables import Table
from rankproof.values import Values, ValuesOfRuns

ALL = "all"
"""What trec_eval, and the tidy rows here, call the row of the means."""

TIDY = ("run", "query_id", "measure", "value")


def means_table(found: ValuesOfRuns) -> Table:
    """Return a row a measure, a column a run."""
    header, *rows = zip(*found.rows(), strict=True)
    return Table(["measure", *header[1:]], rows)


def query_table(values: Values) -> Table:
    """Return a row a query, a column a measure."""
    rows = [[query, *values.of_query(query).values()] for query in values.query_ids]
    return Table(["query_id", *values.per_query], rows, f"{values.run}, per query")


def query_tables(found: ValuesOfRuns) -> list[Table]:
    """Return each query's values: for one run a table with a column a measure, for several a table a measure."""
    runs = list(found.values())
    if len(runs) == 1:
        return [query_table(runs[0])]
    tables = []
    for measure in runs[0].measures:
        queries = dict.fromkeys(query for values in runs for query in values.query_ids)
        of_runs = [dict(zip(values.query_ids, values.per_query[measure], strict=True)) for values in runs]
        rows = [[query, *(values.get(query) for values in of_runs)] for query in queries]
        tables.append(Table(["query_id", *found], rows, f"{measure}, per query"))
    return tables


def tidy_rows(found: ValuesOfRuns, *, per_query: bool) -> Iterator[Sequence[object]]:
    """Yield (run, query_id, measure, value): one value a row, the means under the query `all`."""
    for run, values in found.items():
        if per_query:
            for query in values.query_ids:
                yield from ((run, query, measure, value) for measure, value in values.of_query(query).items())
        yield from ((run, ALL, measure, value) for measure, value in values.means.items())


def trec_lines(found: ValuesOfRuns, *, per_query: bool) -> Iterator[str]:
    """Yield lines as trec_eval prints them: queries in byte order, measures in the order asked for."""
    for run, values in found.items():
        for query in sorted(values.query_ids, key=str.encode) if per_query else ():
            for name, value in values.of_query(query).items():
                if values.measures[name].over_queries != "geometric-mean" and values.measures[name].symbol != "NumQ":
                    yield _trec_line(values.measures[name], query, value)
        yield f"{'runid':<22}\t{ALL}\t{printable(run)}\n"
        for name, value in values.means.items():
            yield _trec_line(values.measures[name], ALL, value)


def _trec_line(measure: Measure, query: str, value: Value) -> str:
    shown = "null" if value is None else str(value) if isinstance(value, int) else f"{value:6.4f}"
    return f"{trec_name(measure) or str(measure):<22}\t{printable(query)}\t{shown}\n"
