"""`rankproof lab`: the page that computes everything inside the browser, served to this machine or written as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rankproof.lab.server import LabServer
    from rankproof.lab.site import Site

USUAL_PORT = 8617
"""The same each time, so that the browser finds again what it kept."""

INTERRUPTED = 130


def lab(
    port: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            max=65535,
            help=f"0: any that is free. Without it {USUAL_PORT}, or any if that is taken.",
        ),
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address, and open nothing.")] = False,
    export: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the page as files for any web host, and serve nothing.")
    ] = None,
    no_service_worker: Annotated[
        bool, typer.Option("--no-service-worker", help="Let browsers keep nothing for a visit without a network.")
    ] = False,
) -> None:
    """Open the lab: a page in your browser that measures and compares there, in this package's own Python.

    Files that are opened in the page do not leave the browser.
    """
    from rankproof.cli.output import say
    from rankproof.lab.export import export as written
    from rankproof.lab.site import site

    made = site(service_worker=not no_service_worker)
    if export is not None:
        written(made, export)
        size = sum(map(len, made.files.values())) / 1e6
        say(f"written to {export}: {len(made.files)} files, {size:.1f} MB", f"engine.zip has sha256 {made.engine}")
        return
    with _server(made, port) as server:
        print(server.url, flush=True)
        say("Ctrl-C ends it; nothing that you open in the page leaves your browser")
        if not no_browser:
            _open(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None


def _server(made: Site, port: int | None) -> LabServer:
    from rankproof.errors import InputError
    from rankproof.lab.server import LabServer

    try:
        return LabServer(made, USUAL_PORT if port is None else port)
    except InputError:
        if port is not None:
            raise
        return LabServer(made)


def _open(url: str) -> None:
    """Open the browser beside the server: some wait until theirs is closed."""
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
