"""Which PostgreSQL server does a URL name, and how does it fail?"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rankproof.engines.engine import EngineError, needed
from rankproof.engines.redaction import Redaction
from rankproof.errors import Fault, InputError

if TYPE_CHECKING:
    from psycopg import Connection, Error

_EXPECTED = "postgresql://USER@HOST:PORT/DATABASE"
_SECRETS = ("password", "sslpassword")
_FROM_ENVIRONMENT = re.compile(r"\$\{([A-Za-z_]\w*)\}")
_AT_TOO_LATE = re.compile(r"[a-z]+://[^/?@]*/[^?]*@", re.IGNORECASE)
"""A password that holds a slash: what stands before it would be read as host and port, and shown."""

_TRANSIENT = ("08", "40", "53", "57P")
"""How the codes of errors begin that pass: connection, rollback, resources, shutdown (its manual, appendix A)."""

_DEFAULTS = {"connect_timeout": "10", "application_name": "rankproof", "client_encoding": "utf8"}


@dataclass(frozen=True, slots=True)
class Server:
    """A server and database, and how messages name it: without secrets."""

    parameters: Mapping[str, str] = field(repr=False)  # the password among them
    shown: str
    hidden: Redaction

    def connect(self) -> Connection[Any]:
        """Return a connection without a transaction open. psycopg.Error where there is none."""
        import psycopg  # noqa: PLC0415 - an extra, loaded only for this engine

        # Raw: with the usual placeholders a percent sign in a name, quoted or not, would be read as one.
        return psycopg.connect(autocommit=True, cursor_factory=psycopg.RawCursor, **dict(self.parameters))  # type: ignore[arg-type]  # checked by libpq

    def fault(self, error: Error, what: str, hint: str | None = None) -> Fault:
        """Return what went wrong, in the server's words."""
        said = self.hidden(" ".join((error.diag.message_primary or str(error)).split()))
        return Fault(f"{what}: {said}", self.shown, hint=hint)

    def failed(self, error: Error) -> EngineError:
        """Return the error of a query."""
        return EngineError(self.fault(error, "PostgreSQL failed"), transient=_is_transient(error))


def _is_transient(error: Error) -> bool:
    from psycopg import OperationalError  # noqa: PLC0415 - the same

    if error.sqlstate is None:  # found by the client: the connection is lost, or there is none
        return isinstance(error, OperationalError)
    return error.sqlstate.startswith(_TRANSIENT)


def server_of(url: str) -> Server:
    """Return the server that a URL names. InputError where it is none, or holds a password."""
    with needed("psycopg", "PostgreSQL"):
        from psycopg import ProgrammingError  # noqa: PLC0415 - the same
        from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415 - the same
    hint = "write ${VARIABLE} in its place, or leave it to PGPASSWORD or a service file"
    if _AT_TOO_LATE.match(url):
        raise InputError(Fault("the URL of PostgreSQL holds an @ behind a /", expected=_EXPECTED, hint=hint))
    try:
        parts = {name: str(value) for name, value in conninfo_to_dict(url).items() if value not in (None, "")}
    except ProgrammingError:  # libpq's message may quote the password
        raise InputError(Fault("the URL of PostgreSQL cannot be read", expected=_EXPECTED)) from None
    if not re.fullmatch("[0-9,]*", parts.get("port", "")):  # a password without a host would be one
        raise InputError(Fault("the URL of PostgreSQL cannot be read", expected=_EXPECTED))
    secrets = {}
    for name in _SECRETS:
        if name not in parts:
            continue
        place = _FROM_ENVIRONMENT.fullmatch(parts[name])
        if place is None:
            raise InputError(Fault(f"the URL of PostgreSQL holds a {name}", expected="none", hint=hint))
        if not (value := os.environ.get(place[1], "")):
            raise InputError(Fault(f"the environment variable {place[1]} is not set", hint=f"export {place[1]}=…"))
        secrets[name] = value
    hidden = [*secrets.values(), os.environ.get("PGPASSWORD", "")]
    shown = {name: value for name, value in parts.items() if name not in _SECRETS}
    return Server({**_DEFAULTS, **parts, **secrets}, _spelled(shown), Redaction(filter(None, hidden)))


def _spelled(parts: Mapping[str, str]) -> str:
    """Return a URL as messages show it."""
    user = f"{parts['user']}@" if "user" in parts else ""
    port = f":{parts['port']}" if "port" in parts else ""
    service = f"?service={parts['service']}" if "service" in parts else ""
    return f"postgresql://{user}{parts.get('host', '')}{port}/{parts.get('dbname', '')}{service}"
