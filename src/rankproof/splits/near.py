"""Which texts are worded almost alike? What of a wording is compared, and which pairs of texts share enough of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil
from typing import NamedTuple, TypeAlias
from unicodedata import category, normalize

from rankproof.errors import Fault, InputError, MissingPackageError, nearest, seen

Features: TypeAlias = frozenset[str]
OnDone: TypeAlias = Callable[[int, int], None]
"""Is told how many of how many texts are compared."""

HASHES = 128
"""How many hashes stand for a text in the road of MinHash."""
RECALL = 0.99
"""How likely, at least, MinHash finds a pair that is just like enough."""


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
    words: Features
    grams: Features  # empty for scripts whose words stand apart and hardly change


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


def _pairs(joined: str) -> Features:
    if not _SYLLABIC.search(joined):
        return frozenset()
    return frozenset(joined[at : at + 2] for at in range(len(joined) - 1)) or frozenset((joined,))


class Alike(NamedTuple):
    """Two texts by their places, the later one first, and how alike they are by which features."""

    first: int
    second: int
    similarity: float  # Jaccard: what they share, of what either has
    by: str  # words or character pairs


class Index:
    """Sets of features: which of them are like another? Every one is found.

    Two sets of Jaccard t or more share one of the rarest features of either, |x| - ceil(t |x|) + 1 of them: only sets
    that do are compared (prefix filter: Chaudhuri, Ganti, Kaushik 2006; Bayardo, Ma, Srikant 2007).
    """

    def __init__(self, sets: Sequence[Features], threshold: float) -> None:
        """Index the sets; an empty one is like none."""
        self._sets = sets
        self._threshold = threshold
        seen_in = Counter(feature for features in sets for feature in features)
        self._order = {feature: at for at, feature in enumerate(sorted(seen_in, key=lambda one: (seen_in[one], one)))}
        self._holding: dict[str, list[int]] = {}
        for at, features in enumerate(sets):
            for feature in self._prefix(features):
                self._holding.setdefault(feature, []).append(at)

    def _prefix(self, features: Features) -> list[str]:
        ordered = sorted(features, key=lambda one: self._order.get(one, -1))
        shared = ceil(self._threshold * len(features) - 1e-9)  # so many at least, whatever the other's size
        return ordered[: len(features) - shared + 1] if ordered else []

    def like(self, features: Features) -> Iterator[tuple[int, float]]:
        """Yield the places of the sets that are like this one, ascending, each with the similarity."""
        found = {at for feature in self._prefix(features) for at in self._holding.get(feature, ())}
        for at in sorted(found):
            similarity = jaccard(features, self._sets[at])
            if similarity >= self._threshold:
                yield at, similarity


def jaccard(one: Features, other: Features) -> float:
    """Return the share of the features of either that both have; 0 for two empty sets."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


def _each(count: int, on_done: OnDone | None) -> Iterator[int]:
    for at in range(count):
        if on_done is not None and at % 256 == 0:
            on_done(at, count)
        yield at


def _exact(sets: Sequence[Features], threshold: float, on_done: OnDone | None) -> Iterator[tuple[int, int, float]]:
    index = Index(sets, threshold)
    for first in _each(len(sets), on_done):
        for second, similarity in index.like(sets[first]):
            if second >= first:
                break
            yield first, second, similarity


def _minhash(sets: Sequence[Features], threshold: float, on_done: OnDone | None) -> Iterator[tuple[int, int, float]]:
    try:
        from datasketch import MinHash, MinHashLSH  # noqa: PLC0415 - an extra
    except ImportError:
        message = "near texts by minhash need the package datasketch"
        hint = 'pip install "rankproof[leakage]", or --near-by exact'
        raise MissingPackageError(Fault(message, hint=hint)) from None
    bands, rows = bands_of(threshold)
    lsh = MinHashLSH(num_perm=HASHES, params=(bands, rows))
    for first in _each(len(sets), on_done):
        if not sets[first]:
            continue
        hashed = MinHash(num_perm=HASHES, seed=1)
        hashed.update_batch([one.encode("utf-8", "surrogatepass") for one in sorted(sets[first])])
        for second in sorted(lsh.query(hashed)):
            similarity = jaccard(sets[first], sets[second])
            if similarity >= threshold:
                yield first, second, similarity
        lsh.insert(first, hashed)


def bands_of(threshold: float) -> tuple[int, int]:
    """Return bands and rows of the LSH: the longest bands that still find a pair at the threshold as likely as RECALL.

    A pair of Jaccard s shares a band of r rows with probability s^r, and one of b bands with 1 - (1 - s^r)^b.
    """
    rows = max(rows for rows in range(1, 9) if rows == 1 or recall(threshold, HASHES // rows, rows) >= RECALL)
    return HASHES // rows, rows


def recall(similarity: float, bands: int, rows: int) -> float:
    """Return how likely a pair of this similarity is found."""
    return 1.0 - (1.0 - similarity**rows) ** bands


ROADS: Mapping[str, Callable[[Sequence[Features], float, OnDone | None], Iterator[tuple[int, int, float]]]] = {
    "exact": _exact,
    "minhash": _minhash,
}
"""How near texts are found: all of them, or by MinHash and LSH, each pair that comes up checked."""


def near_pairs(
    texts: Sequence[Wording], words: float, grams: float, road: str, on_done: OnDone | None = None
) -> list[Alike]:
    """Return each two texts whose words, or whose character pairs, reach the threshold; those of one normal form not.

    Sorted by place. InputError for an unknown road; MissingPackageError for minhash without datasketch.
    """
    if road not in ROADS:
        hint = f"did you mean {nearest(road, ROADS, 1)}?"
        raise InputError(
            Fault(f"near texts cannot be found by {seen(road)}", expected=f"one of {', '.join(ROADS)}", hint=hint)
        )
    found: dict[tuple[int, int], Alike] = {}
    for by, threshold, sets in (
        ("words", words, [text.words for text in texts]),
        ("character pairs", grams, [text.grams for text in texts]),
    ):
        for first, second, similarity in ROADS[road](sets, threshold, on_done):
            if texts[first].normal != texts[second].normal:
                found.setdefault((first, second), Alike(first, second, similarity, by))
    return [found[pair] for pair in sorted(found)]
