"""A search server, in a process of its own, that answers and fails as it is told, and counts what it was asked.

Each test has a space of its own: /SPACE/_plan takes the steps (a list for each query text, the last one for ever),
/SPACE/_log gives the requests and how many were there at a time; all other paths below /SPACE are the service.
A step is a table of status, headers, json or text, encoding, gzip, delay (seconds before the answer), drip (seconds
between its bytes), cut (bytes after which the connection is cut), echo (answer with the request itself).
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import time
import urllib.request
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest

GOOD = {"json": {"hits": [{"id": "d1", "score": 2.0}, {"id": "d2", "score": 1.0}]}}


@dataclass
class _Space:
    steps: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    default: dict[str, Any] = field(default_factory=lambda: GOOD)
    requests: list[dict[str, Any]] = field(default_factory=list)
    times: Counter[str] = field(default_factory=Counter)
    now: int = 0
    most: int = 0


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    spaces: ClassVar[dict[str, _Space]] = defaultdict(_Space)
    lock = Lock()

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def _serve(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        content = self.rfile.read(length)
        if len(content) < length:  # whoever asks was killed in the middle: it has not asked
            self.close_connection = True
            return
        name, _, rest = self.path.removeprefix("/").partition("/")
        space = self.spaces[name]
        if rest == "_plan":
            plan = json.loads(content)
            space.steps, space.default = plan["steps"], plan["default"]
            self._send({"json": {}})
        elif rest == "_log":
            self._send({"json": {"requests": space.requests, "most": space.most}})
        else:
            self._answer(space, rest, content)

    def _answer(self, space: _Space, path: str, content: bytes) -> None:
        parts = urlsplit(path)
        params = {key: values[0] for key, values in parse_qs(parts.query, keep_blank_values=True).items()}
        request = {
            "method": self.command,
            "path": f"/{parts.path}",
            "params": params,
            "headers": dict(self.headers.items()),
            "body": json.loads(content) if content else None,
            "port": self.client_address[1],
        }
        with self.lock:
            space.requests.append(request)
            space.now += 1
            space.most = max(space.most, space.now)
            step = self._step(space, {*_texts(request["body"]), *params.values()})
        try:
            self._send({**step, "json": request} if step.get("echo") else step)
        finally:
            with self.lock:
                space.now -= 1

    @staticmethod
    def _step(space: _Space, texts: set[str]) -> dict[str, Any]:
        for text, steps in space.steps.items():
            if text in texts:
                space.times[text] += 1
                return steps[min(space.times[text], len(steps)) - 1]
        return space.default

    def _send(self, step: dict[str, Any]) -> None:
        time.sleep(step.get("delay", 0))
        text = step["text"] if "text" in step else json.dumps(step.get("json"))
        content = text.encode(step.get("encoding", "utf-8"))
        content = gzip.compress(content) if step.get("gzip") else content
        self.send_response(step.get("status", 200))
        for name, value in step.get("headers", {}).items():
            self.send_header(name, value)
        if step.get("gzip"):
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        with suppress(OSError):  # whoever asked has stopped waiting
            self._write(content[: step.get("cut", len(content))], step.get("drip", 0))
        if "cut" in step:
            self.close_connection = True

    def _write(self, content: bytes, pause: float) -> None:
        if not pause:
            self.wfile.write(content)
            return
        for at in range(len(content)):
            self.wfile.write(content[at : at + 1])
            self.wfile.flush()
            time.sleep(pause)


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict):
        for part in content.values():
            yield from _texts(part)
    elif isinstance(content, list):
        for part in content:
            yield from _texts(part)


class Service:
    """One test's space on the server."""

    _count = 0

    def __init__(self, address: str) -> None:
        Service._count += 1
        self.url = f"{address}/space{Service._count}"

    def plan(self, steps: dict[str, list[dict[str, Any]]] | None = None, default: dict[str, Any] = GOOD) -> None:
        """Say what is answered to which query text, time after time, and to all others."""
        self._call("_plan", json.dumps({"steps": steps or {}, "default": default}).encode())

    @property
    def requests(self) -> list[dict[str, Any]]:
        """Return all requests that came."""
        return self._call("_log")["requests"]

    @property
    def most(self) -> int:
        """Return how many requests were there at a time, at most."""
        return self._call("_log")["most"]

    def asked(self) -> Counter[str]:
        """Return how often each text `q` was asked."""
        return Counter((one["body"] or one["params"])["q"] for one in self.requests)

    def _call(self, what: str, content: bytes | None = None) -> Any:
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(f"{self.url}/{what}", content, timeout=30) as answer:
            return json.load(answer)


@contextmanager
def serving() -> Iterator[str]:
    """Start the server and give its address."""
    with subprocess.Popen([sys.executable, __file__], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.kill()


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The server of all tests, in a process of its own."""
    with serving() as found:
        yield found


@pytest.fixture
def service(address: str, monkeypatch) -> Service:
    """A space of its own on the server, reached without any proxy."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    return Service(address)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    print(server.server_port, flush=True)
    server.serve_forever()
