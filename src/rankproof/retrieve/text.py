"""Which tokens is a text made of?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import Lock, local
from typing import Any, NamedTuple, TypeAlias

from rankproof.errors import Fault, InputError, MissingPackageError, nearest

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


def english(text: str) -> list[str]:
    """Return the stems of the words that are no stopwords: Snowball's English stemmer, the 33 stopwords of bm25s.

    Raises MissingPackageError without PyStemmer or bm25s.
    """
    kit = _english()
    stems: list[str] = kit.stem([word for word in words(text) if word not in kit.stopwords])
    return stems


def kiwi(text: str) -> list[str]:
    """Return the morphemes with a meaning of their own, in lower case, as Kiwi finds them in Korean.

    These are nouns and names, numerals, stems of verbs and adjectives, roots, foreign words, Chinese characters and
    numbers; no particles, endings, adverbs, pronouns or dependent nouns. Raises MissingPackageError without kiwipiepy.
    """
    with _KIWI_LOCK:  # one model for all threads
        found = _kiwi().tokenize(text)
    # A tag such as VA-I tells the irregular inflection behind the hyphen.
    return [one.form.lower() for one in found if one.tag.partition("-")[0] in _CONTENT]


_CONTENT = frozenset({"NNG", "NNP", "NR", "VV", "VA", "XR", "SL", "SH", "SN"})
"""Kiwi's tags of what `kiwi` keeps (those of the Sejong corpus)."""


class _English(NamedTuple):
    stem: Callable[[list[str]], list[str]]
    stopwords: frozenset[str]


_THREAD = local()
_KIWI_LOCK = Lock()
_KIWI: list[Any] = []
"""The model, once it is loaded: it takes about a second."""


def _english() -> _English:
    """Return the stemmer of this thread: one that two threads use at once returns wrong stems."""
    if not hasattr(_THREAD, "english"):
        try:
            import Stemmer  # noqa: PLC0415 - an extra, loaded when a text is analyzed
            from bm25s.stopwords import STOPWORDS_EN  # noqa: PLC0415
        except ImportError:
            raise _missing("english", "PyStemmer and bm25s", "search") from None
        _THREAD.english = _English(Stemmer.Stemmer("english").stemWords, frozenset(STOPWORDS_EN))
    found: _English = _THREAD.english
    return found


def _kiwi() -> Any:
    if not _KIWI:
        try:
            from kiwipiepy import Kiwi  # noqa: PLC0415 - an extra with a large model
        except ImportError:
            raise _missing("kiwi", "kiwipiepy", "korean") from None
        _KIWI.append(Kiwi())
    return _KIWI[0]


def _missing(analyzer: str, package: str, extra: str) -> MissingPackageError:
    return MissingPackageError(
        Fault(f"the analyzer {analyzer!r} needs the package {package}", hint=f'pip install "rankproof[{extra}]"')
    )


class Named(NamedTuple):
    """An analyzer that a name stands for, what it does, and the extra of this package that it needs."""

    analyzer: Analyzer
    says: str
    extra: str | None = None


ANALYZERS: Mapping[str, Named] = {
    "words": Named(words, "words of any script, in lower case"),
    "whitespace": Named(whitespace, "what stands between white space"),
    "hangul-2-3gram": Named(hangul_ngrams, "2- and 3-grams inside runs of Hangul, nothing else"),
    "hangul-2-3gram-words": Named(
        hangul_ngrams_and_words, "2- and 3-grams of Hangul, words of Latin letters and digits"
    ),
    "english": Named(english, "stems of English words, without stopwords", "search"),
    "kiwi": Named(kiwi, "Korean morphemes: nouns, verbs, adjectives, roots; foreign words and numbers", "korean"),
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
