"""Which documents and topics does a text with TREC's tags hold?"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator

from rankproof.errors import Fault, Faults

_ATTRIBUTE = r"""\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s<>"']+)"""
_TAG = re.compile(rf"<(/?)([A-Za-z][A-Za-z0-9_.-]*)(?:{_ATTRIBUTE})*\s*/?>")
_NOT_TEXT = re.compile(r"<!--.*?-->|<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_RECORDS = ("doc", "top")
_LABELS = {"num": "number", "title": "topic", "desc": "description", "narr": "narrative"}
"""What stands before the text in a topic's field."""
_TOPIC_FIELDS = frozenset(
    {"num", "title", "desc", "narr", "head", "question", "query", "description", "narrative", "smry", "con", "fac"}
)
"""Tags that begin another field of a topic though the last has no end."""


def elements_of(content: str, name: str, faults: Faults) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the <DOC> (or <top>) elements of a file: the line each begins on, and its fields.

    Fields are the tags inside, in lower case, their text in one line; what is wrong is added to `faults`. A topic's
    tags need no end: each known one begins the next field. Other tags inside a field are dropped, their text kept; a
    field that comes again is joined to the first. Comments are no text.
    """
    text = _NOT_TEXT.sub(_without_marks, content)
    record: str | None = None
    fields: dict[str, list[str]] = {}
    field, depth = None, 0
    line, counted_to, behind = 1, 0, 0
    for tag in _TAG.finditer(text):
        if field is not None:
            fields.setdefault(field, []).append(text[behind : tag.start()])
        behind, closes, name = tag.end(), bool(tag[1]), tag[2].lower()
        if record is None and name in _RECORDS and not closes:
            line += text.count("\n", counted_to, tag.start())
            record, field, fields, counted_to = name, None, {}, tag.start()
        elif name == record:
            if not closes:
                faults.add(Fault(f"<{name}> begins inside <{record}>", name, line, expected=f"</{record}>"))
                return
            labels = _LABELS if name == "top" else {}
            yield line, {one: _plain(parts, labels.get(one)) for one, parts in fields.items()}
            record = field = None
        elif record is not None and not closes and (field is None or (record == "top" and name in _TOPIC_FIELDS)):
            field, depth = name, 1
        elif name == field:
            depth += -1 if closes else 1
            field = field if depth else None
    if record is not None:
        faults.add(Fault(f"<{record}> has no end", name, line, expected=f"</{record}>"))


def _without_marks(found: re.Match[str]) -> str:
    """Return marked text as text, and of a comment its line ends alone."""
    if found[1] is not None:
        return html.escape(found[1], quote=False)
    return "\n" * found[0].count("\n")


def _plain(parts: Iterable[str], label: str | None) -> str:
    text = " ".join(html.unescape(" ".join(parts)).split())
    return text if label is None else re.sub(rf"^{label}\s*:\s*", "", text, flags=re.IGNORECASE)
