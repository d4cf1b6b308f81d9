"""How is an audit told: as tables, as rows, and as sentences?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rankproof.splits.kinds import LIMITS
from rankproof.splits.near import bands_of, recall
from rankproof.tables import Table
from rankproof.words import Words, counted, query_count, same

if TYPE_CHECKING:
    from rankproof.splits.result import Found, Leak, Leakage

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


def leakage_tables(found: Leakage, examples: int) -> list[Table]:
    """Return the kinds, the first examples of each, and the measures on clean and leaked queries."""
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
            rows.append([name, len(kind.leaks), touched, share(touched, len(found.test_ids)), todo])
    touched = len(found.touched)
    rows.append([Words("any of these", "하나라도"), "", touched, share(touched, len(found.test_ids)), Words("", "")])
    return Table(header, rows)


def share(part: int, whole: int) -> str:
    """Return a part of a whole in percent."""
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


def leakage_notes(found: Leakage) -> list[str]:
    """Return what was looked at, how near texts are found, what could not be looked at, and what it does not say."""
    others = ", ".join(f"{name} ({size})" for name, size in found.sizes.items() if name != found.test)
    against = f" against {others}" if others else ""
    lines = [f"{query_count(len(found.test_ids))} of {found.test}{against}"]
    lines += [f"{name}: not checked: {kind.why_not.en}" for name, kind in found.kinds.items() if kind.why_not]
    if found.kinds["near-text"].why_not is None:
        lines.append(near_note(found).en)
    lines += [one.en for one in found.said]
    if found.contrasts:
        contract = found.contract
        lines.append(f"contract {contract.name} ({contract.fingerprint}); interval by Welch's t")
        lines += [
            f"{one.measure}: {query_count(one.without)} of {found.test} without a value, left out"
            for one in found.contrasts
            if one.without
        ]
    return [*lines, *(limit.en for limit in LIMITS)]


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
