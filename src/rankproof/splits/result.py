"""What did an audit find, and how is it told: as JSON, tables, rows and sentences?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rankproof.contract import Contract
from rankproof.errors import Fault, InputError
from rankproof.splits.contrast import Contrast
from rankproof.splits.groups import joined
from rankproof.splits.leaks import ANY, KINDS, LIMITS, LINKS, Found, Leak, kinds_in
from rankproof.splits.near import bands_of, recall
from rankproof.tables import Table, Told
from rankproof.words import Words, counted, query_count, same

TIDY_LEAKAGE = ("kind", "leak", "what", "similarity", "place", "id", "text")
"""The header of the rows that a program reads; `leak` numbers the leaks of a kind."""
LIKE: Mapping[str, str] = {
    "words": "단어",
    "character pairs": "글자 쌍",
    "title": "제목",
    "text": "본문",
    "title and text": "제목과 본문",
}
"""What near texts have in common, and which part of a document a query is, in Korean."""
LONGEST = 120
"""As much of a text stands in a table, in characters."""


@dataclass(frozen=True, repr=False)
class Leakage(Told):
    """What the splits, and what a system was tuned on, know of the test queries."""

    sizes: Mapping[str, int]  # queries a split
    test: str
    test_ids: Sequence[str]
    query_ids: Sequence[str]  # of all splits, each once
    kinds: Mapping[str, Found]
    contrasts: Sequence[Contrast]
    contract: Contract
    settings: Mapping[str, Any]
    said: Sequence[Words] = ()  # what else was noticed

    @cached_property
    def touched(self) -> Sequence[str]:
        """Return the test queries that any leak touches."""
        found = {query for kind in self.kinds.values() for query in kind.test_queries}
        return [query for query in self.test_ids if query in found]

    @property
    def found(self) -> Sequence[str]:
        """Return the kinds of which there are leaks."""
        return [name for name, kind in self.kinds.items() if kind.leaks]

    def fails(self, on: str | Collection[str]) -> bool:
        """Return whether there is a leak of these kinds: a list, `family,near-text`, or `any` of those looked at.

        InputError for an unknown kind, for one that could not be looked at, and for `any` where none could.
        """
        wanted = kinds_in(on)
        unchecked = {name: kind.why_not.en for name, kind in self.kinds.items() if kind.why_not is not None}
        for name in wanted:
            if name in unchecked:
                raise InputError(Fault(f"{name} was not checked: {unchecked[name]}"))
        if ANY in wanted and len(unchecked) == len(KINDS):
            reasons = "; ".join(dict.fromkeys(unchecked.values()))
            raise InputError(Fault(f"nothing was checked: {reasons}", hint="give a second split, or what is missing"))
        return any(self.kinds[name].leaks for name in (KINDS if ANY in wanted else wanted))

    def families(self, kinds: str | Collection[str] = LINKS) -> dict[str, str]:
        """Return the group of each query, joined over what these kinds found, within one split too.

        A group is named by its lowest query id. Split by them (`families=`), no leak of these kinds is left. InputError
        for a kind that joins no queries.
        """
        return joined(self.query_ids, (link for name in kinds_in(kinds, LINKS) for link in self.kinds[name].links))

    def to_dict(self) -> dict[str, Any]:
        """Return what `rankproof leakage --format json` writes."""
        return {
            "contract": self.contract.to_dict(),
            "splits": [{"name": name, "queries": size} for name, size in self.sizes.items()],
            "test": self.test,
            "settings": dict(self.settings),
            "kinds": [kind.to_dict() for kind in self.kinds.values()],
            "test_queries_touched": list(self.touched),
            "contrasts": [
                {
                    "measure": one.measure,
                    "clean": one.clean._asdict(),
                    "leaked": one.leaked._asdict(),
                    "difference": one.difference,
                    "interval": None if one.interval is None else list(one.interval),
                    "confidence": one.confidence,
                    "without_value": one.without,
                    "why_no_interval": None if one.why is None else one.why.en,
                }
                for one in self.contrasts
            ],
            "caveats": [limit.en for limit in LIMITS],
        }

    def tables(self, *, examples: int = 3) -> list[Table]:
        """Return a row a kind; the first examples of each; the measures on clean and leaked test queries."""
        return _tables(self, examples)

    def notes(self) -> list[str]:
        """Return what was looked at and how, what could not be, and what it does not say, as sentences."""
        return list(_notes(self))


def _tables(found: Leakage, examples: int) -> list[Table]:
    with_leaks = [kind for kind in found.kinds.values() if kind.leaks and examples]
    contrasts = [contrast_table(found)] if found.contrasts else []
    return [kinds_table(found), *(examples_table(kind, examples) for kind in with_leaks), *contrasts]


def kinds_table(found: Leakage) -> Table:
    """Return a row a kind: how many leaks, which share of the test queries they touch, what to do."""
    header = ["kind", "leaks", "test queries", "share of the test split", "what to do"]
    rows: list[list[object]] = []
    for name, kind in found.kinds.items():
        if kind.why_not is not None:
            said = Words(f"not checked: {kind.why_not.en}", f"확인하지 않음: {kind.why_not.ko}")
            rows.append([name, *["–"] * 3, said])
        else:
            todo = kind.kind.mend if kind.leaks else Words("", "")
            touched = len(kind.test_queries)
            rows.append([name, len(kind.leaks), touched, _share(touched, len(found.test_ids)), todo])
    touched = len(found.touched)
    rows.append([Words("any of these", "하나라도"), "", touched, _share(touched, len(found.test_ids)), Words("", "")])
    return Table(header, rows)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.3g} %"


def examples_table(kind: Found, most: int) -> Table:
    """Return the first leaks of a kind, a row each: two queries, or a query and where else it stands."""
    header = ["split", "query_id", "text", "also in", "there", "its text", "in common"]
    rows = []
    for leak in kind.leaks[:most]:
        one, other = leak.example
        rows.append([one.place, one.id, _short(one.text), other.place, other.id, _short(other.text), _shared(leak)])
    return Table(header, rows, f"{kind.kind.name}: {min(most, len(kind.leaks))} of {len(kind.leaks)}")


def _shared(leak: Leak) -> Words:
    if leak.similarity is None:
        return same(_short(leak.what))
    korean = LIKE.get(leak.what, leak.what)
    return Words(f"{leak.what} {leak.similarity:.2f}", f"{korean} {leak.similarity:.2f}")


def _short(text: str | None) -> str:
    return "" if text is None else text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def contrast_table(found: Leakage) -> Table:
    """Return a row a measure: clean and leaked test queries, their difference and its interval."""
    level = f"{100 * found.contrasts[0].confidence:g} % interval"
    header = [
        "measure",
        "clean queries",
        "clean mean",
        "leaked queries",
        "leaked mean",
        "leaked minus clean",
        level,
        "meaning",
    ]
    rows = [
        [
            one.measure,
            one.clean.queries,
            one.clean.mean,
            one.leaked.queries,
            one.leaked.mean,
            None if one.difference is None else f"{one.difference:+.4f}",
            "–" if one.interval is None else f"[{one.interval.low:+.4f}, {one.interval.high:+.4f}]",
            one.said,
        ]
        for one in found.contrasts
    ]
    return Table(header, rows, "the measure on clean and on leaked test queries")


def leakage_rows(found: Leakage) -> Iterator[Sequence[object]]:
    """Yield a row a side of each leak, under the header `TIDY_LEAKAGE`."""
    for name, kind in found.kinds.items():
        for at, leak in enumerate(kind.leaks, 1):
            for side in leak.sides:
                yield (name, at, leak.what, leak.similarity, side.place, side.id, side.text)


def _notes(found: Leakage) -> Iterator[str]:
    others = ", ".join(f"{name} ({size})" for name, size in found.sizes.items() if name != found.test)
    yield f"{query_count(len(found.test_ids))} of {found.test}{f' against {others}' if others else ''}"
    yield from (f"{name}: not checked: {kind.why_not.en}" for name, kind in found.kinds.items() if kind.why_not)
    if found.kinds["near-text"].why_not is None:
        yield near_note(found).en
    yield from (one.en for one in found.said)
    if found.contrasts:
        yield f"contract {found.contract.name} ({found.contract.fingerprint}); interval by Welch's t"
    for one in found.contrasts:
        if one.without:
            yield f"{one.measure}: {query_count(one.without)} of {found.test} without a value, left out"
    yield from (limit.en for limit in LIMITS)


def near_note(found: Leakage) -> Words:
    """Return how near texts are told, and how sure it is that all were found."""
    words, grams, road = (found.settings[name] for name in ("near", "near_grams", "near_by"))
    how = Words("every pair is compared", "모든 쌍을 비교합니다")
    if road == "minhash":
        sure = 100 * min(recall(at, *bands_of(at)) for at in (words, grams))
        how = Words(
            f"by MinHash, each pair checked; one at the threshold is found with a chance of {sure:.1f} %",
            f"MinHash로 찾아 쌍마다 확인합니다. 기준에 꼭 맞는 쌍을 찾을 확률은 {sure:.1f} %입니다",
        )
    return Words(
        f"near text: of the words that either has, function words aside, both have {words:g} or more; or, in Korean, "
        f"Chinese and Japanese, of the pairs of characters {grams:g} or more (Jaccard); {how.en}",
        f"거의 같은 문장: 기능어를 뺀 단어의 {words:g} 이상, 또는 한국어·중국어·일본어에서 두 글자 쌍의 {grams:g} "
        f"이상이 겹칠 때입니다(자카드 유사도). {how.ko}",
    )


def group_note(groups: Sequence[str]) -> str:
    """Return how large the groups are that the queries were joined to: one that holds most cannot be split."""
    sizes = Counter(groups)
    largest = max(sizes.values())
    joined = f"{query_count(len(groups))} in {counted(len(sizes), 'group')}, the largest of {largest}"
    return f"{joined}: too large for a split to follow the ratios" if 2 * largest > len(groups) > 1 else joined
