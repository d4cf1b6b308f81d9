"""Which documents speak of the query's matter in other words? Latent semantic analysis (Deerwester et al. 1990).

TF-IDF rows are seen along the axes in which the collection varies most, and compared by cosine. A plain road with the
standard library serves small collections and the browser, scikit-learn (`svd.py`) larger ones. Cosines do not change
when the axes are mirrored or turned among themselves, so what is found depends on the texts alone, if three things that
rounding would decide are decided here: axes of one strength stay together, what is left of a text that no axis shows is
nothing, and scores that differ by less than rounding can be tied.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import fsum, hypot, inf, log, sqrt
from operator import mul
from typing import Any, Protocol, TypeAlias

from rankproof.arithmetic import check_count
from rankproof.errors import Fault, InputError, MissingPackageError
from rankproof.model import Ranking, Run
from rankproof.retrieve.bm25 import check_documents
from rankproof.retrieve.cosine import Vectors, cosine_search
from rankproof.retrieve.eigen import eigen
from rankproof.retrieve.text import Analyzer, analyzer_of

WEAK = 1e-6
"""Axes this much weaker than the strongest are noise, two axes no further apart than this are of one strength, and a
text of length 1 that the axes show at no more than this length is not shown: millions of times what rounding does."""

SAME = 1e-9
"""Cosines nearer than this are equal: what two ways to find the axes, or two numbers of threads, can differ by."""

PLAIN = 100
"""With so many documents, or so many different tokens, the plain road takes under a second."""

PLAIN_ALONE = 400
"""Without scikit-learn the plain road takes up to half a minute for so many, and is not tried on more."""

_SPARE = 16
"""How many hits beyond k are looked at for ties."""

Tokens: TypeAlias = Mapping[str, Sequence[str]]
"""Tokens by the id of their text."""


class Space(Protocol):
    """The axes of a collection, and how texts look along them."""

    dimensions: int

    def vectors(self, texts: Tokens) -> tuple[list[str], Any]:
        """Return the ids of the texts that the axes show, and their vectors: a sequence of sequences, or an array."""
        ...


class LSA:
    """An index over texts by document id; `search` ranks them for queries.

    TF-IDF as scikit-learn defines it: count · (ln((1 + N) / (1 + n)) + 1), where n of the N documents hold the token,
    rows of length 1. The axes are the first right singular vectors of these rows.

    `left_out`: documents without a vector, in the order given: they hold no token, or nothing that the axes show.
    `dimensions`: how many axes there are; fewer than asked for where the texts do not vary in so many directions, more
    where the next ones are as strong as the last.
    """

    def __init__(
        self,
        documents: Mapping[str, str],
        *,
        analyzer: str | Analyzer = "words",
        dimensions: int = 100,
        seed: int = 0,
    ) -> None:
        """Index the texts. `seed` starts scikit-learn's search for the axes, and changes nothing that is found.

        Up to 100 documents or different tokens are decomposed in plain Python. InputError for no documents, an
        unknown analyzer and dimensions below 1, MissingPackageError without scikit-learn for more than
        400.
        """
        check_documents(documents)
        check_count("dimensions", dimensions, InputError)
        self._tokens_of = analyzer_of(analyzer)
        tokens = {doc: self._tokens_of(text) for doc, text in documents.items()}
        self._space = _space(tokens, dimensions, seed)
        self.dimensions = self._space.dimensions
        self._vectors: Vectors = self._space.vectors(tokens)
        held = set(self._vectors[0])
        self.left_out: Sequence[str] = tuple(doc for doc in documents if doc not in held)

    def search(self, queries: Mapping[str, str], k: int, *, name: str = "lsa") -> Run:
        """Return each query's k best documents by cosine, equal scores by id, ascending.

        Only documents that score above 0 are retrieved; none for a query that the axes do not show. Of scores that
        differ by less than 1e-9 all are given the greatest.
        """
        check_count("k", k, InputError)
        asked = self._space.vectors({query: self._tokens_of(text) for query, text in queries.items()})
        found = self._nearest(asked, k) if asked[0] and self._vectors[0] else {}
        return Run(name, {query: found.get(query, Ranking([], [])) for query in queries})

    def _nearest(self, asked: Vectors, k: int) -> Mapping[str, Ranking]:
        depth = k + _SPARE
        while True:
            near = cosine_search(self._vectors, asked, depth)
            settled = {query: _settled(ranking, k) for query, ranking in near.rankings.items()}
            if depth >= len(self._vectors[0]) or all(whole for _, whole in settled.values()):
                return {query: ranking for query, (ranking, _) in settled.items()}
            depth *= 4  # a tie goes on beyond what was seen


def _settled(near: Ranking, k: int) -> tuple[Ranking, bool]:
    """Return the first k with ties by id, and whether all that tie with the last of them were seen."""
    rows: list[tuple[float, str]] = []
    head, whole = inf, False
    for doc, score in zip(near.doc_ids, near.scores or (), strict=True):
        if head - score > SAME:
            head = score
            whole = len(rows) >= k or score <= SAME
            if whole:
                break
        rows.append((-head, doc))
    best = sorted(rows)[:k]
    return Ranking([doc for _, doc in best], [-score for score, _ in best]), whole


def _space(tokens: Tokens, dimensions: int, seed: int) -> Space:
    size = min(sum(map(bool, tokens.values())), len({token for text in tokens.values() for token in text}))
    if size <= PLAIN:
        return PlainSpace(tokens, dimensions)
    if _scikit_is_here():
        from rankproof.retrieve.svd import ScikitSpace  # noqa: PLC0415 - only for a larger collection

        return ScikitSpace(tokens, dimensions, seed)
    if size <= PLAIN_ALONE:
        return PlainSpace(tokens, dimensions)
    message = f"LSA over {size} documents or tokens needs the package scikit-learn; {PLAIN_ALONE} go without"
    raise MissingPackageError(Fault(message, hint='pip install "rankproof[search]"'))


def _scikit_is_here() -> bool:
    try:
        import sklearn  # noqa: F401, PLC0415 - an extra
    except ImportError:
        return False
    return True


def axes_kept(strengths: Sequence[float], dimensions: int) -> int:
    """Return how many axes of these strengths (singular values, greatest first) to keep for so many dimensions."""
    near = WEAK * strengths[0] if strengths else 0.0
    end = dimensions
    while end < len(strengths) and strengths[end - 1] - strengths[end] <= near:
        end += 1
    return sum(strength > near for strength in strengths[:end])


class PlainSpace:
    """The axes from the eigenvectors of all products of two documents, or of two tokens where these are fewer."""

    def __init__(self, tokens: Tokens, dimensions: int) -> None:
        """Take the tokens of all documents."""
        counts = [Counter(text) for text in tokens.values()]
        held = Counter(token for count in counts for token in count)
        self._idf = {token: log((1 + len(counts)) / (1 + held[token])) + 1 for token in sorted(held)}
        rows = [row for count in counts if (row := self._weights(count))]
        self._axes = _axes(rows, list(self._idf), dimensions)
        self.dimensions = len(next(iter(self._axes.values()), ()))

    def vectors(self, texts: Tokens) -> tuple[list[str], list[list[float]]]:
        """Return the ids and the vectors of the texts that the axes show."""
        seen = {one: self._vector(Counter(text)) for one, text in texts.items()}
        shown = {one: vector for one, vector in seen.items() if hypot(*vector) > WEAK}
        return list(shown), list(shown.values())

    def _weights(self, count: Mapping[str, int]) -> dict[str, float]:
        """Return the TF-IDF row of a text, of length 1; tokens that the collection lacks have no weight."""
        weights = {token: count[token] * self._idf[token] for token in sorted(count) if token in self._idf}
        length = hypot(*weights.values())
        return {token: weight / length for token, weight in weights.items()}

    def _vector(self, count: Mapping[str, int]) -> list[float]:
        weights = self._weights(count)
        along = zip(*(self._axes[token] for token in weights), strict=True)
        return [fsum(map(mul, weights.values(), axis)) for axis in along]


def _axes(rows: Sequence[Mapping[str, float]], tokens: Sequence[str], dimensions: int) -> dict[str, list[float]]:
    """Return each token's share in the axes."""
    columns: dict[str, dict[int, float]] = {token: {} for token in tokens}
    for at, row in enumerate(rows):
        for token, weight in row.items():
            columns[token][at] = weight
    if len(tokens) < len(rows):
        number = {token: at for at, token in enumerate(tokens)}
        _, vectors = _strongest([{number[token]: row[token] for token in row} for row in rows], len(tokens), dimensions)
        return {token: [vector[at] for vector in vectors] for token, at in number.items()}
    strengths, vectors = _strongest(columns.values(), len(rows), dimensions)
    # A right singular vector is the rows, weighed by the left one, over the singular value.
    return {
        token: [
            fsum(weight * vector[at] for at, weight in column.items()) / strength
            for vector, strength in zip(vectors, strengths, strict=True)
        ]
        for token, column in columns.items()
    }


def _strongest(
    parts: Iterable[Mapping[int, float]], size: int, dimensions: int
) -> tuple[Sequence[float], Sequence[Sequence[float]]]:
    """Return the greatest singular values, and their vectors, of the matrix that is made of these rows or columns."""
    products = [[0.0] * size for _ in range(size)]
    for part in parts:
        for at, weight in part.items():
            line = products[at]
            for other, beside in part.items():
                line[other] += weight * beside
    values, vectors = eigen(products)
    strengths = [sqrt(max(value, 0.0)) for value in values]
    kept = axes_kept(strengths, dimensions)
    return strengths[:kept], vectors[:kept]
