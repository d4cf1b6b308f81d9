"""Which tokens is a text made of?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from rankproof.errors import Fault, InputError, nearest

Analyzer: TypeAlias = Callable[[str], Sequence[str]]
"""Returns the tokens of a text, in order, repeats kept."""


def whitespace(text: str) -> list[str]:
    """Return what stands between white space, as it is."""
    return text.split()


def words(text: str) -> list[str]:
    """Return words in lower case: letters, digits and underscores of any script."""
    return re.findall(r"\w+", text.lower())


def hangul_ngrams(text: str) -> list[str]:
    """Return the character 2-grams, then the 3-grams, inside each run of Hangul syllables; nothing else."""
    return [gram for run in re.findall("[가-힣]+", text) for gram in _grams(run)]


def hangul_ngrams_and_words(text: str) -> list[str]:
    """Return the character 2- and 3-grams of runs of Hangul, and runs of Latin letters and digits in lower case."""
    runs = re.findall(r"[가-힣]+|[a-z0-9]+", text.lower())
    return [token for run in runs for token in (_grams(run) if "가" <= run[0] <= "힣" else [run])]


def _grams(run: str) -> Iterator[str]:
    for size in (2, 3):
        yield from (run[at : at + size] for at in range(len(run) - size + 1))


class Named(NamedTuple):
    """An analyzer that a name stands for, and what it does."""

    analyzer: Analyzer
    says: str


ANALYZERS: Mapping[str, Named] = {
    "words": Named(words, "words of any script, in lower case"),
    "whitespace": Named(whitespace, "what stands between white space"),
    "hangul-2-3gram": Named(hangul_ngrams, "2- and 3-grams inside runs of Hangul, nothing else"),
    "hangul-2-3gram-words": Named(
        hangul_ngrams_and_words, "2- and 3-grams of Hangul, words of Latin letters and digits"
    ),
}
"""The analyzers by name."""


def analyzer_of(given: str | Analyzer) -> Analyzer:
    """Return an analyzer from its name, or as given. InputError for an unknown name."""
    if callable(given):
        return given
    if given not in ANALYZERS:
        hint = f"did you mean {nearest(given, ANALYZERS, 1)}?"
        raise InputError(Fault(f"unknown analyzer {given!r}", expected=f"one of {', '.join(ANALYZERS)}", hint=hint))
    return ANALYZERS[given].analyzer
