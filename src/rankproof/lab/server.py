"""Who serves the lab to the browser on this machine? A server for this machine alone, that only hands out files."""

from __future__ import annotations

import gzip
import hashlib
import threading
from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from rankproof.errors import Fault, InputError
from rankproof.lab.site import INDEX, POLICY, Site

HOST = "127.0.0.1"
NAMES = frozenset({HOST, "localhost"})
"""By these names a browser on this machine asks; any other is somebody else's name for this address."""

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
}

_IDLE = 60  # seconds until a connection that asks for nothing is closed


class LabServer(ThreadingHTTPServer):
    """Hands out the files of a site to browsers on this machine: GET and HEAD, nothing is ever taken in."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, site: Site, port: int = 0, *, policy: str = POLICY) -> None:
        """Listen on the loopback address. `port` 0 takes a free one; InputError for one that cannot be had."""
        self.files = {name: Served(name, data, site.packed.get(name)) for name, data in site.files.items()}
        self.headers = headers(policy)
        try:
            super().__init__((HOST, port), _Handler)
        except (OSError, OverflowError) as error:
            message = f"port {port} cannot be had: {getattr(error, 'strerror', None) or error}"
            raise InputError(Fault(message, hint="--port 0 takes any free port")) from error

    @property
    def url(self) -> str:
        """Where the lab is."""
        return f"http://{HOST}:{self.server_port}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a browser that went away in the middle of an answer."""


class Served:
    """A file as it goes over the wire: as it is, and packed at the first request that takes it so, if not before."""

    def __init__(self, name: str, data: bytes, packed: bytes | None = None) -> None:
        """Keep the file's bytes, type and hash."""
        suffix = PurePosixPath(name).suffix
        self.data = data
        self.type = TYPES.get(suffix, "application/octet-stream")
        self.tag = hashlib.sha256(data).hexdigest()[:32]
        self._packs = True
        self._packed = packed
        self._lock = threading.Lock()

    def packed(self) -> bytes | None:
        """Return the file packed by gzip; None where that gains nothing."""
        with self._lock:
            if self._packs and self._packed is None:
                self._packed = gzip.compress(self.data, 6, mtime=0)
                self._packs = len(self._packed) < len(self.data)
            return self._packed if self._packs else None


def headers(policy: str) -> Mapping[str, str]:
    """Return what every answer says: what the page may do, who may show or read it, and that it is asked for again."""
    return {
        "Content-Security-Policy": f"{policy}; frame-ancestors 'none'",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Embedder-Policy": "require-corp",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-cache",
    }


class _Handler(BaseHTTPRequestHandler):
    """Answers one browser's requests."""

    server: LabServer
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "rankproof", ""
    timeout = _IDLE

    def do_GET(self) -> None:
        """Answer with a file, or say that it has not changed."""
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        """Answer as GET does, without the file."""
        self._answer(with_body=False)

    def _answer(self, *, with_body: bool) -> None:
        if _host(self.headers.get("Host")) not in NAMES:
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
            return
        served = self._asked()
        if served is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        packed = served.packed() if _takes_gzip(self.headers.get("Accept-Encoding", "")) else None
        tag = f'"{served.tag}{"-gzip" if packed is not None else ""}"'
        unchanged = tag in map(str.strip, self.headers.get("If-None-Match", "").replace("W/", "").split(","))
        body = b"" if unchanged else served.data if packed is None else packed
        self.send_response(HTTPStatus.NOT_MODIFIED if unchanged else HTTPStatus.OK)
        self._say({"ETag": tag, "Vary": "Accept-Encoding", **self.server.headers})
        if not unchanged:
            self._say({"Content-Type": served.type, "Content-Length": str(len(body))})
            self._say({"Content-Encoding": "gzip"} if packed is not None else {})
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def _asked(self) -> Served | None:
        """Return the file that the path names: only what the site lists can be had."""
        try:
            name = unquote(urlsplit(self.path).path, errors="strict").removeprefix("/")
        except ValueError:
            return None
        return self.server.files.get(name or INDEX)

    def _say(self, headers: Mapping[str, str]) -> None:
        for name, value in headers.items():
            self.send_header(name, value)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:  # noqa: ARG002 - overrides
        """Answer with a status and its name, and hang up: a body that came along is not read."""
        status = HTTPStatus.METHOD_NOT_ALLOWED if code == HTTPStatus.NOT_IMPLEMENTED else HTTPStatus(code)
        body = f"{status.phrase}\n".encode()
        self.close_connection = True
        self.send_response(status)
        self._say({"Content-Type": TYPES[".txt"], "Content-Length": str(len(body)), "Connection": "close"})
        self._say({"Allow": "GET, HEAD"} if status is HTTPStatus.METHOD_NOT_ALLOWED else {})
        self._say(self.server.headers)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing: the terminal is for the address."""


def _host(header: str | None) -> str:
    """Return the name in a Host header, without the port."""
    name, _, port = (header or "").rpartition(":")
    return (name if port.isdigit() else header or "").lower()


def _takes_gzip(header: str) -> bool:
    """Return whether an Accept-Encoding header takes gzip."""
    for one in header.lower().split(","):
        coding, *parameters = (part.strip() for part in one.split(";"))
        if coding in ("gzip", "*"):
            return not any(part.replace(" ", "") in ("q=0", "q=0.0", "q=0.00", "q=0.000") for part in parameters)
    return False
