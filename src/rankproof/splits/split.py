"""Into which splits do the queries fall?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rankproof.errors import Fault, InputError, nearest, seen
from rankproof.formats.whole import write_whole
from rankproof.splits.assign import by_hash, by_quota, by_time, chance_of_empty, names_of, shares_of
from rankproof.splits.groups import BY, declared_families, groups_in, groups_of, moments_of
from rankproof.splits.queries import Queries, Query, read_queries
from rankproof.tables import Table, Told
from rankproof.words import counted, first_of, query_count

TIDY_SPLIT = ("query_id", "split", "group")
"""The header of the rows that a program reads."""
LIKELY = 0.01
"""An empty split that is less likely than this is not spoken of."""
FAR = 0.05
"""A split whose share of the groups is so far from what was asked for, of 1, is spoken of."""
TWO_WAYS = "families stay together by --by family, or within --by time"


@dataclass(frozen=True, repr=False)
class Split(Told):
    """Queries in splits: `split_of` and `group_of` by query_id; `starts` is where a split of times begins."""

    by: str
    field: str | None  # what the groups were read from; None: a file of families, or the query ids
    names: Sequence[str]
    shares: Mapping[str, float]  # what was asked for, of 1
    seed: int | None  # None: nothing was drawn
    quota: bool
    queries: Queries
    group_of: Mapping[str, str]
    split_of: Mapping[str, str]
    starts: Mapping[str, str]
    chance_of_empty: float | None = None  # that another seed leaves a split empty; None where it does not hang on it
    alone: Sequence[str] = ()  # queries that the families given do not name: each is a group of its own

    @cached_property
    def parts(self) -> Mapping[str, Sequence[Query]]:
        """Return the queries of each split, in the order given."""
        found: dict[str, list[Query]] = {name: [] for name in self.names}
        for query in self.queries.items:
            found[self.split_of[query.query_id]].append(query)
        return found

    @cached_property
    def groups(self) -> Mapping[str, int]:
        """Return how many groups each split holds."""
        return {name: len({self.group_of[one.query_id] for one in part}) for name, part in self.parts.items()}

    @property
    def empty(self) -> Sequence[str]:
        """Return the splits without a query."""
        return [name for name, part in self.parts.items() if not part]

    @property
    def strayed(self) -> Sequence[str]:
        """Return the splits that hashing gave quite another share of the groups than was asked for."""
        total, hashed = sum(self.groups.values()), self.by != "time" and not self.quota
        return [name for name, count in self.groups.items() if hashed and abs(count / total - self.shares[name]) > FAR]

    @cached_property
    def torn(self) -> Sequence[str]:
        """Return the families, by the records' own field `family`, that stand in more than one split."""
        found: dict[str, set[str]] = {}
        for query, family in declared_families(self.queries.items).items():
            found.setdefault(family, set()).add(self.split_of[query])
        return [family for family, splits in found.items() if len(splits) > 1]

    def to_dict(self) -> dict[str, Any]:
        """Return what `rankproof split --format json` writes."""
        return {
            "by": self.by,
            "field": self.field,
            "seed": self.seed,
            "quota": self.quota,
            "splits": [
                {
                    "name": name,
                    "ratio": self.shares[name],
                    "queries": len(part),
                    "groups": self.groups[name],
                    "starts": self.starts.get(name),
                }
                for name, part in self.parts.items()
            ],
            "chance_of_an_empty_split": self.chance_of_empty,
            "without_family": list(self.alone),
            "families_torn": list(self.torn),
            "queries": [
                {"query_id": query, "split": self.split_of[query], "group": group}
                for query, group in self.group_of.items()
            ],
        }

    def tables(self) -> list[Table]:
        """Return a row a split: how many queries and groups it holds, beside what was asked for."""
        return [_table(self)]

    def notes(self) -> list[str]:
        """Return how the splits were made, what is empty, and what is torn apart, as sentences."""
        return list(_notes(self))


def split_queries(  # noqa: PLR0913 - the queries, and a keyword for each choice
    queries: Any,
    *,
    by: str = "family",
    ratios: str | Sequence[float] = "60/20/20",
    names: str | Sequence[str] | None = None,
    seed: int = 1,
    field: str | None = None,
    families: Any = None,
    quota: bool = False,
) -> Split:
    """Return queries in splits, groups whole: by family, source, time, or each query by itself (`hash`).

    `queries`: a file, {query_id: text}, {query_id: fields}, or mappings with an id. A group falls where its keyed hash
    does, so that queries which are added later never move an earlier one; `quota` cuts the order of the hashes instead,
    which keeps the ratios (in groups) but can move earlier ones. By time, older queries come first; a boundary is a
    time. `families`: a file, or {query_id: family}; a query that it does not name is a group of its own. Raises
    InputError for what cannot be split so.
    """
    _check(by, field, families, quota=quota)
    given = read_queries(queries)
    if not given.items:
        raise InputError(Fault("there are no queries to split", given.source))
    shares = shares_of(ratios)
    named = names_of(names, len(shares))
    group_of, alone = (groups_of(given, by, field), []) if families is None else groups_in(families, given)
    starts: dict[int, str] = {}
    if by == "time":
        at, starts = by_time(group_of, moments_of(given, field), shares)
    else:
        at = (by_quota if quota else by_hash)(list(dict.fromkeys(group_of.values())), shares, seed)
    hashed = by != "time" and not quota
    return Split(
        by=by,
        field=(field or BY[by]) if families is None or by == "time" else None,
        names=named,
        shares={name: float(share) for name, share in zip(named, shares, strict=True)},
        seed=None if by == "time" else seed,
        quota=quota,
        queries=given,
        group_of=group_of,
        split_of={query: named[at[group]] for query, group in group_of.items()},
        starts={named[number]: moment for number, moment in starts.items()},
        chance_of_empty=chance_of_empty(len(at), shares) if hashed else None,
        alone=alone,
    )


def _check(by: str, field: str | None, families: Any, *, quota: bool) -> None:
    """Refuse a way that does not exist, and options that say nothing beside it."""
    if by not in BY:
        hint = f"did you mean {nearest(by, BY, 1)}?"
        raise InputError(Fault(f"queries cannot be split by {seen(by)}", expected=f"one of {', '.join(BY)}", hint=hint))
    if families is not None and by not in ("family", "time"):
        raise InputError(Fault(f"families say nothing by {by}", hint=TWO_WAYS))
    if field is not None and (by == "hash" or (families is not None and by == "family")):
        instead = "the query ids" if by == "hash" else "the file of families"
        raise InputError(Fault(f"field {field}: the groups are {instead}", expected="no field"))
    if quota and by == "time":
        raise InputError(Fault("a quota says nothing by time: the ratios are cut as near as moments allow"))


def paths_of(folder: str | Path, names: Sequence[str]) -> list[Path]:
    """Return the file of each split in a folder."""
    return [Path(folder) / f"{name}.jsonl" for name in names]


def write_split(found: Split, folder: str | Path) -> list[Path]:
    """Write each split's records, all fields kept, as JSON lines to `FOLDER/NAME.jsonl`; return the files.

    The folder is made if need be. A split without queries gives an empty file, so that no older one stays in its place.
    InputError for what cannot be written.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(Fault(f"cannot be made: {error.strerror}", str(folder))) from error
    paths = paths_of(folder, found.names)
    for path, part in zip(paths, found.parts.values(), strict=True):
        write_whole(path, "".join(json_line(query.fields) for query in part))
    return paths


def json_line(fields: Mapping[str, Any]) -> str:
    """Return a record as a line of JSON; what JSON does not know, such as a date, as text."""
    return json.dumps(fields, ensure_ascii=False, default=str) + "\n"


def _table(found: Split) -> Table:
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
    return Table(header, rows)


def split_rows(found: Split) -> Iterator[Sequence[object]]:
    """Yield a row a query, under the header `TIDY_SPLIT`."""
    for query, group in found.group_of.items():
        yield (query, found.split_of[query], group)


def _notes(found: Split) -> Iterator[str]:
    groups = sum(found.groups.values())
    yield f"{query_count(len(found.queries))} in {counted(groups, 'group')}, {_how(found)}"
    if found.alone:
        alone = f"{query_count(len(found.alone))} in no family there, each a group of its own"
        yield f"{alone} ({first_of(found.alone)}): are all splits among those that the families were found in?"
    if found.empty:
        hint = "--quota cuts by the number of groups" if found.chance_of_empty else "there are too few groups"
        yield f"no query is in {', '.join(found.empty)}: {hint}"
    elif found.strayed:
        shares = ", ".join(f"{name} {_percent(found.groups[name] / groups)}" for name in found.strayed)
        yield f"another share of the groups than was asked for: {shares}; --quota keeps the ratios, in groups"
    if found.chance_of_empty is not None and found.chance_of_empty >= LIKELY:
        chance = _percent(found.chance_of_empty)
        yield f"with {counted(groups, 'group')} a hash leaves some split empty for {chance} of all seeds"
    if found.torn:
        torn = counted(len(found.torn), "family", "families")
        yield f"{torn} in more than one split ({first_of(found.torn)}): by family none would be"


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
