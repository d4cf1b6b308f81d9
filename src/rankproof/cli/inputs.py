"""What is refused before an input is read?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rankproof.errors import Fault, InputError, MeasureError

if TYPE_CHECKING:
    from rankproof.systems import System


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


def check_outputs(inputs: Sequence[str | None], *outputs: Path | None, makes_folder: bool = False) -> None:
    """Refuse an output that could not be written, or would overwrite an input or another output.

    `makes_folder`: the folder of the outputs need not be there yet.
    """
    from rankproof.formats.whole import check_place

    taken = [Path(path).resolve() for path in inputs if path and path != "-"]
    for output in outputs:
        if output is None:
            continue
        check_place(output, makes_folder=makes_folder)
        if output.resolve() in taken:
            raise InputError(
                Fault("is read or written already: it would be overwritten", str(output), hint="name another file")
            )
        taken.append(output.resolve())


def check_outside(folder: Path, *outputs: Path | None) -> None:
    """Refuse an output inside a folder that keeps files of its own."""
    for output in outputs:
        if output is not None and output.resolve().parent == folder.resolve():
            raise InputError(Fault("lies in the store of runs", str(output), hint="name a file elsewhere"))


def settings_in(given: Sequence[str] | None) -> dict[str, str] | None:
    """Return the settings of options such as `index=articles`; None without any."""
    if not given:
        return None
    found: dict[str, str] = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals or not name or name in found:
            message = f"{one!r} sets nothing" if not (equals and name) else f"{name} is set twice"
            raise InputError(Fault(message, expected="name=value, such as index=articles, each once"))
        found[name] = value
    return found


def corpus_and_queries(files: Sequence[str], systems: Sequence[System]) -> tuple[str | None, str]:
    """Return the corpus and the queries; the queries alone where no system needs the texts of documents here."""
    if len(files) == 2:
        return files[0], files[1]
    hint = "an engine with an index of its own, and vectors from files, need no CORPUS"
    if len(files) != 1 or any(system.needs_corpus for system in systems):
        raise InputError(Fault(f"{len(files)} files are given", expected="CORPUS QUERIES", hint=hint))
    return None, files[0]
