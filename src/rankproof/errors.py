"""What can go wrong, and what does the user read then?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from difflib import get_close_matches
from typing import Literal

SHOWN = 20
"""How many faults of one input a message lists."""


def printable(text: str) -> str:
    """Return text with its control characters and line breaks spelled out, so that a line stays a line."""
    return text if text.isprintable() else "".join(one if one.isprintable() else repr(one)[1:-1] for one in text)


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with an input: what happened, where, what was expected, what helps."""

    message: str
    file: str | None = None
    line: int | None = None
    _: KW_ONLY
    about: Literal["qrels", "run"] | None = None  # whose fault it is, where the file is not known yet
    column: str | None = None
    query_id: str | None = None
    doc_id: str | None = None
    expected: str | None = None
    hint: str | None = None
    way: tuple[str | int, ...] | None = None  # keys and indexes that lead to it in a JSON document; not in the message

    def __post_init__(self) -> None:
        """Spell out what a hint holds of control characters: it may name what stands in a file."""
        if self.hint is not None and not self.hint.isprintable():
            object.__setattr__(self, "hint", printable(self.hint))

    def __str__(self) -> str:
        """Return `file:line: query q, document d, column c: message; expected …`."""
        where = ", ".join(
            f"{name} {value}"
            for name, value in (("query", self.query_id), ("document", self.doc_id), ("column", self.column))
            if value is not None
        )
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        head = "".join(f"{part}: " for part in (place, where) if part)
        return printable(f"{head}{self.message}{f'; expected {self.expected}' if self.expected else ''}")


class RankproofError(Exception):
    """The base of all errors that a user's input can cause; the command line ends with status 2."""

    def __init__(self, *faults: Fault, more: int = 0) -> None:
        """Keep the faults; `more` counts those that were found but not kept."""
        self.faults = faults
        self.more = more
        super().__init__(*faults)

    def __str__(self) -> str:
        """Return a line for each of the first faults, then the hints, each once, after a blank line."""
        lines = [str(fault) for fault in self.faults[:SHOWN]]
        if unseen := len(self.faults[SHOWN:]) + self.more:
            lines.append(f"… and {unseen} more")
        hints = list(dict.fromkeys(fault.hint for fault in self.faults[:SHOWN] if fault.hint))
        return "\n".join([*lines, *([""] if hints else []), *(f"hint: {hint}" for hint in hints)])


class InputError(RankproofError):
    """A file or an object that cannot be read as what it was given for."""


class ContractError(RankproofError):
    """A rule that does not exist, or input that the contract forbids."""


class MeasureError(RankproofError):
    """An unknown measure, or one that is not defined for these options or grades."""


class MissingPackageError(RankproofError):
    """A function that needs a package which is not installed."""


class RankproofWarning(UserWarning):
    """Something that was read or left out as the contract says, and that a reader should know."""

    def __str__(self) -> str:
        """Return it as one line: ids and names may hold anything."""
        return printable(super().__str__())


class Faults:
    """Collects the faults of one input: keeps the first ones, counts the rest, raises them together."""

    def __init__(self, kind: type[RankproofError] = InputError) -> None:
        """Collect faults that are raised as `kind`."""
        self._kind = kind
        self._kept: list[Fault] = []
        self._more = 0

    def add(self, fault: Fault) -> None:
        """Note one fault."""
        if len(self._kept) < SHOWN:
            self._kept.append(fault)
        else:
            self._more += 1

    def __bool__(self) -> bool:
        """Return whether there are any."""
        return bool(self._kept)

    def raise_any(self) -> None:
        """Raise one error for all faults; return when there are none."""
        if self._kept:
            raise self._kind(*self._kept, more=self._more)


def seen(given: object, most: int = 80) -> str:
    """Return how a value is shown in a message: as Python spells it, not longer than a line."""
    try:
        text = repr(given)
    except ValueError:  # an integer of thousands of digits
        text = f"a {type(given).__name__} of thousands of digits"
    except RecursionError:
        text = f"a {type(given).__name__}, nested deep"
    return text if len(text) <= most else f"{text[:most]}…"


def nearest(word: str, words: Iterable[str], count: int = 3) -> str:
    """Return the `count` words most like `word`, for a hint."""
    spelled: dict[str, str] = {}
    for known in words:
        spelled.setdefault(known.lower(), known)
    return ", ".join(spelled[near] for near in get_close_matches(word.lower(), spelled, count, 0.0))
