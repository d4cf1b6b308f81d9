"""Where does a text hold a secret, however it is spelled there?"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html.entities import html5
from typing import NamedTuple

HIDDEN = "***"
"""What stands in a message where a secret was."""

_ESCAPE = re.compile(
    r"(?P<bytes>%[0-7][0-9a-f]|(?:%[89a-f][0-9a-f])+)"
    r"|\\+(?:u\{?(?P<unit>[0-9a-f]{4})\}?|x(?P<byte>[0-9a-f]{2})|(?P<blank>[bfnrtv]))"
    r"|&\#(?:x0*(?P<hex>[0-9a-f]{1,6})|0*(?P<decimal>[0-9]{1,7}));?|&(?P<name>[a-z]+);|<br\s*/?>",
    re.IGNORECASE,
)
"""One escaped character: of an address, of JSON or source code, of HTML."""

_ENTITIES: Mapping[str, str] = {name.rstrip(";"): char for name, char in html5.items() if char.isascii()}
_DROPPED = re.compile(r"[\s\\+\x00-\x1f\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]+")
"""What may stand between the characters of a secret, or be lost: white space, also spelled +, and backslashes."""
_CUT_ESCAPE = re.compile(r"(?:%[0-9a-f]?|\\+(?:u\{?[0-9a-f]{0,3}|x[0-9a-f]?)?|&#?\w{0,8})\Z", re.IGNORECASE)
_USER_IN_URL = re.compile(r"//[^/@\s]+@")

_DEEPEST = 4
"""So many times a text may have been escaped: JSON in HTML in an address is three."""
_LONG = 12
"""Characters of a secret of which a half tells too much."""
_TELLING = 6
"""Characters of a secret that is no part of an id by chance."""
_MARGIN = 64
"""So many times what is shown is looked through: what is hidden, or stands behind blanks, may be long."""
_BETWEEN = "\uffff"  # no character, in no id


class Redaction(logging.Filter):
    """Replaces secrets in texts, in whichever way they are spelled there; as a filter, in log messages.

    Found are other letter case, escapes of JSON, of addresses and of HTML, also in one another, white space within, and
    the first or last half of a long secret.
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        """Hide these."""
        super().__init__()
        given = list(secrets)
        self._secrets = sorted({plain for secret in given for plain in _plain_forms(secret) if plain}, key=len)[::-1]
        self._as_given = [secret for secret in given if secret and not _plain(secret)]

    def __call__(self, text: str, *, is_cut: bool = False) -> str:
        """Return a text without the secrets, and without the user of any URL.

        Where the text `is_cut`, what begins like a secret at its end is hidden too.
        """
        for secret in self._as_given:
            text = text.replace(secret, HIDDEN)
        text = _CUT_ESCAPE.sub("", text) if is_cut else text
        spans = [span for form in _forms(_as_it_is(text)) for span in self._spans(form, is_cut=is_cut)]
        return _USER_IN_URL.sub(f"//{HIDDEN}@", _replaced(text, spans))

    def shown(self, text: str, most: int, *, is_cut: bool = False) -> str:
        """Return how a text begins, at most `most` characters of it, hidden before it is cut."""
        begin = text[: _MARGIN * most]
        is_cut = is_cut or len(begin) < len(text)
        found = self(begin, is_cut=is_cut)
        return f"{found[:most]}…" if is_cut or len(found) > most else found

    def in_any(self, ids: Sequence[str]) -> bool:
        """Return whether one of some ids holds a secret; a short one, which may be there by chance, is the whole id."""
        for plain in _plain_forms(_BETWEEN.join(["", *ids, ""])):
            for secret in self._secrets:
                if (secret if len(secret) >= _TELLING else f"{_BETWEEN}{secret}{_BETWEEN}") in plain:
                    return True
        return False

    def filter(self, record: logging.LogRecord) -> bool:
        """Hide the secrets in a log message, which passes."""
        record.msg, record.args = self(record.getMessage()), ()
        return True

    def _spans(self, form: _Form, *, is_cut: bool) -> Iterator[tuple[int, int]]:
        """Yield where secrets stand in the text that a form was made of."""
        plain = form.plain()
        for secret in self._secrets:
            for start, end in _found(secret, plain.text):
                yield plain.places[start][0], plain.places[end - 1][1]
            if is_cut and (length := _begun(secret, plain.text)):
                yield plain.places[-length][0], plain.places[-1][1]


class _Form(NamedTuple):
    """A text made of another one, and where each of its characters stood there."""

    text: str
    places: Sequence[tuple[int, int]]

    def decoded(self) -> _Form:
        """Return it with its escapes replaced by what they stand for."""
        parts, places, at = [], [], 0
        for match in _ESCAPE.finditer(self.text):
            meant = _meant(match)
            parts += [self.text[at : match.start()], meant]
            where = self.places[match.start()][0], self.places[match.end() - 1][1]
            places += [*self.places[at : match.start()], *[where] * len(meant)]
            at = match.end()
        return _Form("".join([*parts, self.text[at:]]), [*places, *self.places[at:]])

    def plain(self) -> _Form:
        """Return it in small letters, without what may stand between them; a backslash belongs to what follows it."""
        parts, places, escape = [], [], None
        for char, (start, end) in zip(self.text, self.places, strict=True):
            if _DROPPED.match(char):
                escape = (start if escape is None else escape) if char == "\\" else None
                continue
            parts.append(small := char.casefold())
            places += [(start if escape is None else escape, end)] * len(small)
            escape = None
        return _Form("".join(parts), places)


def _as_it_is(text: str) -> _Form:
    return _Form(text, [(at, at + 1) for at in range(len(text))])


def _forms(form: _Form) -> Iterator[_Form]:
    """Yield a text as it is, and after each time that its escapes are decoded."""
    yield form
    for _ in range(_DEEPEST):
        following = form.decoded()
        if following.text == form.text:
            return
        form = following
        yield form


def _plain(text: str) -> str:
    return _DROPPED.sub("", text).casefold()


def _plain_forms(text: str) -> Iterator[str]:
    """Yield what `_forms` yields, plain, without the places: quick, for many ids."""
    yield _plain(text)
    for _ in range(_DEEPEST):
        following = _ESCAPE.sub(_meant, text)
        if following == text:
            return
        text = following
        yield _plain(text)


def _meant(escape: re.Match[str]) -> str:
    """Return what an escape stands for; a blank for a line break, and for what stands for nothing."""
    if escape["bytes"]:
        return bytes.fromhex(escape["bytes"].replace("%", "")).decode("utf-8", "replace")
    for base, digits in ((16, escape["unit"] or escape["byte"] or escape["hex"]), (10, escape["decimal"])):
        if digits:
            number = int(digits, base)
            return chr(number) if number < 0x110000 else " "
    name = escape["name"]
    return (_ENTITIES.get(name) or _ENTITIES.get(name.lower()) or escape[0]) if name else " "


def _found(secret: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield where a secret stands, or the half of a long one and what follows or precedes it."""
    half = len(secret) // 2 if len(secret) >= _LONG else len(secret)
    for start in _all(secret[:half], text):
        yield start, start + _alike(secret, text[start : start + len(secret)])
    if half < len(secret):
        for start in _all(secret[-half:], text):
            end = start + half
            yield end - _alike(secret[::-1], text[max(end - len(secret), 0) : end][::-1]), end


def _all(part: str, text: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def _alike(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _begun(secret: str, text: str) -> int:
    """Return how many characters at a text's end are the beginning of a secret."""
    return next((length for length in range(min(len(secret), len(text)), 0, -1) if text.endswith(secret[:length])), 0)


def _replaced(text: str, spans: Sequence[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in sorted(spans):
        if start >= at:
            parts += [text[at:start], HIDDEN]
        at = max(at, end)
    return "".join([*parts, text[at:]])
