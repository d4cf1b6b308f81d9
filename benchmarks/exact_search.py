"""What does exact cosine search cost, beside faiss's exact index over the same vectors?

Usage: ``pip install faiss-cpu``, then ``python benchmarks/exact_search.py`` (two minutes; Linux or macOS). Both sides
run in this one process, in turns, with as many threads as they take by themselves (OMP_NUM_THREADS bounds both); the
median of several rounds counts. It ends with status 1 where a ratio, or the memory, is over its limit.
"""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from statistics import median
from typing import Any

import numpy as np

import rankproof as rp

MEMORY_ONLY = "--memory"
MOST_MEMORY = 256e6
ALL = "from arrays"
LIMIT = 1.3
"""What all of the work, from arrays to results, may cost as a multiple of faiss."""
ROUNDS = 9
SEED = 1


@dataclass(frozen=True, slots=True)
class Size:
    """How much is asked for."""

    documents: int = 100_000
    dimensions: int = 384
    queries: int = 1_000
    k: int = 100

    def __str__(self) -> str:
        """Return the four numbers, to read."""
        return f"{self.documents:,} x {self.dimensions} documents, {self.queries:,} queries, k {self.k}"


@dataclass(frozen=True, slots=True)
class Given:
    """The vectors of both sides, of length 1 in single precision, as faiss's inner product needs them."""

    documents: tuple[list[str], Any]
    queries: tuple[list[str], Any]
    k: int


def given(size: Size) -> Given:
    """Return random vectors; made in place, so that the peak of memory is the search's."""
    random = np.random.default_rng(SEED)

    def side(mark: str, count: int) -> tuple[list[str], Any]:
        rows = random.standard_normal((count, size.dimensions), dtype=np.float32)
        rows /= np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
        return [f"{mark}{at:07}" for at in range(count)], rows

    return Given(side("d", size.documents), side("q", size.queries), size.k)


def index_of(vectors: Given) -> Any:
    """Return faiss's exact index of the documents."""
    try:
        import faiss  # noqa: PLC0415 - what is compared with, no part of the project
    except ModuleNotFoundError:
        sys.exit("faiss is not installed: pip install faiss-cpu")
    index = faiss.IndexFlatIP(vectors.documents[1].shape[1])
    index.add(vectors.documents[1])
    return index


def seconds(run: Callable[[], object]) -> float:
    """Return how long it takes."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def side_by_side(vectors: Given) -> list[tuple[str, float, float, float]]:
    """Return, for the search alone and for all of it, our seconds, faiss's and the ratio: medians over the rounds.

    The search alone has its documents taken in before: checked by us, copied by faiss. All of it begins with arrays.
    """
    searcher, texts = rp.Vectors(vectors.documents, vectors.queries), dict.fromkeys(vectors.queries[0], "")
    index = index_of(vectors)
    asked = vectors.queries[1]
    kinds: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "search": (lambda: searcher.search(texts, vectors.k), lambda: index.search(asked, vectors.k)),
        ALL: (
            lambda: rp.cosine_search(vectors.documents, vectors.queries, vectors.k),
            lambda: index_of(vectors).search(asked, vectors.k),
        ),
    }
    rows = []
    for name, (ours, theirs) in kinds.items():
        ours(), theirs()
        times = [(seconds(ours), seconds(theirs)) for _ in range(ROUNDS)]
        ratio = median(own / other for own, other in times)
        rows.append((name, median(own for own, _ in times), median(other for _, other in times), ratio))
    return rows


def same_documents(vectors: Given) -> int:
    """Return for how many queries both find the same documents; near ties at the last place may differ."""
    ids, asked = vectors.documents[0], vectors.queries[1]
    _, found = index_of(vectors).search(asked, vectors.k)
    run = rp.cosine_search(vectors.documents, vectors.queries, vectors.k)
    pairs = zip(run.rankings.values(), found, strict=True)
    return sum({ids[at] for at in row} == set(ranking.doc_ids) for ranking, row in pairs)


def grown(size: Size) -> dict[str, float]:
    """Return how many times as long a search takes with each number doubled."""
    sizes = {"-": size, **{name: replace(size, **{name: 2 * getattr(size, name)}) for name in Size.__slots__}}
    times = {}
    for name, one in sizes.items():
        vectors = given(one)
        search = partial(rp.cosine_search, vectors.documents, vectors.queries, vectors.k)
        times[name] = median(seconds(search) for _ in range(5))
    return {name: took / times["-"] for name, took in times.items() if name != "-"}


def most_memory() -> int:
    """Return the most bytes that this process held at once."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def added_memory(size: Size) -> int:
    """Return how many bytes a search adds to the peak of a process that holds the vectors, what it finds included."""
    vectors = given(size)
    before = most_memory()
    rp.cosine_search(vectors.documents, vectors.queries, vectors.k)
    return most_memory() - before


def main() -> int:
    """Print what was measured; return 0 where all limits are kept."""
    size = Size()
    if sys.argv[1:] == [MEMORY_ONLY]:
        print(added_memory(size))
        return 0
    alone = subprocess.run([sys.executable, __file__, MEMORY_ONLY], capture_output=True, check=True, text=True)  # noqa: S603 - this script
    memory = int(alone.stdout)
    vectors = given(size)
    print(f"{size}\nPython {platform.python_version()}, NumPy {np.__version__}, {os.cpu_count()} cores", end="")
    print(f"; OMP_NUM_THREADS {os.environ.get('OMP_NUM_THREADS', 'not set')}\n")
    within = memory <= MOST_MEMORY
    for name, ours, theirs, ratio in side_by_side(vectors):
        limited = f", limit {LIMIT}" if name == ALL else ""
        print(f"{name:12} {ours:.3f} s, faiss {theirs:.3f} s, ratio {ratio:.2f}{limited}")
        within &= ratio <= LIMIT or not limited
    print(f"\nthe same documents as faiss for {same_documents(vectors):,} of {size.queries:,} queries")
    print(f"memory beside the vectors: {memory / 1e6:.0f} MB, limit {MOST_MEMORY / 1e6:.0f} MB")
    print("\ntwice the …:", ", ".join(f"{name} x {times:.1f}" for name, times in grown(size).items()))
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
