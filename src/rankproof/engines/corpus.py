"""What gets into an index that rankproof builds, and is it still the same?"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from rankproof.errors import Fault, Faults, InputError, seen
from rankproof.retrieve.text import Analyzer

_NOT_STORABLE = re.compile("[\0\ud800-\udfff]")

Documents: TypeAlias = "Mapping[Any, Any] | Callable[[], Mapping[Any, Any]]"
"""Texts (vectors, where an engine takes them) by document id, or what returns them when asked."""


def documents_of(given: Documents, kind: type[Any] = str) -> Mapping[str, Any]:
    """Return the documents, checked. InputError for none, for an id that no database can hold, for no text."""
    documents = given() if callable(given) else given
    if not documents:
        raise InputError(Fault("there are no documents to search", expected="{doc_id: text}"))
    faults = Faults()
    for doc, content in documents.items():
        if not isinstance(doc, str) or storable(doc) != doc:
            faults.add(Fault(f"the document id {seen(doc)} cannot be stored", expected="UTF-8 text without zero bytes"))
        elif not isinstance(content, kind):
            faults.add(Fault(f"{seen(content)} is no text", doc_id=doc, expected="{doc_id: text}"))
    faults.raise_any()
    return documents


def storable(text: str) -> str:
    """Return a text with a blank for each zero byte and lone surrogate, which databases refuse or stop at.

    Neither is part of any token, so nothing else is found for it.
    """
    return _NOT_STORABLE.sub(" ", text)


A_FUNCTION = "a function"
"""How an index remembers an analyzer that has no name."""


def analyzer_name(given: str | Analyzer | None) -> str:
    """Return how an index remembers its analyzer; empty for none."""
    return given if isinstance(given, str) else "" if given is None else A_FUNCTION


def sha256_of(rows: Iterable[Sequence[object]], *about: str) -> str:
    """Return the hash of what is indexed, and of what decides how."""
    found = hashlib.sha256(json.dumps(about).encode())
    for row in rows:
        found.update(json.dumps(list(row)).encode())
    return found.hexdigest()
