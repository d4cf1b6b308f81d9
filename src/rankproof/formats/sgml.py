"""Which documents and topics does a text with TREC's tags hold?"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator

from rankproof.errors import Fault, Faults

_ATTRIBUTE = r"""\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s<>"']+)"""
_TAG = re.compile(rf"<(/?)([A-Za-z][A-Za-z0-9_.-]*)(?:{_ATTRIBUTE})*\s*/?>")
_ENDS = {"<!--": "-->", "<![CDATA[": "]]>"}
_MARK = re.compile("|".join(map(re.escape, _ENDS)))
_RECORD = re.compile(r"<(/?)(?:doc|top)\s*>", re.IGNORECASE)
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
    text = _without_marks(content, name, faults)
    record: str | None = None
    fields: dict[str, list[str]] = {}
    field, depth = None, 0
    line, counted_to, behind = 1, 0, 0
    for tag in _TAG.finditer(text):
        if field is not None:
            fields.setdefault(field, []).append(text[behind : tag.start()])
        behind, closes, kind = tag.end(), bool(tag[1]), tag[2].lower()
        if record is None and kind in _RECORDS and not closes:
            line += text.count("\n", counted_to, tag.start())
            record, field, fields, counted_to = kind, None, {}, tag.start()
        elif record is None and kind in _RECORDS:
            line += text.count("\n", counted_to, tag.start())
            faults.add(Fault(f"</{kind}> ends what did not begin", name, line, expected=f"<{kind}>"))
            return
        elif kind == record:
            if not closes:
                faults.add(Fault(f"<{kind}> begins inside <{record}>", name, line, expected=f"</{record}>"))
                return
            labels = _LABELS if kind == "top" else {}
            yield line, {one: _plain(parts, labels.get(one)) for one, parts in fields.items()}
            record = field = None
        elif record is not None and not closes and (field is None or (record == "top" and kind in _TOPIC_FIELDS)):
            field, depth = kind, 1
        elif kind == field:
            depth += -1 if closes else 1
            field = field if depth else None
    if record is not None:
        faults.add(Fault(f"<{record}> has no end", name, line, expected=f"</{record}>"))


def _without_marks(content: str, name: str, faults: Faults) -> str:
    """Return marked text as text, and of a comment its line ends alone; a fault for what has no end of its own."""
    parts, at = [], 0
    while begin := _MARK.search(content, at):
        end = content.find(_ENDS[begin[0]], begin.end())
        inside = content[begin.end() : max(end, begin.end())]
        marks = _RECORD.findall(inside)
        if end < 0 or marks != ["", "/"] * (len(marks) // 2):  # records are left out whole, or it has no end here
            line = content.count("\n", 0, begin.start()) + 1
            faults.add(Fault(f"{begin[0]} has no end before another record", name, line, expected=_ENDS[begin[0]]))
            return ""
        kept = "\n" * inside.count("\n") if begin[0] == "<!--" else html.escape(inside, quote=False)
        parts += [content[at : begin.start()], kept]
        at = end + len("-->")
    return "".join([*parts, content[at:]])


def _plain(parts: Iterable[str], label: str | None) -> str:
    text = " ".join(html.unescape(" ".join(parts)).split())
    return text if label is None else re.sub(rf"^{label}\s*:\s*", "", text, flags=re.IGNORECASE)
