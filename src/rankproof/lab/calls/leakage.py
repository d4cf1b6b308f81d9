"""What does a split by rows do to queries that ask the same in other words? The call of the tab on leakage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rankproof.formats.files import Given
from rankproof.lab.blocks_json import page_json
from rankproof.lab.given import count_of
from rankproof.lab.searched import example_files
from rankproof.report.blocks import Block, Card, Cards, Details, Page, Section
from rankproof.report.leakage import leakage_page
from rankproof.report.sections import limits_section
from rankproof.splits import Leakage, RowAgainstGroup, Split, row_against_group
from rankproof.splits import leakage as audit
from rankproof.splits.groups import declared_families
from rankproof.splits.leaks import LIMITS
from rankproof.splits.result import examples_table, kinds_table
from rankproof.tables import Table
from rankproof.words import Words

EXAMPLES = 10
"""As many leaks of a kind are shown."""

WAYS: Mapping[str, Words] = {"row": Words("by row", "행별"), "group": Words("by group", "묶음별")}
BY: Mapping[str, Words] = {
    "row": Words("Each query falls by itself.", "질의마다 따로 분할에 들어갑니다."),
    "group": Words("A family stays whole.", "묶음은 흩어지지 않습니다."),
}
NOT_TRAINED = Words(
    "train, dev and test are names: nothing was trained or tuned here.",
    "train, dev, test는 이름일 뿐이며, 여기서는 아무것도 학습하거나 튜닝하지 않았습니다.",
)
MADE = Words(
    "The variants are made by appending a word, so the leaks are plain to see; people ask again in other words.",
    "변형은 단어 하나를 덧붙여 만들었으므로 누출이 쉽게 보입니다. 실제로는 사람들이 다른 말로 다시 묻습니다.",
)


def leakage(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the example's queries and their variants split by row and by group, and the audit of both.

    Arguments: `variants`, how many of each query (1 to 8); `seed`, which draws the words and the splits.
    """
    count, seed = count_of(arguments, "variants", 3), count_of(arguments, "seed", 1)
    content, name = example_files()["queries"]
    found = row_against_group(Given(content, name), count, seed)
    splits = {"row": found.row, "group": found.group}
    audits = {way: audit(split) for way, split in splits.items()}
    families = list(dict.fromkeys(declared_families(found.row.queries.items).values()))
    sections = [
        Section(Words("Families in each split", "분할별 질의 묶음"), [_families(families, splits), _sizes(splits)]),
        *(_audited(way, audits[way]) for way in splits),
        Section(Words("Every query", "모든 질의"), [_folded(*one) for one in zip(WAYS, found.tables(), strict=True)]),
        limits_section([NOT_TRAINED, MADE, *LIMITS]),
    ]
    page = Page(_title(count, seed), sections, lead=[_cards(found, families)])
    return {
        "variants": count,
        "seed": seed,
        "queries": len(found.row.queries),
        "families": len(families),
        "torn": found.torn,
        "page": page_json(page),
        "data": {
            "torn": found.torn,
            "splits": {way: split.to_dict() for way, split in splits.items()},
            "audits": {way: one.to_dict() for way, one in audits.items()},
        },
    }


def _title(count: int, seed: int) -> Words:
    return Words(f"{count} variants of each query, seed {seed}", f"질의마다 변형 {count}개, 시드 {seed}")


def _cards(found: RowAgainstGroup, families: Sequence[str]) -> Cards:
    """Return how many families stand in more than one split, under both ways."""
    return Cards(
        [
            Card(
                Words(
                    f"families in more than one split, split {words.en}", f"여러 분할에 걸친 질의 묶음, {words.ko} 분할"
                ),
                f"{found.torn[way]} / {len(families)}",
                BY[way],
                "bad" if found.torn[way] else "good",
            )
            for way, words in WAYS.items()
        ]
    )


def _families(families: Sequence[str], splits: Mapping[str, Split]) -> Table:
    """Return a row a family: its first query, how many queries it has, and the splits they stand in, both ways."""
    items = splits["row"].queries.items
    family_of = declared_families(items)
    rows: list[list[object]] = []
    for family in families:
        queries = [one for one in items if family_of.get(one.query_id) == family]
        where = (", ".join(_names(split, [one.query_id for one in queries])) for split in splits.values())
        rows.append([family, queries[0].text, len(queries), *where])
    return Table(["group", "query", "queries", "split by row", "split by group"], rows)


def _names(split: Split, query_ids: Sequence[str]) -> list[str]:
    """Return the splits that hold these queries, in their order."""
    held = {split.split_of[one] for one in query_ids}
    return [name for name in split.names if name in held]


def _sizes(splits: Mapping[str, Split]) -> Table:
    """Return how many queries each split holds, both ways."""
    rows = [[name, *(len(split.parts[name]) for split in splits.values())] for name in splits["row"].names]
    return Table(["split", "split by row", "split by group"], rows, "queries")


def _audited(way: str, found: Leakage) -> Section:
    """Return what the audit says of a split: its verdict, each kind, the first leaks."""
    kinds = [kind for kind in found.kinds.values() if kind.leaks]
    examples: list[Block] = [
        Details(kind.kind.says, [kind.kind.mend, examples_table(kind, EXAMPLES)]) for kind in kinds
    ]
    words = WAYS[way]
    heading = Words(f"The audit of the split {words.en}", f"{words.ko} 분할의 감사")
    return Section(heading, [*leakage_page(found).lead, kinds_table(found), *examples])


def _folded(way: str, table: Table) -> Details:
    words = WAYS[way]
    return Details(Words(f"Split {words.en}", f"{words.ko} 분할"), [table])
