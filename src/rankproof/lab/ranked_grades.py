"""Which ranking did a person write down: grades in ranked order, what was missed, scores?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import isinf
from typing import Any

from rankproof.errors import Fault, Faults, seen
from rankproof.lab.given import text_in
from rankproof.model import Grade, Qrels, Ranking, Run

QUERY = "q"
BESIDE = "beside"
"""Another query, which is answered: a run that answers nothing at all is no run of these judgments."""
MOST = 100
"""As many documents may stand in a ranking, and be missed."""

_PART = re.compile(r"[^\s,;]+")
_NUMBER = re.compile(r"[+-]?(\d{1,9}(\.\d{1,9})?|\.\d{1,9})")
_SCORE = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?|nan", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """One query's judgments and ranking."""

    qrels: Qrels
    run: Run

    def shown(self) -> list[dict[str, Any]]:
        """Return the ranking as it was given: document, grade (None: unjudged), score."""
        ranking = self.run.rankings.get(QUERY, Ranking([]))
        scores = ranking.scores or [0.0] * len(ranking.doc_ids)
        return [
            {"doc_id": doc, "grade": self.qrels[QUERY].get(doc), "score": score if score == score else None}  # noqa: PLR0124 - NaN
            for doc, score in zip(ranking.doc_ids, scores, strict=True)
        ]


def asked_in(arguments: Mapping[str, Any]) -> Asked:
    """Return the ranking that a call is about.

    `grades`: grades in ranked order, parted by blanks or commas; `?` is an unjudged document, `=2` the document of
    place 2 again. Nothing: the run does not answer the query. `missed`: grades of documents that were not retrieved.
    `scores`: one a place; if not given, they fall from place to place. InputError with the column of what is wrong.
    """
    faults = Faults()
    judgments: dict[str, Grade] = {}
    docs = _ranked(text_in(arguments, "grades"), judgments, faults)
    for at, (where, part) in enumerate(_parts(text_in(arguments, "missed"), "missed", faults), 1):
        if _NUMBER.fullmatch(part):
            judgments[f"m{at}"] = _grade(part)
        else:
            faults.add(replace(where, message=f"{seen(part)} is no grade", expected="a number"))
    scores = _scores(text_in(arguments, "scores"), len(docs), faults)
    faults.raise_any()
    if docs:
        return Asked({QUERY: judgments}, Run("ranking", {QUERY: Ranking(docs, scores, range(1, len(docs) + 1))}))
    return Asked({QUERY: judgments, BESIDE: {"d": 1}}, Run("ranking", {BESIDE: Ranking(["d"], [1.0], [1])}))


def _parts(text: str, name: str, faults: Faults) -> Iterator[tuple[Fault, str]]:
    """Yield the place and the text of each part; a fault for too many."""
    found = list(_PART.finditer(text))
    if len(found) > MOST:
        faults.add(Fault(f"holds {len(found)} documents", name, expected=f"{MOST} at most"))
    for one in found[:MOST]:
        begins = text.rfind("\n", 0, one.start()) + 1
        yield Fault("", name, text.count("\n", 0, begins) + 1, column=str(one.start() - begins + 1)), one[0]


def _ranked(text: str, judgments: dict[str, Grade], faults: Faults) -> list[str]:
    """Return the documents of a ranking, and note their grades."""
    parts = list(_parts(text, "grades", faults))
    width = len(str(len(parts)))
    docs: list[str] = []
    for at, (where, part) in enumerate(parts, 1):
        doc = f"d{at:0{width}}"
        if _NUMBER.fullmatch(part):
            judgments[doc] = _grade(part)
        elif part.startswith("="):
            place = int(part[1:]) if part[1:].isascii() and part[1:].isdigit() and len(part) < 5 else 0
            if not 1 <= place < at:
                expected = f"a place above, from 1 to {at - 1}" if at > 1 else "a grade at the first place"
                faults.add(replace(where, message=f"{seen(part)} repeats no place above", expected=expected))
            else:
                doc = docs[place - 1]
        elif part != "?":
            expected = "a number, ? for unjudged, =2 for the document of place 2 again"
            faults.add(replace(where, message=f"{seen(part)} is no grade", expected=expected))
        docs.append(doc)
    return docs


def _grade(part: str) -> Grade:
    value = float(part)
    return int(value) if value.is_integer() else value


def _scores(text: str, count: int, faults: Faults) -> list[float]:
    """Return a score a place; where none are given they fall by 1."""
    parts = list(_parts(text, "scores", faults))
    if not parts:
        return [float(count - at) for at in range(count)]
    for where, part in parts:
        if not _SCORE.fullmatch(part) or isinf(float(part)):
            faults.add(replace(where, message=f"{seen(part)} is no score", expected="a number, or NaN"))
            return [0.0] * count
    if len(parts) != count:
        faults.add(Fault(f"holds {len(parts)} scores", "scores", 1, expected=f"{count}, one a place, or none"))
        return [0.0] * count
    return [float(part) for _, part in parts]
