"""Where do secrets come from, and how do they stay out of all that is written?"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from rankproof.engines.redaction import HIDDEN
from rankproof.errors import Fault, InputError

_NAMES_A_SECRET = re.compile(
    r"authori[sz]|authenti|cookie|passw|passphrase|secret|credential|signature|api[-_]?key|token$", re.IGNORECASE
)
_SECRET_WORDS = frozenset(
    ("auth", "bearer", "creds", "hmac", "jwt", "pass", "pw", "pwd", "sas", "session", "sid", "sig")
)
"""A name that holds one of them as a word names a secret."""
_OTHER_KEYS = frozenset(
    ("cache", "facet", "foreign", "group", "idempotency", "index", "order", "partition", "primary", "routing", "sort")
)
"""Words before `key` that make it none that opens anything."""
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_AUTHORIZING = frozenset(
    ("authorization", "authorisation", "authentication", "password", "passwd", "secret", "credential", "credentials")
)
_FROM_ENVIRONMENT = re.compile(r"(?:[\w-]+[ =])?\$\{[A-Za-z_]\w*\}")


def names_secret(name: str) -> bool:
    """Return whether a header, a parameter or a setting of this name is likely to hold a secret."""
    words = _words(name)
    if _NAMES_A_SECRET.search(name) or _SECRET_WORDS.intersection(words):
        return True
    is_key = bool(words) and words[-1].endswith("key")
    return is_key and words[-1].removesuffix("key") not in _OTHER_KEYS and not _OTHER_KEYS.intersection(words[-2:-1])


def is_from_environment(template: object) -> bool:
    """Return whether a template is `${NAME}`, or `Word ${NAME}`: it holds no secret itself."""
    return bool(_FROM_ENVIRONMENT.fullmatch(str(template)))


def is_literal_secret(name: str, template: object) -> bool:
    """Return whether a header or parameter is one for secrets, and its template is more than `Word ${NAME}`."""
    return names_secret(name) and not is_from_environment(template)


def authorizes(name: str) -> bool:
    """Return whether a member of a body is for a secret: other names, such as `key`, are a search's own there."""
    words = _words(name)
    return bool(_AUTHORIZING.intersection(words)) or "apikey" in (*words, "".join(words[-2:]))


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(name)]


def hashed(value: object) -> str:
    """Return what a journal keeps of a value that may be a secret: whether it is still the same."""
    return f"sha256:{hashlib.sha256(str(value).encode()).hexdigest()[:16]}"


def without_user(url: str) -> str:
    """Return a text that should be a URL as messages show it: without what stands before an @, a password perhaps."""
    before, at, rest = url.rpartition("@")
    return f"{HIDDEN}@{rest}" if at and before else url


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
    if "@" in url:  # a password that holds a slash hides the @ from whoever parts the URL
        hint = (
            'name it in the mapping instead, from the environment: Authorization = "Basic ${NAME}"; a path spells @ %40'
        )
        raise InputError(Fault("the engine's URL holds a user or a password", expected="none", hint=hint))
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port  # raises where the port is none
    except ValueError:  # its message shows a piece of the URL
        raise InputError(Fault("the engine's URL cannot be read", expected="http://HOST:PORT/PATH")) from None
    if not host:
        raise InputError(Fault(f"the engine's URL {url!r} names no host", expected="http://HOST:PORT/PATH"))
    if parts.query or parts.fragment:
        hint = "parameters belong into the mapping, under [params]"
        raise InputError(Fault("the engine's URL holds parameters", expected="an address without ? and #", hint=hint))
    return url.rstrip("/")
