"""What stands on a page: which blocks is a report made of?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from rankproof.charts.palette import Tone
from rankproof.charts.spec import Chart
from rankproof.tables import Table
from rankproof.words import Words


@dataclass(frozen=True, slots=True)
class Verdict:
    """A banner: the verdict in a word or two, and the sentence that says what it rests on."""

    word: Words
    sentence: Words
    tone: Tone = "open"


@dataclass(frozen=True, slots=True)
class Card:
    """One number to see first: what it is, the number as text, and what is to be said beside it."""

    label: Words
    value: str
    note: Words | None = None
    tone: Tone = "open"


@dataclass(frozen=True, slots=True)
class Cards:
    """A row of cards."""

    cards: Sequence[Card]


@dataclass(frozen=True, slots=True)
class Code:
    """A command or other text that is shown as it is, line by line."""

    text: str


@dataclass(frozen=True, slots=True)
class Details:
    """Blocks that are folded away under a summary, to look into one query, say."""

    summary: Words
    blocks: Sequence[Block]


Block: TypeAlias = Words | list[Words] | Table | Chart | Details | Verdict | Cards | Code
"""Words are a paragraph, a list of Words is a list."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, which the contents name too, and what stands below."""

    heading: Words
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Page:
    """A report: title, what stands above all sections (verdict, cards), the sections, and lines for the foot."""

    title: Words
    sections: Sequence[Section]
    lead: Sequence[Block] = ()
    foot: Sequence[Words] = field(default=())
