"""How far is it, reading large files or asking many queries? A bar on stderr where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

LARGE = 16 * 1024 * 1024
"""Below this size, in bytes, reading is over before a bar would help."""


@contextmanager
def reading(paths: Sequence[str]) -> Iterator[Callable[[int], None] | None]:
    """Give what `Source` tells its bytes to, and show a bar while it does; None where no bar is wanted."""
    total = sum(Path(path).stat().st_size for path in paths if Path(path).is_file())
    if total < LARGE or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=total)
        read = 0

        def on_bytes(count: int) -> None:
            nonlocal read
            read += count
            bar.update(task, completed=read, description="reading" if read < total else "computing")

        yield on_bytes


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """Give what is told how many of how many are done, and show a bar meanwhile; None without a terminal."""
    with counting_several() as tell:
        yield None if tell is None else lambda done, total: tell(what, done, total)


@contextmanager
def counting_several() -> Iterator[Callable[[str, int, int], None] | None]:
    """Give what is told a name, how many are done and of how many, and show a bar a name; None without a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def tell(name: str, done: int, total: int) -> None:
            if name not in tasks:
                tasks[name] = bar.add_task(name, total=total)
            bar.update(tasks[name], completed=done, total=total)

        yield tell
