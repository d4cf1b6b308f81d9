"""What is a leak, which kinds are there, and what is to be done about each?"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rankproof.errors import Fault, InputError, nearest
from rankproof.words import Words


class Kind(NamedTuple):
    """A way in which what a system was made with can know the test queries."""

    name: str
    says: Words
    mend: Words
    joins: bool = False  # whether it joins queries to groups, which a new split can keep whole


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            "same-id",
            Words("one query id in two splits", "두 분할에 같은 질의 ID"),
            Words(
                "Keep the query in one split; if these are two queries, give each its own id: judgments cannot tell "
                "them apart.",
                "질의를 한 분할에만 두세요. 서로 다른 질의라면 ID를 따로 주세요. 판정은 ID로만 질의를 구별합니다.",
            ),
        ),
        Kind(
            "family",
            Words("one family in two splits", "두 분할에 같은 질의 묶음"),
            Words(
                "Split again with --by family: a family stays whole.",
                "--by family로 다시 나누세요. 질의 묶음이 흩어지지 않습니다.",
            ),
            joins=True,
        ),
        Kind(
            "same-text",
            Words("the same text in two splits", "두 분할에 같은 문장"),
            Words(
                "Keep one of them, or split again by the families of --write-families.",
                "하나만 남기거나 --write-families로 쓴 묶음으로 다시 나누세요.",
            ),
            joins=True,
        ),
        Kind(
            "near-text",
            Words("nearly the same text in two splits", "두 분할에 거의 같은 문장"),
            Words(
                "Read the pairs; where both ask the same, split again by the families of --write-families.",
                "쌍을 읽어 보고, 묻는 것이 같다면 --write-families로 쓴 묶음으로 다시 나누세요.",
            ),
            joins=True,
        ),
        Kind(
            "shared-document",
            Words("one relevant document for queries of two splits", "두 분할의 질의에 같은 적합 문서"),
            Words(
                "What learned to find it for the one query finds it for the other: split again by the families of "
                "--write-families, or say so beside the values.",
                "한 질의로 이 문서를 찾도록 조정했다면 다른 질의에서도 찾게 됩니다. --write-families로 쓴 묶음으로 "
                "다시 나누거나, 값 옆에 이 사실을 밝히세요.",
            ),
            joins=True,
        ),
        Kind(
            "document-text",
            Words("a test query that is a document's text or title", "문서의 본문이나 제목과 같은 테스트 질의"),
            Words(
                "Any search by words finds it. Replace it by what people ask, or report such queries apart.",
                "단어로 찾는 검색이면 무엇이든 찾습니다. 사람들이 실제로 묻는 문장으로 바꾸거나 따로 보고하세요.",
            ),
        ),
        Kind(
            "tuning",
            Words("a test query in a file that was tuned on", "튜닝에 쓴 파일에 있는 테스트 질의"),
            Words(
                "Tune again without it: a value on queries that were tuned on says nothing of new ones.",
                "이 질의를 빼고 다시 튜닝하세요. 튜닝에 쓴 질의의 값은 새 질의에 대해 아무것도 말해 주지 않습니다.",
            ),
        ),
    )
}
"""The kinds, in the order in which they are told."""

LINKS = tuple(name for name, kind in KINDS.items() if kind.joins)
"""The kinds that join queries."""
ANY = "any"
"""What `Leakage.fails` asks for if every kind counts."""

LIMITS = (
    Words(
        "Only likeness of words is looked for: a question asked again in other words is not found without a family.",
        "문장이 비슷한지만 봅니다. 전혀 다른 말로 바꾼 같은 질문은 묶음을 알려 주지 않으면 찾지 못합니다.",
    ),
    Words(
        "A leak can also lower a value, and leaked queries differ from clean ones in more than the leak.",
        "누출은 값을 낮추기도 합니다. 또한 누출된 질의와 깨끗한 질의는 누출 말고도 다른 점이 있습니다.",
    ),
    Words(
        "In a small collection queries of two splits may rightly share a document: read the examples.",
        "작은 컬렉션에서는 두 분할의 질의가 같은 문서를 찾는 것이 당연할 수 있습니다. 예를 읽고 판단하세요.",
    ),
)
"""What the audit does not say."""


def kinds_in(given: str | Collection[str], known: Collection[str] = (*KINDS, ANY)) -> list[str]:
    """Return the kinds of a list, or of a text with commas. InputError for one that is not known."""
    names = [name.strip() for name in given.split(",")] if isinstance(given, str) else list(given)
    for name in names:
        if name not in known:
            hint = f"did you mean {nearest(name, known, 1)}?"
            raise InputError(
                Fault(f"there is no such kind of leak: {name}", expected=f"some of {', '.join(known)}", hint=hint)
            )
    return names


class Side(NamedTuple):
    """Where one side of a leak stands: a split (or `corpus`, or a file), the id there, what it says."""

    place: str
    id: str
    text: str | None


class Leak(NamedTuple):
    """One leak: what is shared (a family, a document, a text, the features that are alike), and who shares it."""

    what: str
    sides: Sequence[Side]  # the test split's first
    similarity: float | None = None

    @property
    def example(self) -> tuple[Side, Side]:
        """Return the first side, and the first one that stands in another place."""
        first = self.sides[0]
        return first, next((side for side in self.sides if side.place != first.place), self.sides[-1])


@dataclass(frozen=True)
class Found:
    """What was found of one kind; `why_not` says why nothing could be looked at."""

    kind: Kind
    leaks: Sequence[Leak]
    test_queries: Sequence[str]  # those that these leaks touch
    links: Sequence[Sequence[str]] = ()  # query ids that belong together, within one split too
    why_not: Words | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return what the JSON holds of a kind."""
        return {
            "kind": self.kind.name,
            "checked": self.why_not is None,
            "why_not": None if self.why_not is None else self.why_not.en,
            "leaks": [{**leak._asdict(), "sides": [side._asdict() for side in leak.sides]} for leak in self.leaks],
            "test_queries": list(self.test_queries),
            "what_to_do": self.kind.mend.en,
        }
