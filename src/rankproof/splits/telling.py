"""How is a split told: as a table, and as sentences?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rankproof.tables import Table
from rankproof.words import counted, first_of, query_count

if TYPE_CHECKING:
    from rankproof.splits.split import Split

TIDY_SPLIT = ("query_id", "split", "group")
"""The header of the rows that a program reads."""
LIKELY = 0.01
"""An empty split that is less likely than this is not spoken of."""


def split_tables(found: Split) -> list[Table]:
    """Return a row a split."""
    begins = ["from"] if found.starts else []
    header = ["split", "queries", "share of the queries", "asked for", "groups", *begins]
    total = len(found.queries)
    rows = [
        [
            name,
            len(part),
            _percent(len(part) / total),
            _percent(found.shares[name]),
            found.groups[name],
            *([found.starts.get(name)] if begins else []),
        ]
        for name, part in found.parts.items()
    ]
    return [Table(header, rows)]


def split_rows(found: Split) -> Iterator[Sequence[object]]:
    """Yield a row a query, under the header `TIDY_SPLIT`."""
    for query, group in found.group_of.items():
        yield (query, found.split_of[query], group)


def split_notes(found: Split) -> list[str]:
    """Return how the splits were made, what is empty and how likely that is, and which families are torn."""
    groups = sum(found.groups.values())
    lines = [f"{query_count(len(found.queries))} in {counted(groups, 'group')}, {_how(found)}"]
    if found.empty:
        hint = "--quota cuts by the number of groups" if found.chance_of_empty else "there are too few groups"
        lines.append(f"no query is in {', '.join(found.empty)}: {hint}")
    if found.chance_of_empty is not None and found.chance_of_empty >= LIKELY:
        chance = _percent(found.chance_of_empty)
        lines.append(f"with {counted(groups, 'group')} a hash leaves some split empty for {chance} of all seeds")
    if found.torn:
        torn = counted(len(found.torn), "family", "families")
        lines.append(f"{torn} in more than one split ({first_of(found.torn)}): by family none would be")
    return lines


def _how(found: Split) -> str:
    if found.by == "time":
        return f"older ones first by {found.field}: queries that are added later can move a boundary"
    by = "each query by itself" if found.by == "hash" else f"by {found.field or 'a file of families'}"
    where = (
        "cut in the order of their hashes: queries that are added later can move earlier ones"
        if found.quota
        else "each where its hash falls: queries that are added later move no earlier one"
    )
    return f"{by}, {where}; seed {found.seed}"


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
