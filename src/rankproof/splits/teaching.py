"""What does a split by rows do to queries that ask the same in other words?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from rankproof.errors import Fault, InputError, nearest, seen
from rankproof.formats.records import IDS
from rankproof.splits.groups import FAMILY
from rankproof.splits.queries import ASKED, Query, read_queries
from rankproof.splits.split import Split, split_queries
from rankproof.tables import Table

WORDS: Mapping[str, Sequence[str]] = {
    "ko": ("확인", "기준", "방법", "안내", "규정", "요건", "점검", "설명"),
    "en": ("check", "rules", "guide", "meaning", "steps", "details", "overview", "requirements"),
}
"""What a variant appends, by language."""
MOST = min(map(len, WORDS.values()))
HANGUL = re.compile("[가-힣]")


def variants(queries: Any, count: int = 3, seed: int = 1, language: str | None = None) -> list[dict[str, Any]]:
    """Return each query, and behind it `count` variants of it, a word appended to each: 확인, 기준, …

    The records keep their fields; a variant's id is `ID~1`, `ID~2`, …, its `family` that of its query (or the query's
    id), so that a split by family keeps them together. The words are drawn by the seed and the query id alone.
    `language` is ko or en; if none is given, a query with Hangul is Korean. InputError for a query without text, for
    more variants than there are words, and where a variant's id is a query's already.
    """
    if count not in range(1, MOST + 1):
        raise InputError(Fault(f"there cannot be {seen(count)} variants of a query", expected=f"1 to {MOST}"))
    if language is not None and language not in WORDS:
        hint = f"did you mean {nearest(language, WORDS, 1)}?"
        raise InputError(Fault(f"unknown language {seen(language)}", expected=f"one of {', '.join(WORDS)}", hint=hint))
    given = read_queries(queries)
    taken = {query.query_id for query in given.items}
    found: list[dict[str, Any]] = []
    for query in given.items:
        if query.text is None:
            raise InputError(given.fault(query, "has no text to vary", expected=f"one of {', '.join(ASKED)}"))
        spoken = language or ("ko" if HANGUL.search(query.text) else "en")
        drawn = Random(f"{seed} {query.query_id}").sample(WORDS[spoken], count)  # noqa: S311 - to teach, not to hide
        family = query.query_id if query.fields.get(FAMILY) in (None, "") else query.fields[FAMILY]
        found.append({**query.fields, FAMILY: family})
        for at, word in enumerate(drawn, 1):
            one = f"{query.query_id}~{at}"
            if one in taken:
                raise InputError(given.fault(query, f"its variant would be called {one}, as another query is"))
            found.append({**found[-1], **_named(query, one, word)})
    return found


def _named(query: Query, one: str, word: str) -> dict[str, str]:
    """Return the two fields in which a variant differs, under the names that its query's record gives them."""
    of_id = next(name for name in IDS["queries"] if name in query.fields)
    of_text = query.asked_in or ASKED[0]
    said = query.fields[of_text]
    return {of_id: one, of_text: " ".join([*(said if isinstance(said, list) else [said]), word])}


class RowAgainstGroup(NamedTuple):
    """The same queries and variants split both ways."""

    row: Split  # each by itself
    group: Split  # families whole

    @property
    def torn(self) -> dict[str, int]:
        """Return how many families stand in more than one split, by row and by group."""
        return {"row": len(self.row.torn), "group": len(self.group.torn)}

    def tables(self) -> list[Table]:
        """Return, for each way, a row a query: its family, its split, its text."""
        return [
            Table(
                ["group", "split", "query"],
                [[query.fields[FAMILY], split.split_of[query.query_id], query.text] for query in split.queries.items],
                f"split by {way}",
            )
            for way, split in (("row", self.row), ("group", self.group))
        ]


def row_against_group(
    queries: Any, count: int = 3, seed: int = 1, ratios: str | Sequence[float] = "60/20/20"
) -> RowAgainstGroup:
    """Return variants of the queries split by row, and by group: some families are torn there, none here.

    Both cut by quota, so that few queries too give every split some.
    """
    varied = variants(queries, count, seed)
    row, group = (split_queries(varied, by=by, ratios=ratios, seed=seed, quota=True) for by in ("hash", "family"))
    return RowAgainstGroup(row, group)
