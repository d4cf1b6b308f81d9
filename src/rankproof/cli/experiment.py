"""`rankproof experiment`: systems on one corpus, compared."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rankproof.cli.options import FormatOption, OutputFormat, OutputOption

_File = Annotated[str, typer.Argument(metavar="FILE.toml", help="Corpus, queries, qrels, k and the systems by name.")]
_Fresh = Annotated[
    list[str] | None,
    typer.Option("--fresh", metavar="SYSTEM", help="Run this system again, or all; may be repeated."),
]


_Report = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE", help="Write the report there, HTML or Markdown (.md), not in the store."),
]


def experiment(
    file: _File,
    fresh: _Fresh = None,
    report: _Report = None,
    format: FormatOption = OutputFormat.TABLE,  # noqa: A002 - the option's name
    output: OutputOption = None,
) -> None:
    """Run the systems of a file on one corpus with the same queries, labels and k, and compare them.

    Runs are kept beside the file, and the report with them; a second call takes the runs from there unless an input or
    a setting has changed.
    """
    from rankproof.cli.inputs import check_outputs, check_outside
    from rankproof.cli.output import say, show
    from rankproof.cli.progress import counting_several
    from rankproof.compare.telling import rows
    from rankproof.experiment import read_plan, run_experiment
    from rankproof.formats.files import read_through
    from rankproof.record import record
    from rankproof.report.write import check_ending, write_report

    if report is not None:
        check_ending(report)
    plan = read_plan(file)
    inputs = [("experiment", Path(file)), *plan.inputs()]
    check_outside(plan.store, output, report)
    read = [path for system in plan.systems for path in system.files(plan.folder)]
    check_outputs([str(path) for path in (*(path for _, path in inputs), *read)], output, report)
    with counting_several() as on_answer:
        found = run_experiment(plan, fresh=fresh or (), on_answer=on_answer)
    made_by = record("experiment", [(role, read_through(path)) for role, path in inputs])
    written = report or plan.report
    write_report(found, written, made_by=made_by)
    say(f"report written to {written}")
    show(
        format,
        output,
        content=lambda: {**made_by, **found.to_dict()},
        rows=lambda: rows(found.compared),
        tables=found.tables,
        notes=[*found.notes(), found.compared.verdict_says],
    )
