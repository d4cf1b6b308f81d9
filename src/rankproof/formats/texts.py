"""What do queries and documents say? Files of texts by id, in any layout of `records`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rankproof.errors import Fault, Faults, InputError, nearest, seen
from rankproof.formats.cells import is_text
from rankproof.formats.files import Source
from rankproof.formats.records import TEXTS, TITLES, Record, Side, id_of, read_records


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
    return {one: text for _, one, text in texts_in(source, of, fields, wanted=wanted)}


def texts_in(
    source: Source,
    of: Side,
    fields: Sequence[str] | None = None,
    faults: Faults | None = None,
    *,
    wanted: Collection[str] | None = None,
) -> Iterator[tuple[int | None, str, Text]]:
    """Yield the line, the id and the text of each query or document, one by one, as `read_texts` reads them.

    What is wrong is added to `faults`, for the caller to raise; without `faults` it is raised as InputError after the
    last text. Of a large corpus the ids are held (the `wanted` ones, if these are given), the texts are not.
    """
    found = Faults() if faults is None else faults
    kept = None if wanted is None else frozenset(wanted)
    known: dict[str, None] = {}
    for one, record in with_ids(read_records(source, found), source.name, of, found, kept):
        known.update(dict.fromkeys(record.fields if fields else ()))
        try:
            text = text_of(record, source.name, fields)
        except InputError as error:
            found.add(error.faults[0])
            continue
        if kept is None or one in kept:
            yield record.line, one, text
    for name in fields or () if known else ():
        if name not in known:
            hint = f"did you mean {nearest(name, known, 1)}?"
            found.add(Fault(f"has no field {name}", source.name, expected=f"one of {', '.join(known)}", hint=hint))
    if faults is None:
        found.raise_any()


def with_ids(
    records: Iterable[Record], name: str, of: Side, faults: Faults, wanted: Collection[str] | None = None
) -> Iterator[tuple[str, Record]]:
    """Yield records with their ids; one without an id, or with that of an earlier one, is added to `faults` instead.

    With `wanted` only these ids are held and told apart.
    """
    lines: dict[str, int | None] = {}
    for record in records:
        try:
            one = id_of(record, name, of)
        except InputError as error:
            faults.add(error.faults[0])
            continue
        if one in lines:
            first = "" if lines[one] is None else f" (first on line {lines[one]})"
            faults.add(Fault(f"id {seen(one)} comes twice{first}", name, record.line, expected="each id once"))
            continue
        if wanted is None or one in wanted:
            lines[one] = record.line
        yield one, record


def text_of(record: Record, name: str, fields: Sequence[str] | None = None) -> Text:
    """Return what a record says, as `read_texts` reads it. InputError, naming the file `name`, without a text."""
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
    if value is None:
        return ""
    text = " ".join(value) if isinstance(value, list) and all(isinstance(one, str) for one in value) else value
    if is_text(text):
        return str(text)
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
