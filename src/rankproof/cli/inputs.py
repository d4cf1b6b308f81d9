"""What is refused before an input is read?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rankproof.errors import Fault, InputError, MeasureError


def one_stdin(*paths: str) -> None:
    """Refuse standard input for more than one of the inputs."""
    if paths.count("-") > 1:
        raise InputError(Fault("standard input can be read once only", expected="one -"))


def no_measures(runs: Sequence[str]) -> None:
    """Refuse a measure that stands where a run belongs: behind the first one of a -m."""
    from rankproof.measures import parse

    for run in runs:
        if run != "-" and not Path(run).exists():
            try:
                measure = parse(run)
            except MeasureError:
                continue
            hint = f"if {measure} is a measure to print: -m before each"
            raise InputError(Fault("there is no such file", run, hint=hint))


def one_measure(given: Sequence[str] | None, default: str) -> str:
    """Return the measure of a command that shows one; MeasureError for several."""
    if given and len(given) > 1:
        hint = "run the command once for each"
        raise MeasureError(Fault(f"{len(given)} measures are given: {', '.join(given)}", expected="one -m", hint=hint))
    return given[0] if given else default


def check_outputs(inputs: Sequence[str | None], *outputs: Path | None) -> None:
    """Refuse an output that would overwrite an input, or another output."""
    taken = [Path(path).resolve() for path in inputs if path and path != "-"]
    for output in outputs:
        if output is None:
            continue
        if output.resolve() in taken:
            raise InputError(
                Fault("is read or written already: it would be overwritten", str(output), hint="name another file")
            )
        taken.append(output.resolve())
