"""What are the axes of a collection too large for plain Python? TF-IDF and truncated SVD by scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rankproof.retrieve.lsa import WEAK, Tokens, axes_kept


class ScikitSpace:
    """The axes, by TruncatedSVD over TfidfVectorizer.

    ARPACK finds the first axes to the last digits, from any start; the randomized algorithm does so only where it is
    given room for all of them, and is taken there, as ARPACK cannot find all.
    """

    def __init__(self, tokens: Tokens, dimensions: int, seed: int) -> None:
        """Take the tokens of all documents; two different ones or more."""
        import numpy as np  # noqa: PLC0415 - loaded where a large collection is indexed
        from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415 - an extra

        self._vectorizer = TfidfVectorizer(analyzer=list, dtype=np.float64)  # what it is given are tokens
        matrix = self._vectorizer.fit_transform(tokens.values())
        asked = dimensions + 1  # one more tells whether the next axis is as strong as the last
        while True:
            strengths, axes = _decomposed(np, matrix, asked, seed)
            self.dimensions = axes_kept(strengths, dimensions)
            if self.dimensions < len(strengths) or asked >= min(matrix.shape):
                break
            asked *= 2
        self._axes = axes[: self.dimensions].T

    def vectors(self, texts: Tokens) -> tuple[list[str], Any]:
        """Return the ids and the vectors, an array, of the texts that the axes show."""
        import numpy as np  # noqa: PLC0415

        rows = self._vectorizer.transform(texts.values()) @ self._axes
        shown = np.linalg.norm(rows, axis=1) > WEAK
        return [one for one, is_shown in zip(texts, shown.tolist(), strict=True) if is_shown], rows[shown]


def _decomposed(np: Any, matrix: Any, count: int, seed: int) -> tuple[Sequence[float], Any]:
    """Return singular values, greatest first, and right singular vectors as rows."""
    from sklearn.decomposition import TruncatedSVD  # noqa: PLC0415

    size = min(matrix.shape)
    algorithm = "arpack" if count < size else "randomized"
    svd = TruncatedSVD(min(count, size), algorithm=algorithm, random_state=seed)
    with np.errstate(invalid="ignore", divide="ignore"):  # the share of the variance, where all rows are the same
        svd.fit(matrix)
    return svd.singular_values_.tolist(), svd.components_
