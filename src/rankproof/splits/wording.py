"""What of a text's wording tells whether two texts ask the same?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import category, normalize

_FUNCTION_WORDS = """
a an the of in on at to for from by with and or is are was were be been do does did can could should would will what
which who whom whose when where why how it its this that these those there i me my you your we our us as about into than
if not no have has had any some
무엇 무엇인가 무엇인가요 무엇입니까 뭐 뭔가요 어떻게 어떤 왜 언제 어디 어디서 누가 얼마
얼마나 있나요 있습니까 하나요 합니까 되나요 됩니까 인가요 대한 대해 대하여 관한 및 등 그 이 수 것
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
"""Words that hold a question together: two questions that share these alone ask different things."""

_IN_NUMBERS = re.compile(r"(?<=\d)([.,:/-])(?=\d)")
_SYLLABIC = re.compile("[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]")  # kana, Chinese characters, Hangul


class Wording(NamedTuple):
    """A text as it is compared: its normal form, its words, and its character pairs."""

    normal: str  # empty where the text has neither letter, digit nor symbol
    words: frozenset[str]
    grams: frozenset[str]  # empty for scripts whose words stand apart and hardly change


class _Separators(dict[int, str]):
    """Maps punctuation, white space and control characters to a blank, and any other character to itself."""

    def __missing__(self, code: int) -> str:
        kind = category(chr(code))
        self[code] = " " if kind[0] in "PZ" or kind in ("Cc", "Cf") else chr(code)
        return self[code]


_SEPARATED = _Separators()


def tokens_of(text: str) -> list[str]:
    """Return what stands between white space and punctuation, after NFKC and case folding; `18.5` is one token."""
    folded = normalize("NFKC", normalize("NFKC", text).casefold())
    parts = _IN_NUMBERS.split(folded)
    parts[::2] = [part.translate(_SEPARATED) for part in parts[::2]]
    return "".join(parts).split()


def normal_form(tokens: Sequence[str]) -> str:
    """Return tokens without anything between them, but for a blank between two digits: 1 0 is not 10."""
    return re.sub(r"(?<!\d) | (?!\d)", "", " ".join(tokens))


def wording_of(text: str) -> Wording:
    """Return how a text is compared."""
    tokens = tokens_of(text)
    content = [token for token in tokens if token not in FUNCTION_WORDS] or tokens
    return Wording(normal_form(tokens), frozenset(content), _pairs("".join(content)))


def _pairs(joined: str) -> frozenset[str]:
    if not _SYLLABIC.search(joined):
        return frozenset()
    return frozenset(joined[at : at + 2] for at in range(len(joined) - 1)) or frozenset((joined,))
