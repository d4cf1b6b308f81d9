"""Where do secrets come from, and how do they stay out of all that is written?"""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Iterable
from urllib.parse import quote, quote_plus, urlsplit

from rankproof.errors import Fault, InputError

HIDDEN = "***"
"""What stands in a message where a secret was."""

_NAMES_A_SECRET = re.compile(
    r"\bauth\b|authori[sz]|authenti|cookie|password|passwd|secret|credential|token$|^key$|api[-_]?key"
    r"|(access|function|subscription)[-_]?key|^x-.*-key$",
    re.IGNORECASE,
)
_FROM_ENVIRONMENT = re.compile(r"(?:[\w-]+[ =])?\$\{[A-Za-z_]\w*\}")
_USER_IN_URL = re.compile(r"//[^/@\s]+@")


def is_literal_secret(name: str, template: object) -> bool:
    """Return whether a header or parameter is one for secrets, and its template is more than `Word ${NAME}`."""
    return bool(_NAMES_A_SECRET.search(name)) and not _FROM_ENVIRONMENT.fullmatch(str(template))


def from_environment(names: Iterable[str], source: str) -> dict[str, str]:
    """Return the environment's value for each $NAME. InputError where it has none, or one that no header can hold."""
    found = {}
    for name in names:
        value = os.environ.get(name.removeprefix("$"), "")
        if not value:
            hint = f"export {name[1:]}=…"
            raise InputError(Fault(f"the environment variable {name[1:]} is not set", source, hint=hint))
        if not (value.isascii() and value.isprintable()):
            message = (
                f"the environment variable {name[1:]} holds a line break or another character that is no plain one"
            )
            raise InputError(Fault(message, source, expected="printable ASCII"))
        found[name] = value
    return found


def checked_address(url: str) -> str:
    """Return an engine's address, without a slash at its end. InputError, which shows no secret, for what is none."""
    try:
        parts = urlsplit(url)
        host, user = parts.hostname, parts.username or parts.password
        _ = parts.port  # raises where it is none
    except ValueError as error:
        raise InputError(Fault(f"the engine's URL cannot be read: {error}", expected="http://HOST:PORT/PATH")) from None
    if user is not None:
        hint = 'name it in the mapping instead, from the environment: Authorization = "Basic ${NAME}"'
        raise InputError(Fault("the engine's URL holds a user or a password", expected="none", hint=hint))
    if not host:
        raise InputError(Fault(f"the engine's URL {url!r} names no host", expected="http://HOST:PORT/PATH"))
    if parts.query or parts.fragment:
        hint = "parameters belong into the mapping, under [params]"
        raise InputError(Fault("the engine's URL holds parameters", expected="an address without ? and #", hint=hint))
    return url.rstrip("/")


class Redaction(logging.Filter):
    """Replaces secrets in texts, in whichever way they are spelled there; as a filter, in log messages."""

    def __init__(self, secrets: Iterable[str]) -> None:
        """Hide these."""
        super().__init__()
        spellings = {spelling for secret in secrets for spelling in _spellings(secret)}
        self._spellings = sorted(spellings, key=lambda spelling: (-len(spelling), spelling))

    def __call__(self, text: str) -> str:
        """Return a text without the secrets, and without the user of any URL."""
        for spelling in self._spellings:
            text = text.replace(spelling, HIDDEN)
        return _USER_IN_URL.sub(f"//{HIDDEN}@", text)

    def filter(self, record: logging.LogRecord) -> bool:
        """Hide the secrets in a log message, which passes."""
        record.msg, record.args = self(record.getMessage()), ()
        return True


def _spellings(secret: str) -> set[str]:
    return {secret, quote(secret, safe=""), quote(secret), quote_plus(secret), json.dumps(secret)[1:-1]}
