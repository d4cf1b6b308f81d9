"""What does a search service answer over HTTP?"""

from __future__ import annotations

import json
import logging
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from rankproof.engines.answer import AnswerReader
from rankproof.engines.embedding import Embedded, Embedding
from rankproof.engines.engine import EngineError, needed
from rankproof.engines.filling import fill, fill_url, spelled
from rankproof.engines.hiding import checked_address, from_environment
from rankproof.engines.mapping import HttpMapping
from rankproof.engines.redaction import Redaction
from rankproof.errors import Fault, InputError
from rankproof.model import Ranking

if TYPE_CHECKING:
    import httpx

LARGEST_ANSWER = 64 * 1024 * 1024
"""Bytes, unpacked: a longer answer is refused before it fills the memory."""
DEFAULT_TIMEOUT = 30.0
"""Seconds, where neither the mapping nor the caller says."""

_LOGGERS = ("httpx", *(f"httpcore.{part}" for part in ("connection", "http11", "http2", "proxy", "socks")))
"""They log addresses with their parameters, and what a server sends back in its headers."""
_CONNECT_TIMEOUT = 10.0
_HEADERS = {
    "Accept": "application/json",
    "Accept-Encoding": "gzip, deflate",  # whatever else happens to be installed
    "User-Agent": "rankproof",
}
_MOST_REDIRECTS = 5
_SHOWN = 200
_TRANSIENT = {408, 425, 429, 500, 502, 503, 504}
_HINTS: Mapping[int, str] = {
    401: "a mapping's [headers] name the environment variable that holds the key",
    404: "is the index named rightly, and is it the mapping of this service?",
}


class _Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    content: bytes


class HttpEngine:
    """A search service, asked over HTTP as a mapping says; connections are kept and shared by threads.

    Redirects are followed within one host only, TLS is verified, and what the environment gave as a secret stands in no
    message, log or setting.
    """

    def __init__(
        self, url: str, mapping: HttpMapping, *, timeout: float | None = None, embed: Embedded | None = None
    ) -> None:
        """Check all that can be checked before the first query; nothing is sent yet. InputError for what is wrong."""
        self.name = mapping.name
        self._mapping = mapping
        self._address = fill_url(mapping.url, mapping.settings, checked_address(url))
        self._timeout = timeout or mapping.timeout or DEFAULT_TIMEOUT
        self._embedding = None if embed is None else Embedding(embed)
        self._embedded_by = None if embed is None else getattr(embed, "__qualname__", type(embed).__qualname__)
        if mapping.needs_vector is (embed is None):
            message = "the mapping asks for a {vector}" if embed is None else "the mapping asks for no {vector}"
            raise InputError(Fault(message, mapping.source, expected="an embedding" if embed is None else "none"))
        self._hidden = Redaction(self._secrets().values())
        self._reader = AnswerReader(mapping, self._hidden.shown)
        self._check_headers()
        self._client = self._opened()
        for name in _LOGGERS:
            logging.getLogger(name).addFilter(self._hidden)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Return what decides the answers: the address and the mapping, with the names of secrets and not their values.

        How the mapping is called, and how long is waited, decide nothing. Of values in headers a hash stands there.
        """
        embedding = {} if self._embedded_by is None else {"embedding": self._embedded_by}
        return {"url": self._address, "mapping": self._mapping.deciding(), **embedding}

    def ask(self, text: str, k: int) -> Ranking:
        """Return what the service answers, all of it. EngineError, of one message, where it does not answer soundly.

        InputError where each query would fail alike: an unset secret, a key that the service does not know, more
        documents than it gives.
        """
        if self._mapping.max_k is not None and k > self._mapping.max_k:
            message = f"asks for {k} documents, and the service gives at most {self._mapping.max_k} an answer"
            hint = "max-k in a mapping of your own, where it gives more"
            raise InputError(Fault(message, self._mapping.source, hint=hint))
        with self._hiding():
            answer = self._sent(text, k)
            self._check_status(answer)
            try:
                ranking = self._reader.ranking(answer.content)
            except EngineError as error:
                fault = replace(error.fault, message=f"{error.fault.message}; it begins {self._begin(answer)}")
                raise EngineError(fault, transient=error.transient) from None
            if self._hidden.in_any(ranking.doc_ids):
                raise EngineError(Fault("a document id of the answer holds a secret", expected="ids of documents"))
            return ranking

    def close(self) -> None:
        """Close the connections."""
        self._client.close()
        for name in _LOGGERS:
            logging.getLogger(name).removeFilter(self._hidden)

    def _opened(self) -> httpx.Client:
        with needed("httpx", "asking over HTTP"):
            import httpx  # noqa: PLC0415 - an extra, loaded only when an engine is asked over HTTP
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=100)
        wait = httpx.Timeout(self._timeout, connect=min(self._timeout, _CONNECT_TIMEOUT), pool=None)
        try:
            return httpx.Client(timeout=wait, limits=limits, follow_redirects=False)
        except (OSError, ValueError, ImportError, httpx.InvalidURL):  # its message may show a proxy's password
            message = "the proxy or the certificates that the environment names cannot be used"
            expected = "HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE and SSL_CERT_DIR that can be used, or none"
            raise InputError(Fault(message, expected=expected)) from None

    def _secrets(self) -> dict[str, str]:
        return from_environment(self._mapping.secrets(), self._mapping.source)

    def _check_headers(self) -> None:
        for name, value in fill(self._mapping.headers, {**self._mapping.settings, **self._secrets()}).items():
            if not (name + spelled(value)).isascii() or not (name + spelled(value)).isprintable():
                message = f"the header {name!r} holds what no header can hold"
                raise InputError(Fault(message, self._mapping.source, expected="printable ASCII"))

    def _request(self, text: str, k: int) -> httpx.Request:
        values = {**self._mapping.settings, **self._secrets(), "query": text, "k": k}
        if self._embedding is not None:
            values["vector"] = self._embedding.of(text)
        headers = {name: spelled(value) for name, value in fill(self._mapping.headers, values).items()}
        headers = {**_HEADERS, **headers}
        content = None
        if self._mapping.body is not None:
            content = json.dumps(fill(self._mapping.body, values)).encode()
            headers = {"Content-Type": "application/json", **headers}
        params = {name: spelled(value) for name, value in fill(self._mapping.params, values).items()}
        return self._client.build_request(
            self._mapping.method, self._address, params=params or None, headers=headers, content=content
        )

    @contextmanager
    def _hiding(self) -> Iterator[None]:
        """Name the address in what goes wrong, and hide the secrets in it."""
        try:
            yield
        except EngineError as error:
            fault, hidden = error.fault, self._hidden
            doc_id = fault.doc_id and hidden(fault.doc_id)
            clean = replace(fault, file=hidden(self._address), message=hidden(fault.message), doc_id=doc_id)
            raise EngineError(clean, transient=error.transient, wait=error.wait) from None

    def _sent(self, text: str, k: int) -> _Answer:
        import httpx  # noqa: PLC0415 - loaded by then

        deadline = time.monotonic() + self._timeout
        try:
            return self._followed(self._request(text, k), deadline)
        except httpx.TimeoutException:
            raise self._late() from None
        except (httpx.InvalidURL, httpx.LocalProtocolError, UnicodeError) as error:  # such as parameters of 64 KiB
            raise EngineError(Fault(f"this cannot be asked: {error}")) from None
        except httpx.TransportError as error:
            refused = isinstance(_cause(error), ssl.SSLCertVerificationError)
            why = str(error).partition(" in location header")[0]  # what follows is a piece of an address
            raise EngineError(
                Fault(f"no whole answer came: {why or type(error).__name__}"), transient=not refused
            ) from None
        except httpx.DecodingError as error:
            raise EngineError(Fault(f"the answer cannot be unpacked: {error}")) from None

    def _followed(self, request: httpx.Request, deadline: float) -> _Answer:
        """Send a request, and again where the same host says that it has moved."""
        for _ in range(_MOST_REDIRECTS):
            response = self._client.send(request, stream=True)
            try:
                following = response.next_request
                if following is None:
                    content = self._read(response.iter_bytes(), deadline)
                    return _Answer(response.status_code, response.headers, content)
            finally:
                response.close()
            if _origin(following) != _origin(request) or following.method != request.method:
                message = f"answers {response.status_code}: redirected to {following.method} {following.url}"
                hint = "is that the engine's URL?"
                raise EngineError(Fault(message, expected="an answer, or a redirect within the host", hint=hint))
            request = following
        raise EngineError(Fault(f"answers with {_MOST_REDIRECTS} redirects in a row", expected="an answer"))

    def _read(self, chunks: Iterator[bytes], deadline: float) -> bytes:
        content = bytearray()
        for chunk in chunks:
            content += chunk
            if len(content) > LARGEST_ANSWER:
                message = f"the answer is longer than {LARGEST_ANSWER >> 20} MiB"
                raise EngineError(Fault(message, hint="ask for ids and scores only, not for whole documents"))
            if time.monotonic() > deadline:
                raise self._late()
        return bytes(content)

    def _late(self) -> EngineError:
        return EngineError(Fault(f"no whole answer came within {self._timeout:g} s"), transient=True)

    def _check_status(self, answer: _Answer) -> None:
        if answer.status == 200:
            return
        message = f"answers {answer.status}: {self._begin(answer)}"
        fault = Fault(message, expected="200", hint=_HINTS.get(answer.status))
        if answer.status == 401:  # no other query would fare better
            raise InputError(replace(fault, file=self._hidden(self._address)))
        transient = answer.status in _TRANSIENT
        raise EngineError(fault, transient=transient, wait=_retry_after(answer.headers.get("retry-after")))

    def _begin(self, answer: _Answer) -> str:
        """Return how an answer begins, on one line; secrets that it echoes are hidden before it is cut."""
        begin = answer.content[: 64 * _SHOWN]
        line = " ".join(begin.decode("utf-8", "replace").split())
        return repr(self._hidden.shown(line, _SHOWN, is_cut=len(begin) < len(answer.content)))


def _origin(request: httpx.Request) -> tuple[str, str, int | None]:
    return request.url.scheme, request.url.host, request.url.port


def _cause(error: BaseException) -> BaseException:
    """Return the first of the errors that led to this one."""
    while (before := error.__cause__ or error.__context__) is not None:
        error = before
    return error


def _retry_after(given: str | None) -> float | None:
    """Return the seconds of a Retry-After header, a number or a date (RFC 9110, 10.2.3); None where it has none."""
    if given is None:
        return None
    if given.strip().isascii() and given.strip().isdigit():
        return float(given)
    try:
        moment = parsedate_to_datetime(given)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return max((moment - datetime.now(UTC)).total_seconds(), 0.0)
    except (ValueError, OverflowError):  # such as a time zone of more hours than a date can hold
        return None
