"""Which rows of a text may name a judged document? Hashes say which cannot; strings decide about the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from rankproof.model import Qrels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[Any]

PADDING = 32
"""So many bytes behind the last token may be looked at with it."""


def hashed(buffer: Numbers, starts: Numbers, ends: Numbers) -> Numbers:
    """Return a 64-bit hash of each token in a buffer of bytes, from eight bytes at a time."""
    import numpy as np  # noqa: PLC0415 - an extra, loaded where files are scanned

    mix: Any = np.uint64(0x9E3779B97F4A7C15)
    shift: Any = np.uint64(29)
    widths = ends - starts
    found: Any = (widths.astype(np.uint64) * np.uint64(0xC2B2AE3D27D4EB4F)) ^ words(buffer, starts, widths)
    found = found * mix
    found ^= found >> shift
    for offset in range(8, int(widths.max(initial=0)), 8):
        # a token that ended before keeps its hash, whatever stands beside it
        longer = np.flatnonzero(widths > offset)
        part = found[longer] ^ words(buffer, starts[longer], widths[longer], offset)
        part *= mix
        found[longer] = part ^ (part >> shift)
    hashes: Numbers = found
    return hashes


def words(buffer: Numbers, starts: Numbers, widths: Numbers, offset: int = 0) -> Numbers:
    """Return eight bytes of each token from an offset on, as little-endian numbers, 0 behind its end."""
    import numpy as np  # noqa: PLC0415

    view = np.ndarray((len(buffer) - 7,), dtype="<u8", buffer=buffer, strides=(1,))
    found: Numbers = view[starts if offset == 0 else np.minimum(starts + offset, len(view) - 1)]
    surplus = 8 * (8 - np.clip(widths - offset, 0, 8))  # bits behind the end, up to all 64
    found <<= surplus.astype(np.uint64)
    found >>= surplus.astype(np.uint64)
    return found


def paired(queries: Numbers, documents: Numbers) -> Numbers:
    """Return a hash of each pair of a query and a document, from theirs."""
    import numpy as np  # noqa: PLC0415

    found = (queries * np.uint64(0xC2B2AE3D27D4EB4F)) ^ documents
    found *= np.uint64(0x9E3779B97F4A7C15)
    found ^= found >> np.uint64(29)
    return found


def repeats(pairs: Numbers) -> bool:
    """Return whether a hash comes twice."""
    import numpy as np  # noqa: PLC0415

    for part in (pairs.astype(np.uint32), pairs):  # half of the bits are sorted in half of the time
        ordered = np.sort(part)
        if not (ordered[1:] == ordered[:-1]).any():
            return False
    return True


class Judged:
    """The hashes of judged documents, each with its query: a small table passes about one row in a hundred."""

    def __init__(self, qrels: Qrels) -> None:
        """Hash the judgments."""
        import numpy as np  # noqa: PLC0415

        docs = [doc for judgments in qrels.values() for doc in judgments]
        counts = [len(judgments) for judgments in qrels.values()]
        of_queries = np.repeat(_hashes(list(qrels)), counts)
        self._known = np.sort(paired(of_queries, _hashes(docs)))
        bits = max(16, min(27, (64 * len(docs)).bit_length()))
        self._mask = np.uint64((1 << bits) - 1)
        self._table = np.zeros(1 << bits, bool)
        self._table[(self._known & self._mask).astype(np.int64)] = True

    def candidates(self, pairs: Numbers) -> Numbers:
        """Return the rows whose hash is that of a judged document, ascending."""
        import numpy as np  # noqa: PLC0415

        rows = np.flatnonzero(self._table[(pairs & self._mask).astype(np.int64)])
        at = np.searchsorted(self._known, pairs[rows])
        found: Numbers = rows[self._known[np.minimum(at, len(self._known) - 1)] == pairs[rows]]
        return found


def _hashes(ids: list[str]) -> Numbers:
    import numpy as np  # noqa: PLC0415

    encoded = [one.encode() for one in ids]
    ends = np.cumsum(np.array([len(one) for one in encoded], np.int64))
    buffer = np.frombuffer(b"".join(encoded) + bytes(PADDING), np.uint8)
    return hashed(buffer, np.concatenate(([0], ends[:-1])) if len(ends) else ends, ends)
