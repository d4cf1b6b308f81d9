"""What do queries and documents say? Files of texts by id, in any layout of `records`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rankproof.errors import Fault, Faults, InputError, nearest, seen
from rankproof.formats.files import Source
from rankproof.formats.records import EXPECTED, TEXTS, TITLES, Record, Side, id_of, read_records


class Text(NamedTuple):
    """What a query or a document says; the title is empty where there is none."""

    title: str
    text: str

    def __str__(self) -> str:
        """Return title and text on one line."""
        return " ".join(f"{self.title} {self.text}".split())


def read_texts(
    path: str | Path | Source,
    of: Side,
    wanted: Collection[str] | None = None,
    fields: Sequence[str] | None = None,
) -> dict[str, Text]:
    """Return the texts of a file `of` queries or documents, by id.

    The title is the field `title` (or `headline`) if there is one, the text `text` (`contents`, `content`, `body`,
    `query`; of a TREC topic its title). `fields` names others: their texts, joined by a blank, are the text. With
    `wanted` only these ids are kept, so that a large corpus is not held. InputError lists the file's faults, each with
    its line; an id that comes twice is one (of those that are kept), and so is a field that no record has.
    """
    source = path if isinstance(path, Source) else Source(path)
    kept = None if wanted is None else frozenset(wanted)
    faults, found, lines = Faults(), dict[str, Text](), dict[str, int | None]()
    known: dict[str, None] = {}
    empty = True
    for record in read_records(source, faults):
        empty = False
        known.update(dict.fromkeys(record.fields))
        try:
            one, text = id_of(record, source.name, of), _text_of(record, source.name, fields)
        except InputError as error:
            faults.add(error.faults[0])
            continue
        if one in found:
            first = "" if lines[one] is None else f" (first on line {lines[one]})"
            message = f"id {seen(one)} comes twice{first}"
            faults.add(Fault(message, source.name, record.line, expected="each id once"))
        elif kept is None or one in kept:
            found[one], lines[one] = text, record.line
    for name in fields or () if not empty else ():
        if name not in known:
            hint = f"did you mean {nearest(name, known, 1)}?"
            faults.add(Fault(f"has no field {name}", source.name, expected=f"one of {', '.join(known)}", hint=hint))
    if empty and not faults:
        faults.add(Fault("holds no texts", source.name, expected=EXPECTED))
    faults.raise_any()
    return found


def _text_of(record: Record, name: str, fields: Sequence[str] | None) -> Text:
    if fields is not None:
        return Text("", " ".join(filter(None, (_field(record, name, field) for field in fields))))
    title = next((_field(record, name, field) for field in TITLES if field in record.fields), "")
    for field in TEXTS:
        if field in record.fields:
            if record.fields[field] is None:
                raise InputError(Fault("text None", name, record.line, column=field, expected="a text"))
            return Text(title, _field(record, name, field))
    if "num" in record.fields and title:
        return Text("", title)  # a TREC topic asks by its title
    raise InputError(Fault("text None", name, record.line, column="text", expected=f"one of {', '.join(TEXTS)}"))


def _field(record: Record, name: str, field: str) -> str:
    """Return one field as text, empty where the record has none; a list of texts is joined."""
    value = record.fields.get(field)
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return " ".join(value)
    if value is None or isinstance(value, str):
        return value or ""
    message = f"{'title' if field in TITLES else field} {seen(value)}"
    raise InputError(Fault(message, name, record.line, column=field, expected="a text"))


def as_texts(
    given: Any, of: Side, wanted: Collection[str] | None = None, fields: Sequence[str] | None = None
) -> Mapping[str, Text]:
    """Return the texts of a path, or of a mapping id to `Text` or str, only those `wanted` where that is given.

    InputError for anything else.
    """
    if isinstance(given, (str, Path, Source)):
        return read_texts(given, of, wanted, fields)
    if not isinstance(given, Mapping):
        raise InputError(Fault(f"{seen(given)} holds no texts", expected="a file, or a mapping of id to text"))
    return {
        one: text if isinstance(text := given[one], Text) else Text("", str(text))
        for one in (given if wanted is None else wanted)
        if one in given
    }
