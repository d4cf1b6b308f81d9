"""The lab for tests: from rankproof's server, from a host that knows nothing of it, and in Chromium."""

from __future__ import annotations

import io
import socket
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from browser import PATIENCE
from needed import lacking

from rankproof.errors import MissingPackageError
from rankproof.lab.engine import INNER
from rankproof.lab.export import export
from rankproof.lab.server import LabServer
from rankproof.lab.site import POLICY, Site
from rankproof.lab.site import site as made

SUB_PATH = "some/path"
BLANK = "blank.html"
"""An address beside the lab's own, for tests of the engine alone."""


def blank(policy: str = POLICY) -> bytes:
    """A page under the lab's policy that does nothing by itself."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<title>blank</title><link rel="icon" href="data:,"></head><body></body></html>'
    ).encode()


def lab(*, service_worker: bool = True, more: Mapping[str, bytes] | None = None) -> Site:
    """The lab's files, and a blank page beside them; skipped where they are not built, failed there in CI."""
    try:
        found = made(service_worker=service_worker)
    except MissingPackageError as error:
        lacking(str(error))
    return replace(found, files={**found.files, BLANK: blank(), **(more or {})})


def engine_of(api: str) -> bytes:
    """A stand-in for engine.zip that holds nothing but an api."""
    files = {"__init__": '__version__ = "0"', "lab/__init__": "", "lab/api": api}
    return zipped({INNER: zipped({f"rankproof/{name}.py": text.encode() for name, text in files.items()})})


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip of files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def unzipped(packed: bytes) -> zipfile.ZipFile:
    """The zip inside a zip of the lab's."""
    return zipfile.ZipFile(io.BytesIO(zipfile.ZipFile(io.BytesIO(packed)).read(INNER)))


@dataclass
class Host:
    """A running server: where it is, which requests came (method, path, status), how many bytes went out."""

    url: str
    server: ThreadingHTTPServer
    requests: list[tuple[str, str, int]] = field(default_factory=list)
    sent: int = 0
    connections: list[socket.socket] = field(default_factory=list)


def _watched(server: ThreadingHTTPServer, url: str) -> Host:
    host = Host(url, server)

    class Counting(socket.socket):
        def sendall(self, data, *flags):
            host.sent += len(data)
            return super().sendall(data, *flags)

    accept = server.get_request

    def get_request():
        plain, address = accept()
        timeout = plain.gettimeout()
        counting = Counting(plain.family, plain.type, plain.proto, fileno=plain.detach())
        counting.settimeout(timeout)
        host.connections.append(counting)
        return counting, address

    # A partial has no attributes to inherit from: the handler is made, then its class is one that also takes notes.
    handler = server.RequestHandlerClass
    base = handler.func if isinstance(handler, partial) else handler

    class Noting(base):
        def log_request(self, code="-", size="-"):  # noqa: ARG002 - overrides
            host.requests.append((self.command, self.path, int(code)))

        def log_message(self, *_):
            pass

    server.get_request = get_request
    server.RequestHandlerClass = partial(Noting, **handler.keywords) if isinstance(handler, partial) else Noting
    return host


@contextmanager
def running(server: ThreadingHTTPServer, url: str) -> Iterator[Host]:
    """Serve until the end of the block."""
    host = _watched(server, url)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield host
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
        for connection in host.connections:  # or a thread goes on answering on it
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def served(site: Site, port: int = 0, policy: str = POLICY) -> Iterator[Host]:
    """Serve a site as `rankproof lab` does."""
    server = LabServer(site, port, policy=policy)
    with running(server, server.url) as host:
        yield host


class Dumb(SimpleHTTPRequestHandler):
    """A host for files that sends no header of ours."""

    extensions_map: Mapping[str, str] = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }


@contextmanager
def hosted(site: Site, folder: Path) -> Iterator[Host]:
    """Export a site below a folder, and serve that folder as any host of files would."""
    export(site, folder / SUB_PATH)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Dumb, directory=str(folder)))
    with running(server, f"http://127.0.0.1:{server.server_port}/{SUB_PATH}/") as host:
        yield host


@pytest.fixture(scope="session")
def site() -> Iterator[Host]:
    """The lab as `rankproof lab` serves it."""
    with served(lab()) as host:
        yield host


@pytest.fixture(scope="session")
def static_site(tmp_path_factory) -> Iterator[Host]:
    """The lab as exported, below a sub-path of a host that knows nothing of it."""
    with hosted(lab(), tmp_path_factory.mktemp("host")) as host:
        yield host


def _is_trouble(message) -> bool:
    return message.type in ("error", "warning") and message.text != "Service Worker registration blocked by Playwright"


@pytest.fixture
def lab_page(browser):
    """Open an address in a fresh context; `said` collects errors, warnings of the console and refused requests.

    Service workers are blocked unless `service_workers="allow"` is given: each page then loads from its host.
    """
    contexts = []

    def open_page(url: str, *, language: str = "en-US", service_workers: str = "block", context=None, **options):
        if context is None:
            context = browser.new_context(locale=language, service_workers=service_workers, **options)
            contexts.append(context)
            context.set_default_timeout(PATIENCE)
        shown = context.new_page()
        shown.said = []
        shown.on("console", lambda one: shown.said.append(one.text) if _is_trouble(one) else None)
        shown.on("pageerror", lambda error: shown.said.append(str(error)))
        shown.goto(url)
        return shown

    yield open_page
    for context in contexts:
        context.close()


SETTLED = """() => {
    const ready = document.querySelector('.engine')?.dataset.engine === 'ready';
    const answers = [...document.querySelectorAll('.answer')];
    const given = answers.length || document.querySelector('[data-place]'); // of runs there is no sample
    const coming = document.querySelector('.testing [role=status], .more')?.textContent;
    const charts = [...document.querySelectorAll('lab-chart')].filter((one) => one.clientWidth);
    return ready && given && answers.every((one) => one.getAttribute('aria-busy') === 'false') && !coming
        && charts.every((one) => one.dataset.drawn === document.documentElement.lang);
}"""
FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"


def settled(shown):
    """Wait until what a tab asked is answered and drawn."""
    shown.evaluate(FRAMES)
    shown.wait_for_function(SETTLED)
    shown.evaluate(FRAMES)
    return shown


@pytest.fixture
def tab(site, lab_page):
    """Open a tab of the lab, and wait for its numbers; after the test nothing was said on the console."""
    pages = []

    def open_tab(address: str = "#/lab?k=3", **options: object):
        shown = lab_page(f"{site.url}{address}", **options)
        pages.append(shown)
        return settled(shown)

    yield open_tab
    for shown in pages:
        assert shown.said == []


START_ENGINE = """async () => {
    const { createEngine } = await import('./engine.mjs');
    globalThis.told = [];
    globalThis.engine = createEngine((progress) => told.push(progress));
    return engine.ready.then((info) => info, (error) => ({ error: error.kind, message: error.message }));
}"""


@pytest.fixture
def engine_page(lab_page):
    """Open the blank page of a host and start the engine there: `engine`, and the progress `told`, are global."""

    def start(host: Host, **options: object):
        shown = lab_page(f"{host.url}{BLANK}", **options)
        shown.info = shown.evaluate(START_ENGINE)
        return shown

    return start
